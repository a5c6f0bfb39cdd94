/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "jfr_build.h"

size_t build_type_count(const struct build_type *types)
{
    size_t n = 0;
    while (types[n].name != NULL)
        n++;
    return n;
}

static void put(struct build_bytes *to, const void *bytes, size_t length)
{
    vec_reserve(to, length + 1);
    if (length != 0)
        memcpy(to->v + to->n, bytes, length);
    to->n += length;
}

static void put_be(struct build_bytes *to, uint64_t value, unsigned width)
{
    for (unsigned left = width; left > 0; left--) {
        uint8_t byte = (uint8_t)(value >> (8 * (left - 1)));
        put(to, &byte, 1);
    }
}

/* At least LEAST bytes, as the JDK pads its sizes. */
static void put_varint(struct build_bytes *to, uint64_t value, unsigned least)
{
    for (unsigned i = 1;; i++) {
        bool last = i == 9 || (value < 0x80 && i >= least);
        uint8_t byte = (uint8_t)(last ? value : (value & 0x7f) | 0x80);
        put(to, &byte, 1);
        if (last)
            return;
        value >>= 7;
    }
}

static void put_integer(struct build *b, struct build_bytes *to, uint64_t value, unsigned width)
{
    if (b->plain)
        put_be(to, value, width);
    else
        put_varint(to, value, 1);
}

void build_begin(struct build *b)
{
    *b = (struct build){.major = 2, .minor = 1, .size = -1, .start_ns = 1000000, .duration_ns = 5000};
    b->start_ticks = 100;
    b->ticks_per_second = 1000000000;
    uint8_t header[BUILD_HEADER] = {0};
    put(&b->out, header, sizeof header);
}

void build_next_chunk(struct build *b)
{
    uint8_t header[BUILD_HEADER] = {0};
    b->chunk_at = b->out.n;
    b->metadata_at = b->checkpoint_at = 0;
    put(&b->out, header, sizeof header);
}

void build_finish(struct build *b)
{
    struct build_bytes h = {0};
    bool has_state = b->major > 2 || (b->major == 2 && b->minor >= 1);
    put(&h, "FLR", 4);
    put_be(&h, b->major, 2);
    put_be(&h, b->minor, 2);
    put_be(&h, b->size >= 0 ? (uint64_t)b->size : b->out.n - b->chunk_at, 8);
    put_be(&h, (uint64_t)b->checkpoint_at, 8);
    put_be(&h, (uint64_t)b->metadata_at, 8);
    put_be(&h, (uint64_t)b->start_ns, 8);
    put_be(&h, (uint64_t)b->duration_ns, 8);
    put_be(&h, (uint64_t)b->start_ticks, 8);
    put_be(&h, (uint64_t)b->ticks_per_second, 8);
    put_be(&h, has_state ? b->state : 0, 1);
    put_be(&h, 0, 2);
    put_be(&h, !b->plain, 1);
    memcpy(b->out.v + b->chunk_at, h.v, BUILD_HEADER);
    vec_free(&h);
}

void build_free(struct build *b)
{
    vec_free(&b->out);
    vec_free(&b->body);
}

void build_event(struct build *b, uint64_t type)
{
    b->body.n = 0;
    b->event_at = b->out.n - b->chunk_at;
    b->event_type = type;
    put_integer(b, &b->body, type, 8);
}

void build_end(struct build *b)
{
    size_t width = 1;
    if (b->plain || b->padded)
        width = 4;
    else if (b->body.n + 1 >= 0x80)
        width = b->body.n + 2 >= 0x4000 ? 3 : 2;
    if (b->plain)
        put_be(&b->out, b->body.n + width, 4);
    else
        put_varint(&b->out, b->body.n + width, (unsigned)width);
    put(&b->out, b->body.v, b->body.n);
}

void build_u8(struct build *b, unsigned value)
{
    uint8_t byte = (uint8_t)value;
    put(&b->body, &byte, 1);
}

void build_short(struct build *b, int value)
{
    put_integer(b, &b->body, b->plain ? (uint64_t)value : (uint16_t)value, 2);
}

/* HotSpot widens an int as unsigned: a negative one is a varint of five bytes. */
void build_int(struct build *b, int64_t value)
{
    put_integer(b, &b->body, (uint32_t)value, 4);
}

void build_long(struct build *b, uint64_t value)
{
    put_integer(b, &b->body, value, 8);
}

void build_float(struct build *b, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_be(&b->body, bits, 4);
}

void build_double(struct build *b, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_be(&b->body, bits, 8);
}

void build_raw(struct build *b, const void *bytes, size_t length)
{
    put(&b->body, bytes, length);
}

void build_text(struct build *b, unsigned encoding, const char *bytes)
{
    build_u8(b, encoding);
    build_int(b, (int64_t)strlen(bytes));
    build_raw(b, bytes, strlen(bytes));
}

