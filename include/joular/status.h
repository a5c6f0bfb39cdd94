/* Statuses, and the one place where an error is put into words. */
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
    STATUS_MISSING,     /* sound input that lacks what was asked for */
};

/* Owned by the caller, zeroed before use. The first error set stays: later ones are consequences. */
struct error {
    enum status status;
    char file[256];  /* as the user named it, or empty */
    int chunk;       /* 1 for the first chunk of the file, 0 where none */
    int64_t at;      /* byte offset in the file, -1 where none */
    int64_t line;    /* line of a text file, 0 where none */
    char text[1024]; /* one line, control characters escaped when it is set */
};

#define WARN_UNUSED __attribute__((warn_unused_result))
#define PRINTF_LIKE(at, first) __attribute__((__format__(printf, at, first)))

/* Sets status and text if ERR has none yet; returns STATUS, so that `return error_set(...)` reads well. */
enum status error_set(struct error *err, enum status status, const char *format, ...) PRINTF_LIKE(3, 4);

/* Say where the error just set was, if that is not said yet. */
void error_in_file(struct error *err, const char *file);
void error_at(struct error *err, int chunk, int64_t at);
void error_on_line(struct error *err, int64_t line);

/* Copies SOURCE with control characters, bidi controls and bytes that are no UTF-8 replaced, so that it can go to a
 * terminal; ends with a NUL, cuts at SIZE on a character's boundary. Returns the bytes written, without the NUL. */
size_t text_printable(char *buffer, size_t size, const char *source, size_t length);

/* "run.jfr: chunk 3 at byte 8256: text", one line without a newline. Returns BUFFER. */
const char *error_words(const struct error *err, char *buffer, size_t size);

#endif
