/* SPDX-License-Identifier: GPL-3.0-or-later */
/* UTF-8, and numbers in text, which are always those of the C locale. */
#ifndef JOULAR_TEXT_H
#define JOULAR_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Length in bytes (1 to 4) of the well-formed UTF-8 sequence at P (Unicode 15, table 3-7); 0 if there is none. */
unsigned utf8_length(const unsigned char *p, const unsigned char *end);

/* Writes CODE as UTF-8 (surrogates and codes above U+10FFFF as U+FFFD). Returns the number of bytes, at most 4. */
unsigned utf8_put(char *buffer, uint32_t code);

bool utf8_valid(const void *bytes, size_t length);

/* Copies BYTES with U+FFFD for each malformed byte. BUFFER has room for 3 * LENGTH. Returns the bytes written. */
size_t utf8_repair(char *buffer, const void *bytes, size_t length);

/* These read the whole of TEXT, and return false if it is anything but a number: blanks, hexadecimal digits and text
 * after the number are errors. */
bool text_to_i64(const char *text, size_t length, int64_t *value);
bool text_to_double(const char *text, size_t length, double *value); /* finite only, and 0 for -0 */

/* A number of bytes, "512M", "4G", "1073741824": K, M, G and T are powers of 1024. False for 0, too. */
bool text_to_size(const char *text, size_t length, uint64_t *bytes);

/* A time with a unit, as in JFR settings ("20 ms", "1s", "10 us"), to nanoseconds. False if it is not valid or not
 * above 0. */
bool text_to_time_ns(const char *text, size_t length, int64_t *ns);

/* A date and time, "2025-09-19 15:56:31.5", to nanoseconds since the epoch. There may be a "T" between date and time;
 * leading zeros may be missing; seconds have at most nine decimals. It is local time unless "Z" or "+hh:mm" follows. */
bool text_to_date_ns(const char *text, size_t length, int64_t *ns);

/* Seconds with at most nine decimals, to nanoseconds, exactly. */
bool text_to_seconds_ns(const char *text, size_t length, int64_t *ns);

/* Writes what printf writes for "%.*f" in the C locale, digit for digit: the exact value of the double, rounded to
 * nearest, ties to even. Returns the length, at most DECIMAL_ROOM; there is no NUL. DECIMALS: at most 9. */
#define DECIMAL_ROOM 330
size_t decimal_put(char *buffer, double value, unsigned decimals);
/* VALUE, rounded in the same way, times 10 to the power of DECIMALS, as an integer. False if that is below 0 or not
 * below 2^64. decimal_put_scaled writes such an integer as decimal_put would. */
bool decimal_scaled(double value, unsigned decimals, uint64_t *scaled);
size_t decimal_put_scaled(char *buffer, uint64_t scaled, unsigned decimals);
size_t decimal_put_whole(char *buffer, uint64_t value); /* as "%llu" */
/* Writes what printf writes for "%.*g", as decimal_put does for "%.*f". DIGITS: 2 to 17. */
size_t decimal_put_general(char *buffer, double value, unsigned digits);
/* The same numbers, written to a stream that no other thread writes to at the time. */
void decimal_write(FILE *out, double value, unsigned decimals);
void decimal_write_whole(FILE *out, uint64_t value);
void decimal_write_signed(FILE *out, int64_t value); /* as "%lld" */

#endif
