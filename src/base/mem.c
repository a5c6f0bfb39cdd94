#include "joular/mem.h"

#include <stdlib.h>

static void (*out_of_memory)(void);

void mem_set_handler(void (*handler)(void))
{
    out_of_memory = handler;
}

void mem_end(void)
{
    if (out_of_memory != NULL)
        out_of_memory();
    abort();
}

static void *checked(void *memory)
{
    if (memory == NULL)
        mem_end();
    return memory;
}

/* The allocator of the whole program, libraries included: json-c writes half a document or falls where memory ends, and
 * the C library leaves files unread. THEIRS is glibc's own, by the name under which it lends it, or, in a static
 * program, by the name that the linker gives it. */
#if defined(HAVE_LIBC_MALLOC)
#define OURS(name) name
#define THEIRS(name) __libc_##name
#elif defined(HAVE_WRAPPED_MALLOC)
#define OURS(name) __wrap_##name
#define THEIRS(name) __real_##name
#endif
#ifdef OURS
extern void *THEIRS(malloc)(size_t size);
extern void *THEIRS(calloc)(size_t count, size_t size);
extern void *THEIRS(realloc)(void *old, size_t size);

void *OURS(malloc)(size_t size);
void *OURS(malloc)(size_t size)
{
    return checked(THEIRS(malloc)(size));
}

void *OURS(calloc)(size_t count, size_t size);
void *OURS(calloc)(size_t count, size_t size)
{
    return checked(THEIRS(calloc)(count, size));
}

void *OURS(realloc)(void *old, size_t size);
void *OURS(realloc)(void *old, size_t size)
{
    void *memory = THEIRS(realloc)(old, size);
    return old != NULL && size == 0 ? memory : checked(memory); /* that is free */
}
#endif

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
