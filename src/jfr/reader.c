/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks over a chunk once: indexes constant pools, decodes wanted events, and steps over everything else by its size.
 *
 *   event: size (int, itself included), type id (long), fields     type 0 is metadata, 1 a checkpoint */
#include "reader.h"
#include "damage.h"
#include "pool.h"
#include "poolspec.h"
#include "resync.h"

#include "joular/debug.h"

#include <inttypes.h>

enum {
    TYPE_METADATA,
    TYPE_CHECKPOINT
};

#define NOT_STEPPED_OVER UINT16_MAX /* metadata, checkpoints, and types that the metadata does not have */

static void forget_types(struct jfr_reader *reader)
{
    for (size_t id = 0; id < JFR_DIRECT_IDS; id++)
        reader->direct[id] = NOT_STEPPED_OVER;
    map64_clear(&reader->others);
    memset(reader->plans, 0, reader->spec_count * sizeof *reader->plans);
    for (int pool = 0; pool < POOL_COUNT; pool++)
        reader->pools[pool].type = NULL;
    reader->frame = NULL;
    reader->frame_tried = false;
    reader->metadata_event.n = 0;
    arena_reset(&reader->types);
}

struct jfr_reader *jfr_reader_new(const struct jfr_event_spec *specs, size_t spec_count)
{
    struct jfr_reader *reader = mem_zero(1, sizeof *reader);
    reader->specs = specs;
    reader->spec_count = spec_count;
    reader->plans = mem_zero(spec_count, sizeof *reader->plans);
    forget_types(reader);
    return reader;
}

void jfr_reader_free(struct jfr_reader *reader)
{
    if (reader == NULL)
        return;
    for (int pool = 0; pool < POOL_COUNT; pool++) {
        map64_free(&reader->pools[pool].by_key);
        vec_free(&reader->pools[pool].places);
    }
    map64_free(&reader->metadata.by_id);
    map64_free(&reader->others);
    vec_free(&reader->frames);
    map64_free(&reader->long_places);
    vec_free(&reader->long_texts);
    map64_free(&reader->entry_places);
    vec_free(&reader->long_entries);
    vec_free(&reader->metadata_event);
    arena_free(&reader->arena);
    arena_free(&reader->types);
    free(reader->plans);
    free(reader);
}

void jfr_decode_whole_frames(struct jfr_reader *reader)
{
    reader->whole_frames = true;
}

static size_t field_count(const struct jfr_event_spec *spec)
{
    size_t count = 0;
    while (count < JFR_MAX_FIELDS && spec->fields[count] != NULL)
        count++;
    return count;
}

static void plan_event(struct jfr_reader *reader, size_t k, const struct jfr_type *type)
{
    const struct jfr_event_spec *spec = &reader->specs[k];
    struct event_plan *plan = &reader->plans[k];
    plan->known = true;
    plan->type_id = type->id;
    plan->program =
        jfr_compile(type, spec->fields, field_count(spec), true, reader->metadata_compressed, &reader->types);
    if (type->id <= TYPE_CHECKPOINT)
        return; /* not an event, whatever its name */
    if (type->id < JFR_DIRECT_IDS)
        reader->direct[type->id] = (uint16_t)(k + 1);
    else
        map64_set(&reader->others, type->id, (uint32_t)k + 1);
}

/* Most chunks have the same metadata as the one before them, whose types and programs are kept then. BODY is the event
 * after its size and type; what follows its times and its id is compared byte by byte. */
NOT_INLINED static enum status read_types(struct jfr_reader *reader, struct span body, struct error *err)
{
    bool compressed = reader->header.compressed;
    struct span content = body;
    for (int i = 0; i < 3; i++)
        jfr_uint(&content, compressed, 8);
    size_t length = span_left(&content);
    if (reader->metadata_event.n != 0 && reader->metadata_compressed == compressed &&
        reader->metadata_event.n == length && memcmp(reader->metadata_event.v, content.p, length) == 0)
        return STATUS_OK;
    forget_types(reader);
    vec_reserve(&reader->metadata_event, length + 1);
    memcpy(reader->metadata_event.v, content.p, length);
    reader->metadata_compressed = compressed;
    enum status status = jfr_metadata_read(&reader->metadata, &reader->types, span_of(reader->metadata_event.v, length),
                                           compressed, err);
    if (status != STATUS_OK)
        return status;
    reader->metadata_event.n = length;
    for (size_t i = 0; i < reader->metadata.type_count; i++) {
        struct jfr_type *type = &reader->metadata.types[i];
        if (type->id > TYPE_CHECKPOINT && type->id < JFR_DIRECT_IDS && reader->direct[type->id] == NOT_STEPPED_OVER)
            reader->direct[type->id] = 0;
        if (type->pool >= 0 && reader->pools[type->pool].type == NULL)
            reader->pools[type->pool].type = type;
        for (size_t k = 0; k < reader->spec_count; k++)
            if (jfr_text_is(type->name, reader->specs[k].type) && !reader->plans[k].known)
                plan_event(reader, k, type);
    }
    return STATUS_OK;
}

