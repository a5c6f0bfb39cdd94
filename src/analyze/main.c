#include "analyze.h"

#include "joular/debug.h"
#include "joular/jsonreport.h"
#include "joular/leave.h"
#include "joular/report.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static void say(const char *words)
{
    fprintf(stderr, PROGRAM ": %s\n", words);
}

static void say_error(const struct error *err)
{
    char words[2048];
    say(error_words(err, words, sizeof words));
}

static bool is_wanted(const struct options *options, const struct report_form *form)
{
    for (size_t i = 0; i < options->formats.n; i++)
        if (strcmp(options->formats.v[i], form->format) == 0 || strcmp(options->formats.v[i], "all") == 0)
            return true;
    return false;
}

#define MAX_FORMS 16

/* Forms know nothing of each other, so they are written side by side. */
struct writing {
    const struct report_input *input;
    const struct report_form *forms[MAX_FORMS];
    struct outfile files[MAX_FORMS];
    struct error errors[MAX_FORMS];
    size_t count;
    atomic_size_t next;
};

static void *write_forms(void *argument)
{
    struct writing *w = argument;
    for (size_t i; (i = atomic_fetch_add(&w->next, 1)) < w->count;) {
        w->forms[i]->write(w->input, w->files[i].fresh, w->files[i].stream);
        (void)!outfile_finish(&w->files[i], &w->errors[i]);
    }
    return NULL;
}

static enum status write_side_by_side(struct writing *w, unsigned jobs, struct error *err)
{
    pthread_t threads[MAX_FORMS];
    size_t started = 0;
    while (started + 1 < jobs && started + 1 < w->count && pthread_create(&threads[started], NULL, write_forms, w) == 0)
        started++;
    write_forms(w);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < w->count; i++) {
        if (w->errors[i].status != STATUS_OK) {
            *err = w->errors[i];
            return err->status;
        }
    }
    return STATUS_OK;
}

/* All files are written before any takes its name. */
static enum status write_results(const struct options *options, const struct report_input *input, struct error *err)
{
    struct outdir dir;
    struct writing w = {.input = input};
    enum status status = outdir_open(options->output, &dir, err);
    for (size_t i = 0; report_forms[i] != NULL && status == STATUS_OK; i++) {
        const struct report_form *form = report_forms[i];
        if (!is_wanted(options, form))
            continue;
        if (form->write == NULL) { /* by "all": options.c refuses its own name */
            if (!options->quiet)
                fprintf(stderr, PROGRAM ": %s is not written: this build lacks %s\n", form->file, form->needs);
            continue;
        }
        status = outfile_begin(&dir, form->file, options->append ? form->header : NULL, &w.files[w.count], err);
        if (status == STATUS_OK)
            w.forms[w.count++] = form;
    }
    if (status == STATUS_OK)
        status = write_side_by_side(&w, options->collect.jobs, err);
    for (size_t i = 0; i < w.count; i++) {
        if (status == STATUS_OK)
            status = outfile_commit(&w.files[i], err);
        outfile_abandon(&w.files[i]);
    }
    outdir_close(&dir);
    return status;
}

static void say_damage(const struct jfr_damage *damage)
{
    char words[2048], more[160] = "";
    if (damage->first.status == STATUS_OK)
        return;
    error_words(&damage->first, words, sizeof words);
    if (damage->chunks + damage->events + damage->bytes != 0)
        snprintf(more, sizeof more,
                 " (in all %" PRIu64 " chunks, %" PRIu64 " events and %" PRIu64 " bytes skipped, about %.1f s)",
                 damage->chunks, damage->events, damage->bytes, (double)damage->time_ns / 1e9);
    fprintf(stderr, PROGRAM ": %s%s\n", words, more);
}

static void keep_damage(const struct jfr_damage *damage, struct result *result)
{
    char words[2048];
    result->damage = (struct result_damage){damage->chunks,  damage->events,     damage->bytes,
                                            damage->time_ns, damage->unfinished, NULL};
    if (damage->first.status != STATUS_OK)
        result->damage.first = mem_strdup(error_words(&damage->first, words, sizeof words));
}

