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
uint32_t map64_get(const struct map64 *map, uint64_t key); /* MAP_NONE if KEY is missing */
/* Puts VALUE, which is below MAP_NONE, unless KEY has a value already. Returns the value that KEY has then. */
uint32_t map64_put(struct map64 *map, uint64_t key, uint32_t value);
void map64_set(struct map64 *map, uint64_t key, uint32_t value); /* overwrites */
void map64_clear(struct map64 *map); /* keeps the memory, unless nearly all of it is unused */
void map64_free(struct map64 *map);

#endif
