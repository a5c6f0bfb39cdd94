/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --dump: what is in the input, one record a line, which begins with the byte offset in the file. */
#include "analyze.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define MAX_VALUES 64

struct seen_event {
    uint64_t at, size, type;
};

struct dump {
    struct jfr_reader *reader;
    const struct jfr_chunk *chunk;
    VEC(struct seen_event) events; /* of the chunk, printed at its end: texts may follow the events that use them */
};

static void put_printable(const char *text, size_t length)
{
    char shown[512];
    text_printable(shown, sizeof shown, text, length);
    fputs(shown, stdout);
}

static void put_value(struct dump *d, const struct jfr_field_facts *field, const struct jfr_value *value)
{
    struct jfr_text text;
    putchar(' ');
    put_printable(field->name, field->name_length);
    putchar('=');
    switch (value->kind) {
    case JFR_ABSENT:
        putchar('{');
        put_printable(field->type, field->type_length);
        putchar('}');
        break;
    case JFR_INT:
        printf("%" PRId64, value->i);
        break;
    case JFR_FLOAT:
        printf("%.9g", value->d);
        break;
    case JFR_TEXT:
        text = jfr_text(d->reader, value);
        if (text.p != NULL) {
            putchar('"');
            put_printable(text.p, text.n);
            putchar('"');
        } else {
            fputs("null", stdout);
        }
        break;
    case JFR_REF:
        printf("#%" PRIu64, value->ref);
        break;
    case JFR_ARRAY:
        fputs("[...]", stdout);
        break;
    }
}

static void keep_event(void *user, uint64_t at, uint64_t size, uint64_t type)
{
    struct dump *d = user;
    vec_push(&d->events, ((struct seen_event){at, size, type}));
}

static void put_event(struct dump *d, uint64_t at, uint64_t size, uint64_t type)
{
    struct jfr_type_facts facts;
    size_t number;
    printf("%" PRIu64 " size=%" PRIu64 " ", d->chunk->at + at, size);
    if (type == 0 || type == 1) {
        puts(type == 0 ? "metadata" : "checkpoint");
        return;
    }
    if (!jfr_type_of_id(d->reader, type, &number) || !jfr_type_facts(d->reader, number, &facts)) {
        printf("type=%" PRIu64 " (not in the metadata)\n", type);
        return;
    }
    struct jfr_value values[MAX_VALUES];
    size_t count = jfr_decode_event(d->reader, at, number, values, MAX_VALUES);
    put_printable(facts.name, facts.name_length);
    for (size_t i = 0; i < count; i++) {
        struct jfr_field_facts field;
        if (jfr_field_facts(d->reader, number, i, &field))
            put_value(d, &field, &values[i]);
    }
    puts(count == 0 && facts.field_count != 0 ? " (damaged)" : "");
}

static void put_chunk(const struct jfr_chunk *chunk)
{
    const struct jfr_header *h = &chunk->header;
    printf("%" PRIu64 " chunk=%d version=%u.%u size=%" PRIu64 " length=%" PRIu64 " metadata=%" PRIu64
           " start_ns=%" PRId64 " duration_ns=%" PRId64 " start_ticks=%" PRId64 " ticks_per_second=%" PRId64
           " state=%u integers=%s %s\n",
           chunk->at, chunk->number, h->major, h->minor, h->size, chunk->length, chunk->metadata_at, h->start_ns,
           h->duration_ns, h->start_ticks, h->ticks_per_second, h->state, h->compressed ? "varint" : "plain",
           chunk->finished ? "finished"
           : chunk->cut    ? "cut"
                           : "unfinished");
}

static void put_metadata(struct dump *d)
{
    struct jfr_type_facts type;
    for (size_t i = 0; jfr_type_facts(d->reader, i, &type); i++) {
        struct jfr_field_facts field;
        printf("%" PRIu64 " type=%" PRIu64 " ", d->chunk->at + d->chunk->metadata_at, type.id);
        put_printable(type.name, type.name_length);
        for (size_t f = 0; jfr_field_facts(d->reader, i, f, &field); f++) {
            putchar(' ');
            put_printable(field.name, field.name_length);
            putchar(':');
            put_printable(field.type, field.type_length);
            fputs(field.is_array ? "[]" : "", stdout);
            fputs(field.in_pool ? "#" : "", stdout);
        }
        putchar('\n');
    }
}

static void no_event(void *user, unsigned spec, const struct jfr_value *values, uint64_t at)
{
    (void)user, (void)spec, (void)values, (void)at;
}

enum status dump_recordings(const struct inputs *inputs, enum dump_what what, struct jfr_damage *damage,
                            struct error *err)
{
    static const struct jfr_event_spec none = {"", {NULL}};
    enum status status = STATUS_OK;
    struct dump d = {.reader = jfr_reader_new(&none, 0)};
    if (what == DUMP_EVENTS)
        jfr_on_every_event(d.reader, keep_event, &d);
    for (size_t i = 0; i < inputs->recordings.n && status == STATUS_OK; i++) {
        const struct collect_input *input = &inputs->recordings.v[i];
        struct jfr_chunk_list chunks = {0};
        status = jfr_list_chunks(input->bytes, input->length, &chunks, damage, err);
        for (size_t c = 0; c < chunks.n; c++) {
            struct error chunk_error = {0};
            d.chunk = &chunks.v[c];
            d.events.n = 0;
            if (what == DUMP_CHUNKS) {
                put_chunk(d.chunk);
            } else if (jfr_read_chunk(d.reader, input->bytes, d.chunk, no_event, NULL, damage, &chunk_error) !=
                       STATUS_OK) {
                damage->chunks++;
                if (damage->first.status == STATUS_OK)
                    damage->first = chunk_error;
            } else if (what == DUMP_METADATA) {
                put_metadata(&d);
            }
            for (size_t e = 0; e < d.events.n; e++)
                put_event(&d, d.events.v[e].at, d.events.v[e].size, d.events.v[e].type);
        }
        error_in_file(&damage->first, input->name);
        error_in_file(err, input->name);
        vec_free(&chunks);
    }
    jfr_reader_free(d.reader);
    vec_free(&d.events);
    return status;
}

void dump_align(const struct result *r)
{
    for (size_t i = 0; i < r->cycles.n; i++) {
        const struct result_cycle *cycle = &r->cycles.v[i];
        double given = cycle->java_j;
        for (int row = 0; row < NATIVE_ROWS; row++)
            given += cycle->native_j[row];
        printf("%zu end_ns=%" PRId64 " interval_ns=%" PRId64 " samples=%" PRIu64 " process_j=%.9f given_j=%.9f "
               "unattributed_j=%.9f outside_j=%.9f\n",
               i + 1, cycle->realtime_ns, cycle->interval_ns, cycle->samples, cycle->process_j, given,
               cycle->unattributed_j, cycle->outside_j);
    }
}
