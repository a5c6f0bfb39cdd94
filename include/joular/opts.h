/* Command-line options from one table, which --help, the man page's test and the completions read too. */
#ifndef JOULAR_OPTS_H
#define JOULAR_OPTS_H

#include "joular/mem.h"

#include <stdio.h>

struct opt {
    int id;               /* what opts_next returns; above 0 */
    char letter;          /* or 0 */
    const char *name;     /* without the dashes */
    const char *argument; /* its name in the help, or NULL: takes none; "[=FILE]" may be left out (long options only).
                           * FILE, DIR, PID, USER and words in lower case, with | between, are what a shell completes
                           * (packaging/completions.awk); "[,...]" behind them: a list of such */
    const char *help;     /* "\n" begins a new line below the first */
};

/* The rows that end every table; no other row has these ids. */
enum {
    OPT_HELP = 1000,
    OPT_VERSION
};
#define OPT_LAST_ROWS                                                                                                  \
    {OPT_HELP, 0, "help", NULL, "print this and end"}, {OPT_VERSION, 0, "version", NULL, "print the version and end"}, \
    {                                                                                                                  \
        0, 0, NULL, NULL, NULL                                                                                         \
    }
#define OPT_MAX_MEMORY_ROW(id)                                                                                     \
    {                                                                                                              \
        id, 0, "max-memory", "SIZE", "stop where more would be needed (512M, 4G;\ndefault: half of the machine's)" \
    }

/* A tool's command line. */
struct opts_tool {
    const char *name; /* in what it says: "joular-analyze" */
    const struct opt *table;
    void (*help)(void); /* --help, on stdout */
    int usage_status;   /* of a command line that is wrong */
    bool in_order;      /* options end at the first operand */
    /* Takes an option's VALUE, NULL where it has none; never OPT_HELP or OPT_VERSION. Returns NULL where it is good,
     * else what it should be ("a file"), or of an option without a value what is wrong with it. */
    const char *(*take)(void *context, int id, const char *value);
};
/* Reads all options; operands are at argv[optind] and behind it then. Returns 0 to go on, else what the program ends
 * with plus one: after --help and --version 1, and where something is wrong, which is said, USAGE_STATUS + 1. */
int opts_read(const struct opts_tool *tool, int argc, char **argv, void *context);
/* Says WORDS, and how to get help. Returns USAGE_STATUS + 1. */
int opts_wrong(const struct opts_tool *tool, const char *words);
const char *opts_name(const struct opt *table, int id); /* of an id in TABLE, without the dashes */

/* ---- For take ---- */

/* The place of VALUE in CHOICES, which end with NULL; -1: it is none of them. */
int opts_choose(const char *value, const char *const *choices);
const char *opts_take_size(const char *value, uint64_t *bytes); /* "512M"; returns as take does */

/* Words of options that may be there more than once. */
struct word_list {
    char **v;
    size_t n, cap;
};
void word_list_free(struct word_list *words);

/* ---- One by one ---- */

struct opts;
/* TABLE ends with a name of NULL. IN_ORDER: options end at the first operand. */
struct opts *opts_new(const struct opt *table, int argc, char **argv, int in_order);
void opts_free(struct opts *opts);
/* Id of the next option, its argument in *ARGUMENT; 0 at the end, when optind is the first operand; -1 for one that is
 * wrong, with WORDS of why. */
int opts_next(struct opts *opts, const char **argument, char *words, size_t size);
void opts_help(const struct opt *table, FILE *out);

#endif
