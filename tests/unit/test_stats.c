/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Student's t against published tables, and what is made of it; properties. */
#include "unit.h"

#include "joular/properties.h"
#include "joular/stats.h"
#include "joular/status.h"

#include <stdio.h>

/* NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, upper critical values, three decimals. */
TEST(quantiles_are_those_of_the_published_table)
{
    static const double probabilities[6] = {0.90, 0.95, 0.975, 0.99, 0.995, 0.999};
    static const struct {
        double freedom, t[6];
    } table[] = {
        {1, {3.078, 6.314, 12.706, 31.821, 63.657, 318.309}}, {2, {1.886, 2.920, 4.303, 6.965, 9.925, 22.327}},
        {3, {1.638, 2.353, 3.182, 4.541, 5.841, 10.215}},     {4, {1.533, 2.132, 2.776, 3.747, 4.604, 7.173}},
        {5, {1.476, 2.015, 2.571, 3.365, 4.032, 5.893}},      {6, {1.440, 1.943, 2.447, 3.143, 3.707, 5.208}},
        {7, {1.415, 1.895, 2.365, 2.998, 3.499, 4.785}},      {8, {1.397, 1.860, 2.306, 2.896, 3.355, 4.501}},
        {9, {1.383, 1.833, 2.262, 2.821, 3.250, 4.297}},      {10, {1.372, 1.812, 2.228, 2.764, 3.169, 4.144}},
        {15, {1.341, 1.753, 2.131, 2.602, 2.947, 3.733}},     {20, {1.325, 1.725, 2.086, 2.528, 2.845, 3.552}},
        {30, {1.310, 1.697, 2.042, 2.457, 2.750, 3.385}},     {50, {1.299, 1.676, 2.009, 2.403, 2.678, 3.261}},
        {100, {1.290, 1.660, 1.984, 2.364, 2.626, 3.174}},    {1e7, {1.282, 1.645, 1.960, 2.326, 2.576, 3.090}},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        for (size_t j = 0; j < 6; j++) {
            double t = student_quantile(probabilities[j], table[i].freedom);
            if (fabs(t - table[i].t[j]) > 0.00051)
                fail_msg("t(%g, %g) = %.6f, not %.3f", probabilities[j], table[i].freedom, t, table[i].t[j]);
        }
}

TEST(quantiles_are_symmetrical_and_exact_where_there_is_a_formula)
{
    assert_true(fabs(student_quantile(0.975, 1) - 12.706204736174698) < 1e-9); /* tan(0.475 pi) */
    assert_true(fabs(student_quantile(0.975, 2) - 4.302652729749464) < 1e-10);
    assert_true(fabs(student_quantile(0.025, 7) + student_quantile(0.975, 7)) < 1e-12);
    assert_true(fabs(student_quantile(0.5, 3)) < 1e-9);
    assert_true(isnan(student_quantile(0, 3)) && isnan(student_quantile(1, 3)) && isnan(student_quantile(0.5, 0)));
}

TEST(incomplete_beta_has_its_known_values)
{
    assert_true(fabs(incomplete_beta(1, 1, 0.3) - 0.3) < 1e-14);
    assert_true(fabs(incomplete_beta(2, 3, 0.4) - 0.5248) < 1e-13); /* polynomial: 6x2 - 8x3 + 3x4 */
    assert_true(fabs(incomplete_beta(0.5, 0.5, 0.25) - 1.0 / 3) < 1e-13);
    assert_true(incomplete_beta(2, 3, 0) <= 0 && incomplete_beta(2, 3, 1) >= 1);
}

TEST(five_runs_give_mean_deviation_and_interval)
{
    static const double joules[] = {410, 405, 415, 420, 412.5};
    struct stats s = stats_of(joules, 5);
    assert_true(fabs(s.mean - 412.5) < 1e-12);
    assert_true(fabs(s.sd - 5.590169943749475) < 1e-12);
    assert_true(fabs(s.half_width - 2.7764451051977987 * 5.590169943749475 / sqrt(5)) < 1e-9);
    assert_true(fabs(s.cov - s.sd / s.mean) < 1e-15);
}

TEST(one_run_has_a_mean_and_no_interval)
{
    double joules = 7;
    struct stats s = stats_of(&joules, 1);
    assert_true(s.mean >= 7 && s.mean <= 7 && isnan(s.half_width) && isnan(s.cov));
    assert_true(isnan(stats_of(NULL, 0).mean));
}

static void read_text(const char *text, struct properties *properties)
{
    struct error err = {0};
    assert_int_equal(properties_read((const uint8_t *)text, strlen(text), properties, &err), STATUS_OK);
}

static void assert_property(const char *text, const char *key, const char *value)
{
    struct properties properties;
    read_text(text, &properties);
    const struct property *found = properties_find(&properties, key);
    if (found == NULL)
        fail_msg("no %s in %s", key, text);
    else
        assert_string_equal(found->value, value);
    properties_free(&properties);
}

TEST(keys_end_at_the_first_separator_that_is_not_escaped)
{
    assert_property("a=b", "a", "b");
    assert_property("a : b c ", "a", "b c ");
    assert_property("a b=c", "a", "b=c");
    assert_property("a\\ b\\=c = d", "a b=c", "d");
    assert_property("a", "a", "");
    assert_property("=b", "", "b");
    assert_property("  a\t=\t b", "a", "b");
}

TEST(comments_blank_lines_and_continued_lines)
{
    assert_property("# a=1\n! a=2\n\n\r\n  # a=3\na=4 # no comment", "a", "4 # no comment");
    assert_property("a = 1, \\\n    2, \\\r\n\t3\nb=4", "a", "1, 2, 3");
    assert_property("a = 1\\\\\nb=2", "a", "1\\");
    assert_property("a = x\\\n# not a comment", "a", "x# not a comment");
    assert_property("a=1\na=2", "a", "2");
}

TEST(escapes_and_latin_1_become_utf_8)
{
    assert_property("a=\\t\\n\\u0041\\u20ac\\ud83d\\ude00\\z", "a", "\t\nA\xe2\x82\xac\xf0\x9f\x98\x80z");
    assert_property("a=\xe9", "a", "\xc3\xa9");
    assert_property("a=\\ud83d!", "a", "\xef\xbf\xbd!");
}

TEST(a_bad_unicode_escape_is_refused_with_its_line)
{
    struct properties properties;
    struct error err = {0};
    const char *text = "a=1\n\nb=\\\n  \\u12g4\n";
    assert_int_equal(properties_read((const uint8_t *)text, strlen(text), &properties, &err), STATUS_INVALID);
    assert_int_equal(err.line, 3);
    properties_free(&properties);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(quantiles_are_those_of_the_published_table),
        CASE(quantiles_are_symmetrical_and_exact_where_there_is_a_formula),
        CASE(incomplete_beta_has_its_known_values),
        CASE(five_runs_give_mean_deviation_and_interval),
        CASE(one_run_has_a_mean_and_no_interval),
        CASE(keys_end_at_the_first_separator_that_is_not_escaped),
        CASE(comments_blank_lines_and_continued_lines),
        CASE(escapes_and_latin_1_become_utf_8),
        CASE(a_bad_unicode_escape_is_refused_with_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
