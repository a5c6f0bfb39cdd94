/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cursors, memory, tables. */
#include "joular/arena.h"
#include "joular/hash.h"
#include "joular/intern.h"
#include "joular/map.h"
#include "joular/mem.h"
#include "joular/sort.h"
#include "joular/span.h"
#include "unit.h"

#include <stdio.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define IS_POISONED(p) (__asan_address_is_poisoned(p) != 0)
#endif

static uint64_t varint(const char *bytes, size_t length, size_t *left, bool *bad)
{
    uint8_t *copy = mem_alloc(length); /* a block of its own, so that a read past its end is seen */
    if (length != 0)
        memcpy(copy, bytes, length);
    struct span s = span_of(copy, length), skipped = s;
    uint64_t value = span_varint(&s);
    span_skip_varints(&skipped, 1);
    assert_int_equal(skipped.bad, s.bad);
    assert_ptr_equal(skipped.p, s.p);
    *left = span_left(&s);
    *bad = s.bad;
    free(copy);
    return value;
}

static void expect_varint(const char *bytes, size_t length, uint64_t value, size_t left)
{
    size_t got_left;
    bool bad;
    assert_true(varint(bytes, length, &got_left, &bad) == value);
    assert_false(bad);
    assert_int_equal(got_left, left);
}

TEST(varint_of_one_byte_is_itself)
{
    expect_varint("\x00", 1, 0, 0);
    expect_varint("\x7f\x01", 2, 127, 1);
}

TEST(varint_has_seven_bits_a_byte_low_bits_first)
{
    expect_varint("\x80\x01", 2, 128, 0);
    expect_varint("\xff\x7f\xff", 3, 0x3fff, 1);
    expect_varint("\xac\x82\x04", 3, 0x1012c, 0);
    expect_varint("\x80\x80\x80\x80\x80\x80\x80\x01", 8, UINT64_C(1) << 49, 0);
}

TEST(varint_may_be_padded)
{
    expect_varint("\x85\x80\x80\x00", 4, 5, 0);
}

