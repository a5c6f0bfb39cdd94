/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strings of a chunk. */
#ifndef JOULAR_STRINGS_H
#define JOULAR_STRINGS_H

#include "encoding.h"
#include "joular/arena.h"

/* Reads a string. For one in the constant pool (encoding 2) this returns null and sets KEY; otherwise KEY is 0. */
struct jfr_text jfr_read_text(struct span *s, bool compressed, struct arena *arena, uint64_t *key);
void jfr_skip_text(struct span *s, bool compressed);

#endif
