/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GC pauses, and the energy of the process while they lasted. */
#include "pauses.h"
#include "share.h"

#include "joular/clock.h"

#include <stdlib.h>

/* Names of collections (OpenJDK: gcName.hpp). What is not listed is a young collection. */
static enum pause_type type_of(const char *collector)
{
    static const struct {
        const char *name;
        enum pause_type type;
    } types[] = {
        {"SerialOld", PAUSE_FULL},        {"ParallelOld", PAUSE_FULL}, {"PSMarkSweep", PAUSE_FULL},
        {"G1Full", PAUSE_FULL},           {"G1Old", PAUSE_CONCURRENT}, {"ConcurrentMarkSweep", PAUSE_CONCURRENT},
        {"ZGC Major", PAUSE_CONCURRENT},  {"ZGC", PAUSE_CONCURRENT},   {"Z", PAUSE_CONCURRENT},
        {"Shenandoah", PAUSE_CONCURRENT},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(collector, types[i].name) == 0)
            return types[i].type;
    return PAUSE_YOUNG;
}

/* A collection that was still running when the recording ended has no name. These pauses occur only with concurrent
 * collectors (OpenJDK: g1ConcurrentMark.cpp, shenandoahVMOperations.hpp, zGeneration.cpp). */
static enum pause_type type_of_phase(const char *phase)
{
    static const char *const concurrent[] = {"Pause Remark", "Pause Cleanup",     "Pause Init ",
                                             "Pause Final ", "Pause Degenerated", "Pause Mark Start (Major)"};
    for (size_t i = 0; i < sizeof concurrent / sizeof concurrent[0]; i++)
        if (strncmp(phase, concurrent[i], strlen(concurrent[i])) == 0)
            return PAUSE_CONCURRENT;
    return PAUSE_YOUNG;
}

static size_t first_cycle_ending_after(const struct model *m, int64_t time_ns)
{
    size_t low = 0, high = m->log->cycles.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m->log->cycles.v[middle].end_ns <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Process energy during the pause, in each cycle that it overlaps and that is within --from and --to. IN_CHOSEN:
 * whether there is such a cycle. */
static double energy_of(const struct model *m, const struct observed_pause *pause, bool *in_chosen)
{
    const struct power_cycle *cycles = m->log->cycles.v;
    int64_t end_ns = time_sum(pause->time_ns, pause->duration_ns);
    double energy_j = 0;
    *in_chosen = false;
    for (size_t i = first_cycle_ending_after(m, pause->time_ns); i < m->log->cycles.n && cycles[i].start_ns <= end_ns;
         i++) {
        double power_w = model_power_w(m, &cycles[i]);
        *in_chosen |= m->chosen[i];
        if (m->chosen[i] && !isnan(power_w))
            energy_j +=
                power_w * m->shares[i].share * (double)power_cycle_overlap_ns(&cycles[i], pause->time_ns, end_ns) / 1e9;
    }
    return energy_j;
}

static int by_start(const void *left, const void *right)
{
    const struct result_pause *a = left, *b = right;
    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    return a->gc_id < b->gc_id ? -1 : a->gc_id > b->gc_id;
}

/* Sorts only where they are not in order, which is rare. */
static void sort_pauses(struct result *r)
{
    size_t ordered = 1;
    while (ordered < r->pauses.n && by_start(&r->pauses.v[ordered - 1], &r->pauses.v[ordered]) <= 0)
        ordered++;
    if (ordered < r->pauses.n)
        qsort(r->pauses.v, r->pauses.n, sizeof *r->pauses.v, by_start);
}

void model_pauses(struct model *m)
{
    struct observed *o = m->observed;
    struct map64 collections = {0};
    uint32_t nothing = observed_name(o, "", 0);
    for (size_t i = 0; i < o->collections.n; i++)
        map64_put(&collections, o->collections.v[i].gc_id, (uint32_t)i);
    for (size_t i = 0; i < o->pauses.n; i++) {
        const struct observed_pause *pause = &o->pauses.v[i];
        uint32_t at = map64_get(&collections, pause->gc_id);
        const struct observed_thread *thread = pause->thread != NO_THREAD ? &o->threads.v[pause->thread] : NULL;
        bool in_chosen, all = m->options->from.kind == BOUND_NONE && m->options->to.kind == BOUND_NONE;
        double energy_j = energy_of(m, pause, &in_chosen);
        if (!all && !in_chosen)
            continue;
        struct result_pause out = {
            .start_ns = pause->wall_ns,
            .duration_ns = pause->duration_ns,
            .gc_id = pause->gc_id,
            .collector = at != MAP_NONE ? o->collections.v[at].name : nothing,
            .cause = at != MAP_NONE ? o->collections.v[at].cause : nothing,
            .phase = pause->name,
            .thread = thread != NULL ? thread->name : nothing,
            .os_thread_id = thread != NULL ? thread->os_id : 0,
            .energy_j = energy_j,
        };
        out.type = at != MAP_NONE ? type_of(o->names.texts.v[out.collector].text)
                                  : type_of_phase(o->names.texts.v[out.phase].text);
        vec_push(&m->result->pauses, out);
    }
    sort_pauses(m->result);
    map64_free(&collections);
}
