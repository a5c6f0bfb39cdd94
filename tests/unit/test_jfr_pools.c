/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constant pools: checkpoints, keys, and what stacks, methods, threads and names come to. */
#include "jfr_seen.h"
#include "unit.h"

static void finish_and_read(struct build *b, struct seen *seen)
{
    build_finish(b);
    seen_built(seen, b);
    assert_int_equal(seen->status, STATUS_OK);
}

static void done(struct build *b, struct seen *seen)
{
    seen_free(seen);
    build_free(b);
}

static void add_symbol(struct build *b, uint64_t key, const char *text)
{
    build_long(b, key);
    build_text(b, 3, text);
}

/* A checkpoint with one method (KEY) without a class, named by symbol KEY. */
static void add_method(struct build *b, uint64_t key, const char *name)
{
    build_checkpoint(b, 2);
    build_pool(b, T_METHOD, 1);
    build_long(b, key);
    build_long(b, 0);
    build_long(b, key);
    build_long(b, 0);
    build_int(b, 0);
    build_u8(b, 0);
    build_pool(b, T_SYMBOL, 1);
    add_symbol(b, key, name);
    build_end(b);
}

static const char *method_name(struct seen *seen, uint64_t key)
{
    struct jfr_method method;
    return jfr_method(seen->reader, key, &method) ? seen_words(method.name) : "no such method";
}

TEST(a_stack_leads_over_method_class_and_symbol_to_its_names)
{
    struct build b;
    struct seen seen;
    struct jfr_stack stack;
    struct jfr_method method;
    build_small(&b);
    finish_and_read(&b, &seen);
    assert_true(jfr_stack(seen.reader, 1, &stack));
    assert_int_equal(stack.count, 1);
    assert_false(stack.truncated);
    assert_int_equal(stack.frames[0].line, 42);
    assert_int_equal(stack.frames[0].bytecode_index, 7);
    assert_int_equal(stack.frames[0].type, 1);
    assert_true(jfr_method(seen.reader, stack.frames[0].method, &method));
    assert_true(method.has_class);
    assert_false(method.hidden);
    assert_string_equal(seen_words(method.class_name), "a/B");
    assert_string_equal(seen_words(method.name), "run");
    done(&b, &seen);
}

TEST(a_thread_has_its_names_ids_and_group)
{
    struct build b;
    struct seen seen;
    struct jfr_thread thread;
    uint64_t key;
    build_small(&b);
    finish_and_read(&b, &seen);
    assert_true(jfr_thread(seen.reader, 1, &thread));
    assert_string_equal(seen_words(thread.os_name), "main");
    assert_string_equal(seen_words(thread.java_name), "main");
    assert_string_equal(seen_words(thread.group), "workers");
    assert_int_equal(thread.os_id, 4711);
    assert_int_equal(thread.java_id, 1);
    assert_false(thread.is_virtual);
    assert_true(jfr_thread_key(seen.reader, 0, &key));
    assert_int_equal(key, 1);
    assert_false(jfr_thread_key(seen.reader, 1, &key));
    done(&b, &seen);
}

static uint64_t some_number(uint32_t *random)
{
    *random = *random * 1664525 + 1013904223;
    return UINT64_C(0x9e3779b97f4a7c15) * *random >> (*random >> 26); /* of any length */
}

/* Frames by words and frames field by field are the same methods, also where numbers are long or padded. */
TEST(methods_alone_are_those_of_whole_frames)
{
    for (uint32_t round = 0; round < 300; round++) {
        struct build b;
        struct seen seen;
        struct jfr_stack stack;
        uint32_t random = round;
        uint64_t methods[40];
        size_t frames = round % 40;
        build_small(&b);
        build_checkpoint(&b, 1);
        build_pool(&b, T_STACK, 1);
        build_long(&b, 9);
        build_u8(&b, 0);
        build_int(&b, (int64_t)frames);
        for (size_t i = 0; i < frames; i++) {
            methods[i] = i % 3 == 0 ? some_number(&random) : some_number(&random) % 9000;
            build_long(&b, methods[i]);
            build_int(&b, (int64_t)(some_number(&random) % 4000));
            build_int(&b, i % 5 == 0 ? -1 : 7);
            build_long(&b, round % 2 == 0 && i % 7 == 0 ? UINT64_MAX - some_number(&random) : 1);
        }
        build_end(&b);
        finish_and_read(&b, &seen);
        struct jfr_reader *reader = jfr_reader_new(NULL, 0); /* which is not asked for whole frames */
        assert_int_equal(jfr_read_chunk(reader, b.out.v, &seen.chunks.v[0], NULL, NULL, &seen.damage, &seen.err),
                         STATUS_OK);
        struct jfr_reader *readers[] = {seen.reader, reader};
        for (size_t k = 0; k < 2; k++) {
            assert_true(jfr_stack(readers[k], 9, &stack));
            assert_int_equal(stack.count, frames);
            for (size_t i = 0; i < frames; i++) {
                assert_true(stack.frames[i].method == methods[i]);
                assert_int_equal(stack.frames[i].bytecode_index, k == 1 || i % 5 == 0 ? -1 : 7);
            }
        }
        jfr_reader_free(reader);
        done(&b, &seen);
    }
}

