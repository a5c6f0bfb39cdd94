/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A chunk's metadata: the first byte's lowest bit says whether integers are varints, the next two how long the strings
 * and the tree are that follow; what is left is the rest of the chunk. */
#include "../unit/jfr_build.h"
#include "fuzz.h"

const char *const fuzz_name = "metadata";

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct build b;
    struct power_log log;
    if (length < 3)
        return 0;
    size_t metadata = (size_t)bytes[1] << 8 | bytes[2];
    metadata = metadata < length - 3 ? metadata : length - 3;
    build_begin(&b);
    b.plain = (bytes[0] & 1) == 0;
    b.start_ns = FUZZ_START_NS;
    build_event(&b, 0);
    b.metadata_at = (int64_t)b.event_at;
    for (int i = 0; i < 3; i++)
        build_long(&b, 1);
    build_raw(&b, bytes + 3, metadata);
    build_end(&b);
    vec_reserve(&b.out, length);
    memcpy(b.out.v + b.out.n, bytes + 3 + metadata, length - 3 - metadata);
    b.out.n += length - 3 - metadata;
    build_finish(&b);
    fuzz_walk(b.out.v, b.out.n);
    fuzz_log(&log, FUZZ_START_NS, false);
    fuzz_analyze(b.out.v, b.out.n, &log, 0);
    power_log_free(&log);
    build_free(&b);
    return 0;
}
