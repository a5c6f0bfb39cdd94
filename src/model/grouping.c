/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Section 1: which JFR threads count as one thread. */
#include "grouping.h"

struct order {
    uint64_t jfr_id;
    uint32_t thread;
};

static int by_jfr_id(const void *left, const void *right)
{
    const struct order *a = left, *b = right;
    if (a->jfr_id != b->jfr_id)
        return a->jfr_id < b->jfr_id ? -1 : 1;
    return a->thread < b->thread ? -1 : a->thread > b->thread;
}

static bool called_main(const struct observed *o, const struct observed_thread *thread)
{
    return strcmp(o->names.texts.v[thread->name].text, "main") == 0;
}

static bool anonymous(const struct observed *o, uint32_t thread)
{
    return thread == o->anonymous_seen || thread == o->anonymous_blind;
}

static uint32_t add_group(struct model *m, const struct observed_thread *thread)
{
    struct group group = {.jfr_id = thread->jfr_id,
                          .os_id = thread->os_id,
                          .name = thread->name,
                          .started = thread->started && !called_main(m->observed, thread)};
    vec_push(&m->groups, group);
    return (uint32_t)m->groups.n - 1;
}

/* The group of the threads that have THREAD's OS id. The one with the lowest JFR id comes first: it is put in
 * VIRTUAL_GROUP, or where that is NO_GROUP in a new group with its name. */
static struct tid_group *group_of_tid(struct model *m, const struct observed_thread *thread, uint32_t virtual_group)
{
    uint32_t known = map64_get(&m->tid_index, (uint64_t)thread->os_id);
    if (known == MAP_NONE) {
        struct tid_group fresh = {virtual_group != NO_GROUP ? virtual_group : add_group(m, thread),
                                  thread->started && !called_main(m->observed, thread)};
        known = map64_put(&m->tid_index, (uint64_t)thread->os_id, (uint32_t)m->tids.n);
        vec_push(&m->tids, fresh);
    }
    return &m->tids.v[known];
}

void model_group_threads(struct model *m)
{
    struct observed *o = m->observed;
    struct order *order = mem_zero(o->threads.n, sizeof *order);
    uint32_t virtual_group = NO_GROUP;
    struct map64 virtual_tids = {0};
    m->group_of_thread = mem_zero(o->threads.n, sizeof *m->group_of_thread);
    for (uint32_t i = 0; i < o->threads.n; i++) {
        const struct observed_thread *thread = &o->threads.v[i];
        order[i] = (struct order){thread->jfr_id, i};
        if ((thread->is_virtual || thread->is_carrier) && thread->os_id != 0)
            map64_put(&virtual_tids, (uint64_t)thread->os_id, 0);
    }
    if (o->threads.n != 0)
        qsort(order, o->threads.n, sizeof *order, by_jfr_id);
    for (size_t i = 0; i < o->threads.n; i++) {
        const struct observed_thread *thread = &o->threads.v[order[i].thread];
        uint32_t *group = &m->group_of_thread[order[i].thread];
        bool in_virtual = thread->is_virtual || thread->is_carrier ||
                          (thread->os_id != 0 && map64_get(&virtual_tids, (uint64_t)thread->os_id) != MAP_NONE);
        if (in_virtual && virtual_group == NO_GROUP) {
            virtual_group = add_group(m, thread);
            struct group *made = &m->groups.v[virtual_group];
            made->is_virtual = true;
            made->os_id = 0;
            made->started = false;
            made->name = observed_name(o, "virtual threads", strlen("virtual threads"));
        }
        if (thread->os_id != 0) {
            *group = group_of_tid(m, thread, in_virtual ? virtual_group : NO_GROUP)->group;
        } else if (in_virtual) {
            *group = virtual_group;
        } else {
            *group = add_group(m, thread);
            m->groups.v[*group].anonymous = anonymous(o, order[i].thread);
        }
    }
    for (size_t i = 0; i < o->thread_loads.n; i++)
        m->groups.v[m->group_of_thread[o->thread_loads.v[i].thread]].has_load = true;
    map64_free(&virtual_tids);
    free(order);
}
