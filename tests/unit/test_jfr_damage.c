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
    for (size_t at = 0; at < b.out.n; at++) {
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
    for (size_t length = 0; length <= file.length; length += 97) {
        struct seen seen;
        bool resolve = length % (97 * 16) == 0 || length + 97 > file.length;
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
        WATCHED(an_event_of_size_0_ends_the_chunk_as_damage),
        WATCHED(an_event_smaller_than_its_own_head_ends_the_chunk_as_damage),
        WATCHED(an_event_that_reaches_past_the_chunk_ends_it_as_damage),
        WATCHED(every_length_of_a_small_file_ends_in_a_status),
        WATCHED(every_byte_of_a_small_file_may_have_any_value),
        WATCHED(every_97th_length_of_a_real_recording_ends_in_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
