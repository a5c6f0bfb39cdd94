/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../unit/jfr_build.h"
#include "fuzz.h"

#define TICKS "jdk.jfr.Timestamp", "TICKS"
#define SPAN "jdk.jfr.Timespan", "NANOSECONDS"
#define TIME                             \
    {                                    \
        "startTime", "long", 0, 0, TICKS \
    }
#define THREAD                                        \
    {                                                 \
        "eventThread", "java.lang.Thread", 1, 0, 0, 0 \
    }
#define STACK                                            \
    {                                                    \
        "stackTrace", "jdk.types.StackTrace", 1, 0, 0, 0 \
    }
#define VALUE(name, type)      \
    {                          \
        name, type, 0, 0, 0, 0 \
    }

enum {
    T_GC_NAME = 40,
    T_GC_CAUSE,
    T_CPU_TIME,
    T_EXECUTION,
    T_NATIVE,
    T_LOST,
    T_THREAD_LOAD,
    T_START,
    T_END,
    T_LOAD,
    T_GC_TIME,
    T_SETTING,
    T_FLAG,
    T_JVM,
    T_CPU,
    T_PAUSE,
    T_COLLECTION,
    T_CONTAINER,
    T_INNER,
    T_ARRAYS
};

static const struct build_type jdk_types[] = {
    {"jdk.types.GCName", T_GC_NAME, {VALUE("name", "java.lang.String")}},
    {"jdk.types.GCCause", T_GC_CAUSE, {VALUE("cause", "java.lang.String")}},
    {"jdk.CPUTimeSample",
     T_CPU_TIME,
     {TIME,
      THREAD,
      STACK,
      {"samplingPeriod", "long", 0, 0, SPAN},
      VALUE("failed", "boolean"),
      VALUE("biased", "boolean")}},
    {"jdk.ExecutionSample",
     T_EXECUTION,
     {TIME, {"sampledThread", "java.lang.Thread", 1, 0, 0, 0}, STACK, {"state", "jdk.types.ThreadState", 1, 0, 0, 0}}},
    {"jdk.NativeMethodSample",
     T_NATIVE,
     {TIME, {"sampledThread", "java.lang.Thread", 1, 0, 0, 0}, STACK, {"state", "jdk.types.ThreadState", 1, 0, 0, 0}}},
    {"jdk.CPUTimeSamplesLost", T_LOST, {TIME, VALUE("lostSamples", "int"), THREAD}},
    {"jdk.ThreadCPULoad", T_THREAD_LOAD, {TIME, THREAD, VALUE("user", "float"), VALUE("system", "float")}},
    {"jdk.ThreadStart", T_START, {TIME, THREAD, STACK, {"thread", "java.lang.Thread", 1, 0, 0, 0}}},
    {"jdk.ThreadEnd", T_END, {TIME, THREAD, {"thread", "java.lang.Thread", 1, 0, 0, 0}}},
    {"jdk.CPULoad",
     T_LOAD,
     {TIME, VALUE("jvmUser", "float"), VALUE("jvmSystem", "float"), VALUE("machineTotal", "float")}},
    {"jdk.GCCPUTime",
     T_GC_TIME,
     {TIME, VALUE("gcId", "int"), {"userTime", "long", 0, 0, SPAN}, {"systemTime", "long", 0, 0, SPAN}}},
    {"jdk.ActiveSetting",
     T_SETTING,
     {TIME, VALUE("id", "long"), VALUE("name", "java.lang.String"), VALUE("value", "java.lang.String")}},
    {"jdk.BooleanFlag", T_FLAG, {TIME, VALUE("name", "java.lang.String"), VALUE("value", "boolean")}},
    {"jdk.JVMInformation",
     T_JVM,
     {TIME, VALUE("jvmName", "java.lang.String"), VALUE("jvmVersion", "java.lang.String"), VALUE("pid", "long")}},
    {"jdk.CPUInformation", T_CPU, {TIME, VALUE("description", "java.lang.String"), VALUE("hwThreads", "int")}},
    {"jdk.GCPhasePause",
     T_PAUSE,
     {TIME,
      {"duration", "long", 0, 0, "jdk.jfr.Timespan", "TICKS"},
      THREAD,
      VALUE("gcId", "int"),
      VALUE("name", "java.lang.String")}},
    {"jdk.GarbageCollection",
     T_COLLECTION,
     {TIME,
      VALUE("gcId", "int"),
      {"name", "jdk.types.GCName", 1, 0, 0, 0},
      {"cause", "jdk.types.GCCause", 1, 0, 0, 0}}},
    {"jdk.ContainerConfiguration", T_CONTAINER, {TIME, VALUE("effectiveCpuCount", "long")}},
    {"test.Inner", T_INNER, {VALUE("x", "double"), VALUE("y", "byte"), VALUE("z", "char"), VALUE("t", "short")}},
    {"test.Arrays",
     T_ARRAYS,
     {TIME,
      {"numbers", "long", 0, 1, 0, 0},
      {"texts", "java.lang.String", 0, 1, 0, 0},
      {"inner", "test.Inner", 0, 1, 0, 0},
      {"threads", "java.lang.Thread", 1, 1, 0, 0},
      VALUE("one", "test.Inner"),
      {"ms", "long", 0, 0, "jdk.jfr.Timestamp", "MILLISECONDS_SINCE_EPOCH"},
      {"s", "long", 0, 0, "jdk.jfr.Timespan", "SECONDS"}}},
    {0},
};

