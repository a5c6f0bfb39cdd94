/* Results of several recordings held against each other: what became more, what less, and how sure that is.
 *
 *     struct comparison c; compare_init(&c, &options);
 *     compare_add(&c, SIDE_BASE, "a/report.json", &result, &err) for each run; the result can be freed behind it
 *     compare_judge(&c, &judgement)    two sides        compare_spread(&c, &spread)    SIDE_BASE alone
 *
 * Figures are joules of a run over its divisor (per run: 1; per second, CPU-second, unit of work). The statistics are
 * described in joular-compare(1), CERTAINTY. */
#ifndef JOULAR_COMPARE_H
#define JOULAR_COMPARE_H

#include "joular/result.h"
#include "joular/stats.h"

enum compare_side {
    SIDE_BASE,
    SIDE_NEW,
    SIDES
};
enum compare_per {
    PER_RUN,
    PER_SECOND,     /* of the power log, where it has power */
    PER_CPU_SECOND, /* of the process */
    PER_UNIT        /* of work: compare_options.units */
};
extern const char *const compare_per_words[]; /* "run", "second", "cpu-second", "unit" */

#define COMPARE_ALL SIZE_MAX
struct compare_options {
    bool exact_names; /* do not make names equal that change from run to run */
    bool tree;        /* keep the frames too, for a flame graph */
    enum compare_per per;
    double units[SIDES];        /* of work that each run of the side did */
    double confidence;          /* above 0, below 1 */
    double same_within;         /* "same" is said of what surely lies this close, as a share of the base */
    size_t top;                 /* so many methods and branches are judged: those with the most energy */
    double fail_above;          /* share of the base; NaN: no gate */
    const char *const *fail_on; /* "process", or "method:PREFIX"; none: process */
    size_t fail_on_count;
};

/* Where the energy of a run went. The baseline is no part of the others. */
enum compare_total {
    TOTAL_PROCESS,
    TOTAL_JAVA,
    TOTAL_GC,
    TOTAL_JIT,
    TOTAL_JFR,
    TOTAL_VM,
    TOTAL_UNATTRIBUTED,
    TOTAL_OUTSIDE,
    TOTAL_BASELINE,
    TOTALS
};
extern const char *const compare_total_words[TOTALS];

enum compare_list {
    LIST_OWN,    /* methods, own energy */
    LIST_WHOLE,  /* methods, with what they called */
    LIST_BRANCH, /* whole stacks */
    LIST_TREE,   /* frames: branches and what they begin with */
    LIST_GATE,   /* what --fail-on names */
    LISTS
};

struct compare_figure {
    uint32_t key;
    double energy_j, variance; /* NaN: too few samples to know it */
};
struct compare_figures {
    struct compare_figure *v;
    size_t n, cap;
};

#define COMPARE_FACTS 11
struct compare_run {
    char *name; /* as the user gave it */
    char *facts[COMPARE_FACTS];
    int64_t start_ns, pid;
    double others_share; /* of the CPUs that others had; NaN where nothing says it */
    double divisor;
    bool estimated;
    double totals_j[TOTALS];
    struct compare_figures lists[LISTS];
};

struct comparison {
    struct compare_options options;
    struct intern names;              /* of methods, made equal */
    struct branch_set branches, tree; /* of such names */
    struct compare_runs {
        struct compare_run *v;
        size_t n, cap;
    } runs[SIDES];     /* by start, once judged */
    VEC(char *) notes; /* what was done that the user should know */
};

void compare_init(struct comparison *c, const struct compare_options *options);
/* STATUS_MISSING where the run lacks what its figures are to be divided by. A run that is there already counts once. */
enum status compare_add(struct comparison *c, enum compare_side side, const char *name, const struct result *result,
                        struct error *err) WARN_UNUSED;
void compare_free(struct comparison *c);

/* In which ways the runs are not alike: one text each, with the names of the runs. To be freed, as the list itself. */
struct compare_texts {
    char **v;
    size_t n, cap;
};
void compare_alike(const struct comparison *c, struct compare_texts *out);
void compare_texts_free(struct compare_texts *texts);

/* ---- Two sides ---- */

enum compare_verdict {
    VERDICT_LESS,
    VERDICT_MORE,
    VERDICT_SAME,
    VERDICT_CANNOT_TELL
};
extern const char *const compare_verdict_words[];

/* New less base, of the means of runs that are independent of each other. */
struct compare_estimate {
    double base_j, new_j, delta_j;
    double half_width_j; /* NaN: not known */
    double p;            /* two-sided, of a difference as large as this where there is none */
    double freedom;
    double run_variance; /* sum of what a single run of each side scatters by; NaN: not known */
};
/* BASE and NEW are figures of runs, their sampling variances (NaN: not known) in BASE_V and NEW_V. */
struct compare_estimate compare_estimate(const double *base, const double *base_v, size_t base_n, const double *fresh,
                                         const double *fresh_v, size_t fresh_n, double confidence);
/* Runs a side after which a difference of DELTA is told at the level with a probability of 80 %: 2 to
 * COMPARE_MAX_RUNS, or one more where it takes more than that; 0 where nothing says it. NEEDED is zeroed but for its
 * level, and keeps what it has worked out. */
#define COMPARE_MAX_RUNS 1000
struct compare_needed {
    double level;
    double factor[COMPARE_MAX_RUNS + 1]; /* by runs a side; 0: not worked out */
};
unsigned compare_runs_needed(struct compare_needed *needed, double delta, double run_variance);

struct compare_row {
    char *name;
    uint32_t key;
    struct compare_estimate e;
    double p_adjusted; /* by Holm, over the list */
    enum compare_verdict verdict;
    double within;        /* VERDICT_SAME: so close, as a share of the base */
    unsigned runs_needed; /* VERDICT_CANNOT_TELL: compare_runs_needed */
};
struct compare_rows {
    struct compare_row *v;
    size_t n, cap;
};
struct compare_gate {
    char *name;
    bool seen, decided;        /* decided: there is an interval */
    struct compare_estimate e; /* of the figure itself */
    double low_j;              /* lower end of the interval of new - (1 + fail_above) x base */
    bool failed;
};
struct compare_judgement {
    struct compare_row process;
    struct compare_rows parts, lists[LISTS]; /* biggest first; a list of the tree by key, judged frame by frame */
    struct compare_gate *gates;
    size_t gate_count;
};
void compare_judge(struct comparison *c, struct compare_judgement *out);
void compare_judgement_free(struct compare_judgement *judgement);

/* ---- One side ---- */

struct spread_row {
    char *name;
    struct stats stats;
    double sampling_half_width_j; /* mean over the runs, at 95 %; NaN: not known */
    VEC(size_t) outliers;         /* runs, by start */
    double drift;                 /* a run, as a share of the mean; 0: none that is certain */
};
struct compare_spread {
    struct spread_row totals[TOTALS];
    struct spread_rows {
        struct spread_row *v;
        size_t n, cap;
    } lists[LISTS];
    bool drift_known; /* this build can look for it (GSL) */
};
void compare_spread(struct comparison *c, struct compare_spread *out);
void compare_spread_free(struct compare_spread *spread);

/* Takes out of a name, in place, what changes from run to run or from one build of the program to the next; returns
 * its new length. */
size_t name_make_equal(char *name, size_t length);

#endif
