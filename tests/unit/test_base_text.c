/* SPDX-License-Identifier: GPL-3.0-or-later */
/* UTF-8, printable text, numbers and times in text, errors in words, options. */
#include "joular/opts.h"
#include "joular/status.h"
#include "joular/text.h"
#include "unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <getopt.h>

/* TEXT among ASCII, which is looked at eight bytes at a time. */
static bool is_valid(size_t before, const char *text, size_t behind)
{
    size_t length = before + strlen(text) + behind;
    char *bytes = mem_alloc(length + 1);
    memset(bytes, 'a', length);
    memcpy(bytes + before, text, strlen(text));
    bool valid = utf8_valid(bytes, length);
    free(bytes);
    return valid;
}

TEST(utf8_is_well_formed_by_table_3_7)
{
    static const char *const good[] = {"",
                                       "a",
                                       "\x7f",
                                       "\xc2\x80",
                                       "\xdf\xbf",
                                       "\xe0\xa0\x80",
                                       "\xed\x9f\xbf",
                                       "\xee\x80\x80",
                                       "\xef\xbf\xbf",
                                       "\xf0\x90\x80\x80",
                                       "\xf4\x8f\xbf\xbf"};
    static const char *const bad[] = {"\x80",
                                      "\xc1\xbf",
                                      "\xc2",
                                      "\xc2(",
                                      "\xe0\x9f\xbf",
                                      "\xe0\xa0",
                                      "\xed\xa0\x80",
                                      "\xed\xbf\xbf",
                                      "\xf0\x8f\xbf\xbf",
                                      "\xf0\x90\x80",
                                      "\xf4\x90\x80\x80",
                                      "\xf5\x80\x80\x80",
                                      "\xff",
                                      "\xe2\x28\xa1",
                                      "\xe2\x82\x28",
                                      "\xf0\x90\x28\xbc"};
    for (size_t before = 0; before < 20; before++) {
        for (size_t behind = 0; behind < 20; behind++) {
            for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
                assert_true(is_valid(before, good[i], behind));
            for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
                assert_false(is_valid(before, bad[i], behind));
        }
    }
    assert_true(utf8_valid("a\0b", 3));
}

TEST(every_code_point_is_put_as_it_is_read)
{
    char bytes[4];
    for (uint32_t code = 0; code <= 0x10ffff; code++) {
        unsigned n = utf8_put(bytes, code);
        assert_int_equal(utf8_length((unsigned char *)bytes, (unsigned char *)bytes + n), n);
        if (code >= 0xd800 && code <= 0xdfff)
            assert_memory_equal(bytes, "\xef\xbf\xbd", 3);
    }
    assert_int_equal(utf8_put(bytes, 0x110000), 3);
    assert_int_equal(utf8_put(bytes, 0x1f600), 4);
    assert_memory_equal(bytes, "\xf0\x9f\x98\x80", 4);
}

static void expect_printable(const char *source, size_t length, const char *expected)
{
    char buffer[128];
    assert_int_equal(text_printable(buffer, sizeof buffer, source, length), strlen(expected));
    assert_string_equal(buffer, expected);
}

TEST(harmless_text_is_printed_as_it_is)
{
    static const char text[] = "a ~ \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 \\x1b \xe2\x80\x8d \xe2\x80\xaf \xe2\x81\xa5";
    expect_printable(text, strlen(text), text);
}

TEST(control_characters_and_escapes_are_printed_as_hex)
{
    expect_printable("\x1b[31m\n\t\x7f\r\0", 10, "\\x1b[31m\\x0a\\x09\\x7f\\x0d\\x00");
}

TEST(c1_controls_bidi_controls_and_separators_are_replaced)
{
    static const char *const harmful[] = {"\xc2\x80",     "\xc2\x85",     "\xc2\x9b",     "\xc2\x9f",
                                          "\xd8\x9c",     "\xe2\x80\x8e", "\xe2\x80\x8f", "\xe2\x80\xa8",
                                          "\xe2\x80\xa9", "\xe2\x80\xaa", "\xe2\x80\xab", "\xe2\x80\xac",
                                          "\xe2\x80\xad", "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x81\xa7",
                                          "\xe2\x81\xa8", "\xe2\x81\xa9"};
    for (size_t i = 0; i < sizeof harmful / sizeof harmful[0]; i++)
        expect_printable(harmful[i], strlen(harmful[i]), "\xef\xbf\xbd");
    expect_printable("\xc2\xa0\xd8\x9b", 4, "\xc2\xa0\xd8\x9b");
}

