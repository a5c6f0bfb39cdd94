/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile.speedscope.json: speedscope's file format (https://www.speedscope.app/file-format-schema.json), with sampled
 * profiles: one of the whole process, then one for each thread that has stacks, sorted by energy, high first. Weights
 * are whole microjoules, for which the format has no unit; with --weight, nanoseconds of CPU time or samples. Energy
 * without a stack (native rows, unattributed, before or after the recording) is only in the profile of the process. */
#include "joular/jsonout.h"
#include "profile.h"

#include <stdlib.h>

struct sample {
    uint32_t node;
    int64_t weight;
};

/* Pieces of one thread. */
struct thread_part {
    size_t first, n;
    int64_t sum;
};

static const char *const unit_names[PROFILE_VALUES] = {
    [WEIGHT_ENERGY] = "none", [WEIGHT_CPU] = "nanoseconds", [WEIGHT_SAMPLES] = "none"};
static const char *const unit_words[PROFILE_VALUES] = {
    [WEIGHT_ENERGY] = "energy in \u00b5J", [WEIGHT_CPU] = "CPU time", [WEIGHT_SAMPLES] = "samples"};

static void put_stack(const struct flame_tree *tree, uint32_t node, uint32_t *stack, struct jsonout *out)
{
    size_t depth = 0;
    for (; node != FLAME_ROOT; node = tree->nodes.v[node].parent)
        stack[depth++] = tree->nodes.v[node].label;
    JSON_LIST(out, NULL, depth, json_whole(out, NULL, stack[depth - 1 - i]));
}

static void put_profile(const struct profile *p, enum report_weight weight, const char *name, size_t length,
                        const struct sample *samples, size_t n, struct jsonout *out)
{
    uint32_t *stack = mem_zero(p->tree.nodes.n, sizeof *stack);
    char *title = mem_alloc(length + 64);
    int64_t end = 0;
    memcpy(title, name, length);
    length += (size_t)sprintf(title + length, " (%s)", unit_words[weight]);
    for (size_t i = 0; i < n; i++)
        end += samples[i].weight;
    json_open(out, NULL, '{');
    json_string(out, "type", "sampled");
    json_text(out, "name", title, length);
    json_string(out, "unit", unit_names[weight]);
    json_integer(out, "startValue", 0);
    json_integer(out, "endValue", end);
    JSON_LIST(json_line(out), "samples", n, put_stack(&p->tree, samples[i].node, stack, out));
    JSON_LIST(json_line(out), "weights", n, json_integer(out, NULL, samples[i].weight));
    json_close(out, '}');
    free(stack);
    free(title);
}

static void put_all(const struct profile *p, enum report_weight weight, struct jsonout *out)
{
    VEC(struct sample) samples = {0};
    for (uint32_t node = 0; node < p->tree.nodes.n; node++)
        if (p->whole[weight][node] > 0)
            vec_push(&samples, ((struct sample){node, p->whole[weight][node]}));
    put_profile(p, weight, "All threads", strlen("All threads"), samples.v, samples.n, out);
    vec_free(&samples);
}

static int by_thread(const void *left, const void *right)
{
    const struct profile_piece *a = left, *b = right;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

static int by_sum(const void *left, const void *right)
{
    const struct thread_part *a = left, *b = right;
    if (a->sum != b->sum)
        return a->sum > b->sum ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

static void put_thread(const struct profile *p, enum report_weight weight, const struct profile_piece *pieces, size_t n,
                       struct jsonout *out)
{
    struct intern_text name = profile_thread_name(p->r, pieces[0].thread);
    struct sample *samples = mem_zero(n, sizeof *samples);
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (pieces[i].whole[weight] > 0)
            samples[count++] = (struct sample){pieces[i].node, pieces[i].whole[weight]};
    json_line(out);
    put_profile(p, weight, name.text, name.length, samples, count, out);
    free(samples);
}

static void put_threads(const struct profile *p, enum report_weight weight, struct jsonout *out)
{
    struct profile_pieces pieces;
    VEC(struct thread_part) parts = {0};
    profile_cut_by_thread(p, &pieces);
    if (pieces.n != 0)
        qsort(pieces.v, pieces.n, sizeof *pieces.v, by_thread);
    for (size_t i = 0; i < pieces.n && pieces.v[i].thread != PROFILE_NO_THREAD; i++) {
        if (i == 0 || pieces.v[i].thread != pieces.v[i - 1].thread)
            vec_push(&parts, ((struct thread_part){.first = i}));
        parts.v[parts.n - 1].n++;
        parts.v[parts.n - 1].sum += pieces.v[i].whole[weight];
    }
    if (parts.n != 0)
        qsort(parts.v, parts.n, sizeof *parts.v, by_sum);
    for (size_t i = 0; i < parts.n && parts.v[i].sum > 0; i++)
        put_thread(p, weight, pieces.v + parts.v[i].first, parts.v[i].n, out);
    vec_free(&parts);
    free(pieces.v);
}

static void write_speedscope(const struct report_input *input, bool header, FILE *stream)
{
    struct profile p;
    struct jsonout json = {.stream = stream, .in_script = true}, *out = &json;
    (void)header;
    profile_make(input, &p);
    json_open(out, NULL, '{');
    json_string(out, "$schema", "https://www.speedscope.app/file-format-schema.json");
    json_string(out, "exporter", "joular-analyze " PACKAGE_VERSION);
    json_string(out, "name", p.r->jvm_name != NULL ? p.r->jvm_name : "Java");
    json_integer(out, "activeProfileIndex", 0);
    json_open(json_line(out), "shared", '{');
    JSON_LIST(out, "frames", p.tree.labels.n, {
        struct intern_text name = flame_label_text(p.r, &p.tree.labels.v[i]);
        json_open(out, NULL, '{');
        json_text(out, "name", name.text, name.length);
        json_close(out, '}');
    });
    json_close(out, '}');
    json_open(json_line(out), "profiles", '[');
    put_all(&p, input->weight, out);
    put_threads(&p, input->weight, out);
    json_close(out, ']');
    json_close(out, '}');
    json_end(json_line(out));
    profile_free(&p);
}

const struct report_form report_speedscope = {.format = "speedscope",
                                              .file = "profile.speedscope.json",
                                              .write = write_speedscope};
