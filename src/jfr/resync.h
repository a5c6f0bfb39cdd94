/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where events go on after bytes that are none. */
#ifndef JOULAR_RESYNC_H
#define JOULAR_RESYNC_H

#include "reader.h"

/* Whether the bytes at P, after an event that is in doubt, look like events. */
bool jfr_goes_on(const struct jfr_reader *reader, const uint8_t *p);
/* The first place at or after FROM from which events go on; TO where there is none before TO. */
const uint8_t *jfr_resync(const struct jfr_reader *reader, const uint8_t *from, const uint8_t *to);

#endif
