/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A joular-record that lives through days in minutes: its clocks stand still, and waiting moves them (the linker puts
 * these in the way: --wrap). With FAST_CHURN each wait also asks churn for its threads, and waits until they are there.
 *
 * FAST_SAMPLES gets a line every FAST_EVERY waits: waits, open descriptors, bytes in use of the heap, resident KiB. */
#include "churn.h"

#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static int64_t passed_ns;

int __real_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
    if (clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME && clock != CLOCK_BOOTTIME)
        return __real_clock_gettime(clock, time);
    int64_t seconds = clock == CLOCK_REALTIME ? 1800000000 : 1000;
    *time = (struct timespec){seconds + passed_ns / 1000000000, passed_ns % 1000000000};
    return 0;
}

static unsigned open_files(void)
{
    unsigned n = 0;
    DIR *dir = opendir("/proc/self/fd");
    while (dir != NULL && readdir(dir) != NULL)
        n++;
    if (dir != NULL)
        closedir(dir);
    return n;
}

static void sample(unsigned long long waits)
{
    static FILE *out;
    unsigned long pages = 0, resident = 0;
    if (out == NULL)
        out = fopen(getenv("FAST_SAMPLES"), "we");
    FILE *statm = fopen("/proc/self/statm", "re");
    if (out == NULL || statm == NULL || fscanf(statm, "%lu %lu", &pages, &resident) != 2)
        abort();
    fclose(statm);
    fprintf(out, "%llu %u %zu %lu\n", waits, open_files(), mallinfo2().uordblks,
            resident * (unsigned long)sysconf(_SC_PAGESIZE) / 1024);
    fflush(out);
}

static void churn_on(void)
{
    static struct churn *churn;
    const char *path = getenv("FAST_CHURN");
    if (path == NULL)
        return;
    if (churn == NULL) {
        int fd = open(path, O_RDWR | O_CLOEXEC);
        churn = mmap(NULL, sizeof *churn, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (churn == MAP_FAILED)
            abort();
        close(fd);
    }
    uint64_t wanted = churn->wanted + CHURN_A_CYCLE;
    __atomic_store_n(&churn->wanted, wanted, __ATOMIC_RELEASE);
    while (__atomic_load_n(&churn->made, __ATOMIC_ACQUIRE) < wanted)
        nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
}

int __wrap_ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask);
int __wrap_ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
    static unsigned long long waits;
    (void)mask;
    if (count > 0 && poll(fds, count, 0) > 0)
        return 1;
    churn_on();
    passed_ns += (int64_t)timeout->tv_sec * 1000000000 + timeout->tv_nsec;
    if (waits++ % strtoull(getenv("FAST_EVERY"), NULL, 10) == 0)
        sample(waits);
    return 0;
}
