/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cursor over bytes nobody vouches for. Its error is sticky: after a read past the end every getter returns 0 and
 * `bad` stays set, so a caller tests once an event. JFR is big-endian (OpenJDK jfrBigEndian.hpp). */
#ifndef JOULAR_SPAN_H
#define JOULAR_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct span {
    const uint8_t *p, *end;
    bool bad;
};

/* LENGTH bytes that are in memory, be it counted in a file's offsets. */
static inline struct span span_of(const void *bytes, uint64_t length)
{
    return (struct span){bytes, (const uint8_t *)bytes + length, false};
}

static inline size_t span_left(const struct span *s)
{
    return (size_t)(s->end - s->p);
}

static inline void span_fail(struct span *s)
{
    s->bad = true;
    s->p = s->end;
}

static inline void span_skip(struct span *s, uint64_t count)
{
    if (count > span_left(s))
        span_fail(s);
    else
        s->p += count;
}

static inline uint8_t span_u8(struct span *s)
{
    if (s->p == s->end) {
        span_fail(s);
        return 0;
    }
    return *s->p++;
}

static inline uint64_t span_be(struct span *s, unsigned width)
{
    uint64_t value = 0;
    if (span_left(s) < width) {
        span_fail(s);
        return 0;
    }
    for (unsigned i = 0; i < width; i++)
        value = value << 8 | s->p[i];
    s->p += width;
    return value;
}

#define SPAN_MORE UINT64_C(0x8080808080808080) /* of eight bytes of varints, those that are not their number's last */

static inline uint64_t span_word(const uint8_t *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* At most nine bytes, seven bits each and low bits first; the ninth carries eight (OpenJDK: jfrEncoders.hpp,
 * Varint128EncoderImpl). */
uint64_t span_varint_slow(struct span *s);

/* The value of up to eight bytes of a varint, those behind them 0: the gaps that the high bits leave are closed pair by
 * pair, then four by four. */
static inline uint64_t span_close_gaps(uint64_t word)
{
    word &= ~SPAN_MORE;
    word = (word & UINT64_C(0x007f007f007f007f)) | (word & UINT64_C(0x7f007f007f007f00)) >> 1;
    word = (word & UINT64_C(0x00003fff00003fff)) | (word & UINT64_C(0x3fff00003fff0000)) >> 2;
    return (word & UINT64_C(0x000000000fffffff)) | (word & UINT64_C(0x0fffffff00000000)) >> 4;
}

/* The varint at *P, which goes on behind it; nine bytes can be read there, whatever they are. Of up to eight bytes
 * without a branch for each: the last is the first one whose high bit is clear. */
static inline uint64_t span_varint_at(const uint8_t **p)
{
    const uint8_t *start = *p;
    uint64_t word = span_word(start), last = ~word & SPAN_MORE;
    if (last == 0) {
        *p = start + 9;
        return span_close_gaps(word) | (uint64_t)start[8] << 56;
    }
    *p = start + (unsigned)__builtin_ctzll(last) / 8 + 1;
    return span_close_gaps(word & (last ^ (last - 1)));
}

static inline uint64_t span_varint(struct span *s)
{
    if (s->p != s->end && *s->p < 0x80)
        return *s->p++;
    return span_left(s) < 9 ? span_varint_slow(s) : span_varint_at(&s->p);
}

void span_skip_varints(struct span *s, uint64_t count);

/* The next LENGTH bytes as a cursor of their own; S goes on behind them. */
static inline struct span span_sub(struct span *s, uint64_t length)
{
    const uint8_t *start = s->p;
    if (length > span_left(s)) {
        span_fail(s);
        return (struct span){s->end, s->end, true};
    }
    s->p += length;
    return (struct span){start, start + length, false};
}

#endif
