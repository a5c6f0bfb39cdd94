/* Keys: from the lowest byte to the highest, each by counting; bytes that are the same in all keys take no pass.
 * Numbers that are near each other: by a bit for each. */
#include "joular/sort.h"

#include <stdbool.h>
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

#define WORDS_EACH 4 /* so many words of bits may be looked at for each number */

static void sort_by_bits(uint32_t *numbers, size_t count, uint32_t least, size_t words, struct sort_room *room)
{
    size_t had = room->bits.n;
    if (words > had) {
        vec_reserve(&room->bits, words - had);
        memset(room->bits.v + had, 0, (words - had) * sizeof *room->bits.v);
        room->bits.n = words;
    }
    for (size_t i = 0; i < count; i++)
        room->bits.v[(numbers[i] - least) / 64] |= UINT64_C(1) << (numbers[i] - least) % 64;
    for (size_t word = 0; word < words; word++) {
        uint64_t bits = room->bits.v[word];
        room->bits.v[word] = 0;
        for (; bits != 0; bits &= bits - 1)
            *numbers++ = least + (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(bits);
    }
}

void sort_numbers(uint32_t *numbers, size_t count, struct sort_room *room)
{
    uint32_t least = UINT32_MAX, most = 0;
    for (size_t i = 0; i < count; i++) {
        least = numbers[i] < least ? numbers[i] : least;
        most = numbers[i] > most ? numbers[i] : most;
    }
    size_t words = count != 0 ? (most - least) / 64 + 1 : 0;
    if (words <= WORDS_EACH * count) {
        sort_by_bits(numbers, count, least, words, room);
        return;
    }
    room->keys.n = 0;
    vec_reserve(&room->keys, 2 * count);
    for (size_t i = 0; i < count; i++)
        room->keys.v[i] = (struct sort_key){numbers[i], 0};
    sort_keys(room->keys.v, count, room->keys.v + count);
    for (size_t i = 0; i < count; i++)
        numbers[i] = (uint32_t)room->keys.v[i].key;
}

void sort_room_free(struct sort_room *room)
{
    vec_free(&room->bits);
    vec_free(&room->keys);
}
