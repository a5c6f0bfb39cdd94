/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constant pools: an index of where each entry is. Entries are decoded when they are asked for.
 *
 *   checkpoint: start, duration, delta to the one before (longs), kind (byte), pool count (int), pools
 *   pool: type id (long), count (int), (key (long), fields)*
 *
 * A pool has no size, so pools that are not needed have to be stepped through, too. The walk over the chunk meets every
 * checkpoint, so the chain of deltas is not needed. Of entries with the same key the first counts, as in OpenJDK's
 * consumer/ChunkParser.java, fillConstantPools. */
#include "pool.h"
#include "damage.h"
#include "poolspec.h"
#include "strings.h"

#include "joular/debug.h"

#include <inttypes.h>

#define LONG_TEXT 64 /* bytes */
#define FRAMES_AT_ONCE 256
#define LONG_ENTRY 256

static const char *const frame_fields[] = {"method", "lineNumber", "bytecodeIndex", "type"};

static size_t pool_field_count(const struct jfr_pool_spec *spec)
{
    size_t count = 0;
    while (count < sizeof spec->fields / sizeof spec->fields[0] && spec->fields[count] != NULL)
        count++;
    return count;
}

const struct jfr_program *jfr_skip_program(struct jfr_reader *reader, struct jfr_type *type)
{
    if (!type->skip_tried)
        type->skip = jfr_compile(type, NULL, 0, false, reader->metadata_compressed, &reader->types);
    type->skip_tried = true;
    return type->skip;
}

/* Steps through a pool; KEEP: adds its entries to the index. False where its entries cannot be stepped through. */
static bool walk_pool(struct jfr_reader *reader, struct span *s, struct jfr_type *type, bool keep)
{
    bool compressed = reader->header.compressed;
    uint64_t count = jfr_uint(s, compressed, 4);
    if (jfr_skip_program(reader, type) == NULL || count > span_left(s)) /* a key has a byte at least */
        return false;
    struct pool_index *index = keep && type->pool >= 0 ? &reader->pools[type->pool] : NULL;
    for (uint64_t i = 0; i < count && !s->bad; i++) {
        uint64_t key = jfr_uint(s, compressed, 8);
        uint64_t place = (uint64_t)(s->p - reader->chunk);
        jfr_run_skip(type->skip, s, compressed);
        if (index != NULL && index->type == type && !s->bad) {
            if (map64_put(&index->by_key, key, (uint32_t)index->places.n) == index->places.n)
                vec_push(&index->places, place);
        }
    }
    return !s->bad;
}

void jfr_index_checkpoint(struct jfr_reader *reader, struct span body, struct jfr_damage *damage)
{
    bool compressed = reader->header.compressed;
    const uint8_t *start = body.p;
    for (int i = 0; i < 3; i++)
        jfr_uint(&body, compressed, 8);
    span_u8(&body);
    uint64_t pools = jfr_uint(&body, compressed, 4);
    debug_say(DEBUG_JFR, 3, "checkpoint at byte %" PRIu64 ": %zu bytes, %" PRIu64 " pools",
              reader->at + (uint64_t)(start - reader->chunk), span_left(&body), pools);
    for (uint64_t i = 0; i < pools && !body.bad; i++) {
        const uint8_t *at = body.p;
        struct jfr_type *type = jfr_type_by_id(&reader->metadata, jfr_uint(&body, compressed, 8));
        if (type == NULL || !walk_pool(reader, &body, type, true)) {
            jfr_note_damage(reader, damage, at, 0, (uint64_t)(body.end - at),
                            type == NULL ? "a constant pool of a type that the metadata does not have"
                                         : "a constant pool does not fit its checkpoint event");
            return;
        }
    }
    if (body.bad)
        jfr_note_damage(reader, damage, start, 1, 0, "a checkpoint event ends early");
}

bool jfr_checkpoint_fits(struct jfr_reader *reader, struct span body)
{
    for (int i = 0; i < 3; i++)
        jfr_uint(&body, reader->header.compressed, 8);
    span_u8(&body);
    uint64_t pools = jfr_uint(&body, reader->header.compressed, 4);
    for (uint64_t i = 0; i < pools && !body.bad; i++) {
        struct jfr_type *type = jfr_type_by_id(&reader->metadata, jfr_uint(&body, reader->header.compressed, 8));
        if (type == NULL || !walk_pool(reader, &body, type, false))
            return false;
    }
    return !body.bad && body.p == body.end;
}

