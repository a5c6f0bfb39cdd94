/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads report.json into a result. Numbers of names, branches and threads are checked here, and need no check later. */
#include "jsonkeys.h"

#include "joular/text.h"

#include <json-c/json.h>
#include <limits.h>
#include <math.h>

struct reading {
    struct result *r;
    struct error *err;
};

static bool wrong(struct reading *reading, const char *key, const char *what)
{
    error_set(reading->err, STATUS_INVALID, "\"%s\" %s", key, what);
    return false;
}

static struct json_object *member(struct reading *reading, struct json_object *object, const char *key,
                                  enum json_type type)
{
    struct json_object *value;
    if (json_object_object_get_ex(object, key, &value) && json_object_is_type(value, type))
        return value;
    wrong(reading, key, "is missing or of another type");
    return NULL;
}

static bool name_number(struct reading *reading, struct json_object *value, const char *key, uint32_t *name)
{
    if (!json_object_is_type(value, json_type_string))
        return wrong(reading, key, "is no text");
    *name = intern_bytes(&reading->r->names, json_object_get_string(value), (size_t)json_object_get_string_len(value));
    return true;
}

/* json-c reads Infinity and NaN too. */
static bool is_number(struct json_object *value)
{
    return (json_object_is_type(value, json_type_double) || json_object_is_type(value, json_type_int)) &&
           isfinite(json_object_get_double(value));
}

static bool is_count(struct json_object *value)
{
    return json_object_is_type(value, json_type_int) && json_object_get_int64(value) >= 0;
}

static bool take(struct reading *reading, void *base, const struct json_key *key, struct json_object *value)
{
    void *p = (char *)base + key->at;
    const char *word;
    enum json_kind kind = json_kind_of(key);
    switch (kind) {
    case JSON_DOUBLE:
    case JSON_MAYBE:
        if (!is_number(value) && (value != NULL || kind == JSON_DOUBLE))
            return wrong(reading, key->name, "is no number");
        *(double *)p = value != NULL ? json_object_get_double(value) : (double)NAN;
        return true;
    case JSON_I64:
    case JSON_U64:
    case JSON_INT:
        if (!json_object_is_type(value, json_type_int))
            return wrong(reading, key->name, "is no whole number");
        if (kind == JSON_U64 && !is_count(value))
            return wrong(reading, key->name, "is below 0");
        if (kind == JSON_I64)
            *(int64_t *)p = json_object_get_int64(value);
        else if (kind == JSON_U64)
            *(uint64_t *)p = json_object_get_uint64(value);
        else
            *(int *)p = json_object_get_int(value);
        return true;
    case JSON_BOOL:
        if (!json_object_is_type(value, json_type_boolean))
            return wrong(reading, key->name, "is neither true nor false");
        *(bool *)p = json_object_get_boolean(value);
        return true;
    case JSON_OWNED:
        if (value != NULL && !json_object_is_type(value, json_type_string))
            return wrong(reading, key->name, "is no text");
        free(*(char **)p);
        *(char **)p = value != NULL ? mem_strdup(json_object_get_string(value)) : NULL;
        return true;
    case JSON_NAME:
        return name_number(reading, value, key->name, p);
    case JSON_WORD:
        word = json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
        for (uint32_t i = 0; key->words[i] != NULL; i++) {
            if (strcmp(word, key->words[i]) == 0) {
                memcpy(p, &i, sizeof i);
                return true;
            }
        }
        return wrong(reading, key->name, "is a word that is not known");
    }
    return false;
}

static bool take_object(struct reading *reading, struct json_object *object, void *base, const struct json_key *keys)
{
    for (; keys->name != NULL; keys++) {
        struct json_object *value;
        if (!json_object_object_get_ex(object, keys->name, &value)) {
            if ((keys->kind & JSON_ADDED) != 0)
                continue;
            return wrong(reading, keys->name, "is missing");
        }
        if (!take(reading, base, keys, value))
            return false;
    }
    return true;
}

static bool take_member(struct reading *reading, struct json_object *root, const char *key, const struct json_key *keys)
{
    struct json_object *object = member(reading, root, key, json_type_object);
    return object != NULL && take_object(reading, object, reading->r, keys);
}

