/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hashes. Keys come from files, so a random number is part of each hash: without knowing it, nobody can make a file
 * whose keys all have the same slot. */
#ifndef JOULAR_HASH_H
#define JOULAR_HASH_H

#include <stddef.h>
#include <stdint.h>

void hash_randomize(void); /* a tool calls it before anything is hashed; results do not depend on it */
extern uint64_t hash_seed; /* 0 without it */

static inline uint64_t hash_mix(uint64_t x)
{
    x ^= hash_seed;
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 32;
    return x;
}

uint64_t hash_bytes(const void *bytes, size_t length);

#endif
