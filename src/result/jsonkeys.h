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
    JSON_ADDED, /* the same, added within the version: it may be missing */
    JSON_NAME,  /* uint32_t, a name's number; its text in the file */
    JSON_WORD   /* an enum; its word in the file */
};

struct json_key {
    const char *name; /* NULL behind the last */
    enum json_kind kind;
    size_t at;
    const char *const *words; /* JSON_WORD: by number, NULL behind the last */
};

extern const struct json_key json_facts[], json_totals[], json_samples[], json_quality[], json_damage[], json_cycle[],
    json_thread[], json_method[], json_pause[], json_status[], json_run[];

#endif
