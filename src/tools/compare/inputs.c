/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads runs: report.json, or inputs that joular-analyze makes one from, which is run without a shell. */
#include "comparetool.h"

#include "joular/jsonreport.h"
#include "joular/leave.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_there(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static enum status read_report(const char *path, struct result *result, struct error *err)
{
    struct file_bytes file = {0};
    enum status status = file_read(path, &file, err);
    if (status == STATUS_OK)
        status = file_unpack(&file, err);
    if (status == STATUS_OK && file.length == 0)
        status = error_set(err, STATUS_TRUNCATED, "is empty");
    if (status == STATUS_OK && file.length >= 4 && memcmp(file.bytes, "FLR", 4) == 0)
        status = error_set(err, STATUS_INVALID, "is a recording: name its power log behind it, RECORDING:POWERLOG");
    if (status == STATUS_OK)
        status = result_read_json(file.bytes, file.length, result, err);
    error_in_file(err, path);
    file_release(&file);
    return status;
}

/* ---- joular-analyze ---- */

static char temporary[512], temporary_report[560];

/* The path of the joular-analyze in the folder of this program; NULL if that is not known. PATH is not searched, since
 * it may lead to another version. */
static char *analyzer(const char *argv0)
{
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    const char *from = length > 0 ? self : argv0;
    self[length > 0 ? length : 0] = '\0';
    const char *slash = strrchr(from, '/');
    if (slash == NULL)
        return NULL;
    char *folder = mem_strndup(from, (size_t)(slash - from)), *path = path_in(folder, "joular-analyze");
    free(folder);
    return path;
}

static enum status run_analyzer(const char *argv0, const char *recording, const char *log, struct error *err)
{
    char *program = analyzer(argv0);
    if (program == NULL)
        return error_set(err, STATUS_MISSING, "needs to be analysed, and where joular-analyze is cannot be told");
    char *arguments[] = {program,   (char *)"-q", (char *)"--format", (char *)"json", (char *)"-o",
                         temporary, (char *)"--", (char *)recording,  (char *)log,    NULL};
    int code = 0;
    enum status status = STATUS_OK;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (nothing >= 0)
            dup2(nothing, STDOUT_FILENO);
        prctl(PR_SET_PDEATHSIG, SIGTERM); /* ends it if this program ends, as nothing would read its result */
        execv(program, arguments);
        _exit(127);
    }
    while (child > 0 && waitpid(child, &code, 0) < 0 && errno == EINTR)
        ;
    if (child < 0)
        status = error_set(err, STATUS_IO, "joular-analyze cannot be started: %s", strerror(errno));
    else if (WIFEXITED(code) && WEXITSTATUS(code) == 127)
        status = error_set(err, STATUS_IO, "needs to be analysed, and %s cannot be run", program);
    else if (!WIFEXITED(code) || WEXITSTATUS(code) != 0)
        status = error_set(err, STATUS_INVALID, "joular-analyze could not analyse it");
    free(program);
    return status;
}

static enum status analyze(const char *argv0, const char *recording, const char *log, struct result *result,
                           struct error *err)
{
    const char *folder = getenv("TMPDIR");
    snprintf(temporary, sizeof temporary, "%.480s/" PROGRAM ".XXXXXX",
             folder != NULL && folder[0] != '\0' ? folder : "/tmp");
    leftover_note(AT_FDCWD, temporary, true); /* until mkdtemp fills in the XXXXXX there is no folder of this name */
    leftover_note(AT_FDCWD, temporary_report, false);
    enum status status = STATUS_OK;
    if (mkdtemp(temporary) == NULL)
        status = error_set(err, STATUS_IO, "a temporary folder cannot be made in %s: %s", temporary, strerror(errno));
    snprintf(temporary_report, sizeof temporary_report, "%s/report.json", temporary);
    if (status == STATUS_OK)
        status = run_analyzer(argv0, recording, log, err);
    if (status == STATUS_OK)
        status = read_report(temporary_report, result, err);
    unlink(temporary_report);
    rmdir(temporary);
    leftover_forget(temporary_report);
    leftover_forget(temporary);
    return status;
}

static enum status read_folder(const char *name, const char *argv0, struct result *result, struct error *err)
{
    char *report = path_in(name, "report.json"), *recording = path_in(name, "run.jfr"),
         *log = path_in(name, "power.log");
    enum status status;
    if (is_there(report))
        status = read_report(report, result, err);
    else if (is_there(recording) && is_there(log))
        status = analyze(argv0, recording, log, result, err);
    else
        status = error_set(err, STATUS_MISSING, "the folder has neither a report.json nor a run.jfr with a power.log");
    free(report);
    free(recording);
    free(log);
    return status;
}

enum status input_read(const char *name, const char *argv0, struct result *result, struct error *err)
{
    const char *colon = strchr(name, ':');
    enum status status = STATUS_OK;
    bool paired = false;
    if (is_folder(name)) {
        status = read_folder(name, argv0, result, err);
        error_in_file(err, name);
        return status;
    }
    /* RECORDING:POWERLOG, where either path may contain a colon, too */
    for (; !is_there(name) && colon != NULL && !paired; colon = strchr(colon + 1, ':')) {
        char *recording = mem_strndup(name, (size_t)(colon - name));
        paired = is_there(recording) && is_there(colon + 1);
        if (paired)
            status = analyze(argv0, recording, colon + 1, result, err);
        free(recording);
    }
    if (!paired)
        status = read_report(name, result, err);
    error_in_file(err, name);
    return status;
}
