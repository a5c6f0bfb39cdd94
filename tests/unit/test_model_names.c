/* SPDX-License-Identifier: GPL-3.0-or-later */
/* joular-attribution(7), section 5: which threads are the JVM's own. */
#include "model_case.h"

static int row_of(const char *name)
{
    return native_row_of(name, strlen(name));
}

static void the_beginning_of_a_threads_name_tells_its_native_row(void **state)
{
    static const char *const names[NATIVE_ROWS][20] = {
        [NATIVE_GC] = {"GC Thread#", "GC task thread", "G1 ", "ParGC", "ZDriver", "ZWorker", "ZDirector", "ZStat",
                       "ZUncommitter", "ZUnmapper", "XDriver", "XWorker", "XDirector", "XStat", "XUncommitter",
                       "XUnmapper", "Shenandoah"},
        [NATIVE_JIT] = {"C1 Compiler", "C2 Compiler", "JVMCI", "Sweeper thread"},
        [NATIVE_JFR] = {"JFR "},
        [NATIVE_VM] = {"VM Thread", "VM Periodic", "VM Op", "Service Thread", "Monitor Defl", "Signal Disp",
                       "Notification", "Attach Listener", "Reference Handl", "Finalizer", "Common-Cleaner",
                       "DestroyJavaVM"},
    };
    (void)state;
    for (int row = 0; row < NATIVE_ROWS; row++)
        for (size_t i = 0; names[row][i] != NULL; i++) {
            char longer[40];
            snprintf(longer, sizeof longer, "%s0", names[row][i]);
            assert_int_equal(row_of(names[row][i]), row);
            assert_int_equal(row_of(longer), row);
            assert_int_equal(row_of(longer + 1), -1);
            assert_int_equal(native_row_of(longer, strlen(names[row][i]) - 1), -1);
            assert_true(strlen(names[row][i]) <= 15); /* a name the kernel cut still has all of it */
        }
    assert_string_equal(native_row_names[NATIVE_GC], "[GC]");
    assert_string_equal(native_row_names[NATIVE_JIT], "[JIT]");
    assert_string_equal(native_row_names[NATIVE_JFR], "[JFR]");
    assert_string_equal(native_row_names[NATIVE_VM], "[VM]");
}

static void names_cut_by_the_kernel_are_known(void **state)
{
    (void)state;
    assert_int_equal(row_of("C2 CompilerThre"), NATIVE_JIT);
    assert_int_equal(row_of("G1 Main Marker"), NATIVE_GC);
    assert_int_equal(row_of("Reference Handl"), NATIVE_VM);
    assert_int_equal(row_of("VM Periodic Tas"), NATIVE_VM);
    assert_int_equal(row_of("JFR Recorder Th"), NATIVE_JFR);
    assert_int_equal(row_of("Monitor Deflati"), NATIVE_VM);
}

static void other_names_are_no_natives(void **state)
{
    (void)state;
    assert_int_equal(row_of(""), -1);
    assert_int_equal(row_of("java"), -1);
    assert_int_equal(row_of("G1"), -1);
    assert_int_equal(row_of("gc thread#0"), -1);
    assert_int_equal(row_of("JFRexporter"), -1);
    assert_int_equal(row_of("My GC Thread#0"), -1);
    assert_int_equal(row_of("pool-1-thread-1"), -1);
}

static void the_same_frames_are_the_same_branch(void **state)
{
    struct model_case *c = *state;
    uint32_t ab = case_branch(c, "a;b");
    assert_int_equal(case_branch(c, "a;b"), ab);
    assert_int_not_equal(case_branch(c, "b;a"), ab);
    assert_int_not_equal(case_branch(c, "a"), ab);
    assert_int_not_equal(case_branch(c, "a;b;b"), ab);
    assert_int_equal(observed_branch(&c->observed, NULL, 0), NO_BRANCH);
}

static void a_native_row_is_no_java_branch_of_that_name(void **state)
{
    struct model_case *c = *state;
    case_process(c, 400);
    case_record(c, 50, 100, "GC Thread#0");
    case_record(c, 51, 300, "worker");
    case_cycle(c, 0, 1000, 10, 1000);
    case_cpu_sample(c, case_thread(c, 1, 51, "worker"), "[GC]", 500, 10);
    case_run(c);
    assert_near(c->result.java_j, 3);
    assert_near(c->result.native_j[NATIVE_GC], 1);
    assert_int_equal(case_row_count(c, 0), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_beginning_of_a_threads_name_tells_its_native_row),
        cmocka_unit_test(names_cut_by_the_kernel_are_known),
        cmocka_unit_test(other_names_are_no_natives),
        CASE(the_same_frames_are_the_same_branch),
        CASE(a_native_row_is_no_java_branch_of_that_name),
    };
    return cmocka_run_group_tests_name("model: names", tests, NULL, NULL);
}
