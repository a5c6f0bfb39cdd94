/* Sentences about the input that the user should read; nothing in them is damage. */
#ifndef JOULAR_NOTICE_H
#define JOULAR_NOTICE_H

#include "joular/mem.h"
#include "joular/status.h"

struct notices {
    char **v;
    size_t n, cap;
};
/* Adds one, as printf would print it; what no terminal should get is escaped, and it is cut behind 1023 bytes. */
void notice(struct notices *notices, const char *format, ...) PRINTF_LIKE(2, 3);
void notices_free(struct notices *notices);

#endif
