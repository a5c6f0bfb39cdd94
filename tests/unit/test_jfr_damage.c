/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes nobody vouches for: every one of these ends in a status, in bounded time and memory. */
#include "jfr_seen.h"
#include "joular/file.h"
#include "watch.h"

static void done(struct build *b, struct seen *seen)
{
    seen_free(seen);
    build_free(b);
}

static void add_sample(struct build *b)
{
    build_event(b, T_SAMPLE);
    for (int i = 0; i < 4; i++)
        build_int(b, 1);
    build_end(b);
}

TEST(an_event_of_size_0_ends_the_chunk_as_damage)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    size_t at = b.out.n;
    add_sample(&b);
    b.out.v[at] = 0;
    build_finish(&b);
    seen_built(&seen, &b);
    assert_int_equal(seen.status, STATUS_OK);
    assert_int_equal(seen.events.n, 1);
    assert_int_equal(seen.damage.bytes, b.out.n - at);
    assert_int_equal(seen.damage.first.at, at);
    done(&b, &seen);
}

TEST(an_event_smaller_than_its_own_head_ends_the_chunk_as_damage)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    size_t at = b.out.n;
    build_event(&b, 300);
    build_end(&b);
    b.out.v[at] = 2; /* one byte of size, two of type */
    build_finish(&b);
    seen_built(&seen, &b);
    assert_int_equal(seen.damage.bytes, 3);
    done(&b, &seen);
}

TEST(an_event_that_reaches_past_the_chunk_ends_it_as_damage)
{
    static const uint64_t sizes[] = {7, 1 << 20, UINT64_MAX};
    for (size_t i = 0; i < 3; i++) {
        struct build b;
        struct seen seen;
        build_small(&b);
        size_t at = b.out.n;
        build_event(&b, sizes[i]); /* its type is taken for a size, once the byte in front is gone */
        build_raw(&b, "\x65\1\1\1", 4);
        build_end(&b);
        memmove(b.out.v + at, b.out.v + at + 1, b.out.n - at - 1);
        b.out.n--;
        build_finish(&b);
        seen_built(&seen, &b);
        assert_int_equal(seen.status, STATUS_OK);
        assert_int_equal(seen.events.n, 1);
        assert_int_equal(seen.damage.bytes, b.out.n - at);
        assert_int_equal(seen.damage.first.at, at);
        done(&b, &seen);
    }
}

static size_t resolve_damaged(const uint8_t *bytes, size_t length)
{
    /* a block of its own, so that a read past its end is seen */
    uint8_t *copy = mem_alloc(length);
    struct seen seen;
    size_t events = 0;
    if (length != 0)
        memcpy(copy, bytes, length);
    seen_read(&seen, copy, length, 0, seen_specs, 2);
    assert_int_equal(seen.status, seen.err.status);
    events = seen.events.n;
    if (seen.status == STATUS_OK)
        seen_resolve_all(&seen);
    else
        assert_string_not_equal(seen.err.text, "");
    seen_free(&seen);
    free(copy);
    return events;
}

TEST(events_go_on_behind_damage)
{
    for (size_t hit = 0; hit < 6; hit++) {
        struct build b;
        struct seen seen;
        size_t at = 0, end = 0;
        build_small(&b);
        for (size_t i = 0; i < 12; i++) {
            at = i == hit ? b.out.n : at;
            add_sample(&b);
            end = i == hit + 1 ? b.out.n : end; /* two of them */
        }
        memset(b.out.v + at, 0, end - at);
        build_finish(&b);
        seen_built(&seen, &b);
        assert_int_equal(seen.events.n, 1 + 10);
        assert_int_equal(seen.damage.events, 1);
        assert_int_equal(seen.damage.bytes, end - at);
        assert_int_equal(seen.damage.first.at, at);
        done(&b, &seen);
    }
}

TEST(an_event_that_leads_far_away_hides_none)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    size_t at = b.out.n;
    build_event(&b, T_OTHER); /* shall seem to be 800 bytes long */
    build_raw(&b, "\1\1\1\1", 4);
    build_end(&b);
    size_t head = b.out.n - at;
    for (size_t i = 0; i < 200; i++)
        add_sample(&b);
    memmove(b.out.v + at + 1, b.out.v + at,
            b.out.n - at - 1); /* room for one byte more of size, at the cost of the last */
    b.out.v[at] = 0x80 | (800 & 0x7f);
    b.out.v[at + 1] = 800 >> 7;
    build_finish(&b);
    seen_built(&seen, &b);
    assert_true(head > 4);
    assert_int_equal(seen.events.n, 1 + 199);
    assert_true(seen.damage.events >= 1);
    done(&b, &seen);
}

