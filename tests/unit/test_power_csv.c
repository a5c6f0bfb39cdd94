/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CSV files of PowerJoular 1 and 2, and of any tool, as a power log. */
#include "unit.h"

#include "joular/powerlog.h"

#include <stdio.h>
#include <time.h>

#define S INT64_C(1000000000)

#define MACHINE "Timestamp,CPU Usage,Total Power,CPU Power,GPU Power\n"
#define PROCESS "Timestamp,CPU Usage,CPU Power\n"
#define MACHINE_1 "Date,CPU Utilization,Total Power,CPU Power,GPU Power\n"
#define PROCESS_1 "Date,CPU Utilization,CPU Power\n"
#define WATTS "timestamp,watts\n"

static struct power_log log_of(const char *text)
{
    struct power_log log;
    struct error err = {0};
    const uint8_t *bytes = (const uint8_t *)text;
    if (!power_csv_detect(bytes, strlen(text)))
        fail_msg("not told by its header: %s", text);
    if (power_csv_read(bytes, strlen(text), &log, &err) != STATUS_OK)
        fail_msg("line %lld: %s", (long long)err.line, err.text);
    return log;
}

static void assert_refused(const char *text, int line, const char *words)
{
    struct power_log log;
    struct error err = {0};
    enum status status = power_csv_read((const uint8_t *)text, strlen(text), &log, &err);
    assert_int_equal(status, STATUS_INVALID);
    assert_has(err.text, words);
    assert_int_equal(err.line, line);
    power_log_free(&log);
}

static void assert_cycle(const struct power_log *log, size_t number, int64_t start_ns, int64_t end_ns, double power_w)
{
    assert_true(number < log->cycles.n);
    const struct power_cycle *cycle = &log->cycles.v[number];
    assert_int_equal(cycle->start_ns, start_ns);
    assert_int_equal(cycle->end_ns, end_ns);
    assert_int_equal(cycle->realtime_ns, end_ns);
    assert_true(cycle->busy_ns < 0); /* not known */
    if (isnan(power_w))
        assert_true(isnan(cycle->power_w));
    else
        assert_same(cycle->power_w, power_w);
    assert_string_equal(power_text(log, cycle->status), isnan(power_w) ? "no-reading" : "ok");
}

TEST(the_machine_of_powerjoular_2_has_its_cpu_power)
{
    struct power_log log = log_of(MACHINE "1758297391,0.5000,21.5000,12.2500,9.2500\n"
                                          "1758297392,0.6000,22.5000,13.2500,9.2500\n"
                                          "1758297394,0.7000,24.0000,14.5000,9.5000\n");
    assert_int_equal(log.cycles.n, 2); /* the first row says when the first cycle begins */
    assert_cycle(&log, 0, 1758297391 * S, 1758297392 * S, 13.25);
    assert_cycle(&log, 1, 1758297392 * S, 1758297394 * S, 14.5);
    assert_false(log.is_process_power);
    assert_string_equal(log.source, "powerjoular");
    assert_int_equal(log.process_records.n, 0);
    power_log_free(&log);
}

TEST(the_process_of_powerjoular_2_has_its_own_power)
{
    struct power_log log = log_of(PROCESS "1758297391,0.1,1.5\n1758297392,0.2,2.5\n");
    assert_int_equal(log.cycles.n, 1);
    assert_cycle(&log, 0, 1758297391 * S, 1758297392 * S, 2.5);
    assert_true(log.is_process_power);
    power_log_free(&log);
}

TEST(powerjoular_1_has_local_dates)
{
    setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    tzset();
    struct power_log log = log_of(MACHINE_1 "2025-09-19 17:56:31,0.1,2,12,0\n2025-09-19 17:56:32,0.1,2,13,0\n");
    assert_cycle(&log, 0, 1758297391 * S, 1758297392 * S, 13);
    assert_false(log.is_process_power);
    power_log_free(&log);
    log = log_of(PROCESS_1 "2025-9-19 17:56:31.5,0.1,3\n2025-9-19 17:56:32.007,0.1,4\n2025-9-19 17:57:3,0.1,5\n");
    assert_int_equal(log.cycles.n, 2);
    assert_cycle(&log, 0, 1758297391 * S + S / 2, 1758297392 * S + 7000000, 4);
    assert_cycle(&log, 1, 1758297392 * S + 7000000, 1758297423 * S, 5);
    assert_true(log.is_process_power);
    power_log_free(&log);
    setenv("TZ", "UTC", 1);
    tzset();
}

TEST(a_plain_csv_has_time_and_watts)
{
    struct power_log log = log_of(WATTS "1758297391.25,5\n1758297391.5,6e0\n");
    assert_cycle(&log, 0, 1758297391 * S + S / 4, 1758297391 * S + S / 2, 6);
    assert_string_equal(log.source, "csv");
    assert_false(log.is_process_power);
    power_log_free(&log);
}

TEST(a_negative_power_is_no_reading_and_zero_is_one)
{
    struct power_log log =
        log_of(MACHINE "1,0,-1.0000,-1.0000,-1.0000\n2,0,5,-1.0000,0\n3,0,-1,0.0000,0\n4,0,0,-0.5,0\n");
    assert_int_equal(log.cycles.n, 3);
    assert_cycle(&log, 0, 1 * S, 2 * S, NAN);
    assert_cycle(&log, 1, 2 * S, 3 * S, 0);
    assert_cycle(&log, 2, 3 * S, 4 * S, NAN);
    power_log_free(&log);
}

