/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is made of the figures of two sides, worked out by hand: verdicts, orders, gates, totals, and how one side
 * spreads. */
#include "../../src/compare/compareset.h"
#include "compare_case.h"

#include <stdio.h>

#define NEAR(a, b, within)                                           \
    do {                                                             \
        double near_a = (a), near_b = (b);                           \
        if (!(fabs(near_a - near_b) <= (within)))                    \
            fail_msg("%.17g is not close to %.17g", near_a, near_b); \
    } while (0)

static struct comparison begin(const struct compare_options *options)
{
    struct comparison c;
    compare_init(&c, options);
    return c;
}

/* A run of one method, a.A.a. */
static void add_one(struct comparison *c, enum compare_side side, int64_t start_ns, double energy_j)
{
    char name[32];
    struct result r = case_result(start_ns, 100);
    add_branch(&r, "a.A.a", energy_j, 100);
    finish_result(&r, 10, 4);
    snprintf(name, sizeof name, "run-%d", (int)start_ns);
    add_run(c, side, name, &r);
}

static struct compare_judgement judged(struct comparison *c)
{
    struct compare_judgement j;
    compare_judge(c, &j);
    return j;
}

static void done(struct comparison *c, struct compare_judgement *j)
{
    compare_judgement_free(j);
    compare_free(c);
}

/* ---- Verdicts ---- */

/* sd^2 = 2 on either side, so w = 2 x 2 / 2 = 2 and f = 2: the half width is 4.3027 x sqrt(2) = 6.0849. */
static struct compare_judgement close_sides(struct comparison *c, double delta, double same_within)
{
    struct compare_options options = case_options();
    options.same_within = same_within;
    *c = begin(&options);
    add_one(c, SIDE_BASE, 1, 99);
    add_one(c, SIDE_BASE, 2, 101);
    add_one(c, SIDE_NEW, 3, 99 + delta);
    add_one(c, SIDE_NEW, 4, 101 + delta);
    return judged(c);
}

TEST(the_same_is_what_lies_within_the_limit_with_its_interval)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        struct comparison c;
        struct compare_judgement j = close_sides(&c, sign, 0.0709);
        assert_int_equal(j.process.verdict, VERDICT_SAME);
        NEAR(j.process.within, 0.070849, 1e-5); /* (1 + 6.0849) / 100 */
        assert_int_equal(j.process.runs_needed, 0);
        done(&c, &j);
        j = close_sides(&c, sign, 0.0708);
        assert_int_equal(j.process.verdict, VERDICT_CANNOT_TELL);
        assert_true(isnan(j.process.within));
        done(&c, &j);
    }
}

/* V = 2 + 2: (t(0.975) + t(0.8))^2 x 4 / n is 1.0125 for n = 32, f = 62, and 0.9809 for n = 33, f = 64. */
TEST(what_cannot_be_told_says_how_many_runs_would_tell_it)
{
    struct comparison c;
    struct compare_judgement j = close_sides(&c, 1, 0.05);
    assert_int_equal(j.process.runs_needed, 33);
    struct compare_needed of_list = {.level = 0.05 / (double)j.parts.n};
    const struct compare_row *java = row_named(&j.parts, "java");
    assert_int_equal(java->verdict, VERDICT_CANNOT_TELL);
    assert_int_equal(java->runs_needed, compare_runs_needed(&of_list, 1, 4));
    assert_true(java->runs_needed > 33); /* it is one of several that are tested */
    done(&c, &j);
}

TEST(what_has_no_energy_on_either_side_is_the_same)
{
    struct comparison c;
    struct compare_judgement j = close_sides(&c, 1, 0.05);
    const struct compare_row *gc = row_named(&j.parts, "gc");
    assert_int_equal(gc->verdict, VERDICT_SAME);
    assert_same(gc->within, 0.0);
    done(&c, &j);
}

TEST(figures_below_a_joule_are_judged_as_others)
{
    struct comparison c;
    struct compare_options options = case_options();
    options.per = PER_UNIT;
    options.units[SIDE_BASE] = options.units[SIDE_NEW] = 1000;
    c = begin(&options);
    for (int run = 0; run < 3; run++) {
        add_one(&c, SIDE_BASE, run, 100 + 0.1 * run);
        add_one(&c, SIDE_NEW, 10 + run, 100 + 0.1 * run);
    }
    struct compare_judgement j = judged(&c);
    NEAR(j.process.e.base_j, 0.1001, 1e-12);
    assert_int_equal(j.process.verdict, VERDICT_SAME);
    done(&c, &j);
}

TEST(identical_runs_are_the_same_within_nothing)
{
    struct comparison c;
    struct compare_options options = case_options();
    options.same_within = 0;
    c = begin(&options);
    for (int run = 0; run < 2; run++) {
        add_one(&c, SIDE_BASE, run, 100);
        add_one(&c, SIDE_NEW, 10 + run, 100);
    }
    struct compare_judgement j = judged(&c);
    assert_int_equal(j.process.verdict, VERDICT_SAME);
    assert_same(j.process.within, 0.0);
    done(&c, &j);
}

