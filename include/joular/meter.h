/* Power sources: where joular-record reads the power of the machine's CPUs. Each is one file that fills one
 * struct power_source in one table.
 *
 * A source is opened once, read at the end of every cycle, and closed. A reading tells what the CPUs drew since the
 * last good reading: the caller ends its cycle then, or lets it go on where there is none. */
#ifndef JOULAR_METER_H
#define JOULAR_METER_H

#include "joular/mem.h"
#include "joular/notice.h"
#include "joular/status.h"

struct source_options {
    const char *powercap;   /* folder: /sys/class/powercap */
    const char *ringbuffer; /* file: /dev/shm/powerjoular */
    const char *vm_file;    /* NULL: none given */
    bool vm_watts;          /* --vm-format watts; else powerjoular */
    double idle_w, max_w;   /* of estimate; NaN where not given */
    const char *proc;       /* folder: /proc; tells why there is no powercap (a VM, WSL2, a container) */
    int64_t interval_ns;
};

/* A RAPL domain: for information in the log; only counted ones are in the power. */
struct source_domain {
    char *name; /* as the log names it: package-0, package-0/core, psys */
    char *path; /* real path of the zone */
    uint64_t range_uj;
    bool counted;
    unsigned depth; /* 0 top-level, 1 inside a package */
};

enum source_outcome {
    SOURCE_OK,         /* power since the last good reading */
    SOURCE_LATE,       /* the same, across readings that failed */
    SOURCE_REUSED,     /* vm: the host's row of an earlier cycle */
    SOURCE_WAIT,       /* rapl: failed now; the cycle goes on until the next good reading */
    SOURCE_NO_READING, /* the cycle ends without power */
    SOURCE_STALE,      /* likewise: what is there is too old */
    SOURCE_RESET,      /* likewise: a counter was reset, or may have gone round more than once */
};
/* The log's word for an outcome: "ok", "late", ... ("no-reading" for SOURCE_WAIT). */
const char *source_outcome_word(enum source_outcome outcome);

struct source_reading {
    enum source_outcome outcome;
    double energy_j;           /* rapl: of the counted domains since the last good reading; else NaN */
    double power_w;            /* the other sources: over the cycle; else NaN */
    const uint64_t *domain_uj; /* rapl: by domain, UINT64_MAX where it gave none; lives until the next reading */
};

struct power_source {
    const char *name;    /* rapl, ringbuffer, vm, estimate */
    const char *summary; /* one line for --doctor */
    /* Opens it; ERR says what is missing and the ways out. STATE is the source's own. Sentences that the user should
     * read once (an unreadable sub-zone) are added to WARNINGS. The first rapl reading is taken here: a baseline, no
     * cycle. A caller that begins its cycles later reads once then, and drops that reading.
     * After an error STATE is NULL where nothing can come of this source in this run. Where it is set, there is no
     * power now, but there may be later (PowerJoular or the host has not started): the caller may read on, and closes
     * it. */
    enum status (*open)(const struct source_options *options, void **state, struct notices *warnings,
                        struct error *err);
    /* Waits until its cycle ends: NULL for sources that are read at the interval's end. ringbuffer: returns when the
     * count has moved or 2 s have passed, or STOP (may be NULL) became non-zero. */
    void (*wait)(void *state, const volatile int *stop);
    /* NOW_NS: CLOCK_MONOTONIC. LOAD: busy share of the machine in the cycle, NaN unknown (for estimate). */
    void (*read)(void *state, int64_t now_ns, double load, struct source_reading *reading, struct notices *warnings);
    /* NULL: none. A package that appears in the middle of a run is added behind the last: ask again after a reading. */
    const struct source_domain *(*domains)(void *state, size_t *count);
    void (*close)(void *state);
    /* What of it is there, for --doctor: lines into TEXTS; true where a measurement would work. */
    bool (*examine)(const struct source_options *options, struct notices *texts);
};

extern const struct power_source source_rapl, source_ringbuffer, source_vm, source_estimate;
extern const struct power_source *const power_sources[]; /* all of them, NULL behind the last */
/* auto: rapl where intel-rapl:0, or intel-rapl/intel-rapl:0, is there, readable or not; else ringbuffer. NULL for a
 * name that is none. */
const struct power_source *source_by_name(const char *name, const struct source_options *options);

#endif
