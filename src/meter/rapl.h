/* RAPL zones in the powercap tree, and the arithmetic of their counters. */
#ifndef JOULAR_RAPL_H
#define JOULAR_RAPL_H

#include "joular/meter.h"

struct rapl_zone {
    char *id;    /* intel-rapl:0:1 */
    char *path;  /* real path */
    char *label; /* what its name file says; NULL where it cannot be read */
    char *name;  /* in the log: package-0, package-0/core, psys */
    char *fault; /* why it cannot be used; NULL where it can */
    bool denied; /* for want of permission */
    bool gone;   /* for want of a file, as a zone that is being removed */
    uint64_t range_uj, energy_uj;
    unsigned depth; /* 0 top-level */
    bool package, mmio;
    char *twin; /* id of the zone that counts the same in its place; NULL where it is to be used itself */
};

struct rapl_zones {
    VEC(struct rapl_zone) zones; /* parents before their sub-zones, else by control type and number */
    VEC(char *) dangling;        /* links that lead nowhere */
    bool found;                  /* the folder is there */
};

/* Every zone below POWERCAP once, by its real path. */
void rapl_find_zones(const char *powercap, struct rapl_zones *found);
void rapl_zones_free(struct rapl_zones *found);
void rapl_zone_free(struct rapl_zone *zone);

/* The counter of a zone as it is now. False, with the reason in FAULT, where it is not a number from 0 to the range. */
bool rapl_read_energy(const struct rapl_zone *zone, uint64_t *energy_uj, char *fault, size_t size);

/* The first zone that keeps the sum of the packages from being known, or NULL; PACKAGES is how many can be read. */
const struct rapl_zone *rapl_blocking_zone(const struct rapl_zones *found, size_t *packages);

/* A number that changes with the names in a folder. */
uint64_t rapl_folder_mark(const char *folder);

/* The difference of two readings of a counter that goes from 0 to RANGE and begins again: one that went down went round
 * once. False where that would be more than half the range: it was reset. BEFORE and AFTER are at most RANGE. */
bool rapl_counter_moved(uint64_t before, uint64_t after, uint64_t range, uint64_t *moved);

#endif
