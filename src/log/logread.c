/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The power log, read record by record.
 *
 *   #joular-power-log 1
 *   #{"tool":...}
 *   domain,NAME,energy_uj
 *   process,pid,cpu_ns,NAME[,ns_pid]
 *   thread,pid,tid,cpu_ns,NAME[,ns_tid]
 *   cycle,realtime_ns,monotonic_ns,interval_ns,[power_w],busy_ns,status */
#include "joular/clock.h"
#include "joular/debug.h"
#include "joular/hash.h"
#include "joular/logformat.h"
#include "joular/map.h"
#include "joular/power.h"
#include "joular/powerlog.h"
#include "joular/text.h"

#include <csv.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>

#define MAX_FIELDS 8                   /* that are kept: no known record has more */
#define MAX_RECORD ((size_t)64 * 1024) /* bytes, so that a missing closing quote does not swallow the log */

struct log_reader {
    struct power_log *log;
    struct error *err;
    char *text;  /* the fields of the current record, one after another */
    size_t used; /* bytes of it */
    size_t starts[MAX_FIELDS], lengths[MAX_FIELDS];
    size_t count;  /* fields of the current record, those beyond MAX_FIELDS included */
    bool complete; /* a record ended on this line */
    bool more;     /* another record began after it on the same line */
    int64_t line;
    struct map64 process_ids, thread_ids; /* hash of a process or thread -> position */
    int64_t last_end_ns;
    size_t closed_processes, closed_threads; /* number of each when the last cycle was read */
};

static void on_field(void *data, size_t length, void *user)
{
    struct log_reader *r = user;
    r->more |= r->complete;
    if (r->count < MAX_FIELDS && r->used + length <= MAX_RECORD) {
        memcpy(r->text + r->used, data, length);
        r->starts[r->count] = r->used;
        r->lengths[r->count] = length;
        r->used += length;
    }
    r->count++;
}

static void on_record(int end, void *user)
{
    struct log_reader *r = user;
    (void)end;
    r->complete = true;
}

/* For libcsv: no character is stripped as a space. */
static int is_space(unsigned char c)
{
    (void)c;
    return 0;
}

static const char *field(const struct log_reader *r, size_t i)
{
    return r->text + r->starts[i];
}

static bool word_is(const struct log_reader *r, size_t i, const char *word)
{
    return r->lengths[i] == strlen(word) && memcmp(field(r, i), word, r->lengths[i]) == 0;
}

static enum status bad_field(struct log_reader *r, size_t i, const char *name, const char *why)
{
    error_set(r->err, STATUS_INVALID, "field %zu (%s) of a %.*s record %s: \"%.*s\"", i + 1, name, (int)r->lengths[0],
              field(r, 0), why, (int)(r->lengths[i] < 60 ? r->lengths[i] : 60), field(r, i));
    return STATUS_INVALID;
}

static enum status get_i64(struct log_reader *r, size_t i, const char *name, int64_t least, int64_t *value)
{
    if (!text_to_i64(field(r, i), r->lengths[i], value))
        return bad_field(r, i, name, "is not a whole number");
    if (*value < least)
        return bad_field(r, i, name, least == 0 ? "is negative" : "is not above 0");
    return STATUS_OK;
}

static enum status get_time(struct log_reader *r, size_t i, const char *name, int64_t least, int64_t *value)
{
    enum status status = get_i64(r, i, name, least, value);
    return status == STATUS_OK && *value > TIME_LIMIT_NS ? bad_field(r, i, name, "is past the year 2116") : status;
}

static enum status need_fields(struct log_reader *r, size_t count)
{
    if (r->count >= count)
        return STATUS_OK;
    return error_set(r->err, STATUS_INVALID, "a %.*s record has %zu fields, and needs %zu", (int)r->lengths[0],
                     field(r, 0), r->count, count);
}

static uint32_t text_of(struct log_reader *r, size_t i)
{
    if (utf8_valid(field(r, i), r->lengths[i]))
        return intern_bytes(&r->log->texts, field(r, i), r->lengths[i]);
    char *repaired = mem_alloc(r->lengths[i] * 3);
    uint32_t text = intern_bytes(&r->log->texts, repaired, utf8_repair(repaired, field(r, i), r->lengths[i]));
    free(repaired);
    return text;
}

/* The position in LIST of IDENTITY, which has SIZE bytes. If it is not there, it is appended; the list must have room.
 * If another identity has the same hash, the next key of a chain of keys is tried. */
