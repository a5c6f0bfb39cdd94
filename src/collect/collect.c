/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads all chunks of all recordings, several at a time, and merges them in the order of their start. */
#include "batch.h"

#include "joular/clock.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

struct placed_chunk {
    struct jfr_chunk chunk;
    uint32_t input;
};

struct collecting {
    const struct collect_input *inputs;
    size_t input_count;
    const struct collect_options *options;
    const struct timeline *timeline;
    struct observed *observed;
    struct jfr_damage *damage;
    struct notices *notices;
    struct error *err;
    VEC(struct placed_chunk) chunks;
    int64_t *pids; /* by input; 0: not seen yet */
    struct batch_merge merge;
    uint64_t done, all; /* bytes */
};

static int by_start(const void *left, const void *right)
{
    const struct placed_chunk *a = left, *b = right;
    if (a->chunk.header.start_ns != b->chunk.header.start_ns)
        return a->chunk.header.start_ns < b->chunk.header.start_ns ? -1 : 1;
    if (a->chunk.header.start_ticks != b->chunk.header.start_ticks)
        return a->chunk.header.start_ticks < b->chunk.header.start_ticks ? -1 : 1;
    if (a->chunk.length != b->chunk.length) /* the longest copy of a chunk first */
        return a->chunk.length > b->chunk.length ? -1 : 1;
    if (a->input != b->input)
        return a->input < b->input ? -1 : 1;
    return a->chunk.at < b->chunk.at ? -1 : a->chunk.at > b->chunk.at;
}

/* A chunk that is there twice counts once. One with the same start and a shorter length was copied from the same chunk
 * while the JVM still wrote to it: the longest has all of it. */
static void drop_copies(struct collecting *c)
{
    size_t kept = 0, copies = 0;
    uint32_t where = 0;
    for (size_t i = 0; i < c->chunks.n; i++) {
        struct placed_chunk *chunk = &c->chunks.v[i], *last = kept != 0 ? &c->chunks.v[kept - 1] : NULL;
        if (last != NULL && last->chunk.header.start_ns == chunk->chunk.header.start_ns &&
            last->chunk.header.start_ticks == chunk->chunk.header.start_ticks) {
            copies++;
            where = chunk->input;
        } else {
            c->chunks.v[kept++] = *chunk;
        }
    }
    c->chunks.n = kept;
    if (copies != 0)
        notice(c->notices, "%zu chunk%s (of %s) %s there twice and counted once", copies, copies == 1 ? "" : "s",
               c->inputs[where].name, copies == 1 ? "is" : "are");
}

static enum status list_chunks(struct collecting *c)
{
    for (uint32_t input = 0; input < c->input_count; input++) {
        struct jfr_chunk_list list = {0};
        struct jfr_damage damage = {0};
        enum status status = jfr_list_chunks(c->inputs[input].bytes, c->inputs[input].length, &list, &damage, c->err);
        error_in_file(&damage.first, c->inputs[input].name);
        c->damage->bytes += damage.bytes;
        c->damage->time_ns = time_sum(c->damage->time_ns, damage.time_ns);
        if (c->damage->first.status == STATUS_OK)
            c->damage->first = damage.first;
        for (size_t i = 0; i < list.n; i++)
            vec_push(&c->chunks, ((struct placed_chunk){list.v[i], input}));
        vec_free(&list);
        if (status != STATUS_OK) {
            error_in_file(c->err, c->inputs[input].name);
            return status;
        }
    }
    if (c->chunks.n != 0)
        qsort(c->chunks.v, c->chunks.n, sizeof *c->chunks.v, by_start);
    drop_copies(c);
    for (size_t i = 0; i < c->chunks.n; i++)
        c->all += c->chunks.v[i].chunk.length;
    return STATUS_OK;
}

/* The part of a chunk's duration that BYTES of it stand for; 0 where the duration is unknown. */
static int64_t share_ns(const struct jfr_chunk *chunk, uint64_t bytes)
{
    int64_t length_ns = jfr_has_end(&chunk->header) && chunk->header.duration_ns > 0 ? chunk->header.duration_ns : 0;
    double share = bytes < chunk->length ? (double)bytes / (double)chunk->length : 1;
    return length_ns < INT64_MAX / 1024 ? (int64_t)((double)length_ns * share) : 0;
}

