/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a 64-bit key to a 32-bit value: an open-addressing table of small numbers, and the items side by side in the
 * order in which their keys came. */
#ifndef JOULAR_MAP_H
#define JOULAR_MAP_H

#include <stddef.h>
#include <stdint.h>

struct map64 {
    uint32_t *slots; /* position in items, + 1; 0 marks a free one */
    size_t slot_count, n;
    struct map64_item {
        uint64_t key;
        uint32_t value;
    } * items;
};
#define MAP_NONE UINT32_MAX
uint32_t map64_get(const struct map64 *map, uint64_t key); /* MAP_NONE if KEY is missing */
/* Puts VALUE, which is below MAP_NONE, unless KEY has a value already. Returns the value that KEY has then. */
uint32_t map64_put(struct map64 *map, uint64_t key, uint32_t value);
void map64_set(struct map64 *map, uint64_t key, uint32_t value); /* overwrites */
void map64_clear(struct map64 *map); /* keeps the memory, unless nearly all of it is unused */
void map64_free(struct map64 *map);

#endif
