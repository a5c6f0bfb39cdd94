/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.json: what is written is read back, and nothing else is. */
#include "made_result.h"

#include "joular/text.h"

#include <json-c/json.h>

/* Any json-c does here what version 0.18 does where char is signed: JSON_TOKENER_STRICT refuses bytes above 127. */
struct json_object *__real_json_tokener_parse_ex(struct json_tokener *tokener, const char *json, int length);
struct json_object *__wrap_json_tokener_parse_ex(struct json_tokener *tokener, const char *json, int length);
struct json_object *__wrap_json_tokener_parse_ex(struct json_tokener *tokener, const char *json, int length)
{
    for (int i = 0; i < length; i++)
        if ((unsigned char)json[i] > 127) {
            tokener->err = json_tokener_error_parse_string;
            return NULL;
        }
    return __real_json_tokener_parse_ex(tokener, json, length);
}

/* ---- There and back ---- */

TEST(a_result_is_the_same_after_writing_and_reading)
{
    struct result r = {0};
    made_full(&r);
    assert_reads_back(&r);
    result_free(&r);
}

TEST(a_figure_of_minus_0_is_the_same_after_writing_and_reading)
{
    struct result r = {0};
    made_full(&r);
    r.peak_process_w = -0.0;
    assert_reads_back(&r);
    result_free(&r);
}

/* Bytes may agree where both lose the same: so the figures themselves, too. */
TEST(figures_and_texts_are_read_as_they_were)
{
    struct result r = {0}, q;
    made_full(&r);
    r.uses.v[0].cpu_ns = 0.1 + 0.2; /* 17 digits */
    r.weights.v[0].weight_ns = 1e7 / 7;
    struct text json = made_json(&r);
    made_read(json, &q);
    assert_int_equal(q.pid, 4711);
    assert_int_equal(q.recording_end_ns, INT64_C(1764438003000000001));
    assert_string_equal(q.damage.first, "run.jfr: chunk 3 at byte 8256: \"odd\"");
    assert_int_equal(q.sampler, SAMPLER_EXECUTION);
    assert_int_equal(q.share_source, SHARE_FROM_RECORDING);
    assert_int_equal(q.cpu_source, CPU_THREAD_LOAD);
    assert_true(q.estimated && q.idle_is_shared && !q.process_power_only);
    assert_true(q.quality.debug_non_safepoints && !q.quality.has_thread_records);
    assert_int_equal(q.names.texts.n, r.names.texts.n);
    assert_int_equal(q.rows.n, r.rows.n);
    for (size_t i = 0; i < r.rows.n; i++) {
        assert_int_equal(q.rows.v[i].branch, r.rows.v[i].branch);
        assert_same(q.rows.v[i].energy_j, r.rows.v[i].energy_j);
    }
    assert_int_equal(q.cycles.n, 3);
    assert_int_equal(q.cycles.v[0].rows, 4);
    assert_true(isnan(q.cycles.v[1].power_w) && isnan(q.cycles.v[2].busy_ns));
    assert_same(q.cycles.v[0].busy_ns, 2.5e9);
    assert_same(q.process_j, r.process_j);
    assert_same(q.busy_share, r.busy_share);
    for (size_t b = 0; b < r.branches.list.n; b++) {
        assert_int_equal(q.branches.list.v[b].native, r.branches.list.v[b].native);
        assert_int_equal(q.uses.v[b].samples, r.uses.v[b].samples);
        assert_same(q.uses.v[b].cpu_ns, r.uses.v[b].cpu_ns);
    }
    assert_int_equal(q.pauses.v[1].gc_id, UINT64_MAX);
    assert_int_equal(q.pauses.v[1].type, PAUSE_CONCURRENT);
    assert_string_equal(result_name(&q, q.pauses.v[1].cause)->text, "G1 Humongous Allocation");
    assert_same(q.pauses.v[1].energy_j, r.pauses.v[1].energy_j);
    assert_same(q.weights.v[0].weight_ns, 1e7 / 7);
    assert_same(q.threads.v[0].cpu_ns, 1e9 / 3);
    assert_same(q.methods.v[1].own_half_width_j, r.methods.v[1].own_half_width_j);
    assert_int_equal(q.threads.v[0].os_id, 4712);
    assert_true(q.threads.v[1].anonymous);
    assert_int_equal(q.methods.n, r.methods.n);
    free(json.v);
    result_free(&r);
    result_free(&q);
}

