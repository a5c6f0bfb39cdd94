/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPU-time samples in groups are what they are one by one, in the same order among other events. */
#include "jfr_seen.h"
#include "unit.h"

#define TICKS "jdk.jfr.Timestamp", "TICKS"
#define SPAN "jdk.jfr.Timespan", "TICKS"

static const struct build_type types[] = {{"jdk.CPUTimeSample",
                                           200,
                                           {{"startTime", "long", 0, 0, TICKS},
                                            {"stackTrace", "jdk.types.StackTrace", true, 0, 0, 0},
                                            {"eventThread", "java.lang.Thread", true, 0, 0, 0},
                                            {"failed", "boolean", 0, 0, 0, 0},
                                            {"samplingPeriod", "long", 0, 0, SPAN},
                                            {"biased", "boolean", 0, 0, 0, 0}}},
                                          {"test.Between", 201, {{"startTime", "long", 0, 0, TICKS}}},
                                          {0}};
static const struct jfr_event_spec specs[] = {
    {"test.Between", {"startTime"}},
    {"jdk.CPUTimeSample", {"startTime", "eventThread", "stackTrace", "samplingPeriod", "failed", "biased"}},
};

struct taken {
    VEC(struct jfr_cpu_time_sample) samples; /* an other event: its time alone */
    size_t groups, largest;
    struct jfr_damage damage;
    uint64_t events;
};

static void take_event(void *user, unsigned spec, const struct jfr_value *v, uint64_t at)
{
    struct taken *taken = user;
    struct jfr_cpu_time_sample sample = {.time_ns = v[0].i, .period_ns = -1};
    (void)at;
    if (spec == 1)
        sample = (struct jfr_cpu_time_sample){v[0].i, v[3].i, v[1].ref, v[2].ref, v[4].i != 0, v[5].i != 0};
    vec_push(&taken->samples, sample);
}

static void take_group(void *user, struct jfr_cpu_time_sample *samples, size_t count)
{
    struct taken *taken = user;
    assert_true(count > 0 && count <= JFR_GROUP);
    for (size_t i = 0; i < count; i++)
        vec_push(&taken->samples, samples[i]);
    taken->groups++;
    if (count > taken->largest)
        taken->largest = count;
}

static void see(void *user, uint64_t at, uint64_t size, uint64_t type)
{
    (void)user, (void)at, (void)size, (void)type;
}

static struct taken take(const struct build *b, bool in_groups)
{
    struct taken taken = {0};
    struct jfr_chunk_list chunks = {0};
    struct error err = {0};
    struct jfr_reader *reader = jfr_reader_new(specs, 2);
    if (in_groups)
        jfr_on_cpu_time_samples(reader, 1, take_group, &taken);
    else
        jfr_on_every_event(reader, see, NULL); /* then all are looked at with care */
    assert_int_equal(jfr_list_chunks(b->out.v, b->out.n, &chunks, &taken.damage, &err), STATUS_OK);
    assert_int_equal(jfr_read_chunk(reader, b->out.v, &chunks.v[0], take_event, &taken, &taken.damage, &err),
                     STATUS_OK);
    taken.events = jfr_event_count(reader);
    jfr_reader_free(reader);
    vec_free(&chunks);
    return taken;
}

static void begin(struct build *b, const struct build_type *mine)
{
    struct build_type *all = build_join(build_types, mine);
    build_begin(b);
    build_metadata(b, all);
    free(all);
}

static void sample(struct build *b, uint64_t ticks, uint64_t first, uint64_t second, unsigned failed, uint64_t period,
                   unsigned biased)
{
    build_event(b, 200);
    build_long(b, ticks);
    build_long(b, first);
    build_long(b, second);
    build_u8(b, failed);
    build_long(b, period);
    build_u8(b, biased);
}

