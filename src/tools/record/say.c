/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static bool quiet, verbose;

void say_set(bool is_quiet, bool is_verbose)
{
    quiet = is_quiet;
    verbose = is_verbose;
}

static void write_line(const char *before, const char *format, va_list args) PRINTF_LIKE(2, 0);
static void write_line(const char *before, const char *format, va_list args)
{
    char raw[4096], words[4096 + 64];
    vsnprintf(raw, sizeof raw, format, args);
    size_t length = (size_t)snprintf(words, sizeof words, "%s", before);
    length += text_printable(words + length, sizeof words - length - 1, raw, strlen(raw));
    words[length++] = '\n';
    if (write(STDERR_FILENO, words, length) < 0)
        return; /* there is no other place to report that */
}

void say(enum say_level level, const char *format, ...)
{
    va_list args;
    if ((level != SAY_ERROR && quiet) || (level == SAY_DETAIL && !verbose))
        return;
    va_start(args, format);
    write_line(PROGRAM ": ", format, args);
    va_end(args);
}

void say_plain(const char *format, ...)
{
    va_list args;
    if (quiet)
        return;
    va_start(args, format);
    write_line("", format, args);
    va_end(args);
}

void say_error(const struct error *err)
{
    char words[2048];
    say(SAY_ERROR, "%s", error_words(err, words, sizeof words));
}

void say_texts(const struct notices *texts, size_t *said)
{
    for (; *said < texts->n; ++*said)
        say(SAY_NOTE, "%s", texts->v[*said]);
}

char *shell_quoted(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
    VEC(char) out = {0};
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0')
        return mem_strdup(word);
    vec_push(&out, '\'');
    for (; *word != '\0'; word++) {
        vec_push(&out, *word);
        if (*word == '\'')
            for (const char *more = "\\''"; *more != '\0'; more++)
                vec_push(&out, *more);
    }
    vec_push(&out, '\'');
    vec_push(&out, '\0');
    return out.v;
}