static enum status no_metadata(const struct jfr_chunk *chunk, struct error *err)
{
    uint64_t lost = chunk->length + chunk->tail;
    if (chunk->finished)
        return error_set(err, STATUS_INVALID, "no metadata event: its %" PRIu64 " bytes cannot be read", lost);
    return error_set(err, STATUS_TRUNCATED,
                     "truncated before its metadata event, which JFR writes last: its %" PRIu64 " bytes are lost%s",
                     lost, chunk->cut ? " (copy the file again, whole)" : "");
}

/* Reads the types of the metadata event at AT in the file, which ends at END or before. */
static enum status types_at(struct jfr_reader *reader, const uint8_t *bytes, uint64_t at, uint64_t end,
                            struct error *err)
{
    bool compressed = reader->header.compressed;
    struct span s = span_of(bytes + at, end - at);
    uint64_t size = jfr_uint(&s, compressed, 4);
    jfr_uint(&s, compressed, 8);
    if (s.bad || size > end - at || s.p > bytes + at + size)
        s.end = s.p;
    else
        s.end = bytes + at + size;
    return read_types(reader, s, err);
}

static enum status substitute_types(struct jfr_reader *reader, const uint8_t *bytes, const struct jfr_chunk *chunk,
                                    struct jfr_damage *damage)
{
    struct error ignored = {0};
    if (chunk->substitute == 0 ||
        types_at(reader, bytes, chunk->substitute_at, chunk->substitute_end, &ignored) != STATUS_OK)
        return STATUS_INVALID;
    error_set(&damage->first, STATUS_INVALID,
              "its metadata event is missing or damaged: read with that of chunk %d, as far as all fits it",
              chunk->substitute);
    error_at(&damage->first, chunk->number, (int64_t)chunk->at);
    reader->substituted = true;
    return STATUS_OK;
}

static enum status prepare(struct jfr_reader *reader, const uint8_t *bytes, const struct jfr_chunk *chunk,
                           struct jfr_damage *damage, struct error *err)
{
    arena_reset(&reader->arena);
    map64_clear(&reader->long_places);
    reader->long_texts.n = 0;
    map64_clear(&reader->entry_places);
    reader->long_entries.n = 0;
    for (int pool = 0; pool < POOL_COUNT; pool++) {
        map64_clear(&reader->pools[pool].by_key);
        reader->pools[pool].places.n = 0;
    }
    reader->header = chunk->header;
    reader->chunk = bytes + chunk->at;
    reader->length = chunk->length;
    reader->number = chunk->number;
    reader->at = chunk->at;
    reader->metadata_at = chunk->metadata_at;
    reader->events = reader->doubted = reader->lost_to = 0;
    reader->seen_event = false;
    reader->substituted = false;
    struct error why = {0};
    uint64_t at = chunk->at + chunk->metadata_at;
    enum status status = chunk->metadata_at == 0 ? no_metadata(chunk, &why)
                                                 : types_at(reader, bytes, at, chunk->at + chunk->length, &why);
    if (status != STATUS_OK && substitute_types(reader, bytes, chunk, damage) != STATUS_OK) {
        error_at(&why, chunk->number, (int64_t)at);
        *err = why;
        return status;
    }
    reader->group_count = 0;
    reader->grouped = reader->samples != NULL && !reader->substituted &&
                              jfr_takes_cpu_time_sample(reader->plans[reader->samples_spec].program)
                          ? reader->samples_spec + 1
                          : 0;
    return STATUS_OK;
}

static uint32_t spec_of(const struct jfr_reader *reader, uint64_t type)
{
    if (type < JFR_DIRECT_IDS)
        return reader->direct[type] != NOT_STEPPED_OVER ? reader->direct[type] : 0;
    uint32_t spec = map64_get(&reader->others, type);
    return spec != MAP_NONE ? spec : 0;
}

