/* SPDX-License-Identifier: GPL-3.0-or-later */
/* joular-attribution(7), section 5: threads of the JVM itself, and the three ways to have them. */
#include "model_case.h"

/* P = 1000 ms and 10 J; worker 400 ms, collector 300, compiler 100, unknown 200. */
static void four_threads(struct model_case *c, enum model_jvm_threads mode)
{
    c->options.jvm_threads = mode;
    case_process(c, 1000);
    case_record(c, 51, 400, "worker");
    case_record(c, 60, 200, "GC Thread#0");
    case_record(c, 61, 100, "G1 Conc#0");
    case_record(c, 62, 100, "C2 CompilerThre");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 1, 51, "worker"), "a", 700, 10);
}

static void natives_have_rows_of_their_own(void **state)
{
    struct model_case *c = *state;
    four_threads(c, JVM_SEPARATE);
    case_run(c);
    assert_energy(c, 0, "a", 4);
    assert_energy(c, 0, "[GC]", 3); /* one row for both threads */
    assert_energy(c, 0, "[JIT]", 1);
    assert_int_equal(case_row_count(c, 0), 3);
    assert_near(c->result.unattributed_j, 2);
    assert_near(c->result.coverage, 0.8);
}

static void natives_stay_unattributed_when_asked(void **state)
{
    struct model_case *c = *state;
    four_threads(c, JVM_UNATTRIBUTED);
    case_run(c);
    assert_energy(c, 0, "a", 4);
    assert_int_equal(case_row_count(c, 0), 1);
    assert_near(c->result.unattributed_j, 6);
}

/* C is 1000 - 400: worker 10 J x 400 / 600, unattributed 10 J x 200 / 600. */
static void natives_are_spread_over_all_others_when_asked(void **state)
{
    struct model_case *c = *state;
    four_threads(c, JVM_SPREAD);
    case_run(c);
    assert_energy(c, 0, "a", 10.0 * 4 / 6);
    assert_int_equal(case_row_count(c, 0), 1);
    assert_near(c->result.unattributed_j, 10.0 * 2 / 6);
}

/* However much the natives have: beside it the worker's 300 ns are below a double's last digit. */
static void natives_of_a_hundred_years_are_spread_over_the_worker(void **state)
{
    struct model_case *c = *state;
    c->options.jvm_threads = JVM_SPREAD;
    case_process(c, 1000);
    case_line(c, "thread,7,51,300,worker");
    case_line(c, "thread,7,60,4611686018427387904,GC Thread#0");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 1, 51, "worker"), "a", 700, 10);
    case_run(c);
    assert_energy(c, 0, "a", 10);
    assert_near(c->result.unattributed_j, 0);
}

static void with_natives_alone_there_is_nobody_to_spread_over(void **state)
{
    struct model_case *c = *state;
    c->options.jvm_threads = JVM_SPREAD;
    case_process(c, 300);
    case_record(c, 60, 200, "GC Thread#0");
    case_record(c, 61, 200, "VM Thread");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 1, 51, "worker"), "a", 5000, 10);
    case_run(c);
    assert_int_equal(c->result.rows.n, 0);
    assert_near(c->result.unattributed_j, 3);
}

static void all_four_rows_are_told_apart(void **state)
{
    struct model_case *c = *state;
    case_process(c, 1000);
    case_record(c, 60, 100, "ZWorkerYoung#0");
    case_record(c, 61, 200, "C1 CompilerThre");
    case_record(c, 62, 300, "JFR Periodic Ta");
    case_record(c, 63, 400, "VM Periodic Tas");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 1, 51, "worker"), "a", 5000, 10);
    case_run(c);
    assert_energy(c, 0, "[GC]", 1);
    assert_energy(c, 0, "[JIT]", 2);
    assert_energy(c, 0, "[JFR]", 3);
    assert_energy(c, 0, "[VM]", 4);
    assert_near(c->result.native_j[NATIVE_GC], 1);
    assert_near(c->result.native_j[NATIVE_JIT], 2);
    assert_near(c->result.native_j[NATIVE_JFR], 3);
    assert_near(c->result.native_j[NATIVE_VM], 4);
}

/* The list of names is about to grow, at one of these counts, when the first native row is named. */
static void native_rows_may_be_the_last_names_that_fit(void **state)
{
    for (int more = 0; more < 80; more++) {
        void *own = NULL;
        (void)state;
        assert_int_equal(case_setup(&own), 0);
        struct model_case *c = own;
        for (int i = 0; i < more; i++) {
            char name[20];
            snprintf(name, sizeof name, "filler-%d", i);
            observed_name(&c->observed, name, strlen(name));
        }
        case_second(c, 1);
        case_cpu_sample(c, case_thread(c, 1, 0, "worker"), "a", 700, 100);
        case_thread_load(c, case_thread(c, 2, 0, "GC Thread#0"), 1000, 0.05);
        case_thread_load(c, case_thread(c, 3, 0, "C2 CompilerThread0"), 1000, 0.025);
        case_run(c);
        assert_energy(c, 0, "[GC]", 2);
        assert_energy(c, 0, "[JIT]", 1);
        case_teardown(&own);
    }
}

