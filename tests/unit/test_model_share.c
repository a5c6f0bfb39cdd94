/* SPDX-License-Identifier: GPL-3.0-or-later */
/* joular-attribution(7), section 3: the process's share of the machine's power. */
#include "model_case.h"

/* A sample, without which there is no result, where it is in nobody's way. */
static void one_sample(struct model_case *c)
{
    case_cpu_sample(c, case_thread(c, 1, 0, "worker"), "a", 500, 10);
}

static double process_j(const struct model_case *c, size_t cycle)
{
    return c->result.cycles.v[cycle].process_j;
}

static void the_share_is_process_time_over_busy_time(void **state)
{
    struct model_case *c = *state;
    case_process(c, 300);
    case_cycle(c, 0, 2000, 10, 1200); /* 10 W x 2 s x 300 / 1200 = 5 J */
    one_sample(c);
    case_run(c);
    assert_near(process_j(c, 0), 5);
    assert_near(c->result.cycles.v[0].process_cpu_ns, 300e6);
    assert_near(c->result.cycles.v[0].busy_ns, 1200e6);
    assert_int_equal(c->result.share_source, SHARE_FROM_LOG);
}

static void no_share_is_above_one(void **state)
{
    struct model_case *c = *state;
    case_process(c, 1500);
    case_cycle(c, 0, 1000, 10, 1000);
    one_sample(c);
    case_run(c);
    assert_near(process_j(c, 0), 10);
}

static void a_process_without_cpu_time_has_no_share_and_no_rows(void **state)
{
    struct model_case *c = *state;
    case_process(c, 0);
    case_cycle(c, 0, 1000, 10, 0); /* 0 / 0 is no share, too */
    case_process(c, 0);
    case_cycle(c, 1000, 2000, 10, 700);
    one_sample(c);
    case_cpu_sample(c, 0, "a", 1500, 10);
    case_run(c);
    assert_near(process_j(c, 0), 0);
    assert_near(process_j(c, 1), 0);
    assert_int_equal(c->result.rows.n, 0);
}

static void a_cycle_without_the_process_record_has_no_process_time(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_cycle(c, 1000, 2000, 10, 1000);
    one_sample(c);
    case_cpu_sample(c, 0, "a", 1500, 10);
    case_run(c);
    assert_near(process_j(c, 0), 5);
    assert_near(process_j(c, 1), 0);
    assert_near(c->result.cycles.v[1].process_cpu_ns, 0);
    assert_int_equal(case_row_count(c, 1), 0);
}

static void several_records_of_the_process_are_added(void **state)
{
    struct model_case *c = *state;
    case_process(c, 200);
    case_process(c, 300);
    case_line(c, "process,8,400000000,other");
    case_cycle(c, 0, 1000, 10, 1000); /* 10 J x (200 + 300) / 1000 */
    one_sample(c);
    case_run(c);
    assert_near(process_j(c, 0), 5);
}

static void a_process_that_knows_itself_by_the_pid_wins_over_one_of_that_host_pid(void **state)
{
    struct model_case *c = *state;
    case_process(c, 400);
    case_line(c, "process,900,100000000,java,7");
    case_cycle(c, 0, 1000, 10, 1000);
    one_sample(c);
    case_run(c);
    assert_near(process_j(c, 0), 1);
}

static void a_host_pid_with_another_ns_pid_is_not_the_recordings(void **state)
{
    struct model_case *c = *state;
    case_line(c, "process,7,400000000,java,3");
    case_line(c, "process,55,100000000,postgres");
    case_cycle(c, 0, 1000, 10, 1000);
    one_sample(c);
    case_fails(c, STATUS_MISSING, "7 (java, known to itself as 3), 55 (postgres)");
}

static void several_processes_that_know_themselves_so_are_an_error_that_lists_them(void **state)
{
    struct model_case *c = *state;
    case_process(c, 100);
    case_line(c, "process,900,100000000,java,7");
    case_line(c, "process,901,100000000,tomcat,7");
    case_cycle(c, 0, 1000, 10, 1000);
    one_sample(c);
    case_fails(c, STATUS_INVALID, ": 900 (java, known to itself as 7), 901 (tomcat, known to itself as 7)");
    c->options.pid = 901; /* a host pid chooses */
    case_run(c);
    assert_near(process_j(c, 0), 1);
}

