/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz.h"

#include "joular/jsonreport.h"

#include <math.h>

void fuzz_check(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s: does not hold: %s\n", fuzz_name, what);
    abort();
}

static ssize_t swallow(void *cookie, const char *bytes, size_t length)
{
    (void)cookie, (void)bytes;
    return (ssize_t)length;
}

FILE *fuzz_nowhere(void)
{
    static FILE *stream;
    if (stream == NULL)
        stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = swallow});
    return stream;
}

void fuzz_log(struct power_log *log, int64_t start_ns, bool records)
{
    static const struct power_thread threads[] = {{7, 4711, 0, 0}, {7, 4712, 0, 0}, {7, 4713, 0, 0}, {8, 4714, 0, 0}};
    int64_t from = start_ns > INT64_C(1) << 61 ? INT64_C(1) << 61 : start_ns < 1000000000 ? 1000000000 : start_ns;
    power_log_init(log, "rapl");
    log->cpus = 4;
    for (int64_t i = 0; i < 6; i++) {
        int64_t at = from - 500000000 + i * 1000000000;
        if (records && i == 0) {
            for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
                vec_push(&log->threads, threads[t]);
                log->threads.v[t].name = intern_bytes(&log->texts, "GC Thread#0", t == 2 ? 11 : t + 2);
            }
            struct power_process process = {7, 0, intern_bytes(&log->texts, "java", 4)};
            vec_push(&log->processes, process);
        }
        for (uint32_t t = 0; records && t < 4; t++)
            vec_push(&log->thread_records, ((struct power_record){(t + 1) * 100000000, t}));
        if (records)
            vec_push(&log->process_records, ((struct power_record){900000000, 0}));
        power_log_add_cycle(log, at - 1000000000, at, at, i == 3 ? (double)NAN : 10 + (double)i,
                            i == 3 ? "stale" : "ok");
        struct power_cycle *cycle = &log->cycles.v[log->cycles.n - 1];
        cycle->busy_ns = i == 4 ? 0 : 2000000000;
        cycle->processes = log->process_records.n;
        cycle->threads = log->thread_records.n;
    }
}

void fuzz_check_log(const struct power_log *log)
{
    struct power_cycle last = {.end_ns = INT64_MIN};
    for (size_t i = 0; i < log->cycles.n; i++) {
        const struct power_cycle *cycle = &log->cycles.v[i];
        fuzz_check(cycle->start_ns < cycle->end_ns && cycle->start_ns >= last.end_ns, "cycles follow one another");
        fuzz_check(isnan(cycle->power_w) || (cycle->power_w >= 0 && cycle->power_w <= POWER_LIMIT_W),
                   "a power is one that a machine may draw");
        fuzz_check(cycle->processes >= last.processes && cycle->processes <= log->process_records.n &&
                       cycle->threads >= last.threads && cycle->threads <= log->thread_records.n,
                   "records of a cycle lie behind those of the one before");
        fuzz_check(power_text(log, cycle->status) != NULL, "a cycle has a status");
        last = *cycle;
    }
    for (size_t i = 0; i < log->process_records.n; i++)
        fuzz_check(log->process_records.v[i].who < log->processes.n && log->process_records.v[i].cpu_ns >= 0,
                   "a record is about a process");
    for (size_t i = 0; i < log->thread_records.n; i++)
        fuzz_check(log->thread_records.v[i].who < log->threads.n && log->thread_records.v[i].cpu_ns >= 0,
                   "a record is about a thread");
}

char *fuzz_json(const struct result *result, size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    result_write_json(result, out);
    fclose(out);
    return text;
}
