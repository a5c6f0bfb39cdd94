/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the events of recordings into struct observed (joular/observed.h), on the time axis of a power log. */
#ifndef JOULAR_COLLECT_H
#define JOULAR_COLLECT_H

#include "joular/jfr.h"
#include "joular/notice.h"
#include "joular/observed.h"
#include "joular/powerlog.h"

struct collect_input {
    const char *name; /* as the user gave it */
    const uint8_t *bytes;
    size_t length;
    void *owner; /* for drop_pages */
};

struct collect_options {
    bool drop_hidden_frames;
    bool lines;        /* names end in ":LINE" where the recording has it */
    bool count_events; /* fill event_counts */
    enum keep_samples keep_samples;
    unsigned jobs;
    void (*progress)(uint64_t done, uint64_t all); /* bytes, called after each chunk; NULL: not called */
    /* Called when START to END of the file have been read, so that their memory can be given back to the system. They
     * must stay readable, since some of them is read again. Several threads call it. NULL: not called. */
    void (*drop_pages)(void *owner, uint64_t start, uint64_t end);
};

/* Reads all chunks of all recordings, in the order of their start, on the time axis of LOG. STATUS_INVALID where they
 * are not of one process; where no chunk gave anything, the first error. Damage is added to DAMAGE, chunks that gave
 * nothing included. */
enum status collect_recordings(const struct collect_input *inputs, size_t input_count, const struct power_log *log,
                               const struct collect_options *options, struct observed *observed,
                               struct jfr_damage *damage, struct notices *notices, struct error *err) WARN_UNUSED;

/* Makes a power log of one-second cycles out of the recordings' jdk.CPULoad events: IDLE_W + (MAX_W - IDLE_W) x load of
 * the machine. Both clocks are the wall clock. STATUS_MISSING where there are fewer than two such events. */
enum status collect_estimated_log(const struct collect_input *inputs, size_t input_count, double idle_w, double max_w,
                                  struct power_log *log, struct error *err) WARN_UNUSED;

#endif
