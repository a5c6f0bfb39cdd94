/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stacks-recording: a recording of one second of process 4242, from 1764438000 s since the epoch on, made of the lines
 *
 *   THREAD COUNT BRANCH        OS thread id, number of samples, frames (oldest first, joined with ";")
 *
 * on stdin: so many CPU-time samples of 10 ms, evenly over the second. So examples can be written as text. */
#include "../unit/jfr_build.h"

#include <inttypes.h>
#include <stdio.h>

#define START_NS INT64_C(1764438000000000000)
#define SECOND_NS INT64_C(1000000000)
#define PERIOD_NS 10000000
#define TICKS "jdk.jfr.Timestamp", "TICKS"

enum {
    CPU_TIME_SAMPLE = 200,
    JVM_INFORMATION
};

static const struct build_type event_types[] = {
    {"jdk.CPUTimeSample",
     CPU_TIME_SAMPLE,
     {{"startTime", "long", 0, 0, TICKS},
      {"eventThread", "java.lang.Thread", 1, 0, 0, 0},
      {"stackTrace", "jdk.types.StackTrace", 1, 0, 0, 0},
      {"samplingPeriod", "long", 0, 0, "jdk.jfr.Timespan", "NANOSECONDS"},
      {"failed", "boolean", 0, 0, 0, 0},
      {"biased", "boolean", 0, 0, 0, 0}}},
    {"jdk.JVMInformation",
     JVM_INFORMATION,
     {{"startTime", "long", 0, 0, TICKS},
      {"pid", "long", 0, 0, 0, 0},
      {"jvmName", "java.lang.String", 0, 0, 0, 0},
      {"jvmVersion", "java.lang.String", 0, 0, 0, 0}}},
    {0},
};

struct line {
    int64_t thread;
    int count;
    char branch[1000];
};
struct lines {
    struct line *v;
    size_t n, cap;
};

/* The frame that ends at *END, whose class is up to its last dot; false before the first. */
static bool next_frame(const char *branch, size_t *end, char *class_name, char *method)
{
    if (*end == 0)
        return false;
    size_t at = *end, dot = *end;
    while (at > 0 && branch[at - 1] != ';') {
        at--;
        if (branch[at] == '.' && dot == *end)
            dot = at;
    }
    sprintf(class_name, "%.*s", (int)(dot - at), branch + at);
    sprintf(method, "%.*s", (int)(*end - dot) - (dot < *end), branch + dot + (dot < *end));
    for (char *c = class_name; *c != '\0'; c++)
        *c = (char)(*c == '.' ? '/' : *c);
    *end = at > 0 ? at - 1 : 0;
    return true;
}

/* A method a frame, a class a method: key k + 1 of either, symbols 2k + 1 and 2k + 2. Stack and thread i + 1 are those
 * of line i. */
static void put_pools(struct build *b, const struct lines *lines)
{
    char class_name[1000], method[1000];
    uint64_t frames = 0;
    build_checkpoint(b, 5);
    build_pool(b, T_STACK, lines->n);
    for (size_t i = 0; i < lines->n; i++) {
        const char *branch = lines->v[i].branch;
        int depth = 1;
        for (const char *c = branch; *c != '\0'; c++)
            depth += *c == ';';
        build_long(b, i + 1);
        build_u8(b, 0);
        build_int(b, depth);
        for (int k = 0; k < depth; k++) {
            build_long(b, ++frames);
            build_int(b, 1);
            build_int(b, 0);
            build_long(b, 1);
        }
    }
    build_pool(b, T_METHOD, frames);
    for (uint64_t k = 0; k < frames; k++) {
        build_long(b, k + 1);
        build_long(b, k + 1);
        build_long(b, 2 * k + 2);
        build_long(b, 2 * k + 2);
        build_int(b, 1);
        build_u8(b, 0);
    }
    build_pool(b, T_CLASS, frames);
    for (uint64_t k = 0; k < frames; k++) {
        build_long(b, k + 1);
        build_long(b, 2 * k + 1);
    }
    build_pool(b, T_SYMBOL, 2 * frames);
    uint64_t symbol = 0;
    for (size_t i = 0; i < lines->n; i++)
        for (size_t end = strlen(lines->v[i].branch); next_frame(lines->v[i].branch, &end, class_name, method);) {
            build_long(b, ++symbol);
            build_text(b, 3, class_name);
            build_long(b, ++symbol);
            build_text(b, 3, method);
        }
    build_pool(b, T_THREAD, lines->n);
    for (size_t i = 0; i < lines->n; i++) {
        build_long(b, i + 1);
        build_text(b, 3, "thread");
        build_long(b, (uint64_t)lines->v[i].thread);
        build_text(b, 3, "thread");
        build_long(b, (uint64_t)lines->v[i].thread);
        build_long(b, 0);
        build_u8(b, 0);
    }
    build_end(b);
}

static void put_samples(struct build *b, const struct lines *lines)
{
    for (size_t i = 0; i < lines->n; i++)
        for (int k = 0; k < lines->v[i].count; k++) {
            build_event(b, CPU_TIME_SAMPLE);
            build_long(b, (uint64_t)(b->start_ticks + 1 + SECOND_NS / (lines->v[i].count + 1) * k));
            build_long(b, i + 1);
            build_long(b, i + 1);
            build_long(b, PERIOD_NS);
            build_u8(b, 0);
            build_u8(b, 0);
            build_end(b);
        }
}

int main(void)
{
    struct lines lines = {0};
    struct line line;
    struct build b;
    while (scanf("%" SCNd64 " %d %999s", &line.thread, &line.count, line.branch) == 3)
        vec_push(&lines, line);
    if (lines.n == 0 || !feof(stdin)) {
        fputs("usage: stacks-recording <LINES; a line is: THREAD COUNT BRANCH\n", stderr);
        return 2;
    }
    struct build_type *types = build_join(build_types, event_types);
    build_begin(&b);
    b.start_ns = START_NS;
    b.duration_ns = SECOND_NS;
    build_metadata(&b, types);
    put_pools(&b, &lines);
    build_event(&b, JVM_INFORMATION);
    build_long(&b, (uint64_t)b.start_ticks);
    build_long(&b, 4242);
    build_text(&b, 3, "OpenJDK");
    build_text(&b, 3, "25");
    build_end(&b);
    put_samples(&b, &lines);
    build_finish(&b);
    fwrite(b.out.v, 1, b.out.n, stdout);
    build_free(&b);
    free(types);
    vec_free(&lines);
    return fflush(stdout) != 0;
}
