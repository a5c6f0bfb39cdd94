/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The energy of methods, and its 95 % half-widths. */
#include "joular/variance.h"

#include <math.h>

#define Z95 1.96

static int by_thread_and_branch(const void *left, const void *right)
{
    const struct result_weight *a = left, *b = right;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return a->branch < b->branch ? -1 : a->branch > b->branch;
}

void result_merge_weights(struct result *r)
{
    size_t kept = 0;
    if (r->weights.n != 0)
        qsort(r->weights.v, r->weights.n, sizeof *r->weights.v, by_thread_and_branch);
    for (size_t i = 0; i < r->weights.n; i++) {
        struct result_weight *last = kept != 0 ? &r->weights.v[kept - 1] : NULL;
        if (last != NULL && by_thread_and_branch(last, &r->weights.v[i]) == 0)
            last->weight_ns += r->weights.v[i].weight_ns;
        else
            r->weights.v[kept++] = r->weights.v[i];
    }
    r->weights.n = kept;
}

/* Tells whether a name comes up for the first time in a branch. */
struct once {
    uint64_t *seen;  /* by name: the last branch that had it */
    uint64_t branch; /* the current branch, counted from 1 */
};

static bool first_time(struct once *once, uint32_t name)
{
    if (once->seen[name] == once->branch)
        return false;
    once->seen[name] = once->branch;
    return true;
}

static double half_width(const struct tally *tally, uint32_t name)
{
    return Z95 * sqrt(tally_variance(tally, name));
}

void result_methods(const struct result *r, const struct branch_set *set, const uint32_t *map, struct method_list *out)
{
    size_t names = r->names.texts.n;
    struct result_method *methods = mem_zero(names, sizeof *methods);
    struct tally own = tally_of(names), total = tally_of(names);
    struct once once = {mem_zero(names, sizeof *once.seen), 0};
    double *branch_j = mem_zero(r->branches.list.n, sizeof *branch_j);
    *out = (struct method_list){0};
    set = set != NULL ? set : &r->branches;
    for (size_t i = 0; i < r->rows.n; i++)
        branch_j[r->rows.v[i].branch] += r->rows.v[i].energy_j;
    for (size_t b = 0; b < r->branches.list.n; b++) {
        uint32_t number = map != NULL ? map[b] : (uint32_t)b;
        if (number == UINT32_MAX)
            continue;
        const struct branch *branch = &set->list.v[number];
        const uint32_t *frames = set->frames.v + branch->first;
        struct result_method *last = &methods[frames[branch->count - 1]];
        last->own_j += branch_j[b];
        last->own_cpu_ns += r->uses.v[b].cpu_ns;
        last->own_samples += r->uses.v[b].samples;
        once.branch++;
        for (uint32_t f = 0; f < branch->count; f++) {
            if (!first_time(&once, frames[f]))
                continue;
            methods[frames[f]].total_j += branch_j[b];
            methods[frames[f]].total_cpu_ns += r->uses.v[b].cpu_ns;
            methods[frames[f]].total_samples += r->uses.v[b].samples;
        }
    }
    for (size_t i = 0; i < r->weights.n; i++) {
        const struct result_weight *weight = &r->weights.v[i];
        uint32_t number = map != NULL ? map[weight->branch] : weight->branch;
        if (number != UINT32_MAX) {
            const struct branch *branch = &set->list.v[number];
            const uint32_t *frames = set->frames.v + branch->first;
            tally_add(&own, frames[branch->count - 1], weight->weight_ns);
            once.branch++;
            for (uint32_t f = 0; f < branch->count; f++)
                if (first_time(&once, frames[f]))
                    tally_add(&total, frames[f], weight->weight_ns);
        }
        if (i + 1 == r->weights.n || r->weights.v[i + 1].thread != weight->thread) {
            tally_close_thread(&own, &r->threads.v[weight->thread]);
            tally_close_thread(&total, &r->threads.v[weight->thread]);
        }
    }
    for (uint32_t name = 0; name < names; name++) {
        struct result_method *method = &methods[name];
        if (method->total_j <= 0 && method->total_samples == 0)
            continue;
        method->name = name;
        method->own_half_width_j = half_width(&own, name);
        method->total_half_width_j = half_width(&total, name);
        vec_push(out, *method);
    }
    free(methods);
    tally_free(&own);
    tally_free(&total);
    free(once.seen);
    free(branch_j);
}
