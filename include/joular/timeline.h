/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The power log's time axis (joular-attribution(7), section 2): converts the wall clock of a recording to the monotonic
 * clock of the log, and finds the cycle of a time. */
#ifndef JOULAR_TIMELINE_H
#define JOULAR_TIMELINE_H

#include "joular/observed.h"
#include "joular/powerlog.h"

struct timeline_mark {
    int64_t realtime_ns;
    uint32_t cycle;
};
struct timeline {
    const struct power_log *log;
    struct timeline_mark *by_realtime; /* sorted, each time once */
    size_t count;
};
/* LOG has at least one cycle, and must outlive TIMELINE. */
void timeline_init(struct timeline *timeline, const struct power_log *log);
void timeline_free(struct timeline *timeline);
/* Wall clock minus monotonic clock at the end of the cycle whose end is nearest to WALL_NS; of two, the earlier. */
int64_t timeline_offset(const struct timeline *timeline, int64_t wall_ns);
uint32_t timeline_find(const struct timeline *timeline, int64_t time_ns, uint32_t *hint); /* for timeline_cycle */
/* The cycle that TIME_NS, on the monotonic clock, is in, or NO_CYCLE. HINT, 0 at first, keeps the cycle of the previous
 * call, since the next time is mostly in the same one. */
static inline uint32_t timeline_cycle(const struct timeline *timeline, int64_t time_ns, uint32_t *hint)
{
    const struct power_cycle *cycles = timeline->log->cycles.v;
    if (*hint < timeline->log->cycles.n && time_ns > cycles[*hint].start_ns && time_ns <= cycles[*hint].end_ns)
        return *hint;
    return timeline_find(timeline, time_ns, hint);
}

#endif