/* Where in the chunk the entry of KEY is; false where there is none. */
static bool place_of(const struct pool_index *index, uint64_t key, uint64_t *offset)
{
    uint32_t at = map64_get(&index->by_key, key);
    if (at == MAP_NONE)
        return false;
    *offset = index->places.v[at];
    return true;
}

/* The program that decodes the entries of POOL; NULL where it cannot be compiled. */
static const struct jfr_program *decode_program(struct jfr_reader *reader, enum jfr_pool pool)
{
    struct jfr_type *type = (struct jfr_type *)(uintptr_t)reader->pools[pool].type;
    if (!type->decode_tried)
        type->decode = jfr_compile(type, jfr_pool_specs[pool].fields, pool_field_count(&jfr_pool_specs[pool]), true,
                                   reader->header.compressed, &reader->types);
    type->decode_tried = true;
    return type->decode;
}

/* Decodes the entry of KEY into JFR_POOL_FIELDS values; false where there is none. A long one is decoded only once,
 * since very many other entries may refer to it. */
static bool find(struct jfr_reader *reader, enum jfr_pool pool, uint64_t key, struct jfr_value *values)
{
    uint64_t offset;
    if (!place_of(&reader->pools[pool], key, &offset))
        return false;
    size_t count = pool_field_count(&jfr_pool_specs[pool]);
    uint64_t place = offset * POOL_COUNT + pool;
    uint32_t known = reader->long_entries.n != 0 ? map64_get(&reader->entry_places, place) : MAP_NONE;
    if (known != MAP_NONE) {
        memcpy(values, reader->long_entries.v[known].values, JFR_POOL_FIELDS * sizeof *values);
        return true;
    }
    const struct jfr_program *program = decode_program(reader, pool);
    for (size_t i = 0; i < count; i++)
        values[i].kind = JFR_ABSENT;
    if (program == NULL)
        return false;
    struct span s = span_of(reader->chunk + offset, reader->length - offset);
    jfr_run(program, &s, &reader->header, values);
    if (!s.bad && s.p - (reader->chunk + offset) >= LONG_ENTRY) {
        struct long_entry entry = {0};
        memcpy(entry.values, values, count * sizeof *values);
        map64_put(&reader->entry_places, place, (uint32_t)reader->long_entries.n);
        vec_push(&reader->long_entries, entry);
    }
    return !s.bad;
}

/* Reads a text that is in the event or entry itself. A long one is decoded only once, since very many events may refer
 * to it. */
static struct jfr_text inline_text(struct jfr_reader *reader, const struct jfr_value *value, uint64_t *key)
{
    uint64_t place = (uint64_t)(value->at - reader->chunk);
    uint32_t known = reader->long_texts.n != 0 ? map64_get(&reader->long_places, place) : MAP_NONE;
    *key = 0;
    if (known != MAP_NONE)
        return reader->long_texts.v[known];
    struct span s = span_of(value->at, (size_t)(reader->length - place));
    struct jfr_text text = jfr_read_text(&s, reader->header.compressed, &reader->arena, key);
    if (s.bad)
        return (struct jfr_text){0};
    if (text.n >= LONG_TEXT) {
        map64_put(&reader->long_places, place, (uint32_t)reader->long_texts.n);
        vec_push(&reader->long_texts, text);
    }
    return text;
}

struct jfr_text jfr_text(struct jfr_reader *reader, const struct jfr_value *value)
{
    struct jfr_value entry[JFR_POOL_FIELDS];
    uint64_t key = 0;
    if (value->kind == JFR_TEXT) {
        struct jfr_text text = inline_text(reader, value, &key);
        if (text.p != NULL || key == 0)
            return text;
    } else if (value->kind == JFR_REF) {
        /* a name that is a symbol: Class.name, Method.name */
        if (!find(reader, POOL_SYMBOL, value->ref, entry))
            return (struct jfr_text){0};
    } else {
        return (struct jfr_text){0};
    }
    /* at most one string of the pool is followed: one that refers to another string is null */
    if (value->kind == JFR_TEXT && !find(reader, POOL_STRING, key, entry))
        return (struct jfr_text){0};
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): find has filled it */
    if (entry[0].kind != JFR_TEXT)
        return (struct jfr_text){0};
    struct jfr_text text = inline_text(reader, &entry[0], &key);
    if (text.p == NULL && key != 0 && value->kind == JFR_REF && find(reader, POOL_STRING, key, entry) &&
        entry[0].kind == JFR_TEXT)
        text = inline_text(reader, &entry[0], &key);
    return text;
}

