/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs against runs: what is matched, divided, judged, and how often it is wrong. */
#include "compare_case.h"

#include "joular/comparereport.h"

#define NEAR(a, b, within)                                           \
    do {                                                             \
        double near_a = (a), near_b = (b);                           \
        if (!(fabs(near_a - near_b) <= (within)))                    \
            fail_msg("%.17g is not close to %.17g", near_a, near_b); \
    } while (0)

static struct result simple(int64_t start_ns, double own_j)
{
    struct result r = case_result(start_ns, 400);
    add_branch(&r, "a.Main.main;a.Work.one", own_j, 100);
    add_branch(&r, "a.Main.main;a.Work.two;a.Work.one", 30, 100);
    add_branch(&r, "a.Main.main;a.Work.two", 50, 200);
    add_branch(&r, "[GC]", 5, 0);
    finish_result(&r, 10, 4);
    return r;
}

static struct compare_judgement judged(struct comparison *c)
{
    struct compare_judgement j;
    compare_judge(c, &j);
    return j;
}

static void add_simple(struct comparison *c, enum compare_side side, int64_t start_ns, double own_j)
{
    char name[32];
    struct result r = simple(start_ns, own_j);
    snprintf(name, sizeof name, "run-%d", (int)start_ns);
    add_run(c, side, name, &r);
}

TEST(own_whole_and_branch_energy_are_matched)
{
    struct comparison c;
    struct compare_options options = case_options();
    compare_init(&c, &options);
    add_simple(&c, SIDE_BASE, 1, 20);
    add_simple(&c, SIDE_NEW, 2, 26);
    struct compare_judgement j = judged(&c);
    const struct compare_row *one = row_named(&j.lists[LIST_OWN], "a.Work.one");
    NEAR(one->e.base_j, 50, 1e-12);
    NEAR(one->e.new_j, 56, 1e-12);
    NEAR(one->e.delta_j, 6, 1e-12);
    NEAR(row_named(&j.lists[LIST_WHOLE], "a.Work.two")->e.base_j, 80, 1e-12);
    NEAR(row_named(&j.lists[LIST_WHOLE], "a.Main.main")->e.delta_j, 6, 1e-12);
    NEAR(row_named(&j.lists[LIST_BRANCH], "a.Main.main;a.Work.one")->e.new_j, 26, 1e-12);
    assert_int_equal(j.lists[LIST_BRANCH].n, 3); /* [GC] is a part, and no branch */
    NEAR(row_named(&j.parts, "gc")->e.base_j, 5, 1e-12);
    NEAR(j.process.e.delta_j, 6, 1e-12);
    for (size_t i = 1; i < j.lists[LIST_OWN].n; i++)
        assert_true(fabs(j.lists[LIST_OWN].v[i - 1].e.delta_j) >= fabs(j.lists[LIST_OWN].v[i].e.delta_j));
    compare_judgement_free(&j);
    compare_free(&c);
}

/* Section 7: the variance of a set is the thread's e^2 / n times p (1 - p), not the sum over its branches. */
TEST(one_run_a_side_has_the_sampling_error_of_the_set)
{
    struct comparison c;
    struct compare_options options = case_options();
    compare_init(&c, &options);
    add_simple(&c, SIDE_BASE, 1, 20);
    add_simple(&c, SIDE_NEW, 2, 20);
    struct compare_judgement j = judged(&c);
    const struct compare_row *one = row_named(&j.lists[LIST_OWN], "a.Work.one");
    double variance = 100.0 * 100 / 400 * 0.5 * 0.5; /* of either side: two of its three branches, half of the weight */
    NEAR(one->e.half_width_j, 1.959964 * sqrt(2 * variance) + 2 * variance / 100, 1e-5);
    compare_judgement_free(&j);
    compare_free(&c);
}

