/* SPDX-License-Identifier: GPL-3.0-or-later */
/* churn FILE: makes and ends threads, as many as fastclock.c asks for in FILE. Some live at any time; each uses a
 * little CPU time and has a name of its own. Ends when FILE asks for UINT64_MAX. */
#include "churn.h"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define ALIVE (CHURN_A_CYCLE + 5)

static struct slot {
    pthread_t thread;
    sem_t end;
    uint64_t number;
    bool used;
} slots[ALIVE];

static void *live(void *argument)
{
    struct slot *slot = argument;
    char name[16];
    volatile unsigned work = 0;
    snprintf(name, sizeof name, "churn-%u", (unsigned)(slot->number % 1000000));
    pthread_setname_np(pthread_self(), name);
    while (work < 20000)
        work = work + 1;
    sem_wait(&slot->end);
    return NULL;
}

int main(int argc, char **argv)
{
    int fd = argc == 2 ? open(argv[1], O_RDWR | O_CLOEXEC) : -1;
    struct churn *churn = mmap(NULL, sizeof *churn, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (churn == MAP_FAILED)
        return 1;
    for (;;) {
        uint64_t made = churn->made, wanted = __atomic_load_n(&churn->wanted, __ATOMIC_ACQUIRE);
        struct slot *slot = &slots[made % ALIVE];
        if (wanted == UINT64_MAX)
            return 0;
        if (made >= wanted) {
            nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
            continue;
        }
        if (slot->used) {
            sem_post(&slot->end);
            pthread_join(slot->thread, NULL);
        }
        slot->number = made;
        slot->used = sem_init(&slot->end, 0, 0) == 0 && pthread_create(&slot->thread, NULL, live, slot) == 0;
        if (!slot->used)
            return 1;
        __atomic_store_n(&churn->made, made + 1, __ATOMIC_RELEASE);
    }
}