static void explain(const struct result *r)
{
    static const char *const share[] = {"the power log's process records", "the recording's jdk.CPULoad events",
                                        "--process-share"};
    static const char *const cpu[] = {"the power log's thread records", "jdk.CPUTimeSample", "jdk.ThreadCPULoad",
                                      "the weights of the samples alone"};
    fprintf(stderr, PROGRAM ": process share from %s; CPU time of threads from %s; samples are %s\n",
            share[r->share_source], cpu[r->cpu_source],
            r->sampler == SAMPLER_CPU_TIME ? "jdk.CPUTimeSample" : "jdk.ExecutionSample and jdk.NativeMethodSample");
}

static void summarize(const struct options *options, const struct report_input *input)
{
    struct tty tty = tty_of(stdout);
    char folder[4096];
    text_printable(folder, sizeof folder, options->output, strlen(options->output));
    report_summary(input->whole, input->application, options->top, &tty, stdout);
    puts("\nFILES");
    for (size_t i = 0; report_forms[i] != NULL; i++)
        if (is_wanted(options, report_forms[i]) && report_forms[i]->write != NULL)
            printf("  %s/%s\n", folder, report_forms[i]->file);
}

/* What the steps hand on, and what is freed at the end. */
struct run {
    const struct options *options;
    struct inputs inputs;
    struct notices notices;
    struct jfr_damage damage;
    struct observed observed;
    struct result result, view;
    struct stats stats;
};

static enum status collect_samples(struct run *run, enum keep_samples keep, struct error *err)
{
    struct energy_collect_options options = run->options->collect;
    options.keep_samples = keep;
    observed_free(&run->observed);
    run->damage = (struct jfr_damage){0};
    if (run->inputs.cut != NULL) {
        error_set(&run->damage.first, STATUS_TRUNCATED, "the compressed file is cut: read as far as it goes");
        error_in_file(&run->damage.first, run->inputs.cut);
    }
    return energy_collect(run->inputs.recordings.v, run->inputs.recordings.n, &run->inputs.log, &options,
                          &run->observed, &run->damage, &run->notices, err);
}

static enum status collect(struct run *run, struct error *err)
{
    const struct options *options = run->options;
    enum status status = inputs_read(&run->inputs, options, &run->notices, err);
    size_t of_inputs = run->notices.v.n;
    stats_mark(&run->stats, "input");
    if (status == STATUS_OK && run->inputs.log.cycles.n != 0)
        status = collect_samples(run,
                                 run->inputs.log.thread_records.n != 0          ? KEEP_NO_SAMPLES
                                 : options->energy.samples == SAMPLES_EXECUTION ? KEEP_SAMPLES
                                                                                : KEEP_UNTIL_CPU_TIME,
                                 err);
    if (status == STATUS_OK && run->observed.keep == KEEP_NO_SAMPLES &&
        energy_needs_samples(&run->observed, &run->inputs.log,
                             &options->energy)) { /* the log's thread records are of other processes */
        while (run->notices.v.n > of_inputs)
            free(run->notices.v.v[--run->notices.v.n]);
        status = collect_samples(run, KEEP_SAMPLES, err);
    }
    progress_end();
    stats_mark(&run->stats, "recordings");
    return status;
}

static enum status report(struct run *run, struct error *err)
{
    const struct options *options = run->options;
    struct name_filter prefixes = {(const char *const *)options->prefixes.v, options->prefixes.n, false};
    bool has_view =
        options->view.group != GROUP_METHOD || options->view.include != NULL || options->view.exclude != NULL;
    struct report_input input = {&run->result, has_view ? &run->view : &run->result, &prefixes,
                                 prefixes.count != 0 ? &prefixes : &application_filter, options->weight};
    enum status status = has_view ? result_view(&run->result, &options->view, &run->view, err) : STATUS_OK;
    if (status == STATUS_OK)
        status = write_results(options, &input, err);
    stats_mark(&run->stats, "writing");
    if (status == STATUS_OK && options->verbose && !options->quiet)
        explain(&run->result);
    if (status == STATUS_OK && !options->quiet)
        summarize(options, &input);
    if (status == STATUS_OK && options->stats)
        stats_print(&run->stats, &run->inputs, run->observed.event_counts.v, run->observed.event_counts.n,
                    &run->result.names);
    return status;
}

