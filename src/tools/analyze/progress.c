/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Progress on a terminal, shown after the first second and at most six times a second; and the times of --stats. */
#include "analyze.h"

#include "joular/clock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define FIRST_NS 1000000000
#define STEP_NS 166000000

static struct {
    int64_t start_ns, last_ns;
    bool shown;
} progress;

void progress_start(void)
{
    progress.start_ns = progress.last_ns = clock_ns(CLOCK_MONOTONIC);
}

void progress_show(uint64_t done, uint64_t all)
{
    int64_t now = clock_ns(CLOCK_MONOTONIC);
    if (now - progress.start_ns < FIRST_NS || now - progress.last_ns < STEP_NS || all == 0)
        return;
    progress.last_ns = now;
    progress.shown = true;
    fprintf(stderr, "\rreading: %3.0f %% of %.0f MiB", 100 * (double)done / (double)all, (double)all / 1048576);
}

void progress_end(void)
{
    if (progress.shown)
        fputs("\r\033[K", stderr);
    progress.shown = false;
}

void stats_mark(struct stats *stats, const char *phase)
{
    int64_t now = clock_ns(CLOCK_MONOTONIC);
    if (phase != NULL && stats->count < sizeof stats->phases / sizeof stats->phases[0])
        stats->phases[stats->count++] = (struct stats_phase){phase, now - stats->last_ns};
    stats->last_ns = now;
}

static int by_count(const void *left, const void *right)
{
    const struct observed_count *a = left, *b = right;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return a->name < b->name ? -1 : a->name > b->name;
}

void stats_print(struct stats *stats, const struct inputs *inputs, struct observed_count *counts, size_t count,
                 const struct intern *names)
{
    struct rusage usage;
    double bytes = 0, all_s = 0;
    for (size_t i = 0; i < inputs->recordings.n; i++)
        bytes += (double)inputs->recordings.v[i].length;
    fputs("\nTIME\n", stderr);
    for (size_t i = 0; i < stats->count; i++) {
        double seconds = (double)stats->phases[i].ns / 1e9;
        all_s += seconds;
        fprintf(stderr, "  %-12s %9.3f ms\n", stats->phases[i].name, seconds * 1e3);
    }
    fprintf(stderr, "  %-12s %9.3f ms, %.1f MiB of recordings, %.0f MiB/s\n", "all", all_s * 1e3, bytes / 1048576,
            all_s > 0 ? bytes / 1048576 / all_s : 0);
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        fprintf(stderr, "  %-12s %9.1f MiB\n", "peak memory", (double)usage.ru_maxrss / 1024);
    fputs("EVENTS\n", stderr);
    if (count != 0)
        qsort(counts, count, sizeof *counts, by_count);
    for (size_t i = 0; i < count; i++) {
        char name[200];
        const struct intern_text *text = &names->texts.v[counts[i].name];
        text_printable(name, sizeof name, text->text, text->length);
        fprintf(stderr, "  %10" PRIu64 "  %s\n", counts[i].count, name);
    }
}