TEST(bytes_that_are_no_utf8_are_replaced_one_by_one)
{
    expect_printable("a\xff\xfez\xc3", 5, "a\xef\xbf\xbd\xef\xbf\xbdz\xef\xbf\xbd");
}

TEST(printable_text_is_cut_on_the_boundary_of_a_character)
{
    static const char text[] = "ab\xe2\x82\xac\x1b!";
    static const char *const cut[] = {"",
                                      "",
                                      "a",
                                      "ab",
                                      "ab",
                                      "ab",
                                      "ab\xe2\x82\xac",
                                      "ab\xe2\x82\xac",
                                      "ab\xe2\x82\xac",
                                      "ab\xe2\x82\xac",
                                      "ab\xe2\x82\xac\\x1b",
                                      "ab\xe2\x82\xac\\x1b!"};
    for (size_t size = 0; size < sizeof cut / sizeof cut[0]; size++) {
        char *buffer = malloc(size + 1);
        buffer[size] = '#';
        assert_int_equal(text_printable(buffer, size, text, strlen(text)), strlen(cut[size]));
        if (size > 0)
            assert_string_equal(buffer, cut[size]);
        assert_int_equal(buffer[size], '#');
        free(buffer);
    }
}

TEST(a_whole_number_is_the_whole_text)
{
    static const struct {
        const char *text;
        int64_t value;
    } good[] = {{"0", 0},
                {"-0", 0},
                {"7", 7},
                {"-7", -7},
                {"007", 7},
                {"999999999999999999", 999999999999999999},
                {"000000000000000001", 1},
                {"1000000000000000000", 1000000000000000000},
                {"9223372036854775807", INT64_MAX},
                {"-9223372036854775808", INT64_MIN}};
    static const char *const bad[] = {"",
                                      "-",
                                      "+1",
                                      " 1",
                                      "1 ",
                                      "1.0",
                                      "1e3",
                                      "0x10",
                                      "--1",
                                      "1-",
                                      "a",
                                      "nan",
                                      "9223372036854775808",
                                      "-9223372036854775809",
                                      "1\n",
                                      "1,2",
                                      ".",
                                      "e",
                                      "00000000000000000000000000000000001"};
    int64_t value;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(text_to_i64(good[i].text, strlen(good[i].text), &value));
        assert_true(value == good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (text_to_i64(bad[i], strlen(bad[i]), &value))
            fail_msg("\"%s\" is taken for a number", bad[i]);
    assert_false(text_to_i64("1\0002", 3, &value));
    assert_true(text_to_i64("12345", 2, &value));
    assert_int_equal(value, 12);
}

TEST(a_number_is_finite_and_the_whole_text)
{
    static const struct {
        const char *text;
        double value;
    } good[] = {{"0", 0},   {"-0", 0}, {"-1.5", -1.5},           {"1e3", 1000},
                {".5", .5}, {"5.", 5}, {"14.208118", 14.208118}, {"1E-2", .01}};
    static const char *const bad[] = {"",   "-",     "+1",  " 1",    "1 ", "nan", "inf", "-inf",     "0x1p3",
                                      "1e", "1e999", "1,5", "1.2.3", ".",  "e5",  "1_0", "infinity", "1f"};
    double value;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(text_to_double(good[i].text, strlen(good[i].text), &value));
        assert_same(value, good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (text_to_double(bad[i], strlen(bad[i]), &value))
            fail_msg("\"%s\" is taken for a number", bad[i]);
    assert_false(text_to_double("1\0002", 3, &value));
}

TEST(a_time_has_a_number_and_a_unit)
{
    static const struct {
        const char *text;
        int64_t ns;
    } good[] = {{"20 ms", 20000000},     {"1s", 1000000000},
                {"10 us", 10000},        {"7ns", 7},
                {"2 m", 120000000000},   {"1 h", 3600000000000},
                {"1 d", 86400000000000}, {"106751 d", 9223286400000000000}};
    static const char *const bad[] = {"",           "20",    "ms",   "0 ms",  "-1 s",     "1 ms ", "1 Ms",    "500/s",
                                      "everyChunk", "1.5 s", " 1 s", "1\tms", "106752 d", "1 msx", "1 minute"};
    int64_t ns;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(text_to_time_ns(good[i].text, strlen(good[i].text), &ns));
        assert_int_equal(ns, good[i].ns);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (text_to_time_ns(bad[i], strlen(bad[i]), &ns))
            fail_msg("\"%s\" is taken for a time", bad[i]);
}

static const char *words_of(const struct error *err)
{
    static char words[2048];
    return error_words(err, words, sizeof words);
}

TEST(an_error_says_file_chunk_byte_and_text)
{
    struct error err = {0};
    assert_int_equal(error_set(&err, STATUS_INVALID, "constant pool size %d exceeds the %d bytes left", 91, 40),
                     STATUS_INVALID);
    assert_string_equal(words_of(&err), "constant pool size 91 exceeds the 40 bytes left");
    error_at(&err, 3, 8256);
    error_in_file(&err, "run.jfr");
    assert_string_equal(words_of(&err),
                        "run.jfr: chunk 3 at byte 8256: constant pool size 91 exceeds the 40 bytes left");
}

TEST(an_error_says_byte_or_line_where_there_is_no_chunk)
{
    struct error err = {0}, lined = {0};
    error_set(&err, STATUS_TRUNCATED, "ends");
    error_at(&err, 0, 0);
    assert_string_equal(words_of(&err), "at byte 0: ends");
    error_set(&lined, STATUS_INVALID, "is wrong");
    error_on_line(&lined, 7);
    error_in_file(&lined, "power.log");
    assert_string_equal(words_of(&lined), "power.log: line 7: is wrong");
}

TEST(the_first_error_stays)
{
    struct error err = {0};
    error_in_file(&err, "before.jfr"); /* nothing is wrong yet */
    error_on_line(&err, 1);
    error_set(&err, STATUS_INVALID, "first");
    assert_int_equal(error_set(&err, STATUS_IO, "second"), STATUS_IO);
    error_on_line(&err, 5);
    error_on_line(&err, 6);
    error_in_file(&err, "a");
    error_in_file(&err, "b");
    assert_int_equal(err.status, STATUS_INVALID);
    assert_string_equal(words_of(&err), "a: line 5: first");
}

TEST(an_error_never_holds_control_characters)
{
    struct error err = {0};
    error_set(&err, STATUS_IO, "%s", "one\ntwo\x1b[0m");
    error_in_file(&err, "a\nb");
    assert_string_equal(words_of(&err), "a\\x0ab: one\\x0atwo\\x1b[0m");
}

TEST(an_error_that_is_too_long_is_cut)
{
    struct error err = {0};
    char text[3000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    error_set(&err, STATUS_IO, "%s", text);
    error_in_file(&err, text);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    assert_int_equal(strlen(err.file), sizeof err.file - 1);
    assert_int_equal(strlen(words_of(&err)), sizeof err.text + sizeof err.file);
}

static const struct opt table[] = {
    {1, 'o', "output", "DIR", "where the results go"},
    {2, 'q', "quiet", NULL, "say nothing"},
    {3, 0, "jvm-threads", "separate|unattributed|spread", "what becomes of them\nsecond line"},
    {4, 0, "strict", NULL, "no mercy"},
    {0},
};

/* Reads ARGUMENTS (NULL behind the last); what came out as "1=dir 2 |operand operand" or with the words of a refusal.
 */
static const char *options_of(int in_order, const char *const *arguments)
{
    static char seen[512];
    char *argv[12] = {NULL}, words[256] = "";
    const char *value;
    int argc = 0, id;
    seen[0] = '\0';
    for (; arguments[argc] != NULL; argc++)
        argv[argc] = strdup(arguments[argc]);
    char *given[12];
    memcpy(given, argv, sizeof given);
    struct opts *opts = opts_new(table, argc, argv, in_order);
    while ((id = opts_next(opts, &value, words, sizeof words)) > 0)
        snprintf(seen + strlen(seen), sizeof seen - strlen(seen), value != NULL ? "%d=%s " : "%d ", id, value);
    snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "|%s", words);
    for (int i = optind; i < argc && id == 0; i++)
        snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%s ", argv[i]);
    opts_free(opts);
    for (int i = 0; i < argc; i++)
        free(given[i]);
    return seen;
}

#define OPTIONS(in_order, ...) options_of(in_order, (const char *const[]){"tool", __VA_ARGS__, NULL})

TEST(options_are_read_short_and_long_and_mixed_with_operands)
{
    assert_string_equal(OPTIONS(0, "-q", "a.jfr", "-o", "dir", "b.log", "--strict"), "2 1=dir 4 |a.jfr b.log ");
    assert_string_equal(OPTIONS(0, "-qodir", "--output=other", "--jvm-threads", "spread"),
                        "2 1=dir 1=other 3=spread |");
    assert_string_equal(OPTIONS(0, "--", "-q"), "|-q ");
    assert_string_equal(OPTIONS(0, "--quie"), "2 |");
}

TEST(options_in_order_end_at_the_first_operand)
{
    assert_string_equal(OPTIONS(1, "-q", "java", "-o", "x"), "2 |java -o x ");
    assert_string_equal(OPTIONS(0, "-q", "java", "-o", "x"), "2 1=x |java ");
    assert_string_equal(OPTIONS(1, "java", "-q"), "|java -q ");
}

TEST(a_wrong_option_is_refused_in_words)
{
    assert_string_equal(OPTIONS(0, "-x"), "|-x: no such option, or one of several");
    assert_string_equal(OPTIONS(0, "-qx"), "2 |-x: no such option, or one of several");
    assert_string_equal(OPTIONS(0, "--nothing"), "|--nothing: no such option, or one of several");
    assert_string_equal(OPTIONS(0, "-o"), "|-o: the option needs a value");
    assert_string_equal(OPTIONS(0, "--output"), "|--output: the option needs a value");
    assert_string_equal(OPTIONS(0, "--strict=yes"), "|--strict=yes: the option takes no value");
    assert_string_equal(OPTIONS(0, "--\x1b[1m"), "|--\\x1b[1m: no such option, or one of several");
}

TEST(the_help_has_a_line_an_option_and_its_text_in_one_column)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    opts_help(table, out);
    fclose(out);
    assert_string_equal(text, "  -o, --output DIR                where the results go\n"
                              "  -q, --quiet                     say nothing\n"
                              "      --jvm-threads separate|unattributed|spread\n"
                              "                                  what becomes of them\n"
                              "                                  second line\n"
                              "      --strict                    no mercy\n");
    free(text);
}

TEST(a_size_has_a_unit_of_1024)
{
    static const struct {
        const char *text;
        uint64_t bytes; /* 0: none */
    } cases[] = {{"1", 1},
                 {"1K", 1024},
                 {"512M", UINT64_C(512) << 20},
                 {"4G", UINT64_C(4) << 30},
                 {"8388607T", UINT64_C(8388607) << 40},
                 {"8388608T", 0},
                 {"0", 0},
                 {"0G", 0},
                 {"-1", 0},
                 {"", 0},
                 {"M", 0},
                 {"1.5G", 0},
                 {"1g", 0},
                 {"1MB", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t bytes = 0;
        assert_int_equal(text_to_size(cases[i].text, strlen(cases[i].text), &bytes), cases[i].bytes != 0);
        assert_true(bytes == cases[i].bytes);
    }
}

/* What printf makes of it, which is exact. */
static void expect_decimals(double value)
{
    for (unsigned digits = 2; digits <= 17; digits++) {
        char expected[DECIMAL_ROOM + 1], got[DECIMAL_ROOM + 1];
        snprintf(expected, sizeof expected, "%.*g", (int)digits, value);
        got[decimal_put_general(got, value, digits)] = '\0';
        assert_string_equal(got, expected);
    }
    for (unsigned decimals = 0; decimals <= 9; decimals++) {
        char expected[DECIMAL_ROOM + 1], got[DECIMAL_ROOM + 1];
        snprintf(expected, sizeof expected, "%.*f", (int)decimals, value);
        size_t length = decimal_put(got, value, decimals);
        got[length] = '\0';
        assert_string_equal(got, expected);
        uint64_t scaled;
        if (!decimal_scaled(value, decimals, &scaled))
            continue;
        got[decimal_put_scaled(got, scaled, decimals)] = '\0';
        assert_string_equal(got, expected);
    }
}

TEST(decimals_are_those_of_printf)
{
    static const double values[] = {0,
                                    -0.0,
                                    0.5,
                                    1.5,
                                    2.5,
                                    0.125,
                                    0.375,
                                    1e-9,
                                    5e-10,
                                    1.5e-9,
                                    2.5e-9,
                                    4.9e-324,
                                    2.2e-308,
                                    1e15,
                                    4503599627370495.5,
                                    4503599627370496.0,
                                    1e22,
                                    1.7e308,
                                    -1.25,
                                    18446744073.709551,
                                    18446744073.709553,
                                    1e-30,
                                    0.1,
                                    999999999.9999999,
                                    9.9999999999999995e-5,
                                    1e-4,
                                    1.05e-4,
                                    1e-5,
                                    1e-6,
                                    0.001,
                                    0.01,
                                    9.99999999999999999,
                                    99999.5,
                                    99.5,
                                    0.99999999999999994,
                                    999999999999999.9,
                                    1e14,
                                    100,
                                    123456789};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        expect_decimals(values[i]);
    expect_decimals((double)NAN);
    expect_decimals((double)INFINITY);
    uint64_t random = 1;
    for (int i = 0; i < 20000; i++) {
        double value;
        next_random(&random);
        uint64_t bits = random >> 11 | (uint64_t)(1023 - 45 + random % 80) << 52; /* 2^-45 to 2^35 */
        if (i % 2 == 0)
            bits &= UINT64_C(0xfffffff000000000); /* ties are frequent */
        memcpy(&value, &bits, sizeof value);
        expect_decimals(value);
    }
}

TEST(whole_numbers_are_written_as_printf_does)
{
    static const int64_t values[] = {0, 7, 10, 4294967295, 4294967296, INT64_MAX, -1, -9, -10, -4294967296, INT64_MIN};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char expected[64], *text;
        size_t length;
        FILE *out = open_memstream(&text, &length);
        snprintf(expected, sizeof expected, "%" PRId64 "|%" PRIu64, values[i], (uint64_t)values[i]);
        decimal_write_signed(out, values[i]);
        putc('|', out);
        decimal_write_whole(out, (uint64_t)values[i]);
        fclose(out);
        assert_string_equal(text, expected);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(whole_numbers_are_written_as_printf_does),
        CASE(a_size_has_a_unit_of_1024),
        CASE(decimals_are_those_of_printf),
        CASE(utf8_is_well_formed_by_table_3_7),
        CASE(every_code_point_is_put_as_it_is_read),
        CASE(harmless_text_is_printed_as_it_is),
        CASE(control_characters_and_escapes_are_printed_as_hex),
        CASE(c1_controls_bidi_controls_and_separators_are_replaced),
        CASE(bytes_that_are_no_utf8_are_replaced_one_by_one),
        CASE(printable_text_is_cut_on_the_boundary_of_a_character),
        CASE(a_whole_number_is_the_whole_text),
        CASE(a_number_is_finite_and_the_whole_text),
        CASE(a_time_has_a_number_and_a_unit),
        CASE(an_error_says_file_chunk_byte_and_text),
        CASE(an_error_says_byte_or_line_where_there_is_no_chunk),
        CASE(the_first_error_stays),
        CASE(an_error_never_holds_control_characters),
        CASE(an_error_that_is_too_long_is_cut),
        CASE(options_are_read_short_and_long_and_mixed_with_operands),
        CASE(options_in_order_end_at_the_first_operand),
        CASE(a_wrong_option_is_refused_in_words),
        CASE(the_help_has_a_line_an_option_and_its_text_in_one_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