TEST(a_virtual_thread_a_hidden_method_and_a_truncated_stack_are_said_so)
{
    struct build b;
    struct seen seen;
    struct jfr_thread thread;
    struct jfr_method method;
    struct jfr_stack stack;
    build_small(&b);
    build_checkpoint(&b, 3);
    build_pool(&b, T_THREAD, 1);
    build_long(&b, 2);
    build_u8(&b, 1);
    build_long(&b, 0);
    build_u8(&b, 0);
    build_long(&b, 30);
    build_long(&b, 99);
    build_u8(&b, 1);
    build_pool(&b, T_METHOD, 1);
    for (int i = 0; i < 4; i++)
        build_long(&b, 2);
    build_int(&b, 0);
    build_u8(&b, 1);
    build_pool(&b, T_STACK, 1);
    build_long(&b, 2);
    build_u8(&b, 1);
    build_int(&b, 0);
    build_end(&b);
    finish_and_read(&b, &seen);
    assert_true(jfr_thread(seen.reader, 2, &thread));
    assert_true(thread.is_virtual);
    assert_string_equal(seen_words(thread.os_name), "");
    assert_string_equal(seen_words(thread.java_name), "(null)");
    assert_string_equal(seen_words(thread.group), "(null)");
    assert_true(jfr_method(seen.reader, 2, &method));
    assert_true(method.hidden);
    assert_false(method.has_class);
    assert_true(jfr_stack(seen.reader, 2, &stack));
    assert_true(stack.truncated);
    assert_int_equal(stack.count, 0);
    done(&b, &seen);
}

TEST(a_key_without_an_entry_gives_nothing)
{
    struct build b;
    struct seen seen;
    struct jfr_stack stack;
    struct jfr_method method;
    struct jfr_thread thread;
    build_small(&b);
    finish_and_read(&b, &seen);
    assert_false(jfr_stack(seen.reader, 77, &stack));
    assert_false(jfr_method(seen.reader, 77, &method));
    assert_false(jfr_thread(seen.reader, 77, &thread));
    assert_null(jfr_named(seen.reader, JFR_THREAD_STATE, 77).p);
    assert_null(jfr_named(seen.reader, JFR_GC_NAME, 1).p);
    done(&b, &seen);
}

TEST(keys_reach_past_32_bits)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    add_method(&b, (UINT64_C(1) << 32) + 1, "far");
    add_method(&b, UINT64_MAX, "farthest");
    finish_and_read(&b, &seen);
    assert_string_equal(method_name(&seen, 1), "run");
    assert_string_equal(method_name(&seen, (UINT64_C(1) << 32) + 1), "far");
    assert_string_equal(method_name(&seen, UINT64_MAX), "farthest");
    done(&b, &seen);
}

TEST(pools_with_a_count_of_0_are_passed)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    build_checkpoint(&b, 3);
    build_pool(&b, T_STACK, 0);
    build_pool(&b, T_STATE, 0);
    build_pool(&b, T_SYMBOL, 1);
    add_symbol(&b, 2000, "x");
    build_end(&b);
    build_checkpoint(&b, 0);
    build_end(&b);
    finish_and_read(&b, &seen);
    assert_int_equal(seen.damage.events + seen.damage.bytes, 0);
    struct jfr_value value = {.kind = JFR_REF, .ref = 2000};
    assert_string_equal(seen_words(jfr_text(seen.reader, &value)), "x");
    done(&b, &seen);
}

TEST(the_first_entry_of_a_key_wins)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    add_method(&b, 50, "first");
    add_method(&b, 50, "second");
    finish_and_read(&b, &seen);
    assert_string_equal(method_name(&seen, 50), "first");
    done(&b, &seen);
}

TEST(a_type_in_many_checkpoints_has_all_their_entries)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    for (uint64_t key = 100; key < 400; key++)
        add_method(&b, key, key == 399 ? "last" : "m");
    finish_and_read(&b, &seen);
    for (uint64_t key = 100; key < 399; key++)
        assert_string_equal(method_name(&seen, key), "m");
    assert_string_equal(method_name(&seen, 399), "last");
    done(&b, &seen);
}

