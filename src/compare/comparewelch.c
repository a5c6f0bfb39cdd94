/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The difference between the means of two sets of runs, and its interval.
 *
 * Two or more runs a side: Welch's interval, t(f) x sqrt(S1 / n1 + S2 / n2), with Satterthwaite's f. The variance S of
 * the runs already includes their sampling errors. S is taken to be at least the mean sampling variance, since a few
 * runs may be close together by chance.
 *
 * One run against several: both sides are taken to have the variance of the several.
 *
 * One run a side: the sampling errors alone. Samples are counted, so the difference is first made smaller by the energy
 * of one sample, (V1 + V2) / (E1 + E2). Without that, 4 samples against none would pass as a difference at 95 %, though
 * chance alone gives as much with a probability of 2 x 0.5^4, 12.5 %. */
#include "compareset.h"

#include <math.h>

static double mean_of(const double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum / (double)n;
}

/* The variance of one run of a side; NaN for a side of a single run. */
static double run_variance(const double *values, const double *sampling, size_t n)
{
    double known = 0;
    size_t knows = 0;
    for (size_t i = 0; i < n; i++) {
        known += isnan(sampling[i]) ? 0 : sampling[i];
        knows += isnan(sampling[i]) ? 0 : 1;
    }
    double least = knows != 0 ? known / (double)knows : 0;
    struct stats stats = stats_of(values, n);
    return n < 2 ? (double)NAN : fmax(stats.sd * stats.sd, least);
}

static void by_sampling_error(struct compare_estimate *e, double base_v, double new_v, double confidence)
{
    double variance = base_v + new_v, sample_j = variance / (e->base_j + e->new_j);
    e->freedom = INFINITY;
    e->run_variance = e->half_width_j = e->p = NAN;
    if (!(variance > 0)) /* also NaN: there is no interval then */
        return;
    double distance = fmax(0, fabs(e->delta_j) - sample_j);
    e->run_variance = variance;
    e->half_width_j = student_quantile(0.5 + confidence / 2, INFINITY) * sqrt(variance) + sample_j;
    e->p = 2 * student_tail(distance / sqrt(variance), INFINITY);
}

struct compare_estimate compare_estimate(const double *base, const double *base_v, size_t base_n, const double *fresh,
                                         const double *fresh_v, size_t fresh_n, double confidence)
{
    struct compare_estimate e = {mean_of(base, base_n), mean_of(fresh, fresh_n), 0, NAN, NAN, NAN, NAN};
    e.delta_j = e.new_j - e.base_j;
    if (base_n == 1 && fresh_n == 1) {
        by_sampling_error(&e, base_v[0], fresh_v[0], confidence);
        return e;
    }
    double s1 = run_variance(base, base_v, base_n), s2 = run_variance(fresh, fresh_v, fresh_n);
    double n1 = (double)base_n, n2 = (double)fresh_n;
    if (base_n == 1)
        s1 = fmax(s2, isnan(base_v[0]) ? 0 : base_v[0]);
    if (fresh_n == 1)
        s2 = fmax(s1, isnan(fresh_v[0]) ? 0 : fresh_v[0]);
    double w1 = s1 / n1, w2 = s2 / n2, w = w1 + w2;
    e.run_variance = s1 + s2;
    if (!(w > 0)) { /* the runs of each side are exactly equal */
        e.half_width_j = 0;
        e.p = e.delta_j == 0 ? 1 : 0;
        return e;
    }
    e.freedom = base_n == 1 ? n2 - 1 : fresh_n == 1 ? n1 - 1 : w * w / (w1 * w1 / (n1 - 1) + w2 * w2 / (n2 - 1));
    e.half_width_j = student_quantile(0.5 + confidence / 2, e.freedom) * sqrt(w);
    e.p = 2 * student_tail(fabs(e.delta_j) / sqrt(w), e.freedom);
    return e;
}

#define POWER 0.8

/* N runs a side are enough where (t(1 - level/2) + t(power))^2 x run_variance / n is at most delta^2. */
static bool are_enough(struct compare_needed *needed, double delta, double variance, unsigned n)
{
    if (needed->factor[n] <= 0) {
        double freedom = 2.0 * n - 2;
        double t = student_quantile(1 - needed->level / 2, freedom) + student_quantile(POWER, freedom);
        needed->factor[n] = t * t / n;
    }
    return needed->factor[n] * variance <= delta * delta;
}

unsigned compare_runs_needed(struct compare_needed *needed, double delta, double variance)
{
    unsigned low = 1, high = COMPARE_MAX_RUNS; /* low runs are not enough, high are */
    if (!(fabs(delta) > 0) || isnan(variance))
        return 0;
    if (!are_enough(needed, delta, variance, high))
        return COMPARE_MAX_RUNS + 1;
    while (high - low > 1) {
        unsigned middle = low + (high - low) / 2;
        if (are_enough(needed, delta, variance, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}
