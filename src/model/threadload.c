/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Section 4, sources 2 to 4: CPU time from jdk.ThreadCPULoad, sample weights and jdk.GCCPUTime. */
#include "threadload.h"

#include "joular/timeline.h"

#include <stdlib.h>

#define NEAR_END_NS 10000000 /* an event this near to its thread's end was written because of it */

struct load {
    int64_t time_ns, since_ns;
    double cpu_ns;
    uint32_t group;
};

static int by_load_time(const void *left, const void *right)
{
    const struct observed_thread_load *a = left, *b = right;
    if (a->time_ns != b->time_ns)
        return a->time_ns < b->time_ns ? -1 : 1;
    return a->thread < b->thread ? -1 : a->thread > b->thread;
}

static int by_thread_moment(const void *left, const void *right)
{
    const struct observed_moment *a = left, *b = right;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return a->time_ns < b->time_ns ? -1 : a->time_ns > b->time_ns;
}

/* The position of the first moment of THREAD at or after TIME_NS. Moments are sorted by thread and time. */
static size_t moment_from(const struct observed_moment *v, size_t n, uint32_t thread, int64_t time_ns)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (v[middle].thread < thread || (v[middle].thread == thread && v[middle].time_ns < time_ns))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool near_end(const struct observed *o, const struct observed_thread_load *load)
{
    size_t at = moment_from(o->ends.v, o->ends.n, load->thread, load->time_ns - NEAR_END_NS);
    return at < o->ends.n && o->ends.v[at].thread == load->thread &&
           o->ends.v[at].time_ns <= load->time_ns + NEAR_END_NS;
}

/* The latest start of the event's JFR thread at or before the event; INT64_MIN where the recording has none. */
static int64_t start_of(const struct observed *o, const struct observed_thread_load *load)
{
    size_t at = moment_from(o->starts.v, o->starts.n, load->thread, load->time_ns + 1);
    return at > 0 && o->starts.v[at - 1].thread == load->thread ? o->starts.v[at - 1].time_ns : INT64_MIN;
}

static struct load *make_loads(struct model *m)
{
    struct observed *o = m->observed;
    struct load *loads = mem_zero(o->thread_loads.n, sizeof *loads);
    double cpus = o->effective_cpus > 0 ? (double)o->effective_cpus
                  : o->hw_threads > 0   ? (double)o->hw_threads
                                        : m->cpus;
    int64_t emission = o->start_ns; /* time of the latest periodic event */
    if (o->starts.n != 0)
        qsort(o->starts.v, o->starts.n, sizeof *o->starts.v, by_thread_moment);
    if (o->ends.n != 0)
        qsort(o->ends.v, o->ends.n, sizeof *o->ends.v, by_thread_moment);
    if (o->thread_loads.n != 0)
        qsort(o->thread_loads.v, o->thread_loads.n, sizeof *o->thread_loads.v, by_load_time);
    for (size_t i = 0; i < o->thread_loads.n;) {
        int64_t time_ns = o->thread_loads.v[i].time_ns;
        bool periodic = false;
        for (; i < o->thread_loads.n && o->thread_loads.v[i].time_ns == time_ns; i++) {
            const struct observed_thread_load *load = &o->thread_loads.v[i];
            int64_t since = emission, start = start_of(o, load);
            if (start > since)
                since = start;
            periodic |= !near_end(o, load);
            loads[i] = (struct load){time_ns, since, 0, m->group_of_thread[load->thread]};
            if (time_ns > since)
                loads[i].cpu_ns = load->share * cpus * (double)(time_ns - since);
        }
        if (periodic)
            emission = time_ns;
    }
    return loads;
}

static void contribute(struct model *m, uint32_t cycle, uint32_t group, double cpu_ns)
{
    if (cpu_ns > 0)
        vec_push(&m->contributions, ((struct contribution){cycle, group, cpu_ns}));
}

