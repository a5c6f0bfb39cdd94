/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PowerJoular's ring buffer, written by the tests. */
#include "faketree.h"
#include "sourcetest.h"

#include "joular/power.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct ring_file {
    uint64_t count;
    struct {
        uint64_t time_s;
        double cpu_w, gpu_w, total_w, usage, pid_w;
    } entries[5];
};
_Static_assert(sizeof(struct ring_file) == 248, "the layout");

static void put_entry(struct ring_file *ring, double cpu_w, int64_t age_s)
{
    unsigned at = (unsigned)(ring->count % 5);
    ring->entries[at].time_s = (uint64_t)(time(NULL) - age_s);
    ring->entries[at].cpu_w = cpu_w;
    ring->entries[at].gpu_w = 1e6; /* none of the others is to be read */
    ring->entries[at].total_w = 2e6;
    ring->entries[at].usage = 3e6;
    ring->entries[at].pid_w = 4e6;
    __atomic_store_n(&ring->count, ring->count + 1, __ATOMIC_RELEASE);
}

/* The file of the fixture, mapped for writing. */
static struct ring_file *make_ring(struct fixture *f)
{
    struct ring_file empty = {0};
    unlink(f->ringbuffer);
    tree_write_bytes(f->root, "powerjoular", &empty, sizeof empty);
    int fd = open(f->ringbuffer, O_RDWR);
    struct ring_file *ring = mmap(NULL, sizeof *ring, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_true(ring != MAP_FAILED);
    close(fd);
    return ring;
}

static void drop_ring(struct ring_file *ring)
{
    munmap(ring, sizeof *ring);
}

static void assert_power(struct fixture *f, double wanted)
{
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    assert_near(f->reading.power_w, wanted, 0);
    assert_true(isnan(f->reading.energy_j));
}

static void assert_no_power(struct fixture *f, enum source_outcome outcome)
{
    assert_int_equal(fixture_read_after(f, 1), outcome);
    assert_true(isnan(f->reading.power_w));
}

static void the_newest_entry_is_charged_once(void **state)
{
    struct fixture *f = *state;
    struct ring_file *ring = make_ring(f);
    assert_int_equal(fixture_open(f, &source_ringbuffer), STATUS_OK);
    assert_no_power(f, SOURCE_NO_READING); /* nothing was written yet */
    for (int i = 0; i < 12; i++) {
        put_entry(ring, 20 + i, 0);
        assert_power(f, 20 + i);
        assert_no_power(f, SOURCE_NO_READING);
    }
    assert_int_equal(f->warnings.n, 0);
    drop_ring(ring);
}

static void what_was_written_before_the_start_is_not_charged(void **state)
{
    struct fixture *f = *state;
    struct ring_file *ring = make_ring(f);
    put_entry(ring, 30, 0);
    assert_int_equal(fixture_open(f, &source_ringbuffer), STATUS_OK);
    assert_no_power(f, SOURCE_NO_READING);
    put_entry(ring, 31, 0);
    assert_power(f, 31);
    drop_ring(ring);
}

static void an_entry_older_than_five_seconds_is_stale(void **state)
{
    struct fixture *f = *state;
    struct ring_file *ring = make_ring(f);
    assert_int_equal(fixture_open(f, &source_ringbuffer), STATUS_OK);
    put_entry(ring, 30, 4);
    assert_power(f, 30);
    put_entry(ring, 30, 6);
    assert_no_power(f, SOURCE_STALE);
    assert_no_power(f, SOURCE_STALE);
    put_entry(ring, 31, -3600); /* the clock of another namespace, or one that was set */
    assert_power(f, 31);
    ring->entries[3].time_s = UINT64_MAX;
    ring->entries[3].cpu_w = 32;
    ring->count++;
    assert_power(f, 32);
    drop_ring(ring);
}

static void a_powerjoular_that_ended_is_told_at_the_start(void **state)
{
    struct fixture *f = *state;
    struct ring_file *ring = make_ring(f);
    put_entry(ring, 30, 600);
    assert_int_equal(fixture_open(f, &source_ringbuffer), STATUS_MISSING);
    assert_words(f->err.text, "600 s old");
    assert_words(f->err.text, "`powerjoular -r`");
    assert_non_null(f->state); /* it may be started later */
    put_entry(ring, 30, 0);
    assert_power(f, 30);
    drop_ring(ring);
}

static void powerjoular_may_start_later(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(fixture_open(f, &source_ringbuffer), STATUS_MISSING);
    assert_words(f->err.text, "is not there: start PowerJoular");
    assert_no_power(f, SOURCE_NO_READING);
    struct ring_file *ring = make_ring(f);
    put_entry(ring, 30, 0);
    assert_power(f, 30);
    assert_int_equal(f->warnings.n, 0);
    drop_ring(ring);
}

static void powerjoular_may_be_restarted(void **state)
{
    struct fixture *f = *state;
    struct ring_file *ring = make_ring(f);
    assert_int_equal(fixture_open(f, &source_ringbuffer), STATUS_OK);
    put_entry(ring, 30, 0);
    assert_power(f, 30);
    unlink(f->ringbuffer);
    assert_no_power(f, SOURCE_NO_READING);
    drop_ring(ring);
    ring = make_ring(f);
    put_entry(ring, 31, 0); /* count 1, as in the old file */
    assert_power(f, 31);
    assert_no_power(f, SOURCE_NO_READING);
    drop_ring(ring);
    ring = make_ring(f); /* and without a look at the gap between */
    put_entry(ring, 32, 0);
    assert_power(f, 32);
    drop_ring(ring);
}

static void only_a_whole_regular_file_is_read(void **state)
{
    struct fixture *f = *state;
    char bytes[248] = {0};
    tree_write_bytes(f->root, "other", bytes, sizeof bytes);
    assert_int_equal(symlink("other", f->ringbuffer), 0);
    assert_int_equal(fixture_open(f, &source_ringbuffer), STATUS_IO);
    assert_words(f->err.text, "is a symbolic link");
    unlink(f->ringbuffer);
    assert_int_equal(mkfifo(f->ringbuffer, 0666), 0);
    assert_int_equal(fixture_open(f, &source_ringbuffer), STATUS_IO);
    assert_words(f->err.text, "is no regular file");
    unlink(f->ringbuffer);
    assert_int_equal(mkdir(f->ringbuffer, 0777), 0);
    assert_int_equal(fixture_open(f, &source_ringbuffer), STATUS_IO);
    assert_words(f->err.text, "is no regular file");
    rmdir(f->ringbuffer);
    tree_write_bytes(f->root, "powerjoular", bytes, 247);
    assert_int_equal(fixture_open(f, &source_ringbuffer), STATUS_IO);
    assert_words(f->err.text, "fewer than the 248 bytes");
    assert_no_power(f, SOURCE_NO_READING);
    assert_int_equal(f->warnings.n, 0); /* said already */
    unlink(f->ringbuffer);
    assert_int_equal(symlink("other", f->ringbuffer), 0);
    assert_no_power(f, SOURCE_NO_READING);
    assert_no_power(f, SOURCE_NO_READING);
    assert_int_equal(texts_with(&f->warnings, "is a symbolic link"), 1);
}

static void a_file_that_shrinks_is_let_go(void **state)
{
    struct fixture *f = *state;
    struct ring_file *ring = make_ring(f);
    assert_int_equal(fixture_open(f, &source_ringbuffer), STATUS_OK);
    put_entry(ring, 30, 0);
    assert_power(f, 30);
    assert_int_equal(truncate(f->ringbuffer, 0), 0);
    assert_no_power(f, SOURCE_NO_READING);
    assert_int_equal(truncate(f->ringbuffer, 248), 0);
    put_entry(ring, 31, 0);
    assert_power(f, 31);
    drop_ring(ring);
}

static void what_is_no_power_is_none(void **state)
{
    struct fixture *f = *state;
    struct ring_file *ring = make_ring(f);
    assert_int_equal(fixture_open(f, &source_ringbuffer), STATUS_OK);
    static const double none[] = {-1, (double)NAN, (double)INFINITY, -0.0, 1e10};
    put_entry(ring, 30, 0);
    assert_power(f, 30);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        put_entry(ring, none[i], 0);
        assert_no_power(f, SOURCE_NO_READING);
    }
    drop_ring(ring);
}

