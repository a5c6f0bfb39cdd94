/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power logs written by the tests and read back. */
#ifndef JOULAR_LOGTEST_H
#define JOULAR_LOGTEST_H

#include "joular/logwriter.h"
#include "joular/powerlog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/types.h>

#include <cmocka.h>

#define FACTS "{\"tool\":\"joular-record 0.1.0\",\"source\":\"rapl\",\"cpus\":16}"
#define CYCLES 7
#define SECOND INT64_C(1000000000)

/* What went out, and how many bytes are left until the disk is full (-1: it never is). The linker puts a write of the
 * tests in the way of the writer's (-Wl,--wrap=write). Likewise fdatasync, which counts, and fails with an errno. */
extern unsigned log_writes, log_syncs;
extern ssize_t log_room;
extern int log_sync_fault;

struct log_fixture {
    char *root;
    char plain[512], packed[512];
    struct error err;
};
int log_setup(void **state);
int log_teardown(void **state);

struct power_writer *open_writer(struct log_fixture *f, const char *path);
/* A cycle with two processes and two threads that tells by its number. */
enum status write_cycle(struct power_writer *w, int i, struct error *err);
void assert_cycle(const struct power_log *log, size_t n, int i);
/* A whole log of CYCLES cycles. */
void write_log(struct log_fixture *f, const char *path);

/* Reads a log, unpacked where it is compressed: how many cycles it has, -1 where it cannot be read. CUT may be NULL. */
int read_bytes(const uint8_t *bytes, size_t length, struct power_log *log, bool *cut);
int read_path(const char *path, struct power_log *log, bool *cut);

#define LOG_CASE(name) cmocka_unit_test_setup_teardown(name, log_setup, log_teardown)

#endif
