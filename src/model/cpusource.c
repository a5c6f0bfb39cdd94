/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Section 4: where the CPU time of threads comes from, and the log's thread records. */
#include "cpusource.h"

static uint32_t group_of_log_thread(struct model *m, const struct power_thread *thread, bool *started)
{
    int64_t tid = thread->ns_tid != 0 ? thread->ns_tid : thread->tid;
    uint32_t known = map64_get(&m->tid_index, (uint64_t)tid);
    if (known == MAP_NONE) { /* a thread that JFR does not know, such as one of the GC or the compiler */
        const struct intern_text *name = &m->log->texts.texts.v[thread->name];
        struct group group = {.os_id = tid, .name = observed_name(m->observed, name->text, name->length)};
        struct tid_group fresh = {(uint32_t)m->groups.n, false};
        vec_push(&m->groups, group);
        known = map64_put(&m->tid_index, (uint64_t)tid, (uint32_t)m->tids.n);
        vec_push(&m->tids, fresh);
    }
    *started = m->tids.v[known].started;
    return m->tids.v[known].group;
}

static bool thread_records(struct model *m)
{
    bool any = false;
    if (m->host_pid == 0)
        return false;
    m->group_of_record = mem_zero(m->log->threads.n, sizeof *m->group_of_record);
    m->started_record = mem_zero(m->log->threads.n, sizeof *m->started_record);
    for (size_t i = 0; i < m->log->threads.n; i++)
        m->group_of_record[i] = NO_GROUP;
    for (size_t i = 0; i < m->log->thread_records.n; i++) {
        uint32_t who = m->log->thread_records.v[i].who;
        const struct power_thread *thread = &m->log->threads.v[who];
        if (thread->pid != m->host_pid)
            continue;
        any = true;
        if (m->group_of_record[who] == NO_GROUP)
            m->group_of_record[who] = group_of_log_thread(m, thread, &m->started_record[who]);
    }
    return any;
}

void model_choose_cpu_source(struct model *m)
{
    struct result *r = m->result;
    if (thread_records(m))
        r->cpu_source = CPU_THREAD_RECORDS;
    else if (uses_cpu_time(m))
        r->cpu_source = CPU_TIME_SAMPLES;
    else if (m->observed->thread_loads.n != 0)
        r->cpu_source = CPU_THREAD_LOAD;
    else
        r->cpu_source = CPU_WEIGHTS;
}
