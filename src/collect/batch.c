/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the events of one chunk as the walk over it meets them. What they refer to is resolved after the walk
 * (batchstacks.c, batchfacts.c). */
#include "batchreader.h"

#include "joular/clock.h"

static const struct jfr_event_spec specs[EVENT_SPECS] = {
    [EVENT_THREAD_LOAD] = {"jdk.ThreadCPULoad", {"startTime", "eventThread", "user", "system"}},
    [EVENT_THREAD_START] = {"jdk.ThreadStart", {"startTime", "thread"}},
    [EVENT_THREAD_END] = {"jdk.ThreadEnd", {"startTime", "thread"}},
    [EVENT_LOAD] = {"jdk.CPULoad", {"startTime", "jvmUser", "jvmSystem", "machineTotal"}},
    [EVENT_GC] = {"jdk.GCCPUTime", {"startTime", "userTime", "systemTime"}},
    [EVENT_CPU_TIME] = {"jdk.CPUTimeSample",
                        {"startTime", "eventThread", "stackTrace", "samplingPeriod", "failed", "biased"}},
    [EVENT_LOST] = {"jdk.CPUTimeSamplesLost", {"startTime", "eventThread", "lostSamples"}},
    [EVENT_EXECUTION] = {"jdk.ExecutionSample", {"startTime", "sampledThread", "stackTrace", "state"}},
    [EVENT_NATIVE] = {"jdk.NativeMethodSample", {"startTime", "sampledThread", "stackTrace", "state"}},
    [EVENT_SETTING] = {"jdk.ActiveSetting", {"startTime", "id", "name", "value"}},
    [EVENT_FLAG] = {"jdk.BooleanFlag", {"startTime", "name", "value"}},
    [EVENT_JVM] = {"jdk.JVMInformation", {"startTime", "pid", "jvmName", "jvmVersion"}},
    [EVENT_CPU] = {"jdk.CPUInformation", {"startTime", "hwThreads", "description"}},
    [EVENT_PAUSE] = {"jdk.GCPhasePause", {"startTime", "eventThread", "duration", "gcId", "name"}},
    [EVENT_COLLECTION] = {"jdk.GarbageCollection", {"startTime", "gcId", "name", "cause"}},
    [EVENT_CONTAINER] = {"jdk.ContainerConfiguration", {"startTime", "effectiveCpuCount"}},
};

static void count_event(void *user, uint64_t at, uint64_t size, uint64_t type)
{
    struct batch_reader *reader = user;
    (void)at, (void)size;
    uint32_t place = map64_put(&reader->counts, type, (uint32_t)reader->counted.n);
    if (place == reader->counted.n)
        vec_push(&reader->counted, ((struct type_count){type, 0}));
    reader->counted.v[place].count++;
}

static void drop_passed(void *user, uint64_t from, uint64_t to)
{
    struct batch_reader *reader = user;
    reader->options->drop_pages(reader->input->owner, reader->at + from, reader->at + to);
}

static void name_counts(struct batch_reader *reader)
{
    for (size_t i = 0; i < reader->counted.n; i++) {
        struct jfr_type_facts facts = {.name = "(unknown type)", .name_length = strlen("(unknown type)")};
        size_t number;
        if (reader->counted.v[i].type <= 1)
            facts.name = reader->counted.v[i].type == 0 ? "(metadata)" : "(checkpoint)",
            facts.name_length = strlen(facts.name);
        else if (jfr_type_of_id(reader->jfr, reader->counted.v[i].type, &number))
            jfr_type_facts(reader->jfr, number, &facts);
        uint32_t name = intern_bytes(&reader->batch->names, facts.name, facts.name_length);
        vec_push(&reader->batch->counts, ((struct observed_count){name, reader->counted.v[i].count}));
    }
    map64_clear(&reader->counts);
    reader->counted.n = 0;
}

static int64_t integer(const struct jfr_value *value)
{
    return value->kind == JFR_INT ? value->i : 0;
}

static double number(const struct jfr_value *value)
{
    double d = value->kind == JFR_FLOAT ? value->d : value->kind == JFR_INT ? (double)value->i : 0;
    return d >= 0 && d < 1e18 ? d : 0; /* a negative or huge share or time, or NaN, counts as 0 */
}

static uint32_t cycle_of(struct batch_reader *reader, int64_t time_ns)
{
    return timeline_cycle(reader->timeline, time_ns, &reader->cycle_hint);
}

