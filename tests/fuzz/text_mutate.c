/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mutates text by its numbers and words: one becomes another, of the text or from the edges of what fits. Where the
 * numbers are positions (of names, branches, threads) or times, single bytes seldom make one that is just outside.
 *
 * libFuzzer calls the function at the end; without it it is not there. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size, unsigned seed);

struct token {
    size_t at, length;
};

static uint64_t random_state;

static size_t below(size_t limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (size_t)((random_state * UINT64_C(0x2545f4914f6cdd1d) >> 20) % limit);
}

static bool is_part(uint8_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '.' || c == '-';
}

/* The number or word at a place chosen at random, or behind it; of no length where the text ends first. */
static struct token any_token(const uint8_t *bytes, size_t size)
{
    struct token token = {below(size), 0};
    while (token.at > 0 && is_part(bytes[token.at - 1]))
        token.at--;
    while (token.at < size && !is_part(bytes[token.at]))
        token.at++;
    while (token.at + token.length < size && is_part(bytes[token.at + token.length]))
        token.length++;
    return token;
}

/* Writes what is to stand for the token into OUT, which has room for 64 bytes. */
static size_t other_text(const uint8_t *bytes, size_t size, struct token token, char *out)
{
    static const char *const edges[] = {"0",
                                        "1",
                                        "2",
                                        "-1",
                                        "-0",
                                        "0.5",
                                        "1e9",
                                        "1e308",
                                        "1e-320",
                                        "255",
                                        "65536",
                                        "2147483647",
                                        "4294967295",
                                        "4294967296",
                                        "9007199254740993",
                                        "4611686018427387904",
                                        "9223372036854775807",
                                        "9223372036854775808",
                                        "18446744073709551615",
                                        "-9223372036854775808",
                                        "null",
                                        "true",
                                        "nan",
                                        "\"\"",
                                        "[]",
                                        "{}",
                                        ""};
    char digits[24] = "";
    long long number = 0;
    struct token other = any_token(bytes, size);
    size_t length = token.length < sizeof digits - 1 ? token.length : sizeof digits - 1;
    memcpy(digits, bytes + token.at, length);
    switch (below(4)) {
    case 0: /* of the text */
        length = other.length < 64 ? other.length : 0;
        memcpy(out, bytes + other.at, length);
        return length;
    case 1: /* a little more or less */
        if (sscanf(digits, "%lld", &number) == 1 && number < INT64_MAX - 8 && number > INT64_MIN + 8)
            return (size_t)snprintf(out, 64, "%lld", number + (long long)below(9) - 4);
        break;
    case 2:
        return (size_t)snprintf(out, 64, "%zu", below(64));
    default:
        break;
    }
    return (size_t)snprintf(out, 64, "%s", edges[below(sizeof edges / sizeof edges[0])]);
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size, unsigned seed)
{
    random_state = ((uint64_t)seed << 1 | 1) * UINT64_C(0x9e3779b97f4a7c15);
    if (size == 0 || below(2) == 0)
        return LLVMFuzzerMutate(bytes, size, max_size);
    for (size_t count = 1 + below(3); count > 0 && size > 0; count--) {
        char text[64];
        struct token token = any_token(bytes, size);
        size_t length = token.length != 0 ? other_text(bytes, size, token, text) : 0;
        if (size - token.length + length > max_size)
            continue;
        memmove(bytes + token.at + length, bytes + token.at + token.length, size - token.at - token.length);
        memcpy(bytes + token.at, text, length);
        size += length - token.length;
    }
    return size;
}