TEST(an_unknown_type_in_front_of_rubbish_is_damage)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    size_t at = b.out.n;
    build_event(&b, 9000);
    build_raw(&b, "\1\1\1\1", 4);
    build_end(&b);
    size_t end = b.out.n;
    for (size_t i = 0; i < 8; i++)
        add_sample(&b);
    memmove(b.out.v + end + 3, b.out.v + end, b.out.n - end - 3);
    memset(b.out.v + end, 0, 3);
    build_finish(&b);
    seen_built(&seen, &b);
    assert_int_equal(seen.damage.first.at, at);
    assert_int_equal(seen.events.n, 1 + 7);
    done(&b, &seen);
}

/* Three chunks, each a second long and 5 s of ticks behind the one before it; the second has no metadata of its own. */
static void build_three(struct build *b, int64_t gap_ns, bool longer)
{
    build_small(b);
    b->duration_ns = 1000000000;
    build_finish(b);
    int64_t start_ns = b->start_ns;
    for (int i = 1; i < 3; i++) {
        build_next_chunk(b);
        b->start_ns = start_ns + i * (b->duration_ns + gap_ns);
        if (i == 2)
            build_metadata(b, build_types);
        else
            b->metadata_at = 0;
        build_small_pools(b);
        add_sample(b);
        add_sample(b);
        if (longer) {
            build_event(b, T_SAMPLE);
            for (int field = 0; field < 4; field++)
                build_int(b, 1);
            build_u8(b, 0);
            build_end(b);
        }
        build_finish(b);
    }
}

TEST(a_chunk_without_metadata_is_read_with_that_of_its_neighbour)
{
    struct build b;
    struct seen seen;
    build_three(&b, 0, true);
    for (size_t i = 0; i < 3; i++) {
        seen_read(&seen, b.out.v, b.out.n, i, seen_specs, 2);
        assert_int_equal(seen.status, STATUS_OK);
        assert_int_equal(seen.events.n, i == 0 ? 1 : i == 1 ? 2 : 3); /* what does not fit to the byte is left out */
        assert_int_equal(seen.damage.events, i == 1);
        if (i == 1)
            assert_has(seen.damage.first.text, "that of chunk 1");
        assert_true(seen_resolve_all(&seen) > 20);
        seen_free(&seen);
    }
    build_free(&b);
}

TEST(metadata_is_not_lent_across_a_gap)
{
    struct build b;
    struct seen seen;
    build_three(&b, 1500000000, false);
    seen_read(&seen, b.out.v, b.out.n, 1, seen_specs, 2);
    assert_int_equal(seen.status, STATUS_INVALID);
    assert_int_equal(seen.events.n, 0);
    done(&b, &seen);
}

TEST(a_damaged_first_header_costs_its_chunk_only_and_a_lost_one_leaves_a_gap_in_time)
{
    for (size_t lost = 0; lost < 2; lost++) {
        struct build b;
        struct seen seen;
        build_three(&b, 0, false);
        seen_built(&seen, &b);
        uint64_t at = seen.chunks.v[lost].at, length = seen.chunks.v[lost].length;
        seen_free(&seen);
        memset(b.out.v + at, 0, BUILD_HEADER);
        seen_read(&seen, b.out.v, b.out.n, 1, seen_specs, 2);
        assert_int_equal(seen.status, STATUS_OK);
        assert_int_equal(seen.chunks.n, 2);
        assert_int_equal(seen.events.n, 2);
        assert_int_equal(seen.damage.bytes, length);
        assert_int_equal(seen.damage.time_ns, lost == 0 ? 0 : 1000000000); /* nobody knows when the first began */
        assert_int_equal(seen.damage.first.at, at);
        done(&b, &seen);
    }
}

/* A checkpoint whose pools are rubbish leads to damage, so it is looked into: there stands another such. */
TEST(no_byte_is_lost_twice)
{
    static const uint8_t large[] = {(600 & 0x7f) | 0x80, 600 >> 7, T_OTHER,
                                    100}; /* holds more than its type announces */
    struct build b;
    struct seen seen;
    build_small(&b);
    build_checkpoint(&b, 1);
    size_t pool = b.body.n;
    build_pool(&b, 7777, 1);
    size_t inner = b.body.n;
    build_raw(&b, "\0\1\x64\0\0\1\1\x61\1..............................", 39);
    b.body.v[inner] = (uint8_t)(b.body.n - inner);
    build_end(&b);
    size_t lost = b.body.n - pool + 600;
    vec_reserve(&b.out, 600);
    memset(b.out.v + b.out.n, 0, 600);
    memcpy(b.out.v + b.out.n, large, sizeof large);
    b.out.n += 600;
    build_finish(&b);
    seen_built(&seen, &b);
    assert_int_equal(seen.status, STATUS_OK);
    assert_int_equal(seen.damage.bytes, lost);
    done(&b, &seen);
}

