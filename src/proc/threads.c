/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPU time of threads: PROC/PID/task/TID/schedstat "run_ns wait_ns slices", or the ticks in TID/stat on kernels without
 * schedstat. */
#include "procfs.h"

#include "joular/status.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#define NAME_ROUNDS 16 /* looks from one reading of a thread's name to the next */

static bool to_ns(const char *text, int64_t *ns)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || errno != 0 || value < 0)
        return false;
    *ns = value;
    return true;
}

static bool read_ticks(int dir, int64_t tid, int64_t *ns)
{
    struct procfs_stat stat;
    if (!procfs_stat_read(dir, tid, &stat))
        return false;
    *ns = stat.own_ns;
    return true;
}

/* Opens the schedstat of a thread and reads it; keeps it open if the budget allows. */
static bool read_first(struct thread_list *list, struct watched_thread *t, struct fd_budget *budget, int64_t *ns)
{
    char path[64], text[128];
    t->fd = -1;
    if (list->ticks)
        return read_ticks(list->dir, t->tid, ns);
    snprintf(path, sizeof path, "%" PRId64 "/schedstat", t->tid);
    int fd = openat(list->dir, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        int why = errno;
        if (why == EMFILE)
            budget->left = 0;
        if (why == ENOENT && read_ticks(list->dir, t->tid, ns)) {
            list->ticks = true;
            return true;
        }
        return false;
    }
    ssize_t got = read(fd, text, sizeof text - 1);
    bool good = false;
    if (got > 0) {
        text[got] = '\0';
        good = to_ns(text, ns);
    }
    if (good && budget->left > 0) {
        budget->left--;
        t->fd = fd;
    } else {
        close(fd);
    }
    return good;
}

static bool read_again(struct thread_list *list, struct watched_thread *t, struct fd_budget *budget, int64_t *ns)
{
    char text[128];
    if (t->fd < 0)
        return read_first(list, t, budget, ns);
    ssize_t got = pread(t->fd, text, sizeof text - 1, 0);
    if (got <= 0)
        return false; /* ESRCH: the thread is gone */
    text[got] = '\0';
    return to_ns(text, ns);
}

static void read_name(const struct thread_list *list, struct watched_thread *t)
{
    char path[64], text[128];
    snprintf(path, sizeof path, "%" PRId64 "/comm", t->tid);
    int64_t length = procfs_read(list->dir, path, text, sizeof text);
    if (length > 0)
        text_printable(t->name, sizeof t->name, text, (size_t)length - (text[length - 1] == '\n'));
}

static void forget(struct watched_thread *t, struct fd_budget *budget)
{
    if (t->fd >= 0) {
        close(t->fd);
        budget->left++;
    }
}

static void charge(const struct watched_thread *t, int64_t used_ns, struct proc_process *out)
{
    struct proc_thread record = {.tid = t->tid, .ns_tid = t->ns_tid, .cpu_ns = used_ns};
    memcpy(record.name, t->name, sizeof record.name);
    vec_push(&out->threads, record);
}

/* Reads the threads of the list, and removes those that are gone from it. True if all of them are still there. */
static bool look_at_known(struct thread_list *list, const struct thread_look *look, struct proc_process *out)
{
    size_t kept = 0, count = list->v.n;
    for (size_t i = 0; i < count; i++) {
        struct watched_thread *t = &list->v.v[i];
        int64_t total_ns = 0;
        if (!read_again(list, t, look->budget, &total_ns) || total_ns < t->total_ns) {
            /* Gone. Less time than before: a new thread has its id, and look_for_new finds that one. */
            forget(t, look->budget);
            continue;
        }
        if (total_ns > t->total_ns) {
            if (!t->named || (look->round + (uint64_t)t->tid) % NAME_ROUNDS == 0)
                read_name(list, t);
            t->named = true;
            charge(t, total_ns - t->total_ns, out);
            t->total_ns = total_ns;
        }
        list->v.v[kept++] = *t;
    }
    list->v.n = kept;
    return kept == count;
}

static int by_tid(const void *a, const void *b)
{
    const struct watched_thread *x = a, *y = b;
    return (x->tid > y->tid) - (x->tid < y->tid);
}

static int record_by_tid(const void *a, const void *b)
{
    const struct proc_thread *x = a, *y = b;
    return (x->tid > y->tid) - (x->tid < y->tid);
}

static void add_thread(struct thread_list *list, const struct thread_look *look, int64_t tid, struct proc_process *out)
{
    struct watched_thread t = {.tid = tid, .fd = -1};
    int64_t base_ns = 0;
    if (!read_first(list, &t, look->budget, &t.total_ns))
        return;
    read_name(list, &t);
    if (look->other_namespace)
        t.ns_tid = procfs_innermost_id(list->dir, tid);
    if (!list->begun && tid == look->pid && look->main_base_ns >= 0)
        base_ns = look->main_base_ns;
    else if (!list->begun && !look->fresh)
        base_ns = t.total_ns;
    if (t.total_ns > base_ns)
        charge(&t, t.total_ns - base_ns, out);
    vec_push(&list->v, t);
}

/* Adds the threads of the folder that are not in the list yet, and keeps the list sorted. */
static bool look_for_new(struct thread_list *list, const struct thread_look *look, struct proc_process *out)
{
    struct procfs_ids ids = {0};
    size_t known = list->v.n, at = 0;
    bool listed = procfs_list(list->dir, ".", &ids);
    for (size_t i = 0; i < ids.n; i++) {
        while (at < known && list->v.v[at].tid < ids.v[i])
            at++;
        if (at == known || list->v.v[at].tid != ids.v[i])
            add_thread(list, look, ids.v[i], out);
    }
    vec_free(&ids);
    if (list->v.n > known) {
        qsort(list->v.v, list->v.n, sizeof *list->v.v, by_tid);
        if (out->threads.n > 0)
            qsort(out->threads.v, out->threads.n, sizeof *out->threads.v, record_by_tid);
    }
    return listed;
}

bool thread_list_look(struct thread_list *list, const struct thread_look *look, struct proc_process *out)
{
    if (!list->begun) {
        char path[64];
        snprintf(path, sizeof path, "%" PRId64 "/task", look->pid);
        list->dir = openat(look->proc_dir, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (list->dir < 0)
            return false;
    }
    /* All known threads are alive and the process has no more than these: the folder need not be listed. */
    bool same = look_at_known(list, look, out) && list->begun && (int64_t)list->v.n == look->count;
    bool known = same || look_for_new(list, look, out) || list->v.n > 0;
    if (!list->begun && !known)
        close(list->dir);
    list->begun = list->begun || known;
    return known;
}

void thread_list_free(struct thread_list *list, struct fd_budget *budget)
{
    for (size_t i = 0; i < list->v.n; i++)
        forget(&list->v.v[i], budget);
    vec_free(&list->v);
    if (list->begun && list->dir >= 0)
        close(list->dir);
    *list = (struct thread_list){.dir = -1};
}
