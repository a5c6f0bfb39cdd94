/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory. None of these returns NULL: when memory ends they call the handler, which must not return. Sizes that come
 * from a file are checked against the bytes that are left in it before they get here, so a handler that says "out of
 * memory" and exits is enough, and no layer needs a path for it. malloc, calloc and realloc do the same, for libraries
 * too, where configure finds a way (src/base/libmalloc.c). */
#ifndef JOULAR_MEM_H
#define JOULAR_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Under AddressSanitizer a program has far more memory than its own. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEM_IS_SHADOWED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define MEM_IS_SHADOWED true
#endif
#endif
#ifndef MEM_IS_SHADOWED
#define MEM_IS_SHADOWED false
#endif

/* A step of the work that profiles shall show by its name (tests/bench/phases.py). */
#define NOT_INLINED __attribute__((noinline))

/* The default handler aborts; a tool sets one that says so, removes its temporary files, and exits with 1. */
void mem_set_handler(void (*handler)(void));
void mem_end(void) __attribute__((noreturn)); /* calls it */

void *mem_alloc(size_t size) __attribute__((malloc));
void *mem_zero(size_t count, size_t size) __attribute__((malloc)); /* checks the product */
void *mem_resize(void *old, size_t count, size_t size);
char *mem_strdup(const char *text);
char *mem_strndup(const char *text, size_t length);

/* A growing array: VEC(struct cycle) cycles = {0}; vec_push(&cycles, c); ... vec_free(&cycles). */
#define VEC(type)      \
    struct {           \
        type *v;       \
        size_t n, cap; \
    }
#define vec_reserve(vec, more)       \
    ((vec)->n + (more) <= (vec)->cap \
         ? (void)0                   \
         : (void)((vec)->v = mem_grow((vec)->v, &(vec)->cap, (vec)->n + (more), sizeof *(vec)->v)))
#define vec_push(vec, item) (vec_reserve((vec), 1), (void)((vec)->v[(vec)->n++] = (item)))
#define vec_free(vec) (free((vec)->v), (vec)->v = NULL, (vec)->n = (vec)->cap = 0)
void *mem_grow(void *old, size_t *cap, size_t need, size_t size);

#endif
