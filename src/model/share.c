/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Section 3: the process's share of the machine's CPU power, cycle by cycle. */
#include "share.h"

#include <inttypes.h>
#include <stdio.h>

double model_power_w(const struct model *m, const struct power_cycle *cycle)
{
    double baseline = m->options->baseline_from_log ? m->log->baseline_w : m->options->baseline_w;
    if (isnan(cycle->power_w) || isnan(baseline))
        return cycle->power_w;
    return cycle->power_w > baseline ? cycle->power_w - baseline : 0;
}

static void list_pids(const struct power_log *log, bool (*wanted)(const struct power_process *, int64_t), int64_t pid,
                      char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < log->processes.n && used < size; i++) {
        const struct power_process *p = &log->processes.v[i];
        bool seen = !wanted(p, pid);
        for (size_t k = 0; k < i && !seen; k++)
            seen = log->processes.v[k].pid == p->pid && log->processes.v[k].ns_pid == p->ns_pid;
        if (seen)
            continue;
        used += (size_t)snprintf(buffer + used, size - used, "%s%" PRId64 " (%s", used > 0 ? ", " : "", p->pid,
                                 power_text(log, p->name));
        if (used < size && p->ns_pid != 0)
            used += (size_t)snprintf(buffer + used, size - used, ", known to itself as %" PRId64, p->ns_pid);
        if (used < size)
            used += (size_t)snprintf(buffer + used, size - used, ")");
    }
}

static bool any_process(const struct power_process *p, int64_t pid)
{
    (void)p, (void)pid;
    return true;
}

static bool known_to_itself(const struct power_process *p, int64_t pid)
{
    return p->ns_pid == pid;
}

static bool known_by_pid(const struct power_process *p, int64_t pid)
{
    return p->ns_pid == 0 && p->pid == pid;
}

static bool known_to_host(const struct power_process *p, int64_t pid)
{
    return p->pid == pid;
}

/* The host pid of the one process that MATCHES; 0 for none, -1 for several. */
static int64_t host_pid_of(const struct model *m, bool (*matches)(const struct power_process *, int64_t))
{
    int64_t found = 0;
    for (size_t i = 0; i < m->log->processes.n; i++) {
        const struct power_process *p = &m->log->processes.v[i];
        if (matches(p, m->pid))
            found = found == 0 || found == p->pid ? p->pid : -1;
    }
    return found;
}

enum status model_find_process(struct model *m)
{
    bool by_hand = !isnan(m->options->process_share);
    bool (*const rules[])(const struct power_process *,
                          int64_t) = {known_to_itself, known_by_pid,
                                      m->options->pid != 0 ? known_to_host : known_by_pid};
    char list[700];
    m->pid = m->options->pid != 0 ? m->options->pid : m->observed->pid;
    if (m->log->process_records.n == 0) {
        m->host_pid = m->pid;
        return STATUS_OK;
    }
    list_pids(m->log, any_process, 0, list, sizeof list);
    if (m->pid == 0)
        return by_hand
                   ? STATUS_OK
                   : error_set(m->err, STATUS_MISSING,
                               "the recording does not say its process id (it has no jdk.JVMInformation event), and "
                               "the power log has several to choose from: name one with --pid: %s",
                               list);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0] && m->host_pid == 0; i++) {
        m->host_pid = host_pid_of(m, rules[i]);
        if (m->host_pid < 0) {
            list_pids(m->log, rules[i], m->pid, list, sizeof list);
            return error_set(m->err, STATUS_INVALID,
                             "several processes of the power log know themselves as pid %" PRId64
                             ": choose one with --pid: %s",
                             m->pid, list);
        }
    }
    if (m->host_pid == 0 && !by_hand)
        return error_set(m->err, STATUS_MISSING,
                         "the power log has no record of process %" PRId64
                         ", which is the recording's; it has %s: is it "
                         "the log of another run? If not, name the process with --pid",
                         m->pid, list);
    return STATUS_OK;
}

static double busy_of(const struct power_cycle *cycle)
{
    return cycle->busy_ns >= 0 ? (double)cycle->busy_ns : (double)NAN;
}

/* Source 1: the log's records of the process. */
static bool share_from_log(struct model *m)
{
    bool any = false;
    size_t at = 0;
    if (m->log->process_records.n == 0 || m->host_pid == 0)
        return false;
    for (size_t i = 0; i < m->log->cycles.n; i++) {
        const struct power_cycle *cycle = &m->log->cycles.v[i];
        bool here = false;
        double used = 0;
        for (; at < cycle->processes; at++) {
            const struct power_record *record = &m->log->process_records.v[at];
            if (m->log->processes.v[record->who].pid == m->host_pid) {
                used += (double)record->cpu_ns;
                here = true;
            }
        }
        any |= here;
        /* without a record P is 0, but unknown where the share is stated by hand */
        m->shares[i].process_ns = here || isnan(m->options->process_share) ? used : (double)NAN;
        m->shares[i].busy_ns = busy_of(cycle);
    }
    return any;
}

