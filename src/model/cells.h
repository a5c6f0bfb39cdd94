/* Section 1, samples used. */
#ifndef JOULAR_CELLS_H
#define JOULAR_CELLS_H

#include "modeldata.h"

/* Leaves the cells that count, those of a group side by side, and returns how many they are. */
size_t model_settle_cells(struct model *m);
/* Those of cycle I, or, behind the last that has any, those of none. */
struct cycle_cells *model_cells(struct observed *observed, size_t i);

#endif