/* Counts a whole chunk as damage: it gave nothing, or is not of the process that is analysed. */
static void lose_chunk(struct collecting *c, const struct placed_chunk *placed, const struct error *why)
{
    struct jfr_damage *damage = c->damage;
    damage->chunks++;
    damage->bytes += placed->chunk.length - (placed->chunk.restored ? JFR_HEADER_SIZE : 0); /* counted already */
    damage->time_ns = time_sum(damage->time_ns, share_ns(&placed->chunk, placed->chunk.length));
    if (damage->first.status == STATUS_OK || damage->chunks == 1)
        damage->first = *why; /* the first lost chunk is named rather than an event before it */
}

/* A file may hold chunks of several JVMs, as where recordings were concatenated: only those of the first count. */
static bool is_of_another(struct collecting *c, const struct placed_chunk *placed, int64_t pid, struct error *why)
{
    int64_t *first = &c->pids[placed->input];
    if (*first == 0)
        *first = pid;
    if (pid == 0 || pid == *first)
        return false;
    error_set(why, STATUS_INVALID,
              "is of process %" PRId64 ", and the file's first of process %" PRId64
              ", which alone is analysed (\"jfr disassemble\" cuts the file into its chunks)",
              pid, *first);
    error_at(why, placed->chunk.number, (int64_t)placed->chunk.at);
    error_in_file(why, c->inputs[placed->input].name);
    return true;
}

static void take_batch(struct collecting *c, size_t i, struct batch *batch)
{
    const struct placed_chunk *placed = &c->chunks.v[i];
    const struct collect_input *input = &c->inputs[placed->input];
    struct jfr_damage *damage = c->damage;
    struct error another = {0};
    error_in_file(&batch->err, input->name);
    error_in_file(&batch->damage.first, input->name);
    if (batch->err.status != STATUS_OK) {
        lose_chunk(c, placed, &batch->err);
        return;
    }
    if (is_of_another(c, placed, batch->pid, &another)) {
        lose_chunk(c, placed, &another);
        return;
    }
    damage->events += batch->damage.events;
    damage->bytes += batch->damage.bytes;
    damage->time_ns = time_sum(damage->time_ns, share_ns(&placed->chunk, batch->damage.bytes));
    if (damage->first.status == STATUS_OK)
        damage->first = batch->damage.first;
    if (placed->chunk.restored)
        notice(c->notices, "%s: chunk %d is read with a copy of its damaged header", input->name, placed->chunk.number);
    damage->unfinished += !placed->chunk.finished && !placed->chunk.restored;
    if (!placed->chunk.finished && !placed->chunk.restored)
        notice(c->notices,
               "%s: chunk %d was never finished (the JVM was killed, or still writes): read as far as it goes",
               input->name, placed->chunk.number);
    batch_merge(&c->merge, batch, c->observed);
    c->done += placed->chunk.length;
    if (c->options->progress != NULL)
        c->options->progress(c->done, c->all);
    if (c->options->drop_pages != NULL)
        c->options->drop_pages(input->owner, placed->chunk.at, placed->chunk.at + placed->chunk.length);
}

/* ---- Several readers, one merger ---- */

struct crew {
    struct collecting *c;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    size_t next, merged;
    struct slot {
        struct batch batch;
        bool full;
    } * slots; /* a ring; its length is how far reading may be ahead of merging */
    size_t slot_count;
};

static void *read_chunks(void *argument)
{
    struct crew *crew = argument;
    struct collecting *c = crew->c;
    struct batch_reader *reader = batch_reader_new(c->timeline, c->options);
    pthread_mutex_lock(&crew->mutex);
    while (crew->next < c->chunks.n) {
        if (crew->next >= crew->merged + crew->slot_count) {
            pthread_cond_wait(&crew->changed, &crew->mutex);
            continue;
        }
        size_t i = crew->next++;
        struct slot *slot = &crew->slots[i % crew->slot_count];
        pthread_mutex_unlock(&crew->mutex);
        batch_read(reader, &c->inputs[c->chunks.v[i].input], &c->chunks.v[i].chunk, &slot->batch);
        pthread_mutex_lock(&crew->mutex);
        slot->full = true;
        pthread_cond_broadcast(&crew->changed);
    }
    pthread_mutex_unlock(&crew->mutex);
    batch_reader_free(reader);
    return NULL;
}

