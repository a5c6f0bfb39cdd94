/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RAPL readings: counters that move, wrap, are reset, fail, go and come. The tree's shapes are in test-raplzones.c. */
#include "../../src/meter/rapl.h"
#include "faketree.h"
#include "sourcetest.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PKG0 "intel-rapl/intel-rapl:0"
#define PKG1 "intel-rapl/intel-rapl:1"
#define CORE PKG0 "/intel-rapl:0:0"
#define RANGE UINT64_C(262143328850)

static bool moved_is(uint64_t before, uint64_t after, uint64_t range, uint64_t wanted)
{
    uint64_t moved = 0;
    return rapl_counter_moved(before, after, range, &moved) && moved == wanted;
}

static bool is_reset(uint64_t before, uint64_t after, uint64_t range)
{
    uint64_t moved;
    return !rapl_counter_moved(before, after, range, &moved);
}

static void a_counter_that_went_down_wrapped_or_was_reset(void **state)
{
    (void)state;
    assert_true(moved_is(900, 50, 1000, 150));
    assert_true(is_reset(100, 50, 1000));
    assert_true(moved_is(1000, 0, 1000, 0));
    assert_true(moved_is(0, 1000, 1000, 1000));
    assert_true(moved_is(0, 0, 1000, 0));
    assert_true(moved_is(7, 7, 1000, 0));
    assert_true(moved_is(500, 0, 1000, 500)); /* half the range is a wrap still */
    assert_true(is_reset(500, 1, 1000));
    assert_true(moved_is(501, 0, 1001, 500));
    assert_true(is_reset(500, 0, 1001)); /* 501 of 1001 */
    assert_true(moved_is(INT64_MAX, 0, INT64_MAX, 0));
    assert_true(is_reset(1, 0, INT64_MAX));
}

static void the_first_reading_is_a_baseline(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", RANGE, 123456789);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    assert_near(f->reading.energy_j, 0, 0);
    assert_true(isnan(f->reading.power_w));
    tree_energy(f->root, PKG0, 123456789 + 14208118);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    assert_near(f->reading.energy_j, 14.208118, 1e-12);
    assert_int_equal(f->reading.domain_uj[0], 14208118);
    assert_int_equal(f->warnings.n, 0);
}

static void packages_are_added_and_their_wraps_are_their_own(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-1", 1000, 900);
    tree_zone(f->root, PKG1, "package-0", 5000, 100);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    tree_energy(f->root, PKG0, 50);
    tree_energy(f->root, PKG1, 700);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    assert_near(f->reading.energy_j, 750e-6, 1e-15);
    size_t count;
    const struct source_domain *domains = source_rapl.domains(f->state, &count);
    assert_int_equal(count, 2);
    assert_string_equal(domains[0].name, "package-0");
    assert_int_equal(f->reading.domain_uj[0], 600);
    assert_string_equal(domains[1].name, "package-1");
    assert_int_equal(f->reading.domain_uj[1], 150);
}

static void a_reset_has_no_power_and_is_the_next_baseline(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", 1000, 100);
    tree_zone(f->root, PKG1, "package-1", 1000, 100);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    tree_energy(f->root, PKG0, 50);
    tree_energy(f->root, PKG1, 300);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_RESET);
    assert_true(isnan(f->reading.energy_j));
    assert_true(f->reading.domain_uj[0] == UINT64_MAX && f->reading.domain_uj[1] == UINT64_MAX);
    tree_energy(f->root, PKG0, 60);
    tree_energy(f->root, PKG1, 300);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    assert_near(f->reading.energy_j, 10e-6, 1e-15);
}

static void a_reset_of_what_does_not_count_leaves_the_power(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", 1000, 100);
    tree_zone(f->root, CORE, "core", 1000, 100);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    tree_energy(f->root, PKG0, 110);
    tree_energy(f->root, CORE, 50);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    assert_near(f->reading.energy_j, 10e-6, 1e-15);
    assert_true(f->reading.domain_uj[0] == 10 && f->reading.domain_uj[1] == UINT64_MAX);
}