static void no_power_throughout_is_told_once(void **state)
{
    struct fixture *f = *state;
    struct ring_file *ring = make_ring(f);
    assert_int_equal(fixture_open(f, &source_ringbuffer), STATUS_OK);
    put_entry(ring, 0, 0);
    assert_no_power(f, SOURCE_NO_READING);
    assert_int_equal(f->warnings.n, 0); /* one may be its first, which has nothing before it */
    put_entry(ring, 0, 0);
    assert_no_power(f, SOURCE_NO_READING);
    assert_int_equal(f->warnings.n, 1);
    for (int i = 0; i < 9; i++) {
        put_entry(ring, 0, 0);
        assert_no_power(f, SOURCE_NO_READING);
    }
    assert_int_equal(texts_with(&f->warnings, "`powerjoular -d`"), 1);
    assert_int_equal(f->warnings.n, 1);
    put_entry(ring, 25, 0);
    assert_power(f, 25);
    assert_int_equal(fixture_open(f, &source_ringbuffer), STATUS_OK);
    put_entry(ring, 25, 0);
    assert_power(f, 25);
    for (int i = 0; i < 9; i++) {
        put_entry(ring, 0, 0);
        assert_no_power(f, SOURCE_NO_READING);
    }
    assert_int_equal(f->warnings.n, 0); /* it could read the CPU */
    drop_ring(ring);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void pause_ms(long ms)
{
    struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    nanosleep(&pause, NULL);
}

static void a_cycle_ends_when_the_count_moves(void **state)
{
    struct fixture *f = *state;
    struct ring_file *ring = make_ring(f);
    assert_int_equal(fixture_open(f, &source_ringbuffer), STATUS_OK);
    pid_t writer = fork();
    if (writer == 0) {
        for (int i = 0; i < 2; i++) { /* slower than once a second */
            pause_ms(1300);
            put_entry(ring, 40 + i, 0);
        }
        _exit(0);
    }
    for (int i = 0; i < 2; i++) {
        double begin = seconds();
        source_ringbuffer.wait(f->state, NULL);
        assert_near(seconds() - begin, 1.3, 0.2);
        assert_power(f, 40 + i);
    }
    assert_int_equal(waitpid(writer, NULL, 0), writer);
    drop_ring(ring);
}

static void a_cycle_ends_after_two_seconds_without(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(fixture_open(f, &source_ringbuffer), STATUS_MISSING);
    double begin = seconds();
    source_ringbuffer.wait(f->state, NULL);
    assert_near(seconds() - begin, 2.0, 0.2);
    assert_no_power(f, SOURCE_NO_READING);
}

static volatile int stop;

static void on_alarm(int number)
{
    (void)number;
    stop = 1;
}

static void waiting_ends_when_it_is_told_to(void **state)
{
    struct fixture *f = *state;
    struct ring_file *ring = make_ring(f);
    assert_int_equal(fixture_open(f, &source_ringbuffer), STATUS_OK);
    signal(SIGALRM, on_alarm);
    stop = 0;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    ualarm(200000, 0);
    double begin = seconds();
    source_ringbuffer.wait(f->state, &stop);
    double waited = seconds() - begin;
    assert_true(waited > 0.15 && waited < 0.9); /* of itself it waits for two seconds */
    drop_ring(ring);
}

/* The writer goes round as fast as it can. Every second entry is a stale one with a power that no fresh one has, so
 * that a reading that mixes two entries of one place shows. */
static void a_hammering_writer_gives_no_torn_entry(void **state)
{
    struct fixture *f = *state;
    struct ring_file *ring = make_ring(f);
    assert_int_equal(fixture_open(f, &source_ringbuffer), STATUS_OK);
    pid_t writer = fork();
    if (writer == 0) {
        for (;;) {
            uint64_t count = ring->count, at = count % 5;
            bool fresh = count % 2 == 0;
            __atomic_store_n(&ring->entries[at].time_s, fresh ? UINT64_C(4000000000) : 1, __ATOMIC_RELEASE);
            __atomic_store_n((uint64_t *)(void *)&ring->entries[at].cpu_w, /* 2.0 or 4.0 */
                             fresh ? UINT64_C(0x4000000000000000) : UINT64_C(0x4010000000000000), __ATOMIC_RELEASE);
            __atomic_store_n(&ring->count, count + 1, __ATOMIC_RELEASE);
        }
    }
    unsigned good = 0, torn = 0;
    for (double begin = seconds(); seconds() < begin + 2 || (good <= 100 && seconds() < begin + 30);) {
        for (int i = 0; i < 100; i++) {
            if (fixture_read_after(f, 1) == SOURCE_OK) {
                good++;
                torn += f->reading.power_w != 2.0;
            }
        }
    }
    kill(writer, SIGKILL);
    assert_int_equal(waitpid(writer, NULL, 0), writer);
    assert_int_equal(torn, 0);
    assert_true(good > 100);
    drop_ring(ring);
}

/* A writer that comes in the middle of a copy, by no chance: the source is given a map in which the first entry's time
 * is the last word of a page and its power the first of the next. Who reads the power for the first time, with the time
 * in hand, runs into overtake(). */
static struct {
    bool armed; /* the next map is this one */
    char *pages;
    size_t page;
    struct ring_file *ring;
    volatile int overtaken;
} trap;

#ifdef __USE_FILE_OFFSET64 /* on machines of 32 bits, where mmap is another name of it */
#define real_mmap __real_mmap64
#define wrap_mmap __wrap_mmap64
#else
#define real_mmap __real_mmap
#define wrap_mmap __wrap_mmap
#endif
void *real_mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset);
void *wrap_mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset);

