/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The power of this virtual machine, which the host writes into a shared file. Only its first line counts, one of
 *
 *   timestamp,cpu_usage,cpu_power    powerjoular: `powerjoular -p PID -o FILE` rewrites it each second in FILE-PID.csv
 *   12.5                             watts: by any tool
 *
 * The host has a clock of its own: a row is new when its timestamp differs from the last one's. */
#include "joular/meter.h"
#include "joular/power.h"
#include "joular/text.h"
#include "sourceutil.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <strings.h>

#define MAX_LINE 256 /* characters, without the end of the line */
#define MAX_REUSED 2 /* further cycles that a row is used for if no new one comes */
#define HOST_INTERVAL_NS INT64_C(1000000000)

enum row_kind {
    ROW_GOOD,
    ROW_NO_POWER,   /* valid, and says that the host has no power */
    ROW_MISSING,    /* the file cannot be read */
    ROW_UNFINISHED, /* empty, or without its newline: it is being written */
    ROW_HOST_FILE,  /* five columns: PowerJoular's file for the whole host */
    ROW_HEADER,
    ROW_BAD /* none of the above */
};

struct row {
    enum row_kind kind;
    long error;                   /* of ROW_MISSING: for source_why */
    char timestamp[MAX_LINE + 1]; /* empty if the format is watts */
    double power_w;               /* of ROW_GOOD; else NaN */
};

struct vm {
    char *path;
    bool watts;                   /* the format is watts, not powerjoular */
    char timestamp[MAX_LINE + 1]; /* of the last row; empty if there was none yet */
    double power_w;               /* of the last row; NaN if it had none */
    unsigned reused;              /* cycles that the last row was used for beyond its own */
    enum row_kind warned;         /* fault that the user was last told of; ROW_GOOD for none */
};

