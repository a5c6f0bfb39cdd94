/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of all runs: the end of the report, and --json. */
#include "session.h"

#include "joular/file.h"
#include "joular/jsonout.h"
#include "joular/stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double above_baseline_j(const struct session *s, const struct run_result *r)
{
    double idle_j = s->baseline_w * r->outcome.powered_s;
    return isnan(idle_j) ? (double)NAN : fmax(r->outcome.energy_j - idle_j, 0);
}

/* The energies of the runs that count: those whose program ended with 0, and that had power. */
static struct stats energies(const struct session *s, bool above)
{
    VEC(double) values = {0};
    for (size_t i = 0; i < s->results.n; i++) {
        const struct run_result *r = &s->results.v[i];
        double energy_j = above ? above_baseline_j(s, r) : r->outcome.energy_j;
        if (r->status == 0 && r->outcome.cycles > 0 && !isnan(energy_j))
            vec_push(&values, energy_j);
    }
    struct stats stats = stats_of(values.v, values.n);
    vec_free(&values);
    return stats;
}

static void confidence_line(const char *of, struct stats s)
{
    if (s.n == 0)
        say_plain("CONFIDENCE: no run%s that counts", of);
    else if (s.n == 1)
        say_plain("CONFIDENCE: 1 run, %.3f J%s, NONE", s.mean, of);
    else
        say_plain("CONFIDENCE: %zu runs, mean %.3f J%s +- %.3f J, CoV %.2f%%, %s", s.n, s.mean, of, s.half_width,
                  s.cov * 100, confidence_word(s.mean, s.half_width));
}

void report_session(const struct session *session)
{
    const char *made = session->source == &source_estimate ? " (estimated)" : "";
    struct stats all = energies(session, false), above = energies(session, true);
    size_t left_out = session->results.n - all.n;
    say_plain("RUNS: %zu%s", session->results.n, made);
    if (left_out > 0)
        say_plain("  %zu of them failed or had no power, and do not count", left_out);
    confidence_line("", all);
    if (!isnan(session->baseline_w))
        confidence_line(" above the baseline", above);
}

static void json_stats(struct jsonout *out, const char *key, struct stats s)
{
    json_open(out, key, '{');
    json_integer(out, "n", (int64_t)s.n);
    json_number(out, "mean_j", s.mean);
    json_number(out, "sd_j", s.sd);
    json_number(out, "half_width_95_j", s.half_width);
    json_number(out, "cov", s.cov);
    json_string(out, "confidence", confidence_word(s.mean, s.half_width));
    json_close(out, '}');
}

static void json_run(struct jsonout *out, const struct session *s, size_t i)
{
    const struct run_result *r = &s->results.v[i];
    const struct outcome *o = &r->outcome;
    json_open(out, NULL, '{');
    json_integer(out, "run", (int64_t)i + 1);
    json_string(out, "log", r->log);
    if (r->recording != NULL)
        json_string(out, "recording", r->recording);
    if (r->status >= 0)
        json_integer(out, "exit_status", r->status);
    json_integer(out, "cycles", (int64_t)o->cycles);
    json_integer(out, "cycles_without_power", (int64_t)o->unpowered);
    json_integer(out, "cycles_lost", (int64_t)o->lost);
    json_number(out, "seconds", o->seconds);
    json_number(out, "seconds_with_power", o->powered_s);
    json_number(out, "energy_j", o->energy_j);
    if (!isnan(s->baseline_w))
        json_number(out, "energy_above_baseline_j", above_baseline_j(s, r));
    json_number(out, "power_avg_w", o->energy_j / o->powered_s);
    json_number(out, "power_peak_w", o->peak_w);
    json_number(out, "cpu_s", (double)o->cpu_ns / 1e9);
    json_number(out, "machine_busy_s", (double)o->busy_ns / 1e9);
    json_open(out, "domains", '[');
    for (size_t d = 0; d < o->domain_count; d++) {
        json_open(out, NULL, '{');
        json_string(out, "name", o->domains[d].name);
        json_number(out, "energy_j", o->domains[d].energy_j);
        json_bool(out, "counted", o->domains[d].counted);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_close(out, '}');
}

static void put_results(const void *session, FILE *stream)
{
    const struct session *s = session;
    struct jsonout out = {.stream = stream};
    json_open(&out, NULL, '{');
    json_string(&out, "tool", PROGRAM " " PACKAGE_VERSION);
    if (s->command != NULL)
        json_string(&out, "command", s->command);
    json_string(&out, "source", s->source->name);
    json_bool(&out, "estimated", s->source == &source_estimate);
    if (s->reason != NULL)
        json_string(&out, "reason", s->reason);
    if (!isnan(s->baseline_w)) {
        json_number(&out, "baseline_w", s->baseline_w);
        json_number(&out, "baseline_s", s->options->baseline_s);
    }
    json_open(&out, "runs", '[');
    for (size_t i = 0; i < s->results.n; i++)
        json_run(&out, s, i);
    json_close(&out, ']');
    json_stats(&out, "energy", energies(s, false));
    if (!isnan(s->baseline_w))
        json_stats(&out, "energy_above_baseline", energies(s, true));
    json_close(&out, '}');
    json_end(json_line(&out));
}

enum status write_json(const struct session *session, struct error *err)
{
    user_act(&session->user);
    enum status status = outfile_write(session->options->json, put_results, session, err);
    user_act_end(&session->user);
    return status;
}
