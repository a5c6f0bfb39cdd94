/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures cycle by cycle. A cycle ends at the end of its interval, by a fixed schedule, or, if the source has cycles
 * of its own, when that has a new measurement. Busy time, power and processes are always read in this order: so the
 * figures of a cycle are of the same time, but for the time that reading takes. */
#include "record.h"

#include "joular/clock.h"
#include "joular/logwriter.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NS 1000000000
#define FIRST_NOTE_NS (NS / 32)
#define SLEPT_NS 10000000 /* more than this in a cycle, and the machine was suspended */

/* How long the machine was suspended since boot: CLOCK_BOOTTIME counts that time, CLOCK_MONOTONIC does not. */
static int64_t slept_ns(void)
{
    return clock_ns(CLOCK_BOOTTIME) - clock_ns(CLOCK_MONOTONIC);
}

/* A power source read cycle by cycle. */
struct meter {
    const struct power_source *source;
    void *state;
    const char *proc;
    int64_t cpus;
    struct notices *warnings;
    int64_t last_ns, last_busy_ns, last_slept_ns;
};

struct metered {
    int64_t now_ns, realtime_ns, interval_ns, busy_ns;
    double power_w; /* NaN for none */
    const char *status;
    bool goes_on; /* the cycle does not end yet: it goes on until the next good reading */
    const uint64_t *domain_uj;
};

static void meter_read(struct meter *meter, struct metered *reading)
{
    struct source_reading r = {.outcome = SOURCE_NO_READING, .energy_j = NAN, .power_w = NAN};
    int64_t busy_ns = meter->last_busy_ns, slept = slept_ns();
    bool busy_known = proc_busy_ns(meter->proc, &busy_ns);
    *reading =
        (struct metered){.now_ns = clock_ns(CLOCK_MONOTONIC), .realtime_ns = clock_ns(CLOCK_REALTIME), .power_w = NAN};
    reading->interval_ns = reading->now_ns - meter->last_ns;
    reading->busy_ns = busy_ns > meter->last_busy_ns ? busy_ns - meter->last_busy_ns : 0;
    double capacity_ns = (double)reading->interval_ns * (double)meter->cpus;
    double load = busy_known && capacity_ns > 0 ? (double)reading->busy_ns / capacity_ns : (double)NAN;
    if (meter->state != NULL)
        meter->source->read(meter->state, reading->now_ns, load, &r, meter->warnings);
    reading->domain_uj = r.domain_uj;
    reading->status = source_outcome_word(r.outcome);
    reading->goes_on = r.outcome == SOURCE_WAIT;
    if (r.outcome == SOURCE_OK || r.outcome == SOURCE_LATE || r.outcome == SOURCE_REUSED)
        reading->power_w = isfinite(r.energy_j) && reading->interval_ns > 0
                               ? r.energy_j * NS / (double)reading->interval_ns
                               : r.power_w;
    if (!isfinite(reading->power_w) || reading->power_w < 0)
        reading->power_w = NAN;
    if (slept - meter->last_slept_ns > SLEPT_NS) {
        /* A cycle that waits for a good reading still goes on: the counters will have the energy of all of it. */
        reading->status = "gap";
        reading->power_w = NAN;
    }
    if (!reading->goes_on) {
        meter->last_ns = reading->now_ns;
        meter->last_busy_ns = busy_ns;
        meter->last_slept_ns = slept;
    }
}

/* Begins the first cycle, by a reading that is dropped. */
static void meter_begin(struct meter *meter)
{
    struct metered dropped;
    meter->last_ns = clock_ns(CLOCK_MONOTONIC);
    proc_busy_ns(meter->proc, &meter->last_busy_ns);
    meter->last_slept_ns = slept_ns();
    meter_read(meter, &dropped);
}

