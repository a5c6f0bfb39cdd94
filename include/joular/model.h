/* The attribution model: what was observed on the power cycles of a log, joules per call branch out. What is computed,
 * and why, is in joular-attribution(7); the sections named in comments are its sections. */
#ifndef JOULAR_MODEL_H
#define JOULAR_MODEL_H

#include "joular/notice.h"
#include "joular/observed.h"
#include "joular/powerlog.h"
#include "joular/result.h"

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
    bool share_of_capacity; /* else of the busy time */
    double baseline_w;      /* NaN: none */
    bool baseline_from_log;
    int64_t pid;                /* 0: the recording's */
    struct time_bound from, to; /* both included */
    bool by_thread;             /* each branch begins with the name of its thread */
};

/* Whether the model would spread jdk.ThreadCPULoad over execution samples: collect again with KEEP_SAMPLES where they
 * were not kept. */
bool model_needs_samples(const struct observed *observed, const struct power_log *log,
                         const struct model_options *options);

/* Rewrites the cells of OBSERVED on the way. STATUS_MISSING where the input lacks what the model needs. */
enum status model_run(struct observed *observed, const struct power_log *log, const struct model_options *options,
                      struct result *result, struct notices *notices, struct error *err) WARN_UNUSED;

/* enum native_row of a thread's name, or -1 (section 5). */
int native_row_of(const char *name, size_t length);

#endif
