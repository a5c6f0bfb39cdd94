/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The power log, each sentence of joular-power-log(5). */
#include "joular/logformat.h"
#include "joular/text.h"
#include "power_parse.h"

static const char *name_of(size_t process)
{
    return power_text(&parsed, parsed.processes.v[process].name);
}

TEST(a_cycle_has_its_records_clocks_power_and_status)
{
    parse_good(HEAD "domain,package-0,14208123\n"
                    "process,4242,900,java\n"
                    "thread,4242,4259,500,hot-thread\n"
                    "thread,4242,4263,400,GC Thread#0\n"
                    "cycle,1764438001000123456,81234000123456,1000000345,14.208118,2110000000,ok\n");
    assert_int_equal(parsed.cycles.n, 1);
    const struct power_cycle *c = &parsed.cycles.v[0];
    assert_int_equal(c->realtime_ns, 1764438001000123456);
    assert_int_equal(c->end_ns, 81234000123456);
    assert_int_equal(c->start_ns, 81234000123456 - 1000000345);
    assert_same(c->power_w, 14.208118);
    assert_int_equal(c->busy_ns, 2110000000);
    assert_string_equal(power_text(&parsed, c->status), "ok");
    assert_int_equal(c->processes, 1);
    assert_int_equal(c->threads, 2);
    assert_int_equal(parsed.processes.v[0].pid, 4242);
    assert_int_equal(parsed.processes.v[0].ns_pid, 0);
    assert_string_equal(name_of(0), "java");
    assert_int_equal(parsed.process_records.v[0].cpu_ns, 900);
    assert_int_equal(parsed.threads.v[1].tid, 4263);
    assert_int_equal(parsed.threads.v[1].pid, 4242);
    assert_string_equal(power_text(&parsed, parsed.threads.v[1].name), "GC Thread#0");
    assert_int_equal(parsed.thread_records.v[1].cpu_ns, 400);
    assert_int_equal(parsed.thread_records.v[1].who, 1);
    assert_int_equal(parsed.unknown_records, 0);
}

TEST(a_cycle_closes_the_records_before_it)
{
    parse_good(HEAD "process,1,10,a\n" CYCLE_1 "process,1,20,a\nprocess,2,30,b\nthread,1,1,5,a\n" CYCLE_2);
    assert_int_equal(parsed.cycles.n, 2);
    assert_int_equal(parsed.cycles.v[0].processes, 1);
    assert_int_equal(parsed.cycles.v[0].threads, 0);
    assert_int_equal(parsed.cycles.v[1].processes, 3);
    assert_int_equal(parsed.cycles.v[1].threads, 1);
    assert_int_equal(parsed.processes.n, 2);
    assert_int_equal(parsed.process_records.v[1].who, parsed.process_records.v[0].who);
}

TEST(one_identity_is_kept_once_and_another_name_is_another)
{
    parse_good(HEAD "thread,1,7,1,x\nthread,1,8,1,x\nthread,2,7,1,x\nthread,1,7,1,y\nthread,1,7,1,x,3\n"
                    "thread,1,7,1,x\nprocess,1,1,x\nprocess,1,1,x,9\nprocess,1,1,x\n" CYCLE_1);
    assert_int_equal(parsed.threads.n, 5);
    assert_int_equal(parsed.thread_records.n, 6);
    assert_int_equal(parsed.thread_records.v[5].who, 0);
    assert_int_equal(parsed.processes.n, 2);
    assert_int_equal(parsed.process_records.v[2].who, 0);
}

/* In any order, some missing, some new: each is known by its own ids and name, as if it were looked for alone. The CPU
 * time counts the records. */
