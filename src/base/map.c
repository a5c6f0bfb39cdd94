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
    if (map->n * 64 < map->cap && map->cap > 4096) /* one huge chunk shall not slow down all small ones behind it */
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

#define NEAR_LEAST 4096

/* Makes a place for KEY, where that does not take too many. */
static bool near64_reach(struct near64 *near, uint64_t key)
{
    if (near->n == 0 && near->cap != 0) { /* nothing is near anything */
        near->first = key > near->cap / 2 ? key - near->cap / 2 : 0;
        if (near->first > UINT64_MAX - near->cap)
            near->first = UINT64_MAX - near->cap + 1;
        return true;
    }
    uint64_t low = near->cap != 0 && near->first < key ? near->first : key;
    uint64_t high = near->cap != 0 && near->first + (near->cap - 1) > key ? near->first + (near->cap - 1) : key;
    uint64_t most = 8 * (uint64_t)(near->n + near->far.n) + NEAR_LEAST;
    if (high - low >= most)
        return false;
    size_t cap = near->cap != 0 ? near->cap : NEAR_LEAST;
    while (cap <= high - low)
        cap *= 2;
    if (key == low) /* the room is where the keys go to */
        low = high > cap - 1 ? high - (cap - 1) : 0;
    if (low > UINT64_MAX - cap)
        low = UINT64_MAX - cap + 1;
    uint32_t *values = mem_zero(cap, sizeof *values);
    if (near->cap != 0)
        memcpy(values + (near->first - low), near->values, near->cap * sizeof *values);
    free(near->values);
    near->values = values;
    near->first = low;
    near->cap = cap;
    return true;
}

uint32_t near64_put(struct near64 *near, uint64_t key, uint32_t value)
{
    uint32_t known = near64_get(near, key);
    if (known != MAP_NONE)
        return known;
    if (key - near->first >= near->cap && !near64_reach(near, key))
        return map64_put(&near->far, key, value);
    near->values[key - near->first] = value + 1;
    near->n++;
    return value;
}

void near64_clear(struct near64 *near)
{
    map64_clear(&near->far);
    if (near->n * 64 < near->cap && near->cap > 4096) { /* as map64_clear */
        near64_free(near);
        return;
    }
    if (near->n != 0)
        memset(near->values, 0, near->cap * sizeof *near->values);
    near->n = 0;
}

void near64_free(struct near64 *near)
{
    map64_free(&near->far);
    free(near->values);
    *near = (struct near64){0};
}
