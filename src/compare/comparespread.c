/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of one side: how much they scatter, which are outliers, and whether they drift (as in warm-up). */
#include "compareset.h"

#include <math.h>

#ifdef HAVE_GSL
#include <gsl/gsl_fit.h>
#endif

#define LEVEL 0.05
#define LEAST_FOR_DRIFT 4

/* The slope of a straight line through the figures, in the order of the runs, as a share of their mean; 0 where it is
 * not significant at LEVEL (t test of the slope, N - 2 degrees of freedom). */
static double drift_of(const double *values, size_t n, double mean, double level)
{
#ifdef HAVE_GSL
    double intercept, slope, cov00, cov01, cov11, squares;
    if (n < LEAST_FOR_DRIFT || !(mean > 0))
        return 0;
    double *at = mem_zero(n, sizeof *at);
    for (size_t i = 0; i < n; i++)
        at[i] = (double)i;
    gsl_fit_linear(at, 1, values, 1, n, &intercept, &slope, &cov00, &cov01, &cov11, &squares);
    free(at);
    if (fabs(slope) <= 1e-12 * mean) /* no more than rounding errors */
        return 0;
    double t = cov11 > 0 ? fabs(slope) / sqrt(cov11) : (double)INFINITY;
    return 2 * student_tail(t, (double)n - 2) < level ? slope / mean : 0;
#else
    (void)values;
    (void)n;
    (void)mean;
    (void)level;
    return 0;
#endif
}

/* Finds outliers one by one: removes the farthest, and tests the rest again. */
static void find_outliers(struct spread_row *row, const double *values, size_t n, double level)
{
    double *left = mem_zero(n, sizeof *left);
    size_t *number = mem_zero(n, sizeof *number), count = n, far;
    for (size_t i = 0; i < n; i++) {
        left[i] = values[i];
        number[i] = i;
    }
    while (count >= 3 && (far = grubbs_outlier(left, count, level)) < count) {
        vec_push(&row->outliers, number[far]);
        memmove(left + far, left + far + 1, (count - far - 1) * sizeof *left);
        memmove(number + far, number + far + 1, (count - far - 1) * sizeof *number);
        count--;
    }
    free(left);
    free(number);
}

static struct spread_row spread_of(const double *values, const double *variance, size_t n, double level)
{
    struct spread_row row = {.stats = stats_of(values, n)};
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += sqrt(variance[i]);
    row.sampling_half_width_j = CERTAIN_95 * sum / (double)n;
    find_outliers(&row, values, n, level);
    row.drift = drift_of(values, n, row.stats.mean, level);
    return row;
}

static int by_mean(const void *left, const void *right)
{
    const struct spread_row *a = left, *b = right;
    if (a->stats.mean != b->stats.mean)
        return a->stats.mean > b->stats.mean ? -1 : 1;
    return strcmp(a->name, b->name);
}

static void spread_list(const struct comparison *c, enum compare_list list, struct spread_rows *rows)
{
    struct figure_table t = figure_table_of(c, list);
    size_t count = 0;
    uint32_t *keys = figure_table_top(c, list, &t, c->options.top, &count);
    for (size_t i = 0; i < count; i++) {
        size_t at = keys[i] * t.width;
        struct spread_row row = spread_of(t.energy_j + at, t.variance + at, t.width, LEVEL / (double)count);
        row.name = compare_key_name(c, list, keys[i]);
        vec_push(rows, row);
    }
    if (rows->n != 0)
        qsort(rows->v, rows->n, sizeof *rows->v, by_mean);
    free(keys);
    figure_table_free(&t);
}

void compare_spread(struct comparison *c, struct compare_spread *out)
{
    const struct compare_runs *runs = &c->runs[SIDE_BASE];
    double *values = mem_zero(runs->n, sizeof *values), *none = mem_zero(runs->n, sizeof *none);
    *out = (struct compare_spread){0};
#ifdef HAVE_GSL
    out->drift_known = true;
#endif
    compare_sort_runs(c);
    for (enum compare_total total = 0; total < TOTALS; total++) {
        for (size_t i = 0; i < runs->n; i++)
            values[i] = runs->v[i].totals_j[total] / runs->v[i].divisor;
        out->totals[total] = spread_of(values, none, runs->n, LEVEL);
        out->totals[total].sampling_half_width_j = NAN; /* totals are not sampled */
        out->totals[total].name = mem_strdup(compare_total_words[total]);
    }
    spread_list(c, LIST_OWN, &out->lists[LIST_OWN]);
    spread_list(c, LIST_WHOLE, &out->lists[LIST_WHOLE]);
    spread_list(c, LIST_BRANCH, &out->lists[LIST_BRANCH]);
    free(values);
    free(none);
}

static void free_row(struct spread_row *row)
{
    free(row->name);
    vec_free(&row->outliers);
}

void compare_spread_free(struct compare_spread *spread)
{
    for (size_t total = 0; total < TOTALS; total++)
        free_row(&spread->totals[total]);
    for (size_t list = 0; list < LISTS; list++) {
        for (size_t i = 0; i < spread->lists[list].n; i++)
            free_row(&spread->lists[list].v[i]);
        vec_free(&spread->lists[list]);
    }
}
