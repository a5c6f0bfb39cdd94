/* CPU time of the machine, of processes and of their threads, from /proc and the CPU clocks. Nanoseconds. */
#ifndef JOULAR_PROC_H
#define JOULAR_PROC_H

#include "joular/mem.h"
#include "joular/status.h"

/* Busy time of the whole machine since boot: user + nice + system + irq + softirq of the first line of PROC/stat. False
 * where it cannot be read. */
bool proc_busy_ns(const char *proc, int64_t *busy_ns);
int64_t proc_cpus(const char *proc); /* "cpuN" lines of PROC/stat; 0 unknown */
/* PROC is of this process's own pid namespace. Where it is not (the host's, mounted into a container), its ids are
 * those of others here: only PROC itself may be asked about them, and no system call. */
bool proc_ids_are_ours(const char *proc);
bool proc_runs(const char *proc, int64_t pid); /* there is such a process, and it has not ended */

struct proc_thread {
    int64_t tid, ns_tid; /* ns_tid 0 where it is the same */
    int64_t cpu_ns;      /* since the last look; all of it for a thread that is new */
    char name[64];
};

struct proc_process {
    int64_t pid, ns_pid, parent;
    int64_t cpu_ns; /* since the last look, ended threads included */
    char name[64];
    bool is_jvm;        /* maps libjvm.so, else its executable is java */
    bool threads_known; /* thread records are wanted and readable */
    bool ended;         /* since the last look: cpu_ns is the last piece of it, as far as it can be known */
    bool incomplete;    /* ended, and the rest of its CPU time could not be had */
    VEC(struct proc_thread) threads; /* that used CPU time since the last look */
};

enum proc_threads {
    PROC_THREADS_AUTO /* of JVMs */,
    PROC_THREADS_ALL,
    PROC_THREADS_NONE
};

/* A process and all its descendants, looked at cycle by cycle. The CPU clocks of processes are used where PROC is the
 * proc file system of this very process; else (the host's, mounted into a container) utime + stime in ticks.
 *
 * A descendant that is reaped between two looks takes its clock along: the rest of its time is the growth of its
 * parent's cutime + cstime (ticks), less what is known of other children. */
struct proc_tree;
struct proc_tree *proc_tree_new(const char *proc, int64_t root_pid, enum proc_threads threads);
void proc_tree_free(struct proc_tree *tree);
/* The first look is the baseline. PROCESSES of the last look live until the next; sorted by pid. */
void proc_tree_look(struct proc_tree *tree);
/* Notes new descendants without a look at all, so that those that end before the next look have a record there. */
void proc_tree_note(struct proc_tree *tree);
const struct proc_process *proc_tree_processes(const struct proc_tree *tree, size_t *count);
/* CPU time of descendants that began and ended between two looks, since the first: nobody's record has it. */
int64_t proc_tree_unseen_ns(const struct proc_tree *tree);

#endif
