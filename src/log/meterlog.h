/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helpers for reading other meters' logs: lines, fields, and rows that end cycles. */
#ifndef JOULAR_METERLOG_H
#define JOULAR_METERLOG_H

#include "joular/powerlog.h"

/* ---- Lines and fields: they point into the bytes of the file ---- */

struct meter_lines {
    const uint8_t *at, *end;
    int64_t number; /* of the line that was returned last, from 1 */
};
struct meter_text {
    const char *text;
    size_t length;
};
struct meter_fields {
    struct meter_text *v;
    size_t n, cap;
};
struct meter_lines meter_lines_of(const uint8_t *bytes, size_t length);
/* The next line, without its end (LF or CR LF). A last line without an end is still being written, and is left out. */
bool meter_next_line(struct meter_lines *lines, struct meter_text *line);
/* Splits LINE at SEPARATOR and drops spaces and tabs around each field. At most MOST fields are kept. Returns the
 * number of fields, or MOST + 1 if there are more. */
size_t meter_split(struct meter_text line, char separator, size_t most, struct meter_fields *fields);
bool meter_is(struct meter_text text, const char *word);
bool meter_begins(struct meter_text text, const char *word);
/* How many bytes of a file are searched for the headings by which its format is recognised. */
#define METER_LOOK ((size_t)64 * 1024)

/* Length of TEXT for "%.*s" in a message: its beginning is enough to recognise it. */
int meter_shown(struct meter_text text);

/* ---- Rows: each ends a cycle that began at the previous row ---- */

struct meter_rows {
    struct power_log *log;
    int64_t last_ns; /* wall clock, since the epoch */
    bool started;
};
/* False if a row is not later than the last one; it is counted in unknown_records, and the caller leaves it out. */
bool meter_goes_forward(const struct meter_rows *rows, int64_t time_ns);
/* Adds a row. POWER_W: of the cycle; NaN for none, with the reason in STATUS. The first row begins the first cycle. */
void meter_add_power(struct meter_rows *rows, int64_t time_ns, double power_w, const char *status);
/* Adds a row by the energy since the previous one; NaN for none. */
void meter_add_energy(struct meter_rows *rows, int64_t time_ns, double energy_j, const char *status);

/* No meter shows more watts or joules than this; sums of greater numbers could become infinite. */
#define METER_MOST 1e15
/* Reads a number from 0 to METER_MOST. An error names FIELD (from 1) and NAME. */
enum status meter_number(struct meter_text text, size_t field, const char *name, double *value,
                         struct error *err) WARN_UNUSED;
/* Reads a wall-clock time or a duration in seconds. An error names FIELD (from 1) and NAME. */
enum status meter_seconds(struct meter_text text, size_t field, const char *name, int64_t *ns,
                          struct error *err) WARN_UNUSED;

#endif
