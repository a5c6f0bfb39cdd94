/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sampling variance of the energy of sets of branches (joular-attribution(7), section 7).
 *
 * variance = sum over cycles and threads of e^2 p (1 - p) / n. The set's share p of a thread's weight is taken over the
 * whole recording, so the sum of e^2 / n over the cycles does not depend on the set: it is the thread's error_factor.
 */
#ifndef JOULAR_VARIANCE_H
#define JOULAR_VARIANCE_H

#include "joular/result.h"

struct tally_sums {
    double variance;  /* of the threads that were closed */
    double weight_ns; /* on the current thread */
    bool here;        /* the current thread has a branch of the set */
    bool marked;      /* a thread has too few samples */
};
struct tally {
    struct tally_sums *sums; /* by set */
    VEC(uint32_t) here;      /* sets that have a branch on the current thread */
};

struct tally tally_of(size_t sets);
/* Adds the weight that a branch of the set has on the current thread. The caller adds a branch to a set only once. */
void tally_add(struct tally *tally, uint32_t set, double weight_ns);
/* THREAD is the current thread; the next call of tally_add begins another. */
void tally_close_thread(struct tally *tally, const struct result_thread *thread);
/* In square joules; NaN where a thread of the set has too few samples. */
double tally_variance(const struct tally *tally, uint32_t set);
void tally_free(struct tally *tally);

#endif
