/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the chunks of a file: where each begins and ends. A chunk's header:
 *
 *   0 "FLR\0"   4 major (2)   6 minor (2)   8 size (8)   16 last checkpoint (8)   24 metadata (8)
 *   32 start, ns (8)   40 duration, ns (8)   48 start ticks (8)   56 ticks per second (8)
 *   64 state (1), 65 padding (1), 66 flags (2): bit 0 compressed integers. Before 2.1: one 32-bit field of flags
 *   68 events
 *
 * OpenJDK: src/hotspot/share/jfr/recorder/repository/jfrChunkWriter.cpp. */
#include "encoding.h"

#include "joular/clock.h"

#include <inttypes.h>

static const uint8_t magic[4] = {'F', 'L', 'R', 0};

static bool begins_chunk(const uint8_t *bytes, uint64_t left)
{
    return left >= 8 && memcmp(bytes, magic, 4) == 0 && bytes[4] == 0 && bytes[5] <= 9 && bytes[6] == 0;
}

static enum status read_header(const uint8_t *bytes, uint64_t length, struct jfr_header *h, struct error *err)
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
        return error_set(err, STATUS_TRUNCATED, "is truncated: it has %" PRIu64 " bytes, and a chunk header has %d",
                         length, JFR_HEADER_SIZE);
    if (h->ticks_per_second <= 0)
        return error_set(err, STATUS_INVALID, "ticks per second are %" PRId64, h->ticks_per_second);
    return STATUS_OK;
}

/* Steps over whole events from the header on, and returns where they end. METADATA_AT gets the last metadata event on
 * the way; LAST_AT gets the last event: where the walk ends in bytes that are no event, only a part of that event may
 * be there, and the bytes after it belong to another chunk. */
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

static bool is_metadata_at(const uint8_t *bytes, uint64_t length, bool compressed, uint64_t at)
{
    if (at < JFR_HEADER_SIZE || at >= length)
        return false;
    struct span s = span_of(bytes + at, length - at);
    uint64_t size = jfr_uint(&s, compressed, 4), type = jfr_uint(&s, compressed, 8);
    return !s.bad && type == 0 && size <= length - at;
}

#define SECOND_NS INT64_C(1000000000)
#define LONGEST_NS (INT64_C(366) * 86400 * SECOND_NS) /* a header with a longer duration is not believed */

/* Whether a header that was found by its first bytes is one, and not other bytes that look like it. */
static bool is_believed(const struct jfr_header *h)
{
    return h->size < UINT64_C(1) << 48 && h->start_ns >= 0 && h->duration_ns >= 0 && h->duration_ns < LONGEST_NS &&
           h->ticks_per_second <= 1000 * SECOND_NS && h->metadata_at < UINT64_C(1) << 48;
}

struct found {
    uint64_t at; /* where the chunk begins; the file's length where there is none */
    struct jfr_header header;
    bool copy; /* the header is a copy: see is_copy */
};

/* With every flush (JDK 14 and newer) JFR writes a copy of the current header into a checkpoint, after its length in
 * one byte. The chunk size in the copy counts all bytes up to the end of the copy (OpenJDK: jfrChunkWriter.cpp,
 * write_chunk_header_checkpoint). */
static bool is_copy(const uint8_t *bytes, uint64_t at, const struct jfr_header *h)
{
    return at > 0 && bytes[at - 1] == JFR_HEADER_SIZE && h->state != 0 && h->size > JFR_HEADER_SIZE &&
           h->size <= at + JFR_HEADER_SIZE;
}

/* A search never begins before an earlier one, and a header that was refused once would be refused again, so nothing
 * before AT is searched again. Otherwise each of very many copies of headers, which may be far from the start of their
 * chunk, would cost a search of everything in between. */
struct search {
    const uint8_t *bytes;
    uint64_t length, at;
};

/* The next chunk that begins at or after FROM and has a good header, or a copy of its header further on. */
static struct found find_chunk(struct search *search, uint64_t from)
{
    const uint8_t *bytes = search->bytes;
    uint64_t length = search->length;
    for (search->at = from > search->at ? from : search->at; search->at < length; search->at++) {
        const uint8_t *hit = memmem(bytes + search->at, (size_t)(length - search->at), magic, sizeof magic);
        struct found found = {0};
        struct error ignored = {0};
        search->at = hit != NULL ? (uint64_t)(hit - bytes) : length;
        uint64_t left = length - search->at;
        if (hit == NULL || !begins_chunk(hit, left) || read_header(hit, left, &found.header, &ignored) != STATUS_OK ||
            !is_believed(&found.header))
            continue;
        found.copy = is_copy(bytes, search->at, &found.header);
        found.at = found.copy ? search->at + JFR_HEADER_SIZE - found.header.size : search->at;
        if (found.at >= from)
            return found;
    }
    return (struct found){.at = length};
}

