/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "joular/text.h"

#include "joular/status.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

unsigned utf8_length(const unsigned char *p, const unsigned char *end)
{
    size_t left = (size_t)(end - p);
    if (left == 0)
        return 0;
    if (p[0] < 0x80)
        return 1;
    if (p[0] >= 0xc2 && p[0] <= 0xdf)
        return left >= 2 && (p[1] & 0xc0) == 0x80 ? 2 : 0;
    if ((p[0] & 0xf0) == 0xe0) {
        if (left < 3 || (p[1] & 0xc0) != 0x80 || (p[2] & 0xc0) != 0x80)
            return 0;
        return (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ? 0 : 3;
    }
    if (p[0] >= 0xf0 && p[0] <= 0xf4) {
        if (left < 4 || (p[1] & 0xc0) != 0x80 || (p[2] & 0xc0) != 0x80 || (p[3] & 0xc0) != 0x80)
            return 0;
        return (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f) ? 0 : 4;
    }
    return 0;
}

unsigned utf8_put(char *buffer, uint32_t code)
{
    unsigned char *b = (unsigned char *)buffer;
    if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff)
        code = 0xfffd;
    if (code < 0x80) {
        b[0] = (unsigned char)code;
        return 1;
    }
    if (code < 0x800) {
        b[0] = (unsigned char)(0xc0 | code >> 6);
        b[1] = (unsigned char)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code < 0x10000) {
        b[0] = (unsigned char)(0xe0 | code >> 12);
        b[1] = (unsigned char)(0x80 | (code >> 6 & 0x3f));
        b[2] = (unsigned char)(0x80 | (code & 0x3f));
        return 3;
    }
    b[0] = (unsigned char)(0xf0 | code >> 18);
    b[1] = (unsigned char)(0x80 | (code >> 12 & 0x3f));
    b[2] = (unsigned char)(0x80 | (code >> 6 & 0x3f));
    b[3] = (unsigned char)(0x80 | (code & 0x3f));
    return 4;
}

bool utf8_valid(const void *bytes, size_t length)
{
    const unsigned char *p = bytes, *end = p + length;
    while (p < end) {
        unsigned n = utf8_length(p, end);
        if (n == 0)
            return false;
        p += n;
    }
    return true;
}

size_t utf8_repair(char *buffer, const void *bytes, size_t length)
{
    const unsigned char *p = bytes, *end = p + length;
    size_t used = 0;
    while (p < end) {
        unsigned n = utf8_length(p, end);
        if (n != 0)
            memcpy(buffer + used, p, n);
        used += n != 0 ? n : utf8_put(buffer + used, 0xfffd);
        p += n != 0 ? n : 1;
    }
    return used;
}

/* False for control characters, and for characters that reorder or hide the text around them (Unicode "bidi controls",
 * UAX 9, and line and paragraph separators): a name must not be able to change the rest of the line that shows it. */
static bool harmless(const unsigned char *p, unsigned n)
{
    if (n == 1)
        return p[0] >= 0x20 && p[0] != 0x7f;
    if (n == 2)
        return !(p[0] == 0xc2 && p[1] < 0xa0) && !(p[0] == 0xd8 && p[1] == 0x9c);
    if (n == 3 && p[0] == 0xe2)
        return !((p[1] == 0x80 && ((p[2] >= 0x8e && p[2] <= 0x8f) || (p[2] >= 0xa8 && p[2] <= 0xae))) ||
                 (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9));
    return true;
}

size_t text_printable(char *buffer, size_t size, const char *source, size_t length)
{
    const unsigned char *p = (const unsigned char *)source, *end = p + length;
    size_t used = 0;
    if (size == 0)
        return 0;
    while (p < end) {
        unsigned n = utf8_length(p, end);
        char escaped[5] = "";
        const char *piece = (const char *)p;
        unsigned piece_length = n;
        if (n == 0 || !harmless(p, n)) {
            piece = escaped;
            if (n == 1) {
                static const char digits[] = "0123456789abcdef";
                escaped[0] = '\\';
                escaped[1] = 'x';
                escaped[2] = digits[*p >> 4];
                escaped[3] = digits[*p & 15];
                piece_length = 4;
            } else {
                piece_length = utf8_put(escaped, 0xfffd);
            }
        }
        if (piece_length >= size - used)
            break;
        memcpy(buffer + used, piece, piece_length);
        used += piece_length;
        p += n != 0 ? n : 1;
    }
    buffer[used] = '\0';
    return used;
}

static bool copy_number(char *buffer, size_t size, const char *text, size_t length)
{
    if (length == 0 || length >= size)
        return false;
    for (size_t i = 0; i < length; i++)
        if (!((text[i] >= '0' && text[i] <= '9') || strchr("+-.eE", text[i]) != NULL) || text[i] == '\0')
            return false;
    memcpy(buffer, text, length);
    buffer[length] = '\0';
    return true;
}

/* For speed: only digits, and so few that they fit into an int64_t. */
static bool few_digits(const char *text, size_t length, int64_t *value)
{
    int64_t number = 0;
    if (length == 0 || length > 18)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        number = number * 10 + (text[i] - '0');
    }
    *value = number;
    return true;
}

bool text_to_i64(const char *text, size_t length, int64_t *value)
{
    char buffer[32], *end;
    if (few_digits(text, length, value))
        return true;
    if (!copy_number(buffer, sizeof buffer, text, length) || buffer[0] == '+')
        return false;
    errno = 0;
    *value = strtoll(buffer, &end, 10);
    return errno == 0 && *end == '\0';
}

bool text_to_double(const char *text, size_t length, double *value)
{
    char buffer[64], *end;
    if (!copy_number(buffer, sizeof buffer, text, length) || buffer[0] == '+')
        return false;
    *value = strtod(buffer, &end) + 0.0; /* makes -0 a 0 */
    return *end == '\0' && isfinite(*value);
}

bool text_to_size(const char *text, size_t length, uint64_t *bytes)
{
    static const char units[] = "KMGT";
    const char *unit = length != 0 ? strchr(units, text[length - 1]) : NULL;
    unsigned shift = unit != NULL && *unit != '\0' ? 10 * (unsigned)(unit - units + 1) : 0;
    int64_t number;
    if (!text_to_i64(text, length - (shift != 0), &number) || number <= 0 || number > INT64_MAX >> shift)
        return false;
    *bytes = (uint64_t)number << shift;
    return true;
}

bool text_to_time_ns(const char *text, size_t length, int64_t *ns)
{
    static const struct {
        const char *unit;
        int64_t ns;
    } units[] = {{"ns", 1},          {"us", 1000},         {"ms", 1000000},      {"s", 1000000000},
                 {"m", 60000000000}, {"h", 3600000000000}, {"d", 86400000000000}};
    size_t digits = 0, blank;
    while (digits < length && text[digits] >= '0' && text[digits] <= '9')
        digits++;
    int64_t number;
    if (!text_to_i64(text, digits, &number) || number <= 0)
        return false;
    for (blank = digits; blank < length && text[blank] == ' ';)
        blank++;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (length - blank == strlen(units[i].unit) && memcmp(text + blank, units[i].unit, length - blank) == 0)
            return !__builtin_mul_overflow(number, units[i].ns, ns);
    return false;
}