void *wrap_mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
    return trap.armed ? trap.ring : real_mmap(address, length, protection, flags, fd, offset);
}

/* Five more measurements: the first entry is written again, with one that is stale. */
static void overtake(int number)
{
    mprotect(trap.pages + trap.page, trap.page, PROT_READ | PROT_WRITE);
    if (trap.overtaken++ != 0)
        signal(number, SIG_DFL);
    for (int i = 0; i < 5; i++)
        put_entry(trap.ring, 99, 600);
}

static void an_entry_that_is_overwritten_while_it_is_copied_is_copied_again(void **state)
{
    struct fixture *f = *state;
    drop_ring(make_ring(f));
    trap.page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * trap.page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(pages != MAP_FAILED);
    trap.ring = (struct ring_file *)(void *)(pages + trap.page - offsetof(struct ring_file, entries[0].cpu_w));
    trap.pages = pages;
    trap.armed = true;
    enum status status = fixture_open(f, &source_ringbuffer);
    trap.armed = false;
    assert_int_equal(status, STATUS_OK);
    put_entry(trap.ring, 30, 0);
    void (*before)(int) = signal(SIGSEGV, overtake);
    assert_int_equal(mprotect(pages + trap.page, trap.page, PROT_NONE), 0);
    enum source_outcome outcome = fixture_read_after(f, 1);
    signal(SIGSEGV, before);
    assert_int_equal(trap.overtaken, 1);
    assert_int_equal(outcome, SOURCE_STALE); /* and not 99 W, fresh: the power of one with the time of another */
    assert_true(isnan(f->reading.power_w));
    put_entry(trap.ring, 31, 0);
    assert_power(f, 31);
    fixture_close(f);
    munmap(pages, 2 * trap.page);
}

