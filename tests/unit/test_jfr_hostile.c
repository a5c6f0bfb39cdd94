/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metadata, arrays and pools made to hurt: refused in bounded time and memory, and the rest of the chunk is read. */
#include "jfr_seen.h"
#include "watch.h"

#include <stdio.h>

static void done(struct build *b, struct seen *seen)
{
    seen_free(seen);
    build_free(b);
}

/* build_types with MORE in front, so that MORE's types of equal names count. */
static void begin_with(struct build *b, const struct build_type *more)
{
    struct build_type *all = build_join(more, build_types);
    build_begin(b);
    build_metadata(b, all);
    free(all);
}

static void add_sample(struct build *b)
{
    build_event(b, T_SAMPLE);
    for (int i = 0; i < 4; i++)
        build_int(b, 1);
    build_end(b);
}

TEST(a_type_that_contains_itself_is_refused_where_it_is_used)
{
    static const struct build_type loop[] = {
        {"in.Loop", 301, {{"next", "in.Loop", 0, 0, 0, 0}}},
        {"in.Ping", 302, {{"pong", "in.Pong", 0, 1, 0, 0}}},
        {"in.Pong", 303, {{"ping", "in.Ping", 0, 1, 0, 0}}},
        {"test.Sample", 300, {{"l", "in.Loop", 0, 0, 0, 0}, {"startTime", "long", 0, 0, 0, 0}}},
        {"test.Text", 304, {{"l", "in.Ping", 0, 1, 0, 0}, {"text", "java.lang.String", 0, 0, 0, 0}}},
        {0}};
    for (uint64_t type = 300; type <= 304; type += 4) {
        struct build b;
        struct seen seen;
        begin_with(&b, loop);
        build_event(&b, type);
        for (int i = 0; i < 40; i++)
            build_int(&b, 1);
        build_end(&b);
        build_finish(&b);
        seen_built(&seen, &b);
        assert_int_equal(seen.status, STATUS_OK);
        assert_int_equal(seen.events.n, 0);
        assert_int_equal(seen.damage.events, 1);
        done(&b, &seen);
    }
}

/* Each of 16 levels holds the next one FIELDS times; the last is LEAF, or has no fields. */
static void build_multiplying(struct build *b, unsigned fields, bool array, const char *leaf)
{
    static char names[17][8];
    struct build_type types[18] = {{0}};
    for (unsigned i = 0; i <= 16; i++)
        snprintf(names[i], sizeof names[i], "in.L%u", i);
    types[0] = (struct build_type){"test.Sample", 300, {{"x", names[1], 0, 0, 0, 0}, {"number", "int", 0, 0, 0, 0}}};
    for (unsigned i = 1; i <= 14; i++) {
        types[i].name = names[i];
        types[i].id = 300 + i;
        for (unsigned f = 0; f < fields; f++)
            types[i].fields[f] = (struct build_field){"f", i < 14 ? names[i + 1] : leaf, 0, array, 0, 0};
    }
    types[15] = (struct build_type){"in.Empty", 315, {{0}}};
    begin_with(b, types);
    build_event(b, 300);
    for (int i = 0; i < 100; i++)
        build_int(b, 1);
    build_end(b);
    build_finish(b);
}

TEST(a_type_whose_nesting_multiplies_is_refused_at_once)
{
    static const char *const leaves[] = {"int", "byte", "java.lang.String", "in.Empty"};
    for (size_t i = 0; i < 8; i++) {
        struct build b;
        struct seen seen;
        build_multiplying(&b, 10, i >= 4, leaves[i % 4]);
        seen_built(&seen, &b);
        assert_int_equal(seen.status, STATUS_OK);
        assert_int_equal(seen.events.n, 0);
        assert_int_equal(seen.damage.events, 1);
        done(&b, &seen);
    }
}

