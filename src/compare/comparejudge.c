/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judges two sides: the totals, and in each list the methods or branches with the most energy, with Holm's correction
 * over the list. */
#include "compareset.h"

#include <math.h>

const char *const compare_verdict_words[] = {"less", "more", "same", "cannot tell"};

static enum compare_verdict verdict_of(const struct compare_row *row, const struct compare_options *options,
                                       double *within)
{
    const struct compare_estimate *e = &row->e;
    *within = NAN;
    if (row->p_adjusted <= 1 - options->confidence && e->delta_j != 0)
        return e->delta_j < 0 ? VERDICT_LESS : VERDICT_MORE;
    double farthest = fabs(e->delta_j) + e->half_width_j;
    if (e->base_j > 0 && farthest / e->base_j <= options->same_within) {
        *within = farthest / e->base_j;
        return VERDICT_SAME;
    }
    if (e->base_j == 0 && farthest == 0) {
        *within = 0;
        return VERDICT_SAME;
    }
    return VERDICT_CANNOT_TELL;
}

/* CORRECTED: the rows are one family of tests. */
static void judge_rows(const struct comparison *c, struct compare_rows *rows, bool corrected)
{
    double *p = mem_zero(rows->n, sizeof *p), *adjusted = mem_zero(rows->n, sizeof *adjusted);
    struct compare_needed *needed = mem_zero(1, sizeof *needed);
    needed->level = (1 - c->options.confidence) / (double)rows->n;
    for (size_t i = 0; i < rows->n; i++)
        p[i] = adjusted[i] = rows->v[i].e.p;
    if (corrected)
        holm_adjust(p, rows->n, adjusted);
    for (size_t i = 0; i < rows->n; i++) {
        struct compare_row *row = &rows->v[i];
        row->p_adjusted = adjusted[i];
        row->verdict = verdict_of(row, &c->options, &row->within);
        if (row->verdict == VERDICT_CANNOT_TELL && corrected)
            row->runs_needed = compare_runs_needed(needed, row->e.delta_j, row->e.run_variance);
    }
    free(needed);
    free(p);
    free(adjusted);
}

static int by_size(const void *left, const void *right)
{
    const struct compare_row *a = left, *b = right;
    double x = fabs(a->e.delta_j), y = fabs(b->e.delta_j);
    if (x != y)
        return x > y ? -1 : 1;
    x = a->e.base_j + a->e.new_j;
    y = b->e.base_j + b->e.new_j;
    return x != y ? (x > y ? -1 : 1) : strcmp(a->name, b->name);
}

static void sort_rows(struct compare_rows *rows)
{
    if (rows->n != 0)
        qsort(rows->v, rows->n, sizeof *rows->v, by_size);
}

static struct compare_estimate estimate_of(const struct comparison *c, const struct figure_table *t, uint32_t key)
{
    const double *energy = t->energy_j + key * t->width, *variance = t->variance + key * t->width;
    size_t base = t->runs[SIDE_BASE];
    return compare_estimate(energy, variance, base, energy + base, variance + base, t->runs[SIDE_NEW],
                            c->options.confidence);
}

static void judge_list(const struct comparison *c, enum compare_list list, struct compare_rows *rows)
{
    struct figure_table table = figure_table_of(c, list);
    size_t count = 0;
    bool whole = list == LIST_TREE;
    uint32_t *keys = whole ? NULL : figure_table_top(c, list, &table, c->options.top, &count);
    count = whole ? table.keys : count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t key = whole ? i : keys[i];
        struct compare_row row = {.key = key, .e = estimate_of(c, &table, key)};
        row.name = whole ? NULL : compare_key_name(c, list, key);
        vec_push(rows, row);
    }
    judge_rows(c, rows, !whole);
    if (!whole)
        sort_rows(rows);
    free(keys);
    figure_table_free(&table);
}

/* The figures of all runs, those of the base first. */
struct run_figures {
    double *energy_j, *variance;
    size_t base, fresh;
};

static struct run_figures total_figures(const struct comparison *c, enum compare_total total)
{
    struct run_figures f = {NULL, NULL, c->runs[SIDE_BASE].n, c->runs[SIDE_NEW].n};
    size_t at = 0;
    f.energy_j = mem_zero(f.base + f.fresh, sizeof(double));
    f.variance = mem_zero(f.base + f.fresh, sizeof(double)); /* 0: totals are not sampled */
    for (int side = 0; side < SIDES; side++)
        for (size_t i = 0; i < c->runs[side].n; i++)
            f.energy_j[at++] = c->runs[side].v[i].totals_j[total] / c->runs[side].v[i].divisor;
    return f;
}