/* The next end of an interval by the schedule. A cycle that took too long does not shift the ones after it. */
static int64_t next_deadline(int64_t start_ns, int64_t interval_ns)
{
    int64_t gone = clock_ns(CLOCK_MONOTONIC) - start_ns;
    return start_ns + (gone / interval_ns + 1) * interval_ns;
}

double measure_baseline(const struct options *options, const struct power_source *source, void *state,
                        struct notices *warnings)
{
    struct meter meter = {source, state, options->proc, proc_cpus(options->proc), warnings, 0, 0, 0};
    double energy_j = 0, powered_s = 0;
    meter_begin(&meter);
    int64_t start_ns = meter.last_ns, end_ns = start_ns + (int64_t)(options->baseline_s * NS);
    while (clock_ns(CLOCK_MONOTONIC) < end_ns && signals_asked_to_end() == 0) {
        struct metered reading;
        int64_t deadline_ns = next_deadline(start_ns, options->source.interval_ns);
        signals_stop = 0;
        signals_wait(deadline_ns < end_ns ? deadline_ns : end_ns, -1);
        meter_read(&meter, &reading);
        if (!reading.goes_on && !isnan(reading.power_w)) {
            energy_j += reading.power_w * (double)reading.interval_ns / NS;
            powered_s += (double)reading.interval_ns / NS;
        }
    }
    return powered_s > 0 ? energy_j / powered_s : (double)NAN;
}

void outcome_free(struct outcome *outcome)
{
    for (size_t i = 0; i < outcome->domain_count; i++)
        free(outcome->domains[i].name);
    vec_free(&outcome->tallies);
}

/* The current run. */
struct run {
    const struct measurement *m;
    struct outcome *outcome;
    struct meter meter;
    struct power_writer *writer;
    struct proc_tree *tree; /* NULL if the machine alone is measured */
    int pidfd;              /* of the process of -p; -1 for none */
    int64_t start_ns, end_ns, next_note_ns;
    bool said_full; /* the user was told that the log cannot be written */
};

static void tally(struct outcome *outcome, const struct proc_process *p)
{
    outcome->cpu_ns += p->cpu_ns;
    outcome->incomplete |= p->incomplete;
    for (size_t i = 0; i < outcome->tallies.n; i++) {
        struct tally *t = &outcome->tallies.v[i];
        if (t->pid == p->pid) {
            t->cpu_ns += p->cpu_ns;
            t->is_jvm |= p->is_jvm;
            memcpy(t->name, p->name, sizeof t->name);
            return;
        }
    }
    struct tally t = {.pid = p->pid, .ns_pid = p->ns_pid, .cpu_ns = p->cpu_ns, .is_jvm = p->is_jvm};
    memcpy(t.name, p->name, sizeof t.name);
    vec_push(&outcome->tallies, t);
}

static void write_processes(struct run *run)
{
    size_t count;
    const struct proc_process *p = proc_tree_processes(run->tree, &count);
    for (size_t i = 0; i < count; i++) {
        power_writer_process(run->writer, p[i].pid, p[i].cpu_ns, p[i].name, p[i].ns_pid);
        for (size_t j = 0; j < p[i].threads.n; j++) {
            const struct proc_thread *t = &p[i].threads.v[j];
            power_writer_thread(run->writer, p[i].pid, t->tid, t->cpu_ns, t->name, t->ns_tid);
        }
        tally(run->outcome, &p[i]);
        if (run->m->metrics != NULL)
            metrics_process(run->m->metrics, &p[i]);
    }
    run->outcome->unseen_ns = proc_tree_unseen_ns(run->tree);
}

