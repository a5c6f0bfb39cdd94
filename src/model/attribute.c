/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sections 4 and 5: divides the energy of each cycle among threads by CPU time, and among their branches by weight. */
#include "attribute.h"
#include "share.h"

#include <stdlib.h>

/* What a group used in the current cycle. */
struct usage {
    double cpu_ns;
    double weight_ns, blind_ns;
    uint64_t count;   /* samples with a branch */
    uint64_t sampled; /* used samples, blind ones included */
    size_t cells;     /* position of its first cell */
    int native;       /* the native row of its name, or -1 */
    bool here, has_record, all_started;
};

/* A branch: its energy in the current cycle, its CPU time and samples in all cycles. They are kept in one struct since
 * they are used together, and branches are visited in no order. */
struct branch_sums {
    double energy_j, cpu_ns;
    uint64_t samples;
    uint32_t group, weight; /* the first group that has it, + 1, and its position in the result's weights */
};

struct spread {
    struct model *m;
    struct usage *usages;         /* by group */
    VEC(uint32_t) here;           /* groups that are in the cycle */
    struct branch_sums *branches; /* by branch */
    VEC(uint32_t) branches_here;  /* with energy in the cycle */
    struct map64 weights;         /* group and branch -> position in the result's weights */
    VEC(struct sort_key) room;
    double *group_j, *group_cpu_ns;
    uint64_t *group_samples;
    uint32_t native_branches[NATIVE_ROWS];
    int *native_of_group, *native_of_record; /* by group, by thread of the log: the native row of the name, or -1 */
    double gc_j, gc_cpu_ns;                  /* from jdk.GCCPUTime, which belongs to no thread */
    const struct cycle_cells *cells;         /* of the cycle */
    size_t record_at, contribution_at;
};

static void sort_numbers(struct spread *s, uint32_t *numbers, size_t count)
{
    vec_reserve(&s->room, 2 * count + 1);
    struct sort_key *keys = s->room.v;
    for (size_t i = 0; i < count; i++)
        keys[i] = (struct sort_key){numbers[i], 0};
    sort_keys(keys, count, keys + count);
    for (size_t i = 0; i < count; i++)
        numbers[i] = (uint32_t)keys[i].key;
}

static struct usage *usage_of(struct spread *s, uint32_t group)
{
    struct usage *usage = &s->usages[group];
    if (!usage->here) {
        *usage = (struct usage){.here = true, .all_started = true};
        usage->native = s->native_of_group[group];
        vec_push(&s->here, group);
    }
    return usage;
}

/* Adds up the weight that each branch has in each group. Most branches are of one group only, which is kept with the
 * branch; the map has the others. */
static void add_weights(struct spread *s, const struct cycle_cells *cells)
{
    struct result *r = s->m->result;
    for (size_t c = 0; c < cells->n; c++) {
        const struct observed_cell *cell = &cells->v[c];
        if (cell->branch == NO_BRANCH)
            continue;
        struct branch_sums *branch = &s->branches[cell->branch];
        uint32_t fresh = (uint32_t)r->weights.n, at = branch->weight;
        if (branch->group == 0) {
            branch->group = cell->thread + 1;
            branch->weight = at = fresh;
        } else if (branch->group != cell->thread + 1) {
            at = map64_put(&s->weights, (uint64_t)cell->thread << 32 | cell->branch, fresh);
        }
        if (at == fresh)
            vec_push(&r->weights, ((struct result_weight){cell->thread, cell->branch, 0}));
        r->weights.v[at].weight_ns += (double)cell->weight_ns;
    }
}

/* Adds up the cells of each group, which are adjacent. */
static void gather_cells(struct spread *s)
{
    bool weights_are_cpu = s->m->result->cpu_source == CPU_TIME_SAMPLES || s->m->result->cpu_source == CPU_WEIGHTS;
    const struct observed_cell *v = s->cells->v;
    for (size_t c = 0, n = s->cells->n; c < n;) {
        uint32_t group = v[c].thread;
        double weight_ns = 0, blind_ns = 0, cpu_ns = 0;
        uint64_t count = 0, blind = 0;
        size_t first = c;
        for (; c < n && v[c].thread == group; c++) {
            double weight = (double)v[c].weight_ns;
            cpu_ns += weight;
            if (v[c].branch == NO_BRANCH) {
                blind_ns += weight;
                blind += v[c].count;
            } else {
                weight_ns += weight;
                count += v[c].count;
            }
        }
        struct usage *usage = usage_of(s, group);
        usage->cells = first;
        usage->weight_ns = weight_ns;
        usage->blind_ns = blind_ns;
        usage->count = count;
        usage->sampled = count + blind;
        if (weights_are_cpu)
            usage->cpu_ns = cpu_ns;
    }
}

