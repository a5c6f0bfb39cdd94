#include "joular/stats.h"

#include <float.h>
#include <math.h>

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
    if (x < (a + 1) / (a + b + 2)) /* where the fraction converges fast */
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* P(T > t), t >= 0: half of I_x(f/2, 1/2) at x = f / (f + t^2). */
static double upper_tail(double t, double freedom)
{
    return 0.5 * incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double student_quantile(double p, double freedom)
{
    double tail = p < 0.5 ? p : 1 - p, low = 0, high = 1;
    if (!(p > 0 && p < 1 && freedom > 0))
        return NAN;
    while (upper_tail(high, freedom) > tail && high < 1e300)
        high *= 2;
    for (int i = 0; i < 200 && high - low > DBL_EPSILON * high; i++) {
        double middle = low + (high - low) / 2;
        if (upper_tail(middle, freedom) > tail)
            low = middle;
        else
            high = middle;
    }
    double t = low + (high - low) / 2;
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
