/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helpers of the power sources. */
#ifndef JOULAR_SOURCEUTIL_H
#define JOULAR_SOURCEUTIL_H

#include "joular/meter.h"

/* Reads the beginning of a regular file, at most SIZE bytes, without blocking (as a FIFO would). Returns the number of
 * bytes, or -errno: -EISDIR for a folder, -EINVAL for any other file that is not regular. */
long source_read_file(const char *path, char *buffer, size_t size);

/* A description of an error that source_read_file returned. */
const char *source_why(long error);

/* Why this machine may have no power meter: it is "a virtual machine", "WSL2" or "a container". NULL if there is no
 * sign of any of these. */
const char *source_machine_kind(const char *proc);

#endif
