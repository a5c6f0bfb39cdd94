/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record.h"

#include "joular/clock.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

/* Signals that may be meant for the program, and are forwarded to it. */
static const int forwarded[] = {SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGUSR2};
/* Ignored here, so that a write fails with an error instead; the program gets their old handling. */
static const int ignored[] = {SIGPIPE, SIGXFSZ};
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

volatile int signals_stop;
static volatile sig_atomic_t asked_to_end;
static volatile pid_t child_pid;
static bool ends_measurement;
static sigset_t mask_before, mask_blocked;
static struct sigaction before[COUNT(ignored)]; /* of those in IGNORED */
static struct rlimit files_before;

static void on_child(int signal)
{
    (void)signal;
    signals_stop = 1;
}

static void on_signal(int signal, siginfo_t *info, void *context)
{
    int kept = errno;
    (void)context;
    if (signal == SIGHUP || signal == SIGINT || signal == SIGTERM) {
        asked_to_end = signal;
        if (ends_measurement)
            signals_stop = 1;
    }
    /* si_code is positive for a signal of the terminal, which goes to the whole process group: the child has it
     * already. */
    if (info->si_code <= 0 && child_pid > 0)
        kill(child_pid, signal);
    errno = kept;
}

static void handle(int signal, const struct sigaction *action)
{
    struct sigaction old;
    if (sigaction(signal, NULL, &old) == 0 && old.sa_handler != SIG_IGN) /* ignored ones (nohup) stay ignored */
        sigaction(signal, action, NULL);
}

void signals_begin(bool stop_ends)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART, .sa_sigaction = on_signal};
    struct sigaction child = {.sa_flags = SA_NOCLDSTOP | SA_RESTART, .sa_handler = on_child};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    ends_measurement = stop_ends;
    sigemptyset(&mask_blocked);
    sigaddset(&mask_blocked, SIGCHLD);
    for (size_t i = 0; i < COUNT(forwarded); i++)
        if (!stop_ends || forwarded[i] == SIGHUP || forwarded[i] == SIGINT || forwarded[i] == SIGTERM)
            sigaddset(&mask_blocked, forwarded[i]);
    sigprocmask(SIG_BLOCK, &mask_blocked, &mask_before);
    for (size_t i = 0; i < COUNT(forwarded); i++)
        if (sigismember(&mask_blocked, forwarded[i]) == 1)
            handle(forwarded[i], &action);
    sigaction(SIGCHLD, &child, NULL);
    for (size_t i = 0; i < COUNT(ignored); i++)
        sigaction(ignored[i], &ignore, &before[i]);
    /* Allows as many open files as possible, for threads' schedstat files; the program gets the old limit back. */
    if (getrlimit(RLIMIT_NOFILE, &files_before) == 0) {
        struct rlimit more = {files_before.rlim_max, files_before.rlim_max};
        setrlimit(RLIMIT_NOFILE, &more);
    }
}

void signals_set_child(pid_t child)
{
    child_pid = child;
}

void signals_restore(void)
{
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (size_t i = 0; i < COUNT(ignored); i++)
        sigaction(ignored[i], &before[i], NULL);
    for (size_t i = 0; i < COUNT(forwarded); i++)
        handle(forwarded[i], &standard);
    sigaction(SIGCHLD, &standard, NULL);
    setrlimit(RLIMIT_NOFILE, &files_before);
    sigprocmask(SIG_SETMASK, &mask_before, NULL);
}

void signals_open(void)
{
    sigprocmask(SIG_SETMASK, &mask_before, NULL);
}

void signals_close(void)
{
    sigprocmask(SIG_BLOCK, &mask_blocked, NULL);
}

int signals_asked_to_end(void)
{
    return asked_to_end;
}

void signals_wait(int64_t deadline_ns, int fd)
{
    struct pollfd polled = {.fd = fd, .events = POLLIN};
    int64_t left_ns = deadline_ns - clock_ns(CLOCK_MONOTONIC);
    if (left_ns < 0)
        left_ns = 0;
    struct timespec left = {(time_t)(left_ns / 1000000000), (long)(left_ns % 1000000000)};
    ppoll(&polled, fd >= 0 ? 1 : 0, &left, &mask_before);
}
