/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of a virtual machine's host, and the estimate. */
#include "faketree.h"
#include "sourcetest.h"

#include "joular/power.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void host_writes(struct fixture *f, const char *text)
{
    tree_write(f->root, "vm.csv", text);
}

static void assert_power(struct fixture *f, enum source_outcome outcome, double wanted)
{
    assert_int_equal(fixture_read_after(f, 1), outcome);
    assert_near(f->reading.power_w, wanted, 0);
}

static void assert_no_power(struct fixture *f, enum source_outcome outcome)
{
    assert_int_equal(fixture_read_after(f, 1), outcome);
    assert_true(isnan(f->reading.power_w));
    assert_true(isnan(f->reading.energy_j));
}

static void the_first_line_counts(void **state)
{
    struct fixture *f = *state;
    host_writes(f, "1764438001,0.25,12.5\n1764438002,0.5,99\nand more\n");
    assert_int_equal(fixture_open(f, &source_vm), STATUS_OK);
    assert_power(f, SOURCE_OK, 12.5);
    host_writes(f, "1764438002,0.25,13\r\n");
    assert_power(f, SOURCE_OK, 13);
    host_writes(f, "1764438003,0.25,0\n");
    assert_power(f, SOURCE_OK, 0);
    assert_int_equal(f->warnings.n, 0);
}

static void a_row_covers_two_more_cycles(void **state)
{
    struct fixture *f = *state;
    host_writes(f, "100,0.25,12.5\n");
    assert_int_equal(fixture_open(f, &source_vm), STATUS_OK);
    assert_power(f, SOURCE_OK, 12.5);
    assert_power(f, SOURCE_REUSED, 12.5);
    assert_power(f, SOURCE_REUSED, 12.5);
    assert_no_power(f, SOURCE_STALE); /* the host has stopped */
    assert_no_power(f, SOURCE_STALE);
    host_writes(f, "101,0.25,14\n");
    assert_power(f, SOURCE_OK, 14);
    assert_power(f, SOURCE_REUSED, 14);
    host_writes(f, "99,0.25,15\n"); /* a clock that was set back is a new time too */
    assert_power(f, SOURCE_OK, 15);
    assert_power(f, SOURCE_REUSED, 15);
}

static void a_row_that_cannot_be_read_counts_as_unchanged(void **state)
{
    static const char *const bad[] = {"",         "101,0.25,14", "101,0.25\n",      "101,0.25,\n", "101,0.25,x\n",
                                      ",0.2,3\n", "\n",          "101,0.25,14,7\n", "5 W\n"};
    struct fixture *f = *state;
    char number[32];
    host_writes(f, "100,0.25,12.5\n");
    assert_int_equal(fixture_open(f, &source_vm), STATUS_OK);
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(number, sizeof number, "%u,0.25,12.5\n", 200 + i);
        host_writes(f, number);
        assert_power(f, SOURCE_OK, 12.5);
        host_writes(f, bad[i]);
        assert_power(f, SOURCE_REUSED, 12.5);
        unlink(f->vm_file);
        assert_power(f, SOURCE_REUSED, 12.5);
        host_writes(f, bad[i]);
        assert_no_power(f, SOURCE_NO_READING);
    }
}

static void the_host_may_say_that_it_has_no_power(void **state)
{
    static const char *const none[] = {"-1", "NaN", "nan", "-0.5", "inf", "-Infinity", "1e10"};
    struct fixture *f = *state;
    char row[64];
    host_writes(f, "100,0.25,12.5\n");
    assert_int_equal(fixture_open(f, &source_vm), STATUS_OK);
    for (unsigned i = 0; i < sizeof none / sizeof none[0]; i++) {
        snprintf(row, sizeof row, "%u,0.25,12.5\n", 100 + i);
        host_writes(f, row);
        assert_power(f, SOURCE_OK, 12.5);
        snprintf(row, sizeof row, "%u,0.25,%s\n", 200 + i, none[i]);
        host_writes(f, row);
        assert_no_power(f, SOURCE_NO_READING);
        assert_no_power(f, SOURCE_NO_READING); /* and not the power of the row before */
    }
    host_writes(f, "900,0.25,7\n");
    assert_power(f, SOURCE_OK, 7);
}

