/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "joular/map.h"

#include "joular/hash.h"
#include "joular/mem.h"

/* The slot that has KEY, or the free one where it would be. */
static inline uint32_t *map64_slot(const struct map64 *map, uint64_t key)
{
    size_t at = (size_t)hash_mix(key) & (map->slot_count - 1);
    while (map->slots[at] != 0 && map->items[map->slots[at] - 1].key != key)
        at = (at + 1) & (map->slot_count - 1);
    return &map->slots[at];
}

uint32_t map64_get(const struct map64 *map, uint64_t key)
{
    if (map->n == 0)
        return MAP_NONE;
    uint32_t place = *map64_slot(map, key);
    return place != 0 ? map->items[place - 1].value : MAP_NONE;
}

static void make_room(struct map64 *map)
{
    map->slot_count = map->slot_count != 0 ? map->slot_count * 2 : 64;
    free(map->slots);
    map->slots = mem_zero(map->slot_count, sizeof *map->slots);
    map->items = mem_resize(map->items, map->slot_count * 2 / 3, sizeof *map->items);
    for (size_t i = 0; i < map->n; i++)
        *map64_slot(map, map->items[i].key) = (uint32_t)i + 1;
}

/* The item of KEY, which gets VALUE where it is new. */
static inline struct map64_item *map64_item(struct map64 *map, uint64_t key, uint32_t value)
{
    if ((map->n + 1) * 3 > map->slot_count * 2)
        make_room(map);
    uint32_t *slot = map64_slot(map, key);
    if (*slot == 0) {
        map->items[map->n++] = (struct map64_item){key, value};
        *slot = (uint32_t)map->n;
    }
    return &map->items[*slot - 1];
}

uint32_t map64_put(struct map64 *map, uint64_t key, uint32_t value)
{
    return map64_item(map, key, value)->value;
}

void map64_set(struct map64 *map, uint64_t key, uint32_t value)
{
    map64_item(map, key, value)->value = value;
}

void map64_clear(struct map64 *map)
{
    if (map->n * 64 < map->slot_count && map->slot_count > 4096) /* one huge chunk must not slow down the small ones */
        map64_free(map);
    else if (map->n != 0)
        memset(map->slots, 0, map->slot_count * sizeof *map->slots);
    map->n = 0;
}

void map64_free(struct map64 *map)
{
    free(map->slots);
    free(map->items);
    *map = (struct map64){0};
}
