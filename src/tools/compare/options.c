/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "comparetool.h"

#include "joular/text.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>

enum {
    VS = 1,
    EXACT,
    PER,
    UNITS,
    CONFIDENCE,
    SAME,
    TOP,
    MAX_MEMORY,
    JSON_FILE,
    CSV_FILE,
    HTML_FILE,
    FAIL_ABOVE,
    FAIL_ON,
    MERGE,
    QUIET
};

static const struct opt table[] = {
    {VS, 0, "vs", NULL, "what stands behind it is new, what stands before it the base"},
    {EXACT, 0, "exact-names", NULL,
     "do not make names equal that change from run to run\n(lambdas, proxies, accessors)"},
    {PER, 0, "per", "run|second|cpu-second",
     "energy per run (default), per second, or per second of\nthe process's CPU time"},
    {UNITS, 0, "units", "base=N,new=N", "energy per unit of work: each run did N of them"},
    {CONFIDENCE, 0, "confidence", "PERCENT", "of intervals, verdicts and the gate (default: 95)"},
    {SAME, 0, "same-within", "PERCENT", "\"same\" is what surely differs by less (default: 5)"},
    OPT_MAX_MEMORY_ROW(MAX_MEMORY),
    {TOP, 0, "top", "N|all", "judge the N methods and branches with the most energy\n(default: 20)"},
    {JSON_FILE, 0, "json", "FILE", "write the comparison as JSON; - is stdout, in place of\nthe table"},
    {CSV_FILE, 0, "csv", "FILE", "the same as CSV"},
    {HTML_FILE, 0, "html", "FILE", "two sides as a flame graph of what became more and less"},
    {FAIL_ABOVE, 0, "fail-above", "PERCENT", "end with 3 where the energy certainly grew by more"},
    {FAIL_ON, 0, "fail-on", "process|method:PREFIX",
     "whose energy --fail-above looks at: the process's\n(default), or that of methods whose names begin so,\nwith "
     "what "
     "they called; repeatable"},
    {MERGE, 0, "merge", "DIR", "compare nothing: write the runs as one result, DIR/report.json"},
    {QUIET, 'q', "quiet", NULL, "no table, errors only"},
    OPT_LAST_ROWS,
};

static void print_help(void)
{
    fputs(
        "Usage: " PROGRAM " [OPTIONS] BASE... --vs NEW...\n"
        "       " PROGRAM " [OPTIONS] RUN...\n"
        "       " PROGRAM " --merge DIR RUN...\n"
        "Says what became more, what less, and how sure that is; of one set of runs, how far they scatter.\n\n"
        "A run is a report.json, a result folder with one, RECORDING:POWERLOG, or a folder with run.jfr and power.log\n"
        "(joular-record --runs), which joular-analyze is run for.\n\n",
        stdout);
    opts_help(table, stdout);
#ifdef HAVE_GSL
    fputs("\nBuilt with GSL.", stdout);
#else
    fputs("\nBuilt without GSL: does not look for drift over the runs of one set.", stdout);
#endif
    fputs("\nExit status: 0 done, 1 input that cannot be used, 2 usage, 3 --fail-above.\n", stdout);
}

static bool percent(const char *text, double *share)
{
    size_t length = strlen(text);
    if (length != 0 && text[length - 1] == '%')
        length--;
    if (!text_to_double(text, length, share) || *share < 0)
        return false;
    *share /= 100;
    return true;
}

/* "base=1000,new=1200", in either order; "new=" may be missing, as for runs of one side. */
static bool units(const char *text, double values[SIDES])
{
    static const char *const names[SIDES] = {"base=", "new="};
    values[SIDE_BASE] = values[SIDE_NEW] = NAN;
    while (*text != '\0') {
        size_t length = strcspn(text, ",");
        int side = strncmp(text, names[SIDE_BASE], 5) == 0 ? SIDE_BASE : SIDE_NEW;
        size_t skip = strlen(names[side]);
        if (strncmp(text, names[side], skip) != 0 || length < skip || !isnan(values[side]) ||
            !text_to_double(text + skip, length - skip, &values[side]) || !(values[side] > 0))
            return false;
        text += length + (text[length] == ',');
    }
    return !isnan(values[SIDE_BASE]);
}

/* The command line, which --vs divides into two parts. */
struct command_line {
    struct options *options;
    bool has_per, has_units, compares;
};

