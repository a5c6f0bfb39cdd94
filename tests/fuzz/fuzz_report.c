/* report.json: all forms of what it holds, and comparisons with it. Its length chooses how. */
#include "../unit/jfr_build.h"
#include "fuzz.h"

#include "joular/comparereport.h"
#include "joular/jsonreport.h"

#include <math.h>

const char *const fuzz_name = "report";

#define RUNS 3

/* Results of one recording and three logs, to compare with. */
static const struct result *other_runs(void)
{
    static struct result runs[RUNS];
    static bool are_made;
    for (int i = 0; i < RUNS && !are_made; i++) {
        struct build b;
        struct power_log log;
        struct observed observed;
        struct jfr_damage damage = {0};
        struct notices notices = {0};
        struct error err = {0};
        const struct energy_options options = {.process_share = NAN, .baseline_w = NAN};
        const struct energy_collect_options collect = {.jobs = 1};
        fuzz_recording(&b, 0);
        fuzz_log(&log, FUZZ_START_NS + i * 100000000, true);
        observed_init(&observed);
        struct energy_input input = {"fuzz.jfr", b.out.v, b.out.n, NULL};
        fuzz_check(energy_collect(&input, 1, &log, &collect, &observed, &damage, &notices, &err) == STATUS_OK &&
                       energy_attribute(&observed, &log, &options, &runs[i], &notices, &err) == STATUS_OK,
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

static void compare(const struct result *result, unsigned choice)
{
    static const char *const gates[] = {"process", "method:com.example", "method:["};
    const struct result *others = other_runs();
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
    for (int i = 0; i < RUNS && good; i++)
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

static char *json_of(const struct result *result, size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    result_write_json(result, out);
    fclose(out);
    return text;
}

/* (result, other), other is result, (other, other), in bytes. */
static void merge_in_two_ways(const struct result *result)
{
    const struct result *others = other_runs();
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
            char *text = json_of(&all, &length), *other = json_of(&again, &same);
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
    merge_in_two_ways(&result);
    result_free(&result);
    return 0;
}
