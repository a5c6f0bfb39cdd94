/* What the power sources share. */
#ifndef JOULAR_SOURCEUTIL_H
#define JOULAR_SOURCEUTIL_H

#include "joular/meter.h"

/* The beginning of a file, at most SIZE bytes, without waiting for anybody (FIFOs). Returns the bytes, or -errno; what
 * is no regular file is -EINVAL, a folder -EISDIR. */
long source_read_file(const char *path, char *buffer, size_t size);

/* The file's words for an errno of source_read_file. */
const char *source_why(long error);

/* What kind of machine this is where it has no power meter: "a virtual machine", "WSL2", "a container"; NULL where that
 * does not show. */
const char *source_machine_kind(const char *proc);

#endif