/* Section 4, source 1: CPU time from thread records. What the process used beyond them goes to sampled threads that
 * have no record in the cycle. */
static void gather_records(struct spread *s, uint32_t i)
{
    struct model *m = s->m;
    const struct power_log *log = m->log;
    double recorded = 0, without = 0;
    s->record_at = i != 0 ? log->cycles.v[i - 1].threads : 0;
    for (; s->record_at < log->cycles.v[i].threads; s->record_at++) {
        const struct power_record *record = &log->thread_records.v[s->record_at];
        uint32_t group = m->group_of_record[record->who];
        if (group == NO_GROUP)
            continue;
        struct usage *usage = usage_of(s, group);
        if (!usage->has_record && !m->groups.v[group].is_virtual)
            usage->native = s->native_of_record[record->who];
        usage->cpu_ns += (double)record->cpu_ns;
        usage->has_record = true;
        usage->all_started &= m->started_record[record->who];
        recorded += (double)record->cpu_ns;
    }
    double rest = m->shares[i].process_ns - recorded;
    if (!(rest > 0)) /* also where the CPU time of the process is unknown, NaN */
        return;
    for (size_t k = 0; k < s->here.n; k++) {
        const struct usage *usage = &s->usages[s->here.v[k]];
        if (!usage->has_record && usage->sampled != 0)
            without += usage->weight_ns + usage->blind_ns;
    }
    for (size_t k = 0; k < s->here.n && without > 0; k++) {
        struct usage *usage = &s->usages[s->here.v[k]];
        if (!usage->has_record && usage->sampled != 0)
            usage->cpu_ns += rest * ((usage->weight_ns + usage->blind_ns) / without);
    }
}

static void gather_contributions(struct spread *s, uint32_t i)
{
    const struct contribution *v = s->m->contributions.v;
    size_t n = s->m->contributions.n;
    while (s->contribution_at < n && v[s->contribution_at].cycle < i)
        s->contribution_at++;
    for (; s->contribution_at < n && v[s->contribution_at].cycle == i; s->contribution_at++)
        usage_of(s, v[s->contribution_at].group)->cpu_ns += v[s->contribution_at].cpu_ns;
}

static int native_row(const struct usage *usage, const struct group *group)
{
    if (usage->weight_ns != 0 || usage->blind_ns != 0 || usage->sampled != 0 || group->is_virtual || group->anonymous)
        return -1;
    return usage->native;
}

/* Factor f of section 5. */
static double part_in_recording(const struct model *m, const struct power_cycle *cycle, const struct usage *usage,
                                const struct group *group)
{
    if (m->result->cpu_source != CPU_THREAD_RECORDS)
        return 1;
    bool started = group->is_virtual ? usage->has_record && usage->all_started : group->started;
    int64_t from = started ? INT64_MIN : m->observed->start_ns;
    return (double)power_cycle_overlap_ns(cycle, from, m->observed->end_ns) / power_cycle_length_ns(cycle);
}

static void give_branch(struct spread *s, uint32_t number, double energy_j, double cpu_ns)
{
    struct branch_sums *branch = &s->branches[number];
    if (energy_j > 0) {
        if (branch->energy_j == 0)
            vec_push(&s->branches_here, number);
        branch->energy_j += energy_j;
    }
    branch->cpu_ns += cpu_ns;
}

static void give_branches(struct spread *s, const struct usage *usage, struct group *group, double energy_j,
                          double cpu_ns)
{
    const struct observed_cell *cells = s->cells->v;
    uint32_t thread = cells[usage->cells].thread;
    for (size_t c = usage->cells; c < s->cells->n && cells[c].thread == thread; c++) {
        uint32_t branch = cells[c].branch;
        if (branch == NO_BRANCH)
            continue;
        double part = (double)cells[c].weight_ns / usage->weight_ns;
        give_branch(s, branch, energy_j * part, cpu_ns * part);
        s->branches[branch].samples += cells[c].count;
    }
    if (usage->count != 0)
        group->error_factor += energy_j * energy_j / (double)usage->count;
}

static void give_native(struct spread *s, struct result_cycle *out, int row, double energy_j, double cpu_ns)
{
    struct model *m = s->m;
    uint32_t *branch = &s->native_branches[row];
    out->native_j[row] += energy_j;
    if (*branch == NO_BRANCH) {
        uint32_t name = observed_name(m->observed, native_row_names[row], strlen(native_row_names[row]));
        *branch = branch_set_add(&m->observed->branches, &name, 1, row);
    }
    give_branch(s, *branch, energy_j, cpu_ns);
}

