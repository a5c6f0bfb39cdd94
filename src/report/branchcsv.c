/* methods-power-all.csv and methods-power-app.csv, as the Joular Code agent writes them:
 *
 *   timestamp,branch,power_watts,energy_joules,interval_seconds,coverage
 *   %lld (ms, end of the cycle),frames joined with ";",%.9f,%.9f,%.9f,%.4f
 *
 * by cycle, then energy as it is printed, high first, then branch. */
#include "joular/report.h"

#include <math.h>
#include <stdlib.h>

struct csv_row {
    double energy_j;
    uint32_t branch, rank;
    char energy[32]; /* as printed, as far as it fits */
    int length;      /* of all of it */
};

static int by_printed_energy(const void *left, const void *right)
{
    const struct csv_row *a = left, *b = right;
    if (a->length != b->length) /* nine decimals each, so the longer is the larger */
        return a->length > b->length ? -1 : 1;
    int order;
    if (a->length >= (int)sizeof a->energy)
        order = a->energy_j > b->energy_j ? -1 : a->energy_j < b->energy_j;
    else
        order = memcmp(b->energy, a->energy, (size_t)a->length);
    return order != 0 ? order : a->rank < b->rank ? -1 : a->rank > b->rank;
}

static bool needs_quotes(const struct intern_text *text)
{
    for (uint32_t i = 0; i < text->length; i++)
        if (strchr(",\"\r\n", text->text[i]) != NULL && text->text[i] != '\0')
            return true;
    return false;
}

static void put_branch(const struct branch_set *set, const struct intern *names, const bool *quoted, uint32_t number,
                       FILE *out)
{
    const struct result_branch *branch = &set->list.v[number];
    bool quote = false;
    for (uint32_t f = 0; f < branch->count && !quote; f++)
        quote = quoted[set->frames.v[branch->first + f]];
    if (quote)
        putc_unlocked('"', out);
    for (uint32_t f = 0; f < branch->count; f++) {
        const struct intern_text *name = &names->texts.v[set->frames.v[branch->first + f]];
        if (f > 0)
            putc_unlocked(';', out);
        if (!quote) {
            fwrite_unlocked(name->text, 1, name->length, out);
            continue;
        }
        for (uint32_t i = 0; i < name->length; i++) {
            if (name->text[i] == '"')
                putc_unlocked('"', out);
            putc_unlocked(name->text[i], out);
        }
    }
    if (quote)
        putc_unlocked('"', out);
}

#define HEADER "timestamp,branch,power_watts,energy_joules,interval_seconds,coverage"

/* The branches of RESULT as they are, or as SET has them with MAP of result_filter. */
static void write_branches(const struct result *result, const struct branch_set *set, const uint32_t *map, bool header,
                           FILE *out)
{
    uint32_t *ranks = branch_ranks(set, &result->names);
    bool *quoted = mem_zero(result->names.texts.n, sizeof *quoted);
    double *sums = mem_zero(set->list.n, sizeof *sums);
    VEC(struct csv_row) rows = {0};
    size_t at = 0;
    for (size_t i = 0; i < result->names.texts.n; i++)
        quoted[i] = needs_quotes(&result->names.texts.v[i]);
    if (header)
        fputs(HEADER "\n", out);
    for (size_t i = 0; i < result->cycles.n; i++) {
        const struct result_cycle *cycle = &result->cycles.v[i];
        double seconds = (double)cycle->interval_ns / 1e9, written_j = cycle->java_j;
        char head[32], tail[64];
        for (int row = 0; row < NATIVE_ROWS; row++)
            written_j += cycle->native_j[row];
        rows.n = 0;
        for (; at < cycle->rows; at++) {
            const struct result_row *row = &result->rows.v[at];
            uint32_t branch = map != NULL ? map[row->branch] : row->branch;
            if (branch == UINT32_MAX)
                continue;
            if (sums[branch] == 0)
                vec_push(&rows, ((struct csv_row){.branch = branch, .rank = ranks[branch]}));
            sums[branch] += row->energy_j;
        }
        for (size_t k = 0; k < rows.n; k++) {
            struct csv_row *row = &rows.v[k];
            row->energy_j = sums[row->branch];
            row->length = snprintf(row->energy, sizeof row->energy, "%.9f", row->energy_j);
            sums[row->branch] = 0;
        }
        if (rows.n != 0)
            qsort(rows.v, rows.n, sizeof *rows.v, by_printed_energy);
        snprintf(head, sizeof head, "%lld,", csv_ms(cycle->realtime_ns));
        snprintf(tail, sizeof tail, ",%.9f,%.4f\n", seconds, cycle->process_j > 0 ? written_j / cycle->process_j : 0);
        for (size_t k = 0; k < rows.n; k++) {
            char numbers[720];
            const struct csv_row *row = &rows.v[k];
            fputs_unlocked(head, out);
            put_branch(set, &result->names, quoted, row->branch, out);
            snprintf(numbers, sizeof numbers, ",%.9f,%.9f", row->energy_j / seconds, row->energy_j);
            fputs_unlocked(numbers, out);
            fputs_unlocked(tail, out);
        }
    }
    vec_free(&rows);
    free(sums);
    free(quoted);
    free(ranks);
}

static void write_all(const struct report_input *input, bool header, FILE *out)
{
    write_branches(input->whole, &input->whole->branches, NULL, header, out);
}

static void write_app(const struct report_input *input, bool header, FILE *out)
{
    struct branch_set app = {0};
    uint32_t *map = mem_zero(input->whole->branches.list.n, sizeof *map);
    result_filter(input->whole, input->prefixes, &app, map);
    write_branches(input->whole, &app, map, header, out);
    branch_set_free(&app);
    free(map);
}

const struct report_form report_all_csv = {.format = "csv",
                                           .file = "methods-power-all.csv",
                                           .header = HEADER,
                                           .write = write_all};
const struct report_form report_app_csv = {.format = "csv",
                                           .file = "methods-power-app.csv",
                                           .header = HEADER,
                                           .write = write_app};
