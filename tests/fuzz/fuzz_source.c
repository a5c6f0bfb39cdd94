/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What joular-record reads of others: the first byte chooses PowerJoular's ring buffer or a virtual machine's power
 * file, and then come the states of the file, one behind the other. The ring buffer is mapped, so it is a file. */
#include "fuzz.h"

#include "joular/meter.h"

#include <fcntl.h>
#include <math.h>
#include <unistd.h>

const char *const fuzz_name = "source";

#define RING_BYTES 248
#define MOST_STATES 8

static char path[64];
static int file = -1;

static void remove_file(void)
{
    unlink(path);
}

static void open_file(void)
{
    snprintf(path, sizeof path, "/dev/shm/joular-fuzz-%ld", (long)getpid());
    file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    fuzz_check(file >= 0, "/dev/shm can be written to");
    atexit(remove_file);
}

static void put_state(const uint8_t *bytes, size_t length)
{
    fuzz_check(ftruncate(file, 0) == 0 && pwrite(file, bytes, length, 0) == (ssize_t)length, "the file can be written");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (length < 2)
        return 0;
    if (file < 0)
        open_file();
    bool is_ring = (bytes[0] & 1) != 0;
    const struct power_source *source = is_ring ? &source_ringbuffer : &source_vm;
    const struct source_options options = {.ringbuffer = path,
                                           .vm_file = path,
                                           .vm_watts = (bytes[0] & 2) != 0,
                                           .idle_w = NAN,
                                           .max_w = NAN,
                                           .interval_ns = 1000000000};
    struct notices texts = {0};
    struct error err = {0};
    void *state = NULL;
    const uint8_t *p = bytes + 1, *end = bytes + length;
    for (int i = 0; i < MOST_STATES && p <= end; i++) {
        const uint8_t *zero = is_ring || p == end ? NULL : memchr(p, 0, (size_t)(end - p));
        size_t left = (size_t)(end - p), size = is_ring && left > RING_BYTES ? RING_BYTES : left;
        size = zero != NULL ? (size_t)(zero - p) : size;
        put_state(p, size);
        p += size + !is_ring;
        if (i == 0) {
            fuzz_check((source->open(&options, &state, &texts, &err) == STATUS_OK) == (err.status == STATUS_OK),
                       "an error has words");
            (void)source->examine(&options, &texts);
        }
        if (state == NULL)
            break;
        struct source_reading reading;
        source->read(state, i * INT64_C(1000000000), 0.5, &reading, &texts);
        bool has_power = reading.outcome == SOURCE_OK || reading.outcome == SOURCE_REUSED;
        fuzz_check(has_power == (reading.power_w >= 0 && isfinite(reading.power_w)), "a good reading has a power");
        if (is_ring && size < RING_BYTES)
            break;
    }
    source->close(state);
    notices_free(&texts);
    return 0;
}
