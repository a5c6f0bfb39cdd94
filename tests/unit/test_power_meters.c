/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs of other meters: EnergiBridge, Scaphandre, turbostat, perf stat. The files in tests/data/meters are written by
 * hand after the documentation of each tool; what they say in joules and seconds is worked out by hand below. */
#include "unit.h"

#include "joular/file.h"
#include "joular/powerlog.h"

#include <stdio.h>
#include <time.h>

#define MS INT64_C(1000000)
#define AT(seconds_ms) (INT64_C(1795986000) * 1000 * MS + (seconds_ms)*MS)
#define NO_START POWER_NO_START

static struct power_log log_;
static struct error err;

static enum status read_as(const char *name, const void *bytes, size_t length, int64_t start_ns)
{
    const struct power_format *format = power_format_named(name);
    assert_non_null(format);
    uint8_t *copy = mem_alloc(length + 1); /* a block of its own, so that a read past its end is seen */
    memcpy(copy, bytes, length);
    copy = mem_resize(copy, length != 0 ? length : 1, 1);
    power_log_free(&log_);
    err = (struct error){0};
    enum status status = power_read(format, copy, length, start_ns, &log_, &err);
    assert_int_equal(status, err.status);
    free(copy);
    return status;
}

static void good(const char *name, const char *text, int64_t start_ns)
{
    const struct power_format *told = power_format_of((const uint8_t *)text, strlen(text));
    if (told == NULL || strcmp(told->name, name) != 0)
        fail_msg("told as %s, not %s: %s", told != NULL ? told->name : "nothing", name, text);
    if (read_as(name, text, strlen(text), start_ns) != STATUS_OK)
        fail_msg("line %lld: %s", (long long)err.line, err.text);
}

static void bad_from(const char *name, const char *text, int64_t start_ns, enum status status, int64_t line,
                     const char *words)
{
    assert_int_equal(read_as(name, text, strlen(text), start_ns), status);
    assert_has(err.text, words);
    assert_int_equal(err.line, line);
}

static void bad(const char *name, const char *text, int64_t line, const char *words)
{
    bad_from(name, text, strcmp(name, "perf") == 0 ? AT(0) : NO_START, STATUS_INVALID, line, words);
}

static void good_file(const char *name, const char *file, int64_t start_ns)
{
    const char *top = getenv("JOULAR_TOP_SRCDIR");
    char path[4096];
    struct file_bytes bytes;
    snprintf(path, sizeof path, "%s/tests/data/meters/%s", top != NULL ? top : ".", file);
    if (file_read(path, &bytes, &err) != STATUS_OK)
        fail_msg("%s: %s", path, err.text);
    const struct power_format *told = power_format_of(bytes.bytes, bytes.length);
    assert_non_null(told);
    assert_string_equal(told->name, name);
    if (read_as(name, bytes.bytes, bytes.length, start_ns) != STATUS_OK)
        fail_msg("line %lld: %s", (long long)err.line, err.text);
    file_release(&bytes);
    assert_string_equal(log_.source, name);
    assert_false(log_.is_process_power);
}

static void cycle(size_t number, int64_t start_ns, int64_t end_ns, double energy_j, const char *status)
{
    assert_true(number < log_.cycles.n);
    const struct power_cycle *c = &log_.cycles.v[number];
    assert_int_equal(c->start_ns, start_ns);
    assert_int_equal(c->end_ns, end_ns);
    assert_int_equal(c->realtime_ns, end_ns);
    assert_true(c->busy_ns < 0);
    assert_string_equal(power_text(&log_, c->status), status);
    if (isnan(energy_j)) {
        assert_true(isnan(c->power_w));
        return;
    }
    double got_j = c->power_w * (double)(end_ns - start_ns) / 1e9;
    if (!(fabs(got_j - energy_j) < 1e-9))
        fail_msg("cycle %zu: %.17g J, not %.17g", number, got_j, energy_j);
}

static int release(void **state)
{
    (void)state;
    power_log_free(&log_);
    return 0;
}

/* ---- EnergiBridge ---- */

