/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the facts of a chunk: threads, settings, JVM and machine, pauses and collections. */
#include "batchreader.h"

static bool text_is(struct jfr_text text, const char *word)
{
    return text.p != NULL && text.n == strlen(word) && memcmp(text.p, word, text.n) == 0;
}

/* Reads all threads of the constant pool, not only those of events: a carrier has no events of its own, but records in
 * the power log. */
static void read_threads(struct batch_reader *reader)
{
    struct batch *batch = reader->batch;
    struct jfr_thread thread;
    uint64_t key;
    for (size_t i = 0; jfr_thread_key(reader->jfr, i, &key); i++) {
        if (key == 0 || !jfr_thread(reader->jfr, key, &thread))
            continue;
        struct jfr_text name = thread.java_name.n != 0 ? thread.java_name : thread.os_name;
        struct batch_thread out = {
            .jfr_id = key,
            .os_id = thread.os_id > 0 ? thread.os_id : 0,
            .name = batch_text(batch, name),
            .is_virtual = thread.is_virtual || text_is(thread.group, "VirtualThreads"),
            .is_carrier = text_is(thread.group, "CarrierThreads"),
        };
        vec_push(&batch->threads, out);
    }
}

/* Makes "OpenJDK 64-Bit Server VM 25.0.5" of the JVM's name, "OpenJDK 64-Bit Server VM", and its version, "OpenJDK
 * 64-Bit Server VM (25.0.5+9-Debian) for linux-amd64 ...". */
static void read_jvm(struct batch_reader *reader)
{
    struct batch *batch = reader->batch;
    struct jfr_text name = jfr_text(reader->jfr, &batch->jvm_name);
    struct jfr_text version = jfr_text(reader->jfr, &batch->jvm_version);
    const char *from = version.n != 0 ? memchr(version.p, '(', version.n) : NULL;
    size_t length = 0;
    while (from != NULL && from + 1 + length < version.p + version.n && strchr(")+-", from[1 + length]) == NULL)
        length++;
    reader->name.n = 0;
    vec_reserve(&reader->name, name.n + 1 + length);
    if (name.n != 0)
        memcpy(reader->name.v, name.p, name.n);
    reader->name.n = name.n;
    if (length != 0) {
        reader->name.v[reader->name.n++] = ' ';
        memcpy(reader->name.v + reader->name.n, from + 1, length);
        reader->name.n += length;
        for (size_t i = 0; i < length && from[1 + i] >= '0' && from[1 + i] <= '9' && i < 4; i++)
            batch->jvm_major = batch->jvm_major * 10 + (from[1 + i] - '0');
    }
    batch->jvm = intern_bytes(&batch->names, reader->name.v, reader->name.n);
}

/* Takes the brand from "Brand: AMD EPYC 7763 64-Core Processor, Vendor: AuthenticAMD\n...". */
static void read_cpu(struct batch_reader *reader)
{
    static const char before[] = "Brand: ";
    struct jfr_text text = jfr_text(reader->jfr, &reader->batch->cpu_description);
    size_t length = 0, skip = sizeof before - 1;
    reader->batch->has_cpu = text.n > skip && memcmp(text.p, before, skip) == 0;
    if (!reader->batch->has_cpu)
        return;
    while (skip + length < text.n && text.p[skip + length] != ',' && text.p[skip + length] != '\n')
        length++;
    reader->batch->cpu = intern_bytes(&reader->batch->names, text.p + skip, length);
}

/* The name of a constant pool entry. KNOWN caches them, since very many collections may have the same. */
static uint32_t name_of(struct batch_reader *reader, enum jfr_named pool, uint64_t key, struct map64 *known)
{
    uint32_t name = map64_get(known, key);
    if (name == MAP_NONE)
        name = map64_put(known, key, batch_text(reader->batch, jfr_named(reader->jfr, pool, key)));
    return name;
}

/* The name of a pause is a text, mostly the same as that of the pause before it; collectors and causes are entries of
 * constant pools. */
