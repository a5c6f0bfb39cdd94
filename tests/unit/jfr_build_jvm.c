/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "jfr_build.h"

#define TICKS "jdk.jfr.Timestamp", "TICKS"

#define PRIMITIVES                                                                                                  \
    {"boolean", 4, {{0}}}, {"byte", 5, {{0}}}, {"char", 6, {{0}}}, {"short", 7, {{0}}}, {"int", 8, {{0}}},          \
        {"float", 9, {{0}}}, {"long", T_LONG, {{0}}}, {"double", 11, {{0}}}, {"java.lang.String", T_STRING, {{0}}}, \
        {"jdk.jfr.Timestamp", 30, {{"value", "java.lang.String", 0, 0, 0, 0}}},                                     \
    {                                                                                                               \
        "jdk.jfr.Timespan", 31,                                                                                     \
        {                                                                                                           \
            {                                                                                                       \
                "value", "java.lang.String", 0, 0, 0, 0                                                             \
            }                                                                                                       \
        }                                                                                                           \
    }

const struct build_type build_primitives[] = {PRIMITIVES, {0}};

const struct build_type build_types[] = {
    PRIMITIVES,
    {"java.lang.Class", T_CLASS, {{"name", "jdk.types.Symbol", 1, 0, 0, 0}}},
    {"jdk.types.Symbol", T_SYMBOL, {{"string", "java.lang.String", 0, 0, 0, 0}}},
    {"jdk.types.Method",
     T_METHOD,
     {{"type", "java.lang.Class", 1, 0, 0, 0},
      {"name", "jdk.types.Symbol", 1, 0, 0, 0},
      {"descriptor", "jdk.types.Symbol", 1, 0, 0, 0},
      {"modifiers", "int", 0, 0, 0, 0},
      {"hidden", "boolean", 0, 0, 0, 0}}},
    {"jdk.types.StackTrace",
     T_STACK,
     {{"truncated", "boolean", 0, 0, 0, 0}, {"frames", "jdk.types.StackFrame", 0, 1, 0, 0}}},
    {"jdk.types.StackFrame",
     T_FRAME,
     {{"method", "jdk.types.Method", 1, 0, 0, 0},
      {"lineNumber", "int", 0, 0, 0, 0},
      {"bytecodeIndex", "int", 0, 0, 0, 0},
      {"type", "jdk.types.FrameType", 1, 0, 0, 0}}},
    {"java.lang.Thread",
     T_THREAD,
     {{"osName", "java.lang.String", 0, 0, 0, 0},
      {"osThreadId", "long", 0, 0, 0, 0},
      {"javaName", "java.lang.String", 0, 0, 0, 0},
      {"javaThreadId", "long", 0, 0, 0, 0},
      {"group", "jdk.types.ThreadGroup", 1, 0, 0, 0},
      {"virtual", "boolean", 0, 0, 0, 0}}},
    {"jdk.types.ThreadGroup",
     T_GROUP,
     {{"parent", "jdk.types.ThreadGroup", 1, 0, 0, 0}, {"name", "java.lang.String", 0, 0, 0, 0}}},
    {"jdk.types.ThreadState", T_STATE, {{"name", "java.lang.String", 0, 0, 0, 0}}},
    {"jdk.types.FrameType", T_FRAME_TYPE, {{"description", "java.lang.String", 0, 0, 0, 0}}},
    {"test.Sample",
     T_SAMPLE,
     {{"startTime", "long", 0, 0, TICKS},
      {"thread", "java.lang.Thread", 1, 0, 0, 0},
      {"stack", "jdk.types.StackTrace", 1, 0, 0, 0},
      {"number", "int", 0, 0, 0, 0}}},
    {"test.Text", T_TEXT, {{"startTime", "long", 0, 0, TICKS}, {"text", "java.lang.String", 0, 0, 0, 0}}},
    {"test.Other", T_OTHER, {{"startTime", "long", 0, 0, TICKS}}},
    {0},
};

struct build_type *build_join(const struct build_type *first, const struct build_type *second)
{
    size_t n = build_type_count(first), more = build_type_count(second);
    struct build_type *all = mem_zero(n + more + 1, sizeof *all);
    memcpy(all, first, n * sizeof *all);
    memcpy(all + n, second, more * sizeof *all);
    return all;
}

void build_small_pools(struct build *b)
{
    build_checkpoint(b, 6);
    build_pool(b, T_STACK, 1);
    build_long(b, 1);
    build_u8(b, 0);
    build_int(b, 1);
    build_long(b, 1);
    build_int(b, 42);
    build_int(b, 7);
    build_long(b, 1);
    build_pool(b, T_METHOD, 1);
    for (int i = 0; i < 4; i++) /* its key, class, name and descriptor */
        build_long(b, 1 + (i > 1));
    build_int(b, 1);
    build_u8(b, 0);
    build_pool(b, T_CLASS, 1);
    build_long(b, 1);
    build_long(b, 1);
    build_pool(b, T_SYMBOL, 2);
    build_long(b, 1);
    build_text(b, 3, "a/B");
    build_long(b, 2);
    build_text(b, 3, "run");
    build_pool(b, T_THREAD, 1);
    build_long(b, 1);
    build_text(b, 3, "main");
    build_long(b, 4711);
    build_text(b, 3, "main");
    build_long(b, 1);
    build_long(b, 1);
    build_u8(b, 0);
    build_pool(b, T_GROUP, 1);
    build_long(b, 1);
    build_long(b, 0);
    build_text(b, 3, "workers");
    build_end(b);
}

void build_small(struct build *b)
{
    build_begin(b);
    build_metadata(b, build_types);
    build_small_pools(b);
    build_event(b, T_SAMPLE);
    build_long(b, 1100);
    build_long(b, 1);
    build_long(b, 1);
    build_int(b, -5);
    build_end(b);
    build_finish(b);
}
