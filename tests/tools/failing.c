/* SPDX-License-Identifier: GPL-3.0-or-later */
/* failing.so: loaded into a program by LD_PRELOAD, it makes one call fail: the Nth of a kind.
 *
 *     JOULAR_FAIL=KIND:N:WHAT:NAME:COUNTS
 *
 * KIND: memory (malloc, calloc, realloc) or io (what opens, writes, renames, closes, maps, starts). N: 0 none, only
 * count. WHAT: an errno, or -SIGNAL, which is sent to the program before the call (calls of a child are not counted
 * then). NAME: only in the program of this name; those that it starts are left alone. COUNTS: a file of 128 bytes in
 * which the number of calls (u64) and the words of what failed are found afterwards. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum kind {
    MEMORY,
    IO
};

static struct {
    uint64_t calls;
    char words[120];
} * counts;
static enum kind kind;
static uint64_t nth;
static int what;
static pid_t self;

__attribute__((constructor)) static void begin(void)
{
    const char *order = getenv("JOULAR_FAIL");
    char word[16], name[64], path[512];
    unsigned long long number;
    int code;
    if (order == NULL || sscanf(order, "%15[^:]:%llu:%d:%63[^:]:%511s", word, &number, &code, name, path) != 5 ||
        strcmp(name, program_invocation_short_name) != 0)
        return;
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR, 0);
    void *map = (void *)syscall(SYS_mmap, NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    syscall(SYS_close, fd);
    kind = strcmp(word, "memory") == 0 ? MEMORY : IO;
    nth = number;
    what = code;
    self = getpid();
    counts = map != MAP_FAILED ? map : NULL;
}

/* True where this call is the one. */
static bool fails(enum kind of, const char *words, long number)
{
    if (counts == NULL || of != kind || (what < 0 && getpid() != self) ||
        __atomic_add_fetch(&counts->calls, 1, __ATOMIC_RELAXED) != nth)
        return false;
    char *p = stpncpy(counts->words, words, sizeof counts->words - 32);
    *p++ = ' ';
    if (number < 0)
        *p++ = '-';
    unsigned long left = number < 0 ? -(unsigned long)number : (unsigned long)number, power = 1;
    while (left / power > 9)
        power *= 10;
    for (; power > 0; power /= 10)
        *p++ = (char)('0' + left / power % 10);
    *p = '\0';
    if (what < 0) {
        kill(self, -what);
        return false;
    }
    errno = what;
    return true;
}

/* A program of ours has a malloc of its own (src/base/libmalloc.c), which calls the next: these. */
#define NEXT(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

void *malloc(size_t size)
{
    static void *(*next)(size_t);
    if (next == NULL)
        next = NEXT(void *, "malloc", size_t);
    return fails(MEMORY, "malloc", (long)size) ? NULL : next(size);
}

void *calloc(size_t count, size_t size)
{
    static void *(*next)(size_t, size_t);
    if (next == NULL)
        next = NEXT(void *, "calloc", size_t, size_t);
    return fails(MEMORY, "calloc", (long)(count * size)) ? NULL : next(count, size);
}

void *realloc(void *old, size_t size)
{
    static void *(*next)(void *, size_t);
    if (next == NULL)
        next = NEXT(void *, "realloc", void *, size_t);
    return fails(MEMORY, "realloc", (long)size) ? NULL : next(old, size);
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return fails(IO, "open", flags) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int openat(int dir, const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return fails(IO, "openat", flags) ? -1 : (int)syscall(SYS_openat, dir, path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    return fails(IO, "fopen", 0) ? NULL : NEXT(FILE *, "fopen", const char *, const char *)(path, mode);
}

FILE *fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions)
{
    return fails(IO, "fopencookie", 0)
               ? NULL
               : NEXT(FILE *, "fopencookie", void *, const char *, cookie_io_functions_t)(cookie, mode, functions);
}

ssize_t write(int fd, const void *bytes, size_t length)
{
    return fails(IO, "write", fd) ? -1 : syscall(SYS_write, fd, bytes, length);
}

ssize_t read(int fd, void *bytes, size_t length)
{
    return fails(IO, "read", fd) ? -1 : syscall(SYS_read, fd, bytes, length);
}

ssize_t __read_chk(int fd, void *bytes, size_t length, size_t room);
ssize_t __read_chk(int fd, void *bytes, size_t length, size_t room)
{
    (void)room;
    return read(fd, bytes, length);
}

/* What was open is closed all the same, as Linux does it. */
int close(int fd)
{
    long closed = syscall(SYS_close, fd);
    return fails(IO, "close", fd) ? -1 : (int)closed;
}

int fstat(int fd, struct stat *st)
{
    return fails(IO, "fstat", fd) ? -1 : NEXT(int, "fstat", int, struct stat *)(fd, st);
}

int mkdir(const char *path, mode_t mode)
{
    return fails(IO, "mkdir", 0) ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

char *mkdtemp(char *path)
{
    return fails(IO, "mkdtemp", 0) ? NULL : NEXT(char *, "mkdtemp", char *)(path);
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
    return fails(IO, "renameat", 0) ? -1 : (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, 0);
}

int ftruncate(int fd, off_t length)
{
    return fails(IO, "ftruncate", fd) ? -1 : (int)syscall(SYS_ftruncate, fd, length);
}

int fdatasync(int fd)
{
    return fails(IO, "fdatasync", fd) ? -1 : (int)syscall(SYS_fdatasync, fd);
}

void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset)
{
    return fails(IO, "mmap", fd) ? MAP_FAILED : (void *)syscall(SYS_mmap, at, length, protection, flags, fd, offset);
}

int pipe2(int ends[2], int flags)
{
    return fails(IO, "pipe2", 0) ? -1 : (int)syscall(SYS_pipe2, ends, flags);
}

pid_t fork(void)
{
    return fails(IO, "fork", 0) ? -1 : NEXT(pid_t, "fork", void)();
}

int execvp(const char *file, char *const words[])
{
    return fails(IO, "execvp", 0) ? -1 : NEXT(int, "execvp", const char *, char *const *)(file, words);
}
