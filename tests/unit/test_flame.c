/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flame.html: what its data says, and that no name becomes anything but text. */
#include "made_result.h"

#include "joular/report.h"

#include "../../src/report/flametree.h"
#include "../tools/flame_made.h"

#include <ctype.h>
#include <stdio.h>

static char *page_of(const struct result *result)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    report_flame_html(result, &application_filter, out);
    fclose(out);
    assert_int_equal(strlen(text), size); /* no NUL either */
    return text;
}

static char *made(const char *kind, uint32_t nodes, struct result *result)
{
    assert_true(flame_made(kind, nodes, result));
    return page_of(result);
}

static char *data_in(const char *page)
{
    const char *begin = strstr(page, "<script type=\"application/json\" id=\"data\">");
    assert_non_null(begin);
    begin = strchr(begin, '{');
    return mem_strndup(begin, (size_t)(strstr(begin, "</script>") - begin));
}

static const char *field(const char *data, const char *key)
{
    char quoted[40];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(data, quoted);
    assert_non_null(at);
    return at + strlen(quoted);
}

static double sum_of(const char *data, const char *key)
{
    const char *p = field(data, key) + 1;
    double sum = 0;
    while (*p != ']') {
        char *end;
        sum += strtod(p, &end);
        p = end + (*end == ',');
    }
    return sum;
}

static size_t length_of(const char *data, const char *key)
{
    size_t commas = 0;
    const char *p = field(data, key);
    if (p[1] == ']')
        return 0;
    for (; *p != ']'; p++)
        commas += *p == ',';
    return commas + 1;
}

static size_t count(const char *text, const char *part)
{
    size_t found = 0;
    for (; *text != '\0'; text++)
        found += strncasecmp(text, part, strlen(part)) == 0;
    return found;
}

static void assert_sums(const char *kind, uint32_t nodes)
{
    struct result result;
    char *page = made(kind, nodes, &result), *data = data_in(page);
    double total_j = sum_of(data, "units") * strtod(field(data, "unit"), NULL);
    assert_true(result.process_j > 0);
    if (fabs(total_j / result.process_j - 1) > 1e-9)
        fail_msg("%.17g J in the page, %.17g J in the result", total_j, result.process_j);
    assert_int_equal((size_t)sum_of(data, "cells"), length_of(data, "units"));
    assert_int_equal((size_t)sum_of(data, "weights"), length_of(data, "weight"));
    assert_int_equal(length_of(data, "own"), length_of(data, "samples"));
    assert_true(fabs(sum_of(data, "machine") / result.machine_j - 1) < 1e-6);
    assert_true(fabs(sum_of(data, "seconds") - result.power_s) < 1e-6);
    free(page);
    free(data);
    result_free(&result);
}

TEST(the_energy_in_the_page_is_that_of_the_process)
{
    assert_sums("hostile", 0);
    assert_sums("wide", 3000);
}

TEST(cycles_are_merged_to_at_most_240_buckets)
{
    struct result result;
    char *page = made("wide", 1000, &result), *data = data_in(page);
    assert_int_equal(result.cycles.n, 300);
    assert_int_equal(length_of(data, "start"), 150);
    assert_true(fabs(sum_of(data, "end") - sum_of(data, "start") - 300) < 1e-6);
    free(page);
    free(data);
    result_free(&result);
}

TEST(the_same_result_gives_the_same_bytes)
{
    struct result first, second;
    char *a = made("wide", 2000, &first), *b = made("wide", 2000, &second), *again = page_of(&first);
    assert_string_equal(a, b);
    assert_string_equal(a, again);
    free(a);
    free(b);
    free(again);
    result_free(&first);
    result_free(&second);
}

