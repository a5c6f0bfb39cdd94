/* Whole numbers that add up. */
#ifndef JOULAR_WHOLEPARTS_H
#define JOULAR_WHOLEPARTS_H

#include <stddef.h>
#include <stdint.h>

#define WHOLE_MOST 0x1p53 /* what is more, or no number, is this, or 0 */

/* WHOLE gets N numbers whose sum is that of PARTS, TOTAL, rounded. Each part is rounded down, and what is missing goes
 * to the largest remainders, of equal ones to the first; so each is less than 1 off. Where TOTAL is not the sum of the
 * parts, as in a damaged report, the sum is as near to it as that allows. */
void whole_parts(const double *parts, size_t n, double total, int64_t *whole);

/* One number cut into pieces one behind the other: the running sum is rounded, so that the pieces' sum is WHOLE and
 * each is less than 1 off. TOTAL is the sum of the pieces, added in their order. */
struct whole_run {
    double sum;
    int64_t given;
};
int64_t whole_piece(struct whole_run *run, double piece, double total, int64_t whole);

#endif