static void the_file_of_the_whole_host_is_refused(void **state)
{
    struct fixture *f = *state;
    host_writes(f, "1764438001,0.25,50,40,10\n");
    assert_int_equal(fixture_open(f, &source_vm), STATUS_INVALID);
    assert_words(f->err.text, "five columns");
    assert_words(f->err.text, "<file>-<pid>.csv");
    assert_no_power(f, SOURCE_NO_READING);
    assert_int_equal(f->warnings.n, 0);
    host_writes(f, "1764438001,0.25,5\n");
    assert_power(f, SOURCE_OK, 5);
    host_writes(f, "1764438001,0.25,50,40,10\n");
    assert_power(f, SOURCE_REUSED, 5);
    assert_power(f, SOURCE_REUSED, 5);
    assert_int_equal(texts_with(&f->warnings, "five columns"), 1);
}

static void a_header_is_refused(void **state)
{
    struct fixture *f = *state;
    host_writes(f, "timestamp,cpu_usage,cpu_power\n1764438001,0.25,5\n");
    assert_int_equal(fixture_open(f, &source_vm), STATUS_INVALID);
    assert_words(f->err.text, "-o");
    assert_words(f->err.text, "header");
    assert_no_power(f, SOURCE_NO_READING);
}

static void a_line_has_at_most_256_characters(void **state)
{
    struct fixture *f = *state;
    char line[300];
    for (int length = 255; length <= 258; length++) {
        for (int ends = 0; ends < 2; ends++) {
            snprintf(line, sizeof line, "%d%d,%0*d,7%s", length, ends, length - 7, 1, ends == 0 ? "\n" : "\r\n");
            host_writes(f, line);
            enum status status = fixture_open(f, &source_vm);
            assert_int_equal(status, length <= 256 ? STATUS_OK : STATUS_INVALID);
            assert_int_equal(fixture_read_after(f, 1), length <= 256 ? SOURCE_OK : SOURCE_NO_READING);
        }
    }
    f->options.vm_watts = true;
    for (int length = 256; length <= 257; length++) {
        memset(line, '0', sizeof line);
        line[length] = '\0';
        host_writes(f, line);
        assert_int_equal(fixture_open(f, &source_vm), STATUS_INVALID); /* no number is that long either */
    }
}

static void the_file_may_appear_later(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(fixture_open(f, &source_vm), STATUS_MISSING);
    assert_words(f->err.text, "the host has not written it yet");
    assert_no_power(f, SOURCE_NO_READING);
    host_writes(f, "1,0.25,5\n");
    assert_power(f, SOURCE_OK, 5);
    assert_int_equal(f->warnings.n, 0);
}

static void only_a_regular_file_is_read(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(mkfifo(f->vm_file, 0666), 0);
    assert_int_equal(fixture_open(f, &source_vm), STATUS_MISSING);
    assert_words(f->err.text, "it is no regular file");
    unlink(f->vm_file);
    assert_int_equal(mkdir(f->vm_file, 0777), 0);
    assert_int_equal(fixture_open(f, &source_vm), STATUS_MISSING);
    assert_words(f->err.text, "Is a directory");
    f->options.vm_file = NULL;
    assert_int_equal(fixture_open(f, &source_vm), STATUS_MISSING);
    assert_words(f->err.text, "--vm-file");
    assert_null(f->state);
}

static void below_a_second_it_warns(void **state)
{
    struct fixture *f = *state;
    host_writes(f, "1,0.25,5\n");
    f->options.interval_ns = 999 * (SECOND / 1000);
    assert_int_equal(fixture_open(f, &source_vm), STATUS_OK);
    assert_int_equal(texts_with(&f->warnings, "the host writes once a second"), 1);
    assert_int_equal(texts_with(&f->warnings, "and loses it after 3"), 1);
    f->options.interval_ns = SECOND;
    assert_int_equal(fixture_open(f, &source_vm), STATUS_OK);
    assert_int_equal(f->warnings.n, 0);
}