TEST(an_empty_result_is_read_back)
{
    struct result r = {.busy_share = NAN, .quality.period_seen_ns = NAN};
    assert_reads_back(&r);
    result_free(&r);
}

static const char all_bytes[] =
    "a\0b\"\\/\b\f\n\r\t\x01\x1f\x7f<script>,;' \xc3\xa9\xe2\x82\xac\xf0\x9f\x94\x8b\xed\x9f\xbf";

TEST(names_keep_quotes_backslashes_controls_zeros_and_what_is_not_ascii)
{
    struct result r = {0}, q;
    made_full(&r);
    uint32_t frames[] = {made_name(&r, "x"), intern_bytes(&r.names, all_bytes, sizeof all_bytes - 1),
                         intern_bytes(&r.names, "a", 1), made_name(&r, "[GC]")};
    branch_set_add(&r.branches, frames, 4, -1);
    vec_push(&r.uses, ((struct result_use){1, 1}));
    r.pauses.v[0].cause = frames[1];
    assert_reads_back(&r);
    struct text json = made_json(&r);
    made_read(json, &q);
    assert_int_equal(result_name(&q, frames[1])->length, sizeof all_bytes - 1);
    assert_memory_equal(result_name(&q, frames[1])->text, all_bytes, sizeof all_bytes - 1);
    assert_int_equal(q.pauses.v[0].cause, frames[1]);
    free(json.v);
    result_free(&r);
    result_free(&q);
}

/* The first and the last of each length, on both sides of the surrogates, and where the pairs of those begin and end */
static const uint32_t edges[] = {0x7f,   0x80,   0x7ff,   0x800,   0xd7ff,  0xe000,
                                 0xfffd, 0xffff, 0x10000, 0x103ff, 0x10400, 0x10ffff};

TEST(characters_of_any_length_are_read_back)
{
    static const char *const names[] = {"gr\u00f6\u00dfe", "\u8a08\u7b97.\u5927", "\U0001f50b\U0001f50b", "\\\u00e4",
                                        "\\\\\u00e4\"\u00e4\\"};
    struct result r = {0}, q;
    made_full(&r);
    uint32_t first = made_name(&r, names[0]);
    for (size_t i = 1; i < sizeof names / sizeof names[0]; i++)
        made_name(&r, names[i]);
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        char name[12];
        unsigned n = utf8_put(name, edges[i]);
        n += utf8_put(name + n, edges[i]);
        intern_bytes(&r.names, name, n);
    }
    free(r.power_source);
    r.power_source = mem_strdup(names[0]);
    assert_reads_back(&r);
    struct text json = made_json(&r);
    made_read(json, &q);
    assert_int_equal(q.names.texts.n, r.names.texts.n);
    for (uint32_t i = first; i < r.names.texts.n; i++) {
        const struct intern_text *wanted = result_name(&r, i), *got = result_name(&q, i);
        assert_int_equal(got->length, wanted->length);
        assert_memory_equal(got->text, wanted->text, wanted->length);
    }
    free(json.v);
    result_free(&r);
    result_free(&q);
}

TEST(a_name_of_one_byte_is_escaped_where_it_must_be)
{
    static const char *const escapes[] = {['\b'] = "\\b", ['\t'] = "\\t", ['\n'] = "\\n", ['\f'] = "\\f",
                                          ['\r'] = "\\r", ['"'] = "\\\"", ['\\'] = "\\\\"};
    for (int c = 1; c < 0x80; c++) {
        struct result r = {0}, q;
        char expected[16], name = (char)c;
        made_full(&r);
        uint32_t frame = intern_bytes(&r.names, &name, 1);
        if (c < (int)(sizeof escapes / sizeof escapes[0]) && escapes[c] != NULL)
            snprintf(expected, sizeof expected, "\n\"%s\"", escapes[c]);
        else
            snprintf(expected, sizeof expected, c < 0x20 ? "\n\"\\u%04x\"" : "\n\"%c\"", (unsigned)c);
        struct text json = made_json(&r);
        assert_has(json.v, expected);
        made_read(json, &q);
        assert_int_equal(result_name(&q, frame)->length, 1);
        assert_int_equal(result_name(&q, frame)->text[0], c);
        free(json.v);
        result_free(&r);
        result_free(&q);
    }
}

