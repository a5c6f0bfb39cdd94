/* What reads chunks into batches, for the files of that: the walk (batch.c), stacks and names (batchstacks.c), threads
 * and facts (batchfacts.c). */
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
    /* of the chunk in hand */
    struct batch *batch;
    const struct collect_input *input;
    uint64_t at; /* in the input */
    int64_t offset_ns;
    uint32_t cycle_hint;
    struct map64 stacks; /* key -> place in stack_list */
    VEC(struct listed_stack) stack_list;
    struct map64 methods; /* key -> name << 1 | hidden */
    struct recent_method {
        uint64_t key;
        uint32_t known;
    } recent[RECENT_METHODS]; /* in front of the map; a key of 0 is no method's here */
    struct name_buffer name;
    struct map64 lines;       /* name << 32 | line -> name with the line */
    struct map64 long_places; /* what the parts of a long name are -> position in long_methods */
    VEC(struct long_method) long_methods;
};

static inline uint64_t key_of(const struct jfr_value *value)
{
    return value->kind == JFR_REF ? value->ref : 0;
}

/* What a setting of the event type with that id is for; SETTINGS for others. */
enum observed_setting_of batch_setting_of(const struct batch_reader *reader, int64_t type); /* batchfacts.c */

#define LONG_TEXT 256 /* bytes */

/* A long text, which the reader decodes once, is hashed once: a whole chunk of events may name it. */
uint32_t batch_text(struct batch *batch, struct jfr_text text); /* batchstacks.c */
bool is_same_text(struct jfr_text a, struct jfr_text b);        /* batchstacks.c */
/* Stacks of samples become branches. */
void batch_resolve_samples(struct batch_reader *reader); /* batchstacks.c */

/* Threads, settings, the JVM and the machine, collections. */
void batch_read_facts(struct batch_reader *reader); /* batchfacts.c */

#endif
