/* SPDX-License-Identifier: GPL-3.0-or-later */
/* joular-attribution(7), section 1: which samples count, and what they weigh. */
#include "chunk_case.h"

#include <unistd.h>

/* In source 4 all of a cycle's 5 J go to its threads by weight, where they add up to more than P. */
static void four_sure_seconds(struct model_case *c)
{
    for (int second = 1; second <= 4; second++) {
        case_process(c, 1);
        case_cycle(c, (second - 1) * 1000, second * 1000, 8, 1);
    }
}

static void samples_of_cpu_time_are_used_where_there_is_any(void **state)
{
    struct model_case *c = *state;
    four_sure_seconds(c);
    uint32_t thread = case_thread(c, 1, 0, "worker");
    case_execution(c, thread, "execution", 500);
    case_native(c, thread, "native", 500);
    case_cpu_sample(c, thread, "cpu", 600, 10);
    case_execution(c, thread, "execution", 1500);
    case_run(c);
    assert_int_equal(c->result.sampler, SAMPLER_CPU_TIME);
    assert_energy(c, 0, "cpu", 8);
    assert_int_equal(case_row_count(c, 1), 0);
    assert_int_equal(c->result.samples.used, 1);
}

static void a_failed_sample_of_cpu_time_is_one(void **state)
{
    struct model_case *c = *state;
    four_sure_seconds(c);
    case_execution(c, case_thread(c, 1, 0, "worker"), "execution", 500);
    case_cpu_sample(c, 0, NULL, 1500, 10);
    case_run(c);
    assert_int_equal(c->result.sampler, SAMPLER_CPU_TIME);
    assert_int_equal(c->result.rows.n, 0);
    assert_int_equal(c->result.samples.failed, 1);
}

static void samples_are_chosen_by_hand(void **state)
{
    struct model_case *c = *state;
    four_sure_seconds(c);
    c->options.samples = SAMPLES_EXECUTION;
    uint32_t thread = case_thread(c, 1, 0, "worker");
    case_execution(c, thread, "execution", 500);
    case_cpu_sample(c, thread, "cpu", 600, 10);
    case_lost(c, thread, 700, 9);
    case_run(c);
    assert_int_equal(c->result.sampler, SAMPLER_EXECUTION);
    assert_energy(c, 0, "execution", 8);
    assert_int_equal(case_row_count(c, 0), 1);
    assert_int_equal(c->result.samples.used, 1);
    assert_int_equal(c->result.samples.lost, 0);
}

static void samples_that_are_not_there_cannot_be_chosen(void **state)
{
    struct model_case *c = *state;
    four_sure_seconds(c);
    c->options.samples = SAMPLES_CPU_TIME;
    case_execution(c, case_thread(c, 1, 0, "worker"), "execution", 500);
    case_fails(c, STATUS_MISSING, "no jdk.CPUTimeSample");
}

static void a_recording_without_samples_is_refused(void **state)
{
    struct model_case *c = *state;
    four_sure_seconds(c);
    case_fails(c, STATUS_MISSING, "has no samples");
    case_cpu_sample(c, case_thread(c, 1, 0, "worker"), "a", 500, 10);
    c->options.samples = SAMPLES_EXECUTION;
    case_fails(c, STATUS_MISSING, "no jdk.ExecutionSample");
}

static void a_sample_of_cpu_time_weighs_its_own_period(void **state)
{
    struct model_case *c = *state;
    four_sure_seconds(c);
    uint32_t thread = case_thread(c, 1, 0, "worker");
    case_cpu_sample(c, thread, "a", 500, 10);
    case_cpu_sample(c, thread, "a", 501, 20);
    case_cpu_sample(c, thread, "b", 502, 10); /* 30 : 10 of 8 J */
    case_run(c);
    assert_energy(c, 0, "a", 6);
    assert_energy(c, 0, "b", 2);
}

/* a and b on two threads, so that the energies are in the proportion of their weights. */
static void an_execution_sample_weighs_the_latest_period_at_or_before_it(void **state)
{
    struct model_case *c = *state;
    four_sure_seconds(c);
    case_period(c, SAMPLE_EXECUTION, 1200, "10 ms");
    case_period(c, SAMPLE_EXECUTION, 2200, "60 ms");
    uint32_t a = case_thread(c, 1, 0, "a"), b = case_thread(c, 2, 0, "b");
    case_execution(c, a, "a", 1199); /* none yet: 20 ms, against 10 */
    case_execution(c, b, "b", 1200);
    case_execution(c, a, "a", 2199); /* 10 against 60 */
    case_execution(c, b, "b", 2200);
    case_run(c);
    assert_energy(c, 1, "a", 8.0 * 20 / 30);
    assert_energy(c, 1, "b", 8.0 * 10 / 30);
    assert_energy(c, 2, "a", 8.0 * 10 / 70);
    assert_energy(c, 2, "b", 8.0 * 60 / 70);
}