static void add_cpu_time(void *user, struct jfr_cpu_time_sample *samples, size_t count)
{
    struct batch_reader *reader = user;
    uint32_t cycles[CHUNK_GROUP], hint = reader->cycle_hint;
    _Static_assert(JFR_GROUP <= CHUNK_GROUP, "a group of the reader is added at once");
    for (size_t i = 0; i < count; i++) {
        struct jfr_cpu_time_sample *sample = &samples[i];
        sample->time_ns = time_difference(sample->time_ns, reader->offset_ns);
        cycles[i] = timeline_cycle(reader->timeline, sample->time_ns, &hint);
        sample->stack = sample->failed ? 0 : sample->stack; /* a failed sample has none */
    }
    reader->cycle_hint = hint;
    chunk_samples_add(&reader->batch->cpu_time, samples, cycles, count);
}

static struct jfr_cpu_time_sample cpu_time_sample(const struct jfr_value *v)
{
    return (struct jfr_cpu_time_sample){.time_ns = integer(&v[0]),
                                        .thread = key_of(&v[1]),
                                        .stack = key_of(&v[2]),
                                        .period_ns = integer(&v[3]),
                                        .failed = integer(&v[4]) != 0,
                                        .biased = integer(&v[5]) != 0};
}

static void keep_sample(struct batch_reader *reader, unsigned spec, const struct jfr_value *v, int64_t time_ns)
{
    struct batch_sample sample = {
        .time_ns = time_ns,
        .thread = key_of(&v[1]),
        .stack = key_of(&v[2]),
        .state = spec == EVENT_EXECUTION ? key_of(&v[3]) : 0,
        .cycle = cycle_of(reader, time_ns),
        .kind = spec == EVENT_EXECUTION ? SAMPLE_EXECUTION : SAMPLE_NATIVE,
    };
    vec_push(&reader->batch->samples, sample);
}

static void keep_event(struct batch_reader *reader, unsigned spec, const struct jfr_value *v, int64_t time_ns)
{
    struct batch_event event = {.time_ns = time_ns, .thread = key_of(&v[1])};
    if (spec == EVENT_THREAD_LOAD) {
        event.a = number(&v[2]) + number(&v[3]);
    } else if (spec == EVENT_GC) {
        event.a = number(&v[1]) + number(&v[2]);
    } else if (spec == EVENT_LOAD) {
        event.a = number(&v[1]) + number(&v[2]);
        event.b = number(&v[3]);
    }
    vec_push(&reader->batch->events[spec], event);
}

static void on_event(void *user, unsigned spec, const struct jfr_value *v, uint64_t at)
{
    struct batch_reader *reader = user;
    struct batch *batch = reader->batch;
    int64_t time_ns = time_difference(integer(&v[0]), reader->offset_ns);
    struct jfr_cpu_time_sample sample;
    (void)at;
    switch ((enum batch_event_kind)spec) {
    case EVENT_CPU_TIME:
        sample = cpu_time_sample(v);
        add_cpu_time(reader, &sample, 1);
        break;
    case EVENT_LOST:
        chunk_samples_lose(&batch->cpu_time, key_of(&v[1]), cycle_of(reader, time_ns), time_ns,
                           integer(&v[2]) > 0 ? (uint64_t)integer(&v[2]) : 0);
        break;
    case EVENT_EXECUTION:
    case EVENT_NATIVE:
        keep_sample(reader, spec, v, time_ns);
        break;
    case EVENT_THREAD_LOAD:
    case EVENT_GC:
    case EVENT_LOAD:
    case EVENT_THREAD_START:
    case EVENT_THREAD_END:
        keep_event(reader, spec, v, time_ns);
        break;
    case EVENT_SETTING:
        if (batch_setting_of(reader, integer(&v[1])) != SETTINGS)
            vec_push(&batch->settings, ((struct batch_setting){time_ns, integer(&v[1]), v[2], v[3]}));
        break;
    case EVENT_FLAG:
        if (integer(&v[2]) != 0)
            vec_push(&batch->flags, v[1]);
        break;
    case EVENT_JVM:
        batch->pid = integer(&v[1]);
        batch->jvm_name = v[2];
        batch->jvm_version = v[3];
        batch->has_jvm = true;
        break;
    case EVENT_CPU:
        batch->hw_threads = integer(&v[1]);
        batch->cpu_description = v[2];
        batch->has_cpu = true;
        break;
    case EVENT_CONTAINER:
        batch->effective_cpus = integer(&v[1]);
        break;
    case EVENT_PAUSE:
        vec_push(&batch->pauses, ((struct batch_gc){.time_ns = time_ns,
                                                    .wall_ns = integer(&v[0]),
                                                    .duration_ns = integer(&v[2]) > 0 ? integer(&v[2]) : 0,
                                                    .gc_id = (uint64_t)integer(&v[3]),
                                                    .thread = key_of(&v[1]),
                                                    .name = v[4]}));
        break;
    case EVENT_COLLECTION:
        vec_push(&batch->collections,
                 ((struct batch_gc){.gc_id = (uint64_t)integer(&v[1]), .name = v[2], .cause = v[3]}));
        break;
    case EVENT_SPECS:
        break;
    }
}

