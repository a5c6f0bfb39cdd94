/* What the files of src/jfr share. */
#ifndef JOULAR_READER_H
#define JOULAR_READER_H

#include "joular/arena.h"
#include "joular/jfr.h"
#include "joular/map.h"

/* Integers of a chunk without the compressed flag are fixed-width (jfrEncoders.hpp, BigEndianEncoderImpl). */
static inline uint64_t jfr_uint(struct span *s, bool compressed, unsigned width)
{
    return compressed ? span_varint(s) : span_be(s, width);
}

/* jfr_timespan_ns and jfr_time_ns, for the loops over events. */
static inline int64_t timespan_ns(const struct jfr_header *header, int64_t ticks)
{
    double ns = (double)ticks / header->ticks_per_ns;
    /* Java's cast saturates, C's is undefined out of range */
    if (!(ns < 9223372036854775808.0))
        return INT64_MAX;
    if (ns < -9223372036854775808.0)
        return INT64_MIN;
    return (int64_t)ns;
}

static inline int64_t time_ns(const struct jfr_header *header, int64_t ticks)
{
    int64_t since = (int64_t)((uint64_t)ticks - (uint64_t)header->start_ticks);
    return (int64_t)((uint64_t)header->start_ns + (uint64_t)timespan_ns(header, since));
}

enum jfr_base {
    BASE_NONE,
    BASE_BOOLEAN,
    BASE_BYTE,
    BASE_CHAR,
    BASE_SHORT,
    BASE_INT,
    BASE_LONG,
    BASE_FLOAT,
    BASE_DOUBLE,
    BASE_STRING
};
enum jfr_unit {
    UNIT_NONE,
    UNIT_TIME_TICKS,
    UNIT_TIME_NS,
    UNIT_TIME_MS,
    UNIT_SPAN_TICKS,
    UNIT_SPAN_NS,
    UNIT_SPAN_US,
    UNIT_SPAN_MS,
    UNIT_SPAN_S
};
enum jfr_pool {
    POOL_STACK,
    POOL_METHOD,
    POOL_CLASS,
    POOL_SYMBOL,
    POOL_THREAD,
    POOL_GROUP,
    POOL_STRING,
    POOL_THREAD_STATE,
    POOL_FRAME_TYPE,
    POOL_GC_NAME,
    POOL_GC_CAUSE,
    POOL_FLAG_ORIGIN,
    POOL_COUNT
};

struct jfr_field {
    struct jfr_text name;
    uint64_t type_id;
    const struct jfr_type *type; /* NULL: the metadata does not define it */
    bool pool, array;
    enum jfr_unit unit;
};

struct jfr_type {
    uint64_t id;
    struct jfr_text name;
    const struct jfr_field *fields;
    size_t field_count;
    enum jfr_base base;
    int pool; /* enum jfr_pool, or -1 */
    /* Programs, compiled when first needed (then TRIED is set; NULL: cannot be compiled). */
    const struct jfr_program *skip;   /* skips a value */
    const struct jfr_program *decode; /* decodes an entry of the type's constant pool */
    const struct jfr_program *all;    /* takes every field, for jfr_decode_event */
    bool skip_tried, decode_tried, all_tried;
};

struct jfr_metadata {
    struct jfr_type *types;
    size_t type_count;
    struct map64 by_id;
};

/* CONTENT is the metadata event after its size, type, start, duration and metadata id; texts point into it. Everything
 * else is in ARENA, except for by_id, which is cleared and used again. */
enum status jfr_metadata_read(struct jfr_metadata *metadata, struct arena *arena, struct span content, bool compressed,
                              struct error *err) WARN_UNUSED;
struct jfr_type *jfr_type_by_id(const struct jfr_metadata *metadata, uint64_t id);
bool jfr_text_is(struct jfr_text text, const char *literal);

/* Reads a string. For one in the constant pool (encoding 2) this returns null and sets KEY; otherwise KEY is 0. */
struct jfr_text jfr_read_text(struct span *s, bool compressed, struct arena *arena, uint64_t *key);
void jfr_skip_text(struct span *s, bool compressed);

/* A type's fields as a sequence of steps, compiled once for all chunks with the same metadata. */
enum jfr_step_kind {
    STEP_INTS,
    STEP_BYTES,
    STEP_TEXT,
    STEP_ARRAY,
    STEP_TAKE,
    STEP_TAKE_ARRAY,
    /* The most frequent kinds of STEP_TAKE; integers are varints. */
    STEP_TAKE_KEY,
    STEP_TAKE_BOOLEAN,
    STEP_TAKE_INT,
    STEP_TAKE_TIME_TICKS,
    STEP_TAKE_SPAN_TICKS
};
struct jfr_step {
    enum jfr_step_kind kind;
    uint32_t n;         /* STEP_INTS, STEP_BYTES: how many; takes: slot */
    enum jfr_base base; /* STEP_TAKE; BASE_LONG with POOL set is a reference */
    bool pool;
    enum jfr_unit unit;
    const struct jfr_program *elements; /* arrays */
};
struct jfr_program {
    const struct jfr_step *steps;
    size_t count;
    bool empty;     /* takes no bytes at all */
    bool is_method; /* takes a reference and skips one to seven integers: a frame of which only the method is wanted */
    bool last_only; /* ends after the last field that is taken: if that is an array, its elements are not skipped */
};

