/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads files. */
#include "joular/file.h"

#include "joular/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum status file_read_to_end(int fd, struct file_bytes *file, struct error *err)
{
    VEC(uint8_t) bytes = {0};
    for (;;) {
        vec_reserve(&bytes, (size_t)256 * 1024);
        ssize_t got = read(fd, bytes.v + bytes.n, bytes.cap - bytes.n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            vec_free(&bytes);
            return error_set(err, STATUS_IO, "cannot be read: %s", strerror(errno));
        }
        if (got == 0)
            break;
        bytes.n += (size_t)got;
    }
    *file = (struct file_bytes){.bytes = bytes.v, .length = bytes.n};
    return STATUS_OK;
}

/* The mapped files, for a handler of SIGBUS: it may read the list at any time, without the lock. */
struct mapping {
    struct mapping *next;
    const uint8_t *bytes;
    size_t length;
    char name[];
};
static struct mapping *volatile mappings;
static pthread_mutex_t mappings_lock = PTHREAD_MUTEX_INITIALIZER; /* for those that change the list */

static void note_mapping(const struct file_bytes *file, const char *path)
{
    size_t room = strlen(path) * 4 + 1;
    struct mapping *mapping = mem_alloc(sizeof *mapping + room);
    *mapping = (struct mapping){.bytes = file->bytes, .length = file->length};
    text_printable(mapping->name, room, path, strlen(path));
    pthread_mutex_lock(&mappings_lock);
    mapping->next = mappings;
    mappings = mapping;
    pthread_mutex_unlock(&mappings_lock);
}

static void forget_mapping(const struct file_bytes *file)
{
    struct mapping *volatile *at = &mappings;
    pthread_mutex_lock(&mappings_lock);
    while (*at != NULL && (*at)->bytes != file->bytes)
        at = &(*at)->next;
    struct mapping *mapping = *at;
    if (mapping != NULL)
        *at = mapping->next;
    pthread_mutex_unlock(&mappings_lock);
    free(mapping);
}

const char *file_mapped_at(const void *address)
{
    const uint8_t *at = address;
    for (const struct mapping *m = mappings; m != NULL; m = m->next)
        if (at >= m->bytes && (size_t)(at - m->bytes) < m->length)
            return m->name;
    return NULL;
}

static enum status map_file(int fd, uint64_t size, const char *path, struct file_bytes *file, struct error *err)
{
    size_t length = (size_t)size;
    if (length != size)
        return error_set(err, STATUS_UNSUPPORTED, "has %" PRIu64 " bytes, more than a program of %zu bits can read",
                         size, sizeof length * 8);
    void *map = mmap(NULL, length, PROT_READ, MAP_PRIVATE, fd, 0);
    if (map == MAP_FAILED)
        return file_read_to_end(fd, file, err);
    *file = (struct file_bytes){.bytes = map, .length = length, .mapped = true};
    note_mapping(file, path);
    return STATUS_OK;
}

#define WRITER_MS 5000

/* Waits up to WRITER_MS for a writer to come, then reads to the pipe's end, however long that takes. */
static enum status read_pipe(int fd, struct file_bytes *file, struct error *err)
{
    struct pollfd polled = {.fd = fd, .events = POLLIN};
    while (poll(&polled, 1, WRITER_MS) < 0 && errno == EINTR)
        continue;
    fcntl(fd, F_SETFL, 0); /* reads block from now on; if there is no writer they return 0 */
    enum status status = file_read_to_end(fd, file, err);
    if (status == STATUS_OK && file->length == 0 && polled.revents == 0)
        status = error_set(err, STATUS_IO, "is a pipe that nobody writes into");
    return status;
}

static enum status read_opened(int fd, const char *path, struct file_bytes *file, struct error *err)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return error_set(err, STATUS_IO, "cannot be looked at: %s", strerror(errno));
    switch (st.st_mode & S_IFMT) {
    case S_IFREG:
        /* An empty file cannot be mapped, and files of proc(5) show a size of 0 although they are not empty. */
        return st.st_size > 0 ? map_file(fd, (uint64_t)st.st_size, path, file, err) : file_read_to_end(fd, file, err);
    case S_IFIFO:
        return read_pipe(fd, file, err);
    case S_IFDIR:
        return error_set(err, STATUS_INVALID, "is a folder");
    default:
        return error_set(err, STATUS_INVALID, "is neither a file nor a pipe");
    }
}

enum status file_read(const char *path, struct file_bytes *file, struct error *err)
{
    *file = (struct file_bytes){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    enum status status =
        fd >= 0 ? read_opened(fd, path, file, err) : error_set(err, STATUS_IO, "cannot be opened: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
    error_in_file(err, path);
    return status;
}

void file_release(struct file_bytes *file)
{
    if (file->mapped) {
        forget_mapping(file);
        munmap((void *)(uintptr_t)file->bytes, file->length);
    } else {
        free((void *)(uintptr_t)file->bytes);
    }
    *file = (struct file_bytes){0};
}

void file_drop_pages(const struct file_bytes *file, size_t start, size_t end)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    start &= ~(page - 1);
    end &= ~(page - 1);
    if (file->mapped && end > start && end <= file->length)
        madvise((void *)(uintptr_t)(file->bytes + start), end - start, MADV_DONTNEED);
}
