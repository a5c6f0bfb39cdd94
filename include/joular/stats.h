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

/* The value that Student's t with FREEDOM degrees of freedom stays below with probability P (0 < P < 1). */
double student_quantile(double p, double freedom);
/* Regularized incomplete beta function I_x(a, b), a and b above 0. */
double incomplete_beta(double a, double b, double x);

#endif
