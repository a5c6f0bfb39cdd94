/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings made so that bytes are looked at again and again: the time goes with the bytes all the same. */
#include "jfr_seen.h"
#include "watch.h"

static void done(struct build *b, struct seen *seen)
{
    seen_free(seen);
    build_free(b);
}

static void put_padded(struct build *b, size_t value) /* in four bytes */
{
    for (unsigned i = 0; i < 4; i++)
        vec_push(&b->out, (uint8_t)((value >> (7 * i) & 0x7f) | (i < 3 ? 0x80 : 0)));
}

enum {
    T_BIG = 50,
    T_PAD
};
#define START 100 /* ticks, of build_begin; every event's */

static void begin(struct build *b)
{
    static const struct build_type big[] = {{"test.Big",
                                             T_BIG,
                                             {{"startTime", "long", 0, 0, 0, 0}, {"bytes", "byte", 0, 1, 0, 0}}},
                                            {"test.Pad", T_PAD, {{"long", "long", 0, 0, 0, 0}}},
                                            {0}};
    struct build_type *types = build_join(build_primitives, big);
    build_begin(b);
    b->ticks_per_second = 1000; /* so that 0 is no time of the chunk */
    build_metadata(b, types);
    free(types);
}

/* An event of REST bytes whose array ends a byte too early. */
static void put_big(struct build *b, size_t rest)
{
    put_padded(b, rest);
    vec_push(&b->out, T_BIG);
    vec_push(&b->out, START);
    put_padded(b, rest > 10 ? rest - 11 : 0);
}

/* A checkpoint of REST bytes with that many entries of two numbers each. */
static void put_checkpoint(struct build *b, size_t rest, size_t entries)
{
    static const uint8_t head[] = {1, START, 0, 0, 0, 1, T_PAD};
    put_padded(b, rest);
    vec_reserve(&b->out, sizeof head);
    memcpy(b->out.v + b->out.n, head, sizeof head);
    b->out.n += sizeof head;
    put_padded(b, entries);
}
#define CHECKPOINT 15 /* bytes of it, nine numbers */

/* Each of very many events claims all the bytes behind it, and does not hold what its type announces: the last byte is
 * one too many. */
TEST(events_that_all_claim_the_rest)
{
    const size_t each = 10, count = 400000;
    struct build b;
    struct seen seen;
    begin(&b);
    for (size_t i = 0; i < count; i++)
        put_big(&b, (count - i) * each);
    build_finish(&b);
    seen_built(&seen, &b);
    assert_int_equal(seen.status, STATUS_OK);
    assert_true(seen.damage.events >= 1);
    done(&b, &seen);
}

/* Good ones, but what they lead to is damage, so each is looked into for others. */
TEST(checkpoints_that_all_lead_to_the_same_damage)
{
    const size_t count = 400000, damage = 600;
    struct build b;
    struct seen seen;
    begin(&b);
    for (size_t i = 0; i < count; i++)
        put_checkpoint(&b, (count - i) * CHECKPOINT, (count - i) * 4 - 4);
    put_big(&b, damage);
    vec_reserve(&b.out, damage);
    memset(b.out.v + b.out.n, 0, damage);
    b.out.n += damage - 10;
    build_finish(&b);
    seen_built(&seen, &b);
    assert_int_equal(seen.status, STATUS_OK);
    assert_true(seen.damage.events >= 1);
    done(&b, &seen);
}

/* Behind four events in a row, which are believed, stands one that is none: to see that takes all of it. */
TEST(checkpoints_that_all_claim_the_rest_and_do_not_fit)
{
    static const uint8_t small[] = {4, T_BIG, START, 0};
    const size_t count = 200000, in_a_row = 4, each = in_a_row * sizeof small + CHECKPOINT, behind = 3;
    struct build b;
    struct seen seen;
    begin(&b);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < in_a_row; k++) {
            vec_reserve(&b.out, sizeof small);
            memcpy(b.out.v + b.out.n, small, sizeof small);
            b.out.n += sizeof small;
        }
        put_checkpoint(&b, (count - i) * each - in_a_row * sizeof small, (count - i) * 12 - 12);
    }
    vec_reserve(&b.out, behind);
    memset(b.out.v + b.out.n, 0, behind); /* no event */
    b.out.n += behind;
    build_finish(&b);
    seen_built(&seen, &b);
    assert_int_equal(seen.status, STATUS_OK);
    assert_true(seen.damage.events >= 1);
    done(&b, &seen);
}

