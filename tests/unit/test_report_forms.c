/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The forms beside the two files of branches: what they hold of a result made by hand. */
#include "made_result.h"

#include "joular/report.h"

#include <inttypes.h>

static struct text written(const struct report_form *form, const struct result *r, enum report_weight weight)
{
    struct text text = {0};
    FILE *out = open_memstream(&text.v, &text.n);
    const struct name_filter all = {0};
    const struct report_input input = {r, r, &all, &application_filter, weight};
    form->write(&input, true, out);
    fclose(out);
    return text;
}

static void assert_written(const struct report_form *form, const struct result *r, const char *expected)
{
    struct text text = written(form, r, WEIGHT_ENERGY);
    assert_string_equal(text.v, expected);
    free(text.v);
}

#define METHODS \
    "method,own_joules,own_half_width_joules,total_joules,total_half_width_joules,own_cpu_ns,total_cpu_ns,samples\n"
#define THREADS "thread,os_thread_id,energy_joules,cpu_ns,samples\n"
#define TIMELINE                                                                                                      \
    "timestamp,interval_seconds,status,machine_watts,baseline_watts,process_joules,java_joules,gc_joules,jit_joules," \
    "jfr_joules,vm_joules,unattributed_joules,outside_joules,machine_busy_ns,process_cpu_ns,samples\n"
#define GC "timestamp,gc_id,type,collector,phase,cause,pid,thread,os_thread_id,duration_ms,energy_joules\n"

/* ---- methods.csv ---- */

TEST(a_method_that_calls_itself_counts_once_a_stack)
{
    struct result r = {0};
    made_cycle(&r, 10);
    made_row(&r, "a.A.a;b.B.b;a.A.a;a.A.a", 2);
    made_row(&r, "a.A.a;b.B.b;a.A.a;b.B.b", 4);
    uint32_t thread = made_thread(&r, "t", 6);
    made_weight(&r, thread, "a.A.a;b.B.b;a.A.a;a.A.a", 30, 10);
    made_weight(&r, thread, "a.A.a;b.B.b;a.A.a;b.B.b", 90, 30);
    made_finish(&r); /* 1.96 sqrt(0.25 x 0.75) */
    assert_written(&report_methods_csv, &r,
                   METHODS "b.B.b,4.000000000,0.848704896,6.000000000,0.000000000,90,120,40\n"
                           "a.A.a,2.000000000,0.848704896,6.000000000,0.000000000,30,120,40\n");
    result_free(&r);
}

TEST(an_interval_that_is_not_known_is_an_empty_cell)
{
    struct result r = {0};
    made_cycle(&r, 10);
    made_row(&r, "a.A.a;b.B.b", 2);
    made_row(&r, "[GC]", 1);
    made_row(&r, "a.A.a", 1);
    uint32_t few = made_thread(&r, "few", 2), many = made_thread(&r, "many", 1);
    made_weight(&r, few, "a.A.a;b.B.b", 20, 3);
    made_weight(&r, few, "a.A.a", 10, 1); /* four samples: one too few */
    made_weight(&r, many, "a.A.a", 10, 5);
    made_finish(&r);
    assert_written(&report_methods_csv, &r,
                   METHODS "b.B.b,2.000000000,,2.000000000,,20,20,3\n"
                           "a.A.a,1.000000000,,3.000000000,,20,40,9\n"
                           "[GC],1.000000000,0.000000000,1.000000000,0.000000000,0,0,0\n");
    result_free(&r);
}

TEST(methods_of_the_same_energy_are_in_one_order)
{
    struct result r = {0};
    made_cycle(&r, 10);
    made_row(&r, "c;x", 1);
    made_row(&r, "b", 1);
    made_row(&r, "a", 1);
    made_finish(&r);
    assert_written(&report_methods_csv, &r,
                   METHODS "x,1.000000000,0.000000000,1.000000000,0.000000000,0,0,0\n"
                           "b,1.000000000,0.000000000,1.000000000,0.000000000,0,0,0\n"
                           "a,1.000000000,0.000000000,1.000000000,0.000000000,0,0,0\n"
                           "c,0.000000000,0.000000000,1.000000000,0.000000000,0,0,0\n");
    result_free(&r);
}

