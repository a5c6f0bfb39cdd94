/* What no reader of a recording can be faster than, to measure the real one against on the same machine in the same
 * run.
 *
 *   limit bytes FILE     touches every byte, and adds them up by words
 *   limit events FILE    steps over the events by their sizes, and adds up their types
 *   limit pools FILE     the same, and decodes every varint of the checkpoint events, where the constant pools are
 *
 * Nothing is checked but what keeps it inside the file: it is for good recordings with compressed integers. The last is
 * the practical limit: constant pools carry no sizes, so who wants one of their entries has to decode all of them. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER_SIZE 68

static uint64_t sum, events;

static uint64_t big_endian(const uint8_t *p)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value = value << 8 | p[i];
    return value;
}

static inline const uint8_t *varint(const uint8_t *p, const uint8_t *end, uint64_t *value)
{
    uint64_t v = 0;
    for (unsigned shift = 0; p < end; shift += 7) {
        uint64_t byte = *p++;
        if (byte < 0x80 || shift == 56) {
            v |= byte << shift;
            break;
        }
        v |= (byte & 0x7f) << shift;
    }
    *value = v;
    return p;
}

static void all_bytes(const uint8_t *p, const uint8_t *end)
{
    for (; end - p >= 8; p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        sum += word;
    }
}

static void walk(const uint8_t *chunk, const uint8_t *end, int pools)
{
    for (const uint8_t *p = chunk + HEADER_SIZE; p < end;) {
        uint64_t size, type, value;
        const uint8_t *next, *body = varint(p, end, &size);
        body = varint(body, end, &type);
        if (size == 0 || size > (uint64_t)(end - p))
            return;
        next = p + size;
        events++;
        sum += type;
        for (p = body; pools && type == 1 && p < next;) {
            p = varint(p, next, &value);
            sum += value;
        }
        p = next;
    }
}

int main(int argc, char **argv)
{
    struct stat st;
    int fd = argc == 3 ? open(argv[2], O_RDONLY) : -1;
    if (fd < 0 || fstat(fd, &st) != 0 || st.st_size == 0) {
        fprintf(stderr, "usage: limit bytes|events|pools FILE\n");
        return 2;
    }
    const uint8_t *file = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (file == MAP_FAILED)
        return 1;
    madvise((void *)(uintptr_t)file, (size_t)st.st_size, MADV_SEQUENTIAL);
    const uint8_t *end = file + st.st_size;
    if (strcmp(argv[1], "bytes") == 0)
        all_bytes(file, end);
    else
        for (const uint8_t *chunk = file; end - chunk > HEADER_SIZE;) {
            uint64_t size = big_endian(chunk + 8);
            if (size <= HEADER_SIZE || size > (uint64_t)(end - chunk))
                break;
            walk(chunk, chunk + size, strcmp(argv[1], "pools") == 0);
            chunk += size;
        }
    printf("%" PRIu64 " events, sum %" PRIu64 "\n", events, sum);
    return 0;
}