static void examining_says_whether_powerjoular_runs(void **state)
{
    struct fixture *f = *state;
    struct notices texts = {0};
    assert_false(source_ringbuffer.examine(&f->options, &texts));
    assert_int_equal(texts_with(&texts, "is not there"), 1);
    struct ring_file *ring = make_ring(f);
    assert_false(source_ringbuffer.examine(&f->options, &texts));
    assert_int_equal(texts_with(&texts, "no measurement yet"), 1);
    put_entry(ring, 0, 0);
    assert_false(source_ringbuffer.examine(&f->options, &texts));
    assert_int_equal(texts_with(&texts, "`powerjoular -d`"), 1);
    put_entry(ring, 12.5, 0);
    assert_true(source_ringbuffer.examine(&f->options, &texts));
    assert_int_equal(texts_with(&texts, "12.50 W"), 1);
    assert_int_equal(texts_with(&texts, "first CPU package only"), 1);
    put_entry(ring, 12.5, 60);
    assert_false(source_ringbuffer.examine(&f->options, &texts));
    notices_free(&texts);
    drop_ring(ring);
}

/* What a reading says of an entry of AGE_S, within one second of the clock. */
static enum source_outcome outcome_of_age(struct fixture *f, struct ring_file *ring, double cpu_w, int64_t age_s)
{
    enum source_outcome outcome;
    time_t second;
    do {
        second = time(NULL);
        put_entry(ring, cpu_w, age_s);
        outcome = fixture_read_after(f, 1);
    } while (time(NULL) != second);
    return outcome;
}

