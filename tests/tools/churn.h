/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What churn and fastclock.c have in common: a file that both map. */
#ifndef JOULAR_CHURN_H
#define JOULAR_CHURN_H

#include <stdint.h>

#define CHURN_A_CYCLE 20 /* 200 threads a second, at an interval of 100 ms */

struct churn {
    uint64_t made;   /* threads so far */
    uint64_t wanted; /* churn waits when it has made so many */
};

#endif
