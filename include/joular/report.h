/* Results as people and programs read them. Nothing here knows where a result came from. */
#ifndef JOULAR_REPORT_H
#define JOULAR_REPORT_H

#include "joular/result.h"
#include "joular/status.h"

#include <stdio.h>

#define REPORT_CSV_HEADER "timestamp,branch,power_watts,energy_joules,interval_seconds,coverage"

/* The two branch CSVs, in the format of the Joular Code agent: the branches of RESULT as they are, or as SET has them
 * with MAP of result_filter. HEADER false where rows are appended. */
void report_branch_csv(const struct result *result, const struct branch_set *set, const uint32_t *map, bool header,
                       FILE *out);

/* What was measured, the totals, and the methods with the most energy of their own. */
void report_text(const struct result *result, FILE *out);

#endif