static void a_period_that_is_no_time_is_twenty_milliseconds(void **state)
{
    struct model_case *c = *state;
    four_sure_seconds(c);
    case_period(c, SAMPLE_EXECUTION, 0, "10 ms");
    case_period(c, SAMPLE_EXECUTION, 1000, "everyChunk");
    uint32_t a = case_thread(c, 1, 0, "a"), b = case_thread(c, 2, 0, "b");
    case_execution(c, a, "a", 999);
    case_execution(c, b, "b", 1000); /* in the first cycle still */
    case_run(c);
    assert_energy(c, 0, "a", 8.0 * 10 / 30);
    assert_energy(c, 0, "b", 8.0 * 20 / 30);
}

static void settings_of_chunks_whose_times_go_back_take_no_time(void **state)
{
    struct model_case *c = *state;
    enum {
        MANY = 400000
    };
    alarm(60); /* far more than it needs */
    four_sure_seconds(c);
    for (int chunk = 0; chunk < 2; chunk++)
        for (int i = 0; i < MANY; i++)
            observe_setting(&c->observed, SETTING_EXECUTION, (1 - chunk) * 1000 * MS + i,
                            i + 1 < MANY ? "10 ms" : "40 ms", 5);
    uint32_t a = case_thread(c, 1, 0, "a"), b = case_thread(c, 2, 0, "b");
    case_execution(c, a, "a", 999);  /* the last of the second chunk: 40 ms */
    case_execution(c, b, "b", 1000); /* the first of the first */
    case_run(c);
    alarm(0);
    assert_energy(c, 0, "a", 8.0 * 40 / 50);
    assert_energy(c, 0, "b", 8.0 * 10 / 50);
}

static void settings_count_by_their_time_in_whatever_order_they_come(void **state)
{
    struct model_case *c = *state;
    four_sure_seconds(c);
    case_period(c, SAMPLE_EXECUTION, 100, "10 ms");
    case_period(c, SAMPLE_EXECUTION, 500, "10 ms");
    case_period(c, SAMPLE_EXECUTION, 300, "30 ms"); /* between the two, so 10 ms holds again from 500 on */
    uint32_t a = case_thread(c, 1, 0, "a"), b = case_thread(c, 2, 0, "b");
    case_execution(c, a, "a", 400); /* 30 */
    case_execution(c, b, "b", 600); /* 10 */
    case_run(c);
    assert_energy(c, 0, "a", 6);
    assert_energy(c, 0, "b", 2);
}

/* Both kinds have a period of their own; source 3, where natives count for a thread with loads. */
static void native_samples_weigh_their_own_period(void **state)
{
    struct model_case *c = *state;
    four_sure_seconds(c);
    case_period(c, SAMPLE_EXECUTION, 0, "10 ms");
    case_period(c, SAMPLE_NATIVE, 0, "30 ms");
    uint32_t a = case_thread(c, 1, 0, "a"), b = case_thread(c, 2, 0, "b");
    case_thread_load(c, b, 100, 0); /* no CPU time: all ratios are 1 */
    case_execution(c, a, "a", 400);
    case_native(c, b, "b", 500);
    case_run(c);
    assert_energy(c, 0, "a", 2);
    assert_energy(c, 0, "b", 6);
}

static void a_lost_sample_is_blind_weight_of_its_thread(void **state)
{
    struct model_case *c = *state;
    four_sure_seconds(c);
    uint32_t a = case_thread(c, 1, 0, "a"), b = case_thread(c, 2, 0, "b");
    case_cpu_sample(c, a, "a", 500, 10);
    case_cpu_sample(c, b, "b", 500, 10);
    case_lost(c, a, 700, 2); /* a weighs 10 + 2 x 10, b 10 */
    case_run(c);
    assert_energy(c, 0, "a", 6);
    assert_energy(c, 0, "b", 2);
    assert_int_equal(c->result.samples.lost, 2);
    assert_int_equal(c->result.samples.failed, 0);
}

