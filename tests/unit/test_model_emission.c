/* SPDX-License-Identifier: GPL-3.0-or-later */
/* joular-attribution(7), section 4, source 3: the time that a jdk.ThreadCPULoad speaks of.
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

static void the_first_event_counts_from_the_recordings_start(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 1);
    c->observed.start_ns = 200 * MS;
    case_execution(c, a, "a", 500);
    case_thread_load(c, a, 1000, 0.05);
    case_run(c);
    assert_int_equal(c->result.cpu_source, CPU_THREAD_LOAD);
    assert_cpu_ms(c, 0, "a", 160);
}

static void an_event_counts_from_the_latest_emission_of_any_thread(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 1), b = case_thread(c, 2, 0, "b");
    case_execution(c, a, "a", 700);
    case_execution(c, b, "b", 100);
    case_thread_load(c, a, 1000, 0.05); /* 4 x 0.05 x (1000 - 600) */
    case_thread_load(c, b, 600, 0.05);  /* 4 x 0.05 x 600 */
    case_run(c);
    assert_cpu_ms(c, 0, "a", 80);
    assert_cpu_ms(c, 0, "b", 120);
}

static void events_of_one_emission_count_from_the_one_before(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 1), b = case_thread(c, 2, 0, "b");
    case_execution(c, a, "a", 700);
    case_execution(c, b, "b", 700);
    case_thread_load(c, a, 1000, 0.05);
    case_thread_load(c, b, 1000, 0.025);
    case_run(c);
    assert_cpu_ms(c, 0, "a", 200);
    assert_cpu_ms(c, 0, "b", 100);
}

static void an_event_counts_from_its_threads_start_where_that_is_later(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 1), b = case_thread(c, 2, 0, "b");
    case_start(c, a, 800);
    case_start(c, b, 100);
    case_start(c, b, 1200); /* behind its event */
    case_execution(c, a, "a", 900);
    case_execution(c, b, "b", 700);
    case_thread_load(c, a, 1000, 0.05);
    case_thread_load(c, b, 1000, 0.05);
    case_run(c);
    assert_cpu_ms(c, 0, "a", 40);
    assert_cpu_ms(c, 0, "b", 180);
}

static void a_start_before_the_latest_emission_changes_nothing(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 1), b = case_thread(c, 2, 0, "b");
    case_start(c, a, 100);
    case_execution(c, a, "a", 700);
    case_thread_load(c, b, 600, 0);
    case_thread_load(c, a, 1000, 0.05);
    case_run(c);
    assert_cpu_ms(c, 0, "a", 80);
}

/* What a's event at 1 s counts from when b has one at 600 ms and ends at END_MS. */
static void ends_at(struct model_case *c, int end_ms, double a_cpu_ms)
{
    uint32_t a = seconds(c, 1), b = case_thread(c, 2, 0, "b");
    case_execution(c, a, "a", 700);
    case_thread_load(c, b, 600, 0);
    case_end(c, b, end_ms);
    case_end(c, a, 605); /* of another thread: it does not matter */
    case_thread_load(c, a, 1000, 0.05);
    case_run(c);
    assert_cpu_ms(c, 0, "a", a_cpu_ms);
}

static void an_event_ten_ms_before_its_threads_end_is_no_emission(void **state)
{
    ends_at(*state, 610, 200);
}

static void an_event_ten_ms_behind_its_threads_end_is_no_emission(void **state)
{
    ends_at(*state, 590, 200);
}

static void an_event_eleven_ms_before_its_threads_end_is_an_emission(void **state)
{
    ends_at(*state, 611, 80);
}

static void an_event_eleven_ms_behind_its_threads_end_is_an_emission(void **state)
{
    ends_at(*state, 589, 80);
}

static void an_emission_with_one_thread_that_ends_is_one_still(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 1), b = case_thread(c, 2, 0, "b");
    case_execution(c, a, "a", 700);
    case_thread_load(c, a, 600, 0);
    case_thread_load(c, b, 600, 0);
    case_end(c, b, 600);
    case_thread_load(c, a, 1000, 0.05);
    case_run(c);
    assert_cpu_ms(c, 0, "a", 80);
}

static void loads_are_of_the_containers_cpus(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 1);
    c->observed.effective_cpus = 2;
    case_execution(c, a, "a", 700);
    case_thread_load(c, a, 1000, 0.05);
    case_run(c);
    assert_cpu_ms(c, 0, "a", 100);
}

static void loads_are_of_the_recordings_hardware_threads_else(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 1);
    c->observed.hw_threads = 8; /* the log says 4 */
    c->observed.effective_cpus = -1;
    case_execution(c, a, "a", 700);
    case_thread_load(c, a, 1000, 0.05);
    case_run(c);
    assert_cpu_ms(c, 0, "a", 400);
}

