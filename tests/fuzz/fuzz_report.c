/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.json: all forms of what it holds, and comparisons with it. Its length chooses how. */
#include "fuzz.h"

#include "joular/comparereport.h"
#include "joular/jsonreport.h"

const char *const fuzz_name = "report";

static void compare(const struct result *result, unsigned choice)
{
    static const char *const gates[] = {"process", "method:com.example", "method:["};
    const struct result *others = fuzz_other_runs();
    const struct compare_options options = {
        .exact_names = (choice & 1) != 0,
        .tree = true,
        .per = (enum compare_per)(choice / 2 % 4),
        .units = {100, 200},
        .confidence = 0.95,
        .same_within = 0.02,
        .top = choice & 8 ? 3 : COMPARE_ALL,
        .fail_above = 0.05,
        .fail_on = gates,
        .fail_on_count = 3,
    };
    struct comparison c;
    struct compare_texts unlike = {0};
    struct tty tty = {.terminal = true, .width = 100, .colour = true, .utf8 = true};
    bool two_sides = (choice & 16) == 0, good = true;
    struct error err = {0};
    compare_init(&c, &options);
    good &= compare_add(&c, SIDE_BASE, "fuzz", result, &err) == STATUS_OK;
    for (int i = 0; i < FUZZ_RUNS && good; i++)
        good &= compare_add(&c, two_sides && i > 0 ? SIDE_NEW : SIDE_BASE, "other", &others[i], &err) == STATUS_OK;
    if (good) {
        struct compare_judgement judgement = {0};
        struct compare_spread spread = {0};
        if (two_sides)
            compare_judge(&c, &judgement);
        else
            compare_spread(&c, &spread);
        compare_alike(&c, &unlike);
        struct compare_input input = {&c, two_sides ? &judgement : NULL, two_sides ? NULL : &spread, &unlike};
        compare_write_table(&input, &tty, fuzz_nowhere());
        compare_write_json(&input, fuzz_nowhere());
        compare_write_csv(&input, fuzz_nowhere());
        if (two_sides)
            compare_write_html(&input, fuzz_nowhere());
        compare_judgement_free(&judgement);
        compare_spread_free(&spread);
        compare_texts_free(&unlike);
    }
    compare_free(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct result result;
    struct error err = {0};
    enum status status = result_read_json(bytes, length, &result, &err);
    fuzz_check(status == err.status, "an error has words");
    if (status != STATUS_OK)
        return 0;
    fuzz_forms(&result, (unsigned)length * 33);
    compare(&result, (unsigned)length);
    fuzz_merge(&result);
    result_free(&result);
    return 0;
}