/* ---- The other tables ---- */

TEST(threads_come_by_energy_and_what_is_not_said_is_empty)
{
    struct result r = {0};
    made_thread(&r, "idle", 0);
    uint32_t some = made_thread(&r, "some", 1.5), none = made_thread(&r, "", 2);
    r.threads.v[some] = (struct result_thread){
        .name = r.threads.v[some].name, .os_id = 77, .energy_j = 1.5, .cpu_ns = 12345.6, .samples = 8};
    r.threads.v[none].anonymous = true;
    made_finish(&r);
    assert_written(&report_threads_csv, &r,
                   THREADS "(samples without a thread),,2.000000000,0,0\n"
                           "some,77,1.500000000,12346,8\n"
                           "idle,,0.000000000,0,0\n");
    result_free(&r);
}

TEST(the_timeline_has_a_row_a_cycle_also_without_power)
{
    struct result r = {0};
    made_full(&r);
    assert_written(&report_timeline_csv, &r,
                   TIMELINE
                   "1764438001000,1.000000000,ok,20.125000000,0.125000000,10.000000000,1.000000000,0.100000000,"
                   "0.200000000,0.000000000,0.000000000,7.700000000,1.000000000,2500000000,1250000000,9\n"
                   "1764438002000,1.000000000,suspended,,0.000000000,0.000000000,0.000000000,0.000000000,"
                   "0.000000000,0.000000000,0.000000000,0.000000000,0.000000000,,,0\n"
                   "1764438003000,1.000000000,ok,0.000000002,0.000000000,0.000000001,0.000000000,0.000000000,"
                   "0.000000000,0.000000000,0.000000000,0.000000001,0.000000000,,,0\n");
    r.process_power_only = true;
    struct text text = written(&report_timeline_csv, &r, WEIGHT_ENERGY);
    assert_has(text.v, "\n1764438001000,1.000000000,ok,,0.125000000,10.000000000,");
    free(text.v);
    result_free(&r);
}

TEST(gc_has_a_row_a_pause_in_ms_with_three_decimals)
{
    struct result r = {0};
    made_full(&r);
    assert_written(&report_gc_csv, &r,
                   GC "1764438000000,0,YOUNG,,GC Pause,,4711,,,1.235,0.001000000\n"
                      "1764438000250,18446744073709551615,CONCURRENT,G1Old,GC Pause,G1 Humongous Allocation,4711,"
                      "VM Thread,4713,0.500,0.333333333\n");
    result_free(&r);
}

/* More than is written at once, in rows of which none ends where a piece does. */
TEST(branches_of_many_cycles_are_written_whole)
{
    struct result r = {0};
    struct text expected = {0};
    char name[1200];
    FILE *out = open_memstream(&expected.v, &expected.n);
    fputs("timestamp,branch,power_watts,energy_joules,interval_seconds,coverage\n", out);
    for (int i = 0; i < 4000; i++) {
        memset(name, 'a' + i % 26, sizeof name);
        name[900 + i % 31 * 7] = '\0';
        made_cycle(&r, 1);
        made_row(&r, name, 1);
        fprintf(out, "%" PRId64 ",%s,1.000000000,1.000000000,1.000000000,1.0000\n", INT64_C(1764438001000) + i * 1000,
                name);
    }
    fclose(out);
    made_finish(&r);
    struct text text = written(&report_all_csv, &r, WEIGHT_ENERGY);
    assert_int_equal(text.n, expected.n);
    assert_true(text.n > 4 << 20 && memcmp(text.v, expected.v, text.n) == 0);
    free(text.v);
    free(expected.v);
    result_free(&r);
}

