/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compiles types to sequences of steps: "skip three integers, take one, skip a text". The value of a field is written
 * in place unless it is in a constant pool, so the fields of a structured type become steps of the same sequence.
 * Adjacent steps of one kind are merged.
 *
 *   boolean, byte   1 byte          float 4, double 8 bytes        a constant: its key, a long
 *   char, short 2, int 4, long 8 bytes, or a varint each in a compressed chunk
 *   array           count (int), then that many elements */
#include "program.h"
#include "strings.h"

#define MAX_NESTING 16
#define MAX_FIELDS 4096

struct compiler {
    VEC(struct jfr_step) steps;
    struct arena *arena;
    bool compressed;
    bool failed;
    unsigned total; /* fields visited in one compilation, to refuse types that expand without bound */
};

static struct jfr_program *finish(struct compiler *c, bool last_only)
{
    struct jfr_program *program = arena_alloc(c->arena, sizeof *program);
    struct jfr_step *steps = arena_alloc(c->arena, c->steps.n * sizeof *steps);
    if (c->steps.n != 0)
        memcpy(steps, c->steps.v, c->steps.n * sizeof *steps);
    *program =
        (struct jfr_program){.steps = steps, .count = c->steps.n, .empty = c->steps.n == 0, .last_only = last_only};
    program->is_method =
        c->steps.n == 2 && steps[0].kind == STEP_TAKE_KEY && steps[1].kind == STEP_INTS && steps[1].n <= 7;
    return program;
}

static void add_step(struct compiler *c, struct jfr_step step)
{
    struct jfr_step *last = c->steps.n != 0 ? &c->steps.v[c->steps.n - 1] : NULL;
    if (last != NULL && last->kind == step.kind && (step.kind == STEP_INTS || step.kind == STEP_BYTES)) {
        last->n += step.n;
        return;
    }
    vec_push(&c->steps, step);
}

static unsigned width_of(enum jfr_base base)
{
    switch (base) {
    case BASE_BOOLEAN:
    case BASE_BYTE:
        return 1;
    case BASE_CHAR:
    case BASE_SHORT:
        return 2;
    case BASE_INT:
    case BASE_FLOAT:
        return 4;
    case BASE_LONG:
    case BASE_DOUBLE:
        return 8;
    case BASE_NONE:
    case BASE_STRING:
        break;
    }
    return 0;
}

static bool is_integer(enum jfr_base base)
{
    return base == BASE_CHAR || base == BASE_SHORT || base == BASE_INT || base == BASE_LONG;
}

static void skip_base(struct compiler *c, enum jfr_base base)
{
    if (base == BASE_STRING)
        add_step(c, (struct jfr_step){.kind = STEP_TEXT});
    else if (c->compressed && is_integer(base))
        add_step(c, (struct jfr_step){.kind = STEP_INTS, .n = 1});
    else
        add_step(c, (struct jfr_step){.kind = STEP_BYTES, .n = width_of(base)});
}

static const struct jfr_program *compile(struct compiler *c, const struct jfr_type *type, const char *const *takes,
                                         size_t take_count, bool last_only, unsigned depth);
static void skip_type(struct compiler *c, const struct jfr_type *type, unsigned depth);

static const struct jfr_program *element_program(struct compiler *c, const struct jfr_field *field, unsigned depth)
{
    struct compiler inner = {.arena = c->arena, .compressed = c->compressed, .total = c->total};
    if (field->pool)
        skip_base(&inner, BASE_LONG);
    else
        skip_type(&inner, field->type, depth + 1);
    const struct jfr_program *program = finish(&inner, false);
    c->failed |= inner.failed;
    c->total = inner.total;
    vec_free(&inner.steps);
    return program;
}

static void skip_field(struct compiler *c, const struct jfr_field *field, unsigned depth)
{
    /* fields count that are empty or merged into the step before them: visiting them takes time, too */
    if (++c->total > MAX_FIELDS || (!field->pool && field->type == NULL))
        c->failed = true;
    else if (field->array)
        add_step(c, (struct jfr_step){.kind = STEP_ARRAY, .elements = element_program(c, field, depth)});
    else if (field->pool)
        skip_base(c, BASE_LONG);
    else
        skip_type(c, field->type, depth + 1);
}

static void skip_type(struct compiler *c, const struct jfr_type *type, unsigned depth)
{
    if (type == NULL || depth > MAX_NESTING) {
        c->failed = true;
    } else if (type->base != BASE_NONE) {
        skip_base(c, type->base);
    } else {
        for (size_t i = 0; i < type->field_count && !c->failed; i++)
            skip_field(c, &type->fields[i], depth);
    }
}

static enum jfr_step_kind kind_of_take(const struct compiler *c, const struct jfr_step *step)
{
    if (step->base == BASE_BOOLEAN)
        return STEP_TAKE_BOOLEAN;
    if (c->compressed && step->base == BASE_LONG && step->pool)
        return STEP_TAKE_KEY;
    if (c->compressed && step->base == BASE_LONG && step->unit == UNIT_TIME_TICKS)
        return STEP_TAKE_TIME_TICKS;
    if (c->compressed && step->base == BASE_LONG && step->unit == UNIT_SPAN_TICKS)
        return STEP_TAKE_SPAN_TICKS;
    return STEP_TAKE;
}

