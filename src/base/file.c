#include "joular/file.h"
#include "joular/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status read_stream(int fd, struct file_bytes *file, struct error *err)
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

enum status file_read(const char *path, struct file_bytes *file, struct error *err)
{
    struct stat st;
    *file = (struct file_bytes){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0) {
        error_set(err, STATUS_IO, "cannot be opened: %s", strerror(errno));
        if (fd >= 0)
            close(fd);
        error_in_file(err, path);
        return STATUS_IO;
    }
    enum status status = STATUS_OK;
    if (S_ISDIR(st.st_mode)) {
        status = error_set(err, STATUS_INVALID, "is a folder");
    } else if (S_ISREG(st.st_mode) && st.st_size > 0) {
        void *map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (map == MAP_FAILED)
            status = read_stream(fd, file, err);
        else
            *file = (struct file_bytes){.bytes = map, .length = (size_t)st.st_size, .mapped = true};
    } else {
        status = read_stream(fd, file, err);
    }
    close(fd);
    error_in_file(err, path);
    return status;
}

void file_release(struct file_bytes *file)
{
    if (file->mapped)
        munmap((void *)(uintptr_t)file->bytes, file->length);
    else
        free((void *)(uintptr_t)file->bytes);
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
    size_t room = strlen(parent->path) + strlen(name) + 2;
    *dir = (struct outdir){.fd = -1, .path = mem_alloc(room)};
    snprintf(dir->path, room, "%s/%s", parent->path, name);
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

/* Every open outfile, so that outfile_abandon_all can find it. */
#define OPEN_MAX_FILES 1024
static struct outfile *open_files[OPEN_MAX_FILES];
static pthread_mutex_t open_files_lock = PTHREAD_MUTEX_INITIALIZER;

static void register_file(struct outfile *file, struct outfile *replace)
{
    pthread_mutex_lock(&open_files_lock);
    for (size_t i = 0; i < OPEN_MAX_FILES; i++) {
        if (open_files[i] == replace) {
            open_files[i] = file;
            break;
        }
    }
    pthread_mutex_unlock(&open_files_lock);
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

/* Copies what is there into the new file. */
static enum status begin_with_old(struct outfile *file, const char *first_line, struct error *err)
{
    int old = openat(file->dir_fd, file->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (old < 0)
        return errno == ENOENT ? STATUS_OK : error_set(err, STATUS_IO, "cannot be opened: %s", strerror(errno));
    struct file_bytes bytes = {0};
    enum status status = read_stream(old, &bytes, err);
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
            return done != 0 ? (ssize_t)done : 0; /* 0 is stdio's word for an error here */
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
    return stream != NULL ? stream : mem_resize(NULL, SIZE_MAX, 2); /* which says that memory ended */
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
        unlinkat(dir->fd, file->temporary, 0);
        int fd = openat(dir->fd, file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0)
            status = error_set(err, STATUS_IO, "cannot be made: %s", strerror(errno));
        else
            file->stream = open_sink(fd, &file->sink);
    }
    if (file->stream != NULL) {
        register_file(file, NULL);
        setvbuf(file->stream, NULL, _IOFBF, (size_t)256 * 1024);
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
    register_file(NULL, file);
    free(file->sink);
    free(file->temporary);
    free(file->name);
    *file = (struct outfile){.dir_fd = -1};
}

void outfile_abandon_all(void)
{
    for (size_t i = 0; i < OPEN_MAX_FILES; i++)
        if (open_files[i] != NULL && open_files[i]->temporary != NULL)
            unlinkat(open_files[i]->dir_fd, open_files[i]->temporary, 0);
}