static void a_lost_sample_weighs_the_latest_period_of_its_thread_failed_ones_included(void **state)
{
    struct model_case *c = *state;
    four_sure_seconds(c);
    uint32_t a = case_thread(c, 1, 0, "a"), b = case_thread(c, 2, 0, "b");
    case_cpu_sample(c, a, "a", 300, 10);
    case_cpu_sample(c, b, "b", 300, 40);
    case_cpu_sample(c, a, NULL, 500, 5);
    case_cpu_sample(c, a, NULL, 900, 100);
    case_lost(c, a, 700, 1); /* 5: a weighs 10 + 5 + 100 + 5 against 40 */
    case_run(c);
    assert_energy(c, 0, "a", 8.0 * 120 / 160);
    assert_energy(c, 0, "b", 8.0 * 40 / 160);
}

static void a_lost_sample_weighs_the_period_of_a_sample_at_its_own_time(void **state)
{
    struct model_case *c = *state;
    four_sure_seconds(c);
    uint32_t a = case_thread(c, 1, 0, "a"), b = case_thread(c, 2, 0, "b");
    case_cpu_sample(c, b, "b", 100, 40);
    case_cpu_sample(c, a, "a", 500, 10);
    case_lost(c, a, 500, 3); /* 10 + 30 against 40 */
    case_run(c);
    assert_energy(c, 0, "a", 4);
}

static void before_its_threads_first_sample_a_lost_one_weighs_the_recordings_first_period(void **state)
{
    struct model_case *c = *state;
    four_sure_seconds(c);
    uint32_t a = case_thread(c, 1, 0, "a"), b = case_thread(c, 2, 0, "b");
    case_cpu_sample(c, a, "a", 500, 10);
    case_cpu_sample(c, b, "b", 300, 30); /* the first by time, not by order */
    case_lost(c, a, 200, 1);             /* a 10 + 30, b 30 */
    case_run(c);
    assert_energy(c, 0, "a", 8.0 * 40 / 70);
}

static void every_lost_sample_behind_a_sample_weighs_its_period(void **state)
{
    struct model_case *c = *state;
    four_sure_seconds(c);
    uint32_t a = case_thread(c, 1, 0, "a"), b = case_thread(c, 2, 0, "b");
    case_cpu_sample(c, b, "b", 100, 40);
    case_lost(c, a, 700, 1);
    case_lost(c, a, 600, 1);
    case_cpu_sample(c, a, "a", 800, 15);
    case_cpu_sample(c, a, "a", 500, 5); /* in the file behind them; a 15 + 5 + 5 + 5, b 40 */
    case_run(c);
    assert_energy(c, 0, "a", 8.0 * 30 / 70);
}

static void a_period_is_remembered_across_chunks(void **state)
{
    struct model_case *c = *state;
    four_sure_seconds(c);
    uint32_t a = case_thread(c, 1, 0, "a"), b = case_thread(c, 2, 0, "b");
    case_cpu_sample(c, b, "b", 100, 40);
    case_cpu_sample(c, a, "a", 700, 10);
    case_cpu_sample(c, a, "a", 600, 15);
    case_chunk_ends(c);       /* a chunk ends */
    case_lost(c, a, 1500, 2); /* 2 x 10 */
    case_chunk_ends(c);
    case_cpu_sample(c, a, "a", 1900, 20);
    case_cpu_sample(c, b, "b", 1900, 40); /* a 20 + 20, b 40 */
    case_run(c);
    assert_energy(c, 1, "a", 4);
    assert_energy(c, 1, "b", 4);
}

static void a_period_of_nothing_is_remembered_as_well(void **state)
{
    struct model_case *c = *state;
    four_sure_seconds(c);
    uint32_t a = case_thread(c, 1, 0, "a"), b = case_thread(c, 2, 0, "b");
    case_cpu_sample(c, a, "a", 600, 10);
    case_cpu_sample(c, a, NULL, 700, 0);
    case_chunk_ends(c);
    case_lost(c, a, 800, 5); /* 5 x 0 */
    case_cpu_sample(c, b, "b", 900, 10);
    case_run(c);
    assert_energy(c, 0, "a", 4);
    assert_energy(c, 0, "b", 4);
}

