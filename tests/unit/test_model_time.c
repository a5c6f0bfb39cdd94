/* SPDX-License-Identifier: GPL-3.0-or-later */
/* joular-attribution(7), section 2: wall clock, monotonic clock and cycles. */
#include "model_case.h"

static uint32_t cycle_of(const struct model_case *c, int64_t time_ns)
{
    uint32_t answer = 0;
    for (uint32_t hint = 0; hint < c->log.cycles.n; hint++) { /* the hint changes nothing */
        uint32_t kept = hint, found = timeline_cycle(&c->timeline, time_ns, &kept);
        if (hint != 0)
            assert_int_equal(found, answer);
        answer = found;
    }
    return answer;
}

static void a_cycle_holds_its_end_and_not_its_start(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_second(c, 2);
    case_read_log(c);
    assert_int_equal(cycle_of(c, 0), NO_CYCLE);
    assert_int_equal(cycle_of(c, 1), 0);
    assert_int_equal(cycle_of(c, 1000 * MS), 0);
    assert_int_equal(cycle_of(c, 1000 * MS + 1), 1);
    assert_int_equal(cycle_of(c, 2000 * MS), 1);
    assert_int_equal(cycle_of(c, 2000 * MS + 1), NO_CYCLE);
    assert_int_equal(cycle_of(c, -5), NO_CYCLE);
}

static void a_time_between_two_cycles_is_in_none(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_second(c, 3); /* (2 s, 3 s] */
    case_second(c, 4);
    case_read_log(c);
    assert_int_equal(cycle_of(c, 1000 * MS), 0);
    assert_int_equal(cycle_of(c, 1500 * MS), NO_CYCLE);
    assert_int_equal(cycle_of(c, 2000 * MS), NO_CYCLE);
    assert_int_equal(cycle_of(c, 2000 * MS + 1), 1);
    assert_int_equal(cycle_of(c, 3001 * MS), 2);
}

static int64_t offset_ms(const struct model_case *c, int64_t wall_ms)
{
    int64_t ns = timeline_offset(&c->timeline, wall_ms * MS);
    assert_int_equal(ns % MS, 0);
    return ns / MS;
}

/* A cycle of 1 s that ends at END_MS when the wall clock shows WALL_MS. */
static void clocked(struct model_case *c, int end_ms, int wall_ms)
{
    case_line(c, "cycle,%lld,%lld,1000000000,10,0,ok", (long long)(wall_ms * MS), (long long)(end_ms * MS));
}

static void the_offset_is_that_of_the_cycle_whose_wall_clock_is_nearest(void **state)
{
    struct model_case *c = *state;
    clocked(c, 1000, 51000); /* 50 s ahead */
    clocked(c, 2000, 62000); /* then 60 s */
    clocked(c, 3000, 63000);
    clocked(c, 4000, 74000); /* then 70 s */
    case_read_log(c);
    assert_int_equal(offset_ms(c, 0), 50000);
    assert_int_equal(offset_ms(c, 51000), 50000);
    assert_int_equal(offset_ms(c, 56499), 50000);
    assert_int_equal(offset_ms(c, 56501), 60000);
    assert_int_equal(offset_ms(c, 68499), 60000);
    assert_int_equal(offset_ms(c, 68501), 70000);
    assert_int_equal(offset_ms(c, 74000), 70000);
    assert_int_equal(offset_ms(c, 900000), 70000);
}

static void of_two_equally_near_cycles_the_earlier_gives_the_offset(void **state)
{
    struct model_case *c = *state;
    clocked(c, 1000, 51000);
    clocked(c, 2000, 62000);
    case_read_log(c);
    assert_int_equal(offset_ms(c, 56500), 50000); /* 5.5 s from either */
}

