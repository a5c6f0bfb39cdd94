/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What reports on a terminal share. */
#ifndef JOULAR_REPORT_TERMINAL_H
#define JOULAR_REPORT_TERMINAL_H

#include "joular/tty.h"

#include <stddef.h>

/* Writes NAME where USED columns of the line are taken. If it is too long for the rest, its middle is left out, since
 * both ends tell most. */
void report_put_name(const struct tty *tty, const char *name, size_t length, unsigned used, FILE *out);
/* How many decimals to print of joules. */
int report_decimals(double j);
/* Writes FIRST, then TEXT, wrapped at the width of the terminal or at 100 columns; further lines are indented by the
 * length of FIRST. */
void report_put_wrapped(const struct tty *tty, const char *first, const char *text, FILE *out);
void report_heading(const struct tty *tty, const char *text, FILE *out);

#endif
