/* What an analysis found, in memory. Every report is made from it, so that all of them agree.
 *
 * Energy in joules, power in watts, CPU time and intervals in nanoseconds. */
#ifndef JOULAR_RESULT_H
#define JOULAR_RESULT_H

#include "joular/branch.h"
#include "joular/intern.h"
#include "joular/mem.h"
#include "joular/status.h"

/* Rows of the JVM's own threads; they are branches of one frame, whose name is in brackets. */
enum native_row {
    NATIVE_GC,
    NATIVE_JIT,
    NATIVE_JFR,
    NATIVE_VM,
    NATIVE_ROWS
};
extern const char *const native_row_names[NATIVE_ROWS]; /* "[GC]", ... */

struct result_cycle {
    int64_t realtime_ns; /* wall clock at its end */
    int64_t interval_ns;
    double power_w;        /* of the machine, baseline taken away; NaN where it has none */
    double baseline_w;     /* what was taken away */
    double busy_ns;        /* CPU time of the machine; NaN where nothing says it */
    double process_cpu_ns; /* NaN where nothing says it */
    double process_j;
    double java_j, native_j[NATIVE_ROWS], unattributed_j, outside_j;
    double left_out_j; /* of branches that a view leaves out; 0 in a whole result */
    uint64_t samples;  /* used in it, with a branch */
    uint32_t status;   /* word, in names */
    uint32_t run;      /* in runs; 0 where there are none */
    size_t rows;       /* its rows end before this position; they begin at the last cycle's */
};

struct result_row {
    uint32_t branch;
    double energy_j;
};

/* Energy of a method with its 95 % half-widths; NaN where too few samples allow none. */
struct result_method {
    uint32_t name;
    double own_j, own_half_width_j, total_j, total_half_width_j;
    double own_cpu_ns, total_cpu_ns;
    uint64_t own_samples, total_samples;
};

struct method_list {
    struct result_method *v;
    size_t n, cap;
};

struct result_thread {
    uint32_t name;
    int64_t os_id; /* 0: none, or several */
    double energy_j, cpu_ns;
    uint64_t samples; /* with a branch, in a cycle */
    /* How sure its figures are (joular-attribution(7), section 7). */
    double error_factor;     /* sum over the cycles of e^2 / n, in square joules */
    double weight_ns;        /* of its branches, in the whole recording */
    uint64_t samples_in_all; /* with a branch, in the whole recording */
    bool anonymous;          /* stands for threads of single samples */
    uint32_t run;            /* in runs; 0 where there are none */
};

/* Weight of a branch on a thread, over the whole recording. */
struct result_weight {
    uint32_t thread, branch;
    double weight_ns;
};

/* CPU time and samples of a branch. */
struct result_use {
    double cpu_ns;
    uint64_t samples;
};

/* A stop of all Java threads by the garbage collector. */
enum pause_type {
    PAUSE_YOUNG,
    PAUSE_FULL,
    PAUSE_CONCURRENT /* of a collection that runs beside the program */,
    PAUSE_TYPES
};
extern const char *const pause_type_names[PAUSE_TYPES];
struct result_pause {
    int64_t start_ns; /* wall clock */
    int64_t duration_ns;
    uint64_t gc_id; /* of the collection it belongs to */
    enum pause_type type;
    uint32_t collector, phase, cause, thread; /* in names; empty where the recording does not say */
    int64_t os_thread_id;                     /* 0: not said */
    double energy_j;                          /* of the process, in the part of it that lies in the cycles */
    uint32_t run;                             /* in runs; 0 where there are none */
};

/* Buckets of pause lengths: below 1 ms, 1-5, 5-10, 10-50, 50-100, 100-500, and from 500 ms on; each holds its lower
 * bound. */
#define PAUSE_BUCKETS 7
extern const char *const pause_bucket_names[PAUSE_BUCKETS];
unsigned pause_bucket(int64_t duration_ns);