static void a_clock_set_back_leaves_each_time_its_nearest_cycle(void **state)
{
    struct model_case *c = *state;
    clocked(c, 1000, 51000);
    clocked(c, 2000, 52000);
    clocked(c, 3000, 50400); /* set back by 2.6 s: 47.4 s ahead */
    clocked(c, 4000, 51400);
    clocked(c, 5000, 52400);
    case_read_log(c);
    assert_int_equal(offset_ms(c, 50399), 47400);
    assert_int_equal(offset_ms(c, 51000), 50000);
    assert_int_equal(offset_ms(c, 51300), 47400);
    assert_int_equal(offset_ms(c, 51900), 50000);
    assert_int_equal(offset_ms(c, 52500), 47400);
    assert_int_equal(offset_ms(c, 51200), 50000); /* 200 ms from cycles 0 and 3 */
    assert_int_equal(offset_ms(c, 50700), 50000); /* 300 ms from cycles 0 and 2, and 0 is the earlier in the log */
}

static void of_two_cycles_with_one_wall_clock_the_earlier_gives_the_offset(void **state)
{
    struct model_case *c = *state;
    clocked(c, 1000, 51000);
    clocked(c, 2000, 51000);
    clocked(c, 3000, 53000);
    case_read_log(c);
    assert_int_equal(offset_ms(c, 51000), 50000);
    assert_int_equal(offset_ms(c, 50000), 50000);
    assert_int_equal(offset_ms(c, 51900), 50000); /* from above, too */
    assert_int_equal(offset_ms(c, 52000), 50000); /* a tie with the third */
}

static void a_log_of_one_cycle_has_one_offset(void **state)
{
    struct model_case *c = *state;
    clocked(c, 1000, 51000);
    case_read_log(c);
    assert_int_equal(offset_ms(c, 51000), 50000);
    assert_int_equal(offset_ms(c, 1), 50000);
    assert_int_equal(offset_ms(c, 99000), 50000);
}

static void a_used_sample_in_no_cycle_is_counted_as_outside_the_log(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_second(c, 3);
    uint32_t thread = case_thread(c, 1, 0, "worker");
    case_cpu_sample(c, thread, "a", 500, 10);
    case_cpu_sample(c, thread, "a", 1500, 10); /* between the cycles */
    case_cpu_sample(c, thread, NULL, 3500, 10);
    case_run(c);
    assert_int_equal(c->result.samples.used, 1);
    assert_int_equal(c->result.samples.failed, 0);
    assert_int_equal(c->result.samples.outside, 2);
}

static void a_log_that_ends_before_the_recording_is_refused_with_the_distance(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    c->observed.start_ns = 3500 * MS;
    case_cpu_sample(c, case_thread(c, 1, 0, "worker"), "a", 4000, 10);
    case_fails(c, STATUS_INVALID, "the log ends 2.5 s before the recording begins");
}

static void a_log_that_begins_behind_the_recording_is_refused_with_the_distance(void **state)
{
    struct model_case *c = *state;
    case_second(c, 6); /* (5 s, 6 s] */
    c->observed.end_ns = 4500 * MS;
    case_cpu_sample(c, case_thread(c, 1, 0, "worker"), "a", 4000, 10);
    case_fails(c, STATUS_INVALID, "the log begins 0.5 s after the recording ends");
}

static void a_log_without_cycles_is_refused_with_its_reason(void **state)
{
    struct model_case *c = *state;
    c->facts = "{\"reason\":\"no meter\"}";
    case_cpu_sample(c, case_thread(c, 1, 0, "worker"), "a", 500, 10);
    case_fails(c, STATUS_MISSING, "no cycle (no meter)");
}

static void a_log_of_another_time_is_refused_with_the_times_of_both(void **state)
{
    struct model_case *c = *state;
    case_second(c, 2);
    case_second(c, 3);
    c->observed.start_ns = 4500 * MS;
    c->observed.start_wall_ns = INT64_C(1764547200) * 1000 * MS; /* 2025-12-01 00:00:00 */
    c->observed.end_wall_ns = c->observed.start_wall_ns + 90 * 1000 * MS;
    case_cpu_sample(c, case_thread(c, 1, 0, "worker"), "a", 4000, 10);
    case_fails(c, STATUS_INVALID,
               "the power log (1970-01-01 00:16:41 UTC to 1970-01-01 00:16:43 UTC) and the recording (2025-12-01 "
               "00:00:00 UTC to 2025-12-01 00:01:30 UTC) do not overlap: the log ends 1.5 s before the recording");
}

