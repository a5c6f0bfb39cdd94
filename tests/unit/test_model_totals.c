/* SPDX-License-Identifier: GPL-3.0-or-later */
/* joular-attribution(7), section 8: the totals. (That they add up is checked of every case.) */
#include "chunk_case.h"

/* Cycle 0 before the recording, 1 half inside, 2 whole, 3 without power, 4 behind the recording. In each 5 J, of which
 * the worker has 300 ms of 500, the collector 100, a thread without samples 100. */
static void five_cycles(struct model_case *c)
{
    for (int i = 0; i < 5; i++) {
        case_process(c, 500);
        case_record(c, 51, 300, "worker");
        case_record(c, 52, 100, "GC Thread#0");
        case_record(c, 53, 100, "quiet");
        case_cycle(c, i * 1000, i * 1000 + 1000, i == 3 ? (double)NAN : 12, 1200);
    }
    c->observed.start_ns = 1500 * MS;
    c->observed.end_ns = 3500 * MS;
    c->options.baseline_w = 2; /* 10 J x 500 / 1200 */
    uint32_t thread = case_thread(c, 1, 51, "worker");
    for (int i = 1; i < 4; i++)
        case_cpu_sample(c, thread, "a;b", i * 1000 + 600, 10);
    case_run(c);
}

static void every_joule_of_the_process_is_in_one_total(void **state)
{
    struct model_case *c = *state;
    const double process_j = 10.0 * 500 / 1200;
    five_cycles(c);
    const struct result *r = &c->result;
    assert_near(r->machine_j, 4 * 12);
    assert_near(r->baseline_j, 4 * 2);
    assert_near(r->process_j, 4 * process_j);
    assert_near(r->outside_j, 2 * process_j + 0.3 * process_j); /* and half of the worker's in cycle 1 */
    assert_near(r->java_j, 0.3 * process_j + 0.6 * process_j);
    assert_near(r->native_j[NATIVE_GC], 2 * 0.2 * process_j);
    assert_near(r->unattributed_j, 2 * 0.2 * process_j);
    assert_near(r->coverage, 1.3 / 4);
}

static void cycles_without_power_are_counted_by_status(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_cycle(c, 1000, 2000, NAN, 1000);
    case_line(c, "cycle,1003000000000,3000000000,1000000000,,0,stale");
    case_cycle(c, 3000, 4000, NAN, 1000);
    case_line(c, "cycle,1005000000000,5000000000,1000000000,7,0,late");
    case_cpu_sample(c, case_thread(c, 1, 0, "worker"), "a", 500, 10);
    case_run(c);
    assert_int_equal(c->result.without_power.n, 2);
    assert_string_equal(result_name(&c->result, c->result.without_power.v[0].name)->text, "no-reading");
    assert_int_equal(c->result.without_power.v[0].cycles, 2);
    assert_string_equal(result_name(&c->result, c->result.without_power.v[1].name)->text, "stale");
    assert_int_equal(c->result.without_power.v[1].cycles, 1);
    assert_near(c->result.power_s, 2);
    assert_near(c->result.machine_j, 17);
}

/* 1000 ms in 1 s and 9000 ms in 3 s of 4 cpus; the cycle without power is not among them. */
static void the_busy_share_is_the_mean_over_time_with_power(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_process(c, 500);
    case_cycle(c, 1000, 4000, 10, 9000);
    case_cycle(c, 4000, 5000, NAN, 4000);
    case_cpu_sample(c, case_thread(c, 1, 0, "worker"), "a", 500, 10);
    case_run(c);
    assert_near(c->result.busy_share, 10.0 / 16);
}

static void a_busy_share_of_unknown_cpus_is_unknown(void **state)
{
    struct model_case *c = *state;
    c->facts = "{}";
    c->observed.hw_threads = 0;
    case_second(c, 1);
    case_cpu_sample(c, case_thread(c, 1, 0, "worker"), "a", 500, 10);
    case_run(c);
    assert_true(isnan(c->result.busy_share));
}

static void samples_are_counted_by_what_became_of_them(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    uint32_t thread = case_thread(c, 1, 0, "worker");
    case_cpu_sample(c, thread, "a", 500, 10);
    case_cpu_sample(c, thread, "[truncated];a", 501, 10);
    case_cpu_sample(c, thread, "a;[truncated]", 502, 10); /* a method of that name */
    case_cpu_sample(c, thread, NULL, 503, 10);
    case_cpu_sample(c, thread, NULL, 504, 10);
    case_lost(c, thread, 505, 7);
    case_cpu_sample(c, thread, "[truncated];a", 1500, 10);
    case_cpu_sample_of(c, thread, "a", 0, 600 * MS, 10 * MS, true);
    case_cpu_sample_of(c, thread, NULL, 0, 600 * MS, 10 * MS, true);
    case_cpu_sample_of(c, thread, "a", NO_CYCLE, 1600 * MS, 10 * MS, true);
    case_execution(c, thread, "a", 500); /* not of the kind used */
    case_native(c, thread, NULL, 500);
    case_run(c);
    const struct result_samples *s = &c->result.samples;
    assert_int_equal(s->used, 4);
    assert_int_equal(s->failed, 3);
    assert_int_equal(s->biased, 1);
    assert_int_equal(s->lost, 7);
    assert_int_equal(s->outside, 2);
    assert_int_equal(s->truncated, 1);
}

