#include "joular/map.h"

#include "joular/hash.h"
#include "joular/mem.h"

/* The slot that has KEY, or the free one where it would be. */
static struct map64_slot *map64_find(const struct map64 *map, uint64_t key)
{
    size_t at = (size_t)hash_mix(key) & (map->cap - 1);
    while (map->slots[at].value != 0 && map->slots[at].key != key)
        at = (at + 1) & (map->cap - 1);
    return &map->slots[at];
}

uint32_t map64_get(const struct map64 *map, uint64_t key)
{
    if (map->n == 0)
        return MAP_NONE;
    return map64_find(map, key)->value - 1; /* a free slot's 0 becomes MAP_NONE */
}

static struct map64_slot *map64_room(struct map64 *map, uint64_t key)
{
    if ((map->n + 1) * 3 > map->cap * 2) {
        struct map64 old = *map;
        map->cap = old.cap != 0 ? old.cap * 2 : 64;
        map->slots = mem_zero(map->cap, sizeof *map->slots);
        for (size_t i = 0; i < old.cap; i++)
            if (old.slots[i].value != 0)
                *map64_find(map, old.slots[i].key) = old.slots[i];
        free(old.slots);
    }
    return map64_find(map, key);
}

uint32_t map64_put(struct map64 *map, uint64_t key, uint32_t value)
{
    struct map64_slot *slot = map64_room(map, key);
    if (slot->value == 0) {
        *slot = (struct map64_slot){key, value + 1};
        map->n++;
    }
    return slot->value - 1;
}

void map64_set(struct map64 *map, uint64_t key, uint32_t value)
{
    struct map64_slot *slot = map64_room(map, key);
    map->n += slot->value == 0;
    *slot = (struct map64_slot){key, value + 1};
}

void map64_clear(struct map64 *map)
{
    if (map->n * 64 < map->cap && map->cap > 4096) /* one huge chunk must not slow down the small ones after it */
        map64_free(map);
    else if (map->n != 0)
        memset(map->slots, 0, map->cap * sizeof *map->slots);
    map->n = 0;
}

void map64_free(struct map64 *map)
{
    free(map->slots);
    *map = (struct map64){0};
}
