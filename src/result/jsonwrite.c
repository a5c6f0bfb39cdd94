/* Writes a result as report.json, piece by piece, without a tree of it in memory. json-c does the escaping. */
#include "jsonkeys.h"

#include "joular/text.h"

#include <json-c/json.h>
#include <math.h>

static bool needs_escapes(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < 0x20 || text[i] == '"' || text[i] == '\\')
            return true;
    return false;
}

static void put_text(const char *text, size_t length, FILE *out)
{
    if (!needs_escapes(text, length)) {
        putc_unlocked('"', out);
        fwrite_unlocked(text, 1, length, out);
        putc_unlocked('"', out);
        return;
    }
    struct json_object *object = json_object_new_string_len(text, (int)length);
    fputs(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE), out);
    json_object_put(object);
}

static void put_double(double value, FILE *out)
{
    if (isfinite(value))
        decimal_write_general(out, value + 0.0, 17); /* -0 would be read as the integer 0 */
    else
        fputs("null", out);
}

static void put_value(const struct result *r, const void *base, const struct json_key *key, FILE *out)
{
    const void *p = (const char *)base + key->at;
    const char *owned = NULL;
    const struct intern_text *name;
    uint32_t word;
    switch (json_kind_of(key)) {
    case JSON_DOUBLE:
    case JSON_MAYBE:
        put_double(*(const double *)p, out);
        break;
    case JSON_I64:
        decimal_write_signed(out, *(const int64_t *)p);
        break;
    case JSON_U64:
        decimal_write_whole(out, *(const uint64_t *)p);
        break;
    case JSON_INT:
        decimal_write_signed(out, *(const int *)p);
        break;
    case JSON_BOOL:
        fputs(*(const bool *)p ? "true" : "false", out);
        break;
    case JSON_OWNED:
        owned = *(char *const *)p;
        if (owned != NULL)
            put_text(owned, strlen(owned), out);
        else
            fputs("null", out);
        break;
    case JSON_NAME:
        name = result_name(r, *(const uint32_t *)p);
        put_text(name->text, name->length, out);
        break;
    case JSON_WORD:
        memcpy(&word, p, sizeof word); /* enums are as wide as int */
        put_text(key->words[word], strlen(key->words[word]), out);
        break;
    }
}

/* Without the brace that closes it. */
static void put_keys(const struct result *r, const void *base, const struct json_key *keys, FILE *out)
{
    putc_unlocked('{', out);
    for (const struct json_key *key = keys; key->name != NULL; key++) {
        fputs_unlocked(key != keys ? ",\"" : "\"", out);
        fputs_unlocked(key->name, out);
        fputs_unlocked("\":", out);
        put_value(r, base, key, out);
    }
}

static void put_object(const struct result *r, const char *key, const struct json_key *keys, FILE *out)
{
    fprintf(out, ",\n\"%s\":", key);
    put_keys(r, r, keys, out);
    putc_unlocked('}', out);
}

static void put_list(const struct result *r, const char *key, const void *items, size_t count, size_t size,
                     const struct json_key *keys, FILE *out)
{
    fprintf(out, ",\n\"%s\":[", key);
    for (size_t i = 0; i < count; i++) {
        fputs(i != 0 ? ",\n" : "\n", out);
        put_keys(r, (const char *)items + i * size, keys, out);
        putc_unlocked('}', out);
    }
    fputs("]", out);
}

static void separate(bool behind_others, FILE *out)
{
    if (behind_others)
        putc_unlocked(',', out);
}

static void put_item(uint64_t value, bool behind_others, FILE *out)
{
    separate(behind_others, out);
    decimal_write_whole(out, value);
}