TEST(more_and_less_are_told_apart)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        struct comparison c;
        struct compare_judgement j = close_sides(&c, 20.0 * sign, 0.05);
        assert_int_equal(j.process.verdict, sign < 0 ? VERDICT_LESS : VERDICT_MORE);
        assert_true(isnan(j.process.within));
        assert_int_equal(j.process.runs_needed, 0);
        done(&c, &j);
    }
}

/* ---- Orders ---- */

static void assert_order(const struct compare_rows *rows, const char *const *names, size_t count)
{
    assert_int_equal(rows->n, count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(rows->v[i].name, names[i]);
}

TEST(rows_come_by_the_size_of_the_difference_then_by_their_energy_then_by_name)
{
    static const struct {
        const char *name;
        double base_j, new_j;
    } methods[] = {{"a.A.big", 100, 100}, {"a.A.d", 5, 5},      {"a.A.z", 6, 6}, {"a.A.less", 20, 18},
                   {"a.A.c", 5, 5},       {"a.A.more", 10, 12}, {"a.A.b", 5, 5}, {"a.A.most", 30, 20}};
    static const char *const expected[] = {"a.A.most", "a.A.less", "a.A.more", "a.A.big",
                                           "a.A.z",    "a.A.b",    "a.A.c",    "a.A.d"};
    struct compare_options options = case_options();
    struct comparison c = begin(&options);
    for (int side = 0; side < SIDES; side++) {
        struct result r = case_result(side, 100);
        for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
            add_branch(&r, methods[i].name, side == SIDE_BASE ? methods[i].base_j : methods[i].new_j, 10);
        finish_result(&r, 1, 1);
        add_run(&c, (enum compare_side)side, side == SIDE_BASE ? "a" : "b", &r);
    }
    struct compare_judgement j = judged(&c);
    assert_order(&j.lists[LIST_OWN], expected, sizeof expected / sizeof expected[0]);
    assert_order(&j.lists[LIST_WHOLE], expected, sizeof expected / sizeof expected[0]);
    done(&c, &j);
}

TEST(parts_come_by_the_size_of_the_difference_too)
{
    static const char *const expected[] = {"vm", "jit", "gc", "jfr", "outside", "unattributed", "java"};
    struct compare_options options = case_options();
    struct comparison c = begin(&options);
    for (int side = 0; side < SIDES; side++) {
        bool base = side == SIDE_BASE;
        struct result r = case_result(side, 100);
        add_branch(&r, "a.A.a", 50, 10);
        finish_result(&r, 1, 1);
        r.native_j[NATIVE_GC] = base ? 1 : 2;
        r.native_j[NATIVE_JIT] = base ? 10 : 11;
        r.native_j[NATIVE_JFR] = base ? 2 : 1;
        r.native_j[NATIVE_VM] = base ? 30 : 10;
        r.unattributed_j = base ? 1 : 2;
        r.outside_j = base ? 2 : 1;
        add_run(&c, (enum compare_side)side, base ? "a" : "b", &r);
    }
    struct compare_judgement j = judged(&c);
    assert_order(&j.parts, expected, sizeof expected / sizeof expected[0]);
    done(&c, &j);
}

TEST(what_is_new_is_not_the_same_as_nothing)
{
    struct compare_options options = case_options();
    struct comparison c = begin(&options);
    for (int side = 0; side < SIDES; side++) {
        struct result r = case_result(side, 100);
        add_branch(&r, "a.A.a", 50, 10);
        finish_result(&r, 1, 1);
        r.native_j[NATIVE_GC] = side == SIDE_BASE ? 0 : 5;
        add_run(&c, (enum compare_side)side, side == SIDE_BASE ? "a" : "b", &r);
    }
    struct compare_judgement j = judged(&c);
    const struct compare_row *gc = row_named(&j.parts, "gc");
    assert_int_equal(gc->verdict, VERDICT_CANNOT_TELL); /* of one run a side nothing says how parts scatter */
    assert_int_equal(gc->runs_needed, 0);
    done(&c, &j);
}

TEST(differences_of_a_joule_and_less_are_told)
{
    static const double deltas[] = {-1, -0.5, 0.5, 1};
    for (size_t i = 0; i < sizeof deltas / sizeof deltas[0]; i++) {
        struct compare_options options = case_options();
        struct comparison c = begin(&options);
        for (int run = 0; run < 2; run++) {
            add_one(&c, SIDE_BASE, run, 100);
            add_one(&c, SIDE_NEW, 10 + run, 100 + deltas[i]);
        }
        struct compare_judgement j = judged(&c);
        assert_int_equal(j.process.verdict, deltas[i] < 0 ? VERDICT_LESS : VERDICT_MORE);
        done(&c, &j);
    }
}

/* Means: 10 + 0 for one, 0 + 8 for three; the sums would be 10 and 24. */
TEST(what_is_judged_is_chosen_by_the_energy_of_a_run)
{
    struct compare_options options = case_options();
    options.top = 1;
    struct comparison c = begin(&options);
    for (int run = 0; run < 4; run++) {
        struct result r = case_result(run, 100);
        add_branch(&r, "a.A.three", run == 0 ? 1e-9 : 8, 10);
        add_branch(&r, "a.A.one", run == 0 ? 10 : 1e-9, 10);
        finish_result(&r, 1, 1);
        add_run(&c, run == 0 ? SIDE_BASE : SIDE_NEW, "r", &r);
    }
    struct compare_judgement j = judged(&c);
    assert_int_equal(j.lists[LIST_OWN].n, 1);
    assert_string_equal(j.lists[LIST_OWN].v[0].name, "a.A.one");
    done(&c, &j);
}

/* ---- What a result adds ---- */

static double variance_of(const struct comparison *c, enum compare_list list, const char *name)
{
    const struct compare_figures *figures = &c->runs[SIDE_BASE].v[0].lists[list];
    for (size_t i = 0; i < figures->n; i++) {
        char *key = compare_key_name(c, list, figures->v[i].key);
        bool same = strcmp(key, name) == 0;
        free(key);
        if (same)
            return figures->v[i].variance;
    }
    fail_msg("no figure of %s", name);
    return NAN;
}

/* e^2 / n of 4 and 8, p of a.A.a 1/2 and 3/4, and of a.A.c 0 and 1/8. */
TEST(variances_of_threads_are_added_up)
{
    struct compare_options options = case_options();
    struct comparison c = begin(&options);
    struct result r = case_result(1, 100);
    add_branch(&r, "a.A.a", 10, 10);
    add_branch(&r, "a.A.b", 10, 10);
    add_branch(&r, "a.A.c", 10, 0);
    finish_result(&r, 1, 1);
    struct result_thread second = r.threads.v[0];
    r.threads.v[0].error_factor = 4;
    second.error_factor = 8;
    second.weight_ns = 80e7;
    vec_push(&r.threads, second);
    vec_push(&r.weights, ((struct result_weight){1, 0, 60e7}));
    vec_push(&r.weights, ((struct result_weight){1, 1, 10e7}));
    vec_push(&r.weights, ((struct result_weight){1, 2, 10e7}));
    add_run(&c, SIDE_BASE, "a", &r);
    NEAR(variance_of(&c, LIST_OWN, "a.A.a"), 4 * 0.25 + 8 * 0.75 * 0.25, 1e-12);
    NEAR(variance_of(&c, LIST_OWN, "a.A.c"), 8 * 0.125 * 0.875, 1e-12);
    NEAR(variance_of(&c, LIST_WHOLE, "a.A.a"), 4 * 0.25 + 8 * 0.75 * 0.25, 1e-12);
    NEAR(variance_of(&c, LIST_BRANCH, "a.A.a"), 4 * 0.25 + 8 * 0.75 * 0.25, 1e-12);
    compare_free(&c);
}

static bool has_row(const struct compare_rows *rows, const char *name)
{
    for (size_t i = 0; i < rows->n; i++)
        if (strcmp(rows->v[i].name, name) == 0)
            return true;
    return false;
}

TEST(rows_of_the_jvm_are_no_methods)
{
    const char *on[] = {"method:[GC]"};
    struct compare_options options = case_options();
    options.fail_above = 0;
    options.fail_on = on;
    options.fail_on_count = 1;
    struct comparison c = begin(&options);
    for (int side = 0; side < SIDES; side++) {
        struct result r = case_result(side, 100);
        add_branch(&r, "a.A.a", 10, 10);
        add_branch(&r, "[GC]", 10, 0);
        finish_result(&r, 1, 1);
        add_run(&c, (enum compare_side)side, side == SIDE_BASE ? "a" : "b", &r);
    }
    struct compare_judgement j = judged(&c);
    assert_false(has_row(&j.lists[LIST_OWN], "[GC]"));
    assert_false(has_row(&j.lists[LIST_WHOLE], "[GC]"));
    assert_false(has_row(&j.lists[LIST_BRANCH], "[GC]"));
    assert_false(j.gates[0].seen);
    done(&c, &j);
}

TEST(the_tree_has_each_beginning_of_a_stack)
{
    static const struct {
        const char *path;
        double energy_j;
    } expected[] = {{"m", 100}, {"m;a", 70}, {"m;a;b", 50}, {"m;b", 30}, {"[GC]", 5}};
    struct compare_options options = case_options();
    options.tree = true;
    struct comparison c = begin(&options);
    for (int side = 0; side < SIDES; side++) {
        struct result r = case_result(side, 100);
        add_branch(&r, "m;a;b", 50, 10);
        add_branch(&r, "m;a", 20, 10);
        add_branch(&r, "m;b", 30, 10);
        add_branch(&r, "[GC]", 5, 0);
        finish_result(&r, 1, 1);
        add_run(&c, (enum compare_side)side, side == SIDE_BASE ? "a" : "b", &r);
    }
    struct compare_judgement j = judged(&c);
    assert_int_equal(j.lists[LIST_TREE].n, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < j.lists[LIST_TREE].n; i++) {
        const struct compare_row *row = &j.lists[LIST_TREE].v[i];
        char *path = compare_key_name(&c, LIST_TREE, row->key);
        bool known = false;
        assert_null(row->name);
        assert_int_equal(row->key, i);
        assert_int_equal(row->runs_needed, 0);
        for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++)
            if (strcmp(path, expected[k].path) == 0) {
                NEAR(row->e.new_j, expected[k].energy_j, 1e-12);
                known = true;
            }
        assert_true(known);
        free(path);
    }
    done(&c, &j);
}

