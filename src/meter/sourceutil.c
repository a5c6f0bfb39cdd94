/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sourceutil.h"

#include "joular/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

long source_read_file(const char *path, char *buffer, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return -errno;
    struct stat st;
    long result = 0;
    if (fstat(fd, &st) != 0)
        result = -errno;
    else if (!S_ISREG(st.st_mode))
        result = S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL;
    size_t used = 0;
    while (result == 0 && used < size) {
        ssize_t got = read(fd, buffer + used, size - used);
        if (got > 0)
            used += (size_t)got;
        else if (got == 0)
            break;
        else if (errno != EINTR)
            result = -errno;
    }
    close(fd);
    return result != 0 ? result : (long)used;
}

const char *source_why(long error)
{
    return error == -EINVAL ? "it is no regular file" : strerror((int)-error);
}

static bool file_contains(const char *proc, const char *name, const char *word)
{
    char text[16384], *path = path_in(proc, name);
    long length = source_read_file(path, text, sizeof text);
    free(path);
    return length > 0 && memmem(text, (size_t)length, word, strlen(word)) != NULL;
}

const char *source_machine_kind(const char *proc)
{
    static const char *const container_groups[] = {"docker", "kubepods", "containerd", "libpod", "/lxc"};
    if (proc == NULL)
        return NULL;
    if (file_contains(proc, "sys/kernel/osrelease", "icrosoft")) /* written with m or M */
        return "WSL2";
    bool container =
        file_contains(proc, "1/environ", "container=") || file_contains(proc, "self/mounts", "overlay / overlay ");
    for (size_t i = 0; i < sizeof container_groups / sizeof container_groups[0]; i++)
        container = container || file_contains(proc, "1/cgroup", container_groups[i]);
    if (container)
        return "a container";
    return file_contains(proc, "cpuinfo", " hypervisor") ? "a virtual machine" : NULL;
}
