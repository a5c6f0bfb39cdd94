/* SPDX-License-Identifier: GPL-3.0-or-later */
/* joular-attribution(7), section 5: what of a thread's energy becomes rows. */
#include "model_case.h"

/* One cycle (0, 1 s] of 5 J, all of it the record of thread 51. */
static uint32_t one_thread(struct model_case *c, const char *name)
{
    case_process(c, 500);
    case_record(c, 51, 500, name);
    case_cycle(c, 0, 1000, 10, 1000);
    uint32_t thread = case_thread(c, 1, 51, name);
    case_cpu_sample(c, thread, "a", 700, 10);
    return thread;
}

static void before_the_recording_a_thread_has_only_its_part_of_the_cycle(void **state)
{
    struct model_case *c = *state;
    one_thread(c, "worker");
    c->observed.start_ns = 600 * MS; /* 0.4 of the cycle */
    case_run(c);
    assert_energy(c, 0, "a", 2);
    assert_near(c->result.outside_j, 3);
    assert_near(c->result.unattributed_j, 0);
    assert_near(case_method(c, "a")->own_cpu_ns, 0.4 * 500e6);
    assert_near(case_find_thread(c, "worker")->cpu_ns, 500e6);
    assert_near(case_find_thread(c, "worker")->energy_j, 2);
}

static void a_thread_started_in_the_recording_has_all_of_the_cycle(void **state)
{
    struct model_case *c = *state;
    case_start(c, one_thread(c, "worker"), 650);
    c->observed.start_ns = 600 * MS;
    case_run(c);
    assert_energy(c, 0, "a", 5);
    assert_near(c->result.outside_j, 0);
}

static void the_thread_main_was_not_started_in_the_recording(void **state)
{
    struct model_case *c = *state;
    case_start(c, one_thread(c, "main"), 650);
    c->observed.start_ns = 600 * MS;
    case_run(c);
    assert_energy(c, 0, "a", 2);
}

static void behind_the_recording_even_a_started_thread_has_only_its_part(void **state)
{
    struct model_case *c = *state;
    case_start(c, one_thread(c, "worker"), 650);
    c->observed.start_ns = 600 * MS;
    c->observed.end_ns = 800 * MS;
    case_run(c);
    assert_energy(c, 0, "a", 4);
    assert_near(c->result.outside_j, 1);
}

static void threads_of_one_os_id_are_started_if_the_lowest_is(void **state)
{
    struct model_case *c = *state;
    uint32_t low = one_thread(c, "low"), high = case_thread(c, 2, 51, "high");
    (void)low;
    case_start(c, high, 650);
    c->observed.start_ns = 600 * MS;
    case_run(c);
    assert_energy(c, 0, "a", 2);
}

static void threads_of_one_os_id_need_no_second_start(void **state)
{
    struct model_case *c = *state;
    case_start(c, one_thread(c, "low"), 650);
    case_thread(c, 2, 51, "high");
    c->observed.start_ns = 600 * MS;
    case_run(c);
    assert_energy(c, 0, "a", 5);
}

static void two_carriers(struct model_case *c, bool second_record, bool second_started)
{
    case_process(c, 500);
    case_record(c, 61, 300, "carrier-1");
    if (second_record)
        case_record(c, 62, 200, "carrier-2");
    case_cycle(c, 0, 1000, 10, 1000);
    c->observed.start_ns = 600 * MS;
    for (int i = 0; i < 2; i++) {
        uint32_t carrier = case_carrier(c, 10 + (uint64_t)i, 61 + i);
        if (i == 0 || second_started)
            case_start(c, carrier, 650);
    }
    uint32_t v = case_virtual(c, 20);
    case_start(c, v, 650);
    case_cpu_sample(c, v, "v", 700, 10);
}

static void virtual_threads_have_all_of_the_cycle_where_all_carriers_with_records_were_started(void **state)
{
    struct model_case *c = *state;
    two_carriers(c, true, true);
    case_run(c);
    assert_energy(c, 0, "v", 5);
}

static void one_carrier_with_a_record_that_was_not_started_bounds_virtual_threads(void **state)
{
    struct model_case *c = *state;
    two_carriers(c, true, false);
    case_run(c);
    assert_energy(c, 0, "v", 2);
    assert_near(c->result.outside_j, 3);
}

