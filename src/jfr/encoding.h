/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integers and times of a chunk. */
#ifndef JOULAR_ENCODING_H
#define JOULAR_ENCODING_H

#include "joular/jfr.h"

/* Integers of a chunk without the compressed flag are fixed-width (jfrEncoders.hpp, BigEndianEncoderImpl). */
static inline uint64_t jfr_uint(struct span *s, bool compressed, unsigned width)
{
    return compressed ? span_varint(s) : span_be(s, width);
}

/* jfr_timespan_ns and jfr_time_ns, for the loops over events. */
static inline int64_t timespan_ns(const struct jfr_header *header, int64_t ticks)
{
    double ns = (double)ticks / header->ticks_per_ns;
    /* Java's cast saturates, C's is undefined out of range */
    if (!(ns < 9223372036854775808.0))
        return INT64_MAX;
    if (ns < -9223372036854775808.0)
        return INT64_MIN;
    return (int64_t)ns;
}

static inline int64_t time_ns(const struct jfr_header *header, int64_t ticks)
{
    int64_t since = (int64_t)((uint64_t)ticks - (uint64_t)header->start_ticks);
    return (int64_t)((uint64_t)header->start_ns + (uint64_t)timespan_ns(header, since));
}

#endif
