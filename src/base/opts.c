/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "joular/opts.h"
#include "joular/status.h"
#include "joular/text.h"

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
    optind = 0; /* glibc and musl: start over, also after another table */
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

int opts_wrong(const struct opts_tool *tool, const char *words)
{
    fprintf(stderr, "%s: %s. Try '%s --help'\n", tool->name, words, tool->name);
    return tool->usage_status + 1;
}

const char *opts_name(const struct opt *table, int id)
{
    while (table->id != id)
        table++;
    return table->name;
}

static int wrong_value(const struct opts_tool *tool, int id, const char *value, const char *why)
{
    const char *name = opts_name(tool->table, id);
    char words[512], shown[200];
    if (value == NULL) {
        snprintf(words, sizeof words, "--%s %s", name, why);
    } else {
        text_printable(shown, sizeof shown, value, strlen(value));
        snprintf(words, sizeof words, "--%s: \"%s\" is not %s", name, shown, why);
    }
    return opts_wrong(tool, words);
}

int opts_read(const struct opts_tool *tool, int argc, char **argv, void *context)
{
    char words[512];
    const char *value, *why;
    int id, end = 0;
    struct opts *opts = opts_new(tool->table, argc, argv, tool->in_order);
    while (end == 0 && (id = opts_next(opts, &value, words, sizeof words)) != 0) {
        if (id < 0) {
            end = opts_wrong(tool, words);
        } else if (id == OPT_HELP) {
            tool->help();
            end = 1;
        } else if (id == OPT_VERSION) {
            printf("%s %s\n", tool->name, PACKAGE_VERSION);
            end = 1;
        } else if ((why = tool->take(context, id, value)) != NULL) {
            end = wrong_value(tool, id, value, why);
        }
    }
    opts_free(opts);
    return end;
}

int opts_choose(const char *value, const char *const *choices)
{
    for (int i = 0; choices[i] != NULL; i++)
        if (strcmp(value, choices[i]) == 0)
            return i;
    return -1;
}

const char *opts_take_size(const char *value, uint64_t *bytes)
{
    return text_to_size(value, strlen(value), bytes) ? NULL : "a size, such as 512M or 4G";
}

void word_list_free(struct word_list *words)
{
    for (size_t i = 0; i < words->n; i++)
        free(words->v[i]);
    vec_free(words);
}