static void records_of_one_host_pid_under_two_names_are_one_process(void **state)
{
    struct model_case *c = *state;
    case_line(c, "process,900,100000000,java,7");
    case_cycle(c, 0, 1000, 10, 1000);
    case_line(c, "process,900,200000000,renamed,7");
    case_cycle(c, 1000, 2000, 10, 1000);
    one_sample(c);
    case_run(c);
    assert_near(process_j(c, 0), 1);
    assert_near(process_j(c, 1), 2);
}

static void a_log_of_other_processes_only_is_an_error_that_lists_them(void **state)
{
    struct model_case *c = *state;
    case_line(c, "process,8,1,bash");
    case_line(c, "process,9,1,java");
    case_cycle(c, 0, 1000, 10, 1000);
    one_sample(c);
    case_load(c, 100, 0.5, 0.5); /* no fallback: the log says whom it watched */
    case_load(c, 900, 0.5, 0.5);
    case_fails(c, STATUS_MISSING, "no record of process 7, which is the recording's; it has 8 (bash), 9 (java)");
}

static void a_recording_without_pid_needs_one_by_hand(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    one_sample(c);
    c->observed.pid = 0;
    case_fails(c, STATUS_MISSING, "--pid: 7 (java)");
    c->options.pid = 7;
    case_run(c);
    assert_near(process_j(c, 0), 5);
    assert_int_equal(c->result.pid, 7);
}

static void records_of_the_open_cycle_are_no_records(void **state)
{
    struct model_case *c = *state;
    case_cycle(c, 0, 1000, 10, 1000);
    case_process(c, 100); /* its cycle was not finished */
    one_sample(c);
    case_load(c, 0, 0, 0);
    case_load(c, 1000, 0.1, 0.2);
    case_run(c);
    assert_int_equal(c->result.share_source, SHARE_FROM_RECORDING);
    assert_near(process_j(c, 0), 5);
}

static void a_process_seen_only_in_the_open_cycle_matches_nothing(void **state)
{
    struct model_case *c = *state;
    case_line(c, "process,900,100000000,java,7");
    case_cycle(c, 0, 1000, 10, 1000);
    case_line(c, "process,901,100000000,java,7");
    one_sample(c);
    case_run(c);
    assert_near(process_j(c, 0), 1);
}

/* Each load covers the time since the one before: of cycle 1, half is 0.5 of 0.8 and half 0.25 of 0.5. */
static void loads_are_averaged_over_the_cycle_by_overlap(void **state)
{
    struct model_case *c = *state;
    case_cycle(c, 0, 1000, 10, 77);
    case_cycle(c, 1000, 2000, 10, 77);
    case_cycle(c, 2000, 3000, 10, 77);
    one_sample(c);
    case_load(c, 2500, 0.25, 0.5); /* their order does not matter */
    case_load(c, 500, 0.99, 0.99);
    case_load(c, 1500, 0.5, 0.8);
    case_run(c);
    assert_int_equal(c->result.share_source, SHARE_FROM_RECORDING);
    assert_near(process_j(c, 0), 10 * 0.5 / 0.8);
    assert_near(process_j(c, 1), 10 * 0.375 / 0.65);
    assert_near(process_j(c, 2), 10 * 0.25 / 0.5);
    assert_near(c->result.cycles.v[1].process_cpu_ns, 0.375 * 4 * 1e9); /* x cpus x interval */
    assert_near(c->result.cycles.v[1].busy_ns, 0.65 * 4 * 1e9);
}

/* The first load covers nothing, so cycle 1 of 2 s has 1.5 s of the second one and 0.25 s of the third. */
static void time_no_load_covers_weighs_nothing_in_the_mean(void **state)
{
    struct model_case *c = *state;
    case_cycle(c, 0, 2000, 10, 77);
    one_sample(c);
    case_load(c, 250, 0, 0);
    case_load(c, 1750, 0.2, 0.4);
    case_load(c, 3000, 0.9, 0.9);
    case_run(c);
    assert_near(process_j(c, 0), 20 * (1.5 * 0.2 + 0.25 * 0.9) / (1.5 * 0.4 + 0.25 * 0.9));
}