TEST(a_result_against_itself_is_zero_everywhere)
{
    struct comparison c;
    struct compare_options options = case_options();
    options.fail_above = 0;
    options.tree = true;
    compare_init(&c, &options);
    for (int64_t run = 0; run < 3; run++) {
        add_simple(&c, SIDE_BASE, run, 20 + (double)run);
        add_simple(&c, SIDE_NEW, run, 20 + (double)run);
    }
    struct compare_judgement j = judged(&c);
    assert_same(j.process.e.delta_j, 0.0);
    for (size_t i = 0; i < j.parts.n; i++)
        assert_same(j.parts.v[i].e.delta_j, 0.0);
    for (size_t list = 0; list < LISTS; list++)
        for (size_t i = 0; i < j.lists[list].n; i++) {
            assert_same(j.lists[list].v[i].e.delta_j, 0.0);
            assert_true(j.lists[list].v[i].verdict >= VERDICT_SAME);
        }
    assert_int_equal(j.gate_count, 1);
    assert_false(j.gates[0].failed);
    compare_judgement_free(&j);
    compare_free(&c);
}

TEST(the_order_of_the_runs_of_a_side_does_not_matter)
{
    static const int64_t orders[2][4] = {{1, 2, 3, 4}, {3, 1, 4, 2}};
    struct compare_judgement j[2];
    struct comparison c[2];
    struct compare_options options = case_options();
    for (int k = 0; k < 2; k++) {
        compare_init(&c[k], &options);
        for (int i = 0; i < 4; i++) {
            add_simple(&c[k], SIDE_BASE, orders[k][i], 20 + 0.1 * (double)orders[k][i]);
            add_simple(&c[k], SIDE_NEW, 10 + orders[k][i], 22 + 0.3 * (double)orders[k][i]);
        }
        j[k] = judged(&c[k]);
    }
    assert_same(j[0].process.e.half_width_j, j[1].process.e.half_width_j);
    for (size_t i = 0; i < j[0].lists[LIST_OWN].n; i++) {
        assert_string_equal(j[0].lists[LIST_OWN].v[i].name, j[1].lists[LIST_OWN].v[i].name);
        assert_same(j[0].lists[LIST_OWN].v[i].e.p, j[1].lists[LIST_OWN].v[i].e.p);
        assert_same(j[0].lists[LIST_OWN].v[i].e.delta_j, j[1].lists[LIST_OWN].v[i].e.delta_j);
    }
    for (int k = 0; k < 2; k++) {
        compare_judgement_free(&j[k]);
        compare_free(&c[k]);
    }
}

TEST(of_equal_energies_the_names_decide_what_is_judged)
{
    for (int swapped = 0; swapped < 2; swapped++) {
        struct comparison c;
        struct compare_options options = case_options();
        options.top = 1;
        compare_init(&c, &options);
        for (int i = 0; i < 2; i++) { /* the names come in another order in either run */
            int64_t run = i ^ swapped;
            struct result r = case_result(run, 100);
            add_branch(&r, run == 0 ? "a.A.a" : "a.B.b", 10, 50);
            add_branch(&r, run == 0 ? "a.B.b" : "a.A.a", 10, 50);
            finish_result(&r, 1, 1);
            add_run(&c, SIDE_BASE, run == 0 ? "one" : "two", &r);
        }
        struct compare_spread s;
        compare_spread(&c, &s);
        assert_string_equal(s.lists[LIST_OWN].v[0].name, "a.A.a");
        compare_spread_free(&s);
        compare_free(&c);
    }
}

TEST(the_same_run_counts_once)
{
    struct comparison c;
    struct compare_options options = case_options();
    compare_init(&c, &options);
    add_simple(&c, SIDE_BASE, 1, 20);
    add_simple(&c, SIDE_BASE, 1, 20);
    add_simple(&c, SIDE_NEW, 1, 20);
    assert_int_equal(c.runs[SIDE_BASE].n, 1);
    assert_int_equal(c.runs[SIDE_NEW].n, 1); /* on the other side it is another matter */
    assert_int_equal(c.notes.n, 1);
    assert_has(c.notes.v[0], "counts once");
    compare_free(&c);
}

TEST(names_that_change_are_one_method_unless_exact)
{
    for (int exact = 0; exact < 2; exact++) {
        struct comparison c;
        struct compare_options options = case_options();
        options.exact_names = exact != 0;
        compare_init(&c, &options);
        for (int side = 0; side < SIDES; side++) {
            struct result r = case_result(side, 100);
            add_branch(&r, side == 0 ? "a.L$$Lambda$1/0x01.run" : "a.L$$Lambda/0xff.run", 10, 50);
            add_branch(&r, side == 0 ? "a.L$$Lambda$2/0x02.run" : "a.L$$Lambda/0xfe.run", 10, 50);
            finish_result(&r, 1, 1);
            add_run(&c, (enum compare_side)side, side == 0 ? "a" : "b", &r);
        }
        struct compare_judgement j = judged(&c);
        assert_int_equal(j.lists[LIST_OWN].n, exact ? 4 : 1);
        assert_int_equal(j.lists[LIST_BRANCH].n, exact ? 4 : 1);
        if (!exact)
            NEAR(row_named(&j.lists[LIST_OWN], "a.L$$Lambda.run")->e.base_j, 20, 1e-12);
        compare_judgement_free(&j);
        compare_free(&c);
    }
}

