/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every unit test begins with. TEST(a_name_that_is_a_sentence) { ... } goes into a list of CASE(...). */
#ifndef JOULAR_UNIT_H
#define JOULAR_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define TEST(name) static void name(void **unit_state __attribute__((unused)))
#define CASE(name) cmocka_unit_test(name)

/* N where JOULAR_SLOW says that all takes long (under an emulator): of very many cases that are alike every N-th is
 * enough there. */
static inline size_t every_nth(size_t n)
{
    return getenv("JOULAR_SLOW") != NULL ? n : 1;
}

/* Knuth's linear congruential generator (MMIX): its high bits are the better ones. */
static inline void next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
}

#define assert_has(words, part)                                      \
    do {                                                             \
        if (strstr((words), (part)) == NULL)                         \
            fail_msg("\"%s\" does not say \"%s\"", (words), (part)); \
    } while (0)

#define assert_same(a, b)                                   \
    do {                                                    \
        double same_a = (a), same_b = (b);                  \
        if (memcmp(&same_a, &same_b, sizeof same_a) != 0)   \
            fail_msg("%.17g is not %.17g", same_a, same_b); \
    } while (0)

#endif
