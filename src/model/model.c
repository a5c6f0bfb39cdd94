/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the steps of the model in the order of joular-attribution(7). */
#include "attribute.h"
#include "cells.h"
#include "cpusource.h"
#include "grouping.h"
#include "pauses.h"
#include "share.h"
#include "threadload.h"

#include "joular/clock.h"
#include "joular/debug.h"
#include "joular/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static enum status choose_sampler(struct model *m)
{
    const struct observed *o = m->observed;
    uint64_t cpu_time = o->kind_counts[SAMPLE_CPU_TIME];
    uint64_t execution = o->kind_counts[SAMPLE_EXECUTION] + o->kind_counts[SAMPLE_NATIVE];
    if (cpu_time + execution == 0)
        return error_set(m->err, STATUS_MISSING,
                         "the recording has no samples (jdk.CPUTimeSample, jdk.ExecutionSample): record with "
                         "settings=profile, or joular-record --jfr");
    switch (m->options->samples) {
    case SAMPLES_AUTO:
        m->result->sampler = cpu_time != 0 ? SAMPLER_CPU_TIME : SAMPLER_EXECUTION;
        break;
    case SAMPLES_CPU_TIME:
        if (cpu_time == 0)
            return error_set(
                m->err, STATUS_MISSING,
                "the recording has no jdk.CPUTimeSample (JDK 25 or newer, on Linux, and enabled): leave out "
                "--samples cpu-time");
        m->result->sampler = SAMPLER_CPU_TIME;
        break;
    case SAMPLES_EXECUTION:
        if (execution == 0)
            return error_set(m->err, STATUS_MISSING,
                             "the recording has no jdk.ExecutionSample: leave out --samples execution");
        m->result->sampler = SAMPLER_EXECUTION;
        break;
    }
    return STATUS_OK;
}

static void format_utc(int64_t wall_ns, char *buffer, size_t size)
{
    time_t seconds = (time_t)(wall_ns / 1000000000);
    struct tm tm;
    if (gmtime_r(&seconds, &tm) == NULL || strftime(buffer, size, "%Y-%m-%d %H:%M:%S UTC", &tm) == 0)
        snprintf(buffer, size, "%" PRId64 " ns", wall_ns);
}

static enum status check_overlap(struct model *m)
{
    const struct observed *o = m->observed;
    const struct power_cycle *first = &m->log->cycles.v[0], *last = &m->log->cycles.v[m->log->cycles.n - 1];
    if (first->start_ns < o->end_ns && last->end_ns > o->start_ns)
        return STATUS_OK;
    bool before = last->end_ns <= o->start_ns;
    double distance_s = (double)(before ? o->start_ns - last->end_ns : first->start_ns - o->end_ns) / 1e9;
    char log_from[64], log_to[64], from[64], to[64];
    format_utc(first->realtime_ns - (first->end_ns - first->start_ns), log_from, sizeof log_from);
    format_utc(last->realtime_ns, log_to, sizeof log_to);
    format_utc(o->start_wall_ns, from, sizeof from);
    format_utc(o->end_wall_ns, to, sizeof to);
    return error_set(
        m->err, STATUS_INVALID,
        "the power log (%s to %s) and the recording (%s to %s) do not overlap: the log %s %.1f s %s. Are they "
        "of the same run?",
        log_from, log_to, from, to, before ? "ends" : "begins", distance_s,
        before ? "before the recording begins" : "after the recording ends");
}

static enum status check_input(struct model *m)
{
    if (m->log->cycles.n == 0)
        return error_set(m->err, STATUS_MISSING, "the power log has no cycle%s%s%s: there is no power to attribute",
                         m->log->reason != NULL ? " (" : "", m->log->reason != NULL ? m->log->reason : "",
                         m->log->reason != NULL ? ")" : "");
    if (m->options->baseline_from_log && isnan(m->log->baseline_w))
        return error_set(m->err, STATUS_MISSING,
                         "--baseline log: the power log has no baseline_w; give the watts themselves");
    enum status status = choose_sampler(m);
    return status != STATUS_OK ? status : check_overlap(m);
}