TEST(energy_is_divided_by_what_is_asked_for)
{
    static const struct {
        enum compare_per per;
        double base, fresh;
    } rows[] = {{PER_RUN, 105, 111},
                {PER_SECOND, 10.5, 11.1},
                {PER_CPU_SECOND, 26.25, 27.75},
                {PER_UNIT, 0.105, 0.0925}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct comparison c;
        char words[160];
        struct compare_options options = case_options();
        options.per = rows[i].per;
        options.units[SIDE_BASE] = 1000;
        options.units[SIDE_NEW] = 1200;
        compare_init(&c, &options);
        add_simple(&c, SIDE_BASE, 1, 20);
        add_simple(&c, SIDE_NEW, 2, 26);
        struct compare_judgement j = judged(&c);
        NEAR(j.process.e.base_j, rows[i].base, 1e-9);
        NEAR(j.process.e.new_j, rows[i].fresh, 1e-9);
        const struct compare_row *one = row_named(&j.lists[LIST_OWN], "a.Work.one");
        double by = 105 / rows[i].base, new_by = 111 / rows[i].fresh; /* what each side is divided by */
        double half = 1.959964 * sqrt(pow(100 / by, 2) + pow(106 / new_by, 2)) * 0.5 / 20; /* e^2 / n p (1 - p) */
        NEAR(one->e.base_j, 50 / by, 1e-9);
        NEAR(one->e.new_j, 56 / new_by, 1e-9);
        assert_true(one->e.half_width_j > half && one->e.half_width_j < 1.3 * half); /* and a sample's energy */
        NEAR(compare_percent(&j.process.e), 100 * (rows[i].fresh / rows[i].base - 1), 1e-6);
        assert_has(compare_unit_words(&c, words, sizeof words), i == 3 ? "base: 1000 a run, new: 1200" : "J per ");
        compare_judgement_free(&j);
        compare_free(&c);
    }
}

TEST(without_cpu_time_there_is_nothing_to_divide_by)
{
    struct comparison c;
    struct error err = {0};
    struct compare_options options = case_options();
    options.per = PER_CPU_SECOND;
    compare_init(&c, &options);
    struct result r = simple(1, 20);
    r.cycles.v[0].process_cpu_ns = NAN;
    assert_int_equal(compare_add(&c, SIDE_BASE, "a", &r, &err), STATUS_MISSING);
    assert_has(err.text, "CPU time of the process");
    assert_int_equal(c.runs[SIDE_BASE].n, 0);
    result_free(&r);
    compare_free(&c);
}

TEST(runs_that_are_not_alike_are_named)
{
    struct comparison c;
    struct compare_texts texts;
    struct compare_options options = case_options();
    compare_init(&c, &options);
    add_simple(&c, SIDE_BASE, 1, 20);
    add_simple(&c, SIDE_NEW, 2, 20);
    compare_alike(&c, &texts);
    assert_int_equal(texts.n, 0);
    compare_texts_free(&texts);
    struct result r = simple(3, 20);
    r.cpus = 8;
    r.sampler = SAMPLER_EXECUTION;
    r.cpu_model = mem_strdup("Other CPU");
    r.jvm_name = mem_strdup("VM 17");
    r.power_source = mem_strdup("rapl");
    r.quality.period_set = mem_strdup("20 ms");
    r.baseline_j = 3;
    r.cycles.v[0].busy_ns = 8e9; /* 4 s of others, on 8 cpus in a second */
    add_run(&c, SIDE_NEW, "odd", &r);
    compare_alike(&c, &texts);
    static const char *const wanted[] = {"CPU model: not said (run-1, run-2); Other CPU (odd)",
                                         "CPUs: 2 (run-1, run-2); 8 (odd)",
                                         "JVM: not said (run-1, run-2); VM 17 (odd)",
                                         "power source: not said (run-1, run-2); rapl (odd)",
                                         "samples: jdk.CPUTimeSample (run-1, run-2); jdk.ExecutionSample (odd)",
                                         "sampling period: not said (run-1, run-2); 20 ms (odd)",
                                         "baseline: not taken away (run-1, run-2); taken away (odd)",
                                         "load of others: 0 % of the CPUs (run-1) to 50 % (odd)"};
    assert_int_equal(texts.n, sizeof wanted / sizeof wanted[0]);
    for (size_t i = 0; i < texts.n; i++)
        assert_string_equal(texts.v[i], wanted[i]);
    compare_texts_free(&texts);
    compare_free(&c);
}

