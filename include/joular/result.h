/* SPDX-License-Identifier: GPL-3.0-or-later */
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
    double power_w;        /* of the machine, less the baseline; NaN where the cycle has no power */
    double baseline_w;     /* what was taken away from power_w */
    double busy_ns;        /* CPU time of the machine; NaN: unknown */
    double process_cpu_ns; /* CPU time of the process; NaN: unknown */
    double process_j;
    double java_j, native_j[NATIVE_ROWS], unattributed_j, outside_j;
    double left_out_j; /* of branches that a view leaves out; 0 in a whole result */
    uint64_t samples;  /* used samples with a branch */
    uint32_t status;   /* word, in names */
    uint32_t run;      /* position in runs; 0 if runs is empty */
    size_t rows;       /* its rows end before this position, and begin where those of the cycle before it end */
};

struct result_row {
    uint32_t branch;
    double energy_j;
};

/* Energy of a method with its 95 % half-widths; these are NaN where there are too few samples. */
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
    /* For confidence intervals (joular-attribution(7), section 7). */
    double error_factor;     /* sum over the cycles of e^2 / n, in square joules */
    double weight_ns;        /* of its branches, in the whole recording */
    uint64_t samples_in_all; /* with a branch, in the whole recording */
    bool anonymous;          /* stands for samples without a thread */
    uint32_t run;            /* position in runs; 0 if runs is empty */
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
    PAUSE_CONCURRENT /* of a collection that runs concurrently with the program */,
    PAUSE_TYPES
};
extern const char *const pause_type_names[PAUSE_TYPES];
struct result_pause {
    int64_t start_ns; /* wall clock */
    int64_t duration_ns;
    uint64_t gc_id; /* of the collection it belongs to */
    enum pause_type type;
    uint32_t collector, phase, cause, thread; /* in names; empty where the recording does not say */
    int64_t os_thread_id;                     /* 0: unknown */
    double energy_j;                          /* of the process, in the part of the pause that is within cycles */
    uint32_t run;                             /* position in runs; 0 if runs is empty */
};

/* Buckets of pause lengths: below 1 ms, 1-5, 5-10, 10-50, 50-100, 100-500, and from 500 ms on; lower bounds are
 * included. */
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
    SAMPLER_SEVERAL /* a merged result whose runs differ; so SHARE_SEVERAL and CPU_SEVERAL */
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

/* The facts of one run in a merged result. */
struct result_run {
    uint32_t name;                              /* the one it had when it was merged; no part of its identity */
    uint32_t jvm_name, cpu_model, power_source; /* in names; empty: unknown */
    int64_t pid, cpus;                          /* 0: unknown */
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
    VEC(struct result_row) rows; /* sorted by cycle, then by branch */
    struct method_list methods;  /* those with energy or samples, by name number: result_methods of all branches */
    VEC(struct result_thread) threads;
    VEC(struct result_weight) weights;       /* sorted by thread, then by branch */
    VEC(struct result_use) uses;             /* by branch */
    VEC(struct result_pause) pauses;         /* sorted by start */
    VEC(struct result_status) without_power; /* the number of cycles without power for each status */
    VEC(struct result_run) runs;             /* of a merged result, sorted by start; empty for a single analysis */

    /* java + native + unattributed + outside = process. Outside is energy before or after the recording. */
    double machine_j, baseline_j, process_j, java_j, native_j[NATIVE_ROWS], unattributed_j, outside_j;
    double left_out_j;
    double power_s; /* length of the cycles with power */
    double peak_machine_w, peak_process_w;
    double busy_share; /* of the machine, mean over the cycles; NaN where unknown */
    double coverage;   /* energy in rows over process energy */

    struct result_samples {
        uint64_t used;      /* with a branch, in a cycle */
        uint64_t failed;    /* of the kind that is used, without a branch, in a cycle */
        uint64_t biased;    /* how many of the used ones are biased */
        uint64_t truncated; /* how many of the used ones have a truncated stack */
        uint64_t lost;      /* that JFR counted as lost, in a cycle */
        uint64_t outside;   /* in no cycle */
    } samples;

    struct result_quality {
        char *period_set;       /* of the sampler, as text of the recording ("10 ms", "500/s"); NULL: unknown */
        int64_t period_set_ns;  /* the same in ns; 0 where it is no time */
        double period_seen_ns;  /* as result_period_seen gives it */
        int64_t load_period_ns; /* between jdk.ThreadCPULoad events; 0: unknown */
        bool debug_non_safepoints;
        bool has_cpu_time_samples; /* in the recording, used or not */
        bool has_thread_records;   /* of the process, in the power log */
        int jvm_version;           /* 0: unknown */
    } quality;