TEST(structs_nest_a_few_levels_deep_and_not_without_end)
{
    for (unsigned levels = 4; levels <= 40; levels += 12) {
        static char names[41][8];
        struct build_type types[42] = {{0}};
        struct build b;
        struct seen seen;
        for (unsigned i = 0; i <= levels; i++)
            snprintf(names[i], sizeof names[i], "in.L%u", i);
        for (unsigned i = 0; i < levels; i++)
            types[i] = (struct build_type){names[i],
                                           300 + i,
                                           {{"x", i + 1 < levels ? names[i + 1] : "int", 0, 0, 0, 0},
                                            {"y", "int", 0, 0, 0, 0}}};
        types[0].name = "test.Sample";
        types[0].fields[1].name = "number";
        begin_with(&b, types);
        build_event(&b, 300);
        for (unsigned i = 0; i < levels; i++)
            build_int(&b, 1);
        build_int(&b, 9);
        build_end(&b);
        build_finish(&b);
        seen_built(&seen, &b);
        assert_int_equal(seen.status, STATUS_OK);
        assert_int_equal(seen.events.n, levels <= 16);
        assert_int_equal(seen.damage.events, levels > 16);
        if (levels <= 16)
            assert_int_equal(seen.events.v[0].values[3].i, 9);
        done(&b, &seen);
    }
}

TEST(a_metadata_tree_that_is_too_deep_is_invalid)
{
    for (unsigned depth = 10; depth <= 200000; depth *= 20) {
        struct build b;
        struct seen seen;
        build_begin(&b);
        build_event(&b, 0);
        b.metadata_at = (int64_t)b.event_at;
        for (int i = 0; i < 3; i++)
            build_long(&b, 1);
        build_int(&b, 1);
        build_text(&b, 3, "root");
        for (unsigned i = 0; i < depth; i++)
            build_raw(&b, "\0\0\1", 3);
        build_raw(&b, "\0\0\0", 3);
        build_end(&b);
        build_finish(&b);
        seen_built(&seen, &b);
        assert_int_equal(seen.status, STATUS_INVALID);
        assert_has(seen.err.text, "metadata");
        assert_int_equal(seen.err.at, BUILD_HEADER);
        done(&b, &seen);
    }
}

