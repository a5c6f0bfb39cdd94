/* What a terminal can show. */
#ifndef JOULAR_TTY_H
#define JOULAR_TTY_H

#include <stdbool.h>
#include <stdio.h>

struct tty {
    bool terminal;
    unsigned width; /* columns, 0 where it is no terminal: lines are as long as they need */
    bool colour;    /* a terminal, and neither NO_COLOR nor TERM=dumb */
    bool utf8;      /* by the environment's locale */
};
struct tty tty_of(FILE *stream);

#endif
