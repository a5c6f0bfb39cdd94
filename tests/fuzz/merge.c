/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A result merged with others: the order and the grouping do not matter. */
#include "../unit/jfr_build.h"
#include "fuzz.h"

#include <math.h>

const struct result *fuzz_other_runs(void)
{
    static struct result runs[FUZZ_RUNS];
    static bool are_made;
    for (int i = 0; i < FUZZ_RUNS && !are_made; i++) {
        struct build b;
        struct power_log log;
        struct observed observed;
        struct jfr_damage damage = {0};
        struct notices notices = {0};
        struct error err = {0};
        const struct model_options options = {.process_share = NAN, .baseline_w = NAN};
        const struct collect_options collect = {.jobs = 1};
        fuzz_recording(&b, 0);
        fuzz_log(&log, FUZZ_START_NS + i * 100000000, true);
        observed_init(&observed);
        struct collect_input input = {"fuzz.jfr", b.out.v, b.out.n, NULL};
        fuzz_check(collect_recordings(&input, 1, &log, &collect, &observed, &damage, &notices, &err) == STATUS_OK &&
                       model_run(&observed, &log, &options, &runs[i], &notices, &err) == STATUS_OK,
                   "the recording can be analysed");
        runs[i].recording_start_ns += i;
        observed_free(&observed);
        power_log_free(&log);
        notices_free(&notices);
        build_free(&b);
    }
    are_made = true;
    return runs;
}

/* Of FIRST and SECOND: false where some runs are in both, and some not. */
static bool merge(const struct result *first, const struct result *second, struct result *out)
{
    struct error err = {0};
    bool known, good;
    *out = (struct result){0};
    good = result_merge(out, first, "run", &known, &err) == STATUS_OK &&
           result_merge(out, second, "run", &known, &err) == STATUS_OK;
    result_merge_finish(out);
    return good;
}

/* (result, other), other is result, (other, other), in bytes. */
void fuzz_merge(const struct result *result)
{
    const struct result *others = fuzz_other_runs();
    struct result left, right, all, again;
    bool small = true; /* sums of larger numbers are not exact */
    for (size_t i = 0; i < result->uses.n; i++)
        small &= result->uses.v[i].cpu_ns < 1e15;
    bool good = merge(result, &others[1], &left);
    good &= merge(&others[1], &others[2], &right);
    if (good) {
        good &= merge(&left, &others[2], &all);
        good &= merge(result, &right, &again);
        if (good && small) {
            size_t length, same;
            char *text = fuzz_json(&all, &length), *other = fuzz_json(&again, &same);
            fuzz_check(length == same && memcmp(text, other, length) == 0, "merging is associative");
            free(text);
            free(other);
        }
        result_free(&all);
        result_free(&again);
    }
    result_free(&left);
    result_free(&right);
}
