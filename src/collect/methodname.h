/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of methods in rows. */
#ifndef JOULAR_METHODNAME_H
#define JOULAR_METHODNAME_H

#include "joular/jfr.h"

/* Appends "package.Class.method" to BUFFER, which grows: joular-attribution(7), section 1, names. */
struct name_buffer {
    char *v;
    size_t n, cap;
};
void method_name(struct name_buffer *buffer, const struct jfr_method *method);

#endif
