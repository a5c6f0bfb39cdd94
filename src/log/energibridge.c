/* SPDX-License-Identifier: GPL-3.0-or-later */
/* EnergiBridge's CSV file (github.com/tdurieux/EnergiBridge: README, "Output Example" and "Units of output metrics";
 * src/main.rs and src/cpu/ at c4323f1):
 *
 *   Delta,Time,CPU_FREQUENCY_0,...,DRAM_ENERGY (J),PACKAGE_ENERGY (J),PP0_ENERGY (J),...
 *   0,1710876498491,2592,...,709.4478759765625,8740.855224609375,8041.038391113281,...
 *
 * Nothing is quoted; the separator is the one given with -s. Time is the wall clock in milliseconds at which the
 * figures of the row were read; Delta, the milliseconds from then to the writing of the row, is not used here. The
 * first two rows follow each other at once, mostly in the same millisecond; the first cycle then begins with the second
 * of them.
 *
 * Energies are counters of the first package only: 32 bits, in units of 2^-n J (Intel SDM, volume 3B, "RAPL
 * Interfaces"; AMD's are the same), so they wrap around at 2^(32 - n) J. The file does not give n. The most binary
 * places seen in a reading are a lower bound of n, and so give an upper bound of the range; the previous reading gives
 * a lower bound. If the two are equal they are the range, and a counter that went down has wrapped around once. If they
 * are not equal, or if the difference is more than half the range, the cycle has no power. */
#include "meterlog.h"

#include "joular/clock.h"
#include "joular/text.h"

#include <math.h>

#define MOST_COLUMNS ((size_t)65536) /* each CPU has several */
#define COUNTER_BITS 32
#define MS INT64_C(1000000)

enum kind {
    KIND_COUNTER,
    KIND_POWER,
    KIND_NONE
};

/* Columns that are looked for, in this order; the first that the file has is used. */
static const struct column {
    const char *name;
    enum kind kind;
    const char *fault; /* of KIND_NONE */
} columns[] = {
    {"PACKAGE_ENERGY (J)", KIND_COUNTER, NULL},
    {"CPU_ENERGY (J)", KIND_COUNTER, NULL}, /* AMD's package */
    {"CPU_POWER (Watts)", KIND_POWER, NULL},
    {"PACAKGE_ENERGY (J)", KIND_NONE,
     "is of an early EnergiBridge that took the wrong bits for the energy unit: what it calls joules are none"},
    {"SYSTEM_POWER (Watts)", KIND_NONE,
     "is the power of the whole computer, not of its CPUs; where that will do, make a CSV file with timestamp,watts of "
     "it"},
};
#define COLUMNS (sizeof columns / sizeof columns[0])

struct bridge {
    struct meter_rows rows;
    const struct column *column;
    size_t at, count; /* position of the column; number of all columns */
    char separator;
    struct meter_fields fields;
    double counter_j; /* of the last row */
    int places;       /* the most binary places that any reading had */
    struct error *err;
};

static char separator_of(const uint8_t *bytes, size_t length)
{
    static const char before[] = "Delta", behind[] = "Time";
    size_t at = sizeof before - 1;
    if (length < at + sizeof behind + 1 || memcmp(bytes, before, at) != 0 ||
        memcmp(bytes + at + 1, behind, sizeof behind - 1) != 0)
        return '\0';
    char separator = (char)bytes[at];
    char next = (char)bytes[at + sizeof behind];
    bool good = separator > 0 && separator != '\n' && separator != '\r' && next == separator;
    return (char)(good ? separator : '\0');
}

bool power_energibridge_detect(const uint8_t *bytes, size_t length)
{
    return separator_of(bytes, length) != '\0';
}

