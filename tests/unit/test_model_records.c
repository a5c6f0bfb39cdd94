/* SPDX-License-Identifier: GPL-3.0-or-later */
/* joular-attribution(7), section 4, source 1: CPU time of threads from the log, and which threads are one. */
#include "model_case.h"

static void a_thread_has_the_cpu_time_of_its_record(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500); /* 5 J */
    case_record(c, 51, 300, "a");
    case_record(c, 52, 200, "b");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 1, 51, "a"), "a", 500, 1);
    case_cpu_sample(c, case_thread(c, 2, 52, "b"), "b", 500, 900); /* weights divide threads, not among them */
    case_run(c);
    assert_int_equal(c->result.cpu_source, CPU_THREAD_RECORDS);
    assert_energy(c, 0, "a", 3);
    assert_energy(c, 0, "b", 2);
}

static void a_threads_energy_goes_to_its_branches_by_weight(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_record(c, 51, 500, "a");
    case_cycle(c, 0, 1000, 10, 1000);
    uint32_t a = case_thread(c, 1, 51, "a");
    case_cpu_sample(c, a, "x", 500, 10);
    case_cpu_sample(c, a, "x;y", 600, 30);
    case_cpu_sample(c, a, "x;y", 700, 10);
    case_run(c);
    assert_energy(c, 0, "x", 1);
    assert_energy(c, 0, "x;y", 4);
}

static void several_records_of_one_thread_are_added(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_record(c, 51, 100, "a");
    case_record(c, 51, 200, "renamed");
    case_record(c, 52, 200, "b");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 1, 51, "a"), "a", 500, 1);
    case_run(c);
    assert_energy(c, 0, "a", 3);
    assert_near(c->result.unattributed_j, 2); /* b has no samples */
}

static void records_join_by_ns_tid_where_it_is_given(void **state)
{
    struct model_case *c = *state;
    case_line(c, "process,907,500000000,java,7");
    case_line(c, "thread,907,951,300000000,a,51");
    case_line(c, "thread,907,51,100000000,b,52"); /* its host id is another's own one */
    case_line(c, "thread,907,53,100000000,c");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 1, 51, "a"), "a", 500, 1);
    case_cpu_sample(c, case_thread(c, 2, 52, "b"), "b", 500, 1);
    case_cpu_sample(c, case_thread(c, 3, 53, "c"), "c", 500, 1);
    case_run(c);
    assert_energy(c, 0, "a", 3);
    assert_energy(c, 0, "b", 1);
    assert_energy(c, 0, "c", 1);
}

static void records_of_other_processes_do_not_count(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_line(c, "process,8,500000000,other");
    case_record(c, 51, 500, "a");
    case_line(c, "thread,8,51,400000000,a");
    case_line(c, "thread,8,52,400000000,GC Thread#0");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 1, 51, "a"), "a", 500, 1);
    case_run(c);
    assert_energy(c, 0, "a", 5);
    assert_near(c->result.native_j[NATIVE_GC], 0);
}

static void thread_records_of_other_processes_only_are_no_source(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_line(c, "thread,8,51,400000000,a");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 1, 51, "a"), "a", 500, 100);
    case_run(c);
    assert_int_equal(c->result.cpu_source, CPU_TIME_SAMPLES);
    assert_energy(c, 0, "a", 1);
}

static void without_process_records_the_recordings_pid_finds_the_threads(void **state)
{
    struct model_case *c = *state;
    case_record(c, 51, 300, "a");
    case_line(c, "thread,8,52,300000000,b");
    case_cycle(c, 0, 1000, 10, 1000);
    case_load(c, 0, 0, 0);
    case_load(c, 1000, 0.1, 0.2); /* P is 400 ms: 5 J */
    case_cpu_sample(c, case_thread(c, 1, 51, "a"), "a", 500, 1);
    case_run(c);
    assert_int_equal(c->result.cpu_source, CPU_THREAD_RECORDS);
    assert_energy(c, 0, "a", 5.0 * 300 / 400);
    assert_near(c->result.unattributed_j, 5.0 * 100 / 400);
}

