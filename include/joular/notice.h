/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences that the user should read, about the input or the machine. None of them is about damage. */
#ifndef JOULAR_NOTICE_H
#define JOULAR_NOTICE_H

#include "joular/mem.h"
#include "joular/status.h"

struct notices {
    char **v;
    size_t n, cap;
};
/* Adds a sentence, formatted as by printf. It is made printable (text_printable) and has at most 1023 bytes. */
void notice(struct notices *notices, const char *format, ...) PRINTF_LIKE(2, 3);
void notices_free(struct notices *notices);

#endif
