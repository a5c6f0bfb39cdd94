/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data in flame.html, one JSON object. Nodes are numbered in the order of a walk over the tree; the process is 0.
 *
 *   estimated, jdk    booleans; jdk: all library frames are of the JDK
 *   unit              joules; every energy is a whole number of it
 *   names, kinds      by label; a character each of kinds
 *   up, label         by node: its parent is UP before it (0: none)
 *   own               nodes with energy, samples or weight of their own, each as the difference to the one before
 *   samples, cells, weights   by own: how many samples, cells and weights it has
 *   bucket, units     by cell
 *   thread, weight    by weight: the thread and its part of that thread's weight
 *   threads           [error_factor, weight, 1 where it has too few samples for an interval]
 *   sides             only in a comparison (comparehtml.c)
 *   start, end, seconds, machine   by bucket: seconds from the first, seconds with power, joules (null: no power) */
#include "flametree.h"

#include "joular/jsonout.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_SAMPLES 5 /* of a thread, for an interval: joular-attribution(7), section 7 */

/* ---- What nodes have of their own ---- */

struct own_weight {
    uint32_t node, thread;
    int64_t weight;
};

struct own {
    bool *has;
    uint64_t *samples;
    uint32_t *cells, *weights; /* how many, by node */
    VEC(struct own_weight) list;
    int64_t divisor;
};

