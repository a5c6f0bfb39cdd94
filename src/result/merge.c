/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges results into the union of their runs, as result.h describes it. mergeorder.c puts it in order. */
#include "merge.h"

#include "joular/clock.h"
#include "joular/text.h"

#include <math.h>

static uint32_t name_of(struct result *r, const char *text)
{
    return text != NULL ? intern_bytes(&r->names, text, strlen(text)) : intern_bytes(&r->names, "", 0);
}

static uint32_t repaired_name(struct result *r, const char *text)
{
    size_t length = strlen(text);
    char *good = mem_alloc(3 * length + 1);
    uint32_t name = intern_bytes(&r->names, good, utf8_repair(good, text, length));
    free(good);
    return name;
}

/* Makes a run of a single analysis. Its texts become names of INTO. */
static struct result_run run_of(struct result *into, const struct result *one, const char *name)
{
    return (struct result_run){
        .name = repaired_name(into, name),
        .jvm_name = name_of(into, one->jvm_name),
        .cpu_model = name_of(into, one->cpu_model),
        .power_source = name_of(into, one->power_source),
        .pid = one->pid,
        .cpus = one->cpus,
        .start_ns = one->recording_start_ns,
        .end_ns = one->recording_end_ns,
        .estimated = one->estimated,
        .sampler = one->sampler,
        .share_source = one->share_source,
        .cpu_source = one->cpu_source,
        .power_s = one->power_s,
        .machine_j = one->machine_j,
        .process_j = one->process_j,
    };
}

static int by_figure(double a, double b)
{
    return a < b ? -1 : a > b;
}

int merge_compare_runs(const struct result_run *a, const struct result_run *b)
{
    int order = by_number(a->start_ns, b->start_ns);
    order = order != 0 ? order : by_number(a->end_ns, b->end_ns);
    order = order != 0 ? order : by_number(a->pid, b->pid);
    order = order != 0 ? order : by_figure(a->power_s, b->power_s);
    order = order != 0 ? order : by_figure(a->machine_j, b->machine_j);
    return order != 0 ? order : by_figure(a->process_j, b->process_j);
}

static bool has_run(const struct result *r, const struct result_run *run)
{
    for (size_t i = 0; i < r->runs.n; i++)
        if (merge_compare_runs(&r->runs.v[i], run) == 0)
            return true;
    return false;
}

static struct merge_numbers add_names_and_branches(struct result *into, const struct result *more)
{
    const struct branch_set *set = &more->branches;
    struct merge_numbers map = {mem_zero(more->names.texts.n, sizeof(uint32_t)),
                                mem_zero(set->list.n, sizeof(uint32_t))};
    VEC(uint32_t) frames = {0};
    for (size_t i = 0; i < more->names.texts.n; i++)
        map.names[i] = intern_bytes(&into->names, more->names.texts.v[i].text, more->names.texts.v[i].length);
    for (size_t b = 0; b < set->list.n; b++) {
        const struct branch *branch = &set->list.v[b];
        frames.n = 0;
        for (uint32_t f = 0; f < branch->count; f++)
            vec_push(&frames, map.names[set->frames.v[branch->first + f]]);
        map.branches[b] = branch_set_add(&into->branches, frames.v, frames.n, branch->native);
        if (into->uses.n < into->branches.list.n)
            vec_push(&into->uses, ((struct result_use){0}));
        into->uses.v[map.branches[b]].cpu_ns += rint(more->uses.v[b].cpu_ns);
        into->uses.v[map.branches[b]].samples += more->uses.v[b].samples;
    }
    vec_free(&frames);
    return map;
}

static void add_runs(struct result *into, const struct result *more, const char *name, const uint32_t *names)
{
    if (more->runs.n == 0) {
        struct result_run run = run_of(into, more, name);
        vec_push(&into->runs, run);
    }
    for (size_t i = 0; i < more->runs.n; i++) {
        struct result_run run = more->runs.v[i];
        run.name = names[run.name];
        run.jvm_name = names[run.jvm_name];
        run.cpu_model = names[run.cpu_model];
        run.power_source = names[run.power_source];
        vec_push(&into->runs, run);
    }
}

static void add_threads(struct result *into, const struct result *more, const struct merge_numbers *map,
                        uint32_t first_run)
{
    uint32_t first_thread = (uint32_t)into->threads.n;
    for (size_t i = 0; i < more->threads.n; i++) {
        struct result_thread thread = more->threads.v[i];
        thread.name = map->names[thread.name];
        thread.run += first_run;
        vec_push(&into->threads, thread);
    }
    for (size_t i = 0; i < more->weights.n; i++) {
        const struct result_weight *w = &more->weights.v[i];
        vec_push(&into->weights,
                 ((struct result_weight){first_thread + w->thread, map->branches[w->branch], w->weight_ns}));
    }
}

