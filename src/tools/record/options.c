/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record.h"

#include "joular/file.h"
#include "joular/opts.h"
#include "joular/properties.h"
#include "joular/text.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    SOURCE = 1,
    POWERCAP,
    RINGBUFFER,
    VM_FILE,
    VM_FORMAT,
    IDLE_WATTS,
    MAX_WATTS,
    PROC,
    THREADS,
    PID,
    OUTPUT,
    INTERVAL,
    DURATION,
    CONFIG,
    USER,
    REQUIRE_POWER,
    JFR,
    THROTTLE,
    DRY_RUN,
    RUNS,
    WARMUP,
    BASELINE,
    JSON,
    PROMETHEUS,
    DOCTOR,
    QUIET,
    VERBOSE,
    OPTION_COUNT
};

static const struct opt options_table[] = {
    {OUTPUT, 'o', "output", "FILE", "the power log (default: power.log); .zst compresses it"},
    {INTERVAL, 'i', "interval", "MS", "length of a cycle, 100 to 10000 (default: 1000)"},
    {DURATION, 'd', "duration", "SECONDS", "end the measurement then, not the program"},
    {PID, 'p', "pid", "PID", "watch a process that runs already, and end with it"},
    {SOURCE, 's', "source", "auto|rapl|ringbuffer|vm|estimate",
     "where the power comes from (default: auto, RAPL where\nthere is any, else the ring buffer)"},
    {POWERCAP, 0, "powercap", "DIR", "of rapl (default: /sys/class/powercap)"},
    {RINGBUFFER, 0, "ringbuffer", "FILE", "PowerJoular's (default: /dev/shm/powerjoular)"},
    {VM_FILE, 0, "vm-file", "FILE", "the file that the host of a virtual machine writes"},
    {VM_FORMAT, 0, "vm-format", "powerjoular|watts", "what is in it (default: powerjoular)"},
    {IDLE_WATTS, 0, "idle-watts", "W", "of estimate: power of an idle machine"},
    {MAX_WATTS, 0, "max-watts", "W", "of estimate: power of a machine with all CPUs busy"},
    {REQUIRE_POWER, 0, "require-power", NULL, "do not start the program where there is no power to read"},
    {THREADS, 0, "threads", "auto|all|none", "whose threads are logged (default: auto, those of JVMs)"},
    {PROC, 0, "proc", "DIR", "the proc file system (default: /proc)"},
    {JFR, 0, "jfr", "[=FILE]", "make a JFR recording too (default: run.jfr)"},
    {THROTTLE, 0, "throttle", "PERIOD|RATE", "how often it samples: 10ms (default), 500/s (JDK 25)"},
    {DRY_RUN, 0, "dry-run", NULL, "print the command that would be run, and end"},
    {USER, 0, "user", "USER", "run the program as USER, who gets the files too"},
    {RUNS, 0, "runs", "N", "run the program N times; results in run-1/, run-2/, ..."},
    {WARMUP, 0, "warmup", "N", "run it N times before that, unmeasured"},
    {BASELINE, 0, "baseline", "SECONDS", "measure the idle power first"},
    {JSON, 0, "json", "FILE", "write the results of the runs as JSON too"},
    {PROMETHEUS, 0, "prometheus", "FILE",
     "keep FILE up to date for the node exporter: joules and watts\nof the machine and of JVMs"},
    {CONFIG, 'c', "config", "FILE", "the agent's properties; options count for more"},
    {DOCTOR, 0, "doctor", NULL, "say what can be measured here, and how to mend the rest"},
    {QUIET, 'q', "quiet", NULL, "print errors only"},
    {VERBOSE, 'v', "verbose", NULL, "say more"},
    OPT_LAST_ROWS,
};

static void print_help(void)
{
    fputs(
        "Usage: " PROGRAM " [OPTIONS] [--] COMMAND [ARG...]\n"
        "       " PROGRAM " [OPTIONS] -p PID\n"
        "       " PROGRAM " [OPTIONS]\n"
        "Runs COMMAND untouched, and logs the power of the CPUs, the load of the machine and the CPU time of the\n"
        "command's processes and threads, for joular-analyze. Without a command: a process that runs, or the machine\n"
        "alone until a signal.\n\n",
        stdout);
    opts_help(options_table, stdout);
    fputs("\nExit status: the command's (128+n for signal n); 125 what joular-record itself could not do,\n"
          "126 a command that cannot be executed, 127 one that is not found.\n",
          stdout);
}

static bool number_in(const char *value, double low, double high, double *number)
{
    return text_to_double(value, strlen(value), number) && *number >= low && *number <= high;
}

