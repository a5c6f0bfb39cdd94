/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves energy counters at a known rate, as a CPU would: counter-mover SECONDS STEP_US FILE WATTS RANGE_UJ ...
 * Files are replaced by rename. At the end it prints how much it moved each, in microjoules, and from when to when (the
 * monotonic clock, ns). */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct mover {
    const char *file;
    double watts;
    uint64_t range, start, moved;
};

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void put(const struct mover *m)
{
    char fresh[1024], text[32];
    snprintf(fresh, sizeof fresh, "%s.moving", m->file);
    /* a counter shows 0 to RANGE, both included where it goes round: RANGE itself is 0 of the next round */
    int length = snprintf(text, sizeof text, "%" PRIu64 "\n", (m->start + m->moved) % m->range);
    int fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0 || write(fd, text, (size_t)length) != length || close(fd) != 0 || rename(fresh, m->file) != 0) {
        perror(m->file);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    struct mover movers[8];
    int count = (argc - 3) / 3;
    if (argc < 6 || (argc - 3) % 3 != 0 || count > 8) {
        fprintf(stderr, "usage: counter-mover SECONDS STEP_US FILE WATTS RANGE_UJ ...\n");
        return 2;
    }
    for (int i = 0; i < count; i++) {
        movers[i] = (struct mover){.file = argv[3 + i * 3], .watts = atof(argv[4 + i * 3])};
        movers[i].range = strtoull(argv[5 + i * 3], NULL, 10);
        FILE *file = fopen(movers[i].file, "r");
        if (file == NULL || fscanf(file, "%" SCNu64, &movers[i].start) != 1 || movers[i].range == 0)
            return 1;
        fclose(file);
    }
    struct timespec pause = {.tv_nsec = atol(argv[2]) * 1000};
    int64_t begin = now_ns(), end = begin + (int64_t)(atof(argv[1]) * 1e9), at;
    do {
        nanosleep(&pause, NULL);
        at = now_ns();
        for (int i = 0; i < count; i++) {
            movers[i].moved = (uint64_t)(movers[i].watts * (double)(at - begin) / 1e3);
            put(&movers[i]);
        }
    } while (at < end);
    for (int i = 0; i < count; i++)
        printf("%s %" PRIu64 " %" PRId64 " %" PRId64 "\n", movers[i].file, movers[i].moved, begin, at);
    return 0;
}