TEST(checkpoints_outside_the_chain_of_deltas_count_too)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    add_method(&b, 50, "unchained");
    b.checkpoint_at = 0;
    finish_and_read(&b, &seen);
    assert_string_equal(method_name(&seen, 50), "unchained");
    done(&b, &seen);
}

TEST(a_pool_behind_the_event_that_points_to_it_counts)
{
    struct build b;
    struct seen seen;
    build_begin(&b);
    build_event(&b, T_SAMPLE);
    for (int i = 0; i < 4; i++)
        build_int(&b, 1);
    build_end(&b);
    build_small_pools(&b);
    build_metadata(&b, build_types);
    finish_and_read(&b, &seen);
    assert_int_equal(seen.events.n, 1);
    assert_string_equal(method_name(&seen, seen.events.v[0].values[2].ref), "run");
    done(&b, &seen);
}

TEST(a_pool_that_nobody_reads_is_stepped_through)
{
    static const struct build_type more[] = {
        {"in.Deep", 301, {{"n", "int", 0, 1, 0, 0}, {"t", "java.lang.String", 0, 0, 0, 0}}},
        {"in.Pool", 300, {{"d", "in.Deep", 0, 1, 0, 0}, {"f", "double", 0, 0, 0, 0}, {"b", "byte", 0, 1, 0, 0}}},
        {0}};
    struct build b;
    struct seen seen;
    struct build_type *all = build_join(build_types, more);
    build_begin(&b);
    build_metadata(&b, all);
    build_checkpoint(&b, 2);
    build_pool(&b, 300, 1);
    build_long(&b, 5);
    build_int(&b, 2);
    for (int i = 0; i < 2; i++) {
        build_int(&b, 2);
        build_int(&b, 1000);
        build_int(&b, -1);
        build_text(&b, 5, "deep");
    }
    build_double(&b, 1.5);
    build_int(&b, 3);
    build_raw(&b, "abc", 3);
    build_pool(&b, T_SYMBOL, 1);
    add_symbol(&b, 9, "behind");
    build_end(&b);
    finish_and_read(&b, &seen);
    assert_int_equal(seen.damage.bytes, 0);
    struct jfr_value value = {.kind = JFR_REF, .ref = 9};
    assert_string_equal(seen_words(jfr_text(seen.reader, &value)), "behind");
    free(all);
    done(&b, &seen);
}

/* Two class loaders may have a class of one name: the first type of a pool's name is the pool's. */
TEST(the_pool_of_a_second_type_of_one_name_is_stepped_through)
{
    static const struct build_type twin[] = {
        {"jdk.types.Symbol", 300, {{"number", "int", 0, 0, 0, 0}, {"string", "java.lang.String", 0, 0, 0, 0}}}, {0}};
    struct build b;
    struct seen seen;
    struct build_type *all = build_join(build_types, twin);
    build_begin(&b);
    build_metadata(&b, all);
    build_checkpoint(&b, 2);
    build_pool(&b, 300, 1);
    build_long(&b, 9);
    build_int(&b, 3); /* as the encoding of a text, which "twin" would follow */
    build_text(&b, 3, "twin");
    build_pool(&b, T_SYMBOL, 1);
    add_symbol(&b, 9, "own");
    build_end(&b);
    finish_and_read(&b, &seen);
    assert_int_equal(seen.damage.bytes, 0);
    struct jfr_value value = {.kind = JFR_REF, .ref = 9};
    assert_string_equal(seen_words(jfr_text(seen.reader, &value)), "own");
    free(all);
    done(&b, &seen);
}

TEST(a_name_may_be_a_text_a_symbol_or_a_pooled_string)
{
    struct build b;
    struct seen seen;
    build_small(&b);
    build_checkpoint(&b, 2);
    build_pool(&b, T_STATE, 2);
    build_long(&b, 4);
    build_text(&b, 3, "STATE_RUNNABLE");
    build_long(&b, 5);
    build_text_key(&b, 8);
    build_pool(&b, T_FRAME_TYPE, 1);
    build_long(&b, 1);
    build_text(&b, 3, "Inlined");
    build_end(&b);
    finish_and_read(&b, &seen);
    assert_string_equal(seen_words(jfr_named(seen.reader, JFR_THREAD_STATE, 4)), "STATE_RUNNABLE");
    assert_string_equal(seen_words(jfr_named(seen.reader, JFR_THREAD_STATE, 5)), "(null)");
    assert_string_equal(seen_words(jfr_named(seen.reader, JFR_FRAME_TYPE, 1)), "Inlined");
    done(&b, &seen);
}