/* A browser ends a script at "</script", and does not end it there after "<!--" and "<script". */
TEST(a_name_cannot_leave_the_data)
{
    struct result result;
    char *page = made("hostile", 0, &result), *data = data_in(page);
    for (const unsigned char *p = (const unsigned char *)data; *p != '\0'; p++) {
        if (strchr("<>&", *p) != NULL || *p == 0x7f || (*p < 0x20 && *p != '\n'))
            fail_msg("byte %02x in the data", *p);
        if (p[0] == 0xe2 && (p[1] == 0x80 || p[1] == 0x81))
            fail_msg("U+20xx in the data");
    }
    assert_has(data, "\\u003c/script\\u003e");
    assert_has(data, "line\\u2028paragraph\\u2029separator");
    assert_has(data, "\\u202etxet-desrever\\u202c");
    assert_has(data, "nul\\u0000byte");
    assert_has(data, "control\\u0001\\u001b[31m\\u0009\\u000a\\u000d\\u007f");
    assert_has(data, "back\\u005cslash\\u005cu003cscript\\u005cu003e");
    free(page);
    free(data);
    result_free(&result);
}

TEST(a_name_cannot_make_an_element_of_the_page)
{
    struct result plain, result;
    char *without = made("wide", 100, &plain), *page = made("hostile", 0, &result);
    assert_int_equal(count(page, "<script"), count(without, "<script"));
    assert_int_equal(count(page, "</script"), count(without, "</script"));
    assert_int_equal(count(page, "<img"), 0);
    assert_int_equal(count(page, "<!--"), count(without, "<!--"));
    assert_int_equal(count(page, "<b "), 0);
    assert_has(page, "&lt;/script&gt;&lt;script&gt;window.owned=5&lt;/script&gt;");
    assert_has(page, "<th scope=\"row\"><bdi>com.example.Evil.&quot;quoted&quot;");
    assert_int_equal(count(page, "\xe2\x80\xae"), 0); /* right-to-left override */
    free(without);
    free(page);
    result_free(&plain);
    result_free(&result);
}

static char kind_of(const char *data, const char *name)
{
    char quoted[80];
    snprintf(quoted, sizeof quoted, "\"%s\"", name);
    const char *at = strstr(field(data, "names"), quoted);
    size_t before = 0;
    assert_non_null(at);
    for (const char *p = field(data, "names") + 1; p < at; p++) {
        before += *p == '"';
        p += *p == '\\';
    }
    return field(data, "kinds")[1 + before / 2];
}

TEST(a_method_called_as_a_native_row_is_not_one)
{
    struct result result;
    char *page = made("hostile", 0, &result), *data = data_in(page);
    assert_int_equal(count(field(data, "names"), "\"[GC]\""), 2);
    assert_int_equal(kind_of(data, "[GC]"), 'r');
    char *kinds = mem_strndup(field(data, "kinds") + 1, strcspn(field(data, "kinds") + 1, "\""));
    assert_int_equal(count(kinds, "g"), 1);
    free(kinds);
    assert_int_equal(kind_of(data, "unattributed"), 'u');
    assert_int_equal(kind_of(data, "outside the recording"), 'o');
    assert_int_equal(kind_of(data, "com.example.Main.main"), 'a');
    free(page);
    free(data);
    result_free(&result);
}

TEST(a_native_row_behind_a_method_of_its_name_is_a_node_of_its_own)
{
    struct result r = {0};
    struct flame_tree tree;
    uint32_t name = made_name(&r, native_row_names[NATIVE_GC]), method = branch_set_add(&r.branches, &name, 1, -1);
    made_cycle(&r, 10);
    vec_push(&r.rows, ((struct result_row){method, 3}));
    made_row(&r, native_row_names[NATIVE_GC], 2); /* whose frames are the same */
    made_finish(&r);
    assert_int_equal(r.branches.list.n, 2);
    flame_tree_make(&r, &application_filter, &tree);
    const struct flame_node *first = &tree.nodes.v[tree.node_of[0]], *second = &tree.nodes.v[tree.node_of[1]];
    assert_same(first->energy_j, 3);
    assert_same(second->energy_j, 2);
    assert_int_equal(tree.labels.v[first->label].kind, 'r');
    assert_int_equal(tree.labels.v[second->label].kind, 'g');
    flame_tree_free(&tree);
    result_free(&r);
}

