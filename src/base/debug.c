/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "joular/debug.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[DEBUG_MODULES] = {"jfr", "power", "energy"};
int debug_levels[DEBUG_MODULES];

void debug_init(void)
{
    const char *text = getenv("JOULAR_DEBUG");
    while (text != NULL && *text != '\0') {
        size_t length = strcspn(text, ",");
        for (int i = 0; i < DEBUG_MODULES; i++) {
            size_t name = strlen(names[i]);
            if (length >= name && memcmp(text, names[i], name) == 0 && (length == name || text[name] == ':'))
                debug_levels[i] = length == name ? 1 : (int)strtol(text + name + 1, NULL, 10);
        }
        text += length + (text[length] == ',');
    }
}

void debug_print(enum debug_module module, const char *format, ...)
{
    char raw[512], line[640];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(raw, sizeof raw, format, args);
    va_end(args);
    size_t used = (size_t)snprintf(line, sizeof line, "joular[%s]: ", names[module]);
    used += text_printable(line + used, sizeof line - used - 1, raw,
                           length < 0                    ? 0
                           : (size_t)length < sizeof raw ? (size_t)length
                                                         : sizeof raw - 1);
    line[used] = '\n';
    fwrite(line, 1, used + 1, stderr);
}
