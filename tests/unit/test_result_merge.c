/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merged results: a sum of runs, the same whatever order and grouping they were merged in. */
#include "made_result.h"

#include <float.h>

/* A run that shares names and branches with the others and has some of its own; NUMBER from 0 on, time goes with it. */
static void made_run(struct result *r, int64_t number)
{
    static const char *const own[] = {"Only.a", "Only.b;Shared.z", "Only.c"};
    *r = (struct result){0};
    made_name(r, number == 1 ? "of this run alone" : "a name");
    if (number == 2)
        made_branch(r, "java.lang.Thread.run;com.example.A.a"); /* names and branches come in another order */
    made_full(r);
    r->pid += number;
    free(r->damage.first);
    r->damage.first = number != 0 ? mem_strdup(number == 1 ? "in the second" : "in the last") : NULL;
    r->recording_start_ns += number * 500000000;
    r->recording_end_ns += number * 500000000;
    r->cycles.v[1].status = made_name(r, number == 1 ? "reset" : "suspended");
    r->without_power.v[0].name = r->cycles.v[1].status;
    for (size_t i = 0; i < r->cycles.n; i++)
        r->cycles.v[i].realtime_ns += number * 500000000;
    for (size_t i = 0; i < r->pauses.n; i++)
        r->pauses.v[i].start_ns += number * 100000000;
    made_cycle(r, 1.0 / 7 + (double)number);
    r->cycles.v[3].busy_ns = 3.3e9;
    r->cycles.v[3].process_cpu_ns = 1.1e9;
    made_row(r, own[number], 0.1);
    made_row(r, "java.lang.Thread.run;com.example.A.a", 0.01 * (double)(number + 1) / 3);
    uint32_t thread = made_thread(r, "worker", 0.1 + (double)number / 3);
    r->threads.v[thread].error_factor = 0.3 + (double)number / 7;
    r->threads.v[thread].cpu_ns = 1e9 * (double)(number + 1) / 7;
    made_weight(r, thread, own[number], 1e7 / 3, 20);
    made_weight(r, thread, "java.lang.Thread.run;com.example.A.a", 3e7 + (double)number, 30);
    made_finish(r);
    r->quality.period_seen_ns = result_period_seen(r);
}

static void merge(struct result *into, const struct result *more, const char *name)
{
    struct error err = {0};
    bool known;
    assert_int_equal(result_merge(into, more, name, &known, &err), STATUS_OK);
    assert_false(known);
}

/* Of run numbers in ORDER, "012": one merged result. */
static void merged(struct result *out, const char *order)
{
    *out = (struct result){0};
    for (; *order != '\0'; order++) {
        struct result r;
        made_run(&r, *order - '0');
        merge(out, &r, (char[]){*order, '\0'});
        result_free(&r);
    }
    result_merge_finish(out);
}

static void assert_same_json(const struct result *a, const struct result *b)
{
    struct text first = made_json(a), second = made_json(b);
    if (first.n != second.n || memcmp(first.v, second.v, first.n) != 0)
        fail_msg("%s\nis not\n%s", first.v, second.v);
    free(first.v);
    free(second.v);
}

/* FIRST and SECOND merged each, written, read, and merged. */
static void assert_merges_to(const char *first, const char *second, const struct result *all)
{
    struct result a, b, read_a, read_b, out = {0};
    merged(&a, first);
    merged(&b, second);
    struct text json_a = made_json(&a), json_b = made_json(&b);
    made_read(json_a, &read_a);
    made_read(json_b, &read_b);
    merge(&out, &read_a, "not used");
    merge(&out, &read_b, "not used");
    result_merge_finish(&out);
    assert_same_json(&out, all);
    free(json_a.v);
    free(json_b.v);
    result_free(&a);
    result_free(&b);
    result_free(&read_a);
    result_free(&read_b);
    result_free(&out);
}

TEST(merging_in_any_order_and_grouping_gives_equal_bytes)
{
    static const char *const orders[] = {"012", "021", "102", "120", "201", "210"};
    struct result all;
    merged(&all, "012");
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        char left[3] = {orders[i][0], orders[i][1], '\0'};
        struct result other;
        merged(&other, orders[i]);
        assert_same_json(&other, &all);
        result_free(&other);
        assert_merges_to(left, orders[i] + 2, &all);
        assert_merges_to((char[]){orders[i][0], '\0'}, orders[i] + 1, &all);
    }
    result_free(&all);
}

