/* SPDX-License-Identifier: GPL-3.0-or-later */
/* joular-attribution(7), section 4, sources 2 and 4: CPU time from the weights of samples. In each cycle P is 500 ms
 * and 5 J, so 1 ms is 0.01 J where threads stay below P. */
#include "chunk_case.h"

static void a_sampled_threads_cpu_time_is_its_weight_blind_weight_included(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    uint32_t a = case_thread(c, 1, 0, "a"), b = case_thread(c, 2, 0, "b");
    case_cpu_sample(c, a, "a", 300, 100);
    case_cpu_sample(c, a, NULL, 400, 50);
    case_lost(c, a, 500, 1); /* 50 more */
    case_cpu_sample(c, b, "b", 300, 40);
    case_run(c);
    assert_int_equal(c->result.cpu_source, CPU_TIME_SAMPLES);
    assert_energy(c, 0, "a", 2);
    assert_energy(c, 0, "b", 0.4);
    assert_near(c->result.unattributed_j, 2.6);
}

static void samples_of_another_cycle_are_no_cpu_time_of_this_one(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_second(c, 2);
    uint32_t a = case_thread(c, 1, 0, "a");
    case_cpu_sample(c, a, "a", 1000, 100);
    case_cpu_sample(c, a, "a", 1001, 200);
    case_cpu_sample(c, a, "a", 2001, 300);
    case_run(c);
    assert_energy(c, 0, "a", 1);
    assert_energy(c, 1, "a", 2);
}

static void weights_above_the_process_time_are_what_is_divided(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_cpu_sample(c, case_thread(c, 1, 0, "a"), "a", 300, 600);
    case_cpu_sample(c, case_thread(c, 2, 0, "b"), "b", 300, 400);
    case_run(c);
    assert_energy(c, 0, "a", 3);
    assert_energy(c, 0, "b", 2);
}

/* 300 ms over 1.5 s, whatever the emission before: 200 ms and 100 ms. */
static void a_thread_without_weight_takes_its_loads_by_overlap(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_second(c, 2);
    case_cpu_sample(c, case_thread(c, 1, 0, "a"), "a", 300, 100);
    case_thread_load(c, case_thread(c, 2, 0, "C1 CompilerThread0"), 1500, 0.05);
    case_run(c);
    assert_energy(c, 0, "a", 1);
    assert_energy(c, 0, "[JIT]", 2);
    assert_energy(c, 1, "[JIT]", 1);
}

static void a_thread_with_weight_anywhere_takes_no_loads(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    uint32_t jit = case_thread(c, 2, 0, "C1 CompilerThread0");
    case_cpu_sample(c, jit, NULL, 5000, 10); /* outside the log */
    case_thread_load(c, jit, 1000, 0.05);
    case_run(c);
    assert_int_equal(c->result.rows.n, 0);
    assert_near(c->result.unattributed_j, 5);
}

static void a_lost_sample_is_weight_that_keeps_loads_away(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_second(c, 2);
    uint32_t jit = case_thread(c, 2, 0, "C1 CompilerThread0");
    case_cpu_sample(c, case_thread(c, 1, 0, "a"), "a", 300, 100);
    case_lost(c, jit, 300, 1);
    case_thread_load(c, jit, 2000, 0.05);
    case_run(c);
    assert_int_equal(case_row_count(c, 1), 0);
}

static void execution_samples_are_no_weight_where_cpu_time_is_sampled(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    uint32_t jit = case_thread(c, 2, 0, "C1 CompilerThread0");
    case_cpu_sample(c, case_thread(c, 1, 0, "a"), "a", 300, 100);
    case_execution(c, jit, "x", 300);
    case_native(c, jit, "y", 300);
    case_thread_load(c, jit, 1000, 0.05);
    case_run(c);
    assert_energy(c, 0, "[JIT]", 2);
    assert_int_equal(case_row_count(c, 0), 2);
}

static void virtual_threads_take_no_loads_of_their_carriers(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_cpu_sample(c, case_virtual(c, 20), "v", 300, 100);
    case_thread_load(c, case_carrier(c, 10, 61), 1000, 0.05);
    case_run(c);
    assert_energy(c, 0, "v", 1);
}

