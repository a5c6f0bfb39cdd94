/* Filling struct observed: the same branch, thread or cell is there once. */
#include "joular/energy.h"
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
    vec_free(&o->cells);
    free(o->cell_slots);
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
    vec_free(&o->recent_periods);
    vec_free(&o->latest_periods);
    vec_free(&o->event_counts);
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

static size_t cell_hash(const struct observed_cell *cell)
{
    return hash_mix(((uint64_t)cell->cycle << 32 | cell->branch) ^
                    ((uint64_t)cell->thread * UINT64_C(0x9e3779b97f4a7c15) + cell->kind));
}

static void add_to_cell(struct observed *o, struct observed_cell cell)
{
    if ((o->cells.n + 1) * 3 > o->cell_slot_count * 2) {
        size_t slot_count = o->cell_slot_count != 0 ? o->cell_slot_count * 2 : 1024;
        free(o->cell_slots);
        o->cell_slots = mem_zero(slot_count, sizeof *o->cell_slots);
        o->cell_slot_count = slot_count;
        for (size_t i = 0; i < o->cells.n; i++) {
            size_t slot = cell_hash(&o->cells.v[i]) & (slot_count - 1);
            while (o->cell_slots[slot] != 0)
                slot = (slot + 1) & (slot_count - 1);
            o->cell_slots[slot] = (uint32_t)i + 1;
        }
    }
    size_t slot = cell_hash(&cell) & (o->cell_slot_count - 1);
    for (; o->cell_slots[slot] != 0; slot = (slot + 1) & (o->cell_slot_count - 1)) {
        struct observed_cell *known = &o->cells.v[o->cell_slots[slot] - 1];
        if (known->cycle == cell.cycle && known->branch == cell.branch && known->thread == cell.thread &&
            known->kind == cell.kind) {
            known->count += cell.count;
            if (__builtin_add_overflow(known->weight_ns, cell.weight_ns, &known->weight_ns))
                known->weight_ns = INT64_MAX;
            return;
        }
    }
    vec_push(&o->cells, cell);
    o->cell_slots[slot] = (uint32_t)o->cells.n;
}