/* Names, branches and what belongs to them, mostly numbers in rows. */
static void put_branches(const struct result *r, FILE *out)
{
    const struct branch_set *set = &r->branches;
    fputs(",\n\"names\":[", out);
    for (size_t i = 0; i < r->names.texts.n; i++) {
        fputs(i != 0 ? ",\n" : "\n", out);
        put_text(r->names.texts.v[i].text, r->names.texts.v[i].length, out);
    }
    fputs("],\n\"branches\":[", out);
    for (size_t b = 0; b < set->list.n; b++) {
        fputs(b != 0 ? ",\n[" : "\n[", out);
        for (uint32_t f = 0; f < set->list.v[b].count; f++)
            put_item(set->frames.v[set->list.v[b].first + f], f != 0, out);
        fputs("]", out);
    }
    fputs("],\n\"native_branches\":{", out);
    const char *separator = "";
    for (size_t b = 0; b < set->list.n; b++) {
        if (set->list.v[b].native < 0)
            continue;
        fprintf(out, "%s\"%s\":%zu", separator, native_row_names[set->list.v[b].native], b);
        separator = ",";
    }
    fputs("},\n\"branch_cpu_ns\":[", out);
    for (size_t b = 0; b < r->uses.n; b++) {
        separate(b != 0, out);
        put_double(r->uses.v[b].cpu_ns, out);
    }
    fputs("],\n\"branch_samples\":[", out);
    for (size_t b = 0; b < r->uses.n; b++)
        put_item(r->uses.v[b].samples, b != 0, out);
    fputs("],\n\"weights\":[", out);
    for (size_t i = 0; i < r->weights.n; i++) {
        fputs(i != 0 ? ",\n[" : "\n[", out);
        put_item(r->weights.v[i].thread, false, out);
        put_item(r->weights.v[i].branch, true, out);
        separate(true, out);
        put_double(r->weights.v[i].weight_ns, out);
        putc_unlocked(']', out);
    }
    fputs("]", out);
}

static void put_cycles(const struct result *r, FILE *out)
{
    size_t at = 0;
    fputs(",\n\"cycles\":[", out);
    for (size_t i = 0; i < r->cycles.n; i++) {
        fputs(i != 0 ? ",\n" : "\n", out);
        put_keys(r, &r->cycles.v[i], json_cycle, out);
        fputs(",\"rows\":[", out);
        for (size_t first = at; at < r->cycles.v[i].rows; at++) {
            put_item(r->rows.v[at].branch, at != first, out);
            separate(true, out);
            put_double(r->rows.v[at].energy_j, out);
        }
        fputs("]}", out);
    }
    fputs("]", out);
}

/* Of a merged result: which run each item is of. */
static void put_run_of(const char *key, const void *items, size_t count, size_t size, size_t at, FILE *out)
{
    fprintf(out, ",\n\"%s\":[", key);
    for (size_t i = 0; i < count; i++) {
        uint32_t run;
        memcpy(&run, (const char *)items + i * size + at, sizeof run);
        put_item(run, i != 0, out);
    }
    fputs("]", out);
}

static void put_runs(const struct result *r, FILE *out)
{
    if (r->runs.n == 0)
        return;
    put_list(r, "runs", r->runs.v, r->runs.n, sizeof *r->runs.v, json_run, out);
    put_run_of("thread_runs", r->threads.v, r->threads.n, sizeof *r->threads.v, offsetof(struct result_thread, run),
               out);
    put_run_of("gc_pause_runs", r->pauses.v, r->pauses.n, sizeof *r->pauses.v, offsetof(struct result_pause, run), out);
    put_run_of("cycle_runs", r->cycles.v, r->cycles.n, sizeof *r->cycles.v, offsetof(struct result_cycle, run), out);
}

void result_write_json(const struct result *r, FILE *out)
{
    fputs("{\"schema\":\"" REPORT_SCHEMA "\"", out);
    put_object(r, "facts", json_facts, out);
    put_object(r, "totals", json_totals, out);
    put_object(r, "samples", json_samples, out);
    put_object(r, "quality", json_quality, out);
    put_object(r, "damage", json_damage, out);
    put_list(r, "without_power", r->without_power.v, r->without_power.n, sizeof *r->without_power.v, json_status, out);
    put_list(r, "methods", r->methods.v, r->methods.n, sizeof *r->methods.v, json_method, out);
    put_list(r, "threads", r->threads.v, r->threads.n, sizeof *r->threads.v, json_thread, out);
    put_list(r, "gc_pauses", r->pauses.v, r->pauses.n, sizeof *r->pauses.v, json_pause, out);
    put_branches(r, out);
    put_cycles(r, out);
    put_runs(r, out);
    fputs("\n}\n", out);
}
