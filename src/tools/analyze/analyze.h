/* joular-analyze: its options and its inputs. */
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
    uint64_t max_memory;     /* bytes; 0: not given */
    const char *output;      /* NULL until options_configure */
    char *configured_output; /* owned */
    const char *config;
    const char *batch;           /* folder of recordings with their logs; NULL: the operands are analysed */
    const char *from_report;     /* NULL: analyse */
    const char *analysis_option; /* one that --from-report cannot obey; NULL: none */
    struct word_list prefixes, formats;
    bool append, strict, quiet, verbose, stats;
    enum dump_what dump;
    double idle_w, max_w;                  /* NaN: not given */
    const struct power_format *log_format; /* NULL: told by content */
    int64_t log_start_ns;                  /* POWER_NO_START: not given */
    struct view_options view;
    enum report_weight weight;
    size_t top; /* methods in the summary's lists */
    char **operands;
    int operand_count;
};

/* Reads the command line. Returns 0 to go on, else what the program ends with plus one: 1 (--help, --version) or 3. */
int options_read(struct options *options, int argc, char **argv);
/* Takes what the agent's properties file says and no option does, and the defaults of the rest. */
enum status options_configure(struct options *options, struct error *err) WARN_UNUSED;
void options_free(struct options *options);

/* The files of the command line, told apart by content. */
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
/* For energy_collect_options: gives mapped pages back. OWNER is a struct file_bytes. */
void inputs_drop_pages(void *owner, uint64_t start, uint64_t end);
void inputs_free(struct inputs *inputs);

/* Prints to stdout; damage is counted. DUMP_ALIGN is made of a result. */
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

/* What the steps of an analysis hand on, and what is freed at the end. */
struct run {
    const struct options *options;
    struct inputs inputs;
    struct notices notices;
    struct jfr_damage damage;
    bool collected; /* the recordings were read */
    struct observed observed;
    struct result result, view;
    struct name_filter prefixes;
    struct report_input input; /* for the forms; run_prepare_forms */
    struct stats stats;
};
void run_init(struct run *run, const struct options *options);
/* Result and notices of the operands. Prints nothing. */
enum status run_analyze(struct run *run, struct error *err) WARN_UNUSED;
/* Makes input and view of the result. */
enum status run_prepare_forms(struct run *run, struct error *err) WARN_UNUSED;
/* A line each, with ABOUT ("NAME: ", or empty) before the words. */
void run_put_messages(const struct run *run, const char *about, FILE *out);
void run_put_damage(const struct jfr_damage *damage, const char *about, FILE *out);
void run_free(struct run *run);

/* All files that --format names are written before any takes its name. */
enum status results_write(const struct options *options, const struct report_input *input, const struct outdir *dir,
                          struct error *err) WARN_UNUSED;
/* Names the files that --format all does not get, since the build lacks what they need. */
void results_say_missing(const struct options *options);
/* Names the files in DIR that an analysis before this one wrote and this one does not. */
void results_say_older(const struct options *options, const struct outdir *dir);
/* The summary on stdout; FOLDER is where the files are. */
void results_summarize(const struct options *options, const struct report_input *input, const char *folder);

/* The pairs of --batch: NAME.jfr and NAME.power.log of a folder, or NAME/run.jfr and NAME/power.log. */
enum pair_kind {
    KIND_RECORDING,
    KIND_LOG,
    KINDS
};
struct found {
    char *name, *path;
    bool in_folder;
    enum pair_kind kind;
};
/* What belongs to one name: at most one of each kind, or it is wrong. */
struct pair {
    char *name;               /* of its result folder */
    const char *files[KINDS]; /* of found; without a log where the power is estimated */
    char *wrong;              /* why it cannot be analysed; NULL: it can */
};
struct pairs {
    VEC(struct found) found; /* by name */
    VEC(struct pair) list;
    bool alone; /* something was left out, which is said: it has no other */
};
#define BATCH_MERGED "merged" /* the folder of all results as one; no pair can have this name */
/* STATUS_MISSING where there is no pair. PAIRS is zeroed before, and to be freed after an error too. */
enum status pairs_find(const struct options *options, struct pairs *pairs, struct error *err) WARN_UNUSED;
void pairs_free(struct pairs *pairs);

/* --batch: every pair into a folder of its own, and all merged. Returns the exit status; what went wrong is said. */
int many_analyze(const struct options *options);

/* Ends PHASE, which began at the last mark; NULL only begins. */
void stats_mark(struct stats *stats, const char *phase);
void stats_print(struct stats *stats, const struct inputs *inputs, struct observed_count *counts, size_t count,
                 const struct intern *names);

#endif
