#include "record.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static void out_of_memory(void)
{
    static const char words[] = PROGRAM ": out of memory\n";
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0)
        _exit(EXIT_OURS);
    _exit(EXIT_OURS);
}

int main(int argc, char **argv)
{
    struct options options;
    mem_set_handler(out_of_memory);
    int end = options_read(&options, argc, argv);
    int status = end - 1;
    if (end == 0) {
        say_set(options.quiet, options.verbose);
        status = options.doctor ? doctor(&options) : record_all(&options);
    }
    options_free(&options);
    if (fflush(stdout) != 0 || fclose(stdout) != 0) {
        say(SAY_ERROR, "standard output: %s", strerror(errno));
        status = status != 0 ? status : EXIT_OURS;
    }
    return status;
}
