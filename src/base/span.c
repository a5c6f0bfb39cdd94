#include "joular/span.h"

uint64_t span_varint_long(struct span *s)
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

void span_skip_varints(struct span *s, uint64_t count)
{
    const uint8_t *p = s->p, *end = s->end;
    if (count > (uint64_t)(end - p)) {
        span_fail(s);
        return;
    }
    for (; count > 0; count--) {
        unsigned length = 1;
        while (p != end && *p >= 0x80 && length < 9) {
            p++;
            length++;
        }
        if (p == end) {
            span_fail(s);
            return;
        }
        p++;
    }
    s->p = p;
}
