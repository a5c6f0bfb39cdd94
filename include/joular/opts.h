/* Command-line options from one table, which --help, the man page's test and the completions read too. */
#ifndef JOULAR_OPTS_H
#define JOULAR_OPTS_H

#include <stddef.h>
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

struct opts;
/* TABLE ends with a name of NULL. IN_ORDER: options end at the first operand. */
struct opts *opts_new(const struct opt *table, int argc, char **argv, int in_order);
void opts_free(struct opts *opts);
/* Id of the next option, its argument in *ARGUMENT; 0 at the end, when optind is the first operand; -1 for one that is
 * wrong, with WORDS of why. */
int opts_next(struct opts *opts, const char **argument, char *words, size_t size);
void opts_help(const struct opt *table, FILE *out);

#endif
