/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chunks of a file: headers, versions, several in a row, unfinished and cut ones. */
#include "jfr_seen.h"
#include "unit.h"

#include <stdio.h>

static void done(struct build *b, struct seen *seen)
{
    seen_free(seen);
    build_free(b);
}

static void expect_refused(struct build *b, enum status status, const char *words)
{
    struct seen seen;
    build_finish(b);
    seen_built(&seen, b);
    assert_int_equal(seen.status, status);
    assert_int_equal(seen.err.status, status);
    assert_has(seen.err.text, words);
    assert_int_equal(seen.events.n, 0);
    done(b, &seen);
}

static void add_sample(struct build *b, int number)
{
    build_event(b, T_SAMPLE + b->id_shift);
    build_long(b, 1100);
    build_long(b, 1);
    build_long(b, 1);
    build_int(b, number);
    build_end(b);
}

TEST(a_header_says_what_stands_in_it)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    seen_built(&seen, &b);
    assert_int_equal(seen.chunks.n, 1);
    const struct jfr_chunk *c = &seen.chunks.v[0];
    assert_int_equal(c->at, 0);
    assert_int_equal(c->length, b.out.n);
    assert_int_equal(c->number, 1);
    assert_true(c->finished);
    assert_false(c->cut);
    assert_int_equal(c->metadata_at, BUILD_HEADER);
    assert_int_equal(c->header.major, 2);
    assert_int_equal(c->header.minor, 1);
    assert_int_equal(c->header.size, b.out.n);
    assert_int_equal(c->header.checkpoint_at, b.checkpoint_at);
    assert_int_equal(c->header.start_ns, 1000000);
    assert_int_equal(c->header.duration_ns, 5000);
    assert_int_equal(c->header.start_ticks, 100);
    assert_int_equal(c->header.ticks_per_second, 1000000000);
    assert_true(c->header.compressed);
    done(&b, &seen);
}

TEST(versions_1_0_2_0_2_1_and_2_9_are_read)
{
    static const unsigned versions[][2] = {{1, 0}, {1, 1}, {2, 0}, {2, 1}, {2, 9}};
    for (size_t i = 0; i < 5; i++) {
        struct build b;
        struct seen seen;
        build_small(&b);
        b.major = versions[i][0];
        b.minor = versions[i][1];
        build_finish(&b);
        seen_built(&seen, &b);
        assert_int_equal(seen.status, STATUS_OK);
        assert_int_equal(seen.events.n, 1);
        assert_true(seen.chunks.v[0].finished);
        done(&b, &seen);
    }
}

TEST(the_byte_at_64_is_no_state_before_2_1)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    b.minor = 0;
    build_finish(&b);
    b.out.v[64] = 7; /* the high byte of 32 bits of flags */
    seen_built(&seen, &b);
    assert_true(seen.chunks.v[0].finished);
    assert_int_equal(seen.chunks.v[0].header.state, 0);
    done(&b, &seen);
}

TEST(version_0_9_is_refused_in_words)
{
    struct build b;
    build_small(&b);
    b.major = 0;
    b.minor = 9;
    expect_refused(&b, STATUS_UNSUPPORTED, "0.9");
}

TEST(version_3_0_is_refused_by_number)
{
    struct build b;
    build_small(&b);
    b.major = 3;
    b.minor = 0;
    expect_refused(&b, STATUS_UNSUPPORTED, "3.0");
}

TEST(ticks_per_second_of_0_or_less_are_refused_in_words)
{
    for (int64_t ticks = 0; ticks > -2; ticks--) {
        struct build b;
        build_small(&b);
        b.ticks_per_second = ticks;
        expect_refused(&b, STATUS_INVALID, "ticks per second");
    }
}

TEST(other_bytes_are_no_jfr_file)
{
    static const char text[] = "#joular-power-log 1\n#{}\n and then some more bytes so that a header would have room";
    struct seen seen;
    seen_read(&seen, (const uint8_t *)text, sizeof text, 0, seen_specs, 2);
    assert_int_equal(seen.status, STATUS_INVALID);
    assert_has(seen.err.text, "not a JFR file");
    seen_free(&seen);
}