TEST(varint_ninth_byte_carries_eight_bits)
{
    expect_varint("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10, UINT64_MAX, 1);
    expect_varint("\x80\x80\x80\x80\x80\x80\x80\x80\x80", 9, UINT64_C(1) << 63, 0);
    expect_varint("\x80\x80\x80\x80\x80\x80\x80\x80\x01", 9, UINT64_C(1) << 56, 0);
}

TEST(varint_that_is_cut_gives_0_and_a_bad_cursor)
{
    for (size_t length = 0; length < 9; length++) {
        size_t left;
        bool bad;
        assert_int_equal(varint("\xff\xff\xff\xff\xff\xff\xff\xff\xff", length, &left, &bad), 0);
        assert_true(bad);
        assert_int_equal(left, 0);
    }
}

TEST(several_varints_are_skipped_at_once)
{
    static const char bytes[] = "\x01\x80\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02\x03";
    struct span s = span_of(bytes, 14);
    span_skip_varints(&s, 0);
    assert_int_equal(span_left(&s), 14);
    span_skip_varints(&s, 3);
    assert_false(s.bad);
    assert_int_equal(span_left(&s), 2);
    span_skip_varints(&s, 3);
    assert_true(s.bad);
    s = span_of(bytes, 14);
    span_skip_varints(&s, UINT64_MAX);
    assert_true(s.bad);
}

/* Numbers of all lengths, most of them short, as they come in pools; also padded ones, and ninth bytes of any value. */
static size_t random_varint(uint32_t *random, uint8_t *out, uint64_t *value)
{
    *random = *random * 1664525 + 1013904223;
    size_t length = (*random >> 28) < 12 ? 1 + (*random >> 26) % 3 : 1 + (*random >> 20) % 9;
    *value = 0;
    for (size_t i = 0; i < length; i++) {
        *random = *random * 1664525 + 1013904223;
        out[i] = (uint8_t)(*random >> 24);
        if (i + 1 < length)
            out[i] |= 0x80;
        else if (i < 8)
            out[i] &= 0x7f;
        *value |= (uint64_t)(i < 8 ? out[i] & 0x7f : out[i]) << (7 * i);
    }
    return length;
}

TEST(varints_by_words_are_those_by_bytes)
{
    uint32_t random = 7;
    for (int round = 0; round < 3000; round++) {
        uint64_t values[300];
        size_t starts[301] = {0}, count = 1 + random % (round % 4 == 0 ? 300 : 64);
        uint8_t bytes[300 * 9];
        for (size_t i = 0; i < count; i++) {
            size_t length = random_varint(&random, bytes + starts[i], &values[i]);
            while (length > 3 && length < 9 && round % 4 == 0) /* many, and short but for the longest */
                length = random_varint(&random, bytes + starts[i], &values[i]);
            starts[i + 1] = starts[i] + length;
        }
        uint8_t *copy = mem_alloc(starts[count]);
        memcpy(copy, bytes, starts[count]);
        struct span s = span_of(copy, starts[count]);
        for (size_t i = 0; i < count; i++)
            assert_true(span_varint(&s) == values[i]);
        assert_false(s.bad);
        for (size_t skipped = 0; skipped <= count; skipped++) {
            s = span_of(copy, starts[count]);
            span_skip_varints(&s, skipped);
            assert_ptr_equal(s.p, copy + starts[skipped]);
        }
        span_skip_varints(&s, 1);
        assert_true(s.bad);
        free(copy);
    }
}

TEST(numbers_are_big_endian)
{
    static const char bytes[] = "\x01\x02\x03\x04\x05\x06\x07\x08\xff\xfe";
    struct span s = span_of(bytes, 10);
    assert_true(span_be(&s, 8) == UINT64_C(0x0102030405060708));
    assert_int_equal(span_be(&s, 2), 0xfffe);
    assert_false(s.bad);
    s = span_of(bytes, 10);
    assert_int_equal(span_u8(&s), 1);
    assert_int_equal(span_be(&s, 4), 0x02030405);
}

TEST(an_error_is_sticky)
{
    static const char bytes[] = "\x01\x02\x03\x04";
    struct span s = span_of(bytes, 4);
    assert_int_equal(span_be(&s, 8), 0);
    assert_true(s.bad);
    assert_int_equal(span_u8(&s), 0);
    assert_int_equal(span_varint(&s), 0);
    assert_int_equal(span_be(&s, 2), 0);
    span_skip(&s, 0);
    assert_true(s.bad);
    assert_true(span_sub(&s, 1).bad);
}

TEST(skipping_past_the_end_is_an_error)
{
    static const char bytes[] = "\x01\x02\x03\x04";
    struct span s = span_of(bytes, 4);
    span_skip(&s, 4);
    assert_false(s.bad);
    s = span_of(bytes, 4);
    span_skip(&s, UINT64_MAX);
    assert_true(s.bad);
    assert_int_equal(span_left(&s), 0);
}

TEST(a_sub_cursor_ends_where_it_was_told)
{
    static const char bytes[] = "\x01\x02\x03\x04";
    struct span s = span_of(bytes, 4), sub = span_sub(&s, 3);
    assert_int_equal(span_left(&sub), 3);
    assert_int_equal(span_u8(&s), 4);
    assert_int_equal(span_be(&sub, 4), 0);
    assert_true(sub.bad);
    assert_false(s.bad);
    s = span_of(bytes, 4);
    sub = span_sub(&s, 5);
    assert_true(sub.bad && s.bad);
    assert_int_equal(span_left(&sub), 0);
}

TEST(an_arena_gives_aligned_pieces_of_any_size)
{
    struct arena arena = {0};
    static const size_t sizes[] = {0, 1, 3, 17, 65536, 65537, 200000, 8, 300000};
    unsigned char *pieces[9];
    for (size_t i = 0; i < 9; i++) {
        pieces[i] = arena_alloc(&arena, sizes[i]);
        assert_int_equal((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
        memset(pieces[i], (int)i, sizes[i]);
    }
    for (size_t i = 0; i < 9; i++)
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(pieces[i][k], i);
    arena_free(&arena);
    assert_null(arena.first);
}

static jmp_buf ended;

static void memory_ends(void)
{
    longjmp(ended, 1);
}

TEST(an_array_of_more_bytes_than_can_be_counted_is_the_end_of_memory)
{
    static struct arena arena;
    mem_set_handler(memory_ends);
    if (setjmp(ended) == 0) {
        arena_array(&arena, SIZE_MAX / 12 + 2, 12); /* 8 or 20 bytes, if they went round */
        fail_msg("it was given");
    }
    mem_set_handler(NULL);
    assert_non_null(arena_array(&arena, 3, 12));
    arena_free(&arena);
}

TEST(an_arena_that_is_reset_uses_its_blocks_again)
{
    struct arena arena = {0};
    void *first = arena_alloc(&arena, 100), *large = arena_alloc(&arena, 100000);
    for (int round = 0; round < 1000; round++) {
        arena_reset(&arena);
        assert_ptr_equal(arena_alloc(&arena, 100), first);
        assert_ptr_equal(arena_alloc(&arena, 100000), large);
    }
    arena_free(&arena);
}

TEST(an_arena_that_is_reset_forbids_its_pieces)
{
#ifdef IS_POISONED
    struct arena arena = {0};
    char *piece = arena_copy(&arena, "text", 4);
    assert_false(IS_POISONED(piece));
    assert_false(IS_POISONED(piece + 4));
    assert_true(IS_POISONED(piece + 5));
    arena_reset(&arena);
    assert_true(IS_POISONED(piece));
    arena_free(&arena);
#else
    skip();
#endif
}

TEST(an_arena_copy_has_a_nul_behind_it)
{
    struct arena arena = {0};
    assert_memory_equal(arena_copy(&arena, "a\0b", 3), "a\0b", 4);
    assert_string_equal(arena_copy(&arena, NULL, 0), "");
    arena_free(&arena);
}

TEST(map64_gets_what_was_put_and_nothing_else)
{
    struct map64 map = {0};
    assert_true(map64_get(&map, 0) == MAP_NONE);
    for (uint64_t i = 0; i < 5000; i++)
        assert_int_equal(map64_put(&map, i << 40 | (i & 3), (uint32_t)i), i);
    assert_int_equal(map.n, 5000);
    for (uint64_t i = 0; i < 5000; i++) {
        assert_int_equal(map64_get(&map, i << 40 | (i & 3)), i);
        assert_true(map64_get(&map, i << 40 | 7) == MAP_NONE);
    }
    map64_free(&map);
}

TEST(map64_put_keeps_the_first_and_set_takes_the_last)
{
    struct map64 map = {0};
    assert_int_equal(map64_put(&map, UINT64_MAX, 1), 1);
    assert_int_equal(map64_put(&map, UINT64_MAX, 2), 1);
    assert_int_equal(map64_get(&map, UINT64_MAX), 1);
    map64_set(&map, UINT64_MAX, 3);
    map64_set(&map, 0, MAP_NONE - 1);
    assert_int_equal(map64_get(&map, UINT64_MAX), 3);
    assert_true(map64_get(&map, 0) == MAP_NONE - 1);
    assert_int_equal(map.n, 2);
    map64_free(&map);
}

TEST(map64_that_is_cleared_is_empty)
{
    struct map64 map = {0};
    for (uint64_t i = 0; i < 100; i++)
        map64_set(&map, i, (uint32_t)i);
    map64_clear(&map);
    assert_int_equal(map.n, 0);
    map64_put(&map, 5, 50);
    assert_int_equal(map64_get(&map, 5), 50);
    assert_true(map64_get(&map, 6) == MAP_NONE);
    map64_free(&map);
}

TEST(interned_texts_are_numbered_in_the_order_first_seen)
{
    struct intern intern = {0};
    char text[32];
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 20000; i++) {
            int length = snprintf(text, sizeof text, "name-%u", i);
            assert_int_equal(intern_bytes(&intern, text, (size_t)length), i);
        }
    }
    assert_int_equal(intern.texts.n, 20000);
    assert_string_equal(intern.texts.v[12345].text, "name-12345");
    intern_free(&intern);
}

TEST(interned_texts_differ_by_length_and_by_bytes_behind_a_nul)
{
    struct intern intern = {0};
    uint32_t empty = intern_bytes(&intern, NULL, 0);
    uint32_t nul = intern_bytes(&intern, "\0", 1), nuls = intern_bytes(&intern, "\0\0", 2);
    uint32_t a = intern_bytes(&intern, "x\0a", 3), b = intern_bytes(&intern, "x\0b", 3);
    assert_true(empty != nul && nul != nuls && a != b);
    assert_int_equal(intern_bytes(&intern, "", 0), empty);
    assert_int_equal(intern_bytes(&intern, "x\0b", 3), b);
    assert_int_equal(intern.texts.v[a].length, 3);
    intern_free(&intern);
}

TEST(interned_texts_of_equal_hash_are_told_apart)
{
    /* two that fall on the same 32 bits, searched: 100000 texts have about one such pair, 400000 have nearly twenty */
    struct intern intern = {0};
    struct map64 by_hash = {0};
    char text[16];
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < 400000; i++) {
        size_t length = (size_t)snprintf(text, sizeof text, "%u", i);
        assert_int_equal(intern_bytes(&intern, text, length), i);
        pairs += map64_put(&by_hash, intern.texts.v[i].hash, i) != i;
    }
    assert_true(pairs > 0);
    map64_free(&by_hash);
    intern_free(&intern);
}