static enum status read_header(struct bridge *b, struct meter_text line)
{
    b->count = meter_split(line, b->separator, MOST_COLUMNS, &b->fields);
    if (b->count > MOST_COLUMNS)
        return error_set(b->err, STATUS_INVALID, "the header names more than %zu columns", MOST_COLUMNS);
    for (size_t c = 0; c < COLUMNS; c++)
        for (size_t i = 2; i < b->count; i++)
            if (meter_is(b->fields.v[i], columns[c].name)) {
                b->column = &columns[c];
                b->at = i;
                return columns[c].kind != KIND_NONE ? STATUS_OK
                                                    : error_set(b->err, STATUS_UNSUPPORTED, "the column %s %s",
                                                                columns[c].name, columns[c].fault);
            }
    return error_set(b->err, STATUS_MISSING,
                     "no column has the energy or the power of the CPUs (%s, %s or %s): EnergiBridge could not read it",
                     columns[0].name, columns[1].name, columns[2].name);
}

static int binary_places(double value)
{
    int places = 0;
    for (; places < COUNTER_BITS && value != floor(value); places++)
        value *= 2;
    return places;
}

/* The energy since the last row; NaN if the counter went down and its range is not certain. */
static double counter_difference(const struct bridge *b, double counter_j)
{
    int bits; /* 2^bits is the smallest power of two above the last reading */
    if (counter_j >= b->counter_j)
        return counter_j - b->counter_j;
    frexp(b->counter_j, &bits);
    double range_j = ldexp(1, bits), moved_j = range_j - b->counter_j + counter_j;
    return bits == COUNTER_BITS - b->places && moved_j <= range_j / 2 ? moved_j : (double)NAN;
}

static void add_counter(struct bridge *b, int64_t time_ns, double counter_j)
{
    int places = binary_places(counter_j);
    b->places = places > b->places ? places : b->places;
    if (b->rows.started && b->rows.log->cycles.n == 0 && time_ns == b->rows.last_ns) {
        b->counter_j = counter_j;
        return;
    }
    if (!meter_goes_forward(&b->rows, time_ns))
        return;
    double energy_j = counter_difference(b, counter_j);
    meter_add_energy(&b->rows, time_ns, energy_j, isnan(energy_j) ? "reset" : "ok");
    b->counter_j = counter_j;
}

static enum status read_row(struct bridge *b, struct meter_text line)
{
    int64_t ms;
    double value;
    size_t count = meter_split(line, b->separator, b->count, &b->fields);
    if (count != b->count)
        return error_set(b->err, STATUS_INVALID, "has %s%zu fields, and the header names %zu",
                         count > b->count ? "more than " : "", count > b->count ? b->count : count, b->count);
    struct meter_text time = b->fields.v[1];
    if (!text_to_i64(time.text, time.length, &ms) || ms < 0 || ms > TIME_LIMIT_NS / MS)
        return error_set(b->err, STATUS_INVALID, "field 2 (Time) is no time in milliseconds: \"%.*s\"",
                         meter_shown(time), time.text);
    if (meter_number(b->fields.v[b->at], b->at + 1, b->column->name, &value, b->err) != STATUS_OK)
        return b->err->status;
    if (b->column->kind == KIND_COUNTER)
        add_counter(b, ms * MS, value);
    else if (b->rows.started && b->rows.log->cycles.n == 0 && ms * MS == b->rows.last_ns)
        return STATUS_OK; /* the second of the first two rows (see add_counter): not counted as one that goes back */
    else if (meter_goes_forward(&b->rows, ms * MS))
        meter_add_power(&b->rows, ms * MS, value, "ok");
    return STATUS_OK;
}

enum status power_energibridge_read(const uint8_t *bytes, size_t length, struct power_log *log, struct error *err)
{
    struct bridge b = {.rows = {.log = log}, .separator = separator_of(bytes, length), .err = err};
    struct meter_lines lines = meter_lines_of(bytes, length);
    struct meter_text line;
    power_log_init(log, "energibridge");
    if (b.separator == '\0')
        return error_set(err, STATUS_INVALID, "does not begin with EnergiBridge's header, Delta,Time,...");
    while (err->status == STATUS_OK && meter_next_line(&lines, &line)) {
        enum status status = lines.number == 1  ? read_header(&b, line)
                             : line.length != 0 ? read_row(&b, line)
                                                : STATUS_OK;
        if (status != STATUS_OK)
            error_on_line(err, lines.number);
    }
    vec_free(&b.fields);
    return err->status;
}
