/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hints for better data in the next recording. */
#include "joular/report.h"

#include <math.h>
#include <stdarg.h>

#define SLOW_LOAD_NS 5000000000 /* between ThreadCPULoad events: where in this time CPU time was used is a guess */
#define FAR_ABOVE 2.5           /* times the period that was set */
#define MANY_TRUNCATED 0.01     /* of the used samples; MANY_LOST: of all samples that JFR tried to take */
#define MANY_LOST 0.05
#define LOW_COVERAGE 0.8

struct hints {
    struct report_hint *v;
    size_t n;
};

static void hint(struct hints *hints, const char *format, ...) PRINTF_LIKE(2, 3);

static void hint(struct hints *hints, const char *format, ...)
{
    va_list args;
    if (hints->n == REPORT_MAX_HINTS)
        return;
    va_start(args, format);
    vsnprintf(hints->v[hints->n].text, sizeof hints->v[hints->n].text, format, args);
    va_end(args);
    hints->n++;
}

size_t report_hints(const struct result *r, struct report_hint v[REPORT_MAX_HINTS])
{
    struct hints hints = {v, 0};
    const struct result_quality *q = &r->quality;
    const struct result_samples *s = &r->samples;
    double used = (double)s->used, taken = used + (double)s->failed + (double)s->lost;
    bool execution = r->sampler == SAMPLER_EXECUTION;
    if (r->without_power.n != 0 && !(r->power_s > 0))
        hint(&hints,
             "No cycle of the power log has power, so there are no joules. joular-record --doctor says what can "
             "be measured on that machine. For now, without the log: --idle-watts W --max-watts W, and the "
             "power is estimated from load.");
    if (r->estimated)
        hint(&hints,
             "The power is estimated from load. Where the machine has a meter (RAPL, PowerJoular, a VM's power file), "
             "joular-record logs it.");
    if (!q->debug_non_safepoints)
        hint(&hints, "Leaf methods can be badly wrong: JFR put samples on the nearest debug point. Run java with "
                     "-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints.");
    if (execution && !q->has_cpu_time_samples && q->jvm_version >= 25)
        hint(&hints,
             "JDK %d can sample by CPU time, which sees every busy thread: enable jdk.CPUTimeSample "
             "(jdk.CPUTimeSample#enabled=true, throttle=10ms).",
             q->jvm_version);
    if (!q->has_thread_records && r->cpu_source == CPU_SEVERAL)
        hint(&hints, "Not every run has the CPU time of its threads in its power log: joular-record logs it.");
    else if (!q->has_thread_records)
        hint(&hints, "CPU time of threads was taken from %s, since no power log has it: joular-record logs it.",
             r->cpu_source == CPU_TIME_SAMPLES  ? "the samples"
             : r->cpu_source == CPU_THREAD_LOAD ? "jdk.ThreadCPULoad"
                                                : "the samples, as a lower bound");
    if (r->cpu_source != CPU_THREAD_RECORDS &&
        q->load_period_ns >= SLOW_LOAD_NS) /* perhaps too slow for there to be any */
        hint(&hints, "jdk.ThreadCPULoad comes every %.0f s only: set jdk.ThreadCPULoad#period=1s.",
             (double)q->load_period_ns / 1e9);
    if ((double)s->truncated > MANY_TRUNCATED * used)
        hint(&hints,
             "%.0f %% of the stacks are cut, and their oldest frames unknown: run java with "
             "-XX:FlightRecorderOptions=stackdepth=1024.",
             fmax(1, 100 * (double)s->truncated / used));
    if (q->period_set_ns > 0 && q->period_seen_ns > FAR_ABOVE * (double)q->period_set_ns)
        hint(&hints, "Samples are far apart: one in %.0f ms of CPU time, where %.*f ms were asked for%s.",
             q->period_seen_ns / 1e6, q->period_set_ns % 1000000 != 0 ? 2 : 0, (double)q->period_set_ns / 1e6,
             execution ? ". ExecutionSample looks at a few threads a tick; with many busy ones, measure longer" : "");
    if (!execution && (double)s->lost > MANY_LOST * taken)
        hint(&hints,
             "%.0f %% of the samples were lost, mostly of allocating threads: a longer period (throttle) loses fewer.",
             100 * (double)s->lost / taken);
    if (s->outside > s->used)
        hint(&hints,
             "Most samples lie outside the power log: run the program under joular-record from its start to its end.");
    if (r->process_j > 0 && r->unattributed_j > (1 - LOW_COVERAGE) * r->process_j)
        hint(&hints,
             "%.0f %% of the energy is of threads without a sample in the cycle: sample more often, or measure longer.",
             100 * r->unattributed_j / r->process_j);
    return hints.n;
}