static void truncated_samples_of_one_thread_branch_and_cycle_count_each(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_second(c, 2);
    uint32_t thread = case_thread(c, 1, 0, "worker");
    for (int i = 0; i < 3; i++)
        case_cpu_sample(c, thread, "[truncated];a", 500 + i, 10);
    for (int i = 0; i < 4; i++)
        case_cpu_sample(c, thread, "[truncated];a", 1500 + i, 10);
    case_cpu_sample(c, thread, "a", 1600, 10);
    case_run(c);
    assert_int_equal(c->result.samples.used, 8);
    assert_int_equal(c->result.samples.truncated, 7);
}

static void methods_have_their_own_energy_and_that_of_what_they_call(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    uint32_t thread = case_thread(c, 1, 0, "worker");
    case_cpu_sample(c, thread, "main;a", 500, 300);
    case_cpu_sample(c, thread, "main", 500, 100);
    case_run(c);
    const struct result_method *main_method = case_method(c, "main"), *a = case_method(c, "a");
    assert_near(main_method->own_j, 1);
    assert_near(main_method->total_j, 4);
    assert_near(main_method->own_cpu_ns, 100e6);
    assert_near(main_method->total_cpu_ns, 400e6);
    assert_int_equal(main_method->own_samples, 1);
    assert_int_equal(main_method->total_samples, 2);
    assert_near(a->own_j, 3);
    assert_near(a->total_j, 3);
    assert_null(case_method(c, "worker"));
}

static void threads_have_the_energy_of_their_rows(void **state)
{
    struct model_case *c = *state;
    five_cycles(c);
    const double process_j = 10.0 * 500 / 1200;
    assert_near(case_find_thread(c, "worker")->energy_j, 0.9 * process_j);
    assert_near(case_find_thread(c, "GC Thread#0")->energy_j, 0.4 * process_j);
    assert_near(case_find_thread(c, "quiet")->energy_j, 0);
    assert_near(case_find_thread(c, "quiet")->cpu_ns, 200e6); /* of the two cycles that were divided */
    assert_int_equal(case_find_thread(c, "worker")->samples, 2);
}

static void the_peaks_are_of_the_machine_before_the_baseline_and_of_the_process(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_process(c, 900);
    case_cycle(c, 1000, 3000, 8, 1000);
    c->options.baseline_w = 2;
    case_cpu_sample(c, case_thread(c, 1, 0, "worker"), "a", 500, 10);
    case_run(c);
    assert_near(c->result.peak_machine_w, 10);
    assert_near(c->result.peak_process_w, 6 * 0.9);
}

static void estimated_power_is_said_to_be(void **state)
{
    struct model_case *c = *state;
    c->facts = "{\"cpus\":4,\"source\":\"estimate\"}";
    case_second(c, 1);
    case_cpu_sample(c, case_thread(c, 1, 0, "worker"), "a", 500, 10);
    case_run(c);
    assert_true(c->result.estimated);
    assert_string_equal(c->result.power_source, "estimate");
}

static void measured_power_is_not_said_to_be_estimated(void **state)
{
    struct model_case *c = *state;
    c->facts = "{\"cpus\":4,\"source\":\"rapl\"}";
    case_second(c, 1);
    case_cpu_sample(c, case_thread(c, 1, 0, "worker"), "a", 500, 10);
    case_run(c);
    assert_false(c->result.estimated);
    assert_int_equal(c->result.cpus, 4);
    assert_int_equal(c->result.pid, 7);
}

