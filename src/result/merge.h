/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What merge.c and mergeorder.c share. */
#ifndef JOULAR_MERGE_H
#define JOULAR_MERGE_H

#include "joular/result.h"

/* Maps the numbers of one result's names and branches to those of another. */
struct merge_numbers {
    uint32_t *names, *branches;
};

static inline int by_number(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

/* Orders runs; 0 for two that are the same run, whatever their names. Parts of one recording (--from, --to) are told
 * apart by their energy. */
int merge_compare_runs(const struct result_run *a, const struct result_run *b);

#endif
