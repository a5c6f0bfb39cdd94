/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command-line options from one table, which is also the source of --help, of the test of the manuals and of the
 * shells' completions. */
#ifndef JOULAR_OPTS_H
#define JOULAR_OPTS_H

#include "joular/mem.h"

#include <stdio.h>

struct opt {
    int id;               /* what opts_next returns; above 0 */
    char letter;          /* short form, or 0 for none */
    const char *name;     /* without the dashes */
    const char *argument; /* its name in the help; NULL if the option takes none. "[=FILE]" may be left out (long
                           * options only). Shells complete FILE, DIR, PID, USER, and words in lower case with | between
                           * them (packaging/completions.awk); "[,...]" after them means a list of these */
    const char *help;     /* "\n" begins a new line, indented like the first */
};

/* The rows at the end of every table; no other row has their ids. */
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
    const char *name; /* in messages: "joular-analyze" */
    const struct opt *table;
    void (*help)(void); /* prints the help to stdout */
    int usage_status;   /* exit status after a usage error */
    bool in_order;      /* options end at the first operand */
    /* Called for each option but OPT_HELP and OPT_VERSION. VALUE is NULL if the option has none. Returns NULL if all is
     * well. Else it returns what VALUE should be ("a file"), or, for an option without a value, what is wrong with it.
     */
    const char *(*take)(void *context, int id, const char *value);
};
/* Reads all options; the operands are then at argv[optind] and after it. Returns 0 if the program should go on, else
 * its exit status plus one: 1 after --help and --version, USAGE_STATUS + 1 after an error, which is printed. */
int opts_read(const struct opts_tool *tool, int argc, char **argv, void *context);
/* Prints a usage error: WORDS, and how to get help. Returns USAGE_STATUS + 1. */
int opts_wrong(const struct opts_tool *tool, const char *words);
const char *opts_name(const struct opt *table,
                      int id); /* name of the option ID, which is in TABLE; without the dashes */

/* ---- For take ---- */

/* The position of VALUE in CHOICES, which end with NULL; -1 if it is not among them. */
int opts_choose(const char *value, const char *const *choices);
const char *opts_take_size(const char *value, uint64_t *bytes); /* "512M"; returns what take returns */

/* Values of an option that may be given more than once. */
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
/* Returns the id of the next option and sets *ARGUMENT to its value; 0 at the end, when optind is the first operand; -1
 * for an error, with a description in WORDS. */
int opts_next(struct opts *opts, const char **argument, char *words, size_t size);
void opts_help(const struct opt *table, FILE *out);

#endif
