/* What the forms for other profilers (pprof, speedscope, the Firefox Profiler) are made of: the tree of flame.html,
 * with whole numbers at its nodes.
 *
 * Microjoules, nanoseconds of CPU time and samples. All energy of a view is in it: its branches, the JVM's own rows,
 * what is unattributed or outside the recording, and what the view leaves out; so energy adds up to that of the
 * process, rounded once, by largest remainders (wholeparts.h). A node has the same numbers in each form. Where a form
 * cuts one further, into threads or cycles, the running sum is rounded: the pieces' sum is that of the node. */
#ifndef JOULAR_PROFILE_H
#define JOULAR_PROFILE_H

#include "flametree.h"
#include "joular/report.h"

#define PROFILE_VALUES 3 /* by enum report_weight */
#define PROFILE_NO_THREAD UINT32_MAX

struct profile {
    const struct result *r;
    struct flame_tree tree;
    double *own[PROFILE_VALUES];    /* by node, of its own, in the units above; nobody's nodes have energy alone */
    int64_t *whole[PROFILE_VALUES]; /* the same, rounded */
};
void profile_make(const struct report_input *input, struct profile *profile);
void profile_free(struct profile *profile);

/* Calls TAKE for each energy above 0 of a cycle and node, in the order of the cycles. */
void profile_each_energy(const struct profile *profile,
                         void (*take)(void *context, size_t cycle, uint32_t node, double uj), void *context);

/* As threads.csv has it. */
struct intern_text profile_thread_name(const struct result *result, uint32_t thread);

/* What a thread has of a node. */
struct profile_piece {
    uint32_t node, thread; /* PROFILE_NO_THREAD: of none, as the JVM's own rows */
    int64_t whole[PROFILE_VALUES];
};
struct profile_pieces {
    struct profile_piece *v;
    size_t n, cap;
};
/* Cuts the nodes into threads: by node, then by thread; V is to be freed.
 *
 * A result has the energy of each branch, that of each thread, and the weight of each thread in each branch, but not
 * the energy of a thread in a branch. Where a branch is of one thread that is no question. Where it is of several, the
 * table of energies is the one in proportion to the weights whose rows and columns have the sums that are known: row
 * and column factors, made by turns (iterative proportional fitting: Deming and Stephan, Ann. Math. Stat. 11, 1940).
 * What is left out of a view leaves the sums of threads unknown; then, and for CPU time, a thread has the same joules
 * or nanoseconds per weight in all its branches. Samples go by weight. */
void profile_cut_by_thread(const struct profile *profile, struct profile_pieces *pieces);

#endif