static void samples_without_a_thread_are_threads_of_their_own(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_cpu_sample(c, NO_THREAD, "x", 300, 100);
    case_cpu_sample(c, NO_THREAD, "y", 400, 100);
    case_cpu_sample(c, NO_THREAD, NULL, 500, 100); /* nobody carries it */
    case_lost(c, NO_THREAD, 600, 1);               /* nor this */
    case_run(c);
    assert_energy(c, 0, "x", 1);
    assert_energy(c, 0, "y", 1);
    assert_near(c->result.unattributed_j, 3);
}

static void weights_alone_are_cpu_time_with_a_warning_and_the_coverage(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    uint32_t a = case_thread(c, 1, 0, "a");
    case_execution(c, a, "a", 300); /* 20 ms each */
    case_execution(c, a, "a", 400);
    case_execution(c, a, NULL, 500);
    case_execution(c, case_thread(c, 2, 0, "b"), NULL, 500);
    case_run(c);
    assert_int_equal(c->result.cpu_source, CPU_WEIGHTS);
    assert_energy(c, 0, "a", 0.6);
    assert_near(c->result.unattributed_j, 4.4);
    assert_true(case_noticed(c, "lower bound (coverage 12.0 %)"));
}

static void native_samples_never_count_where_weights_are_alone(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_execution(c, case_thread(c, 1, 0, "a"), "a", 300);
    case_native(c, case_thread(c, 2, 0, "b"), "b", 300);
    case_run(c);
    assert_int_equal(case_row_count(c, 0), 1);
    assert_int_equal(c->result.samples.used, 1);
}

static void only_weights_alone_are_warned_of(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    uint32_t a = case_thread(c, 1, 0, "a");
    case_execution(c, a, "a", 300);
    case_thread_load(c, a, 1000, 0.05);
    case_run(c);
    assert_int_equal(c->notices.n, 0);
}

static void times_of_collections_count_beside_weights_alone(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_execution(c, case_thread(c, 1, 0, "a"), "a", 300);
    case_gc(c, 1000, 100);
    case_run(c);
    assert_energy(c, 0, "a", 0.2);
    assert_energy(c, 0, "[GC]", 1);
}

static void times_of_collections_count_beside_loads(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    uint32_t a = case_thread(c, 1, 0, "a");
    case_execution(c, a, "a", 300);
    case_thread_load(c, a, 1000, 0.05);
    case_gc(c, 1000, 100);
    case_run(c);
    assert_energy(c, 0, "a", 2);
    assert_energy(c, 0, "[GC]", 1);
}

/* Of each two of four threads, one has a branch in the first cycle and the other in the second. */
static void weights_of_threads_that_share_a_branch_are_kept_apart(void **state)
{
    struct model_case *c = *state;
    uint32_t threads[4];
    char branch[16];
    case_second(c, 1);
    case_second(c, 2);
    for (uint32_t i = 0; i < 4; i++)
        threads[i] = case_thread(c, i + 1, 0, "worker");
    for (unsigned one = 0; one < 4; one++)
        for (unsigned other = 0; other < 4; other++) {
            snprintf(branch, sizeof branch, "b%u%u", one, other);
            case_cpu_sample(c, threads[one], branch, 500, 10);
            case_cpu_sample(c, threads[other], branch, 1500, 3);
        }
    case_run(c);
    const struct result *r = &c->result;
    double weights_ms[4][4][4] = {0}; /* by branch, then thread */
    for (size_t i = 0; i < r->weights.n; i++) {
        const struct result_weight *w = &r->weights.v[i];
        const char *name = result_name(r, r->branches.frames.v[r->branches.list.v[w->branch].first])->text;
        weights_ms[name[1] - '0'][name[2] - '0'][w->thread] += w->weight_ns / 1e6;
    }
    for (unsigned one = 0; one < 4; one++)
        for (unsigned other = 0; other < 4; other++)
            for (unsigned thread = 0; thread < 4; thread++)
                assert_near(weights_ms[one][other][thread], (thread == one ? 10 : 0) + (thread == other ? 3 : 0));
}