#define TAKE_LIST(reading, root, key, vec, keys)                                                       \
    do {                                                                                               \
        struct json_object *list_ = member(reading, root, key, json_type_array);                       \
        size_t count_ = list_ != NULL ? json_object_array_length(list_) : 0;                           \
        for (size_t i_ = 0; i_ < count_ && (reading)->err->status == STATUS_OK; i_++) {                \
            vec_reserve(vec, 1);                                                                       \
            memset(&(vec)->v[(vec)->n], 0, sizeof(vec)->v[0]);                                         \
            if (take_object(reading, json_object_array_get_idx(list_, i_), &(vec)->v[(vec)->n], keys)) \
                (vec)->n++;                                                                            \
        }                                                                                              \
    } while (0)

static bool below(struct reading *reading, struct json_object *value, size_t limit, const char *key, uint32_t *out)
{
    int64_t number = json_object_is_type(value, json_type_int) ? json_object_get_int64(value) : -1;
    if (number < 0 || (uint64_t)number >= limit)
        return wrong(reading, key, "holds a number that is none of a name, branch or thread");
    *out = (uint32_t)number;
    return true;
}

static bool read_names(struct reading *reading, struct json_object *root)
{
    struct json_object *names = member(reading, root, "names", json_type_array);
    size_t count = names != NULL ? json_object_array_length(names) : 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t name;
        if (!name_number(reading, json_object_array_get_idx(names, i), "names", &name))
            return false;
        if (name != i)
            return wrong(reading, "names", "has one name twice");
    }
    return names != NULL;
}

/* By native row: the number of its branch, or UINT32_MAX. */
static bool read_natives(struct reading *reading, struct json_object *root, size_t count, uint32_t natives[NATIVE_ROWS])
{
    struct json_object *object = member(reading, root, "native_branches", json_type_object);
    for (int row = 0; row < NATIVE_ROWS; row++) {
        struct json_object *number;
        natives[row] = UINT32_MAX;
        if (object == NULL || !json_object_object_get_ex(object, native_row_names[row], &number))
            continue;
        if (!below(reading, number, count, "native_branches", &natives[row]))
            return false;
        for (int other = 0; other < row; other++)
            if (natives[other] == natives[row])
                return wrong(reading, "native_branches", "has a branch twice");
    }
    return object != NULL;
}

static bool read_branches(struct reading *reading, struct json_object *root)
{
    struct result *r = reading->r;
    struct json_object *branches = member(reading, root, "branches", json_type_array);
    uint32_t natives[NATIVE_ROWS];
    size_t count = branches != NULL ? json_object_array_length(branches) : 0;
    VEC(uint32_t) frames = {0};
    bool good = branches != NULL && read_natives(reading, root, count, natives);
    for (size_t b = 0; b < count && good; b++) {
        struct json_object *list = json_object_array_get_idx(branches, b);
        size_t depth = json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
        int native = -1;
        frames.n = 0;
        for (size_t f = 0; f < depth && good; f++) {
            uint32_t name = 0;
            good = below(reading, json_object_array_get_idx(list, f), r->names.texts.n, "branches", &name);
            vec_push(&frames, name);
        }
        for (int row = 0; row < NATIVE_ROWS; row++)
            if (natives[row] == b)
                native = row;
        if (good && (depth == 0 || branch_set_add(&r->branches, frames.v, frames.n, native) != b))
            good = wrong(reading, "branches", "has a branch twice, or one without frames");
    }
    vec_free(&frames);
    return good;
}

static bool read_uses(struct reading *reading, struct json_object *root)
{
    struct result *r = reading->r;
    struct json_object *cpu = member(reading, root, "branch_cpu_ns", json_type_array);
    struct json_object *samples = member(reading, root, "branch_samples", json_type_array);
    if (cpu == NULL || samples == NULL)
        return false;
    if (json_object_array_length(cpu) != r->branches.list.n || json_object_array_length(samples) != r->branches.list.n)
        return wrong(reading, "branch_cpu_ns", "or branch_samples is not as long as branches");
    for (size_t b = 0; b < r->branches.list.n; b++) {
        struct json_object *ns = json_object_array_get_idx(cpu, b), *number = json_object_array_get_idx(samples, b);
        if (!is_number(ns) || json_object_get_double(ns) < 0)
            return wrong(reading, "branch_cpu_ns", "holds what is no number of at least 0");
        if (!is_count(number))
            return wrong(reading, "branch_samples", "holds what is no whole number of at least 0");
        vec_push(&r->uses, ((struct result_use){json_object_get_double(ns), json_object_get_uint64(number)}));
    }
    return true;
}

