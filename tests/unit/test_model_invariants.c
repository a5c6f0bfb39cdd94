/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holds for every recording and log, on made ones: the same seed makes the same case. That each cycle's energy and
 * the totals add up to 1e-9 is checked by case_run. */
#include "chunk_case.h"

#define SEEDS (getenv("JOULAR_SLOW") != NULL ? 40U : 400U)
#define LENGTH_MS 8000
#define MAX_EVENTS 200

static uint64_t state_of_chance;

static unsigned chance(unsigned below)
{
    state_of_chance ^= state_of_chance << 13;
    state_of_chance ^= state_of_chance >> 7;
    state_of_chance ^= state_of_chance << 17;
    return (unsigned)(state_of_chance >> 33) % below;
}

struct made_event {
    unsigned kind;
    int at_ms;
    unsigned thread, branch, number;
};

static const char *const branches[] = {"main", "main;a", "main;b", "main;a;a", "a;b", "[truncated];b", "c,\"d\""};
static const char *const names[] = {"main", "worker", "GC Thread#0", "C2 CompilerThread0", "Common-Cleaner"};
#define COUNT(list) (unsigned)(sizeof(list) / sizeof(list)[0])

static void make_log(struct model_case *c, double factor, bool process_records, bool thread_records)
{
    for (int at = (int)chance(1500), first = 1; at < LENGTH_MS; first = 0) {
        int length = 200 + (int)chance(1800);
        double power_w = chance(8) == 0 ? (double)NAN : chance(8) == 0 ? 0 : (1 + chance(40)) * factor;
        if (process_records && (first || chance(6) != 0))
            case_process(c, (int)chance(2500));
        if (process_records && chance(3) == 0)
            case_line(c, "process,8,%u,other", chance(1000000000));
        for (unsigned i = 0; thread_records && i < 6; i++)
            if (chance(3) != 0)
                case_record(c, 51 + (int)i, (int)chance(700), names[i % COUNT(names)]);
        case_cycle(c, at, at + length, power_w, (int)chance(4000));
        at += length + (chance(4) == 0 ? (int)chance(900) : 0);
    }
}

static unsigned make_events(struct made_event *events)
{
    static const unsigned kinds[] = {0x1, 0x3, 0xe, 0x6, 0x7, 0x1f, 0x1e, 0x2, 0x1a};
    unsigned count = 1 + chance(MAX_EVENTS - 1), which = kinds[chance(COUNT(kinds))];
    for (unsigned i = 0; i < count; i++) {
        struct made_event *e = &events[i];
        do
            e->kind = chance(5);
        while ((which >> e->kind & 1) == 0);
        e->at_ms = 1 + (int)chance(LENGTH_MS + 1000);
        e->thread = chance(9);
        e->branch = chance(COUNT(branches) + 2);
        e->number = chance(100);
    }
    return count;
}

/* Periods hang on the time, so that it does not matter which of two samples of one moment comes first. */
static int period_ms(int at_ms)
{
    return 1 + at_ms % 7 * 20;
}

static void observe(struct model_case *c, const struct made_event *e)
{
    uint32_t thread = e->thread < 8 ? e->thread : NO_THREAD;
    const char *branch = e->branch < COUNT(branches) ? branches[e->branch] : NULL;
    switch (e->kind) {
    case 0:
        case_cpu_sample(c, thread, branch, e->at_ms, period_ms(e->at_ms));
        break;
    case 1:
        case_execution(c, thread, branch, e->at_ms);
        break;
    case 2:
        case_native(c, thread, branch, e->at_ms);
        break;
    case 3:
        if (thread != NO_THREAD)
            case_thread_load(c, thread, e->at_ms - e->at_ms % 500, e->number / 400.0);
        break;
    default:
        case_lost(c, thread, e->at_ms, e->number / 10);
        break;
    }
}