TEST(rows_that_do_not_go_forward_are_left_out_and_counted)
{
    struct power_log log = log_of(WATTS "10,1\n10,2\n11,3\n9,4\n11,5\n12,6\n");
    assert_int_equal(log.cycles.n, 2);
    assert_cycle(&log, 0, 10 * S, 11 * S, 3);
    assert_cycle(&log, 1, 11 * S, 12 * S, 6);
    assert_int_equal(log.unknown_records, 3);
    power_log_free(&log);
}

TEST(carriage_returns_quotes_blanks_and_case_do_no_harm)
{
    struct power_log log = log_of("Timestamp, CPU Usage, CPU Power\r\n1,0,1\r\n\"2\",\"0\",\"7\"\r\n");
    assert_int_equal(log.cycles.n, 1);
    assert_cycle(&log, 0, 1 * S, 2 * S, 7);
    power_log_free(&log);
    log = log_of("\"TIMESTAMP\",\"Watts\"\n1,0\n2,8\n");
    assert_cycle(&log, 0, 1 * S, 2 * S, 8);
    power_log_free(&log);
}

TEST(empty_lines_are_nothing)
{
    struct power_log log = log_of(WATTS "1,0\n\n2,8\n\r\n\n3,9\n");
    assert_int_equal(log.cycles.n, 2);
    assert_cycle(&log, 1, 2 * S, 3 * S, 9);
    power_log_free(&log);
}

TEST(a_line_counts_after_an_empty_one_too)
{
    assert_refused(WATTS "1,0\n\n2,x\n", 4, "field 2 (power)");
}

TEST(a_last_line_without_its_end_is_being_written_still)
{
    struct power_log log = log_of(WATTS "1,0\n2,8\n3,1");
    assert_int_equal(log.cycles.n, 1); /* the 1 may be the beginning of 12 */
    power_log_free(&log);
    log = log_of(WATTS "1,0\n2,8\n3");
    assert_int_equal(log.cycles.n, 1);
    power_log_free(&log);
    log = log_of("timestamp,watts");
    assert_int_equal(log.cycles.n, 0);
    power_log_free(&log);
}

TEST(a_wrong_field_is_named_with_its_line)
{
    assert_refused(WATTS "1,2\nsoon,3\n", 3, "field 1 is neither Unix seconds nor a date and time: \"soon\"");
    assert_refused(WATTS "1,2\n2,much\n", 3, "field 2 (power) is not a finite number: \"much\"");
    assert_refused(WATTS "1,nan\n", 2, "field 2 (power) is not a finite number: \"nan\"");
    assert_refused(WATTS "1,\n", 2, "field 2 (power)");
    assert_refused(MACHINE "1,0,9,inf,9\n", 2, "field 4 (power) is not a finite number: \"inf\"");
    assert_refused(WATTS "1,1e10\n", 2, "field 2 (power) is above 1e9 watts: \"1e10\"");
    assert_refused(PROCESS "1,0,1 W\n", 2, "field 3 (power)");
    assert_refused(MACHINE_1 "2025-02-30 10:00:00,0,9,1,9\n", 2, "field 1");
}

TEST(a_row_with_too_few_fields_is_refused_and_more_are_ignored)
{
    assert_refused(MACHINE "1,0,9,8,7\n2,0,9,8\n", 3, "has 4 fields, and the header names 5");
    struct power_log log = log_of(PROCESS "1,0,9,8,7,6,5\n2,0,9,later\n");
    assert_cycle(&log, 0, 1 * S, 2 * S, 9);
    power_log_free(&log);
}

TEST(a_field_too_long_for_a_number_is_refused)
{
    char text[300];
    snprintf(text, sizeof text, WATTS "1,%0100d\n", 5);
    assert_refused(text, 2, "field 2 (power)");
}

TEST(quotes_that_do_not_end_are_refused)
{
    assert_refused(WATTS "1,2\n2,\"3\n3,4\n4,5\n", 3, "a quote or a carriage return stands where none belongs");
}

TEST(columns_that_are_not_used_may_hold_anything)
{
    struct power_log log = log_of(MACHINE "1,?,?,1,\n2,,\"a,b\",2,nan\n");
    assert_cycle(&log, 0, 1 * S, 2 * S, 2);
    power_log_free(&log);
}

TEST(another_header_is_no_power_log)
{
    const char *const others[] = {"",
                                  "timestamp",
                                  "timestamp,watt\n1,2\n",
                                  "timestamp,watts,more\n1,2,3\n",
                                  "time,watts\n1,2\n",
                                  "Timestamp,CPU Usage,Total Power\n",
                                  "Date,CPU Usage,CPU Power\n",
                                  "\ntimestamp,watts\n",
                                  " timestamp,watts\n",
                                  "1758297391,5\n",
                                  "#joular-power-log 1\n{}\n"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (power_csv_detect((const uint8_t *)others[i], strlen(others[i])))
            fail_msg("taken for a power log: %s", others[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_machine_of_powerjoular_2_has_its_cpu_power),
        CASE(the_process_of_powerjoular_2_has_its_own_power),
        CASE(powerjoular_1_has_local_dates),
        CASE(a_plain_csv_has_time_and_watts),
        CASE(a_negative_power_is_no_reading_and_zero_is_one),
        CASE(rows_that_do_not_go_forward_are_left_out_and_counted),
        CASE(carriage_returns_quotes_blanks_and_case_do_no_harm),
        CASE(empty_lines_are_nothing),
        CASE(a_line_counts_after_an_empty_one_too),
        CASE(a_last_line_without_its_end_is_being_written_still),
        CASE(a_wrong_field_is_named_with_its_line),
        CASE(a_row_with_too_few_fields_is_refused_and_more_are_ignored),
        CASE(a_field_too_long_for_a_number_is_refused),
        CASE(quotes_that_do_not_end_are_refused),
        CASE(columns_that_are_not_used_may_hold_anything),
        CASE(another_header_is_no_power_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