/* Every event's first field is its start, in ticks (OpenJDK: EventInstrumentation, jfrEvent.hpp). */
static void note_time(struct jfr_reader *reader, struct span s)
{
    int64_t ticks = (int64_t)jfr_uint(&s, reader->header.compressed, 8);
    if (!s.bad && (!reader->seen_event || ticks > reader->last_event_ticks)) {
        reader->seen_event = true;
        reader->last_event_ticks = ticks;
    }
}

/* A larger event must hold exactly the fields of its type, since its size may be damaged. */
#define LARGE_EVENT 512

/* The head of an event: its size and type, and where its fields begin. */
struct head {
    const uint8_t *start, *body;
    const uint8_t *before; /* the event before it; NULL where it is the first, or the first after damage */
    uint64_t size, type;
};

/* What stays the same during a walk over a chunk. */
struct walk {
    struct jfr_reader *reader;
    jfr_event_fn *event;
    void *user;
    struct jfr_damage *damage;
    const uint8_t *end;
};

static void decode(const struct walk *w, const struct head *head, uint32_t spec);

static void hand_over(struct jfr_reader *reader)
{
    if (reader->group_count != 0)
        reader->samples(reader->samples_user, reader->group, reader->group_count);
    reader->group_count = 0;
}

/* Adds the CPU-time sample whose fields begin at P to the group; false where they go beyond END. They have at most 38
 * bytes, and the caller makes sure that 38 bytes can be read. */
NOT_INLINED static bool group_sample(struct jfr_reader *reader, const uint8_t *p, const uint8_t *end)
{
    struct jfr_cpu_time_sample *sample = &reader->group[reader->group_count];
    sample->time_ns = time_ns(&reader->header, (int64_t)span_varint_at(&p));
    sample->stack = span_varint_at(&p);
    sample->thread = span_varint_at(&p);
    sample->failed = *p++ != 0;
    sample->period_ns = timespan_ns(&reader->header, (int64_t)span_varint_at(&p));
    sample->biased = *p++ != 0;
    if (p > end)
        return false;
    if (++reader->group_count == JFR_GROUP)
        hand_over(reader);
    return true;
}

/* An event that begins this far from the chunk's end, or farther, and is not large, can be read without looking for
 * that end. */
#define STEP_ROOM (LARGE_EVENT + 8)

/* Steps over events that are not wanted, and decodes those that are, up to the first that needs more care: metadata, a
 * checkpoint, a type that is unknown or has a large id, a large or tiny event, an impossible size, an event near the
 * end of the chunk, or one at or after STOP. HEAD becomes the head of that event; true where it has its size and type.
 * Only for chunks with varints. */
NOT_INLINED static bool step_over(const struct walk *w, const uint8_t *p, const uint8_t *stop, struct head *head)
{
    struct jfr_reader *reader = w->reader;
    const uint8_t *last = w->end - p > STEP_ROOM ? w->end - STEP_ROOM : p, *before = head->before;
    uint32_t grouped = reader->grouped;
    uint64_t events = 0;
    bool ready = false;
    if (last > stop)
        last = stop;
    *head = (struct head){0};
    while (p < last) {
        uint64_t word = span_word(p), size = word & 0x7f;
        const uint8_t *body = p + 2;
        if ((word & 0x80) != 0) {
            struct span s = span_of(p, 8);
            size = span_varint(&s);
            if (s.p - p > 6 || size < 8) /* the head alone may be longer */
                break;
            word >>= 8 * (s.p - body + 1);
            body = s.p + 1;
        }
        uint64_t type = word >> 8 & 0x7f;
        if ((word & 0x8000) != 0) {
            if ((word & 0x800000) != 0)
                break;
            type |= (word & 0x7f0000) >> 9;
            body++;
        }
        uint32_t spec = reader->direct[type];
        bool small = size >= 4 && size <= LARGE_EVENT; /* a tiny event may be shorter than its head */
        if (!small || spec == NOT_STEPPED_OVER) {
            ready = size >= (uint64_t)(body - p) && size <= (uint64_t)(w->end - p);
            if (ready)
                *head = (struct head){p, body, NULL, size, type};
            break;
        }
        if (spec != 0 && (spec != grouped || !group_sample(reader, body, p + size))) {
            struct head here = {p, body, NULL, size, type};
            decode(w, &here, spec);
        }
        before = p;
        p += size;
        events++;
    }
    reader->events += events;
    head->start = p;
    head->before = before;
    return ready;
}