static void take_field(struct compiler *c, const struct jfr_field *field, uint32_t slot, unsigned depth)
{
    struct jfr_step step = {.kind = STEP_TAKE, .n = slot, .pool = field->pool, .unit = field->unit};
    if (field->array) {
        step.kind = STEP_TAKE_ARRAY;
        if (!field->pool && field->type == NULL)
            c->failed = true;
        else
            step.elements = element_program(c, field, depth);
    } else if (field->pool) {
        step.base = BASE_LONG;
    } else {
        /* a type that only wraps one simple field is that field (a Tickspan is a long) */
        const struct jfr_type *type = field->type;
        for (unsigned nested = 0; type != NULL && type->base == BASE_NONE && type->field_count == 1 && nested < 4;
             nested++)
            type = type->fields[0].pool || type->fields[0].array ? NULL : type->fields[0].type;
        if (type == NULL || type->base == BASE_NONE) {
            skip_field(c, field, depth); /* no single value: stays absent */
            return;
        }
        step.base = type->base;
    }
    c->total++;
    if (step.kind == STEP_TAKE)
        step.kind = kind_of_take(c, &step);
    add_step(c, step);
}

/* Whether field I of TYPE is taken, and its SLOT. Of fields with the same name the first counts: TAKEN has a bit for
 * each slot that an earlier field has. */
static bool is_taken(const struct jfr_type *type, size_t i, const char *const *takes, size_t take_count,
                     uint64_t *taken, uint32_t *slot)
{
    size_t at = takes == NULL ? i : 0;
    while (takes != NULL && at < take_count && !jfr_text_is(type->fields[i].name, takes[at]))
        at++;
    if (at >= take_count || (*taken >> at & 1) != 0)
        return false;
    *taken |= UINT64_C(1) << at;
    *slot = (uint32_t)at;
    return true;
}

static const struct jfr_program *compile(struct compiler *c, const struct jfr_type *type, const char *const *takes,
                                         size_t take_count, bool last_only, unsigned depth)
{
    size_t needed = last_only ? 0 : type->field_count;
    uint64_t taken = 0;
    uint32_t slot;
    for (size_t i = 0; i < type->field_count && last_only; i++)
        if (is_taken(type, i, takes, take_count, &taken, &slot))
            needed = i + 1;
    if (type->base != BASE_NONE && take_count == 1) /* java.lang.String: an entry of its pool is the value itself */
        add_step(c, (struct jfr_step){.kind = STEP_TAKE, .base = type->base});
    else if (type->base != BASE_NONE)
        skip_base(c, type->base);
    taken = 0;
    for (size_t i = 0; i < needed && type->base == BASE_NONE && !c->failed; i++) {
        if (is_taken(type, i, takes, take_count, &taken, &slot))
            take_field(c, &type->fields[i], slot, depth);
        else
            skip_field(c, &type->fields[i], depth);
    }
    return c->failed ? NULL : finish(c, last_only);
}

const struct jfr_program *jfr_compile(const struct jfr_type *type, const char *const *takes, size_t take_count,
                                      bool last_only, bool compressed, struct arena *arena)
{
    struct compiler c = {.arena = arena, .compressed = compressed};
    const struct jfr_program *program = compile(&c, type, takes, take_count, last_only, 0);
    vec_free(&c.steps);
    return program;
}

static void skip_elements(const struct jfr_program *elements, uint64_t count, struct span *s, bool compressed)
{
    if (elements->empty)
        return;
    if (count > span_left(s)) { /* an element has at least one byte */
        span_fail(s);
        return;
    }
    if (elements->count == 1 && elements->steps[0].kind == STEP_INTS) {
        uint64_t integers;
        if (__builtin_mul_overflow(count, (uint64_t)elements->steps[0].n, &integers))
            span_fail(s);
        else
            span_skip_varints(s, integers);
        return;
    }
    for (uint64_t i = 0; i < count && !s->bad; i++)
        jfr_run_skip(elements, s, compressed);
}

void jfr_run_skip(const struct jfr_program *program, struct span *s, bool compressed)
{
    for (size_t i = 0; i < program->count; i++) {
        const struct jfr_step *step = &program->steps[i];
        switch (step->kind) {
        case STEP_INTS:
            span_skip_varints(s, step->n);
            break;
        case STEP_BYTES:
            span_skip(s, step->n);
            break;
        case STEP_TEXT:
            jfr_skip_text(s, compressed);
            break;
        case STEP_ARRAY:
            skip_elements(step->elements, jfr_uint(s, compressed, 4), s, compressed);
            break;
        case STEP_TAKE:
        case STEP_TAKE_ARRAY:
        case STEP_TAKE_KEY:
        case STEP_TAKE_BOOLEAN:
        case STEP_TAKE_TIME_TICKS:
        case STEP_TAKE_SPAN_TICKS:
            break;
        }
    }
}

