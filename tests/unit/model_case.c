/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model_case.h"

#include "joular/logformat.h"

#include <inttypes.h>

int case_setup(void **state)
{
    struct model_case *c = mem_zero(1, sizeof *c);
    observed_init(&c->observed);
    c->observed.end_ns = 100000 * MS;
    c->observed.start_wall_ns = WALL_AHEAD_MS * MS;
    c->observed.end_wall_ns = c->observed.start_wall_ns + c->observed.end_ns;
    c->observed.pid = 7;
    c->observed.hw_threads = 4;
    c->options.process_share = NAN;
    c->options.baseline_w = NAN;
    c->facts = "{\"cpus\":4}";
    c->writer = open_memstream(&c->text, &c->length);
    *state = c;
    return c->writer == NULL;
}

int case_teardown(void **state)
{
    struct model_case *c = *state;
    case_samples_free(c);
    observed_free(&c->observed);
    if (c->log_is_read)
        timeline_free(&c->timeline);
    power_log_free(&c->log);
    if (c->is_run)
        result_free(&c->result);
    notices_free(&c->notices);
    if (c->writer != NULL)
        fclose(c->writer);
    free(c->text);
    free(c);
    return 0;
}

void case_line(struct model_case *c, const char *format, ...)
{
    va_list args;
    assert_non_null(c->writer); /* else the log is read already */
    va_start(args, format);
    vfprintf(c->writer, format, args);
    va_end(args);
    putc('\n', c->writer);
}

void case_process(struct model_case *c, int cpu_ms)
{
    case_line(c, "process,7,%" PRId64 ",java", cpu_ms * MS);
}

void case_record(struct model_case *c, int tid, int cpu_ms, const char *name)
{
    case_line(c, "thread,7,%d,%" PRId64 ",%s", tid, cpu_ms * MS, name);
}

void case_cycle(struct model_case *c, int start_ms, int end_ms, double power_w, int busy_ms)
{
    char watts[40] = "";
    if (!isnan(power_w))
        snprintf(watts, sizeof watts, "%.17g", power_w);
    case_line(c, "cycle,%" PRId64 ",%" PRId64 ",%" PRId64 ",%s,%" PRId64 ",%s", (end_ms + WALL_AHEAD_MS) * MS,
              end_ms * MS, (end_ms - start_ms) * MS, watts, busy_ms * MS, isnan(power_w) ? "no-reading" : "ok");
}

void case_second(struct model_case *c, int second)
{
    case_process(c, 500);
    case_cycle(c, (second - 1) * 1000, second * 1000, 10, 1000);
}

void case_read_log(struct model_case *c)
{
    if (c->log_is_read)
        return;
    fclose(c->writer);
    c->writer = NULL;
    size_t size = c->length + strlen(c->facts) + 100;
    char *whole = mem_alloc(size);
    int length = snprintf(whole, size, "%s 1\n#%s\n%s", POWER_LOG_MAGIC, c->facts, c->text);
    enum status status = power_log_read((const uint8_t *)whole, (size_t)length, &c->log, &c->err);
    free(whole);
    if (status != STATUS_OK)
        fail_msg("the log of the test, line %" PRId64 ": %s", c->err.line, c->err.text);
    if (c->log.cycles.n != 0)
        timeline_init(&c->timeline, &c->log);
    c->log_is_read = true;
}

/* ---- The recording ---- */

uint32_t case_cycle_at(struct model_case *c, int at_ms)
{
    uint32_t hint = 0;
    case_read_log(c);
    return c->log.cycles.n != 0 ? timeline_cycle(&c->timeline, at_ms * MS, &hint) : NO_CYCLE;
}

uint32_t case_thread(struct model_case *c, uint64_t jfr_id, int64_t os_id, const char *name)
{
    uint32_t thread = observed_thread(&c->observed, jfr_id);
    struct observed_thread *made = &c->observed.threads.v[thread];
    made->os_id = os_id;
    made->name = observed_name(&c->observed, name, strlen(name));
    made->known = true;
    return thread;
}