/* Reads the head of the next event; false where its size is impossible. */
static bool next_event(struct jfr_reader *reader, const struct span *walk, struct head *head)
{
    struct span s = *walk;
    head->start = s.p;
    head->size = jfr_uint(&s, reader->header.compressed, 4);
    head->type = jfr_uint(&s, reader->header.compressed, 8);
    head->body = s.p;
    return !s.bad && head->size <= span_left(walk) && head->size >= (uint64_t)(s.p - head->start);
}

/* Whether the event holds exactly the fields of its type. This is not asked of small events that are read with the
 * chunk's own metadata: they may have more bytes. */
static bool fits(struct jfr_reader *reader, const struct head *head)
{
    struct jfr_type *type = jfr_type_by_id(&reader->metadata, head->type);
    const struct jfr_program *skip = type != NULL ? jfr_skip_program(reader, type) : NULL;
    struct span body = {head->body, head->start + head->size, false};
    if (skip == NULL)
        return false;
    jfr_run_skip(skip, &body, reader->header.compressed);
    return !body.bad && body.p == body.end;
}

NOT_INLINED static void decode(const struct walk *w, const struct head *head, uint32_t spec)
{
    struct jfr_reader *reader = w->reader;
    struct event_plan *plan = &reader->plans[spec - 1];
    struct span body = {head->body, head->start + head->size, false};
    if (plan->program != NULL)
        jfr_run(plan->program, &body, &reader->header, plan->values);
    if (plan->program == NULL || body.bad || (reader->substituted && !fits(reader, head))) {
        jfr_note_damage(reader, w->damage, head->start, 1, 0, "an event does not hold the fields its type announces");
        return;
    }
    hand_over(reader);
    w->event(w->user, spec - 1, plan->values, (uint64_t)(head->start - reader->chunk));
}

/* Whether SIZE bytes may be looked at a second time, to check what they hold, or because the event that led over them
 * is in doubt. The sum is limited to a few times the chunk's length, since each of very many large events may claim to
 * reach to the end of the chunk. */
static bool may_look_twice(struct jfr_reader *reader, uint64_t size)
{
    if (size <= LARGE_EVENT)
        return true;
    if (reader->doubted > 8 * reader->length)
        return false;
    reader->doubted += size;
    return true;
}

/* What is wrong with the event at HEAD; NULL: nothing. READY: HEAD has its size and type already. An event of an
 * unknown type is good if the bytes after it look like events. */
static const char *trouble_of(struct jfr_reader *reader, const struct span *walk, bool ready, struct head *head)
{
    if (!ready && !next_event(reader, walk, head))
        return "an event's size leads out of the chunk or nowhere";
    const uint8_t *next = head->start + head->size;
    if (head->type <= TYPE_CHECKPOINT) {
        /* even if no events follow, this one may be good: the damage may be after it */
        bool good = jfr_goes_on(reader, next) || head->start == reader->chunk + reader->metadata_at ||
                    (head->type == TYPE_CHECKPOINT && may_look_twice(reader, head->size) &&
                     jfr_checkpoint_fits(reader, (struct span){head->body, next, false}));
        return good ? NULL : "metadata or a checkpoint, and no event behind it";
    }
    bool large = head->size > LARGE_EVENT && may_look_twice(reader, head->size);
    if (jfr_type_by_id(&reader->metadata, head->type) == NULL) {
        bool good = jfr_goes_on(reader, next) && (!large || jfr_resync(reader, head->start + 1, next) == next);
        return good ? NULL : "an event of a type that the metadata does not have, and no event behind it";
    }
    return !large || fits(reader, head) ? NULL : "an event does not hold what its type announces";
}

/* Finds where to go on after damage at HEAD. The event before it may have a wrong size that led here, so the search
 * begins after the first byte of that event. No place is tried twice: TRIED is the first that no search has tried. */
