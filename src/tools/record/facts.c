/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Line 2 of the log: the facts of a run as JSON. */
#include "record.h"

#include "joular/clock.h"
#include "joular/jsonout.h"

#include <math.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

static void first_line(const char *proc, const char *name, char *line, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", proc, name);
    FILE *file = fopen(path, "re");
    line[0] = '\0';
    if (file == NULL)
        return;
    if (fgets(line, (int)size, file) == NULL)
        line[0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    fclose(file);
}

/* The CPU's name, the number of CPUs, and the number of sockets: of different values of "physical id". */
static void cpu_facts(const char *proc, struct jsonout *out)
{
    char path[4096], line[1024], model[256] = "";
    bool seen[256] = {false};
    int64_t sockets = 0;
    snprintf(path, sizeof path, "%s/cpuinfo", proc);
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *value = strchr(line, ':');
        unsigned id;
        line[strcspn(line, "\n")] = '\0';
        if (value == NULL)
            continue;
        if (model[0] == '\0' && strncmp(line, "model name", 10) == 0 && value[1] != '\0')
            snprintf(model, sizeof model, "%.255s", value + 2);
        if (sscanf(line, "physical id : %u", &id) == 1 && id < 256 && !seen[id]) {
            seen[id] = true;
            sockets++;
        }
    }
    if (file != NULL)
        fclose(file);
    if (model[0] != '\0')
        json_string(out, "cpu_model", model);
    json_integer(out, "cpus", proc_cpus(proc));
    if (sockets > 0)
        json_integer(out, "sockets", sockets);
}

static void source_facts(const struct measurement *m, struct jsonout *out)
{
    const struct source_options *o = &m->options->source;
    char detail[4096] = "";
    size_t count = 0;
    const struct source_domain *domains =
        m->state != NULL && m->source->domains != NULL ? m->source->domains(m->state, &count) : NULL;
    json_string(out, "source", m->source->name);
    if (m->source == &source_estimate)
        snprintf(detail, sizeof detail, "estimated: %g W idle, %g W at full load", o->idle_w, o->max_w);
    else
        snprintf(detail, sizeof detail, "%s",
                 m->source == &source_rapl         ? o->powercap
                 : m->source == &source_ringbuffer ? o->ringbuffer
                 : o->vm_file != NULL              ? o->vm_file
                                                   : "");
    json_string(out, "source_detail", detail);
    if (m->source == &source_estimate)
        json_bool(out, "estimated", true);
    json_open(out, "sources_tried", '[');
    json_string(out, NULL, m->source->name);
    json_close(out, ']');
    if (m->reason != NULL)
        json_string(out, "reason", m->reason);
    if (domains == NULL)
        return;
    json_open(out, "domains", '[');
    for (size_t i = 0; i < count; i++) {
        json_open(out, NULL, '{');
        json_string(out, "name", domains[i].name);
        json_string(out, "path", domains[i].path);
        json_integer(out, "max_energy_range_uj",
                     domains[i].range_uj <= INT64_MAX ? (int64_t)domains[i].range_uj : INT64_MAX);
        json_bool(out, "counted", domains[i].counted);
        json_close(out, '}');
    }
    json_close(out, ']');
}

char *facts_of(const struct measurement *m, bool ticks)
{
    struct jsonout out = {0};
    struct utsname name;
    char host[256] = "", boot_id[128];
    json_open(&out, NULL, '{');
    json_string(&out, "tool", PROGRAM " " PACKAGE_VERSION);
    if (gethostname(host, sizeof host - 1) == 0)
        json_string(&out, "host", host);
    if (uname(&name) == 0)
        json_string(&out, "kernel", name.release);
    cpu_facts(m->options->proc, &out);
    first_line(m->options->proc, "sys/kernel/random/boot_id", boot_id, sizeof boot_id);
    if (boot_id[0] != '\0')
        json_string(&out, "boot_id", boot_id);
    source_facts(m, &out);
    json_integer(&out, "interval_ns", m->options->source.interval_ns);
    if (ticks)
        json_string(&out, "thread_clock", "ticks");
    if (m->command != NULL)
        json_string(&out, "command", m->command);
    if (m->pid != 0)
        json_integer(&out, "pid", m->pid);
    json_integer(&out, "start_realtime_ns", clock_ns(CLOCK_REALTIME));
    json_integer(&out, "start_monotonic_ns", clock_ns(CLOCK_MONOTONIC));
    if (!isnan(m->baseline_w)) {
        json_number(&out, "baseline_w", m->baseline_w);
        json_number(&out, "baseline_s", m->options->baseline_s);
    }
    if (m->run > 0) {
        json_integer(&out, "run", m->run);
        json_integer(&out, "runs", m->options->runs);
    }
    json_close(&out, '}');
    return out.v;
}
