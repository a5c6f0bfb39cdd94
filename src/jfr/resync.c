/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds where events go on after damage inside a chunk.
 *
 * An event is believed if the metadata has its type and its start is within the time of the chunk. (So an event that
 * began long before, and is in the chunk in which it ended, is not believed.) Four of them in a row, each beginning
 * where the one before it ends, or as many as there are up to the exact end of the chunk, are no accident: about 1 in
 * 10^4 random positions passes for an event. Nothing here depends on what an event means. */
#include "resync.h"

#define IN_A_ROW 4
#define HEADS_AHEAD 8          /* how many events jfr_goes_on looks at */
#define BEFORE_S 0.01          /* an event may start this long before the chunk, */
#define AFTER_S 1              /* or this long after its end */
#define LONGEST_S (10 * 86400) /* of a chunk that does not say when it ends */

struct look {
    const uint8_t *next;
    bool known, timely;
};

static bool is_timely(const struct jfr_reader *reader, int64_t ticks)
{
    const struct jfr_header *h = &reader->header;
    double from = (double)h->start_ticks, per_s = (double)h->ticks_per_second, at = (double)ticks;
    double length_s = jfr_has_end(h) ? (double)h->duration_ns / 1e9 : LONGEST_S;
    return at >= from - BEFORE_S * per_s && at <= from + (length_s + AFTER_S) * per_s;
}

static bool look_at(const struct jfr_reader *reader, const uint8_t *p, struct look *look)
{
    struct span s = span_of(p, (size_t)(reader->chunk + reader->length - p));
    size_t left = span_left(&s);
    uint64_t size = jfr_uint(&s, reader->header.compressed, 4), type = jfr_uint(&s, reader->header.compressed, 8);
    if (s.bad || size > left || size < (uint64_t)(s.p - p))
        return false;
    look->next = p + size;
    look->known = type < 2 || jfr_type_by_id(&reader->metadata, type) != NULL;
    int64_t ticks = (int64_t)jfr_uint(&s, reader->header.compressed, 8);
    look->timely = !s.bad && s.p <= look->next && is_timely(reader, ticks);
    return true;
}

bool jfr_goes_on(const struct jfr_reader *reader, const uint8_t *p)
{
    const uint8_t *end = reader->chunk + reader->length;
    struct look look;
    for (int i = 0; i < HEADS_AHEAD; i++, p = look.next) {
        if (p == end)
            return true;
        if (!look_at(reader, p, &look))
            return false;
        if (look.known && look.timely)
            return true;
    }
    return false;
}

static bool is_believed(const struct jfr_reader *reader, const uint8_t *p)
{
    const uint8_t *end = reader->chunk + reader->length;
    struct look look;
    for (int i = 0; i < IN_A_ROW && (i == 0 || p != end); i++, p = look.next)
        if (!look_at(reader, p, &look) || !look.known || !look.timely)
            return false;
    return true;
}

const uint8_t *jfr_resync(const struct jfr_reader *reader, const uint8_t *from, const uint8_t *to)
{
    while (from < to && !is_believed(reader, from))
        from++;
    return from;
}
