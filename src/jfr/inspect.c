/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Access to everything in a chunk, for --dump and --stats. */
#include "pool.h"
#include "program.h"

bool jfr_type_facts(const struct jfr_reader *reader, size_t number, struct jfr_type_facts *facts)
{
    if (number >= reader->metadata.type_count)
        return false;
    const struct jfr_type *type = &reader->metadata.types[number];
    *facts =
        (struct jfr_type_facts){type->id, type->name.p != NULL ? type->name.p : "", type->name.n, type->field_count};
    return true;
}

bool jfr_type_of_id(const struct jfr_reader *reader, uint64_t id, size_t *number)
{
    const struct jfr_type *type = jfr_type_by_id(&reader->metadata, id);
    if (type == NULL)
        return false;
    *number = (size_t)(type - reader->metadata.types);
    return true;
}

bool jfr_field_facts(const struct jfr_reader *reader, size_t type, size_t field, struct jfr_field_facts *facts)
{
    if (type >= reader->metadata.type_count || field >= reader->metadata.types[type].field_count)
        return false;
    const struct jfr_field *f = &reader->metadata.types[type].fields[field];
    struct jfr_text type_name = f->type != NULL ? f->type->name : (struct jfr_text){"?", 1};
    *facts = (struct jfr_field_facts){
        .name = f->name.p != NULL ? f->name.p : "",
        .type = type_name.p != NULL ? type_name.p : "",
        .name_length = f->name.n,
        .type_length = type_name.n,
        .in_pool = f->pool,
        .is_array = f->array,
        .is_time = f->unit >= UNIT_TIME_TICKS && f->unit <= UNIT_TIME_MS,
    };
    return true;
}

#define MAX_TAKES 64

size_t jfr_decode_event(struct jfr_reader *reader, uint64_t at, size_t number, struct jfr_value *values, size_t max)
{
    struct jfr_type *type = &reader->metadata.types[number];
    struct jfr_value all[MAX_TAKES];
    size_t count = type->field_count < MAX_TAKES ? type->field_count : MAX_TAKES;
    if (!type->all_tried)
        type->all = jfr_compile(type, NULL, count, true, reader->header.compressed, &reader->types);
    type->all_tried = true;
    struct span s = span_of(reader->chunk + at, reader->length - at);
    uint64_t size = jfr_uint(&s, reader->header.compressed, 4);
    jfr_uint(&s, reader->header.compressed, 8);
    if (type->all == NULL || s.bad || size > reader->length - at || s.p > reader->chunk + at + size)
        return 0;
    s.end = reader->chunk + at + size;
    for (size_t i = 0; i < count; i++)
        all[i].kind = JFR_ABSENT;
    jfr_run(type->all, &s, &reader->header, all);
    if (s.bad)
        return 0;
    count = count < max ? count : max;
    memcpy(values, all, count * sizeof *values);
    return count;
}
