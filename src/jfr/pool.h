/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constant pools. */
#ifndef JOULAR_POOL_H
#define JOULAR_POOL_H

#include "reader.h"

/* Indexes the constant pools of a checkpoint event. BODY is the event after its size and type. */
void jfr_index_checkpoint(struct jfr_reader *reader, struct span body, struct jfr_damage *damage);
/* Whether BODY consists exactly of the constant pools that it announces. */
bool jfr_checkpoint_fits(struct jfr_reader *reader, struct span body);
/* The program that skips one value of TYPE; NULL where it cannot be compiled. */
const struct jfr_program *jfr_skip_program(struct jfr_reader *reader, struct jfr_type *type);

#endif
