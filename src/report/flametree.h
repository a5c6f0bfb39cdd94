/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What flame.html draws: the branches of a result merged into one tree, and their energy over time. */
#ifndef JOULAR_FLAMETREE_H
#define JOULAR_FLAMETREE_H

#include "joular/jsonout.h"
#include "joular/result.h"

#include <stdio.h>

#define FLAME_BUCKETS 240
#define FLAME_UNITS 1e10 /* the process energy in units; the page's data is whole numbers of these */
#define FLAME_ROOT 0

/* The label of a frame. KIND: a application, l library, r a name in brackets, g j f v the native rows, u unattributed,
 * o before or after the recording, x left out of the view. */
struct flame_label {
    uint32_t name; /* in the result's names; UINT32_MAX for u, o and x */
    char kind;
};

struct flame_node {
    uint32_t parent, label;
    double energy_j; /* of the node and all its descendants */
};

struct flame_cell {
    uint32_t node, bucket;
    double energy_j;
};

struct flame_tree {
    /* A parent comes before its children; those are Java, native, u, o, x, and among these high energy first. */
    VEC(struct flame_node) nodes;
    VEC(struct flame_label) labels;
    uint32_t *node_of; /* by branch, UINT32_MAX where it has neither energy nor samples nor weight */
    uint32_t unattributed, outside, left_out; /* nodes; left_out is UINT32_MAX where nothing is left out */
    VEC(struct flame_cell) cells;             /* sorted by node, then by bucket */
    size_t cycles_each;                       /* how many cycles a bucket has */
    bool jdk;                                 /* all library frames are of the JDK */
};

void flame_tree_make(const struct result *result, const struct name_filter *application, struct flame_tree *tree);
void flame_tree_free(struct flame_tree *tree);

/* The text of a label: its name, or for u, o and x one of the words below. */
struct intern_text flame_label_text(const struct result *result, const struct flame_label *label);
extern const char flame_unattributed[], flame_outside[], flame_left_out[];

/* By cycle: its start in seconds after the start of the first one, by the wall clock. A cycle begins at the end of the
 * one before it where the clock was set back, and where it jumped ahead by more than the length of all cycles. The
 * caller frees it. */
double *flame_cycle_starts(const struct result *result);

/* What a page of two sides has in place of a result's facts and summary. */
struct flame_sides {
    const void *context;
    void (*facts)(const void *context, FILE *out);
    void (*summary)(const void *context, FILE *out);
    void (*data)(const void *context, const struct flame_tree *tree, struct jsonout *out); /* more keys of the data */
};

/* Writes one JSON object that is safe inside a script element. SIDES may be NULL. */
void flame_json(const struct result *result, const struct flame_tree *tree, const struct flame_sides *sides, FILE *out);

void flame_page(const struct result *result, const struct name_filter *application, const struct flame_sides *sides,
                FILE *out);
void flame_put_text(const char *text, size_t length, FILE *out); /* as HTML */

#endif
