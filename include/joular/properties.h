/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files as java.util.Properties loads them: Latin-1 with escapes. The Joular Code agent is configured with one. */
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

/* STATUS_INVALID with the line number if Java refuses the file: for a \u without four hexadecimal digits. */
enum status properties_read(const uint8_t *bytes, size_t length, struct properties *properties,
                            struct error *err) WARN_UNUSED;
void properties_free(struct properties *properties);
/* The last property with this key, which is the one that counts; NULL if there is none. */
const struct property *properties_find(const struct properties *properties, const char *key);

#endif
