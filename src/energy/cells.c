/* Section 1, samples used: from cells of JFR threads and all kinds to cells of the threads and the kind that count. */
#include "model.h"

/* Takes a cycle's cells over, those of the kinds that are used, by group. */
static void take_cells(struct model *m, struct cycle_cells *from)
{
    struct observed *o = m->observed;
    size_t first = o->cells.n;
    vec_reserve(&o->cells, from->n);
    for (size_t i = 0; i < from->n; i++) {
        struct observed_cell cell = from->v[i];
        if ((cell.kind == SAMPLE_CPU_TIME) != uses_cpu_time(m) ||
            (cell.kind == SAMPLE_NATIVE && cell.cycle == NO_CYCLE))
            continue;
        cell.thread = m->group_of_thread[cell.thread];
        vec_push(&o->cells, cell);
    }
    vec_free(from);
    if (o->cells.n != first)
        o->cells.n = first + cells_put_together(o, o->cells.v + first, o->cells.n - first);
}

static void keep_used_kinds(struct model *m)
{
    for (size_t i = 0; i < m->observed->by_cycle.n; i++)
        take_cells(m, &m->observed->by_cycle.v[i]);
    take_cells(m, &m->observed->in_no_cycle);
    vec_free(&m->observed->by_cycle);
}

/* Whether NativeMethodSamples of a group count in a cycle in which it has no ExecutionSample. */
struct native_rule {
    uint64_t *record_cycle; /* by group: the latest cycle with a record, + 1 */
    size_t record_at;
    uint32_t cycle;
};

static void enter_cycle(struct model *m, struct native_rule *rule, uint32_t cycle)
{
    if (m->result->cpu_source != CPU_THREAD_RECORDS || cycle == NO_CYCLE)
        return;
    rule->record_at = cycle != 0 ? m->log->cycles.v[cycle - 1].threads : 0;
    for (; rule->record_at < m->log->cycles.v[cycle].threads; rule->record_at++) {
        uint32_t group = m->group_of_record[m->log->thread_records.v[rule->record_at].who];
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

/* Leaves one cell a cycle, group and branch, where there are native samples. RAN gets the places that have an
 * ExecutionSample. */
static void apply_native_rule(struct model *m, struct map64 *ran)
{
    struct observed *o = m->observed;
    struct native_rule rule = {.record_cycle = mem_zero(m->groups.n, sizeof *rule.record_cycle), .cycle = NO_CYCLE};
    size_t kept = 0;
    for (size_t i = 0; i < o->cells.n;) {
        struct observed_cell *run = &o->cells.v[i];
        size_t end = i;
        bool execution = false;
        while (end < o->cells.n && o->cells.v[end].cycle == run->cycle && o->cells.v[end].thread == run->thread)
            execution |= o->cells.v[end++].kind != SAMPLE_NATIVE;
        if (rule.cycle != run->cycle)
            enter_cycle(m, &rule, rule.cycle = run->cycle);
        uint32_t cycle = run->cycle, group = run->thread;
        bool count_native = !execution && native_counts(m, &rule, cycle, group);
        if (execution)
            map64_put(ran, place(cycle, group), 0);
        for (; i < end; i++) {
            struct observed_cell cell = o->cells.v[i];
            struct observed_cell *last = kept != 0 ? &o->cells.v[kept - 1] : NULL;
            if (cell.kind == SAMPLE_NATIVE && !count_native)
                continue;
            if (last != NULL && last->cycle == cell.cycle && last->thread == cell.thread &&
                last->branch == cell.branch && cell_add(last, &cell))
                continue;
            o->cells.v[kept++] = cell;
        }
    }
    o->cells.n = kept;
    free(rule.record_cycle);
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

static void count_samples(struct model *m)
{
    struct observed *o = m->observed;
    struct result_samples *samples = &m->result->samples;
    bool *truncated = truncated_branches(o);
    m->cycle_samples = mem_zero(m->log->cycles.n, sizeof *m->cycle_samples);
    for (size_t i = 0; i < o->cells.n; i++) {
        const struct observed_cell *cell = &o->cells.v[i];
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
    for (size_t i = 0; i < o->tallies.n && uses_cpu_time(m); i++) {
        samples->biased += m->chosen[i] ? o->tallies.v[i].biased : 0;
        samples->lost += m->chosen[i] ? o->tallies.v[i].lost : 0;
    }
    free(truncated);
}

/* Puts the thread's name in front of each branch. */
static void begin_with_threads(struct model *m)
{
    struct observed *o = m->observed;
    VEC(uint32_t) frames = {0};
    for (size_t i = 0; i < o->cells.n; i++) {
        struct observed_cell *cell = &o->cells.v[i];
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
    for (size_t i = 0, end; i < o->cells.n; i = end) {
        for (end = i + 1; end < o->cells.n && o->cells.v[end].cycle == o->cells.v[i].cycle;)
            end++;
        cells_sort(o, o->cells.v + i, end - i);
    }
}

void model_settle_cells(struct model *m)
{
    struct map64 ran = {0};
    keep_used_kinds(m);
    if (!uses_cpu_time(m))
        apply_native_rule(m, &ran);
    settle_samples(m, &ran);
    count_samples(m);
    if (m->options->by_thread)
        begin_with_threads(m);
    map64_free(&ran);
}
