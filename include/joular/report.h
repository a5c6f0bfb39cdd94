/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes results in all forms. Nothing here depends on where a result came from. */
#ifndef JOULAR_REPORT_H
#define JOULAR_REPORT_H

#include "joular/result.h"
#include "joular/status.h"
#include "joular/tty.h"

#include <stdio.h>

/* What the frames of a profile are weighted with (--weight). */
enum report_weight {
    WEIGHT_ENERGY,
    WEIGHT_CPU,
    WEIGHT_SAMPLES
};
struct report_input {
    const struct result *whole;            /* everything that was found */
    const struct result *view;             /* the view that --group, --include and --exclude ask for, else WHOLE */
    const struct name_filter *prefixes;    /* the frames that the app file keeps; no prefixes: all */
    const struct name_filter *application; /* which methods are the application's, for colours and the summary */
    enum report_weight weight;
};

/* An output format: each is a file of its own that fills one of these, listed in src/report/forms.c. The same input
 * gives the same bytes. */
struct report_form {
    const char *format; /* its word in --format */
    const char *file;   /* its name in the result folder */
    const char *header; /* first line where rows can be added to the file (--append), else NULL */
    void (*write)(const struct report_input *input, bool header, FILE *out); /* NULL: not in this build */
    const char *needs; /* where WRITE is NULL: libraries it needs */
};
extern const struct report_form *const report_forms[]; /* NULL ends the list */
extern const struct report_form report_all_csv, report_app_csv, report_methods_csv, report_threads_csv,
    report_timeline_csv, report_gc_csv, report_json, report_html, report_collapsed, report_pprof, report_speedscope,
    report_firefox;

#define REPORT_NO_THREAD "(samples without a thread)" /* the name of a thread that stands for such samples */

/* Writes a CSV cell (RFC 4180). It is quoted where needed, also for readers that separate cells by ";" or tabs. Names
 * come from the program that was measured, and a spreadsheet takes a cell that begins with = + - @ or a control
 * character for a formula: such a cell gets an apostrophe in front. So does one that begins with an apostrophe, so that
 * removing one apostrophe always gives the name. */
void csv_put(const char *text, size_t length, FILE *out);
/* Milliseconds since the epoch, rounded down. */
long long csv_ms(int64_t ns);

/* Writes the summary: what was measured, where the energy went, the top methods, how good the data is, and how to
 * improve it. FILTER says which methods are the application's (application_filter where the user named none). TOP: how
 * many methods each list has. */
void report_summary(const struct result *result, const struct name_filter *filter, size_t top, const struct tty *tty,
                    FILE *out);

/* Writes flame.html, a page that needs no other file: a flame graph of the energy, and a plot of the power. APPLICATION
 * says which frames are coloured as the application's. */
void report_flame_html(const struct result *result, const struct name_filter *application, FILE *out);

/* What to change for better data in the next recording. Fills HINTS with those that apply, and returns their number. */
#define REPORT_MAX_HINTS 12
struct report_hint {
    char text[320];
};
size_t report_hints(const struct result *result, struct report_hint hints[REPORT_MAX_HINTS]);

#endif
