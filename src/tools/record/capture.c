/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

int capture(char *const *command, const struct user *user, char *output, size_t size)
{
    int ends[2], status = -1;
    size_t length = 0;
    char block[4096];
    output[0] = '\0';
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    pid_t pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (null >= 0)
            dup2(null, STDIN_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        signals_restore();
        if (user == NULL || user_become(user))
            execv(command[0], command); /* not execvp: PATH must not be searched as another user */
        _exit(127);
    }
    close(ends[1]);
    for (ssize_t got; pid > 0; length += (size_t)got) {
        bool full = length + 1 >= size;
        got = full ? read(ends[0], block, sizeof block) : read(ends[0], output + length, size - 1 - length);
        if (got < 0 && errno == EINTR)
            got = 0;
        else if (got <= 0)
            break;
        if (full)
            got = 0;
    }
    output[length] = '\0';
    close(ends[0]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
