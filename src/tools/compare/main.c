/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "comparetool.h"

#include "joular/hash.h"
#include "joular/leave.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static void say(const char *words)
{
    fprintf(stderr, PROGRAM ": %s\n", words);
}

static enum status read_runs(const struct options *options, const char *argv0, struct comparison *c, struct error *err)
{
    enum status status = STATUS_OK;
    for (int side = 0; side < SIDES && status == STATUS_OK; side++) {
        for (size_t i = 0; i < options->operands[side].n && status == STATUS_OK; i++) {
            const char *name = options->operands[side].v[i];
            struct result result = {0};
            status = input_read(name, argv0, &result, err);
            if (status == STATUS_OK)
                status = compare_add(c, (enum compare_side)side, name, &result, err);
            error_in_file(err, name);
            result_free(&result);
        }
    }
    return status;
}

static void put_json(const void *input, FILE *out)
{
    compare_write_json(input, out);
}

static void put_csv(const void *input, FILE *out)
{
    compare_write_csv(input, out);
}

static void put_html(const void *input, FILE *out)
{
    compare_write_html(input, out);
}

static void (*const put_form[OUTPUT_FORMS])(const void *input, FILE *out) = {
    [OUTPUT_JSON] = put_json, [OUTPUT_CSV] = put_csv, [OUTPUT_HTML] = put_html};

static enum status write_forms(const struct options *options, const struct compare_input *input, struct error *err)
{
    enum status status = STATUS_OK;
    bool to_stdout = false;
    for (enum output_form form = 0; form < OUTPUT_FORMS && status == STATUS_OK; form++) {
        if (options->outputs[form] == NULL)
            continue;
        if (strcmp(options->outputs[form], "-") == 0) {
            put_form[form](input, stdout);
            to_stdout = true;
        } else {
            status = outfile_write(options->outputs[form], put_form[form], input, err);
        }
    }
    if (status == STATUS_OK && !to_stdout && !options->quiet) {
        struct tty tty = tty_of(stdout);
        compare_write_table(input, &tty, stdout);
    }
    return status;
}

/* A gate whose methods are in no run is an error, since its name is most likely wrong. */
static enum status check_gates(const struct compare_judgement *judgement, bool *failed, struct error *err)
{
    for (size_t g = 0; g < judgement->gate_count; g++) {
        const struct compare_gate *gate = &judgement->gates[g];
        if (!gate->seen)
            return error_set(err, STATUS_MISSING, "--fail-on %s: nothing of it was seen in any run", gate->name);
        if (!gate->decided)
            fprintf(stderr,
                    PROGRAM ": --fail-above: one run a side does not say how sure the energy of %s is, so the gate "
                            "cannot fail: compare several\n",
                    gate->name);
        *failed |= gate->failed;
    }
    return STATUS_OK;
}

static enum status compare(const struct options *options, const char *argv0, bool *failed, struct error *err)
{
    struct comparison c;
    struct compare_judgement judgement = {0};
    struct compare_spread spread = {0};
    struct compare_texts unlike = {0};
    struct compare_input input = {&c, NULL, NULL, &unlike};
    compare_init(&c, &options->compare);
    enum status status = read_runs(options, argv0, &c, err);
    if (status == STATUS_OK) {
        if (options->two_sides)
            compare_judge(&c, &judgement);
        else
            compare_spread(&c, &spread);
        input.judgement = options->two_sides ? &judgement : NULL;
        input.spread = options->two_sides ? NULL : &spread;
        compare_alike(&c, &unlike);
        for (size_t i = 0; i < c.notes.n && !options->quiet; i++) {
            char shown[2048];
            text_printable(shown, sizeof shown, c.notes.v[i], strlen(c.notes.v[i]));
            say(shown);
        }
        status = check_gates(&judgement, failed, err);
    }
    if (status == STATUS_OK)
        status = write_forms(options, &input, err);
    compare_judgement_free(&judgement);
    compare_spread_free(&spread);
    compare_texts_free(&unlike);
    compare_free(&c);
    return status;
}

int main(int argc, char **argv)
{
    struct options options;
    struct error err = {0};
    bool failed = false;
    leave_prepare(PROGRAM, 1);
    leave_on_signals();
    hash_randomize();
    int end = options_read(&options, argc, argv);
    int exit_status = end > 0 ? end - 1 : 0;
    if (end == 0) {
        leave_at_memory(options.max_memory);
        enum status status =
            options.merge != NULL ? merge_runs(&options, argv[0], &err) : compare(&options, argv[0], &failed, &err);
        if (status != STATUS_OK) {
            char words[2048];
            say(error_words(&err, words, sizeof words));
            exit_status = 1;
        } else if (failed) {
            exit_status = 3;
        }
    }
    options_free(&options);
    if (fflush(stdout) != 0 || fclose(stdout) != 0) {
        fprintf(stderr, PROGRAM ": standard output: %s\n", strerror(errno));
        exit_status = exit_status != 0 ? exit_status : 1;
    }
    return exit_status;
}
