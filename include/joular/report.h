/* Results as people and programs read them. Nothing here knows where a result came from. */
#ifndef JOULAR_REPORT_H
#define JOULAR_REPORT_H

#include "joular/result.h"
#include "joular/status.h"
#include "joular/tty.h"

#include <stdio.h>

/* What a form is made of. */
enum report_weight {
    WEIGHT_ENERGY,
    WEIGHT_CPU,
    WEIGHT_SAMPLES
};
struct report_input {
    const struct result *whole;            /* all that was found */
    const struct result *view;             /* the same, or as --group, --include and --exclude have it */
    const struct name_filter *prefixes;    /* what the app file keeps; no prefixes: all */
    const struct name_filter *application; /* which methods are the application's, for colours and the summary */
    enum report_weight weight;
};

/* A form is one file that fills one of these in the table of src/report/forms.c. The same input gives the same bytes.
 */
struct report_form {
    const char *format; /* its word in --format */
    const char *file;   /* its name in the result folder */
    const char *header; /* first line where rows can be added to the file (--append), else NULL */
    void (*write)(const struct report_input *input, bool header, FILE *out); /* NULL: not in this build */
    const char *needs;                                                       /* then the libraries that it would take */
};
extern const struct report_form *const report_forms[]; /* NULL behind the last */
extern const struct report_form report_all_csv, report_app_csv, report_methods_csv, report_threads_csv,
    report_timeline_csv, report_gc_csv, report_json, report_html, report_collapsed, report_pprof, report_speedscope,
    report_firefox;

#define REPORT_NO_THREAD "(samples without a thread)" /* the name of a thread that stands for such samples */

/* A cell as RFC 4180 has it, quoted where it needs to be, also for those who part cells by ";" or tabs. Names come from
 * the program that was measured, and a spreadsheet runs a cell that begins with = + - @ or a control character: it gets
 * an apostrophe before it, as does one that begins with an apostrophe, so that whoever takes one away has the name. */
void csv_put(const char *text, size_t length, FILE *out);
/* Milliseconds since the epoch, rounded down. */
long long csv_ms(int64_t ns);

/* The answer in ten seconds: what was measured, where the energy went, the top methods, how good the data is, and what
 * to change for better. FILTER says which methods are the application's (application_filter where the user named none).
 * TOP: how many methods each list has. */
void report_summary(const struct result *result, const struct name_filter *filter, size_t top, const struct tty *tty,
                    FILE *out);

/* flame.html: a page of its own with a flame graph of the energy over a plot of the power. APPLICATION says which
 * frames are coloured as the application's. */
void report_flame_html(const struct result *result, const struct name_filter *application, FILE *out);

/* What to change in the next recording; NULL behind the last. Each is shown for a recording that deserves it, and no
 * other. */
#define REPORT_MAX_HINTS 12
struct report_hint {
    char text[320];
};
size_t report_hints(const struct result *result, struct report_hint hints[REPORT_MAX_HINTS]);

#endif