TEST(pool_types_with_fields_added_or_left_out_are_read_by_name)
{
    /* as JDK 11 has it: no virtual; another order; a field of tomorrow in front */
    static const struct build_type older[] = {{"jdk.types.Symbol",
                                               T_SYMBOL,
                                               {{"tomorrow", "double", 0, 0, 0, 0},
                                                {"string", "java.lang.String", 0, 0, 0, 0}}},
                                              {"java.lang.Thread",
                                               T_THREAD,
                                               {{"javaThreadId", "long", 0, 0, 0, 0},
                                                {"tomorrow", "int", 0, 1, 0, 0},
                                                {"osThreadId", "long", 0, 0, 0, 0},
                                                {"javaName", "java.lang.String", 0, 0, 0, 0}}},
                                              {0}};
    struct build b;
    struct seen seen;
    struct jfr_thread thread;
    struct build_type *all = build_join(build_primitives, older);
    build_begin(&b);
    build_metadata(&b, all);
    build_checkpoint(&b, 2);
    build_pool(&b, T_SYMBOL, 1);
    build_long(&b, 9);
    build_double(&b, 0);
    build_text(&b, 3, "symbol");
    build_pool(&b, T_THREAD, 1);
    build_long(&b, 3);
    build_long(&b, 17);
    build_int(&b, 1);
    build_int(&b, 1000);
    build_long(&b, 18);
    build_text(&b, 3, "pool-1");
    build_end(&b);
    finish_and_read(&b, &seen);
    assert_true(jfr_thread(seen.reader, 3, &thread));
    assert_int_equal(thread.java_id, 17);
    assert_int_equal(thread.os_id, 18);
    assert_string_equal(seen_words(thread.java_name), "pool-1");
    assert_string_equal(seen_words(thread.os_name), "(null)");
    assert_false(thread.is_virtual);
    struct jfr_value value = {.kind = JFR_REF, .ref = 9};
    assert_string_equal(seen_words(jfr_text(seen.reader, &value)), "symbol");
    free(all);
    done(&b, &seen);
}

TEST(frames_without_line_or_bytecode_index_say_minus_1)
{
    static const struct build_type bare[] = {
        {"jdk.types.Method", T_METHOD, {{"name", "int", 0, 0, 0, 0}}},
        {"jdk.types.StackFrame", T_FRAME, {{"method", "jdk.types.Method", 1, 0, 0, 0}}},
        {"jdk.types.StackTrace", T_STACK, {{"frames", "jdk.types.StackFrame", 0, 1, 0, 0}}},
        {0}};
    struct build b;
    struct seen seen;
    struct jfr_stack stack;
    struct build_type *all = build_join(build_primitives, bare);
    build_begin(&b);
    build_metadata(&b, all);
    build_checkpoint(&b, 1);
    build_pool(&b, T_STACK, 1);
    build_long(&b, 1);
    build_int(&b, 3);
    for (uint64_t i = 5; i < 8; i++)
        build_long(&b, i);
    build_end(&b);
    finish_and_read(&b, &seen);
    assert_true(jfr_stack(seen.reader, 1, &stack));
    assert_int_equal(stack.count, 3);
    assert_int_equal(stack.frames[0].method, 5);
    assert_int_equal(stack.frames[2].method, 7);
    assert_int_equal(stack.frames[0].line, -1);
    assert_int_equal(stack.frames[0].bytecode_index, -1);
    free(all);
    done(&b, &seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_stack_leads_over_method_class_and_symbol_to_its_names),
        CASE(a_thread_has_its_names_ids_and_group),
        CASE(methods_alone_are_those_of_whole_frames),
        CASE(a_virtual_thread_a_hidden_method_and_a_truncated_stack_are_said_so),
        CASE(a_key_without_an_entry_gives_nothing),
        CASE(keys_reach_past_32_bits),
        CASE(pools_with_a_count_of_0_are_passed),
        CASE(the_first_entry_of_a_key_wins),
        CASE(a_type_in_many_checkpoints_has_all_their_entries),
        CASE(checkpoints_outside_the_chain_of_deltas_count_too),
        CASE(a_pool_behind_the_event_that_points_to_it_counts),
        CASE(a_pool_that_nobody_reads_is_stepped_through),
        CASE(the_pool_of_a_second_type_of_one_name_is_stepped_through),
        CASE(a_name_may_be_a_text_a_symbol_or_a_pooled_string),
        CASE(pool_types_with_fields_added_or_left_out_are_read_by_name),
        CASE(frames_without_line_or_bytecode_index_say_minus_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
