/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GC pauses: whose they are, their type, and the energy of the process in them. */
#include "model_case.h"

static void pause_of(struct model_case *c, uint64_t gc_id, double at_ms, double ms, const char *phase)
{
    int64_t start_ns = llround(at_ms * 1e6);
    struct observed_pause pause = {start_ns,          start_ns + WALL_AHEAD_MS * MS,
                                   llround(ms * 1e6), gc_id,
                                   NO_THREAD,         observed_name(&c->observed, phase, strlen(phase))};
    vec_push(&c->observed.pauses, pause);
}

static void collection_of(struct model_case *c, uint64_t gc_id, const char *name, const char *cause)
{
    struct observed_collection collection = {gc_id, observed_name(&c->observed, name, strlen(name)),
                                             observed_name(&c->observed, cause, strlen(cause))};
    vec_push(&c->observed.collections, collection);
}

/* Cycles of 10, 20 and 40 W whose process has 250, 500 and 1000 of 1000 ms: 2.5, 10 and 40 W are its own. */
static void three_cycles(struct model_case *c)
{
    for (int i = 0; i < 3; i++) {
        case_process(c, 250 << i);
        case_cycle(c, 1000 * i, 1000 * (i + 1), 10 << i, 1000);
    }
    case_cpu_sample(c, case_thread(c, 1, 51, "worker"), "a", 500, 10);
}

static void a_pause_has_the_energy_of_its_part_of_each_cycle(void **state)
{
    struct model_case *c = *state;
    three_cycles(c);
    pause_of(c, 1, 500, 100, "inside");
    pause_of(c, 2, 900, 1200, "over three"); /* 100 of the first, 1000 of the second, 100 of the third */
    pause_of(c, 3, 2950, 100, "half behind");
    pause_of(c, 4, 5000, 100, "behind");
    pause_of(c, 5, 1000, 0, "nothing");
    case_run(c);
    static const double expected[] = {0.25, 0.25 + 10 + 4, 0, 2, 0};
    assert_int_equal(c->result.pauses.n, 5);
    assert_near(c->result.pauses.v[0].energy_j, expected[0]);
    assert_near(c->result.pauses.v[1].energy_j, expected[1]);
    assert_near(c->result.pauses.v[2].energy_j, 0); /* by start: the one of no length */
    assert_near(c->result.pauses.v[3].energy_j, expected[3]);
    assert_near(c->result.pauses.v[4].energy_j, 0);
    assert_int_equal(c->result.pauses.v[0].start_ns, (500 + WALL_AHEAD_MS) * MS);
    assert_int_equal(c->result.pauses.v[1].duration_ns, 1200 * MS);
}

static void a_cycle_without_power_gives_none(void **state)
{
    struct model_case *c = *state;
    case_process(c, 500);
    case_cycle(c, 0, 1000, 10, 1000);
    case_line(c, "cycle,1002000000000,2000000000,1000000000,,1000000000,suspended");
    case_cpu_sample(c, case_thread(c, 1, 51, "worker"), "a", 500, 10);
    pause_of(c, 1, 900, 200, "x");
    case_run(c);
    assert_near(c->result.pauses.v[0].energy_j, 0.5);
}

static void with_from_and_to_pauses_of_other_cycles_are_left_out(void **state)
{
    struct model_case *c = *state;
    three_cycles(c);
    c->options.from = (struct time_bound){BOUND_WALL, (2000 + WALL_AHEAD_MS) * MS};
    c->options.to = c->options.from;
    pause_of(c, 1, 500, 100, "first");
    pause_of(c, 2, 900, 200, "into the second");
    pause_of(c, 3, 1500, 100, "second");
    pause_of(c, 4, 2500, 100, "third");
    case_run(c);
    assert_int_equal(c->result.pauses.n, 2);
    assert_int_equal(c->result.pauses.v[0].gc_id, 2);
    assert_near(c->result.pauses.v[0].energy_j, 1);
    assert_near(c->result.pauses.v[1].energy_j, 1);
}

