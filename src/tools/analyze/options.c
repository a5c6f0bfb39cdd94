/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze.h"

#include "joular/power.h"

#include "joular/properties.h"
#include "joular/report.h"
#include "joular/text.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    OUTPUT = 1,
    FILTER,
    FORMAT,
    WEIGHT,
    GROUP,
    INCLUDE,
    EXCLUDE,
    LINES,
    TOP,
    FROM_REPORT,
    BATCH,
    CONFIG,
    LOG_FORMAT,
    LOG_START,
    IDLE,
    MAX,
    FROM,
    TO,
    SAMPLES,
    JVM_THREADS,
    HIDDEN,
    SHARE,
    SHARE_OF,
    BASELINE,
    PID,
    JOBS,
    MAX_MEMORY,
    APPEND,
    STRICT,
    QUIET,
    VERBOSE,
    DUMP,
    STATS
};

static const struct opt table[] = {
    {OUTPUT, 'o', "output", "DIR", "where the results go (default: joular-results)"},
    {FILTER, 'f', "filter", "PREFIX[,PREFIX...]",
     "keep only methods that begin so in methods-power-app.csv;\nrepeatable"},
    {FORMAT, 0, "format", "csv|json|html|collapsed|pprof|speedscope|firefox|all[,...]",
     "what to write (default: csv,json,html)"},
    {WEIGHT, 0, "weight", "energy|cpu|samples",
     "what collapsed and speedscope count, and what pprof shows\nfirst: energy (default), CPU time, or samples"},
    {GROUP, 0, "group", "thread|class|package",
     "frames by class or package in methods.csv, flame.html,\ncollapsed, pprof, speedscope and firefox; thread: "
     "branches\n"
     "begin with their thread, everywhere"},
    {INCLUDE, 0, "include", "REGEX", "in those six, only branches with a frame that matches"},
    {EXCLUDE, 0, "exclude", "REGEX", "in those six, no branch with a frame that matches"},
    {LINES, 0, "lines", NULL, "line numbers behind the names of methods"},
    {TOP, 0, "top", "N", "so many methods in the lists of the summary (default: 10)"},
    {FROM_REPORT, 0, "from-report", "FILE", "make the results from a report.json, without the recording"},
    {BATCH, 0, "batch", "DIR",
     "analyse each NAME.jfr of DIR with NAME.power.log, and each\nNAME/run.jfr with NAME/power.log: results in NAME/ "
     "of the\nresult folder, and all merged in merged/"},
    {CONFIG, 'c', "config", "FILE",
     "the Joular Code agent's joularcodejava.properties:\nmethods-filtering-prefix and results-path"},
    {LOG_FORMAT, 0, "log-format", "joular|csv|energibridge|scaphandre|turbostat|perf",
     "what the power log is (default: told by its content)"},
    {LOG_START, 0, "log-start", "TIME",
     "when perf stat, whose times count from there, began: a date\nand time, or Unix seconds"},
    {IDLE, 0, "idle-watts", "W", "no power log: estimate the power from the machine's load,\nW when it is idle ..."},
    {MAX, 0, "max-watts", "W", "... and W when all its CPUs are busy"},
    {FROM, 0, "from", "TIME",
     "only cycles that end at TIME or later: a date and time,\nUnix seconds, +5s from the recording's start, -5s from "
     "its end"},
    {TO, 0, "to", "TIME", "only cycles that end at TIME or earlier"},
    {SAMPLES, 0, "samples", "auto|cpu-time|execution",
     "which samples count (default: auto, CPU-time samples\nwhere there are any)"},
    {JVM_THREADS, 0, "jvm-threads", "separate|unattributed|spread",
     "energy of GC, JIT, JFR and VM threads: rows of its own\n(default), unattributed, or spread over all other "
     "threads\n"
     "as the Joular Code agent does"},
    {HIDDEN, 0, "hidden-frames", "keep|drop", "frames of lambda proxies and the like (default: keep)"},
    {SHARE, 0, "process-share", "FRACTION", "state the process's share of the power by hand (0 to 1)"},
    {SHARE_OF, 0, "share-of", "busy|capacity",
     "divide the power by the machine's busy time (default), or\nby all of its CPUs' time, so that idle power is "
     "nobody's"},
    {BASELINE, 0, "baseline", "WATTS|log", "power to take away first; log: what the power log measured"},
    {PID, 0, "pid", "PID", "the process in the power log (default: the recording's)"},
    {JOBS, 'j', "jobs", "N", "read N chunks side by side (default: all CPUs)"},
    OPT_MAX_MEMORY_ROW(MAX_MEMORY),
    {APPEND, 0, "append", NULL, "add rows to the two branch files that are there"},
    {STRICT, 0, "strict", NULL, "any damage in the input is an error"},
    {QUIET, 'q', "quiet", NULL, "print errors only"},
    {VERBOSE, 'v', "verbose", NULL, "say how the figures were made"},
    {DUMP, 0, "dump", "chunks|metadata|events|align", "print what is in the input, a record a line, and write nothing"},
    {STATS, 0, "stats", NULL, "print times, speed, memory and events by type (stderr)"},
    OPT_LAST_ROWS,
};