static void a_failed_reading_loses_nothing(void **state)
{
    static const char *const bad[] = {"", "abc\n", "-5\n", "1e3\n", "12 13\n", "0x10\n", "+7\n", "1001\n", "nan\n"};
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", 1000, 100);
    tree_zone(f->root, PKG1, "package-1", 1000, 100);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    uint64_t at = 100;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tree_energy(f->root, PKG0, at + 10); /* read before the other one fails */
        tree_zone_file(f->root, PKG1, "energy_uj", bad[i]);
        assert_int_equal(fixture_read_after(f, 1), SOURCE_WAIT);
        assert_true(f->reading.domain_uj[0] == UINT64_MAX && f->reading.domain_uj[1] == UINT64_MAX);
        assert_true(isnan(f->reading.energy_j));
        assert_int_equal(fixture_read_after(f, 1), SOURCE_WAIT);
        assert_int_equal(f->warnings.n, i + 1); /* once a failure */
        tree_energy(f->root, PKG0, at + 20);
        tree_energy(f->root, PKG1, at + 5);
        assert_int_equal(fixture_read_after(f, 1), SOURCE_LATE);
        assert_near(f->reading.energy_j, 25e-6, 1e-15);
        tree_energy(f->root, PKG1, at + 20);
        assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
        assert_near(f->reading.energy_j, 15e-6, 1e-15);
        at += 20;
    }
}

static void a_zone_that_vanishes_may_come_back(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", RANGE, 100);
    tree_zone(f->root, PKG1, "package-1", RANGE, 100);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    tree_remove_zone(f->root, PKG1);
    tree_energy(f->root, PKG0, 1100);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_WAIT);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_WAIT);
    assert_int_equal(texts_with(&f->warnings, "cannot be read: No such file"), 1);
    tree_zone(f->root, PKG1, "package-1", RANGE, 300);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_LATE);
    assert_near(f->reading.energy_j, 1200e-6, 1e-15);
}

static void a_zone_that_comes_back_under_another_number_is_the_same(void **state)
{
    struct fixture *f = *state;
    size_t count;
    tree_zone(f->root, PKG0, "package-0", RANGE, 100);
    tree_zone(f->root, PKG1, "package-1", RANGE, 100);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    tree_remove_zone(f->root, PKG1);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_WAIT);
    tree_zone(f->root, "intel-rapl/intel-rapl:2", "package-1", RANGE, 900);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_LATE);
    assert_near(f->reading.energy_j, 800e-6, 1e-15);
    const struct source_domain *domains = source_rapl.domains(f->state, &count);
    assert_int_equal(count, 2);
    assert_words(domains[1].path, "intel-rapl:2");
}

static void a_package_that_appears_counts_from_then_on(void **state)
{
    struct fixture *f = *state;
    size_t count;
    tree_zone(f->root, PKG0, "package-0", RANGE, 100);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    tree_energy(f->root, PKG0, 200);
    tree_zone(f->root, PKG1, "package-1", RANGE, 5000);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    assert_near(f->reading.energy_j, 100e-6, 1e-15);
    assert_int_equal(texts_with(&f->warnings, "package-1 has appeared"), 1);
    tree_energy(f->root, PKG1, 5007);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    assert_near(f->reading.energy_j, 7e-6, 1e-15);
    const struct source_domain *domains = source_rapl.domains(f->state, &count);
    assert_true(count == 2 && domains[1].counted);
    assert_int_equal(f->reading.domain_uj[1], 7);
}

static void a_twin_does_not_step_in_for_a_package_that_vanished(void **state)
{
    struct fixture *f = *state;
    size_t count;
    tree_zone(f->root, PKG0, "package-0", RANGE, 100);
    tree_zone(f->root, "intel-rapl-mmio/intel-rapl-mmio:0", "package-0", RANGE, 7000);
    tree_zone(f->root, "intel-rapl-mmio/intel-rapl-mmio:0/intel-rapl-mmio:0:0", "dram", RANGE, 7000);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    tree_remove_zone(f->root, PKG0);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_WAIT);
    tree_zone(f->root, PKG0, "package-0", RANGE, 150);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_LATE);
    assert_near(f->reading.energy_j, 50e-6, 1e-15);
    (void)source_rapl.domains(f->state, &count);
    assert_int_equal(count, 1);
}

static void a_sub_zone_that_fails_stops_nothing(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", RANGE, 100);
    tree_zone(f->root, CORE, "core", RANGE, 100);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    tree_zone_file(f->root, CORE, "energy_uj", "?\n");
    tree_energy(f->root, PKG0, 150);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    assert_near(f->reading.energy_j, 50e-6, 1e-15);
    assert_true(f->reading.domain_uj[1] == UINT64_MAX);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    assert_int_equal(f->warnings.n, 1);
    tree_energy(f->root, CORE, 130);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    assert_int_equal(f->reading.domain_uj[1], 30);
}