static void a_native_row_has_all_of_a_cycle_that_is_half_inside(void **state)
{
    struct model_case *c = *state;
    four_threads(c, JVM_SEPARATE);
    c->observed.start_ns = 500 * MS;
    case_run(c);
    assert_energy(c, 0, "a", 2);
    assert_energy(c, 0, "[GC]", 3);
    assert_near(c->result.outside_j, 2);
}

static void a_thread_with_weight_is_not_native_whatever_its_name(void **state)
{
    struct model_case *c = *state;
    case_process(c, 1000);
    case_record(c, 60, 1000, "Common-Cleaner");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 1, 60, "Common-Cleaner"), "clean", 700, 10);
    case_run(c);
    assert_energy(c, 0, "clean", 10);
}

static void blind_weight_is_weight(void **state)
{
    struct model_case *c = *state;
    case_process(c, 1000);
    case_record(c, 60, 1000, "Common-Cleaner");
    case_cycle(c, 0, 1000, 10, 1000);
    case_process(c, 1000);
    case_record(c, 60, 1000, "Common-Cleaner");
    case_cycle(c, 1000, 2000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 1, 60, "Common-Cleaner"), NULL, 700, 10);
    case_run(c);
    assert_near(c->result.cycles.v[0].unattributed_j, 10);
    assert_energy(c, 1, "[VM]", 10); /* cycle by cycle */
}

static void with_thread_records_the_logs_name_counts(void **state)
{
    struct model_case *c = *state;
    case_process(c, 1000);
    case_record(c, 60, 600, "GC Thread#0");
    case_record(c, 61, 400, "my own");
    case_cycle(c, 0, 1000, 10, 1000);
    case_thread(c, 1, 60, "my own");
    case_thread(c, 2, 61, "GC Thread#1");
    case_cpu_sample(c, case_thread(c, 3, 0, "worker"), "a", 5000, 10);
    case_run(c);
    assert_energy(c, 0, "[GC]", 6);
    assert_near(c->result.unattributed_j, 4);
}

/* Source 3: a load of 0.05 of 4 cpus over 1 s is 200 ms of P = 500 ms, 5 J. */
static void without_thread_records_jfrs_name_counts(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_thread_load(c, case_thread(c, 1, 60, "C2 CompilerThread0"), 1000, 0.05);
    case_execution(c, case_thread(c, 3, 0, "worker"), "a", 5000);
    case_run(c);
    assert_int_equal(c->result.cpu_source, CPU_THREAD_LOAD);
    assert_energy(c, 0, "[JIT]", 2);
    assert_near(c->result.unattributed_j, 3);
}

static void virtual_threads_are_never_native(void **state)
{
    struct model_case *c = *state;
    case_process(c, 1000);
    case_record(c, 60, 1000, "GC Thread#0");
    case_cycle(c, 0, 1000, 10, 1000);
    uint32_t carrier = case_thread(c, 1, 60, "GC Thread#0");
    c->observed.threads.v[carrier].is_carrier = true;
    case_cpu_sample(c, case_thread(c, 3, 0, "worker"), "a", 5000, 10);
    case_run(c);
    assert_near(c->result.unattributed_j, 10);
}

/* 100 ms of the collector in cycle 0, by its time; the thread's weight is 300 ms, P = 500 ms. */
static void collect(struct model_case *c, enum model_jvm_threads mode)
{
    c->options.jvm_threads = mode;
    case_second(c, 1);
    case_second(c, 2);
    uint32_t a = case_thread(c, 1, 0, "worker");
    case_cpu_sample(c, a, "a", 700, 300);
    case_cpu_sample(c, a, "a", 1700, 300);
    case_gc(c, 400, 40);
    case_gc(c, 1000, 60);
    case_gc(c, 2500, 999); /* in no cycle */
    case_run(c);
}

static void times_of_collections_make_the_gc_row(void **state)
{
    struct model_case *c = *state;
    collect(c, JVM_SEPARATE);
    assert_energy(c, 0, "a", 3);
    assert_energy(c, 0, "[GC]", 1);
    assert_int_equal(case_row_count(c, 1), 1);
    assert_near(c->result.unattributed_j, 1 + 2);
}

static void times_of_collections_stay_unattributed_when_asked(void **state)
{
    struct model_case *c = *state;
    collect(c, JVM_UNATTRIBUTED);
    assert_energy(c, 0, "a", 3);
    assert_int_equal(case_row_count(c, 0), 1);
    assert_near(c->result.unattributed_j, 2 + 2);
}

static void times_of_collections_are_spread_when_asked(void **state)
{
    struct model_case *c = *state;
    collect(c, JVM_SPREAD);
    assert_energy(c, 0, "a", 5.0 * 300 / 400);
    assert_energy(c, 1, "a", 3);
    assert_near(c->result.cycles.v[0].unattributed_j, 5.0 * 100 / 400);
}