/* Headers are lost, and their copies stand all together at the end of the file. */
TEST(copies_of_headers_far_behind_their_chunks)
{
    const size_t count = 60000, each = 100, gap = 4000000;
    struct build copy, file;
    struct jfr_chunk_list chunks = {0};
    struct jfr_damage damage = {0};
    struct error err = {0};
    build_begin(&file);
    vec_reserve(&file.out, count * each + gap);
    memset(file.out.v, 0, count * each + gap);
    file.out.n = count * each + gap;
    for (size_t i = 0; i < count; i++) {
        build_begin(&copy);
        copy.state = 1;
        copy.size = (int64_t)(file.out.n + 1 + BUILD_HEADER - i * each);
        build_finish(&copy);
        vec_push(&file.out, BUILD_HEADER);
        vec_reserve(&file.out, copy.out.n);
        memcpy(file.out.v + file.out.n, copy.out.v, copy.out.n);
        file.out.n += copy.out.n;
        build_free(&copy);
    }
    assert_int_equal(jfr_list_chunks(file.out.v, file.out.n, &chunks, &damage, &err), STATUS_OK);
    assert_int_equal(chunks.n, count);
    assert_int_equal(chunks.v[count - 1].at, (count - 1) * each);
    assert_true(chunks.v[count - 1].restored);
    vec_free(&chunks);
    build_free(&file);
}

/* What a method leads to may be large: a class whose name stands behind very many other things, a text of very many
 * characters. */
TEST(entries_of_pools_that_are_long)
{
    static const struct build_type twisted[] = {
        {"test.Pair", T_PAD, {{"x", "byte", 0, 0, 0, 0}, {"y", "long", 0, 0, 0, 0}}},
        {"java.lang.Class", T_CLASS, {{"pad", "test.Pair", 0, 1, 0, 0}, {"name", "jdk.types.Symbol", 1, 0, 0, 0}}},
        {0}};
    struct build_type *types = build_join(twisted, build_types);
    const unsigned pads = 400000, methods = 100000;
    struct build b;
    struct seen seen;
    build_begin(&b);
    build_metadata(&b, types);
    build_checkpoint(&b, 3);
    build_pool(&b, T_CLASS, 1);
    build_long(&b, 1);
    build_int(&b, pads);
    for (unsigned i = 0; i < pads; i++)
        build_raw(&b, "\1\1", 2);
    build_long(&b, 1);
    build_pool(&b, T_SYMBOL, 1);
    build_long(&b, 1);
    build_text(&b, 3, "a/B");
    build_pool(&b, T_METHOD, methods);
    for (unsigned i = 1; i <= methods; i++) {
        build_long(&b, i);
        build_long(&b, 1);
        build_long(&b, 1);
        build_raw(&b, "\1\1\0", 3);
    }
    build_end(&b);
    build_finish(&b);
    seen_built(&seen, &b);
    assert_int_equal(seen.damage.first.status, STATUS_OK);
    for (unsigned i = 1; i <= methods; i++) {
        struct jfr_method method;
        assert_true(jfr_method(seen.reader, i, &method));
        assert_string_equal(seen_words(method.class_name), "a/B");
        assert_string_equal(seen_words(method.name), "a/B");
    }
    free(types);
    done(&b, &seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WATCHED(events_that_all_claim_the_rest),
        WATCHED(checkpoints_that_all_lead_to_the_same_damage),
        WATCHED(checkpoints_that_all_claim_the_rest_and_do_not_fit),
        WATCHED(copies_of_headers_far_behind_their_chunks),
        WATCHED(entries_of_pools_that_are_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