struct batch_reader *batch_reader_new(const struct timeline *timeline, const struct collect_options *options)
{
    struct batch_reader *reader = mem_zero(1, sizeof *reader);
    reader->jfr = jfr_reader_new(specs, EVENT_SPECS);
    jfr_on_cpu_time_samples(reader->jfr, EVENT_CPU_TIME, add_cpu_time, reader);
    reader->timeline = timeline;
    reader->options = options;
    if (options->drop_pages != NULL)
        jfr_on_passed(reader->jfr, drop_passed, reader);
    if (options->lines)
        jfr_decode_whole_frames(reader->jfr);
    if (options->count_events)
        jfr_on_every_event(reader->jfr, count_event, reader);
    return reader;
}

void batch_reader_free(struct batch_reader *reader)
{
    if (reader == NULL)
        return;
    jfr_reader_free(reader->jfr);
    map64_free(&reader->stacks);
    vec_free(&reader->stack_list);
    map64_free(&reader->methods);
    vec_free(&reader->name);
    map64_free(&reader->lines);
    map64_free(&reader->long_places);
    vec_free(&reader->long_methods);
    map64_free(&reader->counts);
    vec_free(&reader->counted);
    free(reader);
}

void batch_free(struct batch *batch)
{
    intern_free(&batch->names);
    map64_free(&batch->long_names);
    vec_free(&batch->frames);
    vec_free(&batch->branches);
    vec_free(&batch->threads);
    chunk_samples_free(&batch->cpu_time);
    vec_free(&batch->samples);
    for (int kind = 0; kind < EVENT_KINDS; kind++)
        vec_free(&batch->events[kind]);
    vec_free(&batch->settings);
    vec_free(&batch->flags);
    vec_free(&batch->counts);
    vec_free(&batch->pauses);
    vec_free(&batch->collections);
    vec_free(&batch->values);
    *batch = (struct batch){0};
}

/* Empties it and keeps the memory, for the next chunk. */
static void batch_clear(struct batch *batch)
{
    struct batch kept = {.names = batch->names, .long_names = batch->long_names, .cpu_time = batch->cpu_time};
#define KEEP(vec) (kept.vec = batch->vec, kept.vec.n = 0)
    KEEP(frames);
    KEEP(branches);
    KEEP(threads);
    KEEP(samples);
    for (int kind = 0; kind < EVENT_KINDS; kind++)
        KEEP(events[kind]);
    KEEP(settings);
    KEEP(flags);
    KEEP(counts);
    KEEP(pauses);
    KEEP(collections);
    KEEP(values);
#undef KEEP
    *batch = kept;
    intern_clear(&batch->names);
    map64_clear(&batch->long_names);
    chunk_samples_clear(&batch->cpu_time);
}

void batch_read(struct batch_reader *reader, const struct collect_input *input, const struct jfr_chunk *chunk,
                struct batch *batch)
{
    batch_clear(batch);
    reader->batch = batch;
    reader->input = input;
    reader->at = chunk->at;
    reader->offset_ns = timeline_offset(reader->timeline, chunk->header.start_ns);
    reader->cycle_hint = 0;
    map64_clear(&reader->stacks);
    reader->stack_list.n = 0;
    map64_clear(&reader->methods);
    map64_clear(&reader->lines);
    map64_clear(&reader->long_places);
    reader->long_methods.n = 0;
    memset(reader->recent, 0, sizeof reader->recent);
    if (jfr_read_chunk(reader->jfr, input->bytes, chunk, on_event, reader, &batch->damage, &batch->err) != STATUS_OK)
        return;
    batch_resolve_samples(reader);
    batch_read_facts(reader);
    name_counts(reader);
    batch->start_wall_ns = time_within(chunk->header.start_ns);
    batch->end_wall_ns = time_sum(batch->start_wall_ns, chunk->header.duration_ns);
    if (!jfr_has_end(&chunk->header))
        batch->end_wall_ns = time_within(jfr_last_event_ns(reader->jfr));
    if (batch->end_wall_ns < batch->start_wall_ns)
        batch->end_wall_ns = batch->start_wall_ns;
    batch->start_ns = time_difference(batch->start_wall_ns, reader->offset_ns);
    batch->end_ns = time_difference(batch->end_wall_ns, reader->offset_ns);
}
