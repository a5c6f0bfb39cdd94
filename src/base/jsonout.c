/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "joular/jsonout.h"

#include "joular/mem.h"
#include "joular/text.h"

#include <math.h>

#define PIECE 16384 /* what is handed to a stream at a time */

static char *make_room(struct jsonout *out, size_t more)
{
    if (out->stream != NULL) {
        if (out->n != 0)
            fwrite_unlocked(out->v, 1, out->n, out->stream);
        out->n = 0;
        more = more > PIECE ? more : PIECE;
    }
    vec_reserve(out, more);
    return out->v + out->n;
}

/* Where the next bytes go; there are MORE of them at most. */
static char *room(struct jsonout *out, size_t more)
{
    return more <= out->cap - out->n ? out->v + out->n : make_room(out, more);
}

static void add(struct jsonout *out, const char *text, size_t length)
{
    memcpy(room(out, length), text, length);
    out->n += length;
}

/* Comma, line and key. Behind them there is room for MORE bytes. */
static char *begin_any(struct jsonout *out, const char *key, size_t more)
{
    size_t length = key != NULL ? strlen(key) : 0;
    char *to = room(out, length + 5 + more);
    if (out->comma)
        *to++ = ',';
    if (out->line)
        *to++ = '\n';
    if (key != NULL) {
        *to++ = '"';
        to = stpcpy(to, key);
        *to++ = '"';
        *to++ = ':';
    }
    out->comma = true;
    out->line = false;
    out->n = (size_t)(to - out->v);
    return to;
}

/* Most values are numbers in an array, after others. */
static inline char *begin(struct jsonout *out, const char *key, size_t more)
{
    if (key != NULL || out->line || !out->comma || out->cap - out->n <= more)
        return begin_any(out, key, more);
    out->v[out->n++] = ',';
    return out->v + out->n;
}

/* ---- Strings ---- */

/* What stands as it is in any text: of ASCII all but what JSON escapes and, in a script, "<", ">", "&" and DEL. */
static bool is_plain(unsigned char c, bool in_script)
{
    if (c < 0x20 || c >= 0x80 || c == '"' || c == '\\')
        return false;
    return !in_script || (c != '<' && c != '>' && c != '&' && c != 0x7f);
}

/* Controls, and what turns or hides the text around it. */
static bool hidden_in_script(uint32_t code)
{
    return code < 0xa0 || code == 0x61c || (code >= 0x2000 && code < 0x2070) || code == 0xfeff ||
           (code >= 0xfff0 && code <= 0xffff);
}

static void add_escape(struct jsonout *out, uint32_t code)
{
    static const char digits[] = "0123456789abcdef";
    static const char letters[] = {
        ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r', ['"'] = '"', ['\\'] = '\\'};
    char *to = room(out, 6);
    to[0] = '\\';
    if (!out->in_script && code < sizeof letters && letters[code] != 0) {
        to[1] = letters[code];
        out->n += 2;
        return;
    }
    to[1] = 'u';
    for (unsigned i = 0; i < 4; i++)
        to[2 + i] = digits[code >> (12 - 4 * i) & 15];
    out->n += 6;
}

/* A byte that is not plain, or the well-formed sequence that it begins: how many bytes that was. */
static unsigned add_other(struct jsonout *out, const unsigned char *p, const unsigned char *end)
{
    static const unsigned char first[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    unsigned length = utf8_length(p, end);
    uint32_t code = length != 0 ? p[0] & first[length] : 0xfffd;
    for (unsigned i = 1; i < length; i++)
        code = code << 6 | (p[i] & 0x3f);
    if (length == 1 || (out->in_script && hidden_in_script(code)))
        add_escape(out, code);
    else if (length != 0)
        add(out, (const char *)p, length);
    else
        add(out, "\xef\xbf\xbd", 3);
    return length != 0 ? length : 1;
}

void json_text(struct jsonout *out, const char *key, const char *text, size_t length)
{
    const unsigned char *p = (const unsigned char *)text, *end = p + length;
    *begin(out, key, 1) = '"';
    out->n++;
    while (p < end) {
        const unsigned char *run = p;
        while (p < end && is_plain(*p, out->in_script))
            p++;
        if (p != run)
            add(out, (const char *)run, (size_t)(p - run));
        if (p < end)
            p += add_other(out, p, end);
    }
    add(out, "\"", 1);
}

void json_string(struct jsonout *out, const char *key, const char *value)
{
    if (value != NULL)
        json_text(out, key, value, strlen(value));
    else
        json_raw(out, key, "null");
}

/* ---- Numbers ---- */

void json_whole(struct jsonout *out, const char *key, uint64_t value)
{
    out->n += decimal_put_whole(begin(out, key, DECIMAL_ROOM), value);
}

void json_integer(struct jsonout *out, const char *key, int64_t value)
{
    char *to = begin(out, key, DECIMAL_ROOM);
    uint64_t size = (uint64_t)value;
    if (value < 0) {
        *to++ = '-';
        out->n++;
        size = ~size + 1; /* of the lowest value, too, and without a negation, which sanitizers of integers refuse */
    }
    out->n += decimal_put_whole(to, size);
}

static void decimal(struct jsonout *out, const char *key, double value,
                    size_t (*put)(char *buffer, double value, unsigned digits), unsigned digits)
{
    if (isfinite(value))
        out->n += put(begin(out, key, DECIMAL_ROOM), value + 0.0, digits); /* -0 would be read as the integer 0 */
    else
        json_raw(out, key, "null");
}

void json_number(struct jsonout *out, const char *key, double value)
{
    decimal(out, key, value, decimal_put_general, 9);
}

void json_exact(struct jsonout *out, const char *key, double value)
{
    decimal(out, key, value, decimal_put_general, 17);
}

void json_fixed(struct jsonout *out, const char *key, double value, unsigned decimals)
{
    decimal(out, key, value, decimal_put, decimals);
}

/* ---- The rest ---- */

void json_open(struct jsonout *out, const char *key, char bracket)
{
    *begin(out, key, 1) = bracket;
    out->n++;
    out->comma = false;
}

void json_close(struct jsonout *out, char bracket)
{
    char *to = room(out, 3);
    if (out->line)
        *to++ = '\n';
    *to++ = bracket;
    *to = '\0';
    out->n = (size_t)(to - out->v);
    out->comma = true;
    out->line = false;
}

void json_bool(struct jsonout *out, const char *key, bool value)
{
    json_raw(out, key, value ? "true" : "false");
}

void json_raw(struct jsonout *out, const char *key, const char *json)
{
    begin(out, key, 0);
    add(out, json, strlen(json));
}

struct jsonout *json_line(struct jsonout *out)
{
    out->line = true;
    return out;
}

void json_end(struct jsonout *out)
{
    if (out->line)
        add(out, "\n", 1);
    if (out->stream != NULL)
        make_room(out, 0);
    vec_free(out);
    out->comma = out->line = false;
}
