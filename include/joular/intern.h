/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers for byte strings: 0, 1, 2... in the order in which they were first seen. */
#ifndef JOULAR_INTERN_H
#define JOULAR_INTERN_H

#include "joular/arena.h"
#include "joular/mem.h"

#include <stddef.h>
#include <stdint.h>

struct intern_text {
    const char *text; /* with a NUL at the end */
    uint32_t length, hash;
};
struct intern {
    struct arena arena;
    VEC(struct intern_text) texts;
    uint32_t *slots;
    size_t slot_count;
};
uint32_t intern_bytes(struct intern *intern, const void *bytes, size_t length);
void intern_clear(struct intern *intern); /* keeps the memory */
void intern_free(struct intern *intern);

#endif
