/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A process and its descendants: who is watched, and their CPU time at each look. */
#include "tree.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define RESERVED_FDS 64 /* descriptors left for everything but threads' schedstat files */

struct proc_tree *proc_tree_new(const char *proc, int64_t root_pid, enum proc_threads threads)
{
    struct proc_tree *tree = mem_zero(1, sizeof *tree);
    struct rlimit limit;
    char text[64];
    tree->dir = open(proc, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    tree->root = root_pid;
    tree->threads = threads;
    tree->clocks = proc_ids_are_ours(proc);
    /* A kernel that does not keep these statistics shows "0 0 0" even for a running process. */
    tree->ticks = tree->dir >= 0 && procfs_read(tree->dir, "self/schedstat", text, sizeof text) > 0 &&
                  strncmp(text, "0 0 0", 5) == 0;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur > RESERVED_FDS)
        tree->budget.left = (size_t)limit.rlim_cur - RESERVED_FDS;
    return tree;
}

static void watched_free(struct proc_tree *tree, struct watched *w)
{
    thread_list_free(&w->threads, &tree->budget);
    vec_free(&w->p.threads);
    free(w);
}

void proc_tree_free(struct proc_tree *tree)
{
    if (tree == NULL)
        return;
    for (size_t i = 0; i < tree->watched.n; i++)
        watched_free(tree, tree->watched.v[i]);
    vec_free(&tree->watched);
    vec_free(&tree->known);
    vec_free(&tree->listed);
    vec_free(&tree->seen);
    if (tree->dir >= 0)
        close(tree->dir);
    free(tree);
}

