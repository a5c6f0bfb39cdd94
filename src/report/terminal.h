/* What is shown on a terminal, alike in all of its forms. */
#ifndef JOULAR_REPORT_TERMINAL_H
#define JOULAR_REPORT_TERMINAL_H

#include "joular/tty.h"

#include <stddef.h>

/* NAME behind USED columns of a line: of one too long for it the middle goes, since both ends tell most. */
void report_put_name(const struct tty *tty, const char *name, size_t length, unsigned used, FILE *out);
/* Joules with the digits that they deserve. */
int report_decimals(double j);
/* TEXT at the width of the terminal, or at 100 columns: FIRST before it, further lines indented by as much. */
void report_put_wrapped(const struct tty *tty, const char *first, const char *text, FILE *out);
void report_heading(const struct tty *tty, const char *text, FILE *out);

#endif