#define BRIDGE "Delta,Time,DRAM_ENERGY (J),PACKAGE_ENERGY (J),PP0_ENERGY (J)\n"

TEST(energibridge_has_the_differences_of_its_package_counter)
{
    good_file("energibridge", "energibridge.csv", NO_START);
    assert_int_equal(log_.cycles.n, 5);
    /* the second row is where it begins: 262111 - 262101 */
    cycle(0, AT(690000), AT(690500), 10, "ok");
    cycle(1, AT(690500), AT(691500), 30.5, "ok");
    /* units of 2^-14 J, 32 bits: it goes round at 2^18 = 262144; 262144 - 262141.5 + 12 */
    cycle(2, AT(691500), AT(692000), 14.5, "ok");
    cycle(3, AT(692000), AT(693000), 30, "ok");
    /* a row of the same time is left out, and its joules are in the next */
    cycle(4, AT(693000), AT(694000), 30.25, "ok");
    assert_int_equal(log_.unknown_records, 1);
}

TEST(an_amd_counter_and_another_separator)
{
    good("energibridge",
         "Delta;Time;CORE0_ENERGY (J);CPU_ENERGY (J);CPU_FREQUENCY_0\r\n"
         "0;1000;7;100.5;9\r\n1000;2000;8;104.75;9\r\n\r\n1000;2500;8;104.75;9\r\n",
         NO_START);
    assert_int_equal(log_.cycles.n, 2);
    cycle(0, 1000 * MS, 2000 * MS, 4.25, "ok");
    cycle(1, 2000 * MS, 2500 * MS, 0, "ok");
}

TEST(a_mac_has_power)
{
    good("energibridge",
         "Delta,Time,CPU_POWER (Watts),SYSTEM_POWER (Watts)\n0,1000,3,9\n0,1000,3,9\n0,2000,4.5,9\n0,4000,5,9\n",
         NO_START);
    assert_int_equal(log_.cycles.n, 2);
    cycle(0, 1000 * MS, 2000 * MS, 4.5, "ok");
    cycle(1, 2000 * MS, 4000 * MS, 10, "ok");
    assert_int_equal(log_.unknown_records, 0);
}

TEST(a_counter_whose_range_is_not_certain_or_that_was_reset_has_no_energy)
{
    /* no digit behind the point: the range may be anything above */
    good("energibridge", BRIDGE "0,1000,0,65530,0\n0,2000,0,10,0\n0,3000,0,12,0\n", NO_START);
    cycle(0, 1000 * MS, 2000 * MS, NAN, "reset");
    cycle(1, 2000 * MS, 3000 * MS, 2, "ok");
    /* 2^-16 seen, so the range is 65536 J: known */
    good("energibridge", BRIDGE "0,1000,0,65530.0000152587890625,0\n0,2000,0,10.0000152587890625,0\n", NO_START);
    cycle(0, 1000 * MS, 2000 * MS, 16, "ok");
    /* the reading after it shows 2^-16 first */
    good("energibridge", BRIDGE "0,1000,0,65530,0\n0,2000,0,10.0000152587890625,0\n", NO_START);
    cycle(0, 1000 * MS, 2000 * MS, 16.0000152587890625, "ok");
    /* shown by a row long before */
    good("energibridge", BRIDGE "0,1000,0,65530.0000152587890625,0\n0,2000,0,65531.5,0\n0,3000,0,10,0\n", NO_START);
    cycle(1, 2000 * MS, 3000 * MS, 14.5, "ok");
    /* known, but 20000 J below it: more than half of it would have passed */
    good("energibridge", BRIDGE "0,1000,0,45536.0000152587890625,0\n0,2000,0,20000,0\n", NO_START);
    cycle(0, 1000 * MS, 2000 * MS, NAN, "reset");
    /* a reading above what 32 bits of such a unit hold: not as documented, so nothing is certain */
    good("energibridge", BRIDGE "0,1000,0,131000.0000152587890625,0\n0,2000,0,2,0\n", NO_START);
    cycle(0, 1000 * MS, 2000 * MS, NAN, "reset");
}

