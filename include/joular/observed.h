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
    bool known;    /* its entry in a pool was read */
    bool is_virtual, is_carrier;
    bool started; /* has a jdk.ThreadStart */
};

/* Samples of one kind, thread, branch and cycle together; in several cells where one cannot count them all. */
struct observed_cell {
    uint32_t cycle, thread, branch;
    uint32_t kind : 2, count : 30;
    int64_t weight_ns;
};
#define CELL_MAX_COUNT ((1U << 30) - 1)

/* The cells of one cycle, in any order. Several may be of the same samples; these are folded into one whenever there
 * are twice as many cells as after the last time, so memory does not grow with the samples. */
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
    double share; /* user + system, of all cpus */
};

struct observed_moment { /* jdk.ThreadStart, jdk.ThreadEnd */
    int64_t time_ns;
    uint32_t thread;
};

struct observed_load { /* jdk.CPULoad */
    int64_t time_ns;
    double jvm, machine; /* of all cpus */
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

/* Settings that matter here: how often, by jdk.ActiveSetting. */
enum observed_setting_of {
    SETTING_CPU_TIME,    /* "throttle" of CPUTimeSample */
    SETTING_EXECUTION,   /* "period" of ExecutionSample */
    SETTING_NATIVE,      /* "period" of NativeMethodSample */
    SETTING_THREAD_LOAD, /* "period" of ThreadCPULoad */
    SETTINGS
};

struct observed_tally {
    uint64_t lost, biased; /* samples in a cycle; biased ones with a branch */
};

/* Whether execution samples are kept one by one beside their cells: only source 3 of CPU time needs that (section 4).
 */
enum keep_samples {
    KEEP_SAMPLES,
    KEEP_UNTIL_CPU_TIME,
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
    /* A sample without a thread is a thread of its own. All of those that have a branch are kept as one, and all that
     * have none as another: their energy is the same, and neither has an interval. NO_THREAD until there is one. */
    uint32_t anonymous_seen, anonymous_blind;

    VEC(struct cycle_cells) by_cycle; /* up to the last that has any */
    struct cycle_cells in_no_cycle;
    VEC(struct sort_key) sort_keys; /* room for sorting them */
    VEC(struct observed_cell) sorted_cells;
    VEC(struct observed_sample) samples; /* execution and native ones, as KEEP says */
    enum keep_samples keep;
    VEC(struct observed_thread_load) thread_loads;
    VEC(struct observed_moment) starts, ends;
    VEC(struct observed_load) loads;
    VEC(struct observed_gc) gc;
    VEC(struct observed_pause) pauses;
    VEC(struct observed_collection) collections;
    VEC(struct observed_setting) periods[2]; /* of ExecutionSample, of NativeMethodSample; by time, in two runs */
    size_t periods_settled[2];               /* length of the first run */

    VEC(struct observed_tally) tallies; /* by cycle, up to the last that has one */

    int64_t start_ns, end_ns; /* the recording */
    int64_t start_wall_ns, end_wall_ns;
    int64_t pid;                        /* 0: the recording does not say */
    int64_t hw_threads, effective_cpus; /* 0: likewise */
    char *jvm_name;
    char *cpu_model;                         /* NULL: not said */
    VEC(struct observed_count) event_counts; /* by type, where asked for */
    struct map64 counted;                    /* name of a type -> its position in EVENT_COUNTS */
    uint64_t chunk_count;
    uint64_t kind_counts[3];  /* samples of each kind, as recorded */
    char *settings[SETTINGS]; /* the latest, as the recording has it; NULL: none */
    bool debug_non_safepoints;
    int jvm_version; /* 17, 21, ...; 0 unknown */
};

void observed_init(struct observed *observed);
void observed_free(struct observed *observed);

uint32_t observed_name(struct observed *observed, const char *text, size_t length);
/* FRAMES are names of methods, oldest first; the same frames are the same branch. NO_BRANCH for none. */
uint32_t observed_branch(struct observed *observed, const uint32_t *frames, size_t count);
/* The thread of a JFR id, made when it is new; NO_THREAD for 0, which JFR gives to none. */
uint32_t observed_thread(struct observed *observed, uint64_t jfr_id);

/* THREAD, or the thread that stands for samples without one, where it is NO_THREAD. */
uint32_t observed_thread_or_none(struct observed *observed, uint32_t thread, uint32_t branch);

/* Cells of samples that are weighed already. Their cycle is the cell's own. */
void observe_cell(struct observed *observed, struct observed_cell cell);
/* The same for many of one cycle: they are pushed behind those of observed_cells, which observe_cells_pushed is then
 * told. */
struct cycle_cells *observed_cells(struct observed *observed, uint32_t cycle);
void observe_cells_pushed(struct observed *observed, struct cycle_cells *cells);
/* Adds CELL, of the same samples, to TO; false where it cannot count so many. */
bool observed_cell_add(struct observed_cell *to, const struct observed_cell *cell);
/* Lost samples of a cycle, and biased ones that have a branch; nothing for NO_CYCLE. */
void observe_tally(struct observed *observed, uint32_t cycle, uint64_t lost, uint64_t biased);
/* COUNT CPUTimeSamples were recorded: those that are kept one by one may no longer be needed. */
void observe_cpu_time_samples(struct observed *observed, uint64_t count);
/* An ExecutionSample or NativeMethodSample; its weight is the period that is set at its time. */
void observe_execution(struct observed *observed, enum sample_kind kind, int64_t time_ns, uint32_t cycle,
                       uint32_t thread, uint32_t branch);
void observe_setting(struct observed *observed, enum observed_setting_of of, int64_t time_ns, const char *value,
                     size_t length);
void observe_count(struct observed *observed, uint32_t type_name, uint64_t count);

#endif