static void a_cycle_without_load_takes_the_nearest_within_five_seconds(void **state)
{
    struct model_case *c = *state;
    case_cycle(c, 0, 1000, 10, 77);      /* 3 s before load 1: load 0, the first, is nearer but covers nothing */
    case_cycle(c, 5900, 6900, 10, 77);   /* 0.9 s behind load 2 */
    case_cycle(c, 9000, 10000, 10, 77);  /* 4 s, by its nearer end */
    case_cycle(c, 10000, 10001, 10, 77); /* 5 s */
    case_cycle(c, 10001, 11001, 10, 77); /* more */
    one_sample(c);
    case_load(c, 2000, 0.9, 0.9);
    case_load(c, 4000, 0.1, 0.5);
    case_load(c, 5000, 0.3, 0.5);
    case_run(c);
    assert_near(process_j(c, 0), 10 * 0.1 / 0.5);
    assert_near(process_j(c, 1), 10 * 0.3 / 0.5);
    assert_near(process_j(c, 2), 10 * 0.3 / 0.5);
    assert_near(process_j(c, 3), 0.01 * 0.3 / 0.5);
    assert_near(process_j(c, 4), 0);
    assert_near(c->result.cycles.v[0].process_cpu_ns, 0.1 * 4 * 1e9);
    assert_near(c->result.cycles.v[0].busy_ns, 0.5 * 4 * 1e9);
}

static void a_cycle_outside_the_recording_takes_no_load(void **state)
{
    struct model_case *c = *state;
    case_cycle(c, 0, 1000, 10, 77);
    case_cycle(c, 1000, 2000, 10, 77);
    case_cycle(c, 2000, 3000, 10, 77);
    c->observed.end_ns = 2000 * MS;
    one_sample(c);
    case_load(c, 500, 0.5, 0.5);
    case_load(c, 1500, 0.5, 0.5);
    case_run(c);
    assert_near(process_j(c, 1), 10);
    assert_near(process_j(c, 2), 0);
}

static void records_of_the_log_win_over_loads(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    one_sample(c);
    case_load(c, 0, 0.9, 0.9);
    case_load(c, 1000, 0.9, 0.9);
    case_run(c);
    assert_int_equal(c->result.share_source, SHARE_FROM_LOG);
    assert_near(process_j(c, 0), 5);
}

static void one_load_is_not_enough_and_no_share_is_guessed(void **state)
{
    struct model_case *c = *state;
    case_cycle(c, 0, 1000, 10, 1000);
    one_sample(c);
    case_load(c, 500, 0.5, 0.5);
    case_fails(c, STATUS_MISSING, "--process-share");
}

static void loads_need_the_number_of_cpus(void **state)
{
    struct model_case *c = *state;
    c->facts = "{}";
    c->observed.hw_threads = 0;
    case_cycle(c, 0, 1000, 10, 1000);
    one_sample(c);
    case_load(c, 0, 0.5, 0.5);
    case_load(c, 1000, 0.5, 0.5);
    case_fails(c, STATUS_MISSING, "how many cpus");
}

static void the_cpus_are_the_logs_and_else_the_recordings(void **state)
{
    struct model_case *c = *state;
    c->facts = "{}";
    c->observed.hw_threads = 8;
    case_cycle(c, 0, 1000, 10, 1000);
    one_sample(c);
    case_load(c, 0, 0.5, 0.5);
    case_load(c, 1000, 0.5, 0.5);
    case_run(c);
    assert_near(c->result.cycles.v[0].process_cpu_ns, 0.5 * 8 * 1e9);
}

static void cpus_that_differ_are_noticed_and_the_logs_count(void **state)
{
    struct model_case *c = *state;
    c->observed.hw_threads = 8;
    case_cycle(c, 0, 1000, 10, 1000);
    one_sample(c);
    case_load(c, 0, 0.5, 0.5);
    case_load(c, 1000, 0.5, 0.5);
    case_run(c);
    assert_near(c->result.cycles.v[0].process_cpu_ns, 0.5 * 4 * 1e9);
    assert_true(case_noticed(c, "4 cpus"));
}

