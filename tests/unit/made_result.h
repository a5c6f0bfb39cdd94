/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results in a few lines, without a recording. Branches are written "a;b"; what is a row in brackets is native. Each
 * cycle is 1 s long. Say the rows of a cycle behind it. */
#ifndef JOULAR_TESTS_MADE_RESULT_H
#define JOULAR_TESTS_MADE_RESULT_H

#include "unit.h"

#include "joular/jsonreport.h"

#include <stdio.h>

uint32_t made_name(struct result *r, const char *text);
uint32_t made_branch(struct result *r, const char *frames);
void made_cycle(struct result *r, double process_j); /* machine: twice as much */
void made_row(struct result *r, const char *branch, double energy_j);
void made_use(struct result *r, const char *branch, double cpu_ns, uint64_t samples);
uint32_t made_thread(struct result *r, const char *name, double energy_j);
void made_weight(struct result *r, uint32_t thread, const char *branch, double weight_ns, uint64_t samples);
void made_pause(struct result *r, enum pause_type type, double ms, double energy_j);
/* What the rows of a cycle leave is unattributed; totals and methods are made. */
void made_finish(struct result *r);

/* Something of everything: two cycles and one without power, native rows, two threads, pauses, all texts and figures.
 */
void made_full(struct result *r);

struct text {
    char *v;
    size_t n;
};
struct text made_json(const struct result *r);
/* As it is read; nothing may be wrong. */
void made_read(struct text json, struct result *r);
/* The same bytes once more after reading. */
void assert_reads_back(const struct result *r);

#endif
