/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In which ways runs are not alike. They are compared all the same, but a difference in energy may come from this. */
#include "compareset.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* The least difference between runs, in the share of the CPUs that other processes used, that is reported. */
#define OTHERS_APART 0.05
#define MOST_NAMES 3

static const char *const fact_names[COMPARE_FACTS] = {
    "CPU model",
    "CPUs",
    "JVM",
    "power source",
    "samples",
    "sampling period",
    "process's share from",
    "CPU time of threads from",
    "idle power",
    "baseline",
    "DebugNonSafepoints",
};

static char *words(const char *text)
{
    return text != NULL && text[0] != '\0' ? mem_strdup(text) : NULL;
}

void compare_take_facts(const struct result *r, struct compare_run *run)
{
    static const char *const share[] = {"the power log", "jdk.CPULoad", "the user", "several"};
    static const char *const cpu[] = {"thread records", "CPU-time samples", "jdk.ThreadCPULoad", "sample weights",
                                      "several"};
    static const char *const sampler[] = {"jdk.CPUTimeSample", "jdk.ExecutionSample", "several"};
    char text[300];
    double others_ns = 0, capacity_ns = 0;
    snprintf(text, sizeof text, "%" PRId64, r->cpus);
    run->facts[0] = words(r->cpu_model);
    run->facts[1] = r->cpus > 0 ? words(text) : NULL;
    run->facts[2] = words(r->jvm_name);
    snprintf(text, sizeof text, "%s%s%s", r->power_source != NULL ? r->power_source : "not said",
             r->estimated ? ", estimated" : "", r->process_power_only ? ", of the process alone" : "");
    run->facts[3] = words(text);
    run->facts[4] = words(sampler[r->sampler]);
    run->facts[5] = words(r->quality.period_set);
    run->facts[6] = words(share[r->share_source]);
    run->facts[7] = words(cpu[r->cpu_source]);
    run->facts[8] = words(r->idle_is_shared ? "goes to whoever runs" : "is nobody's");
    run->facts[9] = words(r->baseline_j > 0 ? "taken away" : "not taken away");
    run->facts[10] = words(r->quality.debug_non_safepoints ? "on" : "off");
    for (size_t i = 0; i < r->cycles.n; i++) {
        const struct result_cycle *cycle = &r->cycles.v[i];
        if (isnan(cycle->busy_ns) || isnan(cycle->process_cpu_ns))
            continue;
        others_ns += fmax(0, cycle->busy_ns - cycle->process_cpu_ns);
        capacity_ns += (double)cycle->interval_ns * (double)result_cycle_cpus(r, cycle);
    }
    run->others_share = capacity_ns > 0 ? others_ns / capacity_ns : (double)NAN;
}

struct all_runs {
    VEC(const struct compare_run *) v;
    size_t base;
};

static struct all_runs all_runs_of(const struct comparison *c)
{
    struct all_runs all = {.base = c->runs[SIDE_BASE].n};
    for (int side = 0; side < SIDES; side++)
        for (size_t i = 0; i < c->runs[side].n; i++)
            vec_push(&all.v, &c->runs[side].v[i]);
    return all;
}

static const char *fact_of(const struct compare_run *run, size_t fact)
{
    return run->facts[fact] != NULL ? run->facts[fact] : "not said";
}

/* A value of the fact and the runs that have it: "4 (a, b, c and 2 more)". */
static void put_group(FILE *out, const struct all_runs *all, size_t fact, size_t first)
{
    size_t count = 0;
    fprintf(out, "%s (", fact_of(all->v.v[first], fact));
    for (size_t i = first; i < all->v.n; i++) {
        if (strcmp(fact_of(all->v.v[i], fact), fact_of(all->v.v[first], fact)) != 0)
            continue;
        if (count++ < MOST_NAMES)
            fprintf(out, "%s%s", count > 1 ? ", " : "", all->v.v[i]->name);
    }
    if (count > MOST_NAMES)
        fprintf(out, " and %zu more", count - MOST_NAMES);
    fputc(')', out);
}

static void compare_fact(const struct all_runs *all, size_t fact, struct compare_texts *out)
{
    char *text = NULL;
    size_t size = 0, groups = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL)
        return;
    fprintf(stream, "%s: ", fact_names[fact]);
    for (size_t i = 0; i < all->v.n; i++) {
        bool known = false;
        for (size_t k = 0; k < i && !known; k++)
            known = strcmp(fact_of(all->v.v[k], fact), fact_of(all->v.v[i], fact)) == 0;
        if (known)
            continue;
        fputs(groups++ != 0 ? "; " : "", stream);
        put_group(stream, all, fact, i);
    }
    fclose(stream);
    if (groups > 1)
        vec_push(out, text);
    else
        free(text);
}

static void compare_others(const struct all_runs *all, struct compare_texts *out)
{
    const struct compare_run *least = NULL, *most = NULL;
    for (size_t i = 0; i < all->v.n; i++) {
        const struct compare_run *run = all->v.v[i];
        if (isnan(run->others_share))
            continue;
        if (least == NULL || run->others_share < least->others_share)
            least = run;
        if (most == NULL || run->others_share > most->others_share)
            most = run;
    }
    if (least == NULL || most->others_share - least->others_share <= OTHERS_APART)
        return;
    size_t size = strlen(least->name) + strlen(most->name) + 120;
    char *text = mem_alloc(size);
    snprintf(text, size, "load of others: %.0f %% of the CPUs (%s) to %.0f %% (%s)", 100 * least->others_share,
             least->name, 100 * most->others_share, most->name);
    vec_push(out, text);
}

void compare_alike(const struct comparison *c, struct compare_texts *out)
{
    struct all_runs all = all_runs_of(c);
    *out = (struct compare_texts){0};
    for (size_t fact = 0; fact < COMPARE_FACTS; fact++)
        compare_fact(&all, fact, out);
    compare_others(&all, out);
    vec_free(&all.v);
}

void compare_texts_free(struct compare_texts *texts)
{
    for (size_t i = 0; i < texts->n; i++)
        free(texts->v[i]);
    vec_free(texts);
}
