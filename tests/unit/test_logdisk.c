/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The power log's writer on disks that are full, and on names that are no file of its own. */
#include "faketree.h"
#include "logtest.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* The disk is full in cycles 2 to 4, at every place of a cycle. */
static void a_full_disk_is_said_once_and_costs_its_cycles_only(void **state)
{
    struct log_fixture *f = *state;
    const char *paths[] = {f->plain, f->packed};
    for (size_t p = 0; p < 2; p++) {
        for (ssize_t left = 0; left < (p == 0 ? 120 : 40); left++) {
            struct power_log log;
            struct stat st;
            struct power_writer *w = open_writer(f, paths[p]);
            off_t size = 0;
            for (int i = 0; i < CYCLES; i++) {
                log_room = i >= 2 && i <= 4 ? left : -1;
                struct error err = {0};
                enum status status = write_cycle(w, i, &err);
                assert_int_equal(status, i == 2 ? STATUS_IO : STATUS_OK);
                if (i == 2) {
                    assert_non_null(strstr(err.text, "No space left"));
                    assert_string_equal(err.file, paths[p]);
                }
                /* killed here, it would be readable; and nothing of a cycle that failed is left */
                assert_int_equal(stat(paths[p], &st), 0);
                if (i >= 2 && i <= 4)
                    assert_int_equal(st.st_size, size);
                size = st.st_size;
                assert_int_equal(read_path(paths[p], &log, NULL), i < 2 ? i + 1 : i <= 4 ? 2 : i - 2);
                power_log_free(&log);
            }
            log_room = -1;
            assert_int_equal(power_writer_lost(w), 3);
            assert_int_equal(power_writer_close(w, &f->err), STATUS_OK);
            bool cut;
            assert_int_equal(read_path(paths[p], &log, &cut), CYCLES - 3);
            assert_false(cut);
            assert_int_equal(log.unknown_records, 0);
            for (int i = 0, n = 0; i < CYCLES; i++)
                if (i < 2 || i > 4)
                    assert_cycle(&log, (size_t)n++, i);
            power_log_free(&log);
        }
    }
}

static void a_disk_that_is_full_to_the_end_leaves_a_readable_log(void **state)
{
    struct log_fixture *f = *state;
    const char *paths[] = {f->plain, f->packed};
    for (size_t p = 0; p < 2; p++) {
        struct power_log log;
        struct power_writer *w = open_writer(f, paths[p]);
        assert_int_equal(write_cycle(w, 0, &f->err), STATUS_OK);
        log_room = 5;
        assert_int_equal(write_cycle(w, 1, &(struct error){0}), STATUS_IO);
        assert_int_equal(write_cycle(w, 2, &(struct error){0}), STATUS_OK);
        log_room = 0;
        assert_int_equal(power_writer_close(w, &f->err), STATUS_OK); /* said already */
        log_room = -1;
        assert_int_equal(read_path(paths[p], &log, NULL), 1);
        power_log_free(&log);
        log_room = 10;
        struct error err = {0};
        assert_int_equal(power_writer_open(paths[p], FACTS, &w, &err), STATUS_IO);
        assert_null(w);
        log_room = -1;
    }
}

static void a_small_tmpfs_fills_and_is_emptied(void **state)
{
    struct log_fixture *f = *state;
    char path[600], filler[600];
    const char *folder = tree_path(f->root, "small");
    assert_int_equal(mkdir(folder, 0755), 0);
    if (mount("none", folder, "tmpfs", 0, "size=64k") != 0)
        skip();
    snprintf(path, sizeof path, "%s/power.log", folder);
    snprintf(filler, sizeof filler, "%s/filler", folder);
    struct power_writer *w = open_writer(f, path);
    unsigned errors = 0;
    for (int i = 0; i < 60; i++) {
        struct error err = {0};
        if (i == 5) {
            FILE *file = fopen(filler, "w");
            while (file != NULL && fputc('x', file) != EOF && ftell(file) < 128 * 1024)
                ;
            if (file != NULL)
                fclose(file);
        } else if (i == 50) {
            unlink(filler);
        }
        errors += write_cycle(w, i, &err) != STATUS_OK;
    }
    uint64_t lost = power_writer_lost(w);
    enum status closed = power_writer_close(w, &f->err);
    struct power_log log;
    int cycles = read_path(path, &log, NULL);
    bool last_is_there = cycles > 0 && log.cycles.v[cycles - 1].end_ns == 60 * SECOND;
    power_log_free(&log);
    assert_int_equal(umount(tree_path(f->root, "small")), 0);
    assert_int_equal(errors, 1);
    assert_int_equal(closed, STATUS_OK);
    assert_true(lost > 10);
    assert_int_equal(cycles, 60 - (int)lost);
    assert_true(last_is_there);
}

