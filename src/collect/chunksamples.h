/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CPUTimeSamples of one chunk, added up to cells. The sampling period of each sample is kept until the chunk ends,
 * since lost samples take their weight from it. */
#ifndef JOULAR_CHUNKSAMPLES_H
#define JOULAR_CHUNKSAMPLES_H

#include "joular/jfr.h"
#include "joular/observed.h"

struct sampling_period {        /* of a CPUTimeSample */
    int64_t time_ns, period_ns; /* time INT64_MIN: none yet */
};

struct waiting_lost { /* a jdk.CPUTimeSamplesLost for which no chunk so far has a sampling period */
    uint64_t count;
    uint32_t thread, cycle;
};

/* A stack on a thread. Samples mostly come in order of time, so the samples of its latest cycle are added up here, and
 * become a cell when a sample of another cycle comes. */
struct chunk_pair {
    uint64_t stack; /* the stack's key, 0 for none; once resolved, a branch of the batch or NO_BRANCH */
    int64_t weight_ns;
    uint32_t thread; /* in threads */
    uint32_t cycle;
    uint32_t count, biased; /* 0 once they are settled */
};
/* There may be several of one pair and cycle where samples do not come in order of time. */
struct chunk_cell {
    int64_t weight_ns;
    uint32_t pair; /* in pairs */
    uint32_t cycle;
    uint32_t count, biased; /* at most CELL_MAX_COUNT */
};
struct chunk_thread {
    uint64_t jfr_id;
    struct sampling_period latest;
    size_t lost_first, lost_count; /* its elements of lost, once they are settled */
    size_t lost_hint;              /* the one that the sample before belongs to */
};
struct chunk_lost { /* a jdk.CPUTimeSamplesLost */
    int64_t time_ns;
    uint64_t count;
    uint32_t thread, cycle;
    struct sampling_period latest; /* the thread's latest in the chunk at that time, once they are settled */
};
struct chunk_period { /* the sampling period of one sample */
    struct sampling_period period;
    uint32_t thread;
};
#define CHUNK_RECENT 256
struct chunk_samples {
    VEC(struct chunk_pair) pairs;
    VEC(struct chunk_cell) cells; /* complete once they are settled */
    VEC(struct chunk_thread) threads;
    VEC(struct chunk_lost) lost;
    VEC(struct chunk_period) periods; /* of samples with a thread */
    struct sampling_period first;     /* of the earliest sample; of several, the one that came first */
    uint64_t count;
    uint32_t *slots;         /* hash table of pairs: position + 1 */
    size_t slot_count, room; /* how many pairs SLOTS has room for */
    struct map64 thread_ids;
    uint32_t recent[CHUNK_RECENT]; /* cache of positions in threads, by the low bits of the JFR id */
};
#define CHUNK_GROUP 64 /* the most that are added at once */
/* Adds samples, whose times are on the log's monotonic clock here. CYCLES has the cycle of each. */
void chunk_samples_add(struct chunk_samples *samples, const struct jfr_cpu_time_sample *group, const uint32_t *cycles,
                       size_t count);
void chunk_samples_lose(struct chunk_samples *samples, uint64_t jfr_thread, uint32_t cycle, int64_t time_ns,
                        uint64_t count);
/* Completes the cells, and finds the sampling periods for lost samples. Nothing may be added after it. */
void chunk_samples_settle(struct chunk_samples *samples);
void chunk_samples_clear(struct chunk_samples *samples); /* keeps the memory */
void chunk_samples_free(struct chunk_samples *samples);

/* The sampling periods of the chunks merged so far, since lost samples may take their weight from an earlier chunk.
 * Zeroed before the first. */
struct chunk_merge {
    VEC(struct waiting_lost) waiting;           /* for the recording's first period */
    VEC(struct sampling_period) latest_periods; /* by thread */
    struct sampling_period first_period;
};
/* Adds the settled samples of a chunk to OBSERVED. Must be called in the order of chunks. BRANCHES: by branch of the
 * batch, the branch in OBSERVED. */
void chunk_samples_merge(struct chunk_merge *merge, const struct chunk_samples *samples, const uint32_t *branches,
                         struct observed *observed);
void chunk_merge_free(struct chunk_merge *merge);

#endif
