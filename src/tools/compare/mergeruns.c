/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --merge: merges runs into one result, which can be merged again, as in the steps of a map-reduce job. */
#include "comparetool.h"

#include "joular/jsonreport.h"

#include <stdio.h>

/* The name of a run in the merged result: "a" for "results/a/report.json" and for "results/a/". */
static char *label_of(const char *operand)
{
    static const char report[] = "report.json";
    size_t end = strlen(operand), tail = sizeof report - 1, start;
    if (end > tail && strcmp(operand + end - tail, report) == 0 && operand[end - tail - 1] == '/')
        end -= tail;
    while (end > 1 && operand[end - 1] == '/')
        end--;
    for (start = end; start > 0 && operand[start - 1] != '/';)
        start--;
    return mem_strndup(operand + start, end - start);
}

static enum status read_and_merge(const struct options *options, const char *argv0, const char *operand,
                                  struct result *merged, struct error *err)
{
    struct result result = {0};
    bool known = false;
    enum status status = input_read(operand, argv0, &result, err);
    if (status != STATUS_OK)
        return status;
    char *label = label_of(operand);
    status = result_merge(merged, &result, label, &known, err);
    error_in_file(err, operand);
    if (known && !options->quiet) {
        char shown[1024];
        text_printable(shown, sizeof shown, operand, strlen(operand));
        fprintf(stderr, PROGRAM ": %s is there already: it counts once\n", shown);
    }
    free(label);
    result_free(&result);
    return status;
}

static void put_report(const void *merged, FILE *out)
{
    result_write_json(merged, out);
}

enum status merge_runs(const struct options *options, const char *argv0, struct error *err)
{
    struct result merged = {0};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < options->operands[SIDE_BASE].n && status == STATUS_OK; i++)
        status = read_and_merge(options, argv0, options->operands[SIDE_BASE].v[i], &merged, err);
    if (status == STATUS_OK) {
        result_merge_finish(&merged);
        char *path = path_in(options->merge, "report.json");
        status = outfile_write(path, put_report, &merged, err);
        free(path);
    }
    if (status == STATUS_OK && !options->quiet) {
        char shown[4096];
        text_printable(shown, sizeof shown, options->merge, strlen(options->merge));
        printf("%zu run%s, %.2f J: %s/report.json\n", merged.runs.n, merged.runs.n == 1 ? "" : "s", merged.process_j,
               shown);
    }
    result_free(&merged);
    return status;
}
