/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flame-page FILE...: analyses as joular-analyze does without options, and prints flame.html.
 * flame-page --made hostile|wide|empty [NUMBER]: of a result that no recording gave. wide: NUMBER frames.
 * flame-page --report hostile|wide|empty [NUMBER]: report.json of such a result, for the other forms. */
#include "joular/collect.h"
#include "joular/file.h"
#include "joular/jsonreport.h"
#include "joular/model.h"
#include "joular/report.h"

#include "flame_made.h"

#include <math.h>

static int fail(const struct error *err)
{
    char words[2048];
    error_words(err, words, sizeof words);
    fprintf(stderr, "flame-page: %s\n", words);
    return 1;
}

static int analyzed(char **names, int count)
{
    struct file_bytes files[8];
    struct collect_input inputs[8];
    size_t input_count = 0;
    struct power_log log = {0};
    struct observed observed;
    struct result result = {0};
    struct jfr_damage damage = {0};
    struct notices notices = {0};
    struct error err = {0};
    struct collect_options collect = {.jobs = 1};
    struct model_options options = {.process_share = NAN, .baseline_w = NAN};
    enum status status = STATUS_OK;
    int opened = 0;
    observed_init(&observed);
    for (; opened < count && opened < 8 && status == STATUS_OK; opened++) {
        struct file_bytes *file = &files[opened];
        status = file_read(names[opened], file, &err);
        if (status == STATUS_OK && power_log_detect(file->bytes, file->length))
            status = power_log_read(file->bytes, file->length, &log, &err);
        else if (status == STATUS_OK)
            inputs[input_count++] = (struct collect_input){names[opened], file->bytes, file->length, NULL};
    }
    if (status == STATUS_OK)
        status = collect_recordings(inputs, input_count, &log, &collect, &observed, &damage, &notices, &err);
    if (status == STATUS_OK)
        status = model_run(&observed, &log, &options, &result, &notices, &err);
    if (status == STATUS_OK)
        report_flame_html(&result, &application_filter, stdout);
    result_free(&result);
    observed_free(&observed);
    power_log_free(&log);
    notices_free(&notices);
    for (int i = 0; i < opened; i++)
        file_release(&files[i]);
    return status == STATUS_OK ? 0 : fail(&err);
}

int main(int argc, char **argv)
{
    struct result result;
    bool report = argc > 2 && strcmp(argv[1], "--report") == 0;
    if (argc < 3 || (!report && strcmp(argv[1], "--made") != 0))
        return analyzed(argv + 1, argc - 1);
    if (!flame_made(argv[2], argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 100000, &result))
        return 2;
    if (report)
        result_write_json(&result, stdout);
    else
        report_flame_html(&result, &application_filter, stdout);
    result_free(&result);
    return 0;
}