static uint32_t find_or_add(struct map64 *map, void *list, size_t *count, size_t size, const void *identity)
{
    uint64_t key = hash_bytes(identity, size);
    for (;; key = hash_mix(key + 1)) {
        uint32_t at = map64_get(map, key);
        if (at == MAP_NONE) {
            map64_put(map, key, (uint32_t)*count);
            memcpy((char *)list + *count * size, identity, size);
            return (uint32_t)(*count)++;
        }
        if (memcmp((char *)list + at * size, identity, size) == 0)
            return at;
    }
}

static enum status read_process(struct log_reader *r)
{
    struct power_log *log = r->log;
    struct power_process who;
    struct power_record record;
    memset(&who, 0, sizeof who); /* find_or_add compares the padding, too */
    enum status status = need_fields(r, 4);
    if (status == STATUS_OK)
        status = get_i64(r, 1, "pid", 1, &who.pid);
    if (status == STATUS_OK)
        status = get_i64(r, 2, "cpu_ns", 0, &record.cpu_ns);
    if (status == STATUS_OK && r->count > 4 && r->lengths[4] != 0)
        status = get_i64(r, 4, "ns_pid", 1, &who.ns_pid);
    if (status != STATUS_OK)
        return status;
    who.name = text_of(r, 3);
    vec_reserve(&log->processes, 1);
    record.who = find_or_add(&r->process_ids, log->processes.v, &log->processes.n, sizeof who, &who);
    vec_push(&log->process_records, record);
    return STATUS_OK;
}

static enum status read_thread(struct log_reader *r)
{
    struct power_log *log = r->log;
    struct power_thread who;
    struct power_record record;
    memset(&who, 0, sizeof who);
    enum status status = need_fields(r, 5);
    if (status == STATUS_OK)
        status = get_i64(r, 1, "pid", 1, &who.pid);
    if (status == STATUS_OK)
        status = get_i64(r, 2, "tid", 1, &who.tid);
    if (status == STATUS_OK)
        status = get_i64(r, 3, "cpu_ns", 0, &record.cpu_ns);
    if (status == STATUS_OK && r->count > 5 && r->lengths[5] != 0)
        status = get_i64(r, 5, "ns_tid", 1, &who.ns_tid);
    if (status != STATUS_OK)
        return status;
    who.name = text_of(r, 4);
    vec_reserve(&log->threads, 1);
    record.who = find_or_add(&r->thread_ids, log->threads.v, &log->threads.n, sizeof who, &who);
    vec_push(&log->thread_records, record);
    return STATUS_OK;
}

static enum status read_domain(struct log_reader *r)
{
    int64_t energy_uj;
    enum status status = need_fields(r, 3);
    return status != STATUS_OK ? status : get_i64(r, 2, "energy_uj", 0, &energy_uj);
}

static enum status read_cycle(struct log_reader *r)
{
    struct power_log *log = r->log;
    struct power_cycle cycle = {.power_w = NAN};
    int64_t interval_ns = 0;
    enum status status = need_fields(r, 7);
    if (status == STATUS_OK)
        status = get_time(r, 1, "realtime_ns", 0, &cycle.realtime_ns);
    if (status == STATUS_OK)
        status = get_time(r, 2, "monotonic_ns", 0, &cycle.end_ns);
    if (status == STATUS_OK)
        status = get_time(r, 3, "interval_ns", 1, &interval_ns);
    if (status == STATUS_OK && r->lengths[4] != 0) {
        if (!text_to_double(field(r, 4), r->lengths[4], &cycle.power_w))
            status = bad_field(r, 4, "power_w", "is not a finite number");
        else if (cycle.power_w < 0)
            status = bad_field(r, 4, "power_w", "is negative");
        else if (cycle.power_w > POWER_LIMIT_W)
            status = bad_field(r, 4, "power_w", "is above 1e9 watts");
    }
    if (status == STATUS_OK)
        status = get_i64(r, 5, "busy_ns", 0, &cycle.busy_ns);
    if (status != STATUS_OK)
        return status;
    cycle.start_ns = cycle.end_ns - interval_ns;
    if (log->cycles.n != 0 && cycle.start_ns < r->last_end_ns)
        return error_set(r->err, STATUS_INVALID,
                         cycle.end_ns <= r->last_end_ns
                             ? "the cycle ends at %" PRId64
                               " ns (field 3, monotonic_ns) and so goes back: the one before "
                               "it ended at %" PRId64
                             : "the cycle ending at %" PRId64 " ns overlaps the one before it, which ended at %" PRId64
                               " (field 4, interval_ns, is too long)",
                         cycle.end_ns, r->last_end_ns);
    cycle.status = text_of(r, 6);
    cycle.processes = log->process_records.n;
    cycle.threads = log->thread_records.n;
    r->last_end_ns = cycle.end_ns;
    r->closed_processes = log->processes.n;
    r->closed_threads = log->threads.n;
    vec_push(&log->cycles, cycle);
    return STATUS_OK;
}

