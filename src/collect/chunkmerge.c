/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges the CPUTimeSamples of a chunk into struct observed. Lost samples get the latest sampling period of their
 * thread as weight (joular-attribution(7), section 1). */
#include "chunksamples.h"

static void add_lost(struct observed *o, const struct waiting_lost *lost, int64_t period_ns)
{
    int64_t weight = INT64_MAX;
    if (period_ns <= 0)
        weight = 0;
    else if (lost->count > INT64_MAX || __builtin_mul_overflow((int64_t)lost->count, period_ns, &weight))
        weight = INT64_MAX;
    observe_cell(o, (struct observed_cell){lost->cycle, lost->thread, NO_BRANCH, SAMPLE_CPU_TIME, 0, weight});
    observe_tally(o, lost->cycle, lost->count, 0);
}

/* The weight is the thread's latest sampling period in the chunk, else in earlier chunks, else the recording's first;
 * where there is none yet, the lost samples wait for it. */
static void add_chunk_lost(struct chunk_merge *merge, const struct chunk_lost *from, uint32_t thread,
                           struct observed *o)
{
    struct waiting_lost lost = {from->count, observed_thread_or_anonymous(o, thread, NO_BRANCH), from->cycle};
    if (from->latest.time_ns != INT64_MIN)
        add_lost(o, &lost, from->latest.period_ns);
    else if (lost.thread < merge->latest_periods.n && merge->latest_periods.v[lost.thread].time_ns != INT64_MIN)
        add_lost(o, &lost, merge->latest_periods.v[lost.thread].period_ns);
    else if (o->kind_counts[SAMPLE_CPU_TIME] != 0)
        add_lost(o, &lost, merge->first_period.period_ns);
    else
        vec_push(&merge->waiting, lost);
}

static void note_latest(struct chunk_merge *merge, uint32_t thread, const struct sampling_period *latest)
{
    while (merge->latest_periods.n <= thread)
        vec_push(&merge->latest_periods, ((struct sampling_period){INT64_MIN, 0}));
    if (latest->time_ns != INT64_MIN && latest->time_ns >= merge->latest_periods.v[thread].time_ns)
        merge->latest_periods.v[thread] = *latest;
}

/* The thread and the branch in OBSERVED of a pair of the chunk. */
struct mapped_pair {
    uint32_t thread, branch;
};

/* The threads that stand for samples without one are added in the order of the first such sample of each kind. */
static struct mapped_pair *map_pairs(struct observed *o, const struct chunk_samples *samples, const uint32_t *threads,
                                     const uint32_t *branches)
{
    struct mapped_pair *mapped = mem_zero(samples->pairs.n, sizeof *mapped);
    for (size_t i = 0; i < samples->pairs.n; i++) {
        const struct chunk_pair *pair = &samples->pairs.v[i];
        uint32_t branch = pair->stack == NO_BRANCH ? NO_BRANCH : branches[pair->stack], thread = threads[pair->thread];
        mapped[i] = (struct mapped_pair){observed_thread_or_anonymous(o, thread, branch), branch};
    }
    return mapped;
}

/* Adds COUNT cells, all of one cycle. */
static void add_cells(struct observed *o, const struct chunk_cell *v, size_t count, const struct mapped_pair *pairs)
{
    struct cycle_cells *cells = observed_cells(o, v[0].cycle);
    vec_reserve(cells, count);
    struct observed_cell *next = cells->v + cells->n;
    uint64_t biased = 0;
    for (size_t i = 0; i < count; i++) {
        struct mapped_pair pair = pairs[v[i].pair];
        biased += pair.branch != NO_BRANCH ? v[i].biased : 0;
        *next++ = (struct observed_cell){
            v[i].cycle, pair.thread, pair.branch, SAMPLE_CPU_TIME, v[i].count & CELL_MAX_COUNT, v[i].weight_ns};
    }
    cells->n += count;
    if (biased != 0)
        observe_tally(o, v[0].cycle, 0, biased);
    observe_cells_pushed(o, cells);
}

/* Adds all cells, several at a time, since those of a cycle mostly come one after the other. */
static void add_chunk_cells(struct observed *o, const struct chunk_samples *samples, const uint32_t *threads,
                            const uint32_t *branches)
{
    const struct chunk_cell *cells = samples->cells.v;
    struct mapped_pair *pairs = map_pairs(o, samples, threads, branches);
    for (size_t i = 0, end; i < samples->cells.n; i = end) {
        for (end = i + 1; end < samples->cells.n && cells[end].cycle == cells[i].cycle;)
            end++;
        add_cells(o, cells + i, end - i, pairs);
    }
    free(pairs);
}

void chunk_samples_merge(struct chunk_merge *merge, const struct chunk_samples *samples, const uint32_t *branches,
                         struct observed *o)
{
    uint32_t *threads = mem_zero(samples->threads.n, sizeof *threads);
    for (size_t i = 0; i < samples->threads.n; i++)
        threads[i] = observed_thread(o, samples->threads.v[i].jfr_id);
    if (samples->count != 0) {
        if (o->kind_counts[SAMPLE_CPU_TIME] == 0 || samples->first.time_ns < merge->first_period.time_ns)
            merge->first_period = samples->first;
        observe_cpu_time_samples(o, samples->count);
        for (size_t i = 0; i < merge->waiting.n; i++)
            add_lost(o, &merge->waiting.v[i], merge->first_period.period_ns);
        merge->waiting.n = 0;
    }
    add_chunk_cells(o, samples, threads, branches);
    for (size_t i = 0; i < samples->lost.n; i++)
        add_chunk_lost(merge, &samples->lost.v[i], threads[samples->lost.v[i].thread], o);
    for (size_t i = 0; i < samples->threads.n; i++)
        if (threads[i] != NO_THREAD)
            note_latest(merge, threads[i], &samples->threads.v[i].latest);
    free(threads);
}

void chunk_merge_free(struct chunk_merge *merge)
{
    vec_free(&merge->waiting);
    vec_free(&merge->latest_periods);
}
