/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The attribution model: takes what was observed in a recording and the cycles of a power log, and gives the energy of
 * each call branch. What is computed, and why, is in joular-attribution(7); sections named in comments are its
 * sections. */
#ifndef JOULAR_MODEL_H
#define JOULAR_MODEL_H

#include "joular/notice.h"
#include "joular/observed.h"
#include "joular/powerlog.h"
#include "joular/result.h"

/* A bound for the ends of cycles, compared in whole milliseconds, which is what the CSV files show. */
struct time_bound {
    enum {
        BOUND_NONE,
        BOUND_WALL,        /* NS since the epoch */
        BOUND_AFTER_START, /* NS after the recording's start */
        BOUND_BEFORE_END   /* NS before the recording's end */
    } kind;
    int64_t ns;
};

enum model_samples {
    SAMPLES_AUTO,
    SAMPLES_CPU_TIME,
    SAMPLES_EXECUTION
};
enum model_jvm_threads {
    JVM_SEPARATE,
    JVM_UNATTRIBUTED,
    JVM_SPREAD
};

struct model_options {
    enum model_samples samples;
    enum model_jvm_threads jvm_threads;
    double process_share;   /* NaN: computed */
    bool share_of_capacity; /* of all CPUs; otherwise the share of the busy time */
    double baseline_w;      /* NaN: none */
    bool baseline_from_log;
    int64_t pid;                /* 0: the recording's */
    struct time_bound from, to; /* both included */
    bool by_thread;             /* each branch begins with the name of its thread */
};

/* Whether the model would spread jdk.ThreadCPULoad over execution samples. It needs them one by one then: if they were
 * not kept, collect again with KEEP_SAMPLES. */
bool model_needs_samples(const struct observed *observed, const struct power_log *log,
                         const struct model_options *options);

/* Changes the cells of OBSERVED, and moves its names and branches into RESULT. STATUS_MISSING where the input lacks
 * what the model needs; STATUS_INVALID where log and recording do not overlap, or several processes of the log match.
 * After an error RESULT holds nothing. */
enum status model_run(struct observed *observed, const struct power_log *log, const struct model_options *options,
                      struct result *result, struct notices *notices, struct error *err) WARN_UNUSED;

/* The enum native_row that a thread with this name belongs to, or -1 (section 5). */
int native_row_of(const char *name, size_t length);

#endif
