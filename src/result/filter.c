/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes branches without the frames that a filter removes. */
#include "joular/result.h"

#include <stdlib.h>

static const char *const jdk_packages[] = {"java.", "javax.", "jdk.", "sun.", "com.sun."};
const struct name_filter application_filter = {jdk_packages, sizeof jdk_packages / sizeof jdk_packages[0], true};

static bool stays_in(const struct name_filter *filter, const struct intern_text *name)
{
    bool matches = false;
    if (filter->count == 0)
        return true;
    for (size_t k = 0; k < filter->count && !matches; k++)
        matches = name->length >= strlen(filter->prefixes[k]) &&
                  memcmp(name->text, filter->prefixes[k], strlen(filter->prefixes[k])) == 0;
    return filter->exclude ? !matches && name->text[0] != '[' : matches;
}

void result_filter(const struct result *result, const struct name_filter *filter, struct branch_set *out, uint32_t *map)
{
    const struct branch_set *set = &result->branches;
    bool *stays = mem_zero(result->names.texts.n, sizeof *stays);
    VEC(uint32_t) kept = {0};
    for (size_t i = 0; i < result->names.texts.n; i++)
        stays[i] = stays_in(filter, &result->names.texts.v[i]);
    for (size_t b = 0; b < set->list.n; b++) {
        const struct branch *branch = &set->list.v[b];
        kept.n = 0;
        for (uint32_t f = 0; f < branch->count && branch->native < 0; f++)
            if (stays[set->frames.v[branch->first + f]])
                vec_push(&kept, set->frames.v[branch->first + f]);
        map[b] = kept.n != 0 ? branch_set_add(out, kept.v, kept.n, -1) : UINT32_MAX;
    }
    vec_free(&kept);
    free(stays);
}