static void facts_of_the_recording_are_handed_on(void **state)
{
    struct model_case *c = *state;
    c->facts = "{\"cpus\":4,\"source\":\"rapl\"}";
    c->observed.chunk_count = 3;
    c->observed.jvm_version = 21;
    c->observed.debug_non_safepoints = true;
    c->observed.jvm_name = mem_strdup("OpenJDK");
    c->observed.cpu_model = mem_strdup("a CPU");
    c->observed.settings[SETTING_CPU_TIME] = mem_strdup("10 ms");
    c->observed.settings[SETTING_EXECUTION] = mem_strdup("20 ms");
    c->observed.settings[SETTING_THREAD_LOAD] = mem_strdup("5 s");
    case_process(c, 500);
    case_line(c, "thread,7,51,300000000,worker");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 1, 51, "worker"), "a", 500, 10);
    case_run(c);
    const struct result *r = &c->result;
    assert_int_equal(r->cpus, 4);
    assert_int_equal(r->chunk_count, 3);
    assert_int_equal(r->recording_start_ns, c->observed.start_wall_ns);
    assert_int_equal(r->recording_end_ns, c->observed.end_wall_ns);
    assert_string_equal(r->jvm_name, "OpenJDK");
    assert_string_equal(r->cpu_model, "a CPU");
    assert_string_equal(r->power_source, "rapl");
    assert_string_equal(r->quality.period_set, "10 ms");
    assert_int_equal(r->quality.period_set_ns, 10 * MS);
    assert_int_equal(r->quality.load_period_ns, 5000 * MS);
    assert_int_equal(r->quality.jvm_version, 21);
    assert_true(r->quality.debug_non_safepoints);
    assert_true(r->quality.has_cpu_time_samples);
    assert_true(r->quality.has_thread_records);
    assert_true(r->idle_is_shared);
}

static void facts_that_are_not_there_are_not_made_up(void **state)
{
    struct model_case *c = *state;
    c->observed.settings[SETTING_CPU_TIME] = mem_strdup("10 ms"); /* of the other kind of samples */
    c->observed.settings[SETTING_THREAD_LOAD] = mem_strdup("everyChunk");
    case_second(c, 1);
    case_execution(c, case_thread(c, 1, 51, "worker"), "a", 500);
    c->options.share_of_capacity = true;
    case_run(c);
    const struct result *r = &c->result;
    assert_null(r->quality.period_set);
    assert_int_equal(r->quality.period_set_ns, 0);
    assert_int_equal(r->quality.load_period_ns, 0);
    assert_false(r->quality.debug_non_safepoints);
    assert_false(r->quality.has_cpu_time_samples);
    assert_false(r->quality.has_thread_records);
    assert_false(r->idle_is_shared);
}

static void a_period_that_is_no_time_is_kept_as_a_word(void **state)
{
    struct model_case *c = *state;
    c->observed.settings[SETTING_EXECUTION] = mem_strdup("everyChunk");
    case_second(c, 1);
    case_execution(c, case_thread(c, 1, 51, "worker"), "a", 500);
    case_run(c);
    assert_string_equal(c->result.quality.period_set, "everyChunk");
    assert_int_equal(c->result.quality.period_set_ns, 0);
}

static void samples_are_counted_in_chosen_cycles_alone(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_second(c, 2);
    c->options.from = (struct time_bound){BOUND_WALL, (2000 + WALL_AHEAD_MS) * MS};
    uint32_t thread = case_thread(c, 1, 0, "worker");
    for (uint32_t cycle = 0; cycle < 2; cycle++) {
        int at_ms = 500 + 1000 * (int)cycle;
        case_cpu_sample(c, thread, "[truncated];a", at_ms, 10);
        case_cpu_sample(c, thread, NULL, at_ms, 10);
        case_cpu_sample_of(c, thread, "a", cycle, at_ms * MS, 10 * MS, true);
        case_lost(c, thread, at_ms + 10, 7);
    }
    case_run(c);
    const struct result_samples *s = &c->result.samples;
    assert_int_equal(s->used, 2);
    assert_int_equal(s->failed, 1);
    assert_int_equal(s->truncated, 1);
    assert_int_equal(s->biased, 1);
    assert_int_equal(s->lost, 7);
    assert_int_equal(s->outside, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(every_joule_of_the_process_is_in_one_total),
        CASE(cycles_without_power_are_counted_by_status),
        CASE(the_busy_share_is_the_mean_over_time_with_power),
        CASE(a_busy_share_of_unknown_cpus_is_unknown),
        CASE(samples_are_counted_by_what_became_of_them),
        CASE(truncated_samples_of_one_thread_branch_and_cycle_count_each),
        CASE(methods_have_their_own_energy_and_that_of_what_they_call),
        CASE(threads_have_the_energy_of_their_rows),
        CASE(the_peaks_are_of_the_machine_before_the_baseline_and_of_the_process),
        CASE(estimated_power_is_said_to_be),
        CASE(measured_power_is_not_said_to_be_estimated),
        CASE(facts_of_the_recording_are_handed_on),
        CASE(facts_that_are_not_there_are_not_made_up),
        CASE(a_period_that_is_no_time_is_kept_as_a_word),
        CASE(samples_are_counted_in_chosen_cycles_alone),
    };
    return cmocka_run_group_tests_name("model: totals", tests, NULL, NULL);
}