void build_utf16(struct build *b, const uint16_t *units, size_t count)
{
    build_u8(b, 4);
    build_int(b, (int64_t)count);
    for (size_t i = 0; i < count; i++)
        put_integer(b, &b->body, units[i], 2);
}

void build_text_key(struct build *b, uint64_t key)
{
    build_u8(b, 2);
    build_long(b, key);
}

/* The tree of a metadata event, its strings collected on the way. */
struct tree {
    struct build *b;
    VEC(const char *) strings;
    VEC(char *) numbers;
    struct build_bytes bytes;
};

static void tree_int(struct tree *t, uint64_t value)
{
    if (t->b->plain && !t->b->tree_varints)
        put_be(&t->bytes, value, 4);
    else
        put_varint(&t->bytes, value, 1);
}

static void tree_string(struct tree *t, const char *text)
{
    size_t i = 0;
    while (i < t->strings.n && strcmp(t->strings.v[i], text) != 0)
        i++;
    if (i == t->strings.n)
        vec_push(&t->strings, text);
    tree_int(t, i);
}

static void tree_pair(struct tree *t, const char *name, const char *value)
{
    tree_string(t, name);
    tree_string(t, value);
}

static const char *tree_number(struct tree *t, uint64_t number)
{
    char digits[24];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    vec_push(&t->numbers, mem_strdup(digits + at));
    return t->numbers.v[t->numbers.n - 1];
}

static const char *id_of(struct tree *t, const struct build_type *types, const char *name)
{
    for (; types->name != NULL; types++)
        if (strcmp(types->name, name) == 0)
            return tree_number(t, types->id + t->b->id_shift);
    return "9999";
}

static void tree_field(struct tree *t, const struct build_type *types, const struct build_field *field)
{
    tree_string(t, "field");
    tree_int(t, 2u + field->pool + field->array);
    tree_pair(t, "name", field->name);
    tree_pair(t, "class", id_of(t, types, field->type));
    if (field->pool)
        tree_pair(t, "constantPool", "true");
    if (field->array)
        tree_pair(t, "dimension", "1");
    tree_int(t, field->annotation != NULL);
    if (field->annotation != NULL) {
        tree_string(t, "annotation");
        tree_int(t, 2);
        tree_pair(t, "class", id_of(t, types, field->annotation));
        tree_pair(t, "value", field->unit);
        tree_int(t, 0);
    }
}

void build_metadata(struct build *b, const struct build_type *types)
{
    struct tree t = {.b = b};
    tree_string(&t, "root");
    tree_int(&t, 0);
    tree_int(&t, 2);
    tree_string(&t, "metadata");
    tree_int(&t, 0);
    tree_int(&t, build_type_count(types));
    for (const struct build_type *type = types; type->name != NULL; type++) {
        unsigned fields = 0;
        while (fields < sizeof type->fields / sizeof type->fields[0] && type->fields[fields].name != NULL)
            fields++;
        tree_string(&t, "class");
        tree_int(&t, 2);
        tree_pair(&t, "name", type->name);
        tree_pair(&t, "id", tree_number(&t, type->id + b->id_shift));
        tree_int(&t, fields);
        for (unsigned i = 0; i < fields; i++)
            tree_field(&t, types, &type->fields[i]);
    }
    tree_string(&t, "region");
    tree_int(&t, 1);
    tree_pair(&t, "gmtOffset", "0");
    tree_int(&t, 0);

    struct build_bytes kept;
    build_event(b, 0);
    b->metadata_at = (int64_t)b->event_at;
    for (int i = 0; i < 3; i++)
        build_long(b, 1);
    kept = t.bytes;
    t.bytes = (struct build_bytes){0};
    tree_int(&t, t.strings.n);
    for (size_t i = 0; i < t.strings.n; i++) {
        put(&t.bytes, "\3", 1);
        tree_int(&t, strlen(t.strings.v[i]));
        put(&t.bytes, t.strings.v[i], strlen(t.strings.v[i]));
    }
    build_raw(b, t.bytes.v, t.bytes.n);
    build_raw(b, kept.v, kept.n);
    build_end(b);
    for (size_t i = 0; i < t.numbers.n; i++)
        free(t.numbers.v[i]);
    vec_free(&t.numbers);
    vec_free(&t.strings);
    vec_free(&t.bytes);
    vec_free(&kept);
}

void build_checkpoint(struct build *b, unsigned pools)
{
    build_event(b, 1);
    int64_t before = b->checkpoint_at;
    b->checkpoint_at = (int64_t)b->event_at;
    build_long(b, 1);
    build_long(b, 0);
    build_long(b, before != 0 ? (uint64_t)(before - b->checkpoint_at) : 0);
    build_u8(b, 1);
    build_int(b, pools);
}

void build_pool(struct build *b, uint64_t type, uint64_t count)
{
    build_long(b, type + b->id_shift);
    build_int(b, (int64_t)count);
}