TEST(library_frames_are_those_the_filter_leaves_out)
{
    struct result result;
    char *page = made("wide", 1000, &result), *data = data_in(page);
    const char *kinds = field(data, "kinds") + 1, *names = field(data, "names") + 1;
    assert_true(strcspn(kinds, "\"") > 100);
    for (size_t i = 0; kinds[i] != '"'; i++, names = strchr(names, ',') + 1)
        assert_int_equal(kinds[i], strncmp(names, "\"java.", 6) == 0           ? 'l'
                                   : strncmp(names, "\"com.", 5) == 0          ? 'a'
                                   : strncmp(names, "\"[GC]", 5) == 0          ? 'g'
                                   : strncmp(names, "\"unattributed", 13) == 0 ? 'u'
                                                                               : 'o');
    free(page);
    free(data);
    result_free(&result);
}

TEST(time_goes_forward_where_the_clock_was_set)
{
    struct result result;
    assert_true(flame_made("wide", 100, &result));
    for (size_t i = 100; i < 200; i++)
        result.cycles.v[i].realtime_ns -= INT64_C(3600000000000);
    for (size_t i = 200; i < 300; i++)
        result.cycles.v[i].realtime_ns += INT64_C(1500000000000000000);
    char *page = page_of(&result), *data = data_in(page);
    const char *p = field(data, "start") + 1;
    for (int i = 0; i < 150; i++) {
        char *end;
        assert_true(fabs(strtod(p, &end) - 2 * i) < 0.01);
        p = end + 1;
    }
    free(page);
    free(data);
    result_free(&result);
}

TEST(a_cycle_without_power_has_none_in_the_page)
{
    struct result result;
    assert_true(flame_made("wide", 100, &result));
    result.cycles.v[4].power_w = result.cycles.v[5].power_w = (double)NAN;
    char *page = page_of(&result), *data = data_in(page), *end;
    const char *machine = field(data, "machine") + 1, *seconds = field(data, "seconds") + 1;
    for (int i = 0; i < 2; i++)
        machine = strchr(machine, ',') + 1, seconds = strchr(seconds, ',') + 1;
    assert_memory_equal(machine, "null,", 5);
    assert_true(strtod(seconds, &end) <= 0 && *end == ',');
    free(page);
    free(data);
    result_free(&result);
}

TEST(estimated_power_is_called_so_in_every_heading_and_measured_power_is_not)
{
    struct result result;
    char *page = made("wide", 100, &result);
    size_t headings = count(page, "<h1>") + count(page, "<h2");
    assert_int_equal(count(page, "(estimated)"), headings);
    free(page);
    result.estimated = false;
    page = page_of(&result);
    assert_int_equal(count(page, "(estimated)"), 0);
    free(page);
    result_free(&result);
}

TEST(an_empty_result_is_a_page_too)
{
    struct result result;
    char *page = made("empty", 0, &result), *data = data_in(page);
    assert_int_equal(length_of(data, "units"), 0);
    assert_int_equal(length_of(data, "start"), 0);
    assert_int_equal(length_of(data, "up"), 3);
    assert_has(page, "</html>");
    free(page);
    free(data);
    result_free(&result);
}

TEST(a_log_of_one_process_says_nothing_of_the_machine)
{
    struct result result;
    assert_true(flame_made("wide", 100, &result));
    result.process_power_only = true;
    char *page = page_of(&result), *data = data_in(page);
    assert_null(strstr(data, "\"machine\":"));
    assert_null(strstr(page, ">machine<"));
    free(page);
    free(data);
    result_free(&result);
}