/* No weight is negative, whatever the recording says. */
static int64_t weight_of(int64_t period_ns)
{
    return period_ns > 0 ? period_ns : 0;
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

void observe_cpu_time(struct observed *o, int64_t time_ns, uint32_t cycle, uint32_t thread, uint32_t branch,
                      int64_t period_ns, bool biased)
{
    if (o->keep == KEEP_UNTIL_CPU_TIME) {
        o->keep = KEEP_NO_SAMPLES;
        vec_free(&o->samples);
    }
    if (o->kind_counts[SAMPLE_CPU_TIME]++ == 0 || time_ns < o->first_period.time_ns)
        o->first_period = (struct observed_period){time_ns, period_ns};
    struct observed_recent recent = {{time_ns, period_ns}, thread};
    if (thread != NO_THREAD)
        vec_push(&o->recent_periods, recent);
    else
        thread = own_thread(o, branch);
    if (biased && branch != NO_BRANCH)
        count_in_cycle(o, cycle, 0, 1);
    add_to_cell(o, (struct observed_cell){cycle, thread, branch, SAMPLE_CPU_TIME, 1, weight_of(period_ns)});
}

/* How many of the settings, which are in the order of time, are at TIME_NS or before it. */
static size_t settings_until(const struct observed *o, size_t k, int64_t time_ns)
{
    size_t low = 0, high = o->periods[k].n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (o->periods[k].v[middle].time_ns <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
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
    size_t k = of - SETTING_EXECUTION, at = settings_until(o, k, time_ns);
    vec_push(&o->periods[k], setting);
    memmove(o->periods[k].v + at + 1, o->periods[k].v + at, (o->periods[k].n - 1 - at) * sizeof setting);
    o->periods[k].v[at] = setting;
}

static int64_t period_at(const struct observed *o, enum sample_kind kind, int64_t time_ns)
{
    size_t k = kind - SAMPLE_EXECUTION, until = settings_until(o, k, time_ns);
    return until != 0 ? o->periods[k].v[until - 1].period_ns : DEFAULT_PERIOD_NS;
}

void observe_execution(struct observed *o, enum sample_kind kind, int64_t time_ns, uint32_t cycle, uint32_t thread,
                       uint32_t branch)
{
    int64_t weight = period_at(o, kind, time_ns);
    o->kind_counts[kind]++;
    if (thread == NO_THREAD)
        thread = own_thread(o, branch);
    add_to_cell(o, (struct observed_cell){cycle, thread, branch, (unsigned)kind & 3, 1, weight});
    struct observed_sample sample = {time_ns, weight, thread, cycle, kind};
    if (o->keep != KEEP_NO_SAMPLES)
        vec_push(&o->samples, sample);
}

void observe_lost(struct observed *o, int64_t time_ns, uint32_t cycle, uint32_t thread, uint64_t count)
{
    struct observed_lost lost = {time_ns, count, thread != NO_THREAD ? thread : own_thread(o, NO_BRANCH), cycle};
    vec_push(&o->lost, lost);
}

void observe_count(struct observed *o, uint32_t type_name, uint64_t count)
{
    size_t i = 0;
    while (i < o->event_counts.n && o->event_counts.v[i].name != type_name)
        i++;
    if (i == o->event_counts.n)
        vec_push(&o->event_counts, ((struct observed_count){type_name, 0}));
    o->event_counts.v[i].count += count;
}

static int by_thread_and_time(const void *left, const void *right)
{
    const struct observed_recent *a = left, *b = right;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return a->period.time_ns < b->period.time_ns ? -1 : a->period.time_ns > b->period.time_ns;
}

/* The latest sampling period of THREAD at or before TIME_NS: of this chunk, else of those before it. */
static int64_t latest_period(const struct observed *o, uint32_t thread, int64_t time_ns)
{
    size_t low = 0, high = o->recent_periods.n;
    while (low < high) { /* the first that is behind */
        size_t middle = low + (high - low) / 2;
        const struct observed_recent *recent = &o->recent_periods.v[middle];
        if (recent->thread < thread || (recent->thread == thread && recent->period.time_ns <= time_ns))
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0 && o->recent_periods.v[low - 1].thread == thread)
        return o->recent_periods.v[low - 1].period.period_ns;
    if (thread < o->latest_periods.n && o->latest_periods.v[thread].time_ns != INT64_MIN)
        return o->latest_periods.v[thread].period_ns;
    return o->first_period.period_ns;
}

void observed_settle(struct observed *o)
{
    if (o->lost.n != 0 && o->kind_counts[SAMPLE_CPU_TIME] != 0) {
        if (o->recent_periods.n != 0)
            qsort(o->recent_periods.v, o->recent_periods.n, sizeof *o->recent_periods.v, by_thread_and_time);
        for (size_t i = 0; i < o->lost.n; i++) {
            const struct observed_lost *lost = &o->lost.v[i];
            int64_t weight;
            if (lost->count > INT64_MAX ||
                __builtin_mul_overflow((int64_t)lost->count, weight_of(latest_period(o, lost->thread, lost->time_ns)),
                                       &weight))
                weight = INT64_MAX;
            add_to_cell(o, (struct observed_cell){lost->cycle, lost->thread, NO_BRANCH, SAMPLE_CPU_TIME, 0, weight});
            count_in_cycle(o, lost->cycle, lost->count, 0);
        }
        o->lost.n = 0;
    }
    while (o->latest_periods.n < o->threads.n)
        vec_push(&o->latest_periods, ((struct observed_period){INT64_MIN, 0}));
    for (size_t i = 0; i < o->recent_periods.n; i++) {
        const struct observed_recent *recent = &o->recent_periods.v[i];
        if (recent->period.time_ns >= o->latest_periods.v[recent->thread].time_ns)
            o->latest_periods.v[recent->thread] = recent->period;
    }
    o->recent_periods.n = 0;
}
