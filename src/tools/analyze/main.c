/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze.h"

#include "joular/debug.h"
#include "joular/hash.h"
#include "joular/jsonreport.h"
#include "joular/leave.h"
#include "joular/report.h"

#include <errno.h>
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

static void explain(const struct result *r)
{
    static const char *const share[] = {"the power log's process records", "the recording's jdk.CPULoad events",
                                        "--process-share", "several sources"};
    static const char *const cpu[] = {"the power log's thread records", "jdk.CPUTimeSample", "jdk.ThreadCPULoad",
                                      "the weights of the samples alone", "several sources"};
    static const char *const sampler[] = {"jdk.CPUTimeSample", "jdk.ExecutionSample and jdk.NativeMethodSample",
                                          "of several kinds"};
    fprintf(stderr, PROGRAM ": process share from %s; CPU time of threads from %s; samples are %s\n",
            share[r->share_source], cpu[r->cpu_source], sampler[r->sampler]);
}

static enum status report(struct run *run, struct error *err)
{
    const struct options *options = run->options;
    struct outdir dir;
    enum status status = run_prepare_forms(run, err);
    results_say_missing(options);
    if (status == STATUS_OK) {
        status = outdir_open(options->output, &dir, err);
        if (status == STATUS_OK)
            status = results_write(options, &run->input, &dir, err);
        if (status == STATUS_OK)
            results_say_older(options, &dir);
        outdir_close(&dir);
    }
    stats_mark(&run->stats, "writing");
    if (status == STATUS_OK && options->verbose && !options->quiet)
        explain(&run->result);
    if (status == STATUS_OK && !options->quiet)
        results_summarize(options, &run->input, options->output);
    if (status == STATUS_OK && options->stats)
        stats_print(&run->stats, &run->inputs, run->observed.event_counts.v, run->observed.event_counts.n,
                    &run->result.names);
    return status;
}

static enum status analyze(struct run *run, struct error *err)
{
    enum status status = run_analyze(run, err);
    progress_end();
    run_put_messages(run, "", stderr);
    if (status == STATUS_OK && run->options->dump == DUMP_ALIGN)
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
    for (size_t i = 0; i < run->notices.n && !run->options->quiet; i++)
        say(run->notices.v[i]);
    if (status == STATUS_OK)
        run_put_damage(&run->damage, "", stderr);
    if (status == STATUS_OK && run->options->strict && run->damage.first.status != STATUS_OK)
        status = error_set(err, STATUS_INVALID, "--strict: the input is damaged");
    return status;
}

int main(int argc, char **argv)
{
    struct options options;
    struct error err = {0};
    struct run run;
    leave_prepare(PROGRAM, 1);
    leave_on_signals();
    debug_init();
    hash_randomize();
    int end = options_read(&options, argc, argv);
    run_init(&run, &options);
    int exit_status = end > 0 ? end - 1 : 0;
    if (end == 0) {
        bool only_dump = options.dump != DUMP_NOTHING && options.dump != DUMP_ALIGN;
        leave_at_memory(options.max_memory);
        progress_start();
        if (isatty(STDERR_FILENO) && !options.quiet)
            options.collect.progress = progress_show;
        enum status status = options_configure(&options, &err);
        if (status == STATUS_OK && options.batch != NULL)
            exit_status = many_analyze(&options);
        else if (status == STATUS_OK)
            status = options.from_report != NULL ? read_report(&run, &err)
                     : only_dump                 ? dump(&run, &err)
                                                 : analyze(&run, &err);
        if (status != STATUS_OK) {
            say_error(&err);
            exit_status = 1;
        }
    }
    run_free(&run);
    options_free(&options);
    if (fflush(stdout) != 0 || fclose(stdout) != 0) {
        fprintf(stderr, PROGRAM ": standard output: %s\n", strerror(errno));
        exit_status = exit_status != 0 ? exit_status : 1;
    }
    return exit_status;
}
