/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of src/compare share. */
#ifndef JOULAR_COMPARESET_H
#define JOULAR_COMPARESET_H

#include "joular/compare.h"

#define CERTAIN_95 1.96

/* All figures of a list, by key and run, runs of the base first. Where a run has no figure, energy and variance are 0.
 */
struct figure_table {
    size_t keys, runs[SIDES], width;
    double *energy_j, *variance; /* [key * width + run], of energies divided as the options say */
};
struct figure_table figure_table_of(const struct comparison *c, enum compare_list list);
void figure_table_free(struct figure_table *table);

/* The keys with the most energy, at most TOP; to be freed. */
uint32_t *figure_table_top(const struct comparison *c, enum compare_list list, const struct figure_table *table,
                           size_t top, size_t *count);

/* To be freed. */
char *compare_key_name(const struct comparison *c, enum compare_list list, uint32_t key);

/* Puts the runs of each side in the order of their start, so that no figure depends on the order they came in. */
void compare_sort_runs(struct comparison *c);

/* Sets run->facts, texts of the facts in which runs should be alike (NULL: unknown), and run->others_share. */
void compare_take_facts(const struct result *result, struct compare_run *run);

#endif