static void a_carrier_without_record_in_the_cycle_does_not_bound_virtual_threads(void **state)
{
    struct model_case *c = *state;
    two_carriers(c, false, false);
    case_run(c);
    assert_energy(c, 0, "v", 3);
    assert_near(c->result.outside_j, 0);
}

static void virtual_threads_without_any_record_are_bound(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_record(c, 51, 100, "a");
    case_cycle(c, 0, 1000, 10, 1000);
    c->observed.start_ns = 600 * MS;
    uint32_t v = case_virtual(c, 20);
    case_start(c, v, 650);
    case_cpu_sample(c, v, "v", 700, 10);
    case_run(c);
    assert_energy(c, 0, "v", 4 * 0.4);
}

static void without_thread_records_nothing_is_held_back(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_cpu_sample(c, case_thread(c, 1, 51, "worker"), "a", 700, 500);
    c->observed.start_ns = 600 * MS;
    case_run(c);
    assert_energy(c, 0, "a", 5);
    assert_near(c->result.outside_j, 0);
}

static void a_cycle_outside_the_recording_gets_no_rows(void **state)
{
    struct model_case *c = *state;
    for (int i = 0; i < 4; i++) {
        case_process(c, 500);
        case_record(c, 51, 500, "worker");
        case_record(c, 52, 100, "GC Thread#0");
        case_cycle(c, i * 1000, i * 1000 + 1000, 10, 1000);
    }
    c->observed.start_ns = 1500 * MS;
    c->observed.end_ns = 2500 * MS;
    uint32_t a = case_thread(c, 1, 51, "worker");
    case_start(c, a, 1600);
    for (int i = 0; i < 4; i++) /* those outside are not possible, and change nothing */
        case_cpu_sample(c, a, "a", i * 1000 + 500, 10);
    case_run(c);
    assert_int_equal(case_row_count(c, 0), 0);
    assert_int_equal(case_row_count(c, 3), 0);
    assert_int_equal(case_row_count(c, 1), 2);
    assert_near(c->result.cycles.v[0].outside_j, 5);
    assert_near(c->result.cycles.v[3].outside_j, 5);
    assert_near(c->result.cycles.v[2].outside_j, 5.0 * 500 / 600 / 2);
    assert_near(c->result.outside_j, 10 + 5.0 * 500 / 600 / 2);
}

static void a_thread_with_blind_weight_only_stays_unattributed(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_record(c, 51, 500, "worker");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 1, 51, "worker"), NULL, 700, 10);
    c->observed.start_ns = 600 * MS; /* and is not "outside" */
    case_run(c);
    assert_int_equal(c->result.rows.n, 0);
    assert_near(c->result.unattributed_j, 5);
}

static void a_thread_without_weight_that_is_not_native_stays_unattributed(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_record(c, 51, 400, "worker");
    case_record(c, 52, 100, "Worker Thread");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 1, 51, "worker"), "a", 700, 10);
    case_run(c);
    assert_energy(c, 0, "a", 4);
    assert_near(c->result.unattributed_j, 1);
}

static void what_gets_no_row_is_never_spread_over_what_was_seen(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_record(c, 51, 1, "worker");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 1, 51, "worker"), "a", 700, 10);
    case_run(c);
    assert_energy(c, 0, "a", 5.0 / 500);
    assert_near(c->result.unattributed_j, 5.0 * 499 / 500);
}

/* Whatever comes first in a cycle: files with the same samples are the same. */
static void branches_that_begin_with_threads_are_numbered_by_thread_and_branch(void **state)
{
    static const char *const expected[] = {"x;a", "x;b", "y;a"};
    struct model_case *c = *state;
    case_second(c, 1);
    uint32_t x = case_thread(c, 1, 0, "x"), y = case_thread(c, 2, 0, "y"), first = case_branch(c, "a") + 2;
    case_branch(c, "b");
    case_cpu_sample(c, y, "a", 600, 10);
    case_cpu_sample(c, x, "b", 700, 10);
    case_cpu_sample(c, x, "a", 800, 10);
    c->options.by_thread = true;
    case_run(c);
    for (size_t i = 0; i < 3; i++) {
        const struct branch *branch = &c->result.branches.list.v[first + i];
        const uint32_t *frames = c->result.branches.frames.v + branch->first;
        char text[32];
        assert_int_equal(branch->count, 2);
        snprintf(text, sizeof text, "%s;%s", result_name(&c->result, frames[0])->text,
                 result_name(&c->result, frames[1])->text);
        assert_string_equal(text, expected[i]);
    }
}