TEST(threads_are_told_apart_in_whatever_order_they_come)
{
    static const struct {
        const char *ids, *name, *ns_tid;
    } threads[] = {{"1,7", "x", ""}, {"1,8", "x", ""}, {"2,8", "x", ""},  {"1,7", "y", ""},
                   {"1,9", "y", ""}, {"1,9", "x", ""}, {"1,8", "x", "3"}, {"1,8", "x", "4"}};
    enum {
        ALL = sizeof threads / sizeof threads[0]
    };
    VEC(size_t) said = {0};
    size_t first[ALL], length;
    uint64_t random = 1;
    char *text;
    FILE *out = open_memstream(&text, &length);
    fputs(HEAD, out);
    for (int cycle = 1; cycle <= 400; cycle++) {
        for (size_t i = 0; i < ALL; i++) {
            next_random(&random);
            size_t which = cycle % 4 != 0 ? i : (size_t)(random >> 61);
            if (cycle % 4 != 0 && (random >> 40 & 7) == 0)
                continue;
            fprintf(out, "thread,%s,%zu,%s,%s\n", threads[which].ids, said.n, threads[which].name,
                    threads[which].ns_tid);
            vec_push(&said, which);
        }
        fprintf(out, "cycle,%d,%d,1000,1.5,700,ok\n", cycle * 1000, cycle * 1000 + 1000);
    }
    fclose(out);
    parse_good(text);
    assert_int_equal(parsed.threads.n, ALL);
    assert_int_equal(parsed.thread_records.n, said.n);
    memset(first, 0xff, sizeof first);
    for (size_t i = 0; i < said.n; i++) {
        const struct power_record *record = &parsed.thread_records.v[i];
        size_t which = said.v[i];
        if (first[which] == SIZE_MAX)
            first[which] = record->who;
        assert_int_equal(record->cpu_ns, i);
        assert_int_equal(record->who, first[which]);
        assert_string_equal(power_text(&parsed, parsed.threads.v[record->who].name), threads[which].name);
    }
    vec_free(&said);
    free(text);
}

TEST(namespace_ids_are_read_where_they_are_there)
{
    parse_good(HEAD "process,4242,0,java,17\nthread,4242,4259,0,main,18\nprocess,5,0,sh,\n" CYCLE_1);
    assert_int_equal(parsed.processes.v[0].ns_pid, 17);
    assert_int_equal(parsed.threads.v[0].ns_tid, 18);
    assert_int_equal(parsed.processes.v[1].ns_pid, 0);
}

TEST(another_version_is_refused_by_number)
{
    parse_bad("#joular-power-log 2\n#{}\n", STATUS_UNSUPPORTED, 1, "version 2");
    parse_bad("#joular-power-log 0\n#{}\n", STATUS_UNSUPPORTED, 1, "version 0");
    parse_bad("#joular-power-log 10\n#{}\n", STATUS_UNSUPPORTED, 1, "version 10");
}

TEST(a_first_line_without_a_version_is_invalid)
{
    static const char *const firsts[] = {"#joular-power-log",  "#joular-power-log ",    "#joular-power-log one",
                                         "#joular-power-log1", "#joular-power-log 1.0", "#joular-power-log 1 "};
    char text[64];
    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++) {
        snprintf(text, sizeof text, "%s\n#{}\n", firsts[i]);
        parse_bad(text, STATUS_INVALID, 1, "version");
    }
}

TEST(a_file_that_begins_otherwise_is_no_power_log)
{
    parse_bad("", STATUS_INVALID, 0, "no power log");
    parse_bad("FLR", STATUS_INVALID, 0, "no power log");
    parse_bad("\n" HEAD, STATUS_INVALID, 0, "no power log");
    assert_false(power_log_detect((const uint8_t *)"#joular", 7));
    assert_true(power_log_detect((const uint8_t *)HEAD, strlen(HEAD)));
}

TEST(facts_come_from_line_2)
{
    parse_good("#joular-power-log 1\n#{\"tool\":\"joular-record 0.1.0\",\"source\":\"rapl\",\"cpus\":16,\"pid\":42,"
               "\"baseline_w\":3.5,\"reason\":\"none\",\"x\":{\"y\":[1]}}\n");
    assert_string_equal(parsed.tool, "joular-record 0.1.0");
    assert_string_equal(parsed.source, "rapl");
    assert_string_equal(parsed.reason, "none");
    assert_int_equal(parsed.cpus, 16);
    assert_int_equal(parsed.pid, 42);
    assert_same(parsed.baseline_w, 3.5);
    assert_has(parsed.facts, "\"x\":{\"y\":[1]}"); /* unknown keys are kept */
    assert_int_equal(parsed.facts[0], '{');
}

TEST(facts_that_are_no_utf_8_are_repaired)
{
    parse_good("#joular-power-log 1\n#{\"source\":\"ra\xffpl\",\"reason\":\"\xed\xa0\x80\"}\n");
    assert_string_equal(parsed.source, "ra\xef\xbf\xbdpl");
    assert_true(utf8_valid(parsed.reason, strlen(parsed.reason)));
    assert_true(utf8_valid(parsed.facts, strlen(parsed.facts)));
}

