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

/* Whether of the bytes that ENDS tells of four say that there is more, where four times a number of bytes begin. */
static bool four_say_more(uint64_t ends)
{
    uint64_t more = ~ends, pairs = more & more >> 1;
    return (pairs & pairs >> 2 & UINT64_C(0x1111111111111111)) != 0;
}

static uint64_t ones(uint64_t bits)
{
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    return ((bits + (bits >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f)) * UINT64_C(0x0101010101010101) >> 56;
}

/* Behind the last of COUNT numbers, of which there is one at least, in the 16 bytes at P; NULL where they do not tell.
 */
static const uint8_t *behind_few(const uint8_t *p, uint64_t count)
{
    uint64_t ends = span_ends(p);
    if (four_say_more(ends | ~UINT64_C(0xffff)))
        return NULL;
    while (--count > 0)
        ends &= ends - 1;
    return ends != 0 ? p + __builtin_ctzll(ends) + 1 : NULL;
}

/* Many bytes at a time, by counting those that are a number's last. What that does not tell is a ninth byte, which is
 * the last whatever it is; but before it stand eight bytes that say there is more, and of these four fill half a word.
 * So one that has no such half is counted, and the number after it is stepped over by its bytes. */
void span_skip_varints(struct span *s, uint64_t count)
{
    const uint8_t *p = s->p, *end = s->end;
    if (count > (uint64_t)(end - p)) {
        span_fail(s);
        return;
    }
    while (count > 0) {
        const uint8_t *from = p, *last;
        uint64_t ends;
        while (count >= 64 && end - p >= 64 && !four_say_more(ends = span_ends_64(p))) {
            count -= ones(ends);
            p += 64;
        }
        while (count >= 8 && end - p >= 8 && !span_half_says_more(span_word(p))) {
            count -= span_last_count(span_word(p));
            p += 8;
        }
        while (p != from && p[-1] >= 0x80) /* into the middle of a number */
            p--;
        if (count == 0)
            break;
        last = count < 8 && end - p >= 16 ? behind_few(p, count) : NULL;
        if (last != NULL) {
            p = last;
            break;
        }
        p = behind(p, end);
        if (p == NULL) {
            span_fail(s);
            return;
        }
        count--;
    }
    s->p = p;
}
