/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages for developers: JOULAR_DEBUG=jfr:2,energy:1 prints those of these modules, up to these levels, to stderr. */
#ifndef JOULAR_DEBUG_H
#define JOULAR_DEBUG_H

#include "joular/status.h"

enum debug_module {
    DEBUG_JFR,
    DEBUG_POWER,
    DEBUG_ENERGY,
    DEBUG_MODULES
};

/* Reads JOULAR_DEBUG. A tool calls it before it starts threads; without the call nothing is printed. */
void debug_init(void);
extern int debug_levels[DEBUG_MODULES];
void debug_print(enum debug_module module, const char *format, ...) PRINTF_LIKE(2, 3);

#define debug_say(module, level, ...) (debug_levels[module] >= (level) ? debug_print(module, __VA_ARGS__) : (void)0)

#endif
