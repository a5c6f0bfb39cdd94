/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A log of another tool, and an analysis with it. Its length chooses how. */
#include "fuzz.h"

const char *const fuzz_name = "meters";

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    const struct power_format *format = power_format_of(bytes, length);
    struct power_log log;
    struct error err = {0};
    if (format == NULL)
        return 0;
    int64_t start_ns = format->read_from != NULL ? FUZZ_START_NS : POWER_NO_START;
    enum status status = power_read(format, bytes, length, start_ns, &log, &err);
    fuzz_check(status == err.status, "an error has words");
    if (status == STATUS_OK) {
        fuzz_check_log(&log);
        fuzz_analyze_log(&log, (unsigned)length * 0x1108);
    }
    power_log_free(&log);
    return 0;
}