/* The real one: sums of many figures of all sizes, where any other order of adding would show. */
TEST(merging_of_sixty_runs_as_a_tree_gives_the_bytes_of_one_by_one)
{
    enum {
        RUNS = 60
    };
    struct result one_by_one = {0}, level[RUNS];
    for (int64_t i = 0; i < RUNS; i++) {
        struct result r;
        made_run(&r, i % 3);
        r.recording_start_ns += i * 7000000000;
        r.recording_end_ns += i * 7000000000;
        for (size_t k = 0; k < r.cycles.n; k++)
            r.cycles.v[k].process_j *= (double)(i + 1) / 3;
        for (size_t k = 0; k < r.rows.n; k++)
            r.rows.v[k].energy_j *= (double)(i + 1) / 3;
        for (size_t k = 0; k < r.uses.n; k++)
            r.uses.v[k].cpu_ns *= (double)(i + 1) / 3;
        made_finish(&r);
        merge(&one_by_one, &r, "run");
        level[RUNS - 1 - i] = (struct result){0};
        merge(&level[RUNS - 1 - i], &r, "run");
        result_merge_finish(&level[RUNS - 1 - i]);
        result_free(&r);
    }
    result_merge_finish(&one_by_one);
    for (size_t n = RUNS; n > 1; n = (n + 1) / 2) {
        for (size_t i = 0; i + (n + 1) / 2 < n; i++) {
            merge(&level[i], &level[i + (n + 1) / 2], "");
            result_merge_finish(&level[i]);
            result_free(&level[i + (n + 1) / 2]);
        }
    }
    assert_int_equal(level[0].runs.n, RUNS);
    assert_same_json(&level[0], &one_by_one);
    result_free(&level[0]);
    result_free(&one_by_one);
}

TEST(a_merged_result_is_the_same_after_writing_and_reading)
{
    struct result all;
    merged(&all, "201");
    assert_reads_back(&all);
    result_merge_finish(&all); /* once more changes nothing */
    struct result again;
    merged(&again, "201");
    assert_same_json(&all, &again);
    result_free(&all);
    result_free(&again);
}

static const struct result_method *method(const struct result *r, const char *name)
{
    for (size_t i = 0; i < r->methods.n; i++)
        if (strcmp(result_name(r, r->methods.v[i].name)->text, name) == 0)
            return &r->methods.v[i];
    fail_msg("there is no method %s", name);
    return NULL;
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 8 * DBL_EPSILON * fabs(expected)))
        fail_msg("%.17g is not %.17g", value, expected);
}

TEST(totals_are_the_sums_of_the_runs)
{
    struct result all, one;
    double machine_j = 0, process_j = 0, java_j = 0, gc_j = 0, outside_j = 0, power_s = 0, cpu_ns = 0, samples = 0;
    merged(&all, "012");
    for (int64_t i = 0; i < 3; i++) {
        made_run(&one, i);
        machine_j += one.machine_j;
        process_j += one.process_j;
        java_j += one.java_j;
        gc_j += one.native_j[NATIVE_GC];
        outside_j += one.outside_j;
        power_s += one.power_s;
        for (size_t t = 0; t < one.threads.n; t++) { /* all have samples */
            cpu_ns += one.threads.v[t].cpu_ns;
            samples += (double)one.threads.v[t].samples;
        }
        assert_same(all.runs.v[i].process_j, one.process_j);
        assert_same(all.runs.v[i].machine_j, one.machine_j);
        result_free(&one);
    }
    assert_near(all.machine_j, machine_j);
    assert_near(all.process_j, process_j);
    assert_near(all.java_j, java_j);
    assert_near(all.native_j[NATIVE_GC], gc_j);
    assert_near(all.outside_j, outside_j);
    assert_near(all.power_s, power_s);
    assert_near(all.quality.period_seen_ns, cpu_ns / samples);
    assert_int_equal(all.samples.used, 51);
    assert_int_equal(all.samples.outside, 18);
    assert_int_equal(all.damage.bytes, 3 * 345);
    assert_string_equal(all.damage.first, "in the last");
    assert_int_equal(all.chunk_count, 9);
    assert_int_equal(all.cycles.n, 12);
    assert_int_equal(all.threads.n, 9);
    assert_int_equal(all.pauses.n, 6);
    assert_int_equal(all.without_power.n, 2);
    assert_int_equal(all.without_power.v[0].cycles, 1); /* reset */
    assert_int_equal(all.without_power.v[1].cycles, 2); /* suspended */
    result_free(&all);
}

