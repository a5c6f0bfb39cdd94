/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The power log in memory: what joular-record writes (joular/logwriter.h) and joular-analyze reads. Its format is in
 * joular-power-log(5).
 *
 * Cycles have times of two clocks, in nanoseconds: monotonic ones order them, wall-clock ones (since the epoch) date
 * them. */
#ifndef JOULAR_POWERLOG_H
#define JOULAR_POWERLOG_H

#include "joular/intern.h"
#include "joular/mem.h"
#include "joular/status.h"

#include <sys/types.h>

struct power_cycle {
    int64_t start_ns, end_ns;  /* monotonic; the cycle is (start, end] */
    int64_t realtime_ns;       /* wall clock at its end */
    int64_t busy_ns;           /* CPU time of the whole machine */
    double power_w;            /* NaN if the cycle has none */
    uint32_t status;           /* word, in texts */
    size_t processes, threads; /* end of its records in process_records and thread_records; they begin at the end of
                                * the previous cycle's */
};

static inline double power_cycle_length_ns(const struct power_cycle *cycle)
{
    return (double)(cycle->end_ns - cycle->start_ns);
}

/* Length in nanoseconds of the part of the cycle that is in (FROM, TO]. */
static inline int64_t power_cycle_overlap_ns(const struct power_cycle *cycle, int64_t from, int64_t to)
{
    int64_t start = cycle->start_ns > from ? cycle->start_ns : from;
    int64_t end = cycle->end_ns < to ? cycle->end_ns : to;
    return end > start ? end - start : 0;
}

/* Who a record is about. ns_pid and ns_tid, ids in the innermost pid namespace, are 0 if they are not in the log. */
struct power_process {
    int64_t pid, ns_pid;
    uint32_t name; /* in texts */
};
struct power_thread {
    int64_t pid, tid, ns_tid;
    uint32_t name; /* in texts */
};

struct power_record {
    int64_t cpu_ns;
    uint32_t who; /* position in processes or threads */
};

struct power_log {
    /* Facts from line 2 of the log; missing ones are 0, NaN or NULL. */
    char *facts; /* the JSON text of line 2 */
    char *source, *tool, *reason;
    int64_t cpus, pid;
    double baseline_w;
    bool is_process_power; /* the power is already that of one process (PowerJoular -p) */

    VEC(struct power_cycle) cycles;
    VEC(struct power_process) processes;
    VEC(struct power_thread) threads;
    VEC(struct power_record) process_records, thread_records;
    struct intern texts;
    uint64_t unknown_records; /* records that were skipped, since their first word is not known */
};

bool power_log_detect(const uint8_t *bytes, size_t length);

/* Reads a whole log. Errors of STATUS_INVALID and STATUS_UNSUPPORTED name the line and the field. Neither a truncated
 * log, whose last, unfinished cycle is dropped, nor a log without cycles is an error. power_log_free is needed after an
 * error, too. */
enum status power_log_read(const uint8_t *bytes, size_t length, struct power_log *log, struct error *err) WARN_UNUSED;
void power_log_free(struct power_log *log);

/* ---- Logs of other meters ----
 *
 * A row ends a cycle that began at the previous row. These logs only have wall-clock times, which are used as monotonic
 * times, too; busy time is unknown (-1). Rows that do not go forward in time are left out and counted in
 * unknown_records. A last line without an end is still being written and is ignored. Errors are those of
 * power_log_read. The power is that of the CPU packages; psys, memory and other meters beside them are never added. For
 * layouts and their sources see the tops of the files in src/log. */

/* PowerJoular's CSV files, and those of any tool, recognised by their header:
 *
 *   Timestamp,CPU Usage,Total Power,CPU Power,GPU Power   PowerJoular 2, the whole machine (CPU Power counts)
 *   Timestamp,CPU Usage,CPU Power                         PowerJoular 2, one process: is_process_power
 *   Date,CPU Utilization,...                              both of these of PowerJoular 1, local time
 *   timestamp,watts                                       any tool
 *
 * Times are Unix seconds (or a date: "2025-09-19 15:56:31.5"). A negative power (-1) means that there is none. */
bool power_csv_detect(const uint8_t *bytes, size_t length);
enum status power_csv_read(const uint8_t *bytes, size_t length, struct power_log *log, struct error *err) WARN_UNUSED;

bool power_energibridge_detect(const uint8_t *bytes, size_t length);
enum status power_energibridge_read(const uint8_t *bytes, size_t length, struct power_log *log,
                                    struct error *err) WARN_UNUSED;

bool power_scaphandre_detect(const uint8_t *bytes, size_t length);
enum status power_scaphandre_read(const uint8_t *bytes, size_t length, struct power_log *log,
                                  struct error *err) WARN_UNUSED;

bool power_turbostat_detect(const uint8_t *bytes, size_t length);
enum status power_turbostat_read(const uint8_t *bytes, size_t length, struct power_log *log,
                                 struct error *err) WARN_UNUSED;

/* START_NS: the wall-clock time at which perf stat began, from which its times count. POWER_NO_START gives
 * STATUS_MISSING. */
#define POWER_NO_START INT64_MIN
bool power_perf_detect(const uint8_t *bytes, size_t length);
enum status power_perf_read(const uint8_t *bytes, size_t length, int64_t start_ns, struct power_log *log,
                            struct error *err) WARN_UNUSED;

struct power_format {
    const char *name; /* in --log-format */
    bool (*detect)(const uint8_t *bytes, size_t length);
    enum status (*read)(const uint8_t *bytes, size_t length, struct power_log *log, struct error *err);
    enum status (*read_from)(const uint8_t *bytes, size_t length, int64_t start_ns, struct power_log *log,
                             struct error *err); /* instead of read, if times count from a start */
    const char *left_out; /* for a message: what unknown_records counts; words to follow the number */
};
extern const struct power_format power_formats[];                                /* the last has no name */
const struct power_format *power_format_named(const char *name);                 /* NULL for an unknown name */
const struct power_format *power_format_of(const uint8_t *bytes, size_t length); /* NULL if not recognised */
/* START_NS: POWER_NO_START if none is given. For a format whose rows have wall-clock times, a start is an error. */
enum status power_read(const struct power_format *format, const uint8_t *bytes, size_t length, int64_t start_ns,
                       struct power_log *log, struct error *err) WARN_UNUSED;

/* Initialises LOG without cycles, for power_log_add_cycle. SOURCE: as in the facts. */
void power_log_init(struct power_log *log, const char *source);
void power_log_add_cycle(struct power_log *log, int64_t start_ns, int64_t end_ns, int64_t realtime_ns, double power_w,
                         const char *status);

const char *power_text(const struct power_log *log, uint32_t text);

#endif
