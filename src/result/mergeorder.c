/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts a merged result by content, so that the order of merging does not matter, then makes its facts and totals. */
#include "merge.h"

#include <stddef.h>

struct ordered_name {
    const struct intern_text *text;
    uint32_t number;
};

static int by_bytes(const void *left, const void *right)
{
    const struct intern_text *a = ((const struct ordered_name *)left)->text;
    const struct intern_text *b = ((const struct ordered_name *)right)->text;
    int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
    return order != 0 ? order : a->length < b->length ? -1 : a->length > b->length;
}

/* Returns the new number of each name, by its old one. */
static uint32_t *order_names(struct result *r)
{
    size_t count = r->names.texts.n;
    struct ordered_name *order = mem_zero(count, sizeof *order);
    uint32_t *map = mem_zero(count, sizeof *map);
    struct intern fresh = {0};
    for (size_t i = 0; i < count; i++)
        order[i] = (struct ordered_name){&r->names.texts.v[i], (uint32_t)i};
    qsort(order, count, sizeof *order, by_bytes);
    for (size_t i = 0; i < count; i++)
        map[order[i].number] = intern_bytes(&fresh, order[i].text->text, order[i].text->length);
    intern_free(&r->names);
    r->names = fresh;
    free(order);
    return map;
}

struct ordered_branch {
    const uint32_t *frames;
    uint32_t count, number;
    int native;
};

static int by_frames(const void *left, const void *right)
{
    const struct ordered_branch *a = left, *b = right;
    for (uint32_t f = 0; f < a->count && f < b->count; f++)
        if (a->frames[f] != b->frames[f])
            return a->frames[f] < b->frames[f] ? -1 : 1;
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    return by_number(a->native, b->native);
}

/* Returns the new number of each branch, by its old one. */
static uint32_t *order_branches(struct result *r, const uint32_t *names)
{
    struct branch_set *set = &r->branches, fresh = {0};
    struct ordered_branch *order = mem_zero(set->list.n, sizeof *order);
    struct result_use *uses = mem_zero(set->list.n, sizeof *uses);
    uint32_t *map = mem_zero(set->list.n, sizeof *map);
    for (size_t i = 0; i < set->frames.n; i++)
        set->frames.v[i] = names[set->frames.v[i]];
    for (size_t b = 0; b < set->list.n; b++)
        order[b] = (struct ordered_branch){set->frames.v + set->list.v[b].first, set->list.v[b].count, (uint32_t)b,
                                           set->list.v[b].native};
    if (set->list.n != 0)
        qsort(order, set->list.n, sizeof *order, by_frames);
    for (size_t i = 0; i < set->list.n; i++) {
        map[order[i].number] = branch_set_add(&fresh, order[i].frames, order[i].count, order[i].native);
        uses[i] = r->uses.v[order[i].number];
    }
    if (set->list.n != 0)
        memcpy(r->uses.v, uses, set->list.n * sizeof *uses);
    branch_set_free(set);
    *set = fresh;
    free(order);
    free(uses);
    return map;
}

/* The sort key of an item: KEY first, then its run, then its old position. */
struct place {
    int64_t key;
    uint32_t run;
    size_t number;
};

static int by_place(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    int order = by_number(a->key, b->key);
    if (order == 0)
        order = by_number(a->run, b->run);
    return order != 0 ? order : a->number < b->number ? -1 : a->number > b->number;
}

struct ordered_run {
    struct result_run run;
    uint32_t number;
};

static int by_run(const void *left, const void *right)
{
    const struct ordered_run *a = left, *b = right;
    int order = merge_compare_runs(&a->run, &b->run);
    return order != 0 ? order : by_number(a->number, b->number); /* a report may have a run twice */
}

