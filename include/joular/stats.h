/* What repeated measurements say. */
#ifndef JOULAR_STATS_H
#define JOULAR_STATS_H

#include <stddef.h>

/* Of N values; sd is the sample's (N - 1), half_width that of the 95 % interval of the mean by Student's t:
 * t(0.975, N - 1) x sd / sqrt(N). cov is sd / mean. NaN where N is too small or the mean is 0. */
struct stats {
    size_t n;
    double mean, sd, half_width, cov;
};
struct stats stats_of(const double *values, size_t n);

/* How well N runs agree, in a word of their 95 % interval's half as a share of the mean: HIGH up to 2 %, MEDIUM up to
 * 5 %, else LOW; NONE where there is no interval. */
const char *confidence_word(double mean, double half_width);

/* P(T > t) of Student's t with FREEDOM degrees of freedom (any number above 0; INFINITY is the normal distribution),
 * for t of either sign. */
double student_tail(double t, double freedom);

/* The value that Student's t with FREEDOM degrees of freedom, as above, stays below with probability P (0 < P < 1). */
double student_quantile(double p, double freedom);
/* Holm's step-down adjustment (S. Holm, Scand. J. Statist. 6, 1979): ADJUSTED[i] is the smallest family-wise level at
 * which P[i] is rejected. NaN is no test, and stays NaN. */
void holm_adjust(const double *p, size_t n, double *adjusted);

/* Grubbs' two-sided test at LEVEL: the index of the value that lies too far from the others to be one of them, or N
 * where none does or there are fewer than three (F. E. Grubbs, Technometrics 11, 1969). */
size_t grubbs_outlier(const double *values, size_t n, double level);
/* What (farthest value - mean) / sd must exceed: 1.715 for N = 5 at 0.05. */
double grubbs_limit(size_t n, double level);

/* Regularized incomplete beta function I_x(a, b), a and b above 0. */
double incomplete_beta(double a, double b, double x);

#endif
