/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPU time of the machine, of processes and of their threads, from /proc and the CPU clocks. Nanoseconds. */
#ifndef JOULAR_PROC_H
#define JOULAR_PROC_H

#include "joular/mem.h"
#include "joular/status.h"

/* Busy time of the whole machine since boot: user + nice + system + irq + softirq of the first line of PROC/stat. False
 * if it cannot be read. */
bool proc_busy_ns(const char *proc, int64_t *busy_ns);
int64_t proc_cpus(const char *proc); /* number of "cpuN" lines in PROC/stat; 0 if unknown */
/* True if PROC belongs to this process's own pid namespace. If it does not (the host's, mounted into a container), its
 * ids mean other processes to system calls made here: look them up in PROC only. */
bool proc_ids_are_ours(const char *proc);
bool proc_runs(const char *proc, int64_t pid); /* the process exists and has not ended */

struct proc_thread {
    int64_t tid, ns_tid; /* ns_tid: in the innermost pid namespace, 0 if equal to tid */
    int64_t cpu_ns;      /* since the last look; since its start for a thread that is new */
    char name[64];
};

struct proc_process {
    int64_t pid, ns_pid, parent; /* ns_pid as ns_tid above */
    int64_t cpu_ns;              /* since the last look, ended threads included */
    char name[64];
    bool is_jvm;                     /* its executable is called java, or it maps libjvm.so */
    bool threads_known;              /* threads are wanted and could be read */
    bool ended;                      /* since the last look: cpu_ns is its last CPU time, as far as that can be known */
    bool incomplete;                 /* ended, and not all of its last CPU time could be found out */
    VEC(struct proc_thread) threads; /* those that used CPU time since the last look; sorted by tid */
};

enum proc_threads {
    PROC_THREADS_AUTO /* those of JVMs */,
    PROC_THREADS_ALL,
    PROC_THREADS_NONE
};

/* A process and all its descendants, with their CPU time at each look, one look a cycle. If proc_ids_are_ours, the CPU
 * clocks of processes are read; else (the host's PROC, mounted into a container) utime + stime in ticks.
 *
 * The clock of a descendant that is reaped between two looks can no longer be read. Its last CPU time is worked out
 * from the growth of its parent's cutime + cstime (in ticks): see src/proc/ended.c. */
struct proc_tree;
struct proc_tree *proc_tree_new(const char *proc, int64_t root_pid, enum proc_threads threads);
void proc_tree_free(struct proc_tree *tree);
/* Reads the CPU time of all processes. The first look is the baseline: its records have no CPU time. */
void proc_tree_look(struct proc_tree *tree);
/* Between two looks: finds new descendants, so that one that ends before the next look has a record there. */
void proc_tree_note(struct proc_tree *tree);
/* The records of the last look, sorted by pid; valid until the next look. */
const struct proc_process *proc_tree_processes(const struct proc_tree *tree, size_t *count);
/* CPU time since the first look of descendants that began and ended between two looks: it is in no record. */
int64_t proc_tree_unseen_ns(const struct proc_tree *tree);

#endif
