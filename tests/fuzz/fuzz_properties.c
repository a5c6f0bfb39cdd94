/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A properties file. */
#include "fuzz.h"

#include "joular/properties.h"
#include "joular/text.h"

const char *const fuzz_name = "properties";

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct properties properties = {0};
    struct error err = {0};
    enum status status = properties_read(bytes, length, &properties, &err);
    fuzz_check(status == err.status, "an error has words");
    for (size_t i = 0; i < properties.n && status == STATUS_OK; i++) {
        const struct property *property = &properties.v[i], *last = properties_find(&properties, property->key);
        fuzz_check(utf8_valid(property->key, strlen(property->key)) &&
                       utf8_valid(property->value, strlen(property->value)),
                   "a property is UTF-8");
        fuzz_check(property->line >= 1, "a property has a line");
        fuzz_check(last >= property && strcmp(last->key, property->key) == 0, "the last one of a key counts");
    }
    properties_free(&properties);
    return 0;
}