static void put_threads(struct build *b)
{
    static const char *const names[] = {"main", "worker, \"2\"", "GC Thread#0", ""};
    char long_name[300];
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    build_checkpoint(b, 2);
    build_pool(b, T_THREAD, 4);
    for (unsigned i = 0; i < 4; i++) {
        build_long(b, i + 1);
        build_text(b, 5, i == 3 ? long_name : "os");
        build_long(b, 4711 + i);
        build_text(b, 3, names[i]);
        build_long(b, i + 1);
        build_long(b, i % 3);
        build_u8(b, i == 1);
    }
    build_pool(b, T_GROUP, 2);
    for (unsigned i = 1; i <= 2; i++) {
        build_long(b, i);
        build_long(b, i - 1);
        build_text(b, 3, i == 1 ? "VirtualThreads" : "CarrierThreads");
    }
    build_end(b);
}

/* Stack i has the frames 1 ... i; method i is of class i; symbols are of all the ways in which a text can stand. */
static void put_code(struct build *b)
{
    static const uint16_t units[] = {'r', 'u', 'n', 0xd83d, 0xde00, 0xd800};
    build_checkpoint(b, 8);
    build_pool(b, T_STACK, 3);
    for (unsigned i = 1; i <= 3; i++) {
        build_long(b, i);
        build_u8(b, i == 3);
        build_int(b, i);
        for (unsigned frame = 1; frame <= i; frame++) {
            build_long(b, frame);
            build_int(b, frame == 2 ? -1 : 10 + (int)frame);
            build_int(b, 3);
            build_long(b, 1);
        }
    }
    build_pool(b, T_METHOD, 3);
    for (unsigned i = 1; i <= 3; i++) {
        build_long(b, i);
        build_long(b, i);
        build_long(b, 4);
        build_long(b, 5);
        build_int(b, 1);
        build_u8(b, i == 2);
    }
    build_pool(b, T_CLASS, 3);
    for (unsigned i = 1; i <= 3; i++) {
        build_long(b, i);
        build_long(b, i);
    }
    build_pool(b, T_SYMBOL, 5);
    for (unsigned i = 1; i <= 5; i++) {
        build_long(b, i);
        if (i == 2)
            build_text(b, 5, "com/example/\xe4$$Lambda/0x0000000081084d60");
        else if (i == 3)
            build_text_key(b, 1);
        else if (i == 4)
            build_utf16(b, units, sizeof units / sizeof units[0]);
        else
            build_text(b, 3, i == 1 ? "java/lang/\xffThread" : "()V");
    }
    build_pool(b, T_STRING, 1);
    build_long(b, 1);
    build_text(b, 3, "jdk/internal/Pooled");
    build_pool(b, T_STATE, 2);
    for (unsigned i = 1; i <= 2; i++) {
        build_long(b, i);
        build_text(b, 3, i == 1 ? "STATE_RUNNABLE" : "STATE_SLEEPING");
    }
    build_pool(b, T_GC_NAME, 1);
    build_long(b, 1);
    build_text(b, 3, "G1New");
    build_pool(b, T_GC_CAUSE, 1);
    build_long(b, 1);
    build_text(b, 3, "System.gc()");
    build_end(b);
}

static void begin(struct build *b, uint64_t type, unsigned at_ms)
{
    build_event(b, type);
    build_long(b, 100 + at_ms);
}

