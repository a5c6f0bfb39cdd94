/* What the readers of other meters' logs share: lines, their fields, and rows that end cycles. */
#ifndef JOULAR_METERLOG_H
#define JOULAR_METERLOG_H

#include "joular/powerlog.h"

/* ---- Lines and fields; both point into the bytes they were made of ---- */

struct meter_lines {
    const uint8_t *at, *end;
    int64_t number; /* of the line in hand, from 1 */
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
/* The next line, without its end (LF or CR LF). One that has no end yet is being written still, and is none. */
bool meter_next_line(struct meter_lines *lines, struct meter_text *line);
/* Splits at SEPARATOR and drops the blanks around each field. MOST fields at most are kept; returns how many there are,
 * or MOST + 1 for more than that. */
size_t meter_split(struct meter_text line, char separator, size_t most, struct meter_fields *fields);
bool meter_is(struct meter_text text, const char *word);
bool meter_begins(struct meter_text text, const char *word);
/* The bytes a file is told by: a recorder's own headings stand near its beginning. */
#define METER_LOOK ((size_t)64 * 1024)

/* Length of TEXT for "%.*s" in a message: enough to know it again. */
int meter_shown(struct meter_text text);

/* ---- Rows: each ends a cycle that began at the row before ---- */

struct meter_rows {
    struct power_log *log;
    int64_t last_ns; /* wall clock, since the epoch */
    bool started;
};
/* False for a row that does not go forward in time; it is counted, and is to be left out. */
bool meter_goes_forward(const struct meter_rows *rows, int64_t time_ns);
/* POWER_W: NaN for none, with STATUS why. */
void meter_add_power(struct meter_rows *rows, int64_t time_ns, double power_w, const char *status);
/* The same from the energy since the row before. */
void meter_add_energy(struct meter_rows *rows, int64_t time_ns, double energy_j, const char *status);

/* Watts and joules above are none, and would make sums that are not finite. */
#define METER_MOST 1e15
/* A number from 0 to METER_MOST, as text; else an error that names FIELD (from 1) and NAME. */
enum status meter_number(struct meter_text text, size_t field, const char *name, double *value,
                         struct error *err) WARN_UNUSED;
/* A wall-clock time or a duration in seconds. */
enum status meter_seconds(struct meter_text text, size_t field, const char *name, int64_t *ns,
                          struct error *err) WARN_UNUSED;

#endif