/* Both ways of reading give the same; returns how many groups there were. */
static size_t compare(struct build *b, size_t events, size_t damaged)
{
    build_finish(b);
    struct taken one = take(b, false), many = take(b, true);
    assert_int_equal(one.groups, 0);
    assert_int_equal(one.samples.n, events);
    assert_int_equal(many.samples.n, events);
    for (size_t i = 0; i < events; i++) {
        const struct jfr_cpu_time_sample *x = &one.samples.v[i], *y = &many.samples.v[i];
        assert_int_equal(y->time_ns, x->time_ns);
        assert_int_equal(y->period_ns, x->period_ns);
        assert_true(y->thread == x->thread);
        assert_true(y->stack == x->stack);
        assert_int_equal(y->failed, x->failed);
        assert_int_equal(y->biased, x->biased);
    }
    assert_int_equal(one.damage.events, damaged);
    assert_int_equal(many.damage.events, damaged);
    assert_int_equal(many.damage.bytes, one.damage.bytes);
    assert_int_equal(many.damage.first.at, one.damage.first.at);
    assert_int_equal(many.events, one.events);
    vec_free(&one.samples);
    vec_free(&many.samples);
    build_free(b);
    return many.groups;
}

TEST(a_sample_has_its_six_fields)
{
    struct build b;
    begin(&b, types);
    sample(&b, 1100, 300, 7, 1, 20000, 0);
    build_end(&b);
    sample(&b, 1101, 301, 8, 0, 30000, 1);
    build_end(&b);
    for (int i = 0; i < 200; i++) { /* nobody wants them; and samples at a chunk's end are not grouped */
        build_event(&b, T_OTHER);
        build_long(&b, 1200);
        build_end(&b);
    }
    build_finish(&b);
    struct taken taken = take(&b, true);
    assert_int_equal(taken.groups, 1);
    assert_int_equal(taken.largest, 2);
    const struct jfr_cpu_time_sample *first = &taken.samples.v[0], *second = &taken.samples.v[1];
    assert_int_equal(first->time_ns, 1001000);
    assert_int_equal(first->stack, 300);
    assert_int_equal(first->thread, 7);
    assert_true(first->failed);
    assert_int_equal(first->period_ns, 20000);
    assert_false(first->biased);
    assert_int_equal(second->time_ns, 1001001);
    assert_int_equal(second->stack, 301);
    assert_int_equal(second->thread, 8);
    assert_false(second->failed);
    assert_int_equal(second->period_ns, 30000);
    assert_true(second->biased);
    vec_free(&taken.samples);
    build_free(&b);
}

static uint64_t next(uint32_t *random)
{
    *random = *random * 1664525 + 1013904223;
    return *random >> 8;
}

/* Of one byte to nine, most of them short. */
static uint64_t number(uint32_t *random, bool is_long)
{
    uint64_t high = next(random), low = next(random);
    if (is_long) /* seven to nine bytes: all together more than are looked at */
        return ((high << 40) ^ (low << 12) ^ (UINT64_C(1) << 63)) >> next(random) % 21;
    return ((high << 40) ^ (low << 12) ^ low) >> (next(random) % 4 == 0 ? next(random) % 64 : 45 + next(random) % 18);
}

