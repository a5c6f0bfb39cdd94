/* Times in nanoseconds. Those that are kept within the limit can be subtracted without a thought: both stay below 2^62,
 * so their difference fits. */
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

/* What a file says may be anything; beyond the limits it counts as the limit. */
static inline int64_t time_within(int64_t ns)
{
    return ns > TIME_LIMIT_NS ? TIME_LIMIT_NS : ns < -TIME_LIMIT_NS ? -TIME_LIMIT_NS : ns;
}

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
