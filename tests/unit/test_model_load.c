/* SPDX-License-Identifier: GPL-3.0-or-later */
/* joular-attribution(7), section 4, source 3: CPU time from jdk.ThreadCPULoad.
 *
 * In each cycle P is 500 ms and 5 J, so 1 ms of CPU time is 0.01 J where threads stay below P. A load of 0.05 of 4 cpus
 * is 200 ms a second; an ExecutionSample weighs 20 ms. */
#include "model_case.h"

static uint32_t seconds(struct model_case *c, int count)
{
    for (int second = 1; second <= count; second++)
        case_second(c, second);
    return case_thread(c, 1, 0, "a");
}

static void assert_cpu_ms(const struct model_case *c, uint32_t cycle, const char *branch, double cpu_ms)
{
    assert_energy(c, cycle, branch, cpu_ms / 100);
}

/* 400 ms over 2 s; 3 samples in the first second, 1 in the other. */
static void an_event_is_spread_by_the_weight_of_its_threads_samples(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 2);
    for (int at = 100; at <= 300; at += 100)
        case_execution(c, a, "a", at);
    case_execution(c, a, "a", 1500);
    case_thread_load(c, a, 2000, 0.05);
    case_run(c);
    assert_cpu_ms(c, 0, "a", 300);
    assert_cpu_ms(c, 1, "a", 100);
}

static void failed_samples_are_weight_too(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 2);
    case_execution(c, a, "a", 100);
    case_execution(c, a, "a", 1500);
    case_execution(c, a, NULL, 1600);
    case_execution(c, a, NULL, 1700);
    case_thread_load(c, a, 2000, 0.05);
    case_run(c);
    assert_cpu_ms(c, 0, "a", 100);
    assert_cpu_ms(c, 1, "a", 300);
}

/* 600 ms; 2 samples in cycle 0, 1 between the cycles: its third is nobody's. */
static void weight_in_no_cycle_keeps_its_part(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    uint32_t a = seconds(c, 0);
    case_second(c, 3);
    case_execution(c, a, "a", 100);
    case_execution(c, a, "a", 200);
    case_execution(c, a, "a", 1500);
    case_thread_load(c, a, 3000, 0.05);
    case_run(c);
    assert_cpu_ms(c, 0, "a", 400);
    assert_int_equal(case_row_count(c, 1), 0);
}

/* 300 ms over 1.5 s; a compiler thread, whose row shows it. */
static void an_event_without_weight_is_spread_by_overlap(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 3), jit = case_thread(c, 2, 0, "C2 CompilerThread0");
    case_execution(c, a, "a", 2500);
    case_thread_load(c, jit, 1500, 0.05);
    case_run(c);
    assert_cpu_ms(c, 0, "[JIT]", 200);
    assert_cpu_ms(c, 1, "[JIT]", 100);
    assert_cpu_ms(c, 2, "[JIT]", 0);
}

/* 400 ms over 2 s; the second without a cycle drops its half. */
static void overlap_with_no_cycle_is_dropped(void **state)
{
    struct model_case *c = *state;
    case_second(c, 2);
    uint32_t a = seconds(c, 0), jit = case_thread(c, 2, 0, "C2 CompilerThread0");
    case_execution(c, a, "a", 2500);
    case_thread_load(c, jit, 2000, 0.05);
    case_run(c);
    assert_cpu_ms(c, 0, "[JIT]", 200);
}

/* Samples at a window's end are in it, those at its start are in the one before. */
static void windows_hold_their_end_and_not_their_start(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 2);
    case_execution(c, a, "a", 1000);
    case_execution(c, a, "a", 2000);
    case_thread_load(c, a, 1000, 0.05);
    case_thread_load(c, a, 2000, 0.1);
    case_run(c);
    assert_cpu_ms(c, 0, "a", 200);
    assert_cpu_ms(c, 1, "a", 400);
}

static void a_sample_before_the_last_event_and_in_no_window_has_no_cpu_time(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 2), b = case_thread(c, 2, 0, "b");
    case_execution(c, a, "a", 500); /* JFR found a below 1 ms at 1 s */
    case_execution(c, a, "a", 1500);
    case_thread_load(c, b, 1000, 0);
    case_thread_load(c, a, 2000, 0.05);
    case_run(c);
    assert_cpu_ms(c, 0, "a", 0);
    assert_cpu_ms(c, 1, "a", 200);
}