static bool has_branch(const struct model_case *c, const char *first, const char *second)
{
    const struct result *r = &c->result;
    for (size_t b = 0; b < r->branches.list.n; b++) {
        const struct branch *branch = &r->branches.list.v[b];
        const uint32_t *frames = r->branches.frames.v + branch->first;
        if (branch->count == 2 && strcmp(result_name(r, frames[0])->text, first) == 0 &&
            strcmp(result_name(r, frames[1])->text, second) == 0)
            return true;
    }
    return false;
}

static void branches_of_all_cycles_and_of_none_begin_with_threads_when_asked(void **state)
{
    struct model_case *c = *state;
    case_second(c, 1);
    case_second(c, 2);
    uint32_t x = case_thread(c, 1, 0, "x"), y = case_thread(c, 2, 0, "y");
    case_cpu_sample(c, x, "a", 500, 10);
    case_cpu_sample(c, y, "a", 1500, 10);
    case_cpu_sample(c, NO_THREAD, "a", 1600, 30);
    case_cpu_sample(c, y, NULL, 1700, 10);
    case_cpu_sample(c, y, "b", 2500, 10);
    c->options.by_thread = true;
    case_run(c);
    assert_energy(c, 0, "x;a", 0.1); /* 10 ms of 500, of 5 J */
    assert_energy(c, 1, "y;a", 0.2); /* and the blind weight of its thread */
    assert_energy(c, 1, "(no thread);a", 0.3);
    assert_true(has_branch(c, "y", "b"));
    assert_false(has_branch(c, "x", "b"));
}

static void a_cycle_that_begins_as_the_recording_ends_is_not_all_outside(void **state)
{
    struct model_case *c = *state;
    for (int i = 0; i < 3; i++) {
        case_process(c, 500);
        case_record(c, 52, 100, "GC Thread#0");
        case_cycle(c, i * 1000, i * 1000 + 1000, 10, 1000);
    }
    c->observed.start_ns = 1000 * MS;
    c->observed.end_ns = 2000 * MS;
    case_cpu_sample(c, case_thread(c, 1, 51, "worker"), "a", 1500, 10);
    case_run(c);
    assert_energy(c, 0, "[GC]", 1);
    assert_energy(c, 2, "[GC]", 1);
    assert_near(c->result.outside_j, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(before_the_recording_a_thread_has_only_its_part_of_the_cycle),
        CASE(a_thread_started_in_the_recording_has_all_of_the_cycle),
        CASE(the_thread_main_was_not_started_in_the_recording),
        CASE(behind_the_recording_even_a_started_thread_has_only_its_part),
        CASE(threads_of_one_os_id_are_started_if_the_lowest_is),
        CASE(threads_of_one_os_id_need_no_second_start),
        CASE(virtual_threads_have_all_of_the_cycle_where_all_carriers_with_records_were_started),
        CASE(one_carrier_with_a_record_that_was_not_started_bounds_virtual_threads),
        CASE(a_carrier_without_record_in_the_cycle_does_not_bound_virtual_threads),
        CASE(virtual_threads_without_any_record_are_bound),
        CASE(without_thread_records_nothing_is_held_back),
        CASE(a_cycle_outside_the_recording_gets_no_rows),
        CASE(a_thread_with_blind_weight_only_stays_unattributed),
        CASE(a_thread_without_weight_that_is_not_native_stays_unattributed),
        CASE(branches_that_begin_with_threads_are_numbered_by_thread_and_branch),
        CASE(what_gets_no_row_is_never_spread_over_what_was_seen),
        CASE(branches_of_all_cycles_and_of_none_begin_with_threads_when_asked),
        CASE(a_cycle_that_begins_as_the_recording_ends_is_not_all_outside),
    };
    return cmocka_run_group_tests_name("model: rows", tests, NULL, NULL);
}