static void an_entry_of_five_seconds_is_fresh_and_one_of_six_is_not(void **state)
{
    struct fixture *f = *state;
    struct ring_file *ring = make_ring(f);
    assert_int_equal(fixture_open(f, &source_ringbuffer), STATUS_OK);
    assert_int_equal(outcome_of_age(f, ring, 30, 5), SOURCE_OK);
    assert_int_equal(outcome_of_age(f, ring, 30, 6), SOURCE_STALE);
    drop_ring(ring);
}

static void an_entry_of_any_power_up_to_the_limit_is_charged(void **state)
{
    struct fixture *f = *state;
    struct ring_file *ring = make_ring(f);
    assert_int_equal(fixture_open(f, &source_ringbuffer), STATUS_OK);
    put_entry(ring, 0.5, 0);
    assert_power(f, 0.5);
    put_entry(ring, POWER_LIMIT_W, 0);
    assert_power(f, POWER_LIMIT_W);
    put_entry(ring, POWER_LIMIT_W * 1.001, 0);
    assert_no_power(f, SOURCE_NO_READING);
    drop_ring(ring);
}

static void a_small_power_in_any_entry_is_one(void **state)
{
    struct fixture *f = *state;
    struct ring_file *ring = make_ring(f);
    for (unsigned at = 0; at < 5; at++) {
        struct notices texts = {0};
        memset(ring, 0, sizeof *ring);
        for (unsigned i = 0; i < 5; i++)
            put_entry(ring, i == at ? 0.5 : 0, 0);
        assert_int_equal(fixture_open(f, &source_ringbuffer), STATUS_OK);
        put_entry(ring, at == 0 ? 0.5 : 0, 0); /* in place of the first */
        (void)fixture_read_after(f, 1);
        assert_int_equal(f->warnings.n, 0);
        assert_true(source_ringbuffer.examine(&f->options, &texts) == (at == 0));
        notices_free(&texts);
    }
    drop_ring(ring);
}

static void examining_tells_one_measurement_of_nothing(void **state)
{
    struct fixture *f = *state;
    struct notices texts = {0};
    struct ring_file *ring = make_ring(f);
    put_entry(ring, 0.5, 0);
    put_entry(ring, POWER_LIMIT_W * 2, 0);
    assert_false(source_ringbuffer.examine(&f->options, &texts));
    assert_int_equal(texts_with(&texts, "does not work: PowerJoular writes 2"), 1);
    put_entry(ring, 0.5, 0);
    assert_true(source_ringbuffer.examine(&f->options, &texts));
    assert_int_equal(texts_with(&texts, "0.50 W"), 1);
    put_entry(ring, POWER_LIMIT_W, 0);
    assert_true(source_ringbuffer.examine(&f->options, &texts));
    notices_free(&texts);
    drop_ring(ring);
}

