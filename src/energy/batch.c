/* One chunk's events, kept as they come on the walk, then resolved: stacks to branches, threads to their entries. */
#include "batch.h"

#include "joular/clock.h"

#include <stdio.h>

#define LONG_TEXT 256 /* bytes */

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

struct type_count {
    uint64_t type, count;
};

struct long_method {
    struct jfr_text class_name, name;
    uint32_t known;
};

#define RECENT_METHODS 1024 /* a power of two */

struct batch_reader {
    struct jfr_reader *jfr;
    const struct timeline *timeline;
    const struct energy_collect_options *options;
    struct map64 counts; /* type id -> position in counted */
    VEC(struct type_count) counted;
    /* of the chunk in hand */
    struct batch *batch;
    const struct energy_input *input;
    uint64_t at; /* in the input */
    int64_t offset_ns;
    uint32_t cycle_hint;
    struct near64 stacks; /* key -> branch + 1, 0: none */
    struct map64 methods; /* key -> name << 1 | hidden */
    struct recent_method {
        uint64_t key;
        uint32_t known;
    } recent[RECENT_METHODS]; /* in front of the map; a key of 0 is no method's here */
    VEC(uint32_t) frames;
    struct name_buffer name;
    struct map64 lines;       /* name << 32 | line -> name with the line */
    struct map64 long_places; /* what the parts of a long name are -> position in long_methods */
    VEC(struct long_method) long_methods;
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

struct batch_reader *batch_reader_new(const struct timeline *timeline, const struct energy_collect_options *options)
{
    struct batch_reader *reader = mem_zero(1, sizeof *reader);
    reader->jfr = jfr_reader_new(specs, EVENT_SPECS);
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
    near64_free(&reader->stacks);
    map64_free(&reader->methods);
    vec_free(&reader->frames);
    vec_free(&reader->name);
    map64_free(&reader->lines);
    map64_free(&reader->long_places);
    vec_free(&reader->long_methods);
    map64_free(&reader->counts);
    vec_free(&reader->counted);
    free(reader);
}

static int64_t integer(const struct jfr_value *value)
{
    return value->kind == JFR_INT ? value->i : 0;
}

static double number(const struct jfr_value *value)
{
    double d = value->kind == JFR_FLOAT ? value->d : value->kind == JFR_INT ? (double)value->i : 0;
    return d >= 0 && d < 1e18 ? d : 0; /* no share and no time is negative or no number */
}

static uint64_t key_of(const struct jfr_value *value)
{
    return value->kind == JFR_REF ? value->ref : 0;
}

static uint32_t cycle_of(struct batch_reader *reader, int64_t time_ns)
{
    return timeline_cycle(reader->timeline, time_ns, &reader->cycle_hint);
}

static void add_cpu_time(struct batch_reader *reader, const struct jfr_value *v, int64_t time_ns)
{
    uint64_t stack = integer(&v[4]) == 0 ? key_of(&v[2]) : 0; /* a failed sample has none */
    chunk_samples_add(&reader->batch->cpu_time, key_of(&v[1]), stack, cycle_of(reader, time_ns), time_ns,
                      integer(&v[3]), integer(&v[5]) != 0);
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

/* What a setting of the event type with that id is for; SETTINGS for others. */
static enum observed_setting_of setting_of(const struct batch_reader *reader, int64_t type)
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
    (void)at;
    switch ((enum batch_event_kind)spec) {
    case EVENT_CPU_TIME:
        add_cpu_time(reader, v, time_ns);
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
        if (setting_of(reader, integer(&v[1])) != SETTINGS)
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

/* A long text, which the reader decodes once, is hashed once: a whole chunk of events may name it. */
static uint32_t intern_text(struct batch *batch, struct jfr_text text)
{
    if (text.n < LONG_TEXT)
        return intern_bytes(&batch->names, text.p != NULL ? text.p : "", text.n);
    uint32_t name = map64_get(&batch->long_names, (uintptr_t)text.p);
    if (name == MAP_NONE)
        name = map64_put(&batch->long_names, (uintptr_t)text.p, intern_bytes(&batch->names, text.p, text.n));
    return name;
}

/* What is long stands in one place, since the reader decodes it once. */
static uint64_t text_mark(struct jfr_text text)
{
    return text.p != NULL && text.n < LONG_TEXT ? hash_bytes(text.p, text.n) : hash_mix((uintptr_t)text.p);
}

static bool is_same_text(struct jfr_text a, struct jfr_text b)
{
    return a.n == b.n && (a.p == b.p || (a.p != NULL && b.p != NULL && a.n < LONG_TEXT && memcmp(a.p, b.p, a.n) == 0));
}

static uint32_t intern_method(struct batch_reader *reader, const struct jfr_method *method)
{
    reader->name.n = 0;
    method_name(&reader->name, method);
    return intern_bytes(&reader->batch->names, reader->name.v, reader->name.n);
}

/* Very many methods may be of one class, and have one name, of a mebibyte each: it is put together once. */
static uint32_t long_method_of(struct batch_reader *reader, const struct jfr_method *method)
{
    uint64_t mark = hash_mix(text_mark(method->class_name)) ^ text_mark(method->name);
    uint32_t place = map64_put(&reader->long_places, mark, (uint32_t)reader->long_methods.n);
    if (place == reader->long_methods.n)
        vec_push(&reader->long_methods,
                 ((struct long_method){method->class_name, method->name, intern_method(reader, method)}));
    const struct long_method *known = &reader->long_methods.v[place];
    bool is_same = is_same_text(known->class_name, method->class_name) && is_same_text(known->name, method->name);
    return is_same ? known->known : intern_method(reader, method);
}

/* Name of a method and, in the lowest bit, whether it is hidden. */
static uint32_t method_of(struct batch_reader *reader, uint64_t key)
{
    uint32_t known = map64_get(&reader->methods, key);
    if (known != MAP_NONE)
        return known;
    struct jfr_method method;
    if (jfr_method(reader->jfr, key, &method)) {
        bool is_long = method.class_name.n >= LONG_TEXT || method.name.n >= LONG_TEXT;
        known = is_long ? long_method_of(reader, &method) : intern_method(reader, &method);
        known = known << 1 | method.hidden;
    } else {
        known = intern_bytes(&reader->batch->names, "[unknown]", 9) << 1;
    }
    map64_put(&reader->methods, key, known);
    return known;
}

static uint32_t recent_method_of(struct batch_reader *reader, uint64_t key)
{
    struct recent_method *recent = &reader->recent[(key ^ key >> 16) % RECENT_METHODS];
    if (__builtin_expect(recent->key != key || key == 0, 0))
        *recent = (struct recent_method){key, method_of(reader, key)};
    return recent->known;
}

static uint32_t with_line(struct batch_reader *reader, uint32_t name, int32_t line)
{
    char number[16];
    if (line <= 0)
        return name;
    uint64_t pair = (uint64_t)name << 32 | (uint32_t)line;
    uint32_t known = map64_get(&reader->lines, pair);
    if (known != MAP_NONE)
        return known;
    const struct intern_text *text = &reader->batch->names.texts.v[name];
    int length = snprintf(number, sizeof number, ":%d", line);
    reader->name.n = 0;
    vec_reserve(&reader->name, text->length + (size_t)length);
    memcpy(reader->name.v, text->text, text->length);
    memcpy(reader->name.v + text->length, number, (size_t)length);
    known = intern_bytes(&reader->batch->names, reader->name.v, text->length + (size_t)length);
    map64_put(&reader->lines, pair, known);
    return known;
}

static uint32_t branch_of(struct batch_reader *reader, uint64_t key)
{
    struct batch *batch = reader->batch;
    struct jfr_stack stack;
    if (key == 0)
        return NO_BRANCH;
    uint32_t known = near64_get(&reader->stacks, key);
    if (known != MAP_NONE)
        return known - 1;
    struct result_branch branch = {(uint32_t)batch->frames.n, 0, -1};
    if (jfr_stack(reader->jfr, key, &stack) && stack.count != 0) {
        vec_reserve(&batch->frames, stack.count + 1);
        if (stack.truncated)
            vec_push(&batch->frames, intern_bytes(&batch->names, "[truncated]", 11));
        size_t frames = batch->frames.n;
        uint32_t *next = batch->frames.v + frames;
        bool drop_hidden = reader->options->drop_hidden_frames, lines = reader->options->lines;
        for (size_t i = stack.count; i > 0; i--) {
            uint32_t method = recent_method_of(reader, stack.frames[i - 1].method);
            if ((method & 1) == 0 || !drop_hidden)
                *next++ = lines ? with_line(reader, method >> 1, stack.frames[i - 1].line) : method >> 1;
        }
        batch->frames.n = (size_t)(next - batch->frames.v);
        branch.count = batch->frames.n != frames ? (uint32_t)(batch->frames.n - branch.first) : 0;
    }
    uint32_t number = NO_BRANCH;
    if (branch.count == 0) {
        batch->frames.n = branch.first;
    } else {
        vec_push(&batch->branches, branch);
        number = (uint32_t)batch->branches.n - 1;
    }
    near64_put(&reader->stacks, key, number + 1);
    return number;
}

/* async-profiler writes threads that wait as ExecutionSamples too, told by their state. */
static bool waits(struct batch_reader *reader, uint64_t state)
{
    static const char *const words[] = {"SLEEPING", "PARKED", "WAIT", "BLOCKED"};
    struct jfr_text name = jfr_named(reader->jfr, JFR_THREAD_STATE, state);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (name.p != NULL && memmem(name.p, name.n, words[i], strlen(words[i])) != NULL)
            return true;
    return false;
}

NOT_INLINED static void resolve_samples(struct batch_reader *reader)
{
    struct batch *batch = reader->batch;
    struct map64 states = {0};
    size_t kept = 0;
    chunk_samples_settle(&batch->cpu_time);
    for (size_t i = 0; i < batch->cpu_time.cells.n; i++)
        batch->cpu_time.cells.v[i].stack = branch_of(reader, batch->cpu_time.cells.v[i].stack);
    for (size_t i = 0; i < batch->samples.n; i++) {
        struct batch_sample sample = batch->samples.v[i];
        if (sample.state != 0) {
            uint32_t waiting = map64_get(&states, sample.state);
            if (waiting == MAP_NONE)
                waiting = map64_put(&states, sample.state, waits(reader, sample.state));
            if (waiting != 0)
                continue;
        }
        sample.stack = branch_of(reader, sample.stack);
        batch->samples.v[kept++] = sample;
    }
    batch->samples.n = kept;
    map64_free(&states);
}

static bool is_group(struct jfr_text group, const char *name)
{
    return group.p != NULL && group.n == strlen(name) && memcmp(group.p, name, group.n) == 0;
}

/* All threads of the pool, not only those of events: a carrier has none of its own, but has records in the log. */
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
            .name = intern_text(batch, name),
            .is_virtual = thread.is_virtual || is_group(thread.group, "VirtualThreads"),
            .is_carrier = is_group(thread.group, "CarrierThreads"),
        };
        vec_push(&batch->threads, out);
    }
}

