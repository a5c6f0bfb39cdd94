/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A power log, and an analysis with it. Its length chooses how. */
#include "fuzz.h"

const char *const fuzz_name = "power_log";

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct power_log log;
    struct error err = {0};
    enum status status = power_log_read(bytes, length, &log, &err);
    fuzz_check(status == err.status, "an error has words");
    if (status == STATUS_OK) {
        fuzz_check_log(&log);
        fuzz_analyze_log(&log, (unsigned)length * 0x1108);
    }
    power_log_free(&log);
    return 0;
}