TEST(a_run_has_its_totals)
{
    static const double expected[TOTALS] = {45, 1, 2, 3, 4, 5, 6, 7, 8};
    struct compare_options options = case_options();
    struct comparison c = begin(&options);
    struct result r = case_result(1, 100);
    add_branch(&r, "a.A.a", 1, 10);
    finish_result(&r, 1, 1);
    r.process_j = 45;
    r.native_j[NATIVE_GC] = 2;
    r.native_j[NATIVE_JIT] = 3;
    r.native_j[NATIVE_JFR] = 4;
    r.native_j[NATIVE_VM] = 5;
    r.unattributed_j = 6;
    r.outside_j = 7;
    r.baseline_j = 8;
    add_run(&c, SIDE_BASE, "a", &r);
    for (size_t total = 0; total < TOTALS; total++)
        assert_same(c.runs[SIDE_BASE].v[0].totals_j[total], expected[total]);
    compare_free(&c);
}

TEST(nothing_is_divided_by_nothing)
{
    static const double bad[] = {0, -1, (double)NAN, (double)INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct compare_options options = case_options();
        struct error err = {0};
        options.per = PER_SECOND;
        struct comparison c = begin(&options);
        struct result r = case_result(1, 100);
        add_branch(&r, "a.A.a", 1, 10);
        finish_result(&r, bad[i], 1);
        assert_int_equal(compare_add(&c, SIDE_BASE, "a", &r, &err), STATUS_MISSING);
        assert_has(err.text, "has no second with power to divide");
        result_free(&r);
        compare_free(&c);
    }
}