/* "OpenJDK 64-Bit Server VM" and "OpenJDK 64-Bit Server VM (25.0.5+9-Debian) for linux-amd64 ..." to one name. */
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

/* "Brand: AMD EPYC 7763 64-Core Processor, Vendor: AuthenticAMD\n..." to what stands between. */
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

/* A pause's name is a text, a collector's and a cause's are entries of pools. */
static void read_gc(struct batch_reader *reader)
{
    struct batch *batch = reader->batch;
    for (size_t i = 0; i < batch->pauses.n; i++)
        batch->pauses.v[i].name_id = intern_text(batch, jfr_text(reader->jfr, &batch->pauses.v[i].name));
    for (size_t i = 0; i < batch->collections.n; i++) {
        struct batch_gc *gc = &batch->collections.v[i];
        gc->name_id = intern_text(batch, jfr_named(reader->jfr, JFR_GC_NAME, key_of(&gc->name)));
        gc->cause_id = intern_text(batch, jfr_named(reader->jfr, JFR_GC_CAUSE, key_of(&gc->cause)));
    }
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

/* In the order of time, in which they are kept: one by one into their places would take long where they are many. */
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

static void read_settings(struct batch_reader *reader)
{
    struct batch *batch = reader->batch;
    if (batch->settings.n != 0)
        sort_settings(batch);
    for (size_t i = 0; i < batch->settings.n; i++) {
        const struct batch_setting *setting = &batch->settings.v[i];
        struct jfr_text name = jfr_text(reader->jfr, &setting->name);
        enum observed_setting_of of = setting_of(reader, setting->type);
        if (!is_group(name, of == SETTING_CPU_TIME ? "throttle" : "period"))
            continue;
        struct jfr_text text = jfr_text(reader->jfr, &setting->value);
        struct batch_value value = {setting->time_ns, of, intern_text(batch, text)};
        if (text.n < LONG_TEXT) /* no setting is */
            vec_push(&batch->values, value);
    }
    for (size_t i = 0; i < batch->flags.n; i++)
        batch->debug_non_safepoints |= is_group(jfr_text(reader->jfr, &batch->flags.v[i]), "DebugNonSafepoints");
    if (batch->has_cpu)
        read_cpu(reader);
    if (batch->has_jvm) {
        read_jvm(reader);
    }
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

/* Empties it and keeps what takes most of the memory, for the next chunk. */
static void batch_clear(struct batch *batch)
{
    struct batch kept = {.names = batch->names, .cpu_time = batch->cpu_time};
    kept.frames.v = batch->frames.v;
    kept.frames.cap = batch->frames.cap;
    kept.branches.v = batch->branches.v;
    kept.branches.cap = batch->branches.cap;
    kept.samples.v = batch->samples.v;
    kept.samples.cap = batch->samples.cap;
    batch->names = (struct intern){0};
    batch->cpu_time = (struct chunk_samples){0};
    batch->frames.v = NULL;
    batch->branches.v = NULL;
    batch->samples.v = NULL;
    batch_free(batch);
    *batch = kept;
    intern_clear(&batch->names);
    chunk_samples_clear(&batch->cpu_time);
}

void batch_read(struct batch_reader *reader, const struct energy_input *input, const struct jfr_chunk *chunk,
                struct batch *batch)
{
    batch_clear(batch);
    reader->batch = batch;
    reader->input = input;
    reader->at = chunk->at;
    reader->offset_ns = timeline_offset(reader->timeline, chunk->header.start_ns);
    reader->cycle_hint = 0;
    near64_clear(&reader->stacks);
    map64_clear(&reader->methods);
    map64_clear(&reader->lines);
    map64_clear(&reader->long_places);
    reader->long_methods.n = 0;
    memset(reader->recent, 0, sizeof reader->recent);
    if (jfr_read_chunk(reader->jfr, input->bytes, chunk, on_event, reader, &batch->damage, &batch->err) != STATUS_OK)
        return;
    resolve_samples(reader);
    read_threads(reader);
    read_settings(reader);
    read_gc(reader);
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
