/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Status codes, and errors with their words. */
#ifndef JOULAR_STATUS_H
#define JOULAR_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum status {
    STATUS_OK = 0,
    STATUS_IO,          /* the system refused: open, read, write, rename */
    STATUS_TRUNCATED,   /* the bytes end before what they announce */
    STATUS_INVALID,     /* the bytes contradict their format */
    STATUS_UNSUPPORTED, /* a format or version that is known, but not read here */
    STATUS_MISSING,     /* valid input without what was asked for */
};

/* Owned by the caller, zeroed before use. The first error stays: later ones are consequences of it. */
struct error {
    enum status status;
    char file[256];  /* as the user named it, or empty */
    int chunk;       /* from 1, the first chunk of the file; 0 for none */
    int64_t at;      /* byte offset in the file; -1 for none */
    int64_t line;    /* line of a text file; 0 for none */
    char text[1024]; /* one line, control characters escaped when it is set */
};

#define WARN_UNUSED __attribute__((warn_unused_result))
#define PRINTF_LIKE(at, first) __attribute__((__format__(printf, at, first)))

/* Sets status and text if ERR has none yet. Returns STATUS, for `return error_set(...)`. */
enum status error_set(struct error *err, enum status status, const char *format, ...) PRINTF_LIKE(3, 4);

/* Add the place of the error, if ERR has an error and no such place yet. */
void error_in_file(struct error *err, const char *file);
void error_at(struct error *err, int chunk, int64_t at);
void error_on_line(struct error *err, int64_t line);

/* Copies SOURCE in a form that is safe for a terminal: control characters, bidi controls and bytes that are not UTF-8
 * are replaced. Ends with a NUL; what does not fit into SIZE is left out, by whole characters. Returns the number of
 * bytes written, without the NUL. */
size_t text_printable(char *buffer, size_t size, const char *source, size_t length);

/* "run.jfr: chunk 3 at byte 8256: text", one line without a newline. Returns BUFFER. */
const char *error_words(const struct error *err, char *buffer, size_t size);

#endif