static void a_pause_is_of_the_type_of_its_collection(void **state)
{
    static const struct {
        const char *collector;
        enum pause_type type;
    } cases[] = {
        {"DefNew", PAUSE_YOUNG},          {"ParallelScavenge", PAUSE_YOUNG}, {"G1New", PAUSE_YOUNG},
        {"ParNew", PAUSE_YOUNG},          {"ZGC Minor", PAUSE_YOUNG},        {"SerialOld", PAUSE_FULL},
        {"ParallelOld", PAUSE_FULL},      {"PSMarkSweep", PAUSE_FULL},       {"G1Full", PAUSE_FULL},
        {"G1Old", PAUSE_CONCURRENT},      {"Z", PAUSE_CONCURRENT},           {"ZGC Major", PAUSE_CONCURRENT},
        {"Shenandoah", PAUSE_CONCURRENT},
    };
    struct model_case *c = *state;
    size_t count = sizeof cases / sizeof cases[0];
    three_cycles(c);
    for (size_t i = 0; i < count; i++) { /* numbers in another order than times */
        pause_of(c, 100 - i, 10.0 * (double)i, 1, "GC Pause");
        collection_of(c, 100 - i, cases[i].collector, "Some Cause");
    }
    case_run(c);
    for (size_t i = 0; i < count; i++) {
        const struct result_pause *pause = &c->result.pauses.v[i];
        assert_int_equal(pause->gc_id, 100 - i);
        assert_string_equal(result_name(&c->result, pause->collector)->text, cases[i].collector);
        assert_string_equal(result_name(&c->result, pause->cause)->text, "Some Cause");
        if (pause->type != cases[i].type)
            fail_msg("%s is %s", cases[i].collector, pause_type_names[pause->type]);
    }
}

/* The event of a collection comes at its end, which a recording that stops before does not have. */
static void without_its_collection_a_pause_goes_by_its_phase(void **state)
{
    static const struct {
        const char *phase;
        enum pause_type type;
    } cases[] = {
        {"GC Pause", PAUSE_YOUNG},
        {"Pause Remark", PAUSE_CONCURRENT},
        {"Pause Cleanup", PAUSE_CONCURRENT},
        {"Pause Init Mark (unload classes)", PAUSE_CONCURRENT},
        {"Pause Final Mark", PAUSE_CONCURRENT},
        {"Pause Init Update Refs", PAUSE_CONCURRENT},
        {"Pause Degenerated GC (Mark)", PAUSE_CONCURRENT},
        {"Pause Mark Start (Major)", PAUSE_CONCURRENT},
    };
    struct model_case *c = *state;
    three_cycles(c);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        pause_of(c, i, 10.0 * (double)i, 1, cases[i].phase);
    case_run(c);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(result_name(&c->result, c->result.pauses.v[i].collector)->text, "");
        assert_string_equal(result_name(&c->result, c->result.pauses.v[i].cause)->text, "");
        if (c->result.pauses.v[i].type != cases[i].type)
            fail_msg("%s is %s", cases[i].phase, pause_type_names[c->result.pauses.v[i].type]);
    }
}

static void pauses_that_begin_together_come_by_their_collection(void **state)
{
    struct model_case *c = *state;
    three_cycles(c);
    pause_of(c, 3, 500, 100, "x");
    pause_of(c, 1, 500, 100, "x");
    pause_of(c, 2, 500, 100, "x");
    pause_of(c, 9, 400, 100, "x");
    case_run(c);
    static const uint64_t expected[] = {9, 1, 2, 3};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(c->result.pauses.v[i].gc_id, expected[i]);
}

static void a_pause_has_the_thread_that_it_was_in(void **state)
{
    struct model_case *c = *state;
    three_cycles(c);
    pause_of(c, 1, 500, 100, "x");
    pause_of(c, 2, 600, 100, "x");
    c->observed.pauses.v[1].thread = case_thread(c, 2, 60, "VM Thread");
    case_run(c);
    assert_string_equal(result_name(&c->result, c->result.pauses.v[0].thread)->text, "");
    assert_int_equal(result_name(&c->result, c->result.pauses.v[0].thread)->length, 0);
    assert_int_equal(c->result.pauses.v[0].os_thread_id, 0);
    assert_string_equal(result_name(&c->result, c->result.pauses.v[1].thread)->text, "VM Thread");
    assert_int_equal(c->result.pauses.v[1].os_thread_id, 60);
}

