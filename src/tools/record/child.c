/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* 0, EXIT_NOT_FOUND or EXIT_NOT_EXECUTABLE. */
static int check_executable(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return errno == EACCES ? EXIT_NOT_EXECUTABLE : EXIT_NOT_FOUND;
    return S_ISREG(st.st_mode) && access(path, X_OK) == 0 ? 0 : EXIT_NOT_EXECUTABLE;
}

int child_lookup(const char *command, char **path)
{
    const char *folders = getenv("PATH");
    int worst = EXIT_NOT_FOUND;
    *path = NULL;
    if (strchr(command, '/') != NULL || command[0] == '\0') {
        *path = mem_strdup(command);
        return check_executable(command);
    }
    if (folders == NULL)
        folders = "/bin:/usr/bin";
    while (*folders != '\0') {
        size_t length = strcspn(folders, ":"), room = length + strlen(command) + 3;
        char *candidate = mem_alloc(room);
        snprintf(candidate, room, "%.*s%s%s", (int)length, folders, length > 0 ? "/" : "./", command);
        int found = check_executable(candidate);
        if (found == 0) {
            *path = candidate;
            return 0;
        }
        if (found == EXIT_NOT_EXECUTABLE)
            worst = found;
        free(candidate);
        folders += length + (folders[length] == ':');
    }
    return worst;
}

/* In the child: reports why it cannot become the program, and ends it. */
static void end_child(int failed, int why)
{
    if (write(failed, &why, sizeof why) < 0)
        _exit(EXIT_OURS);
    _exit(EXIT_OURS);
}

/* In the child: waits for the byte of child_go, and becomes the program. If the pipe ends without a byte, joular-record
 * gave up or was killed. */
static void run_child(char **command, const char *environment, const struct user *user, int go, int failed)
{
    char word;
    ssize_t got;
    do
        got = read(go, &word, 1);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        end_child(failed, errno);
    if (got != 1)
        _exit(EXIT_OURS);
    close(go);
    signals_restore();
    if (environment != NULL)
        putenv(mem_strdup(environment));
    if (user_become(user))
        execvp(command[0], command);
    end_child(failed, errno);
}

enum status child_start(char **command, const char *environment, const struct user *user, struct child *child,
                        struct error *err)
{
    int go[2], failed[2];
    *child = (struct child){.pid = -1, .go = -1, .failed = -1};
    if (pipe2(go, O_CLOEXEC) != 0)
        return error_set(err, STATUS_IO, "no pipe: %s", strerror(errno));
    if (pipe2(failed, O_CLOEXEC) != 0) {
        close(go[0]);
        close(go[1]);
        return error_set(err, STATUS_IO, "no pipe: %s", strerror(errno));
    }
    pid_t pid = fork();
    int why = errno;
    if (pid == 0) {
        close(go[1]);
        close(failed[0]);
        run_child(command, environment, user, go[0], failed[1]);
    }
    close(go[0]);
    close(failed[1]);
    if (pid < 0) {
        close(go[1]);
        close(failed[0]);
        return error_set(err, STATUS_IO, "no process can be started: %s", strerror(why));
    }
    *child = (struct child){.pid = pid, .go = go[1], .failed = failed[0]};
    return STATUS_OK;
}

int child_go(struct child *child)
{
    int why = 0;
    ssize_t got = write(child->go, "g", 1);
    int write_errno = got == 1 ? 0 : errno;
    close(child->go);
    child->go = -1;
    do
        got = read(child->failed, &why, sizeof why); /* 0 bytes: exec closed the pipe, so the program runs */
    while (got < 0 && errno == EINTR);
    if (write_errno != 0) {
        why = write_errno;
        got = (ssize_t)sizeof why;
    }
    close(child->failed);
    child->failed = -1;
    signals_set_child(child->pid);
    if (got != (ssize_t)sizeof why)
        return 0;
    child_reap(child);
    return why;
}

void child_drop(struct child *child)
{
    if (child->go >= 0)
        close(child->go);
    if (child->failed >= 0)
        close(child->failed);
    child->go = child->failed = -1;
    if (child->pid > 0)
        child_reap(child);
}

bool child_has_ended(const struct child *child)
{
    siginfo_t info = {0};
    return child->reaped ||
           (waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child->pid);
}

void child_reap(struct child *child)
{
    int status = 0;
    pid_t got;
    if (child->reaped)
        return;
    do
        got = waitpid(child->pid, &status, 0);
    while (got < 0 && errno == EINTR);
    signals_set_child(0);
    child->reaped = true;
    child->status = got < 0 ? EXIT_OURS : WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
