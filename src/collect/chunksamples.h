/* The CPUTimeSamples of one chunk, added up: cells instead of samples, but the period of each is kept until the chunk
 * ends, since it weighs the samples that were lost. */
#ifndef JOULAR_CHUNKSAMPLES_H
#define JOULAR_CHUNKSAMPLES_H

#include "joular/jfr.h"
#include "joular/observed.h"

struct observed_period {        /* sampling period of a CPUTimeSample */
    int64_t time_ns, period_ns; /* time INT64_MIN: none yet */
};

struct observed_lost { /* a jdk.CPUTimeSamplesLost of a chunk that has no CPUTimeSample, nor has one before it */
    uint64_t count;
    uint32_t thread, cycle;
};

/* A stack in a thread. Its samples mostly come in the order of time, so those of its latest cycle are added up here,
 * and become a cell when one of another cycle comes. */
struct chunk_pair {
    uint64_t stack; /* what the caller tells stacks apart by, 0 for none; then a branch, or NO_BRANCH */
    int64_t weight_ns;
    uint32_t thread; /* in threads */
    uint32_t cycle;
    uint32_t count, biased; /* 0 once they are settled */
};
/* Several may be of one pair and cycle, where samples do not come in the order of time. */
struct chunk_cell {
    int64_t weight_ns;
    uint32_t pair; /* in pairs */
    uint32_t cycle;
    uint32_t count, biased; /* no more than CELL_MAX_COUNT */
};
struct chunk_thread {
    uint64_t jfr_id;
    struct observed_period latest;
    size_t lost_first, lost_count; /* in lost, once they are settled */
    size_t lost_hint;              /* where a sample's was found last */
};
struct chunk_lost { /* a jdk.CPUTimeSamplesLost */
    int64_t time_ns;
    uint64_t count;
    uint32_t thread, cycle;
    struct observed_period latest; /* of the thread, at that time; once they are settled */
};
struct chunk_period { /* one sample's */
    struct observed_period period;
    uint32_t thread;
};
#define CHUNK_RECENT 256
struct chunk_samples {
    VEC(struct chunk_pair) pairs;
    VEC(struct chunk_cell) cells; /* all of them, once they are settled */
    VEC(struct chunk_thread) threads;
    VEC(struct chunk_lost) lost;
    VEC(struct chunk_period) periods; /* of samples with a thread */
    struct observed_period first;     /* the earliest, of those the first */
    uint64_t count;
    uint32_t *slots;
    size_t slot_count, room; /* for so many pairs */
    struct map64 thread_ids;
    uint32_t recent[CHUNK_RECENT]; /* threads that were asked for, by the low bits of their ids */
};
#define CHUNK_GROUP 64 /* the most that are added at once */
/* Times are those of the log here; the stack is what the pairs shall have. CYCLES has one of each. */
void chunk_samples_add(struct chunk_samples *samples, const struct jfr_cpu_time_sample *group, const uint32_t *cycles,
                       size_t count);
void chunk_samples_lose(struct chunk_samples *samples, uint64_t jfr_thread, uint32_t cycle, int64_t time_ns,
                        uint64_t count);
/* Makes all cells, and finds the periods of lost samples. Nothing may be added behind it. */
void chunk_samples_settle(struct chunk_samples *samples);
void chunk_samples_clear(struct chunk_samples *samples); /* keeps the memory */
void chunk_samples_free(struct chunk_samples *samples);

/* What lost samples are weighed by reaches over chunks: periods of those that were merged. Zeroed before the first. */
struct chunk_merge {
    VEC(struct observed_lost) waiting;          /* for the first period of the recording */
    VEC(struct observed_period) latest_periods; /* by thread */
    struct observed_period first_period;
};
/* Adds a chunk's settled samples to OBSERVED, in the order of chunks. BRANCHES: by the branch in a pair, the branch in
 * OBSERVED. */
void chunk_samples_merge(struct chunk_merge *merge, const struct chunk_samples *samples, const uint32_t *branches,
                         struct observed *observed);
void chunk_merge_free(struct chunk_merge *merge);

#endif
