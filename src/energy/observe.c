/* Filling struct observed: the same branch, thread or cell is there once. */
#include "model.h"

#include "joular/sort.h"
#include "joular/text.h"

#define DEFAULT_PERIOD_NS 20000000 /* of an ExecutionSample whose recording gives none */

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
    vec_free(&o->lost);
    vec_free(&o->latest_periods);
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

static uint32_t own_thread(struct observed *o, uint32_t branch)
{
    uint32_t *thread = branch == NO_BRANCH ? &o->anonymous_blind : &o->anonymous_seen;
    if (*thread == NO_THREAD)
        *thread = add_thread(o, 0);
    return *thread;
}

static uint64_t place_of(const struct observed_cell *cell)
{
    return (uint64_t)cell->thread << 32 | cell->branch;
}

static bool cell_is_like(const struct observed_cell *a, const struct observed_cell *b)
{
    return a->branch == b->branch && a->thread == b->thread && a->kind == b->kind;
}

/* A copy of them in order. The last sort counts most. */
static const struct observed_cell *in_order(struct observed *o, const struct observed_cell *cells, size_t count)
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
        keys[i].key = place_of(&cells[keys[i].at]);
    sort_keys(keys, count, keys + count);
    for (size_t i = 0; i < count; i++)
        sorted[i] = cells[keys[i].at];
    return sorted;
}

bool cell_add(struct observed_cell *to, const struct observed_cell *cell)
{
    if (cell->count > CELL_MAX_COUNT - to->count)
        return false;
    to->count = (to->count + cell->count) & CELL_MAX_COUNT;
    if (__builtin_add_overflow(to->weight_ns, cell->weight_ns, &to->weight_ns))
        to->weight_ns = INT64_MAX;
    return true;
}

#define CELLS_APART 4096 /* so few of a cycle are left as they come */

static void put_together(struct observed *o, struct cycle_cells *cells)
{
    const struct observed_cell *sorted = in_order(o, cells->v, cells->n);
    size_t kept = 0;
    for (size_t i = 0; i < cells->n; i++) {
        struct observed_cell *last = kept != 0 ? &cells->v[kept - 1] : NULL;
        if (last == NULL || !cell_is_like(last, &sorted[i]) || !cell_add(last, &sorted[i]))
            cells->v[kept++] = sorted[i];
    }
    cells->n = kept;
}

static struct cycle_cells *cells_of(struct observed *o, uint32_t cycle)
{
    if (cycle == NO_CYCLE)
        return &o->in_no_cycle;
    while (o->by_cycle.n <= cycle)
        vec_push(&o->by_cycle, ((struct cycle_cells){0}));
    return &o->by_cycle.v[cycle];
}

/* Behind some that were added. Those of one chunk hardly have any that are alike, so the first are left as they are. */
static void put_together_where_many(struct observed *o, struct cycle_cells *cells)
{
    if (cells->limit != 0 && cells->n < cells->limit)
        return;
    if (cells->limit != 0)
        put_together(o, cells);
    cells->limit = cells->n * 2 > CELLS_APART ? cells->n * 2 : CELLS_APART;
}

static void add_cell(struct observed *o, struct observed_cell cell)
{
    struct cycle_cells *cells = cells_of(o, cell.cycle);
    vec_push(cells, cell);
    put_together_where_many(o, cells);
}

static void count_in_cycle(struct observed *o, uint32_t cycle, uint64_t lost, uint64_t biased)
{
    if (cycle == NO_CYCLE)
        return;
    while (o->tallies.n <= cycle)
        vec_push(&o->tallies, ((struct observed_tally){0, 0}));
    o->tallies.v[cycle].lost += lost;
    o->tallies.v[cycle].biased += biased;
}

/* Makes one run of the two: the settings of a chunk are in the order of time, and so are those of the chunks before it.
 */
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

/* Of the latest setting at TIME_NS or before it. */
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
    if (thread == NO_THREAD)
        thread = own_thread(o, branch);
    add_cell(o, (struct observed_cell){cycle, thread, branch, (unsigned)kind & 3, 1, weight});
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

static void add_lost(struct observed *o, const struct observed_lost *lost, int64_t period_ns)
{
    int64_t weight = INT64_MAX;
    if (period_ns <= 0)
        weight = 0;
    else if (lost->count > INT64_MAX || __builtin_mul_overflow((int64_t)lost->count, period_ns, &weight))
        weight = INT64_MAX;
    add_cell(o, (struct observed_cell){lost->cycle, lost->thread, NO_BRANCH, SAMPLE_CPU_TIME, 0, weight});
    count_in_cycle(o, lost->cycle, lost->count, 0);
}