static bool count_in(const char *value, int64_t low, int64_t high, int64_t *number)
{
    return text_to_i64(value, strlen(value), number) && *number >= low && *number <= high;
}

static const char *take_number(struct options *o, int id, const char *value)
{
    switch (id) {
    case IDLE_WATTS:
        return number_in(value, 0, 1e6, &o->source.idle_w) ? NULL : "watts of at least 0";
    case MAX_WATTS:
        return number_in(value, 0, 1e6, &o->source.max_w) && o->source.max_w > 0 ? NULL : "watts above 0";
    case INTERVAL:
        return count_in(value, 100, 10000, &o->interval_ms) ? NULL : "a number of milliseconds from 100 to 10000";
    case DURATION:
        return number_in(value, 0, 1e9, &o->duration_s) && o->duration_s > 0 ? NULL : "seconds above 0";
    case BASELINE:
        return number_in(value, 0, 86400, &o->baseline_s) && o->baseline_s > 0 ? NULL : "seconds above 0";
    case PID:
        return count_in(value, 1, INT32_MAX, &o->pid) ? NULL : "a process id";
    case RUNS:
        return count_in(value, 1, 10000, &o->runs) ? NULL : "a number from 1 to 10000";
    default:
        return count_in(value, 0, 10000, &o->warmup) ? NULL : "a number from 0 to 10000";
    }
}

static const char *take_text(struct options *o, int id, const char *value)
{
    const char **where = id == POWERCAP     ? &o->source.powercap
                         : id == RINGBUFFER ? &o->source.ringbuffer
                         : id == VM_FILE    ? &o->source.vm_file
                         : id == PROC       ? &o->proc
                         : id == OUTPUT     ? &o->output
                         : id == CONFIG     ? &o->config
                         : id == USER       ? &o->user
                         : id == JSON       ? &o->json
                                            : &o->prometheus;
    *where = value;
    if (id == PROMETHEUS && value[0] != '\0' && value[strlen(value) - 1] == '/')
        return "a file";
    return value[0] != '\0' ? NULL : id == USER ? "a user's name" : "a path";
}

static void take_flag(struct options *o, int id)
{
    o->require_power |= id == REQUIRE_POWER;
    o->dry_run |= id == DRY_RUN;
    o->doctor |= id == DOCTOR;
    o->quiet |= id == QUIET;
    o->verbose |= id == VERBOSE;
}

/* NULL if the value is valid, else a description of what it should be. */
static const char *take(struct options *o, int id, const char *value)
{
    static const char *const sources[] = {"auto", "rapl", "ringbuffer", "vm", "estimate", NULL};
    static const char *const formats[] = {"powerjoular", "watts", NULL};
    static const char *const threads[] = {"auto", "all", "none", NULL};
    int choice;
    switch (id) {
    case SOURCE:
        o->source_name = value;
        return opts_choose(value, sources) >= 0 ? NULL : "auto, rapl, ringbuffer, vm or estimate";
    case VM_FORMAT:
        choice = opts_choose(value, formats);
        o->source.vm_watts = choice == 1;
        return choice >= 0 ? NULL : "powerjoular or watts";
    case THREADS:
        choice = opts_choose(value, threads);
        o->threads = (enum proc_threads)choice;
        return choice >= 0 ? NULL : "auto, all or none";
    case JFR:
        o->jfr = true;
        o->recording = value;
        return value == NULL || value[0] != '\0' ? NULL : "a file";
    case THROTTLE:
        o->throttle = value;
        return jfc_is_period(value) || jfc_is_rate(value) ? NULL : "a period such as 10ms, or a rate such as 500/s";
    case IDLE_WATTS:
    case MAX_WATTS:
    case INTERVAL:
    case DURATION:
    case BASELINE:
    case PID:
    case RUNS:
    case WARMUP:
        return take_number(o, id, value);
    case POWERCAP:
    case RINGBUFFER:
    case VM_FILE:
    case PROC:
    case OUTPUT:
    case CONFIG:
    case USER:
    case JSON:
    case PROMETHEUS:
        return take_text(o, id, value);
    default:
        take_flag(o, id);
        return NULL;
    }
}

struct command_line {
    struct options *options;
    bool given[OPTION_COUNT]; /* by id: the option is on the command line */
};

static const char *take_given(void *context, int id, const char *value)
{
    struct command_line *line = context;
    line->given[id] = true;
    return take(line->options, id, value);
}

