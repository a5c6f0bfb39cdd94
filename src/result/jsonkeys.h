/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of report.json that hold one value, and where that value is in struct result and its parts. Writer and
 * reader use the same tables. */
#ifndef JOULAR_RESULT_JSONKEYS_H
#define JOULAR_RESULT_JSONKEYS_H

#include "joular/jsonreport.h"

enum json_kind {
    JSON_DOUBLE, /* finite */
    JSON_MAYBE,  /* a double; NaN is written as null */
    JSON_I64,
    JSON_U64,
    JSON_INT,
    JSON_BOOL,
    JSON_OWNED, /* char *, or null */
    JSON_NAME,  /* uint32_t, the number of a name; the file has the name */
    JSON_WORD   /* an enum; the file has a word for it */
};

/* Or-ed to a kind: the key was added within this version of the schema, so it may be missing. */
#define JSON_ADDED 0x100

struct json_key {
    const char *name;         /* NULL ends a table */
    unsigned kind;            /* enum json_kind, with JSON_ADDED or without */
    size_t at;                /* offset in its struct */
    const char *const *words; /* JSON_WORD: by value of the enum; NULL ends the list */
};

static inline enum json_kind json_kind_of(const struct json_key *key)
{
    return (enum json_kind)(key->kind & ~(unsigned)JSON_ADDED);
}

extern const struct json_key json_facts[], json_totals[], json_samples[], json_quality[], json_damage[], json_cycle[],
    json_thread[], json_method[], json_pause[], json_status[], json_run[];

#endif