static int64_t to_unit(const struct jfr_header *header, enum jfr_unit unit, int64_t value)
{
    int64_t ns = value;
    int64_t factor = 1;
    switch (unit) {
    case UNIT_TIME_TICKS:
        return time_ns(header, value);
    case UNIT_SPAN_TICKS:
        return timespan_ns(header, value);
    case UNIT_SPAN_US:
        factor = 1000;
        break;
    case UNIT_TIME_MS:
    case UNIT_SPAN_MS:
        factor = 1000000;
        break;
    case UNIT_SPAN_S:
        factor = 1000000000;
        break;
    case UNIT_NONE:
    case UNIT_TIME_NS:
    case UNIT_SPAN_NS:
        break;
    }
    if (__builtin_mul_overflow(value, factor, &ns))
        ns = value < 0 ? INT64_MIN : INT64_MAX;
    return ns;
}

static struct jfr_value take(const struct jfr_step *step, struct span *s, const struct jfr_header *header)
{
    struct jfr_value value = {.kind = JFR_INT};
    uint32_t bits;
    uint64_t raw;
    switch (step->base) {
    case BASE_BYTE:
        value.i = (int8_t)span_u8(s);
        break;
    case BASE_CHAR:
        value.i = (uint16_t)jfr_uint(s, header->compressed, 2);
        break;
    case BASE_SHORT:
        value.i = (int16_t)jfr_uint(s, header->compressed, 2);
        break;
    case BASE_INT:
        value.i = (int32_t)(uint32_t)jfr_uint(s, header->compressed, 4);
        break;
    case BASE_LONG:
        raw = jfr_uint(s, header->compressed, 8);
        if (step->pool) {
            value.kind = JFR_REF;
            value.ref = raw;
        } else {
            value.i = (int64_t)raw;
        }
        break;
    case BASE_FLOAT: {
        float number;
        bits = (uint32_t)span_be(s, 4);
        memcpy(&number, &bits, sizeof number);
        value.kind = JFR_FLOAT;
        value.d = (double)number;
        return value;
    }
    case BASE_DOUBLE:
        raw = span_be(s, 8);
        value.kind = JFR_FLOAT;
        memcpy(&value.d, &raw, sizeof value.d);
        return value;
    case BASE_STRING:
        value.kind = JFR_TEXT;
        value.at = s->p;
        jfr_skip_text(s, header->compressed);
        return value;
    case BASE_BOOLEAN: /* has a step of its own */
    case BASE_NONE:
        value.kind = JFR_ABSENT;
        return value;
    }
    if (step->unit != UNIT_NONE && value.kind == JFR_INT)
        value.i = to_unit(header, step->unit, value.i);
    return value;
}

bool jfr_takes_cpu_time_sample(const struct jfr_program *program)
{
    static const struct jfr_step steps[] = {{.kind = STEP_TAKE_TIME_TICKS, .n = 0},
                                            {.kind = STEP_TAKE_KEY, .n = 2},
                                            {.kind = STEP_TAKE_KEY, .n = 1},
                                            {.kind = STEP_TAKE_BOOLEAN, .n = 4},
                                            {.kind = STEP_TAKE_SPAN_TICKS, .n = 3},
                                            {.kind = STEP_TAKE_BOOLEAN, .n = 5}};
    size_t count = sizeof steps / sizeof steps[0], i = 0;
    if (program == NULL || program->count != count)
        return false;
    while (i < count && program->steps[i].kind == steps[i].kind && program->steps[i].n == steps[i].n)
        i++;
    return i == count;
}

void jfr_run(const struct jfr_program *program, struct span *s, const struct jfr_header *header,
             struct jfr_value *values)
{
    bool compressed = header->compressed;
    for (size_t i = 0; i < program->count; i++) {
        const struct jfr_step *step = &program->steps[i];
        switch (step->kind) {
        case STEP_INTS:
            span_skip_varints(s, step->n);
            break;
        case STEP_BYTES:
            span_skip(s, step->n);
            break;
        case STEP_TEXT:
            jfr_skip_text(s, compressed);
            break;
        case STEP_ARRAY:
            skip_elements(step->elements, jfr_uint(s, compressed, 4), s, compressed);
            break;
        case STEP_TAKE:
            values[step->n] = take(step, s, header);
            break;
        case STEP_TAKE_KEY:
            values[step->n].kind = JFR_REF;
            values[step->n].ref = span_varint(s);
            break;
        case STEP_TAKE_BOOLEAN:
            values[step->n].kind = JFR_INT;
            values[step->n].i = span_u8(s) != 0;
            break;
        case STEP_TAKE_TIME_TICKS:
            values[step->n].kind = JFR_INT;
            values[step->n].i = time_ns(header, (int64_t)span_varint(s));
            break;
        case STEP_TAKE_SPAN_TICKS:
            values[step->n].kind = JFR_INT;
            values[step->n].i = timespan_ns(header, (int64_t)span_varint(s));
            break;
        case STEP_TAKE_ARRAY: /* the value points to the array's count */
            values[step->n] = (struct jfr_value){.kind = JFR_ARRAY, .at = s->p};
            if (i + 1 < program->count || !program->last_only)
                skip_elements(step->elements, jfr_uint(s, compressed, 4), s, compressed);
            break;
        }
    }
}
