/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPUTimeSamples of the model's tests that come through a chunk, as those of a recording do. */
#ifndef JOULAR_TESTS_CHUNK_CASE_H
#define JOULAR_TESTS_CHUNK_CASE_H

#include "../../src/collect/chunksamples.h"
#include "model_case.h"

struct chunk_case {
    struct chunk_samples samples; /* of the chunk in hand */
    struct chunk_merge merge;
};

void case_cpu_sample_of(struct model_case *c, uint32_t thread, const char *branch, uint32_t cycle, int64_t time_ns,
                        int64_t period_ns, bool biased);
void case_lost(struct model_case *c, uint32_t thread, int at_ms, unsigned count);
void case_chunk_ends(struct model_case *c); /* the next samples are of another one */

#endif
