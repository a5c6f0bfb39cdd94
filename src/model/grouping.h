/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Section 1: which JFR threads count as one thread. */
#ifndef JOULAR_GROUPING_H
#define JOULAR_GROUPING_H

#include "modeldata.h"

/* Makes groups, group_of_thread and the index of OS thread ids. */
void model_group_threads(struct model *m);

#endif