static bool read_weights(struct reading *reading, struct json_object *root)
{
    struct result *r = reading->r;
    struct json_object *weights = member(reading, root, "weights", json_type_array);
    size_t count = weights != NULL ? json_object_array_length(weights) : 0;
    for (size_t i = 0; i < count; i++) {
        struct json_object *row = json_object_array_get_idx(weights, i);
        struct result_weight weight = {0};
        if (!json_object_is_type(row, json_type_array) || json_object_array_length(row) != 3 ||
            !is_number(json_object_array_get_idx(row, 2)) ||
            json_object_get_double(json_object_array_get_idx(row, 2)) < 0)
            return wrong(reading, "weights", "has a row that is not thread, branch, weight");
        if (!below(reading, json_object_array_get_idx(row, 0), r->threads.n, "weights", &weight.thread) ||
            !below(reading, json_object_array_get_idx(row, 1), r->branches.list.n, "weights", &weight.branch))
            return false;
        weight.weight_ns = json_object_get_double(json_object_array_get_idx(row, 2));
        vec_push(&r->weights, weight);
    }
    result_merge_weights(r);
    return weights != NULL;
}

static bool read_rows(struct reading *reading, struct json_object *cycle)
{
    struct result *r = reading->r;
    struct json_object *rows = member(reading, cycle, "rows", json_type_array);
    size_t count = rows != NULL ? json_object_array_length(rows) : 0;
    if (rows == NULL || count % 2 != 0)
        return wrong(reading, "rows", "is not branch, joules, branch, joules ...");
    for (size_t i = 0; i < count; i += 2) {
        struct json_object *energy = json_object_array_get_idx(rows, i + 1);
        struct result_row row = {0};
        if (!below(reading, json_object_array_get_idx(rows, i), r->branches.list.n, "rows", &row.branch))
            return false;
        row.energy_j = is_number(energy) ? json_object_get_double(energy) : -1;
        if (!(row.energy_j >= 0))
            return wrong(reading, "rows", "has an energy that is no number of at least 0");
        vec_push(&r->rows, row);
    }
    return true;
}

static bool read_cycles(struct reading *reading, struct json_object *root)
{
    struct result *r = reading->r;
    struct json_object *cycles = member(reading, root, "cycles", json_type_array);
    size_t count = cycles != NULL ? json_object_array_length(cycles) : 0;
    for (size_t i = 0; i < count; i++) {
        struct json_object *object = json_object_array_get_idx(cycles, i);
        struct result_cycle cycle = {0};
        if (!take_object(reading, object, &cycle, json_cycle) || !read_rows(reading, object))
            return false;
        if (cycle.interval_ns <= 0)
            return wrong(reading, "interval_ns", "is not above 0");
        cycle.rows = r->rows.n;
        vec_push(&r->cycles, cycle);
    }
    return cycles != NULL;
}

/* Reads the run of each item. */
static bool read_run_of(struct reading *reading, struct json_object *root, const char *key, void *items, size_t count,
                        size_t size, size_t at)
{
    struct json_object *list = member(reading, root, key, json_type_array);
    if (list == NULL)
        return false;
    if (json_object_array_length(list) != count)
        return wrong(reading, key, "is not as long as the list that it belongs to");
    for (size_t i = 0; i < count; i++) {
        uint32_t run = 0;
        if (!below(reading, json_object_array_get_idx(list, i), reading->r->runs.n, key, &run))
            return false;
        memcpy((char *)items + i * size + at, &run, sizeof run);
    }
    return true;
}

/* Only merged results have these keys. */
static bool read_runs(struct reading *reading, struct json_object *root)
{
    struct result *r = reading->r;
    if (!json_object_object_get_ex(root, "runs", NULL))
        return true;
    TAKE_LIST(reading, root, "runs", &r->runs, json_run);
    if (reading->err->status == STATUS_OK && r->runs.n == 0)
        return wrong(reading, "runs", "is empty");
    return reading->err->status == STATUS_OK &&
           read_run_of(reading, root, "thread_runs", r->threads.v, r->threads.n, sizeof *r->threads.v,
                       offsetof(struct result_thread, run)) &&
           read_run_of(reading, root, "gc_pause_runs", r->pauses.v, r->pauses.n, sizeof *r->pauses.v,
                       offsetof(struct result_pause, run)) &&
           read_run_of(reading, root, "cycle_runs", r->cycles.v, r->cycles.n, sizeof *r->cycles.v,
                       offsetof(struct result_cycle, run));
}

