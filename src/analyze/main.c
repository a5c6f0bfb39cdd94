#include "analyze.h"

#include "joular/report.h"

#include <errno.h>
#include <inttypes.h>
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

static void out_of_memory(void)
{
    static const char words[] = PROGRAM ": out of memory\n";
    outfile_abandon_all();
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0)
        _exit(1);
    _exit(1);
}

/* Both CSV files are written before either takes its name. */
static enum status write_results(const struct options *options, const struct result *result, struct error *err)
{
    static const char *const names[2] = {"methods-power-all.csv", "methods-power-app.csv"};
    struct outdir dir;
    struct outfile files[2] = {{.dir_fd = -1}, {.dir_fd = -1}};
    struct branch_set app = {0};
    uint32_t *map = mem_zero(result->branches.list.n, sizeof *map);
    enum status status = outdir_open(options->output, &dir, err);
    result_filter(result, (const char *const *)options->prefixes.v, options->prefixes.n, &app, map);
    for (int i = 0; i < 2 && status == STATUS_OK; i++) {
        status = outfile_begin(&dir, names[i], options->append ? REPORT_CSV_HEADER : NULL, &files[i], err);
        if (status == STATUS_OK)
            report_branch_csv(result, i == 0 ? &result->branches : &app, i == 0 ? NULL : map, files[i].fresh,
                              files[i].stream);
        if (status == STATUS_OK)
            status = outfile_finish(&files[i], err);
    }
    for (int i = 0; i < 2; i++) {
        if (status == STATUS_OK)
            status = outfile_commit(&files[i], err);
        outfile_abandon(&files[i]);
    }
    outdir_close(&dir);
    branch_set_free(&app);
    free(map);
    return status;
}

static void say_damage(const struct jfr_damage *damage)
{
    char words[2048], more[128] = "";
    if (damage->first.status == STATUS_OK)
        return;
    error_words(&damage->first, words, sizeof words);
    snprintf(more, sizeof more, " (in all %" PRIu64 " chunks, %" PRIu64 " events and %" PRIu64 " bytes skipped)",
             damage->chunks, damage->events, damage->bytes);
    fprintf(stderr, PROGRAM ": %s%s\n", words, more);
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

static enum status analyze(const struct options *options, struct error *err)
{
    struct inputs inputs = {0};
    struct notices notices = {0};
    struct jfr_damage damage = {0};
    struct observed observed;
    struct result result = {0};
    observed_init(&observed);
    enum status status = inputs_read(&inputs, options, &notices, err);
    if (status == STATUS_OK && inputs.log.cycles.n != 0)
        status = energy_collect(inputs.recordings.v, inputs.recordings.n, &inputs.log, &options->collect, &observed,
                                &damage, &notices, err);
    if (status == STATUS_OK)
        say_damage(&damage);
    if (status == STATUS_OK && options->strict && damage.first.status != STATUS_OK)
        status = error_set(err, STATUS_INVALID, "--strict: the input is damaged, and nothing was written");
    if (status == STATUS_OK)
        status = energy_attribute(&observed, &inputs.log, &options->energy, &result, &notices, err);
    for (size_t i = 0; i < notices.v.n && !options->quiet; i++)
        say(notices.v.v[i]);
    if (status == STATUS_OK)
        status = write_results(options, &result, err);
    if (status == STATUS_OK && options->verbose)
        explain(&result);
    if (status == STATUS_OK && !options->quiet)
        report_text(&result, stdout);
    result_free(&result);
    observed_free(&observed);
    inputs_free(&inputs);
    notices_free(&notices);
    return status;
}

int main(int argc, char **argv)
{
    struct options options;
    struct error err = {0};
    mem_set_handler(out_of_memory);
    int end = options_read(&options, argc, argv);
    int exit_status = end > 0 ? end - 1 : 0;
    if (end == 0 && analyze(&options, &err) != STATUS_OK) {
        say_error(&err);
        exit_status = 1;
    }
    options_free(&options);
    if (fflush(stdout) != 0 || fclose(stdout) != 0) {
        fprintf(stderr, PROGRAM ": standard output: %s\n", strerror(errno));
        exit_status = exit_status != 0 ? exit_status : 1;
    }
    return exit_status;
}
