/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of one side, as table, JSON and CSV. */
#include "comparelists.h"

#include "joular/report.h"

#include <math.h>

/* The half-width of the mean of several runs; of a single run, the half-width of its sampling. */
static double half_width(const struct spread_row *row)
{
    return row->stats.n > 1 ? row->stats.half_width : row->sampling_half_width_j;
}

static void put_remarks(const struct compare_runs *runs, const struct spread_row *row, const struct tty *tty, FILE *out)
{
    for (size_t i = 0; i < row->outliers.n; i++) {
        const char *name = runs->v[row->outliers.v[i]].name;
        fputs(tty->utf8 ? "\n      \u2192 outlier: " : "\n      -> outlier: ", out);
        report_put_name(tty, name, strlen(name), 18, out);
    }
    if (row->drift != 0)
        fprintf(out, "%sdrift: %+.2f %% a run, in the order they were made",
                tty->utf8 ? "\n      \u2192 " : "\n      -> ", 100 * row->drift);
}

static void put_row(const struct compare_input *input, const struct spread_row *row, const struct tty *tty, FILE *out)
{
    const struct stats *s = &row->stats;
    char half[32] = "?", sd[32] = "", cov[32] = "";
    double width = half_width(row);
    if (!isnan(width))
        snprintf(half, sizeof half, "%.*f", report_decimals(s->mean), width);
    if (s->n > 1)
        snprintf(sd, sizeof sd, "%.*f", report_decimals(s->mean), s->sd);
    if (!isnan(s->cov))
        snprintf(cov, sizeof cov, "%.2f%%", 100 * s->cov);
    fprintf(out, "%3zu %10.*f %s%*s %10s %9s  %-6s  ", s->n, report_decimals(s->mean), s->mean,
            tty->utf8 ? "\u00b1" : "+-", tty->utf8 ? 9 : 8, half, sd, cov, confidence_word(s->mean, width));
    report_put_name(tty, row->name, strlen(row->name), 56, out);
    put_remarks(&input->comparison->runs[SIDE_BASE], row, tty, out);
    fputc('\n', out);
}

static void put_title(const struct compare_input *input, const char *title, const struct tty *tty, FILE *out)
{
    char unit[160], text[320];
    snprintf(text, sizeof text, "%s, %s%s", title, compare_unit_words(input->comparison, unit, sizeof unit),
             compare_estimated(input->comparison) ? " (estimated)" : "");
    report_heading(tty, text, out);
    fprintf(out, "%3s %10s %10s %10s %9s\n", "n", "mean", "+- 95 %", "sd", "CoV");
}

void spread_write_table(const struct compare_input *input, const struct tty *tty, FILE *out)
{
    const struct compare_spread *s = input->spread;
    compare_table_head(input, tty, out);
    put_title(input, "ENERGY OF THE PROCESS", tty, out);
    for (enum compare_total total = TOTAL_PROCESS; total < TOTAL_BASELINE; total++)
        put_row(input, &s->totals[total], tty, out);
    if (s->totals[TOTAL_BASELINE].stats.mean > 0) {
        put_title(input, "BASELINE, OF THE MACHINE, IN NONE OF THE OTHER FIGURES", tty, out);
        put_row(input, &s->totals[TOTAL_BASELINE], tty, out);
    }
    for (size_t i = 0; i < LIST_FORMS; i++) {
        const struct spread_rows *rows = &s->lists[compare_list_forms[i].list];
        put_title(input, compare_list_forms[i].title, tty, out);
        for (size_t k = 0; k < rows->n; k++)
            put_row(input, &rows->v[k], tty, out);
    }
    if (input->comparison->runs[SIDE_BASE].n == 1)
        fputs("\nOne run: +- is the sampling error of its methods; it says nothing of how runs differ.\n", out);
    if (!s->drift_known)
        fputs("\nDrift over the runs was not looked for: this build has no GSL.\n", out);
}

static void json_row(const struct compare_input *input, const char *key, const struct spread_row *row,
                     struct jsonout *out)
{
    const struct stats *s = &row->stats;
    json_open(out, key, '{');
    json_string(out, "name", row->name);
    json_integer(out, "n", (int64_t)s->n);
    json_number(out, "mean_joules", s->mean);
    json_number(out, "sd_joules", s->sd);
    json_number(out, "half_width_joules", half_width(row));
    json_number(out, "sampling_half_width_joules", row->sampling_half_width_j);
    json_number(out, "cov", s->cov);
    json_string(out, "confidence", confidence_word(s->mean, half_width(row)));
    json_open(out, "outliers", '[');
    for (size_t i = 0; i < row->outliers.n; i++)
        json_string(out, NULL, input->comparison->runs[SIDE_BASE].v[row->outliers.v[i]].name);
    json_close(out, ']');
    json_number(out, "drift_percent_a_run", input->spread->drift_known ? 100 * row->drift : (double)NAN);
    json_close(out, '}');
}

void spread_write_json(const struct compare_input *input, struct jsonout *out)
{
    const struct compare_spread *s = input->spread;
    json_open(out, "totals", '[');
    for (enum compare_total total = TOTAL_PROCESS; total < TOTAL_BASELINE; total++)
        json_row(input, NULL, &s->totals[total], out);
    json_close(out, ']');
    json_row(input, "baseline", &s->totals[TOTAL_BASELINE], out);
    for (size_t i = 0; i < LIST_FORMS; i++) {
        json_open(out, compare_list_forms[i].key, '[');
        for (size_t k = 0; k < s->lists[compare_list_forms[i].list].n; k++)
            json_row(input, NULL, &s->lists[compare_list_forms[i].list].v[k], out);
        json_close(out, ']');
    }
}

static void csv_row(const struct compare_input *input, const char *list, const struct spread_row *row, FILE *out)
{
    double figures[] = {row->stats.mean, row->stats.sd, half_width(row), row->stats.cov};
    fprintf(out, "%s,", list);
    csv_put(row->name, strlen(row->name), out);
    fprintf(out, ",%s,%zu", compare_per_words[input->comparison->options.per], row->stats.n);
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        fputc(',', out);
        if (!isnan(figures[i]))
            fprintf(out, "%.9g", figures[i]);
    }
    fprintf(out, ",%s,%zu,", confidence_word(row->stats.mean, half_width(row)), row->outliers.n);
    if (input->spread->drift_known)
        fprintf(out, "%.9g", 100 * row->drift);
    fputc('\n', out);
}

void spread_write_csv(const struct compare_input *input, FILE *out)
{
    const struct compare_spread *s = input->spread;
    fputs("list,name,per,n,mean_joules,sd_joules,half_width_joules,cov,confidence,outliers,drift_percent_a_run\n", out);
    for (enum compare_total total = 0; total < TOTALS; total++)
        csv_row(input, total == TOTAL_BASELINE ? "baseline" : "total", &s->totals[total], out);
    for (size_t i = 0; i < LIST_FORMS; i++)
        for (size_t k = 0; k < s->lists[compare_list_forms[i].list].n; k++)
            csv_row(input, compare_list_forms[i].key, &s->lists[compare_list_forms[i].list].v[k], out);
}
