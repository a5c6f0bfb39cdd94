/* What flame.html draws: the branches of a result merged into one tree, with their energy by time. */
#ifndef JOULAR_FLAMETREE_H
#define JOULAR_FLAMETREE_H

#include "joular/jsonout.h"
#include "joular/result.h"

#include <stdio.h>

#define FLAME_BUCKETS 240
#define FLAME_UNITS 1e10 /* that the process energy is cut into */
#define FLAME_ROOT 0

/* What stands in a frame. KIND: a application, l library, r a remark in brackets, g j f v the native rows, u
 * unattributed, o outside, x left out of the view. */
struct flame_label {
    uint32_t name; /* in the result's names; UINT32_MAX for u, o and x */
    char kind;
};

struct flame_node {
    uint32_t parent, label;
    double energy_j; /* of it and all below */
};

struct flame_cell {
    uint32_t node, bucket;
    double energy_j;
};

struct flame_tree {
    VEC(struct flame_node) nodes; /* a parent before its children, high energy before low; Java, native, u, o */
    VEC(struct flame_label) labels;
    uint32_t *node_of; /* by branch, UINT32_MAX where it has neither energy nor samples nor weight */
    uint32_t unattributed, outside, left_out; /* nodes; left_out is UINT32_MAX where nothing is */
    VEC(struct flame_cell) cells;             /* by node, then by bucket */
    size_t cycles_each;                       /* of a bucket */
    bool jdk;                                 /* library frames are the JDK's alone */
};

void flame_tree_make(const struct result *result, const struct name_filter *application, struct flame_tree *tree);
void flame_tree_free(struct flame_tree *tree);

/* The name in a frame; of what is nobody's, one of these words. */
struct intern_text flame_label_text(const struct result *result, const struct flame_label *label);
extern const char flame_unattributed[], flame_outside[], flame_left_out[];

/* By cycle, its start in seconds from the first one's start, by the wall clock. Where that was set back, a cycle begins
 * at the end of the one before; where it jumped further than all cycles are long, likewise. To be freed. */
double *flame_cycle_starts(const struct result *result);

/* A page of two sides: the result is their union, and what is said of it comes from here. */
struct flame_sides {
    const void *context;
    void (*facts)(const void *context, FILE *out);
    void (*summary)(const void *context, FILE *out);
    void (*data)(const void *context, const struct flame_tree *tree, struct jsonout *out); /* more keys of the data */
};

/* One JSON object that may stand inside a script element; SIDES may be NULL. */
void flame_json(const struct result *result, const struct flame_tree *tree, const struct flame_sides *sides, FILE *out);

void flame_page(const struct result *result, const struct name_filter *application, const struct flame_sides *sides,
                FILE *out);
void flame_put_text(const char *text, size_t length, FILE *out); /* as HTML */

#endif
