/* SPDX-License-Identifier: GPL-3.0-or-later */
/* burn THREADS MS [SLEEPERS|go [awake]]: thread number i burns (i + 1) x MS of CPU time and prints its name and what
 * the kernel says it used. SLEEPERS: threads that only wait, or wake up once a second (awake). go: no sleepers, and the
 * burning threads end at once. THREADS 0: goes on until it is killed. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAX_THREADS 64

static int64_t goal_ns[MAX_THREADS], used_ns[MAX_THREADS];
static volatile double sink;
static int at_once;

static int64_t own_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void *burn(void *argument)
{
    int64_t *goal = argument, i = goal - goal_ns;
    char name[32];
    double x = 1;
    snprintf(name, sizeof name, "burn-%" PRId64, i % MAX_THREADS);
    pthread_setname_np(pthread_self(), name);
    while (own_ns() < *goal)
        for (int k = 0; k < 1000; k++)
            x = x * 1.0000001 + 1e-9;
    sink = x;
    used_ns[i] = own_ns();
    /* The thread's record needs a cycle that it is there at the end of. */
    if (!at_once)
        sleep(2);
    return NULL;
}

static void *idle(void *argument)
{
    while (argument != NULL) {
        volatile double x = 1;
        for (int k = 0; k < 20000; k++)
            x = x * 1.0000001;
        sleep(1);
    }
    pause();
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[MAX_THREADS];
    pthread_attr_t small;
    int count = argc > 1 ? atoi(argv[1]) : 1, ms = argc > 2 ? atoi(argv[2]) : 100;
    int sleepers = argc > 3 ? atoi(argv[3]) : 0;
    at_once = argc > 3 && strcmp(argv[3], "go") == 0;
    if (count > MAX_THREADS)
        return 2;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    for (int i = 0; i < sleepers; i++) {
        pthread_t thread;
        if (pthread_create(&thread, &small, idle, argc > 4 ? argv[4] : NULL) != 0)
            return 3;
    }
    for (int i = 0; i < count; i++) {
        goal_ns[i] = (int64_t)(i + 1) * ms * 1000000;
        pthread_create(&threads[i], NULL, burn, &goal_ns[i]);
    }
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
        printf("burn-%d %" PRId64 "\n", i, used_ns[i]);
    }
    if (count == 0)
        pause();
    return 0;
}