static void a_log_is_brought_to_the_disk_as_it_grows(void **state)
{
    struct log_fixture *f = *state;
    struct power_writer *w = open_writer(f, f->plain);
    __atomic_store_n(&log_syncs, 0, __ATOMIC_SEQ_CST);
    for (int i = 0; i < 3; i++) {
        unsigned before = __atomic_load_n(&log_syncs, __ATOMIC_SEQ_CST);
        assert_int_equal(write_cycle(w, i, &f->err), STATUS_OK);
        for (int ms = 0; __atomic_load_n(&log_syncs, __ATOMIC_SEQ_CST) == before && ms < 5000; ms++)
            usleep(1000);
        assert_int_equal(__atomic_load_n(&log_syncs, __ATOMIC_SEQ_CST), before + 1);
    }
    __atomic_store_n(&log_sync_fault, EIO, __ATOMIC_SEQ_CST);
    assert_int_equal(write_cycle(w, 3, &f->err), STATUS_OK);
    for (int ms = 0; __atomic_load_n(&log_syncs, __ATOMIC_SEQ_CST) == 3 && ms < 5000; ms++)
        usleep(1000);
    usleep(10000);
    assert_int_equal(write_cycle(w, 4, &f->err), STATUS_IO);
    assert_non_null(strstr(f->err.text, "Input/output error"));
    usleep(10000);
    assert_int_equal(write_cycle(w, 5, &(struct error){0}), STATUS_OK); /* said already */
    assert_int_equal(power_writer_close(w, &(struct error){0}), STATUS_OK);
}

static void outputs_never_follow_a_link(void **state)
{
    struct log_fixture *f = *state;
    struct power_writer *w;
    struct stat st;
    tree_write(f->root, "precious", "kept\n");
    assert_int_equal(symlink("precious", f->plain), 0);
    assert_int_equal(power_writer_open(f->plain, FACTS, &w, &f->err), STATUS_INVALID);
    assert_non_null(strstr(f->err.text, "symbolic link"));
    assert_string_equal(f->err.file, f->plain);
    unlink(f->plain);
    assert_int_equal(symlink("nowhere", f->plain), 0);
    assert_int_equal(power_writer_open(f->plain, FACTS, &w, &(struct error){0}), STATUS_INVALID);
    assert_int_not_equal(stat(tree_path(f->root, "nowhere"), &st), 0);
    unlink(f->plain);
    assert_int_equal(link(tree_path(f->root, "precious"), f->plain), 0);
    assert_int_equal(power_writer_open(f->plain, FACTS, &w, &(struct error){0}), STATUS_INVALID);
    assert_int_equal(stat(tree_path(f->root, "precious"), &st), 0);
    assert_int_equal(st.st_size, 5);
}

/* Where the path leads to another folder by the time the log is removed, that one is not touched. */
static void what_is_removed_is_what_was_made(void **state)
{
    struct log_fixture *f = *state;
    struct power_writer *w;
    struct stat st;
    const char *mine = tree_path(f->root, "mine"), *moved = tree_path(f->root, "moved");
    assert_int_equal(mkdir(mine, 0755), 0);
    assert_int_equal(power_writer_open(tree_path(f->root, "mine/power.log"), FACTS, &w, &f->err), STATUS_OK);
    assert_int_equal(rename(mine, moved), 0);
    assert_int_equal(mkdir(tree_path(f->root, "theirs"), 0755), 0);
    tree_write(f->root, "theirs/power.log", "kept\n");
    assert_int_equal(symlink("theirs", mine), 0);
    power_writer_discard(w);
    assert_int_equal(stat(tree_path(f->root, "theirs/power.log"), &st), 0);
    assert_int_equal(stat(tree_path(f->root, "moved/power.log"), &st), -1);
}

