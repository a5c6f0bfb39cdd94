/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a recording shows, as plain data: threads, samples by cycle, loads, pauses, facts. It is filled from JFR events
 * (joular/collect.h) or by hand, and the model (joular/model.h) knows nothing else of a recording.
 *
 * Times are monotonic nanoseconds of the power log unless a name says otherwise. */
#ifndef JOULAR_OBSERVED_H
#define JOULAR_OBSERVED_H

#include "joular/branch.h"
#include "joular/intern.h"
#include "joular/map.h"
#include "joular/mem.h"
#include "joular/sort.h"

#define NO_CYCLE UINT32_MAX
#define NO_BRANCH UINT32_MAX /* blind: a failed sample, no stack, no frame left */
#define NO_THREAD UINT32_MAX

enum sample_kind {
    SAMPLE_CPU_TIME,
    SAMPLE_EXECUTION,
    SAMPLE_NATIVE
};

struct observed_thread {
    uint64_t jfr_id;
    int64_t os_id; /* 0 where it has none */
    uint32_t name; /* in names */
    bool known;    /* its constant pool entry was read */
    bool is_virtual, is_carrier;
    bool started; /* has a jdk.ThreadStart */
};

/* Samples of one kind, thread, branch and cycle, added up. More than CELL_MAX_COUNT take several cells. */
struct observed_cell {
    uint32_t cycle, thread, branch;
    uint32_t kind : 2, count : 30;
    int64_t weight_ns;
};
#define CELL_MAX_COUNT ((1U << 30) - 1)

/* The cells of one cycle, in any order. Several may have the same kind, thread and branch: these are folded whenever
 * the number of cells has doubled since they were folded last, so memory does not grow with the number of samples. */
struct cycle_cells {
    struct observed_cell *v;
    size_t n, cap;
    size_t fold_at; /* number of cells at which they are folded next; 0: none was added yet */
};

/* One ExecutionSample or NativeMethodSample, without its stack. */
struct observed_sample {
    int64_t time_ns, weight_ns;
    uint32_t thread, cycle;
    enum sample_kind kind;
};

struct observed_thread_load { /* jdk.ThreadCPULoad */
    int64_t time_ns;
    uint32_t thread;
    double share; /* user + system, as a part of all CPUs */
};

struct observed_moment { /* jdk.ThreadStart, jdk.ThreadEnd */
    int64_t time_ns;
    uint32_t thread;
};

struct observed_load { /* jdk.CPULoad */
    int64_t time_ns;
    double jvm, machine; /* as a part of all CPUs */
};

struct observed_gc { /* jdk.GCCPUTime */
    int64_t time_ns;
    double cpu_ns;
};

struct observed_pause { /* jdk.GCPhasePause */
    int64_t time_ns, wall_ns, duration_ns;
    uint64_t gc_id;
    uint32_t thread, name;
};

struct observed_collection { /* jdk.GarbageCollection */
    uint64_t gc_id;
    uint32_t name, cause;
};

struct observed_setting { /* the period of an event type, from jdk.ActiveSetting */
    int64_t time_ns, period_ns;
};

/* The settings that the model needs, from jdk.ActiveSetting: how often an event is recorded. */
enum observed_setting_of {
    SETTING_CPU_TIME,    /* "throttle" of CPUTimeSample */
    SETTING_EXECUTION,   /* "period" of ExecutionSample */
    SETTING_NATIVE,      /* "period" of NativeMethodSample */
    SETTING_THREAD_LOAD, /* "period" of ThreadCPULoad */
    SETTINGS
};

struct observed_tally {
    uint64_t lost, biased; /* lost samples of a cycle; biased samples that have a branch */
};

/* Whether execution samples are kept one by one in addition to their cells. Only source 3 of CPU time needs that
 * (joular-attribution(7), section 4). */
enum keep_samples {
    KEEP_SAMPLES,
    KEEP_UNTIL_CPU_TIME, /* until the recording turns out to have CPUTimeSamples */
    KEEP_NO_SAMPLES
};

struct observed_count {
    uint32_t name;
    uint64_t count;
};

struct observed {
    struct intern names;        /* of methods and threads */
    struct branch_set branches; /* frames are method names */

    VEC(struct observed_thread) threads;
    struct map64 thread_ids; /* JFR id -> thread */
    /* A sample without a thread counts as a thread of its own. Here one thread stands for all such samples with a
     * branch, and one for all without: that gives the same energy, and neither has a confidence interval. NO_THREAD
     * until there is such a sample. */
    uint32_t anonymous_seen, anonymous_blind;

