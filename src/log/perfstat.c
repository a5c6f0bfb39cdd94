/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output of perf stat -I MS -x, -e power/energy-pkg/ (perf-stat(1), "CSV FORMAT"; the unit: Linux commit
 * 410136f5dd96):
 *
 *   # started on Sun Nov 29 22:35:01 2026                            with -o: local time
 *
 *        1.000214717,31.20,Joules,power/energy-pkg/,1000195000,100.00,,
 *        1.000214717,S0,1,15.10,Joules,power/energy-pkg/,...         with --per-socket, and with similar options
 *
 * The fields are: seconds since perf stat began; with --per-socket and similar options a name for a group of CPUs and
 * their number; value; unit; event; and fields that are not used here. Nothing is quoted. -x may name any separator.
 * The value is the energy in the interval of the packages that the line is about; lines of the same time are added up.
 * Lines of other events (psys, ram, cores) are skipped. The kernel makes the counters wide enough not to wrap around.
 *
 * The file does not say exactly when perf stat began: "started on" has whole seconds, and is there only if perf itself
 * wrote the file (-o). So the caller has to give the start. */
#include "meterlog.h"

#include "joular/clock.h"

#include <inttypes.h>
#include <math.h>

#define MOST_FIELDS ((size_t)64)
#define EVENT "energy-pkg"
#define STARTED "# started on "

struct perf_file {
    struct meter_rows rows;
    int64_t start_ns;
    char separator;
    struct meter_fields fields;
    struct error *err;
    /* The current interval: */
    int64_t time_ns;        /* its end, since the start of perf stat */
    int64_t line;           /* number of its first line */
    size_t lines;           /* how many of its lines were read */
    double energy_j;        /* NaN if one of its lines had none */
    struct meter_text unit; /* name of the CPUs that its first line is about; empty for all */
    size_t expected;        /* lines that each interval should have: as many as the first had; 0 until that ended */
};

static struct meter_text without_leading_spaces(struct meter_text line)
{
    while (line.length > 0 && line.text[0] == ' ') {
        line.text++;
        line.length--;
    }
    return line;
}

/* The character after the time at the beginning of a line; 0 if the line does not begin with a time. */
static char separator_of(struct meter_text line)
{
    line = without_leading_spaces(line);
    size_t digits = 0, dots = 0;
    while (digits < line.length && ((line.text[digits] >= '0' && line.text[digits] <= '9') || line.text[digits] == '.'))
        dots += line.text[digits++] == '.';
    return (char)(digits > 2 && dots == 1 && digits < line.length ? line.text[digits] : '\0');
}

static bool names_event(struct meter_text text)
{
    for (size_t i = 0; i + sizeof EVENT - 1 <= text.length; i++)
        if (memcmp(text.text + i, EVENT, sizeof EVENT - 1) == 0)
            return true;
    return false;
}

bool power_perf_detect(const uint8_t *bytes, size_t length)
{
    struct meter_lines lines = meter_lines_of(bytes, length < METER_LOOK ? length : METER_LOOK);
    struct meter_text line;
    while (meter_next_line(&lines, &line)) {
        if (line.length == 0 || line.text[0] == '#')
            continue;
        if (separator_of(line) == '\0')
            return false;
        if (names_event(line))
            return true;
    }
    return false;
}

/* Ends the current interval. LAST: it is the last one of the file. */
static void end_interval(struct perf_file *f, bool last)
{
    if (f->lines == 0)
        return;
    if (f->expected == 0 && !last)
        f->expected = f->lines;
    bool whole = f->expected == 0 || f->lines == f->expected;
    int64_t time_ns = time_sum(f->start_ns, f->time_ns);
    if (!whole && last)
        return; /* truncated between two packages of the interval */
    if (!whole)
        f->energy_j = NAN;
    if (meter_goes_forward(&f->rows, time_ns))
        meter_add_energy(&f->rows, time_ns, f->energy_j, isnan(f->energy_j) ? "no-reading" : "ok");
    f->lines = 0;
}

/* The value of a line; NaN for "<not counted>" and "<not supported>". EVENT_AT: position of the event's field. */
static enum status read_value(struct perf_file *f, size_t event_at, double *energy_j)
{
    struct meter_text value = f->fields.v[event_at - 2], unit = f->fields.v[event_at - 1];
    *energy_j = NAN;
    if (meter_begins(value, "<not "))
        return STATUS_OK;
    if (!meter_is(unit, "Joules"))
        return error_set(f->err, STATUS_INVALID, "field %zu (unit of " EVENT ") is not Joules: \"%.*s\"", event_at,
                         meter_shown(unit), unit.text);
    return meter_number(value, event_at - 1, "counter value", energy_j, f->err);
}

