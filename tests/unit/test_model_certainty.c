/* SPDX-License-Identifier: GPL-3.0-or-later */
/* joular-attribution(7), section 7: how sure a figure is. */
#include "chunk_case.h"

/* COUNT cycles of 5 J, all of it thread 51's. */
static uint32_t five_joules_each(struct model_case *c, int count)
{
    for (int i = 0; i < count; i++) {
        case_process(c, 500);
        case_record(c, 51, 500, "worker");
        case_cycle(c, i * 1000, i * 1000 + 1000, 10, 1000);
    }
    return case_thread(c, 1, 51, "worker");
}

static void samples(struct model_case *c, uint32_t thread, const char *branch, int at_ms, int count)
{
    for (int i = 0; i < count; i++)
        case_cpu_sample(c, thread, branch, at_ms + i, 10);
}

static double width(double variance)
{
    return 1.96 * sqrt(variance);
}

/* p = 4/6 of the whole recording in both cycles; n = 4 and 2: 25 x 2/9 x (1/4 + 1/2). */
static void the_variance_takes_the_share_of_the_whole_recording(void **state)
{
    struct model_case *c = *state;
    uint32_t thread = five_joules_each(c, 2);
    samples(c, thread, "a", 300, 3);
    samples(c, thread, "b", 400, 1);
    samples(c, thread, "a", 1300, 1);
    samples(c, thread, "b", 1400, 1);
    case_run(c);
    const struct result_method *a = case_method(c, "a"), *b = case_method(c, "b");
    assert_near(a->own_j, 3.75 + 2.5);
    assert_near(a->own_half_width_j, width(25.0 * 2 / 9 * (0.25 + 0.5)));
    assert_near(a->total_half_width_j, a->own_half_width_j);
    assert_near(b->own_half_width_j, a->own_half_width_j); /* 1 - p for p */
}

/* 80 of 120 ms, though only 1 of 5 samples. */
static void the_share_is_one_of_weight_not_of_samples(void **state)
{
    struct model_case *c = *state;
    uint32_t thread = five_joules_each(c, 1);
    case_cpu_sample(c, thread, "a", 300, 80);
    samples(c, thread, "b", 400, 4);
    case_run(c);
    assert_near(case_method(c, "a")->own_half_width_j, width(25.0 * 2 / 9 / 5));
}

/* p is 2 of 8 here too, where the second cycle is not chosen. */
static void the_share_counts_samples_of_cycles_that_are_not_chosen_too(void **state)
{
    struct model_case *c = *state;
    uint32_t thread = five_joules_each(c, 2);
    samples(c, thread, "a", 300, 1);
    samples(c, thread, "b", 400, 4);
    samples(c, thread, "a", 1300, 1);
    samples(c, thread, "b", 1400, 2);
    c->options.to = (struct time_bound){BOUND_WALL, (1000 + WALL_AHEAD_MS) * MS};
    case_run(c);
    assert_int_equal(c->result.cycles.n, 1);
    assert_near(case_method(c, "a")->own_half_width_j, width(25.0 * 2 / 8 * 6 / 8 / 5));
}

/* p is 2 of 8, not the 1 of 5 in the cycle. */
static void the_share_counts_samples_outside_the_log_too(void **state)
{
    struct model_case *c = *state;
    uint32_t thread = five_joules_each(c, 1);
    samples(c, thread, "a", 300, 1);
    samples(c, thread, "b", 400, 4);
    samples(c, thread, "a", 5000, 1);
    samples(c, thread, "b", 6000, 2);
    case_run(c);
    assert_near(case_method(c, "a")->own_half_width_j, width(25.0 * 0.25 * 0.75 / 5));
}

/* Failed and lost samples are in e, as CPU time, but not in n or p. */
static void blind_samples_are_not_among_the_n(void **state)
{
    struct model_case *c = *state;
    uint32_t thread = five_joules_each(c, 1);
    samples(c, thread, "a", 300, 1);
    samples(c, thread, "b", 400, 4);
    samples(c, thread, NULL, 500, 5);
    case_lost(c, thread, 600, 7);
    case_run(c);
    assert_near(case_method(c, "a")->own_half_width_j, width(25 * 0.2 * 0.8 / 5));
}

static void what_is_held_back_is_not_in_the_variance(void **state)
{
    struct model_case *c = *state;
    uint32_t thread = five_joules_each(c, 1);
    c->observed.start_ns = 600 * MS; /* 2 J */
    samples(c, thread, "a", 700, 1);
    samples(c, thread, "b", 800, 4);
    case_run(c);
    assert_near(case_method(c, "a")->own_half_width_j, width(4 * 0.2 * 0.8 / 5));
}

/* m is 2 + 2 of 8: p = 1/2 once, not twice 1/4. main is in all: 0. */
static void the_formula_is_of_the_set_not_the_sum_of_its_branches(void **state)
{
    struct model_case *c = *state;
    uint32_t thread = five_joules_each(c, 1);
    samples(c, thread, "main;x;m", 300, 2);
    samples(c, thread, "main;y;m", 400, 2);
    samples(c, thread, "main;z", 500, 4);
    case_run(c);
    assert_near(case_method(c, "m")->own_half_width_j, width(25 * 0.5 * 0.5 / 8));
    assert_near(case_method(c, "m")->total_half_width_j, width(25 * 0.5 * 0.5 / 8));
    assert_near(case_method(c, "x")->total_half_width_j, width(25 * 0.25 * 0.75 / 8));
    assert_near(case_method(c, "x")->own_half_width_j, 0);
    assert_near(case_method(c, "main")->total_half_width_j, 0); /* p = 1: sure */
    assert_near(case_method(c, "main")->total_j, 5);
    assert_near(case_method(c, "main")->own_j, 0);
}

