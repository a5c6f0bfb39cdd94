/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The power log, written cycle by cycle. Its format is in joular-power-log(5); joular/powerlog.h reads it. */
#ifndef JOULAR_LOGWRITER_H
#define JOULAR_LOGWRITER_H

#include "joular/mem.h"
#include "joular/status.h"

/* The records of a cycle are collected and written together with the cycle record in one write (in a .zst file: one
 * flushed block), so that a log truncated anywhere loses at most its last cycle. */
struct power_writer;
/* Makes or empties the file PATH, and writes its first lines. A symbolic link is an error. The log is compressed if
 * PATH ends in .zst. FACTS: the JSON object of line 2. */
enum status power_writer_open(const char *path, const char *facts, struct power_writer **writer,
                              struct error *err) WARN_UNUSED;
/* Add records to the current cycle. A domain with an energy of UINT64_MAX, which means unknown, is left out; so are
 * NS_PID and NS_TID, the ids in the innermost pid namespace, if they are 0 or equal to PID or TID. */
void power_writer_domain(struct power_writer *writer, const char *name, uint64_t energy_uj);
void power_writer_process(struct power_writer *writer, int64_t pid, int64_t cpu_ns, const char *name, int64_t ns_pid);
void power_writer_thread(struct power_writer *writer, int64_t pid, int64_t tid, int64_t cpu_ns, const char *name,
                         int64_t ns_tid);
/* Ends the current cycle and writes it. POWER_W: NaN for none. Only the first failed write (a full disk) is returned as
 * an error; each later cycle is tried again, and written whole or not at all. */
enum status power_writer_cycle(struct power_writer *writer, int64_t realtime_ns, int64_t monotonic_ns,
                               int64_t interval_ns, double power_w, int64_t busy_ns, const char *status,
                               struct error *err) WARN_UNUSED;
uint64_t power_writer_lost(const struct power_writer *writer); /* number of cycles that could not be written so far */
enum status power_writer_close(struct power_writer *writer, struct error *err) WARN_UNUSED;
void power_writer_discard(struct power_writer *writer); /* instead of close: the file is removed */

#endif