struct result_status {
    uint32_t name;
    uint64_t cycles;
};

enum sampler {
    SAMPLER_CPU_TIME,
    SAMPLER_EXECUTION,
    SAMPLER_SEVERAL /* of a merged result, whose runs differ; likewise below */
};
enum share_source {
    SHARE_FROM_LOG,
    SHARE_FROM_RECORDING,
    SHARE_BY_HAND,
    SHARE_SEVERAL
};
enum cpu_source {
    CPU_THREAD_RECORDS,
    CPU_TIME_SAMPLES,
    CPU_THREAD_LOAD,
    CPU_WEIGHTS,
    CPU_SEVERAL
};

/* Of one analysis, in a merged result. */
struct result_run {
    uint32_t name;                              /* as it was called when it was merged; says nothing of its content */
    uint32_t jvm_name, cpu_model, power_source; /* in names; empty where nothing says it */
    int64_t pid, cpus;                          /* 0: not said */
    int64_t start_ns, end_ns;                   /* of the recording, wall clock */
    bool estimated;
    enum sampler sampler;
    enum share_source share_source;
    enum cpu_source cpu_source;
    double power_s, machine_j, process_j;
};

struct result {
    struct intern names; /* of methods, threads, statuses: valid UTF-8 */
    struct branch_set branches;
    VEC(struct result_cycle) cycles;
    VEC(struct result_row) rows; /* by cycle, then by branch */
    struct method_list methods;  /* those with energy or samples, by name id: result_methods of all branches */
    VEC(struct result_thread) threads;
    VEC(struct result_weight) weights;       /* by thread, then by branch */
    VEC(struct result_use) uses;             /* by branch */
    VEC(struct result_pause) pauses;         /* by start */
    VEC(struct result_status) without_power; /* cycles without power, by status */
    VEC(struct result_run) runs;             /* of a merged result, by start; none: it is of one analysis */

    /* joules, section by section: java + native + unattributed + outside = process */
    double machine_j, baseline_j, process_j, java_j, native_j[NATIVE_ROWS], unattributed_j, outside_j;
    double left_out_j;
    double power_s; /* length of the cycles with power */
    double peak_machine_w, peak_process_w;
    double busy_share; /* of the machine, mean over the cycles; NaN where unknown */
    double coverage;   /* energy in rows over process energy */

    struct result_samples {
        uint64_t used;      /* with a branch, in a cycle */
        uint64_t failed;    /* of the kind used, in a cycle, without a branch */
        uint64_t biased;    /* of the used */
        uint64_t truncated; /* of the used */
        uint64_t lost;      /* that the recording says it lost, in a cycle */
        uint64_t outside;   /* in no cycle */
    } samples;

    struct result_quality {
        char *period_set;       /* of the sampler, as the recording has it ("10 ms", "500/s"); NULL: not said */
        int64_t period_set_ns;  /* the same where it is a time, else 0 */
        double period_seen_ns;  /* CPU time of the sampled threads a sample used; NaN where there are none */
        int64_t load_period_ns; /* between jdk.ThreadCPULoad events; 0: not said */
        bool debug_non_safepoints;
        bool has_cpu_time_samples; /* whether used or not */
        bool has_thread_records;   /* of the process, in the power log */
        int jvm_version;           /* 0: not said */
    } quality;

    struct result_damage {
        uint64_t chunks, events, bytes; /* that could not be read */
        int64_t time_ns;                /* of recording, as far as one can tell */
        uint64_t unfinished;            /* chunks that were never finished, read as far as they go */
        char *first;                    /* in words; NULL: none */
    } damage;

    enum sampler sampler;
    enum share_source share_source;
    enum cpu_source cpu_source;
    bool estimated;          /* the power is computed from load, not measured */
    bool process_power_only; /* the log is of one process's power: nothing is known of the machine's */
    bool idle_is_shared;     /* idle power goes to whoever runs (--share-of busy) */
    char *power_source;
    int64_t pid; /* 0: not said, or several; likewise the cpus, and texts that are NULL */
    int64_t cpus;
    int64_t recording_start_ns, recording_end_ns; /* wall clock */
    uint64_t chunk_count;
    char *jvm_name;
    char *cpu_model; /* NULL: not said */
};

