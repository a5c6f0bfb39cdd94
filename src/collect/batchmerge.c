/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges the batch of a chunk into struct observed: replaces the batch's numbers of names, branches and threads by
 * those of the recording. */
#include "batch.h"

static void merge_threads(struct batch_merge *merge, const struct batch *batch, struct observed *observed)
{
    for (size_t i = 0; i < batch->threads.n; i++) {
        const struct batch_thread *from = &batch->threads.v[i];
        uint32_t thread = observed_thread(observed, from->jfr_id); /* may move the list of threads */
        struct observed_thread *to = &observed->threads.v[thread];
        if (to->known)
            continue; /* the first entry counts, as inside a chunk */
        to->known = true;
        to->os_id = from->os_id;
        to->name = merge->names.v[from->name];
        to->is_virtual = from->is_virtual;
        to->is_carrier = from->is_carrier;
    }
}

static void merge_samples(struct batch_merge *merge, const struct batch *batch, struct observed *observed)
{
    chunk_samples_merge(&merge->cpu_time, &batch->cpu_time, merge->branches.v, observed);
    for (size_t i = 0; i < batch->samples.n; i++) {
        const struct batch_sample *s = &batch->samples.v[i];
        uint32_t branch = s->stack == NO_BRANCH ? NO_BRANCH : merge->branches.v[s->stack];
        observe_execution(observed, s->kind, s->time_ns, s->cycle, observed_thread(observed, s->thread), branch);
    }
}

static void merge_events(const struct batch *batch, struct observed *observed)
{
    for (int kind = 0; kind < EVENT_KINDS; kind++) {
        for (size_t i = 0; i < batch->events[kind].n; i++) {
            const struct batch_event *e = &batch->events[kind].v[i];
            uint32_t thread = observed_thread(observed, e->thread);
            struct observed_moment moment = {e->time_ns, thread};
            switch ((enum batch_event_kind)kind) {
            case EVENT_THREAD_LOAD:
                if (thread != NO_THREAD)
                    vec_push(&observed->thread_loads, ((struct observed_thread_load){e->time_ns, thread, e->a}));
                break;
            case EVENT_THREAD_START:
                if (thread != NO_THREAD) {
                    observed->threads.v[thread].started = true;
                    vec_push(&observed->starts, moment);
                }
                break;
            case EVENT_THREAD_END:
                if (thread != NO_THREAD)
                    vec_push(&observed->ends, moment);
                break;
            case EVENT_LOAD:
                vec_push(&observed->loads, ((struct observed_load){e->time_ns, e->a, e->b}));
                break;
            case EVENT_GC:
                vec_push(&observed->gc, ((struct observed_gc){e->time_ns, e->a}));
                break;
            case EVENT_CPU_TIME:
            case EVENT_LOST:
            case EVENT_EXECUTION:
            case EVENT_NATIVE:
            case EVENT_SETTING:
            case EVENT_FLAG:
            case EVENT_JVM:
            case EVENT_CPU:
            case EVENT_CONTAINER:
            case EVENT_PAUSE:
            case EVENT_COLLECTION:
            case EVENT_SPECS:
                break;
            }
        }
    }
}

static void merge_gc(struct batch_merge *merge, const struct batch *batch, struct observed *observed)
{
    for (size_t i = 0; i < batch->pauses.n; i++) {
        const struct batch_gc *gc = &batch->pauses.v[i];
        vec_push(&observed->pauses,
                 ((struct observed_pause){gc->time_ns, gc->wall_ns, gc->duration_ns, gc->gc_id,
                                          observed_thread(observed, gc->thread), merge->names.v[gc->name_id]}));
    }
    for (size_t i = 0; i < batch->collections.n; i++) {
        const struct batch_gc *gc = &batch->collections.v[i];
        vec_push(&observed->collections,
                 ((struct observed_collection){gc->gc_id, merge->names.v[gc->name_id], merge->names.v[gc->cause_id]}));
    }
}

static void merge_facts(struct batch_merge *merge, const struct batch *batch, struct observed *observed)
{
    if (observed->pid == 0)
        observed->pid = batch->pid;
    if (observed->hw_threads == 0 && batch->hw_threads > 0)
        observed->hw_threads = batch->hw_threads;
    if (observed->effective_cpus == 0 && batch->effective_cpus > 0)
        observed->effective_cpus = batch->effective_cpus;
    if (observed->jvm_version == 0)
        observed->jvm_version = batch->jvm_major;
    if (observed->jvm_name == NULL && batch->has_jvm)
        observed->jvm_name = mem_strdup(observed->names.texts.v[merge->names.v[batch->jvm]].text);
    if (observed->cpu_model == NULL && batch->has_cpu)
        observed->cpu_model = mem_strdup(observed->names.texts.v[merge->names.v[batch->cpu]].text);
    observed->debug_non_safepoints |= batch->debug_non_safepoints;
    if (observed->chunk_count == 0 || batch->start_wall_ns < observed->start_wall_ns) {
        observed->start_wall_ns = batch->start_wall_ns;
        observed->start_ns = batch->start_ns;
    }
    if (observed->chunk_count == 0 || batch->end_wall_ns > observed->end_wall_ns) {
        observed->end_wall_ns = batch->end_wall_ns;
        observed->end_ns = batch->end_ns;
    }
    observed->chunk_count++;
}

void batch_merge(struct batch_merge *merge, const struct batch *batch, struct observed *observed)
{
    merge->names.n = merge->branches.n = 0;
    for (size_t i = 0; i < batch->names.texts.n; i++) {
        const struct intern_text *text = &batch->names.texts.v[i];
        vec_push(&merge->names, observed_name(observed, text->text, text->length));
    }
    for (size_t i = 0; i < batch->branches.n; i++) {
        const struct branch *branch = &batch->branches.v[i];
        merge->frames.n = 0;
        vec_reserve(&merge->frames, branch->count);
        for (uint32_t f = 0; f < branch->count; f++)
            vec_push(&merge->frames, merge->names.v[batch->frames.v[branch->first + f]]);
        vec_push(&merge->branches, observed_branch(observed, merge->frames.v, branch->count));
    }
    merge_threads(merge, batch, observed);
    for (size_t i = 0; i < batch->values.n; i++) {
        const struct batch_value *from = &batch->values.v[i];
        const struct intern_text *value = &batch->names.texts.v[from->value];
        observe_setting(observed, from->of, from->time_ns, value->text, value->length);
    }
    merge_samples(merge, batch, observed);
    merge_events(batch, observed);
    merge_gc(merge, batch, observed);
    for (size_t i = 0; i < batch->counts.n; i++)
        observe_count(observed, merge->names.v[batch->counts.v[i].name], batch->counts.v[i].count);
    merge_facts(merge, batch, observed);
}

void batch_merge_free(struct batch_merge *merge)
{
    vec_free(&merge->names);
    vec_free(&merge->branches);
    vec_free(&merge->frames);
    chunk_merge_free(&merge->cpu_time);
}
