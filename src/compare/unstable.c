/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Removes from names what changes from run to run, so that they can be compared:
 *
 *   a.C$$Lambda/0x0000a1b2.run, a.C$$Lambda$14/0x0000a1b2.run   a.C$$Lambda.run
 *   java.lang.invoke.LambdaForm$MH/0x0000a1b2.invoke             java.lang.invoke.LambdaForm$MH.invoke
 *   jdk.internal.reflect.GeneratedMethodAccessor12.invoke        jdk.internal.reflect.GeneratedMethodAccessor.invoke
 *   jdk.proxy2.$Proxy7.get                                       jdk.proxy.$Proxy.get
 *   a.C$$EnhancerBySpringCGLIB$$1a2b3c.get                       a.C$$EnhancerBySpringCGLIB.get
 *   a.C$$anon$3.apply, a.C.$anonfun$main$2, a.C$main$1.invoke    a.C$$anon$.apply, a.C.$anonfun$main$, a.C$main$.invoke
 *
 * A Java class whose name is only a number (a.C$1) keeps it: javac's numbers stay the same until the source changes. */
#include "joular/compare.h"

#include <ctype.h>

struct scan {
    const char *in;
    size_t length, at;
    char *out;
    size_t used;
};

static int peek(const struct scan *s, size_t ahead)
{
    return s->at + ahead < s->length ? (unsigned char)s->in[s->at + ahead] : -1;
}

static bool ends_word(int c)
{
    return c < 0 || c == '.' || c == '$' || c == '/' || c == ':' || c == '+' || c == ';';
}

static size_t digits(const struct scan *s, size_t ahead)
{
    size_t count = 0;
    while (peek(s, ahead + count) >= '0' && peek(s, ahead + count) <= '9')
        count++;
    return count;
}

static size_t hex(const struct scan *s, size_t ahead)
{
    size_t count = 0;
    while (peek(s, ahead + count) > 0 && isxdigit(peek(s, ahead + count)))
        count++;
    return count;
}

/* Length of the address of a hidden class: "/0x0000a1b2", "/0x0000a1b2/123", "/123", "+0x.."; 0 for none. */
static size_t address(const struct scan *s)
{
    size_t length = 0;
    while (peek(s, length) == '/' || peek(s, length) == '+') {
        bool is_hex = peek(s, length + 1) == '0' && peek(s, length + 2) == 'x';
        size_t count = is_hex ? hex(s, length + 3) : digits(s, length + 1);
        size_t end = length + 1 + (is_hex ? 2 : 0) + count;
        if (count == 0 || !ends_word(peek(s, end)))
            break;
        length = end;
    }
    return length;
}

static bool ends_with(const struct scan *s, const char *text)
{
    size_t length = strlen(text);
    return s->used >= length && memcmp(s->out + s->used - length, text, length) == 0;
}

/* Where the last word of the output begins, after the last '.' or '$'. */
static size_t last_word(const struct scan *s)
{
    size_t from = s->used;
    while (from > 0 && s->out[from - 1] != '.' && s->out[from - 1] != '$')
        from--;
    return from;
}

/* Whether digits that come next are a number that the JVM made up: after Generated...Accessor, $Proxy (in jdk.proxyN or
 * com.sun.proxy) or jdk.proxy. */
static bool numbered_word(const struct scan *s)
{
    size_t from = last_word(s), length = s->used - from;
    const char *word = s->out + from;
    if (length > 17 && memcmp(word, "Generated", 9) == 0 && ends_with(s, "Accessor"))
        return true;
    return ends_with(s, "$Proxy") || (ends_with(s, "jdk.proxy") && s->used == strlen("jdk.proxy"));
}

/* Length of what to remove after a '$'; 0 for nothing: the number of an anonymous class or function of Scala, Kotlin or
 * javac (`$main$2`, `$$anon$3`, `$main$1$2`), the number of a lambda's class, or the suffix that a library gives the
 * classes that it generates. */
static size_t after_dollar(const struct scan *s)
{
    static const char *const makers[] = {"CGLIB$$", "$ByteBuddy$", "$HibernateProxy$", "$MockitoMock$"};
    size_t count = digits(s, 0);
    if (count != 0 && ends_word(peek(s, count))) {
        size_t before = s->used - 1, from = before;
        while (from > 0 && s->out[from - 1] != '.' && s->out[from - 1] != '$')
            from--;
        bool of_function =
            from > 0 && s->out[from - 1] == '$' && (from == before || islower((unsigned char)s->out[from]));
        bool emptied = from == before && from > 1; /* `$main$` and `$2`: a number was removed in between */
        if (of_function && (from != before || emptied))
            return count;
        if (ends_with(s, "$$Lambda$"))
            return count;
    }
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++) {
        size_t length = 0;
        if (!ends_with(s, makers[i]))
            continue;
        while (peek(s, length) > 0 && isalnum(peek(s, length)))
            length++;
        if (length != 0 && ends_word(peek(s, length)))
            return length;
    }
    return 0;
}

size_t name_make_equal(char *name, size_t length)
{
    struct scan s = {mem_strndup(name, length), length, 0, name, 0};
    while (s.at < s.length) {
        int c = peek(&s, 0);
        size_t skip = 0;
        if (c == '/' || c == '+')
            skip = address(&s);
        else if (c >= '0' && c <= '9' && s.used > 0 && ends_word(peek(&s, digits(&s, 0))) && numbered_word(&s))
            skip = digits(&s, 0);
        else if (s.used > 0 && name[s.used - 1] == '$')
            skip = after_dollar(&s);
        s.at += skip;
        if (skip != 0 && ends_with(&s, "$$Lambda$"))
            s.used--;
        else if (skip != 0 && ends_with(&s, "CGLIB$$"))
            s.used -= 2;
        if (skip == 0) {
            name[s.used++] = (char)c;
            s.at++;
        }
    }
    free((char *)s.in);
    return s.used;
}
