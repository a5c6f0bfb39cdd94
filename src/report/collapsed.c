/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collapsed.txt: a line "frame;frame;frame N" for each stack, for flame graph tools. N is whole microjoules (or
 * microseconds of CPU time, or samples), rounded by largest remainders (wholeparts.h), so that the sum is exact. Lines
 * of 0 are left out. In a name ";", which separates frames, is written as ":", and a control character as a blank. */
#include "joular/report.h"

#include "wholeparts.h"

#include <inttypes.h>
#include <stdlib.h>

static double *weights_of(const struct result *r, enum report_weight weight)
{
    double *weights = mem_zero(r->branches.list.n, sizeof *weights);
    for (size_t i = 0; i < r->rows.n && weight == WEIGHT_ENERGY; i++)
        weights[r->rows.v[i].branch] += r->rows.v[i].energy_j * 1e6;
    for (size_t b = 0; b < r->uses.n && weight != WEIGHT_ENERGY; b++)
        weights[b] = weight == WEIGHT_CPU ? r->uses.v[b].cpu_ns / 1e3 : (double)r->uses.v[b].samples;
    return weights;
}

static void put_frame(const struct intern_text *name, FILE *out)
{
    for (uint32_t i = 0; i < name->length; i++) {
        unsigned char c = (unsigned char)name->text[i];
        putc_unlocked(c == ';' ? ':' : c < 0x20 || c == 0x7f ? ' ' : c, out);
    }
}

static void write_collapsed(const struct report_input *input, bool header, FILE *out)
{
    const struct result *r = input->view;
    size_t n = r->branches.list.n;
    uint32_t *ranks = branch_ranks(&r->branches, &r->names), *branches = mem_zero(n, sizeof *branches);
    double *weights = weights_of(r, input->weight), *parts = mem_zero(n, sizeof *parts), sum = 0;
    int64_t *whole = mem_zero(n, sizeof *whole);
    (void)header;
    for (uint32_t b = 0; b < n; b++) {
        branches[ranks[b]] = b;
        parts[ranks[b]] = weights[b];
        sum += weights[b];
    }
    whole_parts(parts, n, sum, whole);
    for (size_t i = 0; i < n; i++) {
        const struct branch *branch = &r->branches.list.v[branches[i]];
        if (whole[i] == 0)
            continue;
        for (uint32_t f = 0; f < branch->count; f++) {
            if (f != 0)
                putc_unlocked(';', out);
            put_frame(result_name(r, r->branches.frames.v[branch->first + f]), out);
        }
        fprintf(out, " %" PRId64 "\n", whole[i]);
    }
    free(whole);
    free(parts);
    free(weights);
    free(branches);
    free(ranks);
}

const struct report_form report_collapsed = {.format = "collapsed", .file = "collapsed.txt", .write = write_collapsed};
