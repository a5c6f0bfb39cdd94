/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A type's fields as a straight line of steps. */
#ifndef JOULAR_PROGRAM_H
#define JOULAR_PROGRAM_H

#include "metadata.h"

/* A type's fields as a sequence of steps, compiled once for all chunks with the same metadata. */
enum jfr_step_kind {
    STEP_INTS,
    STEP_BYTES,
    STEP_TEXT,
    STEP_ARRAY,
    STEP_TAKE,
    STEP_TAKE_ARRAY,
    /* The most frequent kinds of STEP_TAKE; integers are varints. */
    STEP_TAKE_KEY,
    STEP_TAKE_BOOLEAN,
    STEP_TAKE_TIME_TICKS,
    STEP_TAKE_SPAN_TICKS
};
struct jfr_step {
    enum jfr_step_kind kind;
    uint32_t n;         /* STEP_INTS, STEP_BYTES: how many; takes: slot */
    enum jfr_base base; /* STEP_TAKE; BASE_LONG with POOL set is a reference */
    bool pool;
    enum jfr_unit unit;
    const struct jfr_program *elements; /* arrays */
};
struct jfr_program {
    const struct jfr_step *steps;
    size_t count;
    bool empty;     /* takes no bytes at all */
    bool is_method; /* takes a reference and skips one to seven integers: a frame of which only the method is wanted */
    bool last_only; /* ends after the last field that is taken: if that is an array, its elements are not skipped */
};

/* Compiles a program that takes fields of TYPE and skips the others. TAKES: the names of the fields to take, by slot,
 * 64 at most; NULL: the first TAKE_COUNT fields, by position. With LAST_ONLY the program ends after the last of them.
 * NULL where the type is not fully defined, or is nested too deep or too large, as a type that contains itself. */
const struct jfr_program *jfr_compile(const struct jfr_type *type, const char *const *takes, size_t take_count,
                                      bool last_only, bool compressed, struct arena *arena);
void jfr_run_skip(const struct jfr_program *program, struct span *s, bool compressed);
void jfr_run(const struct jfr_program *program, struct span *s, const struct jfr_header *header,
             struct jfr_value *values);

/* Whether PROGRAM takes the fields of struct jfr_cpu_time_sample, and skips none, in the order of JDK 25. */
bool jfr_takes_cpu_time_sample(const struct jfr_program *program);

#endif
