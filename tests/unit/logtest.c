/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "logtest.h"
#include "faketree.h"
#include "joular/file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

unsigned log_writes;
ssize_t log_room = -1;
ssize_t __real_write(int fd, const void *bytes, size_t length);
ssize_t __wrap_write(int fd, const void *bytes, size_t length);
ssize_t __wrap_write(int fd, const void *bytes, size_t length)
{
    log_writes++;
    if (log_room < 0)
        return __real_write(fd, bytes, length);
    if (log_room == 0) {
        errno = ENOSPC;
        return -1;
    }
    ssize_t done = __real_write(fd, bytes, (size_t)log_room < length ? (size_t)log_room : length);
    log_room -= done > 0 ? done : 0;
    return done;
}

int log_sync_fault;
unsigned log_syncs;
int __wrap_fdatasync(int fd);
int __wrap_fdatasync(int fd)
{
    (void)fd;
    __atomic_add_fetch(&log_syncs, 1, __ATOMIC_SEQ_CST);
    errno = __atomic_load_n(&log_sync_fault, __ATOMIC_SEQ_CST); /* of the thread that brings it to the disk */
    return errno != 0 ? -1 : 0;
}

int log_setup(void **state)
{
    struct log_fixture *f = mem_zero(1, sizeof *f);
    f->root = tree_new();
    snprintf(f->plain, sizeof f->plain, "%s/power.log", f->root);
    snprintf(f->packed, sizeof f->packed, "%s/power.log.zst", f->root);
    log_room = -1;
    log_sync_fault = 0;
    *state = f;
    return 0;
}

int log_teardown(void **state)
{
    struct log_fixture *f = *state;
    tree_free(f->root);
    free(f);
    return 0;
}

enum status write_cycle(struct power_writer *w, int i, struct error *err)
{
    char name[64];
    snprintf(name, sizeof name, "pool-%d, \"fast\"", i);
    power_writer_domain(w, "package-0", (uint64_t)(1000 + i));
    power_writer_domain(w, "package-0/core", UINT64_MAX); /* gave none */
    power_writer_process(w, 4242, 1000 * i, "java", 7);
    power_writer_process(w, 4343, 0, "sh", 4343);
    power_writer_thread(w, 4242, 4259, 999 * i, name, 21);
    power_writer_thread(w, 4242, 4260, 1, "GC Thread#0", 0);
    return power_writer_cycle(w, 1764438000 * SECOND + i, (i + 1) * SECOND, SECOND, i % 3 == 2 ? (double)NAN : 10.5 + i,
                              5000 + i, i % 3 == 2 ? "reset" : "ok", err);
}

void assert_cycle(const struct power_log *log, size_t n, int i)
{
    const struct power_cycle *c = &log->cycles.v[n];
    assert_int_equal(c->start_ns, i * SECOND);
    assert_int_equal(c->end_ns, (i + 1) * SECOND);
    assert_int_equal(c->realtime_ns, 1764438000 * SECOND + i);
    assert_int_equal(c->busy_ns, 5000 + i);
    assert_true(i % 3 == 2 ? isnan(c->power_w) : c->power_w > 10.499 + i && c->power_w < 10.501 + i);
    assert_string_equal(power_text(log, c->status), i % 3 == 2 ? "reset" : "ok");
    size_t process = n != 0 ? log->cycles.v[n - 1].processes : 0, thread = n != 0 ? log->cycles.v[n - 1].threads : 0;
    assert_int_equal(c->processes - process, 2);
    assert_int_equal(c->threads - thread, 2);
    const struct power_record *record = &log->process_records.v[process];
    assert_int_equal(record->cpu_ns, 1000 * i);
    assert_int_equal(log->processes.v[record->who].ns_pid, 7);
    assert_int_equal(log->processes.v[record[1].who].ns_pid, 0);
    record = &log->thread_records.v[thread];
    char name[64];
    snprintf(name, sizeof name, "pool-%d, \"fast\"", i);
    assert_int_equal(record->cpu_ns, 999 * i);
    assert_string_equal(power_text(log, log->threads.v[record->who].name), name);
    assert_int_equal(log->threads.v[record->who].ns_tid, 21);
    assert_int_equal(log->threads.v[record[1].who].ns_tid, 0);
}

struct power_writer *open_writer(struct log_fixture *f, const char *path)
{
    struct power_writer *w;
    if (power_writer_open(path, FACTS, &w, &f->err) != STATUS_OK)
        fail_msg("%s", f->err.text);
    return w;
}

void write_log(struct log_fixture *f, const char *path)
{
    struct power_writer *w = open_writer(f, path);
    for (int i = 0; i < CYCLES; i++)
        assert_int_equal(write_cycle(w, i, &f->err), STATUS_OK);
    assert_int_equal(power_writer_lost(w), 0);
    assert_int_equal(power_writer_close(w, &f->err), STATUS_OK);
}

int read_bytes(const uint8_t *bytes, size_t length, struct power_log *log, bool *cut)
{
    struct file_bytes file = {.bytes = memcpy(mem_alloc(length), bytes, length), .length = length};
    struct error err = {0};
    *log = (struct power_log){0};
    enum status status = file_unpack(&file, &err);
    if (status == STATUS_OK)
        status = power_log_read(file.bytes, file.length, log, &err);
    if (cut != NULL)
        *cut = file.truncated;
    file_release(&file);
    return status == STATUS_OK ? (int)log->cycles.n : -1;
}

int read_path(const char *path, struct power_log *log, bool *cut)
{
    struct file_bytes file;
    struct error err = {0};
    assert_int_equal(file_read(path, &file, &err), STATUS_OK);
    int cycles = read_bytes(file.bytes, file.length, log, cut);
    file_release(&file);
    return cycles;
}
