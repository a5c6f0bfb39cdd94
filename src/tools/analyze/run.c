/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One analysis: from the input files to a result, and its messages. */
#include "analyze.h"

#include <inttypes.h>

static enum status collect_samples(struct run *run, enum keep_samples keep, struct error *err)
{
    struct collect_options options = run->options->collect;
    options.keep_samples = keep;
    observed_free(&run->observed);
    run->damage = (struct jfr_damage){0};
    if (run->inputs.truncated != NULL) {
        error_set(&run->damage.first, STATUS_TRUNCATED, "the compressed file is cut: read as far as it goes");
        error_in_file(&run->damage.first, run->inputs.truncated);
    }
    return collect_recordings(run->inputs.recordings.v, run->inputs.recordings.n, &run->inputs.log, &options,
                              &run->observed, &run->damage, &run->notices, err);
}

static enum status collect(struct run *run, struct error *err)
{
    const struct options *options = run->options;
    enum status status = inputs_read(&run->inputs, options, &run->notices, err);
    size_t input_notices = run->notices.n;
    stats_mark(&run->stats, "input");
    if (status == STATUS_OK && run->inputs.log.cycles.n != 0)
        status = collect_samples(run,
                                 run->inputs.log.thread_records.n != 0          ? KEEP_NO_SAMPLES
                                 : options->energy.samples == SAMPLES_EXECUTION ? KEEP_SAMPLES
                                                                                : KEEP_UNTIL_CPU_TIME,
                                 err);
    if (status == STATUS_OK && run->observed.keep == KEEP_NO_SAMPLES &&
        model_needs_samples(&run->observed, &run->inputs.log,
                            &options->energy)) { /* the log has thread records, but of other processes */
        while (run->notices.n > input_notices)   /* the notices of collecting come again */
            free(run->notices.v[--run->notices.n]);
        status = collect_samples(run, KEEP_SAMPLES, err);
    }
    stats_mark(&run->stats, "recordings");
    return status;
}

static void keep_damage(const struct jfr_damage *damage, struct result *result)
{
    char words[2048];
    result->damage = (struct result_damage){damage->chunks,  damage->events,     damage->bytes,
                                            damage->time_ns, damage->unfinished, NULL};
    if (damage->first.status != STATUS_OK)
        result->damage.first = mem_strdup(error_words(&damage->first, words, sizeof words));
}

void run_init(struct run *run, const struct options *options)
{
    *run = (struct run){.options = options};
    observed_init(&run->observed);
    stats_mark(&run->stats, NULL);
}

enum status run_analyze(struct run *run, struct error *err)
{
    const struct options *options = run->options;
    enum status status = collect(run, err);
    run->collected = status == STATUS_OK;
    if (status == STATUS_OK && options->strict && run->damage.first.status != STATUS_OK)
        status = error_set(err, STATUS_INVALID, "--strict: the input is damaged, and nothing was written");
    if (status == STATUS_OK && options->strict && run->damage.unfinished != 0)
        status = error_set(err, STATUS_INVALID, "--strict: a chunk was never finished, and nothing was written");
    if (status == STATUS_OK)
        status = model_run(&run->observed, &run->inputs.log, &options->energy, &run->result, &run->notices, err);
    if (status == STATUS_OK)
        keep_damage(&run->damage, &run->result);
    stats_mark(&run->stats, "attribution");
    return status;
}

void run_put_damage(const struct jfr_damage *damage, const char *about, FILE *out)
{
    char words[2048], more[160] = "";
    if (damage->first.status == STATUS_OK)
        return;
    error_words(&damage->first, words, sizeof words);
    if (damage->chunks + damage->events + damage->bytes != 0)
        snprintf(more, sizeof more,
                 " (in all %" PRIu64 " chunks, %" PRIu64 " events and %" PRIu64 " bytes skipped, about %.1f s)",
                 damage->chunks, damage->events, damage->bytes, (double)damage->time_ns / 1e9);
    fprintf(out, PROGRAM ": %s%s%s\n", about, words, more);
}

void run_put_messages(const struct run *run, const char *about, FILE *out)
{
    if (run->collected)
        run_put_damage(&run->damage, about, out);
    for (size_t i = 0; i < run->notices.n && !run->options->quiet; i++)
        fprintf(out, PROGRAM ": %s%s\n", about, run->notices.v[i]);
}

enum status run_prepare_forms(struct run *run, struct error *err)
{
    const struct options *options = run->options;
    bool has_view =
        options->view.group != GROUP_METHOD || options->view.include != NULL || options->view.exclude != NULL;
    run->prefixes = (struct name_filter){(const char *const *)options->prefixes.v, options->prefixes.n, false};
    run->input =
        (struct report_input){&run->result, has_view ? &run->view : &run->result, &run->prefixes,
                              run->prefixes.count != 0 ? &run->prefixes : &application_filter, options->weight};
    return has_view ? result_view(&run->result, &options->view, &run->view, err) : STATUS_OK;
}

void run_free(struct run *run)
{
    result_free(&run->result);
    result_free(&run->view);
    observed_free(&run->observed);
    inputs_free(&run->inputs);
    notices_free(&run->notices);
}
