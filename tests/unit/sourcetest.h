/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A power source under test: opened on a fake tree, read with a clock of the test's. */
#ifndef JOULAR_SOURCETEST_H
#define JOULAR_SOURCETEST_H

#include "joular/meter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#define SECOND INT64_C(1000000000)

struct fixture {
    char *root;
    char *powercap, *ringbuffer, *vm_file, *proc;
    struct source_options options;
    const struct power_source *source;
    void *state;
    struct notices warnings;
    struct error err;
    struct source_reading reading;
    int64_t now_ns;
};

int fixture_setup(void **state);
int fixture_teardown(void **state);

enum status fixture_open(struct fixture *f, const struct power_source *source);
void fixture_close(struct fixture *f);
/* Reads SECONDS after the last reading. */
enum source_outcome fixture_read_after(struct fixture *f, double seconds);
/* How many of the sentences have a piece of text. */
unsigned texts_with(const struct notices *texts, const char *piece);
void assert_words(const char *text, const char *piece);
void assert_near(double value, double wanted, double within);

#endif
