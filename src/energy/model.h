/* The steps of the model, and what they hand on. Shared by the files of src/energy alone. */
#ifndef JOULAR_ENERGY_MODEL_H
#define JOULAR_ENERGY_MODEL_H

#include "joular/energy.h"

#include <math.h>

/* Threads that count as one (section 1). Groups behind those of the recording stand for threads that only the log has.
 */
struct group {
    uint64_t jfr_id;     /* the lowest */
    int64_t os_id;       /* 0: none, or several */
    uint32_t name;       /* in observed->names */
    bool is_virtual;     /* the virtual threads and their carriers */
    bool anonymous;      /* threads of single samples */
    bool started;        /* in the recording */
    bool has_load;       /* has a jdk.ThreadCPULoad */
    bool has_weight;     /* in the whole recording */
    uint64_t samples;    /* used, with a branch, in the whole recording */
    double weight_ns;    /* of branches, in the whole recording */
    double error_factor; /* sum over the cycles of e^2 / n */
};
#define NO_GROUP UINT32_MAX

struct tid_group {
    uint32_t group;
    bool started; /* the thread itself, also where its group has others */
};

struct cycle_share {
    double process_ns; /* P; NaN unknown */
    double busy_ns;    /* B; NaN unknown */
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
    const struct energy_options *options;
    struct result *result;
    struct notices *notices;
    struct error *err;

    int64_t pid, host_pid; /* of the recording; of its records in the log */
    double cpus;
    VEC(struct group) groups;
    uint32_t *group_of_thread;
    VEC(struct tid_group) tids;
    struct map64 tid_index;    /* OS thread id -> tids */
    uint32_t *group_of_record; /* position in log->threads -> group, NO_GROUP where of another process */
    bool *started_record;      /* likewise: see tid_group */
    struct cycle_share *shares;
    bool *chosen;                           /* by cycle: within --from and --to */
    uint64_t *cycle_samples;                /* by cycle: used, with a branch */
    VEC(struct contribution) contributions; /* by cycle, then group */
    double *gc_ns;                          /* by cycle: jdk.GCCPUTime */
};

static inline bool uses_cpu_time(const struct model *m)
{
    return m->result->sampler == SAMPLER_CPU_TIME;
}

static inline double interval_ns(const struct power_cycle *cycle)
{
    return (double)(cycle->end_ns - cycle->start_ns);
}

/* Nanoseconds that (start, end] has in common with (from, to]. */
static inline int64_t overlap_ns(const struct power_cycle *cycle, int64_t from, int64_t to)
{
    int64_t start = cycle->start_ns > from ? cycle->start_ns : from;
    int64_t end = cycle->end_ns < to ? cycle->end_ns : to;
    return end > start ? end - start : 0;
}

/* Power of a cycle, baseline taken away; NaN where it has none. */
double model_power_w(const struct model *m, const struct power_cycle *cycle);

void model_group_threads(struct model *m);                   /* grouping.c */
enum status model_find_process(struct model *m) WARN_UNUSED; /* share.c */
enum status model_share(struct model *m) WARN_UNUSED;        /* share.c */
void model_choose_cpu_source(struct model *m);               /* cpusource.c */
/* Adds CELL, of the same samples, to TO; false where it cannot count so many. */
bool cell_add(struct observed_cell *to, const struct observed_cell *cell); /* observe.c */
/* Leaves the cells that count, those of a group side by side, and returns how many they are. */
size_t model_settle_cells(struct model *m); /* cells.c */
/* Those of cycle I, or, behind the last that has any, those of none. */
struct cycle_cells *model_cells(struct observed *observed, size_t i); /* cells.c */
void model_contributions(struct model *m);                            /* threadload.c */
void model_attribute(struct model *m);                                /* attribute.c */
void model_pauses(struct model *m);                                   /* pauses.c */

#endif
