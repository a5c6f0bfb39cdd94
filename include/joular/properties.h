/* Files of java.util.Properties (its load method): Latin-1 with escapes, as the Joular Code agent is configured with.
 */
#ifndef JOULAR_PROPERTIES_H
#define JOULAR_PROPERTIES_H

#include "joular/mem.h"
#include "joular/status.h"

struct property {
    char *key, *value; /* UTF-8; lone surrogates and NUL are U+FFFD */
    int64_t line;      /* where it begins */
};
struct properties {
    struct property *v;
    size_t n, cap;
};

/* STATUS_INVALID with the line where Java refuses the file: a \u without four hexadecimal digits. */
enum status properties_read(const uint8_t *bytes, size_t length, struct properties *properties,
                            struct error *err) WARN_UNUSED;
void properties_free(struct properties *properties);
/* The last one of that key counts; NULL where there is none. */
const struct property *properties_find(const struct properties *properties, const char *key);

#endif
