/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-seeds FOLDER: the recordings of recording.c as files, one for each way to write and to analyse them. */
#include "../unit/jfr_build.h"
#include "fuzz.h"

const char *const fuzz_name = "seeds";

int main(int argc, char **argv)
{
    static const unsigned choices[] = {0,
                                       CHOICE_RECORDS | CHOICE_FORMS,
                                       CHOICE_RECORDS | CHOICE_LINES | CHOICE_COUNT | CHOICE_SPREAD | CHOICE_BASELINE,
                                       CHOICE_EXECUTION | CHOICE_HIDDEN | CHOICE_UNATTRIBUTED | CHOICE_BY_THREAD,
                                       CHOICE_ESTIMATE | CHOICE_FORMS | CHOICE_VIEW | CHOICE_CAPACITY,
                                       CHOICE_ESTIMATE | CHOICE_RANGE | CHOICE_SHARE};
    unsigned failed = 0;
    for (unsigned kind = 0; argc == 2 && kind < 16; kind++) {
        for (size_t c = 0; c < sizeof choices / sizeof choices[0]; c++) {
            char path[4096];
            struct build b;
            fuzz_recording(&b, kind);
            b.out.v[65] = (uint8_t)choices[c];
            b.out.v[66] = (uint8_t)(choices[c] >> 8);
            snprintf(path, sizeof path, "%s/%s-%s-%s-%s-%04x", argv[1], kind & RECORDING_PLAIN ? "plain" : "varints",
                     kind & RECORDING_EXECUTION ? "execution" : "cpu-time", kind & RECORDING_TWO ? "two" : "one",
                     kind & RECORDING_OPEN ? "open" : "whole", choices[c]);
            FILE *out = fopen(path, "wb");
            failed += out == NULL || fwrite(b.out.v, b.out.n, 1, out) != 1;
            failed += out != NULL && fclose(out) != 0;
            build_free(&b);
        }
    }
    return argc != 2 || failed != 0;
}