static const struct jfr_program *frame_program(struct jfr_reader *reader)
{
    const struct jfr_type *stack = reader->pools[POOL_STACK].type;
    size_t takes = reader->whole_frames ? sizeof frame_fields / sizeof frame_fields[0] : 1;
    if (reader->frame_tried)
        return reader->frame;
    reader->frame_tried = true;
    for (size_t i = 0; i < stack->field_count; i++) {
        const struct jfr_field *field = &stack->fields[i];
        if (!jfr_text_is(field->name, "frames"))
            continue;
        if (field->array && !field->pool && field->type != NULL)
            reader->frame =
                jfr_compile(field->type, frame_fields, takes, false, reader->header.compressed, &reader->types);
        break; /* only the first field of that name: decode_program takes that one */
    }
    return reader->frame;
}

/* A frame of a method and INTEGERS integers ends with the byte that is the INTEGERS + 1st with a clear high bit, unless
 * it has a number of nine bytes, whose last byte may have any high bit. Such a frame is longer than SHORT_FRAME, and so
 * is what is taken for it: frames that seem longer are decoded step by step. */
#define SHORT_FRAME(integers) ((integers) + 8)

/* A bit for each of 64 bytes, the lowest for the first: set where the high bit of the byte is clear, so that a varint
 * of up to eight bytes ends there. */
static inline uint64_t ends_of_64(const uint8_t *p)
{
    const uint64_t gather = UINT64_C(0x0102040810204080); /* brings bits that are eight apart side by side */
    uint64_t ends = 0;
    for (unsigned i = 0; i < 64; i += 8)
        ends |= ((~span_word(p + i) & SPAN_MORE) >> 7) * gather >> 56 << i;
    return ends;
}

/* Decodes frames while they are short, and returns how many. The ends of all numbers in 64 bytes are found at once, so
 * that a frame can be decoded before the one before it is. */
static inline size_t frames_by_words(uint32_t integers, struct span *s, size_t count, struct jfr_frame *frames)
{
    const uint8_t *p = s->p;
    size_t done = 0;
    while (done < count && s->end - p >= 64 + 8) {
        uint64_t ends = ends_of_64(p);
        unsigned from = 0;
        for (; done < count; done++) {
            for (uint32_t i = 0; i < integers; i++)
                ends &= ends - 1;
            if (ends == 0)
                break;
            unsigned end = (unsigned)__builtin_ctzll(ends) + 1;
            if (end - from > SHORT_FRAME(integers))
                break;
            ends &= ends - 1;
            uint64_t word = span_word(p + from), last = ~word & SPAN_MORE;
            frames[done] = (struct jfr_frame){span_close_gaps(word & (last ^ (last - 1))), -1, -1, 0};
            from = end;
        }
        p += from;
        if (from == 0)
            break;
    }
    s->p = p;
    return done;
}

static struct jfr_frame decode_frame(const struct jfr_reader *reader, const struct jfr_program *program, struct span *s)
{
    struct jfr_value frame[4] = {0};
    jfr_run(program, s, &reader->header, frame);
    return (struct jfr_frame){
        .method = frame[FRAME_METHOD].kind == JFR_REF ? frame[FRAME_METHOD].ref : 0,
        .line = frame[FRAME_LINE].kind == JFR_INT ? (int32_t)frame[FRAME_LINE].i : -1,
        .bytecode_index = frame[FRAME_BYTECODE].kind == JFR_INT ? (int32_t)frame[FRAME_BYTECODE].i : -1,
        .type = frame[FRAME_TYPE].kind == JFR_REF ? frame[FRAME_TYPE].ref : 0,
    };
}

void jfr_prefetch_stack(const struct jfr_reader *reader, uint64_t key)
{
    uint64_t offset;
    if (!place_of(&reader->pools[POOL_STACK], key, &offset))
        return;
    const uint8_t *p = reader->chunk + offset;
    for (size_t ahead = 0; ahead < 512 && ahead < reader->length - offset; ahead += 64)
        __builtin_prefetch(p + ahead);
}

