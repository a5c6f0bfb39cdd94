/* UTF-8 and numbers in text, always as the C locale has them. */
#ifndef JOULAR_TEXT_H
#define JOULAR_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Length in bytes (1 to 4) of the well-formed UTF-8 sequence at P (Unicode 15, table 3-7), 0 where there is none. */
unsigned utf8_length(const unsigned char *p, const unsigned char *end);

/* Writes CODE as UTF-8 (surrogates and what is above U+10FFFF as U+FFFD) and returns the bytes, at most 4. */
unsigned utf8_put(char *buffer, uint32_t code);

bool utf8_valid(const void *bytes, size_t length);

/* Copies BYTES with what is malformed as U+FFFD each; BUFFER has room for 3 * LENGTH. Returns the bytes written. */
size_t utf8_repair(char *buffer, const void *bytes, size_t length);

/* The whole of TEXT as a number, else false: no blanks, no hexadecimal, nothing behind it. */
bool text_to_i64(const char *text, size_t length, int64_t *value);
bool text_to_double(const char *text, size_t length, double *value); /* finite only, and 0 for -0 */

/* Bytes, "512M", "4G", "1073741824": K, M, G and T are powers of 1024. False for 0, too. */
bool text_to_size(const char *text, size_t length, uint64_t *bytes);

/* A time with a unit, as JFR settings have it ("20 ms", "1s", "10 us"), in nanoseconds; false where it is none or not
 * above 0. */
bool text_to_time_ns(const char *text, size_t length, int64_t *ns);

/* A date and time, "2025-09-19 15:56:31.5" or with a "T" between, leading zeros or not, at most nine digits of a
 * second; local time unless "Z" or "+hh:mm" follows. Nanoseconds since the epoch. */
bool text_to_date_ns(const char *text, size_t length, int64_t *ns);

/* Seconds with at most nine decimals, exactly, in nanoseconds. */
bool text_to_seconds_ns(const char *text, size_t length, int64_t *ns);

/* What printf makes of VALUE with "%.*f" in the C locale, to the last digit: the exact value of the double, rounded to
 * nearest, ties to even. Returns the length; at most DECIMAL_ROOM bytes, no NUL. DECIMALS: at most 9. */
#define DECIMAL_ROOM 330
size_t decimal_put(char *buffer, double value, unsigned decimals);
/* The same times 10 to the power of DECIMALS, as an integer; false where that is below 0 or not below 2^64. */
bool decimal_scaled(double value, unsigned decimals, uint64_t *scaled);
size_t decimal_put_scaled(char *buffer, uint64_t scaled, unsigned decimals);
size_t decimal_put_whole(char *buffer, uint64_t value); /* as "%llu" */
/* Likewise with "%.*g". DIGITS: 2 to 17. */
size_t decimal_put_general(char *buffer, double value, unsigned digits);
/* The same into a stream that nobody else writes to at the time. */
void decimal_write(FILE *out, double value, unsigned decimals);
void decimal_write_whole(FILE *out, uint64_t value);
void decimal_write_signed(FILE *out, int64_t value); /* as "%lld" */

#endif