TEST(an_empty_result_gives_headers)
{
    struct result r = {.busy_share = NAN};
    assert_written(&report_all_csv, &r, "timestamp,branch,power_watts,energy_joules,interval_seconds,coverage\n");
    assert_written(&report_app_csv, &r, "timestamp,branch,power_watts,energy_joules,interval_seconds,coverage\n");
    assert_written(&report_methods_csv, &r, METHODS);
    assert_written(&report_threads_csv, &r, THREADS);
    assert_written(&report_timeline_csv, &r, TIMELINE);
    assert_written(&report_gc_csv, &r, GC);
    assert_written(&report_collapsed, &r, "");
    result_free(&r);
}

struct cell_case {
    const char *name, *cell;
};

static void assert_cells(const struct cell_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct text text = {0};
        FILE *out = open_memstream(&text.v, &text.n);
        csv_put(cases[i].name, strlen(cases[i].name), out);
        fclose(out);
        assert_string_equal(text.v, cases[i].cell);
        free(text.v);
    }
}

TEST(cells_are_quoted_where_they_must_be)
{
    static const struct cell_case cases[] = {
        {"plain x y'z", "plain x y'z"}, {"a,b", "\"a,b\""},   {"say \"x\"", "\"say \"\"x\"\"\""},
        {"a\nb", "\"a\nb\""},           {"a\rb", "\"a\rb\""}, {"", ""},
        {"\xc3\xa9 x", "\xc3\xa9 x"},   {"\"", "\"\"\"\""},   {"a;=1", "\"a;=1\""},
        {"a\t=1", "\"a\t=1\""},
    };
    assert_cells(cases, sizeof cases / sizeof cases[0]);
}

TEST(no_cell_is_a_formula)
{
    static const struct cell_case cases[] = {
        {"=1+1", "'=1+1"},     {"+1", "'+1"},         {"-1", "'-1"},         {"@SUM(A1)", "'@SUM(A1)"},
        {"\t=1", "\"'\t=1\""}, {"\r=1", "\"'\r=1\""}, {"\n=1", "\"'\n=1\""}, {"=A(\"x\",1)", "\"'=A(\"\"x\"\",1)\""},
        {"a=1", "a=1"},        {"<init>", "<init>"},
    };
    assert_cells(cases, sizeof cases / sizeof cases[0]);
}

TEST(an_apostrophe_before_a_cell_can_be_taken_away)
{
    static const struct cell_case cases[] = {{"'=1", "''=1"}, {"'", "''"}, {"=", "'="}};
    assert_cells(cases, sizeof cases / sizeof cases[0]);
}