TEST(metadata_that_announces_more_than_it_has_is_invalid)
{
    /* counts of strings, attributes and children, and an index of a string there is not */
    static const struct {
        uint64_t strings, name, attributes, children;
    } cases[] = {{UINT64_C(1) << 60, 0, 0, 0},
                 {2, 0, 0, 0},
                 {1, 0, UINT64_C(1) << 62, 0},
                 {1, 0, 0, UINT64_C(1) << 62},
                 {1, 1, 0, 0},
                 {1, UINT64_MAX, 0, 0},
                 {1, 0, 1, 0},
                 {UINT64_MAX, 0, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct build b;
        struct seen seen;
        build_begin(&b);
        build_event(&b, 0);
        b.metadata_at = (int64_t)b.event_at;
        for (int k = 0; k < 3; k++)
            build_long(&b, 1);
        build_long(&b, cases[i].strings);
        build_text(&b, 3, "root");
        build_long(&b, cases[i].name);
        build_long(&b, cases[i].attributes);
        build_long(&b, cases[i].children);
        build_end(&b);
        build_finish(&b);
        seen_built(&seen, &b);
        assert_int_equal(seen.status, STATUS_INVALID);
        done(&b, &seen);
    }
}

TEST(arrays_that_announce_2_to_the_62_elements_damage_their_event_alone)
{
    static const struct build_type arrays[] = {
        {"in.Empty", 301, {{0}}},
        {"in.Pair",
         302,
         {{"x", "int", 0, 0, 0, 0}, {"y", "long", 0, 0, 0, 0}, {"z", "short", 0, 0, 0, 0}, {"u", "long", 0, 0, 0, 0}}},
        {"test.Sample",
         300,
         {{"a", "long", 0, 1, 0, 0},
          {"b", "in.Pair", 0, 1, 0, 0},
          {"c", "byte", 0, 1, 0, 0},
          {"d", "java.lang.String", 0, 1, 0, 0},
          {"number", "int", 0, 0, 0, 0}}},
        {0}};
    for (int bad = 0; bad < 4; bad++) {
        struct build b;
        struct seen seen;
        begin_with(&b, arrays);
        build_event(&b, 300);
        for (int i = 0; i < bad; i++)
            build_int(&b, 0);
        build_long(&b, UINT64_C(1) << 62);
        for (int i = 0; i < 40; i++)
            build_int(&b, 1);
        build_end(&b);
        build_finish(&b);
        seen_built(&seen, &b);
        assert_int_equal(seen.status, STATUS_OK);
        assert_int_equal(seen.events.n, 0);
        assert_int_equal(seen.damage.events, 1);
        done(&b, &seen);
    }
}

TEST(an_array_of_elements_without_bytes_takes_no_time)
{
    static const struct build_type arrays[] = {{"in.Empty", 301, {{0}}},
                                               {"test.Sample",
                                                300,
                                                {{"a", "in.Empty", 0, 1, 0, 0}, {"number", "int", 0, 0, 0, 0}}},
                                               {0}};
    struct build b;
    struct seen seen;
    begin_with(&b, arrays);
    build_event(&b, 300);
    build_long(&b, UINT64_C(1) << 62);
    build_int(&b, 5);
    build_end(&b);
    build_finish(&b);
    seen_built(&seen, &b);
    assert_int_equal(seen.events.n, 1);
    assert_int_equal(seen.events.v[0].values[3].i, 5);
    done(&b, &seen);
}

TEST(a_pool_that_announces_too_much_is_damage_and_what_came_before_counts)
{
    static const uint64_t counts[] = {3, 1000, UINT64_C(1) << 62, UINT64_MAX};
    for (size_t i = 0; i < 4; i++) {
        struct build b;
        struct seen seen;
        build_small(&b);
        build_checkpoint(&b, 2);
        size_t at = b.event_at;
        build_pool(&b, T_SYMBOL, 1);
        build_long(&b, 60);
        build_text(&b, 3, "kept");
        build_long(&b, T_STATE);
        build_long(&b, counts[i]);
        build_long(&b, 61);
        build_text(&b, 3, "first");
        build_end(&b);
        add_sample(&b);
        build_finish(&b);
        seen_built(&seen, &b);
        assert_int_equal(seen.status, STATUS_OK);
        assert_int_equal(seen.events.n, 2);
        assert_true(seen.damage.bytes > 0);
        assert_int_equal(seen.damage.first.status, STATUS_INVALID);
        assert_true(seen.damage.first.at > (int64_t)at && seen.damage.first.at < (int64_t)(at + 40));
        struct jfr_value value = {.kind = JFR_REF, .ref = 60};
        assert_string_equal(seen_words(jfr_text(seen.reader, &value)), "kept");
        done(&b, &seen);
    }
}

TEST(a_checkpoint_that_announces_too_many_pools_is_damage)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    build_checkpoint(&b, 1 << 30);
    build_end(&b);
    build_finish(&b);
    seen_built(&seen, &b);
    assert_int_equal(seen.status, STATUS_OK);
    assert_int_equal(seen.events.n, 1);
    assert_int_equal(seen.damage.first.status, STATUS_INVALID);
    done(&b, &seen);
}

TEST(a_checkpoint_cut_in_its_head_is_damage)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    build_event(&b, 1);
    build_long(&b, 1);
    build_long(&b, 0);
    build_end(&b);
    add_sample(&b);
    build_finish(&b);
    seen_built(&seen, &b);
    assert_int_equal(seen.events.n, 2);
    assert_int_equal(seen.damage.events, 1);
    assert_has(seen.damage.first.text, "checkpoint");
    done(&b, &seen);
}

TEST(a_checkpoint_of_a_type_without_metadata_is_damage_and_the_chunk_goes_on)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    build_checkpoint(&b, 2);
    build_pool(&b, 7777, 1);
    build_long(&b, 1);
    build_text(&b, 3, "whatever");
    build_pool(&b, T_STATE, 0);
    build_end(&b);
    add_sample(&b);
    build_finish(&b);
    seen_built(&seen, &b);
    assert_int_equal(seen.events.n, 2);
    assert_true(seen.damage.bytes > 8);
    assert_has(seen.damage.first.text, "metadata does not have");
    done(&b, &seen);
}

