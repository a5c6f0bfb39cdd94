/* SPDX-License-Identifier: GPL-3.0-or-later */
/* joular-attribution(7), section 1: names of methods. */
#include "methodname.h"

static void put(struct name_buffer *buffer, const char *bytes, size_t length)
{
    vec_reserve(buffer, length);
    if (length != 0)
        memcpy(buffer->v + buffer->n, bytes, length);
    buffer->n += length;
}

static void put_dotted(struct name_buffer *buffer, const char *bytes, size_t length)
{
    size_t from = buffer->n;
    put(buffer, bytes, length);
    for (char *slash; length != 0 && (slash = memchr(buffer->v + from, '/', buffer->n - from)) != NULL;) {
        *slash = '.';
        from = (size_t)(slash - buffer->v) + 1;
    }
}

static size_t hex_digits(const char *p, const char *end)
{
    const char *start = p;
    while (p < end && ((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'f')))
        p++;
    return (size_t)(p - start);
}

/* ^(.*?)[+/](0x[0-9a-f]+)(/[0-9]+)?$ : returns where [+/] is, and the length of the second group; NULL for no match. */
static const char *hidden_suffix(struct jfr_text name, size_t *address)
{
    const char *end = name.p + name.n;
    for (const char *zero = name.n != 0 ? name.p + 1 : end; (zero = memchr(zero, '0', (size_t)(end - zero))) != NULL;
         zero++) {
        const char *p = zero - 1;
        if ((*p != '+' && *p != '/') || end - zero < 3 || zero[1] != 'x')
            continue;
        size_t digits = hex_digits(zero + 2, end);
        const char *rest = zero + 2 + digits;
        if (digits == 0)
            continue;
        *address = 2 + digits;
        if (rest == end)
            return p;
        if (*rest == '/' && rest + 1 < end) {
            for (rest++; rest < end && *rest >= '0' && *rest <= '9';)
                rest++;
            if (rest == end)
                return p;
        }
    }
    return NULL;
}

static void put_unknown(struct name_buffer *buffer)
{
    put(buffer, "[unknown]", 9);
}

void method_name(struct name_buffer *buffer, const struct jfr_method *method)
{
    if (!method->has_class || method->class_name.p == NULL) {
        put_unknown(buffer);
    } else {
        size_t address = 0;
        const char *suffix = hidden_suffix(method->class_name, &address);
        if (suffix != NULL) {
            put_dotted(buffer, method->class_name.p, (size_t)(suffix - method->class_name.p));
            put(buffer, "/", 1);
            put(buffer, suffix + 1, address);
        } else {
            put_dotted(buffer, method->class_name.p, method->class_name.n);
        }
    }
    put(buffer, ".", 1);
    if (method->name.p == NULL)
        put_unknown(buffer);
    else
        put(buffer, method->name.p, method->name.n);
}
