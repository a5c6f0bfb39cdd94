/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output of turbostat with --enable Time_Of_Day_Seconds (turbostat(8), "ROW DESCRIPTIONS" and "COLUMN
 * DESCRIPTIONS"; Linux, tools/power/x86/turbostat):
 *
 *   turbostat version ...                                           description of the machine; not with --quiet
 *   Time_Of_Day_Seconds  Core  CPU  Avg_MHz ... PkgWatt  CorWatt    tabs between the fields; repeated now and then
 *   1710876498.491000    -     -    488     ... 31.20    24.11      the summary: of all packages
 *   1710876498.490950    0     0    5       ... 31.20    24.11      one CPU
 *
 * In the summary rows, PkgWatt (or Pkg_J, with --Joules) is the sum of the packages ("On multi-socket systems, the
 * system summary on the 1st row shows the sum for all sockets together", turbostat(8) of Linux 3.8); cores, graphics
 * and memory have columns of their own. Time_Of_Day_Seconds is the wall clock at the end of the interval. turbostat
 * itself takes care of counters that wrap around. The first cycle begins at the time of the first row. */
#include "meterlog.h"

#include <math.h>

#define MOST_COLUMNS ((size_t)4096)
#define TIME "Time_Of_Day_Seconds"
#define NONE SIZE_MAX

struct stat_file {
    struct meter_rows rows;
    size_t count;                         /* of columns; 0 before the first header */
    size_t time, watts, joules, topology; /* positions of columns, NONE if absent; topology: CPU, Core or Package */
    struct meter_fields fields;
    struct error *err;
};

static size_t column_of(const struct meter_fields *fields, const char *name)
{
    for (size_t i = 0; i < fields->n; i++)
        if (meter_is(fields->v[i], name))
            return i;
    return NONE;
}

/* True for a row of headings, as rows of CPUs and of the summary have numbers in these columns. */
static bool is_header(const struct meter_fields *fields)
{
    static const char *const names[] = {"Avg_MHz", "Busy%", "Bzy_MHz", "PkgWatt", "Pkg_J", TIME};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (column_of(fields, names[i]) != NONE)
            return true;
    return false;
}

bool power_turbostat_detect(const uint8_t *bytes, size_t length)
{
    struct meter_lines lines = meter_lines_of(bytes, length < METER_LOOK ? length : METER_LOOK);
    struct meter_text line;
    struct meter_fields fields = {0};
    bool found = false;
    while (!found && meter_next_line(&lines, &line))
        found = meter_begins(line, "turbostat version ") ||
                (meter_split(line, '\t', MOST_COLUMNS, &fields) > 1 && is_header(&fields));
    vec_free(&fields);
    return found;
}

static enum status read_header(struct stat_file *f)
{
    static const char *const topology[] = {"CPU", "Core", "Package"};
    f->count = f->fields.n;
    f->time = column_of(&f->fields, TIME);
    f->watts = column_of(&f->fields, "PkgWatt");
    f->joules = column_of(&f->fields, "Pkg_J");
    f->topology = NONE;
    for (size_t i = 0; i < sizeof topology / sizeof topology[0] && f->topology == NONE; i++)
        f->topology = column_of(&f->fields, topology[i]);
    if (f->time == NONE)
        return error_set(f->err, STATUS_MISSING,
                         "has no column " TIME ", and so nothing says when its rows were: let turbostat show it "
                         "(--enable " TIME ")");
    if (f->watts == NONE && f->joules == NONE)
        return error_set(f->err, STATUS_MISSING,
                         "has no column PkgWatt or Pkg_J: turbostat was not to show it, or "
                         "cannot read the power here");
    return STATUS_OK;
}

static enum status read_summary(struct stat_file *f)
{
    int64_t time_ns;
    double value;
    size_t at = f->joules != NONE ? f->joules : f->watts;
    if (meter_seconds(f->fields.v[f->time], f->time + 1, TIME, &time_ns, f->err) != STATUS_OK ||
        meter_number(f->fields.v[at], at + 1, f->joules != NONE ? "Pkg_J" : "PkgWatt", &value, f->err) != STATUS_OK)
        return f->err->status;
    if (!meter_goes_forward(&f->rows, time_ns))
        return STATUS_OK;
    if (f->joules != NONE)
        meter_add_energy(&f->rows, time_ns, value, "ok");
    else
        meter_add_power(&f->rows, time_ns, value, "ok");
    return STATUS_OK;
}

static enum status read_line(struct stat_file *f, struct meter_text line)
{
    size_t count = meter_split(line, '\t', MOST_COLUMNS, &f->fields);
    if (count > MOST_COLUMNS)
        return error_set(f->err, STATUS_INVALID, "has more than %zu fields", MOST_COLUMNS);
    if (count > 1 && is_header(&f->fields))
        return read_header(f);
    if (f->count == 0 || line.length == 0)
        return STATUS_OK; /* the description of the machine, or an empty line */
    if (f->topology != NONE && !(f->topology < count && meter_is(f->fields.v[f->topology], "-")))
        return STATUS_OK; /* the row of a single CPU */
    if (count != f->count)
        return error_set(f->err, STATUS_INVALID,
                         f->topology != NONE
                             ? "has %zu fields, and the header names %zu"
                             : "has %zu fields, and the header names %zu: where it is of a single CPU, let turbostat "
                               "show the column CPU too, or the summary alone (--Summary)",
                         count, f->count);
    return read_summary(f);
}

enum status power_turbostat_read(const uint8_t *bytes, size_t length, struct power_log *log, struct error *err)
{
    struct stat_file f = {.rows = {.log = log}, .err = err};
    struct meter_lines lines = meter_lines_of(bytes, length);
    struct meter_text line;
    power_log_init(log, "turbostat");
    while (err->status == STATUS_OK && meter_next_line(&lines, &line))
        if (read_line(&f, line) != STATUS_OK)
            error_on_line(err, lines.number);
    if (err->status == STATUS_OK && f.count == 0)
        error_set(err, STATUS_MISSING, "has no row of headings with a column PkgWatt or Pkg_J");
    vec_free(&f.fields);
    return err->status;
}