TEST(an_entry_cut_by_the_end_of_its_checkpoint_is_no_entry)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    build_checkpoint(&b, 1);
    build_pool(&b, T_SYMBOL, 1);
    build_long(&b, 60);
    build_text(&b, 3, "cut");
    b.body.n--;
    build_end(&b);
    add_sample(&b);
    build_finish(&b);
    seen_built(&seen, &b);
    assert_int_equal(seen.events.n, 2);
    assert_true(seen.damage.bytes > 0);
    struct jfr_value value = {.kind = JFR_REF, .ref = 60};
    assert_string_equal(seen_words(jfr_text(seen.reader, &value)), "(null)");
    done(&b, &seen);
}

TEST(pools_of_a_type_without_end_cost_little_each)
{
    /* some 4000 steps are tried before such a type is given up; doing so for each checkpoint and lookup is minutes */
    struct build b;
    struct seen seen;
    build_multiplying(&b, 10, false, "java.lang.String");
    for (int i = 0; i < 300000; i++) {
        build_checkpoint(&b, 1);
        build_pool(&b, 301, 1);
        build_long(&b, 1);
        build_end(&b);
    }
    build_finish(&b);
    seen_built(&seen, &b);
    assert_int_equal(seen.status, STATUS_OK);
    assert_true(seen.damage.bytes >= 300000);
    done(&b, &seen);
}

TEST(events_of_a_type_without_end_cost_little_each)
{
    struct build b;
    struct seen seen;
    struct jfr_value values[4];
    size_t type, decoded = 0;
    build_multiplying(&b, 10, false, "java.lang.String");
    seen_built(&seen, &b);
    assert_true(jfr_type_of_id(seen.reader, 300, &type));
    for (int i = 0; i < 5000000; i++)
        decoded += jfr_decode_event(seen.reader, b.event_at, type, values, 4);
    assert_int_equal(decoded, 0);
    done(&b, &seen);
}

TEST(checkpoints_are_checkpoints_whatever_the_metadata_calls_them)
{
    static const struct build_type twisted[] = {{"test.Sample", 1, {{"startTime", "long", 0, 0, 0, 0}}},
                                                {"test.Text", 0, {{"text", "long", 0, 0, 0, 0}}},
                                                {0}};
    struct build b;
    struct seen seen;
    struct jfr_stack stack;
    begin_with(&b, twisted);
    build_small_pools(&b);
    for (int i = 0; i < 4; i++)
        add_sample(&b);
    build_finish(&b);
    seen_built(&seen, &b);
    assert_int_equal(seen.damage.first.status, STATUS_OK);
    assert_int_equal(seen.events.n, 0);
    assert_true(jfr_stack(seen.reader, 1, &stack));
    done(&b, &seen);
}

TEST(frames_of_a_type_that_is_a_pool_too_are_read_as_frames)
{
    static const struct build_type twisted[] = {
        {"jdk.types.StackTrace", T_STACK, {{"frames", "java.lang.Thread", 0, 1, 0, 0}}}, {0}};
    struct build b;
    struct seen seen;
    struct jfr_thread thread;
    struct jfr_stack stack;
    begin_with(&b, twisted);
    build_checkpoint(&b, 2);
    for (int i = 0; i < 2; i++) {
        build_pool(&b, i == 0 ? T_THREAD : T_STACK, 1);
        build_long(&b, 1);
        if (i == 1)
            build_int(&b, 1);
        build_text(&b, 3, "os");
        build_long(&b, 2);
        build_text(&b, 3, "java");
        build_long(&b, 3);
        build_long(&b, 4);
        build_u8(&b, 1);
    }
    build_end(&b);
    build_finish(&b);
    seen_built(&seen, &b);
    for (int i = 0; i < 2; i++) {
        assert_true(jfr_thread(seen.reader, 1, &thread));
        assert_string_equal(seen_words(thread.java_name), "java");
        assert_true(thread.is_virtual);
        assert_true(jfr_stack(seen.reader, 1, &stack));
        assert_int_equal(stack.count, 1);
        assert_int_equal(stack.frames[0].method, 0);
        assert_int_equal(stack.frames[0].line, -1);
    }
    done(&b, &seen);
}

/* The second field of a name must not be read with the type of the first: here its elements have no bytes, so that any
 * number of frames could be read from what stands behind them. */
