/* What an analysis found, in memory. Every report is made from it, so that all of them agree.
 *
 * Energy in joules, power in watts, CPU time and intervals in nanoseconds. */
#ifndef JOULAR_RESULT_H
#define JOULAR_RESULT_H

#include "joular/mem.h"

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
    uint32_t status; /* word, in names */
    size_t rows;     /* its rows end before this position; they begin at the last cycle's */
};

/* Frames are method ids, oldest first, at frames[first] on. */
struct result_branch {
    uint32_t first, count;
    int native; /* enum native_row, or -1 */
};

/* Branches by content: the same frames are the same branch. */
struct branch_set {
    VEC(uint32_t) frames; /* of all branches, one behind the other */
    VEC(struct result_branch) list;
    uint32_t *slots;
    size_t slot_count;
};
/* The branch of FRAMES, COUNT of them and at least one; NATIVE as in struct result_branch. */
uint32_t branch_set_add(struct branch_set *set, const uint32_t *frames, size_t count, int native);
void branch_set_free(struct branch_set *set);

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

struct result_thread {
    uint32_t name;
    int64_t os_id; /* 0: none, or several */
    double energy_j, cpu_ns;
    uint64_t samples;
};

struct result_status {
    uint32_t name;
    uint64_t cycles;
};

enum sampler {
    SAMPLER_CPU_TIME,
    SAMPLER_EXECUTION
};
enum share_source {
    SHARE_FROM_LOG,
    SHARE_FROM_RECORDING,
    SHARE_BY_HAND
};
enum cpu_source {
    CPU_THREAD_RECORDS,
    CPU_TIME_SAMPLES,
    CPU_THREAD_LOAD,
    CPU_WEIGHTS
};

struct result {
    struct intern names; /* of methods, threads, statuses: valid UTF-8 */
    struct branch_set branches;
    VEC(struct result_cycle) cycles;
    VEC(struct result_row) rows;       /* by cycle, then by branch */
    VEC(struct result_method) methods; /* those with energy, by name id */
    VEC(struct result_thread) threads;
    VEC(struct result_status) without_power; /* cycles without power, by status */

    /* joules, section by section: java + native + unattributed + outside = process */
    double machine_j, baseline_j, process_j, java_j, native_j[NATIVE_ROWS], unattributed_j, outside_j;
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

    enum sampler sampler;
    enum share_source share_source;
    enum cpu_source cpu_source;
    bool estimated; /* the power is computed from load, not measured */
    char *power_source;
    int64_t pid;
    int64_t cpus;
    int64_t recording_start_ns, recording_end_ns; /* wall clock */
    uint64_t chunk_count;
    char *jvm_name;
};

void result_free(struct result *result);

const struct intern_text *result_name(const struct result *result, uint32_t name);

/* Adds to the methods, threads and statuses nothing; makes the totals out of the cycles. */
void result_add_up(struct result *result);

/* The branches as the app file has them: frames whose class.method begins with none of PREFIXES (plain text) are left
 * out, so that their energy goes up to the frame that called them. MAP gets, for each branch of RESULT, its branch in
 * OUT, or UINT32_MAX where nothing of it stays; native rows never stay. Without prefixes only those are left out. */
void result_filter(const struct result *result, const char *const *prefixes, size_t prefix_count,
                   struct branch_set *out, uint32_t *map);

/* By branch of SET, its place among them all in the order of their texts, frames joined with ";", byte by byte. */
uint32_t *branch_ranks(const struct branch_set *set, const struct intern *names);

#endif
