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

static inline uint64_t hash_word(uint64_t hash, const unsigned char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    hash = (hash ^ word) * UINT64_C(0xd6e8feb86659fd93);
    return hash ^ hash >> 32;
}

uint64_t hash_bytes(const void *bytes, size_t length)
{
    const unsigned char *p = bytes;
    uint64_t hash = length * UINT64_C(0x9e3779b97f4a7c15) ^ hash_seed;
    if (length >= 32) { /* four hashes side by side, as each step of one has to wait for the step before */
        uint64_t a = hash, b = ~hash, c = hash ^ 0x5555, d = hash ^ 0xaaaa;
        for (; length >= 32; p += 32, length -= 32) {
            a = hash_word(a, p);
            b = hash_word(b, p + 8);
            c = hash_word(c, p + 16);
            d = hash_word(d, p + 24);
        }
        hash = hash_mix(a) ^ hash_mix(b + 1) ^ hash_mix(c + 2) ^ hash_mix(d + 3);
    }
    for (; length >= 8; p += 8, length -= 8)
        hash = hash_word(hash, p);
    uint64_t last = 0;
    if (length != 0)
        memcpy(&last, p, length);
    return hash_mix(hash ^ last);
}
