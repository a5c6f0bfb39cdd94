#include "comparelists.h"

#include <math.h>

const struct compare_list_form compare_list_forms[LIST_FORMS] = {
    {LIST_OWN, "METHODS, OWN ENERGY", "methods_own"},
    {LIST_WHOLE, "METHODS WITH WHAT THEY CALLED", "methods_total"},
    {LIST_BRANCH, "BRANCHES", "branches"},
};

const char *compare_unit_words(const struct comparison *c, char *buffer, size_t size)
{
    static const char *const words[] = {"J per run", "J per second", "J per CPU-second", "J per unit of work"};
    if (c->options.per == PER_UNIT && c->runs[SIDE_NEW].n != 0)
        snprintf(buffer, size, "%s (base: %.15g a run, new: %.15g)", words[PER_UNIT], c->options.units[SIDE_BASE],
                 c->options.units[SIDE_NEW]);
    else if (c->options.per == PER_UNIT)
        snprintf(buffer, size, "%s (%.15g a run)", words[PER_UNIT], c->options.units[SIDE_BASE]);
    else
        snprintf(buffer, size, "%s", words[c->options.per]);
    return buffer;
}

double compare_percent(const struct compare_estimate *e)
{
    return e->base_j > 0 ? 100 * e->delta_j / e->base_j : (double)NAN;
}

const char *compare_row_verdict(const struct compare_row *row, char *buffer, size_t size)
{
    if (row->verdict == VERDICT_SAME) /* rounded up: it lies within what is said */
        snprintf(buffer, size, "same within %.1f %%", ceil(row->within * 1000) / 10);
    else if (row->verdict == VERDICT_CANNOT_TELL && row->runs_needed > COMPARE_MAX_RUNS)
        snprintf(buffer, size, "cannot tell (>%d runs)", COMPARE_MAX_RUNS);
    else if (row->verdict == VERDICT_CANNOT_TELL && row->runs_needed != 0)
        snprintf(buffer, size, "cannot tell (%u runs)", row->runs_needed);
    else
        snprintf(buffer, size, "%s", compare_verdict_words[row->verdict]);
    return buffer;
}

bool compare_estimated(const struct comparison *c)
{
    for (int side = 0; side < SIDES; side++)
        for (size_t i = 0; i < c->runs[side].n; i++)
            if (c->runs[side].v[i].estimated)
                return true;
    return false;
}