static void take_facts(struct model *m)
{
    const struct observed *o = m->observed;
    struct result *r = m->result;
    int64_t cpus = m->log->cpus > 0 ? m->log->cpus : o->hw_threads;
    m->cpus = cpus > 0 ? (double)cpus : 0;
    r->cpus = cpus;
    r->recording_start_ns = o->start_wall_ns;
    r->recording_end_ns = o->end_wall_ns;
    r->chunk_count = o->chunk_count;
    r->jvm_name = o->jvm_name != NULL ? mem_strdup(o->jvm_name) : NULL;
    r->cpu_model = o->cpu_model != NULL ? mem_strdup(o->cpu_model) : NULL;
    r->power_source = m->log->source != NULL ? mem_strdup(m->log->source) : NULL;
    r->estimated = r->power_source != NULL && strcmp(r->power_source, "estimate") == 0;
    r->process_power_only = m->log->is_process_power;
    r->idle_is_shared = !m->options->share_of_capacity;
    if (m->log->cpus > 0 && o->hw_threads > 0 && m->log->cpus != o->hw_threads)
        notice(m->notices,
               "the power log is of a machine with %" PRId64 " cpus, the recording of one with %" PRId64
               ": are they of the same machine?",
               m->log->cpus, o->hw_threads);
}

static void judge_quality(struct model *m)
{
    const struct observed *o = m->observed;
    struct result_quality *q = &m->result->quality;
    const char *period = o->settings[uses_cpu_time(m) ? SETTING_CPU_TIME : SETTING_EXECUTION];
    const char *load = o->settings[SETTING_THREAD_LOAD];
    q->period_seen_ns = result_period_seen(m->result);
    q->period_set = period != NULL ? mem_strdup(period) : NULL;
    if (period != NULL && !text_to_time_ns(period, strlen(period), &q->period_set_ns))
        q->period_set_ns = 0;
    if (load != NULL && !text_to_time_ns(load, strlen(load), &q->load_period_ns))
        q->load_period_ns = 0;
    q->debug_non_safepoints = o->debug_non_safepoints;
    q->has_cpu_time_samples = o->kind_counts[SAMPLE_CPU_TIME] != 0;
    q->has_thread_records = m->result->cpu_source == CPU_THREAD_RECORDS;
    q->jvm_version = o->jvm_version;
}

static void warn_of_weights(struct model *m)
{
    if (m->result->cpu_source == CPU_WEIGHTS)
        notice(m->notices,
               "CPU time of threads is known from sample weights alone, which is a lower bound (coverage %.1f %%): JFR "
               "samples only some threads a tick. Record with joular-record, or with jdk.ThreadCPULoad",
               100 * m->result->coverage);
}

static void count_statuses(struct model *m)
{
    struct result *r = m->result;
    uint32_t *places = mem_zero(m->observed->names.texts.n, sizeof *places); /* by name: position in the list, + 1 */
    for (size_t i = 0; i < r->cycles.n; i++) {
        uint32_t *place = &places[r->cycles.v[i].status];
        if (!isnan(r->cycles.v[i].power_w))
            continue;
        if (*place == 0) {
            vec_push(&r->without_power, ((struct result_status){r->cycles.v[i].status, 0}));
            *place = (uint32_t)r->without_power.n;
        }
        r->without_power.v[*place - 1].cycles++;
    }
    free(places);
}

/* Moves names and branches from what was observed to the result. */
static void hand_over(struct model *m)
{
    struct observed *o = m->observed;
    struct result *r = m->result;
    r->names = o->names;
    o->names = (struct intern){0};
    r->branches = o->branches;
    o->branches = (struct branch_set){0};
}

static int64_t floor_ms(int64_t ns)
{
    return ns / 1000000 - (ns % 1000000 < 0);
}

