/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "logsync.h"
#include "joular/mem.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

struct log_sync {
    int fd;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool asked, ending;
    int why; /* errno of an attempt that failed and was not returned to the caller yet; 0 for none */
};

static void *run(void *argument)
{
    struct log_sync *sync = argument;
    pthread_mutex_lock(&sync->lock);
    for (;;) {
        while (!sync->asked && !sync->ending)
            pthread_cond_wait(&sync->wake, &sync->lock);
        if (!sync->asked)
            break;
        sync->asked = false;
        pthread_mutex_unlock(&sync->lock);
        int why = fdatasync(sync->fd) == 0 ? 0 : errno;
        pthread_mutex_lock(&sync->lock);
        if (why != 0 && why != EINVAL && why != ENOSYS) /* some file systems do not support it */
            sync->why = why;
    }
    pthread_mutex_unlock(&sync->lock);
    return NULL;
}

struct log_sync *log_sync_start(int fd)
{
    struct log_sync *sync = mem_zero(1, sizeof *sync);
    sigset_t all, before;
    sync->fd = fd;
    pthread_mutex_init(&sync->lock, NULL);
    pthread_cond_init(&sync->wake, NULL);
    sigfillset(&all); /* the new thread takes no signals: another thread waits for them */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int why = pthread_create(&sync->thread, NULL, run, sync);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (why == 0)
        return sync;
    free(sync);
    return NULL;
}

int log_sync_ask(struct log_sync *sync)
{
    if (sync == NULL)
        return 0;
    pthread_mutex_lock(&sync->lock);
    int why = sync->why;
    sync->why = 0;
    sync->asked = true;
    pthread_cond_signal(&sync->wake);
    pthread_mutex_unlock(&sync->lock);
    return why;
}

int log_sync_end(struct log_sync *sync)
{
    if (sync == NULL)
        return 0;
    pthread_mutex_lock(&sync->lock);
    sync->ending = true;
    pthread_cond_signal(&sync->wake);
    pthread_mutex_unlock(&sync->lock);
    pthread_join(sync->thread, NULL);
    int why = sync->why;
    pthread_cond_destroy(&sync->wake);
    pthread_mutex_destroy(&sync->lock);
    free(sync);
    return why;
}
