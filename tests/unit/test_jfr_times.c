/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timestamps and timespans: nanoseconds, whatever unit the chunk has them in, and to the nanosecond what the JDK says.
 */
#include "jfr_seen.h"
#include "unit.h"

static const struct jfr_event_spec mine[] = {{"test.Mine", {"a", "b", "c", "d"}}};

/* Reads test.Mine (id 200) with the fields a, b, c and d out of a chunk with TYPES behind the primitives. */
static void begin_mine(struct build *b, const struct build_type *types)
{
    struct build_type *all = build_join(build_primitives, types);
    build_begin(b);
    build_metadata(b, all);
    free(all);
    build_event(b, 200);
}

static void read_mine(struct build *b, struct seen *seen)
{
    build_end(b);
    build_finish(b);
    seen_read(seen, b->out.v, b->out.n, 0, mine, 1);
    assert_int_equal(seen->status, STATUS_OK);
}

static const struct jfr_value *only(const struct seen *seen, size_t slot)
{
    assert_int_equal(seen->events.n, 1);
    assert_int_equal(seen->damage.events, 0);
    return &seen->events.v[0].values[slot];
}

static void done(struct build *b, struct seen *seen)
{
    seen_free(seen);
    build_free(b);
}

static int64_t read_unit(const char *annotation, const char *unit, int64_t ticks_per_second, int64_t start_ticks,
                         int64_t value)
{
    struct build_type types[] = {{"test.Mine", 200, {{"a", "long", 0, 0, annotation, unit}}}, {0}};
    struct build b;
    struct seen seen;
    begin_mine(&b, types);
    b.start_ns = 1764438001000123456;
    b.start_ticks = start_ticks;
    b.ticks_per_second = ticks_per_second;
    build_long(&b, (uint64_t)value);
    read_mine(&b, &seen);
    int64_t got = only(&seen, 0)->i;
    done(&b, &seen);
    return got;
}

TEST(timestamps_in_ticks_equal_the_double_of_the_jdk)
{
    /* start + (long)((98765432109876 - 123456789) / (2592000000 / 1e9)), worked out apart from this code */
    assert_int_equal(read_unit("jdk.jfr.Timestamp", "TICKS", 2592000000, 123456789, 98765432109876),
                     1764476104900066776);
    assert_int_equal(read_unit("jdk.jfr.Timestamp", "TICKS", 24000000, 5, 123456789012345), 1769582033875637623);
    assert_int_equal(read_unit("jdk.jfr.Timestamp", "TICKS", 1000000000, 100, 50), 1764438001000123406);
}

TEST(timestamps_in_units_of_their_own_ignore_the_ticks)
{
    assert_int_equal(read_unit("jdk.jfr.Timestamp", "MILLISECONDS_SINCE_EPOCH", 7, 9, 1764438001000),
                     1764438001000000000);
    assert_int_equal(read_unit("jdk.jfr.Timestamp", "NANOSECONDS_SINCE_EPOCH", 7, 9, 1764438001000123457),
                     1764438001000123457);
}

TEST(timespans_come_in_nanoseconds_whatever_their_unit)
{
    assert_int_equal(read_unit("jdk.jfr.Timespan", "TICKS", 2592000000, 9, 777777777777), 300068587105);
    assert_int_equal(read_unit("jdk.jfr.Timespan", "TICKS", 2592000000, 9, -7777), -3000);
    assert_int_equal(read_unit("jdk.jfr.Timespan", "NANOSECONDS", 7, 9, 12), 12);
    assert_int_equal(read_unit("jdk.jfr.Timespan", "MICROSECONDS", 7, 9, 12), 12000);
    assert_int_equal(read_unit("jdk.jfr.Timespan", "MILLISECONDS", 7, 9, 12), 12000000);
    assert_int_equal(read_unit("jdk.jfr.Timespan", "SECONDS", 7, 9, 12), 12000000000);
}

TEST(ticks_divide_by_ticks_per_nanosecond_as_the_jdk_does)
{
    /* values for which multiplying first, or whole numbers, come out one nanosecond beside */
    static const int64_t rows[][3] = {{2592000000, 17079580996487933, 6589344520249974},
                                      {2592000000, 1541639099979626, 594768171288436},
                                      {2899999000, 19243092375768837, 6635551383213868},
                                      {2899999000, 14684470928094388, 5063612410933379},
                                      {2194843000, 10076740983970640, 4591098763770639},
                                      {2194843000, 19519179804440897, 8893200928012115},
                                      {24000000, 92255668371535, 3843986182147291}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(read_unit("jdk.jfr.Timespan", "TICKS", rows[i][0], 0, rows[i][1]), rows[i][2]);
}

TEST(times_out_of_range_saturate)
{
    assert_true(read_unit("jdk.jfr.Timespan", "SECONDS", 7, 9, INT64_MAX) == INT64_MAX);
    assert_true(read_unit("jdk.jfr.Timespan", "SECONDS", 7, 9, INT64_MIN) == INT64_MIN);
    assert_true(read_unit("jdk.jfr.Timespan", "TICKS", 1, 9, INT64_MAX) == INT64_MAX);
    assert_true(read_unit("jdk.jfr.Timespan", "TICKS", 1, 9, INT64_MIN) == INT64_MIN);
}

TEST(a_field_without_annotation_or_with_another_unit_stays_as_it_is)
{
    assert_int_equal(read_unit(NULL, NULL, 7, 9, 12), 12);
    assert_int_equal(read_unit("jdk.jfr.Timespan", "FORTNIGHTS", 7, 9, 12), 12);
}

TEST(the_latest_event_of_any_type_is_known_where_the_header_gives_no_duration)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    b.duration_ns = 0;
    build_event(&b, 999);
    build_long(&b, 3100);
    build_end(&b);
    build_event(&b, T_OTHER);
    build_long(&b, 2100);
    build_end(&b);
    build_finish(&b);
    seen_built(&seen, &b);
    assert_int_equal(jfr_last_event_ns(seen.reader), 1003000);
    done(&b, &seen);
}

/* 7 ticks at 24 MHz are 291.67 ns, and the fraction is cut towards zero. */
static void ticks_become_wall_time_in_double_cut_to_whole_nanoseconds(void **state)
{
    const struct jfr_header header = {.start_ns = 5000,
                                      .start_ticks = 100,
                                      .ticks_per_second = 24000000,
                                      .ticks_per_ns = 0.024};
    (void)state;
    assert_int_equal(jfr_time_ns(&header, 100), 5000);
    assert_int_equal(jfr_time_ns(&header, 107), 5291);
    assert_int_equal(jfr_time_ns(&header, 93), 4709);
    assert_int_equal(jfr_time_ns(&header, 100 + 24000000), 1000005000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(timestamps_in_ticks_equal_the_double_of_the_jdk),
        CASE(timestamps_in_units_of_their_own_ignore_the_ticks),
        CASE(timespans_come_in_nanoseconds_whatever_their_unit),
        CASE(ticks_divide_by_ticks_per_nanosecond_as_the_jdk_does),
        CASE(ticks_become_wall_time_in_double_cut_to_whole_nanoseconds),
        CASE(times_out_of_range_saturate),
        CASE(a_field_without_annotation_or_with_another_unit_stays_as_it_is),
        CASE(the_latest_event_of_any_type_is_known_where_the_header_gives_no_duration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