/* Compiles a program that takes fields of TYPE and skips the others. TAKES: the names of the fields to take, by slot,
 * 64 at most; NULL: the first TAKE_COUNT fields, by position. With LAST_ONLY the program ends after the last of them.
 * NULL where the type is not fully defined, or is nested too deep or too large, as a type that contains itself. */
const struct jfr_program *jfr_compile(const struct jfr_type *type, const char *const *takes, size_t take_count,
                                      bool last_only, bool compressed, struct arena *arena);
/* The program that skips one value of TYPE; NULL where it cannot be compiled. */
const struct jfr_program *jfr_skip_program(struct jfr_reader *reader, struct jfr_type *type);
void jfr_run_skip(const struct jfr_program *program, struct span *s, bool compressed);
void jfr_run(const struct jfr_program *program, struct span *s, const struct jfr_header *header,
             struct jfr_value *values);

/* Whether PROGRAM takes the fields of struct jfr_cpu_time_sample, and skips none, in the order of JDK 25. */
bool jfr_takes_cpu_time_sample(const struct jfr_program *program);

struct pool_index {
    struct map64 by_key;         /* key -> position in places, in the same order */
    VEC(uint64_t) places;        /* of the entries, in the chunk */
    const struct jfr_type *type; /* NULL: the chunk has no such type */
};

#define JFR_POOL_FIELDS 8
struct long_entry { /* a long entry of a constant pool, decoded */
    struct jfr_value values[JFR_POOL_FIELDS];
};

struct event_plan {
    const struct jfr_program *program; /* NULL: the type is not fully defined */
    uint64_t type_id;
    bool known;                              /* the chunk has the type */
    struct jfr_value values[JFR_MAX_FIELDS]; /* fields that the program does not take stay JFR_ABSENT */
};

#define JFR_DIRECT_IDS 16384
struct jfr_reader {
    const struct jfr_event_spec *specs;
    size_t spec_count;
    struct event_plan *plans;
    struct arena arena; /* for one chunk: decoded texts */
    struct jfr_metadata metadata;
    struct arena types;          /* for METADATA: its types, and programs */
    VEC(uint8_t) metadata_event; /* a copy of the content that METADATA was read from; empty: none */
    bool metadata_compressed;
    struct pool_index pools[POOL_COUNT];
    uint16_t direct[JFR_DIRECT_IDS]; /* event type id -> spec + 1; 0: not wanted; or NOT_STEPPED_OVER */
    struct map64 others;             /* larger event type id -> spec + 1, of wanted ones */

    struct jfr_header header;
    const uint8_t *chunk; /* its first byte */
    uint64_t length;
    int number;
    uint64_t at;          /* of the chunk in the file */
    uint64_t metadata_at; /* in the chunk */
    uint64_t events;
    uint64_t doubted; /* bytes that were looked at a second time: see may_look_twice */
    uint64_t lost_to; /* end of the bytes that are counted as lost */
    int64_t last_event_ticks;
    bool seen_event;
    bool substituted; /* with substitute metadata, every event that is wanted must fit its type exactly */
    VEC(struct jfr_frame) frames;
    struct map64 long_places; /* offset of a long text in the chunk -> position in long_texts */
    VEC(struct jfr_text) long_texts;
    struct map64 entry_places; /* offset of a long pool entry * POOL_COUNT + its pool -> position in long_entries */
    VEC(struct long_entry) long_entries;
    jfr_cpu_time_samples_fn *samples;
    void *samples_user;
    unsigned samples_spec;
    uint32_t grouped; /* spec + 1 of the samples that are decoded in groups in this chunk; 0: none */
    struct jfr_cpu_time_sample group[JFR_GROUP];
    size_t group_count;
    jfr_seen_fn *seen;
    void *seen_user;
    jfr_passed_fn *passed;
    void *passed_user;
    /* Decodes a frame; compiled when first needed, for METADATA. It is not the DECODE of the frame's type, since that
     * type may have a constant pool of its own. */
    const struct jfr_program *frame;
    bool frame_tried, whole_frames;
};

/* Indexes the constant pools of a checkpoint event. BODY is the event after its size and type. */
void jfr_index_checkpoint(struct jfr_reader *reader, struct span body, struct jfr_damage *damage);
/* Whether BODY consists exactly of the constant pools that it announces. */
bool jfr_checkpoint_fits(struct jfr_reader *reader, struct span body);
/* Counts EVENTS, and BYTES from P on, as lost; bytes that were counted before are not counted again. */
void jfr_note_damage(struct jfr_reader *reader, struct jfr_damage *damage, const uint8_t *p, uint64_t events,
                     uint64_t bytes, const char *words);

/* Whether the bytes at P, after an event that is in doubt, look like events. */
bool jfr_goes_on(const struct jfr_reader *reader, const uint8_t *p);
/* The first place at or after FROM from which events go on; TO where there is none before TO. */
const uint8_t *jfr_resync(const struct jfr_reader *reader, const uint8_t *from, const uint8_t *to);

#endif
