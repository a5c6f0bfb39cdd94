/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile.h"

#include "wholeparts.h"

#include <math.h>
#include <stdlib.h>

#define UJ 1e6 /* in a joule */

void profile_each_energy(const struct profile *p, void (*take)(void *context, size_t cycle, uint32_t node, double uj),
                         void *context)
{
    const struct result *r = p->r;
    size_t at = 0;
    for (size_t i = 0; i < r->cycles.n; i++) {
        const struct result_cycle *cycle = &r->cycles.v[i];
        for (; at < cycle->rows; at++)
            if (r->rows.v[at].energy_j > 0)
                take(context, i, p->tree.node_of[r->rows.v[at].branch], r->rows.v[at].energy_j * UJ);
        if (cycle->unattributed_j > 0)
            take(context, i, p->tree.unattributed, cycle->unattributed_j * UJ);
        if (cycle->outside_j > 0)
            take(context, i, p->tree.outside, cycle->outside_j * UJ);
        if (cycle->left_out_j > 0 && p->tree.left_out != UINT32_MAX)
            take(context, i, p->tree.left_out, cycle->left_out_j * UJ);
    }
}

static void add_energy(void *context, size_t cycle, uint32_t node, double uj)
{
    double *own = context;
    (void)cycle;
    own[node] += uj;
}

void profile_make(const struct report_input *input, struct profile *p)
{
    const struct result *r = input->view;
    double totals[PROFILE_VALUES] = {[WEIGHT_ENERGY] = r->process_j * UJ};
    *p = (struct profile){.r = r};
    flame_tree_make(r, input->application, &p->tree);
    for (int value = 0; value < PROFILE_VALUES; value++) {
        p->own[value] = mem_zero(p->tree.nodes.n, sizeof *p->own[value]);
        p->whole[value] = mem_zero(p->tree.nodes.n, sizeof *p->whole[value]);
    }
    profile_each_energy(p, add_energy, p->own[WEIGHT_ENERGY]);
    for (size_t b = 0; b < r->uses.n; b++) {
        if (p->tree.node_of[b] == UINT32_MAX)
            continue;
        p->own[WEIGHT_CPU][p->tree.node_of[b]] += r->uses.v[b].cpu_ns;
        p->own[WEIGHT_SAMPLES][p->tree.node_of[b]] += (double)r->uses.v[b].samples;
        totals[WEIGHT_CPU] += r->uses.v[b].cpu_ns;
        totals[WEIGHT_SAMPLES] += (double)r->uses.v[b].samples;
    }
    for (int value = 0; value < PROFILE_VALUES; value++)
        whole_parts(p->own[value], p->tree.nodes.n, totals[value], p->whole[value]);
}

void profile_free(struct profile *p)
{
    flame_tree_free(&p->tree);
    for (int value = 0; value < PROFILE_VALUES; value++) {
        free(p->own[value]);
        free(p->whole[value]);
    }
}

/* ---- Threads ---- */

struct intern_text profile_thread_name(const struct result *r, uint32_t number)
{
    static const char nobody[] = REPORT_NO_THREAD;
    const struct result_thread *thread = &r->threads.v[number];
    return thread->anonymous ? (struct intern_text){.text = nobody, .length = sizeof nobody - 1}
                             : *result_name(r, thread->name);
}

#define ENOUGH_UJ 0.1   /* an error in the energy of a thread that is small enough */
#define WORTH_IT 0.999  /* another turn is made while the largest error falls below this part of the one before */
#define MOST_TURNS 5000 /* some hundreds are common */

struct share {
    uint32_t node, thread;
    double weight_ns;
};

struct cut {
    const struct profile *p;
    struct share *shares; /* by node, then by thread */
    size_t n;
    double *per_weight[PROFILE_VALUES]; /* by thread */
};

static int by_node(const void *left, const void *right)
{
    const struct share *a = left, *b = right;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    return a->thread < b->thread ? -1 : a->thread > b->thread;
}

/* Where the shares of the node that begin at FIRST end. SUM: their weights times the factors of their threads, added
 * up.
 */
static size_t end_of_node(const struct cut *cut, size_t first, const double *factor, double *sum)
{
    size_t i = first;
    for (*sum = 0; i < cut->n && cut->shares[i].node == cut->shares[first].node; i++)
        *sum += cut->shares[i].weight_ns * factor[cut->shares[i].thread];
    return i;
}

