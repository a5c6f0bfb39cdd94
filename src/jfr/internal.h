/* Shared by the files of src/jfr alone. */
#ifndef JOULAR_JFR_INTERNAL_H
#define JOULAR_JFR_INTERNAL_H

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
    int pool;                         /* enum jfr_pool, or -1 */
    const struct jfr_program *skip;   /* made when first needed; NULL then: cannot be made */
    const struct jfr_program *decode; /* of an entry of a pool that is read, likewise */
    const struct jfr_program *all;    /* takes every field, for aids, likewise */
    bool skip_tried, decode_tried, all_tried;
};

struct jfr_metadata {
    struct jfr_type *types;
    size_t type_count;
    struct map64 by_id;
};

/* CONTENT is the metadata event behind its size, type, start, duration and metadata id; texts point into it. Everything
 * else lives in ARENA but by_id, which is kept and cleared. */
enum status jfr_metadata_read(struct jfr_metadata *metadata, struct arena *arena, struct span content, bool compressed,
                              struct error *err) WARN_UNUSED;
struct jfr_type *jfr_type_by_id(const struct jfr_metadata *metadata, uint64_t id);
bool jfr_text_is(struct jfr_text text, const char *literal);

/* Any string but one in the constant pool (encoding 2), which comes back as null with its KEY set. */
struct jfr_text jfr_read_text(struct span *s, bool compressed, struct arena *arena, uint64_t *key);
void jfr_skip_text(struct span *s, bool compressed);

/* A type's fields as a straight line of steps, compiled once for all chunks with the same metadata. */
enum jfr_step_kind {
    STEP_INTS,
    STEP_BYTES,
    STEP_TEXT,
    STEP_ARRAY,
    STEP_TAKE,
    STEP_TAKE_ARRAY,
    /* The most frequent ones apart; integers are varints. */
    STEP_TAKE_KEY,
    STEP_TAKE_BOOLEAN,
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
    bool is_method; /* a reference, taken, and then one to seven integers: a frame of which nothing else is wanted */
    bool last_only; /* ends with what is taken: an array there is not stepped over */
};

/* NULL where the type is not fully defined, or its structure has no end. TAKES: names of fields to take, slot by slot,
 * 64 at most; NULL: the first TAKE_COUNT, each into the slot of its place. With LAST_ONLY the program ends behind the
 * last of them. */
const struct jfr_program *jfr_compile(const struct jfr_type *type, const char *const *takes, size_t take_count,
                                      bool last_only, bool compressed, struct arena *arena);
/* What steps over one value of TYPE; NULL where that cannot be made. */
const struct jfr_program *jfr_skip_program(struct jfr_reader *reader, struct jfr_type *type);
void jfr_run_skip(const struct jfr_program *program, struct span *s, bool compressed);
void jfr_run(const struct jfr_program *program, struct span *s, const struct jfr_header *header,
             struct jfr_value *values);

/* Whether PROGRAM takes what struct jfr_cpu_time_sample has, in the order of JDK 25. */
bool jfr_takes_cpu_time_sample(const struct jfr_program *program);

struct pool_index {
    struct map64 by_key;         /* key -> position in places, in the same order */
    VEC(uint64_t) places;        /* of the entries, in the chunk */
    const struct jfr_type *type; /* NULL: the chunk has no such type */
};

#define JFR_POOL_FIELDS 8
struct long_entry { /* of a pool, decoded */
    struct jfr_value values[JFR_POOL_FIELDS];
};

struct event_plan {
    const struct jfr_program *program; /* NULL: the type is not fully defined */
    uint64_t type_id;
    bool known;                              /* the chunk has the type */
    struct jfr_value values[JFR_MAX_FIELDS]; /* those that the program does not take stay absent */
};

#define JFR_DIRECT_IDS 16384
struct jfr_reader {
    const struct jfr_event_spec *specs;
    size_t spec_count;
    struct event_plan *plans;
    struct arena arena; /* of the chunk: decoded texts */
    struct jfr_metadata metadata;
    struct arena types;          /* of the metadata: its types, and programs */
    VEC(uint8_t) metadata_event; /* a copy of what METADATA was read from, behind its time and id; empty: none */
    bool metadata_compressed;
    struct pool_index pools[POOL_COUNT];
    uint16_t direct[JFR_DIRECT_IDS]; /* event type id -> spec + 1; not 0 where it cannot be stepped over */
    struct map64 others;             /* the same for ids above */

    struct jfr_header header;
    const uint8_t *chunk; /* its first byte */
    uint64_t length;
    int number;
    uint64_t at;          /* of the chunk in the file */
    uint64_t metadata_at; /* in the chunk */
    uint64_t events;
    uint64_t doubted; /* bytes of large events that were looked at a second time */
    uint64_t lost_to; /* behind the last byte that is counted as lost */
    int64_t last_event_ticks;
    bool seen_event;
    bool borrowed; /* the metadata is another chunk's, so every event that is wanted must fit it to the byte */
    VEC(struct jfr_frame) frames;
    struct map64 long_places; /* where a long text stands in the chunk -> position in long_texts */
    VEC(struct jfr_text) long_texts;
    struct map64 entry_places; /* the same for long entries of pools; the place's POOL_COUNT fold, and the pool */
    VEC(struct long_entry) long_entries;
    jfr_cpu_time_samples_fn *samples;
    void *samples_user;
    unsigned samples_spec;
    uint32_t grouped; /* spec + 1, where the chunk's are decoded in groups; else 0 */
    struct jfr_cpu_time_sample group[JFR_GROUP];
    size_t group_count;
    jfr_seen_fn *seen;
    void *seen_user;
    jfr_passed_fn *passed;
    void *passed_user;
    /* Made when first needed, for the metadata; apart from its type's decode: nothing keeps a frame's type from being a
     * pool's too. */
    const struct jfr_program *frame;
    bool frame_tried, whole_frames;
};

/* Indexes the pools of the checkpoint event whose body, behind size and type, is BODY. */
void jfr_index_checkpoint(struct jfr_reader *reader, struct span body, struct jfr_damage *damage);
bool jfr_checkpoint_fits(struct jfr_reader *reader, struct span body); /* to the byte */
/* BYTES from P on are lost; those that were lost before count once. */
void jfr_note_damage(struct jfr_reader *reader, struct jfr_damage *damage, const uint8_t *p, uint64_t events,
                     uint64_t bytes, const char *words);

/* Whether what stands at P, behind an event of a type that the metadata does not have, looks like events. */
bool jfr_goes_on(const struct jfr_reader *reader, const uint8_t *p);
/* The first place at FROM or behind it from where events go on; TO where there is none before it. */
const uint8_t *jfr_resync(const struct jfr_reader *reader, const uint8_t *from, const uint8_t *to);

extern const struct jfr_pool_spec {
    const char *type;
    const char *fields[JFR_POOL_FIELDS];
} jfr_pool_specs[POOL_COUNT];

#endif
