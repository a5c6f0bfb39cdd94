/* Bounds of a power reading, for the sources and for logs alike. */
#ifndef JOULAR_POWER_H
#define JOULAR_POWER_H

/* No machine draws more. What says so is no power, and sums of it would end in infinity. */
#define POWER_LIMIT_W 1e9

#endif