TEST(groups_are_what_samples_are_one_by_one)
{
    size_t groups = 0;
    for (uint32_t round = 0; round < 400; round++) {
        struct build b;
        uint32_t random = round;
        size_t events = 0, damaged = 0;
        bool is_long = round % 5 == 4;
        begin(&b, types);
        for (uint32_t i = 0; i < 40 + round; i++) {
            if (next(&random) % 70 == 0) {
                build_event(&b, 201);
                build_long(&b, 100 + next(&random));
                build_end(&b);
                events++;
                continue;
            }
            b.padded = round % 2 == 1 && next(&random) % 16 == 0;
            bool fewer = false, odd = round % 2 == 1 && next(&random) % 8 == 0; /* what no JVM writes */
            sample(&b, round % 3 == 0 ? number(&random, is_long) : 100 + next(&random), number(&random, is_long),
                   number(&random, is_long), odd ? (unsigned)next(&random) & 0xff : next(&random) % 2,
                   number(&random, is_long), odd ? (unsigned)next(&random) & 0xff : next(&random) % 2);
            if (odd && next(&random) % 4 == 0) { /* more bytes than fields */
                build_raw(&b, "\x80\x01\x02", (size_t)(1 + next(&random) % 3));
            } else if (odd && next(&random) % 4 == 0) { /* fewer */
                b.body.n -= (size_t)(1 + next(&random) % 4);
                damaged++;
                fewer = true;
            }
            build_end(&b);
            events += !fewer;
        }
        groups += compare(&b, events, damaged);
    }
    assert_true(groups > 1000);
}

/* A size that is smaller than what it and the type take, in between. */
TEST(damage_among_samples_is_the_same_for_groups)
{
    static const struct {
        const char *bytes;
        size_t length;
    } heads[] = {{"\x83\x80\x80\x80\x00\xc9\x01", 7},
                 {"\x85\x80\x80\x00\xc9\x01", 6},
                 {"\x87\x80\x80\x80\x80\x00\xc9\x01", 8},
                 {"\x07\xc9\xc9\x01", 4},
                 {"\x01\xc9\x01", 3},
                 {"\x02\xc9\x01", 3},
                 {"\xff\xff\xff\xff\xff\xff\xc9\x01", 8},
                 {"\xff\xff\x7f\xc9\x01", 5},
                 {"\xff\xff\xff\x7f\xc7\x01", 6}};
    for (size_t k = 0; k < sizeof heads / sizeof heads[0]; k++) {
        struct build b;
        begin(&b, types);
        for (unsigned i = 0; i < 200; i++) {
            sample(&b, 100 + i, 300 + i, 7, 0, 20000, 0);
            build_end(&b);
            for (size_t at = 0; i == 100 && at < heads[k].length; at++)
                vec_push(&b.out, (uint8_t)heads[k].bytes[at]);
        }
        build_finish(&b);
        struct taken one = take(&b, false), many = take(&b, true);
        assert_true(many.groups > 1);
        assert_int_equal(many.samples.n, one.samples.n);
        assert_int_equal(many.events, one.events);
        assert_int_equal(many.damage.events, one.damage.events);
        assert_int_equal(many.damage.bytes, one.damage.bytes);
        assert_int_equal(many.damage.first.at, one.damage.first.at);
        vec_free(&one.samples);
        vec_free(&many.samples);
        build_free(&b);
    }
}

TEST(fields_in_another_order_are_not_grouped)
{
    struct build b;
    struct build_type swapped[sizeof types / sizeof types[0]]; /* the thread in front of the stack */
    memcpy(swapped, types, sizeof types);
    swapped[0].fields[1] = types[0].fields[2];
    swapped[0].fields[2] = types[0].fields[1];
    begin(&b, swapped);
    for (unsigned i = 0; i < 100; i++) {
        sample(&b, 100 + i, 7, 300 + i, 0, 20000, 0);
        build_end(&b);
    }
    assert_int_equal(compare(&b, 100, 0), 0);
}

TEST(a_chunk_that_is_still_written_is_read_one_by_one)
{
    struct build b;
    begin(&b, types);
    for (unsigned i = 0; i < 100; i++) {
        sample(&b, 100 + i, 300 + i, 7, 0, 20000, 0);
        build_end(&b);
    }
    b.state = 1;
    b.duration_ns = 0;
    assert_int_equal(compare(&b, 100, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_sample_has_its_six_fields),
        CASE(groups_are_what_samples_are_one_by_one),
        CASE(damage_among_samples_is_the_same_for_groups),
        CASE(fields_in_another_order_are_not_grouped),
        CASE(a_chunk_that_is_still_written_is_read_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
