/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "joular/mem.h"

#include <stdlib.h>

static void *checked(void *memory)
{
    if (memory == NULL)
        mem_end();
    return memory;
}

void *mem_alloc(size_t size)
{
    return checked(malloc(size != 0 ? size : 1));
}

void *mem_zero(size_t count, size_t size)
{
    return checked(count != 0 && size != 0 ? calloc(count, size) : calloc(1, 1));
}

void *mem_resize(void *old, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size)
        mem_end();
    return checked(realloc(old, count * size != 0 ? count * size : 1));
}

char *mem_strndup(const char *text, size_t length)
{
    char *copy = mem_alloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *mem_strdup(const char *text)
{
    return mem_strndup(text, strlen(text));
}

void *mem_grow(void *old, size_t *cap, size_t need, size_t size)
{
    size_t next = *cap < 8 ? 8 : *cap;
    while (next < need)
        next += next / 2;
    old = mem_resize(old, next, size);
    *cap = next;
    return old;
}