/* ---- Gates ---- */

static bool gate_fails(double fail_above, const char *on, double base_j, double new_j, double spread, int runs)
{
    struct comparison c;
    struct chance chance = {12};
    struct compare_options options = case_options();
    options.fail_above = fail_above;
    options.fail_on = &on;
    options.fail_on_count = on != NULL;
    compare_init(&c, &options);
    for (int run = 0; run < runs; run++) {
        add_simple(&c, SIDE_BASE, run, base_j + spread * chance_normal(&chance));
        add_simple(&c, SIDE_NEW, 100 + run, new_j + spread * chance_normal(&chance));
    }
    struct compare_judgement j = judged(&c);
    bool failed = j.gates[0].failed;
    compare_judgement_free(&j);
    compare_free(&c);
    return failed;
}

TEST(a_gate_fails_where_the_increase_is_certainly_above_its_limit)
{
    assert_true(gate_fails(0.05, NULL, 20, 35, 0.5, 5));                /* 105 to 120 J: 14 % */
    assert_false(gate_fails(0.05, NULL, 20, 24, 0.5, 5));               /* 4 % */
    assert_false(gate_fails(0.05, NULL, 20, 26, 3, 5));                 /* 6 %, and not certain */
    assert_false(gate_fails(0.05, NULL, 35, 20, 0.5, 5));               /* less */
    assert_false(gate_fails(0.05, NULL, 20, 200, 0.5, 1));              /* one run a side says nothing of the process */
    assert_true(gate_fails(1.0, "method:a.Work.one", 20, 220, 0.5, 5)); /* 50 to 250 J */
    assert_false(gate_fails(1.0, "method:a.Work.one", 20, 60, 0.5, 5)); /* 50 to 90 J */
    assert_true(gate_fails(0.05, "method:a.Work", 20, 220, 0.5, 5));
    assert_true(gate_fails(0.05, "process", 20, 220, 0.5, 5));
}

TEST(a_gate_of_a_prefix_counts_a_stack_once_and_one_that_nobody_has_is_not_seen)
{
    struct comparison c;
    const char *on[] = {"method:a.Work", "method:b."};
    struct compare_options options = case_options();
    options.fail_above = 0;
    options.fail_on = on;
    options.fail_on_count = 2;
    compare_init(&c, &options);
    add_simple(&c, SIDE_BASE, 1, 20);
    add_simple(&c, SIDE_NEW, 2, 20);
    struct compare_judgement j = judged(&c);
    NEAR(j.gates[0].e.base_j, 100, 1e-12);
    assert_true(j.gates[0].seen);
    assert_false(j.gates[1].seen);
    compare_judgement_free(&j);
    compare_free(&c);
}

/* ---- How often it is wrong: events in N draws lie within 4 sd of their rate in all but 6 of 100,000 seeds ---- */

#define METHODS 12
#define CYCLES 20

/* A thread with 50 samples in each of 20 cycles, over methods of shares P, and SCALE more of the first; the energy of a
 * cycle is 5 J. RUN: how far runs differ. */
