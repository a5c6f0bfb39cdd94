/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "flametree.h"

#include "joular/clock.h"
#include "joular/map.h"

#include <stdlib.h>

/* Native rows, and the nodes of energy that belongs to no branch, have labels of their own, so that a method is never
 * taken for one of them, whatever its name. */
struct maker {
    const struct result *r;
    struct flame_tree *tree;
    uint32_t *labels;      /* by name and native row: the label + 1; 0: none */
    struct map64 children; /* parent and label -> node */
    const bool *is_application;
};

static char kind_of(const struct maker *m, uint32_t name, int native)
{
    static const char rows[NATIVE_ROWS] = {'g', 'j', 'f', 'v'};
    if (native >= 0)
        return rows[native];
    if (m->is_application[name])
        return 'a';
    return result_name(m->r, name)->text[0] == '[' ? 'r' : 'l';
}

static uint32_t label_of(struct maker *m, uint32_t name, int native)
{
    uint32_t *label = &m->labels[(size_t)name * (NATIVE_ROWS + 1) + (size_t)(native + 1)];
    if (*label == 0) {
        vec_push(&m->tree->labels, ((struct flame_label){name, kind_of(m, name, native)}));
        *label = (uint32_t)m->tree->labels.n;
    }
    return *label - 1;
}

static uint32_t child_of(struct maker *m, uint32_t parent, uint32_t label)
{
    uint32_t node = map64_put(&m->children, (uint64_t)parent << 32 | label, (uint32_t)m->tree->nodes.n);
    if (node == m->tree->nodes.n)
        vec_push(&m->tree->nodes, ((struct flame_node){parent, label, 0}));
    return node;
}

static uint32_t add_without_branch(struct maker *m, char kind, double energy_j)
{
    struct flame_tree *tree = m->tree;
    vec_push(&tree->labels, ((struct flame_label){UINT32_MAX, kind}));
    uint32_t node = child_of(m, FLAME_ROOT, (uint32_t)tree->labels.n - 1);
    tree->nodes.v[node].energy_j = energy_j;
    return node;
}

static void add_branches(struct maker *m)
{
    const struct result *r = m->r;
    double *branch_j = mem_zero(r->branches.list.n, sizeof *branch_j);
    bool *used = mem_zero(r->branches.list.n, sizeof *used);
    for (size_t i = 0; i < r->rows.n; i++)
        branch_j[r->rows.v[i].branch] += r->rows.v[i].energy_j;
    for (size_t i = 0; i < r->weights.n; i++)
        used[r->weights.v[i].branch] = true;
    for (size_t b = 0; b < r->branches.list.n; b++) {
        const struct branch *branch = &r->branches.list.v[b];
        m->tree->node_of[b] = UINT32_MAX;
        if (!used[b] && branch_j[b] <= 0 && r->uses.v[b].samples == 0)
            continue;
        uint32_t node = FLAME_ROOT;
        for (uint32_t f = 0; f < branch->count; f++)
            node = child_of(m, node, label_of(m, r->branches.frames.v[branch->first + f], branch->native));
        m->tree->nodes.v[node].energy_j += branch_j[b];
        m->tree->node_of[b] = node;
    }
    free(branch_j);
    free(used);
}

/* ---- Order ---- */

/* A node, with what its order among the children of its parent depends on. */
struct child {
    uint32_t node;
    int group;
    double energy_j;
    const struct intern_text *name;
};

static int by_child(const void *left, const void *right)
{
    const struct child *a = left, *b = right;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    if (a->energy_j != b->energy_j)
        return a->energy_j > b->energy_j ? -1 : 1;
    if (a->name == NULL || b->name == NULL)
        return 0;
    uint32_t shorter = a->name->length < b->name->length ? a->name->length : b->name->length;
    int order = memcmp(a->name->text, b->name->text, shorter);
    return order != 0 ? order : a->name->length < b->name->length ? -1 : a->name->length > b->name->length;
}

static int group_of(char kind)
{
    return kind == 'x' ? 4 : kind == 'o' ? 3 : kind == 'u' ? 2 : strchr("gjfv", kind) != NULL ? 1 : 0;
}

/* All nodes but the root, sorted: the children of PARENT are from BEGIN[PARENT] on, before BEGIN[PARENT + 1]. Most
 * nodes have one child, so there is little to sort. */