TEST(keys_are_sorted_and_equal_ones_stay_in_their_order)
{
    static const uint64_t masks[] = {0, 3, 0xff, 0xffff, 0xff00ff00, UINT64_C(0xff000000000000ff), UINT64_MAX};
    static const size_t counts[] = {0, 1, 2, 31, 32, 33, 500, 3000};
    uint64_t random = 1;
    for (size_t m = 0; m < sizeof masks / sizeof masks[0]; m++) {
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            size_t count = counts[c];
            struct sort_key *keys = mem_resize(NULL, count, 2 * sizeof *keys);
            uint64_t *before = mem_resize(NULL, count, sizeof *before);
            for (size_t i = 0; i < count; i++) {
                next_random(&random);
                before[i] = (random ^ random >> 29) & masks[m];
                keys[i] = (struct sort_key){before[i], (uint32_t)i};
            }
            sort_keys(keys, count, keys + count);
            for (size_t i = 0; i < count; i++) {
                assert_true(keys[i].key == before[keys[i].at]);
                assert_true(i == 0 || keys[i - 1].key < keys[i].key ||
                            (keys[i - 1].key == keys[i].key && keys[i - 1].at < keys[i].at));
            }
            free(before);
            free(keys);
        }
    }
}

TEST(a_vector_keeps_its_items_as_it_grows)
{
    VEC(uint64_t) vec = {0};
    for (uint64_t i = 0; i < 10000; i++)
        vec_push(&vec, i * i);
    assert_int_equal(vec.n, 10000);
    for (uint64_t i = 0; i < 10000; i++)
        assert_int_equal(vec.v[i], i * i);
    vec_free(&vec);
    assert_int_equal(vec.n + vec.cap, 0);
}