static enum status read_side_by_side(struct collecting *c, unsigned jobs)
{
    struct crew crew = {.c = c, .slot_count = (size_t)jobs + 1};
    pthread_t *threads = mem_zero(jobs, sizeof *threads);
    unsigned started = 0;
    crew.slots = mem_zero(crew.slot_count, sizeof *crew.slots);
    pthread_mutex_init(&crew.mutex, NULL);
    pthread_cond_init(&crew.changed, NULL);
    while (started < jobs && pthread_create(&threads[started], NULL, read_chunks, &crew) == 0)
        started++;
    if (started == 0) {
        error_set(c->err, STATUS_IO, "no thread can be started");
    } else {
        for (size_t i = 0; i < c->chunks.n; i++) {
            struct slot *slot = &crew.slots[i % crew.slot_count];
            pthread_mutex_lock(&crew.mutex);
            while (!slot->full)
                pthread_cond_wait(&crew.changed, &crew.mutex);
            pthread_mutex_unlock(&crew.mutex);
            take_batch(c, i, &slot->batch);
            pthread_mutex_lock(&crew.mutex);
            slot->full = false;
            crew.merged++;
            pthread_cond_broadcast(&crew.changed);
            pthread_mutex_unlock(&crew.mutex);
        }
    }
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < crew.slot_count; i++)
        batch_free(&crew.slots[i].batch);
    pthread_cond_destroy(&crew.changed);
    pthread_mutex_destroy(&crew.mutex);
    free(crew.slots);
    free(threads);
    return started == 0 ? STATUS_IO : STATUS_OK;
}

static enum status read_one_by_one(struct collecting *c)
{
    struct batch_reader *reader = batch_reader_new(c->timeline, c->options);
    struct batch batch = {0};
    for (size_t i = 0; i < c->chunks.n; i++) {
        batch_read(reader, &c->inputs[c->chunks.v[i].input], &c->chunks.v[i].chunk, &batch);
        take_batch(c, i, &batch);
    }
    batch_free(&batch);
    batch_reader_free(reader);
    return STATUS_OK;
}

static enum status check_pids(struct collecting *c)
{
    char list[512] = "";
    size_t used = 0;
    bool differ = false;
    for (size_t i = 0; i < c->input_count; i++) {
        differ |= c->pids[i] != 0 && c->pids[i] != c->observed->pid;
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s has pid %" PRId64, i > 0 ? ", " : "",
                                     c->inputs[i].name, c->pids[i]);
    }
    if (!differ)
        return STATUS_OK;
    return error_set(c->err, STATUS_INVALID, "the recordings are of different processes: %s; analyse them one by one",
                     list);
}

enum status collect_recordings(const struct collect_input *inputs, size_t input_count, const struct power_log *log,
                               const struct collect_options *options, struct observed *observed,
                               struct jfr_damage *damage, struct notices *notices, struct error *err)
{
    struct timeline timeline;
    struct collecting c = {.inputs = inputs,
                           .input_count = input_count,
                           .options = options,
                           .timeline = &timeline,
                           .observed = observed,
                           .damage = damage,
                           .notices = notices,
                           .err = err,
                           .pids = mem_zero(input_count, sizeof *c.pids)};
    timeline_init(&timeline, log);
    observed->keep = options->keep_samples;
    enum status status = list_chunks(&c);
    if (status == STATUS_OK)
        status = options->jobs > 1 && c.chunks.n > 1 ? read_side_by_side(&c, options->jobs) : read_one_by_one(&c);
    if (status == STATUS_OK && observed->chunk_count == 0) {
        *err = damage->first;
        status = err->status;
    }
    if (status == STATUS_OK)
        status = check_pids(&c);
    vec_free(&c.chunks);
    batch_merge_free(&c.merge);
    free(c.pids);
    timeline_free(&timeline);
    return status;
}