static void watts_are_one_number_of_any_age(void **state)
{
    static const struct {
        const char *text;
        double power_w;
    } good[] = {{"12.5", 12.5}, {"12.5\n", 12.5}, {"7\r\n8\n", 7}, {"0", 0}, {"1.5e1\r", 15}};
    static const char *const bad[] = {"", "\n", "watt", "-1", "NaN\n", "12,5\n", "12 W\n"};
    struct fixture *f = *state;
    f->options.vm_watts = true;
    host_writes(f, "11");
    assert_int_equal(fixture_open(f, &source_vm), STATUS_OK);
    for (int i = 0; i < 6; i++)
        assert_power(f, SOURCE_OK, 11);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        host_writes(f, good[i].text);
        assert_power(f, SOURCE_OK, good[i].power_w);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        host_writes(f, bad[i]);
        assert_no_power(f, SOURCE_NO_READING);
    }
}

static void examining_the_file_says_what_it_has(void **state)
{
    struct fixture *f = *state;
    struct notices texts = {0};
    assert_false(source_vm.examine(&f->options, &texts));
    host_writes(f, "1,0.25,5.25\n");
    assert_true(source_vm.examine(&f->options, &texts));
    assert_int_equal(texts_with(&texts, "5.25 W"), 1);
    host_writes(f, "1,2,3,4,5\n");
    assert_false(source_vm.examine(&f->options, &texts));
    f->options.vm_file = NULL;
    assert_false(source_vm.examine(&f->options, &texts));
    assert_int_equal(texts_with(&texts, "no --vm-file given"), 1);
    notices_free(&texts);
}

static void an_estimate_goes_by_the_load(void **state)
{
    static const struct {
        double load, power_w;
    } loads[] = {{0, 10}, {0.5, 30}, {1, 50}, {1.2, 50}, {-0.1, 10}};
    struct fixture *f = *state;
    f->options.idle_w = 10;
    f->options.max_w = 50;
    assert_int_equal(fixture_open(f, &source_estimate), STATUS_OK);
    assert_int_equal(texts_with(&f->warnings, "estimated, not measured"), 1);
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++) {
        source_estimate.read(f->state, 0, loads[i].load, &f->reading, &f->warnings);
        assert_int_equal(f->reading.outcome, SOURCE_OK);
        assert_near(f->reading.power_w, loads[i].power_w, 1e-12);
    }
    assert_no_power(f, SOURCE_NO_READING); /* no load is known */
}

static void an_estimate_needs_both_of_its_figures(void **state)
{
    static const struct {
        double idle_w, max_w;
        enum status status;
    } cases[] = {{(double)NAN, (double)NAN, STATUS_MISSING},
                 {5, (double)NAN, STATUS_MISSING},
                 {(double)NAN, 5, STATUS_MISSING},
                 {6, 5, STATUS_INVALID},
                 {-1, 5, STATUS_INVALID},
                 {0, 0, STATUS_INVALID},
                 {0, (double)INFINITY, STATUS_INVALID},
                 {5, 5, STATUS_OK},
                 {0, 5, STATUS_OK}};
    struct fixture *f = *state;
    struct notices texts = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        f->options.idle_w = cases[i].idle_w;
        f->options.max_w = cases[i].max_w;
        assert_int_equal(fixture_open(f, &source_estimate), cases[i].status);
        assert_true((f->state != NULL) == (cases[i].status == STATUS_OK));
        assert_true(source_estimate.examine(&f->options, &texts) == (cases[i].status == STATUS_OK));
    }
    notices_free(&texts);
}

static void outcomes_have_the_words_of_the_log(void **state)
{
    (void)state;
    assert_string_equal(source_outcome_word(SOURCE_OK), "ok");
    assert_string_equal(source_outcome_word(SOURCE_LATE), "late");
    assert_string_equal(source_outcome_word(SOURCE_REUSED), "reused");
    assert_string_equal(source_outcome_word(SOURCE_WAIT), "no-reading");
    assert_string_equal(source_outcome_word(SOURCE_NO_READING), "no-reading");
    assert_string_equal(source_outcome_word(SOURCE_STALE), "stale");
    assert_string_equal(source_outcome_word(SOURCE_RESET), "reset");
}