static enum status read_record(struct log_reader *r)
{
    static const struct {
        const char *word;
        enum status (*read)(struct log_reader *r);
    } records[] = {{"thread", read_thread}, {"process", read_process}, {"cycle", read_cycle}, {"domain", read_domain}};
    if (r->count == 0)
        return STATUS_OK;
    for (size_t i = 0; i < sizeof records / sizeof records[0]; i++)
        if (word_is(r, 0, records[i].word))
            return records[i].read(r);
    r->log->unknown_records++;
    return STATUS_OK;
}

/* Reads the records from BYTES, where a line begins, to END. */
static enum status read_records(struct log_reader *r, const uint8_t *bytes, const uint8_t *end)
{
    struct csv_parser csv;
    if (csv_init(&csv, CSV_STRICT) != 0)
        return error_set(r->err, STATUS_IO, "libcsv cannot be set up");
    csv_set_space_func(&csv, is_space);
    enum status status = STATUS_OK;
    bool inside = false; /* a quoted field continues on this line */
    size_t record = 0;
    int64_t line = r->line - 1;
    while (status == STATUS_OK && bytes < end) {
        const uint8_t *newline = memchr(bytes, '\n', (size_t)(end - bytes));
        if (newline == NULL)
            break; /* the last line has no end: it is still being written */
        size_t length = (size_t)(newline - bytes) + 1;
        line++;
        if (!inside) {
            r->line = line;
            r->count = r->used = record = 0;
            if (bytes[0] == '#' || length == 1 || (length == 2 && bytes[0] == '\r')) {
                bytes += length;
                continue;
            }
        }
        if (inside && length > 6 && memcmp(bytes, "cycle,", 6) == 0) {
            status = error_set(r->err, STATUS_INVALID, "a quote is not closed before line %" PRId64 ", a cycle", line);
            break;
        }
        record += length;
        r->complete = r->more = false;
        if (record > MAX_RECORD)
            status = error_set(r->err, STATUS_INVALID,
                               "the record has more than %zu bytes (a quote that is not closed?)", MAX_RECORD);
        else if (csv_parse(&csv, bytes, length, on_field, on_record, r) != length)
            status = error_set(r->err, STATUS_INVALID, "field %zu is not CSV: a quote stands in the middle of it",
                               r->count + 1);
        else if (r->more)
            status = error_set(r->err, STATUS_INVALID, "a carriage return stands in the middle of it");
        inside = !r->complete;
        bytes += length;
        if (status == STATUS_OK && r->complete)
            status = read_record(r);
    }
    csv_free(&csv);
    return status;
}

static char *fact_text(struct json_object *facts, const char *key)
{
    struct json_object *value;
    if (!json_object_object_get_ex(facts, key, &value) || !json_object_is_type(value, json_type_string))
        return NULL;
    return mem_strdup(json_object_get_string(value));
}

static double fact_number(struct json_object *facts, const char *key)
{
    struct json_object *value;
    if (!json_object_object_get_ex(facts, key, &value) ||
        !(json_object_is_type(value, json_type_int) || json_object_is_type(value, json_type_double)))
        return NAN;
    return json_object_get_double(value);
}

static int64_t fact_count(struct json_object *facts, const char *key)
{
    double number = fact_number(facts, key);
    return number >= 1 && number < 9e15 ? (int64_t)number : 0;
}

static enum status read_facts(struct power_log *log, const uint8_t *line, size_t length, struct error *err)
{
    if (length < 2 || line[0] != '#' || line[1] != '{')
        return error_set(err, STATUS_INVALID, "is to be # and one JSON object with the facts of the run");
    /* json-c accepts bytes that are not UTF-8, and they would get into report.json. */
    log->facts = mem_alloc(3 * length);
    length = utf8_repair(log->facts, line + 1, length - 1);
    log->facts[length] = '\0';
    struct json_tokener *tokener = json_tokener_new();
    if (tokener == NULL)
        return error_set(err, STATUS_IO, "json-c cannot be set up");
    struct json_object *facts = json_tokener_parse_ex(tokener, log->facts, -1);
    enum json_tokener_error why = json_tokener_get_error(tokener);
    size_t used = (size_t)tokener->char_offset;
    json_tokener_free(tokener);
    used += strspn(log->facts + used, " \t\r");
    if (facts != NULL && used != length) {
        json_object_put(facts);
        return error_set(err, STATUS_INVALID, "is not one JSON object: more stands behind its end");
    }
    if (facts == NULL || !json_object_is_type(facts, json_type_object)) {
        json_object_put(facts);
        return error_set(err, STATUS_INVALID, "is no JSON object: %s", json_tokener_error_desc(why));
    }
    log->source = fact_text(facts, "source");
    log->tool = fact_text(facts, "tool");
    log->reason = fact_text(facts, "reason");
    log->cpus = fact_count(facts, "cpus");
    log->pid = fact_count(facts, "pid");
    log->baseline_w = fact_number(facts, "baseline_w");
    if (!(log->baseline_w >= 0 && log->baseline_w <= POWER_LIMIT_W))
        log->baseline_w = NAN; /* a negative baseline would add power */
    json_object_put(facts);
    return STATUS_OK;
}