/* Runs are independent: variances add up, thread by thread with the share that each had in its own run. */
TEST(half_widths_are_those_of_a_sum_of_independent_runs)
{
    static const char *const names[] = {"com.example.A.a", "com.example.B$C.b", "java.lang.Thread.run"};
    struct result all, one;
    merged(&all, "012");
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        double own_j = 0, total_j = 0, own = 0, whole = 0;
        uint64_t samples = 0;
        for (int64_t i = 0; i < 3; i++) {
            made_run(&one, i);
            const struct result_method *m = method(&one, names[n]);
            own_j += m->own_j;
            total_j += m->total_j;
            own += m->own_half_width_j * m->own_half_width_j;
            whole += m->total_half_width_j * m->total_half_width_j;
            samples += m->total_samples;
            result_free(&one);
        }
        const struct result_method *m = method(&all, names[n]);
        assert_near(m->own_j, own_j);
        assert_near(m->total_j, total_j);
        assert_near(m->own_half_width_j, sqrt(own));
        assert_near(m->total_half_width_j, sqrt(whole));
        assert_int_equal(m->total_samples, samples);
    }
    assert_true(method(&all, "com.example.A.a")->own_half_width_j > 0);
    assert_true(isnan(method(&all, "Small.main")->own_half_width_j)); /* too few samples in each run */
    result_free(&all);
}

TEST(threads_cycles_and_pauses_know_their_run)
{
    struct result all;
    merged(&all, "210");
    assert_int_equal(all.runs.n, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(all.runs.v[i].pid, 4711 + i);
        assert_int_equal(result_name(&all, all.runs.v[i].name)->text[0], '0' + (int)i);
    }
    for (size_t i = 0; i < all.threads.n; i++)
        assert_int_equal(all.threads.v[i].run, i / 3);
    /* cycles of each half second, the last of all at the same time; pauses 100 ms apart from run to run */
    static const uint32_t cycles[] = {0, 1, 0, 2, 1, 0, 2, 1, 0, 1, 2, 2}, pauses[] = {0, 1, 2, 0, 1, 2};
    for (size_t i = 0; i < all.cycles.n; i++)
        assert_int_equal(all.cycles.v[i].run, cycles[i]);
    for (size_t i = 1; i < all.cycles.n; i++)
        assert_true(all.cycles.v[i].realtime_ns >= all.cycles.v[i - 1].realtime_ns);
    for (size_t i = 0; i < all.pauses.n; i++)
        assert_int_equal(all.pauses.v[i].run, pauses[i]);
    size_t at = 0;
    for (size_t i = 0; i < all.cycles.n; i++)
        for (size_t first = at; at < all.cycles.v[i].rows; at++)
            assert_true(at == first || all.rows.v[at].branch > all.rows.v[at - 1].branch);
    assert_int_equal(at, all.rows.n);
    result_free(&all);
}

