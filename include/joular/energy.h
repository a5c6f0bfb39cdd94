/* The attribution model: samples of a recording on the power cycles of a log, joules per call branch out. What is
 * computed, and why, is in joular-attribution(7); the sections named in these files are its sections.
 *
 * Times are monotonic nanoseconds unless a name says otherwise. */
#ifndef JOULAR_ENERGY_H
#define JOULAR_ENERGY_H

#include "joular/intern.h"
#include "joular/jfr.h"
#include "joular/map.h"
#include "joular/mem.h"
#include "joular/power.h"
#include "joular/result.h"
#include "joular/sort.h"
#include "joular/status.h"

#define NO_CYCLE UINT32_MAX
#define NO_BRANCH UINT32_MAX /* blind: a failed sample, no stack, no frame left */
#define NO_THREAD UINT32_MAX

enum sample_kind {
    SAMPLE_CPU_TIME,
    SAMPLE_EXECUTION,
    SAMPLE_NATIVE
};

/* ---- What was observed: plain data, filled by energy_collect or by hand ---- */

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

/* The cells of one cycle, in any order. The same samples may be in several, but they are put together whenever there
 * are twice as many as there were then, so memory does not grow with the samples. */
struct cycle_cells {
    struct observed_cell *v;
    size_t n, cap;
    size_t limit; /* when they are put together next; 0: none was added yet */
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

struct observed_period {        /* sampling period of a CPUTimeSample */
    int64_t time_ns, period_ns; /* time INT64_MIN: none yet */
};

struct observed_lost { /* jdk.CPUTimeSamplesLost of a chunk that has no CPUTimeSample, nor has one before it */
    uint64_t count;
    uint32_t thread, cycle;
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

