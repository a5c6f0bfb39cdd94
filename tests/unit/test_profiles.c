/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles for other tools: whole numbers that add up, and how a stack of several threads is divided. What the files
 * say is tested by tests/cli/test-profiles.sh. */
#include "../../src/report/profile.h"
#include "../../src/report/wholeparts.h"
#include "joular/file.h"
#include "made_result.h"

#ifdef HAVE_PPROF
#include "src/report/pprof.pb-c.h"
#endif

/* ---- Rounding ---- */

TEST(what_rounding_takes_goes_to_the_largest_remainders)
{
    const double parts[] = {1.4, 2.9, 0.7, 3};
    int64_t whole[4];
    whole_parts(parts, 4, 8, whole);
    assert_int_equal(whole[0], 1);
    assert_int_equal(whole[1], 3);
    assert_int_equal(whole[2], 1);
    assert_int_equal(whole[3], 3);
}

TEST(of_equal_remainders_the_first_gets_it)
{
    const double parts[] = {0.5, 0.5, 0.5, 0.5};
    int64_t whole[4];
    whole_parts(parts, 4, 2, whole);
    assert_int_equal(whole[0] + whole[1], 2);
    assert_int_equal(whole[2] + whole[3], 0);
}

TEST(a_total_that_is_not_the_sum_is_come_near_to)
{
    const double parts[] = {1.5, 2.5, NAN, -1, 1e300};
    int64_t whole[5];
    whole_parts(parts, 4, 100, whole);
    assert_int_equal(whole[0], 2);
    assert_int_equal(whole[1], 3);
    assert_int_equal(whole[2], 0); /* what is nothing stays nothing */
    assert_int_equal(whole[3], 0);
    whole_parts(parts, 4, 0, whole);
    assert_int_equal(whole[0] + whole[1] + whole[2] + whole[3], 3);
    whole_parts(parts, 5, 1e300, whole);
    assert_true((double)whole[4] >= WHOLE_MOST);
}

TEST(pieces_of_a_number_add_up_to_it)
{
    struct whole_run run = {0};
    int64_t sum = 0;
    double total = 0;
    for (int i = 0; i < 1000; i++)
        total += 0.1;
    for (int i = 0; i < 1000; i++) {
        int64_t piece = whole_piece(&run, 0.1, total, 123);
        assert_in_range(piece, 0, 1);
        sum += piece;
    }
    assert_int_equal(sum, 123);
}

/* ---- Nodes and threads ---- */

static struct profile profile_of(const struct result *r)
{
    static const struct name_filter all = {0};
    struct report_input input = {r, r, &all, &application_filter, WEIGHT_ENERGY};
    struct profile p;
    profile_make(&input, &p);
    return p;
}

/* Of the frame NAME at the end of a stack; of thread T, or of all where it is PROFILE_NO_THREAD. */
static int64_t piece_of(const struct profile *p, const char *name, uint32_t thread, enum report_weight value)
{
    struct profile_pieces pieces;
    int64_t sum = 0;
    profile_cut_by_thread(p, &pieces);
    for (size_t i = 0; i < pieces.n; i++) {
        const struct flame_label *label = &p->tree.labels.v[p->tree.nodes.v[pieces.v[i].node].label];
        if (pieces.v[i].node != FLAME_ROOT && strcmp(flame_label_text(p->r, label).text, name) == 0 &&
            (thread == PROFILE_NO_THREAD || pieces.v[i].thread == thread))
            sum += pieces.v[i].whole[value];
    }
    free(pieces.v);
    return sum;
}

TEST(all_energy_of_the_process_is_in_nodes)
{
    struct result r = {0};
    int64_t sum = 0;
    made_full(&r);
    struct profile p = profile_of(&r);
    for (size_t i = 0; i < p.tree.nodes.n; i++)
        sum += p.whole[WEIGHT_ENERGY][i];
    assert_int_equal(sum, 10000000); /* 10.000000001 J */
    assert_int_equal(p.whole[WEIGHT_ENERGY][p.tree.unattributed], 7700000);
    assert_int_equal(p.whole[WEIGHT_ENERGY][p.tree.outside], 1000000);
    profile_free(&p);
    result_free(&r);
}

/* Two branches, each of both threads with the same weights; one thread has three times the energy of the other. */
static void two_threads(struct result *r)
{
    made_cycle(r, 50);
    made_row(r, "x", 16);
    made_row(r, "y", 24);
    made_row(r, "[GC]", 4);
    uint32_t one = made_thread(r, "one", 30), two = made_thread(r, "two", 10);
    made_weight(r, one, "x", 10, 5);
    made_weight(r, one, "y", 10, 6);
    made_weight(r, two, "x", 10, 7);
    made_weight(r, two, "y", 10, 8);
    made_finish(r);
}

