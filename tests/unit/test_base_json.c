/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON out: commas and lines, numbers, and the escapes of any bytes, plain and inside a script element. */
#include "unit.h"

#include "joular/jsonout.h"
#include "joular/text.h"

#include <stdio.h>

TEST(values_have_commas_keys_and_lines)
{
    struct jsonout out = {0};
    size_t three = 3, none = 0;
    json_open(&out, NULL, '{');
    json_string(&out, "a", "b");
    json_string(&out, "none", NULL);
    json_open(json_line(&out), "list", '[');
    json_integer(json_line(&out), NULL, -5);
    json_open(json_line(&out), NULL, '{');
    json_close(&out, '}');
    JSON_LIST(&out, NULL, three, json_whole(&out, NULL, i));
    JSON_LIST(json_line(&out), NULL, none, json_whole(&out, NULL, i));
    json_close(&out, ']');
    json_bool(&out, "t", true);
    json_bool(&out, "f", false);
    json_raw(&out, "raw", "[1,{}]");
    json_raw(&out, NULL, "\"x\":1,\"y\":2");
    json_close(json_line(&out), '}');
    assert_string_equal(out.v, "{\"a\":\"b\",\"none\":null,\n\"list\":[\n-5,\n{},[0,1,2],\n[]],\"t\":true,\"f\":false,"
                               "\"raw\":[1,{}],\"x\":1,\"y\":2\n}");
    json_end(&out);
    assert_null(out.v);
}

TEST(numbers_have_their_digits)
{
    struct jsonout out = {0};
    json_open(&out, NULL, '[');
    json_integer(&out, NULL, INT64_MIN);
    json_integer(&out, NULL, INT64_MAX);
    json_whole(&out, NULL, UINT64_MAX);
    json_number(&out, NULL, 1.0 / 3);
    json_number(&out, NULL, 1e300);
    json_exact(&out, NULL, 0.1 + 0.2);
    json_exact(&out, NULL, 4.9e-324);
    json_fixed(&out, NULL, 2.0 / 3, 3);
    json_fixed(&out, NULL, -1.5, 6);
    json_close(&out, ']');
    assert_string_equal(out.v, "[-9223372036854775808,9223372036854775807,18446744073709551615,0.333333333,1e+300,"
                               "0.30000000000000004,4.9406564584124654e-324,0.667,-1.500000]");
    json_end(&out);
}

TEST(what_is_not_finite_is_null_and_minus_0_is_0)
{
    static const double values[] = {NAN, INFINITY, -INFINITY, -0.0};
    struct jsonout out = {0};
    json_open(&out, NULL, '[');
    for (size_t i = 0; i < 4; i++) {
        json_number(&out, "n", values[i]);
        json_exact(&out, "e", values[i]);
        json_fixed(&out, "f", values[i], 1);
    }
    json_close(&out, ']');
    assert_string_equal(out.v, "[\"n\":null,\"e\":null,\"f\":null,\"n\":null,\"e\":null,\"f\":null,"
                               "\"n\":null,\"e\":null,\"f\":null,\"n\":0,\"e\":0,\"f\":0.0]");
    json_end(&out);
}

/* TEXT as an item of a list, without what is around it. */
static const char *written(const char *text, size_t length, bool in_script)
{
    static char buffer[64];
    struct jsonout out = {.in_script = in_script};
    json_open(&out, NULL, '[');
    json_text(&out, NULL, text, length);
    json_close(&out, ']');
    assert_in_range(out.n, 4, sizeof buffer);
    assert_int_equal(strlen(out.v), out.n);
    assert_memory_equal(out.v, "[\"", 2);
    assert_string_equal(out.v + out.n - 2, "\"]");
    memcpy(buffer, out.v + 2, out.n - 4);
    buffer[out.n - 4] = '\0';
    json_end(&out);
    return buffer;
}

/* RFC 8259: what must be escaped is, by a letter where it has one, and nothing else. */
TEST(each_ascii_byte_is_escaped_where_it_must_be)
{
    static const char *const letters[] = {['\b'] = "\\b", ['\t'] = "\\t", ['\n'] = "\\n", ['\f'] = "\\f",
                                          ['\r'] = "\\r", ['"'] = "\\\"", ['\\'] = "\\\\"};
    for (unsigned c = 0; c < 0x80; c++) {
        char text[] = {'a', (char)c, 'b'}, expected[16];
        if (c < sizeof letters / sizeof letters[0] && letters[c] != NULL)
            snprintf(expected, sizeof expected, "a%sb", letters[c]);
        else
            snprintf(expected, sizeof expected, c < 0x20 ? "a\\u%04xb" : "a%cb", c);
        assert_string_equal(written(text, 3, false), expected);
    }
}

TEST(in_a_script_nothing_that_ends_it_stands_as_it_is)
{
    for (unsigned c = 0; c < 0x80; c++) {
        char text[] = {'a', (char)c, 'b'}, expected[16];
        bool plain = c >= 0x20 && c != 0x7f && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&';
        snprintf(expected, sizeof expected, plain ? "a%cb" : "a\\u%04xb", c);
        assert_string_equal(written(text, 3, true), expected);
    }
    assert_string_equal(written("</script><!--", 13, true), "\\u003c/script\\u003e\\u003c!--");
}