static bool read_root(struct reading *reading, struct json_object *root)
{
    struct result *r = reading->r;
    struct json_object *schema = member(reading, root, "schema", json_type_string);
    if (schema == NULL)
        return false;
    if (strcmp(json_object_get_string(schema), REPORT_SCHEMA) != 0) {
        error_set(reading->err, STATUS_UNSUPPORTED, "is a report of schema \"%s\", and " REPORT_SCHEMA " is read here",
                  json_object_get_string(schema));
        return false;
    }
    if (!read_names(reading, root))
        return false;
    TAKE_LIST(reading, root, "without_power", &r->without_power, json_status);
    TAKE_LIST(reading, root, "methods", &r->methods, json_method);
    TAKE_LIST(reading, root, "threads", &r->threads, json_thread);
    TAKE_LIST(reading, root, "gc_pauses", &r->pauses, json_pause);
    return reading->err->status == STATUS_OK && take_member(reading, root, "facts", json_facts) &&
           take_member(reading, root, "totals", json_totals) && take_member(reading, root, "samples", json_samples) &&
           take_member(reading, root, "quality", json_quality) && take_member(reading, root, "damage", json_damage) &&
           read_branches(reading, root) && read_uses(reading, root) && read_weights(reading, root) &&
           read_cycles(reading, root) && read_runs(reading, root);
}

static char *put_escape(char *to, uint32_t unit)
{
    static const char digits[] = "0123456789abcdef";
    *to++ = '\\';
    *to++ = 'u';
    for (int shift = 12; shift >= 0; shift -= 4)
        *to++ = digits[unit >> shift & 15];
    return to;
}

/* The same JSON without bytes above 127, or NULL where it has none: json-c 0.18 with JSON_TOKENER_STRICT refuses each
 * of them in a string, since it looks for controls with a char that is signed. A backslash before such a character is
 * an error, and stays one. */
static char *as_ascii(const uint8_t *utf8, size_t *length)
{
    const uint8_t *end = utf8 + *length;
    size_t room = *length;
    for (const uint8_t *p = utf8; p < end; p++)
        room += *p >= 0xf0 ? 12 - 4 : *p >= 0xe0 ? 6 - 3 : *p >= 0xc0 ? 6 - 2 : 0;
    if (room == *length)
        return NULL;
    char *ascii = mem_alloc(room), *to = ascii;
    bool escaped = false;
    while (utf8 < end) {
        unsigned n = utf8_length(utf8, end);
        if (n == 1 || escaped) {
            escaped = *utf8 == '\\' && !escaped;
            memcpy(to, utf8, n);
            to += n;
        } else {
            uint32_t code = *utf8 & (0x7fu >> n);
            for (unsigned i = 1; i < n; i++)
                code = code << 6 | (utf8[i] & 0x3f);
            if (code >= 0x10000) {
                to = put_escape(to, 0xd800 + ((code - 0x10000) >> 10));
                code = 0xdc00 | (code & 0x3ff);
            }
            to = put_escape(to, code);
        }
        utf8 += n;
    }
    *length = (size_t)(to - ascii);
    return ascii;
}

static enum status read_ascii(struct reading *reading, const char *json, size_t length)
{
    struct error *err = reading->err;
    if (length > INT_MAX)
        return error_set(err, STATUS_UNSUPPORTED, "is larger than %d bytes", INT_MAX);
    struct json_tokener *tokener = json_tokener_new_ex(16);
    if (tokener == NULL)
        return error_set(err, STATUS_IO, "json-c cannot be set up");
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
    struct json_object *root = json_tokener_parse_ex(tokener, json, (int)length);
    enum json_tokener_error why = json_tokener_get_error(tokener);
    if (why == json_tokener_continue)
        error_set(err, STATUS_TRUNCATED, "is cut: it ends in the middle of its JSON");
    else if (why != json_tokener_success)
        error_set(err, STATUS_INVALID, "is no JSON: %s", json_tokener_error_desc(why));
    else if (!json_object_is_type(root, json_type_object))
        error_set(err, STATUS_INVALID, "is no JSON object");
    else
        read_root(reading, root);
    json_object_put(root);
    json_tokener_free(tokener);
    return err->status;
}

enum status result_read_json(const uint8_t *bytes, size_t length, struct result *result, struct error *err)
{
    *result = (struct result){0};
    if (length == 0)
        return error_set(err, STATUS_TRUNCATED, "is empty");
    if (!utf8_valid(bytes, length)) /* json-c takes any bytes */
        return error_set(err, STATUS_INVALID, "is no JSON: it is not text in UTF-8");
    struct reading reading = {result, err};
    char *ascii = as_ascii(bytes, &length);
    if (read_ascii(&reading, ascii != NULL ? ascii : (const char *)bytes, length) != STATUS_OK)
        result_free(result);
    free(ascii);
    return err->status;
}