TEST(every_fact_is_optional)
{
    parse_good(HEAD);
    assert_null(parsed.tool);
    assert_null(parsed.source);
    assert_null(parsed.reason);
    assert_int_equal(parsed.cpus, 0);
    assert_int_equal(parsed.pid, 0);
    assert_true(isnan(parsed.baseline_w));
    assert_int_equal(parsed.cycles.n, 0);
}

TEST(a_fact_of_another_type_is_as_if_it_were_missing)
{
    parse_good("#joular-power-log 1\n#{\"tool\":7,\"cpus\":\"many\",\"pid\":-3,\"baseline_w\":null}\n");
    assert_null(parsed.tool);
    assert_int_equal(parsed.cpus, 0);
    assert_int_equal(parsed.pid, 0);
    assert_true(isnan(parsed.baseline_w));
}

TEST(a_baseline_that_no_machine_draws_is_none)
{
    parse_good("#joular-power-log 1\n#{\"baseline_w\":1e10}\n");
    assert_true(isnan(parsed.baseline_w));
}

TEST(a_second_line_that_is_no_json_object_names_line_2)
{
    static const char *const seconds[] = {"",   "#",         "# {}",     "{}", "#[1]",
                                          "#{", "#{\"a\":}", "#{} more", "#7", "cycle,1"};
    char text[64];
    for (size_t i = 0; i < sizeof seconds / sizeof seconds[0]; i++) {
        snprintf(text, sizeof text, "#joular-power-log 1\n%s\n", seconds[i]);
        parse_bad(text, STATUS_INVALID, 2, "JSON object");
    }
}

TEST(comments_and_empty_lines_are_passed)
{
    parse_good(HEAD "# process,1,x,\n\n#\n" CYCLE_1 "#cycle,9\n");
    assert_int_equal(parsed.cycles.n, 1);
    assert_int_equal(parsed.unknown_records, 0);
}

TEST(unknown_records_are_skipped_and_counted)
{
    parse_good(HEAD "gpu,0,12\nProcess,1,2,x\ncycles\nprocess ,1,2,x\n" CYCLE_1 "future,\"a\nb\"\n");
    assert_int_equal(parsed.unknown_records, 5);
    assert_int_equal(parsed.processes.n, 0);
    assert_int_equal(parsed.cycles.n, 1);
}

TEST(fields_after_the_known_ones_are_ignored)
{
    parse_good(HEAD "domain,psys,1,x,y\nprocess,1,2,java,3,x,y,z,z,z,z\nthread,1,2,3,t,4,\"x,y\",z,z,z,z\n"
                    "cycle,1000,2000,1000,1.5,700,ok,1,2,3,4,5,6,7\n");
    assert_int_equal(parsed.processes.v[0].ns_pid, 3);
    assert_int_equal(parsed.threads.v[0].ns_tid, 4);
    assert_int_equal(parsed.cycles.n, 1);
}

TEST(records_after_the_last_cycle_are_dropped)
{
    parse_good(HEAD "process,1,10,a\n" CYCLE_1 "process,1,20,a\nthread,1,1,20,a\n");
    assert_int_equal(parsed.cycles.n, 1);
    assert_int_equal(parsed.process_records.n, 1);
    assert_int_equal(parsed.thread_records.n, 0);
    parse_good(HEAD "process,1,10,a\n");
    assert_int_equal(parsed.process_records.n, 0);
}

TEST(a_last_line_without_its_lf_is_dropped)
{
    parse_good(HEAD CYCLE_1 "cycle,2000,3000,1000,2.5,800,ok");
    assert_int_equal(parsed.cycles.n, 1);
    parse_good(HEAD CYCLE_1 "cycle,2000,oh");
    assert_int_equal(parsed.cycles.n, 1);
    parse_good(HEAD CYCLE_1 "process,1,10,\"an open\nquote");
    assert_int_equal(parsed.cycles.n, 1);
}

TEST(a_log_cut_anywhere_loses_at_most_the_open_cycle)
{
    static const char head[] = "#joular-power-log 1\n#{\"cpus\":2}\n";
    static const char text[] = "#joular-power-log 1\n#{\"cpus\":2}\n"
                               "domain,package-0,14208123\nprocess,4242,900,\"ja,\"\"va\"\"\nname\"\n" CYCLE_1
                               "# note\r\nprocess,4242,900,java\nthread,4242,1,2,\"\xc3\xa9\"\nodd,1\n" CYCLE_2;
    size_t first = (size_t)(strstr(text, CYCLE_1) - text) + strlen(CYCLE_1);
    for (size_t length = 0; length < sizeof text; length++) {
        enum status status = parse(text, length);
        if (length < strlen(head)) {
            assert_int_equal(status, length < strlen(POWER_LOG_MAGIC) ? STATUS_INVALID : STATUS_TRUNCATED);
            continue;
        }
        assert_int_equal(status, STATUS_OK);
        assert_int_equal(parsed.cycles.n, (length >= first) + (length >= strlen(text)));
        assert_int_equal(parsed.process_records.n, parsed.cycles.n);
        assert_int_equal(parsed.thread_records.n, parsed.cycles.n == 2);
    }
}