TEST(cpu_seconds_are_those_of_cycles_with_power)
{
    struct compare_options options = case_options();
    options.per = PER_CPU_SECOND;
    struct comparison c = begin(&options);
    struct result r = case_result(1, 100);
    add_branch(&r, "a.A.a", 30, 10);
    finish_result(&r, 1, 2);
    struct result_cycle cycle = r.cycles.v[0];
    vec_push(&r.cycles, cycle);
    cycle.power_w = NAN;
    vec_push(&r.cycles, cycle);
    add_run(&c, SIDE_BASE, "a", &r);
    NEAR(c.runs[SIDE_BASE].v[0].divisor, 4, 1e-12);
    compare_free(&c);
}

TEST(a_run_is_the_same_by_its_start_its_process_and_its_totals)
{
    struct compare_options options = case_options();
    struct comparison c = begin(&options);
    for (int i = 0; i < 6; i++) {
        struct result r = case_result(i == 1 || i == 5 ? 2 : 1, 100);
        add_branch(&r, "a.A.a", i == 2 ? 31 : 30, 10);
        finish_result(&r, 1, 2);
        r.pid = i == 3 ? 8 : 7;
        add_run(&c, SIDE_BASE, "r", &r);
    }
    assert_int_equal(c.runs[SIDE_BASE].n, 4); /* the last two are the first two again */
    assert_int_equal(c.notes.n, 2);
    compare_free(&c);
}

/* ---- Gates ---- */

/* One run a side. Of base and new the methods have 1/2 and 1/4 of the weight of a thread of 100 and 120 J with 400
 * samples: p (1 - p) times 100^2 / 400 = 25, and 36. At a limit of 10 % the base is times 1.1, its V times 1.21. */
TEST(the_lower_end_of_a_gate_is_that_of_the_difference_to_the_raised_base)
{
    const char *on[] = {"method:a.A.a", "method:a.B."};
    for (size_t gates = 1; gates <= 2; gates++) {
        struct compare_options options = case_options();
        options.fail_above = 0.1;
        options.fail_on = on;
        options.fail_on_count = gates;
        struct comparison c = begin(&options);
        for (int side = 0; side < SIDES; side++) {
            double half_j = side == SIDE_BASE ? 50 : 60;
            struct result r = case_result(side, 400);
            add_branch(&r, "a.A.a", half_j, 200);
            add_branch(&r, "a.B.b", half_j / 2, 100);
            add_branch(&r, "a.C.c", half_j / 2, 100);
            finish_result(&r, 1, 1);
            add_run(&c, (enum compare_side)side, side == SIDE_BASE ? "a" : "b", &r);
        }
        struct compare_judgement j = judged(&c);
        double z = gates == 1 ? 1.959964 : 2.241403; /* 0.975, or 0.9875 for one of two */
        assert_int_equal(j.gate_count, gates);
        for (size_t g = 0; g < gates; g++) {
            double p = g == 0 ? 0.5 : 0.25, spread = p * (1 - p), v = spread * (25 * 1.21 + 36),
                   is = spread * (25 + 36);
            NEAR(j.gates[g].low_j, p * (120 - 110) - (z * sqrt(v) + v / (p * (120 + 110))), 1e-5);
            NEAR(j.gates[g].e.base_j, p * 100, 1e-12);
            NEAR(j.gates[g].e.half_width_j, z * sqrt(is) + is / (p * (100 + 120)), 1e-5);
            assert_true(j.gates[g].decided);
            assert_false(j.gates[g].failed);
        }
        done(&c, &j);
    }
}

