/* SPDX-License-Identifier: GPL-3.0-or-later */
/* methods.csv, threads.csv, timeline.csv and gc.csv; branchcsv.c has the CSV files of branches.
 *
 * Joules, seconds and watts have nine decimals, CPU times are whole nanoseconds, and a value that is unknown is an
 * empty cell. */
#include "joular/report.h"

#include "joular/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void put_name(const struct result *r, uint32_t name, FILE *out)
{
    const struct intern_text *text = result_name(r, name);
    csv_put(text->text, text->length, out);
}

static void put_known(double value, FILE *out)
{
    if (!isnan(value))
        decimal_write(out, value, 9);
}

/* A comma, and a number with nine decimals. */
static void put_decimal(double value, FILE *out)
{
    putc_unlocked(',', out);
    decimal_write(out, value, 9);
}

static int by_own_energy(const void *left, const void *right)
{
    const struct result_method *a = left, *b = right;
    if (a->own_j != b->own_j)
        return a->own_j > b->own_j ? -1 : 1;
    if (a->total_j != b->total_j)
        return a->total_j > b->total_j ? -1 : 1;
    return a->name < b->name ? -1 : a->name > b->name;
}

static void write_methods(const struct report_input *input, bool header, FILE *out)
{
    const struct result *r = input->view;
    struct method_list methods;
    (void)header;
    result_methods(r, NULL, NULL, &methods);
    if (methods.n != 0)
        qsort(methods.v, methods.n, sizeof *methods.v, by_own_energy);
    fputs("method,own_joules,own_half_width_joules,total_joules,total_half_width_joules,own_cpu_ns,total_cpu_ns,"
          "samples\n",
          out);
    for (size_t i = 0; i < methods.n; i++) {
        const struct result_method *m = &methods.v[i];
        put_name(r, m->name, out);
        put_decimal(m->own_j, out);
        putc_unlocked(',', out);
        put_known(m->own_half_width_j, out);
        put_decimal(m->total_j, out);
        putc_unlocked(',', out);
        put_known(m->total_half_width_j, out);
        fprintf(out, ",%.0f,%.0f,%" PRIu64 "\n", m->own_cpu_ns, m->total_cpu_ns, m->total_samples);
    }
    free(methods.v);
}

static int by_thread_energy(const void *left, const void *right)
{
    const struct result_thread *const *a = left, *const *b = right;
    if ((*a)->energy_j != (*b)->energy_j)
        return (*a)->energy_j > (*b)->energy_j ? -1 : 1;
    return *a < *b ? -1 : *a > *b;
}

/* For a merged result, adds a last column with the run. */
static void put_run_heading(const struct result *r, const char *heading, FILE *out)
{
    fprintf(out, "%s%s\n", heading, r->runs.n != 0 ? ",run" : "");
}

static void put_run(const struct result *r, uint32_t run, FILE *out)
{
    if (r->runs.n != 0) {
        putc_unlocked(',', out);
        put_name(r, r->runs.v[run].name, out);
    }
    putc_unlocked('\n', out);
}

static void write_threads(const struct report_input *input, bool header, FILE *out)
{
    const struct result *r = input->whole;
    const struct result_thread **order = mem_zero(r->threads.n, sizeof(struct result_thread *));
    (void)header;
    for (size_t i = 0; i < r->threads.n; i++)
        order[i] = &r->threads.v[i];
    if (r->threads.n != 0)
        qsort(order, r->threads.n, sizeof *order, by_thread_energy);
    put_run_heading(r, "thread,os_thread_id,energy_joules,cpu_ns,samples", out);
    for (size_t i = 0; i < r->threads.n; i++) {
        if (order[i]->anonymous)
            fputs(REPORT_NO_THREAD, out);
        else
            put_name(r, order[i]->name, out);
        putc_unlocked(',', out);
        if (order[i]->os_id != 0)
            decimal_write_signed(out, order[i]->os_id);
        fprintf(out, ",%.9f,%.0f,%" PRIu64, order[i]->energy_j, order[i]->cpu_ns, order[i]->samples);
        put_run(r, order[i]->run, out);
    }
    free(order);
}

static void write_timeline(const struct report_input *input, bool header, FILE *out)
{
    const struct result *r = input->whole;
    (void)header;
    put_run_heading(
        r,
        "timestamp,interval_seconds,status,machine_watts,baseline_watts,process_joules,java_joules,gc_joules,jit_"
        "joules,"
        "jfr_joules,vm_joules,unattributed_joules,outside_joules,machine_busy_ns,process_cpu_ns,samples",
        out);
    for (size_t i = 0; i < r->cycles.n; i++) {
        const struct result_cycle *c = &r->cycles.v[i];
        decimal_write_signed(out, csv_ms(c->realtime_ns));
        put_decimal((double)c->interval_ns / 1e9, out);
        putc_unlocked(',', out);
        put_name(r, c->status, out);
        putc_unlocked(',', out);
        if (!r->process_power_only)
            put_known(c->power_w + c->baseline_w, out);
        put_decimal(c->baseline_w, out);
        put_decimal(c->process_j, out);
        put_decimal(c->java_j, out);
        for (int row = 0; row < NATIVE_ROWS; row++)
            put_decimal(c->native_j[row], out);
        put_decimal(c->unattributed_j, out);
        put_decimal(c->outside_j, out);
        putc_unlocked(',', out);
        if (!isnan(c->busy_ns))
            decimal_write(out, c->busy_ns, 0);
        putc_unlocked(',', out);
        if (!isnan(c->process_cpu_ns))
            decimal_write(out, c->process_cpu_ns, 0);
        putc_unlocked(',', out);
        decimal_write_whole(out, c->samples);
        put_run(r, c->run, out);
    }
}

static void write_gc(const struct report_input *input, bool header, FILE *out)
{
    const struct result *r = input->whole;
    (void)header;
    put_run_heading(r, "timestamp,gc_id,type,collector,phase,cause,pid,thread,os_thread_id,duration_ms,energy_joules",
                    out);
    for (size_t i = 0; i < r->pauses.n; i++) {
        const struct result_pause *p = &r->pauses.v[i];
        decimal_write_signed(out, csv_ms(p->start_ns));
        putc_unlocked(',', out);
        decimal_write_whole(out, p->gc_id);
        putc_unlocked(',', out);
        fputs(pause_type_names[p->type], out);
        putc_unlocked(',', out);
        put_name(r, p->collector, out);
        putc_unlocked(',', out);
        put_name(r, p->phase, out);
        putc_unlocked(',', out);
        put_name(r, p->cause, out);
        putc_unlocked(',', out);
        decimal_write_signed(out, r->runs.n != 0 ? r->runs.v[p->run].pid : r->pid);
        putc_unlocked(',', out);
        put_name(r, p->thread, out);
        putc_unlocked(',', out);
        if (p->os_thread_id != 0)
            decimal_write_signed(out, p->os_thread_id);
        putc_unlocked(',', out);
        decimal_write(out, (double)p->duration_ns / 1e6, 3);
        put_decimal(p->energy_j, out);
        put_run(r, p->run, out);
    }
}

const struct report_form report_methods_csv = {.format = "csv", .file = "methods.csv", .write = write_methods};
const struct report_form report_threads_csv = {.format = "csv", .file = "threads.csv", .write = write_threads};
const struct report_form report_timeline_csv = {.format = "csv", .file = "timeline.csv", .write = write_timeline};
const struct report_form report_gc_csv = {.format = "csv", .file = "gc.csv", .write = write_gc};