static void write_domains(struct run *run, const struct metered *reading)
{
    size_t count = 0;
    struct outcome *outcome = run->outcome;
    const struct source_domain *domains =
        run->meter.source->domains != NULL ? run->meter.source->domains(run->meter.state, &count) : NULL;
    for (size_t i = 0; domains != NULL && reading->domain_uj != NULL && i < count; i++) {
        if (reading->domain_uj[i] == UINT64_MAX)
            continue;
        power_writer_domain(run->writer, domains[i].name, reading->domain_uj[i]);
        if (i >= sizeof outcome->domains / sizeof outcome->domains[0] || isnan(reading->power_w))
            continue;
        for (; outcome->domain_count <= i; outcome->domain_count++) {
            const struct source_domain *d = &domains[outcome->domain_count];
            outcome->domains[outcome->domain_count].name = mem_strdup(d->name);
            outcome->domains[outcome->domain_count].counted = d->counted;
            outcome->domains[outcome->domain_count].depth = d->depth;
        }
        outcome->domains[i].energy_j += (double)reading->domain_uj[i] / 1e6;
    }
}

static void add_up(const struct run *run, const struct metered *reading)
{
    struct outcome *outcome = run->outcome;
    double seconds = (double)reading->interval_ns / NS;
    outcome->cycles++;
    outcome->seconds += seconds;
    outcome->busy_ns += reading->busy_ns;
    if (isnan(reading->power_w)) {
        outcome->unpowered++;
        return;
    }
    outcome->energy_j = (isnan(outcome->energy_j) ? 0 : outcome->energy_j) + reading->power_w * seconds;
    outcome->powered_s += seconds;
    /* The power over less than half an interval may be noise of the meter, and is no peak. */
    if (reading->interval_ns * 2 >= run->m->options->source.interval_ns || isnan(outcome->peak_w))
        outcome->peak_w = fmax(outcome->peak_w, reading->power_w);
}

/* Ends the current cycle; but if the source has no good reading, it goes on, unless it is the LAST. TARGET_ENDED: the
 * program or process has ended. */
static void end_cycle(struct run *run, bool last, bool target_ended)
{
    struct metered reading;
    struct error err = {0};
    meter_read(&run->meter, &reading);
    if (reading.goes_on && !last)
        return;
    if (target_ended && strcmp(reading.status, "ok") == 0)
        reading.status = "partial";
    if (run->meter.state != NULL)
        write_domains(run, &reading);
    if (run->tree != NULL) {
        proc_tree_look(run->tree);
        write_processes(run);
    }
    add_up(run, &reading);
    if (power_writer_cycle(run->writer, reading.realtime_ns, reading.now_ns, reading.interval_ns, reading.power_w,
                           reading.busy_ns, reading.status, &err) != STATUS_OK &&
        !run->said_full) {
        say_error(&err);
        say(SAY_ERROR, "the program runs on; cycles that cannot be written are lost");
        run->said_full = true;
    }
    if (run->m->metrics != NULL)
        metrics_cycle(run->m->metrics, reading.interval_ns, reading.busy_ns, reading.power_w);
    say_texts(run->m->warnings, run->m->warnings_said);
}

static bool target_has_ended(const struct run *run)
{
    if (run->m->child != NULL)
        return child_has_ended(run->m->child);
    if (run->pidfd >= 0) {
        struct pollfd polled = {.fd = run->pidfd, .events = POLLIN};
        return poll(&polled, 1, 0) == 1;
    }
    return run->m->pid != 0 && !proc_runs(run->m->options->proc, run->m->pid);
}

/* Processes that a script starts first may end within the first cycle, so new ones are noted 1/32, 1/16, ... 1/2 s
 * after the start. */
static void note_processes(struct run *run)
{
    int64_t gone_ns = clock_ns(CLOCK_MONOTONIC) - run->start_ns, after_ns = FIRST_NOTE_NS;
    proc_tree_note(run->tree);
    while (after_ns <= gone_ns)
        after_ns *= 2;
    run->next_note_ns = after_ns < NS ? run->start_ns + after_ns : INT64_MAX;
}