/* The cycle is (1 s, 2 s]; a pause belongs to the cycle that it begins in, at the end of the one before at the
 * earliest. */
static void pauses_of_no_length_at_a_cycles_ends_are_of_one_cycle(void **state)
{
    struct model_case *c = *state;
    three_cycles(c);
    c->options.from = (struct time_bound){BOUND_WALL, (2000 + WALL_AHEAD_MS) * MS};
    c->options.to = c->options.from;
    pause_of(c, 1, 1000, 0, "at its start");
    pause_of(c, 2, 2000, 0, "at its end");
    case_run(c);
    assert_int_equal(c->result.pauses.n, 1);
    assert_int_equal(c->result.pauses.v[0].gc_id, 1);
}

static void one_bound_alone_leaves_pauses_out(void **state)
{
    struct model_case *c = *state;
    three_cycles(c);
    c->options.from = (struct time_bound){BOUND_WALL, (2000 + WALL_AHEAD_MS) * MS};
    pause_of(c, 1, 500, 100, "first");
    pause_of(c, 2, 2500, 100, "third");
    pause_of(c, 3, 9000, 100, "in no cycle");
    case_run(c);
    assert_int_equal(c->result.pauses.n, 1);
    assert_int_equal(c->result.pauses.v[0].gc_id, 2);
}

static void the_other_bound_alone_leaves_pauses_out(void **state)
{
    struct model_case *c = *state;
    three_cycles(c);
    c->options.to = (struct time_bound){BOUND_WALL, (2000 + WALL_AHEAD_MS) * MS};
    pause_of(c, 1, 500, 100, "first");
    pause_of(c, 2, 2500, 100, "third");
    case_run(c);
    assert_int_equal(c->result.pauses.n, 1);
    assert_int_equal(c->result.pauses.v[0].gc_id, 1);
}

/* They come in order but for the last: what is in order already is not all that is looked at. */
static void the_last_pause_may_be_the_first(void **state)
{
    struct model_case *c = *state;
    three_cycles(c);
    pause_of(c, 1, 500, 100, "x");
    pause_of(c, 2, 600, 100, "x");
    pause_of(c, 3, 400, 100, "x");
    case_run(c);
    assert_int_equal(c->result.pauses.v[0].gc_id, 3);
    assert_int_equal(c->result.pauses.v[1].gc_id, 1);
    assert_int_equal(c->result.pauses.v[2].gc_id, 2);
}

static void of_two_pauses_the_second_may_be_the_first(void **state)
{
    struct model_case *c = *state;
    three_cycles(c);
    pause_of(c, 1, 500, 100, "x");
    pause_of(c, 2, 400, 100, "x");
    case_run(c);
    assert_int_equal(c->result.pauses.v[0].gc_id, 2);
    assert_int_equal(c->result.pauses.v[1].gc_id, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_pause_has_the_energy_of_its_part_of_each_cycle),
        CASE(a_cycle_without_power_gives_none),
        CASE(with_from_and_to_pauses_of_other_cycles_are_left_out),
        CASE(a_pause_is_of_the_type_of_its_collection),
        CASE(without_its_collection_a_pause_goes_by_its_phase),
        CASE(pauses_that_begin_together_come_by_their_collection),
        CASE(a_pause_has_the_thread_that_it_was_in),
        CASE(pauses_of_no_length_at_a_cycles_ends_are_of_one_cycle),
        CASE(one_bound_alone_leaves_pauses_out),
        CASE(the_other_bound_alone_leaves_pauses_out),
        CASE(the_last_pause_may_be_the_first),
        CASE(of_two_pauses_the_second_may_be_the_first),
    };
    return cmocka_run_group_tests_name("model: GC pauses", tests, NULL, NULL);
}
