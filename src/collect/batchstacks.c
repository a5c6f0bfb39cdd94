/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes branches of the stacks of a chunk's samples, and names of their methods, each only once. */
#include "batchreader.h"

#include "joular/hash.h"

#include <stdio.h>

uint32_t batch_text(struct batch *batch, struct jfr_text text)
{
    if (text.n < LONG_TEXT)
        return intern_bytes(&batch->names, text.p != NULL ? text.p : "", text.n);
    uint32_t name = map64_get(&batch->long_names, (uintptr_t)text.p);
    if (name == MAP_NONE)
        name = map64_put(&batch->long_names, (uintptr_t)text.p, intern_bytes(&batch->names, text.p, text.n));
    return name;
}

/* Hashes a text; of a long one the address, which is always the same, since the JFR reader decodes it once. */
static uint64_t text_hash(struct jfr_text text)
{
    return text.p != NULL && text.n < LONG_TEXT ? hash_bytes(text.p, text.n) : hash_mix((uintptr_t)text.p);
}

bool is_same_text(struct jfr_text a, struct jfr_text b)
{
    return a.n == b.n && (a.p == b.p || (a.p != NULL && b.p != NULL && a.n < LONG_TEXT && memcmp(a.p, b.p, a.n) == 0));
}

static uint32_t intern_method(struct batch_reader *reader, const struct jfr_method *method)
{
    reader->name.n = 0;
    method_name(&reader->name, method);
    return intern_bytes(&reader->batch->names, reader->name.v, reader->name.n);
}

/* Very many methods may have the same class and method name, each a mebibyte long: such a name is made only once. */
static uint32_t long_method_of(struct batch_reader *reader, const struct jfr_method *method)
{
    uint64_t hash = hash_mix(text_hash(method->class_name)) ^ text_hash(method->name);
    uint32_t place = map64_put(&reader->long_places, hash, (uint32_t)reader->long_methods.n);
    if (place == reader->long_methods.n)
        vec_push(&reader->long_methods,
                 ((struct long_method){method->class_name, method->name, intern_method(reader, method)}));
    const struct long_method *known = &reader->long_methods.v[place];
    bool is_same = is_same_text(known->class_name, method->class_name) && is_same_text(known->name, method->name);
    return is_same ? known->known : intern_method(reader, method);
}

/* The name of a method, shifted left by one bit; the lowest bit says whether the method is hidden. */
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

/* The branch of a stack; NO_BRANCH where it has no frames. */
static uint32_t make_branch(struct batch_reader *reader, uint64_t key)
{
    struct batch *batch = reader->batch;
    struct jfr_stack stack;
    struct branch branch = {(uint32_t)batch->frames.n, 0, -1};
    if (key != 0 && jfr_stack(reader->jfr, key, &stack) && stack.count != 0) {
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
    if (branch.count == 0) {
        batch->frames.n = branch.first;
        return NO_BRANCH;
    }
    vec_push(&batch->branches, branch);
    return (uint32_t)batch->branches.n - 1;
}

/* The number of a stack in stack_list, where each is once. */
static uint32_t list_stack(struct batch_reader *reader, uint64_t key)
{
    uint32_t number = map64_put(&reader->stacks, key, (uint32_t)reader->stack_list.n);
    if (number == reader->stack_list.n)
        vec_push(&reader->stack_list, ((struct listed_stack){key, NO_BRANCH}));
    return number;
}

#define STACKS_AHEAD 4 /* stacks may be anywhere in the chunk, so they are prefetched before they are read */

static void make_branches(struct batch_reader *reader)
{
    struct listed_stack *stacks = reader->stack_list.v;
    for (size_t i = 0, n = reader->stack_list.n; i < n; i++) {
        if (n - i > STACKS_AHEAD)
            jfr_prefetch_stack(reader->jfr, stacks[i + STACKS_AHEAD].key);
        stacks[i].branch = make_branch(reader, stacks[i].key);
    }
}

/* async-profiler writes ExecutionSamples of waiting threads too; they are recognised by their state. */
static bool waits(struct batch_reader *reader, uint64_t state)
{
    static const char *const words[] = {"SLEEPING", "PARKED", "WAIT", "BLOCKED"};
    struct jfr_text name = jfr_named(reader->jfr, JFR_THREAD_STATE, state);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (name.p != NULL && memmem(name.p, name.n, words[i], strlen(words[i])) != NULL)
            return true;
    return false;
}

NOT_INLINED void batch_resolve_samples(struct batch_reader *reader)
{
    struct batch *batch = reader->batch;
    struct map64 states = {0};
    size_t kept = 0;
    chunk_samples_settle(&batch->cpu_time);
    for (size_t i = 0; i < batch->cpu_time.pairs.n; i++)
        batch->cpu_time.pairs.v[i].stack = list_stack(reader, batch->cpu_time.pairs.v[i].stack);
    for (size_t i = 0; i < batch->samples.n; i++) {
        struct batch_sample sample = batch->samples.v[i];
        if (sample.state != 0) {
            uint32_t waiting = map64_get(&states, sample.state);
            if (waiting == MAP_NONE)
                waiting = map64_put(&states, sample.state, waits(reader, sample.state));
            if (waiting != 0)
                continue;
        }
        sample.stack = list_stack(reader, sample.stack);
        batch->samples.v[kept++] = sample;
    }
    batch->samples.n = kept;
    map64_free(&states);
    make_branches(reader);
    for (size_t i = 0; i < batch->cpu_time.pairs.n; i++)
        batch->cpu_time.pairs.v[i].stack = reader->stack_list.v[batch->cpu_time.pairs.v[i].stack].branch;
    for (size_t i = 0; i < batch->samples.n; i++)
        batch->samples.v[i].stack = reader->stack_list.v[batch->samples.v[i].stack].branch;
}
