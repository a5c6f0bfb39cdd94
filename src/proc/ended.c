/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last CPU time of processes that ended. The CPU clock of a descendant that was reaped between two looks can no
 * longer be read. When a parent reaps a child, the kernel adds the child's CPU time, and the time of children that the
 * child had reaped, to the parent's cutime + cstime. So these grow, for a living parent, by
 *
 *     growth = for all its descendants that are gone: their CPU time + the time of the children they had reaped
 *            = the part known at the last look + their CPU time since then + the time of children that no look saw
 *
 * The growth minus the known part is charged to the descendants that are gone, in proportion to their CPU time in the
 * cycle before. cutime and cstime are whole ticks, rounded down, so a remainder of a few ticks, positive or negative,
 * means nothing. */
#include "tree.h"

static const struct watched *living_parent(const struct proc_tree *tree, const struct watched *w)
{
    /* Parent ids are those of the last look and could form a loop, so the number of steps is limited. */
    const struct watched *parent = tree_find(tree, w->p.parent);
    for (size_t steps = 0; parent != NULL && parent->gone && steps < tree->watched.n; steps++)
        parent = tree_find(tree, parent->p.parent);
    return parent != NULL && !parent->gone ? parent : NULL;
}

static void share_out(struct proc_tree *tree, const struct watched *parent, int64_t rest_ns)
{
    int64_t rates_ns = 0, left_ns = rest_ns;
    size_t takers = 0;
    for (size_t i = 0; i < tree->watched.n; i++) {
        const struct watched *w = tree->watched.v[i];
        if (w->gone && !w->zombie && living_parent(tree, w) == parent) {
            rates_ns += w->rate_ns + 1;
            takers++;
        }
    }
    for (size_t i = 0; i < tree->watched.n && takers > 0; i++) {
        struct watched *w = tree->watched.v[i];
        if (!w->gone || w->zombie || living_parent(tree, w) != parent)
            continue;
        double part = (double)(w->rate_ns + 1) / (double)rates_ns;
        int64_t piece_ns = takers == 1 ? left_ns : (int64_t)((double)rest_ns * part);
        w->p.cpu_ns = piece_ns > 0 ? piece_ns : 0;
        /* Less than was known: the parent does not wait for its children, so their time was not added to it. */
        w->p.incomplete = rest_ns < -3 * procfs_tick_ns();
        left_ns -= piece_ns;
        takers--;
    }
    if (rates_ns == 0)
        tree->unseen_ns += rest_ns;
}

void tree_charge_ended(struct proc_tree *tree)
{
    for (size_t i = 0; i < tree->watched.n; i++) {
        const struct watched *parent = tree->watched.v[i];
        int64_t rest_ns = parent->reaped_ns;
        bool any = rest_ns != 0;
        if (parent->gone)
            continue;
        for (size_t j = 0; j < tree->watched.n; j++) {
            const struct watched *w = tree->watched.v[j];
            if (w->gone && living_parent(tree, w) == parent) {
                rest_ns -= w->total_ns + w->children_ns;
                any = true;
            }
        }
        if (any)
            share_out(tree, parent, rest_ns);
    }
    for (size_t i = 0; i < tree->watched.n; i++) {
        struct watched *w = tree->watched.v[i];
        if (w->gone && !w->zombie && living_parent(tree, w) == NULL)
            w->p.incomplete = true;
    }
}
