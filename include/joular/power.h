/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The limit of a power, for readings of power sources and for logs. */
#ifndef JOULAR_POWER_H
#define JOULAR_POWER_H

/* No machine draws more than this. A greater value is taken as no power; sums of such values could become infinite. */
#define POWER_LIMIT_W 1e9

#endif