/* Reads a power in watts. The host writes a negative number, NaN or infinity if it has none. */
static enum row_kind to_power(const char *text, size_t length, double *power_w)
{
    static const char *const none[] = {"nan", "-nan", "inf", "-inf", "infinity", "-infinity"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        if (strlen(none[i]) == length && strncasecmp(none[i], text, length) == 0)
            return ROW_NO_POWER;
    if (!text_to_double(text, length, power_w))
        return ROW_BAD;
    return *power_w < 0 || *power_w > POWER_LIMIT_W ? ROW_NO_POWER : ROW_GOOD;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static enum row_kind split_row(const char *line, size_t length, struct row *row)
{
    const char *starts[5] = {line};
    size_t lengths[5], columns = 0;
    for (size_t i = 0, from = 0; i <= length; i++) {
        if (i < length && line[i] != ',')
            continue;
        if (columns < 5) {
            starts[columns] = line + from;
            lengths[columns] = i - from;
        }
        columns++;
        from = i + 1;
    }
    if (columns == 5)
        return ROW_HOST_FILE;
    if (is_letter(line[0]) && columns > 1)
        return ROW_HEADER;
    if (columns != 3 || lengths[0] == 0)
        return ROW_BAD;
    memcpy(row->timestamp, starts[0], lengths[0]);
    row->timestamp[lengths[0]] = '\0';
    return to_power(starts[2], lengths[2], &row->power_w);
}

static void read_row(const struct vm *vm, struct row *row)
{
    char line[MAX_LINE + 2]; /* with CR and LF */
    *row = (struct row){.kind = ROW_MISSING, .power_w = NAN};
    long got = source_read_file(vm->path, line, sizeof line);
    row->error = got;
    if (got < 0)
        return;
    const char *newline = memchr(line, '\n', (size_t)got);
    size_t length = newline != NULL ? (size_t)(newline - line) : (size_t)got;
    bool whole = newline != NULL || vm->watts;
    if (length > 0 && line[length - 1] == '\r')
        length--;
    if (length > MAX_LINE || (newline == NULL && got == (long)sizeof line))
        row->kind = ROW_BAD;
    else if (!whole || length == 0)
        row->kind = ROW_UNFINISHED;
    else
        row->kind = vm->watts ? to_power(line, length, &row->power_w) : split_row(line, length, row);
    if (row->kind != ROW_GOOD)
        row->power_w = NAN;
}

static const char *row_fault(const struct vm *vm, const struct row *row, char *buffer, size_t size)
{
    switch (row->kind) {
    case ROW_GOOD:
        return NULL;
    case ROW_NO_POWER:
        snprintf(buffer, size, "%s: the host writes that it has no power to give", vm->path);
        break;
    case ROW_MISSING:
        snprintf(buffer, size, "%s cannot be read: %s%s", vm->path, source_why(row->error),
                 row->error == -ENOENT ? "; the host has not written it yet, or the share is not mounted" : "");
        break;
    case ROW_UNFINISHED:
        snprintf(buffer, size, "%s: its first line is %s", vm->path, vm->watts ? "empty" : "not whole yet");
        break;
    case ROW_HOST_FILE:
        snprintf(buffer, size,
                 "%s has five columns: that is the file of the whole host, and would charge all of its power to this "
                 "virtual machine; share the file of its process, <file>-<pid>.csv, which `powerjoular -p PID -o FILE` "
                 "writes",
                 vm->path);
        break;
    case ROW_HEADER:
        snprintf(buffer, size,
                 "%s begins with a header: let PowerJoular on the host write with -o, which keeps one row without a "
                 "header",
                 vm->path);
        break;
    case ROW_BAD:
        snprintf(buffer, size,
                 vm->watts ? "%s: its first line is not one number of watts"
                           : "%s: its first line is not timestamp,cpu_usage,cpu_power (a file with the "
                             "power alone needs --vm-format watts)",
                 vm->path);
        break;
    }
    return buffer;
}

static struct vm *vm_new(const struct source_options *options)
{
    struct vm *vm = mem_zero(1, sizeof *vm);
    vm->path = mem_strdup(options->vm_file);
    vm->watts = options->vm_watts;
    vm->power_w = NAN;
    return vm;
}

static void vm_close(void *state)
{
    struct vm *vm = state;
    if (vm == NULL)
        return;
    free(vm->path);
    free(vm);
}

/* An unfinished row is no fault: the file is just being written. */
static bool is_fault(enum row_kind kind)
{
    return kind != ROW_GOOD && kind != ROW_UNFINISHED;
}

static enum status vm_open(const struct source_options *options, void **state, struct notices *warnings,
                           struct error *err)
{
    struct row row;
    char words[1024];
    *state = NULL;
    if (options->vm_file == NULL)
        return error_set(err, STATUS_MISSING,
                         "--source vm needs --vm-file FILE: the file in which the host writes this machine's power");
    struct vm *vm = vm_new(options);
    *state = vm;
    if (!vm->watts && options->interval_ns < HOST_INTERVAL_NS)
        notice(warnings,
               "the host writes once a second: an interval below 1000 ms sees the same row several times, "
               "and loses it after %d",
               1 + MAX_REUSED);
    read_row(vm, &row);
    if (!is_fault(row.kind))
        return STATUS_OK;
    vm->warned = row.kind;
    return error_set(err, row.kind == ROW_MISSING || row.kind == ROW_NO_POWER ? STATUS_MISSING : STATUS_INVALID, "%s",
                     row_fault(vm, &row, words, sizeof words));
}

static void warn_of_fault(struct vm *vm, const struct row *row, struct notices *warnings)
{
    char words[1024];
    if (row->kind == ROW_GOOD)
        vm->warned = ROW_GOOD;
    if (!is_fault(row->kind) || row->kind == vm->warned)
        return;
    vm->warned = row->kind;
    notice(warnings, "%s", row_fault(vm, row, words, sizeof words));
}

static void vm_read(void *state, int64_t now_ns, double load, struct source_reading *reading, struct notices *warnings)
{
    struct vm *vm = state;
    struct row row;
    (void)now_ns, (void)load;
    *reading = (struct source_reading){.outcome = SOURCE_NO_READING, .energy_j = NAN, .power_w = NAN};
    read_row(vm, &row);
    warn_of_fault(vm, &row, warnings);
    bool sound = row.kind == ROW_GOOD || row.kind == ROW_NO_POWER;
    if (vm->watts || (sound && strcmp(row.timestamp, vm->timestamp) != 0)) {
        memcpy(vm->timestamp, row.timestamp, sizeof vm->timestamp);
        vm->power_w = row.power_w;
        vm->reused = 0;
        reading->power_w = row.power_w;
        reading->outcome = isnan(row.power_w) ? SOURCE_NO_READING : SOURCE_OK;
        return;
    }
    /* No new row: it is unchanged, or cannot be read now. The row of an earlier cycle is used a few times. */
    bool covers = vm->reused < MAX_REUSED;
    vm->reused += covers;
    if (covers && !isnan(vm->power_w)) {
        reading->outcome = SOURCE_REUSED;
        reading->power_w = vm->power_w;
    } else if (!covers && sound) {
        reading->outcome = SOURCE_STALE;
    }
}

static bool vm_examine(const struct source_options *options, struct notices *texts)
{
    struct row row;
    char words[1024];
    if (options->vm_file == NULL) {
        notice(texts, "no --vm-file given; for virtual machines whose host writes their power into a shared file");
        return false;
    }
    struct vm *vm = vm_new(options);
    read_row(vm, &row);
    bool works = row.kind == ROW_GOOD;
    if (works)
        notice(texts, "works: %s has %.2f W%s", vm->path, row.power_w,
               vm->watts ? "" : " (whether the host goes on writing shows in the run)");
    else
        notice(texts, "does not work: %s", row_fault(vm, &row, words, sizeof words));
    vm_close(vm);
    return works;
}

const struct power_source source_vm = {
    .name = "vm",
    .summary = "the power of this virtual machine, in a file the host writes (--vm-file)",
    .open = vm_open,
    .read = vm_read,
    .close = vm_close,
    .examine = vm_examine,
};
