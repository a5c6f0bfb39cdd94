/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RAPL zones in the powercap tree, and the arithmetic of their counters. */
#ifndef JOULAR_RAPL_H
#define JOULAR_RAPL_H

#include "joular/meter.h"

struct rapl_zone {
    char *id;    /* intel-rapl:0:1 */
    char *path;  /* real path */
    char *label; /* content of its name file; NULL if that cannot be read */
    char *name;  /* in the log: package-0, package-0/core, psys */
    char *fault; /* why it cannot be used; NULL if it can */
    bool denied; /* fault: no permission */
    bool gone;   /* fault: a file is missing, as in a zone that is being removed */
    uint64_t range_uj, energy_uj;
    unsigned depth; /* 0 top-level */
    bool package;   /* a top-level zone named package... */
    bool mmio;      /* read through memory-mapped registers */
    char *twin;     /* id of the zone that counts the same energy and is used instead; NULL if this one is used */
};

struct rapl_zones {
    VEC(struct rapl_zone) zones; /* parents before their sub-zones, else by control type and number */
    VEC(char *) dangling;        /* links whose target does not exist */
    bool found;                  /* the powercap folder could be opened */
};

/* Finds the zones below POWERCAP, each of them once although several links lead to it. */
void rapl_find_zones(const char *powercap, struct rapl_zones *found);
void rapl_zones_free(struct rapl_zones *found);
void rapl_zone_free(struct rapl_zone *zone);

/* Reads the counter of a zone. False, with the reason in FAULT, if it cannot be read or is not a number from 0 to
 * range_uj. */
bool rapl_read_energy(const struct rapl_zone *zone, uint64_t *energy_uj, char *fault, size_t size);

/* The first zone that cannot be used and is, or may be, a package, so that their sum is unknown; NULL for none.
 * PACKAGES is set to the number of packages that can be read. */
const struct rapl_zone *rapl_blocking_zone(const struct rapl_zones *found, size_t *packages);

/* A hash of the names in a folder, to notice when these change; 0 if the folder cannot be opened. */
uint64_t rapl_folder_mark(const char *folder);

/* The difference of two readings of a counter that wraps around to 0 after RANGE. If AFTER is below BEFORE it wrapped
 * once; false if the difference would then be more than half the range: the counter was reset. BEFORE and AFTER are at
 * most RANGE. */
bool rapl_counter_moved(uint64_t before, uint64_t after, uint64_t range, uint64_t *moved);

#endif
