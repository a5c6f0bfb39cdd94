/* SPDX-License-Identifier: GPL-3.0-or-later */
/* joular-attribution(7), section 3: --process-share, --share-of, --baseline, and cycles without power. */
#include "model_case.h"

static void one_sample(struct model_case *c)
{
    case_cpu_sample(c, case_thread(c, 1, 0, "worker"), "a", 500, 100);
}

static double process_j(const struct model_case *c, size_t cycle)
{
    return c->result.cycles.v[cycle].process_j;
}

static void a_share_by_hand_holds_in_every_cycle(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1); /* whatever its records say */
    case_cycle(c, 1000, 2000, 10, 0);
    c->options.process_share = 0.3;
    one_sample(c);
    case_run(c);
    assert_int_equal(c->result.share_source, SHARE_BY_HAND);
    assert_near(process_j(c, 0), 3);
    assert_near(process_j(c, 1), 3);
}

/* With the record C is 500 ms and the thread's 100 ms are a fifth; without, P is unknown and they are all of C. */
static void with_a_share_by_hand_the_process_time_is_its_record_or_unknown(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_cycle(c, 1000, 2000, 10, 1000);
    c->options.process_share = 0.3;
    one_sample(c);
    case_cpu_sample(c, 0, "a", 1500, 100);
    case_run(c);
    assert_energy(c, 0, "a", 3 * 0.2);
    assert_energy(c, 1, "a", 3);
    assert_near(c->result.cycles.v[0].process_cpu_ns, 500e6);
    assert_true(isnan(c->result.cycles.v[1].process_cpu_ns));
}

static void a_share_by_hand_needs_no_record_of_the_process(void **state)
{
    struct model_case *c = *state;
    case_line(c, "process,8,1,bash");
    case_cycle(c, 0, 1000, 10, 1000);
    c->options.process_share = 1;
    one_sample(c);
    case_run(c);
    assert_energy(c, 0, "a", 10);
}

static void a_share_of_capacity_leaves_idle_power_with_nobody(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_cycle(c, 0, 2000, 10, 500); /* 20 J x 500 / (4 x 2000) */
    c->options.share_of_capacity = true;
    one_sample(c);
    case_run(c);
    assert_near(process_j(c, 0), 1.25);
}

static void a_share_of_capacity_is_not_above_one(void **state)
{
    struct model_case *c = *state;
    case_process(c, 4100);
    case_cycle(c, 0, 1000, 10, 500);
    c->options.share_of_capacity = true;
    one_sample(c);
    case_run(c);
    assert_near(process_j(c, 0), 10);
}

static void a_share_of_capacity_of_loads_is_the_jvms_load(void **state)
{
    struct model_case *c = *state;
    case_cycle(c, 0, 1000, 10, 500);
    c->options.share_of_capacity = true;
    one_sample(c);
    case_load(c, 0, 0, 0);
    case_load(c, 1000, 0.3, 0.9);
    case_run(c);
    assert_near(process_j(c, 0), 3);
}

static void a_share_of_capacity_needs_the_number_of_cpus(void **state)
{
    struct model_case *c = *state;
    c->facts = "{}";
    c->observed.hw_threads = 0;
    case_second(c, 1);
    c->options.share_of_capacity = true;
    one_sample(c);
    case_fails(c, STATUS_MISSING, "--share-of capacity needs the number of cpus");
}

/* 10 W less 4 W, half of it the process's; 3 W less 4 W is nothing. */
static void the_baseline_is_taken_from_the_power_but_not_below_nothing(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_process(c, 500);
    case_cycle(c, 1000, 3000, 3, 1000);
    c->options.baseline_w = 4;
    one_sample(c);
    case_cpu_sample(c, 0, "a", 1500, 100);
    case_run(c);
    assert_near(process_j(c, 0), 3);
    assert_near(process_j(c, 1), 0);
    assert_int_equal(case_row_count(c, 1), 0);
    assert_near(c->result.machine_j, 10 + 6); /* before the baseline */
    assert_near(c->result.baseline_j, 4 + 6);
    assert_near(c->result.process_j, 3);
    assert_near(c->result.cycles.v[0].power_w, 6);
    assert_near(c->result.cycles.v[1].baseline_w, 3);
}

static void the_logs_own_baseline_is_used_when_asked_for(void **state)
{
    struct model_case *c = *state;
    c->facts = "{\"cpus\":4,\"baseline_w\":2.5}";
    case_second(c, 1);
    c->options.baseline_from_log = true;
    one_sample(c);
    case_run(c);
    assert_near(process_j(c, 0), 7.5 / 2);
    assert_near(c->result.baseline_j, 2.5);
}

static void the_logs_own_baseline_is_not_taken_unasked(void **state)
{
    struct model_case *c = *state;
    c->facts = "{\"cpus\":4,\"baseline_w\":2.5}";
    case_second(c, 1);
    one_sample(c);
    case_run(c);
    assert_near(process_j(c, 0), 5);
    assert_near(c->result.baseline_j, 0);
}