static void add_cycles(struct result *into, const struct result *more, const struct merge_numbers *map,
                       uint32_t first_run)
{
    size_t first_row = into->rows.n;
    for (size_t i = 0; i < more->cycles.n; i++) {
        struct result_cycle cycle = more->cycles.v[i];
        cycle.status = map->names[cycle.status];
        cycle.rows += first_row;
        cycle.run += first_run;
        vec_push(&into->cycles, cycle);
    }
    for (size_t i = 0; i < more->rows.n; i++)
        vec_push(&into->rows, ((struct result_row){map->branches[more->rows.v[i].branch], more->rows.v[i].energy_j}));
}

static void add_pauses(struct result *into, const struct result *more, const uint32_t *names, uint32_t first_run)
{
    for (size_t i = 0; i < more->pauses.n; i++) {
        struct result_pause pause = more->pauses.v[i];
        pause.collector = names[pause.collector];
        pause.phase = names[pause.phase];
        pause.cause = names[pause.cause];
        pause.thread = names[pause.thread];
        pause.run += first_run;
        vec_push(&into->pauses, pause);
    }
}

static void add_statuses(struct result *into, const struct result *more, const uint32_t *names)
{
    for (size_t i = 0; i < more->without_power.n; i++) {
        struct result_status status = {names[more->without_power.v[i].name], more->without_power.v[i].cycles};
        size_t at = 0;
        while (at < into->without_power.n && into->without_power.v[at].name != status.name)
            at++;
        if (at == into->without_power.n)
            vec_push(&into->without_power, ((struct result_status){status.name, 0}));
        into->without_power.v[at].cycles += status.cycles;
    }
}

/* Keeps TEXT where OTHER is the same, otherwise makes it NULL. */
static void keep_same_text(char **text, const char *other)
{
    if (*text != NULL && (other == NULL || strcmp(*text, other) != 0)) {
        free(*text);
        *text = NULL;
    }
}

/* Keeps the first of both texts in byte order; NULL is none. */
static void keep_first_text(char **text, const char *other)
{
    if (other != NULL && (*text == NULL || strcmp(other, *text) < 0)) {
        free(*text);
        *text = mem_strdup(other);
    }
}

/* Adds the facts that struct result_run does not have. Signs of good data count only if all runs have them. */
static void join_facts(struct result *into, const struct result *more)
{
    struct result_samples *s = &into->samples;
    struct result_quality *q = &into->quality;
    s->used += more->samples.used;
    s->failed += more->samples.failed;
    s->biased += more->samples.biased;
    s->truncated += more->samples.truncated;
    s->lost += more->samples.lost;
    s->outside += more->samples.outside;
    keep_same_text(&q->period_set, more->quality.period_set);
    q->period_set_ns = q->period_set_ns == more->quality.period_set_ns ? q->period_set_ns : 0;
    q->load_period_ns = q->load_period_ns == more->quality.load_period_ns ? q->load_period_ns : 0;
    q->jvm_version = q->jvm_version == more->quality.jvm_version ? q->jvm_version : 0;
    q->debug_non_safepoints &= more->quality.debug_non_safepoints;
    q->has_cpu_time_samples &= more->quality.has_cpu_time_samples;
    q->has_thread_records &= more->quality.has_thread_records;
    into->damage.chunks += more->damage.chunks;
    into->damage.events += more->damage.events;
    into->damage.bytes += more->damage.bytes;
    into->damage.time_ns = time_sum(into->damage.time_ns, more->damage.time_ns);
    into->damage.unfinished += more->damage.unfinished;
    keep_first_text(&into->damage.first, more->damage.first);
    into->chunk_count += more->chunk_count;
    into->process_power_only |= more->process_power_only;
    into->idle_is_shared &= more->idle_is_shared;
}

static size_t known_runs(const struct result *into, const struct result *more)
{
    size_t known = 0;
    for (size_t i = 0; i < more->runs.n; i++)
        known += has_run(into, &more->runs.v[i]);
    if (more->runs.n == 0) {
        struct result_run run = {.pid = more->pid,
                                 .start_ns = more->recording_start_ns,
                                 .end_ns = more->recording_end_ns,
                                 .power_s = more->power_s,
                                 .machine_j = more->machine_j,
                                 .process_j = more->process_j};
        known = has_run(into, &run);
    }
    return known;
}

enum status result_merge(struct result *into, const struct result *more, const char *name, bool *known,
                         struct error *err)
{
    size_t twice = known_runs(into, more), all = more->runs.n != 0 ? more->runs.n : 1;
    uint32_t first_run = (uint32_t)into->runs.n;
    *known = twice == all;
    if (*known)
        return STATUS_OK;
    if (twice != 0)
        return error_set(err, STATUS_INVALID,
                         "%zu of its %zu runs are there already: they would count twice, so nothing of it is merged",
                         twice, all);
    if (first_run == 0)
        result_copy_facts(into, more);
    else
        join_facts(into, more);
    struct merge_numbers map = add_names_and_branches(into, more);
    add_runs(into, more, name, map.names);
    add_threads(into, more, &map, first_run);
    add_cycles(into, more, &map, first_run);
    add_pauses(into, more, map.names, first_run);
    add_statuses(into, more, map.names);
    free(map.names);
    free(map.branches);
    return STATUS_OK;
}
