/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The statistics against published tables and examples, and against themselves by simulation. */
#include "compare_case.h"

#ifdef HAVE_GSL
#include <gsl/gsl_cdf.h>
#endif

#define NEAR(a, b, within)                                           \
    do {                                                             \
        double near_a = (a), near_b = (b);                           \
        if (!(fabs(near_a - near_b) <= (within)))                    \
            fail_msg("%.17g is not close to %.17g", near_a, near_b); \
    } while (0)

/* NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, Critical Values of the Student's t Distribution. */
TEST(t_quantiles_are_those_of_the_nist_table)
{
    static const struct {
        double p, freedom, t;
    } rows[] = {{0.90, 1, 3.078},        {0.975, 1, 12.706},  {0.975, 2, 4.303},       {0.975, 4, 2.776},
                {0.99, 5, 3.365},        {0.975, 10, 2.228},  {0.999, 5, 5.893},       {0.95, 20, 1.725},
                {0.975, 30, 2.042},      {0.975, 100, 1.984}, {0.90, INFINITY, 1.282}, {0.975, INFINITY, 1.960},
                {0.999, INFINITY, 3.090}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        NEAR(student_quantile(rows[i].p, rows[i].freedom), rows[i].t, 0.0006);
        NEAR(student_tail(rows[i].t, rows[i].freedom), 1 - rows[i].p, 0.0002);
        NEAR(student_tail(-rows[i].t, rows[i].freedom), rows[i].p, 0.0002);
    }
}

TEST(tail_and_quantile_undo_each_other_for_any_freedom)
{
    for (double freedom = 0.7; freedom < 1e4; freedom *= 3.1)
        for (double p = 0.51; p < 0.99995; p += (1 - p) / 3)
            NEAR(student_tail(student_quantile(p, freedom), freedom), 1 - p, 1e-10);
}

TEST(tail_and_quantile_are_those_of_gsl)
{
#ifdef HAVE_GSL
    for (double freedom = 0.7; freedom < 1e5; freedom *= 3.1) {
        for (double t = -8; t <= 8; t += 0.37)
            NEAR(student_tail(t, freedom), gsl_cdf_tdist_Q(t, freedom), 1e-10);
        NEAR(student_quantile(0.975, freedom) / gsl_cdf_tdist_Pinv(0.975, freedom), 1, 1e-8);
    }
#else
    skip();
#endif
}

/* S. Holm's procedure on the four p-values of the worked example in Wikipedia, "Holm-Bonferroni method": at 0.05 the
 * first and the fourth are rejected. The adjusted values follow by hand: 0.005 x 4, 0.01 x 3, 0.03 x 2, 0.04 x 1. */
TEST(holm_rejects_what_the_worked_example_rejects)
{
    const double p[] = {0.01, 0.04, 0.03, 0.005};
    double adjusted[4];
    holm_adjust(p, 4, adjusted);
    NEAR(adjusted[0], 0.03, 1e-15);
    NEAR(adjusted[1], 0.06, 1e-15); /* not 0.04: it is never below the one before */
    NEAR(adjusted[2], 0.06, 1e-15);
    NEAR(adjusted[3], 0.02, 1e-15);
}

TEST(holm_counts_no_test_that_is_not_there)
{
    const double p[] = {0.04, NAN, 0.9};
    double adjusted[3];
    holm_adjust(p, 3, adjusted);
    NEAR(adjusted[0], 0.08, 1e-15);
    assert_true(isnan(adjusted[1]));
    NEAR(adjusted[2], 0.9, 1e-15);
    holm_adjust(p, 0, adjusted);
}

/* Student's sleep data (Biometrika 6, 1908), as R's documentation of t.test has it: t = -1.8608, df = 17.776,
 * p-value = 0.07939, 95 percent confidence interval -3.3654832 0.2054832. */
