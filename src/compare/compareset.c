/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds a result to a comparison: makes its names comparable, and takes energy and variance of its methods, branches,
 * frames and gates. */
#include "compareset.h"

#include "joular/variance.h"

#include <math.h>
#include <stdio.h>

const char *const compare_per_words[] = {"run", "second", "cpu-second", "unit"};
const char *const compare_total_words[TOTALS] = {"process", "java",         "gc",      "jit",     "jfr",
                                                 "vm",      "unattributed", "outside", "baseline"};

void compare_init(struct comparison *c, const struct compare_options *options)
{
    *c = (struct comparison){.options = *options};
}

/* The energy and the variance of sets of branches (a set for each key of a list) in the run that is added. */
struct collecting {
    double *energy_j; /* by set */
    struct tally tally;
    uint64_t *seen; /* by set: 1 where a row belongs to it */
    uint64_t branch;
};

static struct collecting collecting_of(size_t sets)
{
    return (struct collecting){mem_zero(sets, sizeof(double)), tally_of(sets), mem_zero(sets, sizeof(uint64_t)), 0};
}

static void collecting_close(struct collecting *sets, size_t count, struct compare_figures *out)
{
    for (uint32_t key = 0; key < count; key++)
        if (sets->seen[key] != 0)
            vec_push(out, ((struct compare_figure){key, sets->energy_j[key], tally_variance(&sets->tally, key)}));
    free(sets->energy_j);
    free(sets->seen);
    tally_free(&sets->tally);
}

/* The sets that each branch of the result belongs to: those of branch b end before ends[b], and begin where those of
 * the branch before it end. */
struct membership {
    VEC(uint32_t) sets;
    size_t *ends;
    uint64_t *seen; /* by set: the last branch that joined it, + 1; NULL where no branch can join a set twice */
    uint64_t turn;  /* the current branch, + 1 */
};

static void join(struct membership *m, uint32_t set)
{
    if (m->seen != NULL && m->seen[set] == m->turn)
        return;
    if (m->seen != NULL)
        m->seen[set] = m->turn;
    vec_push(&m->sets, set);
}

static void collect(const struct result *r, const struct membership *m, size_t set_count, struct compare_figures *out)
{
    struct collecting sets = collecting_of(set_count);
    for (size_t i = 0; i < r->rows.n; i++) {
        uint32_t branch = r->rows.v[i].branch;
        for (size_t k = branch != 0 ? m->ends[branch - 1] : 0; k < m->ends[branch]; k++) {
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): sets has all elements up to the last end */
            sets.energy_j[m->sets.v[k]] += r->rows.v[i].energy_j;
            sets.seen[m->sets.v[k]] = 1;
        }
    }
    for (size_t i = 0; i < r->weights.n; i++) {
        const struct result_weight *w = &r->weights.v[i];
        for (size_t k = w->branch != 0 ? m->ends[w->branch - 1] : 0; k < m->ends[w->branch]; k++)
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): sets has all elements up to the last end */
            tally_add(&sets.tally, m->sets.v[k], w->weight_ns);
        if (i + 1 == r->weights.n || r->weights.v[i + 1].thread != w->thread)
            tally_close_thread(&sets.tally, &r->threads.v[w->thread]);
    }
    collecting_close(&sets, set_count, out);
}

/* By name of the result: its number in the comparison's names. */
static uint32_t *equal_names(struct comparison *c, const struct result *r)
{
    uint32_t *equal = mem_zero(r->names.texts.n, sizeof *equal);
    for (size_t i = 0; i < r->names.texts.n; i++) {
        const struct intern_text *name = &r->names.texts.v[i];
        char *text = mem_strndup(name->text, name->length);
        size_t length = name->length;
        if (!c->options.exact_names && strlen(text) == length)
            length = name_make_equal(text, length);
        equal[i] = intern_bytes(&c->names, strlen(text) >= length ? text : name->text, length);
        free(text);
    }
    return equal;
}