static void a_log_without_baseline_has_none_to_use(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    c->options.baseline_from_log = true;
    one_sample(c);
    case_fails(c, STATUS_MISSING, "no baseline_w");
}

static void a_cycle_without_power_gets_no_rows(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_cycle(c, 0, 1000, NAN, 1000);
    case_second(c, 2);
    c->options.baseline_w = 4;
    one_sample(c);
    case_cpu_sample(c, 0, "a", 1500, 500);
    case_run(c);
    assert_int_equal(case_row_count(c, 0), 0);
    assert_near(process_j(c, 0), 0);
    assert_true(isnan(c->result.cycles.v[0].power_w));
    assert_energy(c, 1, "a", 3); /* the cycle behind it has its own */
    assert_near(c->result.machine_j, 10);
    assert_near(c->result.baseline_j, 4);
}

static void a_cycle_of_no_power_gets_no_rows(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_cycle(c, 0, 1000, 0, 1000);
    one_sample(c);
    case_run(c);
    assert_int_equal(case_row_count(c, 0), 0);
    assert_near(c->result.process_j, 0);
    assert_near(c->result.coverage, 0);
}

static void with_a_share_by_hand_alone_the_log_says_how_busy_the_machine_was(void **state)
{
    struct model_case *c = *state;
    case_cycle(c, 0, 1000, 10, 700);
    case_cycle(c, 1000, 2000, 10, 800);
    c->options.process_share = 0.3;
    one_sample(c);
    case_run(c);
    assert_near(c->result.cycles.v[0].busy_ns, 700e6);
    assert_near(c->result.cycles.v[1].busy_ns, 800e6);
    assert_true(isnan(c->result.cycles.v[0].process_cpu_ns));
    assert_true(isnan(c->result.cycles.v[1].process_cpu_ns));
    assert_near(c->result.process_j, 3 + 3);
}

/* The share is 1, whatever was asked for; P is unknown. */
static void the_power_of_the_process_alone_is_all_its_own(void **state)
{
    struct model_case *c = *state;
    case_cycle(c, 0, 1000, 10, 700);
    one_sample(c);
    case_read_log(c);
    c->log.is_process_power = true;
    case_run(c);
    assert_near(c->result.process_j, 10);
    assert_true(c->result.process_power_only);
    assert_true(isnan(c->result.cycles.v[0].process_cpu_ns));
    assert_energy(c, 0, "a", 10);
}

static void samples_are_needed_one_by_one_where_loads_of_threads_are_the_source(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_line(c, "process,8,100000000,other");
    case_line(c, "thread,8,52,100000000,of another process");
    case_cycle(c, 0, 1000, 10, 1000);
    uint32_t a = case_thread(c, 1, 51, "a");
    case_execution(c, a, "a", 500);
    case_samples_end(c);
    assert_false(model_needs_samples(&c->observed, &c->log, &c->options)); /* no loads */
    case_thread_load(c, a, 1000, 0.05);
    assert_true(model_needs_samples(&c->observed, &c->log, &c->options));
    c->options.pid = 9; /* not in the log */
    assert_false(model_needs_samples(&c->observed, &c->log, &c->options));
    c->options.pid = 8;
    assert_false(model_needs_samples(&c->observed, &c->log, &c->options)); /* thread records */
}

static void samples_of_cpu_time_are_not_needed_one_by_one(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    uint32_t a = case_thread(c, 1, 51, "a");
    case_cpu_sample(c, a, "a", 500, 10);
    case_samples_end(c);
    case_thread_load(c, a, 900, 0.05);
    case_thread_load(c, a, 1000, 0.05);
    assert_false(model_needs_samples(&c->observed, &c->log, &c->options));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_share_by_hand_holds_in_every_cycle),
        CASE(with_a_share_by_hand_the_process_time_is_its_record_or_unknown),
        CASE(a_share_by_hand_needs_no_record_of_the_process),
        CASE(a_share_of_capacity_leaves_idle_power_with_nobody),
        CASE(a_share_of_capacity_is_not_above_one),
        CASE(a_share_of_capacity_of_loads_is_the_jvms_load),
        CASE(a_share_of_capacity_needs_the_number_of_cpus),
        CASE(the_baseline_is_taken_from_the_power_but_not_below_nothing),
        CASE(the_logs_own_baseline_is_used_when_asked_for),
        CASE(the_logs_own_baseline_is_not_taken_unasked),
        CASE(a_log_without_baseline_has_none_to_use),
        CASE(a_cycle_without_power_gets_no_rows),
        CASE(a_cycle_of_no_power_gets_no_rows),
        CASE(with_a_share_by_hand_alone_the_log_says_how_busy_the_machine_was),
        CASE(the_power_of_the_process_alone_is_all_its_own),
        CASE(samples_are_needed_one_by_one_where_loads_of_threads_are_the_source),
        CASE(samples_of_cpu_time_are_not_needed_one_by_one),
    };
    return cmocka_run_group_tests_name("model: options of the share", tests, NULL, NULL);
}