TEST(columns_that_are_not_of_the_cpus_are_refused_by_name)
{
    bad_from("energibridge", "Delta,Time,SYSTEM_POWER (Watts)\n0,1,2\n", NO_START, STATUS_UNSUPPORTED, 1,
             "the column SYSTEM_POWER (Watts) is the power of the whole computer");
    bad_from("energibridge", "Delta,Time,DRAM_ENERGY (J),PACAKGE_ENERGY (J)\n0,1,2,3\n", NO_START, STATUS_UNSUPPORTED,
             1, "the column PACAKGE_ENERGY (J) is of an early EnergiBridge");
    bad_from("energibridge", "Delta,Time,CPU_USAGE_0,DRAM_ENERGY (J)\n0,1,2,3\n", NO_START, STATUS_MISSING, 1,
             "no column has the energy or the power of the CPUs");
}

TEST(wrong_rows_of_energibridge_are_named)
{
    bad("energibridge", BRIDGE "0,1,2,3,4\n0,2,2,3\n", 3, "has 4 fields, and the header names 5");
    bad("energibridge", BRIDGE "0,1,2,3,4,5\n", 2, "has more than 5 fields, and the header names 5");
    bad("energibridge", BRIDGE "0,1.5,2,3,4\n", 2, "field 2 (Time) is no time in milliseconds: \"1.5\"");
    bad("energibridge", BRIDGE "0,-1,2,3,4\n", 2, "field 2 (Time)");
    bad("energibridge", BRIDGE "0,9223372036854775807,2,3,4\n", 2, "field 2 (Time)");
    bad("energibridge", BRIDGE "0,1,2,NaN,4\n", 2, "field 4 (PACKAGE_ENERGY (J)) is not a finite number: \"NaN\"");
    bad("energibridge", BRIDGE "0,1,2,-3,4\n", 2, "field 4 (PACKAGE_ENERGY (J)) is negative");
    bad("energibridge", BRIDGE "0,1,2,1e308,4\n", 2,
        "field 4 (PACKAGE_ENERGY (J)) is more than any meter shows: \"1e308\"");
    bad("energibridge", BRIDGE "0,1,2,\033[31m,4\n", 2, "\\x1b[31m");
    bad("energibridge", "timestamp,watts\n1,2\n", 0, "does not begin with EnergiBridge's header");
}

TEST(a_header_of_a_million_columns_is_refused)
{
    size_t length = (size_t)1000000;
    char *text = mem_alloc(length + 1);
    memset(text, ',', length);
    memcpy(text, "Delta,Time,", 11);
    text[length - 1] = '\n';
    text[length] = '\0';
    bad("energibridge", text, 1, "more than 65536 columns");
    free(text);
}

/* ---- Scaphandre ---- */

#define HOST(t) "{\"host\":{\"consumption\":5e6,\"timestamp\":" t "},\"consumers\":[],\"sockets\":["
#define SOCKET(id, uw) "{\"id\":" id ",\"consumption\":" uw ",\"domains\":[],\"timestamp\":1}"

TEST(scaphandre_has_the_sum_of_its_sockets)
{
    good_file("scaphandre", "scaphandre.json", NO_START);
    assert_int_equal(log_.cycles.n, 4); /* the report that is cut is none */
    cycle(0, AT(690500), AT(691500) + 200, 30.75 * 1.0000002, "ok");
    cycle(1, AT(691500) + 200, AT(692750), NAN, "no-reading"); /* one of two sockets */
    cycle(2, AT(692750), AT(693750), 27.5, "ok");
    cycle(3, AT(693750), AT(694250), 13, "ok");
}

TEST(reports_one_behind_the_other_are_read_too)
{
    good("scaphandre",
         HOST("10.5") "]}" HOST("11.5") SOCKET("0", "2000000.5") "]}\n " HOST("13") SOCKET("0", "3000000") "]},",
         NO_START);
    assert_int_equal(log_.cycles.n, 2);
    cycle(0, 10500 * MS, 11500 * MS, 2.0000005, "ok");
    cycle(1, 11500 * MS, 13000 * MS, 4.5, "ok");
    good("scaphandre", "[ \n" HOST("1") "]},\n" HOST("2") SOCKET("0", "1000000") "]},]\n", NO_START);
    assert_int_equal(log_.cycles.n, 1);
}

