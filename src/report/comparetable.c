/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A comparison on a terminal, the largest difference first. Words say what is certain; colours only repeat it. */
#include "comparelists.h"

#include <math.h>

static const char *colour_of(enum compare_verdict verdict)
{
    switch (verdict) {
    case VERDICT_LESS:
        return "\033[32m";
    case VERDICT_MORE:
        return "\033[31m";
    case VERDICT_SAME:
        return "";
    case VERDICT_CANNOT_TELL:
        return "\033[90m";
    }
    return "";
}

#define NAME_COLUMN 81

static void put_row(const struct compare_row *row, const struct tty *tty, FILE *out)
{
    const struct compare_estimate *e = &row->e;
    char verdict[64], half[32] = "?", percent[32] = "";
    double value = compare_percent(e);
    int room = tty->utf8 ? 10 : 9;
    if (!isnan(e->half_width_j))
        snprintf(half, sizeof half, "%.*f", report_decimals(fmax(fabs(e->delta_j), e->half_width_j)), e->half_width_j);
    if (fabs(value) >= 10000)
        snprintf(percent, sizeof percent, "%s10000 %%", value > 0 ? ">" : "<-");
    else if (!isnan(value))
        snprintf(percent, sizeof percent, "%+.1f %%", value);
    else if (e->new_j > 0)
        snprintf(percent, sizeof percent, "new");
    fprintf(out, "%10.*f %10.*f %+10.*f %s%*s %9s  %s%-24s%s  ", report_decimals(e->base_j), e->base_j,
            report_decimals(e->new_j), e->new_j, report_decimals(e->delta_j), e->delta_j, tty->utf8 ? "\u00b1" : "+-",
            room - 1, half, percent, tty->colour ? colour_of(row->verdict) : "",
            compare_row_verdict(row, verdict, sizeof verdict), tty->colour ? "\033[0m" : "");
    report_put_name(tty, row->name, strlen(row->name), NAME_COLUMN, out);
    fputc('\n', out);
}

static void put_rows(const struct compare_input *input, const char *title, const struct compare_rows *rows,
                     const struct tty *tty, FILE *out)
{
    char unit[160], text[320];
    snprintf(text, sizeof text, "%s, %s%s", title, compare_unit_words(input->comparison, unit, sizeof unit),
             compare_estimated(input->comparison) ? " (estimated)" : "");
    report_heading(tty, text, out);
    fprintf(out, "%10s %10s %10s %10s %9s  %-24s\n", "base", "new", "change", "+- of it", "%", "verdict");
    for (size_t i = 0; i < rows->n; i++)
        put_row(&rows->v[i], tty, out);
    if (rows->n == 0)
        fputs("  (none)\n", out);
}

static void put_gates(const struct compare_input *input, const struct tty *tty, FILE *out)
{
    const struct compare_judgement *j = input->judgement;
    double limit = 100 * input->comparison->options.fail_above;
    if (j->gate_count == 0)
        return;
    report_heading(tty, "GATE", out);
    for (size_t g = 0; g < j->gate_count; g++) {
        const struct compare_gate *gate = &j->gates[g];
        const char *words = gate->failed ? "FAILED: the increase is certainly above"
                            : !gate->decided
                                ? "not decided (nothing says how sure the figures are): no increase is certain above"
                            : gate->e.delta_j <= 0 ? "passed: no increase, let alone above"
                                                   : "passed: an increase is not certain above";
        double percent = compare_percent(&gate->e);
        fprintf(out, "  %s %.6g %%", words, limit);
        if (!isnan(percent))
            fprintf(out, " (measured: %+.1f %%)", percent);
        fputs("  ", out);
        report_put_name(tty, gate->name, strlen(gate->name), 0, out);
        fputc('\n', out);
    }
}

static void put_how(const struct compare_input *input, const struct tty *tty, FILE *out)
{
    const struct comparison *c = input->comparison;
    size_t base = c->runs[SIDE_BASE].n, fresh = c->runs[SIDE_NEW].n;
    char text[700];
    const char *how = base > 1 && fresh > 1 ? "from the spread of the runs (Welch)"
                      : base == 1 && fresh == 1
                          ? "from the sampling error alone: one run a side says nothing of how runs differ"
                          : "from the spread of the side with several runs, which the other is taken to share";
    report_heading(tty, "HOW SURE", out);
    snprintf(text, sizeof text,
             "The interval is at %.6g %%, %s. More and less are said where they are certain at that level over the "
             "whole list (Holm); same, where the difference surely lies within %.6g %%. In brackets: so many runs a "
             "side would probably tell, if the difference is what it seems. ?: nothing says how sure it is.",
             100 * c->options.confidence, how, 100 * c->options.same_within);
    report_put_wrapped(tty, "  ", text, out);
}

void compare_write_table(const struct compare_input *input, const struct tty *tty, FILE *out)
{
    const struct compare_judgement *j = input->judgement;
    if (j == NULL) {
        spread_write_table(input, tty, out);
        return;
    }
    struct compare_row process = j->process;
    struct compare_rows total = {&process, 1, 1};
    compare_table_head(input, tty, out);
    put_rows(input, "ENERGY OF THE PROCESS", &total, tty, out);
    put_rows(input, "WHERE IT WENT", &j->parts, tty, out);
    for (size_t i = 0; i < LIST_FORMS; i++)
        put_rows(input, compare_list_forms[i].title, &j->lists[compare_list_forms[i].list], tty, out);
    put_how(input, tty, out);
    put_gates(input, tty, out);
}