static uint32_t *order_runs(struct result *r, const uint32_t *names)
{
    struct ordered_run *order = mem_zero(r->runs.n, sizeof *order);
    uint32_t *map = mem_zero(r->runs.n, sizeof *map);
    for (size_t i = 0; i < r->runs.n; i++)
        order[i] = (struct ordered_run){r->runs.v[i], (uint32_t)i};
    qsort(order, r->runs.n, sizeof *order, by_run);
    for (size_t i = 0; i < r->runs.n; i++) {
        struct result_run run = order[i].run;
        map[order[i].number] = (uint32_t)i;
        run.name = names[run.name];
        run.jvm_name = names[run.jvm_name];
        run.cpu_model = names[run.cpu_model];
        run.power_source = names[run.power_source];
        r->runs.v[i] = run;
    }
    free(order);
    return map;
}

static void order_threads(struct result *r, const struct merge_numbers *map, const uint32_t *runs)
{
    size_t count = r->threads.n;
    struct place *order = mem_zero(count, sizeof *order);
    struct result_thread *threads = mem_zero(count, sizeof *threads);
    uint32_t *moved = mem_zero(count, sizeof *moved);
    for (size_t i = 0; i < count; i++)
        order[i] = (struct place){0, runs[r->threads.v[i].run], i};
    if (count != 0)
        qsort(order, count, sizeof *order, by_place);
    for (size_t i = 0; i < count; i++) {
        threads[i] = r->threads.v[order[i].number];
        threads[i].name = map->names[threads[i].name];
        threads[i].run = order[i].run;
        moved[order[i].number] = (uint32_t)i;
    }
    if (count != 0)
        memcpy(r->threads.v, threads, count * sizeof *threads);
    for (size_t i = 0; i < r->weights.n; i++) {
        r->weights.v[i].thread = moved[r->weights.v[i].thread];
        r->weights.v[i].branch = map->branches[r->weights.v[i].branch];
    }
    result_merge_weights(r);
    free(order);
    free(threads);
    free(moved);
}

static int by_branch(const void *left, const void *right)
{
    const struct result_row *a = left, *b = right;
    return a->branch < b->branch ? -1 : a->branch > b->branch;
}

static void order_cycles(struct result *r, const struct merge_numbers *map, const uint32_t *runs)
{
    size_t count = r->cycles.n, filled = 0;
    struct place *order = mem_zero(count, sizeof *order);
    struct result_cycle *cycles = mem_zero(count, sizeof *cycles);
    struct result_row *rows = mem_zero(r->rows.n, sizeof *rows);
    for (size_t i = 0; i < count; i++)
        order[i] = (struct place){r->cycles.v[i].realtime_ns, runs[r->cycles.v[i].run], i};
    if (count != 0)
        qsort(order, count, sizeof *order, by_place);
    for (size_t i = 0; i < count; i++) {
        size_t old = order[i].number, from = old != 0 ? r->cycles.v[old - 1].rows : 0, first = filled;
        cycles[i] = r->cycles.v[old];
        for (; from < r->cycles.v[old].rows; from++)
            rows[filled++] = (struct result_row){map->branches[r->rows.v[from].branch], r->rows.v[from].energy_j};
        qsort(rows + first, filled - first, sizeof *rows, by_branch);
        cycles[i].status = map->names[cycles[i].status];
        cycles[i].run = order[i].run;
        cycles[i].rows = filled;
    }
    if (count != 0)
        memcpy(r->cycles.v, cycles, count * sizeof *cycles);
    if (filled != 0)
        memcpy(r->rows.v, rows, filled * sizeof *rows);
    free(order);
    free(cycles);
    free(rows);
}

static void order_pauses(struct result *r, const uint32_t *names, const uint32_t *runs)
{
    size_t count = r->pauses.n;
    struct place *order = mem_zero(count, sizeof *order);
    struct result_pause *pauses = mem_zero(count, sizeof *pauses);
    for (size_t i = 0; i < count; i++)
        order[i] = (struct place){r->pauses.v[i].start_ns, runs[r->pauses.v[i].run], i};
    if (count != 0)
        qsort(order, count, sizeof *order, by_place);
    for (size_t i = 0; i < count; i++) {
        struct result_pause pause = r->pauses.v[order[i].number];
        pause.collector = names[pause.collector];
        pause.phase = names[pause.phase];
        pause.cause = names[pause.cause];
        pause.thread = names[pause.thread];
        pause.run = order[i].run;
        pauses[i] = pause;
    }
    if (count != 0)
        memcpy(r->pauses.v, pauses, count * sizeof *pauses);
    free(order);
    free(pauses);
}