static void a_log_that_ends_as_the_recording_begins_does_not_overlap(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    c->observed.start_ns = 1000 * MS;
    case_cpu_sample(c, case_thread(c, 1, 0, "worker"), "a", 4000, 10);
    case_fails(c, STATUS_INVALID, "the log ends 0.0 s before the recording begins");
}

static void a_log_that_begins_as_the_recording_ends_does_not_overlap(void **state)
{
    struct model_case *c = *state;
    case_second(c, 6);
    c->observed.end_ns = 5000 * MS;
    case_cpu_sample(c, case_thread(c, 1, 0, "worker"), "a", 4000, 10);
    case_fails(c, STATUS_INVALID, "the log begins 0.0 s after the recording ends");
}

static void cycles_are_chosen_by_the_milliseconds_of_their_ends(void **state)
{
    struct model_case *c = *state;
    case_line(c, "cycle,999999,1000000000,1000000000,10,0,ok");
    case_line(c, "cycle,1000000,2000000000,1000000000,10,0,ok");
    case_line(c, "process,7,500000000,java");
    case_line(c, "cycle,1999999,3000000000,1000000000,10,1000000000,ok");
    case_line(c, "cycle,2000000,4000000000,1000000000,10,0,ok");
    c->options.from = (struct time_bound){BOUND_WALL, 1999999};
    c->options.to = (struct time_bound){BOUND_WALL, 1000001};
    case_cpu_sample(c, case_thread(c, 1, 0, "worker"), "a", 2500, 10);
    case_run(c);
    assert_int_equal(c->result.cycles.n, 2);
    assert_int_equal(c->result.cycles.v[0].realtime_ns, 1000000);
    assert_int_equal(c->result.cycles.v[1].realtime_ns, 1999999);
}

static void a_time_before_1970_is_before_the_first_millisecond(void **state)
{
    struct model_case *c = *state;
    case_line(c, "cycle,500000,1000000000,1000000000,10,0,ok");
    c->options.to = (struct time_bound){BOUND_WALL, -1};
    case_cpu_sample(c, case_thread(c, 1, 0, "worker"), "a", 500, 10);
    case_fails(c, STATUS_MISSING, "no cycle of the power log ends between");
}

static void no_cycle_between_the_bounds_is_refused_with_the_times_of_the_log(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_second(c, 2);
    c->options.from = (struct time_bound){BOUND_WALL, (5000 + WALL_AHEAD_MS) * MS};
    case_cpu_sample(c, case_thread(c, 1, 0, "worker"), "a", 500, 10);
    case_fails(c, STATUS_MISSING, "its cycles end from 1970-01-01 00:16:41 UTC to 1970-01-01 00:16:42 UTC");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_cycle_holds_its_end_and_not_its_start),
        CASE(a_time_between_two_cycles_is_in_none),
        CASE(the_offset_is_that_of_the_cycle_whose_wall_clock_is_nearest),
        CASE(of_two_equally_near_cycles_the_earlier_gives_the_offset),
        CASE(a_clock_set_back_leaves_each_time_its_nearest_cycle),
        CASE(of_two_cycles_with_one_wall_clock_the_earlier_gives_the_offset),
        CASE(a_log_of_one_cycle_has_one_offset),
        CASE(a_used_sample_in_no_cycle_is_counted_as_outside_the_log),
        CASE(a_log_that_ends_before_the_recording_is_refused_with_the_distance),
        CASE(a_log_that_begins_behind_the_recording_is_refused_with_the_distance),
        CASE(a_log_without_cycles_is_refused_with_its_reason),
        CASE(a_log_of_another_time_is_refused_with_the_times_of_both),
        CASE(a_log_that_ends_as_the_recording_begins_does_not_overlap),
        CASE(a_log_that_begins_as_the_recording_ends_does_not_overlap),
        CASE(cycles_are_chosen_by_the_milliseconds_of_their_ends),
        CASE(a_time_before_1970_is_before_the_first_millisecond),
        CASE(no_cycle_between_the_bounds_is_refused_with_the_times_of_the_log),
    };
    return cmocka_run_group_tests_name("model: time", tests, NULL, NULL);
}