bool jfr_stack(struct jfr_reader *reader, uint64_t key, struct jfr_stack *stack)
{
    struct jfr_value values[JFR_POOL_FIELDS];
    *stack = (struct jfr_stack){0};
    if (!find(reader, POOL_STACK, key, values))
        return false;
    stack->truncated = values[STACK_TRUNCATED].kind == JFR_INT && values[STACK_TRUNCATED].i != 0;
    const struct jfr_program *program = frame_program(reader);
    if (values[STACK_FRAMES].kind != JFR_ARRAY || program == NULL)
        return true;
    const uint8_t *at = values[STACK_FRAMES].at;
    struct span s = span_of(at, (size_t)(reader->chunk + reader->length - at));
    uint64_t count = jfr_uint(&s, reader->header.compressed, 4);
    if (count > span_left(&s) || program->empty)
        return true;
    reader->frames.n = 0;
    while (reader->frames.n < count) {
        if (program->is_method) {
            size_t room =
                (size_t)(count - reader->frames.n < FRAMES_AT_ONCE ? count - reader->frames.n : FRAMES_AT_ONCE);
            vec_reserve(&reader->frames, room);
            struct jfr_frame *next = reader->frames.v + reader->frames.n;
            uint32_t n = program->steps[1].n;
            /* JDK 11 to 25 have three integers: the constant gives the compiler a loop for them */
            size_t done = n == 3 ? frames_by_words(3, &s, room, next) : frames_by_words(n, &s, room, next);
            reader->frames.n += done;
            if (done == room)
                continue;
        }
        struct jfr_frame frame = decode_frame(reader, program, &s);
        if (s.bad)
            break;
        vec_push(&reader->frames, frame);
    }
    stack->frames = reader->frames.v;
    stack->count = reader->frames.n;
    return true;
}

bool jfr_method(struct jfr_reader *reader, uint64_t key, struct jfr_method *method)
{
    struct jfr_value values[JFR_POOL_FIELDS], class_values[JFR_POOL_FIELDS];
    *method = (struct jfr_method){0};
    if (!find(reader, POOL_METHOD, key, values))
        return false;
    method->name = jfr_text(reader, &values[METHOD_NAME]);
    method->hidden = values[METHOD_HIDDEN].kind == JFR_INT && values[METHOD_HIDDEN].i != 0;
    if (values[METHOD_TYPE].kind == JFR_REF && find(reader, POOL_CLASS, values[METHOD_TYPE].ref, class_values)) {
        method->has_class = true;
        method->class_name = jfr_text(reader, &class_values[0]);
    }
    return true;
}

bool jfr_thread(struct jfr_reader *reader, uint64_t key, struct jfr_thread *thread)
{
    struct jfr_value values[JFR_POOL_FIELDS], group[JFR_POOL_FIELDS];
    *thread = (struct jfr_thread){0};
    if (!find(reader, POOL_THREAD, key, values))
        return false;
    thread->os_name = jfr_text(reader, &values[THREAD_OS_NAME]);
    thread->java_name = jfr_text(reader, &values[THREAD_JAVA_NAME]);
    thread->os_id = values[THREAD_OS_ID].kind == JFR_INT ? values[THREAD_OS_ID].i : 0;
    thread->java_id = values[THREAD_JAVA_ID].kind == JFR_INT ? values[THREAD_JAVA_ID].i : 0;
    thread->is_virtual = values[THREAD_VIRTUAL].kind == JFR_INT && values[THREAD_VIRTUAL].i != 0;
    if (values[THREAD_GROUP].kind == JFR_REF && find(reader, POOL_GROUP, values[THREAD_GROUP].ref, group))
        thread->group = jfr_text(reader, &group[0]);
    return true;
}

bool jfr_thread_key(const struct jfr_reader *reader, size_t i, uint64_t *key)
{
    if (i >= reader->pools[POOL_THREAD].by_key.n)
        return false;
    *key = reader->pools[POOL_THREAD].by_key.items[i].key;
    return true;
}

struct jfr_text jfr_named(struct jfr_reader *reader, enum jfr_named named, uint64_t key)
{
    static const enum jfr_pool pools[] = {[JFR_THREAD_STATE] = POOL_THREAD_STATE,
                                          [JFR_FRAME_TYPE] = POOL_FRAME_TYPE,
                                          [JFR_GC_NAME] = POOL_GC_NAME,
                                          [JFR_GC_CAUSE] = POOL_GC_CAUSE,
                                          [JFR_FLAG_ORIGIN] = POOL_FLAG_ORIGIN};
    struct jfr_value values[JFR_POOL_FIELDS] = {0};
    if (!find(reader, pools[named], key, values))
        return (struct jfr_text){0};
    return jfr_text(reader, &values[0]);
}
