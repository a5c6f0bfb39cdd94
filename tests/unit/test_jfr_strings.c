/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The six ways in which a string is written. */
#include "jfr_seen.h"
#include "unit.h"

/* One chunk with a java.lang.String pool (1: "pooled", 2: key 1 again) and one test.Text event, which is left open. */
static void begin_text(struct build *b, bool plain)
{
    build_begin(b);
    b->plain = plain;
    build_metadata(b, build_types);
    build_checkpoint(b, 1);
    build_pool(b, T_STRING, 2);
    build_long(b, 1);
    build_text(b, 3, "pooled");
    build_long(b, 2);
    build_text_key(b, 1);
    build_end(b);
    build_event(b, T_TEXT);
    build_long(b, 1);
}

static void read_text(struct build *b, struct seen *seen)
{
    build_end(b);
    build_finish(b);
    seen_built(seen, b);
    assert_int_equal(seen->status, STATUS_OK);
}

static void expect_text(struct build *b, const char *expected)
{
    struct seen seen;
    read_text(b, &seen);
    assert_int_equal(seen.events.n, 1);
    assert_string_equal(seen_text(&seen, 0, 0), expected);
    seen_free(&seen);
    build_free(b);
}

TEST(encoding_0_is_null)
{
    struct build b;
    begin_text(&b, false);
    build_u8(&b, 0);
    expect_text(&b, "(null)");
}

TEST(encoding_1_is_empty_and_not_null)
{
    struct build b;
    begin_text(&b, false);
    build_u8(&b, 1);
    expect_text(&b, "");
}

TEST(encoding_2_is_a_key_into_the_string_pool)
{
    for (int plain = 0; plain < 2; plain++) {
        struct build b;
        begin_text(&b, plain != 0);
        build_text_key(&b, 1);
        expect_text(&b, "pooled");
    }
}

TEST(a_key_without_a_string_is_null)
{
    struct build b;
    begin_text(&b, false);
    build_text_key(&b, 99);
    expect_text(&b, "(null)");
}

TEST(a_pooled_string_that_points_on_is_null)
{
    struct build b;
    begin_text(&b, false);
    build_text_key(&b, 2);
    expect_text(&b, "(null)");
}

TEST(encoding_3_is_utf8)
{
    struct build b;
    begin_text(&b, false);
    build_text(&b, 3, "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80");
    expect_text(&b, "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80");
}

TEST(utf8_of_length_0_is_empty)
{
    struct build b;
    begin_text(&b, false);
    build_text(&b, 3, "");
    expect_text(&b, "");
}

