/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The summary on the terminal. */
#include "joular/report.h"

#include "terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#define LONGEST 3 /* pauses */
#define BAR 24

struct page {
    const struct result *r;
    const struct tty *tty;
    FILE *out;
    const char *plus_minus, *estimated;
    size_t top;
};

static void put_heading(const struct page *p, const char *text, bool of_power)
{
    fprintf(p->out, "\n%s%s%s%s\n", p->tty->colour ? "\033[1m" : "", text, of_power ? p->estimated : "",
            p->tty->colour ? "\033[0m" : "");
}

/* Joules in 10 columns, and the unit. */
static const char *joules(double j, char *buffer, size_t size)
{
    snprintf(buffer, size, "%10.*f J", j >= 10000 || j == 0 ? 0 : j >= 100 ? 1 : j >= 1 ? 2 : 4, j);
    return buffer;
}

static void put_bar(const struct page *p, double share, const char *colour)
{
    int eighths = (int)lround(fmin(1, fmax(0, share)) * BAR * 8);
    static const char *const parts[] = {"", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a", "\u2589"};
    if (eighths < (p->tty->utf8 ? 1 : 4))
        return;
    fprintf(p->out, "  %s", p->tty->colour ? colour : "");
    for (int i = 0; i < eighths / 8; i++)
        fputs(p->tty->utf8 ? "\u2588" : "#", p->out);
    if (p->tty->utf8)
        fputs(parts[eighths % 8], p->out);
    else if (eighths % 8 >= 4)
        fputc('#', p->out);
    fputs(p->tty->colour ? "\033[0m" : "", p->out);
}

static void put_name(const struct page *p, const struct intern_text *name, unsigned used)
{
    report_put_name(p->tty, name->text, name->length, used, p->out);
}

/* Writes text of the input, without characters that control a terminal. */
static void put_text(const struct page *p, const char *text)
{
    char shown[200];
    text_printable(shown, sizeof shown, text, strlen(text));
    fputs(shown, p->out);
}

static void put_time(int64_t ns, FILE *out)
{
    time_t seconds = (time_t)(ns / 1000000000);
    struct tm tm;
    char text[64];
    if (localtime_r(&seconds, &tm) != NULL && strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %z", &tm) != 0)
        fputs(text, out);
}

static double seconds_between(int64_t start_ns, int64_t end_ns)
{
    return ((double)end_ns - (double)start_ns) / 1e9;
}

/* Writes the recordings of a merged result. */
static void put_runs(const struct page *p)
{
    const struct result *r = p->r;
    double recorded_s = 0;
    for (size_t i = 0; i < r->runs.n; i++)
        recorded_s += seconds_between(r->runs.v[i].start_ns, r->runs.v[i].end_ns);
    fprintf(p->out, "Runs       %zu, %.1f s of recordings from ", r->runs.n, recorded_s);
    put_time(r->recording_start_ns, p->out);
    fputs(" to ", p->out);
    put_time(r->recording_end_ns, p->out);
    if (result_runs_overlap(r))
        fputs("\n           some at the same time: if on one machine, each counts the machine's energy", p->out);
}

static void put_input(const struct page *p)
{
    const struct result *r = p->r;
    const char *unknown = r->runs.n > 1 ? "several, or not said" : "not said";
    uint64_t with_power = r->cycles.n;
    for (size_t i = 0; i < r->without_power.n; i++)
        with_power -= r->without_power.v[i].cycles < with_power ? r->without_power.v[i].cycles : with_power;
    if (r->runs.n != 0) {
        put_runs(p);
    } else {
        fprintf(p->out, "Recording  %.1f s from ", seconds_between(r->recording_start_ns, r->recording_end_ns));
        put_time(r->recording_start_ns, p->out);
    }
    fputs("\n           ", p->out);
    if (r->jvm_name != NULL) {
        put_text(p, r->jvm_name);
        fputs(", ", p->out);
    }
    if (r->runs.n == 0 || r->pid != 0)
        fprintf(p->out, "pid %" PRId64 ", ", r->pid);
    fprintf(p->out, "%" PRIu64 " chunk%s\n", r->chunk_count, r->chunk_count == 1 ? "" : "s");
    fprintf(p->out, "Power      %.1f s in %" PRIu64 " cycle%s, source: ", r->power_s, with_power,
            with_power == 1 ? "" : "s");
    put_text(p, r->power_source != NULL ? r->power_source : unknown);
    fputs(r->estimated ? " (from load, not measured)\n" : "\n", p->out);
    for (size_t i = 0; i < r->without_power.n; i++) {
        char word[64];
        const struct intern_text *name = result_name(r, r->without_power.v[i].name);
        text_printable(word, sizeof word, name->text, name->length);
        fprintf(p->out, "           %" PRIu64 " cycle%s without power: %s\n", r->without_power.v[i].cycles,
                r->without_power.v[i].cycles == 1 ? "" : "s", word);
    }
}

static void put_totals(const struct page *p)
{
    const struct result *r = p->r;
    char energy[64];
    put_heading(p, "ENERGY AND POWER", true);
    if (!r->process_power_only)
        fprintf(p->out, "  %-13s %s  %8.2f W average  %8.2f W peak\n", "machine",
                joules(r->machine_j, energy, sizeof energy), r->power_s > 0 ? r->machine_j / r->power_s : 0,
                r->peak_machine_w);
    if (r->baseline_j > 0)
        fprintf(p->out, "  %-13s %s  taken away before anything else\n", "baseline",
                joules(r->baseline_j, energy, sizeof energy));
    fprintf(p->out, "  %-13s %s  %8.2f W average  %8.2f W peak\n", "process",
            joules(r->process_j, energy, sizeof energy), r->power_s > 0 ? r->process_j / r->power_s : 0,
            r->peak_process_w);
    if (r->share_source == SHARE_BY_HAND)
        fprintf(p->out, "  the process's share of the power was %s\n",
                r->process_power_only ? "measured: the log is of one process" : "stated by hand");
    else if (!isnan(r->busy_share))
        fprintf(p->out, "  the machine was %.0f %% busy%s\n", 100 * r->busy_share,
                r->idle_is_shared ? "; idle power goes to whoever runs" : "");
}

static void put_parts(const struct page *p)
{
    const struct result *r = p->r;
    static const struct {
        const char *name, *colour;
    } parts[] = {{"Java methods", "\033[32m"}, {"GC", "\033[33m"}, {"JIT", "\033[36m"},
                 {"JFR", "\033[35m"},          {"VM", "\033[34m"}, {"unattributed", "\033[90m"},
                 {"outside", "\033[90m"}};
    double values[] = {r->java_j,
                       r->native_j[NATIVE_GC],
                       r->native_j[NATIVE_JIT],
                       r->native_j[NATIVE_JFR],
                       r->native_j[NATIVE_VM],
                       r->unattributed_j,
                       r->outside_j};
    char energy[64];
    put_heading(p, "WHERE THE PROCESS ENERGY WENT", true);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        double share = r->process_j > 0 ? values[i] / r->process_j : 0;
        fprintf(p->out, "  %-13s %s  %5.1f %%", parts[i].name, joules(values[i], energy, sizeof energy), 100 * share);
        put_bar(p, share, parts[i].colour);
        fputc('\n', p->out);
    }
    fputs("  (unattributed: of threads without a sample; outside: not in the recording)\n", p->out);
}

static int by_own_energy(const void *left, const void *right)
{
    const struct result_method *a = left, *b = right;
    if (a->own_j != b->own_j)
        return a->own_j > b->own_j ? -1 : 1;
    return a->name < b->name ? -1 : a->name > b->name;
}

static void put_methods(const struct page *p, const char *title, struct method_list *methods, const char *none)
{
    bool counted = false, few = false;
    int room = p->tty->utf8 ? 9 : 8; /* columns after the plus-minus */
    put_heading(p, title, true);
    if (methods->n != 0)
        qsort(methods->v, methods->n, sizeof *methods->v, by_own_energy);
    for (size_t i = 0; i < methods->n && i < p->top && methods->v[i].own_j > 0; i++) {
        const struct result_method *m = &methods->v[i];
        char energy[64], width[32];
        counted |= m->own_samples == 0;
        few |= m->own_samples != 0 && isnan(m->own_half_width_j);
        int decimals = m->own_j >= 100 ? 1 : m->own_j >= 1 ? 2 : 4;
        if (m->own_samples == 0) /* a native row: its CPU time is counted, not sampled */
            snprintf(width, sizeof width, " %9s", "counted");
        else if (isnan(m->own_half_width_j))
            snprintf(width, sizeof width, "%s%*s", p->plus_minus, room, "?");
        else
            snprintf(width, sizeof width, "%s%*.*f", p->plus_minus, room, decimals, m->own_half_width_j);
        fprintf(p->out, "%s %s %5.1f %%  ", joules(m->own_j, energy, sizeof energy), width,
                100 * m->own_j / p->r->process_j);
        put_name(p, result_name(p->r, m->name), 33);
        fputc('\n', p->out);
    }
    if (counted || few)
        fprintf(p->out, "  (%s%s%s)\n", counted ? "counted: not from samples" : "", counted && few ? "; " : "",
                few ? "?: too few samples for an interval" : "");
    if (methods->n == 0 || methods->v[0].own_j <= 0)
        fprintf(p->out, "  %s\n", none);
}

static int by_duration(const void *left, const void *right)
{
    const struct result_pause *const *a = left, *const *b = right;
    if ((*a)->duration_ns != (*b)->duration_ns)
        return (*a)->duration_ns > (*b)->duration_ns ? -1 : 1;
    return *a < *b ? -1 : *a > *b;
}

static void put_longest_pauses(const struct page *p)
{
    const struct result *r = p->r;
    const struct result_pause **order = mem_zero(r->pauses.n, sizeof(struct result_pause *));
    for (size_t i = 0; i < r->pauses.n; i++)
        order[i] = &r->pauses.v[i];
    qsort(order, r->pauses.n, sizeof *order, by_duration);
    fputs("  longest:\n", p->out);
    for (size_t i = 0; i < r->pauses.n && i < LONGEST; i++) {
        char energy[64];
        fprintf(p->out, "%12.3f ms  %-10s %s  ", (double)order[i]->duration_ns / 1e6, pause_type_names[order[i]->type],
                joules(order[i]->energy_j, energy, sizeof energy));
        put_name(p, result_name(r, order[i]->cause), 41);
        fputc('\n', p->out);
    }
    free(order);
}

static void put_pauses(const struct page *p)
{
    const struct result *r = p->r;
    uint64_t counts[PAUSE_BUCKETS][PAUSE_TYPES] = {0}, totals[PAUSE_TYPES] = {0};
    double energy_j[PAUSE_TYPES] = {0}, length_ms[PAUSE_TYPES] = {0};
    if (r->pauses.n == 0)
        return;
    for (size_t i = 0; i < r->pauses.n; i++) {
        const struct result_pause *pause = &r->pauses.v[i];
        counts[pause_bucket(pause->duration_ns)][pause->type]++;
        totals[pause->type]++;
        energy_j[pause->type] += pause->energy_j;
        length_ms[pause->type] += (double)pause->duration_ns / 1e6;
    }
    put_heading(p, "GC PAUSES AND THE ENERGY OF THE PROCESS IN THEM", true);
    fprintf(p->out, "  %-12s %12s %12s %12s\n", "", "young", "full", "concurrent");
    for (int bucket = 0; bucket < PAUSE_BUCKETS; bucket++)
        fprintf(p->out, "  %-12s %12" PRIu64 " %12" PRIu64 " %12" PRIu64 "\n", pause_bucket_names[bucket],
                counts[bucket][PAUSE_YOUNG], counts[bucket][PAUSE_FULL], counts[bucket][PAUSE_CONCURRENT]);
    fprintf(p->out, "  %-12s %12" PRIu64 " %12" PRIu64 " %12" PRIu64 "\n", "total", totals[PAUSE_YOUNG],
            totals[PAUSE_FULL], totals[PAUSE_CONCURRENT]);
    fprintf(p->out, "  %-12s %12.1f %12.1f %12.1f\n", "ms", length_ms[PAUSE_YOUNG], length_ms[PAUSE_FULL],
            length_ms[PAUSE_CONCURRENT]);
    fprintf(p->out, "  %-12s %12.2f %12.2f %12.2f\n", "joules", energy_j[PAUSE_YOUNG], energy_j[PAUSE_FULL],
            energy_j[PAUSE_CONCURRENT]);
    put_longest_pauses(p);
}

static void put_damage(const struct page *p)
{
    const struct result_damage *d = &p->r->damage;
    if (d->chunks + d->events + d->bytes != 0)
        fprintf(p->out,
                "  damage    %" PRIu64 " chunks, %" PRIu64 " events and %" PRIu64
                " bytes lost,\n            about %.1f s of recording\n",
                d->chunks, d->events, d->bytes, (double)d->time_ns / 1e9);
    if (d->unfinished != 0)
        fprintf(p->out, "            chunks never finished, and read as far as they go: %" PRIu64 "\n", d->unfinished);
}

static void put_quality(const struct page *p)
{
    const struct result *r = p->r;
    const struct result_samples *s = &r->samples;
    static const char *const cpu[] = {"the power log's thread records", "the CPU-time samples themselves",
                                      "jdk.ThreadCPULoad", "sample weights alone (a lower bound)", "several"};
    static const char *const share[] = {"the power log", "jdk.CPULoad", "--process-share", "several"};
    static const char *const sampler[] = {"CPUTimeSample", "ExecutionSample", "of several kinds"};
    bool cpu_time = r->sampler != SAMPLER_EXECUTION;
    put_heading(p, "HOW GOOD THE DATA IS", false);
    fprintf(p->out, "  samples   %" PRIu64 " used (%s): %" PRIu64 " with a cut stack", s->used, sampler[r->sampler],
            s->truncated);
    if (cpu_time)
        fprintf(p->out, ", %" PRIu64 " biased", s->biased);
    fprintf(p->out, "\n            not used: %" PRIu64 " failed, ", s->failed);
    if (cpu_time)
        fprintf(p->out, "%" PRIu64 " lost, ", s->lost);
    fprintf(p->out, "%" PRIu64 " outside the power log\n", s->outside);
    fputs("  period    ", p->out);
    put_text(p, r->quality.period_set != NULL ? r->quality.period_set : r->runs.n > 1 ? "several, or none" : "none");
    fputs(" set", p->out);
    if (!isnan(r->quality.period_seen_ns))
        fprintf(p->out, "; seen: one sample in %.1f ms of CPU time", r->quality.period_seen_ns / 1e6);
    fprintf(p->out, "\n  coverage  %.1f %% of the process energy is in rows\n", 100 * r->coverage);
    fprintf(p->out, "  shares    of the process from %s,\n            of its threads from %s\n",
            r->process_power_only ? "a log of its own" : share[r->share_source], cpu[r->cpu_source]);
    put_damage(p);
}

/* Writes TEXT in lines of the terminal's width, or 80 columns, with a hanging indent. */
static void put_wrapped(const struct page *p, const char *text)
{
    size_t width = p->tty->width != 0 ? p->tty->width : 80, column = 4;
    fputs("  - ", p->out);
    while (*text != '\0') {
        size_t word = strcspn(text, " ");
        if (column > 4 && column + word > width) {
            fputs("\n    ", p->out);
            column = 4;
        }
        fprintf(p->out, "%.*s", (int)word, text);
        column += word;
        text += word;
        while (*text == ' ') {
            text++;
            if (*text != '\0' && column + 1 + strcspn(text, " ") <= width) {
                fputc(' ', p->out);
                column++;
            } else if (*text != '\0') {
                fputs("\n    ", p->out);
                column = 4;
            }
        }
    }
    fputc('\n', p->out);
}

static void put_hints(const struct page *p)
{
    struct report_hint hints[REPORT_MAX_HINTS];
    size_t count = report_hints(p->r, hints);
    if (count == 0)
        return;
    put_heading(p, "FOR BETTER DATA NEXT TIME", false);
    for (size_t i = 0; i < count; i++)
        put_wrapped(p, hints[i].text);
}

void report_summary(const struct result *r, const struct name_filter *filter, size_t count, const struct tty *tty,
                    FILE *out)
{
    struct page p = {r, tty, out, tty->utf8 ? "\u00b1" : "+-", r->estimated ? " (estimated)" : "", count};
    uint32_t *map = mem_zero(r->branches.list.n, sizeof *map);
    struct branch_set app = {0};
    struct method_list all_methods, app_methods;
    result_methods(r, NULL, NULL, &all_methods);
    result_filter(r, filter, &app, map);
    result_methods(r, &app, map, &app_methods);
    put_input(&p);
    put_totals(&p);
    put_parts(&p);
    put_methods(&p, "TOP METHODS BY OWN ENERGY, 95 % INTERVAL, SHARE OF PROCESS", &all_methods,
                "no energy could be given to methods");
    put_methods(&p, "TOP APPLICATION METHODS, WITH THE LIBRARY ENERGY THEY CALLED FOR", &app_methods,
                "no method of the application was seen (-f chooses which are: package.Class...)");
    put_pauses(&p);
    put_quality(&p);
    put_hints(&p);
    free(all_methods.v);
    free(app_methods.v);
    branch_set_free(&app);
    free(map);
}
