/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --jfr for a JVM that runs already, by the jcmd of its JDK. That file may come from the user who runs the JVM, so root
 * runs it as that user. */
#include "record.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char our_recording[] = "name=" JFR_NAME;

/* Runs jcmd PID MORE... Returns its exit status, or -1. */
static int jcmd(const struct options *options, const struct jfr_plan *plan, const char *const *more, char *output,
                size_t size)
{
    char pid[32];
    char *command[12] = {plan->jcmd, pid};
    size_t n = 2;
    snprintf(pid, sizeof pid, "%" PRId64, options->pid);
    for (size_t i = 0; more[i] != NULL && n < 11; i++)
        command[n++] = (char *)(uintptr_t)more[i];
    command[n] = NULL;
    int status = capture(command, &plan->owner, output, size);
    say(SAY_DETAIL, "%s %s: status %d: %s", pid, more[0], status, output);
    return status;
}

/* Finds the jcmd of the JVM's own JDK, or else the one in PATH, if that is not in a relative entry of PATH. Sets
 * VERSION to that of the JVM's JDK, or 0. */
static void find_jcmd(const struct options *options, struct jfr_plan *plan, int *version)
{
    char exe[PATH_MAX], *home;
    snprintf(exe, sizeof exe, "%s/%" PRId64 "/exe", options->proc, options->pid);
    plan->jcmd = java_beside(exe, "jcmd");
    home = java_beside(exe, "..");
    *version = home != NULL ? java_release(home) : 0;
    free(home);
    if (plan->jcmd != NULL && access(plan->jcmd, X_OK) == 0)
        return;
    free(plan->jcmd);
    if (child_lookup("jcmd", &plan->jcmd) != 0 || plan->jcmd[0] != '/') {
        free(plan->jcmd);
        plan->jcmd = NULL;
    }
}

static int version_by_jcmd(const struct options *options, const struct jfr_plan *plan)
{
    static const char *const ask[] = {"VM.version", NULL};
    char output[4096];
    if (jcmd(options, plan, ask, output, sizeof output) != 0)
        return 0;
    const char *jdk = strstr(output, "\nJDK ");
    return jdk != NULL ? (int)strtol(jdk + 5, NULL, 10) : 0;
}

/* The first line of jcmd's output that says something; the one with the process id ("4242:") is skipped. */
static const char *gist(char *output)
{
    char *line = output;
    while (*line != '\0' && (*line == '\n' || (*line >= '0' && *line <= '9') || *line == ':'))
        line++;
    line[strcspn(line, "\n")] = '\0';
    return line;
}

static enum status start(const struct options *options, struct jfr_plan *plan, struct error *err)
{
    static const char *const depth[] = {"JFR.configure", "stackdepth=1024", NULL};
    char output[8192], file[PATH_MAX + 32], settings[PATH_MAX + 32];
    const char *const begin[] = {"JFR.start", our_recording, file, settings, "dumponexit=true", "maxsize=0", NULL};
    snprintf(file, sizeof file, "filename=\"%s\"", plan->recording);
    snprintf(settings, sizeof settings, "settings=\"%s\"", plan->settings);
    jcmd(options, plan, depth, output, sizeof output); /* a JVM that has recorded before refuses it: no error */
    int status = jcmd(options, plan, begin, output, sizeof output);
    if (status != 0 || strstr(output, "Started recording") == NULL)
        return error_set(err, STATUS_IO, "--jfr: the JVM did not start a recording: %s", gist(output));
    plan->started_by_us = true;
    return STATUS_OK;
}

enum status jfr_attach(const struct options *options, const char *recording, const struct user *user,
                       struct jfr_plan *plan, struct error *err)
{
    static const char *const check[] = {"JFR.check", NULL};
    char output[16384];
    int version;
    *plan = (struct jfr_plan){0};
    if (!proc_ids_are_ours(options->proc))
        return error_set(err, STATUS_UNSUPPORTED,
                         "--jfr -p: %s is of another pid namespace, where no JVM can be asked to record; share the "
                         "namespace, or start the JVM with a recording",
                         options->proc);
    user_of_process(options->proc, options->pid, &plan->owner);
    find_jcmd(options, plan, &version);
    if (plan->jcmd == NULL)
        return error_set(err, STATUS_MISSING,
                         "--jfr -p needs jcmd, which is in a JDK: none is beside the JVM or in PATH");
    if (version == 0)
        version = version_by_jcmd(options, plan);
    if (jfr_check_version(version, options->throttle, err) != STATUS_OK)
        return err->status;
    char *settings = with_ending(recording, ".jfc");
    plan->recording = absolute_path(recording);
    plan->settings = absolute_path(settings);
    plan->cpu_time = version >= JDK_WITH_CPU_TIME;
    free(settings);
    if (jfr_check_name(plan->recording, err) != STATUS_OK)
        return err->status;
    if (jcmd(options, plan, check, output, sizeof output) != 0)
        return error_set(err, STATUS_IO, "--jfr: process %" PRId64 " does not answer jcmd (a JVM of another user?): %s",
                         options->pid, gist(output));
    if (strstr(output, "name=" JFR_NAME) != NULL || strstr(output, "name=\"" JFR_NAME) != NULL) {
        say(SAY_NOTE, "the JVM records for joular-record already; that recording is written at the end, and goes on");
        plan->active = plan->attached = true;
        return STATUS_OK;
    }
    if (jfr_write_settings(options, plan, user, err) != STATUS_OK || start(options, plan, err) != STATUS_OK)
        return err->status;
    plan->active = plan->attached = true;
    say(SAY_NOTE, "a JVM that runs already was started without -XX:+DebugNonSafepoints: samples inside compiled code "
                  "may be put on a neighbouring method");
    return STATUS_OK;
}

void jfr_detach(const struct options *options, struct jfr_plan *plan)
{
    char output[8192], file[PATH_MAX + 32];
    const char *const dump[] = {"JFR.dump", our_recording, file, NULL};
    const char *const stop[] = {"JFR.stop", our_recording, file, NULL};
    snprintf(file, sizeof file, "filename=\"%s\"", plan->recording);
    if (!proc_runs(options->proc, options->pid))
        return; /* it has ended, and wrote the file itself (dumponexit) */
    /* JFR.stop writes the file, too: after a dump to the same file, chunks would be in it twice. */
    int status = jcmd(options, plan, plan->started_by_us ? stop : dump, output, sizeof output);
    if (status != 0 || strstr(output, "written to") == NULL)
        say(SAY_ERROR, "the JVM did not write its recording: %s", gist(output));
}
