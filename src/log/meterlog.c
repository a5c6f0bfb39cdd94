/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "meterlog.h"

#include "joular/power.h"

#include "joular/clock.h"
#include "joular/text.h"

#include <math.h>

struct meter_lines meter_lines_of(const uint8_t *bytes, size_t length)
{
    return (struct meter_lines){bytes, bytes + length, 0};
}

bool meter_next_line(struct meter_lines *lines, struct meter_text *line)
{
    const uint8_t *newline = lines->at < lines->end ? memchr(lines->at, '\n', (size_t)(lines->end - lines->at)) : NULL;
    if (newline == NULL)
        return false;
    *line = (struct meter_text){(const char *)lines->at, (size_t)(newline - lines->at)};
    line->length -= line->length > 0 && line->text[line->length - 1] == '\r';
    lines->at = newline + 1;
    lines->number++;
    return true;
}

static struct meter_text without_blanks(const char *text, size_t length)
{
    while (length > 0 && (text[0] == ' ' || text[0] == '\t')) {
        text++;
        length--;
    }
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    return (struct meter_text){text, length};
}

size_t meter_split(struct meter_text line, char separator, size_t most, struct meter_fields *fields)
{
    const char *at = line.text, *end = line.text + line.length;
    fields->n = 0;
    for (;;) {
        const char *stop = at < end ? memchr(at, separator, (size_t)(end - at)) : NULL;
        if (fields->n == most)
            return most + 1;
        vec_push(fields, without_blanks(at, (size_t)((stop != NULL ? stop : end) - at)));
        if (stop == NULL)
            return fields->n;
        at = stop + 1;
    }
}

bool meter_is(struct meter_text text, const char *word)
{
    return text.length == strlen(word) && memcmp(text.text, word, text.length) == 0;
}

bool meter_begins(struct meter_text text, const char *word)
{
    return text.length >= strlen(word) && memcmp(text.text, word, strlen(word)) == 0;
}

int meter_shown(struct meter_text text)
{
    return text.length < 60 ? (int)text.length : 60;
}

bool meter_goes_forward(const struct meter_rows *rows, int64_t time_ns)
{
    bool forward = !rows->started || time_ns > rows->last_ns;
    rows->log->unknown_records += !forward;
    return forward;
}

void meter_add_power(struct meter_rows *rows, int64_t time_ns, double power_w, const char *status)
{
    if (power_w > POWER_LIMIT_W) { /* the energy was divided by an interval of almost nothing */
        power_w = (double)NAN;
        status = "no-reading";
    }
    if (rows->started)
        power_log_add_cycle(rows->log, rows->last_ns, time_ns, time_ns, power_w, status);
    rows->last_ns = time_ns;
    rows->started = true;
}

void meter_add_energy(struct meter_rows *rows, int64_t time_ns, double energy_j, const char *status)
{
    double seconds = rows->started ? (double)(time_ns - rows->last_ns) / 1e9 : 1;
    meter_add_power(rows, time_ns, energy_j / seconds, status);
}

enum status meter_number(struct meter_text text, size_t field, const char *name, double *value, struct error *err)
{
    if (!text_to_double(text.text, text.length, value))
        return error_set(err, STATUS_INVALID, "field %zu (%s) is not a finite number: \"%.*s\"", field, name,
                         meter_shown(text), text.text);
    if (*value < 0 || *value > METER_MOST)
        return error_set(err, STATUS_INVALID, "field %zu (%s) is %s: \"%.*s\"", field, name,
                         *value < 0 ? "negative" : "more than any meter shows", meter_shown(text), text.text);
    return STATUS_OK;
}

enum status meter_seconds(struct meter_text text, size_t field, const char *name, int64_t *ns, struct error *err)
{
    if (!text_to_seconds_ns(text.text, text.length, ns) || *ns < 0 || *ns > TIME_LIMIT_NS)
        return error_set(err, STATUS_INVALID, "field %zu (%s) is no time in seconds: \"%.*s\"", field, name,
                         meter_shown(text), text.text);
    return STATUS_OK;
}