static void a_thread_that_starts_with_its_event_has_no_time(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 1), b = case_thread(c, 2, 0, "b");
    case_start(c, a, 1000);
    case_execution(c, a, "a", 700);
    case_execution(c, b, "b", 700);
    case_thread_load(c, a, 1000, 0.05);
    case_thread_load(c, b, 1000, 0.05);
    case_run(c);
    assert_cpu_ms(c, 0, "a", 0);
    assert_cpu_ms(c, 0, "b", 200);
}

static void loads_may_be_of_one_cpu(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 1);
    c->observed.hw_threads = 8;
    c->observed.effective_cpus = 1;
    case_execution(c, a, "a", 700);
    case_thread_load(c, a, 1000, 0.05);
    case_run(c);
    assert_cpu_ms(c, 0, "a", 50);
}

static void loads_may_be_of_one_hardware_thread(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 1);
    c->observed.hw_threads = 1;
    c->observed.effective_cpus = 0;
    case_execution(c, a, "a", 700);
    case_thread_load(c, a, 1000, 0.05);
    case_run(c);
    assert_cpu_ms(c, 0, "a", 50);
}

/* As ends_at, with the end a nanosecond farther away. */
static void an_event_is_near_its_threads_end_to_the_nanosecond(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 1), b = case_thread(c, 2, 0, "b");
    case_execution(c, a, "a", 700);
    case_thread_load(c, b, 600, 0);
    vec_push(&c->observed.ends, ((struct observed_moment){610 * MS + 1, b}));
    vec_push(&c->observed.ends, ((struct observed_moment){590 * MS - 1, b}));
    case_thread_load(c, a, 1000, 0.05);
    case_run(c);
    assert_cpu_ms(c, 0, "a", 80);
}

static void starts_and_ends_count_by_their_time_in_whatever_order_they_come(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 1), b = case_thread(c, 2, 0, "b"), ended = case_thread(c, 3, 0, "d");
    case_start(c, b, 600);
    case_start(c, b, 100);
    case_start(c, a, 1500);
    case_start(c, a, 800);
    case_start(c, a, 200);
    case_end(c, ended, 900);
    case_end(c, ended, 300);
    case_end(c, ended, 10);
    case_end(c, b, 5000);
    case_end(c, a, 5000);
    case_execution(c, a, "a", 900);
    case_execution(c, b, "b", 900);
    case_thread_load(c, ended, 300, 0); /* no emission: it ends there */
    case_thread_load(c, a, 1000, 0.05); /* from 800 on */
    case_thread_load(c, b, 1000, 0.05); /* from 600 on */
    case_run(c);
    assert_cpu_ms(c, 0, "a", 40);
    assert_cpu_ms(c, 0, "b", 80);
}

static void a_thread_that_ends_is_told_among_many_ends(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 1), b = case_thread(c, 2, 0, "b");
    case_end(c, b, 900);
    case_end(c, b, 300);
    case_end(c, b, 10);
    case_end(c, a, 5000);
    case_execution(c, a, "a", 900);
    case_thread_load(c, b, 300, 0);
    case_thread_load(c, a, 1000, 0.05);
    case_run(c);
    assert_cpu_ms(c, 0, "a", 200);
}

static void loads_are_of_the_logs_cpus_where_the_recording_says_none(void **state)
{
    struct model_case *c = *state;
    uint32_t a = seconds(c, 1);
    c->observed.hw_threads = 0;
    c->observed.effective_cpus = 0;
    case_execution(c, a, "a", 700);
    case_thread_load(c, a, 1000, 0.05);
    case_run(c);
    assert_cpu_ms(c, 0, "a", 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_first_event_counts_from_the_recordings_start),
        CASE(an_event_counts_from_the_latest_emission_of_any_thread),
        CASE(events_of_one_emission_count_from_the_one_before),
        CASE(an_event_counts_from_its_threads_start_where_that_is_later),
        CASE(a_start_before_the_latest_emission_changes_nothing),
        CASE(an_event_ten_ms_before_its_threads_end_is_no_emission),
        CASE(an_event_ten_ms_behind_its_threads_end_is_no_emission),
        CASE(an_event_eleven_ms_before_its_threads_end_is_an_emission),
        CASE(an_event_eleven_ms_behind_its_threads_end_is_an_emission),
        CASE(an_emission_with_one_thread_that_ends_is_one_still),
        CASE(loads_are_of_the_containers_cpus),
        CASE(loads_are_of_the_recordings_hardware_threads_else),
        CASE(a_thread_that_starts_with_its_event_has_no_time),
        CASE(loads_may_be_of_one_cpu),
        CASE(loads_may_be_of_one_hardware_thread),
        CASE(an_event_is_near_its_threads_end_to_the_nanosecond),
        CASE(starts_and_ends_count_by_their_time_in_whatever_order_they_come),
        CASE(a_thread_that_ends_is_told_among_many_ends),
        CASE(loads_are_of_the_logs_cpus_where_the_recording_says_none),
    };
    return cmocka_run_group_tests_name("model: emissions of thread loads", tests, NULL, NULL);
}
