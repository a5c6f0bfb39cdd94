/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code that runs on the way out makes only calls that are allowed in a signal handler (signal-safety(7)). */
#include "joular/leave.h"

#include "joular/file.h"
#include "joular/mem.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define MOST_LEFTOVERS 1024 /* a result folder has a dozen, and --batch writes to many at a time */

static struct {
    const char *volatile name; /* NULL if the entry is free */
    int dir_fd, flags;
} leftovers[MOST_LEFTOVERS];
static pthread_mutex_t leftovers_lock = PTHREAD_MUTEX_INITIALIZER; /* not taken on the way out */
static const char *own_name = "";
static int own_status = 1;

void leftover_note(int dir_fd, const char *name, bool is_folder)
{
    size_t i = 0;
    pthread_mutex_lock(&leftovers_lock);
    while (i < MOST_LEFTOVERS && leftovers[i].name != NULL)
        i++;
    if (i < MOST_LEFTOVERS) {
        leftovers[i].dir_fd = dir_fd;
        leftovers[i].flags = is_folder ? AT_REMOVEDIR : 0;
        leftovers[i].name = name;
    }
    pthread_mutex_unlock(&leftovers_lock);
}

void leftover_forget(const char *name)
{
    pthread_mutex_lock(&leftovers_lock);
    for (size_t i = 0; i < MOST_LEFTOVERS; i++)
        if (name != NULL && leftovers[i].name == name)
            leftovers[i].name = NULL;
    pthread_mutex_unlock(&leftovers_lock);
}

void leftovers_remove(void)
{
    for (size_t i = MOST_LEFTOVERS; i > 0; i--)
        if (leftovers[i - 1].name != NULL)
            unlinkat(leftovers[i - 1].dir_fd, leftovers[i - 1].name, leftovers[i - 1].flags);
}

static void say(const char *const *words)
{
    for (; *words != NULL; words++)
        if (write(STDERR_FILENO, *words, strlen(*words)) < 0)
            return;
}

void leave_now(const char *words)
{
    leftovers_remove();
    say((const char *const[]){own_name, ": ", words, "\n", NULL});
    _exit(own_status);
}

static char memory_words[96] = "out of memory";

static void out_of_memory(void)
{
    leave_now(memory_words);
}

/* RLIMIT_DATA limits private writable memory (getrlimit(2)), and so every allocation, those of libraries included. */
void leave_at_memory(uint64_t bytes)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    struct rlimit limit;
    bool is_asked = bytes != 0;
    if (bytes == 0 && pages > 0 && size > 0)
        bytes = (uint64_t)pages * (uint64_t)size / 2;
    if (bytes == 0 || MEM_IS_SHADOWED || getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur <= bytes)
        return;
    limit.rlim_cur = (rlim_t)bytes;
    if (setrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    snprintf(memory_words, sizeof memory_words, "needs more memory than the %" PRIu64 " MiB that --max-memory allows",
             bytes >> 20);
    /* A preloaded allocator may have reserved more than that at the start. The kernel only refuses new memory, so
     * the limit would not bound how much of the reserve is used: it is an error at once. */
    if (is_asked && size > 0) {
        void *page = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (page == MAP_FAILED)
            out_of_memory();
        munmap(page, (size_t)size);
    }
}

static void on_signal(int number)
{
    leftovers_remove();
    signal(number, SIG_DFL);
    raise(number); /* delivered when the handler returns */
}

static void on_bus_error(int number, siginfo_t *info, void *context)
{
    const char *name = file_mapped_at(info->si_addr);
    (void)context;
    if (name == NULL) {
        on_signal(number);
        return;
    }
    say((const char *const[]){own_name, ": ", name, NULL});
    own_name = "";
    leave_now("became shorter while it was read, or its disk failed");
}

void leave_prepare(const char *program, int status)
{
    struct sigaction bus = {.sa_flags = SA_SIGINFO, .sa_sigaction = on_bus_error};
    own_name = program;
    own_status = status;
    mem_set_handler(out_of_memory);
    sigaction(SIGBUS, &bus, NULL);
}

void leave_on_signals(void)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++) {
        struct sigaction action = {.sa_handler = on_signal}, old;
        if (sigaction(ending[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(ending[i], &action, NULL);
    }
    signal(SIGXFSZ, SIG_IGN);
}
