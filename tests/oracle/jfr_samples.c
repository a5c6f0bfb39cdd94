/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints what src/jfr sees in a recording, in the format that JfrSamples.java documents, so that the two can be
 * compared line by line. */
#include "joular/file.h"
#include "joular/jfr.h"

#include <inttypes.h>

enum shape {
    DONE,
    THREAD,
    STACK,
    STATE,
    LONG,
    BOOL,
    FLOAT,
    STRING,
    NAME_OF_GC,
    CAUSE_OF_GC,
    ORIGIN
};

enum {
    EXECUTION,
    NATIVE,
    CPU_TIME,
    LOST,
    THREAD_LOAD,
    LOAD,
    THREAD_START,
    THREAD_END,
    GC_CPU,
    SETTING,
    FLAG,
    JVM,
    CPU,
    CONTAINER,
    PAUSE,
    COLLECTION,
    TYPES
};

static const struct jfr_event_spec specs[TYPES] = {
    [EXECUTION] = {"jdk.ExecutionSample", {"startTime", "sampledThread", "state", "stackTrace"}},
    [NATIVE] = {"jdk.NativeMethodSample", {"startTime", "sampledThread", "state", "stackTrace"}},
    [CPU_TIME] = {"jdk.CPUTimeSample",
                  {"startTime", "eventThread", "samplingPeriod", "failed", "biased", "stackTrace"}},
    [LOST] = {"jdk.CPUTimeSamplesLost", {"startTime", "eventThread", "lostSamples"}},
    [THREAD_LOAD] = {"jdk.ThreadCPULoad", {"startTime", "eventThread", "user", "system"}},
    [LOAD] = {"jdk.CPULoad", {"startTime", "jvmUser", "jvmSystem", "machineTotal"}},
    [THREAD_START] = {"jdk.ThreadStart", {"startTime", "thread"}},
    [THREAD_END] = {"jdk.ThreadEnd", {"startTime", "thread"}},
    [GC_CPU] = {"jdk.GCCPUTime", {"startTime", "gcId", "userTime", "systemTime", "realTime"}},
    [SETTING] = {"jdk.ActiveSetting", {"startTime", "id", "name", "value"}},
    [FLAG] = {"jdk.BooleanFlag", {"startTime", "name", "value", "origin"}},
    [JVM] = {"jdk.JVMInformation", {"startTime", "pid"}},
    [CPU] = {"jdk.CPUInformation", {"startTime", "hwThreads"}},
    [CONTAINER] = {"jdk.ContainerConfiguration", {"startTime", "effectiveCpuCount"}},
    [PAUSE] = {"jdk.GCPhasePause", {"startTime", "duration", "gcId", "name"}},
    [COLLECTION] = {"jdk.GarbageCollection",
                    {"startTime", "duration", "gcId", "name", "cause", "sumOfPauses", "longestPause"}},
};

static const enum shape shapes[TYPES][JFR_MAX_FIELDS] = {
    [EXECUTION] = {THREAD, STATE, STACK},
    [NATIVE] = {THREAD, STATE, STACK},
    [CPU_TIME] = {THREAD, LONG, BOOL, BOOL, STACK},
    [LOST] = {THREAD, LONG},
    [THREAD_LOAD] = {THREAD, FLOAT, FLOAT},
    [LOAD] = {FLOAT, FLOAT, FLOAT},
    [THREAD_START] = {THREAD},
    [THREAD_END] = {THREAD},
    [GC_CPU] = {LONG, LONG, LONG, LONG},
    [SETTING] = {LONG, STRING, STRING},
    [FLAG] = {STRING, BOOL, ORIGIN},
    [JVM] = {LONG},
    [CPU] = {LONG},
    [CONTAINER] = {LONG},
    [PAUSE] = {LONG, LONG, STRING},
    [COLLECTION] = {LONG, LONG, NAME_OF_GC, CAUSE_OF_GC, LONG, LONG},
};

struct event {
    unsigned spec;
    struct jfr_value values[JFR_MAX_FIELDS];
};
struct events {
    VEC(struct event) list;
};

static void keep(void *user, unsigned spec, const struct jfr_value *values, uint64_t at)
{
    struct events *events = user;
    struct event event = {.spec = spec};
    (void)at;
    for (size_t i = 0; i < JFR_MAX_FIELDS && specs[spec].fields[i] != NULL; i++)
        event.values[i] = values[i];
    vec_push(&events->list, event);
}

static void put(struct jfr_text text)
{
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '\t' || text.p[i] == '\n' || text.p[i] == '\\')
            printf("\\%c", text.p[i] == '\t' ? 't' : text.p[i] == '\n' ? 'n' : '\\');
        else
            putchar(text.p[i]);
    }
}

