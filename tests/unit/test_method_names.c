/* SPDX-License-Identifier: GPL-3.0-or-later */
/* joular-attribution(7), section 1: names of methods. */
#include "unit.h"

#include "../../src/collect/methodname.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slashes_become_dots),
        cmocka_unit_test(a_hidden_class_reads_as_in_a_thread_dump),
        cmocka_unit_test(what_only_looks_like_a_hidden_class_is_a_class),
        cmocka_unit_test(what_is_not_in_its_pool_is_unknown),
    };
    return cmocka_run_group_tests_name("names of methods", tests, NULL, NULL);
}