static void lost_samples_of_a_chunk_without_samples_wait_for_the_first(void **state)
{
    struct model_case *c = *state;
    four_sure_seconds(c);
    uint32_t a = case_thread(c, 1, 0, "a"), b = case_thread(c, 2, 0, "b");
    case_lost(c, a, 1100, 3);
    case_chunk_ends(c);
    case_cpu_sample(c, b, "b", 1200, 10);
    case_cpu_sample(c, a, "a", 1300, 40); /* a 40 + 3 x 10, b 10 */
    case_run(c);
    assert_energy(c, 1, "a", 8.0 * 70 / 80);
    assert_int_equal(c->result.samples.lost, 3);
}

static void a_lost_sample_in_no_cycle_is_not_counted(void **state)
{
    struct model_case *c = *state;
    four_sure_seconds(c);
    case_cpu_sample(c, case_thread(c, 1, 0, "a"), "a", 500, 10);
    case_lost(c, 0, 4500, 3);
    case_run(c);
    assert_int_equal(c->result.samples.lost, 0);
    assert_int_equal(c->result.samples.outside, 0);
    assert_int_equal(c->result.samples.used, 1);
}

static void periods_beyond_reason_do_no_harm(void **state)
{
    struct model_case *c = *state;
    four_sure_seconds(c);
    uint32_t a = case_thread(c, 1, 0, "a");
    for (int i = 0; i < 6; i++)
        case_cpu_sample_of(c, a, i % 2 == 0 ? "a" : "b", 0, (500 + i) * MS, INT64_MAX, false);
    case_cpu_sample_of(c, a, NULL, 0, 600 * MS, INT64_MAX, false);
    case_cpu_sample_of(c, a, "c", 0, 600 * MS, -5, false); /* weighs nothing */
    case_lost(c, a, 550, 4000000000);
    case_run(c);
    assert_energy(c, 0, "a", 4);
    assert_energy(c, 0, "b", 4);
    assert_energy(c, 0, "c", 0);
}

static void cells_do_not_grow_with_samples_of_many_chunks(void **state)
{
    struct model_case *c = *state;
    four_sure_seconds(c);
    uint32_t a = case_thread(c, 1, 0, "a");
    for (int chunk = 0; chunk < 10000; chunk++) {
        case_cpu_sample(c, a, chunk % 4 == 0 ? "b" : "a", 500, 10);
        case_chunk_ends(c);
    }
    assert_in_range(c->observed.by_cycle.v[0].n, 2, 4096);
    case_run(c);
    assert_energy(c, 0, "a", 6);
    assert_energy(c, 0, "b", 2);
    assert_int_equal(c->result.samples.used, 10000);
}

/* Each of a stack in a thread adds up with those of its cycle, in whatever order cycles come. */
static void samples_of_a_chunk_may_go_back_and_forth_between_cycles(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_second(c, 2);
    uint32_t a = case_thread(c, 1, 0, "a");
    for (int i = 0; i < 12; i++) {
        case_cpu_sample_of(c, a, "a", (uint32_t)i % 2, (i % 2 * 1000 + 500 + i) * MS, (i % 2 + 1) * 10 * MS,
                           i % 4 == 1);
        case_cpu_sample(c, a, "b", i % 2 * 1000 + 500 + i, 10);
    }
    case_chunk_ends(c);
    case_run(c);
    assert_int_equal(c->result.samples.used, 24);
    assert_int_equal(c->result.samples.biased, 3);
    assert_energy(c, 0, "a", 0.6);
    assert_energy(c, 0, "b", 0.6);
    assert_energy(c, 1, "a", 1.2);
    assert_energy(c, 1, "b", 0.6);
}

static void a_chunk_may_have_very_many_stacks(void **state)
{
    struct model_case *c = *state;
    four_sure_seconds(c);
    uint32_t a = case_thread(c, 1, 0, "a"), b = case_thread(c, 2, 0, "b");
    for (int i = 0; i < 3000; i++) {
        char branch[16];
        snprintf(branch, sizeof branch, "b%d", i % 1500);
        case_cpu_sample(c, i % 3 == 0 ? a : b, branch, 500, 10);
    }
    case_chunk_ends(c);
    case_run(c);
    assert_int_equal(c->result.samples.used, 3000);
    assert_int_equal(case_row_count(c, 0), 1500);
    for (uint32_t i = 0; i < 1500; i++)
        assert_int_equal(c->result.uses.v[i].samples, 2);
}