static void a_counter_that_may_have_gone_round_gives_no_small_number(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", 100000000, 0); /* 100 J */
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    tree_energy(f->root, PKG0, 5000000);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK); /* 5 W: half of that room is left, 10 s */
    tree_energy(f->root, PKG0, 45000000);
    assert_int_equal(fixture_read_after(f, 9), SOURCE_OK);
    assert_near(f->reading.energy_j, 40, 1e-9);
    tree_energy(f->root, PKG0, 46000000);
    assert_int_equal(fixture_read_after(f, 30), SOURCE_RESET);
    assert_true(isnan(f->reading.energy_j));
    assert_int_equal(texts_with(&f->warnings, "may have gone round more than once"), 1);
    tree_energy(f->root, PKG0, 47000000);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    assert_near(f->reading.energy_j, 1, 1e-9);
}

static void until_a_power_is_known_a_stated_bound_is_used(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", UINT64_C(65000000000), 0); /* 65 kJ: 65 s at 1000 W */
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    tree_energy(f->root, PKG0, 1000000);
    assert_int_equal(fixture_read_after(f, 66), SOURCE_RESET);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    tree_energy(f->root, PKG0, 2000000);
    assert_int_equal(fixture_read_after(f, 60), SOURCE_OK);
}

static void a_cycle_of_usual_length_is_never_taken_for_more_than_a_round(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", 1000, 500);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    tree_energy(f->root, PKG0, 900);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    tree_energy(f->root, PKG0, 50);
    assert_int_equal(fixture_read_after(f, 1.9), SOURCE_OK);
    assert_near(f->reading.energy_j, 150e-6, 1e-15);
    assert_int_equal(fixture_read_after(f, 2.1), SOURCE_RESET);
}

static void pause_ms(long ms)
{
    struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    nanosleep(&pause, NULL);
}

static int64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * SECOND + now.tv_nsec;
}

/* Two packages moved at 95 and 31.7 W by another process, the first one going round every 100 J, read every 10 ms. */
static void moving_counters_give_their_joules_within_a_thousandth(void **state)
{
    struct fixture *f = *state;
    char command[4096], line[1024];
    tree_zone(f->root, PKG0, "package-0", 100000000, 92500000);
    tree_zone(f->root, PKG1, "package-1", RANGE, 77);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    snprintf(command, sizeof command,
             "./counter-mover 2 500 %s/sys/class/powercap/intel-rapl:0/energy_uj 95 100000000 "
             "%s/sys/class/powercap/intel-rapl:1/energy_uj 31.7 %" PRIu64,
             f->root, f->root, RANGE);
    FILE *mover = popen(command, "r");
    assert_non_null(mover);
    double joules = 0;
    unsigned bad = 0;
    for (int i = 0; i < 250; i++) {
        pause_ms(10);
        f->source->read(f->state, clock_ns(), NAN, &f->reading, &f->warnings);
        bad += f->reading.outcome != SOURCE_OK;
        joules += f->reading.outcome == SOURCE_OK ? f->reading.energy_j : 0;
    }
    uint64_t moved = 0, one;
    int64_t begin = 0, end = 0;
    while (fgets(line, sizeof line, mover) != NULL)
        if (sscanf(line, "%*s %" SCNu64 " %" SCNd64 " %" SCNd64, &one, &begin, &end) == 3)
            moved += one;
    assert_int_equal(pclose(mover), 0);
    f->source->read(f->state, clock_ns(), NAN, &f->reading, &f->warnings);
    joules += f->reading.energy_j;
    assert_int_equal(bad, 0);
    assert_near(joules, (double)moved / 1e6, 1e-5); /* to the last microjoule */
    double wanted = (95 + 31.7) * (double)(end - begin) / 1e9;
    assert_near(joules, wanted, 0.001 * wanted);
}

/* 100 J; 5 W for a second, and then less: the room is 2 x 5 W, 10 s. */
static void five_watts_were_the_most(struct fixture *f)
{
    tree_zone(f->root, PKG0, "package-0", 100000000, 0);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK); /* from here on times are exact */
    tree_energy(f->root, PKG0, 5000000);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    tree_energy(f->root, PKG0, 6000000);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    tree_energy(f->root, PKG0, 7000000);
}

