/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views of a result: frames as classes or packages, and a choice of branches. What is left out goes to nobody. */
#include "made_result.h"

static double row_j(const struct result *r, size_t cycle, const char *branch)
{
    size_t first = cycle != 0 ? r->cycles.v[cycle - 1].rows : 0;
    for (size_t i = first; i < r->cycles.v[cycle].rows; i++) {
        const struct branch *b = &r->branches.list.v[r->rows.v[i].branch];
        char text[500] = "";
        for (uint32_t f = 0; f < b->count; f++) {
            strcat(text, f != 0 ? ";" : "");
            strcat(text, result_name(r, r->branches.frames.v[b->first + f])->text);
        }
        if (strcmp(text, branch) == 0)
            return r->rows.v[i].energy_j;
    }
    return 0;
}

static bool has_method(const struct result *r, const char *name, struct result_method *method)
{
    for (size_t i = 0; i < r->methods.n; i++)
        if (strcmp(result_name(r, r->methods.v[i].name)->text, name) == 0) {
            *method = r->methods.v[i];
            return true;
        }
    return false;
}

static struct result_method method_of(const struct result *r, const char *name)
{
    struct result_method method = {0};
    if (!has_method(r, name, &method))
        fail_msg("there is no %s", name);
    return method;
}

#define assert_near(a, b)                                 \
    do {                                                  \
        double near_a = (a), near_b = (b);                \
        if (!(fabs(near_a - near_b) < 1e-12))             \
            fail_msg("%.17g, not %.17g", near_a, near_b); \
    } while (0)

/* In each cycle and in all: java, native, unattributed, outside and what is left out make the process; rows make java
 * and native. */
static void assert_conserved(const struct result *r, const struct result *v)
{
    size_t at = 0;
    double left_out_j = 0;
    assert_int_equal(v->cycles.n, r->cycles.n);
    for (size_t i = 0; i < v->cycles.n; i++) {
        const struct result_cycle *c = &v->cycles.v[i];
        double parts = c->java_j, rows = 0;
        for (int row = 0; row < NATIVE_ROWS; row++)
            parts += c->native_j[row];
        for (size_t first = at; at < c->rows; at++) {
            rows += v->rows.v[at].energy_j;
            assert_true(at == first || v->rows.v[at - 1].branch < v->rows.v[at].branch); /* in order, each once */
        }
        assert_near(rows, parts);
        assert_near(parts + c->unattributed_j + c->outside_j + c->left_out_j, r->cycles.v[i].process_j);
        assert_same(c->process_j, r->cycles.v[i].process_j);
        left_out_j += c->left_out_j;
    }
    assert_int_equal(at, v->rows.n);
    assert_near(v->left_out_j, left_out_j);
    assert_near(v->process_j, r->process_j);
}

/* Two cycles of 10 J. */
static void make(struct result *r)
{
    made_cycle(r, 10);
    made_row(r, "java.lang.Thread.run;com.example.A.a", 1);
    made_row(r, "java.lang.Thread.run;com.example.A.b;com.example.A.c", 2);
    made_row(r, "java.lang.Thread.run;com.example.b.B.a;java.util.Map.get;java.util.Set.get", 3);
    made_row(r, "[GC]", 0.5);
    made_cycle(r, 10);
    made_row(r, "java.lang.Thread.run;com.example.A.a", 4);
    made_row(r, "Small.main", 1);
    made_row(r, "[GC]", 0.25);
    uint32_t thread = made_thread(r, "worker", 11);
    made_weight(r, thread, "java.lang.Thread.run;com.example.A.a", 50, 5);
    made_weight(r, thread, "java.lang.Thread.run;com.example.A.b;com.example.A.c", 20, 2);
    made_weight(r, thread, "Small.main", 30, 3);
    made_use(r, "[GC]", 7, 0);
    made_finish(r);
}

static void view(const struct result *r, enum view_group group, const char *include, const char *exclude,
                 struct result *out)
{
    struct error err = {0};
    struct view_options options = {group, include, exclude};
    if (result_view(r, &options, out, &err) != STATUS_OK)
        fail_msg("%s", err.text);
    assert_conserved(r, out);
}

TEST(without_a_wish_the_view_is_the_result)
{
    struct result r = {0}, v;
    made_full(&r);
    view(&r, GROUP_METHOD, NULL, NULL, &v);
    struct text a = made_json(&r), b = made_json(&v);
    assert_int_equal(a.n, b.n);
    assert_memory_equal(a.v, b.v, a.n);
    free(a.v);
    free(b.v);
    result_free(&r);
    result_free(&v);
}

