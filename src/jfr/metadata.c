/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metadata event: a table of strings, then a tree of elements whose names and attributes are indexes into it.
 *
 *   start, duration, metadata id | string count, strings | root element
 *   element: name, attribute count, (name, value)*, child count, element*
 *   root > metadata > class (name, id, superType, simpleType) > field (name, class, constantPool, dimension)
 *                                                             > annotation, also below field (class, value)
 *
 * OpenJDK: src/jdk.jfr/share/classes/jdk/jfr/internal/MetadataReader.java. */
#include "metadata.h"
#include "poolspec.h"
#include "strings.h"

#include "joular/text.h"

#define MAX_DEPTH 16

bool jfr_text_is(struct jfr_text text, const char *literal)
{
    return text.p != NULL && text.n == strlen(literal) && memcmp(text.p, literal, text.n) == 0;
}

struct annotation {
    size_t type, field;       /* positions of the annotated field's class and of the field */
    uint64_t annotation_type; /* id of a type that may be defined later */
    struct jfr_text value;
};

struct tree {
    struct span s;
    struct arena *arena;
    bool compressed;
    struct jfr_text *strings;
    uint64_t string_count;
    VEC(struct jfr_type) types;
    VEC(struct jfr_field) fields; /* of the current class */
    VEC(struct annotation) annotations;
};

struct attributes {
    struct jfr_text name, id, type, value, pool, dimension, simple;
};

static struct jfr_text tree_string(struct tree *t)
{
    uint64_t index = jfr_uint(&t->s, t->compressed, 4);
    if (index >= t->string_count) {
        span_fail(&t->s);
        return (struct jfr_text){0};
    }
    return t->strings[index];
}

static bool number_of(struct jfr_text text, uint64_t *number)
{
    int64_t value;
    if (text.p == NULL || !text_to_i64(text.p, text.n, &value))
        return false;
    *number = (uint64_t)value;
    return true;
}

static void read_attributes(struct tree *t, struct attributes *a)
{
    static const struct {
        const char *name;
        size_t at;
    } known[] = {
        {"name", offsetof(struct attributes, name)},         {"id", offsetof(struct attributes, id)},
        {"class", offsetof(struct attributes, type)},        {"value", offsetof(struct attributes, value)},
        {"constantPool", offsetof(struct attributes, pool)}, {"dimension", offsetof(struct attributes, dimension)},
        {"simpleType", offsetof(struct attributes, simple)},
    };
    *a = (struct attributes){0};
    uint64_t count = jfr_uint(&t->s, t->compressed, 4);
    for (uint64_t i = 0; i < count && !t->s.bad; i++) {
        struct jfr_text name = tree_string(t), value = tree_string(t);
        for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
            if (jfr_text_is(name, known[k].name))
                *(struct jfr_text *)(void *)((char *)a + known[k].at) = value;
    }
}

static enum jfr_base base_of(struct jfr_text name)
{
    static const struct {
        const char *name;
        enum jfr_base base;
    } bases[] = {{"boolean", BASE_BOOLEAN}, {"byte", BASE_BYTE},     {"char", BASE_CHAR},
                 {"short", BASE_SHORT},     {"int", BASE_INT},       {"long", BASE_LONG},
                 {"float", BASE_FLOAT},     {"double", BASE_DOUBLE}, {"java.lang.String", BASE_STRING}};
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++)
        if (jfr_text_is(name, bases[i].name))
            return bases[i].base;
    return BASE_NONE;
}

static int pool_of(struct jfr_text name)
{
    for (int pool = 0; pool < POOL_COUNT; pool++)
        if (jfr_text_is(name, jfr_pool_specs[pool].type))
            return pool;
    return -1;
}

enum place {
    IN_ROOT,
    IN_CLASS,
    IN_FIELD,
    IN_OTHER
};

static void read_element(struct tree *t, enum place parent, unsigned depth)
{
    struct attributes a;
    struct jfr_text element = tree_string(t);
    read_attributes(t, &a);
    enum place here = parent == IN_ROOT ? IN_ROOT : IN_OTHER;
    uint64_t number;
    if (t->s.bad || depth > MAX_DEPTH) {
        span_fail(&t->s);
        return;
    }
    if (parent == IN_ROOT && jfr_text_is(element, "class") && number_of(a.id, &number)) {
        here = IN_CLASS;
        struct jfr_type type = {.id = number, .name = a.name, .base = base_of(a.name), .pool = pool_of(a.name)};
        vec_push(&t->types, type);
        t->fields.n = 0;
    } else if (parent == IN_CLASS && jfr_text_is(element, "field") && number_of(a.type, &number)) {
        here = IN_FIELD;
        struct jfr_field field = {.name = a.name, .type_id = number, .pool = a.pool.p != NULL};
        uint64_t dimension = 0;
        field.array = number_of(a.dimension, &dimension) && dimension > 0;
        vec_push(&t->fields, field);
    } else if (parent == IN_FIELD && jfr_text_is(element, "annotation") && number_of(a.type, &number)) {
        struct annotation mark = {t->types.n - 1, t->fields.n - 1, number, a.value};
        vec_push(&t->annotations, mark);
    }
    uint64_t children = jfr_uint(&t->s, t->compressed, 4);
    for (uint64_t i = 0; i < children && !t->s.bad; i++)
        read_element(t, here, depth + 1);
    if (here == IN_CLASS && !t->s.bad) {
        struct jfr_type *type = &t->types.v[t->types.n - 1];
        struct jfr_field *fields = arena_alloc(t->arena, t->fields.n * sizeof *fields);
        if (t->fields.n != 0)
            memcpy(fields, t->fields.v, t->fields.n * sizeof *fields);
        type->fields = fields;
        type->field_count = t->fields.n;
    }
}