static void leave_damage(struct jfr_reader *reader, struct span *walk, const struct head *head, const uint8_t **tried,
                         struct jfr_damage *damage, const char *words)
{
    const uint8_t *from = head->start + 1;
    uint64_t before = head->before != NULL ? (uint64_t)(head->start - head->before) : 0;
    if (before != 0 && may_look_twice(reader, before))
        from = head->before + 1;
    if (from < *tried)
        from = *tried;
    walk->p = jfr_resync(reader, from, walk->end);
    *tried = walk->p + 1;
    uint64_t lost = walk->p > head->start ? (uint64_t)(walk->p - head->start) : 0;
    jfr_note_damage(reader, damage, head->start, 1, lost, words);
}

enum status jfr_read_chunk(struct jfr_reader *reader, const uint8_t *bytes, const struct jfr_chunk *chunk,
                           jfr_event_fn *event, void *user, struct jfr_damage *damage, struct error *err)
{
    enum status status = prepare(reader, bytes, chunk, damage, err);
    if (status != STATUS_OK)
        return status;
    bool compressed = chunk->header.compressed;
    bool needs_last = !jfr_has_end(&chunk->header);
    struct span walk = span_of(reader->chunk + JFR_HEADER_SIZE, chunk->length - JFR_HEADER_SIZE);
    struct walk w = {reader, event, user, damage, walk.end};
    bool all = needs_last || reader->seen != NULL || !compressed; /* looks at events one by one */
    const uint8_t *passed = reader->chunk, *before = NULL, *tried = walk.p;
    while (walk.p < walk.end) {
        bool far = reader->passed != NULL && (uint64_t)(walk.end - passed) > JFR_STRIDE;
        const uint8_t *stop = far ? passed + JFR_STRIDE : walk.end;
        struct head head = {.start = walk.p, .before = before};
        bool ready = !all && step_over(&w, walk.p, stop, &head);
        walk.p = head.start;
        if (walk.p >= stop && reader->passed != NULL) {
            reader->passed(reader->passed_user, (uint64_t)(passed - reader->chunk), (uint64_t)(walk.p - reader->chunk));
            passed = walk.p;
        }
        if (walk.p == walk.end)
            break;
        const char *trouble = trouble_of(reader, &walk, ready, &head);
        if (trouble != NULL) {
            leave_damage(reader, &walk, &head, &tried, damage, trouble);
            before = NULL;
            continue;
        }
        before = head.start;
        walk.p += head.size;
        struct span body = {head.body, walk.p, false};
        if (reader->seen != NULL)
            reader->seen(reader->seen_user, (uint64_t)(head.start - reader->chunk), head.size, head.type);
        if (head.type == TYPE_METADATA)
            continue;
        if (head.type == TYPE_CHECKPOINT) {
            jfr_index_checkpoint(reader, body, damage);
            continue;
        }
        reader->events++;
        if (needs_last)
            note_time(reader, body);
        uint32_t spec = spec_of(reader, head.type);
        if (spec != 0)
            decode(&w, &head, spec);
    }
    hand_over(reader);
    debug_say(DEBUG_JFR, 1, "chunk %d at byte %" PRIu64 ": %" PRIu64 " bytes, %zu types, %" PRIu64 " events",
              reader->number, reader->at, reader->length, reader->metadata.type_count, reader->events);
    for (int pool = 0; pool < POOL_COUNT; pool++)
        debug_say(DEBUG_JFR, 2, "chunk %d: pool %s has %zu entries", reader->number, jfr_pool_specs[pool].type,
                  reader->pools[pool].places.n);
    return STATUS_OK;
}

void jfr_on_cpu_time_samples(struct jfr_reader *reader, unsigned spec, jfr_cpu_time_samples_fn *samples, void *user)
{
    reader->samples = samples;
    reader->samples_user = user;
    reader->samples_spec = spec;
}

void jfr_on_every_event(struct jfr_reader *reader, jfr_seen_fn *seen, void *user)
{
    reader->seen = seen;
    reader->seen_user = user;
}

void jfr_on_passed(struct jfr_reader *reader, jfr_passed_fn *passed, void *user)
{
    reader->passed = passed;
    reader->passed_user = user;
}

int64_t jfr_type_id(const struct jfr_reader *reader, unsigned spec)
{
    return reader->plans[spec].known ? (int64_t)reader->plans[spec].type_id : -1;
}

int64_t jfr_last_event_ns(const struct jfr_reader *reader)
{
    return reader->seen_event ? jfr_time_ns(&reader->header, reader->last_event_ticks) : INT64_MIN;
}

uint64_t jfr_event_count(const struct jfr_reader *reader)
{
    return reader->events;
}
