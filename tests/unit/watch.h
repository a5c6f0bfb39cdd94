/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests that end: WATCHED(case) instead of CASE(case) kills the program where one does not. */
#ifndef JOULAR_UNIT_WATCH_H
#define JOULAR_UNIT_WATCH_H

#include "unit.h"

#include <unistd.h>

#define HANGS_AFTER_S 60 /* far more than any of these needs, so that a slow machine is no failure */

static int begin_watch(void **state)
{
    (void)state;
    alarm((unsigned)(HANGS_AFTER_S * every_nth(10)));
    return 0;
}

static int end_watch(void **state)
{
    (void)state;
    alarm(0);
    return 0;
}

#define WATCHED(name) cmocka_unit_test_setup_teardown(name, begin_watch, end_watch)

#endif
