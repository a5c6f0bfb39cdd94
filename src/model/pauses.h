/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pauses of the collector, and the energy of the process while they lasted. */
#ifndef JOULAR_PAUSES_H
#define JOULAR_PAUSES_H

#include "modeldata.h"

/* Makes the result's pauses. */
void model_pauses(struct model *m);

#endif