TEST(an_empty_file_and_less_than_a_header_are_truncated)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    for (size_t length = 0; length < BUILD_HEADER; length++) {
        seen_read(&seen, b.out.v, length, 0, seen_specs, 2);
        assert_int_equal(seen.status, length == 0 || length >= 4 ? STATUS_TRUNCATED : STATUS_INVALID);
        seen_free(&seen);
    }
    build_free(&b);
}

static void build_two(struct build *b)
{
    build_small(b);
    build_next_chunk(b);
    b->id_shift = 1000;
    b->start_ns = 9000000;
    b->start_ticks = 1000;
    build_metadata(b, build_types);
    build_small_pools(b);
    add_sample(b, 6);
    build_finish(b);
}

TEST(two_chunks_have_their_own_type_ids_and_clocks)
{
    struct build b;
    struct seen seen;
    build_two(&b);
    for (size_t i = 0; i < 2; i++) {
        seen_read(&seen, b.out.v, b.out.n, i, seen_specs, 2);
        assert_int_equal(seen.chunks.n, 2);
        assert_int_equal(seen.chunks.v[i].number, i + 1);
        assert_int_equal(seen.chunks.v[1].at, b.chunk_at);
        assert_int_equal(seen.events.n, 1);
        assert_int_equal(seen.events.v[0].values[3].i, i == 0 ? -5 : 6);
        assert_int_equal(seen.events.v[0].values[0].i, i == 0 ? 1001000 : 9000100);
        assert_true(seen_resolve_all(&seen) > 20);
        seen_free(&seen);
    }
    build_free(&b);
}

static void count(void *user, unsigned spec, const struct jfr_value *values, uint64_t at)
{
    (void)spec, (void)values, (void)at;
    ++*(int *)user;
}

TEST(a_reader_keeps_nothing_of_the_chunk_before)
{
    struct build b;
    struct seen seen;
    int events = 0;
    build_two(&b);
    b.id_shift = 1000;
    build_next_chunk(&b); /* samples with the ids of chunk 1, which chunk 3 does not know */
    build_metadata(&b, build_types);
    build_event(&b, T_SAMPLE);
    for (int i = 0; i < 4; i++)
        build_int(&b, 1);
    build_end(&b);
    build_finish(&b);
    seen_built(&seen, &b);
    assert_int_equal(seen.chunks.n, 3);
    struct jfr_stack stack;
    for (size_t i = 0; i < 3; i++) {
        enum status status =
            jfr_read_chunk(seen.reader, b.out.v, &seen.chunks.v[i], count, &events, &seen.damage, &seen.err);
        assert_int_equal(status, STATUS_OK);
        assert_int_equal(events, i == 0 ? 1 : 2);
        assert_int_equal(jfr_stack(seen.reader, 1, &stack), i < 2);
        assert_int_equal(stack.count, i < 2);
    }
    assert_int_equal(jfr_event_count(seen.reader), 1);
    assert_int_equal(jfr_type_id(seen.reader, 0), T_SAMPLE + 1000);
    done(&b, &seen);
}

static void last_number(void *user, unsigned spec, const struct jfr_value *values, uint64_t at)
{
    (void)spec, (void)at;
    *(struct jfr_value *)user = values[3];
}

/* Types stay from chunk to chunk while the metadata is the same, byte by byte, and no longer: here "number" moves from
 * the last place to the first in metadata of the same length. */