TEST(the_power_of_the_host_alone_is_not_taken_for_that_of_its_cpus)
{
    bad_from("scaphandre", HOST("1") "]}" HOST("2") "]}", NO_START, STATUS_MISSING, 0,
             "has the power of the host alone");
}

TEST(wrong_reports_are_named_with_line_and_number)
{
    bad("scaphandre", "[" HOST("1") "]},\n" HOST("\"2\"") "]}]", 2, "report 2 has no timestamp of the host");
    bad("scaphandre", HOST("-1") "]}", 1, "report 1 has no timestamp of the host");
    bad("scaphandre", HOST("1e300") "]}", 1, "report 1 has no timestamp of the host");
    bad("scaphandre", HOST("1") SOCKET("0", "-5") "]}", 1, "report 1 has a socket (1) without an id and a consumption");
    bad("scaphandre", HOST("1") SOCKET("0", "1e300") "]}", 1,
        "report 1 has a socket (1) without an id and a consumption");
    bad("scaphandre", HOST("1") SOCKET("0", "5") ",7]}", 1,
        "report 1 has a socket (2) without an id and a consumption");
    bad("scaphandre", HOST("1") SOCKET("0", "NaN") "]}", 1,
        "report 1 has a socket (1) without an id and a consumption");
    bad("scaphandre", HOST("1") SOCKET("3", "5") "," SOCKET("3", "5") "]}", 1, "report 1 has socket 3 twice");
    bad("scaphandre", "{\"host\":5,\"sockets\":[]}", 1, "report 1 is none of Scaphandre");
    bad("scaphandre", "\n\n{\"host\":{\"timestamp\":1}}", 3, "report 1 is none of Scaphandre");
    bad("scaphandre", "{\"host\":}", 1, "report 1 is no JSON");
    bad("scaphandre", HOST("1") "]}\n}", 2, "\"}\" stands where a report should begin");
    bad("scaphandre", "[" HOST("1") "]}]\n" HOST("2") "]}", 2, "\"{\" stands where a report should begin");
    bad("scaphandre", "[[" HOST("1") "]}]]", 1, "\"[\" stands where a report should begin");
}

TEST(deep_and_endless_reports_are_refused)
{
    size_t length = (size_t)17 * 1024 * 1024;
    char *text = mem_alloc(length + 1);
    memset(text, '[', length);
    memcpy(text, "{\"host\":", 8);
    text[length] = '\0';
    bad("scaphandre", text, 1, "report 1 is no JSON");
    memset(text, 'x', length);
    memcpy(text, "{\"host\":\"", 9);
    bad("scaphandre", text, 1, "report 1 has more than 16777216 bytes");
    free(text);
}

/* ---- turbostat ---- */

#define ROWS "Time_Of_Day_Seconds\tCore\tCPU\tPkgWatt\tRAMWatt\n"

TEST(turbostat_has_the_summary_of_all_packages)
{
    good_file("turbostat", "turbostat.txt", NO_START);
    assert_int_equal(log_.cycles.n, 3);
    cycle(0, AT(690500), AT(691500), 32.75, "ok");
    cycle(1, AT(691500), AT(693500), 63, "ok"); /* 31.5 W, 2 s */
    cycle(2, AT(693500), AT(694500), 18.25, "ok");
}

TEST(turbostat_with_joules_has_the_energy_of_the_interval)
{
    good("turbostat",
         "Time_Of_Day_Seconds\tAvg_MHz\tPkg_J\tRAM_J\n "
         "10.000000\t5\t900\t7\n12.500000\t5\t50.25\t7\n13.000001\t5\t8\t7\n",
         NO_START);
    assert_int_equal(log_.cycles.n, 2);
    cycle(0, 10000 * MS, 12500 * MS, 50.25, "ok");
    cycle(1, 12500 * MS, 13000 * MS + 1000, 8, "ok");
}

