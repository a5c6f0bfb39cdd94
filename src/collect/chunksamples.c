/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds the CPUTimeSamples of one chunk up to cells, and finds the sampling periods for the weight of lost samples. */
#include "chunksamples.h"

#include "joular/hash.h"

static uint32_t find_thread(struct chunk_samples *s, uint64_t jfr_id)
{
    uint32_t thread = map64_put(&s->thread_ids, jfr_id, (uint32_t)s->threads.n);
    if (thread == s->threads.n)
        vec_push(&s->threads, ((struct chunk_thread){jfr_id, {INT64_MIN, 0}, 0, 0, 0}));
    s->recent[jfr_id % CHUNK_RECENT] = thread;
    return thread;
}

/* The position of a JFR thread in threads. */
static inline uint32_t thread_of(struct chunk_samples *s, uint64_t jfr_id)
{
    uint32_t thread = s->recent[jfr_id % CHUNK_RECENT];
    return thread < s->threads.n && s->threads.v[thread].jfr_id == jfr_id ? thread : find_thread(s, jfr_id);
}

/* Seeded, so that a crafted recording cannot have many pairs with the same hash. */
static uint64_t pair_hash(uint64_t stack, uint32_t thread)
{
    return hash_mix(stack * (hash_seed | 1) + thread);
}

static void make_room(struct chunk_samples *s)
{
    size_t slot_count = s->slot_count != 0 ? s->slot_count * 2 : 1024;
    free(s->slots);
    s->slots = mem_zero(slot_count, sizeof *s->slots);
    s->slot_count = slot_count;
    s->room = slot_count / 8; /* so that there are hardly any collisions */
    for (size_t i = 0; i < s->pairs.n; i++) {
        const struct chunk_pair *pair = &s->pairs.v[i];
        size_t slot = (size_t)pair_hash(pair->stack, pair->thread) & (slot_count - 1);
        while (s->slots[slot] != 0)
            slot = (slot + 1) & (slot_count - 1);
        s->slots[slot] = (uint32_t)i + 1;
    }
}

/* Finds a pair, or adds it; the caller has made room for it. */
static inline struct chunk_pair *pair_of(struct chunk_samples *s, uint64_t stack, uint32_t thread)
{
    uint32_t *slots = s->slots;
    size_t mask = s->slot_count - 1, slot = (size_t)pair_hash(stack, thread) & mask;
    for (; slots[slot] != 0; slot = (slot + 1) & mask) {
        struct chunk_pair *known = &s->pairs.v[slots[slot] - 1];
        if (known->stack == stack && known->thread == thread)
            return known;
    }
    struct chunk_pair *fresh = &s->pairs.v[s->pairs.n++];
    *fresh = (struct chunk_pair){.stack = stack, .thread = thread};
    slots[slot] = (uint32_t)s->pairs.n;
    return fresh;
}

/* Makes a cell of the samples that are added up in a pair; the caller has made room for it. */
static inline void close_cell(struct chunk_samples *s, struct chunk_pair *pair)
{
    if (pair->count == 0)
        return;
    s->cells.v[s->cells.n++] =
        (struct chunk_cell){pair->weight_ns, (uint32_t)(pair - s->pairs.v), pair->cycle, pair->count, pair->biased};
    pair->weight_ns = 0;
    pair->count = pair->biased = 0;
}

void chunk_samples_add(struct chunk_samples *s, const struct jfr_cpu_time_sample *group, const uint32_t *cycles,
                       size_t count)
{
    if (count == 0)
        return;
    while (s->pairs.n + count > s->room)
        make_room(s);
    vec_reserve(&s->pairs, count);
    vec_reserve(&s->cells, count);
    vec_reserve(&s->periods, count);
    struct chunk_period *period = s->periods.v + s->periods.n;
    struct sampling_period first = s->count != 0 ? s->first : (struct sampling_period){INT64_MAX, 0};
    for (size_t i = 0; i < count; i++) {
        const struct jfr_cpu_time_sample *sample = &group[i];
        uint32_t thread = thread_of(s, sample->thread);
        struct chunk_pair *pair = pair_of(s, sample->stack, thread);
        struct sampling_period at = {sample->time_ns, sample->period_ns};
        if (at.time_ns < first.time_ns)
            first = at;
        if (sample->thread != 0)
            *period++ = (struct chunk_period){at, thread};
        if (pair->cycle != cycles[i] || pair->count >= CELL_MAX_COUNT)
            close_cell(s, pair);
        pair->cycle = cycles[i];
        pair->count++;
        pair->biased += sample->biased;
        /* no weight is negative, whatever the recording says */
        if (at.period_ns > 0 && __builtin_add_overflow(pair->weight_ns, at.period_ns, &pair->weight_ns))
            pair->weight_ns = INT64_MAX;
    }
    s->first = first;
    s->count += count;
    s->periods.n = (size_t)(period - s->periods.v);
}

