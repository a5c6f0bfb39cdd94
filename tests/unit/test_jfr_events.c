/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events and their fields: found by name, in whatever order, width and unit the chunk has them. */
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

TEST(an_event_gives_its_time_references_and_number)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    seen_built(&seen, &b);
    assert_int_equal(seen.status, STATUS_OK);
    assert_int_equal(seen.damage.bytes + seen.damage.events + seen.damage.chunks, 0);
    assert_int_equal(only(&seen, 0)->i, 1001000);
    assert_int_equal(only(&seen, 1)->kind, JFR_REF);
    assert_int_equal(only(&seen, 2)->ref, 1);
    assert_int_equal(only(&seen, 3)->i, -5);
    assert_int_equal(seen.events.v[0].at, b.event_at);
    assert_int_equal(jfr_type_id(seen.reader, 0), T_SAMPLE);
    assert_int_equal(jfr_event_count(seen.reader), 1);
    done(&b, &seen);
}

TEST(fields_in_another_order_are_found_by_name)
{
    static const struct build_type types[] = {{"test.Mine",
                                               200,
                                               {{"d", "int", 0, 0, 0, 0},
                                                {"x", "long", 0, 0, 0, 0},
                                                {"b", "int", 0, 0, 0, 0},
                                                {"a", "int", 0, 0, 0, 0},
                                                {"c", "int", 0, 0, 0, 0}}},
                                              {0}};
    struct build b;
    struct seen seen;
    begin_mine(&b, types);
    for (int i = 1; i <= 5; i++)
        build_int(&b, i);
    read_mine(&b, &seen);
    assert_int_equal(only(&seen, 0)->i, 4);
    assert_int_equal(only(&seen, 1)->i, 3);
    assert_int_equal(only(&seen, 2)->i, 5);
    assert_int_equal(only(&seen, 3)->i, 1);
    done(&b, &seen);
}

TEST(a_field_the_chunk_does_not_have_is_absent)
{
    static const struct build_type types[] = {{"test.Mine", 200, {{"d", "int", 0, 0, 0, 0}, {"b", "int", 0, 0, 0, 0}}},
                                              {0}};
    struct build b;
    struct seen seen;
    begin_mine(&b, types);
    build_int(&b, 7);
    build_int(&b, 8);
    read_mine(&b, &seen);
    assert_int_equal(only(&seen, 0)->kind, JFR_ABSENT);
    assert_int_equal(only(&seen, 1)->i, 8);
    assert_int_equal(only(&seen, 2)->kind, JFR_ABSENT);
    assert_int_equal(only(&seen, 3)->i, 7);
    done(&b, &seen);
}

TEST(an_event_type_the_chunk_does_not_have_has_no_id)
{
    static const struct jfr_event_spec none[] = {{"test.None", {"a"}}};
    struct build b;
    struct seen seen;
    build_small(&b);
    seen_read(&seen, b.out.v, b.out.n, 0, none, 1);
    assert_int_equal(seen.status, STATUS_OK);
    assert_int_equal(jfr_type_id(seen.reader, 0), -1);
    assert_int_equal(seen.events.n, 0);
    done(&b, &seen);
}

TEST(unknown_event_types_are_skipped_by_their_size)
{
    static const uint64_t types[] = {12345, UINT64_C(1) << 40, T_OTHER};
    struct build b;
    struct seen seen;
    build_small(&b);
    for (size_t i = 0; i < 3; i++) {
        build_event(&b, types[i]);
        build_raw(&b, "\xff\xff\xff\xff\xff", 5);
        build_end(&b);
    }
    build_event(&b, T_SAMPLE);
    for (int i = 0; i < 4; i++)
        build_int(&b, 9);
    build_end(&b);
    build_finish(&b);
    seen_built(&seen, &b);
    assert_int_equal(seen.events.n, 2);
    assert_int_equal(seen.events.v[1].values[3].i, 9);
    assert_int_equal(seen.damage.events + seen.damage.bytes, 0);
    assert_int_equal(jfr_event_count(seen.reader), 5);
    done(&b, &seen);
}

TEST(type_ids_past_the_direct_table_work)
{
    static const uint64_t shifts[] = {16383 - T_SAMPLE, 16384 - T_SAMPLE, 70000, UINT64_C(1) << 33};
    for (size_t i = 0; i < 4; i++) {
        struct build b;
        struct seen seen;
        build_begin(&b);
        b.id_shift = shifts[i];
        build_metadata(&b, build_types);
        build_event(&b, T_SAMPLE + b.id_shift);
        for (int k = 0; k < 4; k++)
            build_int(&b, 9);
        build_end(&b);
        build_finish(&b);
        seen_built(&seen, &b);
        assert_int_equal(only(&seen, 3)->i, 9);
        assert_int_equal(jfr_type_id(seen.reader, 0), T_SAMPLE + b.id_shift);
        done(&b, &seen);
    }
}