    struct result_damage {
        uint64_t chunks, events, bytes; /* that could not be read */
        int64_t time_ns;                /* of recording that is lost by that, estimated */
        uint64_t unfinished;            /* unfinished chunks, which were read as far as they go */
        char *first;                    /* the first problem, in words; NULL: none */
    } damage;

    enum sampler sampler;
    enum share_source share_source;
    enum cpu_source cpu_source;
    bool estimated;          /* the power is computed from load, not measured */
    bool process_power_only; /* the log has the power of one process, and none of the machine */
    bool idle_is_shared;     /* idle power is shared by the processes that run (--share-of busy) */
    /* Texts are NULL, and pid and cpus 0, where they are unknown or differ between the runs of a merged result. */
    char *power_source;
    int64_t pid;
    int64_t cpus;
    int64_t recording_start_ns, recording_end_ns; /* wall clock */
    uint64_t chunk_count;
    char *jvm_name;
    char *cpu_model;
};

void result_free(struct result *result);
/* Sets OUT, which is not freed before, to copies of the facts and totals of FROM, with no names, branches or lists. */
void result_copy_facts(struct result *out, const struct result *from);

const struct intern_text *result_name(const struct result *result, uint32_t name);

/* Adds the cycles up to totals, which must be 0 before. */
void result_add_up(struct result *result);
/* The sampling period as it turned out: CPU time of the sampled threads over the number of used samples; NaN without
 * samples. */
double result_period_seen(const struct result *result);
/* The number of CPUs of the machine that the cycle was measured on; 0: unknown. */
int64_t result_cycle_cpus(const struct result *result, const struct result_cycle *cycle);

/* ---- Merging ----
 *
 * A merged result is the union of runs. Cycles, threads and pauses are kept separately, each with the number of its
 * run; equal names and equal branches become one. Threads of different runs are never joined, so that the variance of a
 * sum is the sum of the variances of the runs. The result, and so its report.json, is the same to the last bit in
 * whatever order and grouping the runs are merged: before the final order is known only counts are added up, and the
 * CPU time of branches, in whole nanoseconds (such sums are exact below 2^53 ns, 104 days, for each branch). */

/* Adds MORE to INTO, which is zeroed before the first: all runs of a merged result, or a single analysis as a run
 * called NAME (which need not be UTF-8). KNOWN is set where INTO had all of them already, and nothing was added.
 * STATUS_INVALID where it had some of them: INTO is unchanged then. Call result_merge_finish before INTO is used
 * otherwise. */
enum status result_merge(struct result *into, const struct result *more, const char *name, bool *known,
                         struct error *err) WARN_UNUSED;
/* Sorts everything, then makes totals, methods and facts. More can be merged into it afterwards. */
void result_merge_finish(struct result *into);
/* Whether any runs overlap in time. If they ran on one machine, its energy is counted in each of them. */
bool result_runs_overlap(const struct result *result);
/* Sorts the weights, and adds up those of the same thread and branch. */
void result_merge_weights(struct result *result);

/* Which frames to keep: those whose class.method begins with one of PREFIXES (plain text); with EXCLUDE, those that
 * begin with none of them and are no name in brackets, such as [unknown]. Without prefixes all are kept. */
struct name_filter {
    const char *const *prefixes;
    size_t count;
    bool exclude;
};
/* Excludes the JDK's own packages, which leaves the frames of the application. */
extern const struct name_filter application_filter;

/* Adds the branches of the app file to OUT: frames that are not kept are removed, so that their energy goes to the
 * frame that called them. MAP gets, for each branch of RESULT, its branch in OUT, or UINT32_MAX where no frame is kept;
 * native rows are never kept. */
void result_filter(const struct result *result, const struct name_filter *filter, struct branch_set *out,
                   uint32_t *map);

/* The methods of the result's branches; or, where SET is not NULL, of those in SET, with MAP as result_filter makes it.
 * The caller frees OUT->v. A method that is in a stack more than once counts once in its total. */
void result_methods(const struct result *result, const struct branch_set *set, const uint32_t *map,
                    struct method_list *out);

/* A view of a result: frames grouped by class or package, or some branches only. */
enum view_group {
    GROUP_METHOD,
    GROUP_CLASS,
    GROUP_PACKAGE
};
struct view_options {
    enum view_group group;
    const char *include, *exclude; /* POSIX extended regular expressions; NULL: none */
};
/* OUT is a result of its own, in which the names of RESULT keep their numbers. A branch is kept where one of its frames
 * (as methods) matches INCLUDE and none matches EXCLUDE; the energy of the others is left_out_j. Adjacent frames of one
 * class or package become one frame. STATUS_INVALID where INCLUDE or EXCLUDE is no regular expression. */
enum status result_view(const struct result *result, const struct view_options *options, struct result *out,
                        struct error *err) WARN_UNUSED;

#endif
