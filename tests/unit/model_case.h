/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings and power logs in a few lines, for tests of the model. Unless a test says otherwise they are of process 7
 * on four cpus, the recording reaches from 0 to 100 s, and the wall clock is 1000 s ahead of the monotonic one. Times
 * are in milliseconds on the monotonic clock.
 *
 * The log is read by its own reader, when the first sample needs its cycles: say the log first, then the samples. */
#ifndef JOULAR_TESTS_MODEL_CASE_H
#define JOULAR_TESTS_MODEL_CASE_H

#include "joular/model.h"
#include "joular/timeline.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include <setjmp.h>

#include <cmocka.h>

#define MS INT64_C(1000000)
#define WALL_AHEAD_MS INT64_C(1000000)

struct model_case {
    struct observed observed;
    struct chunk_case *chunk; /* of chunk_case.c; NULL: there are none */
    struct model_options options;
    struct power_log log;
    struct timeline timeline;
    struct notices notices;
    struct error err;
    struct result result;
    const char *facts; /* line 2 of the log, without its # */

    /* of the fixture itself */
    FILE *writer;
    char *text;
    size_t length;
    bool log_is_read, is_run;
};

int case_setup(void **state);
int case_teardown(void **state);
#define CASE(name) cmocka_unit_test_setup_teardown(name, case_setup, case_teardown)

/* ---- The log ---- */

void case_line(struct model_case *c, const char *format, ...) PRINTF_LIKE(2, 3);
void case_process(struct model_case *c, int cpu_ms); /* of pid 7 */
void case_record(struct model_case *c, int tid, int cpu_ms, const char *name);
void case_cycle(struct model_case *c, int start_ms, int end_ms, double power_w, int busy_ms);
/* The most common one: (second - 1, second] at 10 W, the machine busy for 1000 ms, the process for half of that. */
void case_second(struct model_case *c, int second);
void case_read_log(struct model_case *c);

/* ---- The recording; branches are written "a;b", NULL is none ---- */

uint32_t case_thread(struct model_case *c, uint64_t jfr_id, int64_t os_id, const char *name);
uint32_t case_carrier(struct model_case *c, uint64_t jfr_id, int64_t os_id);
uint32_t case_virtual(struct model_case *c, uint64_t jfr_id);
uint32_t case_branch(struct model_case *c, const char *branch);
void case_start(struct model_case *c, uint32_t thread, int at_ms);
void case_end(struct model_case *c, uint32_t thread, int at_ms);
void case_execution(struct model_case *c, uint32_t thread, const char *branch, int at_ms);
void case_native(struct model_case *c, uint32_t thread, const char *branch, int at_ms);
void case_period(struct model_case *c, enum sample_kind kind, int at_ms, const char *value);
void case_thread_load(struct model_case *c, uint32_t thread, int at_ms, double share);
void case_load(struct model_case *c, int at_ms, double jvm, double machine);
void case_gc(struct model_case *c, int at_ms, int cpu_ms);

/* CPUTimeSamples come straight into what was observed (samples_by_hand.c), or through a chunk, where lost ones get
 * their weight (chunk_case.c, chunk_case.h): a test program has one of the two. */
void case_cpu_sample(struct model_case *c, uint32_t thread, const char *branch, int at_ms, int period_ms);
void case_samples_end(struct model_case *c); /* no more of them come */
void case_samples_free(struct model_case *c);

/* ---- For these two ---- */

uint32_t case_cycle_at(struct model_case *c, int at_ms);

/* ---- What comes out ---- */

/* Runs the model and checks what holds for every result: in each cycle java, native, unattributed and outside make the
 * process energy, rows make java and native, and the totals are the sums of the cycles. */
void case_run(struct model_case *c);
void case_fails(struct model_case *c, enum status status, const char *words);

double case_energy(const struct model_case *c, uint32_t cycle, const char *branch); /* 0 where there is no row */
size_t case_row_count(const struct model_case *c, uint32_t cycle);
double case_native_j(const struct result_cycle *cycle);
const struct result_method *case_method(const struct model_case *c, const char *name); /* NULL where it has none */
const struct result_thread *case_find_thread(const struct model_case *c, const char *name);
bool case_noticed(const struct model_case *c, const char *words);

void check_near(double actual, double expected, const char *what, const char *file, int line);
#define assert_near(actual, expected) check_near(actual, expected, #actual, __FILE__, __LINE__)
#define assert_energy(c, cycle, branch, joules) assert_near(case_energy(c, cycle, branch), joules)

#endif
