/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "poolspec.h"

const struct jfr_pool_spec jfr_pool_specs[POOL_COUNT] = {
    [POOL_STACK] = {"jdk.types.StackTrace", {"truncated", "frames"}},
    [POOL_METHOD] = {"jdk.types.Method", {"type", "name", "hidden"}},
    [POOL_CLASS] = {"java.lang.Class", {"name"}},
    [POOL_SYMBOL] = {"jdk.types.Symbol", {"string"}},
    [POOL_THREAD] = {"java.lang.Thread", {"osName", "osThreadId", "javaName", "javaThreadId", "group", "virtual"}},
    [POOL_GROUP] = {"jdk.types.ThreadGroup", {"name"}},
    [POOL_STRING] = {"java.lang.String", {"value"}},
    [POOL_THREAD_STATE] = {"jdk.types.ThreadState", {"name"}},
    [POOL_FRAME_TYPE] = {"jdk.types.FrameType", {"description"}},
    [POOL_GC_NAME] = {"jdk.types.GCName", {"name"}},
    [POOL_GC_CAUSE] = {"jdk.types.GCCause", {"cause"}},
    [POOL_FLAG_ORIGIN] = {"jdk.types.FlagValueOrigin", {"origin"}},
};