static void a_counter_has_room_for_twice_its_highest_power(void **state)
{
    five_watts_were_the_most(*state);
    assert_int_equal(fixture_read_after(*state, 9.999), SOURCE_OK);
}

static void a_counter_has_room_for_no_more_than_twice_its_highest_power(void **state)
{
    struct fixture *f = *state;
    five_watts_were_the_most(f);
    assert_int_equal(fixture_read_after(f, 10), SOURCE_RESET);
    assert_int_equal(f->warnings.n, 1);
    assert_words(f->warnings.v[0], "10.0 s passed between two readings, in which the counter of package-0 (100 J) may");
}

static void the_highest_power_is_one_of_joules_by_seconds(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", 100000000, 0);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    tree_energy(f->root, PKG0, 5000000);
    assert_int_equal(fixture_read_after(f, 0.5), SOURCE_OK); /* 10 W: 5 s */
    assert_int_equal(fixture_read_after(f, 4.999), SOURCE_OK);
    assert_int_equal(fixture_read_after(f, 5), SOURCE_RESET);
}

static void a_reading_of_no_time_has_no_power_to_remember(void **state)
{
    struct fixture *f = *state;
    five_watts_were_the_most(f);
    assert_int_equal(fixture_read_after(f, 0), SOURCE_OK);
    assert_near(f->reading.energy_j, 1, 1e-12);
    assert_int_equal(fixture_read_after(f, 9.999), SOURCE_OK);
}

/* Below 60 kJ the bound is what goes round in a minute. */
static void until_a_power_is_known_no_counter_goes_round_in_less_than_a_minute(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", UINT64_C(6000000000), 0);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    assert_int_equal(fixture_read_after(f, 59.999), SOURCE_OK);
    assert_int_equal(fixture_read_after(f, 60.001), SOURCE_RESET);
}

static void until_a_power_is_known_it_is_taken_for_a_thousand_watts_at_most(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", UINT64_C(65000000000), 0);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    assert_int_equal(fixture_read_after(f, 64.999), SOURCE_OK);
    assert_int_equal(fixture_read_after(f, 65), SOURCE_RESET);
}

static void assert_usual_length(struct fixture *f, int64_t interval_ns, double seconds)
{
    f->options.interval_ns = interval_ns;
    tree_zone(f->root, PKG0, "package-0", 1000, 0);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    tree_energy(f->root, PKG0, 900);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    assert_int_equal(fixture_read_after(f, seconds), SOURCE_OK);
    assert_int_equal(fixture_read_after(f, seconds + 0.001), SOURCE_RESET);
}

static void a_usual_length_is_two_intervals(void **state)
{
    assert_usual_length(*state, 5 * SECOND, 10);
    assert_usual_length(*state, SECOND / 2, 1);
}

static void an_interval_that_is_not_said_is_a_second(void **state)
{
    assert_usual_length(*state, 0, 2);
}

static void a_package_that_appears_has_no_energy_before_its_first_reading(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", RANGE, 100);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    assert_true(f->reading.domain_uj[0] == 0);
    tree_zone(f->root, PKG1, "package-1", RANGE, 5000);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    assert_true(f->reading.domain_uj[0] == 0 && f->reading.domain_uj[1] == UINT64_MAX);
}

static void a_package_may_be_whole_some_readings_after_its_folder(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", RANGE, 100);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    tree_zone(f->root, PKG1, "package-1", RANGE, 5000);
    tree_zone_file(f->root, PKG1, "energy_uj", "?\n");
    for (int i = 0; i < 3; i++)
        assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    assert_int_equal(f->warnings.n, 0);
    tree_energy(f->root, PKG1, 5000);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    assert_int_equal(texts_with(&f->warnings, "package-1 has appeared"), 1);
    tree_energy(f->root, PKG1, 5007);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    assert_near(f->reading.energy_j, 7e-6, 1e-15);
}

