/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "joular/intern.h"

#include "joular/hash.h"

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
