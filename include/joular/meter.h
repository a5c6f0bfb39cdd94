/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power sources: where joular-record reads the power of the machine's CPUs. Each is a file that defines one
 * struct power_source, and an entry in the table power_sources.
 *
 * A source is opened once, read at the end of every cycle, and closed. A reading gives the energy or power of the CPUs
 * since the last good reading. The caller then ends its cycle, or lets it go on after SOURCE_WAIT. */
#ifndef JOULAR_METER_H
#define JOULAR_METER_H

#include "joular/mem.h"
#include "joular/notice.h"
#include "joular/status.h"

struct source_options {
    const char *powercap;   /* folder: /sys/class/powercap */
    const char *ringbuffer; /* file: /dev/shm/powerjoular */
    const char *vm_file;    /* file: --vm-file; NULL if not given */
    bool vm_watts;          /* --vm-format watts; else powerjoular */
    double idle_w, max_w;   /* for estimate; NaN if not given */
    const char *proc;       /* folder: /proc; shows why there may be no powercap (a VM, WSL2, a container) */
    int64_t interval_ns;
};

/* A RAPL domain. The log has the energy of all of them; only the counted ones are part of the power. */
struct source_domain {
    char *name; /* as the log names it: package-0, package-0/core, psys */
    char *path; /* real path of the zone */
    uint64_t range_uj;
    bool counted;
    unsigned depth; /* 0 top-level, 1 inside a package */
};

enum source_outcome {
    SOURCE_OK,         /* power since the last good reading */
    SOURCE_LATE,       /* power since the last good reading; readings in between failed */
    SOURCE_REUSED,     /* vm: power from the host's row of an earlier cycle */
    SOURCE_WAIT,       /* rapl: the reading failed; the cycle goes on until the next good one */
    SOURCE_NO_READING, /* the cycle ends without power: the source gave none */
    SOURCE_STALE,      /* the cycle ends without power: the last measurement is too old */
    SOURCE_RESET,      /* the cycle ends without power: a counter was reset or may have wrapped more than once */
};
/* The word for an outcome in the log: "ok", "late", ... ("no-reading" for SOURCE_WAIT). */
const char *source_outcome_word(enum source_outcome outcome);

struct source_reading {
    enum source_outcome outcome;
    double energy_j;           /* rapl: of the counted domains since the last good reading; else NaN */
    double power_w;            /* other sources: over the cycle; else NaN */
    const uint64_t *domain_uj; /* rapl: by domain, UINT64_MAX if unknown; valid until the next reading; else NULL */
};

struct power_source {
    const char *name;    /* rapl, ringbuffer, vm, estimate */
    const char *summary; /* one line for --doctor */
    /* Opens the source. STATE is private to it. On an error, ERR says what is missing and what the user can do.
     * Warnings that the user should see once (an unreadable sub-zone) are added to WARNINGS. rapl takes its baseline
     * here. A caller that begins its cycles later reads once at that time and drops the reading. If STATE is NULL after
     * an error, the source cannot be used in this run. If it is set, there is no power now, but there may be later
     * (PowerJoular or the host has not started): the caller may read, and must close it. */
    enum status (*open)(const struct source_options *options, void **state, struct notices *warnings,
                        struct error *err);
    /* Waits until the source's cycle ends. NULL for sources that are read at the end of the caller's interval.
     * ringbuffer: returns when the count has moved, 2 s have passed, or *STOP is not 0 (STOP may be NULL). */
    void (*wait)(void *state, const volatile int *stop);
    /* NOW_NS: CLOCK_MONOTONIC. LOAD, for estimate: busy share of the machine in the cycle; NaN if unknown. */
    void (*read)(void *state, int64_t now_ns, double load, struct source_reading *reading, struct notices *warnings);
    /* NULL for sources without domains. A reading may add domains at the end and move the array: ask again then. */
    const struct source_domain *(*domains)(void *state, size_t *count);
    void (*close)(void *state);
    /* For --doctor: adds lines to TEXTS that say what is there; true if a measurement would work. */
    bool (*examine)(const struct source_options *options, struct notices *texts);
};

extern const struct power_source source_rapl, source_ringbuffer, source_vm, source_estimate;
extern const struct power_source *const power_sources[]; /* all of them; NULL follows the last */
/* "auto" is rapl if intel-rapl:0 or intel-rapl/intel-rapl:0 is there, readable or not; else ringbuffer. NULL for an
 * unknown name. */
const struct power_source *source_by_name(const char *name, const struct source_options *options);

#endif
