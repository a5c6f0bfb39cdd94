/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "joular/branch.h"

#include "joular/hash.h"

#include <stdlib.h>

static size_t hash_frames(const uint32_t *frames, size_t count)
{
    return (size_t)hash_bytes(frames, count * sizeof *frames);
}

static void grow_slots(struct branch_set *set)
{
    size_t slot_count = set->slot_count != 0 ? set->slot_count * 2 : 256;
    free(set->slots);
    set->slots = mem_zero(slot_count, sizeof *set->slots);
    set->slot_count = slot_count;
    for (size_t i = 0; i < set->list.n; i++) {
        const struct branch *branch = &set->list.v[i];
        size_t slot = hash_frames(set->frames.v + branch->first, branch->count) & (slot_count - 1);
        while (set->slots[slot] != 0)
            slot = (slot + 1) & (slot_count - 1);
        set->slots[slot] = (uint32_t)i + 1;
    }
}

/* The slot that has the branch, or the free one where it would be. */
static size_t slot_of(const struct branch_set *set, const uint32_t *frames, size_t count, int native)
{
    size_t slot = hash_frames(frames, count) & (set->slot_count - 1);
    for (; set->slots[slot] != 0; slot = (slot + 1) & (set->slot_count - 1)) {
        const struct branch *known = &set->list.v[set->slots[slot] - 1];
        if (known->count == count && known->native == native &&
            memcmp(set->frames.v + known->first, frames, count * sizeof *frames) == 0)
            break;
    }
    return slot;
}

uint32_t branch_set_find(const struct branch_set *set, const uint32_t *frames, size_t count, int native)
{
    if (set->slot_count == 0)
        return UINT32_MAX;
    uint32_t held = set->slots[slot_of(set, frames, count, native)];
    return held != 0 ? held - 1 : UINT32_MAX;
}

uint32_t branch_set_add(struct branch_set *set, const uint32_t *frames, size_t count, int native)
{
    if ((set->list.n + 1) * 3 > set->slot_count * 2)
        grow_slots(set);
    size_t slot = slot_of(set, frames, count, native);
    if (set->slots[slot] != 0)
        return set->slots[slot] - 1;
    struct branch fresh = {(uint32_t)set->frames.n, (uint32_t)count, native};
    vec_reserve(&set->frames, count);
    memcpy(set->frames.v + set->frames.n, frames, count * sizeof *frames);
    set->frames.n += count;
    vec_push(&set->list, fresh);
    set->slots[slot] = (uint32_t)set->list.n;
    return (uint32_t)set->list.n - 1;
}

void branch_set_free(struct branch_set *set)
{
    vec_free(&set->frames);
    vec_free(&set->list);
    free(set->slots);
    *set = (struct branch_set){0};
}

/* ---- Order by text ---- */

struct ranking {
    const uint32_t *frames;
    uint32_t count, number;
    const struct intern *names;
};

static int by_text(const void *left, const void *right)
{
    const struct ranking *a = left, *b = right;
    uint32_t same = 0;
    while (same < a->count && same < b->count && a->frames[same] == b->frames[same])
        same++;
    /* The frames differ from here on. One name may be the beginning of the other, so the comparison goes on with what
     * follows it in the text: ";" or the end. */
    size_t fa = same, fb = same, ia = 0, ib = 0;
    for (;;) {
        const struct intern_text *ta = fa < a->count ? &a->names->texts.v[a->frames[fa]] : NULL;
        const struct intern_text *tb = fb < b->count ? &b->names->texts.v[b->frames[fb]] : NULL;
        if (ta == NULL || tb == NULL)
            return ta == tb ? (a->number < b->number ? -1 : a->number > b->number) : ta == NULL ? -1 : 1;
        size_t left_a = ta->length - ia, left_b = tb->length - ib, both = left_a < left_b ? left_a : left_b;
        int order = memcmp(ta->text + ia, tb->text + ib, both);
        if (order != 0)
            return order;
        ia += both;
        ib += both;
        int ca = ia < ta->length ? (unsigned char)ta->text[ia] : fa + 1 < a->count ? ';' : -1;
        int cb = ib < tb->length ? (unsigned char)tb->text[ib] : fb + 1 < b->count ? ';' : -1;
        if (ca != cb)
            return ca < cb ? -1 : 1;
        if (ia++ == ta->length) {
            fa++;
            ia = 0;
        }
        if (ib++ == tb->length) {
            fb++;
            ib = 0;
        }
    }
}

uint32_t *branch_ranks(const struct branch_set *set, const struct intern *names)
{
    struct ranking *order = mem_zero(set->list.n, sizeof *order);
    uint32_t *ranks = mem_zero(set->list.n, sizeof *ranks);
    for (size_t b = 0; b < set->list.n; b++)
        order[b] = (struct ranking){set->frames.v + set->list.v[b].first, set->list.v[b].count, (uint32_t)b, names};
    if (set->list.n != 0)
        qsort(order, set->list.n, sizeof *order, by_text);
    for (size_t i = 0; i < set->list.n; i++)
        ranks[order[i].number] = (uint32_t)i;
    free(order);
    return ranks;
}
