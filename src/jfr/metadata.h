/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The types of a chunk. */
#ifndef JOULAR_METADATA_H
#define JOULAR_METADATA_H

#include "encoding.h"
#include "joular/arena.h"
#include "joular/map.h"

struct jfr_program; /* program.h */

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

#endif