/* 300 + 300 ms are more than P. */
static void times_of_collections_are_in_the_sum_that_is_divided(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_cpu_sample(c, case_thread(c, 1, 0, "worker"), "a", 700, 300);
    case_gc(c, 400, 300);
    case_run(c);
    assert_energy(c, 0, "a", 2.5);
    assert_energy(c, 0, "[GC]", 2.5);
}

static void thread_records_have_the_collector_already(void **state)
{
    struct model_case *c = *state;
    four_threads(c, JVM_SEPARATE);
    case_gc(c, 400, 300);
    case_run(c);
    assert_energy(c, 0, "[GC]", 3);
    assert_near(c->result.unattributed_j, 2);
}

static void of_several_records_of_a_thread_the_first_ones_name_counts(void **state)
{
    struct model_case *c = *state;
    case_process(c, 1000);
    case_record(c, 60, 200, "GC Thread#0");
    case_record(c, 60, 200, "my own");
    case_record(c, 61, 300, "my own");
    case_record(c, 61, 300, "C2 CompilerThre");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 3, 0, "worker"), "a", 5000, 10);
    case_run(c);
    assert_energy(c, 0, "[GC]", 4);
    assert_energy(c, 0, "[JIT]", 0);
    assert_near(c->result.unattributed_j, 6);
}

static void times_of_collections_are_a_thread_where_they_are_a_row(void **state)
{
    struct model_case *c = *state;
    collect(c, JVM_SEPARATE);
    assert_near(case_find_thread(c, "[GC]")->energy_j, 1);
    assert_near(case_find_thread(c, "[GC]")->cpu_ns, 100e6);
    assert_near(case_find_thread(c, "worker")->energy_j, 3 + 3);
}

static void times_of_collections_are_no_thread_where_they_are_spread(void **state)
{
    struct model_case *c = *state;
    collect(c, JVM_SPREAD);
    assert_null(case_find_thread(c, "[GC]"));
    assert_int_equal(c->result.threads.n, 1);
}

static void times_of_collections_are_no_thread_where_they_stay_unattributed(void **state)
{
    struct model_case *c = *state;
    collect(c, JVM_UNATTRIBUTED);
    assert_null(case_find_thread(c, "[GC]"));
    assert_int_equal(c->result.threads.n, 1);
}

static void native_threads_have_their_cpu_time_whatever_becomes_of_their_energy(void **state)
{
    struct model_case *c = *state;
    four_threads(c, JVM_SPREAD);
    case_run(c);
    assert_near(case_find_thread(c, "GC Thread#0")->cpu_ns, 200e6);
    assert_near(case_find_thread(c, "GC Thread#0")->energy_j, 0);
    assert_near(case_find_thread(c, "worker")->energy_j, 10.0 * 4 / 6);
}

static void a_thread_with_a_sample_of_no_weight_is_not_native(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_record(c, 60, 500, "GC Thread#0");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 1, 60, "GC Thread#0"), NULL, 500, 0);
    case_run(c);
    assert_near(c->result.native_j[NATIVE_GC], 0);
    assert_near(c->result.unattributed_j, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(natives_have_rows_of_their_own),
        CASE(natives_stay_unattributed_when_asked),
        CASE(natives_are_spread_over_all_others_when_asked),
        CASE(natives_of_a_hundred_years_are_spread_over_the_worker),
        CASE(with_natives_alone_there_is_nobody_to_spread_over),
        CASE(all_four_rows_are_told_apart),
        cmocka_unit_test(native_rows_may_be_the_last_names_that_fit),
        CASE(a_native_row_has_all_of_a_cycle_that_is_half_inside),
        CASE(a_thread_with_weight_is_not_native_whatever_its_name),
        CASE(blind_weight_is_weight),
        CASE(with_thread_records_the_logs_name_counts),
        CASE(without_thread_records_jfrs_name_counts),
        CASE(virtual_threads_are_never_native),
        CASE(times_of_collections_make_the_gc_row),
        CASE(times_of_collections_stay_unattributed_when_asked),
        CASE(times_of_collections_are_spread_when_asked),
        CASE(times_of_collections_are_in_the_sum_that_is_divided),
        CASE(thread_records_have_the_collector_already),
        CASE(of_several_records_of_a_thread_the_first_ones_name_counts),
        CASE(times_of_collections_are_a_thread_where_they_are_a_row),
        CASE(times_of_collections_are_no_thread_where_they_are_spread),
        CASE(times_of_collections_are_no_thread_where_they_stay_unattributed),
        CASE(native_threads_have_their_cpu_time_whatever_becomes_of_their_energy),
        CASE(a_thread_with_a_sample_of_no_weight_is_not_native),
    };
    return cmocka_run_group_tests_name("model: threads of the JVM", tests, NULL, NULL);
}