/* Finds factors for the threads with which the pieces of each thread add up to its energy. */
static void fit(struct cut *cut)
{
    const struct result *r = cut->p->r;
    double *factor = cut->per_weight[WEIGHT_ENERGY], worst_uj = INFINITY, before_uj = INFINITY;
    double *given = mem_zero(r->threads.n, sizeof *given);
    for (int turn = 0; turn < MOST_TURNS && worst_uj > ENOUGH_UJ && (turn < 2 || worst_uj < WORTH_IT * before_uj);
         turn++) {
        before_uj = worst_uj;
        memset(given, 0, r->threads.n * sizeof *given);
        for (size_t first = 0, end; first < cut->n; first = end) {
            double sum, own_uj = cut->p->own[WEIGHT_ENERGY][cut->shares[first].node];
            end = end_of_node(cut, first, factor, &sum);
            for (size_t i = first; i < end && sum > 0; i++)
                given[cut->shares[i].thread] += own_uj * cut->shares[i].weight_ns * factor[cut->shares[i].thread] / sum;
        }
        worst_uj = 0;
        for (size_t t = 0; t < r->threads.n; t++) {
            double wanted_uj = r->threads.v[t].energy_j * UJ;
            if (!(given[t] > 0))
                continue;
            worst_uj = fmax(worst_uj, fabs(given[t] - wanted_uj));
            factor[t] *= wanted_uj / given[t];
        }
    }
    free(given);
}

static void cut_make(const struct profile *p, struct cut *cut)
{
    const struct result *r = p->r;
    *cut = (struct cut){.p = p, .shares = mem_zero(r->weights.n, sizeof *cut->shares)};
    for (size_t i = 0; i < r->weights.n; i++) {
        const struct result_weight *weight = &r->weights.v[i];
        if (weight->weight_ns > 0)
            cut->shares[cut->n++] = (struct share){p->tree.node_of[weight->branch], weight->thread, weight->weight_ns};
    }
    if (cut->n != 0)
        qsort(cut->shares, cut->n, sizeof *cut->shares, by_node);
    for (int value = 0; value < PROFILE_VALUES; value++)
        cut->per_weight[value] = mem_zero(r->threads.n, sizeof *cut->per_weight[value]);
    for (size_t t = 0; t < r->threads.n; t++) {
        const struct result_thread *thread = &r->threads.v[t];
        cut->per_weight[WEIGHT_SAMPLES][t] = 1;
        if (!(thread->weight_ns > 0))
            continue;
        cut->per_weight[WEIGHT_ENERGY][t] = thread->energy_j * UJ / thread->weight_ns;
        cut->per_weight[WEIGHT_CPU][t] = thread->cpu_ns / thread->weight_ns;
    }
    if (!(r->left_out_j > 0))
        fit(cut);
}

static void cut_free(struct cut *cut)
{
    free(cut->shares);
    for (int value = 0; value < PROFILE_VALUES; value++)
        free(cut->per_weight[value]);
}

/* Makes the pieces of one node from its shares, FIRST up to END. */
static void cut_node(const struct cut *cut, size_t first, size_t end, struct profile_piece *pieces)
{
    uint32_t node = cut->shares[first].node;
    for (int value = 0; value < PROFILE_VALUES; value++) {
        const double *factor = cut->per_weight[value];
        struct whole_run run = {0};
        double sum;
        end_of_node(cut, first, factor, &sum);
        if (!(sum > 0)) /* no thread of the node has any: divide by weight alone */
            end_of_node(cut, first, factor = cut->per_weight[WEIGHT_SAMPLES], &sum);
        for (size_t i = first; i < end; i++) {
            const struct share *share = &cut->shares[i];
            double part = share->weight_ns * factor[share->thread];
            pieces[i - first].node = node;
            pieces[i - first].thread = share->thread;
            pieces[i - first].whole[value] = whole_piece(&run, part, sum, cut->p->whole[value][node]);
        }
    }
}

void profile_cut_by_thread(const struct profile *p, struct profile_pieces *pieces)
{
    struct cut cut;
    size_t at = 0;
    *pieces = (struct profile_pieces){0};
    cut_make(p, &cut);
    for (uint32_t node = 0; node < p->tree.nodes.n; node++) {
        size_t end = at;
        while (end < cut.n && cut.shares[end].node == node)
            end++;
        vec_reserve(pieces, end - at + 1);
        if (end != at) {
            cut_node(&cut, at, end, pieces->v + pieces->n);
            pieces->n += end - at;
        } else {
            struct profile_piece whole = {node, PROFILE_NO_THREAD, {0}};
            for (int value = 0; value < PROFILE_VALUES; value++)
                whole.whole[value] = p->whole[value][node];
            vec_push(pieces, whole);
        }
        at = end;
    }
    cut_free(&cut);
}
