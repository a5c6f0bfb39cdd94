/* Whole files in, and result files out. */
#ifndef JOULAR_FILE_H
#define JOULAR_FILE_H

#include "joular/status.h"

#include <stdio.h>

/* The bytes of a file: mapped where it is a regular one, else (a pipe) read to its end. A mapped file that becomes
 * shorter is a SIGBUS when its bytes are read: see leave.h. */
struct file_bytes {
    const uint8_t *bytes;
    size_t length;
    bool mapped;
    bool cut; /* compressed input that ended early: these are the bytes up to its last whole block */
};

/* STATUS_IO also for a pipe that nobody writes into within five seconds. */
enum status file_read(const char *path, struct file_bytes *file, struct error *err) WARN_UNUSED;
enum status file_read_to_end(int fd, struct file_bytes *file, struct error *err) WARN_UNUSED; /* from where it is */
void file_release(struct file_bytes *file);
/* For a signal handler: the name, fit to be shown, of the file that is mapped at ADDRESS, or NULL. */
const char *file_mapped_at(const void *address);

/* Gives mapped pages before BYTES + END back to the system; they can still be read again. */
void file_drop_pages(const struct file_bytes *file, size_t start, size_t end);

/* Unpacks zstd (RFC 8878) and gzip (RFC 1952), told by their first bytes, as often as one lies in the other. STATUS_OK
 * with FILE as it was where it is neither; lz4 and zip, and gzip in a build without zlib, are STATUS_UNSUPPORTED. */
enum status file_unpack(struct file_bytes *file, struct error *err) WARN_UNUSED;

char *path_in(const char *folder, const char *name); /* "FOLDER/NAME"; to be freed */
const char *path_name(const char *path);             /* what stands behind its last slash */
char *path_folder(const char *path);                 /* what stands before that, "." for nothing; to be freed */

/* The folder that PATH lies in, open for the calls that end in at(); *NAME is what stands behind its last slash. -1
 * with errno. Its path may hold links, what is made in it is found there again wherever the path leads by then. */
int file_folder(const char *path, const char **name);

/* A result folder. Its path may hold links; the files in it are never reached through one. */
struct outdir {
    int fd;
    char *path;
};
enum status outdir_open(const char *path, struct outdir *dir, struct error *err) WARN_UNUSED; /* made where missing */
/* The folder NAME, one path component, in PARENT; made where missing, never reached through a link. */
enum status outdir_open_in(const struct outdir *parent, const char *name, struct outdir *dir,
                           struct error *err) WARN_UNUSED;
void outdir_close(struct outdir *dir);

/* A file that is written beside its name and takes that name at outfile_commit. With APPEND it begins with what is
 * there already, which must begin with the line APPEND. Mode 0666 less the umask. Until then it is a leftover
 * (leave.h). */
struct outfile_sink {
    int fd, error; /* stdio forgets why a write failed by the time its buffer is looked at; this remembers */
};
struct outfile {
    FILE *stream;
    int dir_fd;
    char *name, *temporary;
    char *buffer;              /* of the stream */
    struct outfile_sink *sink; /* where the stream's bytes go, and why they did not */
    bool fresh;                /* nothing was there to append to */
};
enum status outfile_begin(const struct outdir *dir, const char *name, const char *append, struct outfile *file,
                          struct error *err) WARN_UNUSED;
/* Flushes and closes; after it the file needs only its name. Write errors show here at the latest. */
enum status outfile_finish(struct outfile *file, struct error *err) WARN_UNUSED;
enum status outfile_commit(struct outfile *file, struct error *err) WARN_UNUSED;
void outfile_abandon(struct outfile *file); /* after commit: nothing */
/* All of the above for the file PATH and what PUT writes; its folder is made where missing. */
enum status outfile_write(const char *path, void (*put)(const void *context, FILE *out), const void *context,
                          struct error *err) WARN_UNUSED;

#endif