TEST(facts_that_differ_are_not_said_and_those_of_all_stay)
{
    struct result a, b, out = {0};
    made_run(&a, 0);
    made_run(&b, 1);
    free(b.jvm_name);
    b.jvm_name = mem_strdup("another");
    b.cpus = 8;
    b.sampler = SAMPLER_CPU_TIME;
    b.share_source = SHARE_FROM_LOG;
    b.estimated = b.idle_is_shared = b.quality.debug_non_safepoints = false;
    b.quality.jvm_version = 21;
    b.quality.period_set_ns = 20000000;
    free(b.quality.period_set);
    b.quality.period_set = mem_strdup("20 ms");
    b.quality.has_cpu_time_samples = false;
    b.quality.has_thread_records = true;
    merge(&out, &a, "a");
    merge(&out, &b, "b");
    result_merge_finish(&out);
    assert_null(out.jvm_name);
    assert_string_equal(out.power_source, "rapl");
    assert_null(out.cpu_model);
    assert_int_equal(out.pid, 0);
    assert_int_equal(out.cpus, 0);
    assert_int_equal(out.sampler, SAMPLER_SEVERAL);
    assert_int_equal(out.share_source, SHARE_SEVERAL);
    assert_int_equal(out.cpu_source, CPU_THREAD_LOAD);
    assert_true(out.estimated);
    assert_false(out.idle_is_shared);
    assert_false(out.quality.debug_non_safepoints);
    assert_false(out.quality.has_cpu_time_samples);
    assert_false(out.quality.has_thread_records);
    assert_null(out.quality.period_set);
    assert_int_equal(out.quality.period_set_ns, 0);
    assert_int_equal(out.quality.load_period_ns, 1000000000);
    assert_int_equal(out.quality.jvm_version, 0);
    assert_int_equal(out.recording_start_ns, a.recording_start_ns);
    assert_int_equal(out.recording_end_ns, b.recording_end_ns);
    assert_reads_back(&out);
    assert_int_equal(out.runs.v[1].cpus, 8);
    assert_string_equal(result_name(&out, out.runs.v[1].jvm_name)->text, "another");
    result_free(&a);
    result_free(&b);
    result_free(&out);
}

/* Four CPUs busy for 2.5 and 3.3 of 8 CPU seconds, and eight for as much of 16. */
TEST(the_busy_share_counts_the_cpus_of_each_machine)
{
    struct result a, b, out = {0}, view;
    struct error err = {0};
    made_run(&a, 0);
    made_run(&b, 1);
    b.cpus = 8;
    merge(&out, &a, "a");
    merge(&out, &b, "b");
    result_merge_finish(&out);
    assert_near(out.busy_share, 2 * 5.8 / 24);
    struct view_options options = {.group = GROUP_CLASS};
    assert_int_equal(result_view(&out, &options, &view, &err), STATUS_OK);
    assert_near(view.busy_share, 2 * 5.8 / 24);
    assert_int_equal(view.runs.n, 2);
    result_free(&view);
    result_free(&a);
    result_free(&b);
    result_free(&out);
}

TEST(a_run_counts_once_and_a_part_of_what_is_there_is_refused)
{
    struct result all, one, others, out;
    struct error err = {0};
    bool known;
    merged(&all, "01");
    made_run(&one, 1);
    assert_int_equal(result_merge(&all, &one, "another name", &known, &err), STATUS_OK);
    assert_true(known);
    merged(&others, "12");
    struct text before = made_json(&all);
    assert_int_equal(result_merge(&all, &others, "others", &known, &err), STATUS_INVALID);
    assert_non_null(strstr(err.text, "1 of its 2 runs are there already"));
    struct text after = made_json(&all);
    assert_int_equal(before.n, after.n);
    assert_memory_equal(before.v, after.v, before.n);
    merged(&out, "01");
    assert_same_json(&all, &out);
    free(before.v);
    free(after.v);
    result_free(&all);
    result_free(&one);
    result_free(&others);
    result_free(&out);
}

/* Two windows of one recording are two runs: their energy differs. */
TEST(parts_of_one_recording_are_runs_of_their_own)
{
    struct result a, b, out = {0};
    made_run(&a, 0);
    made_run(&b, 0);
    b.cycles.v[3].process_j = 9;
    made_finish(&b);
    merge(&out, &a, "a");
    merge(&out, &b, "b");
    assert_int_equal(out.runs.n, 2);
    result_free(&a);
    result_free(&b);
    result_free(&out);
}

TEST(names_of_runs_are_made_utf_8)
{
    struct result a, out = {0};
    made_run(&a, 0);
    merge(&out, &a, "a\xff\nb");
    result_merge_finish(&out);
    assert_string_equal(result_name(&out, out.runs.v[0].name)->text, "a\xef\xbf\xbd\nb");
    assert_reads_back(&out);
    result_free(&a);
    result_free(&out);
}