static struct compare_estimate estimate(const struct run_figures *f, double confidence)
{
    return compare_estimate(f->energy_j, f->variance, f->base, f->energy_j + f->base, f->variance + f->base, f->fresh,
                            confidence);
}

static void free_figures(struct run_figures *f)
{
    free(f->energy_j);
    free(f->variance);
}

static struct compare_row total_row(const struct comparison *c, enum compare_total total)
{
    struct run_figures f = total_figures(c, total);
    struct compare_row row = {.name = mem_strdup(compare_total_words[total]), .key = total};
    row.e = estimate(&f, c->options.confidence);
    free_figures(&f);
    return row;
}

static struct run_figures gate_figures(const struct comparison *c, const struct figure_table *t, size_t gate)
{
    if (gate >= t->keys || strcmp(c->options.fail_on[gate], "process") == 0)
        return total_figures(c, TOTAL_PROCESS);
    struct run_figures f = {mem_zero(t->width, sizeof(double)), mem_zero(t->width, sizeof(double)), t->runs[SIDE_BASE],
                            t->runs[SIDE_NEW]};
    memcpy(f.energy_j, t->energy_j + gate * t->width, t->width * sizeof(double));
    memcpy(f.variance, t->variance + gate * t->width, t->width * sizeof(double));
    return f;
}

/* new - (1 + limit) x base is a difference of means, so it has an interval like any other: where its lower end is above
 * 0, the increase is certainly above the limit. Several gates share the risk of a false alarm evenly. */
static void judge_gates(const struct comparison *c, struct compare_judgement *out)
{
    if (isnan(c->options.fail_above))
        return;
    struct figure_table table = figure_table_of(c, LIST_GATE);
    out->gate_count = table.keys != 0 ? table.keys : 1;
    out->gates = mem_zero(out->gate_count, sizeof *out->gates);
    double confidence = 1 - (1 - c->options.confidence) / (double)out->gate_count;
    for (size_t g = 0; g < out->gate_count; g++) {
        struct run_figures f = gate_figures(c, &table, g);
        double scale = 1 + c->options.fail_above;
        struct compare_gate *gate = &out->gates[g];
        gate->name = mem_strdup(g < table.keys ? c->options.fail_on[g] : "process");
        gate->e = estimate(&f, confidence);
        gate->seen = gate->e.base_j > 0 || gate->e.new_j > 0;
        for (size_t i = 0; i < f.base; i++) {
            f.energy_j[i] *= scale;
            f.variance[i] *= scale * scale;
        }
        struct compare_estimate above = estimate(&f, confidence);
        gate->low_j = above.delta_j - above.half_width_j;
        gate->decided = !isnan(gate->low_j);
        gate->failed = gate->low_j > 0;
        free_figures(&f);
    }
    figure_table_free(&table);
}

void compare_judge(struct comparison *c, struct compare_judgement *out)
{
    struct compare_rows process = {0};
    *out = (struct compare_judgement){0};
    compare_sort_runs(c);
    vec_push(&process, total_row(c, TOTAL_PROCESS));
    judge_rows(c, &process, true);
    out->process = process.v[0];
    vec_free(&process);
    for (enum compare_total total = TOTAL_JAVA; total < TOTAL_BASELINE; total++)
        vec_push(&out->parts, total_row(c, total));
    judge_rows(c, &out->parts, true);
    sort_rows(&out->parts);
    for (enum compare_list list = 0; list < LISTS; list++)
        if (list != LIST_GATE && (list != LIST_TREE || c->options.tree))
            judge_list(c, list, &out->lists[list]);
    judge_gates(c, out);
}

static void free_rows(struct compare_rows *rows)
{
    for (size_t i = 0; i < rows->n; i++)
        free(rows->v[i].name);
    vec_free(rows);
}

void compare_judgement_free(struct compare_judgement *j)
{
    free(j->process.name);
    free_rows(&j->parts);
    for (size_t list = 0; list < LISTS; list++)
        free_rows(&j->lists[list]);
    for (size_t g = 0; g < j->gate_count; g++)
        free(j->gates[g].name);
    free(j->gates);
    *j = (struct compare_judgement){0};
}
