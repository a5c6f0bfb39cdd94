/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "joular/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum status error_set(struct error *err, enum status status, const char *format, ...)
{
    if (err->status != STATUS_OK)
        return status;
    char raw[sizeof err->text];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(raw, sizeof raw, format, args);
    va_end(args);
    text_printable(err->text, sizeof err->text, raw,
                   length < 0                    ? 0
                   : (size_t)length < sizeof raw ? (size_t)length
                                                 : sizeof raw - 1);
    err->status = status;
    err->at = -1;
    return status;
}

void error_in_file(struct error *err, const char *file)
{
    if (err->status != STATUS_OK && err->file[0] == '\0')
        text_printable(err->file, sizeof err->file, file, strlen(file));
}

void error_at(struct error *err, int chunk, int64_t at)
{
    if (err->status != STATUS_OK && err->at < 0) {
        err->chunk = chunk;
        err->at = at;
    }
}

void error_on_line(struct error *err, int64_t line)
{
    if (err->status != STATUS_OK && err->line == 0)
        err->line = line;
}

const char *error_words(const struct error *err, char *buffer, size_t size)
{
    char where[96] = "";
    if (err->chunk > 0)
        snprintf(where, sizeof where, "chunk %d at byte %lld: ", err->chunk, (long long)err->at);
    else if (err->status != STATUS_OK && err->at >= 0)
        snprintf(where, sizeof where, "at byte %lld: ", (long long)err->at);
    else if (err->line > 0)
        snprintf(where, sizeof where, "line %lld: ", (long long)err->line);
    snprintf(buffer, size, "%s%s%s%s", err->file, err->file[0] != '\0' ? ": " : "", where, err->text);
    return buffer;
}
