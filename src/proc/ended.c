/* A descendant that was reaped between two looks took its clock along. When a parent reaps a child, the child's time
 * and what the child had reaped itself are added to the parent's cutime + cstime. So, for a parent that is there:
 *
 *     growth = sum over its descendants that are gone of (all they used and all they had reaped)
 *            = what was known of both at the last look, + what they used after it, + children nobody saw
 *
 * Growth less what was known goes to the descendants that are gone, by what they used in the cycle before. The figures
 * are in ticks, cut off: a rest of some ticks, up or down, means nothing. */
#include "tree.h"

static const struct watched *living_parent(const struct proc_tree *tree, const struct watched *w)
{
    /* Parents come from the last look, so that a row of them cannot be a circle longer than the list. */
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
        w->p.incomplete = rest_ns < -3 * procfs_tick_ns(); /* its parent does not wait for children */
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
