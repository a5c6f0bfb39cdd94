/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Section 1, which samples count: turns cells of JFR threads and of all kinds into cells of groups and of used kinds.
 */
#include "cells.h"

/* State while cells are settled, cycle by cycle. */
struct settling {
    struct model *m;
    const bool *truncated;  /* by branch */
    uint64_t *record_cycle; /* by group: the latest cycle with a thread record, + 1 */
    size_t *places;         /* by branch, the last for NO_BRANCH: where in the cycle a cell with it may be */
    struct map64 ran;       /* pairs of a cycle and a group that has an ExecutionSample in it */
};

/* Removes cells of kinds that are not used, and replaces threads by their groups. Returns a copy, sorted by group. */
static const struct observed_cell *used_cells(struct model *m, struct cycle_cells *cells)
{
    struct observed *o = m->observed;
    size_t used = 0;
    bool cpu_time = uses_cpu_time(m);
    for (size_t i = 0; i < cells->n; i++) {
        const struct observed_cell *cell = &cells->v[i];
        uint32_t group = m->group_of_thread[cell->thread];
        if ((cell->kind == SAMPLE_CPU_TIME) != cpu_time || (cell->kind == SAMPLE_NATIVE && cell->cycle == NO_CYCLE))
            continue;
        if (used != i)
            cells->v[used] = *cell;
        cells->v[used++].thread = group;
    }
    cells->n = used;
    o->sort_keys.n = o->sorted_cells.n = 0;
    vec_reserve(&o->sort_keys, 2 * used + 1);
    vec_reserve(&o->sorted_cells, used + 1);
    for (size_t i = 0; i < used; i++)
        o->sort_keys.v[i] = (struct sort_key){cells->v[i].thread, (uint32_t)i};
    sort_keys(o->sort_keys.v, used, o->sort_keys.v + used);
    for (size_t i = 0; i < used; i++)
        o->sorted_cells.v[i] = cells->v[o->sort_keys.v[i].at];
    return o->sorted_cells.v;
}

static void enter_cycle(struct settling *s, uint32_t cycle)
{
    const struct model *m = s->m;
    if (m->result->cpu_source != CPU_THREAD_RECORDS || cycle == NO_CYCLE)
        return;
    size_t at = cycle != 0 ? m->log->cycles.v[cycle - 1].threads : 0;
    for (; at < m->log->cycles.v[cycle].threads; at++) {
        uint32_t group = m->group_of_record[m->log->thread_records.v[at].who];
        if (group != NO_GROUP)
            s->record_cycle[group] = (uint64_t)cycle + 1;
    }
}

/* Whether NativeMethodSamples of a group count in a cycle in which it has no ExecutionSample. */
static bool native_counts(const struct settling *s, uint32_t cycle, uint32_t group)
{
    switch (s->m->result->cpu_source) {
    case CPU_THREAD_RECORDS:
        return s->record_cycle[group] == (uint64_t)cycle + 1;
    case CPU_THREAD_LOAD:
        return s->m->groups.v[group].has_load;
    case CPU_TIME_SAMPLES:
    case CPU_WEIGHTS:
    case CPU_SEVERAL: /* only in merged results */
        break;
    }
    return false;
}

