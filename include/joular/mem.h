/* Memory. None of these returns NULL: when memory ends they call the handler, which must not return. Sizes that come
 * from a file are checked against the bytes that are left in it before they get here, so a handler that says "out of
 * memory" and exits is enough, and no layer needs a path for it. malloc, calloc and realloc do the same, for libraries
 * too, where configure finds a way (src/base/libmalloc.c). */
#ifndef JOULAR_MEM_H
#define JOULAR_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Under AddressSanitizer a program has far more memory than its own. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEM_IS_SHADOWED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define MEM_IS_SHADOWED true
#endif
#endif
#ifndef MEM_IS_SHADOWED
#define MEM_IS_SHADOWED false
#endif

/* A step of the work that profiles shall show by its name (tests/bench/phases.py). */
#define NOT_INLINED __attribute__((noinline))

/* The default handler aborts; a tool sets one that says so, removes its temporary files, and exits with 1. */
void mem_set_handler(void (*handler)(void));
void mem_end(void) __attribute__((noreturn)); /* calls it */

void *mem_alloc(size_t size) __attribute__((malloc));
void *mem_zero(size_t count, size_t size) __attribute__((malloc)); /* checks the product */
void *mem_resize(void *old, size_t count, size_t size);
char *mem_strdup(const char *text);
char *mem_strndup(const char *text, size_t length);

/* A growing array: VEC(struct cycle) cycles = {0}; vec_push(&cycles, c); ... vec_free(&cycles). */
#define VEC(type)      \
    struct {           \
        type *v;       \
        size_t n, cap; \
    }
#define vec_reserve(vec, more)       \
    ((vec)->n + (more) <= (vec)->cap \
         ? (void)0                   \
         : (void)((vec)->v = mem_grow((vec)->v, &(vec)->cap, (vec)->n + (more), sizeof *(vec)->v)))
#define vec_push(vec, item) (vec_reserve((vec), 1), (void)((vec)->v[(vec)->n++] = (item)))
#define vec_free(vec) (free((vec)->v), (vec)->v = NULL, (vec)->n = (vec)->cap = 0)
void *mem_grow(void *old, size_t *cap, size_t need, size_t size);

/* Many small pieces with one end of life. Reset keeps the blocks for the next round. */
struct arena_block;
struct arena {
    struct arena_block *first, *current;
};
void *arena_alloc(struct arena *arena, size_t size);                     /* aligned for any type, not zeroed */
void *arena_array(struct arena *arena, size_t count, size_t size);       /* likewise; too many bytes are memory's end */
char *arena_copy(struct arena *arena, const void *bytes, size_t length); /* with a NUL behind */
void arena_reset(struct arena *arena);
void arena_free(struct arena *arena);

/* Open-addressing table from a 64-bit key to a 32-bit value. */
struct map64 {
    struct map64_slot {
        uint64_t key;
        uint32_t value; /* + 1; 0 marks a free slot */
    } * slots;
    size_t cap, n;
};
#define MAP_NONE UINT32_MAX
uint32_t map64_get(const struct map64 *map, uint64_t key); /* MAP_NONE where there is none */
/* Puts VALUE where KEY has none yet; returns what KEY has afterwards. VALUE is below MAP_NONE. */
uint32_t map64_put(struct map64 *map, uint64_t key, uint32_t value);
void map64_set(struct map64 *map, uint64_t key, uint32_t value); /* overwrites */
void map64_clear(struct map64 *map); /* keeps the memory, unless nearly all of it is unused */
void map64_free(struct map64 *map);

/* The same for keys that mostly are near each other, as numbers that are counted up: those have places of their own,
 * the others are in a map64. Takes no more places than eight times its keys, and some. */
struct near64 {
    uint64_t first;   /* the key of the first place */
    uint32_t *values; /* + 1; 0: none, or in FAR */
    size_t cap, n;
    struct map64 far;
};
uint32_t near64_put(struct near64 *near, uint64_t key, uint32_t value);
void near64_clear(struct near64 *near);
void near64_free(struct near64 *near);

static inline uint32_t near64_get(const struct near64 *near, uint64_t key)
{
    uint64_t place = key - near->first;
    if (place < near->cap && near->values[place] != 0)
        return near->values[place] - 1;
    return near->far.n != 0 ? map64_get(&near->far, key) : MAP_NONE;
}

/* Byte strings made 32-bit numbers, 0, 1, 2... in the order they were first seen. */
struct intern_text {
    const char *text; /* with a NUL behind */
    uint32_t length, hash;
};
struct intern {
    struct arena arena;
    VEC(struct intern_text) texts;
    uint32_t *slots;
    size_t slot_count;
};
uint32_t intern_bytes(struct intern *intern, const void *bytes, size_t length);
void intern_clear(struct intern *intern); /* keeps the memory */
void intern_free(struct intern *intern);

/* Keys come from files. With a number that nobody can know in all hashes, none can be made whose keys all meet in one
 * slot. A tool calls it before anything is hashed; no result depends on it. */
void hash_randomize(void);
extern uint64_t hash_seed; /* 0 without */

static inline uint64_t hash_mix(uint64_t x)
{
    x ^= hash_seed;
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 32;
    return x;
}

uint64_t hash_bytes(const void *bytes, size_t length);

#endif