TEST(methods_of_a_class_are_one_frame_where_they_are_neighbours)
{
    struct result r = {0}, v;
    make(&r);
    view(&r, GROUP_CLASS, NULL, NULL, &v);
    assert_near(row_j(&v, 0, "java.lang.Thread;com.example.A"), 3); /* a, and b with c in it */
    assert_near(row_j(&v, 0, "java.lang.Thread;com.example.b.B;java.util.Map;java.util.Set"), 3);
    assert_near(row_j(&v, 1, "Small"), 1);
    assert_near(row_j(&v, 0, "[GC]"), 0.5);
    assert_int_equal(v.branches.list.n, 4);
    assert_near(method_of(&v, "com.example.A").own_j, 7);
    assert_int_equal(method_of(&v, "com.example.A").own_samples, 7);
    assert_near(method_of(&v, "com.example.A").own_cpu_ns, 70);
    assert_near(method_of(&v, "java.lang.Thread").total_j, 10);
    /* shares 50 and 20 of 100 are one share: 1.96 sqrt(0.7 x 0.3) */
    assert_near(method_of(&v, "com.example.A").own_half_width_j, 1.96 * sqrt(0.21));
    assert_int_equal(v.weights.n, 2);
    assert_near(v.left_out_j, 0);
    result_free(&r);
    result_free(&v);
}

TEST(classes_of_a_package_are_one_frame_and_brackets_stay)
{
    struct result r = {0}, v;
    make(&r);
    view(&r, GROUP_PACKAGE, NULL, NULL, &v);
    assert_near(row_j(&v, 0, "java.lang;com.example"), 3);
    assert_near(row_j(&v, 0, "java.lang;com.example.b;java.util"), 3);
    assert_near(row_j(&v, 1, "(no package)"), 1);
    assert_near(row_j(&v, 1, "[GC]"), 0.25);
    assert_near(v.native_j[NATIVE_GC], 0.75);
    result_free(&r);
    result_free(&v);
}

static void assert_group(const char *name, const char *of_class, const char *of_package)
{
    struct result r = {0}, v;
    made_cycle(&r, 1);
    made_row(&r, name, 1);
    made_finish(&r);
    view(&r, GROUP_CLASS, NULL, NULL, &v);
    assert_near(row_j(&v, 0, of_class), 1);
    result_free(&v);
    view(&r, GROUP_PACKAGE, NULL, NULL, &v);
    assert_near(row_j(&v, 0, of_package), 1);
    result_free(&v);
    result_free(&r);
}

TEST(inner_hidden_and_odd_classes_have_their_names)
{
    assert_group("a.b.C$D.m", "a.b.C$D", "a.b");
    assert_group("a.b.C$$Lambda/0x00007f12.apply", "a.b.C$$Lambda/0x00007f12", "a.b");
    assert_group("a.b.C$$Lambda$14/0x00007f12.apply", "a.b.C$$Lambda$14/0x00007f12", "a.b");
    assert_group("a.b.C.m:42", "a.b.C", "a.b");
    assert_group("a.b.C.<init>", "a.b.C", "a.b");
    assert_group("C.m", "C", "(no package)");
    assert_group("main", "main", "main"); /* a thread's name, or what JFR could not say */
    assert_group("[unknown]", "[unknown]", "[unknown]");
    assert_group("[a.b.C]", "[a.b.C]", "[a.b.C]");
    assert_group("", "", "");
    assert_group("p\xc3\xa4.\xc3\x84.m", "p\xc3\xa4.\xc3\x84", "p\xc3\xa4");
}

TEST(include_keeps_branches_with_a_frame_that_matches)
{
    struct result r = {0}, v;
    struct result_method left_out;
    make(&r);
    view(&r, GROUP_METHOD, "^com\\.example\\.A\\.(a|x)$", NULL, &v);
    assert_near(row_j(&v, 0, "java.lang.Thread.run;com.example.A.a"), 1);
    assert_near(row_j(&v, 1, "java.lang.Thread.run;com.example.A.a"), 4);
    assert_int_equal(v.rows.n, 2);
    assert_int_equal(v.branches.list.n, 1);
    assert_near(v.cycles.v[0].left_out_j, 5.5);
    assert_near(v.left_out_j, 6.75);
    assert_near(v.native_j[NATIVE_GC], 0);
    assert_near(v.java_j, 5);
    assert_false(has_method(&v, "Small.main", &left_out));
    /* the share of its thread stays what it was: 1.96 sqrt(0.5 x 0.5) */
    assert_near(method_of(&v, "com.example.A.a").own_half_width_j, 0.98);
    result_free(&r);
    result_free(&v);
}

