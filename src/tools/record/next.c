/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last line of the report: the next command. */
#include "record.h"

#include "joular/file.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The newest recording in FOLDER of a JVM, hotspot-pid-PID-id-1-2026_11_29_20_31_12.jfr. PID is the id in its own pid
 * namespace. */
static char *recording_of(const char *folder, int64_t pid)
{
    char prefix[64], *found = NULL;
    struct dirent *entry;
    DIR *dir = opendir(folder);
    int length = snprintf(prefix, sizeof prefix, "hotspot-pid-%" PRId64 "-", pid);
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        if (strncmp(entry->d_name, prefix, (size_t)length) != 0 || (found != NULL && strcmp(entry->d_name, found) < 0))
            continue;
        free(found);
        found = mem_strdup(entry->d_name);
    }
    if (dir != NULL)
        closedir(dir);
    if (found == NULL)
        return NULL;
    char *path = path_in(folder, found);
    free(found);
    return path;
}

static int by_cpu_time(const void *a, const void *b)
{
    const struct tally *x = a, *y = b;
    return (x->cpu_ns < y->cpu_ns) - (x->cpu_ns > y->cpu_ns);
}

/* The recording of the JVM that used most CPU time, among those that left one; all of these are listed. */
static char *main_recording(const struct jfr_plan *plan, const struct outcome *outcome)
{
    struct tally *sorted = mem_alloc(outcome->tallies.n * sizeof *sorted);
    char *path = NULL;
    size_t jvms = 0;
    for (size_t i = 0; i < outcome->tallies.n; i++)
        sorted[i] = outcome->tallies.v[i];
    if (outcome->tallies.n > 0)
        qsort(sorted, outcome->tallies.n, sizeof *sorted, by_cpu_time);
    for (size_t i = 0; i < outcome->tallies.n; i++) {
        const struct tally *t = &sorted[i];
        if (!t->is_jvm)
            continue;
        char *found = recording_of(plan->recording, t->ns_pid != 0 ? t->ns_pid : t->pid);
        if (found != NULL)
            say_plain("JVM: process %" PRId64 ", %.3f s of CPU time: %s", t->pid, (double)t->cpu_ns / 1e9, found);
        jvms += found != NULL;
        if (path == NULL)
            path = found;
        else
            free(found);
    }
    if (jvms > 1)
        say_plain("  the first of these %zu JVMs used most; analyze each with the same log", jvms);
    free(sorted);
    return path;
}

/* True if there is a recording of this run. A recording of an earlier run is recognised by its unchanged file. */
static bool has_recorded(const struct jfr_plan *plan)
{
    struct stat now;
    const struct stat *before = &plan->before;
    return access(plan->recording, R_OK) == 0 && stat(plan->recording, &now) == 0 &&
           (now.st_ino != before->st_ino || now.st_size != before->st_size ||
            now.st_mtim.tv_sec != before->st_mtim.tv_sec || now.st_mtim.tv_nsec != before->st_mtim.tv_nsec);
}

/* RECORDING is quoted for a shell. A log without power is left out of the command, and the power is estimated. */
static void say_next(const char *recording, const char *more, const struct outcome *outcome,
                     const struct measurement *m)
{
    char *log = shell_quoted(m->log);
    if (isnan(outcome->energy_j))
        say_plain("NEXT: joular-analyze --idle-watts W --max-watts W %s%s # no power was logged; W: of the CPUs when "
                  "idle, and when all are busy",
                  recording, more);
    else
        say_plain("NEXT: joular-analyze %s %s%s", recording, log, more);
    free(log);
}

void jfr_next_command(const struct jfr_plan *plan, const struct outcome *outcome, const struct measurement *m)
{
    char *recording = NULL;
    if (m->pid != 0 && !plan->active)
        say_next("RECORDING.jfr",
                 plan->left_alone ? " (with a recording of this run)" : " (--jfr makes the recording too)", outcome, m);
    if (plan->active && plan->folder)
        recording = main_recording(plan, outcome);
    else if (plan->active && has_recorded(plan))
        recording = mem_strdup(plan->recording);
    if (recording != NULL) {
        char *quoted = shell_quoted(recording);
        say_next(quoted, "", outcome, m);
        free(quoted);
    } else if (plan->active) {
        say(SAY_NOTE, "there is no recording of this run in %s: the JVM was killed, or wrote none", plan->recording);
    }
    free(recording);
}