    VEC(struct observed_lost) lost;             /* which wait for the first period */
    VEC(struct observed_period) latest_periods; /* by thread */
    struct observed_period first_period;
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

/* An ExecutionSample or NativeMethodSample; its weight is the period that is set at its time. */
void observe_execution(struct observed *observed, enum sample_kind kind, int64_t time_ns, uint32_t cycle,
                       uint32_t thread, uint32_t branch);
void observe_setting(struct observed *observed, enum observed_setting_of of, int64_t time_ns, const char *value,
                     size_t length);
void observe_count(struct observed *observed, uint32_t type_name, uint64_t count);

/* ---- The CPUTimeSamples of one chunk: added up, but the period of each is kept, and a cell where it is alone ---- */

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

/* Adds a chunk's settled samples, in the order of chunks. BRANCHES: by the branch in a pair, the branch in OBSERVED. */
void observe_chunk(struct observed *observed, const struct chunk_samples *samples, const uint32_t *branches);

/* ---- The power log's time axis (section 2) ---- */

struct timeline_mark {
    int64_t realtime_ns;
    uint32_t cycle;
};
struct timeline {
    const struct power_log *log;
    struct timeline_mark *by_realtime; /* each time once */
    size_t count;
};
void timeline_init(struct timeline *timeline, const struct power_log *log); /* which has a cycle at least */
void timeline_free(struct timeline *timeline);
/* Wall clock minus monotonic clock, where the log is nearest to WALL_NS. */
int64_t timeline_offset(const struct timeline *timeline, int64_t wall_ns);
uint32_t timeline_find(const struct timeline *timeline, int64_t time_ns, uint32_t *hint); /* for timeline_cycle */
/* The cycle that TIME_NS is in, or NO_CYCLE. HINT is kept between calls, 0 at first: the cycle of the time before, in
 * which the next one mostly is too. */
static inline uint32_t timeline_cycle(const struct timeline *timeline, int64_t time_ns, uint32_t *hint)
{
    const struct power_cycle *cycles = timeline->log->cycles.v;
    if (*hint < timeline->log->cycles.n && time_ns > cycles[*hint].start_ns && time_ns <= cycles[*hint].end_ns)
        return *hint;
    return timeline_find(timeline, time_ns, hint);
}

/* ---- From recordings ---- */

struct energy_input {
    const char *name; /* as the user gave it */
    const uint8_t *bytes;
    size_t length;
    void *owner; /* for drop_pages */
};

struct energy_collect_options {
    bool drop_hidden_frames;
    bool lines;        /* names end in ":LINE" where the recording has it */
    bool count_events; /* fill event_counts */
    enum keep_samples keep_samples;
    unsigned jobs;
    void (*progress)(uint64_t done, uint64_t all); /* bytes, behind each chunk; NULL: nobody asks */
    /* May give the memory from START to END of the file back; some of it is read again all the same. Called by several
     * threads. */
    void (*drop_pages)(void *owner, uint64_t start, uint64_t end);
};

/* Sentences about the input that the user should read; nothing in them is damage. */
struct notices {
    VEC(char *) v;
};
void notice(struct notices *notices, const char *format, ...) PRINTF_LIKE(2, 3);
void notices_free(struct notices *notices);

/* Reads all chunks of all recordings, in the order of their start, on the time axis of LOG. STATUS_INVALID where they
 * are not of one process. Damage inside is added to DAMAGE, per chunk that gave nothing too. */
enum status energy_collect(const struct energy_input *inputs, size_t input_count, const struct power_log *log,
                           const struct energy_collect_options *options, struct observed *observed,
                           struct jfr_damage *damage, struct notices *notices, struct error *err) WARN_UNUSED;

/* Makes a power log of one-second cycles out of the recordings' jdk.CPULoad events: IDLE_W + (MAX_W - IDLE_W) x load of
 * the machine. Both clocks are the wall clock. STATUS_MISSING where there are no two such events. */
enum status energy_estimate_log(const struct energy_input *inputs, size_t input_count, double idle_w, double max_w,
                                struct power_log *log, struct error *err) WARN_UNUSED;

/* ---- The model ---- */

/* A moment that chooses cycles by their end, compared in whole milliseconds, as the CSV files have them. */
struct time_bound {
    enum {
        BOUND_NONE,
        BOUND_WALL,        /* NS since the epoch */
        BOUND_AFTER_START, /* NS from the recording's start */
        BOUND_BEFORE_END   /* NS before its end */
    } kind;
    int64_t ns;
};

enum energy_samples {
    SAMPLES_AUTO,
    SAMPLES_CPU_TIME,
    SAMPLES_EXECUTION
};
enum energy_jvm_threads {
    JVM_SEPARATE,
    JVM_UNATTRIBUTED,
    JVM_SPREAD
};

struct energy_options {
    enum energy_samples samples;
    enum energy_jvm_threads jvm_threads;
    double process_share;   /* NaN: computed */
    bool share_of_capacity; /* else of the busy time */
    double baseline_w;      /* NaN: none */
    bool baseline_from_log;
    int64_t pid;                /* 0: the recording's */
    struct time_bound from, to; /* both included */
    bool by_thread;             /* each branch begins with the name of its thread */
};

/* Whether the model would spread jdk.ThreadCPULoad over execution samples: collect again with KEEP_SAMPLES where they
 * were not kept. */
bool energy_needs_samples(const struct observed *observed, const struct power_log *log,
                          const struct energy_options *options);

/* Rewrites the cells of OBSERVED on the way. STATUS_MISSING where the input lacks what the model needs. */
enum status energy_attribute(struct observed *observed, const struct power_log *log,
                             const struct energy_options *options, struct result *result, struct notices *notices,
                             struct error *err) WARN_UNUSED;

/* Section 1, names: class as the JVM has it and method to "package.Class.method", appended to BUFFER, which grows. */
struct name_buffer {
    char *v;
    size_t n, cap;
};
void method_name(struct name_buffer *buffer, const struct jfr_method *method);
/* enum native_row of a thread's name, or -1 (section 5). */
int native_row_of(const char *name, size_t length);

#endif
