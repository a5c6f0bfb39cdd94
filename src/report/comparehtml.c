/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A comparison of two sides as a flame graph: the page of flame.html, with the frames of both sides. The own energy of
 * a frame is drawn as the larger of its energies on the two sides, so that frames that are gone are seen too. The data
 * has one more key:
 *
 *   sides   per: unit; base, fresh: joules by node; half: half-width of the difference (null: unknown);
 *           sure: 1 where the difference is certain, each node judged by itself */
#include "comparelists.h"

#include "flametree.h"

#include <math.h>

struct union_page {
    const struct compare_input *input;
    const struct compare_row *rows; /* by key of the tree */
    struct result result;
    uint32_t *key_of; /* by branch of the result */
};

/* The key of the branch without its last frame; UINT32_MAX where no frame is left. */
static uint32_t parent_key(const struct branch_set *tree, uint32_t key)
{
    const struct branch *branch = &tree->list.v[key];
    return branch->count > 1 ? branch_set_find(tree, tree->frames.v + branch->first, branch->count - 1, branch->native)
                             : UINT32_MAX;
}

static const struct compare_row *total_row(const struct compare_judgement *j, enum compare_total total)
{
    for (size_t i = 0; i < j->parts.n; i++)
        if (j->parts.v[i].key == total)
            return &j->parts.v[i];
    return &j->process;
}

static double larger(const struct compare_row *row)
{
    return fmax(row->e.base_j, row->e.new_j);
}

/* Makes a result in which each branch has the larger of its own energies on the two sides. */
static void make_union(struct union_page *page, const struct branch_set *tree)
{
    const struct comparison *c = page->input->comparison;
    struct result *r = &page->result;
    size_t keys = tree->list.n;
    double *own[SIDES] = {mem_zero(keys, sizeof(double)), mem_zero(keys, sizeof(double))};
    for (size_t i = 0; i < c->names.texts.n; i++)
        intern_bytes(&r->names, c->names.texts.v[i].text, c->names.texts.v[i].length);
    for (uint32_t key = 0; key < keys; key++) {
        uint32_t parent = parent_key(tree, key);
        const double j[SIDES] = {page->rows[key].e.base_j, page->rows[key].e.new_j};
        for (int side = 0; side < SIDES; side++) {
            own[side][key] += j[side];
            if (parent != UINT32_MAX)
                own[side][parent] -= j[side];
        }
    }
    struct result_cycle cycle = {.interval_ns = 1000000000, .power_w = 0};
    for (uint32_t key = 0; key < keys; key++) {
        const struct branch *branch = &tree->list.v[key];
        double energy_j = fmax(own[SIDE_BASE][key], own[SIDE_NEW][key]);
        if (energy_j <= 1e-9 * larger(&page->rows[key])) /* no more than rounding errors */
            continue;
        uint32_t number = branch_set_add(&r->branches, tree->frames.v + branch->first, branch->count, branch->native);
        page->key_of[number] = key;
        vec_push(&r->uses, ((struct result_use){0, 0}));
        vec_push(&r->rows, ((struct result_row){number, energy_j}));
        cycle.process_j += energy_j;
    }
    cycle.rows = r->rows.n;
    cycle.unattributed_j = r->unattributed_j = larger(total_row(page->input->judgement, TOTAL_UNATTRIBUTED));
    cycle.outside_j = r->outside_j = larger(total_row(page->input->judgement, TOTAL_OUTSIDE));
    cycle.process_j += cycle.unattributed_j + cycle.outside_j;
    r->process_j = cycle.process_j;
    r->estimated = compare_estimated(c);
    vec_push(&r->cycles, cycle);
    free(own[SIDE_BASE]);
    free(own[SIDE_NEW]);
}