/* As in a container. */
static void a_process_may_have_pid_1(void **state)
{
    struct model_case *c = *state;
    c->observed.pid = 1;
    case_line(c, "process,1,500000000,java");
    case_line(c, "thread,1,51,300000000,worker");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 1, 51, "worker"), "a", 500, 10);
    case_run(c);
    assert_near(process_j(c, 0), 5);
    assert_int_equal(c->result.cpu_source, CPU_THREAD_RECORDS);
    assert_energy(c, 0, "a", 3);
}

static void a_load_five_seconds_behind_a_cycles_end_is_the_nearest_still(void **state)
{
    struct model_case *c = *state;
    case_cycle(c, 0, 1000, 10, 77);
    one_sample(c);
    case_load(c, 5000, 0.9, 0.9); /* covers nothing */
    case_load(c, 6000, 0.1, 0.5);
    case_load(c, 7000, 0.9, 0.9);
    case_run(c);
    assert_near(process_j(c, 0), 10 * 0.1 / 0.5);
}

static void a_load_more_than_five_seconds_behind_a_cycle_is_not_taken(void **state)
{
    struct model_case *c = *state;
    case_cycle(c, 0, 1000, 10, 77);
    one_sample(c);
    case_load(c, 5000, 0.9, 0.9);
    case_load(c, 6000, 0.1, 0.5);
    c->observed.loads.v[1].time_ns++;
    case_run(c);
    assert_near(process_j(c, 0), 0);
    assert_near(c->result.cycles.v[0].process_cpu_ns, 0);
    assert_true(isnan(c->result.cycles.v[0].busy_ns)); /* the log's is of another clock */
}

static void outside_the_recording_loads_say_nothing_of_the_machine(void **state)
{
    struct model_case *c = *state;
    case_cycle(c, 0, 1000, 10, 77);
    case_cycle(c, 1000, 2000, 10, 77);
    case_cycle(c, 2000, 3000, 10, 77);
    c->observed.start_ns = 1000 * MS;
    c->observed.end_ns = 2000 * MS;
    case_cpu_sample(c, case_thread(c, 1, 0, "worker"), "a", 1500, 10);
    case_load(c, 500, 0.5, 0.5);
    case_load(c, 2500, 0.5, 0.5);
    case_run(c);
    assert_near(c->result.cycles.v[1].process_cpu_ns, 0.5 * 4 * 1e9);
    for (int i = 0; i < 3; i += 2) {
        assert_near(c->result.cycles.v[i].process_cpu_ns, 0);
        assert_true(isnan(c->result.cycles.v[i].busy_ns));
    }
}

static void cpus_are_held_against_each_other_where_there_is_one(void **state)
{
    struct model_case *c = *state;
    c->facts = "{\"cpus\":1}";
    c->observed.hw_threads = 4;
    case_second(c, 1);
    one_sample(c);
    case_run(c);
    assert_true(case_noticed(c, "a machine with 1 cpus"));
}

static void cpus_are_held_against_each_other_where_the_recording_has_one(void **state)
{
    struct model_case *c = *state;
    c->observed.hw_threads = 1;
    case_second(c, 1);
    one_sample(c);
    case_run(c);
    assert_true(case_noticed(c, "one with 1"));
}

static void cpus_that_nobody_says_are_not_held_against_each_other(void **state)
{
    struct model_case *c = *state;
    c->observed.hw_threads = 0;
    case_second(c, 1);
    one_sample(c);
    case_run(c);
    assert_int_equal(c->notices.n, 0);
}

static void behind_all_loads_the_last_one_is_the_nearest(void **state)
{
    struct model_case *c = *state;
    case_cycle(c, 6000, 7000, 10, 77);
    one_sample(c);
    for (int i = 1; i <= 5; i++)
        case_load(c, 1000 * i, 0.1 * i, 0.5);
    case_run(c);
    assert_near(process_j(c, 0), 10);
    assert_near(c->result.cycles.v[0].process_cpu_ns, 0.5 * 4 * 1e9);
}