TEST(a_gate_sees_what_one_side_alone_has_however_little)
{
    const char *on[] = {"method:a.A.old", "method:a.A.fresh", "method:a.A.none"};
    struct compare_options options = case_options();
    options.fail_above = 0.1;
    options.fail_on = on;
    options.fail_on_count = 3;
    struct comparison c = begin(&options);
    for (int side = 0; side < SIDES; side++) {
        struct result r = case_result(side, 400);
        add_branch(&r, side == SIDE_BASE ? "a.A.old" : "a.A.fresh", 0.5, 200);
        finish_result(&r, 1, 1);
        add_run(&c, (enum compare_side)side, side == SIDE_BASE ? "a" : "b", &r);
    }
    struct compare_judgement j = judged(&c);
    assert_true(j.gates[0].seen);
    assert_true(j.gates[1].seen);
    assert_false(j.gates[2].seen);
    assert_string_equal(j.gates[1].name, "method:a.A.fresh");
    assert_int_equal(j.lists[LIST_GATE].n, 0); /* gates are judged by themselves */
    done(&c, &j);
}

TEST(a_gate_that_names_nothing_is_of_the_process)
{
    struct compare_options options = case_options();
    options.fail_above = 0.1;
    struct comparison c = begin(&options);
    for (int run = 0; run < 2; run++) {
        add_one(&c, SIDE_BASE, run, 100);
        add_one(&c, SIDE_NEW, 10 + run, 111);
    }
    struct compare_judgement j = judged(&c);
    assert_int_equal(j.gate_count, 1);
    assert_string_equal(j.gates[0].name, "process");
    NEAR(j.gates[0].low_j, 1, 1e-9); /* runs that are the same to the last digit */
    assert_true(j.gates[0].failed);
    assert_int_equal(j.lists[LIST_GATE].n, 0);
    assert_int_equal(j.lists[LIST_TREE].n, 0);
    done(&c, &j);
}

TEST(an_increase_of_the_limit_is_not_above_it)
{
    struct compare_options options = case_options();
    options.fail_above = 0.5;
    struct comparison c = begin(&options);
    for (int run = 0; run < 2; run++) {
        add_one(&c, SIDE_BASE, run, 100);
        add_one(&c, SIDE_NEW, 10 + run, 150);
    }
    struct compare_judgement j = judged(&c);
    assert_same(j.gates[0].low_j, 0.0);
    assert_false(j.gates[0].failed);
    done(&c, &j);
}

/* ---- One side ---- */

static struct compare_spread spread(struct comparison *c, const double *energy_j, size_t count)
{
    struct compare_options options = case_options();
    struct compare_spread s;
    *c = begin(&options);
    for (size_t i = 0; i < count; i++)
        add_one(c, SIDE_BASE, (int64_t)i, energy_j[i]);
    compare_spread(c, &s);
    return s;
}

static void spread_done(struct comparison *c, struct compare_spread *s)
{
    compare_spread_free(s);
    compare_free(c);
}

static void assert_outliers(const double *values, size_t count, const size_t *expected, size_t expected_count)
{
    struct comparison c;
    struct compare_spread s = spread(&c, values, count);
    assert_int_equal(s.totals[TOTAL_PROCESS].outliers.n, expected_count);
    for (size_t i = 0; i < expected_count; i++)
        assert_int_equal(s.totals[TOTAL_PROCESS].outliers.v[i], expected[i]);
    spread_done(&c, &s);
}

TEST(outliers_keep_the_number_of_their_run)
{
    static const double first[] = {300, 20, 20.4, 40, 19.8, 20.1, 19.9, 20.2, 20.3, 19.7};
    static const double second[] = {20, 300, 20.4, 40, 19.8, 20.1, 19.9, 20.2, 20.3, 19.7};
    static const double three[] = {20, 300, 20.4, 40, 5000, 20.1, 19.9, 20.2, 20.3, 19.7, 19.8, 20.05};
    static const size_t of_first[] = {0, 3}, of_second[] = {1, 3}, of_three[] = {4, 1, 3};
    assert_outliers(first, 10, of_first, 2);
    assert_outliers(second, 10, of_second, 2);
    assert_outliers(three, 12, of_three, 3);
}

