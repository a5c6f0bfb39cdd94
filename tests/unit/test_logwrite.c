/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the power log's writer writes, read back by the reader. */
#include "joular/file.h"
#include "logtest.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

static void what_is_written_is_read_back(void **state)
{
    struct log_fixture *f = *state;
    const char *paths[] = {f->plain, f->packed};
    for (size_t p = 0; p < 2; p++) {
        struct power_log log;
        bool cut;
        write_log(f, paths[p]);
        assert_int_equal(read_path(paths[p], &log, &cut), CYCLES);
        assert_false(cut);
        for (int i = 0; i < CYCLES; i++)
            assert_cycle(&log, (size_t)i, i);
        assert_string_equal(log.facts, FACTS);
        assert_int_equal(log.unknown_records, 0);
        power_log_free(&log);
    }
}

static void the_bytes_are_those_of_the_format(void **state)
{
    static const char wanted[] = "#joular-power-log 1\n#" FACTS "\n"
                                 "domain,package-0,14208123\n"
                                 "process,4242,1931200417,java\n"
                                 "process,4243,0,\"a,b\",9\n"
                                 "thread,4242,4259,992004111,\"say \"\"hi\"\"\"\n"
                                 "thread,4242,4260,7,two\\x0alines,3\n"
                                 "cycle,1764438001000123456,81234000123456,1000000345,14.208118,2110000000,ok\n"
                                 "cycle,1764438002000123456,81235000123456,1000000000,,1,no-reading\n";
    struct log_fixture *f = *state;
    struct power_writer *w = open_writer(f, f->plain);
    power_writer_domain(w, "package-0", 14208123);
    power_writer_process(w, 4242, 1931200417, "java", 0);
    power_writer_process(w, 4243, 0, "a,b", 9);
    power_writer_thread(w, 4242, 4259, 992004111, "say \"hi\"", 4259);
    power_writer_thread(w, 4242, 4260, 7, "two\nlines", 3);
    assert_int_equal(power_writer_cycle(w, INT64_C(1764438001000123456), INT64_C(81234000123456), 1000000345, 14.208118,
                                        2110000000, "ok", &f->err),
                     STATUS_OK);
    assert_int_equal(power_writer_cycle(w, INT64_C(1764438002000123456), INT64_C(81235000123456), 1000000000,
                                        (double)NAN, 1, "no-reading", &f->err),
                     STATUS_OK);
    power_writer_domain(w, "package-0", 1); /* a cycle that nobody closes is not written */
    assert_int_equal(power_writer_close(w, &f->err), STATUS_OK);
    struct file_bytes file;
    assert_int_equal(file_read(f->plain, &file, &f->err), STATUS_OK);
    assert_int_equal(file.length, sizeof wanted - 1);
    assert_memory_equal(file.bytes, wanted, file.length);
    file_release(&file);
}

static void a_cycle_is_one_write(void **state)
{
    struct log_fixture *f = *state;
    const char *paths[] = {f->plain, f->packed};
    for (size_t p = 0; p < 2; p++) {
        struct power_writer *w = open_writer(f, paths[p]);
        for (int i = 0; i < CYCLES; i++) {
            for (int t = 0; t < 5000; t++) /* more than any buffer on the way */
                power_writer_thread(w, 1, 100000 + t * (i + 1), t * 977 % 1000003, "a thread with a long name", 0);
            log_writes = 0;
            assert_int_equal(write_cycle(w, i, &f->err), STATUS_OK);
            assert_int_equal(log_writes, 1);
        }
        assert_int_equal(power_writer_close(w, &f->err), STATUS_OK);
    }
}

/* A log cut at any byte has all cycles that were whole in it. */
static void assert_cut_anywhere_reads(const char *path, const size_t *ends)
{
    struct file_bytes file;
    struct error err = {0};
    struct power_log log;
    assert_int_equal(file_read(path, &file, &err), STATUS_OK);
    for (size_t length = ends[0]; length <= file.length; length++) {
        int whole = 0;
        while (whole < CYCLES && ends[whole + 1] <= length)
            whole++;
        int cycles = read_bytes(file.bytes, length, &log, NULL);
        if (cycles != whole)
            fail_msg("%s cut at %zu has %d cycles, not %d", path, length, cycles, whole);
        for (int i = 0; i < cycles; i++)
            assert_cycle(&log, (size_t)i, i);
        power_log_free(&log);
    }
    file_release(&file);
}

static void a_log_that_is_cut_loses_the_cycle_in_hand_at_most(void **state)
{
    struct log_fixture *f = *state;
    const char *paths[] = {f->plain, f->packed};
    for (size_t p = 0; p < 2; p++) {
        size_t ends[CYCLES + 1];
        struct stat st;
        struct power_writer *w = open_writer(f, paths[p]);
        assert_int_equal(stat(paths[p], &st), 0);
        ends[0] = (size_t)st.st_size;
        for (int i = 0; i < CYCLES; i++) {
            assert_int_equal(write_cycle(w, i, &f->err), STATUS_OK);
            assert_int_equal(stat(paths[p], &st), 0);
            ends[i + 1] = (size_t)st.st_size;
            assert_true(ends[i + 1] > ends[i]);
        }
        assert_cut_anywhere_reads(paths[p], ends); /* killed: nobody closed it */
        assert_int_equal(power_writer_close(w, &f->err), STATUS_OK);
        assert_cut_anywhere_reads(paths[p], ends);
    }
}

static void names_are_one_line_of_utf8(void **state)
{
    struct log_fixture *f = *state;
    struct power_log log;
    char longest[3001];
    memset(longest, '\1', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    struct power_writer *w = open_writer(f, f->plain);
    power_writer_thread(w, 1, 2, 3,
                        "\xff\xfe"
                        "caf\xc3\xa9\x1b[31m",
                        0);
    power_writer_thread(w, 1, 3, 3, "", 0);
    power_writer_thread(w, 1, 4, 3, longest, 0);
    assert_int_equal(power_writer_cycle(w, 1, 2, 1, 0, 0, "ok", &f->err), STATUS_OK);
    assert_int_equal(power_writer_close(w, &f->err), STATUS_OK);
    assert_int_equal(read_path(f->plain, &log, NULL), 1);
    assert_string_equal(power_text(&log, log.threads.v[0].name), "\xef\xbf\xbd\xef\xbf\xbd"
                                                                 "caf\xc3\xa9\\x1b[31m");
    assert_string_equal(power_text(&log, log.threads.v[1].name), "");
    assert_int_equal(strlen(power_text(&log, log.threads.v[2].name)), 4 * 3000);
    power_log_free(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LOG_CASE(what_is_written_is_read_back), LOG_CASE(the_bytes_are_those_of_the_format),
        LOG_CASE(a_cycle_is_one_write),         LOG_CASE(a_log_that_is_cut_loses_the_cycle_in_hand_at_most),
        LOG_CASE(names_are_one_line_of_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
