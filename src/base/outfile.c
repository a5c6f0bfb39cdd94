/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths, and writing files. */
#include "joular/file.h"

#include "joular/leave.h"
#include "joular/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

char *path_in(const char *folder, const char *name)
{
    size_t room = strlen(folder) + strlen(name) + 2;
    char *path = mem_alloc(room);
    snprintf(path, room, "%s/%s", folder, name);
    return path;
}

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

char *path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? mem_strdup(".") : mem_strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

int file_folder(const char *path, const char **name)
{
    char *folder = path_folder(path);
    int fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    *name = path_name(path);
    return fd;
}

enum status outdir_open(const char *path, struct outdir *dir, struct error *err)
{
    *dir = (struct outdir){.fd = -1};
    char *copy = mem_strdup(path);
    for (char *p = copy + 1; copy[0] != '\0'; p++) {
        if (*p == '/' || *p == '\0') {
            char kept = *p;
            *p = '\0';
            if (mkdir(copy, 0777) != 0 && errno != EEXIST) {
                int why = errno;
                struct stat st;
                if (stat(copy, &st) != 0 || !S_ISDIR(st.st_mode)) {
                    error_set(err, STATUS_IO, "cannot be made: %s", strerror(why));
                    error_in_file(err, copy);
                    free(copy);
                    return STATUS_IO;
                }
            }
            *p = kept;
            if (kept == '\0')
                break;
        }
    }
    free(copy);
    dir->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir->fd < 0) {
        error_set(err, STATUS_IO, "cannot be used as the result folder: %s", strerror(errno));
        error_in_file(err, path);
        return STATUS_IO;
    }
    dir->path = mem_strdup(path);
    return STATUS_OK;
}

