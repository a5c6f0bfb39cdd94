/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Section 5: which threads are the JVM's own. */
#include "joular/model.h"

int native_row_of(const char *name, size_t length)
{
    static const struct {
        const char *begin;
        enum native_row row;
    } rows[] = {
        {"GC Thread#", NATIVE_GC},      {"GC task thread", NATIVE_GC}, {"G1 ", NATIVE_GC},
        {"ParGC", NATIVE_GC},           {"ZDriver", NATIVE_GC},        {"ZWorker", NATIVE_GC},
        {"ZDirector", NATIVE_GC},       {"ZStat", NATIVE_GC},          {"ZUncommitter", NATIVE_GC},
        {"ZUnmapper", NATIVE_GC},       {"XDriver", NATIVE_GC},        {"XWorker", NATIVE_GC},
        {"XDirector", NATIVE_GC},       {"XStat", NATIVE_GC},          {"XUncommitter", NATIVE_GC},
        {"XUnmapper", NATIVE_GC},       {"Shenandoah", NATIVE_GC},     {"C1 Compiler", NATIVE_JIT},
        {"C2 Compiler", NATIVE_JIT},    {"JVMCI", NATIVE_JIT},         {"Sweeper thread", NATIVE_JIT},
        {"JFR ", NATIVE_JFR},           {"VM Thread", NATIVE_VM},      {"VM Periodic", NATIVE_VM},
        {"VM Op", NATIVE_VM},           {"Service Thread", NATIVE_VM}, {"Monitor Defl", NATIVE_VM},
        {"Signal Disp", NATIVE_VM},     {"Notification", NATIVE_VM},   {"Attach Listener", NATIVE_VM},
        {"Reference Handl", NATIVE_VM}, {"Finalizer", NATIVE_VM},      {"Common-Cleaner", NATIVE_VM},
        {"DestroyJavaVM", NATIVE_VM},
    };
    /* The kernel keeps 15 bytes of a name. None of these is longer, so they match a shortened name too. */
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (length >= strlen(rows[i].begin) && memcmp(name, rows[i].begin, strlen(rows[i].begin)) == 0)
            return (int)rows[i].row;
    return -1;
}
