/* SPDX-License-Identifier: GPL-3.0-or-later */
/* java.util.Properties, case by case; tests/oracle/test-properties.sh holds the reader against Java's own. */
#include "unit.h"

#include "joular/properties.h"

static struct properties read_all(const char *text)
{
    struct properties properties;
    struct error err = {0};
    if (properties_read((const uint8_t *)text, strlen(text), &properties, &err) != STATUS_OK)
        fail_msg("line %lld: %s", (long long)err.line, err.text);
    return properties;
}

static void assert_value(const char *text, const char *key, const char *value)
{
    struct properties properties = read_all(text);
    const struct property *property = properties_find(&properties, key);
    if (property == NULL)
        fail_msg("\"%s\" has no key \"%s\"", text, key);
    else
        assert_string_equal(property->value, value);
    properties_free(&properties);
}

static void assert_count(const char *text, size_t count)
{
    struct properties properties = read_all(text);
    assert_int_equal(properties.n, count);
    properties_free(&properties);
}

TEST(key_and_value_are_parted_by_an_equal_sign_a_colon_or_blanks)
{
    assert_value("a=b", "a", "b");
    assert_value("a:b", "a", "b");
    assert_value("a b", "a", "b");
    assert_value("a\tb", "a", "b");
    assert_value("a \t\f= \t\fb", "a", "b");
    assert_value("a = = b", "a", "= b");
    assert_value("a::b", "a", ":b");
    assert_value("a=b=c", "a", "b=c");
}

TEST(a_key_may_have_no_value_and_a_value_no_key)
{
    assert_value("a", "a", "");
    assert_value("a=", "a", "");
    assert_value("a=\nb=c", "a", "");
    assert_value("=b", "", "b");
}

/* As Java has it, whose reader sees that the file ends behind LF or CR alone, and behind both only once the line is
 * gone. */
TEST(a_backslash_alone_in_the_last_line_is_a_property_but_not_before_cr_and_lf)
{
    assert_count("a=b\n \\", 2);
    assert_count("a=b\n \\\n", 2);
    assert_count("a=b\n \\\r", 2);
    assert_count("a=b\n \\\r\n", 1);
    assert_count("a=b\n \\\r\n \n", 1);
}

TEST(blanks_in_front_go_and_those_behind_stay)
{
    assert_value("  \ta=b  ", "a", "b  ");
}

TEST(comments_and_empty_lines_are_nothing)
{
    assert_count("# a=b\n! c=d\n\n   \n  # e=f\n", 0);
    assert_value("a=b # no comment", "a", "b # no comment");
    assert_value("# a comment does not go on \\\na=b", "a", "b");
}

TEST(a_backslash_at_the_end_goes_on_with_the_next_line_without_its_blanks)
{
    assert_value("a=b,\\\n    c", "a", "b,c");
    assert_value("a=b,\\\r\n    c", "a", "b,c");
    assert_value("a\\\nb=c", "ab", "c");
    assert_value("a=b\\\\\nc=d", "a", "b\\"); /* two are a backslash */
    assert_value("a\\\r\n", "a", "");
    assert_value("a=b\\\n#c", "a", "b#c");
    assert_value("a=b\\", "a", "b");
}

TEST(escapes)
{
    assert_value("a\\ b\\:c\\=d=e", "a b:c=d", "e");
    assert_value("a=\\t\\n\\r\\f\\\\\\q\\\"", "a", "\t\n\r\f\\q\"");
    assert_value("a=\\u0041\\u00e9\\u20AC", "a", "A\303\251\342\202\254");
    assert_value("a=\\ud83d\\ude00", "a", "\360\237\230\200");
    assert_value("a=\\ud83d", "a", "\357\277\275"); /* half of a pair */
    assert_value("path=C:\\\\temp", "path", "C:\\temp");
}

TEST(the_file_is_latin_1)
{
    assert_value("a=\351", "a", "\303\251");
}

TEST(a_unicode_escape_that_is_cut_is_refused_with_its_line)
{
    const char *const wrong[] = {"x=y\na=\\u12", "x=y\na=\\u12g4", "x=y\na\\u=b", "# c\n\\u00"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct properties properties;
        struct error err = {0};
        assert_int_equal(properties_read((const uint8_t *)wrong[i], strlen(wrong[i]), &properties, &err),
                         STATUS_INVALID);
        assert_int_equal(err.line, 2);
        properties_free(&properties);
    }
}

TEST(the_last_of_a_key_counts)
{
    assert_value("a=1\nb=2\na=3\n", "a", "3");
}

TEST(every_kind_of_line_end_ends_a_line)
{
    struct properties properties = read_all("a=1\rb=2\r\nc=3\nd=4");
    assert_int_equal(properties.n, 4);
    assert_int_equal(properties_find(&properties, "d")->line, 4);
    properties_free(&properties);
}

TEST(a_key_that_is_not_there_is_none)
{
    struct properties properties = read_all("methods-filtering-prefixes=x\n");
    assert_null(properties_find(&properties, "methods-filtering-prefix"));
    properties_free(&properties);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(key_and_value_are_parted_by_an_equal_sign_a_colon_or_blanks),
        CASE(a_key_may_have_no_value_and_a_value_no_key),
        CASE(blanks_in_front_go_and_those_behind_stay),
        CASE(comments_and_empty_lines_are_nothing),
        CASE(a_backslash_alone_in_the_last_line_is_a_property_but_not_before_cr_and_lf),
        CASE(a_backslash_at_the_end_goes_on_with_the_next_line_without_its_blanks),
        CASE(escapes),
        CASE(the_file_is_latin_1),
        CASE(a_unicode_escape_that_is_cut_is_refused_with_its_line),
        CASE(the_last_of_a_key_counts),
        CASE(every_kind_of_line_end_ends_a_line),
        CASE(a_key_that_is_not_there_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
