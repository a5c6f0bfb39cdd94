/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A batch: what one chunk gave, with names and branches numbered for itself. Any thread may make one; they are merged
 * in the order of chunks. */
#ifndef JOULAR_BATCH_H
#define JOULAR_BATCH_H

#include "chunksamples.h"

#include "joular/collect.h"
#include "joular/timeline.h"

/* The events that are read. Those before EVENT_KINDS are kept as struct batch_event: a time, a thread, two numbers. */
enum batch_event_kind {
    EVENT_THREAD_LOAD,
    EVENT_THREAD_START,
    EVENT_THREAD_END,
    EVENT_LOAD,
    EVENT_GC,
    EVENT_KINDS,
    EVENT_CPU_TIME = EVENT_KINDS,
    EVENT_LOST,
    EVENT_EXECUTION,
    EVENT_NATIVE,
    EVENT_SETTING,
    EVENT_FLAG,
    EVENT_JVM,
    EVENT_CPU,
    EVENT_CONTAINER,
    EVENT_PAUSE,
    EVENT_COLLECTION,
    EVENT_SPECS
};

struct batch_thread {
    uint64_t jfr_id;
    int64_t os_id;
    uint32_t name; /* in names */
    bool is_virtual, is_carrier;
};

struct batch_sample { /* ExecutionSample, NativeMethodSample */
    int64_t time_ns;
    uint64_t thread; /* JFR id, 0 for none */
    uint64_t stack;  /* key; once resolved, the branch or NO_BRANCH */
    uint64_t state;  /* key */
    uint32_t cycle;
    enum sample_kind kind;
};

struct batch_event {
    int64_t time_ns;
    uint64_t thread; /* JFR id */
    double a, b;
};

struct batch_setting {
    int64_t time_ns, type;
    struct jfr_value name, value;
};

struct batch_value {
    int64_t time_ns;
    enum observed_setting_of of;
    uint32_t value; /* in names */
};

/* A jdk.GCPhasePause or jdk.GarbageCollection. */
struct batch_gc {
    int64_t time_ns, wall_ns, duration_ns;
    uint64_t gc_id, thread;
    struct jfr_value name, cause; /* a text or a key, as in the event */
    uint32_t name_id, cause_id;   /* in names, once resolved */
};

struct batch {
    struct intern names;
    struct map64 long_names; /* address of a long text -> its name */
    VEC(uint32_t) frames;
    VEC(struct branch) branches;
    VEC(struct batch_thread) threads;
    struct chunk_samples cpu_time;
    VEC(struct batch_sample) samples;
    VEC(struct batch_event) events[EVENT_KINDS];
    VEC(struct batch_setting) settings;
    VEC(struct jfr_value) flags; /* names of those that are on */
    VEC(struct batch_gc) pauses, collections;
    VEC(struct batch_value) values;    /* of settings */
    VEC(struct observed_count) counts; /* events by type, if they are counted; names of the batch */
    struct jfr_value jvm_name, jvm_version;
    uint32_t jvm; /* in names, "NAME VERSION" */
    int jvm_major;
    struct jfr_value cpu_description;
    uint32_t cpu; /* in names, the model */
    bool has_jvm, has_cpu;
    int64_t pid, hw_threads, effective_cpus;
    bool debug_non_safepoints;
    int64_t start_ns, end_ns, start_wall_ns, end_wall_ns;
    struct jfr_damage damage;
    struct error err; /* why the chunk gave nothing */
};

struct batch_reader;
struct batch_reader *batch_reader_new(const struct timeline *timeline, const struct collect_options *options);
void batch_reader_free(struct batch_reader *reader);
/* Fills BATCH, which may hold an earlier chunk: its memory is used again. */
void batch_read(struct batch_reader *reader, const struct collect_input *input, const struct jfr_chunk *chunk,
                struct batch *batch);
void batch_free(struct batch *batch);

/* What is kept from batch to batch. Zeroed before the first. */
struct batch_merge {
    VEC(uint32_t) names, branches; /* by number in the current batch: the number in OBSERVED */
    VEC(uint32_t) frames;          /* scratch memory for a branch */
    struct chunk_merge cpu_time;
};
void batch_merge(struct batch_merge *merge, const struct batch *batch, struct observed *observed);
void batch_merge_free(struct batch_merge *merge);

#endif
