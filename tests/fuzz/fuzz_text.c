/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers, times, dates and UTF-8 in text. */
#include "fuzz.h"

#include "joular/text.h"

#include <math.h>

const char *const fuzz_name = "text";

static void check_utf8(const uint8_t *bytes, size_t length)
{
    char *repaired = mem_alloc(3 * length + 1), shown[64], *printable = mem_alloc(4 * length + 64);
    size_t n = utf8_repair(repaired, bytes, length);
    fuzz_check(n <= 3 * length && utf8_valid(repaired, n), "what was repaired is UTF-8");
    fuzz_check(!utf8_valid(bytes, length) || (n == length && memcmp(bytes, repaired, length) == 0),
               "what is UTF-8 stays as it is");
    n = text_printable(shown, sizeof shown, (const char *)bytes, length);
    fuzz_check(n < sizeof shown && strlen(shown) == n && utf8_valid(shown, n), "what is shown is UTF-8");
    n = text_printable(printable, 4 * length + 64, (const char *)bytes, length);
    for (size_t i = 0; i < n; i++)
        fuzz_check((unsigned char)printable[i] >= ' ' && printable[i] != 0x7f, "what is shown has no control");
    free(repaired);
    free(printable);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    const char *text = (const char *)bytes;
    int64_t ns = 0, again;
    double number;
    char buffer[32];
    if (text_to_i64(text, length, &ns)) {
        int n = snprintf(buffer, sizeof buffer, "%lld", (long long)ns);
        fuzz_check(text_to_i64(buffer, (size_t)n, &again) && again == ns, "a number reads back as the same");
    }
    if (text_to_double(text, length, &number))
        fuzz_check(isfinite(number), "a number is finite");
    if (text_to_time_ns(text, length, &ns))
        fuzz_check(ns > 0, "a time is above 0");
    (void)text_to_date_ns(text, length, &ns);
    (void)text_to_seconds_ns(text, length, &ns);
    check_utf8(bytes, length);
    return 0;
}
