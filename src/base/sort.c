/* SPDX-License-Identifier: GPL-3.0-or-later */
/* By one byte after the other, the lowest first, each by counting; bytes that are the same in all keys take no pass. */
#include "joular/sort.h"

#include <string.h>

static void sort_by_byte(const struct sort_key *from, size_t count, unsigned shift, struct sort_key *to)
{
    size_t places[256] = {0}, sum = 0;
    for (size_t i = 0; i < count; i++)
        places[from[i].key >> shift & 0xff]++;
    for (size_t byte = 0; byte < 256; byte++) {
        size_t here = places[byte];
        places[byte] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++)
        to[places[from[i].key >> shift & 0xff]++] = from[i];
}

void sort_keys(struct sort_key *keys, size_t count, struct sort_key *spare)
{
    struct sort_key *from = keys, *to = spare;
    uint64_t differ = 0;
    for (size_t i = 0; i < count; i++)
        differ |= keys[i].key ^ keys[0].key;
    for (unsigned shift = 0; shift < 64; shift += 8) {
        if ((differ >> shift & 0xff) == 0)
            continue;
        sort_by_byte(from, count, shift, to);
        struct sort_key *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != keys)
        memcpy(keys, from, count * sizeof *keys);
}
