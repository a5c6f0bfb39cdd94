/* joular-analyze: its options and its inputs. */
#ifndef JOULAR_ANALYZE_H
#define JOULAR_ANALYZE_H

#include "joular/energy.h"
#include "joular/file.h"

#define PROGRAM "joular-analyze"

struct options {
    struct energy_options energy;
    struct energy_collect_options collect;
    const char *output;
    VEC(char *) prefixes;
    bool append, strict, quiet, verbose;
    char **operands;
    int operand_count;
};

/* Reads the command line. Returns 0 to go on, else what the program ends with plus one: 1 (--help, --version) or 3. */
int options_read(struct options *options, int argc, char **argv);
void options_free(struct options *options);

/* The files of the command line, told apart by content. */
struct inputs {
    VEC(struct file_bytes) files;
    VEC(struct energy_input) recordings;
    char *log_name;
    struct power_log log;
    bool has_log;
};
enum status inputs_read(struct inputs *inputs, const struct options *options, struct notices *notices,
                        struct error *err) WARN_UNUSED;
/* For energy_collect_options: gives mapped pages back. OWNER is a struct file_bytes. */
void inputs_drop_pages(void *owner, uint64_t start, uint64_t end);
void inputs_free(struct inputs *inputs);

#endif
