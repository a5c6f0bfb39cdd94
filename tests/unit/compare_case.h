/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results for comparisons, made of figures, and numbers by chance that are the same each time. */
#ifndef JOULAR_COMPARE_CASE_H
#define JOULAR_COMPARE_CASE_H

#include "unit.h"

#include "joular/compare.h"

/* A result whose only thread had SAMPLES samples in one cycle; add_branch makes its branches. */
struct result case_result(int64_t start_ns, uint64_t samples);
/* FRAMES joined with ";", oldest first; SAMPLES of the thread's. */
void add_branch(struct result *r, const char *frames, double energy_j, double samples);
/* Adds up what the branches have; power_s seconds. */
void finish_result(struct result *r, double power_s, double cpu_s);

struct compare_options case_options(void);
/* Adds and frees the result. */
void add_run(struct comparison *c, enum compare_side side, const char *name, struct result *r);
const struct compare_row *row_named(const struct compare_rows *rows, const char *name); /* fails where there is none */

struct chance {
    uint64_t state;
};
double chance_uniform(struct chance *chance); /* 0 to below 1 */
double chance_normal(struct chance *chance);
/* N drawn into COUNT classes of probability P. */
void chance_multinomial(struct chance *chance, unsigned n, const double *p, size_t count, unsigned *drawn);

#endif
