/* The power log in memory: what joular-record writes (joular/logwriter.h) and joular-analyze reads. Its format is in
 * joular-power-log(5).
 *
 * Two clocks: monotonic nanoseconds order the cycles, wall-clock nanoseconds (since the epoch) name them. */
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
    double power_w;            /* NaN where the cycle has none */
    uint32_t status;           /* word, in texts */
    size_t processes, threads; /* records of this cycle end before these positions; they begin at the last cycle's */
};

static inline double power_cycle_length_ns(const struct power_cycle *cycle)
{
    return (double)(cycle->end_ns - cycle->start_ns);
}

/* Nanoseconds that the cycle has in common with (FROM, TO]. */
static inline int64_t power_cycle_overlap_ns(const struct power_cycle *cycle, int64_t from, int64_t to)
{
    int64_t start = cycle->start_ns > from ? cycle->start_ns : from;
    int64_t end = cycle->end_ns < to ? cycle->end_ns : to;
    return end > start ? end - start : 0;
}

/* Who a record is about. Ids in the innermost pid namespace are 0 where the log does not give them. */
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
    /* Facts of line 2, as it has them; missing ones are 0, NaN or NULL. */
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
    uint64_t unknown_records; /* skipped: their first word is not known */
};

bool power_log_detect(const uint8_t *bytes, size_t length);

/* Reads a whole log. STATUS_INVALID and STATUS_UNSUPPORTED name line and field. A log that was cut loses its last, open
 * cycle and is no error; one without any cycle is read as such. power_log_free is needed after an error too. */
enum status power_log_read(const uint8_t *bytes, size_t length, struct power_log *log, struct error *err) WARN_UNUSED;
void power_log_free(struct power_log *log);

/* ---- Logs of other meters ----
 *
 * A row ends a cycle that began at the row before. There is no other clock than the wall clock, so monotonic is that,
 * and there is no busy time. Rows that do not go forward are left out and counted in unknown_records. A last line
 * without its end is being written still. Errors as power_log_read. The power is that of the CPU packages; psys, memory
 * and other meters beside them are never added. Layouts and their sources: the tops of the files in src/log. */

/* PowerJoular's CSV files, and any tool's, told by their header:
 *
 *   Timestamp,CPU Usage,Total Power,CPU Power,GPU Power   PowerJoular 2, the whole machine (CPU Power counts)
 *   Timestamp,CPU Usage,CPU Power                         PowerJoular 2, one process: is_process_power
 *   Date,CPU Utilization,...                              the same two of PowerJoular 1, local time
 *   timestamp,watts                                       any tool
 *
 * Times are Unix seconds (or a date: "2025-09-19 15:56:31.5"). What is no reading (-1) is no power. */
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

/* START_NS: when perf stat began, wall clock; its times count from there. POWER_NO_START is STATUS_MISSING. */
#define POWER_NO_START INT64_MIN
bool power_perf_detect(const uint8_t *bytes, size_t length);
enum status power_perf_read(const uint8_t *bytes, size_t length, int64_t start_ns, struct power_log *log,
                            struct error *err) WARN_UNUSED;

struct power_format {
    const char *name; /* of --log-format */
    bool (*detect)(const uint8_t *bytes, size_t length);
    enum status (*read)(const uint8_t *bytes, size_t length, struct power_log *log, struct error *err);
    enum status (*read_from)(const uint8_t *bytes, size_t length, int64_t start_ns, struct power_log *log,
                             struct error *err); /* instead of read, where times count from a start */
    const char *left_out;                        /* words behind the number of unknown_records */
};
extern const struct power_format power_formats[];                /* the last has no name */
const struct power_format *power_format_named(const char *name); /* NULL: none */
const struct power_format *power_format_of(const uint8_t *bytes, size_t length);
/* START_NS: POWER_NO_START where none is given; given to a format that has a clock of its own it is STATUS_INVALID. */
enum status power_read(const struct power_format *format, const uint8_t *bytes, size_t length, int64_t start_ns,
                       struct power_log *log, struct error *err) WARN_UNUSED;

/* Makes LOG, which is empty, one of cycles that the caller adds. SOURCE as in the log's facts. */
void power_log_init(struct power_log *log, const char *source);
void power_log_add_cycle(struct power_log *log, int64_t start_ns, int64_t end_ns, int64_t realtime_ns, double power_w,
                         const char *status);

const char *power_text(const struct power_log *log, uint32_t text);

#endif