TEST(what_a_view_leaves_out_is_a_block_of_its_own)
{
    struct result whole, view;
    struct error err = {0};
    assert_true(flame_made("wide", 300, &whole));
    const struct intern_text *first = result_name(&whole, whole.branches.frames.v[whole.branches.list.v[0].first]);
    char expression[200];
    snprintf(expression, sizeof expression, "^%.*s$", (int)first->length, first->text);
    const struct view_options options = {.exclude = expression};
    assert_int_equal(result_view(&whole, &options, &view, &err), STATUS_OK);
    assert_true(view.left_out_j > 0);
    char *page = page_of(&view), *data = data_in(page);
    double total_j = sum_of(data, "units") * strtod(field(data, "unit"), NULL);
    assert_true(fabs(total_j / whole.process_j - 1) < 1e-9);
    assert_non_null(strstr(data, "\"left out of this view\""));
    free(page);
    free(data);
    page = page_of(&whole);
    assert_null(strstr(page, "\"left out of this view\""));
    free(page);
    result_free(&view);
    result_free(&whole);
}

static int group(char kind)
{
    return kind == 'u' || kind == 'o' || kind == 'x' ? 2 : strchr("gjfv", kind) != NULL ? 1 : 0;
}

/* Of two children of one parent, the one that comes first: Java before native rows before what is nobody's, then high
 * energy before low, then by name. */
static void assert_in_order(const struct result *r, const struct flame_tree *tree, size_t first, size_t second)
{
    const struct flame_node *a = &tree->nodes.v[first], *b = &tree->nodes.v[second];
    const struct flame_label *x = &tree->labels.v[a->label], *y = &tree->labels.v[b->label];
    assert_true(group(x->kind) <= group(y->kind));
    if (group(x->kind) != group(y->kind) || group(x->kind) == 2)
        return;
    assert_true(a->energy_j >= b->energy_j);
    if (a->energy_j == b->energy_j)
        assert_true(strcmp(flame_label_text(r, x).text, flame_label_text(r, y).text) < 0);
}

TEST(nodes_are_in_order)
{
    static const char *const kinds[] = {"wide", "hostile"};
    size_t siblings = 0;
    for (size_t k = 0; k < 2; k++) {
        struct result result;
        struct flame_tree tree;
        assert_true(flame_made(kinds[k], 9000, &result));
        flame_tree_make(&result, &application_filter, &tree);
        size_t *last = mem_zero(tree.nodes.n, sizeof *last); /* child, by parent; 0: none yet */
        for (size_t i = 1; i < tree.nodes.n; i++) {
            size_t parent = tree.nodes.v[i].parent;
            assert_true(parent < i);
            if (last[parent] != 0)
                assert_in_order(&result, &tree, last[parent], i);
            siblings += last[parent] != 0;
            last[parent] = i;
        }
        free(last);
        flame_tree_free(&tree);
        result_free(&result);
    }
    assert_true(siblings > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(what_a_view_leaves_out_is_a_block_of_its_own),
        CASE(the_energy_in_the_page_is_that_of_the_process),
        CASE(nodes_are_in_order),
        CASE(cycles_are_merged_to_at_most_240_buckets),
        CASE(the_same_result_gives_the_same_bytes),
        CASE(a_name_cannot_leave_the_data),
        CASE(a_name_cannot_make_an_element_of_the_page),
        CASE(a_method_called_as_a_native_row_is_not_one),
        CASE(a_native_row_behind_a_method_of_its_name_is_a_node_of_its_own),
        CASE(library_frames_are_those_the_filter_leaves_out),
        CASE(time_goes_forward_where_the_clock_was_set),
        CASE(a_cycle_without_power_has_none_in_the_page),
        CASE(estimated_power_is_called_so_in_every_heading_and_measured_power_is_not),
        CASE(an_empty_result_is_a_page_too),
        CASE(a_log_of_one_process_says_nothing_of_the_machine),
    };
    return cmocka_run_group_tests_name("report: flame.html", tests, NULL, NULL);
}
