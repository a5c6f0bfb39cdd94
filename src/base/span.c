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

/* Behind the varint at P; NULL where END comes first. */
static const uint8_t *behind(const uint8_t *p, const uint8_t *end)
{
    unsigned length = 1;
    while (p != end && *p >= 0x80 && length < 9) {
        p++;
        length++;
    }
    return p != end ? p + 1 : NULL;
}

/* Of eight bytes: how many say that there is no more, and whether four, the first or the last, say that there is. */
static uint64_t last_count(uint64_t word)
{
    return ((~word & SPAN_MORE) >> 7) * UINT64_C(0x0101010101010101) >> 56;
}

static bool half_says_more(uint64_t word)
{
    uint32_t four = (uint32_t)SPAN_MORE;
    return ((uint32_t)word & four) == four || ((uint32_t)(word >> 32) & four) == four;
}

/* Eight bytes at a time, by counting those that are a number's last. What that does not tell is a ninth byte, which is
 * the last whatever it is; but before it stand eight bytes that say there is more, and of these four fill half a word.
 * So a word that has no such half is counted, and the number after it is stepped over by its bytes. */
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
        while (p != from && p[-1] >= 0x80) /* into the middle of a number */
            p--;
        if (count == 0)
            break;
        p = behind(p, end);
        if (p == NULL) {
            span_fail(s);
            return;
        }
        count--;
    }
    s->p = p;
}
