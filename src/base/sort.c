/* From the lowest byte to the highest, each by counting; bytes that are the same in all keys take no pass. */
#include "joular/sort.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define FEW 32

static void sort_few(struct sort_key *keys, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct sort_key key = keys[i];
        size_t at = i;
        for (; at > 0 && keys[at - 1].key > key.key; at--)
            keys[at] = keys[at - 1];
        keys[at] = key;
    }
}

/* No byte is larger than MOST. */
static void by_byte(const struct sort_key *from, size_t count, unsigned shift, size_t most, struct sort_key *to)
{
    size_t places[256] = {0}, sum = 0;
    for (size_t i = 0; i < count; i++)
        places[from[i].key >> shift & 0xff]++;
    for (size_t byte = 0; byte <= most; byte++) {
        size_t here = places[byte];
        places[byte] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++)
        to[places[from[i].key >> shift & 0xff]++] = from[i];
}

void sort_keys(struct sort_key *keys, size_t count, struct sort_key *spare)
{
    if (count <= FEW) {
        sort_few(keys, count);
        return;
    }
    uint64_t differ = 0, any = 0, last = 0;
    bool in_order = true;
    for (size_t i = 0; i < count; i++) {
        differ |= keys[i].key ^ keys[0].key;
        any |= keys[i].key;
        in_order &= last <= keys[i].key;
        last = keys[i].key;
    }
    if (in_order)
        return;
    struct sort_key *from = keys, *to = spare;
    for (unsigned shift = 0; shift < 64; shift += 8) {
        if ((differ >> shift & 0xff) == 0)
            continue;
        by_byte(from, count, shift, any >> shift & 0xff, to);
        struct sort_key *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != keys)
        memcpy(keys, from, count * sizeof *keys);
}