static void a_zone_that_comes_back_is_told_by_its_own_words(void **state)
{
    struct fixture *f = *state;
    size_t count;
    tree_zone(f->root, PKG0, "package-0", RANGE, 100);
    tree_zone(f->root, PKG1, "package-1", RANGE, 100);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    tree_remove_zone(f->root, PKG1);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_WAIT);
    tree_zone(f->root, "intel-rapl/intel-rapl:2", "package-1", 2 * RANGE, 900);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_LATE);
    const struct source_domain *domains = source_rapl.domains(f->state, &count);
    assert_int_equal(count, 2);
    for (size_t i = 0; i < 100; i++) /* so that what is freed and used all the same is something else */
        free(mem_strdup("package-0"));
    assert_string_equal(domains[0].name, "package-0");
    assert_string_equal(domains[1].name, "package-1");
    assert_true(domains[1].range_uj == 2 * RANGE && domains[1].counted && domains[1].depth == 0);
}

static void domains_come_package_by_package_and_what_belongs_to_none_last(void **state)
{
    static const char *const expected[] = {"package-2", "package-2/core", "package-2/uncore", "package-10", "a",
                                           "psys"};
    struct fixture *f = *state;
    size_t count;
    tree_zone(f->root, "intel-rapl/intel-rapl:0", "psys", RANGE, 1);
    tree_zone(f->root, "intel-rapl/intel-rapl:1", "package-10", RANGE, 1);
    tree_zone(f->root, "intel-rapl/intel-rapl:2", "a", RANGE, 1);
    tree_zone(f->root, "intel-rapl/intel-rapl:3", "package-2", RANGE, 1);
    tree_zone(f->root, "intel-rapl/intel-rapl:3/intel-rapl:3:0", "uncore", RANGE, 1);
    tree_zone(f->root, "intel-rapl/intel-rapl:3/intel-rapl:3:1", "core", RANGE, 1);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    const struct source_domain *domains = source_rapl.domains(f->state, &count);
    assert_int_equal(count, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(domains[i].name, expected[i]);
        assert_int_equal(domains[i].depth, strchr(expected[i], '/') != NULL);
        assert_int_equal(domains[i].counted, i == 0 || i == 3);
    }
}

static void a_failure_is_told_at_its_first_reading_in_the_words_of_what_follows(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", RANGE, 100);
    tree_zone(f->root, CORE, "core", RANGE, 100);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    tree_zone_file(f->root, CORE, "energy_uj", "?\n");
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    assert_int_equal(f->warnings.n, 1);
    assert_int_equal(texts_with(&f->warnings, "the cycle goes on"), 0);
    tree_zone_file(f->root, PKG0, "energy_uj", "?\n");
    assert_int_equal(fixture_read_after(f, 1), SOURCE_WAIT);
    assert_int_equal(f->warnings.n, 2);
    assert_int_equal(texts_with(&f->warnings, "the cycle goes on until it can be read"), 1);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_WAIT);
    assert_int_equal(f->warnings.n, 2);
}

static void no_part_of_a_twin_steps_in_for_any_package_that_vanished(void **state)
{
    struct fixture *f = *state;
    size_t count;
    tree_zone(f->root, PKG0, "package-0", RANGE, 100);
    tree_zone(f->root, PKG1, "package-1", RANGE, 100);
    tree_zone(f->root, "intel-rapl-mmio/intel-rapl-mmio:0", "package-0", RANGE, 7000);
    tree_zone(f->root, "intel-rapl-mmio/intel-rapl-mmio:1", "package-1", RANGE, 7000);
    tree_zone(f->root, "intel-rapl-mmio/intel-rapl-mmio:1/intel-rapl-mmio:1:0", "dram", RANGE, 7000);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    tree_remove_zone(f->root, PKG1);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_WAIT);
    (void)source_rapl.domains(f->state, &count);
    assert_int_equal(count, 2);
}

static void a_package_of_memory_mapped_registers_alone_may_appear_with_its_parts(void **state)
{
    struct fixture *f = *state;
    size_t count;
    tree_zone(f->root, PKG0, "package-0", RANGE, 100);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    tree_zone(f->root, "intel-rapl-mmio/intel-rapl-mmio:7", "package-7", RANGE, 7000);
    tree_zone(f->root, "intel-rapl-mmio/intel-rapl-mmio:7/intel-rapl-mmio:7:0", "dram", RANGE, 7000);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    const struct source_domain *domains = source_rapl.domains(f->state, &count);
    assert_int_equal(count, 3);
    assert_string_equal(domains[1].name, "package-7");
    assert_string_equal(domains[2].name, "package-7/dram");
    assert_int_equal(texts_with(&f->warnings, "package-7 has appeared"), 1);
    assert_int_equal(f->warnings.n, 1); /* parts are not spoken of */
}

