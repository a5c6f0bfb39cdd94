/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "joular/hash.h"

#include <string.h>
#include <sys/random.h>

uint64_t hash_seed;

void hash_randomize(void)
{
    uint64_t seed;
    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) == (ssize_t)sizeof seed)
        hash_seed = seed;
}

uint64_t hash_bytes(const void *bytes, size_t length)
{
    const unsigned char *p = bytes;
    uint64_t hash = length * UINT64_C(0x9e3779b97f4a7c15) ^ hash_seed;
    uint64_t last = 0;
    for (; length >= 8; p += 8, length -= 8) {
        memcpy(&last, p, sizeof last);
        hash = (hash ^ last) * UINT64_C(0xd6e8feb86659fd93);
        hash ^= hash >> 32;
    }
    last = 0;
    if (length != 0)
        memcpy(&last, p, length);
    return hash_mix(hash ^ last);
}
