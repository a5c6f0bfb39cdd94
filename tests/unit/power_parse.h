/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power logs as text, parsed into PARSED and ERR; ONE(case) frees them. */
#ifndef JOULAR_UNIT_POWER_PARSE_H
#define JOULAR_UNIT_POWER_PARSE_H

#include "joular/powerlog.h"
#include "unit.h"

#include <stdio.h>

#define HEAD "#joular-power-log 1\n#{}\n"
#define CYCLE_1 "cycle,1000,2000,1000,1.5,700,ok\n"
#define CYCLE_2 "cycle,2000,3000,1000,2.5,800,ok\n"

static struct power_log parsed;
static struct error err;

static inline enum status parse(const void *text, size_t length)
{
    /* a block of its own, so that a read past its end is seen */
    uint8_t *copy = mem_alloc(length);
    if (length != 0)
        memcpy(copy, text, length);
    power_log_free(&parsed);
    err = (struct error){0};
    enum status status = power_log_read(copy, length, &parsed, &err);
    assert_int_equal(status, err.status);
    free(copy);
    return status;
}

static inline void parse_good(const char *text)
{
    if (parse(text, strlen(text)) != STATUS_OK)
        fail_msg("line %d: %s", (int)err.line, err.text);
}

static inline void parse_bad(const char *text, enum status status, int64_t line, const char *words)
{
    assert_int_equal(parse(text, strlen(text)), status);
    assert_int_equal(err.line, line);
    assert_has(err.text, words);
}

static int release(void **state)
{
    (void)state;
    power_log_free(&parsed);
    return 0;
}

#define ONE(name) cmocka_unit_test_setup_teardown(name, NULL, release)

#endif
