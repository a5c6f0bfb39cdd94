/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What no reader of a recording can be faster than, to measure the real one against on the same machine in the same
 * run.
 *
 *   limit bytes FILE     touches every byte, and adds them up by words
 *   limit events FILE    steps over the events by their sizes, and adds up their types
 *   limit pools FILE     the same, and decodes every varint of the checkpoint events, where the constant pools are
 *   limit pools FILE T   the same, and every varint of the events of type T: of the samples, say
 *   limit write FILE N   writes N bytes, 1 MiB at a time: what results cost whoever puts them together
 *
 * Nothing is checked but what keeps it inside the file: it is for good recordings with compressed integers. The last
 * two are the practical limit: constant pools carry no sizes, so who wants one of their entries has to decode all of
 * them. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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

static void walk(const uint8_t *chunk, const uint8_t *end, int pools, uint64_t wanted)
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
        for (p = body; pools && (type == 1 || type == wanted) && p < next;) {
            p = varint(p, next, &value);
            sum += value;
        }
        p = next;
    }
}

static int write_bytes(const char *path, uint64_t count)
{
    static char piece[1024 * 1024];
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    memset(piece, 'x', sizeof piece);
    for (ssize_t wrote = 1; fd >= 0 && count > 0 && wrote > 0; count -= (uint64_t)wrote)
        wrote = write(fd, piece, count < sizeof piece ? (size_t)count : sizeof piece);
    return fd < 0 || count != 0 || close(fd) != 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "write") == 0)
        return write_bytes(argv[2], strtoull(argv[3], NULL, 10));
    struct stat st;
    int fd = argc == 3 || argc == 4 ? open(argv[2], O_RDONLY) : -1;
    uint64_t wanted = argc == 4 ? strtoull(argv[3], NULL, 10) : 1;
    if (fd < 0 || fstat(fd, &st) != 0 || st.st_size == 0) {
        fprintf(stderr, "usage: limit bytes|events|pools FILE [TYPE], limit write FILE BYTES\n");
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
            walk(chunk, chunk + size, strcmp(argv[1], "pools") == 0, wanted);
            chunk += size;
        }
    printf("%" PRIu64 " events, sum %" PRIu64 "\n", events, sum);
    return 0;
}
