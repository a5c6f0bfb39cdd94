/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of proc(5), as text:
 *
 *   PID/stat    4242 (name) S 1 ... : the name may contain spaces and parentheses, so fields are counted from the last
 *               ')': state 3, ppid 4, utime 14, stime 15, cutime 16, cstime 17, num_threads 20, starttime 22
 *   stat        cpu  user nice system idle iowait irq softirq steal guest guest_nice, in ticks; user includes guest
 *   PID/status  NSpid: one number for each pid namespace, the innermost last */
#include "procfs.h"

#include "joular/file.h"
#include "joular/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

int64_t procfs_read(int dir, const char *path, char *buffer, size_t size)
{
    int fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    size_t length = 0;
    if (fd < 0)
        return -1;
    while (length + 1 < size) {
        ssize_t got = read(fd, buffer + length, size - 1 - length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            close(fd);
            return -1;
        }
        if (got == 0)
            break;
        length += (size_t)got;
    }
    close(fd);
    buffer[length] = '\0';
    return (int64_t)length;
}

int64_t procfs_tick_ns(void)
{
    static int64_t tick_ns;
    if (tick_ns == 0) {
        long hertz = sysconf(_SC_CLK_TCK);
        tick_ns = INT64_C(1000000000) / (hertz > 0 ? hertz : 100);
    }
    return tick_ns;
}

/* Reads the next number and advances P behind it. False if there is no number. */
static bool next_number(const char **p, int64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoll(*p, &end, 10);
    if (end == *p || errno != 0)
        return false;
    *p = end;
    return true;
}

bool procfs_stat_parse(const char *text, size_t length, struct procfs_stat *stat)
{
    const char *open = memchr(text, '(', length), *shut = NULL;
    for (const char *p = text; p < text + length; p++)
        if (*p == ')')
            shut = p;
    if (open == NULL || shut == NULL || shut < open || shut[1] != ' ' || shut[2] == '\0')
        return false;
    text_printable(stat->name, sizeof stat->name, open + 1, (size_t)(shut - open - 1));
    stat->state = shut[2];
    const char *p = shut + 3;
    int64_t field[23];
    for (int i = 4; i <= 22; i++)
        if (!next_number(&p, &field[i]))
            return false;
    stat->parent = field[4];
    stat->own_ns = (field[14] + field[15]) * procfs_tick_ns();
    stat->children_ns = (field[16] + field[17]) * procfs_tick_ns();
    stat->threads = field[20];
    stat->start_ticks = field[22];
    return true;
}

bool procfs_stat_read(int dir, int64_t pid, struct procfs_stat *stat)
{
    char path[64], text[2048];
    snprintf(path, sizeof path, "%" PRId64 "/stat", pid);
    int64_t length = procfs_read(dir, path, text, sizeof text);
    return length > 0 && procfs_stat_parse(text, (size_t)length, stat);
}

/* The link PROC/self holds this process's id in PROC's pid namespace. In our own namespace it is what getpid() gives.
 */
bool proc_ids_are_ours(const char *proc)
{
    char path[PATH_MAX], target[32], own[32];
    snprintf(path, sizeof path, "%s/self", proc);
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length <= 0)
        return false;
    target[length] = '\0';
    snprintf(own, sizeof own, "%ld", (long)getpid());
    return strcmp(target, own) == 0;
}

bool proc_runs(const char *proc, int64_t pid)
{
    struct procfs_stat stat;
    int dir = open(proc, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool runs = dir >= 0 && procfs_stat_read(dir, pid, &stat) && stat.state != 'Z' && stat.state != 'X';
    if (dir >= 0)
        close(dir);
    return runs;
}

int64_t procfs_innermost_id(int dir, int64_t id)
{
    char path[64], text[8192];
    snprintf(path, sizeof path, "%" PRId64 "/status", id);
    if (procfs_read(dir, path, text, sizeof text) <= 0)
        return 0;
    const char *p = strstr(text, "\nNSpid:");
    int64_t number = 0, last = 0;
    if (p == NULL)
        return 0;
    p += strlen("\nNSpid:");
    while (*p == '\t' || *p == ' ') {
        if (!next_number(&p, &number))
            break;
        last = number;
    }
    return last == id ? 0 : last;
}

static int by_id(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

bool procfs_list(int dir, const char *path, struct procfs_ids *ids)
{
    int fd = openat(dir, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;
    bool sorted = true;
    ids->n = 0;
    if (folder == NULL) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    while ((entry = readdir(folder)) != NULL) {
        int64_t id;
        if (!text_to_i64(entry->d_name, strlen(entry->d_name), &id) || id <= 0)
            continue;
        sorted = sorted && (ids->n == 0 || ids->v[ids->n - 1] < id);
        vec_push(ids, id);
    }
    closedir(folder);
    if (!sorted)
        qsort(ids->v, ids->n, sizeof *ids->v, by_id);
    return true;
}

bool procfs_is_java(int dir, int64_t pid, const char *name)
{
    char path[64], target[4096];
    snprintf(path, sizeof path, "%" PRId64 "/exe", pid);
    ssize_t length = readlinkat(dir, path, target, sizeof target - 1);
    if (length <= 0)
        return strcmp(name, "java") == 0;
    target[length] = '\0';
    char *deleted = strstr(target, " (deleted)");
    if (deleted != NULL)
        *deleted = '\0';
    return strcmp(path_name(target), "java") == 0;
}

static bool names_libjvm(const char *block, size_t length)
{
    static const char wanted[] = "/libjvm.so";
    const char *end = block + length, *p = block;
    while ((p = memmem(p, (size_t)(end - p), wanted, sizeof wanted - 1)) != NULL) {
        p += sizeof wanted - 1;
        if (p < end && (*p == '\n' || *p == ' ')) /* " (deleted)" follows if the JDK was updated meanwhile */
            return true;
    }
    return false;
}

bool procfs_maps_libjvm(int dir, int64_t pid)
{
    char path[64], block[16384];
    size_t kept = 0;
    bool found = false;
    snprintf(path, sizeof path, "%" PRId64 "/maps", pid);
    int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    while (!found) {
        ssize_t got = read(fd, block + kept, sizeof block - kept);
        if (got <= 0)
            break;
        size_t length = kept + (size_t)got;
        found = names_libjvm(block, length);
        kept = length < 16 ? length : 16; /* the name may be split between two reads */
        memmove(block, block + length - kept, kept);
    }
    close(fd);
    return found;
}
