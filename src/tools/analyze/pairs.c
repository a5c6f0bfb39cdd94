/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pairs of --batch: finds recordings and logs in the folder, and pairs those of the same name. */
#include "analyze.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

static const char *const kind_words[KINDS] = {"recording", "power log"};
/* NAME.jfr and NAME.power.log in DIR; or run.jfr and power.log in DIR/NAME, as joular-record --runs writes them. */
static const char *const endings[KINDS] = {".jfr", ".power.log"};
static const char *const inside[KINDS] = {"run.jfr", "power.log"};
static const char *const packed[] = {"", ".zst", ".gz"};
#define PACKED (sizeof packed / sizeof packed[0])

struct search {
    const struct options *options;
    struct pairs *pairs;
};

/* True if NAME ends with ENDING, or with that of a compressed file after it. LENGTH: of the part before ENDING. */
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

static void look_inside(struct search *s, const char *folder, const char *name)
{
    for (enum pair_kind kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < PACKED; i++) {
            char file[32];
            struct stat st;
            snprintf(file, sizeof file, "%s%s", inside[kind], packed[i]);
            char *path = path_in(folder, file);
            if (stat(path, &st) == 0)
                vec_push(&s->pairs->found, ((struct found){mem_strdup(name), path, true, kind}));
            else
                free(path);
        }
    }
}

static void look_at(struct search *s, const char *name)
{
    char *path = path_in(s->options->batch, name);
    struct stat st;
    size_t length = 0;
    for (enum pair_kind kind = 0; kind < KINDS; kind++) {
        if (ends_with(name, endings[kind], &length)) {
            vec_push(&s->pairs->found, ((struct found){mem_strndup(name, length), path, false, kind}));
            return;
        }
    }
    if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        look_inside(s, path, name);
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

static enum status look(struct search *s, struct error *err)
{
    DIR *dir = opendir(s->options->batch);
    if (dir == NULL) {
        error_set(err, STATUS_IO, "cannot be opened: %s", strerror(errno));
        error_in_file(err, s->options->batch);
        return STATUS_IO;
    }
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        look_at(s, entry->d_name);
    closedir(dir);
    if (s->pairs->found.n != 0)
        qsort(s->pairs->found.v, s->pairs->found.n, sizeof *s->pairs->found.v, by_name);
    return STATUS_OK;
}

/* ---- Pairs ---- */

static void say(const char *name, const char *words, FILE *out)
{
    char shown[1024];
    text_printable(shown, sizeof shown, name, strlen(name));
    fprintf(out, PROGRAM ": %s: %s\n", shown, words);
}

static void say_alone(const struct found *found)
{
    char words[700];
    enum pair_kind other = found->kind == KIND_LOG ? KIND_RECORDING : KIND_LOG;
    snprintf(words, sizeof words, "has no %s (%s%s): left out", kind_words[other], found->in_folder ? "" : found->name,
             found->in_folder ? inside[other] : endings[other]);
    say(found->path, words, stderr);
}

static bool needs_log(const struct search *s)
{
    return isnan(s->options->idle_w);
}

static char *why_wrong(const struct search *s, const char *name, const size_t counts[KINDS])
{
    char words[700];
    const struct pair *last = s->pairs->list.n != 0 ? &s->pairs->list.v[s->pairs->list.n - 1] : NULL;
    for (enum pair_kind kind = 0; kind < KINDS; kind++) {
        if (counts[kind] > 1) {
            snprintf(words, sizeof words, "there is more than one %s of this name", kind_words[kind]);
            return mem_strdup(words);
        }
    }
    if (strcmp(name, "") == 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, BATCH_MERGED) == 0)
        return mem_strdup("the folder of its results cannot have this name");
    if (last != NULL && strcmp(last->name, name) == 0) {
        snprintf(words, sizeof words, "its results would take the place of those of %s: left out",
                 last->files[KIND_RECORDING]);
        return mem_strdup(words);
    }
    return NULL;
}

/* Makes a pair of the found files FIRST to END - 1: all NAME.ending, or all in the folder NAME. */
static void take_group(struct search *s, size_t first, size_t end)
{
    size_t counts[KINDS] = {0};
    struct pair pair = {.name = s->pairs->found.v[first].name};
    for (size_t i = first; i < end; i++) {
        counts[s->pairs->found.v[i].kind]++;
        pair.files[s->pairs->found.v[i].kind] = s->pairs->found.v[i].path;
    }
    bool alone = counts[KIND_RECORDING] == 0 || (counts[KIND_LOG] == 0 && needs_log(s));
    for (size_t i = first; i < end && alone; i++)
        say_alone(&s->pairs->found.v[i]);
    if (!needs_log(s) && counts[KIND_LOG] != 0 && !alone)
        say(pair.files[KIND_LOG], "is not used: the power is estimated", stderr);
    s->pairs->alone |= alone;
    if (alone)
        return;
    if (!needs_log(s)) {
        counts[KIND_LOG] = 0;
        pair.files[KIND_LOG] = NULL;
    }
    pair.wrong = why_wrong(s, pair.name, counts);
    vec_push(&s->pairs->list, pair);
}

static enum status make_pairs(struct search *s, struct error *err)
{
    for (size_t first = 0, end; first < s->pairs->found.n; first = end) {
        for (end = first + 1; end < s->pairs->found.n &&
                              strcmp(s->pairs->found.v[end].name, s->pairs->found.v[first].name) == 0 &&
                              s->pairs->found.v[end].in_folder == s->pairs->found.v[first].in_folder;)
            end++;
        take_group(s, first, end);
    }
    if (s->pairs->list.n != 0)
        return STATUS_OK;
    error_set(err, STATUS_MISSING,
              "has no recording with its power log: NAME.jfr and NAME.power.log, or NAME/run.jfr and NAME/power.log");
    error_in_file(err, s->options->batch);
    return err->status;
}

enum status pairs_find(const struct options *options, struct pairs *pairs, struct error *err)
{
    struct search s = {options, pairs};
    enum status status = look(&s, err);
    return status == STATUS_OK ? make_pairs(&s, err) : status;
}

void pairs_free(struct pairs *pairs)
{
    for (size_t i = 0; i < pairs->list.n; i++)
        free(pairs->list.v[i].wrong);
    for (size_t i = 0; i < pairs->found.n; i++) {
        free(pairs->found.v[i].name);
        free(pairs->found.v[i].path);
    }
    vec_free(&pairs->list);
    vec_free(&pairs->found);
}