/* In a script: controls (C1), ALM, all of "General Punctuation", BOM, and the end of the plane. */
TEST(each_code_point_beyond_ascii_is_kept_or_escaped)
{
    static const struct {
        uint32_t first, last;
    } hidden[] = {{0x80, 0x9f}, {0x61c, 0x61c}, {0x2000, 0x206f}, {0xfeff, 0xfeff}, {0xfff0, 0xffff}};
    for (uint32_t code = 0x80; code <= 0x10ffff; code += (uint32_t)(code < 0x10000 ? 1 : every_nth(61))) {
        char text[8], escape[8];
        if (code >= 0xd800 && code <= 0xdfff)
            continue;
        unsigned length = utf8_put(text, code);
        text[length] = '\0';
        assert_string_equal(written(text, length, false), text);
        bool is_hidden = false;
        for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
            is_hidden |= code >= hidden[i].first && code <= hidden[i].last;
        snprintf(escape, sizeof escape, "\\u%04x", code & 0xffff);
        assert_string_equal(written(text, length, true), is_hidden ? escape : text);
    }
}

/* Each byte on its own, so that no quote behind it is swallowed. */
TEST(bytes_that_are_no_utf8_are_replaced_one_by_one)
{
    static const struct {
        const char *text;
        size_t bad; /* bytes, before the quote */
    } cases[] = {{"\x80\"", 1},         {"\xbf\xbf\"", 2},     {"\xc3\"", 1},         {"\xc0\x80\"", 2},
                 {"\xc1\xbf\"", 2},     {"\xe2\x82\"", 2},     {"\xe0\x9f\xbf\"", 3}, {"\xed\xa0\x80\"", 3},
                 {"\xed\xbf\xbf\"", 3}, {"\xf0\x9f\x94\"", 3}, {"\xf5\"", 1},         {"\xf0\x8f\xbf\xbf\"", 4},
                 {"\xfe\xff\"", 2},     {"\xf8\x88\"", 2},     {"\xe2\"", 1},         {"\xf4\x90\x80\x80\"", 4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char plain[64] = "", script[64] = "";
        for (size_t k = 0; k < cases[i].bad; k++) {
            strcat(plain, "\xef\xbf\xbd");
            strcat(script, "\\ufffd");
        }
        assert_string_equal(written(cases[i].text, cases[i].bad, false), plain); /* at the end */
        assert_string_equal(written(cases[i].text, cases[i].bad, true), script);
        strcat(plain, "\\\"");
        strcat(script, "\\u0022");
        assert_string_equal(written(cases[i].text, cases[i].bad + 1, false), plain);
        assert_string_equal(written(cases[i].text, cases[i].bad + 1, true), script);
    }
}

static void put_much(struct jsonout *out, const char *text, size_t length)
{
    json_open(out, NULL, '[');
    for (int i = 0; i < 3000; i++) {
        json_open(json_line(out), NULL, '{');
        json_integer(out, "number", i);
        json_exact(out, "part", i / 7.0);
        json_text(out, "text", text, i % 1000 == 0 ? length : (size_t)i % 50);
        json_close(out, '}');
    }
    json_close(json_line(out), ']');
    json_line(out);
}

/* Pieces of a stream end anywhere, in strings longer than one of them, too. */
TEST(a_stream_gets_what_memory_has)
{
    size_t length = 100000, written_length;
    char *text = malloc(length), *stream_text;
    assert_non_null(text);
    for (size_t i = 0; i < length; i++)
        text[i] = "ab\"c<\n"[i % 6];
    FILE *stream = open_memstream(&stream_text, &written_length);
    assert_non_null(stream);
    struct jsonout memory = {0}, out = {.stream = stream};
    fputs("before", stream);
    put_much(&out, text, length);
    json_end(&out);
    fputs("behind", stream);
    fclose(stream);
    put_much(&memory, text, length);
    assert_int_equal(written_length, memory.n + strlen("before\nbehind"));
    assert_memory_equal(stream_text, "before", 6);
    assert_memory_equal(stream_text + 6, memory.v, memory.n);
    assert_string_equal(stream_text + 6 + memory.n, "\nbehind");
    json_end(&memory);
    free(stream_text);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(values_have_commas_keys_and_lines),
        CASE(numbers_have_their_digits),
        CASE(what_is_not_finite_is_null_and_minus_0_is_0),
        CASE(each_ascii_byte_is_escaped_where_it_must_be),
        CASE(in_a_script_nothing_that_ends_it_stands_as_it_is),
        CASE(each_code_point_beyond_ascii_is_kept_or_escaped),
        CASE(bytes_that_are_no_utf8_are_replaced_one_by_one),
        CASE(a_stream_gets_what_memory_has),
    };
    return cmocka_run_group_tests_name("base: JSON", tests, NULL, NULL);
}