enum status outdir_open_in(const struct outdir *parent, const char *name, struct outdir *dir, struct error *err)
{
    struct stat st;
    *dir = (struct outdir){.fd = -1, .path = path_in(parent->path, name)};
    if (mkdirat(parent->fd, name, 0777) != 0 && errno != EEXIST)
        error_set(err, STATUS_IO, "cannot be made: %s", strerror(errno));
    else if (fstatat(parent->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode))
        error_set(err, STATUS_INVALID, "is a symbolic link, and results are not written through one");
    else if ((dir->fd = openat(parent->fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) < 0)
        error_set(err, STATUS_IO, "cannot be used as the result folder: %s", strerror(errno));
    if (dir->fd >= 0)
        return STATUS_OK;
    error_in_file(err, dir->path);
    outdir_close(dir);
    return err->status;
}

void outdir_close(struct outdir *dir)
{
    if (dir->fd >= 0)
        close(dir->fd);
    free(dir->path);
    *dir = (struct outdir){.fd = -1};
}

static enum status refuse_link(int dir_fd, const char *name, struct error *err)
{
    struct stat st;
    if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? STATUS_OK : error_set(err, STATUS_IO, "cannot be looked at: %s", strerror(errno));
    if (S_ISLNK(st.st_mode))
        return error_set(err, STATUS_INVALID, "is a symbolic link, and results are not written through one");
    if (!S_ISREG(st.st_mode))
        return error_set(err, STATUS_INVALID, "is not a regular file");
    return STATUS_OK;
}

/* Copies the existing file, if any, to the beginning of the new one. */
static enum status begin_with_old(struct outfile *file, const char *first_line, struct error *err)
{
    int old = openat(file->dir_fd, file->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (old < 0)
        return errno == ENOENT ? STATUS_OK : error_set(err, STATUS_IO, "cannot be opened: %s", strerror(errno));
    struct file_bytes bytes = {0};
    enum status status = file_read_to_end(old, &bytes, err);
    size_t head = strlen(first_line);
    if (status != STATUS_OK || bytes.length == 0) {
        /* an empty file gets its header like a new one */
    } else if (bytes.length <= head || memcmp(bytes.bytes, first_line, head) != 0 || bytes.bytes[head] != '\n') {
        status = error_set(err, STATUS_INVALID, "does not begin with the header \"%s\": nothing is appended to it",
                           first_line);
    } else if (bytes.bytes[bytes.length - 1] != '\n') {
        status = error_set(err, STATUS_TRUNCATED, "ends in the middle of a line: nothing is appended to it");
    } else {
        fwrite(bytes.bytes, 1, bytes.length, file->stream);
        file->fresh = false;
    }
    file_release(&bytes);
    close(old);
    return status;
}

/* Large enough for the kernel to keep what is written in large pieces of page cache. */
#define OUTFILE_BUFFER ((size_t)128 * 1024)

static ssize_t sink_write(void *cookie, const char *bytes, size_t length)
{
    struct outfile_sink *sink = cookie;
    size_t done = 0;
    while (done < length) {
        ssize_t wrote = write(sink->fd, bytes + done, length - done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0) {
            if (sink->error == 0)
                sink->error = errno;
            return done != 0 ? (ssize_t)done : 0; /* 0 tells stdio that there was an error */
        }
        done += (size_t)wrote;
    }
    return (ssize_t)done;
}

static int sink_close(void *cookie)
{
    struct outfile_sink *sink = cookie;
    if (close(sink->fd) == 0)
        return 0;
    if (sink->error == 0)
        sink->error = errno;
    return -1;
}

static FILE *open_sink(int fd, struct outfile_sink **sink)
{
    *sink = mem_zero(1, sizeof **sink);
    (*sink)->fd = fd;
    FILE *stream = fopencookie(*sink, "w", (cookie_io_functions_t){.write = sink_write, .close = sink_close});
    return stream != NULL ? stream : mem_resize(NULL, SIZE_MAX, 2); /* fails: the program ends as out of memory */
}

enum status outfile_begin(const struct outdir *dir, const char *name, const char *append, struct outfile *file,
                          struct error *err)
{
    *file = (struct outfile){.dir_fd = dir->fd, .fresh = true};
    enum status status = refuse_link(dir->fd, name, err);
    if (status == STATUS_OK) {
        size_t room = strlen(name) + 32;
        file->name = mem_strdup(name);
        file->temporary = mem_alloc(room);
        snprintf(file->temporary, room, ".%s.%ld.tmp", name, (long)getpid());
        leftover_note(dir->fd, file->temporary, false);
        unlinkat(dir->fd, file->temporary, 0);
        int fd = openat(dir->fd, file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0)
            status = error_set(err, STATUS_IO, "cannot be made: %s", strerror(errno));
        else
            file->stream = open_sink(fd, &file->sink);
    }
    if (file->stream != NULL) {
        file->buffer = mem_alloc(OUTFILE_BUFFER); /* with NULL, glibc would keep its own small buffer */
        setvbuf(file->stream, file->buffer, _IOFBF, OUTFILE_BUFFER);
        if (append != NULL)
            status = begin_with_old(file, append, err);
    }
    if (status != STATUS_OK) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", dir->path, name);
        error_in_file(err, path);
        outfile_abandon(file);
    }
    return status;
}

enum status outfile_finish(struct outfile *file, struct error *err)
{
    bool failed = ferror(file->stream) != 0;
    failed |= fclose(file->stream) != 0;
    file->stream = NULL;
    free(file->buffer);
    file->buffer = NULL;
    if (failed || file->sink->error != 0) {
        error_set(err, STATUS_IO, "cannot be written: %s", strerror(file->sink->error != 0 ? file->sink->error : EIO));
        error_in_file(err, file->name);
        return STATUS_IO;
    }
    return STATUS_OK;
}

enum status outfile_commit(struct outfile *file, struct error *err)
{
    enum status status = refuse_link(file->dir_fd, file->name, err);
    if (status == STATUS_OK && renameat(file->dir_fd, file->temporary, file->dir_fd, file->name) != 0)
        status = error_set(err, STATUS_IO, "cannot be renamed into place: %s", strerror(errno));
    if (status != STATUS_OK) {
        error_in_file(err, file->name);
        return status;
    }
    leftover_forget(file->temporary);
    free(file->temporary);
    file->temporary = NULL;
    outfile_abandon(file);
    return STATUS_OK;
}

void outfile_abandon(struct outfile *file)
{
    if (file->stream != NULL)
        fclose(file->stream);
    if (file->temporary != NULL)
        unlinkat(file->dir_fd, file->temporary, 0);
    leftover_forget(file->temporary);
    free(file->buffer);
    free(file->sink);
    free(file->temporary);
    free(file->name);
    *file = (struct outfile){.dir_fd = -1};
}

enum status outfile_write(const char *path, void (*put)(const void *context, FILE *out), const void *context,
                          struct error *err)
{
    char *folder = path_folder(path);
    struct outdir dir;
    struct outfile file = {.dir_fd = -1};
    enum status status = outdir_open(folder, &dir, err);
    if (status == STATUS_OK)
        status = outfile_begin(&dir, path_name(path), NULL, &file, err);
    if (file.stream != NULL) {
        put(context, file.stream);
        status = outfile_finish(&file, err);
    }
    if (status == STATUS_OK)
        status = outfile_commit(&file, err);
    outfile_abandon(&file);
    outdir_close(&dir);
    free(folder);
    return status;
}
