/* JSON on a stream, for forms too large to be built in memory. */
#ifndef JOULAR_JSONPUT_H
#define JOULAR_JSONPUT_H

#include <stddef.h>
#include <stdio.h>

/* LENGTH bytes of UTF-8 with the quotes; what is malformed is U+FFFD. It may stand inside a script element. */
void json_put_string(const char *text, size_t length, FILE *out);
void json_put_number(double value, FILE *out); /* nine digits; null where it is not finite */

/* "[a,b,...]" of COUNT values, each printed by PUT, in which I is its number. */
#define JSON_PUT_LIST(count, out, put)         \
    do {                                       \
        putc_unlocked('[', out);               \
        for (size_t i = 0; i < (count); i++) { \
            if (i > 0)                         \
                putc_unlocked(',', out);       \
            put;                               \
        }                                      \
        putc_unlocked(']', out);               \
    } while (0)

#endif
