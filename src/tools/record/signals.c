#include "record.h"

#include "joular/clock.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

/* Those that a program may be sent by its starter, all of them ours to hand on. */
static const int handed_on[] = {SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGUSR2};
static const int made_harmless[] = {SIGPIPE, SIGXFSZ};
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

volatile int signals_stop;
static volatile sig_atomic_t asked_to_end;
static volatile pid_t child_pid;
static bool ends_measurement;
static sigset_t mask_before, mask_blocked;
static struct sigaction before[COUNT(made_harmless)];
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
    /* A signal of the terminal goes to the whole process group: the child has it already. */
    if (info->si_code <= 0 && child_pid > 0)
        kill(child_pid, signal);
    errno = kept;
}

static void handle(int signal, const struct sigaction *action)
{
    struct sigaction old;
    if (sigaction(signal, NULL, &old) == 0 && old.sa_handler != SIG_IGN) /* nohup's stays ignored */
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
    for (size_t i = 0; i < COUNT(handed_on); i++)
        if (!stop_ends || handed_on[i] == SIGHUP || handed_on[i] == SIGINT || handed_on[i] == SIGTERM)
            sigaddset(&mask_blocked, handed_on[i]);
    sigprocmask(SIG_BLOCK, &mask_blocked, &mask_before);
    for (size_t i = 0; i < COUNT(handed_on); i++)
        if (sigismember(&mask_blocked, handed_on[i]) == 1)
            handle(handed_on[i], &action);
    sigaction(SIGCHLD, &child, NULL);
    for (size_t i = 0; i < COUNT(made_harmless); i++)
        sigaction(made_harmless[i], &ignore, &before[i]);
    /* Room for the files of threads, which the program does not inherit. */
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
    for (size_t i = 0; i < COUNT(made_harmless); i++)
        sigaction(made_harmless[i], &before[i], NULL);
    for (size_t i = 0; i < COUNT(handed_on); i++)
        handle(handed_on[i], &standard);
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