/* The threads that stand for samples without one: whichever has the first sample is the first. */
static void threads_of_samples_without_one_come_in_the_order_of_their_samples(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_second(c, 2);
    case_cpu_sample(c, NO_THREAD, NULL, 300, 10);
    case_cpu_sample(c, NO_THREAD, "a", 400, 10);
    case_cpu_sample(c, NO_THREAD, "a", 1400, 10); /* and so the cell of "a" is the first that is full */
    case_run(c);
    assert_true(c->observed.anonymous_blind < c->observed.anonymous_seen);
}

static void more_samples_than_a_cell_can_count_are_counted(void **state)
{
    struct model_case *c = *state;
    four_sure_seconds(c);
    uint32_t a = case_thread(c, 1, 0, "a");
    for (int chunk = 0; chunk < 200; chunk++) {
        case_cpu_sample(c, a, "a", 500, 10);
        c->chunk->samples.pairs.v[0].count = CELL_MAX_COUNT; /* as many came before, */
        case_cpu_sample(c, a, "a", 500, 10);                 /* and one more */
        case_chunk_ends(c);
    }
    case_run(c);
    assert_true(c->result.samples.used == UINT64_C(200) * (CELL_MAX_COUNT + 1));
}

/* R = 500 - 300 = 200 ms: c has no sample, but lost ones, which are no samples that are used. */
static void a_thread_whose_samples_were_all_lost_has_no_part_in_the_rest(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_line(c, "thread,7,51,300000000,a");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 1, 51, "a"), "a", 500, 10);
    case_lost(c, case_thread(c, 3, 53, "c"), 600, 5);
    case_cpu_sample(c, case_thread(c, 4, 54, "d"), "d", 700, 10);
    case_run(c);
    assert_energy(c, 0, "a", 3);
    assert_energy(c, 0, "d", 2);
}

static void a_thread_whose_samples_were_all_lost_is_not_native(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_line(c, "thread,7,60,500000000,GC Thread#0");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 2, 0, "worker"), "a", 5000, 10); /* the recording's first period */
    case_lost(c, case_thread(c, 1, 60, "GC Thread#0"), 500, 3);
    case_run(c);
    assert_near(c->result.native_j[NATIVE_GC], 0);
    assert_near(c->result.unattributed_j, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(samples_of_cpu_time_are_used_where_there_is_any),
        CASE(a_failed_sample_of_cpu_time_is_one),
        CASE(samples_are_chosen_by_hand),
        CASE(samples_that_are_not_there_cannot_be_chosen),
        CASE(a_recording_without_samples_is_refused),
        CASE(a_sample_of_cpu_time_weighs_its_own_period),
        CASE(an_execution_sample_weighs_the_latest_period_at_or_before_it),
        CASE(a_period_that_is_no_time_is_twenty_milliseconds),
        CASE(settings_count_by_their_time_in_whatever_order_they_come),
        CASE(settings_of_chunks_whose_times_go_back_take_no_time),
        CASE(native_samples_weigh_their_own_period),
        CASE(a_lost_sample_is_blind_weight_of_its_thread),
        CASE(a_lost_sample_weighs_the_latest_period_of_its_thread_failed_ones_included),
        CASE(a_lost_sample_weighs_the_period_of_a_sample_at_its_own_time),
        CASE(before_its_threads_first_sample_a_lost_one_weighs_the_recordings_first_period),
        CASE(every_lost_sample_behind_a_sample_weighs_its_period),
        CASE(a_period_is_remembered_across_chunks),
        CASE(a_period_of_nothing_is_remembered_as_well),
        CASE(lost_samples_of_a_chunk_without_samples_wait_for_the_first),
        CASE(a_lost_sample_in_no_cycle_is_not_counted),
        CASE(periods_beyond_reason_do_no_harm),
        CASE(cells_do_not_grow_with_samples_of_many_chunks),
        CASE(samples_of_a_chunk_may_go_back_and_forth_between_cycles),
        CASE(a_chunk_may_have_very_many_stacks),
        CASE(threads_of_samples_without_one_come_in_the_order_of_their_samples),
        CASE(more_samples_than_a_cell_can_count_are_counted),
        CASE(a_thread_whose_samples_were_all_lost_has_no_part_in_the_rest),
        CASE(a_thread_whose_samples_were_all_lost_is_not_native),
    };
    return cmocka_run_group_tests_name("model: samples", tests, NULL, NULL);
}