TEST(cpu_time_of_branches_is_in_whole_nanoseconds)
{
    struct result a, b, out = {0};
    made_run(&a, 0);
    made_run(&b, 1);
    for (size_t i = 0; i < a.uses.n; i++)
        a.uses.v[i].cpu_ns = 1.75;
    for (size_t i = 0; i < b.uses.n; i++)
        b.uses.v[i].cpu_ns = 9007199254740000;
    merge(&out, &b, "b");
    merge(&out, &a, "a");
    result_merge_finish(&out);
    uint32_t frames[] = {made_name(&out, "java.lang.Thread.run"), made_name(&out, "com.example.A.a")};
    assert_same(out.uses.v[branch_set_find(&out.branches, frames, 2, -1)].cpu_ns, 9007199254740002);
    result_free(&a);
    result_free(&b);
    result_free(&out);
}

TEST(runs_at_the_same_time_are_seen)
{
    struct result out;
    merged(&out, "02"); /* the second begins one second later, within the first */
    assert_true(result_runs_overlap(&out));
    out.runs.v[1].start_ns = out.runs.v[0].end_ns;
    assert_false(result_runs_overlap(&out));
    out.runs.n = 1;
    assert_false(result_runs_overlap(&out));
    result_free(&out);
}

/* ---- What is read ---- */

static void assert_refused(const char *old, const char *new, const char *words)
{
    struct result all, q;
    struct error err = {0};
    merged(&all, "012");
    struct text json = made_json(&all);
    char *at = strstr(json.v, old);
    assert_non_null(at);
    size_t head = (size_t)(at - json.v), n = json.n - strlen(old) + strlen(new);
    char *text = mem_alloc(n);
    memcpy(text, json.v, head);
    memcpy(text + head, new, strlen(new));
    memcpy(text + head + strlen(new), at + strlen(old), json.n - head - strlen(old));
    if (result_read_json((const uint8_t *)text, n, &q, &err) != STATUS_INVALID || strstr(err.text, words) == NULL)
        fail_msg("%s -> %s: \"%s\" does not say \"%s\"", old, new, err.text, words);
    free(text);
    free(json.v);
    result_free(&all);
}

TEST(runs_that_are_not_whole_are_refused)
{
    assert_refused("\"thread_runs\":", "\"x\":", "thread_runs");
    assert_refused("\"gc_pause_runs\":", "\"x\":", "gc_pause_runs");
    assert_refused("\"cycle_runs\":", "\"x\":", "cycle_runs");
    assert_refused("\"cycle_runs\":[", "\"cycle_runs\":[0,", "is not as long as");
    assert_refused("\"thread_runs\":[0", "\"thread_runs\":[3", "thread_runs");
    assert_refused("\"thread_runs\":[0", "\"thread_runs\":[-1", "thread_runs");
    assert_refused("\"runs\":[", "\"runs\":[],\"x\":[", "is empty");
    assert_refused("\"runs\":[", "\"runs\":1,\"x\":[", "\"runs\" is missing or of another type");
    assert_refused("\"power_source\":\"rapl\",\"estimated\":true,\"sampler\":\"execution\",\"process_share_from\":"
                   "\"recording\",\"cpu_time_from\":\"thread-load\",\"seconds",
                   "\"power_source\":null,\"estimated\":true,\"sampler\":\"execution\",\"process_share_from\":"
                   "\"recording\",\"cpu_time_from\":\"thread-load\",\"seconds",
                   "power_source");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(merging_in_any_order_and_grouping_gives_equal_bytes),
        CASE(merging_of_sixty_runs_as_a_tree_gives_the_bytes_of_one_by_one),
        CASE(a_merged_result_is_the_same_after_writing_and_reading),
        CASE(totals_are_the_sums_of_the_runs),
        CASE(half_widths_are_those_of_a_sum_of_independent_runs),
        CASE(threads_cycles_and_pauses_know_their_run),
        CASE(facts_that_differ_are_not_said_and_those_of_all_stay),
        CASE(the_busy_share_counts_the_cpus_of_each_machine),
        CASE(a_run_counts_once_and_a_part_of_what_is_there_is_refused),
        CASE(parts_of_one_recording_are_runs_of_their_own),
        CASE(names_of_runs_are_made_utf_8),
        CASE(cpu_time_of_branches_is_in_whole_nanoseconds),
        CASE(runs_at_the_same_time_are_seen),
        CASE(runs_that_are_not_whole_are_refused),
    };
    return cmocka_run_group_tests_name("result: merging", tests, NULL, NULL);
}
