/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings of a recording (.jfc): the events that joular-analyze reads, and no others. So the events with the
 * environment, the system properties and the processes of the machine are off. The command line is recorded, since it
 * is in jdk.JVMInformation, which has the process id. joular.jfc, beside this file, has the same events, for recordings
 * that joular-record does not start. */
#include "record.h"

#include "joular/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

bool jfc_is_period(const char *throttle)
{
    int64_t ns;
    return strchr(throttle, '/') == NULL && text_to_time_ns(throttle, strlen(throttle), &ns) && ns >= 1000000 &&
           ns <= INT64_C(1000000000);
}

bool jfc_is_rate(const char *throttle)
{
    size_t length = strlen(throttle);
    int64_t count;
    return length > 2 && strcmp(throttle + length - 2, "/s") == 0 && text_to_i64(throttle, length - 2, &count) &&
           count >= 1 && count <= 1000000;
}

struct event {
    const char *name, *setting, *value; /* setting is NULL if the event is only enabled */
};

/* Events besides the samples. */
static const struct event always[] = {
    {"jdk.JVMInformation", "period", "everyChunk"},
    {"jdk.CPUInformation", "period", "everyChunk"},
    {"jdk.ContainerConfiguration", "period", "everyChunk"},
    {"jdk.BooleanFlag", "period", "everyChunk"}, /* says whether DebugNonSafepoints is on */
    {"jdk.ActiveRecording", NULL, NULL},
    {"jdk.ActiveSetting", NULL, NULL},
    {"jdk.ThreadStart", "stackTrace", "false"},
    {"jdk.ThreadEnd", NULL, NULL},
    {"jdk.ThreadCPULoad", "period", "1 s"},
    {"jdk.CPULoad", "period", "1 s"},
    {"jdk.GarbageCollection", "threshold", "0 ms"},
    {"jdk.GCPhasePause", "threshold", "0 ms"},
    {"jdk.GCPhaseConcurrent", "threshold", "0 ms"},
    {"jdk.GCCPUTime", NULL, NULL},
    {"jdk.DataLoss", NULL, NULL},
    {"jdk.Shutdown", NULL, NULL},
};

struct text {
    char *v;
    size_t n, cap;
};

static void PRINTF_LIKE(2, 3) add(struct text *text, const char *format, ...)
{
    va_list args;
    vec_reserve(text, 512);
    va_start(args, format);
    int length = vsnprintf(text->v + text->n, 512, format, args);
    va_end(args);
    text->n += (size_t)length < 512 ? (size_t)length : 511;
}

static void add_event(struct text *text, struct event event)
{
    add(text, "  <event name=\"%s\">\n    <setting name=\"enabled\">true</setting>\n", event.name);
    if (event.setting != NULL)
        add(text, "    <setting name=\"%s\">%s</setting>\n", event.setting, event.value);
    add(text, "  </event>\n");
}

char *jfc_text(enum jfc_samples samples, const char *throttle)
{
    struct text text = {0};
    char period[32];
    int64_t ns = 0;
    add(&text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<configuration version=\"2.0\" label=\"joular-record\" provider=\"joular-record\"\n"
               "    description=\"What joular-analyze reads\">\n");
    if (text_to_time_ns(throttle, strlen(throttle), &ns))
        snprintf(period, sizeof period, "%" PRId64 " ms", ns / 1000000);
    if (samples != JFC_EXECUTION) {
        /* JFR reads "10ms" and "500/s" here, but not if there is a blank in them. */
        add_event(&text, (struct event){"jdk.CPUTimeSample", "throttle", throttle});
        add_event(&text, (struct event){"jdk.CPUTimeSamplesLost", NULL, NULL});
    }
    if (samples != JFC_CPU_TIME) {
        add_event(&text, (struct event){"jdk.ExecutionSample", "period", period});
        add_event(&text, (struct event){"jdk.NativeMethodSample", "period", period});
    }
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++)
        add_event(&text, always[i]);
    add(&text, "</configuration>\n");
    return text.v;
}
