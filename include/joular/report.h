/* Results as people and programs read them. Nothing here knows where a result came from. */
#ifndef JOULAR_REPORT_H
#define JOULAR_REPORT_H

#include "joular/result.h"
#include "joular/status.h"
#include "joular/tty.h"

#include <stdio.h>

#define REPORT_CSV_HEADER "timestamp,branch,power_watts,energy_joules,interval_seconds,coverage"

/* The two branch CSVs, in the format of the Joular Code agent: the branches of RESULT as they are, or as SET has them
 * with MAP of result_filter. HEADER false where rows are appended. */
void report_branch_csv(const struct result *result, const struct branch_set *set, const uint32_t *map, bool header,
                       FILE *out);

/* The answer in ten seconds: what was measured, where the energy went, the top methods, how good the data is, and what
 * to change for better. FILTER says which methods are the application's (application_filter where the user named none).
 */
void report_summary(const struct result *result, const struct name_filter *filter, const struct tty *tty, FILE *out);

/* flame.html: a page of its own with a flame graph of the energy over a plot of the power. APPLICATION says which frames
 * are coloured as the application's. */
void report_flame_html(const struct result *result, const struct name_filter *application, FILE *out);

/* What to change in the next recording; NULL behind the last. Each is shown for a recording that deserves it, and no
 * other. */
#define REPORT_MAX_HINTS 12
struct report_hint {
    char text[320];
};
size_t report_hints(const struct result *result, struct report_hint hints[REPORT_MAX_HINTS]);

#endif