uint32_t case_carrier(struct model_case *c, uint64_t jfr_id, int64_t os_id)
{
    uint32_t thread = case_thread(c, jfr_id, os_id, "ForkJoinPool-1-worker-1");
    c->observed.threads.v[thread].is_carrier = true;
    return thread;
}

uint32_t case_virtual(struct model_case *c, uint64_t jfr_id)
{
    uint32_t thread = case_thread(c, jfr_id, 0, "");
    c->observed.threads.v[thread].is_virtual = true;
    return thread;
}

uint32_t case_branch(struct model_case *c, const char *branch)
{
    uint32_t frames[16];
    size_t count = 0;
    while (branch != NULL) {
        const char *end = strchr(branch, ';');
        assert_true(count < 16);
        frames[count++] = observed_name(&c->observed, branch, end != NULL ? (size_t)(end - branch) : strlen(branch));
        branch = end != NULL ? end + 1 : NULL;
    }
    return observed_branch(&c->observed, frames, count);
}

void case_start(struct model_case *c, uint32_t thread, int at_ms)
{
    c->observed.threads.v[thread].started = true;
    vec_push(&c->observed.starts, ((struct observed_moment){at_ms * MS, thread}));
}

void case_end(struct model_case *c, uint32_t thread, int at_ms)
{
    vec_push(&c->observed.ends, ((struct observed_moment){at_ms * MS, thread}));
}

void case_execution(struct model_case *c, uint32_t thread, const char *branch, int at_ms)
{
    observe_execution(&c->observed, SAMPLE_EXECUTION, at_ms * MS, case_cycle_at(c, at_ms), thread,
                      case_branch(c, branch));
}

void case_native(struct model_case *c, uint32_t thread, const char *branch, int at_ms)
{
    observe_execution(&c->observed, SAMPLE_NATIVE, at_ms * MS, case_cycle_at(c, at_ms), thread, case_branch(c, branch));
}

void case_period(struct model_case *c, enum sample_kind kind, int at_ms, const char *value)
{
    observe_setting(&c->observed, kind == SAMPLE_EXECUTION ? SETTING_EXECUTION : SETTING_NATIVE, at_ms * MS, value,
                    strlen(value));
}

void case_thread_load(struct model_case *c, uint32_t thread, int at_ms, double share)
{
    vec_push(&c->observed.thread_loads, ((struct observed_thread_load){at_ms * MS, thread, share}));
}

void case_load(struct model_case *c, int at_ms, double jvm, double machine)
{
    vec_push(&c->observed.loads, ((struct observed_load){at_ms * MS, jvm, machine}));
}

void case_gc(struct model_case *c, int at_ms, int cpu_ms)
{
    vec_push(&c->observed.gc, ((struct observed_gc){at_ms * MS, (double)(cpu_ms * MS)}));
}

/* ---- What comes out ---- */

void check_near(double actual, double expected, const char *what, const char *file, int line)
{
    double scale = fmax(fabs(actual), fabs(expected));
    bool close = isfinite(scale) && fabs(actual - expected) <= 1e-9 * scale + 1e-15; /* infinity is near to nothing */
    if (close || (isnan(actual) && isnan(expected)))
        return;
    print_error("%s is %.12g, not %.12g\n", what, actual, expected);
    _fail(file, line);
}

double case_native_j(const struct result_cycle *cycle)
{
    double sum = 0;
    for (int row = 0; row < NATIVE_ROWS; row++)
        sum += cycle->native_j[row];
    return sum;
}

size_t case_row_count(const struct model_case *c, uint32_t cycle)
{
    return c->result.cycles.v[cycle].rows - (cycle != 0 ? c->result.cycles.v[cycle - 1].rows : 0);
}