TEST(types_stay_as_long_as_the_metadata_is_the_same)
{
#define LONG_FIELD(name)                       \
    {                                          \
        name, "long", false, false, NULL, NULL \
    }
    static const struct build_type types[2][2] = {
        {{"test.Sample",
          50,
          {LONG_FIELD("startTime"), LONG_FIELD("thread"), LONG_FIELD("stack"), LONG_FIELD("number")}}},
        {{"test.Sample",
          50,
          {LONG_FIELD("number"), LONG_FIELD("thread"), LONG_FIELD("stack"), LONG_FIELD("startTime")}}}};
    struct build_type *tables[] = {build_join(build_primitives, types[0]), build_join(build_primitives, types[1])};
    static const int order[] = {0, 0, 1, 1, 0};
    struct build b;
    struct seen seen;
    build_begin(&b);
    for (size_t i = 0; i < 5; i++) {
        if (i > 0)
            build_next_chunk(&b);
        b.start_ticks = (int64_t)i; /* which the metadata event has too: its times do not matter */
        build_metadata(&b, tables[order[i]]);
        build_event(&b, 50);
        for (int field = 1; field <= 4; field++)
            build_long(&b, (uint64_t)field);
        build_end(&b);
        build_finish(&b);
    }
    seen_read(&seen, b.out.v, b.out.n, 9, seen_specs, 2);
    assert_int_equal(seen.chunks.n, 5);
    for (size_t i = 0; i < 5; i++) {
        struct jfr_value number = {0};
        assert_int_equal(jfr_read_chunk(seen.reader, b.out.v, &seen.chunks.v[i], last_number, &number, &seen.damage,
                                        &seen.err),
                         STATUS_OK);
        assert_int_equal(number.i, order[i] == 0 ? 4 : 1);
    }
    free(tables[0]);
    free(tables[1]);
    done(&b, &seen);
}

TEST(an_unfinished_chunk_is_read_as_far_as_it_goes)
{
    static const unsigned states[] = {1, 7, 8, 9, 255};
    for (size_t i = 0; i < 5; i++) {
        struct build b;
        struct seen seen;
        build_small(&b);
        add_sample(&b, 2);
        b.state = states[i];
        b.size = (int64_t)b.event_at; /* of a second ago */
        build_finish(&b);
        seen_built(&seen, &b);
        assert_int_equal(seen.status, STATUS_OK);
        assert_int_equal(seen.chunks.n, 1);
        assert_false(seen.chunks.v[0].finished);
        assert_false(seen.chunks.v[0].cut);
        assert_int_equal(seen.chunks.v[0].length, b.out.n);
        assert_int_equal(seen.events.n, 2);
        assert_int_equal(jfr_last_event_ns(seen.reader), 1001000);
        done(&b, &seen);
    }
}

TEST(a_header_of_size_0_is_an_unfinished_chunk)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    b.size = 0;
    b.metadata_at = b.checkpoint_at = 0;
    build_finish(&b);
    seen_built(&seen, &b);
    assert_int_equal(seen.status, STATUS_OK);
    assert_false(seen.chunks.v[0].finished);
    assert_int_equal(seen.chunks.v[0].metadata_at, BUILD_HEADER);
    assert_int_equal(seen.events.n, 1);
    done(&b, &seen);
}

TEST(half_an_event_at_the_end_of_an_unfinished_chunk_is_counted_in_bytes)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    size_t whole = b.out.n;
    add_sample(&b, 2);
    b.state = 7;
    build_finish(&b);
    seen_read(&seen, b.out.v, b.out.n - 1, 0, seen_specs, 2);
    assert_int_equal(seen.status, STATUS_OK);
    assert_int_equal(seen.events.n, 1);
    assert_int_equal(seen.chunks.v[0].length, whole);
    assert_int_equal(seen.damage.bytes, b.out.n - 1 - whole);
    assert_int_equal(seen.damage.first.status, STATUS_TRUNCATED);
    assert_int_equal(seen.damage.first.at, whole);
    done(&b, &seen);
}

TEST(an_unfinished_chunk_ends_where_the_next_one_begins)
{
    struct build b;
    struct seen seen;
    build_two(&b);
    b.out.v[64] = 8;
    seen_read(&seen, b.out.v, b.out.n, 1, seen_specs, 2);
    assert_int_equal(seen.chunks.n, 2);
    assert_int_equal(seen.chunks.v[0].length, b.chunk_at);
    assert_int_equal(seen.events.n, 1);
    assert_int_equal(seen.damage.bytes, 0);
    done(&b, &seen);
}

