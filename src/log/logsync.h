/* Brings a file that grows to the disk, beside the thread that writes it: a power cut then costs what was written last,
 * and a slow disk does not hold up the readings. */
#ifndef JOULAR_LOGSYNC_H
#define JOULAR_LOGSYNC_H

struct log_sync;
/* NULL where no thread can be had: the file gets to the disk when the system brings it there. */
struct log_sync *log_sync_start(int fd);
/* What is in the file by now is to be on the disk soon. Returns the errno of an earlier attempt that failed, or 0. */
int log_sync_ask(struct log_sync *sync);
/* Waits until all of it is there. Returns likewise. */
int log_sync_end(struct log_sync *sync);

#endif
