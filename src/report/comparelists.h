/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the forms of a comparison share. */
#ifndef JOULAR_REPORT_COMPARELISTS_H
#define JOULAR_REPORT_COMPARELISTS_H

#include "joular/comparereport.h"
#include "joular/jsonout.h"

#include "terminal.h"

struct compare_list_form {
    enum compare_list list;
    const char *title, *key; /* on the terminal; in JSON and CSV */
};
#define LIST_FORMS 3
extern const struct compare_list_form compare_list_forms[LIST_FORMS];

/* The beginning of a comparison, of one side or two: schema, what energy is divided by, runs, what is not alike. */
void compare_json_head(const struct compare_input *input, struct jsonout *out);
void compare_table_head(const struct compare_input *input, const struct tty *tty, FILE *out);
bool compare_estimated(const struct comparison *c);

void spread_write_table(const struct compare_input *input, const struct tty *tty, FILE *out);
void spread_write_json(const struct compare_input *input, struct jsonout *out);
void spread_write_csv(const struct compare_input *input, FILE *out);

#endif
