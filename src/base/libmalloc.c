/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The malloc of the whole program, libraries included. Where memory ends, json-c crashes, and the C library leaves
 * files unread; so the program has a malloc of its own, which ends the run instead.
 *
 * A dynamic program passes all calls on to the next allocator in the dynamic linker's order: the C library's, or one
 * that was preloaded. That goes for the whole family, free and what is not checked too. Were free left to the dynamic
 * linker, it would not always come from where dlsym found malloc: libc_malloc_debug.so has its functions under hidden
 * versions, which dlsym passes by and the dynamic linker does not. And musl's aligned_alloc refuses to work where only
 * malloc was replaced.
 *
 * A static program has no such order, and one allocator: there the linker leads the three that are checked here
 * (--wrap). */
#include "joular/mem.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

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

#if defined(HAVE_NEXT_MALLOC)
/* Bytes. Aligned to more, the table would get a segment of its own, with which valgrind finds no symbols. */
#define PAGE 4096

static union {
    struct {
        void *(*malloc)(size_t size);
        void *(*calloc)(size_t count, size_t size);
        void *(*realloc)(void *old, size_t size);
        void (*free)(void *memory);
        void *(*aligned_alloc)(size_t alignment, size_t size);
        void *(*memalign)(size_t alignment, size_t size);
        int (*posix_memalign)(void **memory, size_t alignment, size_t size);
        void *(*valloc)(size_t size);
        void *(*pvalloc)(size_t size);
        size_t (*malloc_usable_size)(void *memory);
    };
    unsigned char page[PAGE];
} next __attribute__((aligned(PAGE)));
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local bool looking_up;
static atomic_bool known;

/* C has no conversion from what dlsym returns to a function. */
static void look_up(void *function, const char *name)
{
    void *address = dlsym(RTLD_NEXT, name);
    memcpy(function, &address, sizeof address);
}

static void look_all_up(void)
{
    looking_up = true;
    look_up(&next.malloc, "malloc");
    look_up(&next.calloc, "calloc");
    look_up(&next.realloc, "realloc");
    look_up(&next.free, "free");
    look_up(&next.aligned_alloc, "aligned_alloc");
    look_up(&next.memalign, "memalign");
    look_up(&next.posix_memalign, "posix_memalign");
    look_up(&next.valloc, "valloc");
    look_up(&next.pvalloc, "pvalloc");
    look_up(&next.malloc_usable_size, "malloc_usable_size");
    if (sysconf(_SC_PAGESIZE) == PAGE) /* pointers to functions are what an overrun would be after */
        mprotect(&next, sizeof next, PROT_READ);
    atomic_store_explicit(&known, true, memory_order_release);
    looking_up = false;
}

/* The first call may be one of the dynamic linker's, or of a library's constructor, before any code of this program has
 * run. False where dlsym itself wants memory: it does in glibc before 2.34, and goes on without. */
static bool found(void)
{
    if (atomic_load_explicit(&known, memory_order_acquire))
        return true;
    if (looking_up)
        return false;
    pthread_once(&once, look_all_up);
    return true;
}

void free(void *memory)
{
    if (found())
        next.free(memory);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return found() ? next.aligned_alloc(alignment, size) : NULL;
}

void *memalign(size_t alignment, size_t size)
{
    return found() ? next.memalign(alignment, size) : NULL;
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    return found() ? next.posix_memalign(memory, alignment, size) : ENOMEM;
}

void *valloc(size_t size)
{
    return found() ? next.valloc(size) : NULL;
}

#ifdef __GLIBC__
void *pvalloc(size_t size)
{
    return found() ? next.pvalloc(size) : NULL;
}
#endif

size_t malloc_usable_size(void *memory)
{
    return found() ? next.malloc_usable_size(memory) : 0;
}

#define OURS(name) name
#define THEIRS(name) next.name
#elif defined(HAVE_WRAPPED_MALLOC)
#define OURS(name) __wrap_##name
#define THEIRS(name) __real_##name

extern void *__real_malloc(size_t size);
extern void *__real_calloc(size_t count, size_t size);
extern void *__real_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

static inline bool found(void)
{
    return true;
}
#endif

#ifdef OURS
void *OURS(malloc)(size_t size)
{
    if (!found())
        return NULL;
    void *memory = THEIRS(malloc)(size);
    if (memory == NULL && size != 0)
        mem_end();
    return memory;
}

void *OURS(calloc)(size_t count, size_t size)
{
    if (!found())
        return NULL;
    void *memory = THEIRS(calloc)(count, size);
    if (memory == NULL && count != 0 && size != 0)
        mem_end();
    return memory;
}

void *OURS(realloc)(void *old, size_t size)
{
    if (!found())
        return NULL;
    void *memory = THEIRS(realloc)(old, size);
    if (memory == NULL && size != 0) /* 0 frees */
        mem_end();
    return memory;
}
#endif