static void put_data(const void *context, const struct flame_tree *tree, struct jsonout *out)
{
    const struct union_page *page = context;
    const struct comparison *c = page->input->comparison;
    const struct compare_judgement *j = page->input->judgement;
    const struct compare_row **row_of = mem_zero(tree->nodes.n, sizeof(struct compare_row *));
    char unit[160];
    row_of[FLAME_ROOT] = &j->process;
    row_of[tree->unattributed] = total_row(j, TOTAL_UNATTRIBUTED);
    row_of[tree->outside] = total_row(j, TOTAL_OUTSIDE);
    for (size_t b = 0; b < page->result.branches.list.n; b++) {
        uint32_t key = page->key_of[b];
        for (uint32_t node = tree->node_of[b]; node != UINT32_MAX && node != FLAME_ROOT && row_of[node] == NULL;
             node = tree->nodes.v[node].parent) {
            row_of[node] = &page->rows[key];
            key = parent_key(&c->tree, key);
        }
    }
    json_open(json_line(out), "sides", '{');
    json_string(out, "per", compare_unit_words(c, unit, sizeof unit));
    static const char *const keys[] = {"base", "fresh", "half", "sure"};
    for (int key = 0; key < 4; key++) {
        JSON_LIST(json_line(out), keys[key], tree->nodes.n, {
            const struct compare_row *row = row_of[i];
            if (key == 3)
                json_integer(out, NULL, row != NULL && row->verdict <= VERDICT_MORE);
            else
                json_number(out, NULL,
                            row == NULL ? 0
                            : key == 0  ? row->e.base_j
                            : key == 1  ? row->e.new_j
                                        : row->e.half_width_j);
        });
    }
    json_close(out, '}');
    free(row_of);
}

static void put_facts(const void *context, FILE *out)
{
    const struct union_page *page = context;
    const struct comparison *c = page->input->comparison;
    char unit[160];
    fprintf(out, "%zu run%s against %zu \u00b7 ", c->runs[SIDE_BASE].n, c->runs[SIDE_BASE].n == 1 ? "" : "s",
            c->runs[SIDE_NEW].n);
    compare_unit_words(c, unit, sizeof unit);
    flame_put_text(unit, strlen(unit), out);
    fprintf(out, " \u00b7 intervals at %.6g %%", 100 * c->options.confidence);
    for (size_t i = 0; i < page->input->unlike->n; i++) {
        fputs(i == 0 ? " \u00b7 not alike: " : "; ", out);
        flame_put_text(page->input->unlike->v[i], strlen(page->input->unlike->v[i]), out);
    }
}

static void put_rows(const char *title, const struct compare_rows *rows, const char *unit, FILE *out)
{
    fprintf(out, "<h2>%s, ", title);
    flame_put_text(unit, strlen(unit), out);
    fputs("</h2>\n<table>\n", out);
    for (size_t i = 0; i < rows->n; i++) {
        const struct compare_row *row = &rows->v[i];
        char verdict[64];
        fputs("<tr><th scope=\"row\"><bdi>", out);
        flame_put_text(row->name, strlen(row->name), out);
        fprintf(out, "</bdi></th><td>%.4g</td><td>%.4g</td><td>%+.4g \u00b1 ", row->e.base_j, row->e.new_j,
                row->e.delta_j);
        if (isnan(row->e.half_width_j))
            putc('?', out);
        else
            fprintf(out, "%.3g", row->e.half_width_j);
        fprintf(out, "</td><td>%s</td></tr>\n", compare_row_verdict(row, verdict, sizeof verdict));
    }
    fputs("</table>\n", out);
}

static void put_summary(const void *context, FILE *out)
{
    const struct union_page *page = context;
    const struct compare_judgement *j = page->input->judgement;
    struct compare_row process = j->process;
    struct compare_rows total = {&process, 1, 1};
    char unit[160];
    compare_unit_words(page->input->comparison, unit, sizeof unit);
    put_rows("Energy of the process", &total, unit, out);
    put_rows("Where it went", &j->parts, unit, out);
    put_rows("Methods, own energy", &j->lists[LIST_OWN], unit, out);
    fputs("<p>The flame graph itself needs JavaScript.</p>\n", out);
}

void compare_write_html(const struct compare_input *input, FILE *out)
{
    const struct branch_set *tree = &input->comparison->tree;
    struct union_page page = {.input = input,
                              .rows = input->judgement->lists[LIST_TREE].v,
                              .key_of = mem_zero(tree->list.n, sizeof(uint32_t))};
    struct flame_sides sides = {&page, put_facts, put_summary, put_data};
    make_union(&page, tree);
    flame_page(&page.result, &application_filter, &sides, out);
    result_free(&page.result);
    free(page.key_of);
}