TEST(headings_may_come_once_and_change)
{
    good("turbostat",
         ROWS "1.0\t-\t-\t5\t1\n1.0\t0\t0\t5\t1\n2.0\t-\t-\t6\t1\n2.0\t0\t0\t5\n\nTime_Of_Day_Seconds\tCPU\tPkgWatt\n3."
              "0\t-\t7\n",
         NO_START);
    assert_int_equal(log_.cycles.n, 2);
    cycle(0, 1000 * MS, 2000 * MS, 6, "ok");
    cycle(1, 2000 * MS, 3000 * MS, 7, "ok");
}

TEST(turbostat_without_a_clock_or_a_power_is_refused)
{
    bad_from("turbostat", "turbostat version 1\nCore\tCPU\tBusy%\tPkgWatt\n-\t-\t5\t6\n", NO_START, STATUS_MISSING, 2,
             "--enable Time_Of_Day_Seconds");
    bad_from("turbostat", "Time_Of_Day_Seconds\tCore\tCPU\tRAMWatt\n", NO_START, STATUS_MISSING, 1,
             "has no column PkgWatt or Pkg_J");
    bad_from("turbostat", "turbostat version 1\nfoo\n", NO_START, STATUS_MISSING, 0, "has no row of headings");
}

TEST(rows_of_cpus_that_nothing_tells_from_the_summary_are_refused)
{
    bad("turbostat", "Time_Of_Day_Seconds\tPkgWatt\n1.0\t5\n1.0\t5\n1.0\n", 4, "let turbostat show the column CPU too");
}

TEST(wrong_rows_of_turbostat_are_named)
{
    bad("turbostat", ROWS "1.0\t-\t-\t5\n", 2, "has 4 fields, and the header names 5");
    bad("turbostat", ROWS "now\t-\t-\t5\t6\n", 2, "field 1 (Time_Of_Day_Seconds) is no time in seconds: \"now\"");
    bad("turbostat", ROWS "99999999999999\t-\t-\t5\t6\n", 2, "field 1 (Time_Of_Day_Seconds)");
    bad("turbostat", ROWS "1.0\t-\t-\t-nan\t6\n", 2, "field 4 (PkgWatt) is not a finite number: \"-nan\"");
    bad("turbostat", ROWS "1.0\t-\t-\t-2\t6\n", 2, "field 4 (PkgWatt) is negative");
}

/* ---- perf stat ---- */

TEST(perf_has_the_packages_of_each_interval_from_the_start_that_is_given)
{
    good_file("perf", "perf.csv", AT(690250));
    assert_int_equal(log_.cycles.n, 4); /* the fifth was cut between its packages */
    cycle(0, AT(690250), AT(691250), 31.25, "ok");
    cycle(1, AT(691250), AT(692250), 26.75, "ok");
    cycle(2, AT(692250), AT(693750), NAN, "no-reading");
    cycle(3, AT(693750), AT(694750), 21.75, "ok");
}

TEST(perf_of_all_cpus_and_with_another_separator)
{
    good("perf",
         "     0.500000000;5.25;Joules;power/energy-pkg/;1;100.00\n     "
         "0.500000000;9;Joules;power/energy-psys/;1;100.00\n"
         "     2.000000000;6;Joules;power/energy-pkg/;1;100.00\n     summary;11.25;Joules;power/energy-pkg/;1;100.00\n",
         AT(0));
    assert_int_equal(log_.cycles.n, 2);
    cycle(0, AT(0), AT(500), 5.25, "ok");
    cycle(1, AT(500), AT(2000), 6, "ok");
    good("perf", "1.0,CPU0,5,Joules,power/energy-pkg/\n1.0,CPU8,7,Joules,power/energy-pkg/\n", AT(0));
    assert_int_equal(log_.cycles.n, 1);
    cycle(0, AT(0), AT(1000), 12, "ok");
}

