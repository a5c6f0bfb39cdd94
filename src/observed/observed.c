/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills struct observed. */
#include "joular/observed.h"

#include "joular/text.h"

#define DEFAULT_PERIOD_NS 20000000 /* for a sample before which the recording sets no period */

void observed_init(struct observed *o)
{
    *o = (struct observed){.anonymous_seen = NO_THREAD, .anonymous_blind = NO_THREAD};
}

void observed_free(struct observed *o)
{
    intern_free(&o->names);
    branch_set_free(&o->branches);
    vec_free(&o->threads);
    map64_free(&o->thread_ids);
    for (size_t i = 0; i < o->by_cycle.n; i++)
        vec_free(&o->by_cycle.v[i]);
    vec_free(&o->by_cycle);
    vec_free(&o->in_no_cycle);
    vec_free(&o->sort_keys);
    vec_free(&o->sorted_cells);
    vec_free(&o->samples);
    vec_free(&o->thread_loads);
    vec_free(&o->starts);
    vec_free(&o->ends);
    vec_free(&o->loads);
    vec_free(&o->gc);
    vec_free(&o->pauses);
    vec_free(&o->collections);
    vec_free(&o->periods[0]);
    vec_free(&o->periods[1]);
    vec_free(&o->event_counts);
    map64_free(&o->counted);
    vec_free(&o->tallies);
    free(o->jvm_name);
    free(o->cpu_model);
    for (int of = 0; of < SETTINGS; of++)
        free(o->settings[of]);
    observed_init(o);
}

uint32_t observed_name(struct observed *o, const char *text, size_t length)
{
    return intern_bytes(&o->names, text, length);
}

uint32_t observed_branch(struct observed *o, const uint32_t *frames, size_t count)
{
    return count != 0 ? branch_set_add(&o->branches, frames, count, -1) : NO_BRANCH;
}

static uint32_t add_thread(struct observed *o, uint64_t jfr_id)
{
    struct observed_thread thread = {.jfr_id = jfr_id, .name = observed_name(o, "", 0)};
    vec_push(&o->threads, thread);
    return (uint32_t)o->threads.n - 1;
}

uint32_t observed_thread(struct observed *o, uint64_t jfr_id)
{
    if (jfr_id == 0)
        return NO_THREAD;
    uint32_t thread = map64_get(&o->thread_ids, jfr_id);
    if (thread == MAP_NONE) {
        thread = add_thread(o, jfr_id);
        map64_put(&o->thread_ids, jfr_id, thread);
    }
    return thread;
}

uint32_t observed_thread_or_anonymous(struct observed *o, uint32_t known, uint32_t branch)
{
    if (known != NO_THREAD)
        return known;
    uint32_t *thread = branch == NO_BRANCH ? &o->anonymous_blind : &o->anonymous_seen;
    if (*thread == NO_THREAD)
        *thread = add_thread(o, 0);
    return *thread;
}

static uint64_t thread_and_branch(const struct observed_cell *cell)
{
    return (uint64_t)cell->thread << 32 | cell->branch;
}

static bool can_fold(const struct observed_cell *a, const struct observed_cell *b)
{
    return a->branch == b->branch && a->thread == b->thread && a->kind == b->kind;
}

/* A copy of the cells, sorted by thread and branch, then by kind. sort_keys is stable, so the sort by kind comes first.
 */
static const struct observed_cell *sort_cells(struct observed *o, const struct observed_cell *cells, size_t count)
{
    o->sorted_cells.n = o->sort_keys.n = 0;
    vec_reserve(&o->sorted_cells, count + 1);
    vec_reserve(&o->sort_keys, 2 * count + 1);
    struct observed_cell *sorted = o->sorted_cells.v;
    struct sort_key *keys = o->sort_keys.v;
    for (size_t i = 0; i < count; i++)
        keys[i] = (struct sort_key){cells[i].kind, (uint32_t)i};
    sort_keys(keys, count, keys + count);
    for (size_t i = 0; i < count; i++)
        keys[i].key = thread_and_branch(&cells[keys[i].at]);
    sort_keys(keys, count, keys + count);
    for (size_t i = 0; i < count; i++)
        sorted[i] = cells[keys[i].at];
    return sorted;
}

bool observed_cell_add(struct observed_cell *to, const struct observed_cell *cell)
{
    if (cell->count > CELL_MAX_COUNT - to->count)
        return false;
    to->count = (to->count + cell->count) & CELL_MAX_COUNT;
    if (__builtin_add_overflow(to->weight_ns, cell->weight_ns, &to->weight_ns))
        to->weight_ns = INT64_MAX;
    return true;
}

#define FEWEST_TO_FOLD 4096 /* a cycle with fewer cells is not folded */

static void fold_cells(struct observed *o, struct cycle_cells *cells)
{
    const struct observed_cell *sorted = sort_cells(o, cells->v, cells->n);
    size_t kept = 0;
    for (size_t i = 0; i < cells->n; i++) {
        struct observed_cell *last = kept != 0 ? &cells->v[kept - 1] : NULL;
        if (last == NULL || !can_fold(last, &sorted[i]) || !observed_cell_add(last, &sorted[i]))
            cells->v[kept++] = sorted[i];
    }
    cells->n = kept;
}