/* Makes the case of SEED, all powers times FACTOR, its events in order or backwards. */
static struct model_case *made(unsigned seed, double factor, bool backwards)
{
    void *state = NULL;
    struct made_event events[MAX_EVENTS];
    assert_int_equal(case_setup(&state), 0);
    struct model_case *c = state;
    state_of_chance = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
    bool process_records = chance(3) != 0, thread_records = chance(2) == 0;
    make_log(c, factor, process_records, thread_records);
    if (!process_records) {
        for (int i = 0, at = (int)chance(2000); i < 2 || chance(6) != 0; i++, at += 1 + (int)chance(1500))
            case_load(c, at, chance(100) / 100.0, chance(100) / 100.0);
    }
    c->observed.start_ns = chance(3000) * MS;
    c->observed.end_ns = (5000 + chance(4000)) * MS;
    for (unsigned i = 0; i < 8; i++) {
        uint32_t thread = case_thread(c, 100 - i, chance(4) == 0 ? 0 : 51 + chance(6), names[chance(COUNT(names))]);
        c->observed.threads.v[thread].is_virtual = chance(8) == 0;
        c->observed.threads.v[thread].is_carrier = chance(8) == 0;
        if (chance(2) == 0)
            case_start(c, thread, (int)chance(LENGTH_MS));
        if (chance(4) == 0)
            case_end(c, thread, (int)chance(20) * 500 + (int)chance(20) - 10);
    }
    for (unsigned i = chance(5); i > 0; i--)
        case_gc(c, (int)chance(LENGTH_MS), (int)chance(200));
    c->options.jvm_threads = (enum model_jvm_threads)chance(3);
    c->options.share_of_capacity = chance(4) == 0;
    c->options.process_share = chance(5) == 0 ? chance(100) / 100.0 : (double)NAN;
    c->options.baseline_w = chance(3) == 0 ? (1 + chance(10)) * factor : (double)NAN;
    case_period(c, SAMPLE_EXECUTION, 3000, "10 ms");
    case_period(c, SAMPLE_NATIVE, 4000, "30 ms");
    unsigned count = make_events(events);
    case_execution(c, 0, "main", 1);
    for (unsigned i = 0; i < count; i++)
        observe(c, &events[backwards ? count - 1 - i : i]);
    return c;
}

static void done(struct model_case *c)
{
    void *state = c;
    case_teardown(&state);
}

static void energy_is_conserved_in_every_cycle(void **state)
{
    size_t rows = 0, sources[4] = {0};
    (void)state;
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        struct model_case *c = made(seed, 1, false);
        case_run(c);
        rows += c->result.rows.n;
        sources[c->result.cpu_source]++;
        for (size_t i = 0; i < c->result.cycles.n; i++) {
            const struct result_cycle *cycle = &c->result.cycles.v[i];
            if (isnan(cycle->power_w) || cycle->process_j == 0)
                assert_int_equal(case_row_count(c, (uint32_t)i), 0);
            else
                assert_true(cycle->process_j <= cycle->power_w * (double)cycle->interval_ns / 1e9 * (1 + 1e-12));
        }
        done(c);
    }
    assert_true(rows > 5 * SEEDS); /* the cases are of some use */
    for (int source = 0; source < 4; source++)
        assert_true(sources[source] > SEEDS / 40);
}

static void energies_of_threads_and_methods_add_up_to_the_rows(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        struct model_case *c = made(seed, 1, false);
        double own_j = 0, threads_j = 0, native_j = 0, gc_ns = 0;
        case_run(c);
        for (size_t i = 0; i < c->result.methods.n; i++) {
            own_j += c->result.methods.v[i].own_j;
            assert_true(c->result.methods.v[i].total_j >= c->result.methods.v[i].own_j * (1 - 1e-9));
            assert_false(c->result.methods.v[i].total_half_width_j < 0);
        }
        for (size_t i = 0; i < c->result.threads.n; i++)
            threads_j += c->result.threads.v[i].energy_j;
        for (int row = 0; row < NATIVE_ROWS; row++)
            native_j += c->result.native_j[row];
        for (size_t i = 0; i < c->observed.gc.n; i++)
            gc_ns += c->observed.gc.v[i].cpu_ns;
        assert_near(own_j, c->result.java_j + native_j);
        if (c->result.cpu_source == CPU_THREAD_RECORDS || gc_ns == 0) /* jdk.GCCPUTime is of no thread */
            assert_near(threads_j, c->result.java_j + native_j);
        done(c);
    }
}

