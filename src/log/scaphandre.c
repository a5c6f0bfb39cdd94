/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output of Scaphandre's JSON exporter (github.com/hubblo-org/scaphandre: docs_src/references/exporter-json.md and
 * metrics.md, src/exporters/json.rs at 04cc6ec; issue 369 shows the form without brackets):
 *
 *   [{"host":{"consumption":33871000.0,"timestamp":1611853862.5379152,...},
 *     "consumers":[...],
 *     "sockets":[{"id":0,"consumption":31201000.0,"domains":[...],"timestamp":1611853862.5379033}]},...]
 *
 * Reports are elements of a list, or follow each other with or without commas in between. The timestamp is the
 * wall-clock time in seconds at which the counters were read; the consumption is the power in microwatts since they
 * were last read.
 *
 * The power is the sum of the sockets. The host's power is not used: it is psys if the machine has that, else it
 * includes memory (metrics.md). A report without sockets, as the first one is, has no power; nor has one whose number
 * of sockets differs from that of the first report with sockets. Scaphandre 1.0 reports the first socket only. */
#include "meterlog.h"

#include "joular/clock.h"
#include "joular/text.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <math.h>

#define MOST_SOCKETS 1024
#define MOST_BYTES ((size_t)16 * 1024 * 1024) /* of a report; most have some kilobytes */

struct reports {
    struct meter_rows rows;
    struct error *err;
    size_t sockets; /* number of sockets of the first report that had any */
    bool has_host;  /* some report had a power of the host */
};

static bool number_of(struct json_object *object, const char *key, double *value)
{
    struct json_object *number;
    if (!json_object_object_get_ex(object, key, &number) ||
        !(json_object_is_type(number, json_type_double) || json_object_is_type(number, json_type_int)))
        return false;
    *value = json_object_get_double(number);
    return *value >= 0 && *value <= METER_MOST * 1e6;
}

/* Read from the number's text, since a double would lose digits. */
static bool time_of(struct json_object *object, int64_t *ns)
{
    struct json_object *number;
    double seconds;
    if (!number_of(object, "timestamp", &seconds) || !json_object_object_get_ex(object, "timestamp", &number))
        return false;
    const char *text = json_object_get_string(number);
    return text_to_seconds_ns(text, strlen(text), ns) && *ns <= TIME_LIMIT_NS;
}

static enum status read_sockets(struct reports *r, struct json_object *sockets, double *power_w)
{
    double ids[MOST_SOCKETS], sum = 0;
    size_t count = json_object_array_length(sockets);
    if (count > MOST_SOCKETS)
        return error_set(r->err, STATUS_INVALID, "has %zu sockets, and at most %d are read", count, MOST_SOCKETS);
    for (size_t i = 0; i < count; i++) {
        struct json_object *socket = json_object_array_get_idx(sockets, i);
        double microwatts;
        if (!json_object_is_type(socket, json_type_object) || !number_of(socket, "id", &ids[i]) ||
            !number_of(socket, "consumption", &microwatts))
            return error_set(r->err, STATUS_INVALID,
                             "has a socket (%zu) without an id and a consumption that are sound numbers", i + 1);
        for (size_t j = 0; j < i; j++)
            if (!(ids[j] < ids[i]) && !(ids[j] > ids[i]))
                return error_set(r->err, STATUS_INVALID, "has socket %.0f twice", ids[i]);
        sum += microwatts / 1e6;
    }
    if (r->sockets == 0)
        r->sockets = count;
    *power_w = count != 0 && count == r->sockets ? sum : (double)NAN;
    return STATUS_OK;
}

