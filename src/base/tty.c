/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "joular/tty.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LEAST_WIDTH 40

static bool set(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0';
}

static bool utf8_locale(void)
{
    const char *names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && value[0] != '\0')
            return strcasestr(value, "utf-8") != NULL || strcasestr(value, "utf8") != NULL;
    }
    return false;
}

struct tty tty_of(FILE *stream)
{
    struct winsize size;
    struct tty tty = {.terminal = isatty(fileno(stream)) == 1, .utf8 = utf8_locale()};
    const char *term = getenv("TERM");
    if (!tty.terminal)
        return tty;
    tty.width = ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
    tty.width = tty.width < LEAST_WIDTH ? LEAST_WIDTH : tty.width;
    tty.colour = !set("NO_COLOR") && term != NULL && strcmp(term, "dumb") != 0;
    return tty;
}