static void print_help(void)
{
    fputs("Usage: " PROGRAM " [OPTIONS] RECORDING... POWERLOG\n"
          "       " PROGRAM " [OPTIONS] --from-report report.json\n"
          "       " PROGRAM " [OPTIONS] --batch DIR\n"
          "Puts the samples of a JFR recording on the power cycles of a log: joules per call branch.\n\n"
          "RECORDING is a .jfr file (plain, zstd or gzip, whatever its name), several of one process, or a folder of "
          "them; POWERLOG\n"
          "is what joular-record wrote, a CSV file of PowerJoular or EnergiBridge, or one with \"timestamp,watts\", or "
          "the output of\n"
          "Scaphandre's JSON exporter, turbostat or perf stat -I -x. Files are told apart by content, and come in any "
          "order.\n\n",
          stdout);
    opts_help(table, stdout);
    fputs("\nExit status: 0 done, 1 input that cannot be used, 2 usage.\n", stdout);
}

/* Adds the words of a list separated by commas, without the blanks around them. */
static void add_words(struct word_list *words, const char *list)
{
    while (*list != '\0') {
        size_t length = strcspn(list, ","), from = 0, to = length;
        while (from < to && strchr(" \t\r\n", list[from]) != NULL)
            from++;
        while (to > from && strchr(" \t\r\n", list[to - 1]) != NULL)
            to--;
        if (to > from)
            vec_push(words, mem_strndup(list + from, to - from));
        list += length + (list[length] == ',');
    }
}

static bool fraction(const char *text, double *value)
{
    return text_to_double(text, strlen(text), value) && *value >= 0 && *value <= 1;
}

static bool wall_time(const char *text, int64_t *ns)
{
    size_t length = strlen(text);
    return (text_to_seconds_ns(text, length, ns) && *ns >= 0) || text_to_date_ns(text, length, ns);
}

/* "+5s" and "+1.5" count from the recording's start, "-500ms" from its end. Else it is Unix seconds, or a date and
 * time. */
static bool time_bound(const char *text, struct time_bound *bound)
{
    size_t length = strlen(text);
    if (text[0] == '+' || text[0] == '-') {
        bound->kind = text[0] == '+' ? BOUND_AFTER_START : BOUND_BEFORE_END;
        return text_to_time_ns(text + 1, length - 1, &bound->ns) ||
               (text_to_seconds_ns(text + 1, length - 1 - (text[length - 1] == 's'), &bound->ns) && bound->ns >= 0);
    }
    bound->kind = BOUND_WALL;
    return text_to_seconds_ns(text, length, &bound->ns) || text_to_date_ns(text, length, &bound->ns);
}

static bool watts(const char *text, double *value)
{
    return text_to_double(text, strlen(text), value) && *value >= 0 && *value <= POWER_LIMIT_W;
}

static const char any_format[] = "csv, json, html, collapsed, pprof, speedscope, firefox or all";

/* NULL if each word is a format that this build can write, else a description of what it should be. */
static const char *check_formats(const struct word_list *words)
{
    static char lacking[200];
    for (size_t i = 0; i < words->n; i++) {
        const struct report_form *const *form = report_forms;
        while (*form != NULL && strcmp((*form)->format, words->v[i]) != 0)
            form++;
        if (*form == NULL && strcmp(words->v[i], "all") != 0)
            return any_format;
        if (*form != NULL && (*form)->write == NULL) {
            snprintf(lacking, sizeof lacking, "in this build: %s needs %s", (*form)->format, (*form)->needs);
            return lacking;
        }
    }
    return words->n != 0 ? NULL : any_format;
}

