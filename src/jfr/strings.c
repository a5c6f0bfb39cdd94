/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strings of events, pools and metadata. One byte says how they are written (OpenJDK StringParser.Encoding):
 *
 *   0 null   1 empty   2 key (long) into the java.lang.String pool
 *   3 length, UTF-8 bytes   4 length, UTF-16 units as varints   5 length, Latin-1 bytes */
#include "strings.h"

#include "joular/text.h"

enum {
    ENCODING_NULL,
    ENCODING_EMPTY,
    ENCODING_POOL,
    ENCODING_UTF8,
    ENCODING_UTF16,
    ENCODING_LATIN1
};

static struct jfr_text from_utf8(struct span bytes, struct arena *arena)
{
    size_t n = span_left(&bytes);
    if (utf8_valid(bytes.p, n))
        return (struct jfr_text){(const char *)bytes.p, n};
    char *text = arena_array(arena, n + 1, 3);
    return (struct jfr_text){text, utf8_repair(text, bytes.p, n)};
}

static struct jfr_text from_latin1(struct span bytes, struct arena *arena)
{
    char *text = arena_array(arena, span_left(&bytes) + 1, 2);
    size_t used = 0;
    for (; bytes.p < bytes.end; bytes.p++)
        used += utf8_put(text + used, *bytes.p);
    return (struct jfr_text){text, used};
}

static struct jfr_text from_utf16(struct span *s, uint64_t units, bool compressed, struct arena *arena)
{
    if (units > span_left(s)) {
        span_fail(s);
        return (struct jfr_text){0};
    }
    char *text = arena_array(arena, (size_t)units + 1, 3);
    size_t used = 0;
    uint32_t high = 0;
    for (uint64_t i = 0; i < units; i++) {
        uint32_t unit = (uint16_t)jfr_uint(s, compressed, 2);
        bool low = unit >= 0xdc00 && unit <= 0xdfff;
        if (high != 0 && low) {
            used += utf8_put(text + used, 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00));
            high = 0;
            continue;
        }
        if (high != 0)
            used += utf8_put(text + used, 0xfffd);
        high = unit >= 0xd800 && unit <= 0xdbff ? unit : 0;
        if (high == 0)
            used += utf8_put(text + used, unit);
    }
    if (high != 0)
        used += utf8_put(text + used, 0xfffd);
    return (struct jfr_text){text, used};
}

struct jfr_text jfr_read_text(struct span *s, bool compressed, struct arena *arena, uint64_t *key)
{
    uint8_t encoding = span_u8(s);
    *key = 0;
    switch (encoding) {
    case ENCODING_NULL:
        return (struct jfr_text){0};
    case ENCODING_EMPTY:
        return (struct jfr_text){"", 0};
    case ENCODING_POOL:
        *key = jfr_uint(s, compressed, 8);
        return (struct jfr_text){0};
    case ENCODING_UTF8:
    case ENCODING_LATIN1: {
        struct span bytes = span_sub(s, jfr_uint(s, compressed, 4));
        return encoding == ENCODING_UTF8 ? from_utf8(bytes, arena) : from_latin1(bytes, arena);
    }
    case ENCODING_UTF16:
        return from_utf16(s, jfr_uint(s, compressed, 4), compressed, arena);
    default:
        span_fail(s);
        return (struct jfr_text){0};
    }
}

void jfr_skip_text(struct span *s, bool compressed)
{
    switch (span_u8(s)) {
    case ENCODING_NULL:
    case ENCODING_EMPTY:
        return;
    case ENCODING_POOL:
        jfr_uint(s, compressed, 8);
        return;
    case ENCODING_UTF8:
    case ENCODING_LATIN1:
        span_skip(s, jfr_uint(s, compressed, 4));
        return;
    case ENCODING_UTF16: {
        uint64_t units = jfr_uint(s, compressed, 4);
        if (compressed)
            span_skip_varints(s, units);
        else if (units > span_left(s))
            span_fail(s);
        else
            span_skip(s, units * 2);
        return;
    }
    default:
        span_fail(s);
    }
}
