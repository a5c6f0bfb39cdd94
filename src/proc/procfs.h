/* What the parts of src/proc share. Paths are relative to an open folder: PROC, or PROC/PID/task. */
#ifndef JOULAR_PROCFS_H
#define JOULAR_PROCFS_H

#include "joular/proc.h"

/* Reads at most SIZE - 1 bytes and ends them with a NUL. Bytes read, or -1. */
int64_t procfs_read(int dir, const char *path, char *buffer, size_t size);
int64_t procfs_tick_ns(void);

struct procfs_stat {
    char name[64]; /* fit to be shown */
    char state;
    int64_t parent, own_ns, children_ns; /* utime + stime, cutime + cstime */
    int64_t threads, start_ticks;
};
bool procfs_stat_parse(const char *text, size_t length, struct procfs_stat *stat);
bool procfs_stat_read(int dir, int64_t pid, struct procfs_stat *stat);

/* The last number of NSpid in a status file (PID/status, or TID/status): the id in the innermost pid namespace, 0 where
 * it is ID itself or unknown. */
int64_t procfs_innermost_id(int dir, int64_t id);

/* The numbers among a folder's names, ascending. False where it cannot be read. */
struct procfs_ids {
    int64_t *v;
    size_t n, cap;
};
bool procfs_list(int dir, const char *path, struct procfs_ids *ids);

bool procfs_is_java(int dir, int64_t pid, const char *name); /* its executable is called java */
bool procfs_maps_libjvm(int dir, int64_t pid);

struct watched_thread {
    int64_t tid, ns_tid, total_ns;
    int fd;     /* its schedstat, kept open; -1 where it is not */
    bool named; /* its name was read while it ran; a thread has that of its maker until it names itself */
    char name[64];
};

/* Descriptors that may be kept open: threads' schedstat files, read again without being opened again, which takes a
 * sixth of the time. */
struct fd_budget {
    size_t left;
};

struct thread_list {
    VEC(struct watched_thread) v; /* by tid */
    int dir;                      /* PROC/PID/task, -1 not open */
    bool begun, ticks;
};

/* CPU time that threads used since the last look, added to OUT by tid. COUNT: threads the process has now. At the first
 * look threads are charged from 0 (FRESH), else from where they are; the process's first thread from MAIN_BASE_NS where
 * that is not negative. False where the threads cannot be read. */
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
