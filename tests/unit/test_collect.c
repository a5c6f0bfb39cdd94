/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings made to take long: every one of these is collected in a time that goes with its bytes. */
#include "jfr_build.h"
#include "joular/collect.h"
#include "watch.h"

#define START_NS INT64_C(1764438000000000000)
enum {
    T_PAUSE = 200,
    T_EXECUTION,
    T_SETTING,
    LONG_KEY = 7
};

static const struct build_type types[] = {
    {"jdk.GCPhasePause",
     T_PAUSE,
     {{"startTime", "long", 0, 0, "jdk.jfr.Timestamp", "TICKS"}, {"name", "java.lang.String", 0, 0, 0, 0}}},
    {"jdk.ExecutionSample",
     T_EXECUTION,
     {{"startTime", "long", 0, 0, "jdk.jfr.Timestamp", "TICKS"},
      {"sampledThread", "java.lang.Thread", 1, 0, 0, 0},
      {"stackTrace", "jdk.types.StackTrace", 1, 0, 0, 0}}},
    {"jdk.ActiveSetting",
     T_SETTING,
     {{"startTime", "long", 0, 0, "jdk.jfr.Timestamp", "TICKS"},
      {"id", "long", 0, 0, 0, 0},
      {"name", "java.lang.String", 0, 0, 0, 0},
      {"value", "java.lang.String", 0, 0, 0, 0}}},
    {0},
};

/* A chunk with a text of 1 MiB in its pool. */
static void begin(struct build *b)
{
    struct build_type *all = build_join(build_types, types);
    char *text = mem_alloc((1 << 20) + 1);
    memset(text, 'x', 1 << 20);
    text[1 << 20] = '\0';
    build_begin(b);
    b->start_ns = START_NS;
    build_metadata(b, all);
    build_small_pools(b);
    build_checkpoint(b, 1);
    build_pool(b, T_STRING, 1);
    build_long(b, LONG_KEY);
    build_text(b, 3, text);
    build_end(b);
    free(text);
    free(all);
}

static void collect(struct build *b, struct observed *observed)
{
    struct collect_input input = {"made.jfr", b->out.v, b->out.n, NULL};
    const struct collect_options options = {.jobs = 1, .lines = true};
    struct power_log log;
    struct jfr_damage damage = {0};
    struct notices notices = {0};
    struct error err = {0};
    power_log_init(&log, "rapl");
    power_log_add_cycle(&log, START_NS - 1000, START_NS + 1000000000, START_NS + 1000000000, 10, "ok");
    observed_init(observed);
    assert_int_equal(collect_recordings(&input, 1, &log, &options, observed, &damage, &notices, &err), STATUS_OK);
    assert_int_equal(damage.first.status, STATUS_OK);
    notices_free(&notices);
    power_log_free(&log);
    build_free(b);
}

TEST(a_long_name_of_very_many_events_is_one_name)
{
    struct build b;
    struct observed observed;
    begin(&b);
    for (int i = 0; i < 200000; i++) {
        build_event(&b, T_PAUSE);
        build_long(&b, 100);
        build_text_key(&b, LONG_KEY);
        build_end(&b);
    }
    build_finish(&b);
    collect(&b, &observed);
    assert_int_equal(observed.pauses.n, 200000);
    assert_int_equal(observed.names.texts.v[observed.pauses.v[199999].name].length, 1 << 20);
    observed_free(&observed);
}