static const double sleep_1[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
static const double sleep_2[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
static const double none[64];

TEST(welch_is_that_of_students_sleep_data)
{
    struct compare_estimate e = compare_estimate(sleep_2, none, 10, sleep_1, none, 10, 0.95);
    NEAR(e.freedom, 17.776, 0.0005);
    NEAR(e.p, 0.07939, 0.000005);
    NEAR(e.delta_j - e.half_width_j, -3.3654832, 5e-8);
    NEAR(e.delta_j + e.half_width_j, 0.2054832, 5e-8);
}

TEST(a_spread_smaller_than_the_sampling_error_is_not_believed)
{
    const double base[] = {10, 10.001, 9.999}, fresh[] = {11, 11.001, 10.999}, sampling[] = {4, 4, 4};
    struct compare_estimate without = compare_estimate(base, none, 3, fresh, none, 3, 0.95);
    struct compare_estimate with = compare_estimate(base, sampling, 3, fresh, sampling, 3, 0.95);
    assert_true(without.p < 1e-6);
    NEAR(with.half_width_j, 2.7764 * sqrt(8.0 / 3), 0.001); /* t(0.975, 4) */
    assert_true(with.p > 0.5);
}

TEST(one_run_against_several_takes_their_spread)
{
    const double several[] = {10, 12, 11, 9, 13}, one[] = {20};
    struct compare_estimate e = compare_estimate(several, none, 5, one, none, 1, 0.95);
    NEAR(e.half_width_j, 2.7764 * sqrt(2.5 * (1 + 1.0 / 5)), 0.001); /* sd^2 = 2.5, t(0.975, 4) */
    struct compare_estimate back = compare_estimate(one, none, 1, several, none, 5, 0.95);
    assert_same(back.half_width_j, e.half_width_j);
    assert_same(back.delta_j, -e.delta_j);
}

/* Its sampling variance, 10, is more than the spread of the several, 2.5. */
TEST(one_run_against_several_scatters_by_its_own_sampling_error_at_least)
{
    const double several[] = {10, 12, 11, 9, 13}, one[] = {20}, own[] = {10};
    struct compare_estimate e = compare_estimate(several, none, 5, one, own, 1, 0.95);
    NEAR(e.half_width_j, 2.7764 * sqrt(2.5 / 5 + 10), 0.001);
    NEAR(e.run_variance, 12.5, 1e-12);
    NEAR(e.freedom, 4, 0);
    struct compare_estimate back = compare_estimate(one, own, 1, several, none, 5, 0.95);
    assert_same(back.half_width_j, e.half_width_j);
    assert_same(back.run_variance, e.run_variance);
    assert_same(back.freedom, e.freedom);
    assert_same(back.p, e.p);
    const double unknown[] = {NAN}; /* then it is taken to scatter as they do */
    NEAR(compare_estimate(several, none, 5, one, unknown, 1, 0.95).run_variance, 5, 1e-12);
    NEAR(compare_estimate(one, unknown, 1, several, none, 5, 0.95).run_variance, 5, 1e-12);
    const double small[] = {0.1, 0.12, 0.11, 0.09, 0.13};
    NEAR(compare_estimate(small, none, 5, one, unknown, 1, 0.95).run_variance, 0.0005, 1e-12);
    NEAR(compare_estimate(one, unknown, 1, small, none, 5, 0.95).run_variance, 0.0005, 1e-12);
}

/* 4 samples against none are chance in 2 x 0.5^4 = 12.5 % of the cases: no certainty at 95 %. */
TEST(one_run_a_side_knows_that_samples_are_counts)
{
    const double four[] = {4}, nothing[] = {0}, variance[] = {4};
    struct compare_estimate e = compare_estimate(nothing, none, 1, four, variance, 1, 0.95);
    NEAR(e.p, 0.1336, 0.0001); /* 2 x P(Z > 1.5) */
    NEAR(e.half_width_j, 1.96 * 2 + 1, 0.001);
}

TEST(one_run_a_side_without_a_sampling_error_says_nothing)
{
    const double a[] = {10}, b[] = {30}, unknown[] = {NAN};
    assert_true(isnan(compare_estimate(a, none, 1, b, none, 1, 0.95).half_width_j));
    assert_true(isnan(compare_estimate(a, unknown, 1, b, none, 1, 0.95).p));
}

/* NIST/SEMATECH e-Handbook, 1.3.5.17.1, Grubbs' test: mass spectrometer data, where 245.57 is an outlier. The limits
 * are of the two-sided test at 0.05, from Grubbs and Beck, Technometrics 14, 1972. */
TEST(grubbs_finds_the_outlier_of_the_nist_example)
{
    const double values[] = {199.31, 199.53, 200.19, 200.82, 201.92, 201.95, 202.18, 245.57};
    assert_int_equal(grubbs_outlier(values, 8, 0.05), 7);
    assert_int_equal(grubbs_outlier(values, 7, 0.05), 7);
    assert_int_equal(grubbs_outlier(values, 2, 0.05), 2);
    NEAR(grubbs_limit(5, 0.05), 1.715, 0.0006);
    NEAR(grubbs_limit(10, 0.05), 2.290, 0.0006);
    NEAR(grubbs_limit(20, 0.05), 2.709, 0.001);
}

TEST(confidence_words_begin_at_two_and_five_percent)
{
    assert_string_equal(confidence_word(100, 2), "HIGH");
    assert_string_equal(confidence_word(100, 2.01), "MEDIUM");
    assert_string_equal(confidence_word(100, 5), "MEDIUM");
    assert_string_equal(confidence_word(100, 5.01), "LOW");
    assert_string_equal(confidence_word(0, 1), "NONE");
    assert_string_equal(confidence_word(5, NAN), "NONE");
}

/* ---- Simulations: N draws of an event of probability P lie within 4 sd of N x P in all but 6 of 100,000 seeds ---- */

static double share_covered(unsigned n1, unsigned n2, double sd1, double sd2, unsigned draws)
{
    struct chance chance = {20261129};
    unsigned covered = 0;
    for (unsigned i = 0; i < draws; i++) {
        double a[32], b[32];
        for (unsigned k = 0; k < n1; k++)
            a[k] = 100 + sd1 * chance_normal(&chance);
        for (unsigned k = 0; k < n2; k++)
            b[k] = 103 + sd2 * chance_normal(&chance);
        struct compare_estimate e = compare_estimate(a, none, n1, b, none, n2, 0.95);
        covered += fabs(e.delta_j - 3) <= e.half_width_j;
    }
    return covered / (double)draws;
}

TEST(intervals_of_runs_cover_at_the_stated_rate)
{
    const unsigned draws = 20000 / (unsigned)every_nth(20);
    double chance = 4 * sqrt(0.95 * 0.05 / draws);                /* 0.6 % */
    NEAR(share_covered(5, 5, 2, 2, draws), 0.95, chance + 0.005); /* Welch is up to 0.5 % conservative here */
    NEAR(share_covered(5, 5, 1, 6, draws), 0.95, chance + 0.005);
    NEAR(share_covered(10, 4, 3, 3, draws), 0.95, chance + 0.005);
    NEAR(share_covered(1, 8, 3, 3, draws), 0.95, chance); /* exact */
    NEAR(share_covered(20, 20, 3, 3, draws), 0.95, chance);
}

TEST(the_runs_said_to_be_needed_tell_it_in_four_of_five_cases)
{
    struct chance chance = {4};
    struct compare_needed at = {.level = 0.05};
    unsigned needed = compare_runs_needed(&at, 2, 2 * 9), told = 0, draws = 4000 / (unsigned)every_nth(20);
    for (unsigned i = 0; i < draws; i++) {
        double a[64], b[64];
        assert_true(needed <= 64);
        for (unsigned k = 0; k < needed; k++) {
            a[k] = 100 + 3 * chance_normal(&chance);
            b[k] = 102 + 3 * chance_normal(&chance);
        }
        told += compare_estimate(a, none, needed, b, none, needed, 0.95).p <= 0.05;
    }
    NEAR(told / (double)draws, 0.8, 4 * sqrt(0.8 * 0.2 / draws) + 0.02); /* whole runs: a little more than asked for */
    assert_int_equal(compare_runs_needed(&at, 0, 9), 0);
    assert_int_equal(compare_runs_needed(&at, 0.001, 9), COMPARE_MAX_RUNS + 1);
    assert_int_equal(compare_runs_needed(&at, 100, 1e-9), 2);
}

/* n runs a side tell DELTA where (t(0.975) + t(0.8))^2 x V / n <= DELTA^2, both t with 2n - 2 degrees of freedom. From
 * tables of t, with V = 1: n = 2, (4.3027 + 1.0607)^2 / 2 = 14.383; n = 3, (2.7764 + 0.9410)^2 / 3 = 4.6064; n = 4,
 * (2.4469 + 0.9057)^2 / 4 = 2.8100. */
TEST(the_runs_needed_are_worked_out_with_two_degrees_of_freedom_less_than_there_are_runs)
{
    struct compare_needed at = {.level = 0.05};
    assert_int_equal(compare_runs_needed(&at, sqrt(14.39), 1), 2);
    assert_int_equal(compare_runs_needed(&at, sqrt(14.37), 1), 3);
    assert_int_equal(compare_runs_needed(&at, sqrt(4.61), 1), 3);
    assert_int_equal(compare_runs_needed(&at, -sqrt(4.60), 1), 4);
    assert_int_equal(compare_runs_needed(&at, sqrt(2.811), 1), 4);
    assert_int_equal(compare_runs_needed(&at, sqrt(2.809), 1), 5);
    assert_int_equal(compare_runs_needed(&at, sqrt(4 * 4.61), 4), 3);
    assert_int_equal(compare_runs_needed(&at, sqrt(4 * 4.60), 4), 4);
    struct compare_needed sure = {.level = 0.01}; /* n = 3: (4.6041 + 0.9410)^2 / 3 = 10.249 */
    assert_int_equal(compare_runs_needed(&sure, sqrt(10.26), 1), 3);
    assert_int_equal(compare_runs_needed(&sure, sqrt(10.24), 1), 4);
    assert_int_equal(compare_runs_needed(&at, 1, NAN), 0);
    assert_int_equal(compare_runs_needed(&at, NAN, 1), 0);
}

/* Of runs that lie close, the variance is the mean of the sampling variances that are known. */
TEST(sampling_variances_that_are_not_known_are_left_out_of_their_mean)
{
    static const struct {
        double sampling[3], variance;
    } cases[] = {{{4, 8, 12}, 8},
                 {{4, (double)NAN, 8}, 6},
                 {{(double)NAN, 5, (double)NAN}, 5},
                 {{7, (double)NAN, (double)NAN}, 7},
                 {{(double)NAN, (double)NAN, (double)NAN}, 1e-6}};
    const double close[] = {10, 10.001, 9.999}, other[] = {20, 22, 21}; /* sd^2 = 1e-6 and 1 */
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double both = cases[i].variance + 1, half = student_quantile(0.975, INFINITY);
        struct compare_estimate e = compare_estimate(close, cases[i].sampling, 3, other, none, 3, 0.95);
        NEAR(e.run_variance, both, 1e-9);
        assert_true(e.half_width_j > half * sqrt(both / 3));
        e = compare_estimate(other, none, 3, close, cases[i].sampling, 3, 0.95);
        NEAR(e.run_variance, both, 1e-9);
    }
}

/* (4 + 9) / (20 + 30) J are one sample. */
TEST(one_run_a_side_has_the_variances_of_both)
{
    const double base[] = {20}, fresh[] = {30}, base_v[] = {4}, fresh_v[] = {9};
    struct compare_estimate e = compare_estimate(base, base_v, 1, fresh, fresh_v, 1, 0.95);
    NEAR(e.run_variance, 13, 1e-12);
    NEAR(e.half_width_j, 1.959964 * sqrt(13) + 0.26, 1e-5);
    NEAR(e.p, 2 * student_tail(9.74 / sqrt(13), INFINITY), 1e-12);
    assert_true(isinf(e.freedom));
    e = compare_estimate(base, base_v, 1, base, base_v, 1, 0.95);
    NEAR(e.p, 1, 1e-12); /* less than a sample apart */
    const double tenth[] = {0.02}, more[] = {0.03}, tenth_v[] = {0.04}, more_v[] = {0.09};
    e = compare_estimate(tenth, tenth_v, 1, more, more_v, 1, 0.95);
    NEAR(e.run_variance, 0.13, 1e-12);
}

TEST(runs_that_are_the_same_to_the_last_digit_have_no_interval)
{
    const double ten[] = {10, 10}, eleven[] = {11, 11};
    struct compare_estimate e = compare_estimate(ten, none, 2, eleven, none, 2, 0.95);
    assert_same(e.half_width_j, 0.0);
    assert_same(e.p, 0.0);
    assert_same(e.run_variance, 0.0);
    e = compare_estimate(ten, none, 2, ten, none, 2, 0.95);
    assert_same(e.half_width_j, 0.0);
    assert_same(e.p, 1.0);
}

/* sd^2 = 2 and 0.01 of two and three: w = 1 + 0.01 / 3. */
TEST(runs_that_scatter_little_are_judged_by_what_they_scatter)
{
    const double base[] = {10, 12}, fresh[] = {20, 20.1, 20.2};
    struct compare_estimate e = compare_estimate(base, none, 2, fresh, none, 3, 0.95);
    double w1 = 1, w2 = 0.01 / 3, w = w1 + w2;
    NEAR(e.freedom, w * w / (w1 * w1 / 1 + w2 * w2 / 2), 1e-9);
    NEAR(e.run_variance, 2.01, 1e-9);
    NEAR(e.half_width_j, student_quantile(0.975, e.freedom) * sqrt(w), 1e-9);
    NEAR(e.p, 2 * student_tail((20.1 - 11) / sqrt(w), e.freedom), 1e-12);
    const double near[] = {0.1, 0.12}, far[] = {0.2, 0.201, 0.202};
    e = compare_estimate(near, none, 2, far, none, 3, 0.95);
    NEAR(e.run_variance, 0.0002 + 0.000001, 1e-12);
    assert_true(e.p > 0 && e.half_width_j > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(t_quantiles_are_those_of_the_nist_table),
        CASE(tail_and_quantile_undo_each_other_for_any_freedom),
        CASE(tail_and_quantile_are_those_of_gsl),
        CASE(holm_rejects_what_the_worked_example_rejects),
        CASE(holm_counts_no_test_that_is_not_there),
        CASE(welch_is_that_of_students_sleep_data),
        CASE(a_spread_smaller_than_the_sampling_error_is_not_believed),
        CASE(one_run_against_several_takes_their_spread),
        CASE(one_run_against_several_scatters_by_its_own_sampling_error_at_least),
        CASE(one_run_a_side_knows_that_samples_are_counts),
        CASE(one_run_a_side_without_a_sampling_error_says_nothing),
        CASE(grubbs_finds_the_outlier_of_the_nist_example),
        CASE(confidence_words_begin_at_two_and_five_percent),
        CASE(intervals_of_runs_cover_at_the_stated_rate),
        CASE(the_runs_said_to_be_needed_tell_it_in_four_of_five_cases),
        CASE(the_runs_needed_are_worked_out_with_two_degrees_of_freedom_less_than_there_are_runs),
        CASE(sampling_variances_that_are_not_known_are_left_out_of_their_mean),
        CASE(one_run_a_side_has_the_variances_of_both),
        CASE(runs_that_are_the_same_to_the_last_digit_have_no_interval),
        CASE(runs_that_scatter_little_are_judged_by_what_they_scatter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