static int by_status(const void *left, const void *right)
{
    const struct result_status *a = left, *b = right;
    return a->name < b->name ? -1 : a->name > b->name;
}

static void order_statuses(struct result *r, const uint32_t *names)
{
    for (size_t i = 0; i < r->without_power.n; i++)
        r->without_power.v[i].name = names[r->without_power.v[i].name];
    if (r->without_power.n != 0)
        qsort(r->without_power.v, r->without_power.n, sizeof *r->without_power.v, by_status);
}

/* ---- Facts and totals ---- */

/* Sets TEXT to the name that all runs have at offset AT of struct result_run, or to NULL where they differ. */
static void take_text(const struct result *r, size_t at, char **text)
{
    uint32_t first = 0, other = 0;
    bool same = true;
    memcpy(&first, (const char *)&r->runs.v[0] + at, sizeof first);
    for (size_t i = 1; i < r->runs.n; i++) {
        memcpy(&other, (const char *)&r->runs.v[i] + at, sizeof other);
        same &= other == first;
    }
    free(*text);
    const struct intern_text *name = result_name(r, first);
    *text = same && name->length != 0 ? mem_strndup(name->text, name->length) : NULL;
}

static void take_facts(struct result *r)
{
    const struct result_run *first = &r->runs.v[0];
    r->pid = first->pid;
    r->cpus = first->cpus;
    r->recording_start_ns = first->start_ns;
    r->recording_end_ns = first->end_ns;
    r->estimated = first->estimated;
    r->sampler = first->sampler;
    r->share_source = first->share_source;
    r->cpu_source = first->cpu_source;
    for (size_t i = 1; i < r->runs.n; i++) {
        const struct result_run *run = &r->runs.v[i];
        r->pid = run->pid == r->pid ? r->pid : 0;
        r->cpus = run->cpus == r->cpus ? r->cpus : 0;
        r->recording_end_ns = run->end_ns > r->recording_end_ns ? run->end_ns : r->recording_end_ns;
        r->estimated |= run->estimated;
        r->sampler = run->sampler == r->sampler ? r->sampler : SAMPLER_SEVERAL;
        r->share_source = run->share_source == r->share_source ? r->share_source : SHARE_SEVERAL;
        r->cpu_source = run->cpu_source == r->cpu_source ? r->cpu_source : CPU_SEVERAL;
    }
    take_text(r, offsetof(struct result_run, jvm_name), &r->jvm_name);
    take_text(r, offsetof(struct result_run, cpu_model), &r->cpu_model);
    take_text(r, offsetof(struct result_run, power_source), &r->power_source);
}

static void total(struct result *r)
{
    r->machine_j = r->baseline_j = r->process_j = r->java_j = r->unattributed_j = r->outside_j = 0;
    r->left_out_j = r->power_s = r->peak_machine_w = r->peak_process_w = 0;
    memset(r->native_j, 0, sizeof r->native_j);
    result_add_up(r);
    r->quality.period_seen_ns = result_period_seen(r);
    vec_free(&r->methods);
    result_methods(r, NULL, NULL, &r->methods);
}

void result_merge_finish(struct result *r)
{
    if (r->runs.n == 0)
        return;
    struct merge_numbers map = {order_names(r), NULL};
    uint32_t *runs = order_runs(r, map.names);
    map.branches = order_branches(r, map.names);
    order_threads(r, &map, runs);
    order_cycles(r, &map, runs);
    order_pauses(r, map.names, runs);
    order_statuses(r, map.names);
    take_facts(r);
    total(r);
    free(runs);
    free(map.names);
    free(map.branches);
}

bool result_runs_overlap(const struct result *r)
{
    int64_t end_ns = INT64_MIN;
    for (size_t i = 0; i < r->runs.n; i++) {
        if (r->runs.v[i].start_ns < end_ns)
            return true;
        end_ns = r->runs.v[i].end_ns > end_ns ? r->runs.v[i].end_ns : end_ns;
    }
    return false;
}