TEST(exclude_wins_over_include_and_a_row_in_brackets_is_a_branch_too)
{
    struct result r = {0}, v;
    make(&r);
    view(&r, GROUP_METHOD, "Thread.run|GC", "A\\.b", &v);
    assert_near(v.left_out_j, 2 + 1);
    assert_near(v.native_j[NATIVE_GC], 0.75);
    assert_near(row_j(&v, 0, "java.lang.Thread.run;com.example.A.b;com.example.A.c"), 0);
    result_free(&v);
    view(&r, GROUP_METHOD, NULL, "^\\[", &v);
    assert_near(v.left_out_j, 0.75);
    assert_near(v.native_j[NATIVE_GC], 0);
    assert_near(v.java_j, 11);
    result_free(&v);
    result_free(&r);
}

/* Expressions are of methods, not of what they are grouped to. */
TEST(a_choice_goes_by_methods_when_the_view_has_classes)
{
    struct result r = {0}, v;
    make(&r);
    view(&r, GROUP_CLASS, NULL, "A\\.c$", &v);
    assert_near(row_j(&v, 0, "java.lang.Thread;com.example.A"), 1);
    assert_near(v.left_out_j, 2);
    result_free(&v);
    view(&r, GROUP_CLASS, "A$", NULL, &v);
    assert_near(v.left_out_j, 11.75);
    result_free(&v);
    result_free(&r);
}

TEST(a_choice_of_nothing_leaves_cycles_and_threads)
{
    struct result r = {0}, v;
    make(&r);
    view(&r, GROUP_PACKAGE, "no such method", NULL, &v);
    assert_int_equal(v.rows.n, 0);
    assert_int_equal(v.cycles.n, 2);
    assert_int_equal(v.methods.n, 0);
    assert_int_equal(v.threads.n, 1);
    assert_near(v.left_out_j, 11.75);
    assert_near(v.unattributed_j, 8.25);
    result_free(&r);
    result_free(&v);
}

TEST(a_bad_expression_is_refused_with_its_option)
{
    struct result r = {0}, v;
    make(&r);
    for (int exclude = 0; exclude < 2; exclude++) {
        struct error err = {0};
        struct view_options options = {GROUP_CLASS, exclude ? "x" : "a(b", exclude ? "a(b" : NULL};
        assert_int_equal(result_view(&r, &options, &v, &err), STATUS_INVALID);
        assert_has(err.text, exclude ? "--exclude: \"a(b\"" : "--include: \"a(b\"");
    }
    result_free(&r);
}

/* ---- Pauses ---- */

TEST(a_bucket_holds_its_lower_bound)
{
    static const int64_t from_ms[PAUSE_BUCKETS] = {0, 1, 5, 10, 50, 100, 500};
    for (unsigned b = 0; b < PAUSE_BUCKETS; b++) {
        assert_int_equal(pause_bucket(from_ms[b] * 1000000), b);
        if (b != 0)
            assert_int_equal(pause_bucket(from_ms[b] * 1000000 - 1), b - 1);
    }
    assert_int_equal(pause_bucket(INT64_MAX), PAUSE_BUCKETS - 1);
    assert_int_equal(pause_bucket(-1), 0);
    static const char *const names[] = {"<1 ms",     "1-5 ms",     "5-10 ms", "10-50 ms",
                                        "50-100 ms", "100-500 ms", ">=500 ms"};
    for (unsigned b = 0; b < PAUSE_BUCKETS; b++)
        assert_string_equal(pause_bucket_names[b], names[b]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(without_a_wish_the_view_is_the_result),
        CASE(methods_of_a_class_are_one_frame_where_they_are_neighbours),
        CASE(classes_of_a_package_are_one_frame_and_brackets_stay),
        CASE(inner_hidden_and_odd_classes_have_their_names),
        CASE(include_keeps_branches_with_a_frame_that_matches),
        CASE(exclude_wins_over_include_and_a_row_in_brackets_is_a_branch_too),
        CASE(a_choice_goes_by_methods_when_the_view_has_classes),
        CASE(a_choice_of_nothing_leaves_cycles_and_threads),
        CASE(a_bad_expression_is_refused_with_its_option),
        CASE(a_bucket_holds_its_lower_bound),
    };
    return cmocka_run_group_tests_name("result: views", tests, NULL, NULL);
}