/* The farthest of three is 2 / sqrt(3) = 1.15470 sd from their mean at the most, and the limit 1.15431. */
TEST(one_of_three_runs_may_be_an_outlier)
{
    static const double values[] = {100, 100, 200};
    static const size_t expected[] = {2};
    assert_outliers(values, 3, expected, 1);
    assert_outliers(values, 2, NULL, 0);
}

/* b x i and (2, -1, -2, -1, 2), which has no slope: t = b / sqrt(14 / 3 / 10), with 3 degrees of freedom, where 5 % is
 * 3.1824 (2 have 4.3027, 4 have 2.7764). */
TEST(a_drift_is_told_by_the_t_test_of_the_slope)
{
    static const double residuals[] = {2, -1, -2, -1, 2};
    for (int told = 0; told < 2; told++) {
        double slope = told != 0 ? 2.4 : 2.0, values[5]; /* t = 3.513, and 2.928 */
        struct comparison c;
        for (int i = 0; i < 5; i++)
            values[i] = 100 + slope * i + residuals[i];
        struct compare_spread s = spread(&c, values, 5);
        if (s.drift_known)
            NEAR(s.totals[TOTAL_PROCESS].drift, told != 0 ? 2.4 / 104.8 : 0, 1e-12);
        spread_done(&c, &s);
    }
}

TEST(a_drift_takes_four_runs)
{
    static const double values[][4] = {{100, 102, 104, 106}, {0.1, 0.102, 0.104, 0.106}};
    for (size_t i = 0; i < 2; i++)
        for (size_t count = 3; count <= 4; count++) {
            struct comparison c;
            struct compare_spread s = spread(&c, values[i], count);
            if (s.drift_known)
                NEAR(s.totals[TOTAL_PROCESS].drift, count == 4 ? 2.0 / 103 : 0, 1e-12);
            spread_done(&c, &s);
        }
}

/* sqrt(e^2 / n x p (1 - p)): 100 samples, half of them: e / 20; the mean of 10 and 20 J is 0.75. */
TEST(the_sampling_error_of_a_method_is_the_mean_over_the_runs)
{
    struct compare_options options = case_options();
    struct comparison c = begin(&options);
    struct compare_spread s;
    for (int run = 0; run < 2; run++) {
        struct result r = case_result(run, 100);
        add_branch(&r, "a.A.a", run == 0 ? 5 : 10, 50);
        add_branch(&r, "a.A.b", run == 0 ? 5 : 10, 50);
        finish_result(&r, 1, 1);
        add_run(&c, SIDE_BASE, run == 0 ? "one" : "two", &r);
    }
    compare_spread(&c, &s);
    assert_int_equal(s.lists[LIST_OWN].n, 2);
    NEAR(s.lists[LIST_OWN].v[0].sampling_half_width_j, 1.96 * 0.75, 1e-12);
    NEAR(s.lists[LIST_OWN].v[0].stats.mean, 7.5, 1e-12);
    assert_string_equal(s.lists[LIST_OWN].v[0].name, "a.A.a");
    assert_string_equal(s.lists[LIST_OWN].v[1].name, "a.A.b");
    assert_int_equal(s.lists[LIST_BRANCH].n, 2);
    assert_int_equal(s.lists[LIST_TREE].n, 0);
    assert_true(isnan(s.totals[TOTAL_PROCESS].sampling_half_width_j));
    assert_string_equal(s.totals[TOTAL_BASELINE].name, "baseline");
    spread_done(&c, &s);
}

/* ---- Alike ---- */

TEST(every_fact_that_differs_is_said)
{
    static const char *const expected[] = {
        "CPU model: A CPU (a); not said (b)",
        "CPUs: 1 (a); not said (b)",
        "JVM: VM (a); not said (b)",
        "power source: rapl (a); estimate, estimated, of the process alone (b)",
        "samples: jdk.CPUTimeSample (a); jdk.ExecutionSample (b)",
        "sampling period: 10 ms (a); not said (b)",
        "process's share from: the power log (a); the user (b)",
        "CPU time of threads from: thread records (a); sample weights (b)",
        "idle power: is nobody's (a); goes to whoever runs (b)",
        "baseline: not taken away (a); taken away (b)",
        "DebugNonSafepoints: off (a); on (b)",
    };
    struct compare_options options = case_options();
    struct comparison c = begin(&options);
    struct compare_texts texts;
    for (int side = 0; side < SIDES; side++) {
        struct result r = case_result(side, 100);
        add_branch(&r, "a.A.a", 1, 10);
        finish_result(&r, 1, 1);
        bool first = side == SIDE_BASE;
        r.cpu_model = first ? mem_strdup("A CPU") : NULL;
        r.cpus = first ? 1 : 0;
        r.jvm_name = first ? mem_strdup("VM") : mem_strdup("");
        r.power_source = mem_strdup(first ? "rapl" : "estimate");
        r.estimated = r.process_power_only = !first;
        r.sampler = first ? SAMPLER_CPU_TIME : SAMPLER_EXECUTION;
        r.quality.period_set = first ? mem_strdup("10 ms") : NULL;
        r.share_source = first ? SHARE_FROM_LOG : SHARE_BY_HAND;
        r.cpu_source = first ? CPU_THREAD_RECORDS : CPU_WEIGHTS;
        r.idle_is_shared = !first;
        r.baseline_j = first ? 0 : 0.5;
        r.quality.debug_non_safepoints = !first;
        add_run(&c, (enum compare_side)side, first ? "a" : "b", &r);
    }
    compare_alike(&c, &texts);
    assert_int_equal(texts.n, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < texts.n; i++)
        assert_string_equal(texts.v[i], expected[i]);
    compare_texts_free(&texts);
    compare_free(&c);
}