TEST(names_are_quoted_in_every_table)
{
    struct result r = {0};
    made_cycle(&r, 1);
    r.cycles.v[0].status = made_name(&r, "o,k");
    made_row(&r, "a\"b,c\nd", 1);
    made_thread(&r, "t,1", 1);
    made_pause(&r, PAUSE_FULL, 1, 0);
    r.pauses.v[0].collector = made_name(&r, "c,1");
    r.pauses.v[0].phase = made_name(&r, "p,1");
    r.pauses.v[0].cause = made_name(&r, "q,1");
    r.pauses.v[0].thread = made_name(&r, "t,1");
    made_finish(&r);
    static const struct {
        const struct report_form *form;
        const char *cells;
    } cases[] = {{&report_methods_csv, "\n\"a\"\"b,c\nd\",1.0"},
                 {&report_threads_csv, "\n\"t,1\",,1.0"},
                 {&report_timeline_csv, ",\"o,k\",2.0"},
                 {&report_gc_csv, ",FULL,\"c,1\",\"p,1\",\"q,1\",0,\"t,1\",,1.000,"},
                 {&report_all_csv, ",\"a\"\"b,c\nd\",1.0"},
                 {&report_app_csv, ",\"a\"\"b,c\nd\",1.0"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text text = written(cases[i].form, &r, WEIGHT_ENERGY);
        assert_has(text.v, cases[i].cells);
        free(text.v);
    }
    result_free(&r);
}

TEST(milliseconds_are_rounded_down)
{
    assert_int_equal(csv_ms(1999999), 1);
    assert_int_equal(csv_ms(-1), -1);
    assert_int_equal(csv_ms(-1000000), -1);
}

/* ---- collapsed.txt ---- */

static uint64_t sum_of(const char *collapsed, int *lines)
{
    uint64_t sum = 0;
    *lines = 0;
    for (const char *end; (end = strchr(collapsed, '\n')) != NULL; collapsed = end + 1, (*lines)++) {
        const char *blank = memrchr(collapsed, ' ', (size_t)(end - collapsed));
        assert_non_null(blank);
        sum += strtoull(blank, NULL, 10);
    }
    assert_string_equal(collapsed, "");
    return sum;
}

/* 1.625 + 1.25 + 0.25 + 0.5 are 3.625, so 4: one goes to .625, one to .5. Of equal ones the first text gets it. */
TEST(what_rounding_takes_goes_to_the_largest_remainders)
{
    struct result r = {0};
    made_cycle(&r, 1);
    static const struct {
        const char *branch;
        double cpu_ns;
    } uses[] = {{"d", 500}, {"c", 250}, {"b", 1250}, {"a", 1625}};
    for (size_t i = 0; i < 4; i++)
        made_use(&r, uses[i].branch, uses[i].cpu_ns, 0);
    struct text text = written(&report_collapsed, &r, WEIGHT_CPU);
    assert_string_equal(text.v, "a 2\nb 1\nd 1\n");
    free(text.v);
    for (size_t i = 0; i < 4; i++)
        made_use(&r, uses[i].branch, 2250 - uses[i].cpu_ns, 0); /* 2.25 each: 9 */
    text = written(&report_collapsed, &r, WEIGHT_CPU);
    assert_string_equal(text.v, "a 3\nb 2\nc 2\nd 2\n");
    free(text.v);
    result_free(&r);
}

TEST(the_sum_is_exact_for_many_small_ones)
{
    struct result r = {0};
    char name[32];
    double all = 0;
    int lines;
    made_cycle(&r, 1);
    for (int i = 0; i < 3000; i++) {
        double energy_j = (i % 7 + 0.01 * (i % 97)) * 1e-7;
        snprintf(name, sizeof name, "m%d", i);
        made_row(&r, name, energy_j);
        all += energy_j;
    }
    made_finish(&r);
    struct text text = written(&report_collapsed, &r, WEIGHT_ENERGY);
    assert_int_equal(sum_of(text.v, &lines), llround(all * 1e6));
    assert_in_range(lines, 500, 2999);
    assert_null(strstr(text.v, " 0\n"));
    free(text.v);
    result_free(&r);
}

TEST(cycles_are_one_and_brackets_are_in_it)
{
    struct result r = {0};
    made_cycle(&r, 10);
    made_row(&r, "a;b", 1);
    made_row(&r, "[GC]", 0.5);
    made_cycle(&r, 10);
    made_row(&r, "a;b", 0.25);
    made_row(&r, "a", 0.000001);
    made_row(&r, "none", 1e-9);
    made_finish(&r);
    assert_written(&report_collapsed, &r, "[GC] 500000\na 1\na;b 1250000\n");
    result_free(&r);
}

TEST(other_weights_are_microseconds_and_samples)
{
    struct result r = {0};
    made_cycle(&r, 10);
    made_row(&r, "a;b", 1);
    made_row(&r, "[GC]", 0.5);
    uint32_t thread = made_thread(&r, "t", 1);
    made_weight(&r, thread, "a;b", 2500000, 3);
    made_use(&r, "[GC]", 1000499, 0);
    made_finish(&r);
    struct text cpu = written(&report_collapsed, &r, WEIGHT_CPU),
                samples = written(&report_collapsed, &r, WEIGHT_SAMPLES);
    assert_string_equal(cpu.v, "[GC] 1000\na;b 2500\n");
    assert_string_equal(samples.v, "a;b 3\n");
    free(cpu.v);
    free(samples.v);
    result_free(&r);
}

/* A tool splits at ";" and takes what is behind the last blank for the number. */
TEST(no_name_makes_another_frame_or_line)
{
    struct result r = {0};
    made_cycle(&r, 10);
    uint32_t frames[] = {made_name(&r, "a;b c"), made_name(&r, "d\ne\r\t\x7f"), made_name(&r, "\xe2\x82\xac 7"),
                         intern_bytes(&r.names, "x\0y", 3)};
    vec_push(&r.rows, ((struct result_row){branch_set_add(&r.branches, frames, 4, -1), 1}));
    vec_push(&r.uses, ((struct result_use){0}));
    r.cycles.v[0].rows = 1;
    r.cycles.v[0].java_j = 1;
    made_finish(&r);
    assert_written(&report_collapsed, &r, "a:b c;d e   ;\xe2\x82\xac 7;x y 1000000\n");
    result_free(&r);
}

TEST(energy_beyond_any_integer_ends_in_some_line)
{
    struct result r = {0};
    made_cycle(&r, 1e300);
    made_row(&r, "a", 1e300);
    made_finish(&r);
    struct text text = written(&report_collapsed, &r, WEIGHT_ENERGY);
    assert_has(text.v, "a ");
    free(text.v);
    result_free(&r);
}

/* ---- All of them ---- */

TEST(each_form_has_a_file_of_its_own)
{
    for (size_t i = 0; report_forms[i] != NULL; i++)
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(report_forms[i]->file, report_forms[k]->file);
}

static void write_all(const struct result *r)
{
    const struct tty tty = {0};
    struct text text = {0};
    for (size_t i = 0; report_forms[i] != NULL; i++)
        for (enum report_weight weight = WEIGHT_ENERGY; weight <= WEIGHT_SAMPLES; weight++)
            free(written(report_forms[i], r, weight).v);
    FILE *out = open_memstream(&text.v, &text.n);
    report_summary(r, &application_filter, 10, &tty, out);
    fclose(out);
    free(text.v);
}

TEST(the_same_result_gives_the_same_bytes_after_reading_it_back)
{
    struct result r = {0}, q;
    made_full(&r);
    struct text json = made_json(&r);
    made_read(json, &q);
    for (size_t i = 0; report_forms[i] != NULL; i++) {
        struct text a = written(report_forms[i], &r, WEIGHT_ENERGY), b = written(report_forms[i], &q, WEIGHT_ENERGY);
        assert_int_equal(a.n, b.n);
        assert_memory_equal(a.v, b.v, a.n);
        free(a.v);
        free(b.v);
    }
    free(json.v);
    result_free(&r);
    result_free(&q);
}

/* A damaged report is refused with words, or it is another report, of which every form can be made. */
TEST(any_byte_may_change)
{
    static const uint8_t flips[] = {0x01, 0x02, 0x08, 0x10, 0x80};
    struct result r = {0};
    const size_t step = every_nth(37);
    size_t refused = 0, good = 0;
    made_full(&r);
    struct text json = made_json(&r);
    for (size_t i = 0; i < json.n; i += step) {
        for (size_t k = 0; k < sizeof flips; k++) {
            struct result q;
            struct error err = {0};
            json.v[i] = (char)(json.v[i] ^ flips[k]);
            if (result_read_json((const uint8_t *)json.v, json.n, &q, &err) == STATUS_OK) {
                write_all(&q);
                result_free(&q);
                good++;
            } else {
                assert_true(err.text[0] != '\0');
                refused++;
            }
            json.v[i] = (char)(json.v[i] ^ flips[k]);
        }
    }
    assert_true(refused > 1000 / step && good > 1000 / step);
    free(json.v);
    result_free(&r);
}

/* ---- The summary's part on pauses ---- */

TEST(the_summary_counts_pauses_and_shows_the_three_longest)
{
    struct result r = {0};
    const struct tty tty = {0};
    struct text text = {0};
    made_cycle(&r, 100);
    static const double young_ms[] = {0.5, 0.999999, 1, 4.999, 5, 10, 49, 50, 99.9, 100, 499};
    for (size_t i = 0; i < sizeof young_ms / sizeof young_ms[0]; i++)
        made_pause(&r, PAUSE_YOUNG, young_ms[i], 0.5);
    made_pause(&r, PAUSE_FULL, 500, 12.25);
    made_pause(&r, PAUSE_FULL, 1234.5678, 30);
    made_pause(&r, PAUSE_CONCURRENT, 0.25, 0.125);
    r.pauses.v[11].cause = made_name(&r, "System.gc()");
    made_finish(&r);
    FILE *out = open_memstream(&text.v, &text.n);
    report_summary(&r, &application_filter, 10, &tty, out);
    fclose(out);
    assert_has(text.v, "\nGC PAUSES AND THE ENERGY OF THE PROCESS IN THEM\n"
                       "                      young         full   concurrent\n"
                       "  <1 ms                   2            0            1\n"
                       "  1-5 ms                  2            0            0\n"
                       "  5-10 ms                 1            0            0\n"
                       "  10-50 ms                2            0            0\n"
                       "  50-100 ms               2            0            0\n"
                       "  100-500 ms              2            0            0\n"
                       "  >=500 ms                0            2            0\n"
                       "  total                  11            2            1\n"
                       "  ms                  820.4       1734.6          0.2\n"
                       "  joules               5.50        42.25         0.12\n"
                       "  longest:\n"
                       "    1234.568 ms  FULL            30.00 J  \n"
                       "     500.000 ms  FULL            12.25 J  System.gc()\n"
                       "     499.000 ms  YOUNG          0.5000 J  \n\n");
    free(text.v);
    result_free(&r);
}

TEST(without_pauses_the_summary_says_nothing_of_them)
{
    struct result r = {0};
    const struct tty tty = {0};
    struct text text = {0};
    made_cycle(&r, 1);
    made_finish(&r);
    FILE *out = open_memstream(&text.v, &text.n);
    report_summary(&r, &application_filter, 10, &tty, out);
    fclose(out);
    assert_null(strstr(text.v, "PAUSES"));
    free(text.v);
    result_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_method_that_calls_itself_counts_once_a_stack),
        CASE(an_interval_that_is_not_known_is_an_empty_cell),
        CASE(methods_of_the_same_energy_are_in_one_order),
        CASE(threads_come_by_energy_and_what_is_not_said_is_empty),
        CASE(the_timeline_has_a_row_a_cycle_also_without_power),
        CASE(gc_has_a_row_a_pause_in_ms_with_three_decimals),
        CASE(branches_of_many_cycles_are_written_whole),
        CASE(an_empty_result_gives_headers),
        CASE(cells_are_quoted_where_they_must_be),
        CASE(no_cell_is_a_formula),
        CASE(an_apostrophe_before_a_cell_can_be_taken_away),
        CASE(names_are_quoted_in_every_table),
        CASE(milliseconds_are_rounded_down),
        CASE(what_rounding_takes_goes_to_the_largest_remainders),
        CASE(the_sum_is_exact_for_many_small_ones),
        CASE(cycles_are_one_and_brackets_are_in_it),
        CASE(other_weights_are_microseconds_and_samples),
        CASE(no_name_makes_another_frame_or_line),
        CASE(energy_beyond_any_integer_ends_in_some_line),
        CASE(each_form_has_a_file_of_its_own),
        CASE(the_same_result_gives_the_same_bytes_after_reading_it_back),
        CASE(any_byte_may_change),
        CASE(the_summary_counts_pauses_and_shows_the_three_longest),
        CASE(without_pauses_the_summary_says_nothing_of_them),
    };
    return cmocka_run_group_tests_name("report: forms", tests, NULL, NULL);
}