static void same_rows_times(const struct result *one, const struct result *other, double factor)
{
    assert_int_equal(one->rows.n, other->rows.n);
    for (size_t i = 0; i < one->rows.n; i++) {
        assert_int_equal(one->rows.v[i].branch, other->rows.v[i].branch);
        assert_near(one->rows.v[i].energy_j * factor, other->rows.v[i].energy_j);
    }
}

static void twice_the_power_is_twice_the_energy(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        struct model_case *one = made(seed, 1, false), *two = made(seed, 2, false);
        case_run(one);
        case_run(two);
        same_rows_times(&one->result, &two->result, 2);
        assert_near(one->result.machine_j * 2, two->result.machine_j);
        assert_near(one->result.unattributed_j * 2, two->result.unattributed_j);
        assert_near(one->result.outside_j * 2, two->result.outside_j);
        assert_int_equal(one->result.methods.n, two->result.methods.n);
        for (size_t i = 0; i < one->result.methods.n; i++) /* the variance is in joules squared */
            assert_near(one->result.methods.v[i].total_half_width_j * 2, two->result.methods.v[i].total_half_width_j);
        done(one);
        done(two);
    }
}

static void the_order_of_events_does_not_matter(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        struct model_case *one = made(seed, 1, false), *other = made(seed, 1, true);
        case_run(one);
        case_run(other);
        assert_int_equal(one->result.rows.n, other->result.rows.n);
        for (uint32_t i = 0; i < one->result.cycles.n; i++)
            for (unsigned b = 0; b < COUNT(branches); b++)
                assert_energy(other, i, branches[b], case_energy(one, i, branches[b]));
        assert_near(one->result.unattributed_j, other->result.unattributed_j);
        assert_memory_equal(&one->result.samples, &other->result.samples, sizeof one->result.samples);
        done(one);
        done(other);
    }
}

/* Left unattributed, natives lose their rows and nothing else changes; spread, no Java branch has less. */
static void what_natives_have_goes_where_it_is_asked_to(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        struct model_case *c[3];
        double native_j = 0;
        for (int mode = 0; mode < 3; mode++) {
            c[mode] = made(seed, 1, false);
            c[mode]->options.jvm_threads = (enum model_jvm_threads)mode;
            case_run(c[mode]);
        }
        const struct result *separate = &c[JVM_SEPARATE]->result, *without = &c[JVM_UNATTRIBUTED]->result;
        for (int row = 0; row < NATIVE_ROWS; row++) {
            native_j += separate->native_j[row];
            assert_true(without->native_j[row] == 0);
            assert_true(c[JVM_SPREAD]->result.native_j[row] == 0);
        }
        assert_near(without->java_j, separate->java_j);
        assert_near(without->unattributed_j, separate->unattributed_j + native_j);
        for (uint32_t i = 0; i < separate->cycles.n; i++)
            for (unsigned b = 0; b < COUNT(branches); b++)
                assert_true(case_energy(c[JVM_SPREAD], i, branches[b]) >=
                            case_energy(c[JVM_SEPARATE], i, branches[b]) * (1 - 1e-9));
        for (int mode = 0; mode < 3; mode++)
            done(c[mode]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_conserved_in_every_cycle),
        cmocka_unit_test(energies_of_threads_and_methods_add_up_to_the_rows),
        cmocka_unit_test(twice_the_power_is_twice_the_energy),
        cmocka_unit_test(the_order_of_events_does_not_matter),
        cmocka_unit_test(what_natives_have_goes_where_it_is_asked_to),
    };
    return cmocka_run_group_tests_name("model: invariants", tests, NULL, NULL);
}