TEST(three_runs_are_named_and_the_others_counted)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    struct compare_options options = case_options();
    struct comparison c = begin(&options);
    struct compare_texts texts;
    for (int run = 0; run < 8; run++) {
        struct result r = case_result(run, 100);
        add_branch(&r, "a.A.a", 1, 10);
        finish_result(&r, 1, 1);
        r.quality.debug_non_safepoints = run >= 5;
        add_run(&c, run == 0 ? SIDE_BASE : SIDE_NEW, names[run], &r);
    }
    compare_alike(&c, &texts);
    assert_int_equal(texts.n, 1);
    assert_string_equal(texts.v[0], "DebugNonSafepoints: off (a, b, c and 2 more); on (f, g, h)");
    compare_texts_free(&texts);
    compare_free(&c);
}

/* Of 2 CPUs for 1 s: BUSY_S of the machine, 0.2 of them the process's. */
static void add_busy(struct comparison *c, const char *name, double busy_s)
{
    struct result r = case_result(name[0], 100);
    add_branch(&r, "a.A.a", 1, 10);
    finish_result(&r, 1, 0.2);
    struct result_cycle known = r.cycles.v[0], unknown = known;
    r.cycles.v[0].process_cpu_ns = NAN;
    unknown.busy_ns = NAN;
    vec_push(&r.cycles, unknown);
    known.busy_ns = busy_s * 1e9;
    vec_push(&r.cycles, known);
    add_run(c, SIDE_BASE, name, &r);
}

