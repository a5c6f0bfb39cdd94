/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a result as report.json, piece by piece, without a tree of it in memory. */
#include "jsonkeys.h"

#include "joular/jsonout.h"

static void put_value(const struct result *r, const void *base, const struct json_key *key, struct jsonout *out)
{
    const void *p = (const char *)base + key->at;
    const struct intern_text *name;
    uint32_t word;
    switch (json_kind_of(key)) {
    case JSON_DOUBLE:
    case JSON_MAYBE:
        json_exact(out, key->name, *(const double *)p);
        break;
    case JSON_I64:
        json_integer(out, key->name, *(const int64_t *)p);
        break;
    case JSON_U64:
        json_whole(out, key->name, *(const uint64_t *)p);
        break;
    case JSON_INT:
        json_integer(out, key->name, *(const int *)p);
        break;
    case JSON_BOOL:
        json_bool(out, key->name, *(const bool *)p);
        break;
    case JSON_OWNED:
        json_string(out, key->name, *(char *const *)p);
        break;
    case JSON_NAME:
        name = result_name(r, *(const uint32_t *)p);
        json_text(out, key->name, name->text, name->length);
        break;
    case JSON_WORD:
        memcpy(&word, p, sizeof word); /* enums are as wide as int */
        json_string(out, key->name, key->words[word]);
        break;
    }
}

static void put_keys(const struct result *r, const void *base, const struct json_key *keys, struct jsonout *out)
{
    for (const struct json_key *key = keys; key->name != NULL; key++)
        put_value(r, base, key, out);
}

static void put_object(const struct result *r, const char *key, const struct json_key *keys, struct jsonout *out)
{
    json_open(json_line(out), key, '{');
    put_keys(r, r, keys, out);
    json_close(out, '}');
}

static void put_list(const struct result *r, const char *key, const void *items, size_t count, size_t size,
                     const struct json_key *keys, struct jsonout *out)
{
    JSON_LIST(json_line(out), key, count, {
        json_open(json_line(out), NULL, '{');
        put_keys(r, (const char *)items + i * size, keys, out);
        json_close(out, '}');
    });
}

static void put_branch(const struct branch_set *set, const struct branch *branch, struct jsonout *out)
{
    JSON_LIST(json_line(out), NULL, branch->count, json_whole(out, NULL, set->frames.v[branch->first + i]));
}

/* Names, branches and what belongs to them, mostly numbers in rows. */
static void put_branches(const struct result *r, struct jsonout *out)
{
    const struct branch_set *set = &r->branches;
    JSON_LIST(json_line(out), "names", r->names.texts.n,
              json_text(json_line(out), NULL, r->names.texts.v[i].text, r->names.texts.v[i].length));
    JSON_LIST(json_line(out), "branches", set->list.n, put_branch(set, &set->list.v[i], out));
    json_open(json_line(out), "native_branches", '{');
    for (size_t b = 0; b < set->list.n; b++)
        if (set->list.v[b].native >= 0)
            json_whole(out, native_row_names[set->list.v[b].native], b);
    json_close(out, '}');
    JSON_LIST(json_line(out), "branch_cpu_ns", r->uses.n, json_exact(out, NULL, r->uses.v[i].cpu_ns));
    JSON_LIST(json_line(out), "branch_samples", r->uses.n, json_whole(out, NULL, r->uses.v[i].samples));
    JSON_LIST(json_line(out), "weights", r->weights.n, {
        json_open(json_line(out), NULL, '[');
        json_whole(out, NULL, r->weights.v[i].thread);
        json_whole(out, NULL, r->weights.v[i].branch);
        json_exact(out, NULL, r->weights.v[i].weight_ns);
        json_close(out, ']');
    });
}

static void put_cycles(const struct result *r, struct jsonout *out)
{
    size_t at = 0;
    JSON_LIST(json_line(out), "cycles", r->cycles.n, {
        json_open(json_line(out), NULL, '{');
        put_keys(r, &r->cycles.v[i], json_cycle, out);
        json_open(out, "rows", '[');
        for (; at < r->cycles.v[i].rows; at++) {
            json_whole(out, NULL, r->rows.v[at].branch);
            json_exact(out, NULL, r->rows.v[at].energy_j);
        }
        json_close(out, ']');
        json_close(out, '}');
    });
}

/* Of a merged result: which run each item is of. */
static void put_run_of(const char *key, const void *items, size_t count, size_t size, size_t at, struct jsonout *out)
{
    JSON_LIST(json_line(out), key, count, {
        uint32_t run;
        memcpy(&run, (const char *)items + i * size + at, sizeof run);
        json_whole(out, NULL, run);
    });
}

static void put_runs(const struct result *r, struct jsonout *out)
{
    if (r->runs.n == 0)
        return;
    put_list(r, "runs", r->runs.v, r->runs.n, sizeof *r->runs.v, json_run, out);
    put_run_of("thread_runs", r->threads.v, r->threads.n, sizeof *r->threads.v, offsetof(struct result_thread, run),
               out);
    put_run_of("gc_pause_runs", r->pauses.v, r->pauses.n, sizeof *r->pauses.v, offsetof(struct result_pause, run), out);
    put_run_of("cycle_runs", r->cycles.v, r->cycles.n, sizeof *r->cycles.v, offsetof(struct result_cycle, run), out);
}

void result_write_json(const struct result *r, FILE *stream)
{
    struct jsonout json = {.stream = stream}, *out = &json;
    json_open(out, NULL, '{');
    json_string(out, "schema", REPORT_SCHEMA);
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
    json_close(json_line(out), '}');
    json_end(json_line(out));
}
