/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --prometheus: totals of the log's figures, in a file that is replaced after each cycle, for the textfile collector of
 * the node exporter. It has Prometheus' text format 0.0.4: "# HELP", "# TYPE", name{label="value"} number; \ and " in a
 * label's value are escaped with \ (prometheus.io/docs/instrumenting/exposition_formats). The collector reads only
 * files whose names end in .prom, so it never sees the temporary file; it would not accept the same series in two
 * files.
 *
 * The power of a JVM in a cycle is that of section 3 of joular-attribution(7): the machine's power times P / max(B, P),
 * with P the CPU time of the process and B the busy time of the machine. */
#include "record.h"

#include "joular/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

struct metered_process {
    int64_t pid, cpu_ns, cycle_cpu_ns;
    double energy_j, power_w; /* power_w: of the last cycle, NaN for none */
    bool is_jvm, seen;        /* seen: in the current cycle */
    char name[64];
};

struct metrics {
    char *folder;
    const char *name, *source;
    const struct user *user;
    bool has_power, failed; /* the power source is open; a write failed, and the user was told */
    int64_t busy_ns;
    double energy_j, power_w;
    VEC(struct metered_process)
    processes; /* ended ones, too, so that their last energy is not lost between two scrapes */
};

struct metrics *metrics_new(const char *path, const char *source, bool has_power, const struct user *user)
{
    struct metrics *m = mem_zero(1, sizeof *m);
    const char *ending = strrchr(path, '.');
    m->name = path_name(path);
    m->folder = path_folder(path);
    m->source = source;
    m->user = user;
    m->has_power = has_power;
    m->power_w = NAN;
    if (ending == NULL || strcmp(ending, ".prom") != 0)
        say(SAY_NOTE, "%s: the node exporter reads files whose names end in .prom only", path);
    metrics_write(m);
    return m;
}

void metrics_free(struct metrics *m)
{
    if (m == NULL)
        return;
    free(m->folder);
    vec_free(&m->processes);
    free(m);
}

void metrics_process(struct metrics *m, const struct proc_process *process)
{
    size_t i = 0;
    while (i < m->processes.n && m->processes.v[i].pid != process->pid)
        i++;
    if (i == m->processes.n)
        vec_push(&m->processes, ((struct metered_process){.pid = process->pid, .power_w = NAN}));
    struct metered_process *p = &m->processes.v[i];
    p->cycle_cpu_ns += process->cpu_ns;
    p->is_jvm |= process->is_jvm;
    p->seen = true;
    memcpy(p->name, process->name, sizeof p->name);
}

static double share_of(int64_t cpu_ns, int64_t busy_ns)
{
    return cpu_ns > 0 ? (double)cpu_ns / (double)(busy_ns > cpu_ns ? busy_ns : cpu_ns) : 0;
}

void metrics_cycle(struct metrics *m, int64_t interval_ns, int64_t busy_ns, double power_w)
{
    double seconds = (double)interval_ns / 1e9;
    m->busy_ns += busy_ns;
    m->power_w = power_w;
    m->energy_j += isnan(power_w) ? 0 : power_w * seconds;
    for (size_t i = 0; i < m->processes.n; i++) {
        struct metered_process *p = &m->processes.v[i];
        p->power_w = p->seen ? power_w * share_of(p->cycle_cpu_ns, busy_ns) : (double)NAN;
        p->energy_j += isnan(p->power_w) ? 0 : p->power_w * seconds;
        p->cpu_ns += p->cycle_cpu_ns;
        p->cycle_cpu_ns = 0;
        p->seen = false;
    }
    metrics_write(m);
}

void metrics_pause(struct metrics *m)
{
    m->power_w = NAN;
    for (size_t i = 0; i < m->processes.n; i++)
        m->processes.v[i].power_w = NAN;
    metrics_write(m);
}

/* ---- The file ---- */

enum value {
    ENERGY,
    POWER,
    CPU
};

