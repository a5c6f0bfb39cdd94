/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads recordings made by jfr_build.h, and keeps what came out. */
#ifndef JOULAR_JFR_SEEN_H
#define JOULAR_JFR_SEEN_H

#include "jfr_build.h"
#include "joular/jfr.h"

struct seen_event {
    unsigned spec;
    uint64_t at;
    struct jfr_value values[JFR_MAX_FIELDS];
};
struct seen {
    const struct jfr_event_spec *specs;
    struct jfr_reader *reader;
    struct jfr_chunk_list chunks;
    struct jfr_damage damage;
    struct error err;
    enum status status; /* of listing, or else of reading */
    VEC(struct seen_event) events;
};

/* startTime, thread, stack, number of test.Sample; text of test.Text. */
extern const struct jfr_event_spec seen_specs[2];

/* Lists the chunks and reads number CHUNK, 0 for the first. */
void seen_read(struct seen *seen, const uint8_t *bytes, size_t length, size_t chunk, const struct jfr_event_spec *specs,
               size_t spec_count);
void seen_built(struct seen *seen, const struct build *b); /* its first chunk with seen_specs */
void seen_free(struct seen *seen);

/* Everything in SEEN that may be resolved, resolved; for damaged input, where only the end matters. Returns how many
 * things there were. */
size_t seen_resolve_all(struct seen *seen);

/* The text as a C string that lasts until the next call. "(null)" where it is null. */
const char *seen_words(struct jfr_text text);
const char *seen_text(struct seen *seen, size_t event, size_t slot);

#endif
