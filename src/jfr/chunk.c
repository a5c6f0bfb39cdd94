/* Chunks of a file: where each begins and ends.
 *
 *   0 "FLR\0"   4 major (2)   6 minor (2)   8 size (8)   16 last checkpoint (8)   24 metadata (8)
 *   32 start, ns (8)   40 duration, ns (8)   48 start ticks (8)   56 ticks per second (8)
 *   64 state (1), 65 padding (1), 66 flags (2): bit 0 compressed integers. Before 2.1: one 32-bit field of flags
 *   68 events
 *
 * OpenJDK: src/hotspot/share/jfr/recorder/repository/jfrChunkWriter.cpp. */
#include "internal.h"

#include <inttypes.h>

static const uint8_t magic[4] = {'F', 'L', 'R', 0};

static bool begins_chunk(const uint8_t *bytes, uint64_t left)
{
    return left >= 8 && memcmp(bytes, magic, 4) == 0 && bytes[4] == 0 && bytes[5] <= 9 && bytes[6] == 0;
}

static enum status read_header(const uint8_t *bytes, size_t length, struct jfr_header *h, struct error *err)
{
    struct span s = span_of(bytes, length);
    *h = (struct jfr_header){0};
    if (length < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
        return error_set(err, STATUS_INVALID, "is not a JFR file: it does not begin with \"FLR\\0\"");
    span_skip(&s, sizeof magic);
    h->major = (unsigned)span_be(&s, 2);
    h->minor = (unsigned)span_be(&s, 2);
    if (!s.bad && h->major == 0)
        return error_set(err, STATUS_UNSUPPORTED,
                         "is a recording of Oracle JDK 7 or 8 (format %u.%u), another format altogether: record with "
                         "JDK 11 or newer, or with OpenJDK 8u262 or newer",
                         h->major, h->minor);
    if (!s.bad && h->major > 2)
        return error_set(err, STATUS_UNSUPPORTED, "has format version %u.%u, and versions 1.x and 2.x are read here",
                         h->major, h->minor);
    h->size = span_be(&s, 8);
    h->checkpoint_at = span_be(&s, 8);
    h->metadata_at = span_be(&s, 8);
    h->start_ns = (int64_t)span_be(&s, 8);
    h->duration_ns = (int64_t)span_be(&s, 8);
    h->start_ticks = (int64_t)span_be(&s, 8);
    h->ticks_per_second = (int64_t)span_be(&s, 8);
    h->ticks_per_ns = (double)h->ticks_per_second / 1e9;
    uint32_t flags = (uint32_t)span_be(&s, 4);
    h->state = h->major == 2 && h->minor >= 1 ? flags >> 24 : 0;
    h->compressed = (flags & 1) != 0;
    if (s.bad)
        return error_set(err, STATUS_TRUNCATED, "is truncated: it has %zu bytes, and a chunk header has %d", length,
                         JFR_HEADER_SIZE);
    if (h->ticks_per_second <= 0)
        return error_set(err, STATUS_INVALID, "ticks per second are %" PRId64, h->ticks_per_second);
    return STATUS_OK;
}

/* Steps over whole events from the header on; returns where they end, and the last metadata event on the way. LAST_AT
 * gets the start of the last event: where the walk ends in rubbish, that event may be half of one, and the rest a
 * chunk's. */
static uint64_t walk_extent(const uint8_t *bytes, uint64_t left, bool compressed, uint64_t *metadata_at,
                            uint64_t *last_at)
{
    uint64_t at = JFR_HEADER_SIZE;
    *metadata_at = 0;
    *last_at = at;
    while (at < left && !begins_chunk(bytes + at, left - at)) {
        struct span s = span_of(bytes + at, left - at);
        uint64_t size = jfr_uint(&s, compressed, 4), type = jfr_uint(&s, compressed, 8);
        if (s.bad || size > left - at || size < (uint64_t)(s.p - (bytes + at)))
            break;
        if (type == 0)
            *metadata_at = at;
        *last_at = at;
        at += size;
    }
    return at;
}

static bool metadata_stands_at(const uint8_t *bytes, uint64_t length, bool compressed, uint64_t at)
{
    if (at < JFR_HEADER_SIZE || at >= length)
        return false;
    struct span s = span_of(bytes + at, length - at);
    uint64_t size = jfr_uint(&s, compressed, 4), type = jfr_uint(&s, compressed, 8);
    return !s.bad && type == 0 && size <= length - at;
}

/* The next place from FROM on where a chunk that can be read begins; LENGTH where there is none. */
static uint64_t find_chunk(const uint8_t *bytes, uint64_t from, uint64_t length)
{
    while (from < length) {
        const uint8_t *found = memmem(bytes + from, length - from, magic, sizeof magic);
        struct jfr_header header;
        struct error ignored = {0};
        if (found == NULL)
            break;
        from = (uint64_t)(found - bytes);
        if (begins_chunk(found, length - from) && read_header(found, length - from, &header, &ignored) == STATUS_OK)
            return from;
        from++;
    }
    return length;
}

/* Where a chunk ends whose header does not say, or says it wrongly, and where its metadata is. */
static void measure_chunk(const uint8_t *bytes, uint64_t length, struct jfr_chunk *chunk, struct jfr_damage *damage)
{
    const uint8_t *start = bytes + chunk->at;
    uint64_t left = length - chunk->at, room = chunk->finished ? chunk->header.size : left, last;
    uint64_t end = walk_extent(start, room, chunk->header.compressed, &chunk->metadata_at, &last);
    if (chunk->finished)
        return;
    if (end < left && !begins_chunk(start + end, left - end)) {
        uint64_t next = find_chunk(bytes, chunk->at + last, length) - chunk->at;
        end = next < end ? last : end;
        chunk->tail = next - end;
        error_set(&damage->first, STATUS_TRUNCATED,
                  "ends in %" PRIu64 " bytes that are no whole event (the JVM was killed, or the file cut)",
                  chunk->tail);
        error_at(&damage->first, chunk->number, (int64_t)(chunk->at + end));
        damage->bytes += chunk->tail;
    }
    chunk->length = end;
    if (chunk->metadata_at >= end)
        chunk->metadata_at = 0;
}

enum status jfr_list_chunks(const uint8_t *bytes, size_t length, struct jfr_chunk_list *chunks,
                            struct jfr_damage *damage, struct error *err)
{
    for (uint64_t at = 0; at < length;) {
        struct jfr_chunk chunk = {.at = at, .number = (int)chunks->n + 1};
        struct jfr_header *h = &chunk.header;
        uint64_t left = length - at;
        struct error *trouble = chunks->n == 0 ? err : &damage->first;
        enum status status = read_header(bytes + at, left, h, trouble);
        if (status != STATUS_OK && chunks->n == 0)
            return status;
        if (status != STATUS_OK) {
            uint64_t next = find_chunk(bytes, at + 1, length);
            error_at(trouble, chunk.number, (int64_t)at);
            damage->bytes += next - at;
            at = next;
            continue;
        }
        chunk.finished = h->state == 0 && h->size > JFR_HEADER_SIZE && h->size <= left;
        chunk.cut = h->state == 0 && h->size > left;
        chunk.length = h->size;
        chunk.metadata_at = h->metadata_at;
        if (!chunk.finished || !metadata_stands_at(bytes + at, h->size, h->compressed, h->metadata_at))
            measure_chunk(bytes, length, &chunk, damage);
        vec_push(chunks, chunk);
        at += chunk.length + chunk.tail;
    }
    if (length == 0)
        return error_set(err, STATUS_TRUNCATED, "is empty");
    return STATUS_OK;
}

int64_t jfr_timespan_ns(const struct jfr_header *header, int64_t ticks)
{
    double ns = (double)ticks / header->ticks_per_ns;
    /* Java's cast saturates, C's is undefined out of range */
    if (!(ns < 9223372036854775808.0))
        return INT64_MAX;
    if (ns < -9223372036854775808.0)
        return INT64_MIN;
    return (int64_t)ns;
}

int64_t jfr_time_ns(const struct jfr_header *header, int64_t ticks)
{
    int64_t since = (int64_t)((uint64_t)ticks - (uint64_t)header->start_ticks);
    return (int64_t)((uint64_t)header->start_ns + (uint64_t)jfr_timespan_ns(header, since));
}
