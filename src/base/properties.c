/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "joular/properties.h"

#include "joular/text.h"

#include <stdlib.h>

struct logical {
    char
        *v; /* a line with those that continue it, without leading blanks and line ends; escapes are kept as they are */
    size_t n, cap;
};

struct reader {
    const uint8_t *p, *end;
    int64_t line;
};

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\f';
}

static bool is_end(uint8_t c)
{
    return c == '\n' || c == '\r';
}

static void skip_line_end(struct reader *r)
{
    if (r->p == r->end)
        return;
    if (*r->p == '\r' && r->end - r->p > 1 && r->p[1] == '\n')
        r->p++;
    r->p++;
    r->line++;
}

static void skip_blanks(struct reader *r)
{
    while (r->p < r->end && is_blank(*r->p))
        r->p++;
}

/* Skips blank lines and comments. False at the end of the file. */
static bool find_line(struct reader *r)
{
    for (;;) {
        skip_blanks(r);
        if (r->p == r->end)
            return false;
        if (!is_end(*r->p) && *r->p != '#' && *r->p != '!')
            return true;
        while (r->p < r->end && !is_end(*r->p))
            r->p++;
        skip_line_end(r);
    }
}

/* Reads the next line that is neither blank nor a comment, with the lines that continue it. Details are those of Java:
 * while the line has no text yet, as after a lone backslash, the line that continues it may again be blank or a comment
 * and is then skipped. A backslash at the very end of the file is dropped. If the last line is nothing but a backslash,
 * it is an empty line that makes a property, except if CR and LF follow the backslash. */
static bool next_logical(struct reader *r, struct logical *line, int64_t *begins)
{
    line->n = 0;
    for (;;) {
        bool escaped = false; /* an odd number of backslashes before here */
        if (line->n > 0)
            skip_blanks(r);
        else if (find_line(r))
            *begins = r->line;
        else
            return false;
        while (r->p < r->end && !is_end(*r->p)) {
            escaped = *r->p == '\\' && !escaped;
            vec_push(line, (char)*r->p++);
        }
        bool two = r->end - r->p == 2; /* CR and LF at the end of the file */
        skip_line_end(r);
        line->n -= escaped;
        if (!escaped || r->p == r->end)
            return !escaped || line->n != 0 || !two;
    }
}

static int hex(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The UTF-16 code unit of a \uXXXX whose digits are at P; -1 if they are not four hexadecimal digits. */
static int32_t unit_at(const char *p, const char *end)
{
    int32_t unit = 0;
    if (end - p < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int digit = hex((uint8_t)p[i]);
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

/* Decodes the escape whose backslash is before *P, and moves *P past it. False for an invalid \u. */
static bool unescape(const char **p, const char *end, uint32_t *code)
{
    char c = *(*p)++;
    *code = (uint8_t)c;
    if (c == 't')
        *code = '\t';
    else if (c == 'n')
        *code = '\n';
    else if (c == 'r')
        *code = '\r';
    else if (c == 'f')
        *code = '\f';
    if (c != 'u')
        return true;
    int32_t unit = unit_at(*p, end);
    if (unit < 0)
        return false;
    *p += 4;
    *code = (uint32_t)unit;
    if (unit >= 0xd800 && unit < 0xdc00 && end - *p >= 6 && (*p)[0] == '\\' && (*p)[1] == 'u') {
        int32_t low = unit_at(*p + 2, end);
        if (low >= 0xdc00 && low < 0xe000) {
            *p += 6;
            *code = 0x10000 + ((uint32_t)(unit - 0xd800) << 10) + (uint32_t)(low - 0xdc00);
        }
    }
    return true;
}

static char *decode(const char *p, const char *end)
{
    struct logical out = {0};
    while (p < end) {
        uint32_t code = (uint8_t)*p++;
        if (code == '\\' && p < end && !unescape(&p, end, &code)) {
            vec_free(&out);
            return NULL;
        }
        vec_reserve(&out, 5);
        out.n += utf8_put(out.v + out.n, code != 0 ? code : 0xfffd);
    }
    vec_push(&out, '\0');
    return out.v;
}

static bool split(const struct logical *line, int64_t begins, struct properties *properties)
{
    const char *p = line->v, *end = line->v + line->n;
    bool escaped = false;
    while (p < end && (escaped || (!is_blank((uint8_t)*p) && *p != '=' && *p != ':'))) {
        escaped = *p == '\\' && !escaped;
        p++;
    }
    const char *value = p;
    while (value < end && is_blank((uint8_t)*value))
        value++;
    if (value < end && (*value == '=' || *value == ':'))
        value++;
    while (value < end && is_blank((uint8_t)*value))
        value++;
    struct property property = {.key = decode(line->v, p), .line = begins};
    property.value = property.key != NULL ? decode(value, end) : NULL;
    if (property.value == NULL) {
        free(property.key);
        return false;
    }
    vec_push(properties, property);
    return true;
}

enum status properties_read(const uint8_t *bytes, size_t length, struct properties *properties, struct error *err)
{
    struct reader reader = {bytes, bytes + length, 1};
    struct logical line = {0};
    enum status status = STATUS_OK;
    int64_t begins = 0;
    *properties = (struct properties){0};
    while (status == STATUS_OK && next_logical(&reader, &line, &begins)) {
        if (!split(&line, begins, properties)) {
            status = error_set(err, STATUS_INVALID, "\\u needs four hexadecimal digits");
            error_on_line(err, begins);
        }
    }
    vec_free(&line);
    return status;
}

void properties_free(struct properties *properties)
{
    for (size_t i = 0; i < properties->n; i++) {
        free(properties->v[i].key);
        free(properties->v[i].value);
    }
    vec_free(properties);
}

const struct property *properties_find(const struct properties *properties, const char *key)
{
    for (size_t i = properties->n; i > 0; i--)
        if (strcmp(properties->v[i - 1].key, key) == 0)
            return &properties->v[i - 1];
    return NULL;
}
