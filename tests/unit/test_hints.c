/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to change in the next recording: each hint for a result that deserves it, at its boundary, and for no other. */
#include "unit.h"

#include "joular/report.h"

/* One that deserves none: CPU-time samples every 10 ms beside a power log with thread records. */
static struct result good(void)
{
    return (struct result){
        .sampler = SAMPLER_CPU_TIME,
        .cpu_source = CPU_THREAD_RECORDS,
        .process_j = 100,
        .java_j = 100,
        .samples = {.used = 1000},
        .quality = {.period_set_ns = 10000000,
                    .period_seen_ns = 10000000,
                    .load_period_ns = 1000000000,
                    .debug_non_safepoints = true,
                    .has_cpu_time_samples = true,
                    .has_thread_records = true,
                    .jvm_version = 25},
    };
}

static struct result good_execution(void)
{
    struct result r = good();
    r.sampler = SAMPLER_EXECUTION;
    r.quality.has_cpu_time_samples = false;
    r.quality.jvm_version = 21;
    return r;
}

static void assert_hint(const struct result *r, const char *words)
{
    struct report_hint hints[REPORT_MAX_HINTS];
    size_t count = report_hints(r, hints);
    if (count != 1)
        fail_msg("%zu hints, not the one of \"%s\"; the first: %s", count, words, count != 0 ? hints[0].text : "");
    assert_has(hints[0].text, words);
    assert_int_equal(hints[0].text[strlen(hints[0].text) - 1], '.'); /* none is cut */
}

static void assert_no_hint(const struct result *r)
{
    struct report_hint hints[REPORT_MAX_HINTS];
    size_t count = report_hints(r, hints);
    if (count != 0)
        fail_msg("%zu hints; the first: %s", count, hints[0].text);
}

TEST(good_data_has_no_hint)
{
    struct result r = good();
    assert_no_hint(&r);
    r = good_execution();
    assert_no_hint(&r);
}

TEST(nothing_at_all_counted_divides_by_nothing)
{
    struct result r = good();
    r.samples.used = 0;
    r.process_j = r.java_j = 0;
    r.quality.period_seen_ns = NAN;
    assert_no_hint(&r);
}

TEST(no_power_in_any_cycle)
{
    struct result r = good();
    struct result_status none[1] = {{.cycles = 3}};
    r.without_power.v = none;
    r.without_power.n = 1;
    r.process_j = r.java_j = 0;
    assert_hint(&r, "No cycle of the power log has power");
    r.power_s = 1; /* some have */
    assert_no_hint(&r);
}

TEST(estimated_power)
{
    struct result r = good();
    r.estimated = true;
    assert_hint(&r, "estimated from load");
}

TEST(no_debug_non_safepoints)
{
    struct result r = good();
    r.quality.debug_non_safepoints = false;
    assert_hint(&r, "-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints");
}

TEST(no_cpu_time_samples_on_jdk_25_and_later_only)
{
    struct result r = good_execution();
    r.quality.jvm_version = 24;
    assert_no_hint(&r);
    r.quality.jvm_version = 0; /* not known */
    assert_no_hint(&r);
    r.quality.jvm_version = 25;
    assert_hint(&r, "JDK 25 can sample by CPU time");
    r.quality.jvm_version = 26;
    assert_hint(&r, "JDK 26 can sample by CPU time");
}

TEST(cpu_time_samples_that_are_there_and_not_used_need_no_hint)
{
    struct result r = good_execution();
    r.quality.jvm_version = 25;
    r.quality.has_cpu_time_samples = true; /* --samples execution */
    assert_no_hint(&r);
}

TEST(no_thread_records_says_where_the_cpu_time_is_from)
{
    struct result r = good();
    r.quality.has_thread_records = false;
    r.cpu_source = CPU_TIME_SAMPLES;
    assert_hint(&r, "CPU time of threads was taken from the samples, since");
    r.cpu_source = CPU_THREAD_LOAD;
    assert_hint(&r, "taken from jdk.ThreadCPULoad, since");
    r.cpu_source = CPU_WEIGHTS;
    assert_hint(&r, "taken from the samples, as a lower bound, since");
}

static size_t count_with(const struct result *r, const char *words)
{
    struct report_hint hints[REPORT_MAX_HINTS];
    size_t found = 0, count = report_hints(r, hints);
    for (size_t i = 0; i < count; i++)
        found += strstr(hints[i].text, words) != NULL;
    return found;
}

TEST(thread_loads_every_five_seconds_or_more)
{
    struct result r = good();
    r.quality.has_thread_records = false;
    r.cpu_source = CPU_THREAD_LOAD;
    r.quality.load_period_ns = 4999999999;
    assert_int_equal(count_with(&r, "jdk.ThreadCPULoad comes"), 0);
    r.quality.load_period_ns = 5000000000;
    assert_int_equal(count_with(&r, "jdk.ThreadCPULoad comes every 5 s only"), 1);
    r.quality.load_period_ns = 10000000000;
    assert_int_equal(count_with(&r, "jdk.ThreadCPULoad comes every 10 s only"), 1);
    r.quality.load_period_ns = 0; /* not said */
    assert_int_equal(count_with(&r, "jdk.ThreadCPULoad comes"), 0);
}

TEST(thread_loads_matter_to_cpu_time_samples_too)
{
    struct result r = good();
    r.quality.has_thread_records = false;
    r.cpu_source = CPU_TIME_SAMPLES;
    r.quality.load_period_ns = 10000000000;
    assert_int_equal(count_with(&r, "jdk.ThreadCPULoad comes"), 1);
}

TEST(slow_thread_loads_that_nobody_uses_need_no_hint)
{
    struct result r = good();
    r.quality.load_period_ns = 10000000000;
    assert_no_hint(&r);
}

