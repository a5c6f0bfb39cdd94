/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An analysis as joular-analyze makes it, and what must hold of its result. */
#include "../unit/jfr_build.h"
#include "fuzz.h"

#include "joular/jsonreport.h"
#include "joular/report.h"

#include <math.h>

static struct model_options model_options(unsigned choice, const struct observed *observed)
{
    struct model_options options = {
        .samples = choice & CHOICE_EXECUTION ? SAMPLES_EXECUTION : SAMPLES_AUTO,
        .jvm_threads = choice & CHOICE_SPREAD         ? JVM_SPREAD
                       : choice & CHOICE_UNATTRIBUTED ? JVM_UNATTRIBUTED
                                                      : JVM_SEPARATE,
        .process_share = choice & CHOICE_SHARE ? 0.5 : (double)NAN,
        .share_of_capacity = (choice & CHOICE_CAPACITY) != 0,
        .baseline_w = choice & CHOICE_BASELINE ? 3 : (double)NAN,
        .by_thread = (choice & CHOICE_BY_THREAD) != 0,
    };
    if (choice & CHOICE_RANGE) {
        options.from = (struct time_bound){BOUND_AFTER_START, 500000000};
        options.to = (struct time_bound){BOUND_WALL, observed->end_wall_ns};
    }
    return options;
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-6 * (1 + fabs(a) + fabs(b));
}

/* joular-attribution(7): the parts of a cycle make its process energy, and the cycles make the totals. */
static void check_sums(const struct result *r)
{
    double process_j = 0, rows_j = 0;
    for (size_t i = 0, row = 0; i < r->cycles.n; i++) {
        const struct result_cycle *cycle = &r->cycles.v[i];
        double native_j = 0, in_rows_j = 0, rounding_j = 1e-6 * cycle->process_j;
        for (int n = 0; n < NATIVE_ROWS; n++)
            native_j += cycle->native_j[n];
        for (; row < cycle->rows; row++)
            in_rows_j += r->rows.v[row].energy_j;
        fuzz_check(cycle->process_j >= 0 && isfinite(cycle->process_j), "a cycle's energy is a number of at least 0");
        fuzz_check(cycle->java_j >= 0 && cycle->unattributed_j >= -rounding_j && cycle->outside_j >= -rounding_j,
                   "no part of a cycle's energy is negative");
        fuzz_check(near(cycle->java_j + native_j + cycle->unattributed_j + cycle->outside_j, cycle->process_j),
                   "the parts of a cycle make its energy");
        fuzz_check(near(cycle->java_j + native_j, in_rows_j), "the rows of a cycle make its java and native energy");
        process_j += cycle->process_j;
        rows_j += in_rows_j;
    }
    fuzz_check(near(process_j, r->process_j), "cycles make the total");
    double own_j = 0;
    for (size_t i = 0; i < r->methods.n; i++)
        own_j += r->methods.v[i].own_j;
    fuzz_check(near(own_j, rows_j), "methods make the rows");
}

static void check_json(const struct result *result)
{
    size_t length = 0, again_length = 0;
    struct result again;
    struct error err = {0};
    char *text = fuzz_json(result, &length), words[2048];
    if (result_read_json((const uint8_t *)text, length, &again, &err) != STATUS_OK)
        fprintf(stderr, "%s\n", error_words(&err, words, sizeof words));
    fuzz_check(err.status == STATUS_OK, "what is written can be read");
    char *text_again = fuzz_json(&again, &again_length);
    fuzz_check(length == again_length && memcmp(text, text_again, length) == 0,
               "what is written reads back as the same");
    result_free(&again);
    free(text);
    free(text_again);
}

void fuzz_forms(const struct result *result, unsigned choice)
{
    static const char *const kept[] = {"com.example", "a."};
    struct name_filter prefixes = {kept, choice & CHOICE_LINES ? 2 : 0, (choice & CHOICE_HIDDEN) != 0};
    struct view_options looks = {
        .group = choice & CHOICE_COUNT ? GROUP_CLASS : GROUP_PACKAGE,
        .include = choice & CHOICE_SPREAD ? "a|B" : NULL,
        .exclude = choice & CHOICE_SHARE ? "run" : NULL,
    };
    struct result view = {0};
    struct error err = {0};
    bool has_view = (choice & CHOICE_VIEW) != 0;
    if (has_view)
        fuzz_check(result_view(result, &looks, &view, &err) == STATUS_OK, "there is a view of any result");
    struct report_input input = {result, has_view ? &view : result, &prefixes,
                                 prefixes.count != 0 ? &prefixes : &application_filter,
                                 choice & CHOICE_CAPACITY   ? WEIGHT_CPU
                                 : choice & CHOICE_BASELINE ? WEIGHT_SAMPLES
                                                            : WEIGHT_ENERGY};
    for (size_t i = 0; report_forms[i] != NULL; i++)
        report_forms[i]->write(&input, true, fuzz_nowhere());
    struct tty tty = {.terminal = true, .width = choice & CHOICE_RANGE ? 80 : 0, .colour = true, .utf8 = true};
    report_summary(result, &prefixes, 10, &tty, fuzz_nowhere());
    check_json(result);
    result_free(&view);
}

void fuzz_analyze(const uint8_t *recording, size_t length, const struct power_log *log, unsigned choice)
{
    struct collect_input input = {"fuzz.jfr", recording, length, NULL};
    struct collect_options collect = {
        .drop_hidden_frames = (choice & CHOICE_HIDDEN) != 0,
        .lines = (choice & CHOICE_LINES) != 0,
        .count_events = (choice & CHOICE_COUNT) != 0,
        .keep_samples = log->thread_records.n != 0  ? KEEP_NO_SAMPLES
                        : choice & CHOICE_EXECUTION ? KEEP_SAMPLES
                                                    : KEEP_UNTIL_CPU_TIME,
        .jobs = 1,
    };
    struct observed observed;
    struct jfr_damage damage = {0};
    struct notices notices = {0};
    struct error err = {0};
    struct result result = {0};
    observed_init(&observed);
    enum status status = collect_recordings(&input, 1, log, &collect, &observed, &damage, &notices, &err);
    struct model_options options = model_options(choice, &observed);
    if (status == STATUS_OK && observed.keep == KEEP_NO_SAMPLES && model_needs_samples(&observed, log, &options)) {
        observed_free(&observed);
        collect.keep_samples = KEEP_SAMPLES;
        damage = (struct jfr_damage){0};
        status = collect_recordings(&input, 1, log, &collect, &observed, &damage, &notices, &err);
    }
    fuzz_check(damage.bytes <= length, "no more bytes are lost than there are");
    if (status == STATUS_OK)
        status = model_run(&observed, log, &options, &result, &notices, &err);
    fuzz_check(status == err.status, "an error has words");
    if (status == STATUS_OK) {
        check_sums(&result);
        if ((choice & CHOICE_FORMS) == CHOICE_FORMS) {
            fuzz_forms(&result, choice);
            fuzz_merge(&result);
        }
    }
    result_free(&result);
    observed_free(&observed);
    notices_free(&notices);
}

#define MOST_CYCLES 200

void fuzz_analyze_log(const struct power_log *log, unsigned choice)
{
    static struct build recordings[4];
    static bool are_made;
    for (unsigned kind = 0; kind < 4 && !are_made; kind++)
        fuzz_recording(&recordings[kind], kind * 2);
    are_made = true;
    const struct build *recording = &recordings[choice / 16 % 4];
    if (log->cycles.n != 0 && log->cycles.n <= MOST_CYCLES)
        fuzz_analyze(recording->out.v, recording->out.n, log, choice);
}
