/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields and cycles of the power log that are wrong, and those that only look so. */
#include "power_parse.h"

TEST(a_cycle_without_power_says_why)
{
    static const char *const words[] = {"no-reading", "stale", "reset",  "partial",
                                        "gap",        "late",  "reused", "a new one"};
    char text[128];
    for (size_t i = 0; i < 8; i++) {
        snprintf(text, sizeof text, HEAD "cycle,1,2000,1000,,0,%s\n", words[i]);
        parse_good(text);
        assert_true(isnan(parsed.cycles.v[0].power_w));
        assert_string_equal(power_text(&parsed, parsed.cycles.v[0].status), words[i]);
    }
}

TEST(a_power_of_0_is_a_power)
{
    parse_good(HEAD "cycle,1,2000,1000,0,0,ok\ncycle,1,3000,1000,1e2,0,ok\n");
    assert_same(parsed.cycles.v[0].power_w, 0);
    assert_same(parsed.cycles.v[1].power_w, 100);
}

TEST(cycles_may_touch_and_leave_gaps)
{
    parse_good(HEAD CYCLE_1 CYCLE_2 "cycle,9,9000,10,1,0,gap\n");
    assert_int_equal(parsed.cycles.n, 3);
}

TEST(the_wall_clock_may_go_back)
{
    parse_good(HEAD CYCLE_2 "cycle,1,4000,1000,1,0,ok\n");
    assert_int_equal(parsed.cycles.n, 2);
}

TEST(a_cycle_that_overlaps_names_its_line)
{
    parse_bad(HEAD CYCLE_1 "cycle,2000,3000,1001,2.5,800,ok\n", STATUS_INVALID, 4, "overlaps");
}

TEST(a_cycle_that_goes_back_names_its_line)
{
    parse_bad(HEAD CYCLE_2 "# note\n" CYCLE_1, STATUS_INVALID, 5, "goes back");
    parse_bad(HEAD CYCLE_1 CYCLE_1, STATUS_INVALID, 4, "goes back");
}

TEST(a_field_that_is_wrong_is_named_with_its_line)
{
    static const struct {
        const char *record, *words;
    } cases[] = {
        {"domain,d,x", "field 3 (energy_uj)"},
        {"domain,d,-1", "is negative"},
        {"domain,d,", "field 3 (energy_uj)"},
        {"process,x,1,n", "field 2 (pid)"},
        {"process,,1,n", "field 2 (pid)"},
        {"process,0,1,n", "field 2 (pid)"},
        {"process,-1,1,n", "field 2 (pid)"},
        {"process,1,x,n", "field 3 (cpu_ns) of a process record is not a whole number: \"x\""},
        {"process,1,1.5,n", "field 3 (cpu_ns)"},
        {"process,1,-1,n", "field 3 (cpu_ns) of a process record is negative: \"-1\""},
        {"process,1,9223372036854775808,n", "field 3 (cpu_ns)"},
        {"process,1, 1,n", "field 3 (cpu_ns)"},
        {"process,1,+1,n", "field 3 (cpu_ns)"},
        {"process,1,1,n,x", "field 5 (ns_pid)"},
        {"process,1,1,n,0", "field 5 (ns_pid)"},
        {"thread,x,2,3,n", "field 2 (pid)"},
        {"thread,1,x,3,n", "field 3 (tid)"},
        {"thread,1,0,3,n", "field 3 (tid)"},
        {"thread,1,2,x,n", "field 4 (cpu_ns)"},
        {"thread,1,2,-3,n", "field 4 (cpu_ns) of a thread record is negative"},
        {"thread,1,2,3,n,x", "field 6 (ns_tid)"},
        {"thread,1,2,3,n,-4", "field 6 (ns_tid)"},
        {"cycle,x,2000,1000,1,0,ok", "field 2 (realtime_ns)"},
        {"cycle,-1,2000,1000,1,0,ok", "field 2 (realtime_ns)"},
        {"cycle,1,x,1000,1,0,ok", "field 3 (monotonic_ns)"},
        {"cycle,1,-2000,1000,1,0,ok", "field 3 (monotonic_ns)"},
        {"cycle,1,2000,x,1,0,ok", "field 4 (interval_ns)"},
        {"cycle,1,2000,0,1,0,ok", "field 4 (interval_ns)"},
        {"cycle,1,2000,-5,1,0,ok", "field 4 (interval_ns)"},
        {"cycle,1,2000,1000,x,0,ok", "field 5 (power_w)"},
        {"cycle,1,2000,1000,nan,0,ok", "field 5 (power_w)"},
        {"cycle,1,2000,1000,inf,0,ok", "field 5 (power_w)"},
        {"cycle,1,2000,1000,1e999,0,ok", "field 5 (power_w)"},
        {"cycle,1,2000,1000,0x10,0,ok", "field 5 (power_w)"},
        {"cycle,1,2000,1000,\"1,5\",0,ok", "field 5 (power_w)"},
        {"cycle,1,2000,1000,-1,0,ok", "field 5 (power_w) of a cycle record is negative"},
        {"cycle,1,2000,1000,1e10,0,ok", "field 5 (power_w) of a cycle record is above 1e9 watts"},
        {"cycle,1,2000,1000,1,x,ok", "field 6 (busy_ns)"},
        {"cycle,1,2000,1000,1,-1,ok", "field 6 (busy_ns)"},
        {"cycle,1,2000,1000,1,,ok", "field 6 (busy_ns)"},
        {"domain,d", "2 fields, and needs 3"},
        {"process,1,1", "3 fields, and needs 4"},
        {"thread,1,2,3", "4 fields, and needs 5"},
        {"cycle,1,2000,1000,1,0", "6 fields, and needs 7"},
        {"cycle", "1 fields, and needs 7"},
    };
    char text[160];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(text, sizeof text, HEAD "# note\n%s\n" CYCLE_2, cases[i].record);
        parse_bad(text, STATUS_INVALID, 4, cases[i].words);
    }
}

TEST(a_terminal_escape_in_a_wrong_field_does_not_come_through)
{
    parse_bad(HEAD "process,1,\x1b[31m,n\n", STATUS_INVALID, 3, "\\x1b[31m");
    assert_null(strchr(err.text, 27));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ONE(a_cycle_without_power_says_why),
        ONE(a_power_of_0_is_a_power),
        ONE(cycles_may_touch_and_leave_gaps),
        ONE(the_wall_clock_may_go_back),
        ONE(a_cycle_that_overlaps_names_its_line),
        ONE(a_cycle_that_goes_back_names_its_line),
        ONE(a_field_that_is_wrong_is_named_with_its_line),
        ONE(a_terminal_escape_in_a_wrong_field_does_not_come_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