void chunk_samples_lose(struct chunk_samples *s, uint64_t jfr_thread, uint32_t cycle, int64_t time_ns, uint64_t count)
{
    struct chunk_lost lost = {time_ns, count, thread_of(s, jfr_thread), cycle, {INT64_MIN, 0}};
    vec_push(&s->lost, lost);
}

static int by_thread_and_time(const void *left, const void *right)
{
    const struct chunk_lost *a = left, *b = right;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return a->time_ns < b->time_ns ? -1 : a->time_ns > b->time_ns;
}

static void sort_lost(struct chunk_samples *s)
{
    if (s->lost.n != 0)
        qsort(s->lost.v, s->lost.n, sizeof *s->lost.v, by_thread_and_time);
    for (size_t i = 0; i < s->threads.n; i++)
        s->threads.v[i].lost_count = 0;
    for (size_t i = 0; i < s->lost.n; i++) {
        struct chunk_thread *thread = &s->threads.v[s->lost.v[i].thread];
        if (thread->lost_count++ == 0)
            thread->lost_first = thread->lost_hint = i;
    }
}

/* The first lost event of THREAD at or after TIME_NS; NULL where there is none. */
static struct chunk_lost *lost_after(const struct chunk_samples *s, struct chunk_thread *thread, int64_t time_ns)
{
    size_t low = thread->lost_first, end = low + thread->lost_count, high = end, hint = thread->lost_hint;
    if (hint < end && s->lost.v[hint].time_ns >= time_ns && (hint == low || s->lost.v[hint - 1].time_ns < time_ns))
        return &s->lost.v[hint];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->lost.v[middle].time_ns < time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    thread->lost_hint = low;
    return low < end ? &s->lost.v[low] : NULL;
}

static void latest_of(struct sampling_period *latest, const struct sampling_period *period)
{
    if (period->time_ns >= latest->time_ns)
        *latest = *period;
}

/* Each sample gives its period to the first lost event of its thread at or after it, which keeps the latest of them. A
 * lost event that got none, or an earlier one, then takes that of the lost event before it. */
void chunk_samples_settle(struct chunk_samples *s)
{
    vec_reserve(&s->cells, s->pairs.n);
    for (size_t i = 0; i < s->pairs.n; i++)
        close_cell(s, &s->pairs.v[i]);
    sort_lost(s);
    for (size_t i = 0; i < s->periods.n; i++) {
        const struct chunk_period *p = &s->periods.v[i];
        struct chunk_thread *thread = &s->threads.v[p->thread];
        latest_of(&thread->latest, &p->period);
        struct chunk_lost *lost = thread->lost_count != 0 ? lost_after(s, thread, p->period.time_ns) : NULL;
        if (lost != NULL)
            latest_of(&lost->latest, &p->period);
    }
    for (size_t i = 1; i < s->lost.n; i++)
        if (s->lost.v[i].thread == s->lost.v[i - 1].thread &&
            s->lost.v[i].latest.time_ns < s->lost.v[i - 1].latest.time_ns)
            s->lost.v[i].latest = s->lost.v[i - 1].latest;
    s->periods.n = 0;
}

void chunk_samples_clear(struct chunk_samples *s)
{
    if (s->pairs.n * 64 < s->slot_count && s->slot_count > 4096) {
        /* after one huge chunk, clearing its table would slow down all small ones that follow */
        chunk_samples_free(s);
        return;
    }
    if (s->pairs.n != 0)
        memset(s->slots, 0, s->slot_count * sizeof *s->slots);
    s->pairs.n = s->cells.n = s->threads.n = s->lost.n = s->periods.n = 0;
    s->count = 0;
    map64_clear(&s->thread_ids);
}

void chunk_samples_free(struct chunk_samples *s)
{
    vec_free(&s->pairs);
    vec_free(&s->cells);
    vec_free(&s->threads);
    vec_free(&s->lost);
    vec_free(&s->periods);
    free(s->slots);
    map64_free(&s->thread_ids);
    *s = (struct chunk_samples){0};
}