static void check_sums(const struct model_case *c)
{
    const struct result *r = &c->result;
    double process_j = 0, java_j = 0, native_j = 0, unattributed_j = 0, outside_j = 0, total_native_j = 0;
    size_t at = 0;
    if (c->options.from.kind == BOUND_NONE && c->options.to.kind == BOUND_NONE)
        assert_int_equal(r->cycles.n, c->log.cycles.n);
    for (size_t i = 0; i < r->cycles.n; i++) {
        const struct result_cycle *cycle = &r->cycles.v[i];
        double rows_j = 0;
        for (; at < cycle->rows; at++) {
            assert_true(r->rows.v[at].energy_j > 0);
            rows_j += r->rows.v[at].energy_j;
        }
        assert_near(rows_j, cycle->java_j + case_native_j(cycle));
        assert_near(rows_j + cycle->unattributed_j + cycle->outside_j, cycle->process_j);
        assert_true(cycle->unattributed_j >= 0 && cycle->outside_j >= 0);
        process_j += cycle->process_j;
        java_j += cycle->java_j;
        native_j += case_native_j(cycle);
        unattributed_j += cycle->unattributed_j;
        outside_j += cycle->outside_j;
    }
    assert_int_equal(at, r->rows.n);
    for (int row = 0; row < NATIVE_ROWS; row++)
        total_native_j += r->native_j[row];
    assert_near(r->process_j, process_j);
    assert_near(r->java_j, java_j);
    assert_near(total_native_j, native_j);
    assert_near(r->unattributed_j, unattributed_j);
    assert_near(r->outside_j, outside_j);
    assert_near(r->java_j + total_native_j + r->unattributed_j + r->outside_j, r->process_j);
    assert_near(r->coverage, process_j > 0 ? (java_j + native_j) / process_j : 0);
}

void case_run(struct model_case *c)
{
    case_read_log(c);
    case_samples_end(c);
    c->is_run = true;
    if (model_run(&c->observed, &c->log, &c->options, &c->result, &c->notices, &c->err) != STATUS_OK)
        fail_msg("the model refuses: %s", c->err.text);
    check_sums(c);
}

void case_fails(struct model_case *c, enum status status, const char *words)
{
    case_read_log(c);
    case_samples_end(c);
    assert_int_equal(model_run(&c->observed, &c->log, &c->options, &c->result, &c->notices, &c->err), status);
    if (strstr(c->err.text, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", c->err.text, words);
    memset(&c->err, 0, sizeof c->err);
}

static bool branch_is(const struct result *r, uint32_t number, const char *text)
{
    const struct branch *branch = &r->branches.list.v[number];
    for (uint32_t f = 0; f < branch->count; f++) {
        const struct intern_text *name = result_name(r, r->branches.frames.v[branch->first + f]);
        if (strncmp(text, name->text, name->length) != 0)
            return false;
        text += name->length;
        if (f + 1 < branch->count && *text++ != ';')
            return false;
    }
    return *text == '\0';
}

double case_energy(const struct model_case *c, uint32_t cycle, const char *branch)
{
    const struct result *r = &c->result;
    double energy_j = 0;
    assert_true(cycle < r->cycles.n);
    for (size_t i = r->cycles.v[cycle].rows - case_row_count(c, cycle); i < r->cycles.v[cycle].rows; i++)
        if (branch_is(r, r->rows.v[i].branch, branch)) {
            assert_near(energy_j, 0); /* one row a branch */
            energy_j = r->rows.v[i].energy_j;
        }
    return energy_j;
}

const struct result_method *case_method(const struct model_case *c, const char *name)
{
    for (size_t i = 0; i < c->result.methods.n; i++)
        if (strcmp(result_name(&c->result, c->result.methods.v[i].name)->text, name) == 0)
            return &c->result.methods.v[i];
    return NULL;
}

const struct result_thread *case_find_thread(const struct model_case *c, const char *name)
{
    for (size_t i = 0; i < c->result.threads.n; i++)
        if (strcmp(result_name(&c->result, c->result.threads.v[i].name)->text, name) == 0)
            return &c->result.threads.v[i];
    return NULL;
}

bool case_noticed(const struct model_case *c, const char *words)
{
    for (size_t i = 0; i < c->notices.n; i++)
        if (strstr(c->notices.v[i], words) != NULL)
            return true;
    return false;
}
