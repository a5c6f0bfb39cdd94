/* Sections 2 and 3: the process in the log, and its share of each cycle's power. */
#ifndef JOULAR_SHARE_H
#define JOULAR_SHARE_H

#include "modeldata.h"

/* Sets pid and host_pid. STATUS_MISSING or STATUS_INVALID where the log has no such process, or several. */
enum status model_find_process(struct model *m) WARN_UNUSED;
/* Makes shares. STATUS_MISSING where nothing says what the process used. */
enum status model_share(struct model *m) WARN_UNUSED;
/* Power of a cycle, baseline taken away; NaN where it has none. */
double model_power_w(const struct model *m, const struct power_cycle *cycle);

#endif