static jmp_buf out_of_memory;

static void jump(void)
{
    longjmp(out_of_memory, 1);
}

TEST(a_product_of_sizes_that_overflows_calls_the_handler)
{
    mem_set_handler(jump);
    if (setjmp(out_of_memory) == 0) {
        free(mem_resize(NULL, SIZE_MAX / 2, 3));
        fail();
    }
    struct arena arena = {0};
    if (setjmp(out_of_memory) == 0) {
        arena_alloc(&arena, SIZE_MAX);
        fail();
    }
    mem_set_handler(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(varint_of_one_byte_is_itself),
        CASE(varint_has_seven_bits_a_byte_low_bits_first),
        CASE(varint_may_be_padded),
        CASE(varint_ninth_byte_carries_eight_bits),
        CASE(varint_that_is_cut_gives_0_and_a_bad_cursor),
        CASE(several_varints_are_skipped_at_once),
        CASE(varints_by_words_are_those_by_bytes),
        CASE(numbers_are_big_endian),
        CASE(an_error_is_sticky),
        CASE(skipping_past_the_end_is_an_error),
        CASE(a_sub_cursor_ends_where_it_was_told),
        CASE(an_arena_gives_aligned_pieces_of_any_size),
        CASE(an_array_of_more_bytes_than_can_be_counted_is_the_end_of_memory),
        CASE(an_arena_that_is_reset_uses_its_blocks_again),
        CASE(an_arena_that_is_reset_forbids_its_pieces),
        CASE(an_arena_copy_has_a_nul_behind_it),
        CASE(map64_gets_what_was_put_and_nothing_else),
        CASE(map64_put_keeps_the_first_and_set_takes_the_last),
        CASE(map64_that_is_cleared_is_empty),
        CASE(interned_texts_are_numbered_in_the_order_first_seen),
        CASE(interned_texts_differ_by_length_and_by_bytes_behind_a_nul),
        CASE(interned_texts_of_equal_hash_are_told_apart),
        CASE(keys_are_sorted_and_equal_ones_stay_in_their_order),
        CASE(a_vector_keeps_its_items_as_it_grows),
        CASE(a_product_of_sizes_that_overflows_calls_the_handler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
