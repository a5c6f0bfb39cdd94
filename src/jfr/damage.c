/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts what could not be read of a chunk. */
#include "damage.h"

void jfr_note_damage(struct jfr_reader *reader, struct jfr_damage *damage, const uint8_t *p, uint64_t events,
                     uint64_t bytes, const char *words)
{
    uint64_t at = (uint64_t)(p - reader->chunk), end = at + bytes, from = at > reader->lost_to ? at : reader->lost_to;
    damage->events += events;
    if (end > from) {
        damage->bytes += end - from;
        reader->lost_to = end;
    }
    error_set(&damage->first, STATUS_INVALID, "%s", words);
    error_at(&damage->first, reader->number, (int64_t)(reader->at + at));
}
