/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The watched processes, shared by tree.c (who is watched) and ended.c (the last CPU time of those that ended). */
#ifndef JOULAR_TREE_H
#define JOULAR_TREE_H

#include "procfs.h"

struct watched {
    struct proc_process p;
    int64_t start_ticks;
    int64_t total_ns;       /* CPU time since its start, at the last look that could read it */
    int64_t children_ns;    /* cutime + cstime at that look */
    int64_t reaped_ns;      /* growth of children_ns at this look */
    int64_t rate_ns;        /* CPU time in the cycle before */
    int64_t thread_count;   /* at this look */
    int64_t threads_before; /* thread_count at the look before */
    uint64_t looks;         /* how often its CPU time was read */
    uint64_t next_jvm_look; /* the number of the look at which it is examined for a JVM again */
    bool zombie;            /* ended but not reaped; its clock was read for the last time */
    bool gone;              /* reaped: its pid is free or belongs to another process */
    struct thread_list threads;
};

struct proc_tree {
    int dir;     /* PROC */
    bool clocks; /* CPU clocks of processes can be used: the ids in PROC are our own */
    bool looked; /* there was a first look */
    bool ticks;  /* threads' schedstat is not there or not kept up: use ticks */
    int64_t root, unseen_ns;
    enum proc_threads threads;
    uint64_t round;
    struct fd_budget budget;
    struct procfs_ids known, listed; /* pids that were listed last time; pids that are listed now */
    struct {
        struct watched **v;
        size_t n, cap;
    } watched;                     /* by pid */
    VEC(struct proc_process) seen; /* records of the last look, for the caller */
};

/* The watched process of PID; NULL if it is not watched. */
static inline struct watched *tree_find(const struct proc_tree *tree, int64_t pid)
{
    size_t low = 0, high = tree->watched.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (tree->watched.v[middle]->p.pid < pid)
            low = middle + 1;
        else
            high = middle;
    }
    return low < tree->watched.n && tree->watched.v[low]->p.pid == pid ? tree->watched.v[low] : NULL;
}

/* Charges processes that are gone with the CPU time that their parents' cutime + cstime show of them. */
void tree_charge_ended(struct proc_tree *tree);

#endif
