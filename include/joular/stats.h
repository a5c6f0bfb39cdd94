/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of repeated measurements. */
#ifndef JOULAR_STATS_H
#define JOULAR_STATS_H

#include <stddef.h>

/* Of N values: sd is the standard deviation of the sample (with N - 1), half_width is that of the 95 % CI of the mean
 * by Student's t: t(0.975, N - 1) x sd / sqrt(N). cov, the coefficient of variation, is sd / mean. A figure is NaN if N
 * is too small for it; cov also if the mean is not above 0. */
struct stats {
    size_t n;
    double mean, sd, half_width, cov;
};
struct stats stats_of(const double *values, size_t n);

/* A word for how well runs agree, by the half-width of their 95 % CI as a share of the mean: HIGH up to 2 %, MEDIUM up
 * to 5 %, else LOW; NONE if there is no interval. */
const char *confidence_word(double mean, double half_width);

/* P(T > t) of Student's t with FREEDOM degrees of freedom (any number above 0; INFINITY is the normal distribution),
 * for t of either sign. */
double student_tail(double t, double freedom);

/* The value that Student's t with FREEDOM degrees of freedom, as above, is below with probability P (0 < P < 1). */
double student_quantile(double p, double freedom);
/* Holm's step-down adjustment (S. Holm, Scand. J. Statist. 6, 1979): ADJUSTED[i] is the smallest family-wise level at
 * which P[i] is rejected. NaN means that there was no test, and stays NaN. */
void holm_adjust(const double *p, size_t n, double *adjusted);

/* Grubbs' two-sided test for an outlier at LEVEL (F. E. Grubbs, Technometrics 11, 1969): the index of the outlier, or N
 * if there is none or there are fewer than three values. */
size_t grubbs_outlier(const double *values, size_t n, double level);
/* The value that |farthest value - mean| / sd exceeds for an outlier: 1.715 for N = 5 at 0.05. */
double grubbs_limit(size_t n, double level);

/* Regularized incomplete beta function I_x(a, b), a and b above 0. */
double incomplete_beta(double a, double b, double x);

#endif
