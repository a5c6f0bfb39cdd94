/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "joular/arena.h"

#include "joular/mem.h"

#include <stdalign.h>

#if defined(__SANITIZE_ADDRESS__)
#define POISONED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONED 1
#endif
#endif
#ifdef POISONED
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif

struct arena_block {
    struct arena_block *next;
    size_t size, used;
    alignas(max_align_t) unsigned char bytes[];
};

#define ARENA_BLOCK ((size_t)64 * 1024)

void *arena_alloc(struct arena *arena, size_t size)
{
    if (size > SIZE_MAX - alignof(max_align_t))
        mem_end();
    size_t rounded = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
    struct arena_block *block = arena->current;
    while (block == NULL || block->size - block->used < rounded) {
        struct arena_block *next = block != NULL ? block->next : arena->first;
        if (next == NULL || next->size < rounded) {
            size_t room = rounded > ARENA_BLOCK ? rounded : ARENA_BLOCK;
            struct arena_block *fresh = mem_alloc(sizeof *fresh + room);
            fresh->size = room;
            fresh->next = next;
            ASAN_POISON_MEMORY_REGION(fresh->bytes, room);
            if (block != NULL)
                block->next = fresh;
            else
                arena->first = fresh;
            next = fresh;
        }
        next->used = 0;
        block = arena->current = next;
    }
    void *piece = block->bytes + block->used;
    block->used += rounded;
    ASAN_UNPOISON_MEMORY_REGION(piece, size);
    return piece;
}

void *arena_array(struct arena *arena, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size)
        mem_end();
    return arena_alloc(arena, count * size);
}

char *arena_copy(struct arena *arena, const void *bytes, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    if (length != 0)
        memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}

void arena_reset(struct arena *arena)
{
    for (struct arena_block *block = arena->first; block != NULL; block = block->next)
        ASAN_POISON_MEMORY_REGION(block->bytes, block->size);
    arena->current = NULL;
}

void arena_free(struct arena *arena)
{
    for (struct arena_block *block = arena->first; block != NULL;) {
        struct arena_block *next = block->next;
        ASAN_UNPOISON_MEMORY_REGION(block->bytes, block->size);
        free(block);
        block = next;
    }
    arena->first = arena->current = NULL;
}