/* 200 ms over a weight of 4 x 20: ratio 2.5. */
static void behind_its_last_event_a_thread_keeps_its_own_ratio(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 2), b = case_thread(c, 2, 0, "b");
    for (int at = 100; at <= 400; at += 100)
        case_execution(c, a, "a", at);
    case_execution(c, b, "b", 100); /* 100 ms over 20: ratio 5 */
    case_thread_load(c, a, 1000, 0.05);
    case_thread_load(c, b, 1000, 0.025);
    case_execution(c, a, "a", 1100);
    case_execution(c, a, "a", 1200);
    case_execution(c, b, "b", 1200);
    case_run(c);
    assert_cpu_ms(c, 0, "a", 200);
    assert_cpu_ms(c, 1, "a", 100);
    assert_cpu_ms(c, 1, "b", 100);
}

/* (200 + 100) ms over (80 + 20) of weight: ratio 3. An event without weight has no part in it. */
static void a_thread_without_events_has_the_ratio_of_all(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 2), b = case_thread(c, 2, 0, "b");
    for (int at = 100; at <= 400; at += 100)
        case_execution(c, a, "a", at);
    case_execution(c, b, "b", 100);
    case_execution(c, case_thread(c, 3, 0, "c"), "c", 300);
    case_execution(c, NO_THREAD, "d", 1300);
    case_thread_load(c, a, 1000, 0.05);
    case_thread_load(c, b, 1000, 0.025);
    case_thread_load(c, case_thread(c, 4, 0, "idle"), 1000, 0.025);
    case_run(c);
    assert_cpu_ms(c, 0, "c", 60);
    assert_cpu_ms(c, 1, "d", 60);
}

static void without_any_event_with_weight_the_ratio_is_one(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 1);
    case_execution(c, a, "a", 300);
    case_thread_load(c, case_thread(c, 4, 0, "idle"), 1000, 0.025);
    case_run(c);
    assert_cpu_ms(c, 0, "a", 20);
    assert_near(c->result.unattributed_j, 4.8);
}

/* One OS thread, two JFR threads. The event at 600 is no emission, so both windows begin at 0: 120 ms go to the sample
 * at 300, 200 ms to both samples. Ratio 320 / 40 = 8. */
static void in_windows_that_overlap_each_weight_counts_once_in_the_ratio(void **state)
{
    struct model_case *c = *state;
    for (int second = 1; second <= 2; second++)
        case_second(c, second);
    uint32_t first = case_thread(c, 1, 51, "a"), second = case_thread(c, 2, 51, "a");
    case_execution(c, first, "a", 300);
    case_execution(c, second, "b", 800);
    case_execution(c, second, "b", 1500);
    case_thread_load(c, first, 600, 0.05);
    case_end(c, first, 600);
    case_thread_load(c, second, 1000, 0.05);
    case_run(c);
    assert_cpu_ms(c, 0, "a", 160); /* one thread: 320 ms, divided by the weight in the cycle */
    assert_cpu_ms(c, 0, "b", 160);
    assert_cpu_ms(c, 1, "b", 160);
}

static void a_native_sample_counts_for_a_thread_with_an_event_anywhere(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 2), b = case_thread(c, 2, 0, "b");
    case_native(c, a, "a.read", 300);
    case_native(c, b, "b.read", 300); /* it waits: no event */
    case_thread_load(c, a, 1000, 0.05);
    case_execution(c, a, "a", 1500); /* ratio 10 */
    case_native(c, a, "a.read", 1500);
    case_native(c, a, "a.read", 2500); /* in no cycle */
    case_run(c);
    assert_cpu_ms(c, 0, "a.read", 200);
    assert_cpu_ms(c, 1, "a", 200);
    assert_int_equal(case_row_count(c, 0), 1);
    assert_int_equal(case_row_count(c, 1), 1);
    assert_int_equal(c->result.samples.used, 2);
    assert_int_equal(c->result.samples.outside, 0);
}

