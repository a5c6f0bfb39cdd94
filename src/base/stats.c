/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "joular/stats.h"

#include "joular/mem.h"

#include <float.h>
#include <math.h>

/* Limits of the half-width of the 95 % CI, as a share of the mean. */
#define HIGH_CONFIDENCE 0.02
#define MEDIUM_CONFIDENCE 0.05

/* Lentz's method for the continued fraction of I_x(a, b) (Abramowitz and Stegun 26.5.8). */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1), value;
    d = 1 / (fabs(d) < tiny ? tiny : d);
    value = d;
    for (int m = 1; m < 100000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double step = 1;
        for (int half = 0; half < 2; half++) {
            double term = half == 0 ? even : odd;
            d = 1 + term * d;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = 1 + term / c;
            c = fabs(c) < tiny ? tiny : c;
            step = c * d;
            value *= step;
        }
        if (fabs(step - 1) < DBL_EPSILON)
            break;
    }
    return value;
}

double incomplete_beta(double a, double b, double x)
{
    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2)) /* the fraction converges fast */
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* P(T > t), t >= 0: half of I_x(f/2, 1/2) at x = f / (f + t^2). */
static double upper_tail(double t, double freedom)
{
    if (isinf(freedom))
        return 0.5 * erfc(t * M_SQRT1_2);
    return 0.5 * incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double student_tail(double t, double freedom)
{
    if (!(freedom > 0) || isnan(t))
        return NAN;
    return t >= 0 ? upper_tail(t, freedom) : 1 - upper_tail(-t, freedom);
}

static double density(double t, double freedom)
{
    if (isinf(freedom))
        return exp(-t * t / 2) / sqrt(2 * M_PI);
    return exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2) - (freedom + 1) / 2 * log1p(t * t / freedom)) /
           sqrt(freedom * M_PI);
}

double student_quantile(double p, double freedom)
{
    double tail = p < 0.5 ? p : 1 - p, low = 0, high = 1;
    if (!(p > 0 && p < 1 && freedom > 0))
        return NAN;
    if (p == 0.5)
        return 0; /* halving the bounds would not reach it */
    while (upper_tail(high, freedom) > tail && high < 1e300)
        high *= 2;
    double t = low + (high - low) / 2;
    for (int i = 0; i < 200 && high - low > DBL_EPSILON * high; i++) {
        double above = upper_tail(t, freedom) - tail;
        if (above > 0)
            low = t;
        else
            high = t;
        /* Newton's step if it stays between the bounds, else their middle */
        double step = above / density(t, freedom), next = t + step;
        if (fabs(step) <= DBL_EPSILON * t)
            break;
        t = next > low && next < high ? next : low + (high - low) / 2;
    }
    return p < 0.5 ? -t : t;
}

struct stats stats_of(const double *values, size_t n)
{
    struct stats s = {n, NAN, NAN, NAN, NAN};
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    if (n > 0)
        s.mean = sum / (double)n;
    if (n < 2)
        return s;
    for (size_t i = 0; i < n; i++)
        squares += (values[i] - s.mean) * (values[i] - s.mean);
    s.sd = sqrt(squares / (double)(n - 1));
    s.half_width = student_quantile(0.975, (double)(n - 1)) * s.sd / sqrt((double)n);
    if (s.mean > 0)
        s.cov = s.sd / s.mean;
    return s;
}

const char *confidence_word(double mean, double half_width)
{
    double share = half_width / mean;
    if (!isfinite(share))
        return "NONE";
    return share <= HIGH_CONFIDENCE ? "HIGH" : share <= MEDIUM_CONFIDENCE ? "MEDIUM" : "LOW";
}

struct ranked {
    double p;
    size_t at;
};

static int by_p(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    return a->p < b->p ? -1 : a->p > b->p;
}

void holm_adjust(const double *p, size_t n, double *adjusted)
{
    struct ranked *order = mem_zero(n, sizeof *order);
    size_t tests = 0;
    double least = 0;
    for (size_t i = 0; i < n; i++) {
        adjusted[i] = NAN;
        if (!isnan(p[i]))
            order[tests++] = (struct ranked){p[i], i};
    }
    if (tests != 0)
        qsort(order, tests, sizeof *order, by_p);
    for (size_t k = 0; k < tests; k++) {
        least = fmax(least, fmin(1, order[k].p * (double)(tests - k)));
        adjusted[order[k].at] = least;
    }
    free(order);
}

double grubbs_limit(size_t n, double level)
{
    double count = (double)n;
    if (n < 3)
        return NAN;
    double t = student_quantile(1 - level / (2 * count), count - 2);
    return (count - 1) / sqrt(count) * sqrt(t * t / (count - 2 + t * t));
}

size_t grubbs_outlier(const double *values, size_t n, double level)
{
    struct stats s = stats_of(values, n);
    size_t farthest = 0;
    for (size_t i = 1; i < n; i++)
        if (fabs(values[i] - s.mean) > fabs(values[farthest] - s.mean))
            farthest = i;
    /* Values that only differ by rounding have no outlier. */
    if (n < 3 || !(s.sd > 1e-12 * fabs(s.mean)) || fabs(values[farthest] - s.mean) / s.sd <= grubbs_limit(n, level))
        return n;
    return farthest;
}
