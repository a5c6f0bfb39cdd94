/* Call branches: stacks of frames, each distinct one once. */
#ifndef JOULAR_BRANCH_H
#define JOULAR_BRANCH_H

#include "joular/intern.h"
#include "joular/mem.h"

/* Frames are numbers of names, oldest first, at frames[first] on. */
struct branch {
    uint32_t first, count;
    int native; /* row of the JVM's own threads (enum native_row of joular/result.h), or -1 */
};

/* Branches by content: the same frames are the same branch. */
struct branch_set {
    VEC(uint32_t) frames; /* of all branches, one behind the other */
    VEC(struct branch) list;
    uint32_t *slots;
    size_t slot_count;
};
/* The branch of FRAMES, COUNT of them and at least one; NATIVE as in struct branch. */
uint32_t branch_set_add(struct branch_set *set, const uint32_t *frames, size_t count, int native);
/* The same where it is there already, else UINT32_MAX. */
uint32_t branch_set_find(const struct branch_set *set, const uint32_t *frames, size_t count, int native);
void branch_set_free(struct branch_set *set);

/* By branch of SET, its place among them all in the order of their texts, frames joined with ";", byte by byte. */
uint32_t *branch_ranks(const struct branch_set *set, const struct intern *names);

#endif
