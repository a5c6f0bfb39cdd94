/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the forms for other profilers (pprof, speedscope, the Firefox Profiler) are made of: the tree of flame.html,
 * with whole numbers at its nodes.
 *
 * The numbers are microjoules, nanoseconds of CPU time, and samples. The tree has all energy of a view: that of its
 * branches, native rows, unattributed energy, energy before or after the recording, and energy that the view leaves
 * out. So it adds up to the process energy, rounded once, by largest remainders (wholeparts.h). A node has the same
 * numbers in each form. Where a form divides a node further, into threads or cycles, the running sum is rounded, so
 * that the pieces add up to the node. */
#ifndef JOULAR_PROFILE_H
#define JOULAR_PROFILE_H

#include "flametree.h"
#include "joular/report.h"

#define PROFILE_VALUES 3 /* by enum report_weight */
#define PROFILE_NO_THREAD UINT32_MAX

struct profile {
    const struct result *r;
    struct flame_tree tree;
    double *own[PROFILE_VALUES];    /* by node, less its children; nodes without branches have energy only */
    int64_t *whole[PROFILE_VALUES]; /* OWN rounded */
};
void profile_make(const struct report_input *input, struct profile *profile);
void profile_free(struct profile *profile);

/* Calls TAKE for each energy above 0 of a cycle and node, in the order of the cycles. */
void profile_each_energy(const struct profile *profile,
                         void (*take)(void *context, size_t cycle, uint32_t node, double uj), void *context);

/* The name of a thread as in threads.csv. */
struct intern_text profile_thread_name(const struct result *result, uint32_t thread);

/* The part of a node that belongs to a thread. */
struct profile_piece {
    uint32_t node, thread; /* PROFILE_NO_THREAD: a node of no thread, such as a native row */
    int64_t whole[PROFILE_VALUES];
};
struct profile_pieces {
    struct profile_piece *v;
    size_t n, cap;
};
/* Divides the nodes into threads. PIECES are sorted by node, then by thread; the caller frees V.
 *
 * A result has the energy of each branch, the energy of each thread, and the weight of each branch on each thread, but
 * not the energy of a branch on a thread. A branch of one thread gives it all its energy. Where branches have several
 * threads, their energies are found by iterative proportional fitting (Deming and Stephan, Ann. Math. Stat. 11, 1940):
 * starting from the weights, branches and threads are scaled in turn until both have the sums that are known. Where a
 * view leaves energy out, the sums of threads are unknown; then, and always for CPU time, a thread has the same joules
 * or nanoseconds per weight in all its branches. Samples are divided by weight. */
void profile_cut_by_thread(const struct profile *profile, struct profile_pieces *pieces);

#endif