static bool gate_has(const char *gate, const struct intern_text *name)
{
    const char *prefix = gate + strlen("method:");
    return strncmp(gate, "method:", strlen("method:")) == 0 && name->length >= strlen(prefix) &&
           memcmp(name->text, prefix, strlen(prefix)) == 0;
}

static void join_list(struct comparison *c, enum compare_list list, const uint32_t *frames, uint32_t count, int native,
                      struct membership *m)
{
    switch (list) {
    case LIST_OWN:
        if (native < 0)
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): only a native branch has no frames */
            join(m, frames[count - 1]);
        return;
    case LIST_WHOLE:
        for (uint32_t f = 0; f < count && native < 0; f++)
            join(m, frames[f]);
        return;
    case LIST_BRANCH:
        if (native < 0)
            join(m, branch_set_add(&c->branches, frames, count, native));
        return;
    case LIST_TREE:
        for (uint32_t f = 0; f < count; f++)
            join(m, branch_set_add(&c->tree, frames, f + 1, native));
        return;
    case LIST_GATE:
        for (uint32_t g = 0; g < c->options.fail_on_count; g++)
            for (uint32_t f = 0; f < count && native < 0; f++)
                if (gate_has(c->options.fail_on[g], &c->names.texts.v[frames[f]]))
                    join(m, g);
        return;
    case LISTS:
        return;
    }
}

static size_t list_keys(const struct comparison *c, enum compare_list list)
{
    return list == LIST_BRANCH ? c->branches.list.n
           : list == LIST_TREE ? c->tree.list.n
           : list == LIST_GATE ? c->options.fail_on_count
                               : c->names.texts.n;
}

static void add_list(struct comparison *c, enum compare_list list, const struct result *r, const uint32_t *equal,
                     struct compare_figures *out)
{
    size_t branches = r->branches.list.n;
    bool twice = list == LIST_WHOLE || list == LIST_GATE; /* join_list may give a branch the same set more than once */
    struct membership m = {{0}, mem_zero(branches, sizeof *m.ends), NULL, 0};
    VEC(uint32_t) frames = {0};
    if (twice)
        m.seen = mem_zero(list_keys(c, list), sizeof *m.seen);
    for (size_t b = 0; b < branches; b++) {
        const struct branch *branch = &r->branches.list.v[b];
        frames.n = 0;
        for (uint32_t f = 0; f < branch->count; f++)
            vec_push(&frames, equal[r->branches.frames.v[branch->first + f]]);
        m.turn++;
        join_list(c, list, frames.v, branch->count, branch->native, &m);
        m.ends[b] = m.sets.n;
    }
    collect(r, &m, list_keys(c, list), out);
    vec_free(&frames);
    vec_free(&m.sets);
    free(m.ends);
    free(m.seen);
}

static enum status take_divisor(const struct comparison *c, enum compare_side side, const struct result *r,
                                struct compare_run *run, struct error *err)
{
    double cpu_ns = 0;
    switch (c->options.per) {
    case PER_RUN:
        run->divisor = 1;
        return STATUS_OK;
    case PER_SECOND:
        run->divisor = r->power_s;
        break;
    case PER_CPU_SECOND:
        for (size_t i = 0; i < r->cycles.n; i++)
            if (!isnan(r->cycles.v[i].power_w))
                cpu_ns += r->cycles.v[i].process_cpu_ns;
        run->divisor = cpu_ns / 1e9;
        break;
    case PER_UNIT:
        run->divisor = c->options.units[side];
        break;
    }
    if (run->divisor > 0 && isfinite(run->divisor))
        return STATUS_OK;
    return error_set(err, STATUS_MISSING, "has no %s to divide its energy by",
                     c->options.per == PER_CPU_SECOND ? "CPU time of the process" : "second with power");
}

