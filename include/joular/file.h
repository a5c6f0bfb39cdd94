/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading whole files, and writing result files. */
#ifndef JOULAR_FILE_H
#define JOULAR_FILE_H

#include "joular/status.h"

#include <stdio.h>

/* The bytes of a file: a regular file is mapped, anything else (a pipe) is read to its end. If a mapped file becomes
 * shorter, reading its bytes raises SIGBUS: see leave.h. */
struct file_bytes {
    const uint8_t *bytes;
    size_t length;
    bool mapped;
    bool truncated; /* compressed input that ended early: these are the bytes up to its last whole block */
};

/* STATUS_IO, too, for a pipe that nobody writes to within five seconds. */
enum status file_read(const char *path, struct file_bytes *file, struct error *err) WARN_UNUSED;
/* Reads from the current position of FD to its end. */
enum status file_read_to_end(int fd, struct file_bytes *file, struct error *err) WARN_UNUSED;
void file_release(struct file_bytes *file);
/* For a signal handler: the name, printable, of the file that is mapped at ADDRESS, or NULL. */
const char *file_mapped_at(const void *address);

/* Gives the mapped pages from offset START to END back to the system, both rounded down to whole pages. They are read
 * from the file again when they are used. */
void file_drop_pages(const struct file_bytes *file, size_t start, size_t end);

/* Unpacks zstd (RFC 8878) and gzip (RFC 1952), recognised by their first bytes, also if one is inside the other, up to
 * four deep. Any other FILE is left as it is, with STATUS_OK; but lz4 and zip, and gzip in a build without zlib, are
 * STATUS_UNSUPPORTED. */
enum status file_unpack(struct file_bytes *file, struct error *err) WARN_UNUSED;

char *path_in(const char *folder, const char *name); /* "FOLDER/NAME"; to be freed */
const char *path_name(const char *path);             /* the part after the last slash */
char *path_folder(const char *path);                 /* the part before it, "." if there is none; to be freed */

/* Opens the folder that PATH is in, for openat() and the like; *NAME is set to the part after the last slash. Returns a
 * descriptor, or -1 with errno. The folder's path may contain symbolic links: later calls with the descriptor use the
 * same folder, wherever the path leads by then. */
int file_folder(const char *path, const char **name);

/* A result folder. Its path may contain symbolic links; files in it are never reached through one. */
struct outdir {
    int fd;
    char *path;
};
enum status outdir_open(const char *path, struct outdir *dir, struct error *err) WARN_UNUSED; /* made if missing */
/* The folder NAME, one path component, in PARENT; made if missing, never reached through a symbolic link. */
enum status outdir_open_in(const struct outdir *parent, const char *name, struct outdir *dir,
                           struct error *err) WARN_UNUSED;
void outdir_close(struct outdir *dir);

/* A file that is written under a temporary name, and renamed to its own by outfile_commit. Until then it is a leftover
 * (leave.h). With APPEND, it begins with the content of the existing file, whose first line must be APPEND. Its mode is
 * 0666 less the umask. */
struct outfile_sink {
    int fd, error; /* errno of the first failed write or close, which stdio does not keep; 0 for none */
};
struct outfile {
    FILE *stream;
    int dir_fd;
    char *name, *temporary;
    char *buffer;              /* of the stream */
    struct outfile_sink *sink; /* where the stream writes to */
    bool fresh;                /* there was no content to append to */
};
enum status outfile_begin(const struct outdir *dir, const char *name, const char *append, struct outfile *file,
                          struct error *err) WARN_UNUSED;
/* Flushes and closes the stream; then only the renaming is left. Write errors are returned here at the latest. */
enum status outfile_finish(struct outfile *file, struct error *err) WARN_UNUSED;
enum status outfile_commit(struct outfile *file, struct error *err) WARN_UNUSED;
void outfile_abandon(struct outfile *file); /* removes the file; does nothing after a commit */
/* Writes the file PATH, from begin to commit, with what PUT writes; its folder is made if missing. */
enum status outfile_write(const char *path, void (*put)(const void *context, FILE *out), const void *context,
                          struct error *err) WARN_UNUSED;

#endif