TEST(a_name_of_64_kib_is_read_back)
{
    struct result r = {0};
    char *name = mem_alloc(65536 + 1);
    for (int i = 0; i < 65536; i++)
        name[i] = "\"\n\\a,"[i % 5];
    name[65536] = '\0';
    made_cycle(&r, 1);
    made_row(&r, name, 1);
    made_finish(&r);
    assert_reads_back(&r);
    free(name);
    result_free(&r);
}

TEST(fifty_thousand_methods_are_read_back)
{
    struct result r = {0};
    char name[64];
    made_cycle(&r, 5000);
    for (int i = 0; i < 50000; i++) {
        snprintf(name, sizeof name, "com.example.Main.run;com.example.p%d.C.m%d", i % 100, i);
        made_row(&r, name, 0.1);
        made_use(&r, name, 1e7, 1);
    }
    made_finish(&r);
    assert_int_equal(r.methods.n, 50001);
    assert_reads_back(&r);
    result_free(&r);
}

/* ---- Every key is asked for ---- */

/* Reads the full result with the first AFTER behind BEFORE replaced by NEW: the error. */
static struct error changed(const char *before, const char *old, const char *new)
{
    struct result r = {0}, q;
    struct error err = {0};
    made_full(&r);
    struct text json = made_json(&r);
    char *at = strstr(json.v, before);
    at = at != NULL ? strstr(at, old) : NULL;
    if (at == NULL)
        fail_msg("%s is not behind %s in %s", old, before, json.v);
    size_t head = (size_t)(at - json.v), tail = json.n - head - strlen(old), n = head + strlen(new) + tail;
    char *text = mem_alloc(n); /* exactly, for the sanitizer */
    memcpy(text, json.v, head);
    memcpy(text + head, new, strlen(new));
    memcpy(text + head + strlen(new), at + strlen(old), tail);
    if (result_read_json((const uint8_t *)text, n, &q, &err) == STATUS_OK)
        result_free(&q);
    free(text);
    free(json.v);
    result_free(&r);
    return err;
}

static void assert_refused(const char *before, const char *old, const char *new, enum status status, const char *words)
{
    struct error err = changed(before, old, new);
    if (err.status != status || strstr(err.text, words) == NULL)
        fail_msg("%s -> %s: %d, \"%s\" does not say \"%s\"", old, new, err.status, err.text, words);
}

/* Each "key" of the file, wherever it stands first, is missed by name. */
TEST(each_key_is_missed_by_name)
{
    struct result r = {0};
    made_full(&r);
    struct text json = made_json(&r);
    static const char *const later[] = {"\"cpu_model\"", "\"time_ns\"", "\"unfinished_chunks\""};
    int keys = 0;
    for (const char *p = strchr(json.v, '"'), *end; p != NULL; p = strchr(end + 1, '"')) {
        char word[70], key[80], other[80];
        end = p + 1;
        while (*end != '"')
            end += *end == '\\' ? 2 : 1;
        if (end[1] != ':' || p[1] == '[') /* rows in brackets may be missing */
            continue;
        snprintf(word, sizeof word, "\"%.*s\"", (int)(end - p - 1), p + 1);
        bool came_later = false; /* reports without it are read */
        for (size_t i = 0; i < sizeof later / sizeof later[0]; i++)
            came_later |= strcmp(word, later[i]) == 0;
        if (came_later) {
            char renamed[80];
            snprintf(renamed, sizeof renamed, "\"x%s", word + 1);
            assert_int_equal(changed("", word, renamed).status, STATUS_OK);
            continue;
        }
        snprintf(key, sizeof key, "%s:", word);
        snprintf(other, sizeof other, "\"x%s:", word + 1);
        assert_refused("", key, other, STATUS_INVALID, word);
        keys++;
    }
    assert_true(keys > 90);
    free(json.v);
    result_free(&r);
}

