/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.json: a whole result, so that reports can be written again, and runs compared, without the recording. Its
 * schema is in joular-report(5) and share/report.schema.json. */
#ifndef JOULAR_JSONREPORT_H
#define JOULAR_JSONREPORT_H

#include "joular/result.h"
#include "joular/status.h"

#include <stdio.h>

#define REPORT_SCHEMA "joular-report/1"

/* Numbers are written with enough digits to read back as the same. */
void result_write_json(const struct result *result, FILE *out);

/* STATUS_UNSUPPORTED for another version of the schema, STATUS_TRUNCATED where the text ends too early, STATUS_INVALID
 * where it is wrong otherwise. RESULT needs result_free after success only. */
enum status result_read_json(const uint8_t *bytes, size_t length, struct result *result, struct error *err) WARN_UNUSED;

#endif
