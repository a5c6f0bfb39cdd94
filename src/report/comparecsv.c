/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A comparison as CSV, with a row for each figure. A value that is unknown is an empty cell. */
#include "comparelists.h"

#include "joular/report.h"

#include <math.h>

static void put_known(double value, FILE *out)
{
    fputc(',', out);
    if (!isnan(value))
        fprintf(out, "%.9g", value);
}

static void put_row(const struct compare_input *input, const char *list, const struct compare_row *row, FILE *out)
{
    fprintf(out, "%s,", list);
    csv_put(row->name, strlen(row->name), out);
    fprintf(out, ",%s", compare_per_words[input->comparison->options.per]);
    put_known(row->e.base_j, out);
    put_known(row->e.new_j, out);
    put_known(row->e.delta_j, out);
    put_known(compare_percent(&row->e), out);
    put_known(row->e.half_width_j, out);
    put_known(row->e.p, out);
    put_known(row->p_adjusted, out);
    fprintf(out, ",%s", compare_verdict_words[row->verdict]);
    put_known(100 * row->within, out);
    fputc(',', out);
    if (row->runs_needed != 0 && row->runs_needed <= COMPARE_MAX_RUNS)
        fprintf(out, "%u", row->runs_needed);
    fputc('\n', out);
}

void compare_write_csv(const struct compare_input *input, FILE *out)
{
    const struct compare_judgement *j = input->judgement;
    if (j == NULL) {
        spread_write_csv(input, out);
        return;
    }
    fputs("list,name,per,base_joules,new_joules,delta_joules,delta_percent,half_width_joules,p,p_holm,verdict,"
          "same_within_percent,runs_needed\n",
          out);
    put_row(input, "total", &j->process, out);
    for (size_t i = 0; i < j->parts.n; i++)
        put_row(input, "parts", &j->parts.v[i], out);
    for (size_t k = 0; k < LIST_FORMS; k++)
        for (size_t i = 0; i < j->lists[compare_list_forms[k].list].n; i++)
            put_row(input, compare_list_forms[k].key, &j->lists[compare_list_forms[k].list].v[i], out);
}