static enum status read_report(struct reports *r, struct json_object *report)
{
    struct json_object *host, *sockets;
    int64_t time_ns;
    double power_w = NAN, host_uw;
    if (!json_object_is_type(report, json_type_object) || !json_object_object_get_ex(report, "host", &host) ||
        !json_object_is_type(host, json_type_object) || !json_object_object_get_ex(report, "sockets", &sockets) ||
        !json_object_is_type(sockets, json_type_array))
        return error_set(r->err, STATUS_INVALID, "is none of Scaphandre: it has no host and no list of sockets");
    if (!time_of(host, &time_ns))
        return error_set(r->err, STATUS_INVALID, "has no timestamp of the host in Unix seconds");
    if (read_sockets(r, sockets, &power_w) != STATUS_OK)
        return r->err->status;
    r->has_host = r->has_host || (number_of(host, "consumption", &host_uw) && host_uw > 0);
    if (meter_goes_forward(&r->rows, time_ns))
        meter_add_power(&r->rows, time_ns, power_w, isnan(power_w) ? "no-reading" : "ok");
    return STATUS_OK;
}

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Reports are recognised by their first key. */
bool power_scaphandre_detect(const uint8_t *bytes, size_t length)
{
    static const char expected[] = "{\"host\"";
    size_t used = 0;
    bool list = false;
    for (size_t i = 0; i < length && i < METER_LOOK; i++) {
        if (is_blank(bytes[i]))
            continue;
        if (bytes[i] == '[' && used == 0 && !list) {
            list = true;
            continue;
        }
        if (bytes[i] != (uint8_t)expected[used])
            return false;
        if (expected[++used] == '\0')
            return true;
    }
    return false;
}

/* Reads the report at *AT and moves *AT to its end, or to END if the report is not complete. */
static enum status next_report(struct reports *r, struct json_tokener *tokener, const uint8_t **at, const uint8_t *end)
{
    size_t left = (size_t)(end - *at), seen = left < MOST_BYTES ? left : MOST_BYTES;
    json_tokener_reset(tokener);
    struct json_object *report = json_tokener_parse_ex(tokener, (const char *)*at, (int)seen);
    enum json_tokener_error why = json_tokener_get_error(tokener);
    enum status status = STATUS_OK;
    if (why == json_tokener_success)
        status = read_report(r, report);
    else if (why != json_tokener_continue)
        status = error_set(r->err, STATUS_INVALID, "is no JSON: %s", json_tokener_error_desc(why));
    else if (seen < left)
        status = error_set(r->err, STATUS_INVALID, "has more than %zu bytes", MOST_BYTES);
    *at = why == json_tokener_success ? *at + json_tokener_get_parse_end(tokener) : end;
    json_object_put(report);
    return status;
}

/* Prefixes the error's text with the number of its report. */
static void name_report(struct error *err, size_t number)
{
    struct error first = *err;
    *err = (struct error){0};
    error_set(err, first.status, "report %zu %s", number, first.text);
}

static enum status read_reports(struct reports *r, struct json_tokener *tokener, const uint8_t *bytes,
                                const uint8_t *end)
{
    int64_t line = 1;
    size_t number = 0;
    bool list = false, closed = false;
    for (const uint8_t *at = bytes; at < end && r->err->status == STATUS_OK;) {
        const uint8_t *begin = at;
        if (is_blank(*at) || (*at == ',' && number != 0)) {
            at++;
        } else if (*at == '[' && number == 0 && !list) {
            list = true;
            at++;
        } else if (*at == ']' && list && !closed) {
            closed = true;
            at++;
        } else if (*at != '{' || closed) {
            error_set(r->err, STATUS_INVALID, "\"%c\" stands where a report should begin", *at);
        } else {
            number++;
            if (next_report(r, tokener, &at, end) != STATUS_OK)
                name_report(r->err, number);
        }
        error_on_line(r->err, line);
        for (; begin < at; begin++)
            line += *begin == '\n';
    }
    return r->err->status;
}

enum status power_scaphandre_read(const uint8_t *bytes, size_t length, struct power_log *log, struct error *err)
{
    struct reports r = {.rows = {.log = log}, .err = err};
    power_log_init(log, "scaphandre");
    struct json_tokener *tokener = json_tokener_new();
    if (tokener == NULL)
        return error_set(err, STATUS_IO, "json-c cannot be set up");
    enum status status = read_reports(&r, tokener, bytes, bytes + length);
    json_tokener_free(tokener);
    if (status == STATUS_OK && r.sockets == 0 && r.has_host)
        return error_set(err, STATUS_MISSING,
                         "has the power of the host alone, which is more than that of its CPUs, and of no socket");
    return status;
}