/* Divides the process energy of cycle I, OUT->process_j, into rows, unattributed energy, and energy before or after the
 * recording. */
static void divide(struct spread *s, uint32_t i, struct result_cycle *out)
{
    struct model *m = s->m;
    const struct power_cycle *cycle = &m->log->cycles.v[i];
    enum model_jvm_threads mode = m->options->jvm_threads;
    double gc_ns = m->gc_ns != NULL ? m->gc_ns[i] : 0, others_ns = 0, sum_ns = gc_ns;
    gather_cells(s);
    if (m->result->cpu_source == CPU_THREAD_RECORDS)
        gather_records(s, i);
    else
        gather_contributions(s, i);
    sort_numbers(s, s->here.v, s->here.n);
    for (size_t k = 0; k < s->here.n; k++) {
        const struct usage *usage = &s->usages[s->here.v[k]];
        sum_ns += usage->cpu_ns;
        if (native_row(usage, &m->groups.v[s->here.v[k]]) < 0)
            others_ns += usage->cpu_ns;
    }
    double whole_ns = m->shares[i].process_ns > sum_ns ? m->shares[i].process_ns : sum_ns; /* C of section 5 */
    double rest_ns = whole_ns - sum_ns;
    if (mode == JVM_SPREAD) /* C without native threads; a subtraction could leave little more than rounding errors */
        whole_ns = others_ns + rest_ns;
    if (!(whole_ns > 0)) {
        out->unattributed_j = out->process_j;
    } else {
        out->unattributed_j = out->process_j * rest_ns / whole_ns;
        if (mode == JVM_SEPARATE) {
            s->gc_j += out->process_j * gc_ns / whole_ns;
            s->gc_cpu_ns += gc_ns;
        }
        if (gc_ns > 0 && mode == JVM_SEPARATE)
            give_native(s, out, NATIVE_GC, out->process_j * gc_ns / whole_ns, gc_ns);
        else if (mode == JVM_UNATTRIBUTED)
            out->unattributed_j += out->process_j * gc_ns / whole_ns;
    }
    for (size_t k = 0; k < s->here.n; k++) {
        uint32_t number = s->here.v[k];
        struct usage *usage = &s->usages[number];
        struct group *group = &m->groups.v[number];
        int row = native_row(usage, group);
        double energy_j = whole_ns > 0 ? out->process_j * usage->cpu_ns / whole_ns : 0;
        usage->here = false;
        s->group_cpu_ns[number] += usage->cpu_ns;
        s->group_samples[number] += usage->count;
        if (row >= 0 && mode == JVM_SEPARATE) {
            give_native(s, out, row, energy_j, usage->cpu_ns);
            s->group_j[number] += energy_j;
        } else if (row >= 0 && mode == JVM_SPREAD) {
            /* WHOLE_NS leaves its CPU time out, so the other threads get its energy */
        } else if (row < 0 && usage->weight_ns > 0) {
            double part = part_in_recording(m, cycle, usage, group);
            give_branches(s, usage, group, energy_j * part, usage->cpu_ns * part);
            out->outside_j += energy_j * (1 - part);
            s->group_j[number] += energy_j * part;
        } else {
            out->unattributed_j += energy_j;
        }
    }
    s->here.n = 0;
}

static void write_rows(struct spread *s, struct result_cycle *out)
{
    struct result *r = s->m->result;
    sort_numbers(s, s->branches_here.v, s->branches_here.n);
    for (size_t k = 0; k < s->branches_here.n; k++) {
        uint32_t branch = s->branches_here.v[k];
        double *energy_j = &s->branches[branch].energy_j;
        vec_push(&r->rows, ((struct result_row){branch, *energy_j}));
        if (s->m->observed->branches.list.v[branch].native < 0)
            out->java_j += *energy_j;
        *energy_j = 0;
    }
    s->branches_here.n = 0;
}

/* Adds the threads that have energy, CPU time or weight, and changes the weights, which are for confidence intervals
 * (section 7), from groups to these threads. */
