/* --batch: the recordings of a folder, each with its log.
 *
 * Workers take pairs in the order of their names. Each holds one result at a time, writes it, and waits for its turn to
 * have it merged and its words said, so that nothing depends on which is done first. */
#include "analyze.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>

#define MERGED "merged"
#define MAX_WORKERS 64 /* each has a dozen files open */

enum kind {
    KIND_RECORDING,
    KIND_LOG,
    KINDS
};
static const char *const kind_words[KINDS] = {"recording", "power log"};
/* NAME.jfr and NAME.power.log in DIR; or run.jfr and power.log in DIR/NAME, as joular-record --runs leaves them. */
static const char *const beside[KINDS] = {".jfr", ".power.log"};
static const char *const inside[KINDS] = {"run.jfr", "power.log"};
static const char *const packed[] = {"", ".zst", ".gz"};
#define PACKED (sizeof packed / sizeof packed[0])

struct found {
    char *name, *path;
    bool in_folder;
    enum kind kind;
};

/* What belongs to one name: at most one of each kind, or it is wrong. */
struct pair {
    char *name;               /* of its result folder */
    const char *files[KINDS]; /* of found */
    char *wrong;              /* why it cannot be analysed; NULL: it can */
};

struct many {
    const struct options *options;
    VEC(struct found) found;
    VEC(struct pair) pairs;
    struct outdir out;
    unsigned jobs_each;
    atomic_size_t next;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t turned;
    size_t turn; /* the pair that is merged next */
    struct result merged;
    bool failed;
};

const char *many_contradiction(const struct options *o)
{
    return o->operand_count != 0     ? "--batch takes the place of recordings and power log"
           : o->from_report != NULL  ? "--batch and --from-report exclude each other"
           : o->dump != DUMP_NOTHING ? "--batch and --dump exclude each other"
           : o->append               ? "--batch and --append exclude each other"
           : o->stats                ? "--batch and --stats exclude each other"
                                     : NULL;
}

/* ---- What is in the folder ---- */

static char *joined(const char *folder, const char *name)
{
    size_t room = strlen(folder) + strlen(name) + 2;
    char *path = mem_alloc(room);
    snprintf(path, room, "%s/%s", folder, name);
    return path;
}

/* NAME ends with ENDING, packed or not: the length of what stands before it. */
static bool ends_with(const char *name, const char *ending, size_t *length)
{
    for (size_t i = 0; i < PACKED; i++) {
        size_t all = strlen(name), tail = strlen(ending) + strlen(packed[i]);
        if (all >= tail && strncmp(name + all - tail, ending, strlen(ending)) == 0 &&
            strcmp(name + all - strlen(packed[i]), packed[i]) == 0) {
            *length = all - tail;
            return true;
        }
    }
    return false;
}

static void look_inside(struct many *m, const char *folder, const char *name)
{
    for (enum kind kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < PACKED; i++) {
            char file[32];
            struct stat st;
            snprintf(file, sizeof file, "%s%s", inside[kind], packed[i]);
            char *path = joined(folder, file);
            if (stat(path, &st) == 0)
                vec_push(&m->found, ((struct found){mem_strdup(name), path, true, kind}));
            else
                free(path);
        }
    }
}

static void look_at(struct many *m, const char *name)
{
    char *path = joined(m->options->batch, name);
    struct stat st;
    size_t length = 0;
    for (enum kind kind = 0; kind < KINDS; kind++) {
        if (ends_with(name, beside[kind], &length)) {
            vec_push(&m->found, ((struct found){mem_strndup(name, length), path, false, kind}));
            return;
        }
    }
    if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        look_inside(m, path, name);
    free(path);
}

static int by_name(const void *left, const void *right)
{
    const struct found *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    if (order == 0 && a->in_folder != b->in_folder)
        return a->in_folder ? 1 : -1;
    if (order == 0 && a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return order != 0 ? order : strcmp(a->path, b->path);
}

static enum status look(struct many *m, struct error *err)
{
    DIR *dir = opendir(m->options->batch);
    if (dir == NULL) {
        error_set(err, STATUS_IO, "cannot be opened: %s", strerror(errno));
        error_in_file(err, m->options->batch);
        return STATUS_IO;
    }
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        look_at(m, entry->d_name);
    closedir(dir);
    if (m->found.n != 0)
        qsort(m->found.v, m->found.n, sizeof *m->found.v, by_name);
    return STATUS_OK;
}

/* ---- Pairs ---- */

static void say(const char *name, const char *words, FILE *out)
{
    char shown[1024];
    text_printable(shown, sizeof shown, name, strlen(name));
    fprintf(out, PROGRAM ": %s: %s\n", shown, words);
}

static bool needs_log(const struct many *m)
{
    return isnan(m->options->idle_w);
}

static char *why_wrong(const struct many *m, const char *name, const size_t counts[KINDS])
{
    char words[700];
    const struct pair *last = m->pairs.n != 0 ? &m->pairs.v[m->pairs.n - 1] : NULL;
    for (enum kind kind = 0; kind < KINDS; kind++) {
        if (counts[kind] > 1) {
            snprintf(words, sizeof words, "there is more than one %s of this name", kind_words[kind]);
            return mem_strdup(words);
        }
    }
    if (strcmp(name, "") == 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, MERGED) == 0)
        return mem_strdup("the folder of its results cannot have this name");
    if (last != NULL && strcmp(last->name, name) == 0) {
        snprintf(words, sizeof words, "its results would take the place of those of %s: left out",
                 last->files[KIND_RECORDING]);
        return mem_strdup(words);
    }
    return NULL;
}