bool power_log_detect(const uint8_t *bytes, size_t length)
{
    return length >= strlen(POWER_LOG_MAGIC) && memcmp(bytes, POWER_LOG_MAGIC, strlen(POWER_LOG_MAGIC)) == 0;
}

/* Drops the records after the last cycle: they belong to one that was not finished. */
static void drop_open_cycle(const struct log_reader *r)
{
    struct power_log *log = r->log;
    size_t n = log->cycles.n;
    log->processes.n = r->closed_processes;
    log->threads.n = r->closed_threads;
    log->process_records.n = n != 0 ? log->cycles.v[n - 1].processes : 0;
    log->thread_records.n = n != 0 ? log->cycles.v[n - 1].threads : 0;
}

enum status power_log_read(const uint8_t *bytes, size_t length, struct power_log *log, struct error *err)
{
    struct log_reader r = {.log = log, .err = err, .line = 1};
    const uint8_t *end = bytes + length, *second = NULL, *third = NULL;
    *log = (struct power_log){.baseline_w = NAN};
    if (!power_log_detect(bytes, length))
        return error_set(err, STATUS_INVALID, "is no power log: it does not begin with \"%s\"", POWER_LOG_MAGIC);
    const uint8_t *newline = memchr(bytes, '\n', length);
    if (newline == NULL)
        return error_set(err, STATUS_TRUNCATED, "ends in its first line");
    size_t magic = strlen(POWER_LOG_MAGIC), first = (size_t)(newline - bytes);
    first -= first > 0 && bytes[first - 1] == '\r';
    int64_t version = -1;
    if (first <= magic + 1 || bytes[magic] != ' ' ||
        !text_to_i64((const char *)bytes + magic + 1, first - magic - 1, &version)) {
        error_set(err, STATUS_INVALID, "has no version number behind \"%s\"", POWER_LOG_MAGIC);
    } else if (version != 1) {
        error_set(err, STATUS_UNSUPPORTED, "is a power log of version %" PRId64 ", and version 1 is read here",
                  version);
    } else {
        second = newline + 1;
        newline = memchr(second, '\n', (size_t)(end - second));
        r.line = 2;
        if (newline == NULL)
            error_set(err, STATUS_TRUNCATED, "ends before its facts (line 2)");
        else if (read_facts(log, second, (size_t)(newline - second), err) == STATUS_OK)
            third = newline + 1;
    }
    if (third != NULL) {
        r.line = 3;
        r.text = mem_alloc(MAX_RECORD);
        if (read_records(&r, third, end) == STATUS_OK)
            drop_open_cycle(&r);
    }
    error_on_line(err, r.line);
    debug_say(DEBUG_POWER, 1, "%zu cycles, %zu process and %zu thread records of %zu processes and %zu threads",
              log->cycles.n, log->process_records.n, log->thread_records.n, log->processes.n, log->threads.n);
    map64_free(&r.process_ids);
    map64_free(&r.thread_ids);
    free(r.text);
    return err->status;
}

void power_log_init(struct power_log *log, const char *source)
{
    *log = (struct power_log){.baseline_w = NAN, .source = mem_strdup(source)};
}

void power_log_add_cycle(struct power_log *log, int64_t start_ns, int64_t end_ns, int64_t realtime_ns, double power_w,
                         const char *status)
{
    struct power_cycle cycle = {.start_ns = start_ns,
                                .end_ns = end_ns,
                                .realtime_ns = realtime_ns,
                                .busy_ns = -1,
                                .power_w = power_w,
                                .status = intern_bytes(&log->texts, status, strlen(status))};
    vec_push(&log->cycles, cycle);
}

void power_log_free(struct power_log *log)
{
    free(log->facts);
    free(log->source);
    free(log->tool);
    free(log->reason);
    vec_free(&log->cycles);
    vec_free(&log->processes);
    vec_free(&log->threads);
    vec_free(&log->process_records);
    vec_free(&log->thread_records);
    intern_free(&log->texts);
    *log = (struct power_log){0};
}

const char *power_text(const struct power_log *log, uint32_t text)
{
    return log->texts.texts.v[text].text;
}
