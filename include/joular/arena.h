/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many small allocations that are freed together. arena_reset keeps the blocks for reuse. */
#ifndef JOULAR_ARENA_H
#define JOULAR_ARENA_H

#include <stddef.h>

struct arena_block;
struct arena {
    struct arena_block *first, *current;
};
void *arena_alloc(struct arena *arena, size_t size);                     /* aligned for any type, not zeroed */
void *arena_array(struct arena *arena, size_t count, size_t size);       /* the same; an overflow is out of memory */
char *arena_copy(struct arena *arena, const void *bytes, size_t length); /* with a NUL at the end */
void arena_reset(struct arena *arena);
void arena_free(struct arena *arena);

#endif