/* Methods of a class whose name is long, of one name, with one line: each is another entry of the pool. */
TEST(very_many_methods_of_a_long_name_are_one)
{
    enum {
        METHODS = 200000
    };
    struct build b;
    struct observed observed;
    begin(&b);
    build_checkpoint(&b, 3);
    build_pool(&b, T_SYMBOL, 1);
    build_long(&b, LONG_KEY);
    build_text_key(&b, LONG_KEY);
    build_pool(&b, T_CLASS, 1);
    build_long(&b, LONG_KEY);
    build_long(&b, LONG_KEY);
    build_pool(&b, T_METHOD, METHODS);
    for (unsigned i = 0; i < METHODS; i++) {
        build_long(&b, 100 + i);
        build_long(&b, LONG_KEY);
        build_long(&b, 1);
        build_long(&b, 1);
        build_int(&b, 0);
        build_u8(&b, 0);
    }
    build_end(&b);
    build_checkpoint(&b, 1);
    build_pool(&b, T_STACK, 1);
    build_long(&b, LONG_KEY);
    build_u8(&b, 0);
    build_int(&b, METHODS);
    for (unsigned i = 0; i < METHODS; i++) {
        build_long(&b, 100 + i);
        build_int(&b, 5);
        build_int(&b, 0);
        build_long(&b, 1);
    }
    build_end(&b);
    build_event(&b, T_EXECUTION);
    build_long(&b, 100);
    build_long(&b, 1);
    build_long(&b, LONG_KEY);
    build_end(&b);
    build_finish(&b);
    collect(&b, &observed);
    assert_int_equal(observed.branches.list.n, 1);
    assert_int_equal(observed.branches.list.v[0].count, METHODS);
    observed_free(&observed);
}

TEST(a_setting_of_a_mebibyte_is_none)
{
    struct build b;
    struct observed observed;
    begin(&b);
    for (int i = 0; i < 200000; i++) {
        build_event(&b, T_SETTING);
        build_long(&b, 100);
        build_long(&b, T_EXECUTION);
        build_text(&b, 3, "period");
        if (i == 0)
            build_text(&b, 3, "10 ms");
        else
            build_text_key(&b, LONG_KEY);
        build_end(&b);
    }
    build_finish(&b);
    collect(&b, &observed);
    assert_string_equal(observed.settings[SETTING_EXECUTION], "10 ms");
    assert_int_equal(observed.periods[0].n, 1);
    observed_free(&observed);
}

TEST(events_of_very_many_types_are_counted)
{
    struct observed observed;
    observed_init(&observed);
    for (int round = 0; round < 2; round++)
        for (uint32_t type = 0; type < 1000000; type++)
            observe_count(&observed, type, 2);
    assert_int_equal(observed.event_counts.n, 1000000);
    assert_int_equal(observed.event_counts.v[999999].name, 999999);
    assert_int_equal(observed.event_counts.v[999999].count, 4);
    observed_free(&observed);
}

/* Each of very many chunks was to be a hundred days long, and has no metadata. */
TEST(lost_time_does_not_overflow)
{
    const int lost = 1100;
    struct build b;
    struct observed observed;
    struct power_log log;
    struct jfr_damage damage = {0};
    struct notices notices = {0};
    struct error err = {0};
    const struct collect_options options = {.jobs = 1};
    begin(&b);
    build_finish(&b);
    b.duration_ns = INT64_C(100) * 86400 * 1000000000;
    for (int i = 0; i < lost; i++) {
        build_next_chunk(&b);
        b.start_ns += INT64_C(7200) * 1000000000;
        build_event(&b, T_PAUSE);
        build_long(&b, 100);
        build_end(&b);
        build_finish(&b);
    }
    power_log_init(&log, "rapl");
    power_log_add_cycle(&log, START_NS - 1000, START_NS + 1000000000, START_NS + 1000000000, 10, "ok");
    observed_init(&observed);
    struct collect_input input = {"made.jfr", b.out.v, b.out.n, NULL};
    assert_int_equal(collect_recordings(&input, 1, &log, &options, &observed, &damage, &notices, &err), STATUS_OK);
    assert_int_equal(damage.chunks, lost);
    assert_true(damage.time_ns > INT64_C(1) << 61);
    observed_free(&observed);
    notices_free(&notices);
    power_log_free(&log);
    build_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WATCHED(a_long_name_of_very_many_events_is_one_name), CASE(lost_time_does_not_overflow),
        WATCHED(very_many_methods_of_a_long_name_are_one),    WATCHED(a_setting_of_a_mebibyte_is_none),
        WATCHED(events_of_very_many_types_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
