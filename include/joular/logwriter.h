/* The power log, written cycle by cycle. Its format is in joular-power-log(5); joular/powerlog.h reads it. */
#ifndef JOULAR_LOGWRITER_H
#define JOULAR_LOGWRITER_H

#include "joular/mem.h"
#include "joular/status.h"

/* Writes a log record by record: what belongs to a cycle is gathered and goes out with its cycle record in one write (a
 * .zst output: one flushed block), so that a log that is cut anywhere loses the cycle in hand at most. */
struct power_writer;
/* PATH is made or emptied, never through a link; a name that ends in .zst is compressed. FACTS: the JSON object of
 * line 2. */
enum status power_writer_open(const char *path, const char *facts, struct power_writer **writer,
                              struct error *err) WARN_UNUSED;
/* An id in the innermost pid namespace of 0, or equal to the other, is left out, as is an energy of UINT64_MAX. */
void power_writer_domain(struct power_writer *writer, const char *name, uint64_t energy_uj);
void power_writer_process(struct power_writer *writer, int64_t pid, int64_t cpu_ns, const char *name, int64_t ns_pid);
void power_writer_thread(struct power_writer *writer, int64_t pid, int64_t tid, int64_t cpu_ns, const char *name,
                         int64_t ns_tid);
/* POWER_W: NaN for none. Closes the cycle and writes it. A failed write (a full disk) is an error once; further cycles
 * are tried again, each whole or not at all. */
enum status power_writer_cycle(struct power_writer *writer, int64_t realtime_ns, int64_t monotonic_ns,
                               int64_t interval_ns, double power_w, int64_t busy_ns, const char *status,
                               struct error *err) WARN_UNUSED;
uint64_t power_writer_lost(const struct power_writer *writer); /* cycles that could not be written so far */
enum status power_writer_close(struct power_writer *writer, struct error *err) WARN_UNUSED;
void power_writer_discard(struct power_writer *writer); /* instead of close: the file is removed */

#endif
