/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that change from run to run, made equal; all others stay as they are. */
#include "compare_case.h"

static const char *const pairs[][2] = {
    /* hidden classes of lambdas: JDK 21 and 25, 17, 11 */
    {"a.Loop$$Lambda/0x000000000b045c40.run", "a.Loop$$Lambda.run"},
    {"a.Loop$$Lambda$89/0x00007fb02c008a08.run", "a.Loop$$Lambda.run"},
    {"a.Loop$$Lambda$14/0x0000000800c03000.run:17", "a.Loop$$Lambda.run:17"},
    {"a.Loop$$Lambda$14/1019384604.run", "a.Loop$$Lambda.run"},
    {"a.Loop$$Lambda$89/0x00007fb02c008a08/1019384604.run", "a.Loop$$Lambda.run"},
    {"a.Loop$$Lambda$14.run", "a.Loop$$Lambda.run"},
    {"a.Loop$$Lambda+0x00007fb02c008a08.run", "a.Loop$$Lambda.run"},
    {"java.lang.invoke.LambdaForm$MH/0x00007fb02c0.invoke", "java.lang.invoke.LambdaForm$MH.invoke"},
    {"java.lang.invoke.LambdaForm$DMH/0x800.invokeStatic", "java.lang.invoke.LambdaForm$DMH.invokeStatic"},
    {"a.Hidden/0xabc.go", "a.Hidden.go"},
    /* accessors and proxies */
    {"jdk.internal.reflect.GeneratedMethodAccessor12.invoke", "jdk.internal.reflect.GeneratedMethodAccessor.invoke"},
    {"sun.reflect.GeneratedConstructorAccessor3.newInstance", "sun.reflect.GeneratedConstructorAccessor.newInstance"},
    {"jdk.internal.reflect.GeneratedSerializationConstructorAccessor9.newInstance",
     "jdk.internal.reflect.GeneratedSerializationConstructorAccessor.newInstance"},
    {"jdk.proxy2.$Proxy7.get", "jdk.proxy.$Proxy.get"},
    {"com.sun.proxy.$Proxy123.get", "com.sun.proxy.$Proxy.get"},
    {"$Proxy0.get", "$Proxy.get"},
    /* libraries that make classes */
    {"a.Service$$EnhancerBySpringCGLIB$$1a2b3c4d.get", "a.Service$$EnhancerBySpringCGLIB.get"},
    {"a.Service$$FastClassBySpringCGLIB$$abc.invoke", "a.Service$$FastClassBySpringCGLIB.invoke"},
    {"a.Service$$SpringCGLIB$$0.get", "a.Service$$SpringCGLIB.get"},
    {"a.Service$$EnhancerByCGLIB$$9f.CGLIB$get$0", "a.Service$$EnhancerByCGLIB.CGLIB$get$"},
    {"a.User$HibernateProxy$AbC12x.getName", "a.User$HibernateProxy$.getName"},
    {"a.User$ByteBuddy$Zz9.getName", "a.User$ByteBuddy$.getName"},
    {"a.User$MockitoMock$1234567.getName", "a.User$MockitoMock$.getName"},
    /* anonymous classes and functions of Scala, Kotlin and javac */
    {"a.Main$$anon$3.apply", "a.Main$$anon$.apply"},
    {"a.Main$.$anonfun$main$2", "a.Main$.$anonfun$main$"},
    {"a.Main$.$anonfun$main$2$adapted", "a.Main$.$anonfun$main$$adapted"},
    {"a.Main$$anonfun$1.apply", "a.Main$$anonfun$.apply"},
    {"a.MainKt$main$1.invoke", "a.MainKt$main$.invoke"},
    {"a.MainKt$main$1$2.invokeSuspend", "a.MainKt$main$$.invokeSuspend"},
    {"a.MainKt.main$lambda$0", "a.MainKt.main$lambda$"},
    {"a.Shop.lambda$open$3", "a.Shop.lambda$open$"},
    /* what stays */
    {"a.Shop$1.run", NULL},
    {"a.Shop$Inner$1.run", NULL},
    {"a.Shop$Inner.run", NULL},
    {"a.Shop.access$000", NULL},
    {"a.Vector3.add2", NULL},
    {"a.Sha256$Round64.go", NULL},
    {"a.Proxy7.get", NULL},
    {"a.MyMethodAccessor12.invoke", NULL},
    {"a.GeneraterMethodAccessor12.invoke", NULL},
    {"a.jdk.proxy2.get", NULL},
    {"a.Generated1.x", NULL},
    {"a.User$HibernateProxy$.x", NULL},
    {"java.lang.Thread.run", NULL},
    {"[GC]", NULL},
    {"[unknown]", NULL},
    {"(no package)", NULL},
    {"a.b/c", NULL},
    {"a.b/0x", NULL},
    {"/", NULL},
    {"$", NULL},
    {"$$", NULL},
    {"", NULL},
    {"\xc3\xa9.\xe2\x82\xac$\xc3\xa9.x", NULL},
};

TEST(names_are_made_equal_or_stay)
{
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const char *wanted = pairs[i][1] != NULL ? pairs[i][1] : pairs[i][0];
        size_t length = strlen(pairs[i][0]);
        char *name = malloc(length + 1); /* to the byte, for the address sanitizer */
        memcpy(name, pairs[i][0], length);
        length = name_make_equal(name, length);
        if (length != strlen(wanted) || memcmp(name, wanted, length) != 0)
            fail_msg("%s became %.*s, not %s", pairs[i][0], (int)length, name, wanted);
        assert_int_equal(name_make_equal(name, length), length); /* once is enough */
        free(name);
    }
}

TEST(any_bytes_are_taken)
{
    static const char letters[] = "$$$.0x1/+a:LambdaProxyCGLIB";
    struct chance chance = {6};
    for (int i = 0; i < 20000; i++) {
        size_t length = (size_t)(chance_uniform(&chance) * 24), made;
        char *name = malloc(length + 1);
        for (size_t k = 0; k < length; k++)
            name[k] = letters[(size_t)(chance_uniform(&chance) * (sizeof letters - 1))];
        made = name_make_equal(name, length);
        assert_true(made <= length);
        free(name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(names_are_made_equal_or_stay),
        CASE(any_bytes_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
