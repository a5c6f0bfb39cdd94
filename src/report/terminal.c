/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "terminal.h"

#include "joular/mem.h"
#include "joular/status.h"

#include <math.h>

int report_decimals(double j)
{
    j = fabs(j);
    return j >= 10000 || j == 0 ? 0 : j >= 100 ? 1 : j >= 1 ? 2 : 4;
}

void report_heading(const struct tty *tty, const char *text, FILE *out)
{
    fprintf(out, "\n%s%s%s\n", tty->colour ? "\033[1m" : "", text, tty->colour ? "\033[0m" : "");
}

void report_put_name(const struct tty *tty, const char *name, size_t length, unsigned used, FILE *out)
{
    size_t room = length * 4 + 8, left = tty->width > used ? tty->width - used : 0, columns = 0;
    char *shown = mem_alloc(room);
    length = text_printable(shown, room, name, length);
    for (size_t i = 0; i < length; i++)
        columns += (shown[i] & 0xc0) != 0x80;
    if (tty->width == 0 || columns <= left || left < 12) {
        fwrite(shown, 1, length, out);
    } else {
        const char *dots = tty->utf8 ? "\u2026" : "..";
        size_t keep = left - (tty->utf8 ? 1 : 2), head = keep / 3, tail = columns - (keep - head), column = 0;
        for (size_t i = 0; i < length; i++) {
            bool starts = (shown[i] & 0xc0) != 0x80;
            if (starts && column == head)
                fputs(dots, out);
            column += starts;
            if (column <= head || column > tail)
                fputc(shown[i], out);
        }
    }
    free(shown);
}

void report_put_wrapped(const struct tty *tty, const char *first, const char *text, FILE *out)
{
    size_t width = tty->width != 0 ? tty->width : 100, indent = strlen(first), column = indent;
    fputs(first, out);
    while (*text != '\0') {
        size_t word = strcspn(text, " ");
        if (column > indent && column + 1 + word > width) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', out);
            column++;
        }
        fprintf(out, "%.*s", (int)word, text);
        column += word;
        text += word;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}