static void spread_by_overlap(struct model *m, const struct load *load)
{
    const struct power_cycle *cycles = m->log->cycles.v;
    size_t low = 0, high = m->log->cycles.n;
    double length = (double)(load->time_ns - load->since_ns);
    while (low < high) { /* the first cycle that ends after SINCE */
        size_t middle = low + (high - low) / 2;
        if (cycles[middle].end_ns <= load->since_ns)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < m->log->cycles.n && cycles[low].start_ns < load->time_ns; low++)
        contribute(m, (uint32_t)low, load->group,
                   load->cpu_ns * (double)power_cycle_overlap_ns(&cycles[low], load->since_ns, load->time_ns) / length);
}

static int by_group_and_time(const void *left, const void *right)
{
    const struct observed_sample *a = left, *b = right;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return a->time_ns < b->time_ns ? -1 : a->time_ns > b->time_ns;
}

static int loads_by_group(const void *left, const void *right)
{
    const struct load *a = left, *b = right;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return a->time_ns < b->time_ns ? -1 : a->time_ns > b->time_ns;
}

/* The position of the first sample after TIME_NS in [FROM, TO), samples of one group. */
static size_t sample_after(const struct observed_sample *samples, size_t from, size_t to, int64_t time_ns)
{
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (samples[middle].time_ns <= time_ns)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

struct tail { /* a group's samples after its last event; their CPU time is computed once all ratios are known */
    uint32_t group;
    size_t from, to;
    double ratio; /* of the group's own events; NaN where they have no weight */
};

/* An event's window is (since, t]. Windows of events that are written when threads end all begin at the same time, so
 * one sample may be in many windows. Each window's rate, CPU time per weight, is added at its first sample and taken
 * away after its last: this takes time in proportion to samples plus events, not to their product. */
struct edge {
    double rate;     /* of windows that begin at this sample, minus that of windows that ended before it */
    int64_t windows; /* their number, counted the same way */
};

/* Spreads the events of one group, loads[0..count), over its samples [from, to). */
static struct tail spread_group(struct model *m, const struct load *loads, size_t count, size_t from, size_t to,
                                double *all_cpu_ns, double *all_weight_ns)
{
    const struct observed_sample *samples = m->observed->samples.v;
    size_t n = to - from;
    double cpu_ns = 0, weight_ns = 0, rate = 0;
    double *before = mem_zero(n + 1, sizeof *before); /* weight of the samples before each; whole numbers, so exact */
    struct edge *edges = mem_zero(n + 1, sizeof *edges);
    for (size_t s = 0; s < n; s++)
        before[s + 1] = before[s] + (double)samples[from + s].weight_ns;
    for (size_t i = 0; i < count; i++) {
        size_t first = sample_after(samples, from, to, loads[i].since_ns) - from;
        size_t last = sample_after(samples, from + first, to, loads[i].time_ns) - from;
        double window_ns = before[last] - before[first];
        if (loads[i].time_ns <= loads[i].since_ns)
            continue;
        if (window_ns <= 0) {
            spread_by_overlap(m, &loads[i]);
            continue;
        }
        cpu_ns += loads[i].cpu_ns;
        edges[first].rate += loads[i].cpu_ns / window_ns;
        edges[first].windows++;
        edges[last].rate -= loads[i].cpu_ns / window_ns;
        edges[last].windows--;
    }
    int64_t windows = 0;
    for (size_t s = 0; s < n; s++) {
        windows += edges[s].windows;
        rate = windows != 0 ? rate + edges[s].rate : 0;
        if (windows == 0)
            continue;
        const struct observed_sample *sample = &samples[from + s];
        weight_ns += (double)sample->weight_ns; /* once, even if it is in several windows */
        if (sample->cycle != NO_CYCLE)
            contribute(m, sample->cycle, sample->thread, rate * (double)sample->weight_ns);
    }
    free(before);
    free(edges);
    *all_cpu_ns += cpu_ns;
    *all_weight_ns += weight_ns;
    size_t tail = count != 0 ? sample_after(samples, from, to, loads[count - 1].time_ns) : from;
    return (struct tail){from < to ? samples[from].thread : 0, tail, to,
                         weight_ns > 0 ? cpu_ns / weight_ns : (double)NAN};
}

static void spread_loads(struct model *m, struct load *loads)
{
    struct observed *o = m->observed;
    VEC(struct tail) tails = {0};
    double all_cpu_ns = 0, all_weight_ns = 0;
    size_t load_count = o->thread_loads.n, at = 0;
    if (load_count != 0)
        qsort(loads, load_count, sizeof *loads, loads_by_group);
    if (o->samples.n != 0)
        qsort(o->samples.v, o->samples.n, sizeof *o->samples.v, by_group_and_time);
    for (size_t from = 0; from < o->samples.n || at < load_count;) {
        uint32_t sample_group = from < o->samples.n ? o->samples.v[from].thread : NO_GROUP;
        uint32_t load_group = at < load_count ? loads[at].group : NO_GROUP;
        uint32_t group = sample_group < load_group ? sample_group : load_group;
        size_t to = from, end = at;
        while (to < o->samples.n && o->samples.v[to].thread == group)
            to++;
        while (end < load_count && loads[end].group == group)
            end++;
        struct tail tail = spread_group(m, loads + at, end - at, from, to, &all_cpu_ns, &all_weight_ns);
        if (tail.from < tail.to)
            vec_push(&tails, tail);
        from = to;
        at = end;
    }
    for (size_t i = 0; i < tails.n; i++) {
        const struct tail *tail = &tails.v[i];
        double ratio = !isnan(tail->ratio) ? tail->ratio : all_weight_ns > 0 ? all_cpu_ns / all_weight_ns : 1;
        for (size_t s = tail->from; s < tail->to; s++)
            if (o->samples.v[s].cycle != NO_CYCLE)
                contribute(m, o->samples.v[s].cycle, tail->group, (double)o->samples.v[s].weight_ns * ratio);
    }
    vec_free(&tails);
}

static int by_cycle_and_group(const void *left, const void *right)
{
    const struct contribution *a = left, *b = right;
    if (a->cycle != b->cycle)
        return a->cycle < b->cycle ? -1 : 1;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return a->cpu_ns < b->cpu_ns ? -1 : a->cpu_ns > b->cpu_ns; /* so that sums do not depend on the order of input */
}

static void add_gc(struct model *m)
{
    struct timeline timeline;
    uint32_t hint = 0;
    m->gc_ns = mem_zero(m->log->cycles.n, sizeof *m->gc_ns);
    timeline_init(&timeline, m->log);
    for (size_t i = 0; i < m->observed->gc.n; i++) {
        uint32_t cycle = timeline_cycle(&timeline, m->observed->gc.v[i].time_ns, &hint);
        if (cycle != NO_CYCLE)
            m->gc_ns[cycle] += m->observed->gc.v[i].cpu_ns;
    }
    timeline_free(&timeline);
}

void model_contributions(struct model *m)
{
    if (m->result->cpu_source == CPU_THREAD_RECORDS)
        return;
    add_gc(m);
    struct load *loads = make_loads(m);
    switch (m->result->cpu_source) {
    case CPU_TIME_SAMPLES: /* only threads without weight: attribute.c adds the weights themselves */
        for (size_t i = 0; i < m->observed->thread_loads.n; i++)
            if (!m->groups.v[loads[i].group].has_weight && loads[i].time_ns > loads[i].since_ns)
                spread_by_overlap(m, &loads[i]);
        break;
    case CPU_THREAD_LOAD:
        spread_loads(m, loads);
        break;
    case CPU_WEIGHTS:
    case CPU_THREAD_RECORDS:
    case CPU_SEVERAL:
        break;
    }
    free(loads);
    if (m->contributions.n != 0)
        qsort(m->contributions.v, m->contributions.n, sizeof *m->contributions.v, by_cycle_and_group);
}
