/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Section 3: the process in the log, and its share of each cycle's power. */
#ifndef JOULAR_SHARE_H
#define JOULAR_SHARE_H

#include "modeldata.h"

/* Sets pid and host_pid. STATUS_MISSING or STATUS_INVALID where the log has no such process, or several. */
enum status model_find_process(struct model *m) WARN_UNUSED;
/* Makes shares. STATUS_MISSING where neither log nor recording has the CPU time of the process, or the number of CPUs
 * that --share-of capacity needs. */
enum status model_share(struct model *m) WARN_UNUSED;
/* Power of a cycle less the baseline, at least 0; NaN where the cycle has no power. */
double model_power_w(const struct model *m, const struct power_cycle *cycle);

#endif
