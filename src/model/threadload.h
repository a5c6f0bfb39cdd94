/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Section 4, sources 2 to 4: CPU time of groups from the recording. */
#ifndef JOULAR_THREADLOAD_H
#define JOULAR_THREADLOAD_H

#include "modeldata.h"

/* Makes contributions and gc_ns. */
void model_contributions(struct model *m);

#endif