TEST(a_nested_struct_stands_in_its_place_field_by_field)
{
    static const struct build_type types[] = {
        {"in.Inner", 201, {{"x", "int", 0, 0, 0, 0}, {"y", "java.lang.String", 0, 0, 0, 0}}},
        {"in.Outer", 202, {{"p", "in.Inner", 0, 0, 0, 0}, {"q", "float", 0, 0, 0, 0}}},
        {"test.Mine", 200, {{"a", "int", 0, 0, 0, 0}, {"s", "in.Outer", 0, 0, 0, 0}, {"b", "int", 0, 0, 0, 0}}},
        {0}};
    struct build b;
    struct seen seen;
    begin_mine(&b, types);
    build_int(&b, 1);
    build_int(&b, 300);
    build_text(&b, 3, "text");
    build_float(&b, 1.0F);
    build_int(&b, 2);
    read_mine(&b, &seen);
    assert_int_equal(only(&seen, 0)->i, 1);
    assert_int_equal(only(&seen, 1)->i, 2);
    done(&b, &seen);
}

TEST(a_type_that_wraps_one_simple_field_is_that_field)
{
    static const struct build_type types[] = {{"in.Tickspan", 201, {{"value", "long", 0, 0, 0, 0}}},
                                              {"test.Mine",
                                               200,
                                               {{"a", "in.Tickspan", 0, 0, 0, 0}, {"b", "int", 0, 0, 0, 0}}},
                                              {0}};
    struct build b;
    struct seen seen;
    begin_mine(&b, types);
    build_long(&b, 123456);
    build_int(&b, 2);
    read_mine(&b, &seen);
    assert_int_equal(only(&seen, 0)->kind, JFR_INT);
    assert_int_equal(only(&seen, 0)->i, 123456);
    assert_int_equal(only(&seen, 1)->i, 2);
    done(&b, &seen);
}

TEST(arrays_of_numbers_texts_structs_and_references_are_stepped_over)
{
    static const struct build_type types[] = {{"in.Pair",
                                               201,
                                               {{"x", "int", 0, 0, 0, 0}, {"y", "java.lang.String", 0, 0, 0, 0}}},
                                              {"test.Mine",
                                               200,
                                               {{"l", "long", 0, 1, 0, 0},
                                                {"t", "java.lang.String", 0, 1, 0, 0},
                                                {"d", "double", 0, 1, 0, 0},
                                                {"p", "in.Pair", 0, 1, 0, 0},
                                                {"r", "in.Unknown", 1, 1, 0, 0},
                                                {"c", "byte", 0, 1, 0, 0},
                                                {"a", "int", 0, 0, 0, 0}}},
                                              {0}};
    struct build b;
    struct seen seen;
    begin_mine(&b, types);
    build_int(&b, 3);
    for (int i = 0; i < 3; i++)
        build_long(&b, UINT64_MAX - 1);
    build_int(&b, 2);
    build_text(&b, 3, "one");
    build_u8(&b, 0);
    build_int(&b, 1);
    build_double(&b, 2.5);
    build_int(&b, 2);
    for (int i = 0; i < 2; i++) {
        build_int(&b, 1000);
        build_text(&b, 5, "pair");
    }
    build_int(&b, 2);
    build_long(&b, 1);
    build_long(&b, UINT64_C(1) << 62);
    build_int(&b, 0);
    build_int(&b, 77);
    read_mine(&b, &seen);
    assert_int_equal(only(&seen, 0)->i, 77);
    assert_int_equal(only(&seen, 2)->kind, JFR_ARRAY);
    done(&b, &seen);
}

TEST(every_primitive_type_has_its_own_width_and_sign)
{
    static const struct build_type types[] = {{"test.Mine",
                                               200,
                                               {{"a", "boolean", 0, 0, 0, 0},
                                                {"b", "byte", 0, 0, 0, 0},
                                                {"c", "short", 0, 0, 0, 0},
                                                {"d", "char", 0, 0, 0, 0},
                                                {"e", "float", 0, 0, 0, 0},
                                                {"f", "double", 0, 0, 0, 0},
                                                {"g", "long", 0, 0, 0, 0},
                                                {"h", "int", 0, 0, 0, 0}}},
                                              {0}};
    static const struct jfr_event_spec all[] = {{"test.Mine", {"a", "b", "c", "d", "e", "f", "g", "h"}}};
    for (int plain = 0; plain < 2; plain++) {
        struct build_type *joined = build_join(build_primitives, types);
        struct build b;
        struct seen seen;
        build_begin(&b);
        b.plain = plain != 0;
        build_metadata(&b, joined);
        build_event(&b, 200);
        build_u8(&b, 1);
        build_u8(&b, 0xff);
        build_short(&b, -2);
        build_short(&b, 0xfffe);
        build_float(&b, 0.1F);
        build_double(&b, -0.1);
        build_long(&b, (uint64_t)INT64_MIN);
        build_int(&b, INT32_MIN);
        build_end(&b);
        build_finish(&b);
        seen_read(&seen, b.out.v, b.out.n, 0, all, 1);
        assert_int_equal(only(&seen, 0)->i, 1);
        assert_int_equal(only(&seen, 1)->i, -1);
        assert_int_equal(only(&seen, 2)->i, -2);
        assert_int_equal(only(&seen, 3)->i, 0xfffe);
        assert_same(only(&seen, 4)->d, (double)0.1F);
        assert_same(only(&seen, 5)->d, -0.1);
        assert_true(only(&seen, 6)->i == INT64_MIN);
        assert_int_equal(only(&seen, 7)->i, INT32_MIN);
        free(joined);
        done(&b, &seen);
    }
}

