/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formats of logs that are read, recognised by the beginning of a file. */
#include "joular/powerlog.h"

#define ROWS "rows do not go forward in time and are left out"

const struct power_format power_formats[] = {
    {"joular", power_log_detect, power_log_read, NULL, "records of a kind that is not known here are left out"},
    {"csv", power_csv_detect, power_csv_read, NULL, ROWS},
    {"energibridge", power_energibridge_detect, power_energibridge_read, NULL, ROWS},
    {"scaphandre", power_scaphandre_detect, power_scaphandre_read, NULL, ROWS},
    {"turbostat", power_turbostat_detect, power_turbostat_read, NULL, ROWS},
    {"perf", power_perf_detect, NULL, power_perf_read, ROWS},
    {NULL, NULL, NULL, NULL, NULL},
};

const struct power_format *power_format_named(const char *name)
{
    for (const struct power_format *format = power_formats; format->name != NULL; format++)
        if (strcmp(format->name, name) == 0)
            return format;
    return NULL;
}

const struct power_format *power_format_of(const uint8_t *bytes, size_t length)
{
    for (const struct power_format *format = power_formats; format->name != NULL; format++)
        if (format->detect(bytes, length))
            return format;
    return NULL;
}

enum status power_read(const struct power_format *format, const uint8_t *bytes, size_t length, int64_t start_ns,
                       struct power_log *log, struct error *err)
{
    if (format->read_from != NULL)
        return format->read_from(bytes, length, start_ns, log, err);
    if (start_ns != POWER_NO_START) {
        power_log_init(log, format->name);
        return error_set(err, STATUS_INVALID,
                         "says itself when its rows were, so --log-start has no use: leave it out");
    }
    return format->read(bytes, length, log, err);
}