TEST(of_fields_with_one_name_the_first_counts)
{
    static const struct build_type twisted[] = {
        {"in.Empty", 301, {{0}}},
        {"jdk.types.StackTrace",
         T_STACK,
         {{"frames", "jdk.types.StackFrame", 0, 1, 0, 0}, {"frames", "in.Empty", 0, 1, 0, 0}}},
        {"test.Sample", 300, {{"number", "int", 0, 0, 0, 0}, {"number", "int", 0, 0, 0, 0}}},
        {0}};
    static const struct build_type keys[] = {{"jdk.types.StackTrace",
                                              T_STACK,
                                              {{"frames", "java.lang.Thread", 1, 1, 0, 0},
                                               {"frames", "jdk.types.StackFrame", 0, 1, 0, 0}}},
                                             {0}};
    for (size_t i = 0; i < 2; i++) {
        struct build b;
        struct seen seen;
        struct jfr_stack stack;
        begin_with(&b, i == 0 ? twisted : keys);
        build_checkpoint(&b, 1);
        build_pool(&b, T_STACK, 1);
        build_long(&b, 1);
        build_raw(&b, i == 0 ? "\1\5\1\1\1\x20" : "\1\5\1\7\1\1\1", i == 0 ? 6 : 7);
        build_end(&b);
        build_event(&b, i == 0 ? 300 : T_SAMPLE);
        for (int field = 1; field <= 32; field++)
            build_int(&b, field);
        build_end(&b);
        build_finish(&b);
        seen_built(&seen, &b);
        assert_int_equal(seen.damage.first.status, STATUS_OK);
        assert_true(jfr_stack(seen.reader, 1, &stack));
        assert_int_equal(stack.count, i == 0);
        if (i == 0) {
            assert_int_equal(stack.frames[0].method, 5);
            assert_int_equal(seen.events.v[0].values[3].i, 1);
        }
        done(&b, &seen);
    }
}

TEST(all_fields_of_an_event_are_decoded_also_those_of_one_name)
{
    static const struct build_type twisted[] = {
        {"test.Sample", 300, {{"x", "int", 0, 0, 0, 0}, {"x", "int", 0, 0, 0, 0}, {"y", "int", 0, 0, 0, 0}}}, {0}};
    struct build b;
    struct seen seen;
    struct jfr_value values[4];
    size_t type;
    begin_with(&b, twisted);
    build_event(&b, 300);
    for (int field = 1; field <= 3; field++)
        build_int(&b, field);
    build_end(&b);
    build_finish(&b);
    seen_built(&seen, &b);
    assert_true(jfr_type_of_id(seen.reader, 300, &type));
    assert_int_equal(jfr_decode_event(seen.reader, b.event_at, type, values, 4), 3);
    for (int field = 1; field <= 3; field++)
        assert_int_equal(values[field - 1].i, field);
    done(&b, &seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WATCHED(a_type_that_contains_itself_is_refused_where_it_is_used),
        WATCHED(a_type_whose_nesting_multiplies_is_refused_at_once),
        WATCHED(structs_nest_a_few_levels_deep_and_not_without_end),
        WATCHED(a_metadata_tree_that_is_too_deep_is_invalid),
        WATCHED(metadata_that_announces_more_than_it_has_is_invalid),
        WATCHED(arrays_that_announce_2_to_the_62_elements_damage_their_event_alone),
        WATCHED(an_array_of_elements_without_bytes_takes_no_time),
        WATCHED(a_pool_that_announces_too_much_is_damage_and_what_came_before_counts),
        WATCHED(a_checkpoint_that_announces_too_many_pools_is_damage),
        WATCHED(a_checkpoint_cut_in_its_head_is_damage),
        WATCHED(a_checkpoint_of_a_type_without_metadata_is_damage_and_the_chunk_goes_on),
        WATCHED(an_entry_cut_by_the_end_of_its_checkpoint_is_no_entry),
        WATCHED(pools_of_a_type_without_end_cost_little_each),
        WATCHED(events_of_a_type_without_end_cost_little_each),
        WATCHED(checkpoints_are_checkpoints_whatever_the_metadata_calls_them),
        WATCHED(frames_of_a_type_that_is_a_pool_too_are_read_as_frames),
        WATCHED(of_fields_with_one_name_the_first_counts),
        WATCHED(all_fields_of_an_event_are_decoded_also_those_of_one_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
