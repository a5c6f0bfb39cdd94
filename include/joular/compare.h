/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the results of several runs: what uses more energy, what less, and how certain that is.
 *
 *     struct comparison c; compare_init(&c, &options);
 *     compare_add(&c, SIDE_BASE, "a/report.json", &result, &err) for each run; the result can be freed after it
 *     compare_judge(&c, &judgement)    two sides        compare_spread(&c, &spread)    SIDE_BASE alone
 *
 * Figures are joules of a run, divided as the options say: by 1 per run, or by seconds, CPU-seconds or units of work.
 * The statistics are described in joular-compare(1), CERTAINTY. */
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
    bool exact_names; /* leave names as they are, also the parts that change from run to run */
    bool tree;        /* make LIST_TREE too, for a flame graph */
    enum compare_per per;
    double units[SIDES];        /* units of work that each run of the side did */
    double confidence;          /* above 0, below 1 */
    double same_within;         /* "same" means that the difference is certainly within this share of the base */
    size_t top;                 /* how many methods and branches are judged: those with the most energy */
    double fail_above;          /* share of the base; NaN: no gate */
    const char *const *fail_on; /* "process", or "method:PREFIX"; none: process */
    size_t fail_on_count;
};

/* Totals of a run. TOTAL_JAVA to TOTAL_OUTSIDE add up to TOTAL_PROCESS; the baseline is in none of them. */
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
    LIST_WHOLE,  /* methods, total energy */
    LIST_BRANCH, /* branches */
    LIST_TREE,   /* frames of a flame graph: branches and everything that a branch begins with */
    LIST_GATE,   /* what --fail-on names */
    LISTS
};

struct compare_figure {
    uint32_t key;
    double energy_j, variance; /* variance NaN: too few samples */
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
    double others_share; /* CPU time of other processes, as a share of the CPUs; NaN: unknown */
    double divisor;
    bool estimated;
    double totals_j[TOTALS];
    struct compare_figures lists[LISTS];
};

struct comparison {
    struct compare_options options;
    struct intern names;              /* of methods, as name_make_equal leaves them */
    struct branch_set branches, tree; /* their frames are these names */
    struct compare_runs {
        struct compare_run *v;
        size_t n, cap;
    } runs[SIDES];     /* sorted by start once judged */
    VEC(char *) notes; /* for the user */
};

void compare_init(struct comparison *c, const struct compare_options *options);
/* Adds a run. STATUS_MISSING where it lacks what its figures are to be divided by. A run that the side has already is
 * not added again, which is not an error but a note. */
enum status compare_add(struct comparison *c, enum compare_side side, const char *name, const struct result *result,
                        struct error *err) WARN_UNUSED;
void compare_free(struct comparison *c);

/* In which ways the runs are not alike, each as a text with the names of the runs. Free OUT with compare_texts_free. */
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

/* The difference between the means of the two sides. Runs are taken to be independent of each other. */
struct compare_estimate {
    double base_j, new_j, delta_j; /* means; delta is new minus base */
    double half_width_j;           /* of delta's interval; NaN: unknown */
    double p;                      /* two-sided p-value of "there is no difference"; NaN: unknown */
    double freedom;                /* degrees of freedom */
    double run_variance;           /* variance of one run of the base plus that of one new run; NaN: unknown */
};
/* BASE and FRESH are the figures of the base's and of the new runs, BASE_V and FRESH_V their sampling variances (NaN:
 * unknown). */
struct compare_estimate compare_estimate(const double *base, const double *base_v, size_t base_n, const double *fresh,
                                         const double *fresh_v, size_t fresh_n, double confidence);
/* How many runs a side it takes to find a difference of DELTA, at NEEDED's level, with a probability of 80 %: 2 to
 * COMPARE_MAX_RUNS, or COMPARE_MAX_RUNS + 1 where that is not enough; 0 where it is unknown. The caller zeroes NEEDED
 * and sets its level; the factors that were computed are kept in it from call to call. */
#define COMPARE_MAX_RUNS 1000
struct compare_needed {
    double level;
    double factor[COMPARE_MAX_RUNS + 1]; /* by runs a side; 0: not computed yet */
};
unsigned compare_runs_needed(struct compare_needed *needed, double delta, double run_variance);

struct compare_row {
    char *name;
    uint32_t key;
    struct compare_estimate e;
    double p_adjusted; /* Holm's adjustment over the list */
    enum compare_verdict verdict;
    double within;        /* VERDICT_SAME: the difference is certainly within this share of the base */
    unsigned runs_needed; /* VERDICT_CANNOT_TELL: as compare_runs_needed gives it */
};
struct compare_rows {
    struct compare_row *v;
    size_t n, cap;
};
struct compare_gate {
    char *name;
    bool seen;                 /* one of the sides has energy in it */
    bool decided;              /* there is an interval */
    struct compare_estimate e; /* new against base, without the limit */
    double low_j;              /* lower end of the interval of new - (1 + fail_above) x base */
    bool failed;
};
struct compare_judgement {
    struct compare_row process;
    /* The largest difference first; LIST_TREE by key, with each frame judged by itself. */
    struct compare_rows parts, lists[LISTS];
    struct compare_gate *gates;
    size_t gate_count;
};
void compare_judge(struct comparison *c, struct compare_judgement *out);
void compare_judgement_free(struct compare_judgement *judgement);

/* ---- One side ---- */

struct spread_row {
    char *name;
    struct stats stats;
    double sampling_half_width_j; /* mean over the runs, at 95 %; NaN: unknown */
    VEC(size_t) outliers;         /* positions of runs, the farthest first */
    double drift;                 /* from one run to the next, as a share of the mean; 0: none that is certain */
};
struct compare_spread {
    struct spread_row totals[TOTALS];
    struct spread_rows {
        struct spread_row *v;
        size_t n, cap;
    } lists[LISTS];
    bool drift_known; /* this build can look for drift (it has GSL) */
};
void compare_spread(struct comparison *c, struct compare_spread *out);
void compare_spread_free(struct compare_spread *spread);

/* Removes from NAME, in place, what changes from run to run or from one build of the program to the next, and returns
 * the new length. */
size_t name_make_equal(char *name, size_t length);

#endif
