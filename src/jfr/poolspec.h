/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The constant pools that are read, by type, and their fields by name. */
#ifndef JOULAR_POOLSPEC_H
#define JOULAR_POOLSPEC_H

#include "metadata.h"

#define JFR_POOL_FIELDS 8 /* at most, of one pool */
extern const struct jfr_pool_spec {
    const char *type;
    const char *fields[JFR_POOL_FIELDS];
} jfr_pool_specs[POOL_COUNT];

/* Positions of the fields in these lists. */
enum {
    STACK_TRUNCATED,
    STACK_FRAMES
};
enum {
    METHOD_TYPE,
    METHOD_NAME,
    METHOD_HIDDEN
};
enum {
    THREAD_OS_NAME,
    THREAD_OS_ID,
    THREAD_JAVA_NAME,
    THREAD_JAVA_ID,
    THREAD_GROUP,
    THREAD_VIRTUAL
};
enum {
    FRAME_METHOD,
    FRAME_LINE,
    FRAME_BYTECODE,
    FRAME_TYPE
};

#endif