TEST(the_load_of_others_is_said_where_it_is_far_apart)
{
    static const struct {
        double busy_s[3];
        const char *expected;
    } cases[] = {
        {{1.4, 0.8, 2.0}, "load of others: 30 % of the CPUs (b) to 90 % (c)"},
        {{1.4, 1.4, 1.4}, NULL},
        {{1.4, 1.4, 2.0}, "load of others: 60 % of the CPUs (a) to 90 % (c)"},
        {{1.4, 2.0, 2.0}, "load of others: 60 % of the CPUs (a) to 90 % (b)"},
        {{1.0, 1.08, 1.0}, NULL},                                               /* 4 % apart */
        {{1.0, 1.12, 1.0}, "load of others: 40 % of the CPUs (a) to 46 % (b)"}, /* 6 % */
        {{0.1, 0.2, 0.4}, "load of others: 0 % of the CPUs (a) to 10 % (c)"},   /* none is less than nothing */
        {{(double)NAN, 1.4, 0.8}, "load of others: 30 % of the CPUs (c) to 60 % (b)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct compare_options options = case_options();
        struct comparison c = begin(&options);
        struct compare_texts texts;
        add_busy(&c, "a", cases[i].busy_s[0]);
        add_busy(&c, "b", cases[i].busy_s[1]);
        add_busy(&c, "c", cases[i].busy_s[2]);
        compare_alike(&c, &texts);
        assert_int_equal(texts.n, cases[i].expected != NULL);
        if (texts.n != 0)
            assert_string_equal(texts.v[0], cases[i].expected);
        compare_texts_free(&texts);
        compare_free(&c);
    }
}

/* The drift of a_drift_is_told_by_the_t_test_of_the_slope, p = 0.039, is told of one method, and not of one of two. */
TEST(methods_share_the_risk_of_a_false_alarm)
{
    static const double residuals[] = {2, -1, -2, -1, 2};
    for (int methods = 1; methods <= 2; methods++) {
        struct compare_options options = case_options();
        options.per = PER_UNIT;
        options.units[SIDE_BASE] = 100;
        struct comparison c = begin(&options);
        struct compare_spread s;
        for (int i = 0; i < 5; i++) {
            struct result r = case_result(i, 100);
            add_branch(&r, "a.A.a", 100 + 2.4 * i + residuals[i], 50);
            if (methods == 2)
                add_branch(&r, "a.B.b", 10, 50);
            finish_result(&r, 1, 1);
            add_run(&c, SIDE_BASE, "r", &r);
        }
        compare_spread(&c, &s);
        NEAR(s.totals[TOTAL_JAVA].stats.mean, methods == 1 ? 1.048 : 1.148, 1e-12);
        for (int list = 0; list <= LIST_WHOLE; list++) {
            assert_int_equal(s.lists[list].n, methods);
            NEAR(s.lists[list].v[0].stats.mean, 1.048, 1e-12);
            if (s.drift_known)
                NEAR(s.lists[list].v[0].drift, methods == 1 ? 2.4 / 104.8 : 0, 1e-12);
        }
        spread_done(&c, &s);
    }
}

/* m has 1/2 of the first thread's weight and 1/4 of the second's, each in two branches. */
TEST(the_variance_of_a_method_is_of_all_its_branches_on_a_thread)
{
    struct compare_options options = case_options();
    struct comparison c = begin(&options);
    struct result r = case_result(1, 100);
    add_branch(&r, "x", 10, 20);
    add_branch(&r, "m;a", 10, 10);
    add_branch(&r, "m;b", 10, 10);
    finish_result(&r, 1, 1);
    struct result_thread second = r.threads.v[0];
    r.threads.v[0].error_factor = 4;
    second.error_factor = 16;
    second.weight_ns = 80e7;
    vec_push(&r.threads, second);
    vec_push(&r.weights, ((struct result_weight){1, 0, 60e7}));
    vec_push(&r.weights, ((struct result_weight){1, 1, 10e7}));
    vec_push(&r.weights, ((struct result_weight){1, 2, 10e7}));
    add_run(&c, SIDE_BASE, "a", &r);
    NEAR(variance_of(&c, LIST_WHOLE, "m"), 4 * 0.25 + 16 * 0.25 * 0.75, 1e-12);
    NEAR(variance_of(&c, LIST_OWN, "x"), 4 * 0.25 + 16 * 0.75 * 0.25, 1e-12);
    compare_free(&c);
}

TEST(half_a_second_divides_too)
{
    struct compare_options options = case_options();
    options.per = PER_SECOND;
    struct comparison c = begin(&options);
    struct result r = case_result(1, 100);
    add_branch(&r, "a.A.a", 30, 10);
    finish_result(&r, 0.5, 2);
    add_run(&c, SIDE_BASE, "a", &r);
    assert_same(c.runs[SIDE_BASE].v[0].divisor, 0.5);
    compare_free(&c);
}

TEST(the_first_name_of_a_result_may_be_a_method)
{
    struct compare_options options = case_options();
    struct comparison c = begin(&options);
    for (int side = 0; side < SIDES; side++) {
        struct result r = case_result(side, 100);
        add_branch(&r, "thread-1", 10, 10); /* the name that case_result begins with */
        finish_result(&r, 1, 1);
        add_run(&c, (enum compare_side)side, side == SIDE_BASE ? "a" : "b", &r);
    }
    struct compare_judgement j = judged(&c);
    NEAR(row_named(&j.lists[LIST_OWN], "thread-1")->e.base_j, 10, 1e-12);
    done(&c, &j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_same_is_what_lies_within_the_limit_with_its_interval),
        CASE(what_cannot_be_told_says_how_many_runs_would_tell_it),
        CASE(what_has_no_energy_on_either_side_is_the_same),
        CASE(figures_below_a_joule_are_judged_as_others),
        CASE(identical_runs_are_the_same_within_nothing),
        CASE(more_and_less_are_told_apart),
        CASE(rows_come_by_the_size_of_the_difference_then_by_their_energy_then_by_name),
        CASE(parts_come_by_the_size_of_the_difference_too),
        CASE(what_is_new_is_not_the_same_as_nothing),
        CASE(differences_of_a_joule_and_less_are_told),
        CASE(what_is_judged_is_chosen_by_the_energy_of_a_run),
        CASE(variances_of_threads_are_added_up),
        CASE(rows_of_the_jvm_are_no_methods),
        CASE(the_tree_has_each_beginning_of_a_stack),
        CASE(a_run_has_its_totals),
        CASE(nothing_is_divided_by_nothing),
        CASE(cpu_seconds_are_those_of_cycles_with_power),
        CASE(a_run_is_the_same_by_its_start_its_process_and_its_totals),
        CASE(the_lower_end_of_a_gate_is_that_of_the_difference_to_the_raised_base),
        CASE(a_gate_sees_what_one_side_alone_has_however_little),
        CASE(a_gate_that_names_nothing_is_of_the_process),
        CASE(an_increase_of_the_limit_is_not_above_it),
        CASE(outliers_keep_the_number_of_their_run),
        CASE(one_of_three_runs_may_be_an_outlier),
        CASE(a_drift_is_told_by_the_t_test_of_the_slope),
        CASE(a_drift_takes_four_runs),
        CASE(the_sampling_error_of_a_method_is_the_mean_over_the_runs),
        CASE(every_fact_that_differs_is_said),
        CASE(three_runs_are_named_and_the_others_counted),
        CASE(the_load_of_others_is_said_where_it_is_far_apart),
        CASE(methods_share_the_risk_of_a_false_alarm),
        CASE(the_variance_of_a_method_is_of_all_its_branches_on_a_thread),
        CASE(half_a_second_divides_too),
        CASE(the_first_name_of_a_result_may_be_a_method),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
