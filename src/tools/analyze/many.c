/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --batch: the recordings of a folder, each with its log.
 *
 * Workers take pairs in the order of their names. Each analyses a pair, writes its results, and waits for its turn, in
 * the same order, to merge them and print messages, so that nothing depends on which pair is done first. A worker holds
 * one result at a time. */
#include "analyze.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define MAX_WORKERS 64 /* each has a dozen open files */

struct many {
    const struct options *options;
    struct pairs pairs;
    struct outdir out;
    unsigned jobs_each;
    atomic_size_t next;
    pthread_mutex_t lock; /* for all fields below */
    pthread_cond_t turned;
    size_t turn; /* the pair that is merged next */
    struct result merged;
    bool failed;
};

/* ---- One pair ---- */

static enum status write_in(const struct many *m, struct run *run, const char *name, struct error *err)
{
    struct outdir dir = {.fd = -1};
    enum status status = run_prepare_forms(run, err);
    if (status == STATUS_OK)
        status = outdir_open_in(&m->out, name, &dir, err);
    if (status == STATUS_OK)
        status = results_write(run->options, &run->input, &dir, err);
    outdir_close(&dir);
    return status;
}

static enum status analyze_pair(const struct many *m, const struct pair *pair, struct options *options, struct run *run,
                                struct error *err)
{
    char *operands[KINDS] = {(char *)(uintptr_t)pair->files[KIND_RECORDING], (char *)(uintptr_t)pair->files[KIND_LOG]};
    if (pair->wrong != NULL)
        return error_set(err, STATUS_INVALID, "%s", pair->wrong);
    options->operands = operands;
    options->operand_count = operands[KIND_LOG] != NULL ? 2 : 1;
    enum status status = run_analyze(run, err);
    if (status == STATUS_OK)
        status = write_in(m, run, pair->name, err);
    options->operands = NULL; /* the array is local */
    options->operand_count = 0;
    return status;
}

/* Merges the result of a pair and prints its messages. The lock is held, and it is the pair's turn. */
static void close_pair(struct many *m, const struct pair *pair, const struct run *run, struct error *err)
{
    char shown[1024], about[1032], words[2048];
    const char *called = pair->wrong != NULL ? pair->files[KIND_RECORDING] : pair->name;
    bool known = false;
    text_printable(shown, sizeof shown, called, strlen(called));
    snprintf(about, sizeof about, "%s: ", shown);
    run_put_messages(run, about, stderr);
    if (err->status == STATUS_OK)
        (void)!result_merge(&m->merged, &run->result, pair->name, &known, err);
    if (known && !m->options->quiet)
        fprintf(stderr, PROGRAM ": %sis the same run as one before: it counts once in " BATCH_MERGED "\n", about);
    if (err->status != STATUS_OK)
        fprintf(stderr, PROGRAM ": %s%s\n", about, error_words(err, words, sizeof words));
    else if (!m->options->quiet)
        printf("%10.2f J %9.1f s  %s\n", run->result.process_j, run->result.power_s, shown);
    m->failed |= err->status != STATUS_OK;
}

static void *work(void *argument)
{
    struct many *m = argument;
    for (size_t i; (i = atomic_fetch_add(&m->next, 1)) < m->pairs.list.n;) {
        struct options options = *m->options;
        struct error err = {0};
        struct run run;
        options.collect.jobs = m->jobs_each;
        options.collect.progress = NULL;
        run_init(&run, &options);
        (void)!analyze_pair(m, &m->pairs.list.v[i], &options, &run, &err);
        pthread_mutex_lock(&m->lock);
        while (m->turn != i)
            pthread_cond_wait(&m->turned, &m->lock);
        close_pair(m, &m->pairs.list.v[i], &run, &err);
        m->turn++;
        pthread_cond_broadcast(&m->turned);
        pthread_mutex_unlock(&m->lock);
        run_free(&run);
    }
    return NULL;
}

static void work_side_by_side(struct many *m)
{
    pthread_t threads[MAX_WORKERS] = {0};
    size_t jobs = m->options->collect.jobs, started = 0;
    size_t workers = m->pairs.list.n < jobs ? m->pairs.list.n : jobs;
    workers = workers < MAX_WORKERS ? workers : MAX_WORKERS;
    m->jobs_each = (unsigned)(jobs / workers);
    while (started + 1 < workers && pthread_create(&threads[started], NULL, work, m) == 0)
        started++;
    work(m);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

/* ---- All ---- */

static enum status write_merged(struct many *m, struct error *err)
{
    struct run run;
    run_init(&run, m->options);
    result_merge_finish(&m->merged);
    run.result = m->merged;
    m->merged = (struct result){0};
    enum status status = write_in(m, &run, BATCH_MERGED, err);
    if (status == STATUS_OK && !m->options->quiet) {
        char *folder = path_in(m->options->output, BATCH_MERGED);
        putchar('\n');
        results_summarize(m->options, &run.input, folder);
        free(folder);
    }
    run_free(&run);
    return status;
}

static enum status analyze_all(struct many *m, struct error *err)
{
    enum status status = pairs_find(m->options, &m->pairs, err);
    m->failed |= m->pairs.alone && m->options->strict;
    if (status == STATUS_OK)
        status = outdir_open(m->options->output, &m->out, err);
    if (status == STATUS_OK) {
        results_say_missing(m->options);
        work_side_by_side(m);
        if (m->merged.runs.n != 0)
            status = write_merged(m, err);
    }
    return status;
}

int many_analyze(const struct options *options)
{
    struct many m = {.options = options,
                     .out = {.fd = -1},
                     .lock = PTHREAD_MUTEX_INITIALIZER,
                     .turned = PTHREAD_COND_INITIALIZER};
    struct error err = {0};
    char words[2048];
    if (analyze_all(&m, &err) != STATUS_OK) {
        fprintf(stderr, PROGRAM ": %s\n", error_words(&err, words, sizeof words));
        m.failed = true;
    }
    outdir_close(&m.out);
    result_free(&m.merged);
    pairs_free(&m.pairs);
    return m.failed ? 1 : 0;
}