static void the_source_is_one_for_the_whole_recording(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1); /* no thread record here */
    case_process(c, 500);
    case_record(c, 51, 400, "a");
    case_cycle(c, 1000, 2000, 10, 1000);
    uint32_t a = case_thread(c, 1, 51, "a");
    case_cpu_sample(c, a, "a", 500, 100);
    case_cpu_sample(c, a, "a", 1500, 100);
    case_run(c);
    assert_energy(c, 0, "a", 5); /* all 500 ms are R */
    assert_energy(c, 1, "a", 4);
}

static void records_that_exceed_the_process_are_what_is_divided(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_record(c, 51, 600, "a");
    case_record(c, 52, 400, "b");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 1, 51, "a"), "a", 500, 1);
    case_cpu_sample(c, case_thread(c, 3, 53, "c"), "c", 500, 1); /* and nothing is left for this one */
    case_run(c);
    assert_energy(c, 0, "a", 3);
    assert_energy(c, 0, "c", 0);
    assert_near(c->result.unattributed_j, 2);
}

/* R = 500 - 300 = 200 ms, for c (10 + 20 blind) and d (30): 1 J each. */
static void the_rest_goes_to_sampled_threads_without_record_by_weight(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_record(c, 51, 300, "a");
    case_cycle(c, 0, 1000, 10, 1000);
    uint32_t ended = case_thread(c, 3, 53, "c");
    case_cpu_sample(c, case_thread(c, 1, 51, "a"), "a", 500, 999);
    case_cpu_sample(c, ended, "c", 500, 10);
    case_cpu_sample(c, ended, NULL, 500, 20);
    case_cpu_sample(c, case_thread(c, 4, 54, "d"), "d", 500, 30);
    case_run(c);
    assert_energy(c, 0, "a", 3);
    assert_energy(c, 0, "c", 1);
    assert_energy(c, 0, "d", 1);
}

static void a_thread_of_blind_weight_only_takes_its_part_of_the_rest_with_it(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_record(c, 51, 300, "a");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 3, 53, "c"), NULL, 500, 10);
    case_cpu_sample(c, case_thread(c, 4, 54, "d"), "d", 500, 30);
    case_run(c);
    assert_energy(c, 0, "d", 1.5);
    assert_near(c->result.unattributed_j, 3 + 0.5);
}

static void a_thread_without_record_in_this_cycle_takes_the_rest_though_it_has_one_elsewhere(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_record(c, 51, 300, "a");
    case_record(c, 52, 200, "b");
    case_cycle(c, 0, 1000, 10, 1000);
    case_process(c, 500);
    case_record(c, 51, 300, "a");
    case_cycle(c, 1000, 2000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 1, 51, "a"), "a", 1500, 1);
    case_cpu_sample(c, case_thread(c, 2, 52, "b"), "b", 1500, 1);
    case_run(c);
    assert_energy(c, 1, "a", 3);
    assert_energy(c, 1, "b", 2);
}

static void a_rest_that_no_thread_may_have_stays_unattributed(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_record(c, 51, 300, "a");
    case_cycle(c, 0, 1000, 10, 1000);
    case_execution(c, case_thread(c, 1, 51, "a"), "a", 500);
    case_native(c, case_thread(c, 2, 52, "b"), "b", 500); /* natives have no part in it */
    case_run(c);
    assert_energy(c, 0, "a", 3);
    assert_energy(c, 0, "b", 0);
    assert_near(c->result.unattributed_j, 2);
}

static void samples_without_a_thread_take_part_in_the_rest(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_record(c, 51, 300, "a");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, NO_THREAD, "x", 500, 10);
    case_cpu_sample(c, NO_THREAD, "y", 600, 20);
    case_cpu_sample(c, NO_THREAD, NULL, 700, 10); /* 10 : 20 : 10 of 2 J; each is a thread, so none carries the third */
    case_run(c);
    assert_energy(c, 0, "x", 0.5);
    assert_energy(c, 0, "y", 1);
    assert_near(c->result.unattributed_j, 3 + 0.5);
}

