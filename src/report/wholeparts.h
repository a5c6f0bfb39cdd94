/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounds numbers so that they add up. */
#ifndef JOULAR_WHOLEPARTS_H
#define JOULAR_WHOLEPARTS_H

#include <stddef.h>
#include <stdint.h>

#define WHOLE_MOST 0x1p53 /* a larger part counts as this; NaN, or one below 0, counts as 0 */

/* WHOLE gets N whole numbers that add up to TOTAL, the sum of PARTS, rounded. Each part is rounded down; then 1 is
 * added to those with the largest remainders, of equal ones the first, until the sum is right. So each is less than 1
 * off. Where TOTAL is not the sum of the parts, as in a damaged report, the sum is as near to it as this allows. */
void whole_parts(const double *parts, size_t n, double total, int64_t *whole);

/* Divides one number into pieces, one call after the other. The running sum is rounded, so that the pieces add up to
 * WHOLE and each is less than 1 off. RUN is zeroed before the first; TOTAL is the sum of the pieces, added in their
 * order. */
struct whole_run {
    double sum;
    int64_t given;
};
int64_t whole_piece(struct whole_run *run, double piece, double total, int64_t whole);

#endif