static void the_first_package_may_be_the_one_that_appears(void **state)
{
    struct fixture *f = *state;
    size_t count;
    tree_zone(f->root, PKG1, "package-1", RANGE, 100);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    tree_zone(f->root, PKG0, "package-0", RANGE, 100);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    (void)source_rapl.domains(f->state, &count);
    assert_int_equal(count, 2);
}

static void a_part_that_may_have_gone_round_leaves_the_power(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", RANGE, 0);
    tree_zone(f->root, CORE, "core", 100000000, 0);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    tree_energy(f->root, PKG0, 6000000);
    tree_energy(f->root, CORE, 5000000);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    tree_energy(f->root, PKG0, 56000000);
    tree_energy(f->root, CORE, 55000000);
    assert_int_equal(fixture_read_after(f, 10), SOURCE_OK);
    assert_near(f->reading.energy_j, 50, 1e-12);
    assert_true(f->reading.domain_uj[0] == 50000000 && f->reading.domain_uj[1] == UINT64_MAX);
    assert_int_equal(f->warnings.n, 0);
}

/* Where the folder that is looked into stays as it is. */
static void a_zone_that_moves_deep_in_the_tree_is_found(void **state)
{
    struct fixture *f = *state;
    f->options.powercap = tree_path(f->root, "sys/devices/virtual/powercap");
    tree_zone(f->root, PKG0, "package-0", RANGE, 100);
    tree_zone(f->root, PKG1, "package-1", RANGE, 100);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    tree_remove_zone(f->root, PKG1);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_WAIT);
    tree_zone(f->root, "intel-rapl/intel-rapl:2", "package-1", RANGE, 900);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_LATE);
    assert_near(f->reading.energy_j, 800e-6, 1e-15);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_counter_that_went_down_wrapped_or_was_reset),
        CASE(the_first_reading_is_a_baseline),
        CASE(packages_are_added_and_their_wraps_are_their_own),
        CASE(a_reset_has_no_power_and_is_the_next_baseline),
        CASE(a_reset_of_what_does_not_count_leaves_the_power),
        CASE(a_failed_reading_loses_nothing),
        CASE(a_zone_that_vanishes_may_come_back),
        CASE(a_zone_that_comes_back_under_another_number_is_the_same),
        CASE(a_package_that_appears_counts_from_then_on),
        CASE(a_twin_does_not_step_in_for_a_package_that_vanished),
        CASE(a_sub_zone_that_fails_stops_nothing),
        CASE(a_counter_that_may_have_gone_round_gives_no_small_number),
        CASE(until_a_power_is_known_a_stated_bound_is_used),
        CASE(a_cycle_of_usual_length_is_never_taken_for_more_than_a_round),
        CASE(a_counter_has_room_for_twice_its_highest_power),
        CASE(a_counter_has_room_for_no_more_than_twice_its_highest_power),
        CASE(the_highest_power_is_one_of_joules_by_seconds),
        CASE(a_reading_of_no_time_has_no_power_to_remember),
        CASE(until_a_power_is_known_no_counter_goes_round_in_less_than_a_minute),
        CASE(until_a_power_is_known_it_is_taken_for_a_thousand_watts_at_most),
        CASE(a_usual_length_is_two_intervals),
        CASE(an_interval_that_is_not_said_is_a_second),
        CASE(a_package_that_appears_has_no_energy_before_its_first_reading),
        CASE(a_package_may_be_whole_some_readings_after_its_folder),
        CASE(a_zone_that_comes_back_is_told_by_its_own_words),
        CASE(domains_come_package_by_package_and_what_belongs_to_none_last),
        CASE(a_failure_is_told_at_its_first_reading_in_the_words_of_what_follows),
        CASE(no_part_of_a_twin_steps_in_for_any_package_that_vanished),
        CASE(a_package_of_memory_mapped_registers_alone_may_appear_with_its_parts),
        CASE(the_first_package_may_be_the_one_that_appears),
        CASE(a_part_that_may_have_gone_round_leaves_the_power),
        CASE(a_zone_that_moves_deep_in_the_tree_is_found),
        CASE(moving_counters_give_their_joules_within_a_thousandth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