/* Waits until the cycle is over, a signal came, or the process of -p ended. */
static void wait_for_cycle(struct run *run)
{
    int64_t deadline_ns = next_deadline(run->start_ns, run->m->options->source.interval_ns);
    if (deadline_ns > run->end_ns)
        deadline_ns = run->end_ns;
    if (run->meter.state != NULL && run->meter.source->wait != NULL) {
        signals_open();
        run->meter.source->wait(run->meter.state, &signals_stop);
        signals_close();
        return;
    }
    while (clock_ns(CLOCK_MONOTONIC) < deadline_ns && signals_stop == 0) {
        bool note = run->tree != NULL && run->next_note_ns < deadline_ns;
        signals_wait(note ? run->next_note_ns : deadline_ns, run->pidfd);
        if (run->pidfd >= 0 && target_has_ended(run))
            return;
        if (note && signals_stop == 0)
            note_processes(run);
    }
}

static void run_cycles(struct run *run)
{
    bool last = false;
    while (!last) {
        signals_stop = 0; /* what set it before is found by the checks that follow */
        bool ended = target_has_ended(run);
        bool asked = run->m->child == NULL && signals_asked_to_end() != 0;
        if (!ended && !asked)
            wait_for_cycle(run);
        ended = target_has_ended(run);
        asked = run->m->child == NULL && signals_asked_to_end() != 0;
        last = ended || asked || clock_ns(CLOCK_MONOTONIC) >= run->end_ns;
        end_cycle(run, last, ended);
    }
}

static bool kernel_has_schedstat(const char *proc)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/self/schedstat", proc);
    return access(path, R_OK) == 0;
}

static enum status open_log(struct run *run, struct error *err)
{
    char *facts = facts_of(run->m, !kernel_has_schedstat(run->m->options->proc));
    user_act(run->m->user);
    enum status status = power_writer_open(run->m->log, facts, &run->writer, err);
    user_act_end(run->m->user);
    free(facts);
    return status;
}

static int open_pidfd(const char *proc, int64_t pid)
{
#ifdef SYS_pidfd_open
    if (proc_ids_are_ours(proc))
        return (int)syscall(SYS_pidfd_open, (pid_t)pid, 0);
#else
    (void)pid;
    (void)proc;
#endif
    return -1;
}

/* Starts the program, if there is one, and the schedule. Returns 0, or the errno of the failed exec. */
static int start_program(struct run *run)
{
    int exec_errno = run->m->child != NULL ? child_go(run->m->child) : 0;
    run->start_ns = run->meter.last_ns;
    run->next_note_ns = run->start_ns + FIRST_NOTE_NS;
    run->end_ns =
        run->m->options->duration_s > 0 ? run->start_ns + (int64_t)(run->m->options->duration_s * NS) : INT64_MAX;
    return exec_errno;
}

enum status measure(const struct measurement *m, struct outcome *outcome, int *exec_errno, struct error *err)
{
    const struct options *o = m->options;
    struct run run = {.m = m,
                      .outcome = outcome,
                      .meter = {m->source, m->state, o->proc, proc_cpus(o->proc), m->warnings, 0, 0, 0},
                      .pidfd = m->child == NULL && m->pid != 0 ? open_pidfd(o->proc, m->pid) : -1};
    *outcome = (struct outcome){.energy_j = NAN, .peak_w = NAN};
    enum status status = open_log(&run, err);
    if (status == STATUS_OK) {
        if (m->pid != 0) {
            run.tree = proc_tree_new(o->proc, m->pid, o->threads);
            proc_tree_look(run.tree);
        }
        meter_begin(&run.meter);
        *exec_errno = start_program(&run);
        if (*exec_errno == 0)
            run_cycles(&run);
        if (m->metrics != NULL)
            metrics_pause(m->metrics);
        outcome->lost = power_writer_lost(run.writer);
        if (*exec_errno != 0)
            power_writer_discard(run.writer);
        else
            status = power_writer_close(run.writer, err);
        if (run.said_full)
            status = STATUS_OK; /* the user was told before */
    }
    proc_tree_free(run.tree);
    if (run.pidfd >= 0)
        close(run.pidfd);
    return status;
}