static int64_t bound_ms(const struct model *m, const struct time_bound *bound)
{
    switch (bound->kind) {
    case BOUND_NONE:
        break;
    case BOUND_WALL:
        return floor_ms(bound->ns);
    case BOUND_AFTER_START:
        return floor_ms(time_sum(m->observed->start_wall_ns, bound->ns));
    case BOUND_BEFORE_END:
        return floor_ms(time_difference(m->observed->end_wall_ns, bound->ns));
    }
    return bound == &m->options->from ? INT64_MIN : INT64_MAX;
}

/* Chooses the cycles to report. All cycles are computed all the same, so --from and --to do not change the rows of one.
 */
static enum status choose_cycles(struct model *m)
{
    int64_t from = bound_ms(m, &m->options->from), to = bound_ms(m, &m->options->to);
    size_t count = 0;
    m->chosen = mem_zero(m->log->cycles.n, sizeof *m->chosen);
    for (size_t i = 0; i < m->log->cycles.n; i++) {
        int64_t end = floor_ms(m->log->cycles.v[i].realtime_ns);
        m->chosen[i] = end >= from && end <= to;
        count += m->chosen[i];
    }
    if (count != 0)
        return STATUS_OK;
    char first[64], last[64];
    format_utc(m->log->cycles.v[0].realtime_ns, first, sizeof first);
    format_utc(m->log->cycles.v[m->log->cycles.n - 1].realtime_ns, last, sizeof last);
    return error_set(m->err, STATUS_MISSING,
                     "no cycle of the power log ends between --from and --to: its cycles end from %s to %s", first,
                     last);
}

static void model_free(struct model *m)
{
    vec_free(&m->groups);
    free(m->group_of_thread);
    vec_free(&m->tids);
    map64_free(&m->tid_index);
    free(m->group_of_record);
    free(m->started_record);
    free(m->shares);
    free(m->chosen);
    free(m->cycle_samples);
    vec_free(&m->contributions);
    free(m->gc_ns);
}

bool model_needs_samples(const struct observed *observed, const struct power_log *log,
                         const struct model_options *options)
{
    struct error ignored = {0}; /* model_run will report it */
    struct result result = {0};
    struct model m = {.observed = (struct observed *)(uintptr_t)observed,
                      .log = log,
                      .options = options,
                      .result = &result,
                      .err = &ignored};
    if (observed->thread_loads.n == 0 || choose_sampler(&m) != STATUS_OK || uses_cpu_time(&m) ||
        model_find_process(&m) != STATUS_OK)
        return false;
    for (size_t i = 0; i < log->threads.n; i++)
        if (log->threads.v[i].pid == m.host_pid)
            return false;
    return true;
}

enum status model_run(struct observed *observed, const struct power_log *log, const struct model_options *options,
                      struct result *result, struct notices *notices, struct error *err)
{
    struct model m = {
        .observed = observed, .log = log, .options = options, .result = result, .notices = notices, .err = err};
    *result = (struct result){0};
    enum status status = check_input(&m);
    if (status == STATUS_OK) {
        take_facts(&m);
        status = choose_cycles(&m);
    }
    if (status == STATUS_OK)
        status = model_find_process(&m);
    if (status == STATUS_OK) {
        result->pid = m.pid;
        status = model_share(&m);
    }
    if (status == STATUS_OK) {
        model_group_threads(&m);
        model_choose_cpu_source(&m);
        size_t cells = model_settle_cells(&m);
        debug_say(DEBUG_ENERGY, 1, "share source %d, CPU time source %d, %zu threads in %zu groups, %zu cells",
                  (int)result->share_source, (int)result->cpu_source, observed->threads.n, m.groups.n, cells);
        model_contributions(&m);
        model_attribute(&m);
        model_pauses(&m);
        count_statuses(&m);
        result_add_up(result);
        judge_quality(&m);
        warn_of_weights(&m);
        hand_over(&m);
        result_methods(result, NULL, NULL, &result->methods);
    }
    model_free(&m);
    if (status != STATUS_OK)
        result_free(result);
    return status;
}
