/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads CSV files of PowerJoular, and those with a time and watts of any tool (see joular/powerlog.h). */
#include "meterlog.h"

#include "joular/power.h"

#include "joular/text.h"

#include <csv.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <strings.h>

#define MAX_COLUMNS 5
#define MAX_FIELD 64

static const struct layout {
    const char *header; /* compared without regard to case, quotes and spaces after commas */
    int columns, power; /* number of columns; position of the power */
    bool of_process;    /* it is the power of one process */
} layouts[] = {
    {"timestamp,cpu usage,total power,cpu power,gpu power", 5, 3, false},
    {"timestamp,cpu usage,cpu power", 3, 2, true},
    {"date,cpu utilization,total power,cpu power,gpu power", 5, 3, false},
    {"date,cpu utilization,cpu power", 3, 2, true},
    {"timestamp,watts", 2, 1, false},
};

static const struct layout *layout_of(const uint8_t *bytes, size_t length)
{
    char line[80];
    size_t used = 0;
    for (size_t i = 0; i < length && bytes[i] != '\n' && bytes[i] != '\r' && used < sizeof line - 1; i++)
        if (bytes[i] != '"' && !(bytes[i] == ' ' && used != 0 && line[used - 1] == ','))
            line[used++] = (char)bytes[i];
    line[used] = '\0';
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        if (strcasecmp(line, layouts[i].header) == 0)
            return &layouts[i];
    return NULL;
}

bool power_csv_detect(const uint8_t *bytes, size_t length)
{
    return layout_of(bytes, length) != NULL;
}

struct rows {
    const struct layout *layout;
    struct meter_rows rows;
    struct error *err;
    char fields[MAX_COLUMNS][MAX_FIELD];
    size_t lengths[MAX_COLUMNS];
    int count;
    int64_t line;
};

static void on_field(void *data, size_t length, void *user)
{
    struct rows *r = user;
    if (r->count < MAX_COLUMNS) {
        size_t kept = length < MAX_FIELD ? length : MAX_FIELD;
        if (kept != 0)
            memcpy(r->fields[r->count], data, kept);
        r->lengths[r->count] = length < MAX_FIELD ? length : 0; /* 0: too long for a time or a number, so not valid */
    }
    r->count++;
}

static void add_row(struct rows *r)
{
    int64_t time_ns;
    double power_w;
    const char *time = r->fields[0], *power = r->fields[r->layout->power];
    size_t power_length = r->lengths[r->layout->power];
    if (r->count < r->layout->columns) {
        error_set(r->err, STATUS_INVALID, "has %d fields, and the header names %d", r->count, r->layout->columns);
        return;
    }
    if (!text_to_seconds_ns(time, r->lengths[0], &time_ns) && !text_to_date_ns(time, r->lengths[0], &time_ns)) {
        error_set(r->err, STATUS_INVALID, "field 1 is neither Unix seconds nor a date and time: \"%.*s\"",
                  (int)r->lengths[0], time);
        return;
    }
    if (!text_to_double(power, power_length, &power_w)) {
        error_set(r->err, STATUS_INVALID, "field %d (power) is not a finite number: \"%.*s\"", r->layout->power + 1,
                  (int)power_length, power);
        return;
    }
    if (power_w > POWER_LIMIT_W) {
        error_set(r->err, STATUS_INVALID, "field %d (power) is above 1e9 watts: \"%.*s\"", r->layout->power + 1,
                  (int)power_length, power);
        return;
    }
    if (meter_goes_forward(&r->rows, time_ns))
        meter_add_power(&r->rows, time_ns, power_w >= 0 ? power_w : (double)NAN, power_w >= 0 ? "ok" : "no-reading");
}

static void on_row(int end, void *user)
{
    struct rows *r = user;
    r->line++;
    if (r->line > 1 && r->count > 0 && r->err->status == STATUS_OK && end != -1) { /* -1: the last line has no end */
        add_row(r);
        error_on_line(r->err, r->line);
    }
    r->count = 0;
}

enum status power_csv_read(const uint8_t *bytes, size_t length, struct power_log *log, struct error *err)
{
    struct csv_parser csv;
    struct rows r = {.layout = layout_of(bytes, length), .rows = {.log = log}, .err = err};
    power_log_init(log,
                   r.layout != NULL && strncmp(r.layout->header, "timestamp,watts", 15) == 0 ? "csv" : "powerjoular");
    if (r.layout == NULL)
        return error_set(err, STATUS_INVALID, "has no header that is known");
    log->is_process_power = r.layout->of_process;
    if (csv_init(&csv, CSV_STRICT | CSV_REPALL_NL) != 0)
        return error_set(err, STATUS_IO, "libcsv cannot be set up");
    const uint8_t *end = bytes + length;
    while (end > bytes && end[-1] != '\n')
        end--; /* a last line without an end is still being written */
    for (const uint8_t *line = bytes; line < end && err->status == STATUS_OK;) {
        const uint8_t *newline = memchr(line, '\n', (size_t)(end - line));
        size_t size = (size_t)(newline - line);
        size -= size > 0 && line[size - 1] == '\r';
        int64_t number = r.line + 1;
        if (csv_parse(&csv, line, size, on_field, on_row, &r) != size ||
            csv_parse(&csv, "\n", 1, on_field, on_row, &r) != 1 || r.line != number) {
            error_set(err, STATUS_INVALID, "is not CSV: a quote or a carriage return stands where none belongs");
            error_on_line(err, number);
        }
        line = newline + 1;
    }
    csv_free(&csv);
    return err->status;
}
