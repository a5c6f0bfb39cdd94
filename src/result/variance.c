/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "joular/variance.h"

#include <math.h>

#define LEAST_SAMPLES 5

struct tally tally_of(size_t sets)
{
    return (struct tally){mem_zero(sets, sizeof(struct tally_sums)), {0}};
}

void tally_add(struct tally *tally, uint32_t set, double weight_ns)
{
    struct tally_sums *sums = &tally->sums[set];
    if (!sums->here)
        vec_push(&tally->here, set);
    sums->here = true;
    sums->weight_ns += weight_ns;
}

void tally_close_thread(struct tally *tally, const struct result_thread *thread)
{
    for (size_t i = 0; i < tally->here.n; i++) {
        struct tally_sums *sums = &tally->sums[tally->here.v[i]];
        double p = thread->weight_ns > 0 ? sums->weight_ns / thread->weight_ns : 0;
        if (thread->error_factor > 0 && p > 0) {
            sums->variance += thread->error_factor * p * (p < 1 ? 1 - p : 0);
            sums->marked |= thread->anonymous || thread->samples_in_all < LEAST_SAMPLES;
        }
        sums->here = false;
        sums->weight_ns = 0;
    }
    tally->here.n = 0;
}

double tally_variance(const struct tally *tally, uint32_t set)
{
    return tally->sums[set].marked ? (double)NAN : tally->sums[set].variance;
}

void tally_free(struct tally *tally)
{
    free(tally->sums);
    vec_free(&tally->here);
}