/* The latest period of the thread in the chunk, else in those before it, else the recording's first. */
static void add_chunk_lost(struct observed *o, const struct chunk_lost *from, uint32_t thread)
{
    struct observed_lost lost = {from->count, thread != NO_THREAD ? thread : own_thread(o, NO_BRANCH), from->cycle};
    if (from->latest.time_ns != INT64_MIN)
        add_lost(o, &lost, from->latest.period_ns);
    else if (lost.thread < o->latest_periods.n && o->latest_periods.v[lost.thread].time_ns != INT64_MIN)
        add_lost(o, &lost, o->latest_periods.v[lost.thread].period_ns);
    else if (o->kind_counts[SAMPLE_CPU_TIME] != 0)
        add_lost(o, &lost, o->first_period.period_ns);
    else
        vec_push(&o->lost, lost);
}

static void note_latest(struct observed *o, uint32_t thread, const struct observed_period *latest)
{
    while (o->latest_periods.n <= thread)
        vec_push(&o->latest_periods, ((struct observed_period){INT64_MIN, 0}));
    if (latest->time_ns != INT64_MIN && latest->time_ns >= o->latest_periods.v[thread].time_ns)
        o->latest_periods.v[thread] = *latest;
}

/* What a pair of the chunk is here. */
struct known_pair {
    uint32_t thread, branch;
};

/* Threads of samples that have none are made in the order in which the first of each kind came. */
static struct known_pair *know_pairs(struct observed *o, const struct chunk_samples *samples, const uint32_t *threads,
                                     const uint32_t *branches)
{
    struct known_pair *known = mem_zero(samples->pairs.n, sizeof *known);
    for (size_t i = 0; i < samples->pairs.n; i++) {
        const struct chunk_pair *pair = &samples->pairs.v[i];
        uint32_t branch = pair->stack == NO_BRANCH ? NO_BRANCH : branches[pair->stack], thread = threads[pair->thread];
        known[i] = (struct known_pair){thread != NO_THREAD ? thread : own_thread(o, branch), branch};
    }
    return known;
}

/* COUNT of one cycle. */
static void add_cells(struct observed *o, const struct chunk_cell *v, size_t count, const struct known_pair *pairs)
{
    struct cycle_cells *cells = cells_of(o, v[0].cycle);
    vec_reserve(cells, count);
    struct observed_cell *next = cells->v + cells->n;
    uint64_t biased = 0;
    for (size_t i = 0; i < count; i++) {
        struct known_pair pair = pairs[v[i].pair];
        biased += pair.branch != NO_BRANCH ? v[i].biased : 0;
        *next++ = (struct observed_cell){
            v[i].cycle, pair.thread, pair.branch, SAMPLE_CPU_TIME, v[i].count & CELL_MAX_COUNT, v[i].weight_ns};
    }
    cells->n += count;
    if (biased != 0)
        count_in_cycle(o, v[0].cycle, 0, biased);
    put_together_where_many(o, cells);
}

/* Cells of a cycle mostly come one behind the other. */
static void add_chunk_cells(struct observed *o, const struct chunk_samples *samples, const uint32_t *threads,
                            const uint32_t *branches)
{
    const struct chunk_cell *cells = samples->cells.v;
    struct known_pair *pairs = know_pairs(o, samples, threads, branches);
    for (size_t i = 0, end; i < samples->cells.n; i = end) {
        for (end = i + 1; end < samples->cells.n && cells[end].cycle == cells[i].cycle;)
            end++;
        add_cells(o, cells + i, end - i, pairs);
    }
    free(pairs);
}

void observe_chunk(struct observed *o, const struct chunk_samples *samples, const uint32_t *branches)
{
    uint32_t *threads = mem_zero(samples->threads.n, sizeof *threads);
    for (size_t i = 0; i < samples->threads.n; i++)
        threads[i] = observed_thread(o, samples->threads.v[i].jfr_id);
    if (samples->count != 0) {
        if (o->keep == KEEP_UNTIL_CPU_TIME) {
            o->keep = KEEP_NO_SAMPLES;
            vec_free(&o->samples);
        }
        if (o->kind_counts[SAMPLE_CPU_TIME] == 0 || samples->first.time_ns < o->first_period.time_ns)
            o->first_period = samples->first;
        o->kind_counts[SAMPLE_CPU_TIME] += samples->count;
        for (size_t i = 0; i < o->lost.n; i++)
            add_lost(o, &o->lost.v[i], o->first_period.period_ns);
        o->lost.n = 0;
    }
    add_chunk_cells(o, samples, threads, branches);
    for (size_t i = 0; i < samples->lost.n; i++)
        add_chunk_lost(o, &samples->lost.v[i], threads[samples->lost.v[i].thread]);
    for (size_t i = 0; i < samples->threads.n; i++)
        if (threads[i] != NO_THREAD)
            note_latest(o, threads[i], &samples->threads.v[i].latest);
    free(threads);
}
