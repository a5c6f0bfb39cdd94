/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording, as --dump looks at it: every event decoded whole, and whatever it refers to looked up. */
#include "fuzz.h"

#include "joular/hash.h"
#include "joular/text.h"

#define MAX_VALUES 64
#define MOST_LOOKS 20000 /* at frames and texts, in all: a stack may be large, and each event may refer to it */

struct walk {
    struct jfr_reader *reader;
    VEC(uint64_t) at; /* events, their types behind */
    unsigned looks;
};

static void see(void *user, uint64_t at, uint64_t size, uint64_t type)
{
    struct walk *walk = user;
    (void)size;
    vec_push(&walk->at, at);
    vec_push(&walk->at, type);
}

static void look_at_text(struct walk *walk, struct jfr_text text)
{
    walk->looks += 1 + (unsigned)(text.n / 1024);
    fuzz_check(text.p == NULL || utf8_valid(text.p, text.n), "a text is UTF-8");
}

static void look_at_method(struct walk *walk, uint64_t key)
{
    struct jfr_method method;
    walk->looks++;
    if (!jfr_method(walk->reader, key, &method))
        return;
    look_at_text(walk, method.class_name);
    look_at_text(walk, method.name);
}

static void look_at_key(struct walk *walk, uint64_t key)
{
    struct jfr_stack stack;
    struct jfr_thread thread;
    for (int pool = JFR_THREAD_STATE; pool <= JFR_FLAG_ORIGIN; pool++)
        look_at_text(walk, jfr_named(walk->reader, (enum jfr_named)pool, key));
    look_at_method(walk, key);
    if (jfr_thread(walk->reader, key, &thread)) {
        look_at_text(walk, thread.os_name);
        look_at_text(walk, thread.java_name);
        look_at_text(walk, thread.group);
    }
    if (!jfr_stack(walk->reader, key, &stack))
        return;
    walk->looks += (unsigned)stack.count;
    for (size_t i = 0; i < stack.count && walk->looks < MOST_LOOKS; i++)
        look_at_method(walk, stack.frames[i].method);
}

static void look_at_event(struct walk *walk, uint64_t at, uint64_t type)
{
    struct jfr_value values[MAX_VALUES];
    size_t number;
    if (!jfr_type_of_id(walk->reader, type, &number))
        return;
    size_t count = jfr_decode_event(walk->reader, at, number, values, MAX_VALUES);
    for (size_t i = 0; i < count && walk->looks < MOST_LOOKS; i++) {
        look_at_text(walk, jfr_text(walk->reader, &values[i]));
        if (values[i].kind == JFR_REF)
            look_at_key(walk, values[i].ref);
    }
}

static void look_at_types(struct walk *walk)
{
    struct jfr_type_facts type;
    struct jfr_field_facts field;
    for (size_t i = 0; jfr_type_facts(walk->reader, i, &type); i++) {
        look_at_text(walk, (struct jfr_text){type.name, type.name_length});
        for (size_t f = 0; jfr_field_facts(walk->reader, i, f, &field); f++) {
            look_at_text(walk, (struct jfr_text){field.name, field.name_length});
            look_at_text(walk, (struct jfr_text){field.type, field.type_length});
        }
    }
}

static int64_t number_of(const struct jfr_value *value)
{
    return value->kind == JFR_INT ? value->i : 0;
}

static uint64_t key_of(const struct jfr_value *value)
{
    return value->kind == JFR_REF ? value->ref : 0;
}

static void take_sample(uint64_t *sum, struct jfr_cpu_time_sample s)
{
    *sum = hash_mix(*sum + (uint64_t)s.time_ns);
    *sum = hash_mix(*sum + (uint64_t)s.period_ns);
    *sum = hash_mix(*sum + s.thread);
    *sum = hash_mix(*sum + s.stack);
    *sum = hash_mix(*sum + s.failed * 2U + s.biased);
}

