/* Many small pieces with one end of life. Reset keeps the blocks for the next round. */
#ifndef JOULAR_ARENA_H
#define JOULAR_ARENA_H

#include <stddef.h>

struct arena_block;
struct arena {
    struct arena_block *first, *current;
};
void *arena_alloc(struct arena *arena, size_t size);                     /* aligned for any type, not zeroed */
void *arena_array(struct arena *arena, size_t count, size_t size);       /* likewise; too many bytes are memory's end */
char *arena_copy(struct arena *arena, const void *bytes, size_t length); /* with a NUL behind */
void arena_reset(struct arena *arena);
void arena_free(struct arena *arena);

#endif