static void put_thread(struct jfr_reader *reader, const struct jfr_value *value)
{
    struct jfr_thread t;
    if (value->kind != JFR_REF || !jfr_thread(reader, value->ref, &t)) {
        putchar('-');
        return;
    }
    printf("%" PRIu64 "|%" PRId64 "|", value->ref, t.os_id);
    put(t.os_name);
    putchar('|');
    put(t.java_name);
    printf("|%" PRId64 "|", t.java_id);
    put(t.group);
    printf("|%s", t.is_virtual ? "true" : "false");
}

static void put_stack(struct jfr_reader *reader, const struct jfr_value *value)
{
    struct jfr_stack stack;
    if (value->kind != JFR_REF || !jfr_stack(reader, value->ref, &stack)) {
        fputs("-\t-\t-", stdout);
        return;
    }
    printf("%s\t%zu\t", stack.truncated ? "true" : "false", stack.count);
    for (size_t i = 0; i < stack.count; i++) {
        struct jfr_method method;
        const struct jfr_frame *frame = &stack.frames[i];
        if (i > 0)
            fputs(" < ", stdout);
        if (!jfr_method(reader, frame->method, &method)) {
            putchar('-');
        } else {
            if (method.class_name.p == NULL)
                putchar('-');
            for (size_t c = 0; c < method.class_name.n; c++)
                put((struct jfr_text){method.class_name.p[c] == '/' ? "." : method.class_name.p + c, 1});
            putchar('.');
            put(method.name);
        }
        printf(":%d:%d:", frame->line, frame->bytecode_index);
        put(jfr_named(reader, JFR_FRAME_TYPE, frame->type));
        if (method.hidden)
            fputs(":hidden", stdout);
    }
}

static void put_value(struct jfr_reader *reader, enum shape shape, const struct jfr_value *value)
{
    float number;
    int32_t bits;
    if (value->kind == JFR_ABSENT && shape != STACK) {
        putchar('-');
        return;
    }
    switch (shape) {
    case THREAD:
        put_thread(reader, value);
        break;
    case STACK:
        put_stack(reader, value);
        break;
    case STATE:
        put(value->kind == JFR_REF ? jfr_named(reader, JFR_THREAD_STATE, value->ref) : jfr_text(reader, value));
        break;
    case STRING:
        put(jfr_text(reader, value));
        break;
    case NAME_OF_GC:
        put(jfr_named(reader, JFR_GC_NAME, value->ref));
        break;
    case CAUSE_OF_GC:
        put(jfr_named(reader, JFR_GC_CAUSE, value->ref));
        break;
    case ORIGIN:
        put(jfr_named(reader, JFR_FLAG_ORIGIN, value->ref));
        break;
    case LONG:
        printf("%" PRId64, value->i);
        break;
    case BOOL:
        fputs(value->i != 0 ? "true" : "false", stdout);
        break;
    case FLOAT:
        number = (float)value->d;
        memcpy(&bits, &number, sizeof bits);
        printf("%d", bits);
        break;
    case DONE:
        break;
    }
}

int main(int argc, char **argv)
{
    struct error err = {0};
    struct file_bytes file;
    struct jfr_chunk_list chunks = {0};
    struct jfr_damage damage = {0};
    struct events events = {0};
    char words[2048];
    if (argc != 2) {
        fputs("usage: jfr-samples FILE\n", stderr);
        return 2;
    }
    struct jfr_reader *reader = jfr_reader_new(specs, TYPES);
    jfr_decode_whole_frames(reader);
    enum status status = file_read(argv[1], &file, &err);
    if (status == STATUS_OK)
        status = file_unpack(&file, &err);
    if (status == STATUS_OK)
        status = jfr_list_chunks(file.bytes, file.length, &chunks, &damage, &err);
    for (size_t c = 0; c < chunks.n && status == STATUS_OK; c++) {
        events.list.n = 0;
        status = jfr_read_chunk(reader, file.bytes, &chunks.v[c], keep, &events, &damage, &err);
        for (size_t e = 0; e < events.list.n && status == STATUS_OK; e++) {
            const struct event *event = &events.list.v[e];
            const enum shape *shape = shapes[event->spec];
            printf("%s\t%" PRId64 "%s", specs[event->spec].type, event->values[0].i, *shape == THREAD ? "" : "\t-");
            for (size_t i = 0; shape[i] != DONE; i++) {
                putchar('\t');
                put_value(reader, shape[i], &event->values[i + 1]);
            }
            putchar('\n');
        }
    }
    if (status != STATUS_OK || damage.first.status != STATUS_OK)
        fprintf(stderr, "jfr-samples: %s\n",
                error_words(status != STATUS_OK ? &err : &damage.first, words, sizeof words));
    jfr_reader_free(reader);
    vec_free(&events.list);
    vec_free(&chunks);
    file_release(&file);
    return status != STATUS_OK || ferror(stdout) != 0;
}