static struct child *sort_children(const struct maker *m, size_t *begin)
{
    const struct flame_tree *tree = m->tree;
    size_t count = tree->nodes.n;
    struct child *order = mem_zero(count, sizeof *order);
    size_t *next = mem_zero(count, sizeof *next);
    for (size_t i = 1; i < count; i++)
        begin[tree->nodes.v[i].parent + 1]++;
    for (size_t i = 0; i < count; i++) {
        next[i] = begin[i];
        begin[i + 1] += begin[i];
    }
    for (uint32_t i = 1; i < count; i++) {
        const struct flame_node *node = &tree->nodes.v[i];
        const struct flame_label *label = &tree->labels.v[node->label];
        order[next[node->parent]++] = (struct child){i, group_of(label->kind), node->energy_j,
                                                     label->name == UINT32_MAX ? NULL : result_name(m->r, label->name)};
    }
    for (size_t i = 0; i < count; i++)
        if (begin[i + 1] - begin[i] > 1)
            qsort(order + begin[i], begin[i + 1] - begin[i], sizeof *order, by_child);
    free(next);
    return order;
}

/* Renumbers nodes and labels in the order of a walk over the sorted tree. */
static void renumber(struct maker *m)
{
    struct flame_tree *tree = m->tree;
    size_t count = tree->nodes.n, label_count = 0;
    size_t *begin = mem_zero(count + 1, sizeof *begin);
    struct child *order = sort_children(m, begin);
    uint32_t *fresh = mem_zero(count, sizeof *fresh), *fresh_labels = mem_zero(tree->labels.n, sizeof *fresh_labels);
    struct flame_node *nodes = mem_zero(count, sizeof *nodes);
    struct flame_label *labels = mem_zero(tree->labels.n, sizeof *labels);
    VEC(uint32_t) stack = {0};
    memset(fresh_labels, 0xff, tree->labels.n * sizeof *fresh_labels);
    vec_push(&stack, FLAME_ROOT);
    for (uint32_t next = 0; stack.n != 0; next++) {
        uint32_t old = stack.v[--stack.n];
        const struct flame_node *node = &tree->nodes.v[old];
        fresh[old] = next;
        if (old != FLAME_ROOT && fresh_labels[node->label] == UINT32_MAX) {
            fresh_labels[node->label] = (uint32_t)label_count;
            labels[label_count++] = tree->labels.v[node->label];
        }
        nodes[next] = (struct flame_node){old != FLAME_ROOT ? fresh[node->parent] : 0,
                                          old != FLAME_ROOT ? fresh_labels[node->label] : 0, node->energy_j};
        for (size_t i = begin[old + 1]; i > begin[old]; i--)
            vec_push(&stack, order[i - 1].node);
    }
    for (size_t b = 0; b < m->r->branches.list.n; b++)
        if (tree->node_of[b] != UINT32_MAX)
            tree->node_of[b] = fresh[tree->node_of[b]];
    tree->unattributed = fresh[tree->unattributed];
    tree->outside = fresh[tree->outside];
    if (tree->left_out != UINT32_MAX)
        tree->left_out = fresh[tree->left_out];
    memcpy(tree->nodes.v, nodes, count * sizeof *nodes);
    memcpy(tree->labels.v, labels, label_count * sizeof *labels);
    tree->labels.n = label_count;
    vec_free(&stack);
    free(order);
    free(begin);
    free(fresh);
    free(fresh_labels);
    free(nodes);
    free(labels);
}

/* ---- Energy by time ---- */

/* Sorts cells by node in two passes, the first of which counts them. The cells of a node stay in order of time. */
struct cell_places {
    size_t *at; /* pass 1: at[node + 1] counts a node's cells; pass 2: at[node] is where its next one goes */
    struct flame_cell *put; /* the sorted cells; NULL in pass 1 */
};

static void add_cell(struct cell_places *places, uint32_t node, uint32_t bucket, double energy_j)
{
    if (!(energy_j > 0))
        return;
    if (places->put == NULL)
        places->at[node + 1]++;
    else
        places->put[places->at[node]++] = (struct flame_cell){node, bucket, energy_j};
}

static void add_cells_of_cycles(const struct result *r, const struct flame_tree *tree, struct cell_places *places)
{
    size_t row = 0;
    for (size_t i = 0; i < r->cycles.n; i++) {
        const struct result_cycle *cycle = &r->cycles.v[i];
        uint32_t bucket = (uint32_t)(i / tree->cycles_each);
        for (; row < cycle->rows; row++)
            add_cell(places, tree->node_of[r->rows.v[row].branch], bucket, r->rows.v[row].energy_j);
        add_cell(places, tree->unattributed, bucket, cycle->unattributed_j);
        add_cell(places, tree->outside, bucket, cycle->outside_j);
        add_cell(places, tree->left_out, bucket, cycle->left_out_j);
    }
}

