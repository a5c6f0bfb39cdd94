/* Merging, inside. */
#ifndef JOULAR_MERGE_H
#define JOULAR_MERGE_H

#include "joular/result.h"

/* From the numbers of one result to those of another. */
struct merge_numbers {
    uint32_t *names, *branches;
};

static inline int by_number(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

/* By what a run is, and not by what it is called: 0 for the same one. Parts of one recording (--from, --to) differ in
 * their energy. */
int merge_compare_runs(const struct result_run *a, const struct result_run *b);

#endif