static void each_process_of_the_log_is_listed_once(void **state)
{
    struct model_case *c = *state;
    case_line(c, "process,8,1,bash");
    case_line(c, "process,8,1,renamed");
    case_line(c, "process,9,1,java,3");
    case_line(c, "process,9,1,java,4");
    case_line(c, "process,9,1,java again,4");
    case_line(c, "process,10,1,java,4");
    case_cycle(c, 0, 1000, 10, 1000);
    one_sample(c);
    case_fails(c, STATUS_MISSING,
               "it has 8 (bash), 9 (java, known to itself as 3), 9 (java, known to itself as 4), 10 (java, known to "
               "itself as 4): is it");
}

static void a_machine_that_was_not_busy_is_known_not_to_be(void **state)
{
    struct model_case *c = *state;
    case_process(c, 300);
    case_line(c, "cycle,1001000000000,1000000000,1000000000,10,0,ok");
    case_process(c, 300);
    case_cycle(c, 1000, 2000, 10, 0);
    one_sample(c);
    c->log.cycles.v[1].busy_ns = -1; /* as logs have it that do not say it */
    case_run(c);
    assert_near(c->result.cycles.v[0].busy_ns, 0);
    assert_true(isnan(c->result.cycles.v[1].busy_ns));
    assert_near(process_j(c, 0), 10); /* it was the process's alone */
    assert_near(process_j(c, 1), 10);
}

static void one_load_is_said_to_be_too_few(void **state)
{
    struct model_case *c = *state;
    case_cycle(c, 0, 1000, 10, 1000);
    one_sample(c);
    case_load(c, 500, 0.5, 0.5);
    case_fails(c, STATUS_MISSING, "the recording has no two jdk.CPULoad events");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_share_is_process_time_over_busy_time),
        CASE(no_share_is_above_one),
        CASE(a_process_without_cpu_time_has_no_share_and_no_rows),
        CASE(a_cycle_without_the_process_record_has_no_process_time),
        CASE(several_records_of_the_process_are_added),
        CASE(a_process_that_knows_itself_by_the_pid_wins_over_one_of_that_host_pid),
        CASE(a_host_pid_with_another_ns_pid_is_not_the_recordings),
        CASE(several_processes_that_know_themselves_so_are_an_error_that_lists_them),
        CASE(records_of_one_host_pid_under_two_names_are_one_process),
        CASE(a_log_of_other_processes_only_is_an_error_that_lists_them),
        CASE(a_recording_without_pid_needs_one_by_hand),
        CASE(records_of_the_open_cycle_are_no_records),
        CASE(a_process_seen_only_in_the_open_cycle_matches_nothing),
        CASE(loads_are_averaged_over_the_cycle_by_overlap),
        CASE(time_no_load_covers_weighs_nothing_in_the_mean),
        CASE(a_cycle_without_load_takes_the_nearest_within_five_seconds),
        CASE(a_cycle_outside_the_recording_takes_no_load),
        CASE(records_of_the_log_win_over_loads),
        CASE(one_load_is_not_enough_and_no_share_is_guessed),
        CASE(loads_need_the_number_of_cpus),
        CASE(the_cpus_are_the_logs_and_else_the_recordings),
        CASE(cpus_that_differ_are_noticed_and_the_logs_count),
        CASE(a_process_may_have_pid_1),
        CASE(a_load_five_seconds_behind_a_cycles_end_is_the_nearest_still),
        CASE(a_load_more_than_five_seconds_behind_a_cycle_is_not_taken),
        CASE(outside_the_recording_loads_say_nothing_of_the_machine),
        CASE(cpus_are_held_against_each_other_where_there_is_one),
        CASE(cpus_are_held_against_each_other_where_the_recording_has_one),
        CASE(cpus_that_nobody_says_are_not_held_against_each_other),
        CASE(behind_all_loads_the_last_one_is_the_nearest),
        CASE(each_process_of_the_log_is_listed_once),
        CASE(a_machine_that_was_not_busy_is_known_not_to_be),
        CASE(one_load_is_said_to_be_too_few),
    };
    return cmocka_run_group_tests_name("model: process share", tests, NULL, NULL);
}
