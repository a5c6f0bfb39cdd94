/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a terminal can show. */
#ifndef JOULAR_TTY_H
#define JOULAR_TTY_H

#include <stdbool.h>
#include <stdio.h>

struct tty {
    bool terminal;
    unsigned width; /* columns; 0 if it is no terminal: lines are then as long as they need to be */
    bool colour;    /* a terminal, and neither NO_COLOR nor TERM=dumb */
    bool utf8;      /* by the locale in the environment */
};
struct tty tty_of(FILE *stream);

#endif
