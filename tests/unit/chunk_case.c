/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chunk_case.h"

#include <stdlib.h>

static struct chunk_case *chunk_of(struct model_case *c)
{
    if (c->chunk == NULL)
        c->chunk = mem_zero(1, sizeof *c->chunk);
    return c->chunk;
}

static uint64_t jfr_id_of(const struct model_case *c, uint32_t thread)
{
    return thread != NO_THREAD ? c->observed.threads.v[thread].jfr_id : 0;
}

void case_cpu_sample_of(struct model_case *c, uint32_t thread, const char *branch, uint32_t cycle, int64_t time_ns,
                        int64_t period_ns, bool biased)
{
    struct jfr_cpu_time_sample sample = {time_ns, period_ns, jfr_id_of(c, thread), case_branch(c, branch),
                                         false,   biased};
    chunk_samples_add(&chunk_of(c)->samples, &sample, &cycle, 1);
}

void case_cpu_sample(struct model_case *c, uint32_t thread, const char *branch, int at_ms, int period_ms)
{
    case_cpu_sample_of(c, thread, branch, case_cycle_at(c, at_ms), at_ms * MS, period_ms * MS, false);
}

void case_chunk_ends(struct model_case *c)
{
    struct chunk_case *chunk = chunk_of(c);
    size_t count = c->observed.branches.list.n;
    uint32_t *same = mem_zero(count, sizeof *same);
    for (size_t i = 0; i < count; i++)
        same[i] = (uint32_t)i;
    chunk_samples_settle(&chunk->samples);
    chunk_samples_merge(&chunk->merge, &chunk->samples, same, &c->observed);
    chunk_samples_clear(&chunk->samples);
    free(same);
}

void case_lost(struct model_case *c, uint32_t thread, int at_ms, unsigned count)
{
    chunk_samples_lose(&chunk_of(c)->samples, jfr_id_of(c, thread), case_cycle_at(c, at_ms), at_ms * MS, count);
}

void case_samples_end(struct model_case *c)
{
    case_chunk_ends(c);
}

void case_samples_free(struct model_case *c)
{
    if (c->chunk == NULL)
        return;
    chunk_samples_free(&c->chunk->samples);
    chunk_merge_free(&c->chunk->merge);
    free(c->chunk);
}