static void an_estimate_may_be_of_less_than_a_watt(void **state)
{
    struct fixture *f = *state;
    f->options.idle_w = 0.25;
    f->options.max_w = 0.75;
    assert_int_equal(fixture_open(f, &source_estimate), STATUS_OK);
    assert_int_equal(texts_with(&f->warnings, "0.25 W idle to 0.75 W at full load"), 1);
    source_estimate.read(f->state, 0, 0.5, &f->reading, &f->warnings);
    assert_near(f->reading.power_w, 0.5, 1e-12);
    assert_true(isnan(f->reading.energy_j));
    f->options.idle_w = f->options.max_w = (double)INFINITY;
    assert_int_equal(fixture_open(f, &source_estimate), STATUS_INVALID);
    f->options.idle_w = -0.5;
    f->options.max_w = 0.5;
    assert_int_equal(fixture_open(f, &source_estimate), STATUS_INVALID);
}

static void examining_an_estimate_says_what_it_lacks(void **state)
{
    static const struct {
        double idle_w, max_w;
        const char *words;
    } cases[] = {{(double)NAN, (double)NAN, "no --idle-watts and --max-watts given"},
                 {5, (double)NAN, "an estimated power needs"},
                 {(double)NAN, 5, "an estimated power needs"},
                 {-1, 5, "is to be at least 0"},
                 {6, 5, "--max-watts (5) is below --idle-watts (6)"},
                 {5, 6, "works: estimated, 5 W idle to 6 W"}};
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct notices texts = {0};
        f->options.idle_w = cases[i].idle_w;
        f->options.max_w = cases[i].max_w;
        (void)source_estimate.examine(&f->options, &texts);
        assert_int_equal(texts.n, 1);
        assert_words(texts.v[0], cases[i].words);
        notices_free(&texts);
    }
}

static void examining_the_file_says_what_is_wrong_with_it(void **state)
{
    static const struct {
        const char *row; /* NULL: there is no file */
        bool watts, works;
        const char *words, *not_words;
    } cases[] = {
        {NULL, false, false, "No such file or directory; the host has not written it yet", NULL},
        {"1,0.25,5.25\n", false, true, "5.25 W (whether the host goes on writing shows in the run)", NULL},
        {"5.25\n", true, true, "5.25 W", "whether"},
        {"1,0.25,-1\n", false, false, "the host writes that it has no power to give", NULL},
        {"1,0.25,5", false, false, "its first line is not whole yet", NULL},
        {"", true, false, "its first line is empty", NULL},
        {"1,2,3,4,5\n", false, false, "has five columns", NULL},
        {"a,b\n", false, false, "begins with a header", NULL},
        {"Z,b\n", false, false, "begins with a header", NULL},
        {"z,b,c,d,e,f\n", false, false, "begins with a header", NULL},
        {"A,b\n", false, false, "begins with a header", NULL},
        {"a\n", false, false, "is not timestamp,cpu_usage,cpu_power", NULL},
        {"@,b\n", false, false, "is not timestamp,cpu_usage,cpu_power", NULL},
        {"[,b\n", false, false, "is not timestamp,cpu_usage,cpu_power", NULL},
        {"`,b\n", false, false, "is not timestamp,cpu_usage,cpu_power", NULL},
        {"{,b\n", false, false, "is not timestamp,cpu_usage,cpu_power", NULL},
        {"1,2\n", false, false, "is not timestamp,cpu_usage,cpu_power", NULL},
        {"1,2,3,4\n", false, false, "is not timestamp,cpu_usage,cpu_power", NULL},
        {"1,2,3,4,5,6\n", false, false, "is not timestamp,cpu_usage,cpu_power", NULL},
        {",2,3\n", false, false, "is not timestamp,cpu_usage,cpu_power", NULL},
        {"\r\n", true, false, "its first line is empty", NULL},
        {"x\n", true, false, "is not one number of watts", NULL},
    };
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct notices texts = {0};
        f->options.vm_watts = cases[i].watts;
        if (cases[i].row != NULL)
            host_writes(f, cases[i].row);
        assert_true(source_vm.examine(&f->options, &texts) == cases[i].works);
        assert_int_equal(texts.n, 1);
        assert_words(texts.v[0], cases[i].words);
        assert_true(cases[i].not_words == NULL || strstr(texts.v[0], cases[i].not_words) == NULL);
        notices_free(&texts);
    }
}

