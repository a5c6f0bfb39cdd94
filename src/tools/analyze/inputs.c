/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the input files, compressed or not. Recordings and the power log are recognised by their content. */
#include "analyze.h"

#include "joular/logformat.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

static enum status read_log(struct inputs *inputs, const char *name, const struct power_format *format,
                            const struct file_bytes *file, const struct options *options, struct notices *notices,
                            struct error *err)
{
    if (inputs->has_log)
        return error_set(err, STATUS_INVALID, "is a second power log, beside %s: one is read at a time",
                         inputs->log_name);
    inputs->has_log = true;
    inputs->log_name = mem_strdup(name);
    enum status status = power_read(format, file->bytes, file->length, options->log_start_ns, &inputs->log, err);
    if (inputs->log.unknown_records != 0)
        notice(notices, "%s: %" PRIu64 " %s", name, inputs->log.unknown_records, format->left_out);
    return status;
}

/* The format of a power log; NULL if the file is none. */
static const struct power_format *format_of(const struct file_bytes *file, const struct options *options)
{
    return options->log_format != NULL ? options->log_format : power_format_of(file->bytes, file->length);
}

/* A recording whose first bytes are damaged is recognised by its name, if there is the beginning of a chunk in it. */
static bool is_recording(const char *name, const struct file_bytes *file, const struct options *options)
{
    size_t length = strlen(name);
    if (file->length >= 4 && memcmp(file->bytes, "FLR", 4) == 0)
        return true;
    return length > 4 && strcmp(name + length - 4, ".jfr") == 0 && format_of(file, options) == NULL &&
           memmem(file->bytes, file->length, "FLR", 4) != NULL;
}

static enum status read_file(struct inputs *inputs, const char *name, bool only_recordings,
                             const struct options *options, struct notices *notices, struct error *err)
{
    struct file_bytes file;
    enum status status = file_read(name, &file, err);
    if (status == STATUS_OK)
        status = file_unpack(&file, err);
    if (status == STATUS_OK && file.length == 0)
        status = error_set(err, STATUS_TRUNCATED, "is empty");
    if (status != STATUS_OK) {
        file_release(&file);
        error_in_file(err, name);
        return status;
    }
    if (file.truncated && inputs->truncated == NULL)
        inputs->truncated = mem_strdup(name);
    if (is_recording(name, &file, options)) {
        vec_push(&inputs->files, file);
        vec_push(&inputs->recordings, ((struct collect_input){mem_strdup(name), file.bytes, file.length, NULL}));
        return STATUS_OK;
    }
    const struct power_format *format = only_recordings ? NULL : format_of(&file, options);
    if (format != NULL)
        status = read_log(inputs, name, format, &file, options, notices, err);
    else
        status = error_set(
            err, STATUS_INVALID,
            "is neither a JFR recording (which begins with \"FLR\") nor a power log (which begins with \"%s\", "
            "with the header of a CSV file of PowerJoular or EnergiBridge, or with \"timestamp,watts\", or is what "
            "Scaphandre's JSON exporter, turbostat or perf stat -I -x write)",
            POWER_LOG_MAGIC);
    file_release(&file);
    error_in_file(err, name);
    return status;
}

static int by_name(const void *left, const void *right)
{
    char *const *a = left, *const *b = right;
    return strcmp(*a, *b);
}

/* Reads the recordings in a folder, such as the repository of a JVM, which has a file for each chunk. */
static enum status read_folder(struct inputs *inputs, const char *name, const struct options *options,
                               struct notices *notices, struct error *err)
{
    VEC(char *) names = {0};
    DIR *dir = opendir(name);
    int why = errno;
    enum status status = STATUS_OK;
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 4, ".jfr") != 0)
            continue;
        vec_push(&names, path_in(name, entry->d_name));
    }
    if (dir != NULL)
        closedir(dir);
    if (dir == NULL) {
        status = error_set(err, STATUS_IO, "cannot be opened: %s", strerror(why));
        error_in_file(err, name);
    } else if (names.n == 0) {
        status = error_set(err, STATUS_MISSING, "the folder has no .jfr files");
        error_in_file(err, name);
    } else {
        qsort(names.v, names.n, sizeof *names.v, by_name);
    }
    for (size_t i = 0; i < names.n; i++) {
        struct stat st;
        bool there = status == STATUS_OK && stat(names.v[i], &st) == 0;
        /* A JVM makes the file of its next chunk before it writes to it, so an empty one is no error. */
        if (there && !S_ISREG(st.st_mode))
            notice(notices, "%s is no regular file and left out", names.v[i]);
        else if (there && st.st_size == 0 && names.n > 1)
            notice(notices, "%s is empty and left out", names.v[i]);
        else if (status == STATUS_OK)
            status = read_file(inputs, names.v[i], true, options, notices, err);
        free(names.v[i]);
    }
    vec_free(&names);
    return status;
}

void inputs_drop_pages(void *owner, uint64_t start, uint64_t end)
{
    file_drop_pages(owner, (size_t)start, (size_t)end);
}

enum status inputs_read(struct inputs *inputs, const struct options *options, struct notices *notices,
                        struct error *err)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < options->operand_count && status == STATUS_OK; i++) {
        struct stat st;
        const char *name = options->operands[i];
        if (stat(name, &st) == 0 && S_ISDIR(st.st_mode))
            status = read_folder(inputs, name, options, notices, err);
        else
            status = read_file(inputs, name, false, options, notices, err);
    }
    for (size_t i = 0; i < inputs->recordings.n; i++)
        inputs->recordings.v[i].owner = &inputs->files.v[i];
    if (status == STATUS_OK && inputs->recordings.n == 0)
        status = error_set(err, STATUS_MISSING, "no recording is given: name a .jfr file beside the power log");
    bool estimate = !isnan(options->idle_w);
    if (status != STATUS_OK || options->dump == DUMP_CHUNKS || options->dump == DUMP_METADATA ||
        options->dump == DUMP_EVENTS)
        return status;
    if (inputs->has_log && estimate)
        return error_set(err, STATUS_INVALID,
                         "there is a power log (%s), so --idle-watts and --max-watts have no use: leave out either",
                         inputs->log_name);
    if (estimate)
        return collect_estimated_log(inputs->recordings.v, inputs->recordings.n, options->idle_w, options->max_w,
                                     &inputs->log, err);
    if (!inputs->has_log)
        return error_set(
            err, STATUS_MISSING,
            "no power log is given: run the program under joular-record and name its power.log too, or have "
            "the power estimated from load with --idle-watts W --max-watts W (the machine's power when idle "
            "and when all CPUs are busy)");
    return status;
}

void inputs_free(struct inputs *inputs)
{
    for (size_t i = 0; i < inputs->recordings.n; i++)
        free((char *)(uintptr_t)inputs->recordings.v[i].name);
    for (size_t i = 0; i < inputs->files.n; i++)
        file_release(&inputs->files.v[i]);
    vec_free(&inputs->recordings);
    vec_free(&inputs->files);
    power_log_free(&inputs->log);
    free(inputs->log_name);
    free(inputs->truncated);
}
