#include "joular/opts.h"
#include "joular/mem.h"
#include "joular/status.h"

#include <getopt.h>
#include <string.h>

struct opts {
    const struct opt *table;
    int argc;
    char **argv;
    struct option *longs;
    char *shorts;
};

struct opts *opts_new(const struct opt *table, int argc, char **argv, int in_order)
{
    size_t count = 0, used = 0;
    while (table[count].name != NULL)
        count++;
    struct opts *opts = mem_zero(1, sizeof *opts);
    *opts = (struct opts){table, argc, argv, mem_zero(count + 1, sizeof *opts->longs), mem_zero(count * 2 + 3, 1)};
    if (in_order)
        opts->shorts[used++] = '+';
    opts->shorts[used++] = ':';
    for (size_t i = 0; i < count; i++) {
        int has = table[i].argument == NULL     ? no_argument
                  : table[i].argument[0] == '[' ? optional_argument
                                                : required_argument;
        opts->longs[i] = (struct option){table[i].name, has, NULL, 256 + (int)i};
        if (table[i].letter != 0) {
            opts->shorts[used++] = table[i].letter;
            if (table[i].argument != NULL)
                opts->shorts[used++] = ':';
        }
    }
    opterr = 0;
    optind = 0; /* glibc and musl: begin afresh, whatever an earlier table has left */
    return opts;
}

void opts_free(struct opts *opts)
{
    free(opts->longs);
    free(opts->shorts);
    free(opts);
}

static void say_wrong(const struct opts *opts, const char *what, char *words, size_t size)
{
    char letter[3] = {'-', (char)optopt, '\0'}, shown[200];
    const char *culprit = optopt > 0 && optopt < 256 ? letter : opts->argv[optind - 1];
    text_printable(shown, sizeof shown, culprit, strlen(culprit));
    snprintf(words, size, "%s: %s", shown, what);
}

int opts_next(struct opts *opts, const char **argument, char *words, size_t size)
{
    int code = getopt_long(opts->argc, opts->argv, opts->shorts, opts->longs, NULL);
    *argument = optarg;
    if (code == -1)
        return 0;
    if (code == ':') {
        say_wrong(opts, "the option needs a value", words, size);
        return -1;
    }
    if (code == '?') {
        say_wrong(opts, optopt >= 256 ? "the option takes no value" : "no such option, or one of several", words, size);
        return -1;
    }
    if (code >= 256)
        return opts->table[code - 256].id;
    for (size_t i = 0; opts->table[i].name != NULL; i++)
        if (opts->table[i].letter == code)
            return opts->table[i].id;
    return -1;
}

void opts_help(const struct opt *table, FILE *out)
{
    for (; table->name != NULL; table++) {
        char left[120];
        const char *help = table->help;
        int length = snprintf(left, sizeof left, "  %c%c%s --%s%s%s", table->letter != 0 ? '-' : ' ',
                              table->letter != 0 ? table->letter : ' ', table->letter != 0 ? "," : " ", table->name,
                              table->argument != NULL && table->argument[0] != '[' ? " " : "",
                              table->argument != NULL ? table->argument : "");
        fputs(left, out);
        if (length >= 34) {
            fputc('\n', out);
            length = 0;
        }
        for (;;) {
            size_t line = strcspn(help, "\n");
            fprintf(out, "%*s%.*s\n", 34 - length, "", (int)line, help);
            if (help[line] == '\0')
                break;
            help += line + 1;
            length = 0;
        }
    }
}