struct cycle_cells *observed_cells(struct observed *o, uint32_t cycle)
{
    if (cycle == NO_CYCLE)
        return &o->in_no_cycle;
    while (o->by_cycle.n <= cycle)
        vec_push(&o->by_cycle, ((struct cycle_cells){0}));
    return &o->by_cycle.v[cycle];
}

/* Folds the cells whenever their number has doubled since the last time, so that memory grows with the number of
 * distinct cells. The cells that are pushed first come from one chunk, which mostly has them once, so they are not
 * folded. */
void observe_cells_pushed(struct observed *o, struct cycle_cells *cells)
{
    if (cells->fold_at != 0 && cells->n < cells->fold_at)
        return;
    if (cells->fold_at != 0)
        fold_cells(o, cells);
    cells->fold_at = cells->n * 2 > FEWEST_TO_FOLD ? cells->n * 2 : FEWEST_TO_FOLD;
}

void observe_cell(struct observed *o, struct observed_cell cell)
{
    struct cycle_cells *cells = observed_cells(o, cell.cycle);
    vec_push(cells, cell);
    observe_cells_pushed(o, cells);
}

void observe_tally(struct observed *o, uint32_t cycle, uint64_t lost, uint64_t biased)
{
    if (cycle == NO_CYCLE)
        return;
    while (o->tallies.n <= cycle)
        vec_push(&o->tallies, ((struct observed_tally){0, 0}));
    o->tallies.v[cycle].lost += lost;
    o->tallies.v[cycle].biased += biased;
}

/* Merges the two sorted sequences into one. The first is of earlier chunks; within a chunk settings come in order. */
static void settle_periods(struct observed *o, size_t k)
{
    size_t first = o->periods_settled[k], second = o->periods[k].n - first, at = o->periods[k].n;
    struct observed_setting *v = o->periods[k].v, *later;
    o->periods_settled[k] = at;
    if (first == 0 || second == 0 || v[first - 1].time_ns <= v[first].time_ns)
        return;
    later = mem_zero(second, sizeof *later);
    memcpy(later, v + first, second * sizeof *later);
    while (second > 0) {
        if (first > 0 && v[first - 1].time_ns > later[second - 1].time_ns)
            v[--at] = v[--first];
        else
            v[--at] = later[--second];
    }
    free(later);
}

void observe_setting(struct observed *o, enum observed_setting_of of, int64_t time_ns, const char *value, size_t length)
{
    free(o->settings[of]);
    o->settings[of] = mem_strndup(value, length);
    if (of != SETTING_EXECUTION && of != SETTING_NATIVE)
        return;
    struct observed_setting setting = {time_ns, DEFAULT_PERIOD_NS};
    if (!text_to_time_ns(value, length, &setting.period_ns))
        setting.period_ns = DEFAULT_PERIOD_NS;
    size_t k = of - SETTING_EXECUTION, n = o->periods[k].n;
    if (n != 0 && time_ns < o->periods[k].v[n - 1].time_ns)
        settle_periods(o, k);
    vec_push(&o->periods[k], setting);
}

/* The period of the latest setting at or before TIME_NS. */
static int64_t period_at(struct observed *o, enum sample_kind kind, int64_t time_ns)
{
    size_t k = kind - SAMPLE_EXECUTION, low = 0, high = o->periods[k].n;
    settle_periods(o, k);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (o->periods[k].v[middle].time_ns <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low != 0 ? o->periods[k].v[low - 1].period_ns : DEFAULT_PERIOD_NS;
}

void observe_execution(struct observed *o, enum sample_kind kind, int64_t time_ns, uint32_t cycle, uint32_t thread,
                       uint32_t branch)
{
    int64_t weight = period_at(o, kind, time_ns);
    o->kind_counts[kind]++;
    thread = observed_thread_or_anonymous(o, thread, branch);
    observe_cell(o, (struct observed_cell){cycle, thread, branch, (unsigned)kind & 3, 1, weight});
    struct observed_sample sample = {time_ns, weight, thread, cycle, kind};
    if (o->keep != KEEP_NO_SAMPLES)
        vec_push(&o->samples, sample);
}

void observe_count(struct observed *o, uint32_t type_name, uint64_t count)
{
    uint32_t i = map64_put(&o->counted, type_name, (uint32_t)o->event_counts.n);
    if (i == o->event_counts.n)
        vec_push(&o->event_counts, ((struct observed_count){type_name, 0}));
    o->event_counts.v[i].count += count;
}

void observe_cpu_time_samples(struct observed *o, uint64_t count)
{
    if (count != 0 && o->keep == KEEP_UNTIL_CPU_TIME) {
        o->keep = KEEP_NO_SAMPLES;
        vec_free(&o->samples);
    }
    o->kind_counts[SAMPLE_CPU_TIME] += count;
}