static void a_process_time_that_is_unknown_has_no_rest(void **state)
{
    struct model_case *c = *state;
    c->options.process_share = 0.5;
    case_record(c, 51, 300, "a");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 1, 51, "a"), "a", 500, 1);
    case_cpu_sample(c, case_thread(c, 2, 52, "b"), "b", 500, 1);
    case_run(c);
    assert_energy(c, 0, "a", 5);
    assert_int_equal(case_row_count(c, 0), 1);
}

static void a_native_sample_counts_for_a_thread_with_a_record_in_its_cycle(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_record(c, 51, 500, "a");
    case_cycle(c, 0, 1000, 10, 1000);
    case_process(c, 500);
    case_record(c, 52, 500, "b");
    case_cycle(c, 1000, 2000, 10, 1000);
    uint32_t a = case_thread(c, 1, 51, "a"), b = case_thread(c, 2, 52, "b");
    case_native(c, a, "a.read", 500);
    case_native(c, a, "a.read", 1500); /* no record here: it waits */
    case_native(c, b, "b.read", 500);
    case_execution(c, b, "b", 1500);
    case_native(c, b, "b.read", 1500); /* it has an ExecutionSample here */
    case_native(c, a, "a.read", 2500); /* in no cycle */
    case_run(c);
    assert_energy(c, 0, "a.read", 5);
    assert_energy(c, 1, "b", 5);
    assert_int_equal(case_row_count(c, 0), 1);
    assert_int_equal(case_row_count(c, 1), 1);
    assert_int_equal(c->result.samples.used, 2);
    assert_int_equal(c->result.samples.outside, 0);
}

static void two_jfr_threads_with_one_os_id_are_one(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_record(c, 51, 500, "log name");
    case_cycle(c, 0, 1000, 10, 1000);
    uint32_t later = case_thread(c, 9, 51, "later"), earlier = case_thread(c, 4, 51, "earlier");
    case_execution(c, later, "b", 500);
    case_execution(c, earlier, "a", 500);
    case_native(c, earlier, "c", 500); /* the other has run in this cycle */
    case_run(c);
    assert_energy(c, 0, "a", 2.5);
    assert_energy(c, 0, "b", 2.5);
    assert_int_equal(case_row_count(c, 0), 2);
    assert_int_equal(c->result.threads.n, 1);
    assert_non_null(case_find_thread(c, "earlier")); /* the lowest JFR id names it */
    assert_int_equal(c->result.threads.v[0].os_id, 51);
    assert_int_equal(c->result.threads.v[0].samples, 2);
}

static void threads_without_os_id_are_not_one(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_record(c, 51, 300, "a");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 2, 0, "b"), "b", 500, 10);
    case_cpu_sample(c, case_thread(c, 3, 0, "c"), NULL, 500, 10);
    case_run(c);
    assert_energy(c, 0, "b", 1); /* it does not carry c's */
    assert_non_null(case_find_thread(c, "c"));
}

static void virtual_threads_have_the_records_of_their_carriers(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_record(c, 61, 200, "ForkJoinPool-1-");
    case_record(c, 62, 100, "ForkJoinPool-1-");
    case_record(c, 51, 100, "a");
    case_cycle(c, 0, 1000, 10, 1000);
    case_carrier(c, 10, 61);
    case_carrier(c, 11, 62);
    uint32_t v = case_virtual(c, 20), w = case_virtual(c, 21);
    case_cpu_sample(c, v, "v", 500, 10);
    case_cpu_sample(c, w, "w", 500, 20);
    case_cpu_sample(c, w, NULL, 500, 99); /* blind weight of one is blind weight of all */
    case_cpu_sample(c, case_thread(c, 1, 51, "a"), "a", 500, 10);
    case_run(c);
    assert_energy(c, 0, "a", 1);
    assert_energy(c, 0, "v", 1); /* of 3 J for both carriers' 300 ms */
    assert_energy(c, 0, "w", 2);
    assert_near(c->result.unattributed_j, 1);
    assert_non_null(case_find_thread(c, "virtual threads"));
    assert_int_equal(c->result.threads.n, 2);
}

