/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a power log where there is none: one-second cycles with power estimated from the recording's jdk.CPULoad
 * events. */
#include "joular/collect.h"

#include "joular/clock.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define CYCLE_NS 1000000000
#define MOST_CYCLES 4000000 /* 46 days */
#define GAP_NS 10000000000  /* chunks further apart have no cycles between them */
#define NEAR_NS 5000000000  /* a load this near counts for a cycle without one (joular-attribution(7), section 3) */

static const struct jfr_event_spec specs[] = {{"jdk.CPULoad", {"startTime", "machineTotal"}}};

struct load_at {
    int64_t time_ns; /* wall clock */
    double machine;
};

struct loads {
    VEC(struct load_at) v;
};

struct stretch { /* the time of a chunk, or of several that follow each other */
    int64_t start_ns, end_ns;
};
struct stretches {
    struct stretch *v;
    size_t n, cap;
};

static int by_start(const void *left, const void *right)
{
    const struct stretch *a = left, *b = right;
    return a->start_ns < b->start_ns ? -1 : a->start_ns > b->start_ns;
}

/* Sorts stretches by time, and joins those with no more than GAP_NS between them. Returns how many cycles they take. */
static int64_t join_stretches(struct stretches *all)
{
    size_t kept = 0;
    int64_t cycles = 0;
    if (all->n != 0)
        qsort(all->v, all->n, sizeof *all->v, by_start);
    for (size_t i = 0; i < all->n; i++) {
        struct stretch *last = kept != 0 ? &all->v[kept - 1] : NULL;
        if (last != NULL && all->v[i].start_ns - last->end_ns <= GAP_NS)
            last->end_ns = all->v[i].end_ns > last->end_ns ? all->v[i].end_ns : last->end_ns;
        else
            all->v[kept++] = all->v[i];
    }
    all->n = kept;
    for (size_t i = 0; i < kept; i++)
        cycles += (all->v[i].end_ns - all->v[i].start_ns) / CYCLE_NS + 1;
    return cycles;
}

static void on_load(void *user, unsigned spec, const struct jfr_value *values, uint64_t at)
{
    struct loads *loads = user;
    (void)spec, (void)at;
    if (values[0].kind == JFR_INT && values[1].kind == JFR_FLOAT)
        vec_push(&loads->v, ((struct load_at){time_within(values[0].i), fmin(1, fmax(0, values[1].d))}));
}

static int by_time(const void *left, const void *right)
{
    const struct load_at *a = left, *b = right;
    return a->time_ns < b->time_ns ? -1 : a->time_ns > b->time_ns;
}

/* Mean load of the machine in the cycle, where each event covers the time since the one before it; NaN where none is
 * near. FROM is kept between calls: loads before it end before this cycle begins. */
static double load_of(const struct loads *loads, const struct power_cycle *cycle, size_t *from)
{
    const struct load_at *v = loads->v.v;
    size_t n = loads->v.n;
    double covered = 0, sum = 0;
    while (*from < n && v[*from].time_ns <= cycle->start_ns)
        (*from)++;
    for (size_t k = *from; k < n && v[k - 1].time_ns < cycle->end_ns; k++) {
        double part = (double)power_cycle_overlap_ns(cycle, v[k - 1].time_ns, v[k].time_ns);
        covered += part;
        sum += part * v[k].machine;
    }
    if (covered > 0)
        return sum / covered;
    const struct load_at *near = *from < n ? &v[*from] : &v[n - 1];
    int64_t distance = near->time_ns > cycle->end_ns ? near->time_ns - cycle->end_ns : cycle->start_ns - near->time_ns;
    return distance <= NEAR_NS ? near->machine : (double)NAN;
}

static void add_cycles(struct power_log *log, const struct loads *loads, const struct stretch *stretch, size_t *from,
                       double idle_w, double max_w)
{
    int64_t end_ns = stretch->end_ns;
    for (int64_t at = stretch->start_ns; at < end_ns; at += CYCLE_NS) {
        struct power_cycle cycle = {.start_ns = at, .end_ns = at + CYCLE_NS < end_ns ? at + CYCLE_NS : end_ns};
        double load = load_of(loads, &cycle, from);
        power_log_add_cycle(log, cycle.start_ns, cycle.end_ns, cycle.end_ns, idle_w + (max_w - idle_w) * load,
                            isnan(load) ? "no-reading" : "ok");
    }
}

enum status collect_estimated_log(const struct collect_input *inputs, size_t input_count, double idle_w, double max_w,
                                  struct power_log *log, struct error *err)
{
    struct jfr_reader *reader = jfr_reader_new(specs, sizeof specs / sizeof specs[0]);
    struct loads loads = {0};
    struct stretches stretches = {0};
    int64_t cycles = 0;
    enum status status = STATUS_OK;
    power_log_init(log, "estimate");
    for (size_t i = 0; i < input_count && status == STATUS_OK; i++) {
        struct jfr_chunk_list chunks = {0};
        struct jfr_damage ignored = {0}; /* collect_recordings will report it */
        status = jfr_list_chunks(inputs[i].bytes, inputs[i].length, &chunks, &ignored, err);
        for (size_t c = 0; c < chunks.n && status == STATUS_OK; c++) {
            const struct jfr_header *header = &chunks.v[c].header;
            struct error chunk_error = {0};
            if (jfr_read_chunk(reader, inputs[i].bytes, &chunks.v[c], on_load, &loads, &ignored, &chunk_error) !=
                STATUS_OK)
                continue;
            bool no_end = !jfr_has_end(header);
            int64_t start = time_within(header->start_ns);
            int64_t end = no_end ? time_within(jfr_last_event_ns(reader)) : time_sum(start, header->duration_ns);
            if (end > start)
                vec_push(&stretches, ((struct stretch){start, end}));
        }
        error_in_file(err, inputs[i].name);
        vec_free(&chunks);
    }
    jfr_reader_free(reader);
    if (status == STATUS_OK && loads.v.n < 2) {
        status = error_set(err, STATUS_MISSING,
                           "the recording has no two jdk.CPULoad events to estimate the power from: record with "
                           "jdk.CPULoad enabled (every settings file of the JDK does)");
    } else if (status == STATUS_OK && (cycles = join_stretches(&stretches)) > MOST_CYCLES) {
        status = error_set(err, STATUS_INVALID,
                           "the recording's chunks are %" PRId64
                           " days long, and power is estimated for %d at most: give fewer of its chunks",
                           cycles / 86400, MOST_CYCLES / 86400);
    } else if (status == STATUS_OK) {
        size_t from = 1;
        qsort(loads.v.v, loads.v.n, sizeof *loads.v.v, by_time);
        for (size_t i = 0; i < stretches.n; i++)
            add_cycles(log, &loads, &stretches.v[i], &from, idle_w, max_w);
    }
    vec_free(&stretches);
    vec_free(&loads.v);
    return status;
}
