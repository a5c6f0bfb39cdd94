/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wholeparts.h"

#include "joular/mem.h"

#include <math.h>

struct remainder {
    double part;
    size_t place;
};

static int by_remainder(const void *left, const void *right)
{
    const struct remainder *a = left, *b = right;
    if (a->part != b->part)
        return a->part > b->part ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static double within(double value)
{
    return fmin(fmax(value, 0), WHOLE_MOST);
}

void whole_parts(const double *parts, size_t n, double total, int64_t *whole)
{
    struct remainder *remainders = mem_zero(n, sizeof *remainders);
    double given = 0;
    for (size_t i = 0; i < n; i++) {
        double part = within(parts[i]);
        whole[i] = (int64_t)floor(part);
        remainders[i] = (struct remainder){part - floor(part), i};
        given += floor(part);
    }
    if (n != 0)
        qsort(remainders, n, sizeof *remainders, by_remainder);
    for (size_t i = 0; i < n && remainders[i].part > 0 && given < round(total); i++) {
        whole[remainders[i].place]++;
        given++;
    }
    free(remainders);
}

int64_t whole_piece(struct whole_run *run, double piece, double total, int64_t whole)
{
    run->sum += piece;
    int64_t upto = total > 0 ? llround(fmin(fmax(run->sum / total, 0), 1) * (double)whole) : 0,
            more = upto - run->given;
    run->given = upto;
    return more;
}
