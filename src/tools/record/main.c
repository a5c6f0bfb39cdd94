/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record.h"

#include "joular/leave.h"

#include <errno.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    struct options options;
    leave_prepare(PROGRAM, EXIT_OURS);
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