static void a_file_that_is_another_one_in_the_middle_is_told_once(void **state)
{
    struct fixture *f = *state;
    struct ring_file *ring = make_ring(f);
    assert_int_equal(fixture_open(f, &source_ringbuffer), STATUS_OK);
    put_entry(ring, 30, 0);
    assert_power(f, 30);
    unlink(f->ringbuffer);
    assert_int_equal(mkdir(f->ringbuffer, 0777), 0);
    assert_no_power(f, SOURCE_NO_READING);
    assert_no_power(f, SOURCE_NO_READING);
    assert_int_equal(f->warnings.n, 1);
    assert_int_equal(texts_with(&f->warnings, "is no regular file"), 1);
    rmdir(f->ringbuffer);
    assert_no_power(f, SOURCE_NO_READING); /* not there: it may be started again */
    assert_int_equal(f->warnings.n, 1);
    drop_ring(ring);
    ring = make_ring(f);
    put_entry(ring, 31, 0);
    assert_power(f, 31);
    assert_int_equal(f->warnings.n, 1);
    drop_ring(ring);
}

static void a_file_that_was_deleted_is_read_until_there_is_another(void **state)
{
    struct fixture *f = *state;
    struct ring_file *ring = make_ring(f);
    assert_int_equal(fixture_open(f, &source_ringbuffer), STATUS_OK);
    put_entry(ring, 30, 0);
    assert_power(f, 30);
    unlink(f->ringbuffer);
    assert_no_power(f, SOURCE_NO_READING);
    put_entry(ring, 31, 0);
    assert_power(f, 31);
    assert_int_equal(f->warnings.n, 0);
    drop_ring(ring);
}

/* What opening says of an entry of AGE_S, within one second of the clock. */
static enum status status_of_age(struct fixture *f, struct ring_file *ring, int64_t age_s)
{
    enum status status;
    time_t second;
    do {
        second = time(NULL);
        put_entry(ring, 30, age_s);
        status = fixture_open(f, &source_ringbuffer);
    } while (time(NULL) != second);
    return status;
}

static void powerjoular_runs_where_its_last_entry_is_of_five_seconds(void **state)
{
    struct fixture *f = *state;
    struct ring_file *ring = make_ring(f);
    assert_int_equal(status_of_age(f, ring, 5), STATUS_OK);
    assert_int_equal(status_of_age(f, ring, 6), STATUS_MISSING);
    assert_words(f->err.text, "6 s old");
    drop_ring(ring);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_newest_entry_is_charged_once),
        CASE(what_was_written_before_the_start_is_not_charged),
        CASE(an_entry_older_than_five_seconds_is_stale),
        CASE(a_powerjoular_that_ended_is_told_at_the_start),
        CASE(powerjoular_may_start_later),
        CASE(powerjoular_may_be_restarted),
        CASE(only_a_whole_regular_file_is_read),
        CASE(a_file_that_shrinks_is_let_go),
        CASE(what_is_no_power_is_none),
        CASE(no_power_throughout_is_told_once),
        CASE(an_entry_of_five_seconds_is_fresh_and_one_of_six_is_not),
        CASE(an_entry_of_any_power_up_to_the_limit_is_charged),
        CASE(a_small_power_in_any_entry_is_one),
        CASE(examining_tells_one_measurement_of_nothing),
        CASE(a_file_that_is_another_one_in_the_middle_is_told_once),
        CASE(a_file_that_was_deleted_is_read_until_there_is_another),
        CASE(powerjoular_runs_where_its_last_entry_is_of_five_seconds),
        CASE(a_cycle_ends_when_the_count_moves),
        CASE(a_cycle_ends_after_two_seconds_without),
        CASE(waiting_ends_when_it_is_told_to),
        CASE(a_hammering_writer_gives_no_torn_entry),
        CASE(an_entry_that_is_overwritten_while_it_is_copied_is_copied_again),
        CASE(examining_says_whether_powerjoular_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