/* What an event was, in a number that goes into a sum over all of them. */
static void take_event(void *user, unsigned spec, const struct jfr_value *values, uint64_t at)
{
    uint64_t *sum = user;
    uint64_t first = values[0].kind == JFR_INT ? (uint64_t)values[0].i : 0;
    if (spec == 0)
        take_sample(sum, (struct jfr_cpu_time_sample){(int64_t)first, number_of(&values[3]), key_of(&values[1]),
                                                      key_of(&values[2]), number_of(&values[4]) != 0,
                                                      number_of(&values[5]) != 0});
    else
        *sum = hash_mix(*sum + spec * UINT64_C(31) + at * 7 + first);
}

static void take_group(void *user, struct jfr_cpu_time_sample *samples, size_t count)
{
    for (size_t i = 0; i < count; i++)
        take_sample(user, samples[i]);
}

static const struct jfr_event_spec specs[] = {
    {"jdk.CPUTimeSample", {"startTime", "eventThread", "stackTrace", "samplingPeriod", "failed", "biased"}},
    {"jdk.GCPhasePause", {"startTime", "eventThread", "duration", "gcId", "name"}},
    {"jdk.CPULoad", {"startTime", "jvmUser", "jvmSystem", "machineTotal"}},
};
#define SPECS (sizeof specs / sizeof specs[0])

/* Events that nobody wants to see are stepped over many at a time, and samples come in groups: all must come out the
 * same. */
static void check_unseen(struct jfr_reader *unseen, const uint8_t *bytes, const struct jfr_chunk *chunk,
                         const struct jfr_reader *reader, const struct jfr_damage *damage, uint64_t sum)
{
    struct jfr_damage again = {0};
    struct error err = {0};
    uint64_t again_sum = 0;
    jfr_on_cpu_time_samples(unseen, 0, take_group, &again_sum);
    fuzz_check(jfr_read_chunk(unseen, bytes, chunk, take_event, &again_sum, &again, &err) == STATUS_OK,
               "a chunk can be read twice");
    fuzz_check(again_sum == sum, "events do not depend on who looks at the others");
    fuzz_check(again.bytes == damage->bytes && again.events == damage->events && again.first.at == damage->first.at,
               "damage does not depend on it either");
    fuzz_check(jfr_event_count(unseen) == jfr_event_count(reader), "nor does the number of events");
}

void fuzz_walk(const uint8_t *bytes, size_t length)
{
    struct walk walk = {.reader = jfr_reader_new(specs, SPECS)};
    struct jfr_reader *unseen = jfr_reader_new(specs, SPECS);
    struct jfr_chunk_list chunks = {0};
    struct jfr_damage of_list = {0};
    struct error err = {0};
    jfr_on_every_event(walk.reader, see, &walk);
    if (jfr_list_chunks(bytes, length, &chunks, &of_list, &err) == STATUS_OK) {
        for (size_t c = 0; c < chunks.n; c++) {
            struct jfr_damage damage = {0};
            struct error chunk_err = {0};
            uint64_t key, sum = 0;
            walk.at.n = 0;
            fuzz_check(chunks.v[c].at <= length && chunks.v[c].length <= length - chunks.v[c].at,
                       "a chunk lies in its file");
            if (jfr_read_chunk(walk.reader, bytes, &chunks.v[c], take_event, &sum, &damage, &chunk_err) != STATUS_OK)
                continue;
            check_unseen(unseen, bytes, &chunks.v[c], walk.reader, &damage, sum);
            look_at_types(&walk);
            for (size_t i = 0; i < walk.at.n && walk.looks < MOST_LOOKS; i += 2)
                look_at_event(&walk, walk.at.v[i], walk.at.v[i + 1]);
            for (size_t i = 0; walk.looks < MOST_LOOKS && jfr_thread_key(walk.reader, i, &key); i++)
                look_at_key(&walk, key);
        }
    }
    vec_free(&chunks);
    vec_free(&walk.at);
    jfr_reader_free(unseen);
    jfr_reader_free(walk.reader);
}
