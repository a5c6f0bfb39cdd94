/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of a run. */
#include "record.h"

#include "joular/file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define BAR 20

static void bar_line(const char *name, double energy_j, double whole_j, unsigned depth, bool counted)
{
    char bar[BAR + 1];
    double share = whole_j > 0 ? energy_j / whole_j : 0;
    int filled = (int)lround(fmin(fmax(share, 0), 1) * BAR);
    for (int i = 0; i < BAR; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[BAR] = '\0';
    say_plain("%*s%s: %.3f J [%s] %5.1f%%%s", (int)(2 + 2 * depth), "", name, energy_j, bar, share * 100,
              counted || depth > 0 ? "" : ", not added");
}

static void report_energy(const struct measurement *m, const struct outcome *outcome)
{
    char baseline[96] = "";
    const char *made = m->source == &source_estimate ? " (estimated)" : "";
    double idle_j = m->baseline_w * outcome->powered_s, counted_j = 0;
    if (!isnan(idle_j))
        snprintf(baseline, sizeof baseline, "; baseline removed %.3f J, %.3f J above it",
                 fmin(idle_j, outcome->energy_j), fmax(outcome->energy_j - idle_j, 0));
    say_plain("ENERGY: %.3f J%s%s", outcome->energy_j, made, baseline);
    for (size_t i = 0; i < outcome->domain_count; i++)
        counted_j += outcome->domains[i].counted ? outcome->domains[i].energy_j : 0;
    for (size_t i = 0; i < outcome->domain_count; i++) {
        const char *name = outcome->domains[i].name;
        bar_line(outcome->domains[i].depth > 0 ? path_name(name) : name, outcome->domains[i].energy_j, counted_j,
                 outcome->domains[i].depth, outcome->domains[i].counted);
    }
    if (outcome->domain_count == 0)
        bar_line(m->source->name, outcome->energy_j, outcome->energy_j, 0, true);
    say_plain("POWER: avg %.3f W, peak %.3f W%s", outcome->energy_j / outcome->powered_s, outcome->peak_w, made);
}

void report_outcome(const struct measurement *m, const struct outcome *outcome)
{
    if (isnan(outcome->energy_j))
        say_plain("ENERGY: none; %s", m->reason != NULL ? m->reason : "no cycle had a power");
    else
        report_energy(m, outcome);
    if (m->pid != 0)
        say_plain("CPU TIME: %.3f s of the program, %.3f s of the machine, in %.3f s%s", (double)outcome->cpu_ns / 1e9,
                  (double)outcome->busy_ns / 1e9, outcome->seconds,
                  outcome->incomplete ? "; the last piece of a process that ended is missing" : "");
    if (outcome->unseen_ns > 50000000)
        say_plain("  and %.2f s of short-lived processes below it, which are in no record",
                  (double)outcome->unseen_ns / 1e9);
    char without[64] = "", lost[64] = "";
    if (outcome->unpowered > 0)
        snprintf(without, sizeof without, ", %" PRIu64 " of them without power", outcome->unpowered);
    if (outcome->lost > 0)
        snprintf(lost, sizeof lost, ", %" PRIu64 " lost", outcome->lost);
    say_plain("LOG: %s, %" PRIu64 " cycle%s%s%s", m->log, outcome->cycles, outcome->cycles == 1 ? "" : "s", without,
              lost);
}
