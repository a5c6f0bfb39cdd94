/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare_case.h"

struct result case_result(int64_t start_ns, uint64_t samples)
{
    struct result r = {.recording_start_ns = start_ns, .pid = 7, .cpus = 2, .sampler = SAMPLER_CPU_TIME};
    uint32_t name = intern_bytes(&r.names, "thread-1", 8), ok = intern_bytes(&r.names, "ok", 2);
    vec_push(&r.threads, ((struct result_thread){.name = name, .samples = samples, .samples_in_all = samples}));
    vec_push(&r.cycles, ((struct result_cycle){.interval_ns = 1000000000, .power_w = 0, .status = ok}));
    return r;
}

void add_branch(struct result *r, const char *frames, double energy_j, double samples)
{
    VEC(uint32_t) numbers = {0};
    while (*frames != '\0') {
        size_t length = strcspn(frames, ";");
        vec_push(&numbers, intern_bytes(&r->names, frames, length));
        frames += length + (frames[length] == ';');
    }
    bool native = r->names.texts.v[numbers.v[0]].text[0] == '[';
    uint32_t branch = branch_set_add(&r->branches, numbers.v, numbers.n, native ? NATIVE_GC : -1);
    vec_push(&r->rows, ((struct result_row){branch, energy_j}));
    if (samples > 0)
        vec_push(&r->weights, ((struct result_weight){0, branch, samples * 1e7}));
    while (r->uses.n < r->branches.list.n)
        vec_push(&r->uses, ((struct result_use){0, 0}));
    vec_free(&numbers);
}

void finish_result(struct result *r, double power_s, double cpu_s)
{
    double sampled_j = 0;
    for (size_t i = 0; i < r->rows.n; i++) {
        bool native = r->branches.list.v[r->rows.v[i].branch].native >= 0;
        sampled_j += native ? 0 : r->rows.v[i].energy_j;
        r->process_j += r->rows.v[i].energy_j;
        r->native_j[NATIVE_GC] += native ? r->rows.v[i].energy_j : 0;
    }
    r->java_j = sampled_j;
    r->power_s = power_s;
    r->cycles.v[0].process_cpu_ns = cpu_s * 1e9;
    r->cycles.v[0].busy_ns = cpu_s * 1e9;
    r->cycles.v[0].rows = r->rows.n;
    for (size_t i = 0; i < r->weights.n; i++)
        r->threads.v[0].weight_ns += r->weights.v[i].weight_ns;
    if (r->threads.v[0].samples > 0)
        r->threads.v[0].error_factor = sampled_j * sampled_j / (double)r->threads.v[0].samples;
    result_merge_weights(r);
}

struct compare_options case_options(void)
{
    return (struct compare_options){
        .confidence = 0.95, .same_within = 0.05, .top = 20, .fail_above = NAN, .units = {NAN, NAN}};
}

void add_run(struct comparison *c, enum compare_side side, const char *name, struct result *r)
{
    struct error err = {0};
    if (compare_add(c, side, name, r, &err) != STATUS_OK)
        fail_msg("%s: %s", name, err.text);
    result_free(r);
}

const struct compare_row *row_named(const struct compare_rows *rows, const char *name)
{
    for (size_t i = 0; i < rows->n; i++)
        if (strcmp(rows->v[i].name, name) == 0)
            return &rows->v[i];
    fail_msg("no row of %s", name);
    return NULL;
}

double chance_uniform(struct chance *chance)
{
    uint64_t x = chance->state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((x ^ (x >> 31)) >> 11) / 9007199254740992.0;
}

double chance_normal(struct chance *chance)
{
    double radius = sqrt(-2 * log(1 - chance_uniform(chance)));
    return radius * cos(2 * M_PI * chance_uniform(chance));
}

void chance_multinomial(struct chance *chance, unsigned n, const double *p, size_t count, unsigned *drawn)
{
    memset(drawn, 0, count * sizeof *drawn);
    for (unsigned i = 0; i < n; i++) {
        double at = chance_uniform(chance);
        size_t k = 0;
        while (k + 1 < count && at >= p[k])
            at -= p[k++];
        drawn[k]++;
    }
}