TEST(bytes_that_are_no_utf8_become_replacement_characters)
{
    struct build b;
    begin_text(&b, false);
    build_text(&b, 3,
               "a\xff"
               "b\xc3(\xed\xa0\x80"
               "c\xe2\x82");
    expect_text(&b, "a\xef\xbf\xbd"
                    "b\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                    "c\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(encoding_4_is_utf16_with_surrogate_pairs)
{
    static const uint16_t units[] = {'a', 0xe9, 0x20ac, 0xd83d, 0xde00, 'z'};
    for (int plain = 0; plain < 2; plain++) {
        struct build b;
        begin_text(&b, plain != 0);
        build_utf16(&b, units, 6);
        expect_text(&b, "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z");
    }
}

TEST(surrogates_without_their_half_become_replacement_characters)
{
    static const uint16_t units[] = {0xdc00, 'a', 0xd800, 'b', 0xd800, 0xd83d, 0xde00, 0xdbff};
    struct build b;
    begin_text(&b, false);
    build_utf16(&b, units, 8);
    expect_text(&b, "\xef\xbf\xbd"
                    "a\xef\xbf\xbd"
                    "b\xef\xbf\xbd\xf0\x9f\x98\x80\xef\xbf\xbd");
}

TEST(encoding_5_is_latin1)
{
    struct build b;
    begin_text(&b, false);
    build_text(&b, 5, "caf\xe9 \xff \x80");
    expect_text(&b, "caf\xc3\xa9 \xc3\xbf \xc2\x80");
}

/* Events of a few bytes each may name a text of megabytes, which takes room for each way in which it is no UTF-8. */
TEST(a_long_text_is_decoded_once_however_often_it_is_named)
{
    struct build b;
    struct seen seen;
    char latin1[200];
    memset(latin1, '\xe4', sizeof latin1 - 1);
    latin1[sizeof latin1 - 1] = '\0';
    build_begin(&b);
    build_metadata(&b, build_types);
    build_checkpoint(&b, 1);
    build_pool(&b, T_STRING, 1);
    build_long(&b, 1);
    build_text(&b, 5, latin1);
    build_end(&b);
    for (int i = 0; i < 2; i++) {
        build_event(&b, T_TEXT);
        build_long(&b, 1);
        build_text_key(&b, 1);
        build_end(&b);
    }
    build_finish(&b);
    seen_built(&seen, &b);
    assert_int_equal(seen.events.n, 2);
    struct jfr_text first = jfr_text(seen.reader, &seen.events.v[0].values[0]);
    struct jfr_text second = jfr_text(seen.reader, &seen.events.v[1].values[0]);
    assert_int_equal(first.n, 2 * (sizeof latin1 - 1));
    assert_memory_equal(first.p, "\xc3\xa4\xc3\xa4", 4);
    assert_ptr_equal(first.p, second.p);
    seen_free(&seen);
    build_free(&b);
}

TEST(a_nul_may_be_inside)
{
    struct build b;
    struct seen seen;
    begin_text(&b, false);
    build_u8(&b, 3);
    build_int(&b, 3);
    build_raw(&b, "a\0b", 3);
    read_text(&b, &seen);
    struct jfr_text text = jfr_text(seen.reader, &seen.events.v[0].values[0]);
    assert_int_equal(text.n, 3);
    assert_memory_equal(text.p, "a\0b", 3);
    seen_free(&seen);
    build_free(&b);
}

static void expect_damaged(struct build *b)
{
    struct seen seen;
    read_text(b, &seen);
    assert_int_equal(seen.events.n, 0);
    assert_int_equal(seen.damage.events, 1);
    assert_int_equal(seen.damage.first.status, STATUS_INVALID);
    seen_free(&seen);
    build_free(b);
}

TEST(an_unknown_encoding_damages_its_event_alone)
{
    for (unsigned encoding = 6; encoding < 256; encoding += 83) {
        struct build b;
        begin_text(&b, false);
        build_u8(&b, encoding);
        build_int(&b, 1);
        build_raw(&b, "a", 1);
        expect_damaged(&b);
    }
}

TEST(a_string_of_1_gb_announced_in_few_bytes_damages_its_event_alone)
{
    for (unsigned encoding = 3; encoding <= 5; encoding++) {
        for (int plain = 0; plain < 2; plain++) {
            struct build b;
            begin_text(&b, plain != 0);
            build_u8(&b, encoding);
            build_int(&b, 1 << 30);
            build_raw(&b, "abc", 3);
            expect_damaged(&b);
        }
    }
}

TEST(a_string_cut_by_the_end_of_its_event_does_not_reach_into_the_next)
{
    static const uint16_t units[] = {'a', 'b', 0x20ac};
    for (unsigned encoding = 2; encoding <= 5; encoding++) {
        struct build b;
        begin_text(&b, false);
        if (encoding == 2)
            build_text_key(&b, 1000000);
        else if (encoding == 4)
            build_utf16(&b, units, 3);
        else
            build_text(&b, encoding, "abc");
        b.body.n--;
        build_end(&b);
        build_event(&b, T_OTHER);
        build_long(&b, 1);
        expect_damaged(&b);
    }
}

TEST(half_a_utf16_unit_of_a_plain_chunk_damages_its_event)
{
    static const uint16_t units[] = {'a', 'b', 'c'};
    struct build b;
    begin_text(&b, true);
    build_utf16(&b, units, 3);
    b.body.n--;
    expect_damaged(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(encoding_0_is_null),
        CASE(encoding_1_is_empty_and_not_null),
        CASE(encoding_2_is_a_key_into_the_string_pool),
        CASE(a_key_without_a_string_is_null),
        CASE(a_pooled_string_that_points_on_is_null),
        CASE(encoding_3_is_utf8),
        CASE(utf8_of_length_0_is_empty),
        CASE(bytes_that_are_no_utf8_become_replacement_characters),
        CASE(encoding_4_is_utf16_with_surrogate_pairs),
        CASE(surrogates_without_their_half_become_replacement_characters),
        CASE(encoding_5_is_latin1),
        CASE(a_long_text_is_decoded_once_however_often_it_is_named),
        CASE(a_nul_may_be_inside),
        CASE(an_unknown_encoding_damages_its_event_alone),
        CASE(a_string_of_1_gb_announced_in_few_bytes_damages_its_event_alone),
        CASE(a_string_cut_by_the_end_of_its_event_does_not_reach_into_the_next),
        CASE(half_a_utf16_unit_of_a_plain_chunk_damages_its_event),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