static void an_execution_sample_on_one_virtual_thread_silences_natives_of_all(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_record(c, 61, 500, "carrier");
    case_cycle(c, 0, 1000, 10, 1000);
    uint32_t carrier = case_carrier(c, 10, 61), v = case_virtual(c, 20);
    case_execution(c, v, "v", 500);
    case_native(c, carrier, "epoll", 500);
    case_run(c);
    assert_energy(c, 0, "v", 5);
    assert_int_equal(case_row_count(c, 0), 1);
}

static void a_share_by_hand_of_a_cycle_without_cpu_time_stays_unattributed(void **state)
{
    struct model_case *c = *state;
    c->options.process_share = 0.5;
    case_record(c, 51, 0, "a");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 1, 51, "a"), "a", 500, 1);
    case_run(c);
    assert_int_equal(c->result.rows.n, 0);
    assert_near(c->result.unattributed_j, 5);
}

static void a_native_sample_counts_by_the_records_of_its_own_cycle(void **state)
{
    struct model_case *c = *state;
    for (int second = 1; second <= 3; second++) {
        case_process(c, 500);
        case_record(c, second == 2 ? 51 : 52, 500, "worker");
        case_cycle(c, (second - 1) * 1000, second * 1000, 10, 1000);
    }
    uint32_t a = case_thread(c, 1, 51, "a");
    for (int second = 1; second <= 3; second++)
        case_native(c, a, "a.read", second * 1000 - 500);
    case_run(c);
    assert_energy(c, 0, "a.read", 0);
    assert_energy(c, 1, "a.read", 5);
    assert_energy(c, 2, "a.read", 0);
    assert_int_equal(c->result.samples.used, 1);
}

static void virtual_threads_have_no_id_of_their_carriers(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_record(c, 1, 500, "ForkJoinPool-1-");
    case_cycle(c, 0, 1000, 10, 1000);
    case_carrier(c, 10, 1); /* the first of a container */
    case_cpu_sample(c, case_virtual(c, 20), "v", 500, 10);
    case_cpu_sample(c, case_thread(c, 5, 1, "of the carrier's id"), "w", 500, 10);
    case_run(c);
    assert_int_equal(c->result.threads.n, 1);
    assert_int_equal(case_find_thread(c, "virtual threads")->os_id, 0);
    assert_energy(c, 0, "v", 2.5);
    assert_energy(c, 0, "w", 2.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_thread_has_the_cpu_time_of_its_record),
        CASE(a_threads_energy_goes_to_its_branches_by_weight),
        CASE(several_records_of_one_thread_are_added),
        CASE(records_join_by_ns_tid_where_it_is_given),
        CASE(records_of_other_processes_do_not_count),
        CASE(thread_records_of_other_processes_only_are_no_source),
        CASE(without_process_records_the_recordings_pid_finds_the_threads),
        CASE(the_source_is_one_for_the_whole_recording),
        CASE(records_that_exceed_the_process_are_what_is_divided),
        CASE(the_rest_goes_to_sampled_threads_without_record_by_weight),
        CASE(a_thread_of_blind_weight_only_takes_its_part_of_the_rest_with_it),
        CASE(a_thread_without_record_in_this_cycle_takes_the_rest_though_it_has_one_elsewhere),
        CASE(a_rest_that_no_thread_may_have_stays_unattributed),
        CASE(samples_without_a_thread_take_part_in_the_rest),
        CASE(a_process_time_that_is_unknown_has_no_rest),
        CASE(a_native_sample_counts_for_a_thread_with_a_record_in_its_cycle),
        CASE(two_jfr_threads_with_one_os_id_are_one),
        CASE(threads_without_os_id_are_not_one),
        CASE(virtual_threads_have_the_records_of_their_carriers),
        CASE(an_execution_sample_on_one_virtual_thread_silences_natives_of_all),
        CASE(a_share_by_hand_of_a_cycle_without_cpu_time_stays_unattributed),
        CASE(a_native_sample_counts_by_the_records_of_its_own_cycle),
        CASE(virtual_threads_have_no_id_of_their_carriers),
    };
    return cmocka_run_group_tests_name("model: thread records", tests, NULL, NULL);
}