TEST(thread_loads_too_slow_to_come_at_all_have_a_hint)
{
    struct result r = good();
    r.quality.has_thread_records = false;
    r.cpu_source = CPU_WEIGHTS;
    r.quality.load_period_ns = 10000000000;
    assert_int_equal(count_with(&r, "jdk.ThreadCPULoad comes every 10 s only"), 1);
}

TEST(stacks_cut_above_one_in_a_hundred)
{
    struct result r = good();
    r.samples.truncated = 10;
    assert_no_hint(&r);
    r.samples.truncated = 11;
    assert_hint(&r, "1 % of the stacks are cut");
    r.samples.truncated = 500;
    assert_hint(&r, "50 % of the stacks are cut");
    assert_hint(&r, "-XX:FlightRecorderOptions=stackdepth=1024");
}

TEST(a_period_more_than_two_and_a_half_times_what_was_asked_for)
{
    struct result r = good();
    r.quality.period_seen_ns = 25000000;
    assert_no_hint(&r);
    r.quality.period_seen_ns = 25000001;
    assert_hint(&r, "one in 25 ms of CPU time, where 10 ms were asked for.");
    r.quality.period_set_ns = 250000;
    assert_hint(&r, "one in 25 ms of CPU time, where 0.25 ms were asked for.");
    r = good_execution();
    r.quality.period_seen_ns = 44000000;
    assert_hint(&r, "one in 44 ms of CPU time, where 10 ms were asked for. ExecutionSample looks at a few threads");
    r.quality.period_set_ns = 20000000;
    assert_no_hint(&r);
}

TEST(a_period_that_is_no_time_or_not_seen_needs_no_hint)
{
    struct result r = good();
    r.quality.period_seen_ns = 90000000;
    r.quality.period_set_ns = 0; /* "500/s" */
    assert_no_hint(&r);
    r.quality.period_set_ns = 10000000;
    r.quality.period_seen_ns = NAN;
    assert_no_hint(&r);
}

TEST(more_than_one_in_twenty_samples_lost)
{
    struct result r = good();
    r.samples.used = 900;
    r.samples.failed = 50;
    r.samples.lost = 50; /* of 1000 */
    assert_no_hint(&r);
    r.samples.lost = 51;
    assert_hint(&r, "5 % of the samples were lost");
    r.samples.lost = 950;
    assert_hint(&r, "50 % of the samples were lost");
}

TEST(execution_samples_are_not_lost)
{
    struct result r = good_execution();
    r.samples.lost = 900;
    assert_no_hint(&r);
}

TEST(more_samples_outside_the_log_than_in_it)
{
    struct result r = good();
    r.samples.outside = 1000;
    assert_no_hint(&r);
    r.samples.outside = 1001;
    assert_hint(&r, "Most samples lie outside the power log");
}

TEST(more_than_a_fifth_of_the_energy_unattributed)
{
    struct result r = good();
    r.java_j = 80;
    r.unattributed_j = 19.99;
    assert_no_hint(&r);
    r.unattributed_j = 20.01;
    assert_hint(&r, "20 % of the energy is of threads without a sample");
    r.unattributed_j = 65;
    assert_hint(&r, "65 % of the energy");
}

TEST(energy_outside_the_recording_is_not_unattributed)
{
    struct result r = good();
    r.java_j = 40;
    r.outside_j = 60;
    assert_no_hint(&r);
}

TEST(a_result_with_all_faults_has_all_hints_and_each_once)
{
    struct result r = good_execution();
    struct report_hint hints[REPORT_MAX_HINTS];
    r.estimated = true;
    r.quality = (struct result_quality){.period_set_ns = 1,
                                        .period_seen_ns = 1e9,
                                        .load_period_ns = INT64_C(10000000000),
                                        .jvm_version = 25};
    r.cpu_source = CPU_THREAD_LOAD;
    r.samples = (struct result_samples){.used = 1, .truncated = 1, .outside = 2};
    r.unattributed_j = 90;
    struct result_status none[1] = {{.cycles = 3}};
    r.without_power.v = none;
    r.without_power.n = 1;
    size_t count = report_hints(&r, hints);
    assert_int_equal(count, 10);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(hints[i].text[strlen(hints[i].text) - 1], '.');
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(hints[i].text, hints[k].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(good_data_has_no_hint),
        CASE(nothing_at_all_counted_divides_by_nothing),
        CASE(no_power_in_any_cycle),
        CASE(estimated_power),
        CASE(no_debug_non_safepoints),
        CASE(no_cpu_time_samples_on_jdk_25_and_later_only),
        CASE(cpu_time_samples_that_are_there_and_not_used_need_no_hint),
        CASE(no_thread_records_says_where_the_cpu_time_is_from),
        CASE(thread_loads_every_five_seconds_or_more),
        CASE(thread_loads_matter_to_cpu_time_samples_too),
        CASE(slow_thread_loads_that_nobody_uses_need_no_hint),
        CASE(thread_loads_too_slow_to_come_at_all_have_a_hint),
        CASE(stacks_cut_above_one_in_a_hundred),
        CASE(a_period_more_than_two_and_a_half_times_what_was_asked_for),
        CASE(a_period_that_is_no_time_or_not_seen_needs_no_hint),
        CASE(more_than_one_in_twenty_samples_lost),
        CASE(execution_samples_are_not_lost),
        CASE(more_samples_outside_the_log_than_in_it),
        CASE(more_than_a_fifth_of_the_energy_unattributed),
        CASE(energy_outside_the_recording_is_not_unattributed),
        CASE(a_result_with_all_faults_has_all_hints_and_each_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