static void a_log_without_its_first_lines_is_not_left_behind(void **state)
{
    struct log_fixture *f = *state;
    struct power_writer *w;
    struct stat st;
    log_room = 10;
    assert_int_equal(power_writer_open(f->plain, FACTS, &w, &f->err), STATUS_IO);
    assert_int_equal(stat(f->plain, &st), -1);
}

static void an_output_is_a_file_of_its_own(void **state)
{
    struct log_fixture *f = *state;
    struct power_writer *w;
    assert_int_equal(mkfifo(f->plain, 0644), 0);
    assert_int_not_equal(power_writer_open(f->plain, FACTS, &w, &(struct error){0}), STATUS_OK);
    unlink(f->plain);
    assert_int_equal(mkdir(f->plain, 0755), 0);
    assert_int_equal(power_writer_open(f->plain, FACTS, &w, &(struct error){0}), STATUS_IO);
    rmdir(f->plain);
    assert_int_equal(power_writer_open(tree_path(f->root, "no/power.log"), FACTS, &w, &(struct error){0}), STATUS_IO);
    tree_write(f->root, "power.log", "an older and longer log that is not to show through at the end of the new one\n");
    write_log(f, f->plain);
    struct power_log log;
    assert_int_equal(read_path(f->plain, &log, NULL), CYCLES);
    power_log_free(&log);
    w = open_writer(f, f->plain);
    assert_int_equal(write_cycle(w, 0, &f->err), STATUS_OK);
    struct power_writer *second;
    struct error err = {0};
    assert_int_equal(power_writer_open(f->plain, FACTS, &second, &err), STATUS_INVALID);
    assert_non_null(strstr(err.text, "another run"));
    assert_int_equal(read_path(f->plain, &log, NULL), 1); /* and it was left alone */
    power_log_free(&log);
    assert_int_equal(power_writer_close(w, &f->err), STATUS_OK);
}

static void a_device_that_is_full_says_so_at_the_start(void **state)
{
    struct log_fixture *f = *state;
    struct power_writer *w;
    assert_int_equal(power_writer_open("/dev/full", FACTS, &w, &f->err), STATUS_IO);
    assert_non_null(strstr(f->err.text, "No space left"));
}

static void a_limit_on_file_sizes_is_a_full_disk(void **state)
{
    struct log_fixture *f = *state;
    struct power_log log;
    struct rlimit old, low;
    signal(SIGXFSZ, SIG_IGN);
    struct power_writer *w = open_writer(f, f->plain);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    low = (struct rlimit){.rlim_cur = 500, .rlim_max = old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
    unsigned errors = 0;
    for (int i = 0; i < CYCLES; i++)
        errors += write_cycle(w, i, &(struct error){0}) != STATUS_OK;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(errors, 1);
    assert_int_equal(power_writer_close(w, &f->err), STATUS_OK);
    assert_true(read_path(f->plain, &log, NULL) > 0);
    power_log_free(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LOG_CASE(a_full_disk_is_said_once_and_costs_its_cycles_only),
        LOG_CASE(a_disk_that_is_full_to_the_end_leaves_a_readable_log),
        LOG_CASE(a_small_tmpfs_fills_and_is_emptied),
        LOG_CASE(a_log_is_brought_to_the_disk_as_it_grows),
        LOG_CASE(outputs_never_follow_a_link),
        LOG_CASE(what_is_removed_is_what_was_made),
        LOG_CASE(a_log_without_its_first_lines_is_not_left_behind),
        LOG_CASE(an_output_is_a_file_of_its_own),
        LOG_CASE(a_device_that_is_full_says_so_at_the_start),
        LOG_CASE(a_limit_on_file_sizes_is_a_full_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
