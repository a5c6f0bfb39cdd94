/* SPDX-License-Identifier: GPL-3.0-or-later */
/* joular-analyze: its options, its inputs, and the steps of an analysis. */
#ifndef JOULAR_ANALYZE_H
#define JOULAR_ANALYZE_H

#include "joular/collect.h"
#include "joular/file.h"
#include "joular/model.h"
#include "joular/opts.h"
#include "joular/report.h"

#define PROGRAM "joular-analyze"

enum dump_what {
    DUMP_NOTHING,
    DUMP_CHUNKS,
    DUMP_METADATA,
    DUMP_EVENTS,
    DUMP_ALIGN
};

struct options {
    struct model_options energy;
    struct collect_options collect;
    uint64_t max_memory;     /* bytes; 0 if not given */
    const char *output;      /* NULL until options_configure */
    char *configured_output; /* owned: the output of the properties file */
    const char *config;
    const char *batch;           /* folder of recordings with their logs; NULL if the operands are analysed */
    const char *from_report;     /* report to read instead of an analysis; NULL for none */
    const char *analysis_option; /* an option that was given and has no effect on --from-report; NULL for none */
    struct word_list prefixes, formats;
    bool append, strict, quiet, verbose, stats;
    enum dump_what dump;
    double idle_w, max_w;                  /* NaN if not given */
    const struct power_format *log_format; /* NULL if it is recognised by the log's content */
    int64_t log_start_ns;                  /* POWER_NO_START if not given */
    struct view_options view;
    enum report_weight weight;
    size_t top; /* methods in the summary's lists */
    char **operands;
    int operand_count;
};

/* Reads the command line. Returns 0 to go on, else the exit status plus one: 1 (--help, --version) or 3 (an error). */
int options_read(struct options *options, int argc, char **argv);
/* Sets what no option has set, from the agent's properties file or else to its default. */
enum status options_configure(struct options *options, struct error *err) WARN_UNUSED;
void options_free(struct options *options);

/* The files of the command line. Recordings and the power log are recognised by their content. */
struct inputs {
    VEC(struct file_bytes) files;
    VEC(struct collect_input) recordings;
    char *log_name;
    char *truncated; /* name of the first compressed file that ends early; NULL for none */
    struct power_log log;
    bool has_log;
};
enum status inputs_read(struct inputs *inputs, const struct options *options, struct notices *notices,
                        struct error *err) WARN_UNUSED;
/* For struct collect_options: gives mapped pages back to the system. OWNER is a struct file_bytes. */
void inputs_drop_pages(void *owner, uint64_t start, uint64_t end);
void inputs_free(struct inputs *inputs);

/* --dump: prints to stdout, and counts damage. DUMP_ALIGN is printed from a result, by dump_align. */
enum status dump_recordings(const struct inputs *inputs, enum dump_what what, struct jfr_damage *damage,
                            struct error *err) WARN_UNUSED;
void dump_align(const struct result *result);

void progress_start(void);
void progress_show(uint64_t done, uint64_t all);
void progress_end(void);

struct stats_phase {
    const char *name;
    int64_t ns;
};
struct stats {
    struct stats_phase phases[8];
    size_t count;
    int64_t last_ns;
};

/* The data of an analysis, passed from step to step. */
struct run {
    const struct options *options;
    struct inputs inputs;
    struct notices notices;
    struct jfr_damage damage;
    bool collected; /* the recordings were read */
    struct observed observed;
    struct result result, view;
    struct name_filter prefixes;
    struct report_input input; /* for the forms; set by run_prepare_forms */
    struct stats stats;
};
void run_init(struct run *run, const struct options *options);
/* Analyses the operands: makes result and notices. Prints nothing. */
enum status run_analyze(struct run *run, struct error *err) WARN_UNUSED;
/* Makes view and input from the result. */
enum status run_prepare_forms(struct run *run, struct error *err) WARN_UNUSED;
/* Print a line for each message. ABOUT, "NAME: " or empty, comes before its words. */
void run_put_messages(const struct run *run, const char *about, FILE *out);
void run_put_damage(const struct jfr_damage *damage, const char *about, FILE *out);
void run_free(struct run *run);

/* Writes the files that --format names. All are written before the first is renamed to its own name. */
enum status results_write(const struct options *options, const struct report_input *input, const struct outdir *dir,
                          struct error *err) WARN_UNUSED;
/* Names the files that --format all does not write, as this build lacks what they need. */
void results_say_missing(const struct options *options);
/* Names the files in DIR that are from an earlier analysis, and that this one does not write. */
void results_say_older(const struct options *options, const struct outdir *dir);
/* Prints the summary to stdout. FOLDER: where the files are. */
void results_summarize(const struct options *options, const struct report_input *input, const char *folder);

/* The pairs of --batch: NAME.jfr and NAME.power.log of a folder, or NAME/run.jfr and NAME/power.log. */
enum pair_kind {
    KIND_RECORDING,
    KIND_LOG,
    KINDS
};
struct found {
    char *name, *path;
    bool in_folder; /* it is NAME/run.jfr or NAME/power.log */
    enum pair_kind kind;
};
/* A recording and its log, files of the same name. */
struct pair {
    char *name;               /* of its result folder */
    const char *files[KINDS]; /* paths; NULL for a log if the power is estimated */
    char *wrong;              /* why it cannot be analysed; NULL if it can */
};
struct pairs {
    VEC(struct found) found; /* by name */
    VEC(struct pair) list;
    bool alone; /* a file without the other of its pair was left out, and the user was told */
};
#define BATCH_MERGED "merged" /* folder of the merged result of all pairs; no pair can have this name */
/* STATUS_MISSING if there is no pair. PAIRS is zeroed before; it must be freed after an error, too. */
enum status pairs_find(const struct options *options, struct pairs *pairs, struct error *err) WARN_UNUSED;
void pairs_free(struct pairs *pairs);

/* --batch: writes the results of every pair to a folder of its own, and those of all merged. Prints errors, and returns
 * the exit status. */
int many_analyze(const struct options *options);

/* Ends PHASE, which began at the previous mark. With NULL, only begins the next one. */
void stats_mark(struct stats *stats, const char *phase);
void stats_print(struct stats *stats, const struct inputs *inputs, struct observed_count *counts, size_t count,
                 const struct intern *names);

#endif
