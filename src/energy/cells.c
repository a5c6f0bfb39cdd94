/* Section 1, samples used: from cells of JFR threads and all kinds to cells of the threads and the kind that count. */
#include "model.h"

/* Leaves a cycle's cells of the kinds that are used, by group. */
static void keep_used_kinds(struct model *m, struct cycle_cells *cells)
{
    size_t kept = 0;
    for (size_t i = 0; i < cells->n; i++) {
        struct observed_cell cell = cells->v[i];
        if ((cell.kind == SAMPLE_CPU_TIME) != uses_cpu_time(m) ||
            (cell.kind == SAMPLE_NATIVE && cell.cycle == NO_CYCLE))
            continue;
        cell.thread = m->group_of_thread[cell.thread];
        cells->v[kept++] = cell;
    }
    cells->n = cells_put_together(m->observed, cells->v, kept);
}

/* Whether NativeMethodSamples of a group count in a cycle in which it has no ExecutionSample. */
struct native_rule {
    uint64_t *record_cycle; /* by group: the latest cycle with a record, + 1 */
};

static void enter_cycle(struct model *m, struct native_rule *rule, uint32_t cycle)
{
    if (m->result->cpu_source != CPU_THREAD_RECORDS || cycle == NO_CYCLE)
        return;
    size_t at = cycle != 0 ? m->log->cycles.v[cycle - 1].threads : 0;
    for (; at < m->log->cycles.v[cycle].threads; at++) {
        uint32_t group = m->group_of_record[m->log->thread_records.v[at].who];
        if (group != NO_GROUP)
            rule->record_cycle[group] = (uint64_t)cycle + 1;
    }
}

static bool native_counts(const struct model *m, const struct native_rule *rule, uint32_t cycle, uint32_t group)
{
    switch (m->result->cpu_source) {
    case CPU_THREAD_RECORDS:
        return rule->record_cycle[group] == (uint64_t)cycle + 1;
    case CPU_THREAD_LOAD:
        return m->groups.v[group].has_load;
    case CPU_TIME_SAMPLES:
    case CPU_WEIGHTS:
    case CPU_SEVERAL: /* of merged results alone */
        break;
    }
    return false;
}

static uint64_t place(uint32_t cycle, uint32_t group)
{
    return (uint64_t)cycle << 32 | group;
}

/* Leaves one cell a group and branch of a cycle. RAN gets the places that have an ExecutionSample. */
static void apply_native_rule(struct model *m, struct native_rule *rule, struct cycle_cells *cells, struct map64 *ran)
{
    struct observed_cell *v = cells->v;
    size_t kept = 0;
    if (cells->n != 0)
        enter_cycle(m, rule, v[0].cycle);
    for (size_t i = 0, end; i < cells->n;) {
        uint32_t cycle = v[i].cycle, group = v[i].thread;
        bool execution = false;
        for (end = i; end < cells->n && v[end].thread == group; end++)
            execution |= v[end].kind != SAMPLE_NATIVE;
        bool count_native = !execution && native_counts(m, rule, cycle, group);
        if (execution)
            map64_put(ran, place(cycle, group), 0);
        for (; i < end; i++) {
            struct observed_cell cell = v[i], *last = kept != 0 ? &v[kept - 1] : NULL;
            if (cell.kind == SAMPLE_NATIVE && !count_native)
                continue;
            if (last != NULL && last->thread == cell.thread && last->branch == cell.branch && cell_add(last, &cell))
                continue;
            v[kept++] = cell;
        }
    }
    cells->n = kept;
}

/* The same for the samples that source 3 needs one by one. Their threads become groups. */
static void settle_samples(struct model *m, const struct map64 *ran)
{
    struct observed *o = m->observed;
    size_t kept = 0;
    for (size_t i = 0; i < o->samples.n && m->result->cpu_source == CPU_THREAD_LOAD; i++) {
        struct observed_sample sample = o->samples.v[i];
        sample.thread = m->group_of_thread[sample.thread];
        if (sample.kind == SAMPLE_NATIVE && (sample.cycle == NO_CYCLE || !m->groups.v[sample.thread].has_load ||
                                             map64_get(ran, place(sample.cycle, sample.thread)) != MAP_NONE))
            continue;
        o->samples.v[kept++] = sample;
    }
    o->samples.n = kept;
}

/* By branch: whether it begins with the frame that stands for those which are missing. */
static bool *truncated_branches(const struct observed *o)
{
    bool *truncated = mem_zero(o->branches.list.n, sizeof *truncated);
    for (size_t b = 0; b < o->branches.list.n; b++) {
        uint32_t oldest = o->branches.frames.v[o->branches.list.v[b].first];
        truncated[b] = strcmp(o->names.texts.v[oldest].text, "[truncated]") == 0;
    }
    return truncated;
}

static void count_samples(struct model *m, const struct cycle_cells *cells, const bool *truncated)
{
    struct result_samples *samples = &m->result->samples;
    for (size_t i = 0; i < cells->n; i++) {
        const struct observed_cell *cell = &cells->v[i];
        struct group *group = &m->groups.v[cell->thread];
        group->has_weight = true;
        if (cell->branch != NO_BRANCH) {
            group->samples += cell->count;
            group->weight_ns += (double)cell->weight_ns;
        }
        if (cell->cycle != NO_CYCLE && !m->chosen[cell->cycle])
            continue;
        if (cell->cycle == NO_CYCLE) {
            samples->outside += cell->count;
        } else if (cell->branch == NO_BRANCH) {
            samples->failed += cell->count;
        } else {
            samples->used += cell->count;
            m->cycle_samples[cell->cycle] += cell->count;
            samples->truncated += truncated[cell->branch] ? cell->count : 0;
        }
    }
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

/* Puts the thread's name in front of each branch. */
static void begin_with_threads(struct model *m, struct cycle_cells *cells)
{
    struct observed *o = m->observed;
    VEC(uint32_t) frames = {0};
    for (size_t i = 0; i < cells->n; i++) {
        struct observed_cell *cell = &cells->v[i];
        if (cell->branch == NO_BRANCH)
            continue;
        struct result_branch branch = o->branches.list.v[cell->branch];
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
    cells_sort(o, cells->v, cells->n);
}

struct cycle_cells *model_cells(struct observed *o, size_t i)
{
    return i < o->by_cycle.n ? &o->by_cycle.v[i] : &o->in_no_cycle;
}

size_t model_settle_cells(struct model *m)
{
    struct observed *o = m->observed;
    struct map64 ran = {0};
    struct native_rule rule = {.record_cycle = mem_zero(m->groups.n, sizeof *rule.record_cycle)};
    bool *truncated = truncated_branches(o);
    size_t count = 0;
    m->cycle_samples = mem_zero(m->log->cycles.n, sizeof *m->cycle_samples);
    for (size_t i = 0; i <= o->by_cycle.n; i++) {
        struct cycle_cells *cells = model_cells(o, i);
        keep_used_kinds(m, cells);
        if (!uses_cpu_time(m))
            apply_native_rule(m, &rule, cells, &ran);
        count_samples(m, cells, truncated);
        count += cells->n;
    }
    settle_samples(m, &ran);
    count_tallies(m);
    for (size_t i = 0; i <= o->by_cycle.n && m->options->by_thread; i++)
        begin_with_threads(m, model_cells(o, i));
    free(truncated);
    free(rule.record_cycle);
    map64_free(&ran);
    return count;
}