    VEC(struct cycle_cells) by_cycle; /* up to the last cycle that has cells */
    struct cycle_cells in_no_cycle;
    VEC(struct sort_key) sort_keys;         /* scratch memory for sorting cells */
    VEC(struct observed_cell) sorted_cells; /* scratch memory, too */
    VEC(struct observed_sample) samples;    /* ExecutionSamples and NativeMethodSamples, as KEEP says */
    enum keep_samples keep;
    VEC(struct observed_thread_load) thread_loads;
    VEC(struct observed_moment) starts, ends;
    VEC(struct observed_load) loads;
    VEC(struct observed_gc) gc;
    VEC(struct observed_pause) pauses;
    VEC(struct observed_collection) collections;
    /* Of ExecutionSample, of NativeMethodSample: two sequences, each sorted by time, one after the other. */
    VEC(struct observed_setting) periods[2];
    size_t periods_settled[2]; /* length of the first sequence */

    VEC(struct observed_tally) tallies; /* by cycle, up to the last cycle that has one */

    int64_t start_ns, end_ns; /* the recording */
    int64_t start_wall_ns, end_wall_ns;
    int64_t pid;                             /* 0: the recording does not say */
    int64_t hw_threads, effective_cpus;      /* 0: the recording does not say */
    char *jvm_name, *cpu_model;              /* NULL: the recording does not say */
    VEC(struct observed_count) event_counts; /* by type, where asked for */
    struct map64 counted;                    /* name of a type -> its position in EVENT_COUNTS */
    uint64_t chunk_count;
    uint64_t kind_counts[3];  /* samples of each kind, as recorded */
    char *settings[SETTINGS]; /* the latest value of each, as text of the recording; NULL: none */
    bool debug_non_safepoints;
    int jvm_version; /* 17, 21, ...; 0 unknown */
};

void observed_init(struct observed *observed);
void observed_free(struct observed *observed);

uint32_t observed_name(struct observed *observed, const char *text, size_t length);
/* The branch of FRAMES, which are names of methods, oldest first. Equal frames give the same branch. NO_BRANCH for no
 * frames. */
uint32_t observed_branch(struct observed *observed, const uint32_t *frames, size_t count);
/* The thread of a JFR id, added if it is new; NO_THREAD for 0, which is no thread's id. */
uint32_t observed_thread(struct observed *observed, uint64_t jfr_id);

/* THREAD itself, unless it is NO_THREAD. Samples without a thread share two threads, made when first needed: one for
 * those with a branch, and one for those without (BRANCH is NO_BRANCH). */
uint32_t observed_thread_or_anonymous(struct observed *observed, uint32_t thread, uint32_t branch);

/* Adds a cell to its cycle. */
void observe_cell(struct observed *observed, struct observed_cell cell);
/* To add many cells of one cycle: push them to what observed_cells returns, then call observe_cells_pushed. The pointer
 * is good until observed_cells or observe_cell is called for another cycle. */
struct cycle_cells *observed_cells(struct observed *observed, uint32_t cycle);
void observe_cells_pushed(struct observed *observed, struct cycle_cells *cells);
/* Adds CELL to TO, a cell of the same kind, thread, branch and cycle. False, with nothing added, where the sum would
 * exceed CELL_MAX_COUNT. */
bool observed_cell_add(struct observed_cell *to, const struct observed_cell *cell);
/* Adds to the tally of a cycle; does nothing for NO_CYCLE. */
void observe_tally(struct observed *observed, uint32_t cycle, uint64_t lost, uint64_t biased);
/* Counts CPUTimeSamples. With KEEP_UNTIL_CPU_TIME the first ones free the samples that were kept one by one. */
void observe_cpu_time_samples(struct observed *observed, uint64_t count);
/* Adds an ExecutionSample or NativeMethodSample; its weight is the period that is set at its time. */
void observe_execution(struct observed *observed, enum sample_kind kind, int64_t time_ns, uint32_t cycle,
                       uint32_t thread, uint32_t branch);
void observe_setting(struct observed *observed, enum observed_setting_of of, int64_t time_ns, const char *value,
                     size_t length);
void observe_count(struct observed *observed, uint32_t type_name, uint64_t count);

#endif
