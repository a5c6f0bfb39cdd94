/* joular-attribution(7), section 1, names, and section 5, which threads are the JVM's own. */
#include "model_case.h"

static void check_name(const char *class_name, const char *method, const char *expected)
{
    struct name_buffer buffer = {0};
    struct jfr_method m = {.has_class = true, .class_name = {class_name, strlen(class_name)}};
    if (method != NULL)
        m.name = (struct jfr_text){method, strlen(method)};
    method_name(&buffer, &m);
    assert_int_equal(buffer.n, strlen(expected));
    assert_memory_equal(buffer.v, expected, buffer.n);
    vec_free(&buffer);
}

static void slashes_become_dots(void **state)
{
    (void)state;
    check_name("java/util/HashMap", "get", "java.util.HashMap.get");
    check_name("Main", "main", "Main.main");
    check_name("shop/Cart$Item", "<init>", "shop.Cart$Item.<init>");
}

static void a_hidden_class_reads_as_in_a_thread_dump(void **state)
{
    (void)state;
    check_name("Loop$$Lambda$89+0x00007fb02c008a08/1019384604", "run", "Loop$$Lambda$89/0x00007fb02c008a08.run");
    check_name("Loop$$Lambda/0x000000000b045c40", "run", "Loop$$Lambda/0x000000000b045c40.run");
    check_name("a/b/Loop$$Lambda+0x0b", "run", "a.b.Loop$$Lambda/0x0b.run");
    check_name("a/b/Loop$$Lambda/0xb/7", "run", "a.b.Loop$$Lambda/0xb.run");
}

/* ^(.*?)[+/](0x[0-9a-f]+)(/[0-9]+)?$ and nothing near it; the first group is as short as it can be. */
static void what_only_looks_like_a_hidden_class_is_a_class(void **state)
{
    (void)state;
    check_name("a/Foo0x12", "m", "a.Foo0x12.m");
    check_name("0x12", "m", "0x12.m");
    check_name("a/0x", "m", "a.0x.m");
    check_name("a/0xg", "m", "a.0xg.m");
    check_name("a/0x/5", "m", "a.0x.5.m");
    check_name("a/0xAB", "m", "a.0xAB.m");
    check_name("a/0x12/", "m", "a.0x12..m");
    check_name("a/0x12/3b", "m", "a.0x12.3b.m");
    check_name("a/0x12/3/4", "m", "a.0x12.3.4.m");
    check_name("a/1x12", "m", "a.1x12.m");
    check_name("0x12", "m", "0x12.m");
    check_name("a+b/C", "m", "a+b.C.m");
    check_name("a/0x1/0x2", "m", "a.0x1/0x2.m");
    check_name("a+0x1+0x2/3", "m", "a+0x1/0x2.m");
    check_name("/0x12", "m", "/0x12.m");
}

static void what_is_not_in_its_pool_is_unknown(void **state)
{
    struct name_buffer buffer = {0};
    struct jfr_method no_class = {.name = {"run", 3}};
    (void)state;
    check_name("a/B", NULL, "a.B.[unknown]");
    method_name(&buffer, &no_class);
    assert_int_equal(buffer.n, strlen("[unknown].run"));
    assert_memory_equal(buffer.v, "[unknown].run", buffer.n);
    no_class.has_class = true; /* a class whose name is not in its pool */
    method_name(&buffer, &no_class);
    assert_int_equal(buffer.n, 2 * strlen("[unknown].run")); /* names are appended */
    vec_free(&buffer);
}

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
        cmocka_unit_test(slashes_become_dots),
        cmocka_unit_test(a_hidden_class_reads_as_in_a_thread_dump),
        cmocka_unit_test(what_only_looks_like_a_hidden_class_is_a_class),
        cmocka_unit_test(what_is_not_in_its_pool_is_unknown),
        cmocka_unit_test(the_beginning_of_a_threads_name_tells_its_native_row),
        cmocka_unit_test(names_cut_by_the_kernel_are_known),
        cmocka_unit_test(other_names_are_no_natives),
        CASE(the_same_frames_are_the_same_branch),
        CASE(a_native_row_is_no_java_branch_of_that_name),
    };
    return cmocka_run_group_tests_name("model: names", tests, NULL, NULL);
}
