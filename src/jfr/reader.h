/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One chunk at a time: what its parts work on. */
#ifndef JOULAR_READER_H
#define JOULAR_READER_H

#include "metadata.h"
#include "poolspec.h"
#include "program.h"

struct pool_index {
    struct map64 by_key;         /* key -> position in places, in the same order */
    VEC(uint64_t) places;        /* of the entries, in the chunk */
    const struct jfr_type *type; /* NULL: the chunk has no such type */
};

struct long_entry { /* a long entry of a constant pool, decoded */
    struct jfr_value values[JFR_POOL_FIELDS];
};

struct event_plan {
    const struct jfr_program *program; /* NULL: the type is not fully defined */
    uint64_t type_id;
    bool known;                              /* the chunk has the type */
    struct jfr_value values[JFR_MAX_FIELDS]; /* fields that the program does not take stay JFR_ABSENT */
};

#define JFR_DIRECT_IDS 16384
struct jfr_reader {
    const struct jfr_event_spec *specs;
    size_t spec_count;
    struct event_plan *plans;
    struct arena arena; /* for one chunk: decoded texts */
    struct jfr_metadata metadata;
    struct arena types;          /* for METADATA: its types, and programs */
    VEC(uint8_t) metadata_event; /* a copy of the content that METADATA was read from; empty: none */
    bool metadata_compressed;
    struct pool_index pools[POOL_COUNT];
    uint16_t direct[JFR_DIRECT_IDS]; /* event type id -> spec + 1; 0: not wanted; or NOT_STEPPED_OVER */
    struct map64 others;             /* larger event type id -> spec + 1, of wanted ones */

    struct jfr_header header;
    const uint8_t *chunk; /* its first byte */
    uint64_t length;
    int number;
    uint64_t at;          /* of the chunk in the file */
    uint64_t metadata_at; /* in the chunk */
    uint64_t events;
    uint64_t doubted; /* bytes that were looked at a second time: see may_look_twice */
    uint64_t lost_to; /* end of the bytes that are counted as lost */
    int64_t last_event_ticks;
    bool seen_event;
    bool substituted; /* with substitute metadata, every event that is wanted must fit its type exactly */
    VEC(struct jfr_frame) frames;
    struct map64 long_places; /* offset of a long text in the chunk -> position in long_texts */
    VEC(struct jfr_text) long_texts;
    struct map64 entry_places; /* offset of a long pool entry * POOL_COUNT + its pool -> position in long_entries */
    VEC(struct long_entry) long_entries;
    jfr_cpu_time_samples_fn *samples;
    void *samples_user;
    unsigned samples_spec;
    uint32_t grouped; /* spec + 1 of the samples that are decoded in groups in this chunk; 0: none */
    struct jfr_cpu_time_sample group[JFR_GROUP];
    size_t group_count;
    jfr_seen_fn *seen;
    void *seen_user;
    jfr_passed_fn *passed;
    void *passed_user;
    /* Decodes a frame; compiled when first needed, for METADATA. It is not the DECODE of the frame's type, since that
     * type may have a constant pool of its own. */
    const struct jfr_program *frame;
    bool frame_tried, whole_frames;
};

#endif
