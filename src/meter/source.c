/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of power sources. */
#include "joular/file.h"
#include "joular/meter.h"
#include "sourceutil.h"

#include <errno.h>
#include <sys/stat.h>

const struct power_source *const power_sources[] = {&source_rapl, &source_ringbuffer, &source_vm, &source_estimate,
                                                    NULL};

/* A zone counts as being there even if we have no permission to look at it, or if its link is dangling because a
 * container hides the target: the user is then told how to make it readable. The second name is for a container into
 * which devices/virtual/powercap is mounted. */
static bool rapl_is_there(const char *powercap)
{
    static const char *const names[] = {"intel-rapl:0", "intel-rapl/intel-rapl:0"};
    bool there = false;
    for (size_t i = 0; i < 2 && !there; i++) {
        struct stat st;
        char *zone = path_in(powercap, names[i]);
        there = lstat(zone, &st) == 0 || errno == EACCES;
        free(zone);
    }
    return there;
}

const struct power_source *source_by_name(const char *name, const struct source_options *options)
{
    if (strcmp(name, "auto") == 0)
        return rapl_is_there(options->powercap) ? &source_rapl : &source_ringbuffer;
    for (size_t i = 0; power_sources[i] != NULL; i++)
        if (strcmp(name, power_sources[i]->name) == 0)
            return power_sources[i];
    return NULL;
}

const char *source_outcome_word(enum source_outcome outcome)
{
    switch (outcome) {
    case SOURCE_OK:
        return "ok";
    case SOURCE_LATE:
        return "late";
    case SOURCE_REUSED:
        return "reused";
    case SOURCE_WAIT:
    case SOURCE_NO_READING:
        return "no-reading";
    case SOURCE_STALE:
        return "stale";
    case SOURCE_RESET:
        return "reset";
    }
    return "no-reading";
}
