/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folders of files that stand in for the kernel's, for tests of the power sources. */
#ifndef JOULAR_FAKETREE_H
#define JOULAR_FAKETREE_H

#include <stdint.h>

/* A new folder below TMPDIR (/tmp), with sys/class/powercap in it; tree_free removes it. */
char *tree_new(void);
void tree_free(char *root);
/* ROOT/NAME, in one of a few buffers that are used in turn. */
const char *tree_path(const char *root, const char *name);
/* Puts a file in place by rename. */
void tree_write(const char *root, const char *name, const char *text);
void tree_write_bytes(const char *root, const char *name, const void *bytes, unsigned long length);

/* The zone sys/devices/virtual/powercap/ZONE ("intel-rapl/intel-rapl:0/intel-rapl:0:0") with the links and side files
 * the kernel has, and the link to it in sys/class/powercap. */
void tree_zone(const char *root, const char *zone, const char *name, uint64_t range_uj, uint64_t energy_uj);
void tree_zone_file(const char *root, const char *zone, const char *file, const char *text);
void tree_energy(const char *root, const char *zone, uint64_t energy_uj);
void tree_remove_zone(const char *root, const char *zone);

#endif