static uint64_t key_of(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

/* Counts cells of one cycle, all of one group, and adds their weight to the group. */
static void count_samples(struct settling *s, uint32_t cycle, const struct observed_cell *cells, size_t count)
{
    struct model *m = s->m;
    struct result_samples *samples = &m->result->samples;
    struct group *group = &m->groups.v[cells[0].thread];
    double weight_ns = group->weight_ns;
    uint64_t with_branch = 0, blind = 0, truncated = 0;
    for (size_t i = 0; i < count; i++) {
        const struct observed_cell *cell = &cells[i];
        if (cell->branch == NO_BRANCH) {
            blind += cell->count;
            continue;
        }
        weight_ns += (double)cell->weight_ns;
        with_branch += cell->count;
        truncated += s->truncated[cell->branch] ? cell->count : 0;
    }
    group->has_weight = true;
    group->weight_ns = weight_ns;
    group->samples += with_branch;
    if (cycle == NO_CYCLE) {
        samples->outside += with_branch + blind;
    } else if (m->chosen[cycle]) {
        samples->failed += blind;
        samples->used += with_branch;
        samples->truncated += truncated;
        m->cycle_samples[cycle] += with_branch;
    }
}

/* Folds the cells of a cycle into one for each group and branch, sorted by group; within a group their order stays. */
static void settle_cycle(struct settling *s, struct cycle_cells *cells, uint32_t cycle)
{
    struct model *m = s->m;
    const struct observed_cell *from = used_cells(m, cells);
    struct observed_cell *to = cells->v;
    size_t count = cells->n, kept = 0, blind = m->observed->branches.list.n;
    if (!uses_cpu_time(m) && count != 0)
        enter_cycle(s, cycle);
    for (size_t begin = 0, end; begin < count; begin = end) {
        uint32_t group = from[begin].thread;
        size_t first = kept;
        bool execution = false;
        for (end = begin; end < count && from[end].thread == group; end++)
            execution |= from[end].kind == SAMPLE_EXECUTION;
        bool count_native = !execution && native_counts(s, cycle, group);
        if (execution)
            map64_put(&s->ran, key_of(cycle, group), 0);
        for (size_t i = begin; i < end; i++) {
            struct observed_cell cell = from[i];
            size_t *known = &s->places[cell.branch != NO_BRANCH ? cell.branch : blind];
            if (cell.kind == SAMPLE_NATIVE && !count_native)
                continue;
            if (*known >= first && *known < kept && to[*known].branch == cell.branch &&
                observed_cell_add(&to[*known], &cell))
                continue;
            *known = kept;
            to[kept++] = cell;
        }
        if (kept != first)
            count_samples(s, cycle, to + first, kept - first);
    }
    cells->n = kept;
}

/* Applies the rule for NativeMethodSamples to the samples that source 3 needs one by one, and replaces their threads by
 * groups. */
static void settle_samples(struct model *m, const struct map64 *ran)
{
    struct observed *o = m->observed;
    size_t kept = 0;
    for (size_t i = 0; i < o->samples.n && m->result->cpu_source == CPU_THREAD_LOAD; i++) {
        struct observed_sample sample = o->samples.v[i];
        sample.thread = m->group_of_thread[sample.thread];
        if (sample.kind == SAMPLE_NATIVE && (sample.cycle == NO_CYCLE || !m->groups.v[sample.thread].has_load ||
                                             map64_get(ran, key_of(sample.cycle, sample.thread)) != MAP_NONE))
            continue;
        o->samples.v[kept++] = sample;
    }
    o->samples.n = kept;
}

/* By branch: whether it is of a truncated stack. */
static bool *truncated_branches(const struct observed *o)
{
    bool *truncated = mem_zero(o->branches.list.n, sizeof *truncated);
    for (size_t b = 0; b < o->branches.list.n; b++) {
        uint32_t oldest = o->branches.frames.v[o->branches.list.v[b].first];
        truncated[b] = strcmp(o->names.texts.v[oldest].text, "[truncated]") == 0;
    }
    return truncated;
}

static void count_tallies(struct model *m)
{
    const struct observed *o = m->observed;
    struct result_samples *samples = &m->result->samples;
    for (size_t i = 0; i < o->tallies.n && uses_cpu_time(m); i++) {
        samples->biased += m->chosen[i] ? o->tallies.v[i].biased : 0;
        samples->lost += m->chosen[i] ? o->tallies.v[i].lost : 0;
    }
}

/* Puts the thread's name in front of each branch. New branches are numbered by thread, then by old branch. */
static void begin_with_threads(struct model *m, struct cycle_cells *cells)
{
    struct observed *o = m->observed;
    VEC(uint32_t) frames = {0};
    vec_reserve(&o->sort_keys, 2 * cells->n);
    struct sort_key *keys = o->sort_keys.v;
    for (size_t i = 0; i < cells->n; i++)
        keys[i] = (struct sort_key){key_of(cells->v[i].thread, cells->v[i].branch), (uint32_t)i};
    if (cells->n != 0)
        sort_keys(keys, cells->n, keys + cells->n);
    for (size_t i = 0; i < cells->n; i++) {
        struct observed_cell *cell = &cells->v[keys[i].at];
        if (cell->branch == NO_BRANCH)
            continue;
        struct branch branch = o->branches.list.v[cell->branch];
        const struct group *group = &m->groups.v[cell->thread];
        uint32_t name = group->anonymous ? observed_name(o, "(no thread)", strlen("(no thread)")) : group->name;
        frames.n = 0;
        vec_push(&frames, name);
        vec_reserve(&frames, branch.count);
        memcpy(frames.v + 1, o->branches.frames.v + branch.first, branch.count * sizeof *frames.v);
        frames.n += branch.count;
        cell->branch = branch_set_add(&o->branches, frames.v, frames.n, -1);
    }
    vec_free(&frames);
}

struct cycle_cells *model_cells(struct observed *o, size_t i)
{
    return i < o->by_cycle.n ? &o->by_cycle.v[i] : &o->in_no_cycle;
}

size_t model_settle_cells(struct model *m)
{
    struct observed *o = m->observed;
    bool *truncated = truncated_branches(o);
    struct settling s = {.m = m,
                         .truncated = truncated,
                         .record_cycle = mem_zero(m->groups.n, sizeof *s.record_cycle),
                         .places = mem_zero(o->branches.list.n + 1, sizeof *s.places)};
    size_t count = 0;
    m->cycle_samples = mem_zero(m->log->cycles.n, sizeof *m->cycle_samples);
    for (size_t i = 0; i <= o->by_cycle.n; i++) {
        struct cycle_cells *cells = model_cells(o, i);
        settle_cycle(&s, cells, i < o->by_cycle.n ? (uint32_t)i : NO_CYCLE);
        count += cells->n;
    }
    settle_samples(m, &s.ran);
    count_tallies(m);
    for (size_t i = 0; i <= o->by_cycle.n && m->options->by_thread; i++)
        begin_with_threads(m, model_cells(o, i));
    free(truncated);
    free(s.record_cycle);
    free(s.places);
    map64_free(&s.ran);
    return count;
}
