#include "joular/mem.h"

#include <stdalign.h>
#include <stdlib.h>
#include <sys/random.h>

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

static void *checked(void *memory)
{
    if (memory == NULL)
        mem_end();
    return memory;
}

void *mem_alloc(size_t size)
{
    return checked(malloc(size != 0 ? size : 1));
}

void *mem_zero(size_t count, size_t size)
{
    return checked(count != 0 && size != 0 ? calloc(count, size) : calloc(1, 1));
}

void *mem_resize(void *old, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size)
        return checked(NULL);
    return checked(realloc(old, count * size != 0 ? count * size : 1));
}

char *mem_strndup(const char *text, size_t length)
{
    char *copy = mem_alloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *mem_strdup(const char *text)
{
    return mem_strndup(text, strlen(text));
}

void *mem_grow(void *old, size_t *cap, size_t need, size_t size)
{
    size_t next = *cap < 8 ? 8 : *cap;
    while (next < need)
        next += next / 2;
    old = mem_resize(old, next, size);
    *cap = next;
    return old;
}

struct arena_block {
    struct arena_block *next;
    size_t size, used;
    alignas(max_align_t) unsigned char bytes[];
};

#define ARENA_BLOCK ((size_t)64 * 1024)

void *arena_alloc(struct arena *arena, size_t size)
{
    if (size > SIZE_MAX - alignof(max_align_t))
        return checked(NULL);
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
        return checked(NULL);
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

uint64_t hash_seed;

void hash_randomize(void)
{
    uint64_t seed;
    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) == (ssize_t)sizeof seed)
        hash_seed = seed;
}

static inline uint64_t hash_word(uint64_t hash, const unsigned char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    hash = (hash ^ word) * UINT64_C(0xd6e8feb86659fd93);
    return hash ^ hash >> 32;
}

uint64_t hash_bytes(const void *bytes, size_t length)
{
    const unsigned char *p = bytes;
    uint64_t hash = length * UINT64_C(0x9e3779b97f4a7c15) ^ hash_seed;
    if (length >= 32) { /* four side by side, since each step waits for the one before it */
        uint64_t a = hash, b = ~hash, c = hash ^ 0x5555, d = hash ^ 0xaaaa;
        for (; length >= 32; p += 32, length -= 32) {
            a = hash_word(a, p);
            b = hash_word(b, p + 8);
            c = hash_word(c, p + 16);
            d = hash_word(d, p + 24);
        }
        hash = hash_mix(a) ^ hash_mix(b + 1) ^ hash_mix(c + 2) ^ hash_mix(d + 3);
    }
    for (; length >= 8; p += 8, length -= 8)
        hash = hash_word(hash, p);
    uint64_t last = 0;
    if (length != 0)
        memcpy(&last, p, length);
    return hash_mix(hash ^ last);
}

uint32_t intern_bytes(struct intern *intern, const void *bytes, size_t length)
{
    uint32_t hash = (uint32_t)hash_bytes(bytes, length);
    if ((intern->texts.n + 1) * 3 > intern->slot_count * 2) {
        size_t count = intern->slot_count != 0 ? intern->slot_count * 2 : 64;
        uint32_t *slots = mem_zero(count, sizeof *slots);
        for (size_t i = 0; i < intern->texts.n; i++) {
            size_t slot = intern->texts.v[i].hash & (count - 1);
            while (slots[slot] != 0)
                slot = (slot + 1) & (count - 1);
            slots[slot] = (uint32_t)i + 1;
        }
        free(intern->slots);
        intern->slots = slots;
        intern->slot_count = count;
    }
    size_t slot = hash & (intern->slot_count - 1);
    for (; intern->slots[slot] != 0; slot = (slot + 1) & (intern->slot_count - 1)) {
        const struct intern_text *known = &intern->texts.v[intern->slots[slot] - 1];
        if (known->hash == hash && known->length == length && (length == 0 || memcmp(known->text, bytes, length) == 0))
            return intern->slots[slot] - 1;
    }
    struct intern_text fresh = {arena_copy(&intern->arena, bytes, length), (uint32_t)length, hash};
    vec_push(&intern->texts, fresh);
    intern->slots[slot] = (uint32_t)intern->texts.n;
    return (uint32_t)intern->texts.n - 1;
}

void intern_clear(struct intern *intern)
{
    if (intern->texts.n * 64 < intern->slot_count && intern->slot_count > 4096) { /* as map64_clear */
        intern_free(intern);
        return;
    }
    if (intern->texts.n != 0)
        memset(intern->slots, 0, intern->slot_count * sizeof *intern->slots);
    intern->texts.n = 0;
    arena_reset(&intern->arena);
}

void intern_free(struct intern *intern)
{
    arena_free(&intern->arena);
    vec_free(&intern->texts);
    free(intern->slots);
    *intern = (struct intern){0};
}
