/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz targets. Each is one file with LLVMFuzzerTestOneInput and its name; it is linked with libFuzzer, or with
 * replay.c to run over tests/fuzz/corpus/NAME. A target works on memory alone, and calls what include/joular/ declares.
 */
#ifndef JOULAR_FUZZ_H
#define JOULAR_FUZZ_H

#include "joular/collect.h"
#include "joular/model.h"
#include "joular/power.h"

#include <stdio.h>

extern const char *const fuzz_name;
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* What must hold whatever the bytes are; ends the program where it does not. */
void fuzz_check(bool holds, const char *what);

/* A stream whose bytes go nowhere. It lives as long as the program. */
FILE *fuzz_nowhere(void);

/* How an input is analysed, taken from bits that have no meaning in it. 0 is what the tool does without options. */
enum {
    CHOICE_LINES = 1,
    CHOICE_HIDDEN = 2,
    CHOICE_COUNT = 4,
    CHOICE_FORMS = 8 | 32768, /* both: write them all, and read report.json back, which is slow */
    CHOICE_EXECUTION = 16,
    CHOICE_SPREAD = 32,
    CHOICE_UNATTRIBUTED = 64,
    CHOICE_BY_THREAD = 128,
    CHOICE_CAPACITY = 256,
    CHOICE_BASELINE = 512,
    CHOICE_SHARE = 1024,
    CHOICE_RANGE = 2048,
    CHOICE_VIEW = 4096,
    CHOICE_RECORDS = 8192,  /* fuzz-jfr: the log has records of the process and its threads */
    CHOICE_ESTIMATE = 16384 /* fuzz-jfr: the log is made from load */
};
/* What joular-analyze does with a recording and a log that has a cycle at least. */
void fuzz_analyze(const uint8_t *recording, size_t length, const struct power_log *log, unsigned choice);

/* The same with one of the recordings below, chosen by CHOICE, where LOG is small. */
void fuzz_analyze_log(const struct power_log *log, unsigned choice);

/* What include/joular/powerlog.h promises of a log that was read. */
void fuzz_check_log(const struct power_log *log);

/* What --dump does: each event decoded whole, and whatever it refers to looked up. */
void fuzz_walk(const uint8_t *recording, size_t length);

/* Everything that is made of a result; it is checked that report.json reads back as the same. */
void fuzz_forms(const struct result *result, unsigned choice);

/* report.json of a result, to be freed. */
char *fuzz_json(const struct result *result, size_t *length);

/* Results of one recording and three logs, to compare and merge with. */
#define FUZZ_RUNS 3
const struct result *fuzz_other_runs(void);

/* A result merged with two of the other runs, in two ways that come to the same. */
void fuzz_merge(const struct result *result);

/* A recording like a JVM's, of process 7, from FUZZ_START_NS on, 1000 ticks a second, with an event of each type that
 * the analyzer looks at. To be freed. */
#define FUZZ_START_NS INT64_C(1764438000000000000)
struct build;
enum {
    RECORDING_PLAIN = 1,     /* integers of fixed width */
    RECORDING_EXECUTION = 2, /* jdk.ExecutionSample in place of jdk.CPUTimeSample */
    RECORDING_OPEN = 4,      /* the last chunk was never finished */
    RECORDING_TWO = 8        /* chunks */
};
void fuzz_recording(struct build *b, unsigned kind);

/* A log of cycles of one second from half a second before START_NS on. */
void fuzz_log(struct power_log *log, int64_t start_ns, bool records);

#endif