/* Finds where a chunk ends and where its metadata is, if the header does not say so or is wrong. */
static void measure_chunk(struct search *search, struct jfr_chunk *chunk, struct jfr_damage *damage)
{
    const uint8_t *start = search->bytes + chunk->at;
    uint64_t left = search->length - chunk->at, room = chunk->finished ? chunk->header.size : left, last;
    uint64_t end = walk_extent(start, room, chunk->header.compressed, &chunk->metadata_at, &last);
    if (chunk->finished)
        return;
    if (end < left && !begins_chunk(start + end, left - end)) {
        uint64_t next = find_chunk(search, chunk->at + last).at - chunk->at;
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

static int64_t length_ns(const struct jfr_header *h)
{
    return h->duration_ns > 0 && h->duration_ns < LONGEST_NS ? h->duration_ns : 0;
}

/* Nanoseconds from the end of chunk A to the start of chunk B. */
static int64_t gap_ns(const struct jfr_chunk *a, const struct jfr_chunk *b)
{
    int64_t end_ns, gap;
    if (__builtin_add_overflow(a->header.start_ns, length_ns(&a->header), &end_ns) ||
        __builtin_sub_overflow(b->header.start_ns, end_ns, &gap))
        return INT64_MAX;
    return gap;
}

/* Whether B may be of the same JVM: its chunks follow each other without a gap, on one clock. */
static bool follows(const struct jfr_chunk *a, const struct jfr_chunk *b)
{
    int64_t gap = gap_ns(a, b);
    return jfr_has_end(&a->header) && gap > -SECOND_NS && gap < SECOND_NS &&
           a->header.ticks_per_second == b->header.ticks_per_second && a->header.compressed == b->header.compressed &&
           a->header.major == b->header.major;
}

static void set_substitute(struct jfr_chunk *to, const struct jfr_chunk *from)
{
    to->substitute = from->number;
    to->substitute_at = from->at + from->metadata_at;
    to->substitute_end = from->at + from->length;
}

static void find_substitutes(struct jfr_chunk_list *chunks)
{
    for (size_t i = 0; i < chunks->n; i++) {
        struct jfr_chunk *chunk = &chunks->v[i];
        if (i > 0 && chunks->v[i - 1].metadata_at != 0 && follows(&chunks->v[i - 1], chunk))
            set_substitute(chunk, &chunks->v[i - 1]);
        else if (i + 1 < chunks->n && chunks->v[i + 1].metadata_at != 0 && follows(chunk, &chunks->v[i + 1]))
            set_substitute(chunk, &chunks->v[i + 1]);
    }
}

/* The time of the part of a chunk that its header announces and the file does not have. */
static int64_t missing_ns(const struct jfr_chunk *chunk)
{
    const struct jfr_header *h = &chunk->header;
    if (!chunk->cut || h->size <= chunk->length)
        return 0;
    return (int64_t)((double)length_ns(h) * ((double)(h->size - chunk->length) / (double)h->size));
}

/* Whether the size in the header can be believed: the file has that many bytes, and the metadata event is where the
 * header says, or the next chunk begins after them, or the file ends. */
static bool is_whole(const uint8_t *bytes, uint64_t left, const struct jfr_header *h)
{
    if (h->state != 0 || h->size <= JFR_HEADER_SIZE || h->size > left)
        return false;
    return h->size == left || begins_chunk(bytes + h->size, left - h->size) ||
           is_metadata_at(bytes, h->size, h->compressed, h->metadata_at);
}

/* Counts bytes at AT that are no chunk as damage, and returns the next chunk. */
static struct found step_over_rubbish(struct search *search, uint64_t at, const struct error *why, int number,
                                      struct jfr_damage *damage)
{
    struct found found = find_chunk(search, at);
    if (damage->first.status == STATUS_OK) {
        damage->first = *why;
        error_at(&damage->first, number, (int64_t)at);
    }
    damage->bytes += found.at - at + (found.copy ? JFR_HEADER_SIZE : 0);
    return found;
}

enum status jfr_list_chunks(const uint8_t *bytes, size_t length, struct jfr_chunk_list *chunks,
                            struct jfr_damage *damage, struct error *err)
{
    struct error first = {0};
    struct search search = {bytes, length, 0};
    struct found found = {0};
    bool rubbish = false;
    if (length == 0)
        return error_set(err, STATUS_TRUNCATED, "is empty");
    for (uint64_t at = 0; at < length;) {
        struct jfr_chunk chunk = {.at = at, .number = (int)chunks->n + 1};
        struct jfr_header *h = &chunk.header;
        uint64_t left = length - at;
        struct error why = {0};
        chunk.restored = found.copy && found.at == at;
        if (chunk.restored) {
            *h = found.header;
        } else if (read_header(bytes + at, left, h, &why) != STATUS_OK) {
            if (at == 0)
                first = why;
            if (at == 0 && why.status == STATUS_UNSUPPORTED)
                break;
            found = step_over_rubbish(&search, at, &why, chunk.number, damage);
            rubbish = found.at != at;
            at = found.at;
            continue;
        }
        chunk.finished = is_whole(bytes + at, left, h);
        chunk.cut = h->state == 0 && h->size > left;
        chunk.length = h->size;
        chunk.metadata_at = h->metadata_at;
        if (!chunk.finished || !is_metadata_at(bytes + at, h->size, h->compressed, h->metadata_at))
            measure_chunk(&search, &chunk, damage);
        damage->time_ns = time_sum(damage->time_ns, missing_ns(&chunk));
        if (rubbish && chunks->n != 0) {
            int64_t gap = gap_ns(&chunks->v[chunks->n - 1], &chunk);
            damage->time_ns = time_sum(damage->time_ns, gap > 0 && gap < LONGEST_NS ? gap : 0);
        }
        rubbish = false;
        vec_push(chunks, chunk);
        at += chunk.length + chunk.tail;
    }
    if (chunks->n == 0) {
        *err = first;
        return first.status;
    }
    find_substitutes(chunks);
    return STATUS_OK;
}

int64_t jfr_timespan_ns(const struct jfr_header *header, int64_t ticks)
{
    return timespan_ns(header, ticks);
}

int64_t jfr_time_ns(const struct jfr_header *header, int64_t ticks)
{
    return time_ns(header, ticks);
}
