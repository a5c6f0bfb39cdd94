/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "joular/span.h"

uint64_t span_varint_slow(struct span *s)
{
    uint64_t value = 0;
    const uint8_t *p = s->p;
    for (unsigned shift = 0; shift < 56; shift += 7) {
        if (p == s->end) {
            span_fail(s);
            return 0;
        }
        uint8_t byte = *p++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            s->p = p;
            return value;
        }
    }
    if (p == s->end) {
        span_fail(s);
        return 0;
    }
    value |= (uint64_t)*p++ << 56;
    s->p = p;
    return value;
}

/* The end of the varint at P; NULL if the bytes end before it. */
static const uint8_t *end_of_varint(const uint8_t *p, const uint8_t *end)
{
    unsigned length = 1;
    while (p != end && *p >= 0x80 && length < 9) {
        p++;
        length++;
    }
    return p != end ? p + 1 : NULL;
}

/* How many of eight bytes are the last of a varint: those without the bit that says that more follow. */
static uint64_t last_count(uint64_t word)
{
    return ((~word & SPAN_MORE) >> 7) * UINT64_C(0x0101010101010101) >> 56;
}

/* Whether the first four of eight bytes, or the last four, all say that more follow. */
static bool half_says_more(uint64_t word)
{
    uint32_t four = (uint32_t)SPAN_MORE;
    return ((uint32_t)word & four) == four || ((uint32_t)(word >> 32) & four) == four;
}

/* Skips eight bytes at a time and counts those that are the last of a varint. The count would be wrong after a ninth
 * byte, which is the last whatever its value. But a ninth byte follows eight bytes that all say that more follow, and
 * these fill at least one half of a word. So words with such a half are not counted: the varint there is skipped byte
 * by byte. */
void span_skip_varints(struct span *s, uint64_t count)
{
    const uint8_t *p = s->p, *end = s->end;
    if (count > (uint64_t)(end - p)) {
        span_fail(s);
        return;
    }
    while (count > 0) {
        const uint8_t *from = p;
        while (count >= 8 && end - p >= 8 && !half_says_more(span_word(p))) {
            count -= last_count(span_word(p));
            p += 8;
        }
        while (p != from && p[-1] >= 0x80) /* back to the beginning of a varint */
            p--;
        if (count == 0)
            break;
        p = end_of_varint(p, end);
        if (p == NULL) {
            span_fail(s);
            return;
        }
        count--;
    }
    s->p = p;
}
