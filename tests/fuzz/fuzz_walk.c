/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording, as --dump looks at it. */
#include "fuzz.h"

const char *const fuzz_name = "walk";

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    fuzz_walk(bytes, length);
    return 0;
}
