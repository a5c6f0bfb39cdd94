/* The watched processes, shared by tree.c (who is watched) and ended.c (what the ended ones still used). */
#ifndef JOULAR_TREE_H
#define JOULAR_TREE_H

#include "procfs.h"

struct watched {
    struct proc_process p;
    int64_t start_ticks;
    int64_t total_ns;     /* CPU time since its start, at the last look that could read it */
    int64_t children_ns;  /* cutime + cstime, likewise */
    int64_t reaped_ns;    /* by how much that grew at this look */
    int64_t rate_ns;      /* what it used in the cycle before */
    int64_t thread_count; /* at this look, and at the one before */
    int64_t threads_before;
    uint64_t looks, next_jvm_look;
    bool zombie; /* ended, and its clock was read for the last time */
    bool gone;   /* not there any more */
    struct thread_list threads;
};

struct proc_tree {
    int dir; /* PROC */
    bool clocks, looked, ticks;
    int64_t root, unseen_ns;
    enum proc_threads threads;
    uint64_t round;
    struct fd_budget budget;
    struct procfs_ids known, listed; /* the pids of the last look, and of this one */
    struct {
        struct watched **v;
        size_t n, cap;
    } watched;                     /* by pid */
    VEC(struct proc_process) seen; /* for the caller */
};

/* NULL where it is not watched. */
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

/* Gives processes that are gone what their parents' cutime + cstime tell of them. */
void tree_charge_ended(struct proc_tree *tree);

#endif
