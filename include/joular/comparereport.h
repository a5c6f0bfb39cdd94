/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes comparisons as a table, JSON, CSV or HTML. */
#ifndef JOULAR_COMPAREREPORT_H
#define JOULAR_COMPAREREPORT_H

#include "joular/compare.h"
#include "joular/tty.h"

#include <stdio.h>

#define COMPARE_SCHEMA "joular-compare/1"

/* With one side SPREAD is set and JUDGEMENT NULL, with two sides the other way round. */
struct compare_input {
    const struct comparison *comparison;
    const struct compare_judgement *judgement;
    const struct compare_spread *spread;
    const struct compare_texts *unlike; /* of compare_alike */
};

void compare_write_table(const struct compare_input *input, const struct tty *tty, FILE *out);
void compare_write_json(const struct compare_input *input, FILE *out);
void compare_write_csv(const struct compare_input *input, FILE *out);

/* Two sides only, compared with compare_options.tree: a flame graph of their frames. */
void compare_write_html(const struct compare_input *input, FILE *out);

/* "J per run", "J per unit of work (base: 1000 a run, new: 1200)". Returns BUFFER. */
const char *compare_unit_words(const struct comparison *c, char *buffer, size_t size);
/* "more", "same within 1.2 %", "cannot tell (12 runs)". Returns BUFFER. */
const char *compare_row_verdict(const struct compare_row *row, char *buffer, size_t size);
/* The difference in percent of the base; NaN where the base is 0. */
double compare_percent(const struct compare_estimate *e);

#endif
