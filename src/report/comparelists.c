/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "comparelists.h"

#include <math.h>

const struct compare_list_form compare_list_forms[LIST_FORMS] = {
    {LIST_OWN, "METHODS, OWN ENERGY", "methods_own"},
    {LIST_WHOLE, "METHODS WITH WHAT THEY CALLED", "methods_total"},
    {LIST_BRANCH, "BRANCHES", "branches"},
};

const char *compare_unit_words(const struct comparison *c, char *buffer, size_t size)
{
    static const char *const words[] = {"J per run", "J per second", "J per CPU-second", "J per unit of work"};
    if (c->options.per == PER_UNIT && c->runs[SIDE_NEW].n != 0)
        snprintf(buffer, size, "%s (base: %.15g a run, new: %.15g)", words[PER_UNIT], c->options.units[SIDE_BASE],
                 c->options.units[SIDE_NEW]);
    else if (c->options.per == PER_UNIT)
        snprintf(buffer, size, "%s (%.15g a run)", words[PER_UNIT], c->options.units[SIDE_BASE]);
    else
        snprintf(buffer, size, "%s", words[c->options.per]);
    return buffer;
}

double compare_percent(const struct compare_estimate *e)
{
    return e->base_j > 0 ? 100 * e->delta_j / e->base_j : (double)NAN;
}

const char *compare_row_verdict(const struct compare_row *row, char *buffer, size_t size)
{
    if (row->verdict == VERDICT_SAME) /* rounded up, so that what is printed holds */
        snprintf(buffer, size, "same within %.1f %%", ceil(row->within * 1000) / 10);
    else if (row->verdict == VERDICT_CANNOT_TELL && row->runs_needed > COMPARE_MAX_RUNS)
        snprintf(buffer, size, "cannot tell (>%d runs)", COMPARE_MAX_RUNS);
    else if (row->verdict == VERDICT_CANNOT_TELL && row->runs_needed != 0)
        snprintf(buffer, size, "cannot tell (%u runs)", row->runs_needed);
    else
        snprintf(buffer, size, "%s", compare_verdict_words[row->verdict]);
    return buffer;
}

bool compare_estimated(const struct comparison *c)
{
    for (int side = 0; side < SIDES; side++)
        for (size_t i = 0; i < c->runs[side].n; i++)
            if (c->runs[side].v[i].estimated)
                return true;
    return false;
}

#define MOST_NAMED 6

static void put_runs(const struct compare_runs *runs, const char *label, const struct tty *tty, FILE *out)
{
    fprintf(out, "%-5s %zu run%s:", label, runs->n, runs->n == 1 ? "" : "s");
    for (size_t i = 0; i < runs->n && i < MOST_NAMED; i++) {
        fputs(i != 0 ? ", " : " ", out);
        report_put_name(tty, runs->v[i].name, strlen(runs->v[i].name), 20, out);
    }
    if (runs->n > MOST_NAMED)
        fprintf(out, " and %zu more", runs->n - MOST_NAMED);
    fputc('\n', out);
}

void compare_table_head(const struct compare_input *input, const struct tty *tty, FILE *out)
{
    const struct comparison *c = input->comparison;
    if (c->runs[SIDE_NEW].n != 0)
        put_runs(&c->runs[SIDE_BASE], "base", tty, out);
    put_runs(&c->runs[c->runs[SIDE_NEW].n != 0 ? SIDE_NEW : SIDE_BASE], c->runs[SIDE_NEW].n != 0 ? "new" : "", tty,
             out);
    if (input->unlike->n == 0)
        return;
    report_heading(tty, "NOT ALIKE", out);
    for (size_t i = 0; i < input->unlike->n; i++) {
        char *shown = mem_alloc(strlen(input->unlike->v[i]) * 4 + 8);
        text_printable(shown, strlen(input->unlike->v[i]) * 4 + 8, input->unlike->v[i], strlen(input->unlike->v[i]));
        report_put_wrapped(tty, "  - ", shown, out);
        free(shown);
    }
}