/* Silenced by an ExecutionSample of its cycle, it takes no part of the event. */
static void a_native_sample_that_does_not_count_is_no_weight_in_the_window(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 2);
    case_execution(c, a, "a", 300);
    case_native(c, a, "a.read", 400);
    case_native(c, a, "a.read", 1500);
    case_thread_load(c, a, 2000, 0.05);
    case_run(c);
    assert_cpu_ms(c, 0, "a", 200);
    assert_cpu_ms(c, 1, "a.read", 200);
}

/* 300 ms; the sample between the cycles would take half of them. */
static void a_native_sample_in_no_cycle_is_no_weight_in_the_window(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_second(c, 3);
    uint32_t a = case_thread(c, 1, 0, "a");
    case_native(c, a, "a.read", 500);
    case_native(c, a, "a.read", 1500);
    case_thread_load(c, a, 3000, 0.025);
    case_execution(c, case_thread(c, 2, 0, "b"), "b", 2500);
    case_run(c);
    assert_cpu_ms(c, 0, "a.read", 300);
}

static void virtual_threads_have_the_events_of_their_carriers(void **state)
{
    struct model_case *c = *state;
    seconds(c, 1);
    uint32_t carrier = case_carrier(c, 10, 61), v = case_virtual(c, 20);
    case_execution(c, v, "v", 300);
    case_thread_load(c, carrier, 1000, 0.05);
    case_run(c);
    assert_cpu_ms(c, 0, "v", 200);
}

static void blind_weight_is_carried_by_the_branches_of_its_thread(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 1);
    case_execution(c, a, "a", 300);
    case_execution(c, a, NULL, 400);
    case_thread_load(c, a, 1000, 0.05);
    case_run(c);
    assert_cpu_ms(c, 0, "a", 200);
}

static void a_chosen_cycle_has_the_cpu_time_that_it_has_without_a_choice(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 3);
    for (int second = 0; second < 3; second++) {
        case_execution(c, a, "a", second * 1000 + 500);
        case_thread_load(c, a, second * 1000 + 1000, 0.025 * (second + 1));
    }
    c->options.from = (struct time_bound){BOUND_WALL, (2000 + WALL_AHEAD_MS) * MS};
    case_run(c);
    assert_int_equal(c->result.cycles.n, 2);
    assert_cpu_ms(c, 0, "a", 200);
    assert_cpu_ms(c, 1, "a", 300);
}

/* 200 ms a second, in windows of 1.5 s: (0, 1.5], (1.5, 3], ... */
static void windows_without_weight_are_spread_over_all_their_cycles(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 9), jit = case_thread(c, 2, 0, "C2 CompilerThread0");
    case_execution(c, a, "a", 8500);
    for (int at = 1500; at <= 9000; at += 1500)
        case_thread_load(c, jit, at, at == 6000 ? 0.025 : 0.05);
    case_run(c);
    for (uint32_t cycle = 0; cycle < 9; cycle++)
        assert_cpu_ms(c, cycle, "[JIT]", cycle == 5 ? 100 : cycle == 4 ? 150 : 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(an_event_is_spread_by_the_weight_of_its_threads_samples),
        CASE(failed_samples_are_weight_too),
        CASE(weight_in_no_cycle_keeps_its_part),
        CASE(an_event_without_weight_is_spread_by_overlap),
        CASE(overlap_with_no_cycle_is_dropped),
        CASE(windows_hold_their_end_and_not_their_start),
        CASE(a_sample_before_the_last_event_and_in_no_window_has_no_cpu_time),
        CASE(behind_its_last_event_a_thread_keeps_its_own_ratio),
        CASE(a_thread_without_events_has_the_ratio_of_all),
        CASE(without_any_event_with_weight_the_ratio_is_one),
        CASE(in_windows_that_overlap_each_weight_counts_once_in_the_ratio),
        CASE(a_native_sample_counts_for_a_thread_with_an_event_anywhere),
        CASE(a_native_sample_that_does_not_count_is_no_weight_in_the_window),
        CASE(a_native_sample_in_no_cycle_is_no_weight_in_the_window),
        CASE(virtual_threads_have_the_events_of_their_carriers),
        CASE(blind_weight_is_carried_by_the_branches_of_its_thread),
        CASE(a_chosen_cycle_has_the_cpu_time_that_it_has_without_a_choice),
        CASE(windows_without_weight_are_spread_over_all_their_cycles),
    };
    return cmocka_run_group_tests_name("model: thread loads", tests, NULL, NULL);
}
