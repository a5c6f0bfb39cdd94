/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dates and seconds in text. */
#include "unit.h"

#include "joular/text.h"

#include <time.h>

#define S INT64_C(1000000000)

static void zone(const char *name)
{
    setenv("TZ", name, 1);
    tzset();
}

static int64_t date(const char *text)
{
    int64_t ns = INT64_MIN;
    if (!text_to_date_ns(text, strlen(text), &ns))
        fail_msg("\"%s\" is no date", text);
    return ns;
}

static void no_date(const char *text)
{
    int64_t ns;
    if (text_to_date_ns(text, strlen(text), &ns))
        fail_msg("\"%s\" is taken for a date", text);
}

static int64_t seconds(const char *text)
{
    int64_t ns = INT64_MIN;
    if (!text_to_seconds_ns(text, strlen(text), &ns))
        fail_msg("\"%s\" is no number of seconds", text);
    return ns;
}

static void no_seconds(const char *text)
{
    int64_t ns;
    if (text_to_seconds_ns(text, strlen(text), &ns))
        fail_msg("\"%s\" is taken for seconds", text);
}

TEST(a_date_with_a_zone_is_the_same_everywhere)
{
    const char *const zones[] = {"UTC", "Europe/Berlin", "America/New_York"};
    for (size_t i = 0; i < 3; i++) {
        zone(zones[i]);
        assert_int_equal(date("2025-09-19T15:56:31Z"), 1758297391 * S);
        assert_int_equal(date("2025-09-19 17:56:31+02:00"), 1758297391 * S);
        assert_int_equal(date("2025-09-19 17:56:31+0200"), 1758297391 * S);
        assert_int_equal(date("2025-09-19 11:26:31-04:30"), 1758297391 * S);
        assert_int_equal(date("1970-01-01 00:00:00Z"), 0);
        assert_int_equal(date("2100-03-01 00:00:00Z"), 4107542400 * S); /* more seconds than 32 bits have */
    }
}

TEST(a_date_without_a_zone_is_local_with_summer_time)
{
    zone("UTC");
    assert_int_equal(date("2025-09-19 15:56:31"), 1758297391 * S);
    zone("CET-1CEST,M3.5.0,M10.5.0/3");
    assert_int_equal(date("2025-09-19 17:56:31"), 1758297391 * S); /* summer: two hours ahead */
    assert_int_equal(date("2025-12-19 16:56:31"), 1766159791 * S); /* winter: one */
    zone("EST5EDT,M3.2.0,M11.1.0");
    assert_int_equal(date("2025-09-19 11:56:31"), 1758297391 * S);
}

TEST(an_hour_that_the_clock_skips_is_still_a_time)
{
    zone("CET-1CEST,M3.5.0,M10.5.0/3");
    int64_t before = date("2025-03-30 01:59:59"), after = date("2025-03-30 03:00:00");
    assert_int_equal(after - before, 1 * S);
    int64_t skipped = date("2025-03-30 02:30:00");
    assert_true(skipped == before + 1801 * S || skipped == after - 1800 * S);
}

TEST(an_hour_that_comes_twice_is_one_of_the_two)
{
    zone("CET-1CEST,M3.5.0,M10.5.0/3");
    int64_t twice = date("2025-10-26 02:30:00"), before = date("2025-10-26 01:30:00");
    assert_true(twice - before == 3600 * S || twice - before == 7200 * S);
}

TEST(leading_zeros_may_be_missing_and_seconds_have_a_fraction)
{
    zone("UTC");
    assert_int_equal(date("2025-9-19 15:56:31.5"), 1758297391 * S + S / 2);
    assert_int_equal(date("2025-09-19 15:56:31,25"), 1758297391 * S + S / 4);
    assert_int_equal(date("2025-9-1 5:6:1.007"), date("2025-09-01 05:06:01") + 7000000);
    assert_int_equal(date("2025-09-19 15:56:31.123456789"), 1758297391 * S + 123456789);
    assert_int_equal(date("2025-09-19 15:56:31.5Z"), 1758297391 * S + S / 2);
}

TEST(seconds_may_be_left_out_and_then_there_is_no_fraction)
{
    zone("UTC");
    assert_int_equal(date("2025-09-19 15:56"), (1758297391 - 31) * S);
    assert_int_equal(date("2025-09-19 15:56Z"), (1758297391 - 31) * S);
    no_date("2025-09-19 15:56.5");
}

