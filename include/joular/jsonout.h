/* JSON out, for tools that link no JSON library: text that grows. */
#ifndef JOULAR_JSONOUT_H
#define JOULAR_JSONOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed before use; V ends with a NUL once something was added. Commas are set by the functions. KEY is NULL inside
 * arrays. Bytes that are no UTF-8 become U+FFFD; numbers that are not finite become null. */
struct jsonout {
    char *v;
    size_t n, cap;
    bool comma;
};
void json_open(struct jsonout *out, const char *key, char bracket); /* { or [ */
void json_close(struct jsonout *out, char bracket);                 /* } or ] */
void json_string(struct jsonout *out, const char *key, const char *value);
void json_integer(struct jsonout *out, const char *key, int64_t value);
void json_number(struct jsonout *out, const char *key, double value);
void json_bool(struct jsonout *out, const char *key, bool value);
void json_free(struct jsonout *out);

#endif
