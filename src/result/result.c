/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "joular/result.h"

#include <math.h>

const char *const native_row_names[NATIVE_ROWS] = {"[GC]", "[JIT]", "[JFR]", "[VM]"};
const char *const pause_type_names[PAUSE_TYPES] = {"YOUNG", "FULL", "CONCURRENT"};
const char *const pause_bucket_names[PAUSE_BUCKETS] = {"<1 ms",     "1-5 ms",     "5-10 ms", "10-50 ms",
                                                       "50-100 ms", "100-500 ms", ">=500 ms"};

unsigned pause_bucket(int64_t duration_ns)
{
    static const int64_t from_ms[PAUSE_BUCKETS] = {0, 1, 5, 10, 50, 100, 500};
    unsigned bucket = PAUSE_BUCKETS - 1;
    while (bucket > 0 && duration_ns < from_ms[bucket] * 1000000)
        bucket--;
    return bucket;
}

/* The texts that a result owns. */
static void own_texts(struct result *result, char **texts[5])
{
    texts[0] = &result->power_source;
    texts[1] = &result->jvm_name;
    texts[2] = &result->cpu_model;
    texts[3] = &result->quality.period_set;
    texts[4] = &result->damage.first;
}

void result_copy_facts(struct result *out, const struct result *from)
{
    char **texts[5];
    *out = *from;
    memset(&out->names, 0, sizeof out->names);
    memset(&out->branches, 0, sizeof out->branches);
    memset(&out->cycles, 0, sizeof out->cycles);
    memset(&out->rows, 0, sizeof out->rows);
    memset(&out->methods, 0, sizeof out->methods);
    memset(&out->threads, 0, sizeof out->threads);
    memset(&out->weights, 0, sizeof out->weights);
    memset(&out->uses, 0, sizeof out->uses);
    memset(&out->pauses, 0, sizeof out->pauses);
    memset(&out->without_power, 0, sizeof out->without_power);
    memset(&out->runs, 0, sizeof out->runs);
    own_texts(out, texts);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        *texts[i] = *texts[i] != NULL ? mem_strdup(*texts[i]) : NULL;
}

void result_free(struct result *result)
{
    char **texts[5];
    own_texts(result, texts);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        free(*texts[i]);
    intern_free(&result->names);
    branch_set_free(&result->branches);
    vec_free(&result->cycles);
    vec_free(&result->rows);
    vec_free(&result->methods);
    vec_free(&result->threads);
    vec_free(&result->weights);
    vec_free(&result->uses);
    vec_free(&result->pauses);
    vec_free(&result->without_power);
    vec_free(&result->runs);
    *result = (struct result){0};
}

const struct intern_text *result_name(const struct result *result, uint32_t name)
{
    return &result->names.texts.v[name];
}

int64_t result_cycle_cpus(const struct result *r, const struct result_cycle *cycle)
{
    return r->runs.n != 0 ? r->runs.v[cycle->run].cpus : r->cpus;
}

double result_period_seen(const struct result *r)
{
    double cpu_ns = 0, samples = 0; /* both of the cycles with power */
    for (size_t i = 0; i < r->threads.n; i++) {
        if (r->threads.v[i].samples != 0)
            cpu_ns += r->threads.v[i].cpu_ns;
        samples += (double)r->threads.v[i].samples;
    }
    return samples > 0 ? cpu_ns / samples : (double)NAN;
}

void result_add_up(struct result *r)
{
    double busy_ns = 0, busy_of_ns = 0, rows_j = 0;
    for (size_t i = 0; i < r->cycles.n; i++) {
        const struct result_cycle *cycle = &r->cycles.v[i];
        double seconds = (double)cycle->interval_ns / 1e9;
        if (isnan(cycle->power_w))
            continue;
        r->machine_j += (cycle->power_w + cycle->baseline_w) * seconds;
        r->baseline_j += cycle->baseline_w * seconds;
        r->process_j += cycle->process_j;
        r->java_j += cycle->java_j;
        for (int row = 0; row < NATIVE_ROWS; row++) {
            r->native_j[row] += cycle->native_j[row];
            rows_j += cycle->native_j[row];
        }
        rows_j += cycle->java_j;
        r->unattributed_j += cycle->unattributed_j;
        r->outside_j += cycle->outside_j;
        r->left_out_j += cycle->left_out_j;
        r->power_s += seconds;
        if (cycle->power_w + cycle->baseline_w > r->peak_machine_w)
            r->peak_machine_w = cycle->power_w + cycle->baseline_w;
        if (cycle->process_j / seconds > r->peak_process_w)
            r->peak_process_w = cycle->process_j / seconds;
        if (!isnan(cycle->busy_ns) && result_cycle_cpus(r, cycle) > 0) {
            busy_ns += cycle->busy_ns;
            busy_of_ns += (double)cycle->interval_ns * (double)result_cycle_cpus(r, cycle);
        }
    }
    r->busy_share = busy_of_ns > 0 ? busy_ns / busy_of_ns : (double)NAN;
    r->coverage = r->process_j > 0 ? rows_j / r->process_j : 0;
}