static void a_fault_is_told_anew_once_the_file_was_good(void **state)
{
    struct fixture *f = *state;
    host_writes(f, "1,0.25,5\n");
    assert_int_equal(fixture_open(f, &source_vm), STATUS_OK);
    for (unsigned i = 1; i <= 3; i++) {
        host_writes(f, "1,2\n");
        (void)fixture_read_after(f, 1);
        (void)fixture_read_after(f, 1);
        assert_int_equal(f->warnings.n, i);
        host_writes(f, i == 1 ? "2,0.25,5\n" : "3,0.25,5\n");
        (void)fixture_read_after(f, 1);
    }
    host_writes(f, "1,2"); /* caught while it is written */
    (void)fixture_read_after(f, 1);
    assert_int_equal(f->warnings.n, 3);
    host_writes(f, "1,2\n");
    (void)fixture_read_after(f, 1);
    assert_int_equal(f->warnings.n, 4);
    host_writes(f, "1,2,3,4,5\n"); /* another fault */
    (void)fixture_read_after(f, 1);
    assert_int_equal(f->warnings.n, 5);
}

static void no_power_at_the_start_is_missing_and_a_half_written_row_is_waited_for(void **state)
{
    struct fixture *f = *state;
    host_writes(f, "1,0.25,nan\n");
    assert_int_equal(fixture_open(f, &source_vm), STATUS_MISSING);
    host_writes(f, "1,0.25,5");
    assert_int_equal(fixture_open(f, &source_vm), STATUS_OK);
    assert_no_power(f, SOURCE_NO_READING);
    host_writes(f, "x,y\n");
    assert_int_equal(fixture_open(f, &source_vm), STATUS_INVALID);
    f->options.vm_watts = true; /* of any age, so of any interval */
    f->options.interval_ns = SECOND / 10;
    host_writes(f, "5\n");
    assert_int_equal(fixture_open(f, &source_vm), STATUS_OK);
    assert_int_equal(f->warnings.n, 0);
}

static void a_machine_may_draw_up_to_the_limit_of_what_is_a_power(void **state)
{
    struct fixture *f = *state;
    char row[64];
    snprintf(row, sizeof row, "1,0.25,%.0f\n", POWER_LIMIT_W);
    host_writes(f, row);
    assert_int_equal(fixture_open(f, &source_vm), STATUS_OK);
    assert_power(f, SOURCE_OK, POWER_LIMIT_W);
    snprintf(row, sizeof row, "2,0.25,%.0f\n", POWER_LIMIT_W + 1);
    host_writes(f, row);
    assert_no_power(f, SOURCE_NO_READING);
    host_writes(f, "3,0.25,0.5\n");
    assert_power(f, SOURCE_OK, 0.5);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_first_line_counts),
        CASE(a_row_covers_two_more_cycles),
        CASE(a_row_that_cannot_be_read_counts_as_unchanged),
        CASE(the_host_may_say_that_it_has_no_power),
        CASE(the_file_of_the_whole_host_is_refused),
        CASE(a_header_is_refused),
        CASE(a_line_has_at_most_256_characters),
        CASE(the_file_may_appear_later),
        CASE(only_a_regular_file_is_read),
        CASE(below_a_second_it_warns),
        CASE(watts_are_one_number_of_any_age),
        CASE(examining_the_file_says_what_it_has),
        CASE(an_estimate_goes_by_the_load),
        CASE(an_estimate_needs_both_of_its_figures),
        CASE(outcomes_have_the_words_of_the_log),
        CASE(an_estimate_may_be_of_less_than_a_watt),
        CASE(examining_an_estimate_says_what_it_lacks),
        CASE(examining_the_file_says_what_is_wrong_with_it),
        CASE(a_fault_is_told_anew_once_the_file_was_good),
        CASE(no_power_at_the_start_is_missing_and_a_half_written_row_is_waited_for),
        CASE(a_machine_may_draw_up_to_the_limit_of_what_is_a_power),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