TEST(a_file_cut_after_its_metadata_is_read_and_called_cut)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    add_sample(&b, 2);
    b.metadata_at = (int64_t)b.event_at; /* the one meant stands behind the cut; an earlier one serves */
    build_finish(&b);
    seen_read(&seen, b.out.v, b.event_at + 2, 0, seen_specs, 2);
    assert_int_equal(seen.status, STATUS_OK);
    assert_true(seen.chunks.v[0].cut);
    assert_false(seen.chunks.v[0].finished);
    assert_int_equal(seen.events.n, 1);
    assert_int_equal(seen.damage.bytes, 2);
    done(&b, &seen);
}

TEST(a_file_cut_before_its_metadata_says_how_many_bytes_are_lost)
{
    struct build b;
    struct seen seen;
    build_begin(&b);
    add_sample(&b, 1);
    size_t length = b.out.n;
    build_metadata(&b, build_types);
    build_finish(&b);
    seen_read(&seen, b.out.v, length, 0, seen_specs, 2);
    assert_int_equal(seen.status, STATUS_TRUNCATED);
    assert_has(seen.err.text, "metadata");
    char words[32];
    snprintf(words, sizeof words, " %zu bytes", length);
    assert_has(seen.err.text, words);
    assert_int_equal(seen.err.chunk, 1);
    done(&b, &seen);
}

TEST(a_finished_chunk_without_metadata_is_invalid)
{
    struct build b;
    build_begin(&b);
    add_sample(&b, 1);
    expect_refused(&b, STATUS_INVALID, "no metadata event");
}

TEST(a_wrong_metadata_offset_is_mended_by_a_walk)
{
    static const int64_t offsets[] = {0, 1, 8, 67, 100000, INT64_MAX, -1};
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        struct build b;
        struct seen seen;
        build_small(&b);
        b.metadata_at = offsets[i];
        build_finish(&b);
        seen_built(&seen, &b);
        assert_int_equal(seen.status, STATUS_OK);
        assert_int_equal(seen.chunks.v[0].metadata_at, BUILD_HEADER);
        assert_int_equal(seen.events.n, 1);
        done(&b, &seen);
    }
}

TEST(bytes_behind_the_last_chunk_that_are_no_chunk_are_damage)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    for (int i = 0; i < 3; i++)
        add_sample(&b, 3);
    b.size = (int64_t)b.event_at; /* the last sample stands behind the chunk */
    build_finish(&b);
    seen_built(&seen, &b);
    assert_int_equal(seen.status, STATUS_OK);
    assert_int_equal(seen.chunks.n, 1);
    assert_int_equal(seen.events.n, 3);
    assert_int_equal(seen.damage.bytes, b.out.n - b.event_at);
    assert_int_equal(seen.damage.first.at, b.event_at);
    done(&b, &seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_header_says_what_stands_in_it),
        CASE(versions_1_0_2_0_2_1_and_2_9_are_read),
        CASE(the_byte_at_64_is_no_state_before_2_1),
        CASE(version_0_9_is_refused_in_words),
        CASE(version_3_0_is_refused_by_number),
        CASE(ticks_per_second_of_0_or_less_are_refused_in_words),
        CASE(other_bytes_are_no_jfr_file),
        CASE(an_empty_file_and_less_than_a_header_are_truncated),
        CASE(two_chunks_have_their_own_type_ids_and_clocks),
        CASE(a_reader_keeps_nothing_of_the_chunk_before),
        CASE(types_stay_as_long_as_the_metadata_is_the_same),
        CASE(an_unfinished_chunk_is_read_as_far_as_it_goes),
        CASE(a_header_of_size_0_is_an_unfinished_chunk),
        CASE(half_an_event_at_the_end_of_an_unfinished_chunk_is_counted_in_bytes),
        CASE(an_unfinished_chunk_ends_where_the_next_one_begins),
        CASE(a_file_cut_after_its_metadata_is_read_and_called_cut),
        CASE(a_file_cut_before_its_metadata_says_how_many_bytes_are_lost),
        CASE(a_finished_chunk_without_metadata_is_invalid),
        CASE(a_wrong_metadata_offset_is_mended_by_a_walk),
        CASE(bytes_behind_the_last_chunk_that_are_no_chunk_are_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
