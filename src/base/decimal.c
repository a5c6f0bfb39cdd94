/* Decimals of doubles: integers instead of printf's long numbers, which take ten times as long. */
#include "joular/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#ifdef __SIZEOF_INT128__
static const uint64_t powers[10] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};

/* A double is M x 2^E with M below 2^53, so M x 10^9 is below 2^83 and everything is exact. */
bool decimal_scaled(double value, unsigned decimals, uint64_t *scaled)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    unsigned biased = (unsigned)(bits >> 52);
    uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
    if (biased >= 1075) /* negative, not finite, or 2^52 and more */
        return false;
    if (biased != 0)
        mantissa |= UINT64_C(1) << 52;
    unsigned shift = biased != 0 ? 1075 - biased : 1074;
    if (shift > 100) { /* below half of the last digit */
        *scaled = 0;
        return true;
    }
    unsigned __int128 product = (unsigned __int128)mantissa * powers[decimals];
    unsigned __int128 whole = product >> shift, rest = product & (((unsigned __int128)1 << shift) - 1);
    unsigned __int128 half = (unsigned __int128)1 << (shift - 1);
    whole += rest > half || (rest == half && (whole & 1) != 0);
    *scaled = (uint64_t)whole;
    return whole >> 64 == 0;
}
#else
bool decimal_scaled(double value, unsigned decimals, uint64_t *scaled)
{
    char text[DECIMAL_ROOM];
    int length = snprintf(text, sizeof text, "%.*f", (int)decimals, value);
    uint64_t sum = 0;
    for (int i = 0; i < length; i++) {
        if (text[i] == '.')
            continue;
        if (text[i] < '0' || text[i] > '9' || __builtin_mul_overflow(sum, UINT64_C(10), &sum) ||
            __builtin_add_overflow(sum, (uint64_t)(text[i] - '0'), &sum))
            return false;
    }
    *scaled = sum;
    return true;
}
#endif

size_t decimal_put_scaled(char *buffer, uint64_t scaled, unsigned decimals)
{
    char digits[24];
    size_t n = 0, at = 0;
    while (scaled != 0 || n <= decimals) { /* one digit before the point at least */
        digits[n++] = (char)('0' + scaled % 10);
        scaled /= 10;
    }
    while (n > decimals)
        buffer[at++] = digits[--n];
    if (decimals != 0)
        buffer[at++] = '.';
    while (n > 0)
        buffer[at++] = digits[--n];
    return at;
}

size_t decimal_put(char *buffer, double value, unsigned decimals)
{
    uint64_t scaled;
    if (decimal_scaled(value, decimals, &scaled))
        return decimal_put_scaled(buffer, scaled, decimals);
    int length = snprintf(buffer, DECIMAL_ROOM, "%.*f", (int)decimals, value);
    return length > 0 ? (size_t)length : 0;
}
