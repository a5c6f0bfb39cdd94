/* SPDX-License-Identifier: GPL-3.0-or-later */
/* joular-attribution(7), section 6: the two CSV files. */
#include "chunk_case.h"

#include "joular/report.h"

#define HEADER "timestamp,branch,power_watts,energy_joules,interval_seconds,coverage\n"

/* One cycle of 10 J, 1 s, all of it thread 51's. */
static uint32_t ten_joules(struct model_case *c)
{
    case_process(c, 1000);
    case_record(c, 51, 1000, "worker");
    case_cycle(c, 0, 1000, 10, 1000);
    return case_thread(c, 1, 51, "worker");
}

static void assert_csv(const struct model_case *c, const char *prefix, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    const char *const prefixes[] = {prefix, "org.other."};
    const struct name_filter filter = {.prefixes = prefixes, .count = prefix != NULL && prefix[0] != '\0' ? 2 : 0};
    const struct report_input input = {.whole = &c->result, .view = &c->result, .prefixes = &filter};
    (prefix == NULL ? report_all_csv : report_app_csv).write(&input, true, out);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

static void a_row_has_the_end_of_its_cycle_and_all_figures(void **state)
{
    struct model_case *c = *state;
    case_process(c, 250);
    case_record(c, 51, 200, "worker");
    case_line(c, "cycle,1764438001000999999,2500000345,2500000345,12.5,1000000000,ok"); /* 7.8125 J of 31.25 */
    case_cpu_sample(c, case_thread(c, 1, 51, "worker"), "a.A.x;b.B.y", 700, 10);
    case_run(c); /* 7.812501078 x 0.8 */
    assert_csv(c, NULL, HEADER "1764438001000,a.A.x;b.B.y,2.500000000,6.250000863,2.500000345,0.8000\n");
}

static void rows_come_by_cycle_then_energy_high_first(void **state)
{
    struct model_case *c = *state;
    uint32_t thread = ten_joules(c);
    case_process(c, 1000);
    case_record(c, 51, 1000, "worker");
    case_cycle(c, 1000, 2000, 40, 1000);
    (void)thread;
    case_cpu_sample(c, 0, "a", 1700, 10);
    case_cpu_sample(c, 0, "b", 1700, 70); /* 35 J before 5 J: they differ in length */
    case_cpu_sample(c, 0, "c", 700, 10);
    case_cpu_sample(c, 0, "a", 700, 10);
    case_cpu_sample(c, 0, "b", 700, 80);
    case_run(c);
    assert_csv(c, NULL,
               HEADER "1001000,b,8.000000000,8.000000000,1.000000000,1.0000\n"
                      "1001000,a,1.000000000,1.000000000,1.000000000,1.0000\n"
                      "1001000,c,1.000000000,1.000000000,1.000000000,1.0000\n"
                      "1002000,b,35.000000000,35.000000000,1.000000000,1.0000\n"
                      "1002000,a,5.000000000,5.000000000,1.000000000,1.0000\n");
}

/* b has 0.5 pJ more than a, which is not printed. */
static void energies_that_print_alike_are_ordered_by_branch(void **state)
{
    struct model_case *c = *state;
    case_process(c, 1000);
    case_record(c, 51, 1000, "worker");
    case_cycle(c, 0, 1000, 0.001, 1000);
    uint32_t thread = case_thread(c, 1, 51, "worker");
    case_read_log(c);
    case_cpu_sample_of(c, thread, "b", 0, 500 * MS, 500000001, false);
    case_cpu_sample_of(c, thread, "a", 0, 500 * MS, 500000000, false);
    case_run(c);
    assert_csv(c, NULL,
               HEADER "1001000,a,0.000500000,0.000500000,1.000000000,1.0000\n"
                      "1001000,b,0.000500000,0.000500000,1.000000000,1.0000\n");
}

static void branches_are_ordered_by_the_bytes_of_their_whole_text(void **state)
{
    struct model_case *c = *state;
    uint32_t thread = ten_joules(c);
    static const char *const branches[] = {"aa", "\xc3\xa9", "a;b", "a.b", "a", "a;b;c", "a.b;c", "a;bc"};
    for (size_t i = 0; i < sizeof branches / sizeof branches[0]; i++)
        case_cpu_sample(c, thread, branches[i], 700, 10);
    case_run(c);
    assert_csv(c, NULL,
               HEADER "1001000,a,1.250000000,1.250000000,1.000000000,1.0000\n"
                      "1001000,a.b,1.250000000,1.250000000,1.000000000,1.0000\n"
                      "1001000,a.b;c,1.250000000,1.250000000,1.000000000,1.0000\n"
                      "1001000,a;b,1.250000000,1.250000000,1.000000000,1.0000\n"
                      "1001000,a;b;c,1.250000000,1.250000000,1.000000000,1.0000\n"
                      "1001000,a;bc,1.250000000,1.250000000,1.000000000,1.0000\n"
                      "1001000,aa,1.250000000,1.250000000,1.000000000,1.0000\n"
                      "1001000,\xc3\xa9,1.250000000,1.250000000,1.000000000,1.0000\n");
}

static void names_are_quoted_where_they_must_be(void **state)
{
    struct model_case *c = *state;
    uint32_t thread = ten_joules(c);
    case_cpu_sample(c, thread, "a,b;c", 700, 40);
    case_cpu_sample(c, thread, "d;say \"x\"", 700, 30);
    case_cpu_sample(c, thread, "e\nf", 700, 20);
    case_cpu_sample(c, thread, "g h'i", 700, 10);
    case_run(c);
    assert_csv(c, NULL,
               HEADER "1001000,\"a,b;c\",4.000000000,4.000000000,1.000000000,1.0000\n"
                      "1001000,\"d;say \"\"x\"\"\",3.000000000,3.000000000,1.000000000,1.0000\n"
                      "1001000,\"e\nf\",2.000000000,2.000000000,1.000000000,1.0000\n"
                      "1001000,g h'i,1.000000000,1.000000000,1.000000000,1.0000\n");
}

static void rows_of_no_energy_are_not_written_and_rows_that_print_as_none_are(void **state)
{
    struct model_case *c = *state;
    case_process(c, 1000);
    case_record(c, 51, 1000, "worker");
    case_cycle(c, 0, 1000, 1e-12, 1000);
    uint32_t thread = case_thread(c, 1, 51, "worker");
    case_cpu_sample(c, thread, "a", 700, 10);
    case_cpu_sample(c, thread, "nothing", 700, 0);
    case_run(c);
    assert_csv(c, NULL, HEADER "1001000,a,0.000000000,0.000000000,1.000000000,1.0000\n");
}

static void without_rows_there_is_the_header(void **state)
{
    struct model_case *c = *state;
    case_cpu_sample(c, ten_joules(c), "a", 5000, 10);
    case_run(c);
    assert_csv(c, NULL, HEADER);
    assert_csv(c, "", HEADER);
}

static void rows_can_be_added_without_a_second_header(void **state)
{
    struct model_case *c = *state;
    char text[200] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    case_cpu_sample(c, ten_joules(c), "a", 700, 10);
    case_run(c);
    const struct report_input input = {.whole = &c->result, .view = &c->result};
    report_all_csv.write(&input, false, out);
    fclose(out);
    assert_string_equal(text, "1001000,a,10.000000000,10.000000000,1.000000000,1.0000\n");
}

/* P = 1000: collector 200, worker 600 of which half is inside, unknown 200. Written 3 + 2 of 10 J. */
static void a_collected_cycle(struct model_case *c)
{
    case_process(c, 1000);
    case_record(c, 51, 600, "worker");
    case_record(c, 52, 200, "GC Thread#0");
    case_cycle(c, 0, 1000, 10, 1000);
    c->observed.start_ns = 500 * MS;
    uint32_t thread = case_thread(c, 1, 51, "worker");
    case_cpu_sample(c, thread, "java.T.run;com.example.S.go;java.M.get", 700, 10);
    case_cpu_sample(c, thread, "java.T.run;com.example.S.go;java.M.put", 700, 20);
    case_cpu_sample(c, thread, "java.T.run;com.examples.Z.a;java.L.sort;com.example.S.go", 700, 5);
    case_cpu_sample(c, thread, "java.T.run;acom.example.S.go", 700, 25);
}

static void coverage_is_what_is_written_of_the_cycles_process_energy(void **state)
{
    struct model_case *c = *state;
    a_collected_cycle(c);
    case_run(c);
    assert_near(c->result.coverage, 0.5);
    assert_csv(c, NULL,
               HEADER "1001000,[GC],2.000000000,2.000000000,1.000000000,0.5000\n"
                      "1001000,java.T.run;acom.example.S.go,1.250000000,1.250000000,1.000000000,0.5000\n"
                      "1001000,java.T.run;com.example.S.go;java.M.put,1.000000000,1.000000000,1.000000000,0.5000\n"
                      "1001000,java.T.run;com.example.S.go;java.M.get,0.500000000,0.500000000,1.000000000,0.5000\n"
                      "1001000,java.T.run;com.examples.Z.a;java.L.sort;com.example.S.go,0.250000000,0.250000000,"
                      "1.000000000,0.5000\n");
}

/* Two branches become one; the frame that only holds the prefix in its middle does not count; no native row. */
static void a_filter_keeps_the_frames_that_begin_with_a_prefix_and_merges_equal_branches(void **state)
{
    struct model_case *c = *state;
    a_collected_cycle(c);
    case_run(c);
    assert_csv(c, "com.example",
               HEADER "1001000,com.example.S.go,1.500000000,1.500000000,1.000000000,0.5000\n"
                      "1001000,com.examples.Z.a;com.example.S.go,0.250000000,0.250000000,1.000000000,0.5000\n");
    assert_csv(c, "com.example.S.g", /* class and method are one text */
               HEADER "1001000,com.example.S.go,1.750000000,1.750000000,1.000000000,0.5000\n");
    assert_csv(c, "com.example.S.go!", HEADER);
    assert_csv(c, "[", HEADER);
}

static void without_a_filter_only_native_rows_are_left_out(void **state)
{
    struct model_case *c = *state;
    a_collected_cycle(c);
    case_run(c);
    assert_csv(c, "",
               HEADER "1001000,java.T.run;acom.example.S.go,1.250000000,1.250000000,1.000000000,0.5000\n"
                      "1001000,java.T.run;com.example.S.go;java.M.put,1.000000000,1.000000000,1.000000000,0.5000\n"
                      "1001000,java.T.run;com.example.S.go;java.M.get,0.500000000,0.500000000,1.000000000,0.5000\n"
                      "1001000,java.T.run;com.examples.Z.a;java.L.sort;com.example.S.go,0.250000000,0.250000000,"
                      "1.000000000,0.5000\n");
}

static void any_of_several_prefixes_keeps_a_frame(void **state)
{
    struct model_case *c = *state;
    uint32_t thread = ten_joules(c);
    case_cpu_sample(c, thread, "org.other.A.a;java.B.b;com.example.C.c;java.D.d", 700, 10);
    case_cpu_sample(c, thread, "org.otherwise.A.a", 700, 10);
    case_run(c);
    assert_csv(c, "com.example",
               HEADER "1001000,org.other.A.a;com.example.C.c,5.000000000,5.000000000,1.000000000,1.0000\n");
}

/* Merging is by cycle, and brings rows into another order: 3 + 3 before 4. */
static void merged_rows_are_ordered_by_their_sum(void **state)
{
    struct model_case *c = *state;
    uint32_t thread = ten_joules(c);
    case_cpu_sample(c, thread, "com.example.A.a", 700, 40);
    case_cpu_sample(c, thread, "com.example.B.b;x", 700, 30);
    case_cpu_sample(c, thread, "com.example.B.b;y", 700, 30);
    case_run(c);
    assert_csv(c, "com.example",
               HEADER "1001000,com.example.B.b,6.000000000,6.000000000,1.000000000,1.0000\n"
                      "1001000,com.example.A.a,4.000000000,4.000000000,1.000000000,1.0000\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_row_has_the_end_of_its_cycle_and_all_figures),
        CASE(rows_come_by_cycle_then_energy_high_first),
        CASE(energies_that_print_alike_are_ordered_by_branch),
        CASE(branches_are_ordered_by_the_bytes_of_their_whole_text),
        CASE(names_are_quoted_where_they_must_be),
        CASE(rows_of_no_energy_are_not_written_and_rows_that_print_as_none_are),
        CASE(without_rows_there_is_the_header),
        CASE(rows_can_be_added_without_a_second_header),
        CASE(coverage_is_what_is_written_of_the_cycles_process_energy),
        CASE(a_filter_keeps_the_frames_that_begin_with_a_prefix_and_merges_equal_branches),
        CASE(without_a_filter_only_native_rows_are_left_out),
        CASE(any_of_several_prefixes_keeps_a_frame),
        CASE(merged_rows_are_ordered_by_their_sum),
    };
    return cmocka_run_group_tests_name("model: CSV", tests, NULL, NULL);
}