static void take_totals(const struct result *r, double totals_j[TOTALS])
{
    totals_j[TOTAL_PROCESS] = r->process_j;
    totals_j[TOTAL_JAVA] = r->java_j;
    totals_j[TOTAL_GC] = r->native_j[NATIVE_GC];
    totals_j[TOTAL_JIT] = r->native_j[NATIVE_JIT];
    totals_j[TOTAL_JFR] = r->native_j[NATIVE_JFR];
    totals_j[TOTAL_VM] = r->native_j[NATIVE_VM];
    totals_j[TOTAL_UNATTRIBUTED] = r->unattributed_j;
    totals_j[TOTAL_OUTSIDE] = r->outside_j;
    totals_j[TOTAL_BASELINE] = r->baseline_j;
}

static void note(struct comparison *c, const char *format, const char *name, const char *other)
{
    size_t size = strlen(format) + strlen(name) + strlen(other) + 1;
    char *text = mem_alloc(size);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(text, size, format, name, other);
#pragma GCC diagnostic pop
    vec_push(&c->notes, text);
}

static void free_run(struct compare_run *run)
{
    free(run->name);
    for (size_t i = 0; i < COMPARE_FACTS; i++)
        free(run->facts[i]);
    for (size_t list = 0; list < LISTS; list++)
        vec_free(&run->lists[list]);
}

enum status compare_add(struct comparison *c, enum compare_side side, const char *name, const struct result *r,
                        struct error *err)
{
    struct compare_run run = {.name = mem_strdup(name),
                              .start_ns = r->recording_start_ns,
                              .pid = r->pid,
                              .estimated = r->estimated};
    take_totals(r, run.totals_j);
    for (size_t i = 0; i < c->runs[side].n; i++) {
        const struct compare_run *other = &c->runs[side].v[i];
        if (other->start_ns == run.start_ns && other->pid == run.pid &&
            /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): equal bit by bit, so that NaN equals NaN */
            memcmp(other->totals_j, run.totals_j, sizeof run.totals_j) == 0) {
            note(c, "%s is the same run as %s: it counts once", name, other->name);
            free_run(&run);
            return STATUS_OK;
        }
    }
    enum status status = take_divisor(c, side, r, &run, err);
    if (status != STATUS_OK) {
        free_run(&run);
        return status;
    }
    compare_take_facts(r, &run);
    uint32_t *equal = equal_names(c, r);
    for (enum compare_list list = 0; list < LISTS; list++)
        if (list != LIST_TREE || c->options.tree)
            add_list(c, list, r, equal, &run.lists[list]);
    free(equal);
    vec_push(&c->runs[side], run);
    return STATUS_OK;
}

void compare_free(struct comparison *c)
{
    for (int side = 0; side < SIDES; side++) {
        for (size_t i = 0; i < c->runs[side].n; i++)
            free_run(&c->runs[side].v[i]);
        vec_free(&c->runs[side]);
    }
    for (size_t i = 0; i < c->notes.n; i++)
        free(c->notes.v[i]);
    vec_free(&c->notes);
    intern_free(&c->names);
    branch_set_free(&c->branches);
    branch_set_free(&c->tree);
    *c = (struct comparison){0};
}

/* ---- Figures of all runs ---- */

static int by_start(const void *left, const void *right)
{
    const struct compare_run *a = left, *b = right;
    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    return strcmp(a->name, b->name);
}

void compare_sort_runs(struct comparison *c)
{
    for (int side = 0; side < SIDES; side++)
        if (c->runs[side].n != 0)
            qsort(c->runs[side].v, c->runs[side].n, sizeof *c->runs[side].v, by_start);
}