void result_free(struct result *result);
/* Makes OUT one with the single facts and figures of FROM, and without any name, branch, cycle or other list. */
void result_copy_facts(struct result *out, const struct result *from);

const struct intern_text *result_name(const struct result *result, uint32_t name);

/* Makes the totals, which are 0, out of the cycles. */
void result_add_up(struct result *result);
/* CPU time of the sampled threads a sample used; NaN where there are none. */
double result_period_seen(const struct result *result);
/* CPUs of the machine that the cycle was measured on; 0: not said. */
int64_t result_cycle_cpus(const struct result *result, const struct result_cycle *cycle);

/* ---- Merging ----
 *
 * A merged result is the union of runs: their cycles, threads and pauses side by side, each with its run, and names and
 * branches by content. Threads are never joined, so that the variance of a sum is the sum of the variances of its runs.
 * Whatever order and grouping the runs are merged in, the result, and so its report.json, is the same to the last bit:
 * nothing is added up before the order is settled, but counts and the CPU time of branches, which is taken in whole
 * nanoseconds (sums of these are exact below 2^53, 104 days a branch). */

/* Adds the runs of MORE to INTO, which is zeroed before the first: those of a merged result, or one called NAME (text
 * that need not be UTF-8). KNOWN: all of them were there already, and nothing was added. STATUS_INVALID, and INTO as it
 * was, where some of them were there and some not. result_merge_finish is due before INTO is used for anything else. */
enum status result_merge(struct result *into, const struct result *more, const char *name, bool *known,
                         struct error *err) WARN_UNUSED;
/* Puts all into its order and makes totals, methods and facts. More can be merged into it afterwards. */
void result_merge_finish(struct result *into);
/* Whether some of its runs were recorded at the same time: if on one machine, its energy is in each of them. */
bool result_runs_overlap(const struct result *result);
/* Sorts the weights and leaves one a thread and branch. */
void result_merge_weights(struct result *result);

/* Which frames stay: those whose class.method begins with one of PREFIXES (plain text), or with EXCLUDE those that
 * begin with none of them and are no row or remark in brackets. Without prefixes all stay. */
struct name_filter {
    const char *const *prefixes;
    size_t count;
    bool exclude;
};
/* The JDK's own packages, excluded: what is left is the application's. */
extern const struct name_filter application_filter;

/* The branches as the app file has them: frames that do not stay are left out, so that their energy goes up to the
 * frame that called them. MAP gets, for each branch of RESULT, its branch in OUT, or UINT32_MAX where nothing of it
 * stays; native rows never stay. */
void result_filter(const struct result *result, const struct name_filter *filter, struct branch_set *out,
                   uint32_t *map);

/* Methods of the branches as they are, or as SET has them with MAP of result_filter; OUT->v is to be freed. A method
 * that is in a stack more than once counts once in its total. */
void result_methods(const struct result *result, const struct branch_set *set, const uint32_t *map,
                    struct method_list *out);

/* Another look at the same result: frames as classes or packages, and only some branches. */
enum view_group {
    GROUP_METHOD,
    GROUP_CLASS,
    GROUP_PACKAGE
};
struct view_options {
    enum view_group group;
    const char *include, *exclude; /* POSIX extended regular expressions; NULL: none */
};
/* OUT is a result of its own, with the names of RESULT at the same numbers. A branch stays where one of its frames (as
 * methods) matches INCLUDE and none matches EXCLUDE; what does not stay is left_out_j. Neighbours that are one class or
 * package are one frame. STATUS_INVALID for an expression that is none. */
enum status result_view(const struct result *result, const struct view_options *options, struct result *out,
                        struct error *err) WARN_UNUSED;

#endif