static void put_facts(struct build *b)
{
    static const struct {
        uint64_t of;
        const char *name, *value;
    } settings[] = {{T_CPU_TIME, "throttle", "10 ms"},
                    {T_EXECUTION, "period", "20 ms"},
                    {T_THREAD_LOAD, "period", "1 s"}};
    begin(b, T_JVM, 0);
    build_text(b, 3, "OpenJDK 64-Bit Server VM");
    build_text(b, 3, "OpenJDK 64-Bit Server VM (25.0.5+9)");
    build_long(b, 7);
    build_end(b);
    begin(b, T_CPU, 0);
    build_text(b, 3, "Brand: Some CPU, Vendor: X\nFamily");
    build_int(b, 4);
    build_end(b);
    begin(b, T_CONTAINER, 0);
    build_long(b, 2);
    build_end(b);
    begin(b, T_FLAG, 0);
    build_text(b, 3, "DebugNonSafepoints");
    build_u8(b, 1);
    build_end(b);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        begin(b, T_SETTING, (unsigned)i);
        build_long(b, settings[i].of);
        build_text(b, 3, settings[i].name);
        build_text(b, 3, settings[i].value);
        build_end(b);
    }
}

static void put_samples(struct build *b, bool execution)
{
    for (unsigned i = 0; i < 12; i++) {
        begin(b, execution ? i % 4 == 3 ? T_NATIVE : T_EXECUTION : T_CPU_TIME, 100 + i * 300);
        build_long(b, i % 5);
        build_long(b, i % 4);
        if (execution) {
            build_long(b, 1 + i / 6);
        } else {
            build_long(b, 10000000);
            build_u8(b, i == 5);
            build_u8(b, i == 6);
        }
        build_end(b);
    }
    begin(b, T_LOST, 1500);
    build_int(b, 3);
    build_long(b, 1);
    build_end(b);
}

static void put_load(struct build *b)
{
    for (unsigned i = 0; i < 4; i++) {
        begin(b, T_LOAD, i * 1000);
        build_float(b, 0.5F);
        build_float(b, 0.1F);
        build_float(b, 0.75F);
        build_end(b);
        begin(b, T_THREAD_LOAD, i * 1000);
        build_long(b, 1 + i % 2);
        build_float(b, 0.25F);
        build_float(b, 0);
        build_end(b);
    }
    begin(b, T_START, 200);
    build_long(b, 1);
    build_long(b, 1);
    build_long(b, 2);
    build_end(b);
    begin(b, T_END, 2900);
    build_long(b, 2);
    build_long(b, 2);
    build_end(b);
}

static void put_gc(struct build *b)
{
    begin(b, T_COLLECTION, 900);
    build_int(b, 1);
    build_long(b, 1);
    build_long(b, 1);
    build_end(b);
    begin(b, T_PAUSE, 910);
    build_long(b, 40);
    build_long(b, 3);
    build_int(b, 1);
    build_text(b, 3, "GC Pause");
    build_end(b);
    begin(b, T_GC_TIME, 960);
    build_int(b, 1);
    build_long(b, 50000000);
    build_long(b, 1000000);
    build_end(b);
}

static void put_inner(struct build *b)
{
    build_double(b, 1.5);
    build_u8(b, 200);
    build_short(b, 'z');
    build_short(b, -2);
}

static void put_arrays(struct build *b)
{
    begin(b, T_ARRAYS, 1000);
    build_int(b, 2);
    build_long(b, 300);
    build_long(b, UINT64_MAX);
    build_int(b, 2);
    build_text(b, 3, "text");
    build_u8(b, 0);
    build_int(b, 2);
    put_inner(b);
    put_inner(b);
    build_int(b, 2);
    build_long(b, 1);
    build_long(b, 9);
    put_inner(b);
    build_long(b, 1764438000000);
    build_long(b, 5);
    build_end(b);
}

void fuzz_recording(struct build *b, unsigned kind)
{
    struct build_type *types = build_join(build_types, jdk_types);
    build_begin(b);
    b->plain = (kind & RECORDING_PLAIN) != 0;
    b->ticks_per_second = 1000;
    b->start_ns = FUZZ_START_NS;
    b->duration_ns = 4000000000;
    for (unsigned chunk = 0; chunk < (kind & RECORDING_TWO ? 2 : 1); chunk++) {
        if (chunk != 0) {
            build_next_chunk(b);
            b->start_ns += 1000000000;
            b->start_ticks += 1000;
        }
        if (chunk == 0)
            build_metadata(b, types);
        put_facts(b);
        put_threads(b);
        put_samples(b, (kind & RECORDING_EXECUTION) != 0);
        put_load(b);
        put_gc(b);
        put_arrays(b);
        put_code(b);
        if (chunk != 0)
            build_metadata(b, types);
        if (chunk + 1 == (kind & RECORDING_TWO ? 2 : 1) && (kind & RECORDING_OPEN)) {
            b->state = 255;
            b->size = 0;
        }
        build_finish(b);
    }
    free(types);
}