struct figure_table figure_table_of(const struct comparison *c, enum compare_list list)
{
    struct figure_table t = {.keys = list_keys(c, list), .runs = {c->runs[SIDE_BASE].n, c->runs[SIDE_NEW].n}};
    t.width = t.runs[SIDE_BASE] + t.runs[SIDE_NEW];
    t.energy_j = mem_zero(t.keys * t.width, sizeof(double));
    t.variance = mem_zero(t.keys * t.width, sizeof(double));
    for (size_t run = 0; run < t.width; run++) {
        const struct compare_run *of =
            run < t.runs[SIDE_BASE] ? &c->runs[SIDE_BASE].v[run] : &c->runs[SIDE_NEW].v[run - t.runs[SIDE_BASE]];
        for (size_t i = 0; i < of->lists[list].n; i++) {
            const struct compare_figure *figure = &of->lists[list].v[i];
            t.energy_j[figure->key * t.width + run] = figure->energy_j / of->divisor;
            t.variance[figure->key * t.width + run] = figure->variance / of->divisor / of->divisor;
        }
    }
    return t;
}

void figure_table_free(struct figure_table *table)
{
    free(table->energy_j);
    free(table->variance);
}

struct ranked_key {
    double energy_j;
    uint32_t key;
};

struct ranking {
    const struct comparison *c;
    enum compare_list list;
};

/* Of keys with the same energy the names decide: key numbers depend on the order in which runs were added. */
static int by_energy(const void *left, const void *right, void *context)
{
    const struct ranked_key *a = left, *b = right;
    const struct ranking *ranking = context;
    if (a->energy_j != b->energy_j)
        return a->energy_j > b->energy_j ? -1 : 1;
    if (a->key == b->key)
        return 0;
    char *first = compare_key_name(ranking->c, ranking->list, a->key);
    char *second = compare_key_name(ranking->c, ranking->list, b->key);
    int order = strcmp(first, second);
    free(first);
    free(second);
    return order != 0 ? order : a->key < b->key ? -1 : 1;
}

/* A choice by the energy of both sides together does not favour keys that differ between the sides, so it does not
 * spoil the tests. */
uint32_t *figure_table_top(const struct comparison *c, enum compare_list list, const struct figure_table *t, size_t top,
                           size_t *count)
{
    struct ranking ranking = {c, list};
    VEC(struct ranked_key) order = {0};
    for (uint32_t key = 0; key < t->keys; key++) {
        double sums[SIDES] = {0}, energy_j = 0;
        for (size_t run = 0; run < t->width; run++)
            sums[run >= t->runs[SIDE_BASE]] += t->energy_j[key * t->width + run];
        for (int side = 0; side < SIDES; side++)
            energy_j += t->runs[side] != 0 ? sums[side] / (double)t->runs[side] : 0;
        if (energy_j > 0)
            vec_push(&order, ((struct ranked_key){energy_j, key}));
    }
    if (order.n != 0)
        qsort_r(order.v, order.n, sizeof *order.v, by_energy, &ranking);
    *count = order.n < top ? order.n : top;
    uint32_t *keys = mem_zero(*count, sizeof *keys);
    for (size_t i = 0; i < *count; i++)
        keys[i] = order.v[i].key;
    vec_free(&order);
    return keys;
}

char *compare_key_name(const struct comparison *c, enum compare_list list, uint32_t key)
{
    if (list == LIST_GATE)
        return mem_strdup(c->options.fail_on[key]);
    if (list == LIST_OWN || list == LIST_WHOLE)
        return mem_strndup(c->names.texts.v[key].text, c->names.texts.v[key].length);
    const struct branch_set *set = list == LIST_TREE ? &c->tree : &c->branches;
    const struct branch *branch = &set->list.v[key];
    VEC(char) text = {0};
    for (uint32_t f = 0; f < branch->count; f++) {
        const struct intern_text *name = &c->names.texts.v[set->frames.v[branch->first + f]];
        vec_reserve(&text, (size_t)name->length + 2);
        if (f != 0)
            text.v[text.n++] = ';';
        memcpy(text.v + text.n, name->text, name->length);
        text.n += name->length;
    }
    vec_push(&text, '\0');
    return text.v;
}
