/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The power log, written cycle by cycle (its layout: logread.c).
 *
 * A compressed log is one zstd frame without a checksum, and a block ends with each cycle. Blocks refer to the content
 * of earlier blocks, so after a failed write the frame cannot go on without the lost block. The next cycle that can be
 * written then ends the frame with an empty last block, 01 00 00 (RFC 8878, 3.1.1.2), and begins a new one. */
#include "joular/logwriter.h"

#include "joular/file.h"
#include "joular/leave.h"
#include "joular/logformat.h"
#include "logsync.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#define ZSTD_LEVEL 1
#define ZSTD_WINDOW_LOG 16 /* zstd then takes half a MiB of memory in all, beside the program that is measured */

static const char frame_end[] = {1, 0, 0};

struct power_writer {
    char *path;
    int folder, fd;
    const char *name; /* in folder */
    bool regular;
    off_t end;             /* of the last cycle that was written whole */
    struct log_sync *sync; /* NULL for none */
    VEC(char) text;        /* of the current cycle */
    VEC(char) packed;      /* text, compressed */
    ZSTD_CCtx *zstd;       /* NULL if the log is not compressed */
    bool frame_open;       /* a frame in the file is not ended yet */
    bool frame_lost;       /* the compressor's history has blocks that are not in the file */
    bool unfinished;       /* the file is to be removed: see set_unfinished */
    bool failed;           /* a write failed, and the caller got an error for it */
    uint64_t lost;         /* cycles that could not be written */
};

static void put_bytes(struct power_writer *w, const char *bytes, size_t length)
{
    vec_reserve(&w->text, length);
    memcpy(w->text.v + w->text.n, bytes, length);
    w->text.n += length;
}

static void PRINTF_LIKE(2, 3) put_format(struct power_writer *w, const char *format, ...)
{
    va_list args;
    vec_reserve(&w->text, 256); /* enough for our own words and numbers; names go to put_name */
    va_start(args, format);
    int length = vsnprintf(w->text.v + w->text.n, 256, format, args);
    va_end(args);
    if (length > 0)
        w->text.n += (size_t)length < 256 ? (size_t)length : 255;
}

/* A name as a CSV field without a newline: control characters and bytes that are not UTF-8 are replaced. */
static void put_name(struct power_writer *w, const char *name)
{
    size_t length = strlen(name), room = length * 4 + 1;
    char small[1024], *clean = room <= sizeof small ? small : mem_alloc(room);
    size_t n = text_printable(clean, room, name, length);
    bool quoted = n != strcspn(clean, ",\"");
    if (quoted)
        put_bytes(w, "\"", 1);
    for (size_t i = 0; i < n; i++) {
        if (clean[i] == '"')
            put_bytes(w, "\"", 1);
        put_bytes(w, clean + i, 1);
    }
    if (quoted)
        put_bytes(w, "\"", 1);
    if (clean != small)
        free(clean);
}

/* Compresses LENGTH bytes into whole blocks and appends them to w->packed. */
static bool pack(struct power_writer *w, const char *bytes, size_t length, ZSTD_EndDirective how)
{
    ZSTD_inBuffer in = {bytes, length, 0};
    for (size_t left = 1; left != 0;) {
        vec_reserve(&w->packed, ZSTD_compressBound(length) + 64);
        ZSTD_outBuffer out = {w->packed.v + w->packed.n, w->packed.cap - w->packed.n, 0};
        left = ZSTD_compressStream2(w->zstd, &out, &in, how);
        if (ZSTD_isError(left))
            return false;
        w->packed.n += out.pos;
    }
    return true;
}