static int by_time(const void *left, const void *right)
{
    const struct observed_load *a = left, *b = right;
    return a->time_ns < b->time_ns ? -1 : a->time_ns > b->time_ns;
}

static uint64_t to_nearer_end(const struct power_cycle *cycle, int64_t time_ns)
{
    int64_t to_start = time_ns - cycle->start_ns, to_end = time_ns - cycle->end_ns;
    to_start = to_start < 0 ? -to_start : to_start;
    to_end = to_end < 0 ? -to_end : to_end;
    return (uint64_t)(to_start < to_end ? to_start : to_end);
}

/* Source 2: each jdk.CPULoad covers the time since the one before. */
static bool share_from_loads(struct model *m)
{
    struct observed *o = m->observed;
    if (o->loads.n < 2 || m->cpus == 0)
        return false;
    qsort(o->loads.v, o->loads.n, sizeof *o->loads.v, by_time);
    size_t first = 1; /* loads before this one end before the cycle begins */
    for (size_t i = 0; i < m->log->cycles.n; i++) {
        const struct power_cycle *cycle = &m->log->cycles.v[i];
        struct cycle_share *share = &m->shares[i];
        double covered = 0, jvm = 0, machine = 0, scale = m->cpus * power_cycle_length_ns(cycle);
        share->process_ns = 0;
        share->busy_ns = NAN;
        if (cycle->start_ns >= o->end_ns || cycle->end_ns <= o->start_ns)
            continue;
        while (first < o->loads.n && o->loads.v[first].time_ns <= cycle->start_ns)
            first++;
        for (size_t k = first; k < o->loads.n && o->loads.v[k - 1].time_ns < cycle->end_ns; k++) {
            double part = (double)power_cycle_overlap_ns(cycle, o->loads.v[k - 1].time_ns, o->loads.v[k].time_ns);
            covered += part;
            jvm += part * o->loads.v[k].jvm;
            machine += part * o->loads.v[k].machine;
        }
        if (covered == 0) {
            const struct observed_load *nearest = NULL;
            size_t from = first > 1 ? first - 1 : 1;
            for (size_t k = from; k < o->loads.n && k <= first + 1; k++)
                if (nearest == NULL ||
                    to_nearer_end(cycle, o->loads.v[k].time_ns) < to_nearer_end(cycle, nearest->time_ns))
                    nearest = &o->loads.v[k];
            if (nearest == NULL || to_nearer_end(cycle, nearest->time_ns) > 5000000000)
                continue;
            covered = 1;
            jvm = nearest->jvm;
            machine = nearest->machine;
        }
        share->process_ns = jvm / covered * scale;
        share->busy_ns = machine / covered * scale;
    }
    return true;
}

enum status model_share(struct model *m)
{
    struct result *r = m->result;
    double by_hand = m->log->is_process_power ? 1 : m->options->process_share;
    m->shares = mem_zero(m->log->cycles.n, sizeof *m->shares);
    for (size_t i = 0; i < m->log->cycles.n; i++) {
        m->shares[i].process_ns = NAN;
        m->shares[i].busy_ns = busy_of(&m->log->cycles.v[i]);
    }
    if (!isnan(by_hand)) {
        r->share_source = SHARE_BY_HAND;
        share_from_log(m);
    } else if (share_from_log(m)) {
        r->share_source = SHARE_FROM_LOG;
    } else if (share_from_loads(m)) {
        r->share_source = SHARE_FROM_RECORDING;
    } else {
        return error_set(
            m->err, STATUS_MISSING,
            "no way to know the process's share of the power: the power log has no process record, and the "
            "recording %s; record with joular-record, or with jdk.CPULoad enabled, or state the share with "
            "--process-share (0 to 1)",
            m->observed->loads.n < 2 ? "has no two jdk.CPULoad events"
                                     : "does not say how many cpus there are, nor does the log");
    }
    if (m->options->share_of_capacity && m->cpus == 0 && isnan(by_hand))
        return error_set(m->err, STATUS_MISSING,
                         "--share-of capacity needs the number of cpus, which neither the power log (key \"cpus\") nor "
                         "the recording (jdk.CPUInformation) gives");
    for (size_t i = 0; i < m->log->cycles.n; i++) {
        struct cycle_share *s = &m->shares[i];
        double capacity = m->cpus * power_cycle_length_ns(&m->log->cycles.v[i]);
        double whole = m->options->share_of_capacity    ? capacity
                       : !(s->busy_ns >= s->process_ns) ? s->process_ns
                                                        : s->busy_ns;
        if (!isnan(by_hand))
            s->share = by_hand;
        else
            s->share = s->process_ns > 0 ? fmin(1, s->process_ns / whole) : 0;
    }
    return STATUS_OK;
}
