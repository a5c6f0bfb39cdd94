/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of the CSV files. */
#include "joular/report.h"

#include <limits.h>
#include <string.h>

static bool has_separators(const char *text, size_t length)
{
    static const bool separates[UCHAR_MAX + 1] = {
        [','] = true, [';'] = true, ['\t'] = true, ['"'] = true, ['\r'] = true, ['\n'] = true};
    for (size_t i = 0; i < length; i++)
        if (separates[(unsigned char)text[i]])
            return true;
    return false;
}

void csv_put(const char *text, size_t length, FILE *out)
{
    static const char formula[] = "=+-@'\t\r\n";
    bool quote = has_separators(text, length);
    bool text_only = length != 0 && memchr(formula, text[0], sizeof formula - 1) != NULL;
    if (quote)
        putc_unlocked('"', out);
    if (text_only)
        putc_unlocked('\'', out);
    if (!quote) {
        fwrite_unlocked(text, 1, length, out);
        return;
    }
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"')
            putc_unlocked('"', out);
        putc_unlocked(text[i], out);
    }
    putc_unlocked('"', out);
}

long long csv_ms(int64_t ns)
{
    return ns / 1000000 - (ns % 1000000 < 0);
}