/* Each of very many chunks was to be a year long, and its file ends before it does. */
TEST(lost_time_does_not_overflow)
{
    struct build b;
    struct seen seen;
    build_begin(&b);
    for (int i = 0; i < 400; i++) {
        if (i > 0)
            build_next_chunk(&b);
        build_metadata(&b, build_types);
        b.size = INT64_C(1) << 40;
        b.duration_ns = INT64_C(365) * 86400 * 1000000000;
        build_finish(&b);
    }
    seen_built(&seen, &b);
    assert_int_equal(seen.status, STATUS_OK);
    assert_int_equal(seen.chunks.n, 400);
    assert_true(seen.damage.time_ns > INT64_C(1) << 61);
    done(&b, &seen);
}

TEST(every_length_of_a_small_file_ends_in_a_status)
{
    struct build b;
    size_t events = 0;
    build_small(&b);
    for (size_t length = 0; length <= b.out.n; length++)
        events += resolve_damaged(b.out.v, length);
    assert_int_equal(events, 1); /* the whole file's */
    build_free(&b);
}

TEST(every_byte_of_a_small_file_may_have_any_value)
{
    struct build b;
    build_small(&b);
    for (size_t at = 0; at < b.out.n; at += every_nth(7)) {
        uint8_t kept = b.out.v[at];
        bool all = at < BUILD_HEADER || at + 120 > b.out.n; /* header, pools and event; fewer of the metadata's text */
        for (unsigned flip = 1; flip < 256; flip = all ? flip + 1 : flip * 2 + 1) {
            b.out.v[at] = (uint8_t)(kept ^ flip);
            resolve_damaged(b.out.v, b.out.n);
        }
        b.out.v[at] = kept;
    }
    build_free(&b);
}

static const struct jfr_event_spec real_specs[] = {
    {"jdk.ExecutionSample", {"startTime", "sampledThread", "stackTrace", "state"}},
    {"jdk.ActiveSetting", {"name", "value"}},
};

TEST(every_97th_length_of_a_real_recording_ends_in_a_status)
{
    struct file_bytes file;
    struct error err = {0};
    assert_int_equal(file_read(TEST_DATA "/shop-jdk11.jfr", &file, &err), STATUS_OK);
    size_t most = 0;
    for (size_t length = 0; length <= file.length; length += 97 * every_nth(7)) {
        struct seen seen;
        bool resolve = length % (97 * 16) == 0 || length + 97 * every_nth(7) > file.length;
        seen_read(&seen, file.bytes, length, 0, real_specs, 2);
        assert_int_equal(seen.status, seen.err.status);
        if (seen.status == STATUS_OK && resolve)
            seen_resolve_all(&seen);
        most = seen.events.n > most ? seen.events.n : most;
        seen_free(&seen);
    }
    struct seen whole;
    seen_read(&whole, file.bytes, file.length, 0, real_specs, 2);
    assert_int_equal(whole.status, STATUS_OK);
    assert_int_equal(whole.damage.bytes + whole.damage.events, 0);
    assert_true(whole.events.n >= most && whole.events.n > 100);
    assert_true(seen_resolve_all(&whole) > 1000);
    seen_free(&whole);
    file_release(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(events_go_on_behind_damage),
        CASE(an_event_that_leads_far_away_hides_none),
        CASE(an_unknown_type_in_front_of_rubbish_is_damage),
        CASE(a_chunk_without_metadata_is_read_with_that_of_its_neighbour),
        CASE(metadata_is_not_lent_across_a_gap),
        CASE(a_damaged_first_header_costs_its_chunk_only_and_a_lost_one_leaves_a_gap_in_time),
        WATCHED(an_event_of_size_0_ends_the_chunk_as_damage),
        WATCHED(an_event_smaller_than_its_own_head_ends_the_chunk_as_damage),
        WATCHED(an_event_that_reaches_past_the_chunk_ends_it_as_damage),
        CASE(no_byte_is_lost_twice),
        CASE(lost_time_does_not_overflow),
        WATCHED(every_length_of_a_small_file_ends_in_a_status),
        WATCHED(every_byte_of_a_small_file_may_have_any_value),
        WATCHED(every_97th_length_of_a_real_recording_ends_in_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
