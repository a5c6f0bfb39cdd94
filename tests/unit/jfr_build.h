/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chunks of recordings made in memory, one call after the other, in the order in which the bytes stand.
 *
 *   struct build b;
 *   build_begin(&b);                      members of B may be changed after it
 *   build_metadata(&b, types);
 *   build_event(&b, 101); build_long(&b, 5); ... build_end(&b);
 *   build_finish(&b);                     the chunk is b.out.v, b.out.n bytes */
#ifndef JOULAR_JFR_BUILD_H
#define JOULAR_JFR_BUILD_H

#include "joular/mem.h"

#define BUILD_HEADER 68

struct build_bytes {
    uint8_t *v;
    size_t n, cap;
};

struct build {
    struct build_bytes out;
    size_t chunk_at; /* the chunk's first byte in OUT, where several stand in a row */
    /* header */
    unsigned major, minor, state;
    int64_t size; /* -1: what was built */
    int64_t metadata_at, checkpoint_at;
    int64_t start_ns, duration_ns, start_ticks, ticks_per_second;
    /* how things are written */
    bool plain;        /* integers of fixed width */
    bool tree_varints; /* of a plain chunk: the metadata has varints all the same */
    bool padded;       /* sizes are varints of four bytes, as the JDK writes them */
    uint64_t id_shift; /* added to every type id of build_metadata and of pools */
    size_t event_at;   /* of the open event */
    uint64_t event_type;
    struct build_bytes body; /* of the open event */
};

struct build_field {
    const char *name, *type; /* a type that the table lacks is written with id 9999 */
    bool pool, array;
    const char *annotation, *unit;
};
struct build_type {
    const char *name; /* NULL behind the last type */
    uint64_t id;
    struct build_field fields[10]; /* NULL name behind the last */
};

/* What a recording of a JVM has, as far as the reader looks at it, and sample events. */
enum {
    T_LONG = 10,
    T_STRING = 20,
    T_CLASS,
    T_SYMBOL,
    T_METHOD,
    T_STACK,
    T_FRAME,
    T_THREAD,
    T_GROUP,
    T_STATE,
    T_FRAME_TYPE,
    T_SAMPLE = 101,
    T_TEXT = 102,
    T_OTHER = 103
};
extern const struct build_type build_types[];
/* The primitive ones alone, to go in front of a test's own. */
extern const struct build_type build_primitives[];
size_t build_type_count(const struct build_type *types);
/* FIRST and SECOND in one table, to be freed. */
struct build_type *build_join(const struct build_type *first, const struct build_type *second);

void build_begin(struct build *b);
void build_next_chunk(struct build *b); /* after build_finish: another one behind it */
void build_metadata(struct build *b, const struct build_type *types);
void build_checkpoint(struct build *b, unsigned pools);          /* opens the event; its pools follow */
void build_pool(struct build *b, uint64_t type, uint64_t count); /* COUNT times a key and fields follow */
void build_event(struct build *b, uint64_t type);
void build_end(struct build *b);
void build_finish(struct build *b); /* writes the header; again after a change of members */
void build_free(struct build *b);

/* Into the open event. */
void build_u8(struct build *b, unsigned value);
void build_short(struct build *b, int value);
void build_int(struct build *b, int64_t value);
void build_long(struct build *b, uint64_t value);
void build_float(struct build *b, float value);
void build_double(struct build *b, double value);
void build_raw(struct build *b, const void *bytes, size_t length);
void build_text(struct build *b, unsigned encoding, const char *bytes); /* 3 or 5, with their length */
void build_utf16(struct build *b, const uint16_t *units, size_t count);
void build_text_key(struct build *b, uint64_t key);

/* A checkpoint with one stack (key 1) of one frame (method 1, line 42), whose method is a.B.run, and one thread (key 1)
 * named "main" of group "workers". */
void build_small_pools(struct build *b);
/* build_types, build_small_pools and one sample: a whole recording. */
void build_small(struct build *b);

#endif
