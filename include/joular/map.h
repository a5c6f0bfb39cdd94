/* Open-addressing table from a 64-bit key to a 32-bit value. */
#ifndef JOULAR_MAP_H
#define JOULAR_MAP_H

#include <stddef.h>
#include <stdint.h>

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

#endif
