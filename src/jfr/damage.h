/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a chunk could not be read. */
#ifndef JOULAR_DAMAGE_H
#define JOULAR_DAMAGE_H

#include "reader.h"

/* Counts EVENTS, and BYTES from P on, as lost; bytes that were counted before are not counted again. */
void jfr_note_damage(struct jfr_reader *reader, struct jfr_damage *damage, const uint8_t *p, uint64_t events,
                     uint64_t bytes, const char *words);

#endif
