/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The forms a result can take, and what their writers share. */
#include "joular/report.h"

#include "joular/jsonreport.h"

static void write_json(const struct report_input *input, bool header, FILE *out)
{
    (void)header;
    result_write_json(input->whole, out);
}

static void write_html(const struct report_input *input, bool header, FILE *out)
{
    (void)header;
    report_flame_html(input->view, input->application, out);
}

const struct report_form report_html = {.format = "html", .file = "flame.html", .write = write_html};
const struct report_form report_json = {.format = "json", .file = "report.json", .write = write_json};

const struct report_form *const report_forms[] = {
    &report_all_csv,
    &report_app_csv,
    &report_methods_csv,
    &report_threads_csv,
    &report_timeline_csv,
    &report_gc_csv,
    &report_json,
    &report_html,
    &report_collapsed,
    &report_pprof,
    &report_speedscope,
    &report_firefox,
    NULL,
};