static const char *take(void *context, int id, const char *value)
{
    static const char *const pers[] = {"run", "second", "cpu-second", NULL};
    struct command_line *line = context;
    struct options *o = line->options;
    int64_t number = 0;
    int choice = 0;
    line->has_per |= id == PER;
    line->has_units |= id == UNITS;
    line->compares |= id != MERGE && id != QUIET && id != MAX_MEMORY;
    switch (id) {
    case VS:
        return "is there more than once: two sides are compared";
    case EXACT:
        o->compare.exact_names = true;
        return NULL;
    case PER:
        choice = opts_choose(value, pers);
        o->compare.per = (enum compare_per)choice;
        return choice >= 0 ? NULL : "run, second or cpu-second";
    case UNITS:
        return units(value, o->compare.units) ? NULL : "base=N,new=N with numbers above 0";
    case CONFIDENCE:
        return percent(value, &o->compare.confidence) && o->compare.confidence >= 0.5 && o->compare.confidence < 1
                   ? NULL
                   : "a percentage from 50 to below 100";
    case SAME:
        return percent(value, &o->compare.same_within) ? NULL : "a percentage of at least 0";
    case MAX_MEMORY:
        return opts_take_size(value, &o->max_memory);
    case TOP:
        o->compare.top = COMPARE_ALL;
        if (strcmp(value, "all") == 0)
            return NULL;
        o->compare.top = text_to_i64(value, strlen(value), &number) && number > 0 ? (size_t)number : 0;
        return number > 0 ? NULL : "a number above 0, or all";
    case JSON_FILE:
        o->outputs[OUTPUT_JSON] = value;
        return value[0] != '\0' ? NULL : "a file";
    case CSV_FILE:
        o->outputs[OUTPUT_CSV] = value;
        return value[0] != '\0' ? NULL : "a file";
    case HTML_FILE:
        o->outputs[OUTPUT_HTML] = value;
        o->compare.tree = true;
        return value[0] != '\0' ? NULL : "a file";
    case FAIL_ABOVE:
        return percent(value, &o->compare.fail_above) ? NULL : "a percentage of at least 0";
    case FAIL_ON:
        vec_push(&o->fail_on, mem_strdup(value));
        return strcmp(value, "process") == 0 || (strncmp(value, "method:", 7) == 0 && value[7] != '\0')
                   ? NULL
                   : "process or method:PREFIX";
    case MERGE:
        o->merge = value;
        return value[0] != '\0' ? NULL : "a folder";
    case QUIET:
        o->quiet = true;
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

static int read_part(struct command_line *line, int argc, char **argv, enum compare_side side)
{
    int end = opts_read(&tool, argc, argv, line);
    for (int i = optind; i < argc && end == 0; i++)
        vec_push(&line->options->operands[side], mem_strdup(argv[i]));
    return end;
}

static int by_name(const void *left, const void *right)
{
    char *const *a = left, *const *b = right;
    return strcmp(*a, *b);
}

static const char *contradiction(const struct command_line *line)
{
    const struct options *o = line->options;
    size_t to_stdout = 0;
    for (int form = 0; form < OUTPUT_FORMS; form++)
        to_stdout += o->outputs[form] != NULL && strcmp(o->outputs[form], "-") == 0;
    if (o->merge != NULL && (line->compares || o->two_sides))
        return "--merge compares nothing: only -q and --max-memory can stand beside it";
    if (o->merge != NULL && o->operands[SIDE_BASE].n == 0)
        return "--merge: name the runs behind the folder";
    if (o->operands[SIDE_BASE].n == 0)
        return o->two_sides ? "name a run before --vs" : "name the runs: BASE... --vs NEW..., or RUN...";
    if (o->two_sides && o->operands[SIDE_NEW].n == 0)
        return "name a run behind --vs";
    if (line->has_per && line->has_units)
        return "--per and --units exclude each other";
    if (line->has_units && o->two_sides && isnan(o->compare.units[SIDE_NEW]))
        return "--units: say how many the new runs did too: base=N,new=N";
    if (!isnan(o->compare.fail_above) && !o->two_sides)
        return "--fail-above needs two sides: BASE... --vs NEW...";
    if (o->outputs[OUTPUT_HTML] != NULL && !o->two_sides)
        return "--html needs two sides: BASE... --vs NEW...";
    if (o->fail_on.n != 0 && isnan(o->compare.fail_above))
        return "--fail-on needs --fail-above";
    if (to_stdout > 1)
        return "only one file can be stdout";
    return NULL;
}

int options_read(struct options *options, int argc, char **argv)
{
    struct command_line line = {.options = options};
    int vs = 1, end;
    *options = (struct options){
        .compare = {.confidence = 0.95, .same_within = 0.05, .top = 20, .fail_above = NAN, .units = {NAN, NAN}},
    };
    while (vs < argc && strcmp(argv[vs], "--vs") != 0)
        vs++;
    options->two_sides = vs < argc;
    end = read_part(&line, vs, argv, SIDE_BASE);
    if (end == 0 && options->two_sides)
        end = read_part(&line, argc - vs, argv + vs, SIDE_NEW);
    if (line.has_units)
        options->compare.per = PER_UNIT;
    options->compare.fail_on = (const char *const *)options->fail_on.v;
    options->compare.fail_on_count = options->fail_on.n;
    for (int side = 0; side < SIDES; side++)
        if (options->operands[side].n != 0)
            qsort(options->operands[side].v, options->operands[side].n, sizeof(char *), by_name);
    const char *wrong = end == 0 ? contradiction(&line) : NULL;
    return wrong != NULL ? opts_wrong(&tool, wrong) : end;
}

void options_free(struct options *options)
{
    word_list_free(&options->operands[SIDE_BASE]);
    word_list_free(&options->operands[SIDE_NEW]);
    word_list_free(&options->fail_on);
}