static struct result sampled(struct chance *chance, int64_t start_ns, const double *p, double scale, double run)
{
    struct result r = case_result(start_ns, 50 * CYCLES);
    unsigned counts[METHODS] = {0}, drawn[METHODS];
    double shares[METHODS], sum = 0, factor = 1 + run * chance_normal(chance);
    for (size_t k = 0; k < METHODS; k++)
        sum += shares[k] = p[k] * (k == 0 ? scale : 1) * (1 + run * chance_normal(chance));
    for (size_t k = 0; k < METHODS; k++)
        shares[k] /= sum;
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        chance_multinomial(chance, 50, shares, METHODS, drawn);
        for (size_t k = 0; k < METHODS; k++)
            counts[k] += drawn[k];
    }
    for (size_t k = 0; k < METHODS; k++) {
        char name[16];
        snprintf(name, sizeof name, "m.M.m%zu", k);
        if (counts[k] != 0)
            add_branch(&r, name, 0.1 * counts[k] * sum * factor, counts[k]);
    }
    finish_result(&r, CYCLES, CYCLES);
    return r;
}

static const double shares[METHODS] = {0.3, 0.2, 0.12, 0.1, 0.08, 0.06, 0.05, 0.04, 0.03, 0.01, 0.006, 0.004};

struct tallied {
    double any;     /* draws with a less or more in the methods' own energy */
    double found;   /* draws where the first method is more */
    double covered; /* intervals that hold the true difference, of the methods */
};

static struct tallied simulate(unsigned draws, int runs, double scale, double run)
{
    struct chance chance = {20261129};
    struct tallied t = {0};
    double covered = 0, intervals = 0;
    for (unsigned draw = 0; draw < draws; draw++) {
        struct comparison c;
        struct compare_options options = case_options();
        bool any = false;
        compare_init(&c, &options);
        for (int i = 0; i < 2 * runs; i++) {
            struct result r = sampled(&chance, i, shares, i % 2 != 0 ? scale : 1, run);
            add_run(&c, i % 2 != 0 ? SIDE_NEW : SIDE_BASE, "r", &r);
        }
        struct compare_judgement j = judged(&c);
        for (size_t i = 0; i < j.lists[LIST_OWN].n; i++) {
            const struct compare_row *row = &j.lists[LIST_OWN].v[i];
            any |= row->verdict <= VERDICT_MORE;
            covered += fabs(row->e.delta_j) <= row->e.half_width_j;
            intervals++;
            t.found += strcmp(row->name, "m.M.m0") == 0 && row->verdict == VERDICT_MORE;
        }
        t.any += any;
        compare_judgement_free(&j);
        compare_free(&c);
    }
    t.any /= draws;
    t.found /= draws;
    t.covered = covered / intervals;
    return t;
}

TEST(one_run_a_side_against_its_like_gives_false_alarms_at_the_stated_rate_and_no_more)
{
    const unsigned draws = 3000 / (unsigned)every_nth(20);
    struct tallied t = simulate(draws, 1, 1, 0);
    assert_true(t.any <= 0.05 + 4 * sqrt(0.05 * 0.95 / draws));
    assert_true(t.any >= 0.01); /* it is a test, and not a refusal to say anything */
    assert_true(t.covered >= 0.95 - 4 * sqrt(0.05 * 0.95 / draws));
    assert_true(t.covered <= 0.985); /* the energy of one sample makes it wider where samples are few */
}

TEST(five_runs_a_side_against_their_like_give_false_alarms_at_the_stated_rate_and_no_more)
{
    const unsigned draws = 1500 / (unsigned)every_nth(20);
    struct tallied t = simulate(draws, 5, 1, 0.3); /* runs differ by more than sampling does */
    assert_true(t.any <= 0.05 + 4 * sqrt(0.05 * 0.95 / draws));
    assert_true(t.any >= 0.01);
    assert_true(t.covered >= 0.95 - 4 * sqrt(0.05 * 0.95 / draws));
    assert_true(t.covered <= 0.97);
}

TEST(runs_that_differ_by_sampling_alone_give_fewer)
{
    const unsigned draws = 300 / (unsigned)every_nth(20);
    struct tallied t = simulate(draws, 5, 1, 0);
    assert_true(t.any <= 0.05 + 4 * sqrt(0.05 * 0.95 / draws));
    assert_true(t.covered >= 0.95);
}

TEST(ten_percent_more_in_one_method_are_found)
{
    struct tallied t =
        simulate(200 / (unsigned)every_nth(20), 5, 1.3, 0.02); /* 30 % of a method of 30 %, which are 9 % of all */
    assert_true(t.found >= 0.95);
    t = simulate(100 / (unsigned)every_nth(20), 20, 1.1, 0.02); /* 10 % of the method itself takes more runs */
    assert_true(t.found >= 0.9);
}

