/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branches: the distinct stacks of frames. */
#ifndef JOULAR_BRANCH_H
#define JOULAR_BRANCH_H

#include "joular/intern.h"
#include "joular/mem.h"

/* Frames are numbers of names, oldest first; those of a branch begin at frames[first] of its set. */
struct branch {
    uint32_t first, count;
    int native; /* which native row it is (enum native_row of joular/result.h), or -1 for a Java branch */
};

/* A set of branches: those with equal frames and equal NATIVE are one. */
struct branch_set {
    VEC(uint32_t) frames; /* of all branches, one after another */
    VEC(struct branch) list;
    uint32_t *slots;
    size_t slot_count;
};
/* The number of the branch with these frames, COUNT of them and at least one; it is added if missing. NATIVE: as in
 * struct branch. */
uint32_t branch_set_add(struct branch_set *set, const uint32_t *frames, size_t count, int native);
/* The number of the branch, or UINT32_MAX if it is not in the set. */
uint32_t branch_set_find(const struct branch_set *set, const uint32_t *frames, size_t count, int native);
void branch_set_free(struct branch_set *set);

/* For each branch of SET its rank when all are sorted by their texts, which are the names of the frames joined with
 * ";", byte by byte. To be freed. */
uint32_t *branch_ranks(const struct branch_set *set, const struct intern *names);

#endif
