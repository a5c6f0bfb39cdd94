/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sections 4 and 5: divides energy into rows. */
#ifndef JOULAR_ATTRIBUTE_H
#define JOULAR_ATTRIBUTE_H

#include "modeldata.h"

/* Makes the result's cycles, rows, threads, weights and uses. */
void model_attribute(struct model *m);

#endif
