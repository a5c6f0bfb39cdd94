/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader that makes batches of chunks, as its files share it: the walk over events (batch.c), stacks and names
 * (batchstacks.c), threads and facts (batchfacts.c). */
#ifndef JOULAR_BATCHREADER_H
#define JOULAR_BATCHREADER_H

#include "batch.h"
#include "methodname.h"

struct type_count {
    uint64_t type, count;
};

struct long_method {
    struct jfr_text class_name, name;
    uint32_t known;
};

struct listed_stack {
    uint64_t key;
    uint32_t branch; /* of the batch */
};

#define RECENT_METHODS 4096 /* a power of two */

struct batch_reader {
    struct jfr_reader *jfr;
    const struct timeline *timeline;
    const struct collect_options *options;
    struct map64 counts; /* type id -> position in counted */
    VEC(struct type_count) counted;
    /* The rest is about the current chunk. */
    struct batch *batch;
    const struct collect_input *input;
    uint64_t at;       /* where the chunk begins in the input */
    int64_t offset_ns; /* wall clock minus monotonic clock */
    uint32_t cycle_hint;
    struct map64 stacks; /* key -> place in stack_list */
    VEC(struct listed_stack) stack_list;
    struct map64 methods; /* key -> name << 1 | hidden */
    struct recent_method {
        uint64_t key;
        uint32_t known;
    } recent[RECENT_METHODS]; /* a cache in front of METHODS; key 0 is never cached */
    struct name_buffer name;
    struct map64 lines;       /* name << 32 | line -> name with the line */
    struct map64 long_places; /* hash of class name and method name -> position in long_methods */
    VEC(struct long_method) long_methods;
};

static inline uint64_t key_of(const struct jfr_value *value)
{
    return value->kind == JFR_REF ? value->ref : 0;
}

/* The setting that the event type with id TYPE has here; SETTINGS for a type that has none. */
enum observed_setting_of batch_setting_of(const struct batch_reader *reader, int64_t type); /* batchfacts.c */

#define LONG_TEXT 256 /* a text of this many bytes or more is long */

/* Interns a text in the batch's names. A long one is hashed only once, since very many events may refer to it: the JFR
 * reader decodes it once, so that its address is always the same. */
uint32_t batch_text(struct batch *batch, struct jfr_text text); /* batchstacks.c */
bool is_same_text(struct jfr_text a, struct jfr_text b);        /* batchstacks.c */
/* Makes branches of the samples' stacks, and drops samples of waiting threads. */
void batch_resolve_samples(struct batch_reader *reader); /* batchstacks.c */

/* Reads threads, settings, facts of JVM and machine, and names of pauses and collections. */
void batch_read_facts(struct batch_reader *reader); /* batchfacts.c */

#endif