static enum jfr_unit unit_of(struct jfr_text annotation, struct jfr_text value)
{
    static const struct {
        const char *annotation, *value;
        enum jfr_unit unit;
    } units[] = {
        {"jdk.jfr.Timestamp", "TICKS", UNIT_TIME_TICKS},
        {"jdk.jfr.Timestamp", "NANOSECONDS_SINCE_EPOCH", UNIT_TIME_NS},
        {"jdk.jfr.Timestamp", "MILLISECONDS_SINCE_EPOCH", UNIT_TIME_MS},
        {"jdk.jfr.Timespan", "TICKS", UNIT_SPAN_TICKS},
        {"jdk.jfr.Timespan", "NANOSECONDS", UNIT_SPAN_NS},
        {"jdk.jfr.Timespan", "MICROSECONDS", UNIT_SPAN_US},
        {"jdk.jfr.Timespan", "MILLISECONDS", UNIT_SPAN_MS},
        {"jdk.jfr.Timespan", "SECONDS", UNIT_SPAN_S},
    };
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (jfr_text_is(annotation, units[i].annotation) && jfr_text_is(value, units[i].value))
            return units[i].unit;
    return UNIT_NONE;
}

struct jfr_type *jfr_type_by_id(const struct jfr_metadata *metadata, uint64_t id)
{
    uint32_t index = map64_get(&metadata->by_id, id);
    return index != MAP_NONE ? &metadata->types[index] : NULL;
}

static void connect(struct jfr_metadata *metadata, struct tree *t)
{
    metadata->type_count = t->types.n;
    metadata->types = arena_alloc(t->arena, t->types.n * sizeof *metadata->types);
    if (t->types.n != 0)
        memcpy(metadata->types, t->types.v, t->types.n * sizeof *metadata->types);
    for (size_t i = 0; i < metadata->type_count; i++)
        map64_put(&metadata->by_id, metadata->types[i].id, (uint32_t)i);
    for (size_t i = 0; i < metadata->type_count; i++) {
        struct jfr_field *fields = (struct jfr_field *)(uintptr_t)metadata->types[i].fields;
        for (size_t f = 0; f < metadata->types[i].field_count; f++)
            fields[f].type = jfr_type_by_id(metadata, fields[f].type_id);
    }
    for (size_t i = 0; i < t->annotations.n; i++) {
        const struct annotation *mark = &t->annotations.v[i];
        const struct jfr_type *type = jfr_type_by_id(metadata, mark->annotation_type);
        enum jfr_unit unit = type != NULL ? unit_of(type->name, mark->value) : UNIT_NONE;
        if (unit != UNIT_NONE)
            ((struct jfr_field *)(uintptr_t)metadata->types[mark->type].fields)[mark->field].unit = unit;
    }
}

static bool read_tree(struct jfr_metadata *metadata, struct arena *arena, struct span content, bool compressed)
{
    struct tree t = {.s = content, .arena = arena, .compressed = compressed};
    t.string_count = jfr_uint(&t.s, compressed, 4);
    if (t.string_count > span_left(&t.s))
        span_fail(&t.s);
    if (!t.s.bad) {
        t.strings = arena_array(arena, (size_t)t.string_count, sizeof *t.strings);
        uint64_t key;
        for (uint64_t i = 0; i < t.string_count; i++)
            t.strings[i] = jfr_read_text(&t.s, compressed, arena, &key);
        read_element(&t, IN_ROOT, 0);
    }
    bool good = !t.s.bad && t.types.n != 0;
    if (good)
        connect(metadata, &t);
    vec_free(&t.types);
    vec_free(&t.fields);
    vec_free(&t.annotations);
    return good;
}

enum status jfr_metadata_read(struct jfr_metadata *metadata, struct arena *arena, struct span content, bool compressed,
                              struct error *err)
{
    map64_clear(&metadata->by_id);
    metadata->types = NULL;
    metadata->type_count = 0;
    /* HotSpot writes metadata as Java gives it, with varints even in a chunk without them; other writers do not. */
    if (read_tree(metadata, arena, content, compressed) || (!compressed && read_tree(metadata, arena, content, true)))
        return STATUS_OK;
    return error_set(err, STATUS_INVALID, "the metadata event cannot be understood");
}
