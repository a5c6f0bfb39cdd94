/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "joular/notice.h"

#include "joular/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void notice(struct notices *notices, const char *format, ...)
{
    char raw[1024], text[1024];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(raw, sizeof raw, format, args);
    va_end(args);
    text_printable(text, sizeof text, raw,
                   length < 0                    ? 0
                   : (size_t)length < sizeof raw ? (size_t)length
                                                 : sizeof raw - 1);
    vec_push(notices, mem_strdup(text));
}

void notices_free(struct notices *notices)
{
    for (size_t i = 0; i < notices->n; i++)
        free(notices->v[i]);
    vec_free(notices);
}