static void add_cells(const struct result *r, struct flame_tree *tree)
{
    struct cell_places places = {.at = mem_zero(tree->nodes.n + 1, sizeof *places.at)};
    tree->cycles_each = r->cycles.n > FLAME_BUCKETS ? (r->cycles.n + FLAME_BUCKETS - 1) / FLAME_BUCKETS : 1;
    add_cells_of_cycles(r, tree, &places);
    for (size_t i = 0; i < tree->nodes.n; i++)
        places.at[i + 1] += places.at[i];
    size_t count = places.at[tree->nodes.n];
    places.put = mem_zero(count, sizeof *places.put);
    add_cells_of_cycles(r, tree, &places);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        struct flame_cell cell = places.put[i], *last = kept != 0 ? &places.put[kept - 1] : NULL;
        if (last != NULL && last->node == cell.node && last->bucket == cell.bucket)
            last->energy_j += cell.energy_j;
        else
            places.put[kept++] = cell;
    }
    tree->cells.v = places.put;
    tree->cells.n = kept;
    tree->cells.cap = count;
    free(places.at);
}

void flame_tree_make(const struct result *r, const struct name_filter *application, struct flame_tree *tree)
{
    struct branch_set kept = {0};
    uint32_t *map = mem_zero(r->branches.list.n, sizeof *map);
    bool *is_application = mem_zero(r->names.texts.n, sizeof *is_application);
    struct maker m = {.r = r, .tree = tree, .is_application = is_application};
    m.labels = mem_zero(r->names.texts.n * (NATIVE_ROWS + 1), sizeof *m.labels);
    *tree = (struct flame_tree){.node_of = mem_zero(r->branches.list.n, sizeof *tree->node_of),
                                .jdk = application->prefixes == application_filter.prefixes};
    result_filter(r, application, &kept, map);
    for (size_t i = 0; i < kept.frames.n; i++)
        is_application[kept.frames.v[i]] = true;
    vec_push(&tree->nodes, ((struct flame_node){0}));
    add_branches(&m);
    tree->unattributed = add_without_branch(&m, 'u', r->unattributed_j);
    tree->outside = add_without_branch(&m, 'o', r->outside_j);
    tree->left_out = r->left_out_j > 0 ? add_without_branch(&m, 'x', r->left_out_j) : UINT32_MAX;
    for (size_t i = tree->nodes.n - 1; i > 0; i--)
        tree->nodes.v[tree->nodes.v[i].parent].energy_j += tree->nodes.v[i].energy_j;
    renumber(&m);
    add_cells(r, tree);
    free(m.labels);
    map64_free(&m.children);
    branch_set_free(&kept);
    free(is_application);
    free(map);
}

const char flame_unattributed[] = "unattributed", flame_outside[] = "outside the recording",
           flame_left_out[] = "left out of this view";

struct intern_text flame_label_text(const struct result *r, const struct flame_label *label)
{
    if (label->name != UINT32_MAX)
        return *result_name(r, label->name);
    const char *words = label->kind == 'u' ? flame_unattributed : label->kind == 'o' ? flame_outside : flame_left_out;
    return (struct intern_text){.text = words, .length = (uint32_t)strlen(words)};
}

double *flame_cycle_starts(const struct result *r)
{
    double *starts_s = mem_zero(r->cycles.n, sizeof *starts_s), all_s = 0, end_s = 0, shift_s = 0;
    for (size_t i = 0; i < r->cycles.n; i++)
        all_s += (double)r->cycles.v[i].interval_ns / 1e9;
    for (size_t i = 0; i < r->cycles.n; i++) {
        const struct result_cycle *cycle = &r->cycles.v[i], *first = &r->cycles.v[0];
        double seconds = (double)cycle->interval_ns / 1e9;
        starts_s[i] = (double)time_difference(cycle->realtime_ns, first->realtime_ns) / 1e9 - seconds +
                      (double)first->interval_ns / 1e9 - shift_s;
        if (starts_s[i] < end_s || starts_s[i] > end_s + all_s) {
            shift_s += starts_s[i] - end_s;
            starts_s[i] = end_s;
        }
        end_s = starts_s[i] + seconds;
    }
    return starts_s;
}

void flame_tree_free(struct flame_tree *tree)
{
    vec_free(&tree->nodes);
    vec_free(&tree->labels);
    vec_free(&tree->cells);
    free(tree->node_of);
}