/* a is its own caller: 4 of 8 samples, counted once a stack. */
static void recursion_counts_once(void **state)
{
    struct model_case *c = *state;
    uint32_t thread = five_joules_each(c, 1);
    samples(c, thread, "main;a;b;a", 300, 4);
    samples(c, thread, "main;c", 400, 4);
    case_run(c);
    const struct result_method *a = case_method(c, "a");
    assert_near(a->total_j, 2.5);
    assert_near(a->own_j, 2.5);
    assert_int_equal(a->total_samples, 4);
    assert_int_equal(a->own_samples, 4);
    assert_near(a->total_cpu_ns, 250e6);
    assert_near(a->total_half_width_j, width(25 * 0.5 * 0.5 / 8));
    assert_near(case_method(c, "b")->own_j, 0);
    assert_near(case_method(c, "b")->total_j, 2.5);
}

/* Thread 51 has 3 J (p = 1/5, n = 5), thread 52 2 J (p = 3/6, n = 6). */
static void variances_of_threads_add_up(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_record(c, 51, 300, "one");
    case_record(c, 52, 200, "two");
    case_cycle(c, 0, 1000, 10, 1000);
    uint32_t one = case_thread(c, 1, 51, "one"), two = case_thread(c, 2, 52, "two");
    samples(c, one, "a", 300, 1);
    samples(c, one, "b", 400, 4);
    samples(c, two, "a", 300, 3);
    samples(c, two, "b", 400, 3);
    case_run(c);
    assert_near(case_method(c, "a")->own_half_width_j, width(9 * 0.2 * 0.8 / 5 + 4 * 0.5 * 0.5 / 6));
}

static void a_thread_with_four_samples_has_no_interval(void **state)
{
    struct model_case *c = *state;
    uint32_t thread = five_joules_each(c, 1);
    samples(c, thread, "main;a", 300, 2);
    samples(c, thread, "main;b", 400, 2);
    samples(c, thread, NULL, 500, 9); /* these show no branch */
    case_run(c);
    assert_true(isnan(case_method(c, "a")->own_half_width_j));
    assert_true(isnan(case_method(c, "main")->total_half_width_j)); /* not even where it saw one thing only */
    assert_near(case_method(c, "a")->own_j, 2.5);
}

static void a_thread_with_five_samples_in_all_has_one(void **state)
{
    struct model_case *c = *state;
    uint32_t thread = five_joules_each(c, 2);
    samples(c, thread, "a", 300, 2);
    samples(c, thread, "b", 1400, 3);
    case_run(c);
    assert_near(case_method(c, "a")->own_half_width_j, width(25 * 0.4 * 0.6 * (1.0 / 2 + 1.0 / 3)));
}

static void one_such_thread_marks_the_figures_it_is_in_alone(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_record(c, 51, 300, "one");
    case_record(c, 52, 200, "two");
    case_cycle(c, 0, 1000, 10, 1000);
    uint32_t one = case_thread(c, 1, 51, "one"), two = case_thread(c, 2, 52, "two");
    samples(c, one, "a", 300, 5);
    samples(c, one, "b", 400, 5);
    samples(c, two, "a", 300, 1);
    case_run(c);
    assert_true(isnan(case_method(c, "a")->own_half_width_j));
    assert_near(case_method(c, "b")->own_half_width_j, width(9 * 0.5 * 0.5 / 10));
}

static void samples_without_a_thread_have_no_interval_however_many(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    samples(c, NO_THREAD, "a", 300, 10);
    case_run(c);
    assert_true(isnan(case_method(c, "a")->own_half_width_j));
    assert_near(case_method(c, "a")->own_j, 1);
}

static void virtual_threads_are_one_thread_here_too(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    for (int i = 0; i < 5; i++)
        samples(c, case_virtual(c, 20 + (uint64_t)i), i == 0 ? "a" : "b", 300, 1);
    case_run(c); /* 50 ms: 0.5 J */
    assert_near(case_method(c, "a")->own_half_width_j, width(0.25 * 0.2 * 0.8 / 5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_variance_takes_the_share_of_the_whole_recording),
        CASE(the_share_is_one_of_weight_not_of_samples),
        CASE(the_share_counts_samples_outside_the_log_too),
        CASE(the_share_counts_samples_of_cycles_that_are_not_chosen_too),
        CASE(blind_samples_are_not_among_the_n),
        CASE(what_is_held_back_is_not_in_the_variance),
        CASE(the_formula_is_of_the_set_not_the_sum_of_its_branches),
        CASE(recursion_counts_once),
        CASE(variances_of_threads_add_up),
        CASE(a_thread_with_four_samples_has_no_interval),
        CASE(a_thread_with_five_samples_in_all_has_one),
        CASE(one_such_thread_marks_the_figures_it_is_in_alone),
        CASE(samples_without_a_thread_have_no_interval_however_many),
        CASE(virtual_threads_are_one_thread_here_too),
    };
    return cmocka_run_group_tests_name("model: certainty", tests, NULL, NULL);
}