TEST(branches_and_threads_keep_their_energy)
{
    struct result r = {0};
    two_threads(&r);
    struct profile p = profile_of(&r);
    assert_int_equal(piece_of(&p, "x", 0, WEIGHT_ENERGY), 12000000);
    assert_int_equal(piece_of(&p, "x", 1, WEIGHT_ENERGY), 4000000);
    assert_int_equal(piece_of(&p, "y", 0, WEIGHT_ENERGY), 18000000);
    assert_int_equal(piece_of(&p, "y", 1, WEIGHT_ENERGY), 6000000);
    assert_int_equal(piece_of(&p, "x", PROFILE_NO_THREAD, WEIGHT_SAMPLES), 12);
    assert_int_equal(piece_of(&p, "[GC]", PROFILE_NO_THREAD, WEIGHT_ENERGY), 4000000);
    assert_int_equal(piece_of(&p, "[GC]", 0, WEIGHT_ENERGY), 0);
    profile_free(&p);
    result_free(&r);
}

TEST(unequal_weights_are_made_to_fit)
{
    struct result r = {0};
    made_cycle(&r, 30);
    made_row(&r, "x", 10);
    made_row(&r, "y", 20);
    uint32_t one = made_thread(&r, "one", 16), two = made_thread(&r, "two", 14);
    made_weight(&r, one, "x", 30, 3);
    made_weight(&r, one, "y", 10, 1);
    made_weight(&r, two, "x", 10, 1);
    made_weight(&r, two, "y", 10, 1);
    made_finish(&r);
    struct profile p = profile_of(&r);
    int64_t ones = piece_of(&p, "x", 0, WEIGHT_ENERGY) + piece_of(&p, "y", 0, WEIGHT_ENERGY);
    assert_in_range(ones, 15999999, 16000001);
    /* the table a, 16 - a; 10 - a, 4 + a has the cross ratio of the weights: a (4 + a) = 3 (16 - a) (10 - a) */
    assert_in_range(piece_of(&p, "x", 0, WEIGHT_ENERGY), 7074277, 7074279); /* 7.0742784 */
    profile_free(&p);
    result_free(&r);
}

TEST(of_a_view_that_leaves_out_the_rest_is_divided)
{
    struct result r = {0}, view;
    struct error err = {0};
    struct view_options options = {.exclude = "y"};
    two_threads(&r);
    assert_int_equal(result_view(&r, &options, &view, &err), STATUS_OK);
    struct profile p = profile_of(&view);
    assert_int_equal(p.whole[WEIGHT_ENERGY][p.tree.left_out], 24000000);
    assert_int_equal(piece_of(&p, "x", 0, WEIGHT_ENERGY), 12000000); /* 3 : 1, as joules per weight */
    assert_int_equal(piece_of(&p, "x", 1, WEIGHT_ENERGY), 4000000);
    profile_free(&p);
    result_free(&view);
    result_free(&r);
}

/* ---- pprof ---- */

#ifdef HAVE_PPROF
static Pprof__Profile *unpacked(const struct result *r)
{
    static const struct name_filter all = {0};
    struct report_input input = {r, r, &all, &application_filter, WEIGHT_CPU};
    struct file_bytes file = {0};
    struct error err = {0};
    char *bytes = NULL;
    FILE *out = open_memstream(&bytes, &file.length);
    report_pprof.write(&input, true, out);
    fclose(out);
    file.bytes = (const uint8_t *)bytes;
    assert_int_equal(file_unpack(&file, &err), STATUS_OK);
    assert_false(file.truncated);
    Pprof__Profile *profile = pprof__profile__unpack(NULL, file.length, file.bytes);
    assert_non_null(profile);
    file_release(&file);
    return profile;
}

TEST(a_name_with_nul_is_whole_in_pprof)
{
    struct result r = {0};
    made_cycle(&r, 1);
    uint32_t name = intern_bytes(&r.names, "a\0b", 3);
    uint32_t branch = branch_set_add(&r.branches, &name, 1, -1);
    vec_push(&r.uses, ((struct result_use){5, 1}));
    vec_push(&r.rows, ((struct result_row){branch, 0.5}));
    r.cycles.v[0].rows = 1;
    r.cycles.v[0].unattributed_j = 0.5;
    r.cycles.v[0].java_j = 0.5;
    made_finish(&r);
    Pprof__Profile *profile = unpacked(&r);
    bool seen = false;
    for (size_t i = 0; i < profile->n_string_table; i++)
        seen |= profile->string_table[i].len == 3 && memcmp(profile->string_table[i].data, "a\0b", 3) == 0;
    assert_true(seen);
    assert_int_equal(profile->string_table[0].len, 0);
    ProtobufCBinaryData shown = profile->string_table[profile->default_sample_type];
    assert_int_equal(shown.len, 3);
    assert_memory_equal(shown.data, "cpu", 3);
    pprof__profile__free_unpacked(profile, NULL);
    result_free(&r);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(what_rounding_takes_goes_to_the_largest_remainders),
        CASE(of_equal_remainders_the_first_gets_it),
        CASE(a_total_that_is_not_the_sum_is_come_near_to),
        CASE(pieces_of_a_number_add_up_to_it),
        CASE(all_energy_of_the_process_is_in_nodes),
        CASE(branches_and_threads_keep_their_energy),
        CASE(unequal_weights_are_made_to_fit),
        CASE(of_a_view_that_leaves_out_the_rest_is_divided),
#ifdef HAVE_PPROF
        CASE(a_name_with_nul_is_whole_in_pprof),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
