/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "procfs.h"

#include <fcntl.h>
#include <stdio.h>

static int64_t read_stat(const char *proc, char *text, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/stat", proc);
    return procfs_read(AT_FDCWD, path, text, size);
}

bool proc_busy_ns(const char *proc, int64_t *busy_ns)
{
    char text[512];
    unsigned long long user, nice, system, idle, iowait, irq, softirq;
    if (read_stat(proc, text, sizeof text) <= 0)
        return false;
    if (sscanf(text, "cpu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system, &idle, &iowait, &irq, &softirq) !=
        7)
        return false;
    *busy_ns = (int64_t)(user + nice + system + irq + softirq) * procfs_tick_ns();
    return true;
}

int64_t proc_cpus(const char *proc)
{
    size_t size = (size_t)1024 * 1024;
    char *text = mem_alloc(size);
    int64_t cpus = 0;
    if (read_stat(proc, text, size) > 0)
        for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
            line += *line == '\n';
            cpus += strncmp(line, "cpu", 3) == 0 && line[3] >= '0' && line[3] <= '9';
            if (*line == '\0')
                break;
        }
    free(text);
    return cpus;
}