TEST(an_interval_without_one_of_its_packages_has_no_power)
{
    good("perf",
         "1.0,S0,1,5,Joules,power/energy-pkg/\n1.0,S1,1,5,Joules,power/energy-pkg/\n"
         "2.0,S0,1,5,Joules,power/energy-pkg/\n"
         "3.0,S0,1,5,Joules,power/energy-pkg/\n3.0,S1,1,6,Joules,power/energy-pkg/\n",
         AT(0));
    assert_int_equal(log_.cycles.n, 3);
    cycle(1, AT(1000), AT(2000), NAN, "no-reading");
    cycle(2, AT(2000), AT(3000), 11, "ok");
}

TEST(perf_without_a_start_is_refused_and_says_what_it_knows)
{
    bad_from("perf", "1.0,5,Joules,power/energy-pkg/\n", NO_START, STATUS_MISSING, 1,
             "nothing in it says when that was: say it with --log-start TIME");
    bad_from("perf", "# started on Sun Nov 29 22:35:01 2026\n\n1.0,5,Joules,power/energy-pkg/\n", NO_START,
             STATUS_MISSING, 3, "\"# started on Sun Nov 29 22:35:01 2026\" has it to the second");
}

TEST(a_start_for_a_log_with_a_clock_is_refused)
{
    bad_from("csv", "timestamp,watts\n1,2\n", AT(0), STATUS_INVALID, 0, "--log-start has no use");
    bad_from("turbostat", ROWS, AT(0), STATUS_INVALID, 0, "--log-start has no use");
    bad_from("joular", "#joular-power-log 1\n#{}\n", AT(0), STATUS_INVALID, 0, "--log-start has no use");
}

TEST(wrong_lines_of_perf_are_named)
{
    bad("perf", "1.0,5,Joules,power/energy-pkg/\n2.0,5,mJ,power/energy-pkg/\n", 2,
        "field 3 (unit of energy-pkg) is not Joules: \"mJ\"");
    bad("perf", "1.0,5,,power/energy-pkg/\n", 1, "is not Joules: \"\"");
    bad("perf", "1.0,3;5,Joules,power/energy-pkg/\n", 1, "field 2 (counter value) is not a finite number: \"3;5\"");
    bad("perf", "1.0,-3,Joules,power/energy-pkg/\n", 1, "field 2 (counter value) is negative");
    bad("perf", "1.0,5,Joules,power/energy-pkg/\n1.0,5,Joules,power/energy-pkg/\n", 2,
        "has the energy of the same packages again as line 1");
    bad("perf", "1.0,5,Joules,power/energy-pkg/\n0.5,5,Joules,power/energy-pkg/\n", 2, "goes back in time");
    bad("perf", "1.0,5,Joules,power/energy-pkg/\n# started on Mon\n", 2, "a second measurement begins here");
    bad("perf", "1.0,5,Joules,power/energy-pkg/\nsoon,5,Joules,power/energy-pkg/\n", 2, "field 1 (time)");
    bad("perf", "1.0,power/energy-pkg/\n", 1, "is no line of perf stat -I -x");
    bad("perf", "5.2,Joules,power/energy-pkg/,1,100.00\n", 1, "is no line of perf stat -I -x");
    bad("perf", "12,Joules,power/energy-pkg/,1,100.00\n", 1, "perf stat was not told -I");
    bad_from("perf", "     1.000214717               3.07 Joules power/energy-pkg/         [100.00%]\n", NO_START,
             STATUS_UNSUPPORTED, 1, "is perf stat's output for people");
    bad_from("perf", "1.0,5,,cycles\n", AT(0), STATUS_MISSING, 0, "has no event power/energy-pkg/");
}

/* ---- all of them ---- */

TEST(what_is_none_of_them_is_not_told_as_one)
{
    const char *const others[] = {"Delta",
                                  "Delta,Time",
                                  "DeltaTime,x",
                                  "Delta,Times,x",
                                  "{\"hosts\":1}",
                                  "[[{\"host\"",
                                  "[1,2]",
                                  "Avg_MHz\n",
                                  "name\tBusy\n1\t2\n",
                                  "1.0,5,,cycles\n",
                                  "energy-pkg\n",
                                  "# energy-pkg\n",
                                  "1,5,Joules,power/energy-pkg/\n",
                                  "",
                                  "\n\n"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        const struct power_format *told = power_format_of((const uint8_t *)others[i], strlen(others[i]));
        if (told != NULL)
            fail_msg("taken for %s: %s", told->name, others[i]);
    }
}