static enum status analyze(struct run *run, struct error *err)
{
    const struct options *options = run->options;
    enum status status = collect(run, err);
    if (status == STATUS_OK)
        say_damage(&run->damage);
    if (status == STATUS_OK && options->strict && run->damage.first.status != STATUS_OK)
        status = error_set(err, STATUS_INVALID, "--strict: the input is damaged, and nothing was written");
    if (status == STATUS_OK && options->strict && run->damage.unfinished != 0)
        status = error_set(err, STATUS_INVALID, "--strict: a chunk was never finished, and nothing was written");
    if (status == STATUS_OK)
        status = energy_attribute(&run->observed, &run->inputs.log, &options->energy, &run->result, &run->notices, err);
    if (status == STATUS_OK)
        keep_damage(&run->damage, &run->result);
    stats_mark(&run->stats, "attribution");
    for (size_t i = 0; i < run->notices.v.n && !options->quiet; i++)
        say(run->notices.v.v[i]);
    if (status == STATUS_OK && options->dump == DUMP_ALIGN)
        dump_align(&run->result);
    else if (status == STATUS_OK)
        status = report(run, err);
    return status;
}

static enum status read_report(struct run *run, struct error *err)
{
    struct file_bytes file;
    enum status status = file_read(run->options->from_report, &file, err);
    if (status == STATUS_OK)
        status = file_unpack(&file, err);
    if (status == STATUS_OK)
        status = result_read_json(file.bytes, file.length, &run->result, err);
    error_in_file(err, run->options->from_report);
    file_release(&file);
    stats_mark(&run->stats, "input");
    return status == STATUS_OK ? report(run, err) : status;
}

static enum status dump(struct run *run, struct error *err)
{
    enum status status = inputs_read(&run->inputs, run->options, &run->notices, err);
    if (status == STATUS_OK)
        status = dump_recordings(&run->inputs, run->options->dump, &run->damage, err);
    for (size_t i = 0; i < run->notices.v.n && !run->options->quiet; i++)
        say(run->notices.v.v[i]);
    if (status == STATUS_OK)
        say_damage(&run->damage);
    if (status == STATUS_OK && run->options->strict && run->damage.first.status != STATUS_OK)
        status = error_set(err, STATUS_INVALID, "--strict: the input is damaged");
    return status;
}

int main(int argc, char **argv)
{
    struct options options;
    struct error err = {0};
    struct run run = {.options = &options};
    leave_prepare(PROGRAM, 1);
    leave_on_signals();
    debug_init();
    hash_randomize();
    observed_init(&run.observed);
    int end = options_read(&options, argc, argv);
    int exit_status = end > 0 ? end - 1 : 0;
    if (end == 0) {
        bool only_dump = options.dump != DUMP_NOTHING && options.dump != DUMP_ALIGN;
        leave_at_memory(options.max_memory);
        stats_mark(&run.stats, NULL);
        progress_start();
        if (isatty(STDERR_FILENO) && !options.quiet)
            options.collect.progress = progress_show;
        enum status status = options_configure(&options, &err);
        if (status == STATUS_OK)
            status = options.from_report != NULL ? read_report(&run, &err)
                     : only_dump                 ? dump(&run, &err)
                                                 : analyze(&run, &err);
        if (status != STATUS_OK) {
            say_error(&err);
            exit_status = 1;
        }
    }
    result_free(&run.result);
    result_free(&run.view);
    observed_free(&run.observed);
    inputs_free(&run.inputs);
    notices_free(&run.notices);
    options_free(&options);
    if (fflush(stdout) != 0 || fclose(stdout) != 0) {
        fprintf(stderr, PROGRAM ": standard output: %s\n", strerror(errno));
        exit_status = exit_status != 0 ? exit_status : 1;
    }
    return exit_status;
}
