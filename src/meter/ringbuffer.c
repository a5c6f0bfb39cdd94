/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PowerJoular's shared memory (powerjoular -r), with its last five measurements, one a second:
 *
 *   0    u64  count of measurements written; the newest is entry (count - 1) mod 5
 *   8    entry 0 .. entry 4, 48 bytes each:
 *          0   u64  time, Unix seconds        24  f64  total power, W
 *          8   f64  CPU power, W              32  f64  CPU usage
 *          16  f64  GPU power, W              40  f64  power of the watched process, W
 *   248  end; all in the machine's byte order */
#include "joular/clock.h"
#include "joular/meter.h"
#include "joular/power.h"
#include "sourceutil.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ENTRIES 5
#define WORDS 6 /* of an entry, 8 bytes each */
#define BYTES ((1 + ENTRIES * WORDS) * sizeof(uint64_t))
_Static_assert(BYTES == 248, "the layout of PowerJoular 2");

#define STALE_S 5
#define WAIT_NS INT64_C(2000000000)
/* PowerJoular writes once a second: the count is polled at long intervals until the next write is due, then at short
 * ones. */
#define DUE_NS INT64_C(800000000)
#define POLL_NS INT64_C(20000000)
#define LAZY_POLL_NS INT64_C(100000000)
#define TRIES 10000 /* at copying an entry while the count moves; they take some milliseconds */

struct ring {
    char *path;
    int fd;
    const uint64_t *words; /* the mapped file; NULL if none is mapped */
    dev_t device;
    ino_t inode;
    uint64_t seen;    /* count at the last entry that was read, or was there when the file was opened */
    bool has_power;   /* an entry with a power above 0 was seen */
    bool warned_zero; /* that PowerJoular writes 0 W */
    int fault;        /* errno of the last attempt to map the file, of which the user was told; 0 for none */
};

struct entry {
    uint64_t count; /* 0: none was written yet */
    int64_t time_s;
    double cpu_w;
};

static void unmap(struct ring *r)
{
    if (r->words != NULL)
        munmap((void *)(uintptr_t)r->words, BYTES);
    if (r->fd >= 0)
        close(r->fd);
    r->words = NULL;
    r->fd = -1;
}

/* Maps the file. Returns 0 or an errno: ELOOP for a symbolic link, EINVAL for anything but a regular file, ENODATA for
 * a file that is too short. */