static int by_node(const void *left, const void *right)
{
    const struct own_weight *a = left, *b = right;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    return a->thread < b->thread ? -1 : a->thread > b->thread;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Weights are mostly small multiples of the sampling period, so they are divided by their greatest common divisor. */
static void own_make(const struct result *r, const struct flame_tree *tree, struct own *own)
{
    size_t count = tree->nodes.n;
    *own = (struct own){mem_zero(count, sizeof *own->has),
                        mem_zero(count, sizeof *own->samples),
                        mem_zero(count, sizeof *own->cells),
                        mem_zero(count, sizeof *own->weights),
                        {0},
                        0};
    for (size_t b = 0; b < r->branches.list.n; b++)
        if (tree->node_of[b] != UINT32_MAX) {
            own->samples[tree->node_of[b]] += r->uses.v[b].samples;
            own->has[tree->node_of[b]] = true;
        }
    for (size_t i = 0; i < tree->cells.n; i++) {
        own->cells[tree->cells.v[i].node]++;
        own->has[tree->cells.v[i].node] = true;
    }
    for (size_t i = 0; i < r->weights.n; i++) {
        const struct result_weight *weight = &r->weights.v[i];
        int64_t whole = llround(fmin(weight->weight_ns, 0x1p53));
        if (r->threads.v[weight->thread].error_factor <= 0 || whole <= 0)
            continue;
        vec_push(&own->list, ((struct own_weight){tree->node_of[weight->branch], weight->thread, whole}));
        own->weights[tree->node_of[weight->branch]]++;
        own->divisor = common_divisor(own->divisor, whole);
    }
    if (own->list.n != 0)
        qsort(own->list.v, own->list.n, sizeof *own->list.v, by_node);
}

static void own_free(struct own *own)
{
    free(own->has);
    free(own->samples);
    free(own->cells);
    free(own->weights);
    vec_free(&own->list);
}

static void put_own(const struct result *r, const struct flame_tree *tree, double unit_j, struct jsonout *out)
{
    struct own own;
    VEC(uint32_t) nodes = {0};
    double sum_j = 0;
    int64_t written = 0;
    own_make(r, tree, &own);
    for (uint32_t n = 0; n < tree->nodes.n; n++)
        if (own.has[n])
            vec_push(&nodes, n);
    JSON_LIST(json_line(out), "own", nodes.n,
              json_integer(out, NULL, (int64_t)nodes.v[i] - (i > 0 ? nodes.v[i - 1] : 0)));
    JSON_LIST(json_line(out), "samples", nodes.n, json_integer(out, NULL, (int64_t)own.samples[nodes.v[i]]));
    JSON_LIST(json_line(out), "cells", nodes.n, json_integer(out, NULL, own.cells[nodes.v[i]]));
    JSON_LIST(json_line(out), "weights", nodes.n, json_integer(out, NULL, own.weights[nodes.v[i]]));
    JSON_LIST(json_line(out), "bucket", tree->cells.n, json_integer(out, NULL, tree->cells.v[i].bucket));
    /* the running sum is rounded, so that rounding errors do not add up */
    JSON_LIST(json_line(out), "units", tree->cells.n, {
        sum_j += tree->cells.v[i].energy_j;
        /* above 2^53 only in a report whose totals do not match its rows */
        int64_t upto = unit_j > 0 ? llround(fmin(sum_j / unit_j, 0x1p53)) : 0;
        json_integer(out, NULL, upto - written);
        written = upto;
    });
    JSON_LIST(json_line(out), "thread", own.list.n, json_integer(out, NULL, own.list.v[i].thread));
    JSON_LIST(json_line(out), "weight", own.list.n, json_integer(out, NULL, own.list.v[i].weight / own.divisor));
    JSON_LIST(json_line(out), "threads", r->threads.n, {
        const struct result_thread *thread = &r->threads.v[i];
        double divisor = own.divisor > 0 ? (double)own.divisor : 1;
        json_open(out, NULL, '[');
        json_number(out, NULL, thread->error_factor);
        json_number(out, NULL, thread->weight_ns / divisor);
        json_integer(out, NULL, thread->anonymous || thread->samples_in_all < LEAST_SAMPLES);
        json_close(out, ']');
    });
    vec_free(&nodes);
    own_free(&own);
}

/* ---- Time ---- */

struct bucket {
    double start_s, end_s, power_s, machine_j;
};

static size_t buckets_make(const struct result *r, size_t cycles_each, struct bucket buckets[FLAME_BUCKETS])
{
    double *starts_s = flame_cycle_starts(r);
    for (size_t i = 0; i < r->cycles.n; i++) {
        const struct result_cycle *cycle = &r->cycles.v[i];
        double seconds = (double)cycle->interval_ns / 1e9;
        struct bucket *bucket = &buckets[i / cycles_each];
        if (i % cycles_each == 0)
            *bucket = (struct bucket){.start_s = starts_s[i]};
        bucket->end_s = starts_s[i] + seconds;
        if (!isnan(cycle->power_w)) {
            bucket->power_s += seconds;
            bucket->machine_j += (cycle->power_w + cycle->baseline_w) * seconds;
        }
    }
    free(starts_s);
    return (r->cycles.n + cycles_each - 1) / cycles_each;
}

static void put_time(const struct result *r, const struct flame_tree *tree, struct jsonout *out)
{
    struct bucket buckets[FLAME_BUCKETS] = {0};
    size_t count = buckets_make(r, tree->cycles_each, buckets);
    JSON_LIST(json_line(out), "start", count, json_fixed(out, NULL, buckets[i].start_s, 3));
    JSON_LIST(json_line(out), "end", count, json_fixed(out, NULL, buckets[i].end_s, 3));
    JSON_LIST(json_line(out), "seconds", count, json_number(out, NULL, buckets[i].power_s));
    if (!r->process_power_only)
        JSON_LIST(json_line(out), "machine", count,
                  json_number(out, NULL, buckets[i].power_s > 0 ? buckets[i].machine_j : (double)NAN));
}

static void put_labels(const struct result *r, const struct flame_tree *tree, struct jsonout *out)
{
    char *kinds = mem_alloc(tree->labels.n);
    JSON_LIST(json_line(out), "names", tree->labels.n, {
        struct intern_text text = flame_label_text(r, &tree->labels.v[i]);
        json_text(out, NULL, text.text, text.length);
        kinds[i] = tree->labels.v[i].kind;
    });
    json_text(json_line(out), "kinds", kinds, tree->labels.n);
    free(kinds);
}

void flame_json(const struct result *r, const struct flame_tree *tree, const struct flame_sides *sides, FILE *stream)
{
    struct jsonout json = {.stream = stream, .in_script = true}, *out = &json;
    double unit_j = r->process_j / FLAME_UNITS;
    json_open(out, NULL, '{');
    json_bool(out, "estimated", r->estimated);
    json_bool(out, "jdk", tree->jdk);
    json_exact(out, "unit", unit_j);
    put_labels(r, tree, out);
    JSON_LIST(json_line(out), "up", tree->nodes.n, json_integer(out, NULL, (int64_t)i - tree->nodes.v[i].parent));
    JSON_LIST(json_line(out), "label", tree->nodes.n, json_integer(out, NULL, tree->nodes.v[i].label));
    put_own(r, tree, unit_j, out);
    put_time(r, tree, out);
    if (sides != NULL)
        sides->data(sides->context, tree, out);
    json_close(out, '}');
    json_end(json_line(out));
}
