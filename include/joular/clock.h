/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times in nanoseconds. Two times within TIME_LIMIT_NS can be subtracted without a check for overflow: both are below
 * 2^62, so that their difference fits into an int64_t. */
#ifndef JOULAR_CLOCK_H
#define JOULAR_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#define TIME_LIMIT_NS ((INT64_C(1) << 62) - 1) /* of the wall clock: February 2116 */

/* Limits a time that a file gave, which may be any number, to TIME_LIMIT_NS on both sides of 0. */
static inline int64_t time_within(int64_t ns)
{
    return ns > TIME_LIMIT_NS ? TIME_LIMIT_NS : ns < -TIME_LIMIT_NS ? -TIME_LIMIT_NS : ns;
}

/* Sum and difference, limited in the same way. */
static inline int64_t time_sum(int64_t a, int64_t b)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        sum = a < 0 ? INT64_MIN : INT64_MAX;
    return time_within(sum);
}

static inline int64_t time_difference(int64_t a, int64_t b)
{
    int64_t difference;
    if (__builtin_sub_overflow(a, b, &difference))
        difference = a < 0 ? INT64_MIN : INT64_MAX;
    return time_within(difference);
}

#endif
