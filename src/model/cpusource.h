/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Section 4: where the CPU time of threads comes from. */
#ifndef JOULAR_CPUSOURCE_H
#define JOULAR_CPUSOURCE_H

#include "modeldata.h"

/* Sets the result's cpu_source. Where the log has thread records, it also makes group_of_record and started_record, and
 * groups for threads that only the log has. */
void model_choose_cpu_source(struct model *m);

#endif
