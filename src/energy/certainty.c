/* Section 7: energy of methods, and how sure it is.
 *
 * For a set of branches, variance = sum over cycles and threads of e^2 p (1 - p) / n. The share p of the set in a
 * thread's weight is that of the whole recording, so the sum over the cycles, error_factor, is a number of the thread
 * alone. */
#include "model.h"

#include <stdlib.h>

#define LEAST_SAMPLES 5
#define Z95 1.96

struct pair { /* weight of a branch on a thread, over the whole recording */
    uint32_t group, branch;
    double weight_ns;
};

struct sums {
    double variance, weight_ns; /* weight: of the group in hand */
    bool here, marked;
};

struct certainty {
    struct model *m;
    struct sums *own, *total; /* by method name */
    VEC(uint32_t) own_here, total_here;
    uint64_t *seen; /* by method name: the last stack that had it, + 1 */
    uint64_t stack;
};

static int by_group(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return a->branch < b->branch ? -1 : a->branch > b->branch;
}

static void add_weight(struct sums *sums, uint32_t name, double weight_ns, uint32_t **here, size_t *count)
{
    if (!sums[name].here)
        (*here)[(*count)++] = name;
    sums[name].here = true;
    sums[name].weight_ns += weight_ns;
}

static void close_group(const struct group *group, struct sums *sums, uint32_t *here, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct sums *sum = &sums[here[i]];
        double p = group->weight_ns > 0 ? sum->weight_ns / group->weight_ns : 0;
        if (group->error_factor > 0 && p > 0) {
            sum->variance += group->error_factor * p * (p < 1 ? 1 - p : 0);
            sum->marked |= group->anonymous || group->samples < LEAST_SAMPLES;
        }
        sum->here = false;
        sum->weight_ns = 0;
    }
}

static void add_variances(struct certainty *c)
{
    struct observed *o = c->m->observed;
    VEC(struct pair) pairs = {0};
    for (size_t i = 0; i < o->cells.n; i++) {
        const struct observed_cell *cell = &o->cells.v[i];
        if (cell->branch != NO_BRANCH)
            vec_push(&pairs, ((struct pair){cell->thread, cell->branch, (double)cell->weight_ns}));
    }
    if (pairs.n != 0)
        qsort(pairs.v, pairs.n, sizeof *pairs.v, by_group);
    for (size_t i = 0; i < pairs.n;) {
        uint32_t group = pairs.v[i].group;
        size_t own = 0, total = 0;
        while (i < pairs.n && pairs.v[i].group == group) {
            uint32_t number = pairs.v[i].branch;
            const struct result_branch *branch = &o->branches.list.v[number];
            const uint32_t *frames = o->branches.frames.v + branch->first;
            double weight_ns = 0;
            for (; i < pairs.n && pairs.v[i].group == group && pairs.v[i].branch == number; i++)
                weight_ns += pairs.v[i].weight_ns;
            add_weight(c->own, frames[branch->count - 1], weight_ns, &c->own_here.v, &own);
            c->stack++;
            for (uint32_t f = 0; f < branch->count; f++) {
                if (c->seen[frames[f]] == c->stack)
                    continue; /* recursion counts once a stack */
                c->seen[frames[f]] = c->stack;
                add_weight(c->total, frames[f], weight_ns, &c->total_here.v, &total);
            }
        }
        close_group(&c->m->groups.v[group], c->own, c->own_here.v, own);
        close_group(&c->m->groups.v[group], c->total, c->total_here.v, total);
    }
    vec_free(&pairs);
}

static double half_width(const struct sums *sums)
{
    return sums->marked ? (double)NAN : Z95 * sqrt(sums->variance);
}

void model_methods(struct model *m, const double *branch_j, const double *branch_cpu_ns, const uint64_t *branch_samples)
{
    struct observed *o = m->observed;
    size_t names = o->names.texts.n;
    struct certainty c = {.m = m,
                          .own = mem_zero(names, sizeof *c.own),
                          .total = mem_zero(names, sizeof *c.total),
                          .seen = mem_zero(names, sizeof *c.seen)};
    struct result_method *methods = mem_zero(names, sizeof *methods);
    vec_reserve(&c.own_here, names);
    vec_reserve(&c.total_here, names);
    add_variances(&c);
    for (size_t b = 0; b < o->branches.list.n; b++) {
        const struct result_branch *branch = &o->branches.list.v[b];
        const uint32_t *frames = o->branches.frames.v + branch->first;
        struct result_method *own = &methods[frames[branch->count - 1]];
        own->own_j += branch_j[b];
        own->own_cpu_ns += branch_cpu_ns[b];
        own->own_samples += branch_samples[b];
        c.stack++;
        for (uint32_t f = 0; f < branch->count; f++) {
            if (c.seen[frames[f]] == c.stack)
                continue;
            c.seen[frames[f]] = c.stack;
            methods[frames[f]].total_j += branch_j[b];
            methods[frames[f]].total_cpu_ns += branch_cpu_ns[b];
            methods[frames[f]].total_samples += branch_samples[b];
        }
    }
    for (uint32_t name = 0; name < names; name++) {
        struct result_method *method = &methods[name];
        if (method->total_j <= 0 && method->total_samples == 0)
            continue;
        method->name = name;
        method->own_half_width_j = half_width(&c.own[name]);
        method->total_half_width_j = half_width(&c.total[name]);
        vec_push(&m->result->methods, *method);
    }
    free(methods);
    free(c.own);
    free(c.total);
    free(c.seen);
    vec_free(&c.own_here);
    vec_free(&c.total_here);
}