/* The first thread has nothing, so groups and the result's threads have other numbers. */
static void weights_come_by_thread_and_branch_and_threads_of_nothing_are_left_out(void **state)
{
    static const struct {
        const char *thread, *branch;
        double weight_ms;
    } expected[] = {{"x", "a", 20}, {"x", "c", 10}, {"y", "b", 10}, {"y", "c", 30}};
    struct model_case *c = *state;
    case_second(c, 1);
    case_second(c, 2);
    case_branch(c, "a");
    case_branch(c, "b");
    case_thread(c, 1, 0, "idle");
    uint32_t x = case_thread(c, 2, 0, "x"), y = case_thread(c, 3, 0, "y");
    case_cpu_sample(c, x, "c", 500, 10);
    case_cpu_sample(c, y, "b", 500, 10);
    case_cpu_sample(c, y, "c", 600, 30);
    case_cpu_sample(c, x, "a", 1500, 20);
    case_cpu_sample(c, x, NULL, 700, 5); /* of no branch, so of no weight here */
    case_run(c);
    const struct result *r = &c->result;
    assert_int_equal(r->threads.n, 2);
    assert_null(case_find_thread(c, "idle"));
    assert_int_equal(r->weights.n, 4);
    for (size_t i = 0; i < r->weights.n; i++) {
        const struct result_weight *w = &r->weights.v[i];
        const struct branch *branch = &r->branches.list.v[w->branch];
        assert_string_equal(result_name(r, r->threads.v[w->thread].name)->text, expected[i].thread);
        assert_string_equal(result_name(r, r->branches.frames.v[branch->first])->text, expected[i].branch);
        assert_near(w->weight_ns, expected[i].weight_ms * 1e6);
    }
    for (size_t i = 0; i < r->threads.n; i++) {
        assert_int_equal(r->threads.v[i].run, 0);
        assert_int_equal(r->threads.v[i].samples, 2);
        assert_int_equal(r->threads.v[i].samples_in_all, 2);
    }
    assert_int_equal(r->cycles.v[0].samples, 3);
    assert_int_equal(r->cycles.v[1].samples, 1);
}

static void rows_of_a_cycle_come_by_branch(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_branch(c, "a");
    case_cpu_sample(c, case_thread(c, 1, 0, "x"), "b", 500, 10);
    case_cpu_sample(c, case_thread(c, 2, 0, "y"), "a", 500, 20);
    case_run(c);
    assert_int_equal(c->result.rows.n, 2);
    assert_near(c->result.rows.v[0].energy_j, 0.2);
    assert_near(c->result.rows.v[1].energy_j, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_sampled_threads_cpu_time_is_its_weight_blind_weight_included),
        CASE(samples_of_another_cycle_are_no_cpu_time_of_this_one),
        CASE(weights_above_the_process_time_are_what_is_divided),
        CASE(a_thread_without_weight_takes_its_loads_by_overlap),
        CASE(a_thread_with_weight_anywhere_takes_no_loads),
        CASE(a_lost_sample_is_weight_that_keeps_loads_away),
        CASE(execution_samples_are_no_weight_where_cpu_time_is_sampled),
        CASE(virtual_threads_take_no_loads_of_their_carriers),
        CASE(samples_without_a_thread_are_threads_of_their_own),
        CASE(weights_alone_are_cpu_time_with_a_warning_and_the_coverage),
        CASE(native_samples_never_count_where_weights_are_alone),
        CASE(only_weights_alone_are_warned_of),
        CASE(times_of_collections_count_beside_weights_alone),
        CASE(times_of_collections_count_beside_loads),
        CASE(weights_of_threads_that_share_a_branch_are_kept_apart),
        CASE(weights_come_by_thread_and_branch_and_threads_of_nothing_are_left_out),
        CASE(rows_of_a_cycle_come_by_branch),
    };
    return cmocka_run_group_tests_name("model: weights", tests, NULL, NULL);
}
