/* The keys of report.json that hold one value, and where it lies in the structures: the writer and the reader go by the
 * same tables. */
#ifndef JOULAR_RESULT_JSONKEYS_H
#define JOULAR_RESULT_JSONKEYS_H

#include "joular/jsonreport.h"

enum json_kind {
    JSON_DOUBLE, /* finite */
    JSON_MAYBE,  /* a double; NaN is null */
    JSON_I64,
    JSON_U64,
    JSON_INT,
    JSON_BOOL,
    JSON_OWNED, /* char *, or null */
    JSON_NAME,  /* uint32_t, a name's number; its text in the file */
    JSON_WORD   /* an enum; its word in the file */
};

/* Beside a kind: the key was added within the version, and may be missing. */
#define JSON_ADDED 0x100

struct json_key {
    const char *name; /* NULL behind the last */
    unsigned kind;    /* enum json_kind, with JSON_ADDED or without */
    size_t at;
    const char *const *words; /* JSON_WORD: by number, NULL behind the last */
};

static inline enum json_kind json_kind_of(const struct json_key *key)
{
    return (enum json_kind)(key->kind & ~(unsigned)JSON_ADDED);
}

extern const struct json_key json_facts[], json_totals[], json_samples[], json_quality[], json_damage[], json_cycle[],
    json_thread[], json_method[], json_pause[], json_status[], json_run[];

#endif
