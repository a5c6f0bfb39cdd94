/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON out, for whatever writes it: commas, keys, strings and numbers, without a JSON library. */
#ifndef JOULAR_JSONOUT_H
#define JOULAR_JSONOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Zeroed before use but for the first two. Nobody else writes to STREAM between the first call and json_end. */
struct jsonout {
    FILE *stream;   /* NULL: the text stays in V, with a NUL behind it after json_close */
    bool in_script; /* what could end a script element or turn the text around it is escaped, too */
    bool comma, line;
    char *v;
    size_t n, cap;
};

/* KEY is a word of the program, which needs no escapes, or NULL inside arrays. Numbers that are not finite are null,
 * and -0 is 0. */
void json_open(struct jsonout *out, const char *key, char bracket);        /* { or [ */
void json_close(struct jsonout *out, char bracket);                        /* } or ] */
void json_string(struct jsonout *out, const char *key, const char *value); /* NULL is null */
/* LENGTH bytes of UTF-8; each byte that is none becomes U+FFFD. */
void json_text(struct jsonout *out, const char *key, const char *text, size_t length);
void json_integer(struct jsonout *out, const char *key, int64_t value);
void json_whole(struct jsonout *out, const char *key, uint64_t value);
void json_number(struct jsonout *out, const char *key, double value); /* nine digits */
void json_exact(struct jsonout *out, const char *key, double value);  /* 17, so that it is read as the same */
void json_fixed(struct jsonout *out, const char *key, double value, unsigned decimals); /* at most 9 */
void json_bool(struct jsonout *out, const char *key, bool value);
void json_raw(struct jsonout *out, const char *key, const char *json); /* as it is; commas within are in it */
struct jsonout *json_line(struct jsonout *out); /* OUT; what comes next begins on a line of its own */
void json_end(struct jsonout *out);             /* the rest goes to the stream; frees V */

/* "KEY":[...] of COUNT values, each written by PUT, in which I is its number. */
#define JSON_LIST(out, key, count, put)        \
    do {                                       \
        struct jsonout *json_list = (out);     \
        json_open(json_list, key, '[');        \
        for (size_t i = 0; i < (count); i++) { \
            put;                               \
        }                                      \
        json_close(json_list, ']');            \
    } while (0)

#endif