static const struct family {
    const char *name, *type, *help;
    enum value value;
    bool of_jvms;
} families[] = {
    {"joular_machine_energy_joules_total", "counter", "Energy of the CPUs of the machine since the recording began.",
     ENERGY, false},
    {"joular_machine_power_watts", "gauge", "Power of the CPUs of the machine in the last cycle.", POWER, false},
    {"joular_machine_cpu_seconds_total", "counter", "Busy CPU time of the machine since the recording began.", CPU,
     false},
    {"joular_jvm_energy_joules_total", "counter",
     "Energy of a JVM since the recording began: that of the machine by CPU time.", ENERGY, true},
    {"joular_jvm_power_watts", "gauge", "Power of a JVM in the last cycle: that of the machine by CPU time.", POWER,
     true},
    {"joular_jvm_cpu_seconds_total", "counter", "CPU time of a JVM since the recording began.", CPU, true},
};

static void put_escaped(FILE *out, const char *text)
{
    char printable[4 * sizeof((struct metered_process){0}).name + 1];
    text_printable(printable, sizeof printable, text, strlen(text));
    for (const char *p = printable; *p != '\0'; p++) {
        if (*p == '\\' || *p == '"')
            fputc('\\', out);
        fputc(*p, out);
    }
}

/* PROCESS is NULL for the machine. *SAID: the family's HELP and TYPE lines are written. */
static void put_sample(const struct metrics *m, const struct family *family, const struct metered_process *process,
                       double value, bool *said, FILE *out)
{
    if (isnan(value) || (family->value == ENERGY && !m->has_power))
        return;
    if (!*said)
        fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", family->name, family->help, family->name, family->type);
    *said = true;
    const char *before = "{";
    fputs(family->name, out);
    if (process != NULL) {
        fprintf(out, "{pid=\"%" PRId64 "\",name=\"", process->pid);
        put_escaped(out, process->name);
        fputc('"', out);
        before = ",";
    }
    if (family->value != CPU)
        fprintf(out, "%ssource=\"%s\"}", before, m->source);
    else if (process != NULL)
        fputc('}', out);
    fprintf(out, " %.6f\n", value);
}

static void put_family(const struct metrics *m, const struct family *family, FILE *out)
{
    bool said = false;
    if (!family->of_jvms) {
        const double values[] = {m->energy_j, m->power_w, (double)m->busy_ns / 1e9};
        put_sample(m, family, NULL, values[family->value], &said, out);
        return;
    }
    for (size_t i = 0; i < m->processes.n; i++) {
        const struct metered_process *p = &m->processes.v[i];
        const double values[] = {p->energy_j, p->power_w, (double)p->cpu_ns / 1e9};
        if (p->is_jvm)
            put_sample(m, family, p, values[family->value], &said, out);
    }
}

static enum status write_file(const struct metrics *m, struct error *err)
{
    struct outfile file;
    struct outdir folder = {open(m->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), m->folder};
    if (folder.fd < 0) {
        error_set(err, STATUS_IO, "cannot be opened: %s", strerror(errno));
        error_in_file(err, m->folder);
        return STATUS_IO;
    }
    enum status status = outfile_begin(&folder, m->name, NULL, &file, err);
    if (status == STATUS_OK) {
        for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
            put_family(m, &families[i], file.stream);
        if (fchmod(file.sink->fd, 0644) != 0) /* regardless of the umask, since the exporter runs as another user */
            status = error_set(err, STATUS_IO, "cannot be made readable: %s", strerror(errno));
        if (status == STATUS_OK)
            status = outfile_finish(&file, err);
        if (status == STATUS_OK)
            status = outfile_commit(&file, err);
        outfile_abandon(&file);
    }
    close(folder.fd);
    return status;
}

void metrics_write(struct metrics *m)
{
    struct error err = {0};
    user_act(m->user);
    enum status status = write_file(m, &err);
    user_act_end(m->user);
    if (status == STATUS_OK || m->failed)
        return;
    m->failed = true;
    say_error(&err);
    say(SAY_ERROR, "the recording goes on; the metrics are tried again after each cycle");
}
