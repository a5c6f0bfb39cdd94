/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Brings a growing file to the disk (fdatasync) in a thread of its own: a power failure then loses only what was
 * written last, and a slow disk does not delay the readings. */
#ifndef JOULAR_LOGSYNC_H
#define JOULAR_LOGSYNC_H

struct log_sync;
/* NULL if no thread can be started: the system then brings the file to the disk in its own time. The other two
 * functions accept that NULL. */
struct log_sync *log_sync_start(int fd);
/* Asks for what is in the file now to be brought to the disk, and does not wait for it. Returns the errno of an earlier
 * attempt that failed and was not returned yet, or 0. */
int log_sync_ask(struct log_sync *sync);
/* Waits for the last attempt asked for, ends the thread and frees SYNC. Returns an errno as log_sync_ask. */
int log_sync_end(struct log_sync *sync);

#endif