/* CPU time of a process since its start: from its CPU clock, which can be read even of a zombie, else from STAT. */
static int64_t process_total_ns(const struct proc_tree *tree, int64_t pid, const struct procfs_stat *stat)
{
    clockid_t clock;
    struct timespec time;
    if (!tree->clocks || clock_getcpuclockid((pid_t)pid, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return stat->own_ns;
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* libjvm.so is loaded a little after the program starts, or much later by a program that embeds a JVM. So the process
 * is examined at its looks 1, 2, 3, 5, 9..., and whenever its name changes, as exec changes it. */
static void look_for_jvm(const struct proc_tree *tree, struct watched *w, bool renamed)
{
    if (renamed) {
        w->p.is_jvm = false;
        w->next_jvm_look = w->looks;
    }
    if (w->p.is_jvm || w->looks < w->next_jvm_look)
        return;
    w->p.is_jvm = procfs_is_java(tree->dir, w->p.pid, w->p.name) || procfs_maps_libjvm(tree->dir, w->p.pid);
    w->next_jvm_look = w->looks < 2 ? w->looks + 1 : w->looks * 2 - 1;
}

/* Reads what a process used since the last look. The clock is read before stat: if stat shows that the pid still
 * belongs to the same process, the clock was that process's too. */
static void look_at_process(struct proc_tree *tree, struct watched *w)
{
    struct procfs_stat stat;
    struct procfs_stat none = {.own_ns = -1};
    int64_t total_ns = process_total_ns(tree, w->p.pid, &none);
    w->p.cpu_ns = 0;
    w->reaped_ns = 0;
    w->gone = !procfs_stat_read(tree->dir, w->p.pid, &stat) || stat.start_ticks != w->start_ticks;
    if (w->gone) {
        w->p.ended = !w->zombie;
        return;
    }
    if (total_ns < 0)
        total_ns = stat.own_ns;
    w->p.ended = false;
    if (w->zombie)
        return; /* its clock was read for the last time at an earlier look */
    if (total_ns > w->total_ns) {
        w->p.cpu_ns = total_ns - w->total_ns;
        w->total_ns = total_ns;
    }
    w->reaped_ns = stat.children_ns - w->children_ns;
    w->children_ns = stat.children_ns;
    w->threads_before = w->thread_count;
    w->thread_count = stat.threads;
    w->p.parent = stat.parent;
    /* A main thread that ended before the other threads of a running process is shown as a zombie, too. */
    w->zombie = (stat.state == 'Z' || stat.state == 'X') && stat.threads <= 1;
    w->p.ended = w->zombie;
    w->looks++;
    bool renamed = strcmp(w->p.name, stat.name) != 0;
    memcpy(w->p.name, stat.name, sizeof w->p.name);
    if (!w->zombie)
        look_for_jvm(tree, w, renamed);
}

static void look_at_threads(struct proc_tree *tree, struct watched *w)
{
    w->p.threads.n = 0;
    w->p.threads_known = false;
    if (w->gone || w->zombie || tree->threads == PROC_THREADS_NONE ||
        (tree->threads == PROC_THREADS_AUTO && !w->p.is_jvm))
        return;
    struct thread_look look = {.proc_dir = tree->dir,
                               .pid = w->p.pid,
                               .count = w->thread_count,
                               .main_base_ns = -1,
                               .fresh = w->looks == 1 && tree->looked,
                               .other_namespace = w->p.ns_pid != 0,
                               .round = tree->round,
                               .budget = &tree->budget};
    if (!w->threads.begun && w->looks > 1 && w->threads_before == 1) {
        /* It had one thread at the last look, so the others are new, and all CPU time before was that thread's. */
        look.fresh = true;
        look.main_base_ns = w->total_ns - w->p.cpu_ns;
    }
    w->threads.ticks = w->threads.ticks || tree->ticks;
    w->p.threads_known = thread_list_look(&w->threads, &look, &w->p);
    tree->ticks = tree->ticks || w->threads.ticks;
}

struct candidate {
    int64_t pid;
    struct procfs_stat stat;
    bool taken;
};
struct candidates {
    struct candidate *v;
    size_t n, cap;
};

static int by_pid(const void *a, const void *b)
{
    const struct watched *const *x = a, *const *y = b;
    return ((*x)->p.pid > (*y)->p.pid) - ((*x)->p.pid < (*y)->p.pid);
}

/* Watches a new process. Without LOOK its CPU time is not read yet: the next look charges all of it. */
static void add_process(struct proc_tree *tree, const struct candidate *c, bool look)
{
    struct watched *w = mem_zero(1, sizeof *w);
    w->p.pid = c->pid;
    w->p.parent = c->stat.parent;
    w->p.ns_pid = procfs_innermost_id(tree->dir, c->pid);
    w->start_ticks = c->stat.start_ticks;
    w->threads.dir = -1;
    memcpy(w->p.name, c->stat.name, sizeof w->p.name);
    if (look)
        look_at_process(tree, w);
    if (w->gone && !tree->looked) { /* it ended during the first look, which charges nothing */
        watched_free(tree, w);
        return;
    }
    vec_push(&tree->watched, w);
    qsort(tree->watched.v, tree->watched.n, sizeof(struct watched *), by_pid);
}

/* Finds the pids that were not listed last time. Only new processes can be new descendants: a process that is not a
 * descendant when it starts never becomes one. Pids whose stat cannot be read are taken off the list, to be tried
 * again. */
static void find_candidates(struct proc_tree *tree, struct candidates *found)
{
    size_t at = 0, kept = 0;
    for (size_t i = 0; i < tree->listed.n; i++) {
        int64_t pid = tree->listed.v[i];
        while (at < tree->known.n && tree->known.v[at] < pid)
            at++;
        if (at == tree->known.n || tree->known.v[at] != pid) {
            struct candidate c = {.pid = pid};
            if (!procfs_stat_read(tree->dir, pid, &c.stat))
                continue;
            vec_push(found, c);
        }
        tree->listed.v[kept++] = pid;
    }
    tree->listed.n = kept;
}

static void look_for_new_processes(struct proc_tree *tree, bool look)
{
    struct candidates found = {0};
    bool more = procfs_list(tree->dir, ".", &tree->listed);
    if (!more)
        return;
    find_candidates(tree, &found);
    while (more) { /* repeated, since a parent may be new as well and have a higher pid than its child */
        more = false;
        for (size_t i = 0; i < found.n; i++) {
            struct candidate *c = &found.v[i];
            if (c->taken || tree_find(tree, c->pid) != NULL)
                continue;
            if (c->pid != tree->root && tree_find(tree, c->stat.parent) == NULL)
                continue;
            add_process(tree, c, look);
            c->taken = more = true;
        }
    }
    vec_free(&found);
    struct procfs_ids swapped = tree->known;
    tree->known = tree->listed;
    tree->listed = swapped;
}

/* Removes processes that were gone at the last look, which had their last record. */
static void drop_gone(struct proc_tree *tree)
{
    size_t kept = 0;
    for (size_t i = 0; i < tree->watched.n; i++) {
        struct watched *w = tree->watched.v[i];
        if (w->gone)
            watched_free(tree, w);
        else
            tree->watched.v[kept++] = w;
    }
    tree->watched.n = kept;
}

static void fill_seen(struct proc_tree *tree)
{
    tree->seen.n = 0;
    for (size_t i = 0; i < tree->watched.n; i++) {
        struct watched *w = tree->watched.v[i];
        if ((w->zombie || w->gone) && !w->p.ended)
            continue; /* it had its last record at an earlier look */
        if (!tree->looked) {
            w->p.cpu_ns = 0;
            w->p.threads.n = 0;
        }
        w->rate_ns = w->p.cpu_ns;
        vec_push(&tree->seen, w->p);
    }
}

void proc_tree_look(struct proc_tree *tree)
{
    if (tree->dir < 0)
        return;
    drop_gone(tree);
    for (size_t i = 0; i < tree->watched.n; i++)
        look_at_process(tree, tree->watched.v[i]);
    look_for_new_processes(tree, true);
    if (tree->looked)
        tree_charge_ended(tree);
    for (size_t i = 0; i < tree->watched.n; i++)
        look_at_threads(tree, tree->watched.v[i]);
    fill_seen(tree);
    tree->looked = true;
    tree->round++;
}

void proc_tree_note(struct proc_tree *tree)
{
    if (tree->dir < 0 || !tree->looked)
        return;
    look_for_new_processes(tree, false);
    for (size_t i = 0; i < tree->watched.n; i++) {
        struct watched *w = tree->watched.v[i];
        struct procfs_stat stat;
        /* Read again: a process found between fork and exec had its parent's name. */
        if (w->looks > 0 || w->gone || !procfs_stat_read(tree->dir, w->p.pid, &stat) ||
            stat.start_ticks != w->start_ticks)
            continue;
        memcpy(w->p.name, stat.name, sizeof w->p.name);
        w->rate_ns = stat.own_ns; /* its weight in tree_charge_ended if it ends before the next look */
        w->p.is_jvm = procfs_is_java(tree->dir, w->p.pid, w->p.name);
    }
}

const struct proc_process *proc_tree_processes(const struct proc_tree *tree, size_t *count)
{
    *count = tree->seen.n;
    return tree->seen.v;
}

int64_t proc_tree_unseen_ns(const struct proc_tree *tree)
{
    return tree->unseen_ns > 0 ? tree->unseen_ns : 0;
}