TEST(quoted_names_may_hold_commas_quotes_and_newlines)
{
    parse_good(HEAD "process,1,1,\"a,b\"\nprocess,2,1,\"say \"\"hi\"\"\"\nprocess,3,1,\"two\nlines\"\n"
                    "process,4,1,\"#not a comment\n#nor this\"\nprocess,5,1,\"\"\nprocess,6,1, kept \n" CYCLE_1);
    static const char *const names[] = {"a,b", "say \"hi\"", "two\nlines", "#not a comment\n#nor this", "", " kept "};
    assert_int_equal(parsed.processes.n, 6);
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(name_of(i), names[i]);
}

TEST(lines_may_end_in_crlf)
{
    parse_good("#joular-power-log 1\r\n#{\"cpus\":4}\r\n# note\r\n\r\nprocess,1,10,a\r\n"
               "cycle,1000,2000,1000,1.5,700,ok\r\n");
    assert_int_equal(parsed.cpus, 4);
    assert_int_equal(parsed.cycles.n, 1);
    assert_int_equal(parsed.unknown_records, 0);
    assert_string_equal(name_of(0), "a");
    assert_string_equal(power_text(&parsed, parsed.cycles.v[0].status), "ok");
}

TEST(a_line_number_counts_the_lines_inside_quotes)
{
    parse_bad(HEAD "process,1,1,\"a\nb\nc\"\n# note\nprocess,1,-1,x\n", STATUS_INVALID, 7, "cpu_ns");
    parse_bad(HEAD "process,1,-1,\"a\nb\nc\"\n", STATUS_INVALID, 3, "cpu_ns");
}

TEST(a_quote_in_the_middle_of_a_field_is_no_csv)
{
    parse_bad(HEAD "process,1,1,a\"b\n", STATUS_INVALID, 3, "field 4");
    parse_bad(HEAD "process,1,1,\"a\"b\n", STATUS_INVALID, 3, "field 4");
}

TEST(a_quote_that_is_never_closed_does_not_eat_the_log)
{
    static char text[300000];
    strcpy(text, HEAD "process,1,1,\"open\n");
    size_t n = strlen(text);
    while (n + 64 < sizeof text)
        n += (size_t)snprintf(text + n, 64, "process,2,2,x\n");
    parse_bad(text, STATUS_INVALID, 3, "quote");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ONE(a_cycle_has_its_records_clocks_power_and_status),
        ONE(a_cycle_closes_the_records_before_it),
        ONE(one_identity_is_kept_once_and_another_name_is_another),
        ONE(threads_are_told_apart_in_whatever_order_they_come),
        ONE(namespace_ids_are_read_where_they_are_there),
        ONE(another_version_is_refused_by_number),
        ONE(a_first_line_without_a_version_is_invalid),
        ONE(a_file_that_begins_otherwise_is_no_power_log),
        ONE(facts_come_from_line_2),
        ONE(facts_that_are_no_utf_8_are_repaired),
        ONE(every_fact_is_optional),
        ONE(a_fact_of_another_type_is_as_if_it_were_missing),
        ONE(a_baseline_that_no_machine_draws_is_none),
        ONE(a_second_line_that_is_no_json_object_names_line_2),
        ONE(comments_and_empty_lines_are_passed),
        ONE(unknown_records_are_skipped_and_counted),
        ONE(fields_after_the_known_ones_are_ignored),
        ONE(records_after_the_last_cycle_are_dropped),
        ONE(a_last_line_without_its_lf_is_dropped),
        ONE(a_log_cut_anywhere_loses_at_most_the_open_cycle),
        ONE(quoted_names_may_hold_commas_quotes_and_newlines),
        ONE(lines_may_end_in_crlf),
        ONE(a_line_number_counts_the_lines_inside_quotes),
        ONE(a_quote_in_the_middle_of_a_field_is_no_csv),
        ONE(a_quote_that_is_never_closed_does_not_eat_the_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
