#include "joular/jsonout.h"

#include "joular/mem.h"
#include "joular/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void add(struct jsonout *out, const char *text, size_t length)
{
    vec_reserve(out, length + 1);
    memcpy(out->v + out->n, text, length);
    out->n += length;
    out->v[out->n] = '\0';
}

static void add_quoted(struct jsonout *out, const char *text)
{
    const char *p = text, *end = text + strlen(text);
    char escaped[8];
    add(out, "\"", 1);
    while (p < end) {
        unsigned length = utf8_length((const unsigned char *)p, (const unsigned char *)end);
        unsigned char c = (unsigned char)*p;
        if (length == 0) {
            add(out, "\xef\xbf\xbd", 3);
            length = 1;
        } else if (c == '"' || c == '\\') {
            snprintf(escaped, sizeof escaped, "\\%c", c);
            add(out, escaped, 2);
        } else if (c < 0x20 || c == 0x7f) {
            snprintf(escaped, sizeof escaped, "\\u%04x", c);
            add(out, escaped, 6);
        } else {
            add(out, p, length);
        }
        p += length;
    }
    add(out, "\"", 1);
}

static void begin(struct jsonout *out, const char *key)
{
    if (out->comma)
        add(out, ",", 1);
    out->comma = true;
    if (key != NULL) {
        add_quoted(out, key);
        add(out, ":", 1);
    }
}

void json_open(struct jsonout *out, const char *key, char bracket)
{
    begin(out, key);
    add(out, &bracket, 1);
    out->comma = false;
}

void json_close(struct jsonout *out, char bracket)
{
    add(out, &bracket, 1);
    out->comma = true;
}

void json_string(struct jsonout *out, const char *key, const char *value)
{
    begin(out, key);
    add_quoted(out, value);
}

void json_integer(struct jsonout *out, const char *key, int64_t value)
{
    char text[32];
    int length = snprintf(text, sizeof text, "%" PRId64, value);
    begin(out, key);
    add(out, text, (size_t)length);
}

void json_number(struct jsonout *out, const char *key, double value)
{
    char text[64];
    int length = snprintf(text, sizeof text, isfinite(value) ? "%.9g" : "null", value);
    begin(out, key);
    add(out, text, (size_t)length);
}

void json_bool(struct jsonout *out, const char *key, bool value)
{
    begin(out, key);
    add(out, value ? "true" : "false", value ? 4 : 5);
}

void json_free(struct jsonout *out)
{
    vec_free(out);
    out->comma = false;
}