TEST(a_plain_integer_chunk_equals_the_compressed_one)
{
    for (int varints = 0; varints < 2; varints++) {
        struct build b, c;
        struct seen seen, compressed;
        build_small(&c);
        seen_built(&compressed, &c);
        build_begin(&b);
        b.plain = true;
        b.tree_varints = varints != 0;
        build_metadata(&b, build_types);
        build_small_pools(&b);
        build_event(&b, T_SAMPLE);
        build_long(&b, 1100);
        build_long(&b, 1);
        build_long(&b, 1);
        build_int(&b, -5);
        build_end(&b);
        build_finish(&b);
        seen_built(&seen, &b);
        assert_int_equal(seen.status, STATUS_OK);
        assert_int_equal(seen.damage.events + seen.damage.bytes, 0);
        for (size_t i = 0; i < 4; i++) {
            assert_int_equal(only(&seen, i)->kind, only(&compressed, i)->kind);
            assert_int_equal(only(&seen, i)->i, only(&compressed, i)->i);
        }
        assert_int_equal(seen_resolve_all(&seen), seen_resolve_all(&compressed));
        assert_true(seen_resolve_all(&seen) > 20);
        done(&b, &seen);
        done(&c, &compressed);
    }
}

TEST(sizes_padded_to_four_bytes_are_read)
{
    struct build b;
    struct seen seen;
    build_begin(&b);
    b.padded = true;
    build_metadata(&b, build_types);
    build_small_pools(&b);
    build_event(&b, T_SAMPLE);
    for (int i = 0; i < 4; i++)
        build_int(&b, 1);
    build_end(&b);
    build_finish(&b);
    seen_built(&seen, &b);
    assert_int_equal(only(&seen, 3)->i, 1);
    assert_true(seen_resolve_all(&seen) > 20);
    done(&b, &seen);
}

TEST(an_event_with_more_bytes_than_its_fields_is_read)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    build_event(&b, T_SAMPLE);
    for (int i = 0; i < 9; i++)
        build_int(&b, 3);
    build_end(&b);
    build_finish(&b);
    seen_built(&seen, &b);
    assert_int_equal(seen.events.n, 2);
    assert_int_equal(seen.damage.events, 0);
    done(&b, &seen);
}

TEST(an_event_with_fewer_bytes_than_its_fields_is_counted_and_not_handed_over)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    build_event(&b, T_SAMPLE);
    build_int(&b, 3);
    build_end(&b);
    size_t at = b.event_at;
    build_event(&b, T_SAMPLE);
    for (int i = 0; i < 4; i++)
        build_int(&b, 3);
    build_end(&b);
    build_finish(&b);
    seen_built(&seen, &b);
    assert_int_equal(seen.events.n, 2);
    assert_int_equal(seen.damage.events, 1);
    assert_int_equal(seen.damage.first.status, STATUS_INVALID);
    assert_int_equal(seen.damage.first.at, at);
    assert_int_equal(seen.damage.first.chunk, 1);
    done(&b, &seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(an_event_gives_its_time_references_and_number),
        CASE(fields_in_another_order_are_found_by_name),
        CASE(a_field_the_chunk_does_not_have_is_absent),
        CASE(an_event_type_the_chunk_does_not_have_has_no_id),
        CASE(unknown_event_types_are_skipped_by_their_size),
        CASE(type_ids_past_the_direct_table_work),
        CASE(a_nested_struct_stands_in_its_place_field_by_field),
        CASE(a_type_that_wraps_one_simple_field_is_that_field),
        CASE(arrays_of_numbers_texts_structs_and_references_are_stepped_over),
        CASE(every_primitive_type_has_its_own_width_and_sign),
        CASE(a_plain_integer_chunk_equals_the_compressed_one),
        CASE(sizes_padded_to_four_bytes_are_read),
        CASE(an_event_with_more_bytes_than_its_fields_is_read),
        CASE(an_event_with_fewer_bytes_than_its_fields_is_counted_and_not_handed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