static void add_threads(struct spread *s)
{
    struct result *r = s->m->result;
    uint32_t *thread_of_group = mem_zero(s->m->groups.n, sizeof *thread_of_group);
    for (size_t i = 0; i < s->m->groups.n; i++) {
        const struct group *group = &s->m->groups.v[i];
        thread_of_group[i] = (uint32_t)r->threads.n;
        if (s->group_j[i] > 0 || s->group_cpu_ns[i] > 0 || group->has_weight)
            vec_push(&r->threads,
                     ((struct result_thread){group->name, group->os_id, s->group_j[i], s->group_cpu_ns[i],
                                             s->group_samples[i], group->error_factor, (double)group->weight_ns,
                                             group->samples, group->anonymous, 0}));
    }
    if (s->gc_cpu_ns > 0)
        vec_push(&r->threads, ((struct result_thread){.name = observed_name(s->m->observed, native_row_names[NATIVE_GC],
                                                                            strlen(native_row_names[NATIVE_GC])),
                                                      .energy_j = s->gc_j,
                                                      .cpu_ns = s->gc_cpu_ns}));
    for (size_t i = 0; i < r->weights.n; i++)
        r->weights.v[i].thread = thread_of_group[r->weights.v[i].thread];
    result_merge_weights(r);
    free(thread_of_group);
}

static void add_uses(struct spread *s)
{
    for (size_t b = 0; b < s->m->observed->branches.list.n; b++)
        vec_push(&s->m->result->uses, ((struct result_use){s->branches[b].cpu_ns, s->branches[b].samples}));
}

static struct result_cycle cycle_facts(const struct model *m, uint32_t i)
{
    const struct power_cycle *cycle = &m->log->cycles.v[i];
    const struct intern_text *status = &m->log->texts.texts.v[cycle->status];
    struct result_cycle out = {
        .realtime_ns = cycle->realtime_ns,
        .interval_ns = cycle->end_ns - cycle->start_ns,
        .power_w = model_power_w(m, cycle),
        .busy_ns = m->shares[i].busy_ns,
        .process_cpu_ns = m->shares[i].process_ns,
        .samples = m->cycle_samples[i],
        .status = observed_name(m->observed, status->text, status->length),
    };
    if (!isnan(out.power_w)) {
        out.baseline_w = cycle->power_w - out.power_w;
        out.process_j = out.power_w * m->shares[i].share * (power_cycle_length_ns(cycle) / 1e9);
    }
    return out;
}

/* Looks at each name once, so that no cycle has to. */
static void find_native(struct spread *s)
{
    const struct model *m = s->m;
    s->native_of_group = mem_zero(m->groups.n, sizeof *s->native_of_group);
    s->native_of_record = mem_zero(m->log->threads.n, sizeof *s->native_of_record);
    for (size_t i = 0; i < m->groups.n; i++) {
        const struct intern_text *name = &m->observed->names.texts.v[m->groups.v[i].name];
        s->native_of_group[i] = native_row_of(name->text, name->length);
    }
    for (size_t i = 0; i < m->log->threads.n; i++) {
        const struct intern_text *name = &m->log->texts.texts.v[m->log->threads.v[i].name];
        s->native_of_record[i] = native_row_of(name->text, name->length);
    }
}

void model_attribute(struct model *m)
{
    struct observed *o = m->observed;
    size_t branches = o->branches.list.n + NATIVE_ROWS, groups = m->groups.n;
    struct spread s = {
        .m = m,
        .usages = mem_zero(groups, sizeof *s.usages),
        .branches = mem_zero(branches, sizeof *s.branches),
        .group_j = mem_zero(groups, sizeof *s.group_j),
        .group_cpu_ns = mem_zero(groups, sizeof *s.group_cpu_ns),
        .group_samples = mem_zero(groups, sizeof *s.group_samples),
    };
    for (int row = 0; row < NATIVE_ROWS; row++)
        s.native_branches[row] = NO_BRANCH;
    find_native(&s);
    for (uint32_t i = 0; i < m->log->cycles.n; i++) {
        static const struct cycle_cells none;
        const struct power_cycle *cycle = &m->log->cycles.v[i];
        s.cells = i < o->by_cycle.n ? &o->by_cycle.v[i] : &none;
        add_weights(&s, s.cells);
        if (!m->chosen[i])
            continue;
        struct result_cycle out = cycle_facts(m, i);
        if (cycle->end_ns < o->start_ns || cycle->start_ns > o->end_ns)
            out.outside_j = out.process_j;
        else if (out.process_j > 0)
            divide(&s, i, &out);
        write_rows(&s, &out);
        out.rows = m->result->rows.n;
        vec_push(&m->result->cycles, out);
    }
    add_weights(&s, &o->in_no_cycle);
    add_threads(&s);
    add_uses(&s);
    free(s.usages);
    free(s.branches);
    free(s.native_of_group);
    free(s.native_of_record);
    map64_free(&s.weights);
    free(s.group_j);
    free(s.group_cpu_ns);
    free(s.group_samples);
    vec_free(&s.here);
    vec_free(&s.branches_here);
    vec_free(&s.room);
}