static int map_file(struct ring *r)
{
    struct stat st;
    int fd = open(r->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY), why = 0;
    if (fd < 0)
        return errno;
    if (fstat(fd, &st) != 0)
        why = errno;
    else if (!S_ISREG(st.st_mode))
        why = EINVAL;
    else if (st.st_size < (off_t)BYTES)
        why = ENODATA;
    void *map = why == 0 ? mmap(NULL, BYTES, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (map == MAP_FAILED) {
        why = why != 0 ? why : errno;
        close(fd);
        return why;
    }
    r->fd = fd;
    r->words = map;
    r->device = st.st_dev;
    r->inode = st.st_ino;
    return 0;
}

/* False if the mapped file has become shorter: reading the map behind the file's end would raise SIGBUS. */
static bool still_whole(const struct ring *r)
{
    struct stat st;
    return r->words != NULL && fstat(r->fd, &st) == 0 && st.st_size >= (off_t)BYTES;
}

static uint64_t count_of(const struct ring *r)
{
    return __atomic_load_n(&r->words[0], __ATOMIC_ACQUIRE);
}

/* Maps the file that has the path now, since PowerJoular deletes its file and makes a new one when it starts. Returns 0
 * or an errno as map_file. */
static int follow_file(struct ring *r)
{
    struct stat st;
    bool there = lstat(r->path, &st) == 0;
    if (r->words != NULL && there && st.st_dev == r->device && st.st_ino == r->inode && still_whole(r))
        return 0;
    if (r->words != NULL && !there && still_whole(r))
        return 0; /* deleted, but it may still be written to until the new one is there */
    unmap(r);
    r->seen = 0; /* all entries of a new file are newer than the last one seen */
    return map_file(r);
}

static void copy_entry(const struct ring *r, uint64_t at, struct entry *entry)
{
    const uint64_t *words = r->words + 1 + at * WORDS;
    uint64_t time_s = __atomic_load_n(&words[0], __ATOMIC_RELAXED),
             cpu_w = __atomic_load_n(&words[1], __ATOMIC_RELAXED);
    entry->time_s = time_s <= INT64_MAX ? (int64_t)time_s : INT64_MAX;
    memcpy(&entry->cpu_w, &cpu_w, sizeof cpu_w);
}

/* Copies the newest entry, again if the count moved meanwhile, as the copy may then be half of another entry. False if
 * it moved each time. */
static bool newest_entry(const struct ring *r, struct entry *entry)
{
    for (unsigned i = 0; i < TRIES; i++) {
        entry->count = count_of(r);
        if (entry->count == 0)
            return true;
        copy_entry(r, (entry->count - 1) % ENTRIES, entry);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (__atomic_load_n(&r->words[0], __ATOMIC_RELAXED) == entry->count)
            return true;
    }
    return false;
}

/* True if there are two entries or more, and no entry so far had a power above 0; sets has_power. */
static bool all_zero(struct ring *r)
{
    uint64_t count = count_of(r), n = count < ENTRIES ? count : ENTRIES;
    for (uint64_t i = 0; i < n && !r->has_power; i++) {
        struct entry entry;
        copy_entry(r, i, &entry);
        r->has_power = entry.cpu_w > 0;
    }
    return n >= 2 && !r->has_power;
}

static const char *map_fault(int why)
{
    switch (why) {
    case ENOENT:
        return "is not there: start PowerJoular with `powerjoular -r` (as root where RAPL needs it)";
    case ELOOP:
        return "is a symbolic link, and is not followed";
    case EINVAL:
        return "is no regular file";
    case ENODATA:
        return "has fewer than the 248 bytes of PowerJoular's ring buffer";
    default:
        return strerror(why);
    }
}

static enum status ring_status(struct ring *r, struct error *err)
{
    int why = follow_file(r);
    struct entry entry;
    r->fault = why;
    if (why != 0)
        error_set(err, why == ENOENT ? STATUS_MISSING : STATUS_IO, "%s %s", r->path, map_fault(why));
    else if (newest_entry(r, &entry) && entry.count != 0 && time(NULL) - entry.time_s > STALE_S)
        error_set(err, STATUS_MISSING,
                  "the last measurement in %s is %" PRId64 " s old: PowerJoular does not run any more; start it with "
                  "`powerjoular -r`",
                  r->path, (int64_t)time(NULL) - entry.time_s);
    return err->status;
}

static enum status ring_open(const struct source_options *options, void **state, struct notices *warnings,
                             struct error *err)
{
    struct ring *r = mem_zero(1, sizeof *r);
    (void)warnings;
    r->path = mem_strdup(options->ringbuffer);
    r->fd = -1;
    *state = r;
    enum status status = ring_status(r, err);
    if (r->words != NULL)
        r->seen = count_of(r); /* the entry that is there is of the second before the recorder started */
    return status;
}

static bool has_moved(struct ring *r)
{
    return follow_file(r) == 0 && count_of(r) != r->seen && count_of(r) != 0;
}

static void ring_wait(void *state, const volatile int *stop)
{
    struct ring *r = state;
    int64_t begin = clock_ns(CLOCK_MONOTONIC), waited = 0;
    while (!has_moved(r) && (stop == NULL || *stop == 0) && waited < WAIT_NS) {
        int64_t poll = waited < DUE_NS || r->words == NULL ? LAZY_POLL_NS : POLL_NS;
        struct timespec pause = {.tv_nsec = (long)(WAIT_NS - waited < poll ? WAIT_NS - waited : poll)};
        nanosleep(&pause, NULL);
        waited = clock_ns(CLOCK_MONOTONIC) - begin;
    }
}

static void ring_read(void *state, int64_t now_ns, double load, struct source_reading *reading,
                      struct notices *warnings)
{
    struct ring *r = state;
    struct entry entry;
    (void)now_ns, (void)load;
    *reading = (struct source_reading){.outcome = SOURCE_NO_READING, .energy_j = NAN, .power_w = NAN};
    int why = follow_file(r);
    if (why != 0 && why != ENOENT && why != r->fault)
        notice(warnings, "%s %s", r->path, map_fault(why));
    r->fault = why;
    if (why != 0 || !newest_entry(r, &entry) || entry.count == 0)
        return;
    bool stale = time(NULL) - entry.time_s > STALE_S;
    if (stale)
        reading->outcome = SOURCE_STALE;
    if (entry.count == r->seen)
        return;
    r->seen = entry.count;
    if (all_zero(r) && !r->warned_zero) {
        notice(warnings,
               "PowerJoular writes 0 W: it cannot read the CPU's power (`powerjoular -d` tells why); cycles have no "
               "power until it can");
        r->warned_zero = true;
    }
    /* PowerJoular writes 0 W when it could not measure. */
    if (stale || !(entry.cpu_w > 0 && entry.cpu_w <= POWER_LIMIT_W))
        return;
    reading->outcome = SOURCE_OK;
    reading->power_w = entry.cpu_w;
}

static void ring_close(void *state)
{
    struct ring *r = state;
    if (r == NULL)
        return;
    unmap(r);
    free(r->path);
    free(r);
}

static bool ring_examine(const struct source_options *options, struct notices *texts)
{
    void *state;
    struct error err = {0};
    struct entry entry = {0};
    bool works = false;
    enum status status = ring_open(options, &state, texts, &err);
    struct ring *r = state;
    if (status != STATUS_OK) {
        notice(texts, "does not work: %s", err.text);
    } else if (!newest_entry(r, &entry) || entry.count == 0) {
        notice(texts, "%s is there, and PowerJoular has written no measurement yet: wait some seconds", r->path);
    } else if (all_zero(r) || !(entry.cpu_w > 0 && entry.cpu_w <= POWER_LIMIT_W)) {
        notice(texts,
               "does not work: PowerJoular writes %g W into %s: it cannot read the CPU's power "
               "(`powerjoular -d` tells why)",
               entry.cpu_w, r->path);
    } else {
        works = true;
        notice(texts, "works: PowerJoular runs, its last measurement is %.2f W", entry.cpu_w);
        notice(texts, "PowerJoular reads the first CPU package only: on several sockets rapl gives more");
    }
    ring_close(state);
    return works;
}

const struct power_source source_ringbuffer = {
    .name = "ringbuffer",
    .summary = "PowerJoular's shared memory (powerjoular -r)",
    .open = ring_open,
    .wait = ring_wait,
    .read = ring_read,
    .close = ring_close,
    .examine = ring_examine,
};