/* Returns 0 or an errno. It is one write, unless the system takes only a part of it. */
static int write_all(int fd, const char *bytes, size_t length)
{
    while (length != 0) {
        ssize_t done = write(fd, bytes, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return errno;
        if (done == 0)
            return EIO;
        bytes += done;
        length -= (size_t)done;
    }
    return 0;
}

/* Writes all bytes or, to a regular file, none: what a failed write left there is cut off. Returns 0 or an errno. */
static int write_whole(struct power_writer *w, const char *bytes, size_t length)
{
    int why = write_all(w->fd, bytes, length);
    if (why == 0)
        w->end += (off_t)length;
    else if (w->regular && (ftruncate(w->fd, w->end) != 0 || lseek(w->fd, w->end, SEEK_SET) < 0))
        why = errno;
    return why;
}

/* Writes the current cycle. Returns 0 or an errno. */
static int write_cycle(struct power_writer *w)
{
    if (w->zstd == NULL)
        return write_whole(w, w->text.v, w->text.n);
    w->packed.n = 0;
    if (w->frame_lost) {
        ZSTD_CCtx_reset(w->zstd, ZSTD_reset_session_only);
        if (w->frame_open) {
            vec_reserve(&w->packed, sizeof frame_end);
            memcpy(w->packed.v, frame_end, sizeof frame_end);
            w->packed.n = sizeof frame_end;
        }
    }
    w->frame_lost = true;
    int why = pack(w, w->text.v, w->text.n, ZSTD_e_flush) ? write_whole(w, w->packed.v, w->packed.n) : EIO;
    w->frame_lost = why != 0;
    w->frame_open = w->frame_open || why == 0;
    return why;
}

#define OPEN_FLAGS (O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)

/* A file that we made or emptied is unfinished until it has its first lines. An unfinished file is removed by
 * writer_free, or when the program ends early. */
static void set_unfinished(struct power_writer *w, bool unfinished)
{
    if (unfinished && !w->unfinished)
        leftover_note(w->folder, w->name, false);
    else if (!unfinished)
        leftover_forget(w->name);
    w->unfinished = unfinished;
}

static bool make_or_open(struct power_writer *w)
{
    w->folder = file_folder(w->path, &w->name);
    if (w->folder < 0)
        return false;
    w->fd = openat(w->folder, w->name, OPEN_FLAGS | O_CREAT | O_EXCL, 0666);
    if (w->fd >= 0)
        set_unfinished(w, true);
    else if (errno == EEXIST)
        w->fd = openat(w->folder, w->name, OPEN_FLAGS);
    return w->fd >= 0;
}

static enum status open_file(struct power_writer *w, struct error *err)
{
    struct stat st;
    if (!make_or_open(w))
        return errno == ELOOP ? error_set(err, STATUS_INVALID, "is a symbolic link, and is not written through")
                              : error_set(err, STATUS_IO, "cannot be made: %s", strerror(errno));
    if (fstat(w->fd, &st) != 0)
        return error_set(err, STATUS_IO, "cannot be looked at: %s", strerror(errno));
    if (!S_ISREG(st.st_mode) && !S_ISCHR(st.st_mode))
        return error_set(err, STATUS_INVALID, "is no regular file");
    w->regular = S_ISREG(st.st_mode);
    if (w->regular && st.st_nlink > 1)
        return error_set(err, STATUS_INVALID, "has a second name (a hard link), and is not emptied");
    if (w->regular && flock(w->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return error_set(err, STATUS_INVALID, "is being written by another run");
    if (w->regular && ftruncate(w->fd, 0) != 0)
        return error_set(err, STATUS_IO, "cannot be emptied: %s", strerror(errno));
    set_unfinished(w, w->regular);
    return STATUS_OK;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static enum status begin_log(struct power_writer *w, const char *facts, struct error *err)
{
    if (ends_with(w->path, ".zst")) {
        w->zstd = ZSTD_createCCtx();
        if (w->zstd == NULL || ZSTD_isError(ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL)) ||
            ZSTD_isError(ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_windowLog, ZSTD_WINDOW_LOG)))
            return error_set(err, STATUS_IO, "zstd cannot be set up");
    }
    put_format(w, POWER_LOG_MAGIC " 1\n#");
    for (const char *p = facts; *p != '\0'; p++)
        put_bytes(w, *p == '\n' || *p == '\r' ? " " : p,
                  1); /* JSON strings contain no newlines, so this is white space */
    put_bytes(w, "\n", 1);
    int why = write_cycle(w);
    w->text.n = 0;
    return why == 0 ? STATUS_OK : error_set(err, STATUS_IO, "cannot be written: %s", strerror(why));
}

static void writer_free(struct power_writer *w)
{
    if (w->unfinished)
        unlinkat(w->folder, w->name, 0);
    set_unfinished(w, false);
    if (w->fd >= 0)
        close(w->fd);
    if (w->folder >= 0)
        close(w->folder);
    ZSTD_freeCCtx(w->zstd);
    vec_free(&w->text);
    vec_free(&w->packed);
    free(w->path);
    free(w);
}

enum status power_writer_open(const char *path, const char *facts, struct power_writer **writer, struct error *err)
{
    struct power_writer *w = mem_zero(1, sizeof *w);
    *writer = NULL;
    w->path = mem_strdup(path);
    w->fd = w->folder = -1;
    enum status status = open_file(w, err);
    if (status == STATUS_OK)
        status = begin_log(w, facts, err);
    if (status == STATUS_OK)
        set_unfinished(w, false);
    if (status == STATUS_OK && w->regular)
        w->sync = log_sync_start(w->fd);
    if (status != STATUS_OK) {
        error_in_file(err, path);
        writer_free(w);
        return status;
    }
    *writer = w;
    return STATUS_OK;
}

void power_writer_domain(struct power_writer *w, const char *name, uint64_t energy_uj)
{
    if (energy_uj == UINT64_MAX)
        return;
    put_format(w, "domain,");
    put_name(w, name);
    put_format(w, ",%" PRIu64 "\n", energy_uj);
}

static void put_ns_id(struct power_writer *w, int64_t id, int64_t ns_id)
{
    if (ns_id > 0 && ns_id != id)
        put_format(w, ",%" PRId64 "\n", ns_id);
    else
        put_format(w, "\n");
}

void power_writer_process(struct power_writer *w, int64_t pid, int64_t cpu_ns, const char *name, int64_t ns_pid)
{
    put_format(w, "process,%" PRId64 ",%" PRId64 ",", pid, cpu_ns);
    put_name(w, name);
    put_ns_id(w, pid, ns_pid);
}

void power_writer_thread(struct power_writer *w, int64_t pid, int64_t tid, int64_t cpu_ns, const char *name,
                         int64_t ns_tid)
{
    put_format(w, "thread,%" PRId64 ",%" PRId64 ",%" PRId64 ",", pid, tid, cpu_ns);
    put_name(w, name);
    put_ns_id(w, tid, ns_tid);
}

enum status power_writer_cycle(struct power_writer *w, int64_t realtime_ns, int64_t monotonic_ns, int64_t interval_ns,
                               double power_w, int64_t busy_ns, const char *status, struct error *err)
{
    put_format(w, "cycle,%" PRId64 ",%" PRId64 ",%" PRId64 ",", realtime_ns, monotonic_ns, interval_ns);
    if (isfinite(power_w) && power_w >= 0 && power_w < 1e15)
        put_format(w, "%.6f", power_w);
    put_format(w, ",%" PRId64 ",%s\n", busy_ns, status);
    int why = write_cycle(w);
    w->text.n = 0;
    w->lost += why != 0;
    if (why == 0)
        why = log_sync_ask(w->sync);
    if (why == 0)
        return STATUS_OK;
    if (w->failed)
        return STATUS_OK;
    w->failed = true;
    error_set(err, STATUS_IO, "cannot be written: %s; cycles are missing from it until it can", strerror(why));
    error_in_file(err, w->path);
    return STATUS_IO;
}

uint64_t power_writer_lost(const struct power_writer *w)
{
    return w->lost;
}

void power_writer_discard(struct power_writer *w)
{
    if (w == NULL)
        return;
    log_sync_end(w->sync);
    set_unfinished(w, w->regular);
    writer_free(w);
}

enum status power_writer_close(struct power_writer *w, struct error *err)
{
    int why = 0;
    if (w == NULL)
        return STATUS_OK;
    if (w->frame_open)
        why = write_whole(w, frame_end, sizeof frame_end);
    log_sync_ask(w->sync);
    int late = log_sync_end(w->sync);
    why = why != 0 ? why : late;
    if (close(w->fd) != 0 && why == 0)
        why = errno;
    w->fd = -1;
    if (why != 0 && !w->failed) {
        error_set(err, STATUS_IO, "cannot be written: %s", strerror(why));
        error_in_file(err, w->path);
    } else {
        why = 0;
    }
    writer_free(w);
    return why == 0 ? STATUS_OK : STATUS_IO;
}
