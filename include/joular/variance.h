/* How sure the energy of a set of branches is (joular-attribution(7), section 7).
 *
 * variance = sum over cycles and threads of e^2 p (1 - p) / n. The share p of the set in a thread's weight is that of
 * the whole recording, so the sum over the cycles, error_factor, is a number of the thread alone. */
#ifndef JOULAR_VARIANCE_H
#define JOULAR_VARIANCE_H

#include "joular/result.h"

/* Of a set: its weight on the thread in hand, and the variance over those done. */
struct tally_sums {
    double variance, weight_ns;
    bool here, marked;
};
struct tally {
    struct tally_sums *sums; /* by set */
    VEC(uint32_t) here;      /* sets that the thread in hand has */
};

struct tally tally_of(size_t sets);
/* Weight of a branch of the set, on the thread in hand; a branch counts once a set. */
void tally_add(struct tally *tally, uint32_t set, double weight_ns);
void tally_close_thread(struct tally *tally, const struct result_thread *thread);
/* In square joules; NaN where a thread has too few samples for it. */
double tally_variance(const struct tally *tally, uint32_t set);
void tally_free(struct tally *tally);

#endif
