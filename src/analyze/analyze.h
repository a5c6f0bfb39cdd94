/* joular-analyze: its options and its inputs. */
#ifndef JOULAR_ANALYZE_H
#define JOULAR_ANALYZE_H

#include "joular/energy.h"
#include "joular/file.h"
#include "joular/report.h"

#define PROGRAM "joular-analyze"

enum dump_what {
    DUMP_NOTHING,
    DUMP_CHUNKS,
    DUMP_METADATA,
    DUMP_EVENTS,
    DUMP_ALIGN
};

struct word_list {
    char **v;
    size_t n, cap;
};

struct options {
    struct energy_options energy;
    struct energy_collect_options collect;
    uint64_t max_memory;     /* bytes; 0: not given */
    const char *output;      /* NULL until options_configure */
    char *configured_output; /* owned */
    const char *config;
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
    VEC(struct energy_input) recordings;
    char *log_name;
    char *cut; /* the first compressed file that ends early; NULL: none */
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
/* Ends PHASE, which began at the last mark; NULL only begins. */
void stats_mark(struct stats *stats, const char *phase);
void stats_print(struct stats *stats, const struct inputs *inputs, struct observed_count *counts, size_t count,
                 const struct intern *names);

#endif