/* ---- One side ---- */

TEST(spread_has_mean_sd_interval_outliers_and_drift)
{
    static const double own[] = {20, 20.4, 19.8, 20.1, 19.9, 20.2, 60};
    struct comparison c;
    struct compare_spread s;
    struct compare_options options = case_options();
    compare_init(&c, &options);
    for (int64_t i = 0; i < 7; i++)
        add_simple(&c, SIDE_BASE, i, own[i]);
    compare_spread(&c, &s);
    assert_int_equal(s.totals[TOTAL_PROCESS].stats.n, 7);
    NEAR(s.totals[TOTAL_PROCESS].stats.mean, 85 + (20 + 20.4 + 19.8 + 20.1 + 19.9 + 20.2 + 60) / 7, 1e-9);
    assert_int_equal(s.totals[TOTAL_PROCESS].outliers.n, 1);
    assert_int_equal(s.totals[TOTAL_PROCESS].outliers.v[0], 6);
    assert_int_equal(s.totals[TOTAL_GC].outliers.n, 0);
    assert_same(s.totals[TOTAL_PROCESS].drift, 0.0);
    compare_spread_free(&s);
    compare_free(&c);
}

TEST(a_second_outlier_is_found_behind_the_first)
{
    static const double own[] = {20, 20.4, 19.8, 20.1, 19.9, 20.2, 20.3, 19.7, 40, 300};
    struct comparison c;
    struct compare_spread s;
    struct compare_options options = case_options();
    compare_init(&c, &options);
    for (int64_t i = 0; i < 10; i++)
        add_simple(&c, SIDE_BASE, i, own[i]);
    compare_spread(&c, &s);
    assert_int_equal(s.totals[TOTAL_PROCESS].outliers.n, 2);
    assert_int_equal(s.totals[TOTAL_PROCESS].outliers.v[0], 9);
    assert_int_equal(s.totals[TOTAL_PROCESS].outliers.v[1], 8);
    compare_spread_free(&s);
    compare_free(&c);
}

TEST(runs_that_go_one_way_are_said_to_drift)
{
    struct comparison c;
    struct compare_spread s;
    struct chance chance = {3};
    struct compare_options options = case_options();
    compare_init(&c, &options);
    for (int64_t i = 0; i < 8; i++)
        add_simple(&c, SIDE_BASE, 7 - i, 40 - 2 * (double)(7 - i) + 0.3 * chance_normal(&chance)); /* told by start */
    compare_spread(&c, &s);
#ifdef HAVE_GSL
    assert_true(s.drift_known);
    NEAR(s.totals[TOTAL_PROCESS].drift, -2.0 / (85 + 33), 0.002);
    assert_same(s.totals[TOTAL_GC].drift, 0.0);
#else
    assert_false(s.drift_known);
#endif
    compare_spread_free(&s);
    compare_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(own_whole_and_branch_energy_are_matched),
        CASE(one_run_a_side_has_the_sampling_error_of_the_set),
        CASE(a_result_against_itself_is_zero_everywhere),
        CASE(the_order_of_the_runs_of_a_side_does_not_matter),
        CASE(of_equal_energies_the_names_decide_what_is_judged),
        CASE(the_same_run_counts_once),
        CASE(names_that_change_are_one_method_unless_exact),
        CASE(energy_is_divided_by_what_is_asked_for),
        CASE(without_cpu_time_there_is_nothing_to_divide_by),
        CASE(runs_that_are_not_alike_are_named),
        CASE(a_gate_fails_where_the_increase_is_certainly_above_its_limit),
        CASE(a_gate_of_a_prefix_counts_a_stack_once_and_one_that_nobody_has_is_not_seen),
        CASE(one_run_a_side_against_its_like_gives_false_alarms_at_the_stated_rate_and_no_more),
        CASE(five_runs_a_side_against_their_like_give_false_alarms_at_the_stated_rate_and_no_more),
        CASE(runs_that_differ_by_sampling_alone_give_fewer),
        CASE(ten_percent_more_in_one_method_are_found),
        CASE(spread_has_mean_sd_interval_outliers_and_drift),
        CASE(a_second_outlier_is_found_behind_the_first),
        CASE(runs_that_go_one_way_are_said_to_drift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
