/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results that no recording gave, for tests of flame.html. */
#ifndef JOULAR_TESTS_FLAME_MADE_H
#define JOULAR_TESTS_FLAME_MADE_H

#include "joular/result.h"

/* KIND hostile: names that try to be something else than text. wide: a tree of about NODES frames over 300 cycles.
 * empty: no cycles. False where KIND is none of them. */
bool flame_made(const char *kind, uint32_t nodes, struct result *result);

#endif