/* Cut anywhere, a log is one that has fewer cycles, each as in the whole. */
TEST(a_file_cut_anywhere_is_the_beginning_of_the_whole)
{
    static const struct {
        const char *name, *file;
        int64_t start_ns;
    } files[] = {{"energibridge", "energibridge.csv", NO_START},
                 {"scaphandre", "scaphandre.json", NO_START},
                 {"turbostat", "turbostat.txt", NO_START},
                 {"perf", "perf.csv", AT(690250)}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const char *top = getenv("JOULAR_TOP_SRCDIR");
        char path[4096];
        struct file_bytes bytes;
        snprintf(path, sizeof path, "%s/tests/data/meters/%s", top != NULL ? top : ".", files[i].file);
        assert_int_equal(file_read(path, &bytes, &err), STATUS_OK);
        double power_w[8];
        assert_int_equal(read_as(files[i].name, bytes.bytes, bytes.length, files[i].start_ns), STATUS_OK);
        size_t whole = log_.cycles.n, most = 0;
        assert_true(whole <= 8);
        for (size_t c = 0; c < whole; c++)
            power_w[c] = log_.cycles.v[c].power_w;
        for (size_t length = 0; length < bytes.length; length++) {
            enum status status = read_as(files[i].name, bytes.bytes, length, files[i].start_ns);
            if (status != STATUS_OK && status != STATUS_MISSING && length > 12)
                fail_msg("%s cut at %zu: line %lld: %s", files[i].file, length, (long long)err.line, err.text);
            assert_true(log_.cycles.n <= whole && (status != STATUS_OK || log_.cycles.n >= most));
            if (status == STATUS_OK)
                most = log_.cycles.n;
            for (size_t c = 0; c < log_.cycles.n; c++)
                if (i != 3 || c != 0) /* perf: how many packages there are shows in the second interval */
                    assert_same(log_.cycles.v[c].power_w, power_w[c]);
        }
        assert_true(most >= 3);
        file_release(&bytes);
    }
}

int main(void)
{
#define ONE(name) cmocka_unit_test_setup_teardown(name, NULL, release)
    const struct CMUnitTest tests[] = {
        ONE(energibridge_has_the_differences_of_its_package_counter),
        ONE(an_amd_counter_and_another_separator),
        ONE(a_mac_has_power),
        ONE(a_counter_whose_range_is_not_certain_or_that_was_reset_has_no_energy),
        ONE(columns_that_are_not_of_the_cpus_are_refused_by_name),
        ONE(wrong_rows_of_energibridge_are_named),
        ONE(a_header_of_a_million_columns_is_refused),
        ONE(scaphandre_has_the_sum_of_its_sockets),
        ONE(reports_one_behind_the_other_are_read_too),
        ONE(the_power_of_the_host_alone_is_not_taken_for_that_of_its_cpus),
        ONE(wrong_reports_are_named_with_line_and_number),
        ONE(deep_and_endless_reports_are_refused),
        ONE(turbostat_has_the_summary_of_all_packages),
        ONE(turbostat_with_joules_has_the_energy_of_the_interval),
        ONE(headings_may_come_once_and_change),
        ONE(turbostat_without_a_clock_or_a_power_is_refused),
        ONE(rows_of_cpus_that_nothing_tells_from_the_summary_are_refused),
        ONE(wrong_rows_of_turbostat_are_named),
        ONE(perf_has_the_packages_of_each_interval_from_the_start_that_is_given),
        ONE(perf_of_all_cpus_and_with_another_separator),
        ONE(an_interval_without_one_of_its_packages_has_no_power),
        ONE(perf_without_a_start_is_refused_and_says_what_it_knows),
        ONE(a_start_for_a_log_with_a_clock_is_refused),
        ONE(wrong_lines_of_perf_are_named),
        ONE(what_is_none_of_them_is_not_told_as_one),
        ONE(a_file_cut_anywhere_is_the_beginning_of_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
