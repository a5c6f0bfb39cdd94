/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decimal digits of doubles, by integer arithmetic: printf's arbitrary precision takes ten times as long. */
#include "joular/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const uint32_t powers[10] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};

static uint64_t power_of_ten(unsigned exponent) /* at most 19 */
{
    uint64_t power = 1;
    for (; exponent >= 9; exponent -= 9)
        power *= powers[9];
    return power * powers[exponent];
}

#ifdef __SIZEOF_INT128__
/* VALUE x POWER, rounded to nearest, ties to even. POWER is at most 10^22. A double is M x 2^E with M below 2^53, so
 * the product M x POWER is below 2^127 and everything is exact. False if VALUE is negative, not finite, or 2^52 or
 * more, or if the result is not below 2^64. */
static bool scale(double value, unsigned __int128 power, uint64_t *scaled)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    unsigned biased = (unsigned)(bits >> 52);
    uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
    if (biased >= 1075)
        return false;
    if (biased != 0)
        mantissa |= UINT64_C(1) << 52;
    unsigned shift = biased != 0 ? 1075 - biased : 1074;
    if (shift > 127) { /* less than half of the last digit */
        *scaled = 0;
        return true;
    }
    unsigned __int128 product = (unsigned __int128)mantissa * power;
    unsigned __int128 whole = product >> shift, rest = product & (((unsigned __int128)1 << shift) - 1);
    unsigned __int128 half = (unsigned __int128)1 << (shift - 1);
    whole += rest > half || (rest == half && (whole & 1) != 0);
    *scaled = (uint64_t)whole;
    return whole >> 64 == 0;
}

bool decimal_scaled(double value, unsigned decimals, uint64_t *scaled)
{
    return scale(value, powers[decimals], scaled);
}

/* The first DIGITS digits of VALUE, rounded, as an integer; DECIMALS of them are after the decimal point. False if
 * VALUE is not from 1e-6 to below 1e15, or has more than DIGITS digits before the point. */
static bool scale_to_digits(double value, unsigned digits, uint64_t *scaled, unsigned *decimals)
{
    if (!(value >= 1e-6 && value < 1e15))
        return false;
    uint64_t least = power_of_ten(digits - 1);
    int behind = (int)digits - 1;
    double ten = 1;
    for (; value >= ten * 10; behind--)
        ten *= 10;
    for (; value < ten; behind++)
        ten /= 10;
    /* TEN is not exact below 1, and rounding may add a digit: correct the number of decimals if it was wrong. */
    for (int tries = 0; tries < 3 && behind >= 0 && behind <= 22; tries++) {
        *decimals = (unsigned)behind;
        unsigned most = *decimals < 13 ? *decimals : 13;
        if (!scale(value, (unsigned __int128)power_of_ten(most) * power_of_ten(*decimals - most), scaled))
            return false;
        if (*scaled < least)
            behind++;
        else if (*scaled / 10 >= least)
            behind--;
        else
            return true;
    }
    return false;
}
#else
static bool scale_to_digits(double value, unsigned digits, uint64_t *scaled, unsigned *decimals)
{
    (void)value, (void)digits, (void)scaled, (void)decimals;
    return false;
}

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

static const char pairs[] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748"
    "4950515253545556575859606162636465666768697071727374757677787980818283848586878889909192939495"
    "96979899";

/* Writes the last COUNT digits of VALUE before END. */
static void put_digits(char *end, uint32_t value, unsigned count)
{
    for (; count >= 2; count -= 2) {
        end -= 2;
        memcpy(end, pairs + 2 * (size_t)(value % 100), 2);
        value /= 100;
    }
    if (count != 0)
        *--end = (char)('0' + value % 10);
}

size_t decimal_put_whole(char *buffer, uint64_t value)
{
    unsigned count = 1;
    if (value >> 32 != 0) {
        size_t before = decimal_put_whole(buffer, value / powers[9]);
        put_digits(buffer + before + 9, (uint32_t)(value % powers[9]), 9);
        return before + 9;
    }
    while (count < 10 && value >= powers[count])
        count++;
    put_digits(buffer + count, (uint32_t)value, count);
    return count;
}

size_t decimal_put_scaled(char *buffer, uint64_t scaled, unsigned decimals)
{
    size_t length = decimal_put_whole(buffer, scaled / powers[decimals]);
    if (decimals == 0)
        return length;
    buffer[length++] = '.';
    put_digits(buffer + length + decimals, (uint32_t)(scaled % powers[decimals]), decimals);
    return length + decimals;
}

size_t decimal_put(char *buffer, double value, unsigned decimals)
{
    uint64_t scaled;
    if (decimal_scaled(value, decimals, &scaled))
        return decimal_put_scaled(buffer, scaled, decimals);
    int length = snprintf(buffer, DECIMAL_ROOM, "%.*f", (int)decimals, value);
    return length > 0 ? (size_t)length : 0;
}

/* Only values that printf's %g writes without an exponent: those whose decimal exponent is from -4 to DIGITS - 1. False
 * for others. */
static bool put_general(char *buffer, double value, unsigned digits, size_t *length)
{
    uint64_t scaled;
    unsigned decimals;
    if (!scale_to_digits(value, digits, &scaled, &decimals) || decimals > digits + 3)
        return false;
    while (decimals > 0 && scaled % 10 == 0) {
        scaled /= 10;
        decimals--;
    }
    uint64_t power = power_of_ten(decimals < 19 ? decimals : 19);
    uint64_t behind = decimals < 20 ? scaled % power : scaled;
    size_t n = decimal_put_whole(buffer, decimals < 20 ? scaled / power : 0);
    if (decimals > 0) {
        char text[24];
        size_t count = decimal_put_whole(text, behind);
        buffer[n++] = '.';
        for (size_t i = count; i < decimals; i++)
            buffer[n++] = '0';
        memcpy(buffer + n, text, count);
        n += count;
    }
    *length = n;
    return true;
}

size_t decimal_put_general(char *buffer, double value, unsigned digits)
{
    size_t length;
    if (put_general(buffer, value, digits, &length))
        return length;
    int printed = snprintf(buffer, DECIMAL_ROOM, "%.*g", (int)digits, value);
    return printed > 0 ? (size_t)printed : 0;
}

void decimal_write(FILE *out, double value, unsigned decimals)
{
    char text[DECIMAL_ROOM];
    fwrite_unlocked(text, 1, decimal_put(text, value, decimals), out);
}

void decimal_write_whole(FILE *out, uint64_t value)
{
    char text[24];
    for (size_t i = 0, length = decimal_put_whole(text, value); i < length; i++)
        putc_unlocked(text[i], out);
}

void decimal_write_signed(FILE *out, int64_t value)
{
    if (value >= 0) {
        decimal_write_whole(out, (uint64_t)value);
        return;
    }
    int64_t one_less = -(value + 1); /* -value would overflow for INT64_MIN */
    putc_unlocked('-', out);
    decimal_write_whole(out, (uint64_t)one_less + 1);
}
