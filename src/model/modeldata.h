/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data that the steps of the model pass to each other. The functions of a step are declared in its own header. */
#ifndef JOULAR_MODELDATA_H
#define JOULAR_MODELDATA_H

#include "joular/model.h"

#include <math.h>

/* Threads that count as one (section 1). Groups of the recording's threads come first, then those of threads that only
 * the log has. */
struct group {
    uint64_t jfr_id;     /* the lowest of its threads */
    int64_t os_id;       /* 0: none, or several */
    uint32_t name;       /* in observed->names */
    bool is_virtual;     /* the virtual threads and their carriers */
    bool anonymous;      /* stands for samples without a thread */
    bool started;        /* in the recording */
    bool has_load;       /* has a jdk.ThreadCPULoad */
    bool has_weight;     /* has used samples, blind ones included, in the whole recording */
    uint64_t samples;    /* used samples with a branch, in the whole recording */
    double weight_ns;    /* of these samples */
    double error_factor; /* sum over the cycles of e^2 / n (section 7) */
};
#define NO_GROUP UINT32_MAX

struct tid_group {
    uint32_t group;
    bool started; /* this thread started in the recording; its group may have others */
};

struct cycle_share {
    double process_ns; /* P of section 3; NaN: unknown */
    double busy_ns;    /* B of section 3; NaN: unknown */
    double share;
};

/* CPU time that a source other than thread records gives a group in a cycle. */
struct contribution {
    uint32_t cycle, group;
    double cpu_ns;
};

struct model {
    struct observed *observed;
    const struct power_log *log;
    const struct model_options *options;
    struct result *result;
    struct notices *notices;
    struct error *err;

    int64_t pid, host_pid; /* the pid of the recording, and the pid of its records in the log */
    double cpus;
    VEC(struct group) groups;
    uint32_t *group_of_thread;
    VEC(struct tid_group) tids;
    struct map64 tid_index;    /* OS thread id -> tids */
    uint32_t *group_of_record; /* by position in log->threads; NO_GROUP: a thread of another process */
    bool *started_record;      /* by position in log->threads: as in tid_group */
    struct cycle_share *shares;
    bool *chosen;                           /* by cycle: within --from and --to */
    uint64_t *cycle_samples;                /* by cycle: used samples with a branch */
    VEC(struct contribution) contributions; /* sorted by cycle, then group */
    double *gc_ns;                          /* by cycle: jdk.GCCPUTime */
};

static inline bool uses_cpu_time(const struct model *m)
{
    return m->result->sampler == SAMPLER_CPU_TIME;
}

#endif