/* True for an option that has an effect on the analysis, and so none on --from-report. */
static bool needs_analysis(int id, const char *value)
{
    return (id == GROUP && strcmp(value, "thread") == 0) || id == LINES || id == IDLE || id == MAX || id == FROM ||
           id == TO || id == SAMPLES || id == JVM_THREADS || id == HIDDEN || id == SHARE || id == SHARE_OF ||
           id == BASELINE || id == PID || id == DUMP || id == LOG_FORMAT || id == LOG_START;
}

static const char *take(void *options, int id, const char *value)
{
    static const char *const samples[] = {"auto", "cpu-time", "execution", NULL};
    static const char *const jvm[] = {"separate", "unattributed", "spread", NULL};
    static const char *const hidden[] = {"keep", "drop", NULL};
    static const char *const of[] = {"busy", "capacity", NULL};
    static const char *const weights[] = {"energy", "cpu", "samples", NULL};
    static const char *const groups[] = {"thread", "class", "package", NULL};
    static const char *const dumps[] = {"chunks", "metadata", "events", "align", NULL};
    static const char a_time[] = "a date and time, Unix seconds, or +5s or -5s";
    struct options *o = options;
    int64_t number = 0;
    int choice = 0;
    if (o->analysis_option == NULL && needs_analysis(id, value))
        o->analysis_option = opts_name(table, id);
    switch (id) {
    case OUTPUT:
        o->output = value;
        return value[0] != '\0' ? NULL : "a folder";
    case FILTER:
        add_words(&o->prefixes, value);
        return NULL;
    case FORMAT:
        add_words(&o->formats, value);
        return check_formats(&o->formats);
    case WEIGHT:
        choice = opts_choose(value, weights);
        o->weight = (enum report_weight)choice;
        return choice >= 0 ? NULL : "energy, cpu or samples";
    case GROUP:
        choice = opts_choose(value, groups);
        if (choice == 0)
            o->energy.by_thread = true;
        else
            o->view.group = choice == 1 ? GROUP_CLASS : GROUP_PACKAGE;
        return choice >= 0 ? NULL : "thread, class or package";
    case INCLUDE:
        o->view.include = value;
        return NULL;
    case EXCLUDE:
        o->view.exclude = value;
        return NULL;
    case LINES:
        o->collect.lines = true;
        return NULL;
    case TOP:
        if (!text_to_i64(value, strlen(value), &number) || number < 0 || number > 1000000)
            return "a number from 0 to 1000000";
        o->top = (size_t)number;
        return NULL;
    case FROM_REPORT:
        o->from_report = value;
        return NULL;
    case BATCH:
        o->batch = value;
        return value[0] != '\0' ? NULL : "a folder";
    case CONFIG:
        o->config = value;
        return NULL;
    case LOG_FORMAT:
        o->log_format = power_format_named(value);
        return o->log_format != NULL ? NULL : "joular, csv, energibridge, scaphandre, turbostat or perf";
    case LOG_START:
        return wall_time(value, &o->log_start_ns) ? NULL : "a date and time, or Unix seconds";
    case IDLE:
        return watts(value, &o->idle_w) ? NULL : "watts from 0 to 1e9";
    case MAX:
        return watts(value, &o->max_w) ? NULL : "watts from 0 to 1e9";
    case FROM:
        return time_bound(value, &o->energy.from) ? NULL : a_time;
    case TO:
        return time_bound(value, &o->energy.to) ? NULL : a_time;
    case DUMP:
        choice = opts_choose(value, dumps);
        o->dump = (enum dump_what)(choice + 1);
        return choice >= 0 ? NULL : "chunks, metadata, events or align";
    case STATS:
        o->stats = o->collect.count_events = true;
        return NULL;
    case SAMPLES:
        choice = opts_choose(value, samples);
        o->energy.samples = (enum model_samples)choice;
        return choice >= 0 ? NULL : "auto, cpu-time or execution";
    case JVM_THREADS:
        choice = opts_choose(value, jvm);
        o->energy.jvm_threads = (enum model_jvm_threads)choice;
        return choice >= 0 ? NULL : "separate, unattributed or spread";
    case HIDDEN:
        choice = opts_choose(value, hidden);
        o->collect.drop_hidden_frames = choice == 1;
        return choice >= 0 ? NULL : "keep or drop";
    case SHARE:
        return fraction(value, &o->energy.process_share) ? NULL : "a number from 0 to 1";
    case SHARE_OF:
        choice = opts_choose(value, of);
        o->energy.share_of_capacity = choice == 1;
        return choice >= 0 ? NULL : "busy or capacity";
    case BASELINE:
        o->energy.baseline_from_log = strcmp(value, "log") == 0;
        o->energy.baseline_w = NAN;
        if (o->energy.baseline_from_log || watts(value, &o->energy.baseline_w))
            return NULL;
        return "watts from 0 to 1e9, or log";
    case PID:
        return text_to_i64(value, strlen(value), &o->energy.pid) && o->energy.pid > 0 ? NULL : "a process id";
    case JOBS:
        if (!text_to_i64(value, strlen(value), &number) || number < 1 || number > 256)
            return "a number from 1 to 256";
        o->collect.jobs = (unsigned)number;
        return NULL;
    case MAX_MEMORY:
        return opts_take_size(value, &o->max_memory);
    case APPEND:
        o->append = true;
        return NULL;
    case STRICT:
        o->strict = true;
        return NULL;
    case QUIET:
        o->quiet = true;
        return NULL;
    case VERBOSE:
        o->verbose = true;
        return NULL;
    default:
        return NULL;
    }
}

