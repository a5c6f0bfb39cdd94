/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Section 1: which samples count. */
#ifndef JOULAR_CELLS_H
#define JOULAR_CELLS_H

#include "modeldata.h"

/* Removes the cells that do not count, puts the cells of a group next to each other, and returns how many are left. */
size_t model_settle_cells(struct model *m);
/* The cells of cycle I or, where I is after the last cycle that has any, the cells of samples in no cycle. */
struct cycle_cells *model_cells(struct observed *observed, size_t i);

#endif