static void read_gc(struct batch_reader *reader)
{
    struct batch *batch = reader->batch;
    struct jfr_text latest = {0};
    struct map64 names = {0}, causes = {0};
    for (size_t i = 0; i < batch->pauses.n; i++) {
        struct jfr_text text = jfr_text(reader->jfr, &batch->pauses.v[i].name);
        bool same = i != 0 && is_same_text(text, latest);
        batch->pauses.v[i].name_id = same ? batch->pauses.v[i - 1].name_id : batch_text(batch, text);
        latest = text;
    }
    for (size_t i = 0; i < batch->collections.n; i++) {
        struct batch_gc *gc = &batch->collections.v[i];
        gc->name_id = name_of(reader, JFR_GC_NAME, key_of(&gc->name), &names);
        gc->cause_id = name_of(reader, JFR_GC_CAUSE, key_of(&gc->cause), &causes);
    }
    map64_free(&names);
    map64_free(&causes);
}

struct setting_order {
    int64_t time_ns;
    size_t place;
};

static int by_setting_time(const void *left, const void *right)
{
    const struct setting_order *a = left, *b = right;
    if (a->time_ns != b->time_ns)
        return a->time_ns < b->time_ns ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* Sorts settings by time here, since observe_setting would take long to insert many that are out of order. */
static void sort_settings(struct batch *batch)
{
    struct setting_order *order = mem_zero(batch->settings.n, sizeof *order);
    struct batch_setting *sorted = mem_zero(batch->settings.n, sizeof *sorted);
    for (size_t i = 0; i < batch->settings.n; i++)
        order[i] = (struct setting_order){batch->settings.v[i].time_ns, i};
    qsort(order, batch->settings.n, sizeof *order, by_setting_time);
    for (size_t i = 0; i < batch->settings.n; i++)
        sorted[i] = batch->settings.v[order[i].place];
    free(order);
    free(batch->settings.v);
    batch->settings.v = sorted;
    batch->settings.cap = batch->settings.n;
}

enum observed_setting_of batch_setting_of(const struct batch_reader *reader, int64_t type)
{
    static const unsigned specs_of[SETTINGS] = {[SETTING_CPU_TIME] = EVENT_CPU_TIME,
                                                [SETTING_EXECUTION] = EVENT_EXECUTION,
                                                [SETTING_NATIVE] = EVENT_NATIVE,
                                                [SETTING_THREAD_LOAD] = EVENT_THREAD_LOAD};
    unsigned of = 0;
    while (of < SETTINGS && (type < 0 || jfr_type_id(reader->jfr, specs_of[of]) != type))
        of++;
    return (enum observed_setting_of)of;
}

static void read_settings(struct batch_reader *reader)
{
    struct batch *batch = reader->batch;
    if (batch->settings.n != 0)
        sort_settings(batch);
    for (size_t i = 0; i < batch->settings.n; i++) {
        const struct batch_setting *setting = &batch->settings.v[i];
        struct jfr_text name = jfr_text(reader->jfr, &setting->name);
        enum observed_setting_of of = batch_setting_of(reader, setting->type);
        if (!text_is(name, of == SETTING_CPU_TIME ? "throttle" : "period"))
            continue;
        struct jfr_text text = jfr_text(reader->jfr, &setting->value);
        struct batch_value value = {setting->time_ns, of, batch_text(batch, text)};
        if (text.n < LONG_TEXT) /* a longer one is no valid setting */
            vec_push(&batch->values, value);
    }
    for (size_t i = 0; i < batch->flags.n; i++)
        batch->debug_non_safepoints |= text_is(jfr_text(reader->jfr, &batch->flags.v[i]), "DebugNonSafepoints");
    if (batch->has_cpu)
        read_cpu(reader);
    if (batch->has_jvm)
        read_jvm(reader);
}

void batch_read_facts(struct batch_reader *reader)
{
    read_threads(reader);
    read_settings(reader);
    read_gc(reader);
}