static const struct opts_tool tool = {
    .name = PROGRAM,
    .table = table,
    .help = print_help,
    .usage_status = 2,
    .take = take,
};

/* Why the options cannot be used together with --batch; NULL if they can. */
static const char *batch_contradiction(const struct options *o)
{
    return o->operand_count != 0     ? "--batch takes the place of recordings and power log"
           : o->from_report != NULL  ? "--batch and --from-report exclude each other"
           : o->dump != DUMP_NOTHING ? "--batch and --dump exclude each other"
           : o->append               ? "--batch and --append exclude each other"
           : o->stats                ? "--batch and --stats exclude each other"
                                     : NULL;
}

/* Why the options cannot be used together; NULL if they can. */
static const char *contradiction(const struct options *o)
{
    static char words[200];
    if (isnan(o->idle_w) != isnan(o->max_w))
        return "--idle-watts and --max-watts belong together";
    if (o->idle_w > o->max_w)
        return "--idle-watts is above --max-watts";
    if (!isnan(o->idle_w) && (o->log_format != NULL || o->log_start_ns != POWER_NO_START))
        return "--log-format and --log-start are of a power log, whose place --idle-watts takes";
    if (o->from_report != NULL && o->operand_count != 0)
        return "--from-report takes the place of recordings and power log";
    if (o->from_report != NULL && o->analysis_option != NULL) {
        snprintf(words, sizeof words,
                 "--%s needs the recording and the power log: --from-report only writes anew what was found",
                 o->analysis_option);
        return words;
    }
    const char *wrong = o->batch != NULL ? batch_contradiction(o) : NULL;
    if (wrong == NULL && o->from_report == NULL && o->batch == NULL && o->operand_count == 0)
        wrong = "name a recording and a power log";
    return wrong;
}

int options_read(struct options *options, int argc, char **argv)
{
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    *options = (struct options){
        .energy = {.process_share = NAN, .baseline_w = NAN},
        .collect = {.jobs = cpus > 0 && cpus <= 256 ? (unsigned)cpus : 1, .drop_pages = inputs_drop_pages},
        .top = 10,
        .log_start_ns = POWER_NO_START,
        .idle_w = NAN,
        .max_w = NAN,
    };
    int end = opts_read(&tool, argc, argv, options);
    options->operands = argv + optind;
    options->operand_count = argc - optind;
    const char *wrong = end == 0 ? contradiction(options) : NULL;
    return wrong != NULL ? opts_wrong(&tool, wrong) : end;
}

enum status options_configure(struct options *options, struct error *err)
{
    struct file_bytes file = {0};
    struct properties properties = {0};
    enum status status = STATUS_OK;
    if (options->config != NULL) {
        status = file_read(options->config, &file, err);
        if (status == STATUS_OK)
            status = properties_read(file.bytes, file.length, &properties, err);
        error_in_file(err, options->config);
        const struct property *prefixes = properties_find(&properties, "methods-filtering-prefix");
        const struct property *output = properties_find(&properties, "results-path");
        if (prefixes != NULL && options->prefixes.n == 0)
            add_words(&options->prefixes, prefixes->value);
        if (output != NULL && options->output == NULL && output->value[0] != '\0')
            options->output = options->configured_output = mem_strdup(output->value);
        properties_free(&properties);
        file_release(&file);
    }
    if (options->output == NULL)
        options->output = "joular-results";
    if (options->formats.n == 0)
        add_words(&options->formats, "csv,json,html");
    return status;
}

void options_free(struct options *options)
{
    free(options->configured_output);
    word_list_free(&options->prefixes);
    word_list_free(&options->formats);
}
