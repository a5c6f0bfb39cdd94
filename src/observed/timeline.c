/* SPDX-License-Identifier: GPL-3.0-or-later */
/* joular-attribution(7), section 2: wall clock to the log's monotonic clock, and times to cycles. */
#include "joular/timeline.h"

#include <stdlib.h>

static int by_realtime(const void *left, const void *right)
{
    const struct timeline_mark *a = left, *b = right;
    if (a->realtime_ns != b->realtime_ns)
        return a->realtime_ns < b->realtime_ns ? -1 : 1;
    return a->cycle < b->cycle ? -1 : a->cycle > b->cycle;
}

void timeline_init(struct timeline *timeline, const struct power_log *log)
{
    timeline->log = log;
    timeline->by_realtime = mem_zero(log->cycles.n, sizeof *timeline->by_realtime);
    for (size_t i = 0; i < log->cycles.n; i++)
        timeline->by_realtime[i] = (struct timeline_mark){log->cycles.v[i].realtime_ns, (uint32_t)i};
    /* the wall clock may have been set back while the log was written */
    qsort(timeline->by_realtime, log->cycles.n, sizeof *timeline->by_realtime, by_realtime);
    timeline->count = 0;
    for (size_t i = 0; i < log->cycles.n; i++) /* of equal marks the earliest cycle */
        if (timeline->count == 0 ||
            timeline->by_realtime[timeline->count - 1].realtime_ns != timeline->by_realtime[i].realtime_ns)
            timeline->by_realtime[timeline->count++] = timeline->by_realtime[i];
}

void timeline_free(struct timeline *timeline)
{
    free(timeline->by_realtime);
    *timeline = (struct timeline){0};
}

static uint64_t distance(int64_t a, int64_t b)
{
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

int64_t timeline_offset(const struct timeline *timeline, int64_t wall_ns)
{
    const struct timeline_mark *marks = timeline->by_realtime;
    size_t low = 0, high = timeline->count;
    while (low < high) { /* the first mark at or after WALL_NS */
        size_t middle = low + (high - low) / 2;
        if (marks[middle].realtime_ns < wall_ns)
            low = middle + 1;
        else
            high = middle;
    }
    size_t best = low < timeline->count ? low : low - 1;
    if (low > 0) {
        size_t before = low - 1;
        uint64_t to_before = distance(marks[before].realtime_ns, wall_ns);
        uint64_t to_best = distance(marks[best].realtime_ns, wall_ns);
        if (to_before < to_best || (to_before == to_best && marks[before].cycle < marks[best].cycle))
            best = before;
    }
    const struct power_cycle *cycle = &timeline->log->cycles.v[marks[best].cycle];
    return cycle->realtime_ns - cycle->end_ns;
}

uint32_t timeline_find(const struct timeline *timeline, int64_t time_ns, uint32_t *hint)
{
    const struct power_cycle *cycles = timeline->log->cycles.v;
    size_t n = timeline->log->cycles.n, low = 0, high = n;
    while (low < high) { /* the first cycle that ends at or after TIME_NS */
        size_t middle = low + (high - low) / 2;
        if (cycles[middle].end_ns < time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == n || time_ns <= cycles[low].start_ns)
        return NO_CYCLE;
    *hint = (uint32_t)low;
    return (uint32_t)low;
}
