/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "jfr_seen.h"

const struct jfr_event_spec seen_specs[2] = {
    {"test.Sample", {"startTime", "thread", "stack", "number"}},
    {"test.Text", {"text"}},
};

static void keep(void *user, unsigned spec, const struct jfr_value *values, uint64_t at)
{
    struct seen *seen = user;
    struct seen_event event = {.spec = spec, .at = at};
    for (size_t i = 0; i < JFR_MAX_FIELDS && seen->specs[spec].fields[i] != NULL; i++)
        event.values[i] = values[i];
    vec_push(&seen->events, event);
}

void seen_read(struct seen *seen, const uint8_t *bytes, size_t length, size_t chunk, const struct jfr_event_spec *specs,
               size_t spec_count)
{
    *seen = (struct seen){.specs = specs, .reader = jfr_reader_new(specs, spec_count)};
    jfr_decode_whole_frames(seen->reader);
    seen->status = jfr_list_chunks(bytes, length, &seen->chunks, &seen->damage, &seen->err);
    if (seen->status == STATUS_OK && chunk < seen->chunks.n)
        seen->status =
            jfr_read_chunk(seen->reader, bytes, &seen->chunks.v[chunk], keep, seen, &seen->damage, &seen->err);
}

void seen_built(struct seen *seen, const struct build *b)
{
    seen_read(seen, b->out.v, b->out.n, 0, seen_specs, 2);
}

void seen_free(struct seen *seen)
{
    jfr_reader_free(seen->reader);
    vec_free(&seen->chunks);
    vec_free(&seen->events);
}

size_t seen_resolve_all(struct seen *seen)
{
    struct jfr_thread thread;
    struct jfr_stack stack;
    struct jfr_method method;
    size_t sum = 0;
    uint64_t key;
    for (size_t i = 0; i < seen->events.n; i++) {
        for (size_t slot = 0; slot < 4; slot++) {
            const struct jfr_value *value = &seen->events.v[i].values[slot];
            if (value->kind == JFR_TEXT)
                sum += jfr_text(seen->reader, value).n;
            if (value->kind != JFR_REF)
                continue;
            if (jfr_thread(seen->reader, value->ref, &thread))
                sum += thread.os_name.n + thread.java_name.n + thread.group.n;
            if (!jfr_stack(seen->reader, value->ref, &stack))
                continue;
            sum += stack.count;
            for (size_t f = 0; f < stack.count; f++) {
                uint64_t at = stack.frames[f].method;
                sum += jfr_method(seen->reader, at, &method) ? method.name.n + method.class_name.n : 1;
                sum += jfr_named(seen->reader, JFR_FRAME_TYPE, stack.frames[f].type).n;
            }
        }
    }
    for (size_t i = 0; jfr_thread_key(seen->reader, i, &key); i++)
        sum += jfr_thread(seen->reader, key, &thread);
    return sum;
}

const char *seen_words(struct jfr_text text)
{
    static char words[256];
    if (text.p == NULL)
        return "(null)";
    size_t n = text.n < sizeof words ? text.n : sizeof words - 1;
    memcpy(words, text.p, n);
    words[n] = '\0';
    return words;
}

const char *seen_text(struct seen *seen, size_t event, size_t slot)
{
    return seen_words(jfr_text(seen->reader, &seen->events.v[event].values[slot]));
}
