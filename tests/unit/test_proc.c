/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPU time of processes and threads, on proc trees of ours (a tick is 10 ms) and on real processes. */
#include "unit.h"

#include "joular/proc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TICK INT64_C(10000000)

static char root[64];

/* Writes ROOT/NAME in place, since files of threads are kept open. */
static void PRINTF_LIKE(2, 3) put(const char *name, const char *format, ...)
{
    char path[512];
    va_list args;
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *p = path + strlen(root) + 1; (p = strchr(p, '/')) != NULL; p++) {
        *p = '\0';
        assert_true(mkdir(path, 0755) == 0 || errno == EEXIST);
        *p = '/';
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    va_start(args, format);
    vfprintf(file, format, args);
    va_end(args);
    fclose(file);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

static void drop(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s%s%s", root, name[0] != '\0' ? "/" : "", name);
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static int begin(void **unit_state)
{
    (void)unit_state;
    snprintf(root, sizeof root, "/tmp/joular-proc.XXXXXX");
    return mkdtemp(root) != NULL ? 0 : -1;
}

static int end(void **unit_state)
{
    (void)unit_state;
    drop("");
    return 0;
}

/* PID/stat: OWN and CHILDREN in ticks. */
static void process(int pid, const char *name, char state, int parent, int own, int children, int threads)
{
    char path[64];
    snprintf(path, sizeof path, "%d/stat", pid);
    put(path, "%d (%s) %c %d 1 1 0 -1 4194304 9 9 9 9 %d 0 %d 0 20 0 %d 0 %d 999 9 9\n", pid, name, state, parent, own,
        children, threads, pid * 7);
}

static void thread(int pid, int tid, const char *name, const char *schedstat)
{
    char path[128];
    snprintf(path, sizeof path, "%d/task/%d/comm", pid, tid);
    put(path, "%s\n", name);
    snprintf(path, sizeof path, "%d/task/%d/schedstat", pid, tid);
    put(path, "%s\n", schedstat);
}

static void gone(int pid)
{
    char name[32];
    snprintf(name, sizeof name, "%d", pid);
    drop(name);
}

static const struct proc_process *find(const struct proc_tree *tree, int64_t pid)
{
    size_t count;
    const struct proc_process *p = proc_tree_processes(tree, &count);
    for (size_t i = 0; i < count; i++)
        if (p[i].pid == pid)
            return &p[i];
    return NULL;
}

/* It must be there. */
static const struct proc_process *seen(const struct proc_tree *tree, int64_t pid)
{
    const struct proc_process *process = find(tree, pid);
    if (process == NULL) {
        fail_msg("process %lld is not seen", (long long)pid);
        abort();
    }
    return process;
}

static int64_t used(const struct proc_tree *tree, int64_t pid)
{
    const struct proc_process *p = find(tree, pid);
    return p != NULL ? p->cpu_ns : -1;
}

static struct proc_tree *look_at(int pid, enum proc_threads threads)
{
    struct proc_tree *tree = proc_tree_new(root, pid, threads);
    proc_tree_look(tree);
    return tree;
}

TEST(busy_time_is_that_of_the_first_line_without_idle_iowait_and_steal)
{
    int64_t busy_ns = 0;
    put("stat", "cpu  1 20 300 4000 50000 600000 7000000 80000000 1 20\ncpu0 1 2 3\ncpu1 1 2 3\nintr 5\n");
    assert_true(proc_busy_ns(root, &busy_ns));
    assert_int_equal(busy_ns, (1 + 20 + 300 + 600000 + 7000000) * TICK);
    assert_int_equal(proc_cpus(root), 2);
    put("stat", "cpu  1 20\n");
    assert_false(proc_busy_ns(root, &busy_ns));
    assert_false(proc_busy_ns("/nonexistent", &busy_ns));
}

TEST(names_may_hold_brackets_blanks_and_line_ends)
{
    process(10, "a) S (b\n c)", 'S', 1, 5, 0, 1);
    struct proc_tree *tree = look_at(10, PROC_THREADS_NONE);
    assert_non_null(find(tree, 10));
    assert_has(seen(tree, 10)->name, "a) S (b");
    assert_null(strchr(seen(tree, 10)->name, '\n'));
    proc_tree_free(tree);
}

TEST(the_first_look_is_a_baseline)
{
    process(10, "sh", 'S', 1, 500, 0, 1);
    struct proc_tree *tree = look_at(10, PROC_THREADS_NONE);
    assert_int_equal(used(tree, 10), 0);
    process(10, "sh", 'S', 1, 507, 0, 1);
    proc_tree_look(tree);
    assert_int_equal(used(tree, 10), 7 * TICK);
    proc_tree_look(tree);
    assert_int_equal(used(tree, 10), 0); /* it has its record all the same */
    proc_tree_free(tree);
}

TEST(descendants_are_watched_and_others_are_not)
{
    process(10, "sh", 'S', 1, 0, 0, 1);
    process(11, "other", 'S', 1, 0, 0, 1);
    struct proc_tree *tree = look_at(10, PROC_THREADS_NONE);
    process(20, "child", 'S', 10, 3, 0, 1);
    process(15, "grandchild", 'R', 20, 4, 0, 1); /* ids went round: its parent's is higher */
    process(21, "child of other", 'S', 11, 3, 0, 1);
    proc_tree_look(tree);
    size_t count;
    proc_tree_processes(tree, &count);
    assert_int_equal(count, 3);
    assert_int_equal(used(tree, 20), 3 * TICK);
    assert_int_equal(used(tree, 15), 4 * TICK);
    process(15, "grandchild", 'R', 1, 6, 0, 1); /* its parent ended, and it did not */
    gone(20);
    proc_tree_look(tree);
    proc_tree_look(tree);
    assert_int_equal(used(tree, 20), -1);
    assert_int_equal(used(tree, 15), 0);
    proc_tree_free(tree);
}

TEST(the_rest_of_a_reaped_child_comes_from_its_parent)
{
    process(10, "sh", 'S', 1, 0, 100, 1);
    process(20, "java", 'R', 10, 50, 5, 1);
    struct proc_tree *tree = look_at(10, PROC_THREADS_NONE);
    gone(20);
    process(10, "sh", 'S', 1, 1, 100 + 62 + 5, 1);
    proc_tree_look(tree);
    assert_int_equal(used(tree, 20), 12 * TICK);
    assert_true(seen(tree, 20)->ended);
    assert_false(seen(tree, 20)->incomplete);
    assert_int_equal(used(tree, 10), TICK);
    proc_tree_look(tree);
    assert_null(find(tree, 20));
    assert_int_equal(proc_tree_unseen_ns(tree), 0);
    proc_tree_free(tree);
}

TEST(a_child_and_its_parent_that_end_together_are_told_by_the_next_above)
{
    process(10, "sh", 'S', 1, 0, 0, 1);
    process(20, "sh", 'S', 10, 2, 7, 1);
    process(30, "java", 'R', 20, 50, 0, 1);
    struct proc_tree *tree = look_at(10, PROC_THREADS_NONE);
    process(30, "java", 'R', 20, 90, 0, 1);
    proc_tree_look(tree);
    gone(20);
    gone(30);
    process(10, "sh", 'S', 1, 0, 2 + 7 + 95, 1);
    proc_tree_look(tree);
    /* by what they used in the cycle before: all to java */
    assert_in_range(used(tree, 30), 5 * TICK - 10, 5 * TICK);
    assert_in_range(used(tree, 20), 0, 10);
    proc_tree_free(tree);
}

TEST(children_that_nobody_saw_are_counted_apart)
{
    process(10, "make", 'S', 1, 0, 0, 1);
    struct proc_tree *tree = look_at(10, PROC_THREADS_NONE);
    process(10, "make", 'S', 1, 0, 30, 1);
    proc_tree_look(tree);
    assert_int_equal(used(tree, 10), 0);
    assert_int_equal(proc_tree_unseen_ns(tree), 30 * TICK);
    proc_tree_free(tree);
}

TEST(a_child_that_was_only_noted_has_its_record)
{
    process(10, "sh", 'S', 1, 0, 0, 1);
    struct proc_tree *tree = look_at(10, PROC_THREADS_NONE);
    process(20, "sh", 'R', 10, 1, 0, 1);
    process(30, "noted too", 'R', 10, 1, 0, 1);
    proc_tree_note(tree);
    process(20, "java", 'R', 10, 9, 0, 1);
    proc_tree_note(tree);
    assert_null(find(tree, 20));
    gone(20);
    process(10, "sh", 'S', 1, 0, 30, 1);
    process(30, "noted too", 'R', 10, 5, 0, 1);
    proc_tree_look(tree);
    assert_int_equal(used(tree, 20), 30 * TICK);
    assert_string_equal(seen(tree, 20)->name, "java");
    assert_true(seen(tree, 20)->is_jvm);
    assert_int_equal(used(tree, 30), 5 * TICK);
    assert_int_equal(proc_tree_unseen_ns(tree), 0);
    proc_tree_free(tree);
}

TEST(children_that_were_noted_and_ended_share_by_what_was_seen_of_them)
{
    process(10, "sh", 'S', 1, 0, 0, 1);
    struct proc_tree *tree = look_at(10, PROC_THREADS_NONE);
    process(20, "sh", 'S', 10, 0, 0, 1);
    process(30, "java", 'R', 20, 12, 0, 1);
    proc_tree_note(tree);
    gone(20);
    gone(30);
    process(10, "sh", 'S', 1, 0, 70, 1);
    proc_tree_look(tree);
    assert_in_range(used(tree, 30), 70 * TICK - 100, 70 * TICK);
    proc_tree_free(tree);
}

TEST(a_parent_that_does_not_wait_leaves_its_child_incomplete)
{
    process(10, "sh", 'S', 1, 0, 0, 1);
    process(20, "child", 'R', 10, 50, 0, 1);
    struct proc_tree *tree = look_at(10, PROC_THREADS_NONE);
    gone(20);
    proc_tree_look(tree);
    assert_true(seen(tree, 20)->ended);
    assert_true(seen(tree, 20)->incomplete);
    assert_int_equal(used(tree, 20), 0);
    gone(10);
    proc_tree_look(tree);
    assert_true(seen(tree, 10)->incomplete); /* nobody is above it */
    proc_tree_free(tree);
}

TEST(a_zombie_has_one_last_record)
{
    process(10, "sh", 'S', 1, 0, 0, 1);
    process(20, "child", 'R', 10, 50, 0, 4);
    struct proc_tree *tree = look_at(10, PROC_THREADS_NONE);
    process(20, "child", 'Z', 10, 55, 0, 3);
    proc_tree_look(tree);
    assert_int_equal(used(tree, 20), 5 * TICK);
    assert_false(seen(tree, 20)->ended); /* its leader ended, threads go on */
    process(20, "child", 'Z', 10, 58, 0, 1);
    proc_tree_look(tree);
    assert_int_equal(used(tree, 20), 3 * TICK);
    assert_true(seen(tree, 20)->ended);
    proc_tree_look(tree);
    assert_null(find(tree, 20));
    gone(20);
    process(10, "sh", 'S', 1, 0, 58, 1);
    proc_tree_look(tree);
    assert_null(find(tree, 20));
    assert_int_equal(proc_tree_unseen_ns(tree), 0);
    proc_tree_free(tree);
}

TEST(an_id_that_is_used_again_is_another_process)
{
    process(10, "sh", 'S', 1, 0, 0, 1);
    process(20, "child", 'R', 10, 50, 0, 1);
    struct proc_tree *tree = look_at(10, PROC_THREADS_NONE);
    put("20/stat", "20 (later) S 1 1 1 0 -1 4194304 9 9 9 9 900 0 0 0 20 0 1 0 777777 999 9 9\n");
    process(10, "sh", 'S', 1, 0, 51, 1);
    proc_tree_look(tree);
    assert_true(seen(tree, 20)->ended);
    assert_int_equal(used(tree, 20), TICK);
    proc_tree_free(tree);
}

TEST(threads_are_those_of_jvms)
{
    process(10, "sh", 'S', 1, 0, 0, 1);
    process(20, "app", 'S', 10, 0, 0, 2);
    thread(10, 10, "sh", "5 0 1");
    thread(20, 20, "app", "1000 0 1");
    thread(20, 21, "worker", "2000 0 1");
    put("20/maps", "7f00-7f01 r-xp 0 0 0 /opt/jdk/lib/server/libjvm.so\n");
    put("10/maps", "7f00-7f01 r-xp 0 0 0 /lib/libjvm.so.backup/libc.so\n");
    struct proc_tree *tree = look_at(10, PROC_THREADS_AUTO);
    assert_true(seen(tree, 20)->is_jvm);
    assert_true(seen(tree, 20)->threads_known);
    assert_int_equal(seen(tree, 20)->threads.n, 0); /* a baseline */
    assert_false(seen(tree, 10)->threads_known);
    thread(20, 21, "worker", "2500 0 2");
    thread(20, 22, "new, here", "700 0 1");
    process(20, "app", 'S', 10, 0, 0, 3);
    proc_tree_look(tree);
    const struct proc_process *app = seen(tree, 20);
    assert_int_equal(app->threads.n, 2);
    assert_int_equal(app->threads.v[0].tid, 21);
    assert_int_equal(app->threads.v[0].cpu_ns, 500);
    assert_int_equal(app->threads.v[1].tid, 22);
    assert_int_equal(app->threads.v[1].cpu_ns, 700);
    assert_string_equal(app->threads.v[1].name, "new, here");
    proc_tree_free(tree);
}

/* A thread that is seen before it ran has its maker's name, and gives itself its own when it runs. */
TEST(a_thread_names_itself_after_it_was_first_seen)
{
    process(10, "java", 'S', 1, 0, 0, 1);
    thread(10, 10, "java", "1000 0 1");
    struct proc_tree *tree = look_at(10, PROC_THREADS_AUTO);
    for (int round = 0; round < 3; round++) {
        thread(10, 11 + round, "java", "0 0 0");
        process(10, "java", 'S', 1, 0, 0, 2 + round);
        proc_tree_look(tree);
        assert_int_equal(seen(tree, 10)->threads.n, 0);
        thread(10, 11 + round, "worker", "900 0 1");
        proc_tree_look(tree);
        assert_int_equal(seen(tree, 10)->threads.n, 1);
        assert_string_equal(seen(tree, 10)->threads.v[0].name, "worker");
    }
    proc_tree_free(tree);
}

TEST(a_thread_id_that_is_used_again_is_another_thread)
{
    process(10, "java", 'S', 1, 0, 0, 2);
    thread(10, 10, "java", "1000 0 1");
    thread(10, 11, "old", "9000 0 1");
    struct proc_tree *tree = look_at(10, PROC_THREADS_AUTO);
    assert_true(seen(tree, 10)->is_jvm); /* by its name, where its executable cannot be told */
    thread(10, 11, "young", "300 0 1");
    proc_tree_look(tree);
    assert_int_equal(seen(tree, 10)->threads.n, 1);
    assert_int_equal(seen(tree, 10)->threads.v[0].cpu_ns, 300);
    assert_string_equal(seen(tree, 10)->threads.v[0].name, "young");
    proc_tree_free(tree);
}

TEST(without_schedstat_threads_are_counted_in_ticks)
{
    process(10, "java", 'S', 1, 0, 0, 1);
    put("10/task/10/comm", "java\n");
    put("10/task/10/stat", "10 (java) S 1 1 1 0 -1 0 9 9 9 9 4 1 0 0 20 0 1 0 70 999 9 9\n");
    struct proc_tree *tree = look_at(10, PROC_THREADS_ALL);
    put("10/task/10/stat", "10 (java) S 1 1 1 0 -1 0 9 9 9 9 5 3 0 0 20 0 1 0 70 999 9 9\n");
    proc_tree_look(tree);
    assert_int_equal(seen(tree, 10)->threads.n, 1);
    assert_int_equal(seen(tree, 10)->threads.v[0].cpu_ns, 3 * TICK);
    proc_tree_free(tree);
}

TEST(ids_of_the_innermost_namespace_are_told_where_they_differ)
{
    process(10, "java", 'S', 1, 0, 0, 1);
    put("10/status", "Name:\tjava\nNSpid:\t10\t4\t1\nNSpgid:\t10\t4\t1\n");
    put("10/task/10/status", "NSpid:\t10\t4\t1\n");
    put("10/task/11/status", "Name:\tx\nNSpid:\t11\t5\t2\n");
    thread(10, 10, "java", "0 0 1");
    struct proc_tree *tree = look_at(10, PROC_THREADS_AUTO);
    assert_int_equal(seen(tree, 10)->ns_pid, 1);
    thread(10, 11, "x", "50 0 1");
    process(10, "java", 'S', 1, 0, 0, 2);
    proc_tree_look(tree);
    assert_int_equal(seen(tree, 10)->threads.v[0].ns_tid, 2);
    proc_tree_free(tree);
    put("10/status", "Name:\tjava\nNSpid:\t10\n");
    tree = look_at(10, PROC_THREADS_NONE);
    assert_int_equal(seen(tree, 10)->ns_pid, 0);
    proc_tree_free(tree);
}

TEST(another_proc_has_ids_of_its_own_and_says_who_runs)
{
    char link[128], target[32];
    assert_true(proc_ids_are_ours("/proc"));
    assert_true(proc_runs("/proc", getpid()));
    assert_false(proc_ids_are_ours(root)); /* no "self" */
    snprintf(link, sizeof link, "%s/self", root);
    snprintf(target, sizeof target, "%d", getpid() + 1);
    assert_int_equal(symlink(target, link), 0);
    assert_false(proc_ids_are_ours(root));
    process(10, "java", 'S', 1, 0, 0, 1);
    process(11, "java", 'Z', 1, 0, 0, 1);
    assert_true(proc_runs(root, 10));
    assert_false(proc_runs(root, 11));
    assert_false(proc_runs(root, getpid()));
    assert_false(proc_runs("/tmp/no/such/proc", 10));
}

TEST(a_shell_that_becomes_java_charges_its_main_thread_from_then)
{
    process(10, "sh", 'S', 1, 8, 0, 1);
    thread(10, 10, "sh", "80000000 0 1");
    struct proc_tree *tree = look_at(10, PROC_THREADS_AUTO);
    process(10, "java", 'S', 1, 20, 0, 2);
    thread(10, 10, "java", "90000000 0 1");
    thread(10, 11, "main", "110000000 0 1");
    proc_tree_look(tree);
    const struct proc_process *p = seen(tree, 10);
    assert_int_equal(p->threads.n, 2);
    assert_int_equal(p->threads.v[0].cpu_ns, 10000000);
    assert_int_equal(p->threads.v[1].cpu_ns, 110000000);
    proc_tree_free(tree);
}

TEST(rubbish_in_the_files_is_no_process)
{
    put("10/stat", "10 (x) S 1\n");
    struct proc_tree *tree = look_at(10, PROC_THREADS_ALL);
    assert_null(find(tree, 10));
    proc_tree_free(tree);
    put("10/stat", "%s", "");
    tree = look_at(10, PROC_THREADS_ALL);
    assert_null(find(tree, 10));
    proc_tree_free(tree);
    tree = proc_tree_new("/nonexistent", 10, PROC_THREADS_ALL);
    proc_tree_look(tree);
    assert_null(find(tree, 10));
    proc_tree_free(tree);
}

static int64_t own_cpu_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Burns, tells how much it used, and ends. */
static pid_t start_burner(int64_t ns, int report)
{
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    while (own_cpu_ns() < ns)
        continue;
    int64_t all = own_cpu_ns();
    if (write(report, &all, sizeof all) < 0)
        _exit(1);
    _exit(0);
}

TEST(a_real_child_is_measured_to_its_very_end)
{
    int ends[2];
    int64_t told = 0;
    siginfo_t info;
    assert_int_equal(pipe(ends), 0);
    pid_t child = start_burner(120000000, ends[1]);
    struct proc_tree *tree = proc_tree_new("/proc", child, PROC_THREADS_ALL);
    proc_tree_look(tree);
    assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
    assert_int_equal(read(ends[0], &told, sizeof told), sizeof told);
    proc_tree_look(tree);
    assert_true(seen(tree, child)->ended);
    assert_false(seen(tree, child)->incomplete);
    /* Forking and the first look took some of it; ending took a little more. */
    assert_in_range(used(tree, child), told - 20000000, told + 20000000);
    waitpid(child, NULL, 0);
    proc_tree_free(tree);
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(busy_time_is_that_of_the_first_line_without_idle_iowait_and_steal),
        CASE(names_may_hold_brackets_blanks_and_line_ends),
        CASE(the_first_look_is_a_baseline),
        CASE(descendants_are_watched_and_others_are_not),
        CASE(the_rest_of_a_reaped_child_comes_from_its_parent),
        CASE(a_child_and_its_parent_that_end_together_are_told_by_the_next_above),
        CASE(children_that_nobody_saw_are_counted_apart),
        CASE(a_child_that_was_only_noted_has_its_record),
        CASE(children_that_were_noted_and_ended_share_by_what_was_seen_of_them),
        CASE(a_parent_that_does_not_wait_leaves_its_child_incomplete),
        CASE(a_zombie_has_one_last_record),
        CASE(an_id_that_is_used_again_is_another_process),
        CASE(threads_are_those_of_jvms),
        CASE(a_thread_names_itself_after_it_was_first_seen),
        CASE(a_thread_id_that_is_used_again_is_another_thread),
        CASE(without_schedstat_threads_are_counted_in_ticks),
        CASE(ids_of_the_innermost_namespace_are_told_where_they_differ),
        CASE(another_proc_has_ids_of_its_own_and_says_who_runs),
        CASE(a_shell_that_becomes_java_charges_its_main_thread_from_then),
        CASE(rubbish_in_the_files_is_no_process),
        CASE(a_real_child_is_measured_to_its_very_end),
    };
    struct CMUnitTest with[sizeof tests / sizeof tests[0]];
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        with[i] = tests[i];
        with[i].setup_func = begin;
        with[i].teardown_func = end;
    }
    return cmocka_run_group_tests(with, NULL, NULL);
}