TEST(a_value_of_another_type_is_named)
{
    static const struct {
        const char *before, *old, *new, *words;
    } cases[] = {
        {"", "\"pid\":4711", "\"pid\":\"4711\"", "\"pid\" is no whole number"},
        {"", "\"pid\":4711", "\"pid\":4711.5", "\"pid\" is no whole number"},
        {"", "\"pid\":4711", "\"pid\":null", "\"pid\" is no whole number"},
        {"", "\"chunks\":3", "\"chunks\":-3", "\"chunks\" is below 0"},
        {"", "\"jvm_version\":25", "\"jvm_version\":[]", "\"jvm_version\""},
        {"", "\"estimated\":true", "\"estimated\":1", "\"estimated\" is neither true nor false"},
        {"", "\"jvm_name\":\"OpenJDK", "\"jvm_name\":5,\"x\":\"OpenJDK", "\"jvm_name\" is no text"},
        {"", "\"sampler\":\"execution\"", "\"sampler\":\"dice\"", "\"sampler\" is a word that is not known"},
        {"", "\"sampler\":\"execution\"", "\"sampler\":1", "\"sampler\" is a word that is not known"},
        {"", "\"machine_joules\":", "\"machine_joules\":null,\"x\":", "\"machine_joules\" is no number"},
        {"", "\"machine_joules\":", "\"machine_joules\":\"1\",\"x\":", "\"machine_joules\" is no number"},
        {"", "\"machine_joules\":", "\"machine_joules\":1e999,\"x\":", "\"machine_joules\" is no number"},
        {"", "\"machine_joules\":", "\"machine_joules\":NaN,\"x\":", "\"machine_joules\" is no number"},
        {"", "\"busy_share\":", "\"busy_share\":{},\"x\":", "\"busy_share\" is no number"},
        {"", "\"facts\":{", "\"facts\":[],\"x\":{", "\"facts\" is missing or of another type"},
        {"", "\"methods\":[", "\"methods\":{},\"x\":[", "\"methods\" is missing or of another type"},
        {"\"methods\":[", "{\"name\"", "7,{\"name\"", "\"name\" is missing"},
        {"\"threads\":[", "\"name\":\"worker\"", "\"name\":7", "\"name\" is no text"},
        {"\"gc_pauses\":[", "\"type\":\"YOUNG\"", "\"type\":\"OLD\"", "\"type\" is a word that is not known"},
        {"\n\"names\":[", "\"ok\"", "7", "\"names\" is no text"},
        {"\n\"names\":[", "\"ok\"", "\"suspended\"", "\"names\" has one name twice"},
        {"\"cycles\":[", "\"interval_ns\":1000000000", "\"interval_ns\":0", "\"interval_ns\" is not above 0"},
        {"\"cycles\":[", "\"rows\":[", "\"rows\":[1,", "\"rows\" is not branch, joules"},
        {"\"cycles\":[", "\"rows\":[0,", "\"rows\":[0,-1,0,", "\"rows\" has an energy"},
        {"\"cycles\":[", "\"rows\":[0,", "\"rows\":[0,null,0,", "\"rows\" has an energy"},
        {"\"cycles\":[", "\"rows\":[0,", "\"rows\":[0,Infinity,0,", "\"rows\" has an energy"},
        {"\"branch_cpu_ns\":[", "[", "[1,", "\"branch_cpu_ns\" or branch_samples is not as long"},
        {"\"branch_samples\":[", "[", "[1,", "\"branch_cpu_ns\" or branch_samples is not as long"},
        {"\"branch_cpu_ns\":[", "[", "[\"1\"],\"x\":[", "\"branch_cpu_ns\""},
        {"\"branch_cpu_ns\":[", ":[1", ":[-1", "\"branch_cpu_ns\" holds"},
        {"\"branch_cpu_ns\":[", ":[10000000,", ":[\"1\",", "\"branch_cpu_ns\" holds"},
        {"\"branch_samples\":[", ":[10,", ":[-1,", "\"branch_samples\" holds"},
        {"\"branch_samples\":[", ":[10,", ":[1.5,", "\"branch_samples\" holds"},
        {"\"weights\":[", "[0,0,", "[0,", "\"weights\" has a row that is not"},
        {"\"weights\":[", "[0,0,", "[0,0,-", "\"weights\" has a row that is not"},
        {"\"weights\":[", "[0,0,", "5,[0,0,", "\"weights\" has a row that is not"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(cases[i].before, cases[i].old, cases[i].new, STATUS_INVALID, cases[i].words);
}

TEST(numbers_of_names_branches_and_threads_are_in_range)
{
    static const struct {
        const char *before, *old, *new, *words;
    } cases[] = {
        {"\"branches\":[", "\n[", "\n[4294967295,", "\"branches\" holds a number that is none"},
        {"\"branches\":[", "\n[", "\n[-1,", "\"branches\" holds a number that is none"},
        {"\"branches\":[", "\n[", "\n[1.5,", "\"branches\" holds a number that is none"},
        {"\"branches\":[", "\n[", "\n[],[", "\"branches\" has a branch twice, or one without frames"},
        {"\"branches\":[", "\n[1,2]", "\n[1,2],[1,2]", "\"branches\" has a branch twice"},
        {"\"native_branches\":", "\"[GC]\":2", "\"[GC]\":5", "\"native_branches\" holds"},
        {"\"native_branches\":", "\"[GC]\":2", "\"[GC]\":-1", "\"native_branches\" holds"},
        {"\"native_branches\":", "\"[GC]\":2", "\"[GC]\":\"2\"", "\"native_branches\" holds"},
        {"\"native_branches\":", "\"[GC]\":2", "\"[GC]\":3", "\"native_branches\" has a branch twice"},
        {"\"weights\":[", "[0,0,", "[2,0,", "\"weights\" holds"},
        {"\"weights\":[", "[0,0,", "[0,5,", "\"weights\" holds"},
        {"\"cycles\":[", "\"rows\":[0,", "\"rows\":[5,", "\"rows\" holds"},
        {"\"cycles\":[", "\"rows\":[0,", "\"rows\":[4294967296,", "\"rows\" holds"},
        {"\"cycles\":[", "\"rows\":[0,", "\"rows\":[\"0\",", "\"rows\" holds"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(cases[i].before, cases[i].old, cases[i].new, STATUS_INVALID, cases[i].words);
}

TEST(a_key_more_does_not_matter)
{
    assert_int_equal(changed("", "\"pid\":", "\"new\":[{}],\"pid\":").status, STATUS_OK);
    assert_int_equal(changed("", "{\"schema\":", "{\"first\":null,\"schema\":").status, STATUS_OK);
}

TEST(another_version_is_refused_by_its_name)
{
    assert_refused("", "joular-report/1", "joular-report/2", STATUS_UNSUPPORTED, "joular-report/2");
    assert_refused("", "joular-report/1", "other", STATUS_UNSUPPORTED, "\"other\"");
    assert_refused("", "\"joular-report/1\"", "1", STATUS_INVALID, "\"schema\"");
}

/* ---- What is no report ---- */

static struct error read_text(const char *text, size_t length)
{
    struct result r;
    struct error err = {0};
    uint8_t *exact = mem_alloc(length);
    memcpy(exact, text, length);
    if (result_read_json(exact, length, &r, &err) == STATUS_OK)
        result_free(&r);
    free(exact);
    return err;
}

TEST(what_is_no_json_object_is_said)
{
    static const struct {
        const char *text;
        enum status status;
        const char *words;
    } cases[] = {
        {"", STATUS_TRUNCATED, "is empty"},       {"{", STATUS_TRUNCATED, "is cut"},
        {"[]", STATUS_INVALID, "no JSON object"}, {"null\n", STATUS_INVALID, "no JSON object"},
        {"{]", STATUS_INVALID, "is no JSON"},     {"{\"schema\":\"\xff\"}", STATUS_INVALID, "UTF-8"},
        {"{}", STATUS_INVALID, "\"schema\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct error err = read_text(cases[i].text, strlen(cases[i].text));
        assert_int_equal(err.status, cases[i].status);
        assert_has(err.text, cases[i].words);
    }
}

TEST(beside_characters_above_127_json_is_as_strict)
{
    static const char *const wrong[] = {
        "{\"schema\":\"\\\u00e4\"}",
        "{\"schema\":\"\\\\\\\u00e4\"}",
        "{\"schema\":\"\\u00e\u00e4\"}",
        "{\"schema\":\u00e4}",
        "{\u00e4:1}",
        "\u00e4{}",
        "{}\u00e4",
        "{\"\u00e4\":1,}",
        "{\"schema\":1\u00e4}",
        "{\"schema\":tru\u00e4}",
        "{\"schema\":'\u00e4'}",
        "{\"schema\":/*\u00e4*/1}",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct error err = read_text(wrong[i], strlen(wrong[i]));
        if (err.status != STATUS_INVALID || strncmp(err.text, "is no JSON: ", 12) != 0)
            fail_msg("%s: %d %s", wrong[i], err.status, err.text);
    }
    static const char cut[] = "{\"schema\":\"\u00e4";
    assert_int_equal(read_text(cut, sizeof cut - 1).status, STATUS_TRUNCATED);
}

TEST(a_lone_surrogate_before_a_character_is_read_as_unknown)
{
    static const char *const characters[] = {"\u00e4", "\U0001f50b"};
    for (size_t i = 0; i < 2; i++) {
        char text[64], wanted[32];
        snprintf(text, sizeof text, "{\"schema\":\"\\ud83d%s\"}", characters[i]);
        snprintf(wanted, sizeof wanted, "\"\ufffd%s\"", characters[i]);
        struct error err = read_text(text, strlen(text));
        assert_int_equal(err.status, STATUS_UNSUPPORTED);
        assert_has(err.text, wanted);
    }
}

TEST(something_behind_the_object_is_refused_but_not_blanks)
{
    struct result r = {0};
    made_full(&r);
    struct text json = made_json(&r);
    char *more = mem_alloc(json.n + 2);
    memcpy(more, json.v, json.n);
    memcpy(more + json.n, " \n", 2);
    assert_int_equal(read_text(more, json.n + 2).status, STATUS_OK);
    memcpy(more + json.n, "{}", 2);
    assert_int_equal(read_text(more, json.n + 2).status, STATUS_INVALID);
    free(more);
    free(json.v);
    result_free(&r);
}

TEST(depth_has_an_end)
{
    struct error err = {0};
    char text[2100] = "{\"schema\":";
    memset(text + 10, '[', 2000);
    err = read_text(text, strlen(text));
    assert_int_equal(err.status, STATUS_INVALID);
}

TEST(every_cut_is_called_cut)
{
    struct result r = {0};
    made_full(&r);
    struct text json = made_json(&r);
    for (size_t n = 1; n + 1 < json.n; n += every_nth(19)) { /* the last byte is a newline */
        struct error err = read_text(json.v, n);
        if (err.status != STATUS_TRUNCATED)
            fail_msg("%zu of %zu bytes: %d %s", n, json.n, err.status, err.text);
    }
    assert_int_equal(read_text(json.v, json.n - 1).status, STATUS_OK);
    free(json.v);
    result_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_result_is_the_same_after_writing_and_reading),
        CASE(a_figure_of_minus_0_is_the_same_after_writing_and_reading),
        CASE(figures_and_texts_are_read_as_they_were),
        CASE(an_empty_result_is_read_back),
        CASE(names_keep_quotes_backslashes_controls_zeros_and_what_is_not_ascii),
        CASE(characters_of_any_length_are_read_back),
        CASE(a_name_of_one_byte_is_escaped_where_it_must_be),
        CASE(a_name_of_64_kib_is_read_back),
        CASE(fifty_thousand_methods_are_read_back),
        CASE(each_key_is_missed_by_name),
        CASE(a_value_of_another_type_is_named),
        CASE(numbers_of_names_branches_and_threads_are_in_range),
        CASE(a_key_more_does_not_matter),
        CASE(another_version_is_refused_by_its_name),
        CASE(what_is_no_json_object_is_said),
        CASE(beside_characters_above_127_json_is_as_strict),
        CASE(a_lone_surrogate_before_a_character_is_read_as_unknown),
        CASE(something_behind_the_object_is_refused_but_not_blanks),
        CASE(depth_has_an_end),
        CASE(every_cut_is_called_cut),
    };
    return cmocka_run_group_tests_name("result: report.json", tests, NULL, NULL);
}