static const struct opts_tool tool = {
    .name = PROGRAM,
    .table = options_table,
    .help = print_help,
    .usage_status = EXIT_OURS,
    .in_order = true,
    .take = take_given,
};

/* Reads those of the agent's properties that have a meaning here. Options on the command line take precedence; an empty
 * value means the default. */
static int read_config(struct options *o, const bool *given)
{
    static const struct {
        const char *key;
        int id;
    } keys[5] = {{"power-source-type", SOURCE},
                 {"powerjoular-ringbuffer-path", RINGBUFFER},
                 {"vm-power-file", VM_FILE},
                 {"vm-power-format", VM_FORMAT},
                 {"stack-monitoring-sample-rate", THROTTLE}};
    struct file_bytes file;
    struct properties properties = {0};
    struct error err = {0};
    char words[1400];
    int end = 0;
    if (file_read(o->config, &file, &err) != STATUS_OK)
        return opts_wrong(&tool, error_words(&err, words, sizeof words));
    if (properties_read(file.bytes, file.length, &properties, &err) != STATUS_OK) {
        error_in_file(&err, o->config);
        end = opts_wrong(&tool, error_words(&err, words, sizeof words));
    }
    for (size_t i = 0; end == 0 && i < 5; i++) {
        const struct property *property = properties_find(&properties, keys[i].key);
        int64_t ms = 0;
        if (property == NULL || property->value[0] == '\0' || given[keys[i].id])
            continue;
        o->from_config[i] = mem_zero(strlen(property->value) + 3, 1);
        sprintf(o->from_config[i], "%s%s", property->value, keys[i].id == THROTTLE ? "ms" : "");
        const char *wanted = take(o, keys[i].id, o->from_config[i]);
        if (keys[i].id == THROTTLE && !count_in(property->value, 1, 1000, &ms))
            wanted = "a number of milliseconds from 1 to 1000";
        if (wanted != NULL) {
            snprintf(words, sizeof words, "\"%s\" is not %s", property->value, wanted);
            error_set(&err, STATUS_INVALID, "%s: %s", keys[i].key, words);
            error_on_line(&err, property->line);
            error_in_file(&err, o->config);
            end = opts_wrong(&tool, error_words(&err, words, sizeof words));
        }
    }
    properties_free(&properties);
    file_release(&file);
    return end;
}

/* NULL if the options can be used together, else why not. */
static const char *check_together(const struct options *o, const bool *given)
{
    bool command = o->command[0] != NULL;
    if (o->doctor)
        return NULL;
    if (command && o->pid != 0)
        return "-p and a command do not go together";
    if (!command && (given[RUNS] || given[WARMUP]))
        return "--runs and --warmup need a command";
    if (!command && o->dry_run)
        return "--dry-run needs a command";
    if (!command && o->jfr && o->pid == 0)
        return "--jfr needs a command, or a JVM that runs (-p)";
    if (o->runs > 1 && o->duration_s > 0)
        return "--runs and --duration do not go together: a run ends with its program";
    if (given[THROTTLE] && !o->jfr)
        return "--throttle is for --jfr";
    if ((given[IDLE_WATTS] || given[MAX_WATTS]) && strcmp(o->source_name, "estimate") != 0)
        return "--idle-watts and --max-watts are of --source estimate, which is not chosen: add -s estimate";
    if ((given[VM_FILE] || given[VM_FORMAT]) && strcmp(o->source_name, "vm") != 0)
        return "--vm-file and --vm-format are of --source vm, which is not chosen: add -s vm";
    return NULL;
}

static int finish(struct options *o, const bool *given)
{
    int end = o->config != NULL ? read_config(o, given) : 0;
    const char *wrong = end == 0 ? check_together(o, given) : NULL;
    o->source.interval_ns = o->interval_ms * 1000000;
    o->source.proc = o->proc;
    return wrong != NULL ? opts_wrong(&tool, wrong) : end;
}

int options_read(struct options *options, int argc, char **argv)
{
    struct command_line line = {.options = options};
    *options = (struct options){
        .source = {.powercap = "/sys/class/powercap",
                   .ringbuffer = "/dev/shm/powerjoular",
                   .idle_w = NAN,
                   .max_w = NAN},
        .source_name = "auto",
        .proc = "/proc",
        .output = "power.log",
        .interval_ms = 1000,
        .runs = 1,
        .throttle = "10ms",
    };
    int end = opts_read(&tool, argc, argv, &line);
    options->command = argv + optind;
    return end != 0 ? end : finish(options, line.given);
}

void options_free(struct options *options)
{
    for (size_t i = 0; i < 5; i++)
        free(options->from_config[i]);
}