static enum status add_line(struct perf_file *f, struct meter_text line, int64_t number)
{
    int64_t time_ns;
    double energy_j;
    size_t count = meter_split(line, f->separator, MOST_FIELDS, &f->fields), at = 3;
    while (at < f->fields.n && !names_event(f->fields.v[at]))
        at++;
    if (meter_is(f->fields.v[0], "summary"))
        return STATUS_OK;
    if (count > MOST_FIELDS || at >= f->fields.n)
        return error_set(f->err, STATUS_INVALID,
                         "is no line of perf stat -I -x: time, value, unit and event are to "
                         "be in it, behind one another");
    if (meter_seconds(f->fields.v[0], 1, "time", &time_ns, f->err) != STATUS_OK ||
        read_value(f, at, &energy_j) != STATUS_OK)
        return f->err->status;
    if (f->lines != 0 && time_ns < f->time_ns)
        return error_set(f->err, STATUS_INVALID, "goes back in time: the line before it was at %" PRId64 " ns",
                         f->time_ns);
    struct meter_text unit = at > 3 ? f->fields.v[1] : (struct meter_text){"", 0};
    if (f->lines != 0 && time_ns > f->time_ns)
        end_interval(f, false);
    if (f->lines == 0) {
        f->energy_j = 0;
        f->unit = unit;
        f->line = number;
        f->time_ns = time_ns;
    } else if (unit.length == f->unit.length && memcmp(unit.text, f->unit.text, unit.length) == 0) {
        return error_set(f->err, STATUS_INVALID,
                         "has the energy of the same packages again as line %" PRId64 ", for the same time", f->line);
    }
    f->lines++;
    f->energy_j += energy_j;
    return STATUS_OK;
}

static enum status begin(struct perf_file *f, struct meter_text started)
{
    if (f->separator == ' ')
        return error_set(f->err, STATUS_UNSUPPORTED,
                         "is perf stat's output for people; for programs it is written "
                         "with -x,");
    if (f->start_ns == POWER_NO_START && started.length != 0)
        return error_set(f->err, STATUS_MISSING,
                         "its times count from the start of perf stat; say when that was with --log-start TIME. (Its "
                         "line \"%.*s\" has it to the second, in the local time of that machine)",
                         meter_shown(started), started.text);
    if (f->start_ns == POWER_NO_START)
        return error_set(f->err, STATUS_MISSING,
                         "its times count from the start of perf stat, and nothing in it says when that was: say it "
                         "with --log-start TIME");
    f->rows.last_ns = f->start_ns;
    f->rows.started = true;
    return STATUS_OK;
}

static enum status read_line(struct perf_file *f, struct meter_text line, int64_t number, struct meter_text *started)
{
    if (meter_begins(line, STARTED)) {
        if (f->rows.started)
            return error_set(f->err, STATUS_INVALID,
                             "a second measurement begins here (perf stat --append), and one "
                             "is read at a time");
        *started = line;
    }
    if (line.length == 0 || line.text[0] == '#' || !names_event(line))
        return STATUS_OK;
    if (!f->rows.started) {
        f->separator = separator_of(line);
        if (f->separator == '\0')
            return error_set(f->err, STATUS_INVALID, "does not begin with a time: perf stat was not told -I");
        if (begin(f, *started) != STATUS_OK)
            return f->err->status;
    }
    return add_line(f, line, number);
}

enum status power_perf_read(const uint8_t *bytes, size_t length, int64_t start_ns, struct power_log *log,
                            struct error *err)
{
    struct perf_file f = {.rows = {.log = log}, .start_ns = start_ns, .err = err};
    struct meter_lines lines = meter_lines_of(bytes, length);
    struct meter_text line, started = {"", 0};
    power_log_init(log, "perf");
    while (err->status == STATUS_OK && meter_next_line(&lines, &line))
        if (read_line(&f, line, lines.number, &started) != STATUS_OK)
            error_on_line(err, lines.number);
    if (err->status == STATUS_OK && !f.rows.started)
        error_set(err, STATUS_MISSING, "has no event power/energy-pkg/");
    if (err->status == STATUS_OK)
        end_interval(&f, true);
    vec_free(&f.fields);
    return err->status;
}
