/* SPDX-License-Identifier: GPL-3.0-or-later */
/* many-methods N: a recording of N CPU-time samples in 10 s, each of another method that com.example.Main.run calls, on
 * stdout. Its log is what many-methods prints with a second word: of process 7, whose only thread takes all of its CPU
 * time. One method in 100 has an odd name: commas, quotes, newlines, ";", blanks, not ASCII; the last one's has 64 KiB.
 */
#include "../unit/jfr_build.h"

#include <stdio.h>

#define START_NS INT64_C(1764438000000000000)
#define TICKS "jdk.jfr.Timestamp", "TICKS"

static const struct build_type sample_type[] = {
    {"jdk.CPUTimeSample",
     200,
     {{"startTime", "long", 0, 0, TICKS},
      {"eventThread", "java.lang.Thread", 1, 0, 0, 0},
      {"stackTrace", "jdk.types.StackTrace", 1, 0, 0, 0},
      {"samplingPeriod", "long", 0, 0, "jdk.jfr.Timespan", "NANOSECONDS"},
      {"failed", "boolean", 0, 0, 0, 0},
      {"biased", "boolean", 0, 0, 0, 0}}},
    {0},
};

static const char *const odd[] = {"with, comma",
                                  "say \"x\"",
                                  "new\nline",
                                  "semi;colon",
                                  "two  blanks ",
                                  "\xc3\xa4\xe2\x82\xac\xf0\x9f\x94\x8b",
                                  "<script>alert(1)</script>",
                                  "\\back\\",
                                  "tab\t\x01"};
#define ODD (long)(sizeof odd / sizeof odd[0])

/* Stack i + 1 is method i + 2 in method 1; the name of method i + 2 is symbol i + 4, behind the class and two others.
 */
static void put_pools(struct build *b, long n)
{
    static char longest[65536 + 1];
    char name[100];
    memset(longest, 'x', sizeof longest - 1);
    build_checkpoint(b, 5);
    build_pool(b, T_STACK, (uint64_t)n);
    for (long i = 0; i < n; i++) {
        build_long(b, (uint64_t)i + 1);
        build_u8(b, 0);
        build_int(b, 2);
        for (int frame = 0; frame < 2; frame++) { /* the newest first */
            build_long(b, frame == 0 ? (uint64_t)i + 2 : 1);
            build_int(b, 1 + i % 900);
            build_int(b, 7);
            build_long(b, 1);
        }
    }
    build_pool(b, T_METHOD, (uint64_t)n + 1);
    for (long i = 0; i < n + 1; i++) {
        build_long(b, (uint64_t)i + 1);
        build_long(b, 1);
        build_long(b, i == 0 ? 2 : (uint64_t)i + 3);
        build_long(b, 3);
        build_int(b, 1);
        build_u8(b, 0);
    }
    build_pool(b, T_CLASS, 1);
    build_long(b, 1);
    build_long(b, 1);
    build_pool(b, T_SYMBOL, (uint64_t)n + 3);
    static const char *const first[] = {"com/example/Main", "run", "()V"};
    for (int i = 0; i < 3; i++) {
        build_long(b, (uint64_t)i + 1);
        build_text(b, 3, first[i]);
    }
    for (long i = 0; i < n; i++) {
        snprintf(name, sizeof name, "%s%ld", i % 100 == 0 ? odd[i / 100 % ODD] : "m", i);
        build_long(b, (uint64_t)i + 4);
        build_text(b, 3, i == n - 1 ? longest : name);
    }
    build_pool(b, T_THREAD, 1);
    build_long(b, 1);
    build_text(b, 3, "main");
    build_long(b, 8);
    build_text(b, 3, "main");
    build_long(b, 1);
    build_long(b, 0);
    build_u8(b, 0);
    build_end(b);
}

static void put_recording(long n)
{
    struct build b;
    struct build_type *types = build_join(build_types, sample_type);
    build_begin(&b);
    b.start_ns = START_NS;
    b.duration_ns = INT64_C(10000000000);
    build_metadata(&b, types);
    put_pools(&b, n);
    for (long i = 0; i < n; i++) {
        build_event(&b, 200);
        build_long(&b, (uint64_t)(b.start_ticks + 1 + b.duration_ns / n * i));
        build_long(&b, 1);
        build_long(&b, (uint64_t)i + 1);
        build_long(&b, 100000 + (uint64_t)(i % 7) * 1000);
        build_u8(&b, 0);
        build_u8(&b, 0);
        build_end(&b);
    }
    build_finish(&b);
    fwrite(b.out.v, 1, b.out.n, stdout);
    build_free(&b);
    free(types);
}

static void put_log(void)
{
    puts("#joular-power-log 1\n#{\"source\":\"made\",\"cpus\":2}");
    for (int i = 1; i <= 10; i++)
        printf("process,7,900000000,java\nthread,7,8,900000000,main\ncycle,%lld,%d000000000,1000000000,%d.5,1000000000,"
               "ok\n",
               (long long)(START_NS + i * INT64_C(1000000000)), 100 + i, 20 + i);
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    if (n < 1 || n > 10000000) {
        fputs("usage: many-methods N [log]\n", stderr);
        return 2;
    }
    if (argc > 2)
        put_log();
    else
        put_recording(n);
    return fflush(stdout) != 0;
}
