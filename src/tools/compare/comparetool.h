/* SPDX-License-Identifier: GPL-3.0-or-later */
/* joular-compare: main, options, inputs. */
#ifndef JOULAR_COMPARETOOL_H
#define JOULAR_COMPARETOOL_H

#include "joular/comparereport.h"
#include "joular/file.h"
#include "joular/opts.h"

#define PROGRAM "joular-compare"

enum output_form {
    OUTPUT_JSON,
    OUTPUT_CSV,
    OUTPUT_HTML,
    OUTPUT_FORMS
};

struct options {
    struct compare_options compare;
    struct word_list operands[SIDES]; /* in the order of their names, so that no result depends on the order given */
    struct word_list fail_on;
    const char *merge; /* folder for the merged result of the operands; NULL if they are compared */
    bool two_sides, quiet;
    uint64_t max_memory;               /* bytes; 0 if not given */
    const char *outputs[OUTPUT_FORMS]; /* "-" for stdout */
};
/* Reads the command line. Returns 0 to go on, else the exit status plus one. */
int options_read(struct options *options, int argc, char **argv);
void options_free(struct options *options);

/* Reads a run: a report.json, a folder with one, or a recording with its power log, for which joular-analyze is run. */
enum status input_read(const char *name, const char *argv0, struct result *result, struct error *err) WARN_UNUSED;

/* --merge: writes the merged result of the operands to the folder options->merge. */
enum status merge_runs(const struct options *options, const char *argv0, struct error *err) WARN_UNUSED;

#endif