/* The found files FIRST to END are of one name and place. */
static void take_group(struct many *m, size_t first, size_t end)
{
    size_t counts[KINDS] = {0};
    struct pair pair = {.name = m->found.v[first].name};
    for (size_t i = first; i < end; i++) {
        counts[m->found.v[i].kind]++;
        pair.files[m->found.v[i].kind] = m->found.v[i].path;
    }
    bool alone = counts[KIND_RECORDING] == 0 || (counts[KIND_LOG] == 0 && needs_log(m));
    for (size_t i = first; i < end && alone; i++)
        say(m->found.v[i].path,
            m->found.v[i].kind == KIND_LOG ? "has no recording: left out" : "has no power log: left out", stderr);
    if (!needs_log(m) && counts[KIND_LOG] != 0 && !alone)
        say(pair.files[KIND_LOG], "is not used: the power is estimated", stderr);
    m->failed |= alone && m->options->strict;
    if (alone)
        return;
    if (!needs_log(m)) {
        counts[KIND_LOG] = 0;
        pair.files[KIND_LOG] = NULL;
    }
    pair.wrong = why_wrong(m, pair.name, counts);
    vec_push(&m->pairs, pair);
}

static enum status make_pairs(struct many *m, struct error *err)
{
    for (size_t first = 0, end; first < m->found.n; first = end) {
        for (end = first + 1; end < m->found.n && strcmp(m->found.v[end].name, m->found.v[first].name) == 0 &&
                              m->found.v[end].in_folder == m->found.v[first].in_folder;)
            end++;
        take_group(m, first, end);
    }
    if (m->pairs.n != 0)
        return STATUS_OK;
    error_set(err, STATUS_MISSING,
              "has no recording with its power log: NAME.jfr and NAME.power.log, or NAME/run.jfr and NAME/power.log");
    error_in_file(err, m->options->batch);
    return err->status;
}

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
    options->operands = NULL; /* they end here */
    options->operand_count = 0;
    return status;
}

/* In its turn. */
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
        fprintf(stderr, PROGRAM ": %sis the same run as one before: it counts once in " MERGED "\n", about);
    if (err->status != STATUS_OK)
        fprintf(stderr, PROGRAM ": %s%s\n", about, error_words(err, words, sizeof words));
    else if (!m->options->quiet)
        printf("%10.2f J %9.1f s  %s\n", run->result.process_j, run->result.power_s, shown);
    m->failed |= err->status != STATUS_OK;
}

static void *work(void *argument)
{
    struct many *m = argument;
    for (size_t i; (i = atomic_fetch_add(&m->next, 1)) < m->pairs.n;) {
        struct options options = *m->options;
        struct error err = {0};
        struct run run;
        options.collect.jobs = m->jobs_each;
        options.collect.progress = NULL;
        run_init(&run, &options);
        (void)!analyze_pair(m, &m->pairs.v[i], &options, &run, &err);
        pthread_mutex_lock(&m->lock);
        while (m->turn != i)
            pthread_cond_wait(&m->turned, &m->lock);
        close_pair(m, &m->pairs.v[i], &run, &err);
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
    size_t workers = m->pairs.n < jobs ? m->pairs.n : jobs;
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
    enum status status = write_in(m, &run, MERGED, err);
    if (status == STATUS_OK && !m->options->quiet) {
        char *folder = joined(m->options->output, MERGED);
        putchar('\n');
        results_summarize(m->options, &run.input, folder);
        free(folder);
    }
    run_free(&run);
    return status;
}

static enum status analyze_all(struct many *m, struct error *err)
{
    enum status status = look(m, err);
    if (status == STATUS_OK)
        status = make_pairs(m, err);
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
    for (size_t i = 0; i < m.pairs.n; i++)
        free(m.pairs.v[i].wrong);
    for (size_t i = 0; i < m.found.n; i++) {
        free(m.found.v[i].name);
        free(m.found.v[i].path);
    }
    vec_free(&m.pairs);
    vec_free(&m.found);
    return m.failed ? 1 : 0;
}
