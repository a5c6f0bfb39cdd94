/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power estimated from the load of the machine and two figures that the user states, for machines without a meter:
 *
 *   power = idle + (max - idle) x busy share of the machine */
#include "joular/meter.h"

#include <math.h>

struct estimate {
    double idle_w, max_w;
};

static enum status check(const struct source_options *options, struct error *err)
{
    if (isnan(options->idle_w) || isnan(options->max_w))
        return error_set(
            err, STATUS_MISSING,
            "an estimated power needs --idle-watts W and --max-watts W: what the CPUs draw when the machine "
            "idles and when all of them are busy");
    if (!isfinite(options->idle_w) || !isfinite(options->max_w) || options->idle_w < 0 || options->max_w <= 0)
        return error_set(err, STATUS_INVALID, "--idle-watts is to be at least 0, and --max-watts above 0");
    if (options->max_w < options->idle_w)
        return error_set(err, STATUS_INVALID, "--max-watts (%g) is below --idle-watts (%g)", options->max_w,
                         options->idle_w);
    return STATUS_OK;
}

static enum status estimate_open(const struct source_options *options, void **state, struct notices *warnings,
                                 struct error *err)
{
    *state = NULL;
    enum status status = check(options, err);
    if (status != STATUS_OK)
        return status;
    struct estimate *e = mem_alloc(sizeof *e);
    *e = (struct estimate){options->idle_w, options->max_w};
    *state = e;
    notice(warnings, "the power is estimated, not measured: %g W idle to %g W at full load, by the load of the machine",
           e->idle_w, e->max_w);
    return STATUS_OK;
}

static void estimate_read(void *state, int64_t now_ns, double load, struct source_reading *reading,
                          struct notices *warnings)
{
    const struct estimate *e = state;
    (void)now_ns, (void)warnings;
    *reading = (struct source_reading){.outcome = SOURCE_NO_READING, .energy_j = NAN, .power_w = NAN};
    if (isnan(load))
        return;
    reading->outcome = SOURCE_OK;
    reading->power_w = e->idle_w + (e->max_w - e->idle_w) * fmin(fmax(load, 0), 1);
}

static void estimate_close(void *state)
{
    free(state);
}

static bool estimate_examine(const struct source_options *options, struct notices *texts)
{
    struct error err = {0};
    if (isnan(options->idle_w) && isnan(options->max_w))
        notice(texts, "no --idle-watts and --max-watts given; an estimate, not a measurement, for machines that "
                      "have no meter");
    else if (check(options, &err) != STATUS_OK)
        notice(texts, "%s", err.text);
    else {
        notice(texts, "works: estimated, %g W idle to %g W at full load", options->idle_w, options->max_w);
        return true;
    }
    return false;
}

const struct power_source source_estimate = {
    .name = "estimate",
    .summary = "estimated from the load of the machine, between two figures you state",
    .open = estimate_open,
    .read = estimate_read,
    .close = estimate_close,
    .examine = estimate_examine,
};