TEST(a_day_that_is_not_is_no_date)
{
    zone("UTC");
    no_date("2025-02-29 00:00:00");
    no_date("2025-02-30 00:00:00Z");
    no_date("2025-04-31 00:00:00");
    no_date("2025-00-10 00:00:00");
    no_date("2025-13-10 00:00:00");
    no_date("2025-01-00 00:00:00");
    no_date("2025-01-32 00:00:00");
    assert_int_equal(date("2024-02-29 00:00:00"), 1709164800 * S);
}

TEST(what_is_no_date_is_refused)
{
    zone("UTC");
    const char *const wrong[] = {"",
                                 " ",
                                 "2025",
                                 "2025-09",
                                 "2025-09-19",
                                 "2025-09-19 ",
                                 "2025-09-19 15",
                                 "2025-09-19 24:00:00",
                                 "2025-09-19 15:60:00",
                                 "2025-09-19 15:56:61",
                                 "2025-09-19 15:56:31.",
                                 "2025-09-19 15:56:31.1234567890",
                                 "2025-09-19 15:56:31 ",
                                 "2025-09-19 15:56:31z",
                                 "2025-09-19 15:56:31Z ",
                                 "2025-09-19 15:56:31+",
                                 "2025-09-19 15:56:31+2",
                                 "2025-09-19 15:56:31+02",
                                 "2025-09-19 15:56:31+02:60",
                                 "2025-09-19 15:56:31+19:00",
                                 "2025-09-19 15:56:31 +02:00",
                                 "2025/09/19 15:56:31",
                                 "19.09.2025 15:56:31",
                                 "2025-09-19_15:56:31",
                                 " 2025-09-19 15:56:31",
                                 "-2025-09-19 15:56:31",
                                 "1969-09-19 15:56:31",
                                 "2201-09-19 15:56:31",
                                 "20255-09-19 15:56:31",
                                 "2025-009-19 15:56:31x",
                                 "Date"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        no_date(wrong[i]);
}

TEST(the_length_ends_the_text)
{
    int64_t ns;
    zone("UTC");
    assert_true(text_to_date_ns("2025-09-19 15:56:31.5", 19, &ns));
    assert_int_equal(ns, 1758297391 * S);
    assert_true(text_to_seconds_ns("1758297391.5", 10, &ns));
    assert_int_equal(ns, 1758297391 * S);
    assert_false(text_to_seconds_ns("1", 0, &ns));
}

TEST(seconds_are_exact_to_the_nanosecond)
{
    assert_int_equal(seconds("0"), 0);
    assert_int_equal(seconds("1758297391"), 1758297391 * S);
    assert_int_equal(seconds("1758297391.000000001"), 1758297391 * S + 1);
    assert_int_equal(seconds("1758297391.9"), 1758297391 * S + 900000000);
    assert_int_equal(seconds("-1.25"), -1250000000);
    assert_int_equal(seconds("-0.5"), -S / 2);
    assert_int_equal(seconds("4611686017.999999999"), 4611686017999999999); /* within 2^62 ns */
}

TEST(what_is_no_number_of_seconds_is_refused)
{
    const char *const wrong[] = {"",    " ",  "-",   "+1",   ".5",  "1.",         "1.0000000001",         "1s",
                                 "1 ",  " 1", "1e9", "0x10", "--1", "4611686018", "10000000000000000000", "nan",
                                 "1.-5"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        no_seconds(wrong[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_date_with_a_zone_is_the_same_everywhere),
        CASE(a_date_without_a_zone_is_local_with_summer_time),
        CASE(an_hour_that_the_clock_skips_is_still_a_time),
        CASE(an_hour_that_comes_twice_is_one_of_the_two),
        CASE(leading_zeros_may_be_missing_and_seconds_have_a_fraction),
        CASE(seconds_may_be_left_out_and_then_there_is_no_fraction),
        CASE(a_day_that_is_not_is_no_date),
        CASE(what_is_no_date_is_refused),
        CASE(the_length_ends_the_text),
        CASE(seconds_are_exact_to_the_nanosecond),
        CASE(what_is_no_number_of_seconds_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
