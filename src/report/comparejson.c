/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JSON form of a comparison, schema joular-compare/1. Each difference has plain numbers: delta_joules,
 * delta_percent (null where the base is 0), and the half-width half_width_joules. No other key contains delta, change
 * or diff, so that a script finds them by name. */
#include "comparelists.h"

#include <math.h>

static void put_runs(struct jsonout *out, const char *key, const struct compare_runs *runs)
{
    json_open(out, key, '[');
    for (size_t i = 0; i < runs->n; i++) {
        const struct compare_run *run = &runs->v[i];
        json_open(out, NULL, '{');
        json_string(out, "name", run->name);
        json_integer(out, "start_ns", run->start_ns);
        json_bool(out, "estimated", run->estimated);
        json_number(out, "divided_by", run->divisor);
        json_number(out, "process_joules", run->totals_j[TOTAL_PROCESS]);
        json_number(out, "baseline_joules", run->totals_j[TOTAL_BASELINE]);
        json_close(out, '}');
    }
    json_close(out, ']');
}

void compare_json_head(const struct compare_input *input, struct jsonout *out)
{
    const struct comparison *c = input->comparison;
    char unit[160];
    json_string(out, "schema", COMPARE_SCHEMA);
    json_string(out, "tool", "joular-compare " PACKAGE_VERSION);
    json_string(out, "per", compare_per_words[c->options.per]);
    json_string(out, "unit", compare_unit_words(c, unit, sizeof unit));
    json_bool(out, "estimated", compare_estimated(c));
    put_runs(out, c->runs[SIDE_NEW].n != 0 ? "base" : "runs", &c->runs[SIDE_BASE]);
    if (c->runs[SIDE_NEW].n != 0)
        put_runs(out, "new", &c->runs[SIDE_NEW]);
    json_open(out, "not_alike", '[');
    for (size_t i = 0; i < input->unlike->n; i++)
        json_string(out, NULL, input->unlike->v[i]);
    json_close(out, ']');
}

static void put_estimate(struct jsonout *out, const struct compare_estimate *e)
{
    json_number(out, "base_joules", e->base_j);
    json_number(out, "new_joules", e->new_j);
    json_number(out, "delta_joules", e->delta_j);
    json_number(out, "delta_percent", compare_percent(e));
    json_number(out, "half_width_joules", e->half_width_j);
}

static void put_row(struct jsonout *out, const char *key, const struct compare_row *row)
{
    json_open(out, key, '{');
    json_string(out, "name", row->name);
    put_estimate(out, &row->e);
    json_number(out, "p", row->e.p);
    json_number(out, "p_holm", row->p_adjusted);
    json_string(out, "verdict", compare_verdict_words[row->verdict]);
    json_number(out, "same_within_percent", 100 * row->within);
    json_number(out, "runs_needed",
                row->runs_needed != 0 && row->runs_needed <= COMPARE_MAX_RUNS ? row->runs_needed : (double)NAN);
    json_close(out, '}');
}

static void put_rows(struct jsonout *out, const char *key, const struct compare_rows *rows)
{
    json_open(out, key, '[');
    for (size_t i = 0; i < rows->n; i++)
        put_row(out, NULL, &rows->v[i]);
    json_close(out, ']');
}

static void put_gates(struct jsonout *out, const struct compare_judgement *j, double fail_above)
{
    json_open(out, "gates", '[');
    for (size_t g = 0; g < j->gate_count; g++) {
        const struct compare_gate *gate = &j->gates[g];
        json_open(out, NULL, '{');
        json_string(out, "name", gate->name);
        json_number(out, "fail_above_percent", 100 * fail_above);
        put_estimate(out, &gate->e);
        json_bool(out, "decided", gate->decided);
        json_bool(out, "failed", gate->failed);
        json_close(out, '}');
    }
    json_close(out, ']');
}

void compare_write_json(const struct compare_input *input, FILE *out)
{
    const struct comparison *c = input->comparison;
    const struct compare_judgement *j = input->judgement;
    struct jsonout json = {.stream = out};
    json_open(&json, NULL, '{');
    compare_json_head(input, &json);
    if (j == NULL) {
        spread_write_json(input, &json);
    } else {
        json_number(&json, "confidence_percent", 100 * c->options.confidence);
        json_string(&json, "correction", "holm");
        put_row(&json, "process", &j->process);
        put_rows(&json, "parts", &j->parts);
        for (size_t i = 0; i < LIST_FORMS; i++)
            put_rows(&json, compare_list_forms[i].key, &j->lists[compare_list_forms[i].list]);
        put_gates(&json, j, c->options.fail_above);
    }
    json_close(&json, '}');
    json_end(json_line(&json));
}
