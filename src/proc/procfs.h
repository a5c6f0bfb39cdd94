/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internal to src/proc. Paths are relative to DIR, an open folder: PROC, or PROC/PID/task. */
#ifndef JOULAR_PROCFS_H
#define JOULAR_PROCFS_H

#include "joular/proc.h"

/* Reads at most SIZE - 1 bytes and ends them with a NUL. Returns the number of bytes read, or -1. */
int64_t procfs_read(int dir, const char *path, char *buffer, size_t size);
int64_t procfs_tick_ns(void);

struct procfs_stat {
    char name[64]; /* printable: see text_printable */
    char state;
    int64_t parent, own_ns, children_ns; /* utime + stime, cutime + cstime */
    int64_t threads, start_ticks;
};
bool procfs_stat_parse(const char *text, size_t length, struct procfs_stat *stat);
bool procfs_stat_read(int dir, int64_t pid, struct procfs_stat *stat);

/* The id in the innermost pid namespace: the last number of NSpid in a status file (PID/status, or TID/status). 0 if it
 * equals ID or is unknown. */
int64_t procfs_innermost_id(int dir, int64_t id);

/* Lists the entries of a folder whose names are positive numbers, ascending. False if the folder cannot be read. */
struct procfs_ids {
    int64_t *v;
    size_t n, cap;
};
bool procfs_list(int dir, const char *path, struct procfs_ids *ids);

/* True if the executable is called java. NAME, the process name, is used if PID/exe cannot be read. */
bool procfs_is_java(int dir, int64_t pid, const char *name);
bool procfs_maps_libjvm(int dir, int64_t pid);

struct watched_thread {
    int64_t tid, ns_tid, total_ns;
    int fd;     /* its schedstat, kept open; -1 if not */
    bool named; /* its name was read after it used CPU time; a new thread has its creator's name at first */
    char name[64];
};

/* The number of further schedstat files of threads that may be kept open. Reading one again takes a sixth of the time
 * of opening it again. */
struct fd_budget {
    size_t left;
};

struct thread_list {
    VEC(struct watched_thread) v; /* by tid */
    int dir;                      /* PROC/PID/task; -1 if not open */
    bool begun;                   /* there was a first look */
    bool ticks;                   /* schedstat is not there: read ticks from stat */
};

/* Adds the CPU time of threads since the last look to OUT, sorted by tid. False if the threads cannot be read.
 *
 * COUNT is the number of threads that the process has now. A thread that is new since the last look is charged with all
 * its CPU time. At the first look at a process, so are all threads if FRESH is set; if not, they are charged with
 * nothing and counting starts there. At that look the main thread is charged with what exceeds MAIN_BASE_NS, unless
 * that is negative. ROUND is the number of the look: names are read again every few looks. */
struct thread_look {
    int proc_dir;
    int64_t pid, count, main_base_ns;
    bool fresh, other_namespace;
    uint64_t round;
    struct fd_budget *budget;
};
bool thread_list_look(struct thread_list *list, const struct thread_look *look, struct proc_process *out);
void thread_list_free(struct thread_list *list, struct fd_budget *budget);

#endif
