/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shapes of powercap trees, and what is said where one cannot be used. */
#include "faketree.h"
#include "sourcetest.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define PKG0 "intel-rapl/intel-rapl:0"
#define PKG1 "intel-rapl/intel-rapl:1"
#define MMIO "intel-rapl-mmio/intel-rapl-mmio:0"
#define DEVICES "sys/devices/virtual/powercap/"
#define RANGE UINT64_C(262143328850)

/* "package-0 package-0/core- psys-": the domains in their order, "-" behind those that do not count. */
static const char *domains_of(struct fixture *f)
{
    static char text[512];
    size_t count, used = 0;
    const struct source_domain *domains = source_rapl.domains(f->state, &count);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s", i != 0 ? " " : "", domains[i].name,
                                 domains[i].counted ? "" : "-");
    return text;
}

static void assert_domains(struct fixture *f, const char *wanted)
{
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    assert_string_equal(domains_of(f), wanted);
}

static void only_packages_count(void **state)
{
    struct fixture *f = *state;
    size_t count;
    tree_zone(f->root, PKG0, "package-0", RANGE, 1);
    tree_zone(f->root, PKG0 "/intel-rapl:0:0", "core", RANGE, 1);
    tree_zone(f->root, PKG0 "/intel-rapl:0:1", "uncore", RANGE, 1);
    tree_zone(f->root, PKG0 "/intel-rapl:0:2", "dram", RANGE, 1);
    tree_zone(f->root, PKG1, "psys", RANGE, 1);
    assert_domains(f, "package-0 package-0/core- package-0/dram- package-0/uncore- psys-");
    const struct source_domain *domains = source_rapl.domains(f->state, &count);
    assert_true(domains[0].depth == 0 && domains[1].depth == 1 && domains[4].depth == 0);
    assert_words(domains[1].path, "/sys/devices/virtual/powercap/intel-rapl/intel-rapl:0/intel-rapl:0:0");
    assert_true(domains[1].range_uj == RANGE);
    assert_int_equal(f->warnings.n, 0);
}

static void sub_zones_are_named_after_their_own_package(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-1", RANGE, 1);
    tree_zone(f->root, PKG0 "/intel-rapl:0:0", "dram", RANGE, 1);
    tree_zone(f->root, PKG1, "package-0", RANGE, 1);
    tree_zone(f->root, PKG1 "/intel-rapl:1:0", "dram", RANGE, 1);
    assert_domains(f, "package-0 package-0/dram- package-1 package-1/dram-");
}

static void dies_are_packages_and_amd_has_no_sub_zones(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0-die-0", RANGE, 1);
    tree_zone(f->root, PKG1, "package-0-die-1", RANGE, 1);
    assert_domains(f, "package-0-die-0 package-0-die-1");
}

static void packages_of_one_name_are_told_apart(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", RANGE, 1);
    tree_zone(f->root, PKG1, "package-0", RANGE, 1);
    assert_domains(f, "package-0 package-0 (intel-rapl:1)");
}

static void a_twin_is_not_counted_twice(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", RANGE, 1);
    tree_zone(f->root, MMIO, "package-0", RANGE, 1);
    tree_zone(f->root, MMIO "/intel-rapl-mmio:0:0", "dram", RANGE, 1);
    assert_domains(f, "package-0");
    assert_int_equal(f->warnings.n, 0);
}

static void a_twin_that_is_alone_is_used(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, MMIO, "package-0", RANGE, 1);
    assert_domains(f, "package-0");
    tree_zone(f->root, PKG0, "package-0", RANGE, 1);
    tree_zone_file(f->root, PKG0, "max_energy_range_uj", "none\n");
    assert_domains(f, "package-0");
    assert_int_equal(texts_with(&f->warnings, "intel-rapl-mmio:0, which counts the same package, is used"), 1);
}

static void a_tree_without_links_is_read_too(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", RANGE, 1);
    tree_zone(f->root, PKG0 "/intel-rapl:0:0", "core", RANGE, 1);
    f->options.powercap = tree_path(f->root, DEVICES);
    assert_domains(f, "package-0 package-0/core-");
    f->options.powercap = tree_path(f->root, DEVICES "intel-rapl");
    assert_domains(f, "package-0 package-0/core-");
}

static void flat_folders_are_told_by_their_numbers(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, "flat/intel-rapl:0", "package-0", RANGE, 1);
    tree_zone(f->root, "flat/intel-rapl:0:0", "core", RANGE, 1);
    f->options.powercap = tree_path(f->root, DEVICES "flat");
    assert_domains(f, "package-0 package-0/core-");
}

static void further_links_add_nothing(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", RANGE, 1);
    assert_int_equal(symlink("intel-rapl:0", tree_path(f->root, "sys/class/powercap/intel-rapl:7")), 0);
    assert_int_equal(symlink("../powercap", tree_path(f->root, "sys/class/powercap/intel-rapl-loop")), 0);
    assert_int_equal(symlink("rapl-self", tree_path(f->root, "sys/class/powercap/rapl-self")), 0);
    assert_domains(f, "package-0");
}

static void dangling_links_and_side_files_do_not_matter(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", RANGE, 1);
    assert_int_equal(mkdir(tree_path(f->root, DEVICES PKG0 "/constraint_0_max_power_uw"), 0755), 0);
    assert_int_equal(symlink("../../nowhere", tree_path(f->root, "sys/class/powercap/intel-rapl:3")), 0);
    assert_int_equal(mkdir(tree_path(f->root, DEVICES "intel-rapl/intel-rapl:4"), 0755), 0); /* being made */
    assert_domains(f, "package-0");
}

static void an_unreadable_sub_zone_is_told_once_and_left_out(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", RANGE, 1);
    tree_zone(f->root, PKG0 "/intel-rapl:0:0", "core", RANGE, 1);
    unlink(tree_path(f->root, DEVICES PKG0 "/intel-rapl:0:0/energy_uj"));
    assert_int_equal(mkdir(tree_path(f->root, DEVICES PKG0 "/intel-rapl:0:0/energy_uj"), 0755), 0);
    assert_domains(f, "package-0");
    assert_int_equal(texts_with(&f->warnings, "package-0/core is left out"), 1);
    assert_int_equal(fixture_read_after(f, 1), SOURCE_OK);
    assert_int_equal(f->warnings.n, 1);
}

static void what_a_package_needs_is_required(void **state)
{
    static const struct {
        const char *file, *text, *words;
    } bad[] = {{"energy_uj", "-1\n", "holds no counter"},
               {"energy_uj", "", "holds no counter"},
               {"energy_uj", "12 W\n", "holds no counter"},
               {"energy_uj", "99999999999999999999\n", "holds no counter"},
               {"energy_uj", "262143328851\n", "range ends at 262143328850"},
               {"energy_uj", NULL, "intel-rapl:1/energy_uj cannot be read: No such file"},
               {"max_energy_range_uj", "0\n", "holds no range"},
               {"max_energy_range_uj", "-7\n", "holds no range"},
               {"max_energy_range_uj", "many\n", "holds no range"},
               {"max_energy_range_uj", NULL, "max_energy_range_uj cannot be read"},
               {"name", "", "name is empty"}};
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", RANGE, 1);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tree_zone(f->root, PKG1, "package-1", RANGE, RANGE);
        assert_domains(f, "package-0 package-1");
        if (bad[i].text != NULL)
            tree_zone_file(f->root, PKG1, bad[i].file, bad[i].text);
        else
            unlink(tree_path(f->root, i == 5 ? DEVICES PKG1 "/energy_uj" : DEVICES PKG1 "/max_energy_range_uj"));
        assert_int_equal(fixture_open(f, &source_rapl), STATUS_INVALID);
        assert_null(f->state);
        assert_words(f->err.text, bad[i].words);
    }
}

static void a_counter_that_is_no_file_is_refused_without_waiting(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", RANGE, 1);
    unlink(tree_path(f->root, DEVICES PKG0 "/energy_uj"));
    assert_int_equal(mkfifo(tree_path(f->root, DEVICES PKG0 "/energy_uj"), 0644), 0);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_INVALID);
    assert_words(f->err.text, "it is no regular file");
}

static void without_permission_the_ways_out_are_said(void **state)
{
    struct fixture *f = *state;
    if (geteuid() != 0)
        skip();
    tree_zone(f->root, PKG0, "package-0", RANGE, 1);
    assert_int_equal(chmod(tree_path(f->root, DEVICES PKG0 "/energy_uj"), 0400), 0);
    assert_int_equal(seteuid(65534), 0);
    enum status status = fixture_open(f, &source_rapl);
    const struct power_source *chosen = source_by_name("auto", &f->options);
    struct notices texts = {0};
    bool works = source_rapl.examine(&f->options, &texts);
    assert_int_equal(seteuid(0), 0);
    assert_int_equal(status, STATUS_IO);
    assert_ptr_equal(chosen, &source_rapl);
    assert_words(f->err.text, "intel-rapl:0/energy_uj cannot be read: Permission denied");
    assert_words(f->err.text, "root");
    assert_words(f->err.text, "udev rule");
    assert_words(f->err.text, "`powerjoular -r`");
    assert_words(f->err.text, "--source ringbuffer");
    assert_false(works);
    assert_int_equal(texts_with(&texts, "udev rule"), 1);
    notices_free(&texts);
    /* a package behind a folder that may not be entered */
    assert_int_equal(chmod(tree_path(f->root, DEVICES "intel-rapl"), 0700), 0);
    assert_int_equal(seteuid(65534), 0);
    status = fixture_open(f, &source_rapl);
    chosen = source_by_name("auto", &f->options);
    assert_int_equal(seteuid(0), 0);
    assert_int_equal(status, STATUS_IO);
    assert_ptr_equal(chosen, &source_rapl);
    assert_words(f->err.text, "Permission denied");
}

static void where_there_is_no_powercap_the_kind_of_machine_is_said(void **state)
{
    struct fixture *f = *state;
    f->options.powercap = tree_path(f->root, "none");
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_MISSING);
    assert_words(f->err.text, "there is no powercap");
    assert_words(f->err.text, "ringbuffer (PowerJoular), vm (the host's file) or estimate");
    assert_null(strstr(f->err.text, "looks like"));
    f->options.powercap = f->powercap; /* there, and empty */
    assert_int_equal(mkdir(f->proc, 0755), 0);
    tree_write(f->root, "proc/cpuinfo", "flags : fpu vme hypervisor lahf_lm\n");
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_MISSING);
    assert_words(f->err.text, "no CPU package");
    assert_words(f->err.text, "looks like a virtual machine");
    assert_int_equal(mkdir(tree_path(f->root, "proc/1"), 0755), 0);
    tree_write(f->root, "proc/1/cgroup", "0::/system.slice/docker-0123.scope\n");
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_MISSING);
    assert_words(f->err.text, "looks like a container");
    assert_int_equal(mkdir(tree_path(f->root, "proc/sys"), 0755), 0);
    assert_int_equal(mkdir(tree_path(f->root, "proc/sys/kernel"), 0755), 0);
    tree_write(f->root, "proc/sys/kernel/osrelease", "5.15.90.1-microsoft-standard-WSL2\n");
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_MISSING);
    assert_words(f->err.text, "looks like WSL2");
    /* a container that hides the tree leaves links that lead nowhere */
    assert_int_equal(symlink("../../hidden/intel-rapl:0", tree_path(f->root, "sys/class/powercap/intel-rapl:0")), 0);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_MISSING);
    assert_words(f->err.text, "intel-rapl:0 leads nowhere");
}

static void psys_alone_is_no_package(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "psys", RANGE, 1);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_MISSING);
    assert_words(f->err.text, "no CPU package");
}

static void auto_takes_rapl_where_its_first_zone_is(void **state)
{
    struct fixture *f = *state;
    assert_ptr_equal(source_by_name("auto", &f->options), &source_ringbuffer);
    tree_zone(f->root, PKG1, "package-0", RANGE, 1);
    assert_ptr_equal(source_by_name("auto", &f->options), &source_ringbuffer);
    tree_zone(f->root, PKG0, "package-0", RANGE, 1);
    assert_ptr_equal(source_by_name("auto", &f->options), &source_rapl);
    assert_ptr_equal(source_by_name("vm", &f->options), &source_vm);
    assert_ptr_equal(source_by_name("estimate", &f->options), &source_estimate);
    assert_null(source_by_name("solar", &f->options));
}

static void examining_says_what_counts(void **state)
{
    struct fixture *f = *state;
    struct notices texts = {0};
    assert_false(source_rapl.examine(&f->options, &texts));
    assert_int_equal(texts_with(&texts, "does not work"), 1);
    notices_free(&texts);
    tree_zone(f->root, PKG0, "package-0", RANGE, 1);
    tree_zone(f->root, PKG0 "/intel-rapl:0:0", "core", RANGE, 1);
    tree_zone(f->root, PKG1, "package-1", RANGE, 1);
    tree_zone(f->root, MMIO, "package-0", RANGE, 1);
    assert_true(source_rapl.examine(&f->options, &texts));
    assert_int_equal(texts_with(&texts, "readable, counts"), 2);
    assert_int_equal(texts_with(&texts, "a part of its package, not added"), 1);
    assert_int_equal(texts_with(&texts, "the same as intel-rapl:0, not counted twice"), 1);
    assert_int_equal(texts_with(&texts, "2 CPU packages, added up; PowerJoular reads the first package only"), 1);
    notices_free(&texts);
}

static void examining_has_a_line_for_each_zone(void **state)
{
    struct fixture *f = *state;
    struct notices texts = {0};
    tree_zone(f->root, PKG0, "package-0", UINT64_C(65500000000), 1);
    tree_zone(f->root, PKG0 "/intel-rapl:0:0", "core", RANGE, 1);
    tree_zone(f->root, PKG0 "/intel-rapl:0:1", "dram", RANGE, 1);
    tree_zone_file(f->root, PKG0 "/intel-rapl:0:1", "energy_uj", "?\n");
    tree_zone(f->root, PKG1, "psys", RANGE, 1);
    tree_zone(f->root, MMIO, "package-0", RANGE, 1);
    assert_int_equal(symlink("../../nowhere", tree_path(f->root, "sys/class/powercap/intel-rapl:9")), 0);
    assert_int_equal(symlink("../../nowhere", tree_path(f->root, "sys/class/powercap/intel-rapl:8")), 0);
    assert_true(source_rapl.examine(&f->options, &texts));
    assert_int_equal(texts.n, 8);
    assert_int_equal(texts_with(&texts, "intel-rapl:9: leads nowhere"), 1);
    assert_int_equal(texts_with(&texts, "intel-rapl:8: leads nowhere"), 1);
    assert_string_equal(texts.v[0], "intel-rapl:0 (package-0): readable, counts, range 65500 J");
    assert_string_equal(texts.v[1],
                        "intel-rapl:0:0 (package-0/core): readable, a part of its package, not added, range 262143 J");
    assert_words(texts.v[2], "intel-rapl:0:1 (package-0/dram): not usable: ");
    assert_words(texts.v[2], "energy_uj holds no counter: \"?\"");
    assert_string_equal(texts.v[3], "intel-rapl:1 (psys): readable, for information, not added, range 262143 J");
    assert_string_equal(texts.v[4], "intel-rapl-mmio:0 (package-0): the same as intel-rapl:0, not counted twice");
    assert_string_equal(texts.v[7], "works: 1 CPU package");
    notices_free(&texts);
}

static void what_is_left_out_is_said_in_the_words_of_its_place(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", RANGE, 1);
    tree_zone(f->root, PKG0 "/intel-rapl:0:0", "core", RANGE, 1);
    tree_zone_file(f->root, PKG0 "/intel-rapl:0:0", "energy_uj", "?\n");
    tree_zone(f->root, PKG1, "psys", RANGE, 1);
    tree_zone_file(f->root, PKG1, "energy_uj", "?\n");
    assert_domains(f, "package-0");
    assert_int_equal(f->warnings.n, 2);
    assert_int_equal(texts_with(&f->warnings, "package-0/core is left out (it is a part of its package, which counts)"),
                     1);
    assert_int_equal(texts_with(&f->warnings, "\": psys is left out"), 1);
    assert_int_equal(texts_with(&f->warnings, "psys is left out ("), 0);
}

static void a_twin_that_cannot_be_read_is_not_spoken_of(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", RANGE, 1);
    tree_zone(f->root, MMIO, "package-0", RANGE, 1);
    tree_zone(f->root, MMIO "/intel-rapl-mmio:0:0", "dram", RANGE, 1);
    tree_zone_file(f->root, MMIO, "energy_uj", "?\n");
    tree_zone_file(f->root, MMIO "/intel-rapl-mmio:0:0", "energy_uj", "?\n");
    assert_domains(f, "package-0");
    assert_int_equal(f->warnings.n, 0);
}

static void a_package_whose_two_zones_cannot_be_read_is_missed(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", RANGE, 1);
    tree_zone(f->root, MMIO, "package-0", RANGE, 1);
    tree_zone_file(f->root, PKG0, "energy_uj", "?\n");
    tree_zone_file(f->root, MMIO, "energy_uj", "!\n");
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_INVALID);
    assert_words(f->err.text, "holds no counter: \"?\"; without it the power of the CPUs is not known");
}

static void a_zone_without_a_name_may_be_a_package(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", RANGE, 1);
    tree_zone(f->root, PKG1, "package-1", RANGE, 1);
    tree_zone_file(f->root, PKG1, "name", "\n");
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_INVALID);
    assert_words(f->err.text, "intel-rapl:1/name is empty");
    tree_remove_zone(f->root, PKG1);
    tree_zone(f->root, PKG0 "/intel-rapl:0:0", "core", RANGE, 1);
    tree_zone_file(f->root, PKG0 "/intel-rapl:0:0", "name", "\n");
    assert_domains(f, "package-0"); /* a part of one is none */
    assert_int_equal(texts_with(&f->warnings, "package-0/intel-rapl:0:0 is left out"), 1);
}

static void names_are_one_line_of_printable_characters(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", RANGE, 1);
    tree_zone_file(f->root, PKG0, "name", "package-0\r\nmore\n");
    tree_zone_file(f->root, PKG0, "max_energy_range_uj", "65000000000");
    tree_zone_file(f->root, PKG0, "energy_uj", "65000000000\nmore\n"); /* the end of the range is in it */
    assert_domains(f, "package-0");
    tree_zone_file(f->root, PKG0, "energy_uj", "65000000001\n");
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_INVALID);
    assert_words(f->err.text, "holds 65000000001, and the counter's range ends at 65000000000");
}

static void sub_zones_of_equal_names_are_told_apart_by_their_package(void **state)
{
    struct fixture *f = *state;
    size_t count;
    tree_zone(f->root, "flat/intel-rapl:0", "package-0", RANGE, 1);
    tree_zone(f->root, "flat/intel-rapl:0:0", "core", RANGE, 1);
    tree_zone(f->root, "flat/intel-rapl:1", "package-1", RANGE, 1);
    tree_zone(f->root, "flat/intel-rapl:1:0", "core", RANGE, 1);
    tree_zone(f->root, "flat/intel-rapl:10", "package-10", RANGE, 1);
    tree_zone(f->root, "flat/intel-rapl:10:0", "core", RANGE, 1);
    tree_zone(f->root, "flat/intel-rapl:7:0", "of none that is there", RANGE, 1);
    f->options.powercap = tree_path(f->root, DEVICES "flat");
    assert_domains(f, "package-0 package-0/core- package-1 package-1/core- package-10 package-10/core- of none that is "
                      "there-");
    const struct source_domain *domains = source_rapl.domains(f->state, &count);
    assert_int_equal(domains[1].depth, 1);
    assert_int_equal(domains[6].depth, 1);
}

static void zones_within_zones_within_zones_are_found(void **state)
{
    struct fixture *f = *state;
    size_t count;
    tree_zone(f->root, PKG0, "package-0", RANGE, 1);
    tree_zone(f->root, PKG0 "/intel-rapl:0:0", "core", RANGE, 1);
    tree_zone(f->root, PKG0 "/intel-rapl:0:0/intel-rapl:0:0:0", "one", RANGE, 1);
    assert_domains(f, "package-0 package-0/core- package-0/core/one-");
    const struct source_domain *domains = source_rapl.domains(f->state, &count);
    assert_int_equal(domains[2].depth, 2);
}

static void only_folders_of_rapl_are_zones(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", RANGE, 1);
    tree_zone(f->root, "dtpm/dtpm:0", "package-7", RANGE, 1);
    tree_write(f->root, "sys/class/powercap/rapl:file", "package-8\n");
    assert_domains(f, "package-0");
    assert_int_equal(f->warnings.n, 0);
}

static void a_zone_whose_name_cannot_be_read_may_be_a_package(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", RANGE, 1);
    tree_zone(f->root, PKG1, "package-1", RANGE, 1);
    unlink(tree_path(f->root, DEVICES PKG1 "/name"));
    assert_int_equal(mkdir(tree_path(f->root, DEVICES PKG1 "/name"), 0755), 0);
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_INVALID);
    assert_words(f->err.text, "intel-rapl:1/name cannot be read: Is a directory");
    rmdir(tree_path(f->root, DEVICES PKG1 "/name")); /* gone, or not there yet */
    assert_domains(f, "package-0");
}

static void a_zone_lies_in_its_folder_whatever_its_number(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", RANGE, 1);
    tree_zone(f->root, "intel-rapl/intel-rapl:2", "package-2", RANGE, 1);
    tree_zone(f->root, "intel-rapl/intel-rapl:2/intel-rapl:5:3", "core", RANGE, 1);
    tree_zone(f->root, "intel-rapl/intel-rapl:5", "package-5", RANGE, 1);
    assert_domains(f, "package-0 package-2 package-2/core- package-5");
}

static void a_link_of_another_name_leads_to_the_zone(void **state)
{
    struct fixture *f = *state;
    tree_zone(f->root, PKG0, "package-0", RANGE, 1);
    assert_int_equal(rename(tree_path(f->root, "sys/class/powercap/intel-rapl:0"),
                            tree_path(f->root, "sys/class/powercap/rapl-link")),
                     0);
    tree_zone(f->root, "plain/rapl1", "package-0", RANGE, 1);
    assert_int_equal(rename(tree_path(f->root, "sys/class/powercap/rapl1"),
                            tree_path(f->root, "sys/class/powercap/intel-rapl:1")),
                     0);
    assert_domains(f, "package-0 package-0 (intel-rapl:1)");
}

static void zones_of_one_number_come_by_their_folders(void **state)
{
    struct fixture *f = *state;
    size_t count;
    tree_zone(f->root, "z-rapl/intel-rapl:0", "package-0", RANGE, 1);
    tree_zone(f->root, "a-rapl/intel-rapl:0", "package-0", RANGE, 1);
    tree_zone(f->root, "m-rapl/intel-rapl:0", "package-0", RANGE, 1);
    tree_zone(f->root, "q-rapl/intel-rapl:0", "package-0", RANGE, 1);
    tree_zone(f->root, "d-rapl/intel-rapl:0", "package-0", RANGE, 1);
    tree_zone(f->root, "t-rapl/intel-rapl:0", "package-0", RANGE, 1);
    f->options.powercap = tree_path(f->root, "sys/devices/virtual/powercap");
    assert_int_equal(fixture_open(f, &source_rapl), STATUS_OK);
    const struct source_domain *domains = source_rapl.domains(f->state, &count);
    assert_int_equal(count, 6);
    assert_string_equal(domains[0].name, "package-0");
    for (size_t i = 1; i < count; i++)
        assert_true(strcmp(domains[i - 1].path, domains[i].path) < 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(only_packages_count),
        CASE(sub_zones_are_named_after_their_own_package),
        CASE(dies_are_packages_and_amd_has_no_sub_zones),
        CASE(packages_of_one_name_are_told_apart),
        CASE(a_twin_is_not_counted_twice),
        CASE(a_twin_that_is_alone_is_used),
        CASE(a_tree_without_links_is_read_too),
        CASE(flat_folders_are_told_by_their_numbers),
        CASE(further_links_add_nothing),
        CASE(dangling_links_and_side_files_do_not_matter),
        CASE(an_unreadable_sub_zone_is_told_once_and_left_out),
        CASE(what_a_package_needs_is_required),
        CASE(a_counter_that_is_no_file_is_refused_without_waiting),
        CASE(without_permission_the_ways_out_are_said),
        CASE(where_there_is_no_powercap_the_kind_of_machine_is_said),
        CASE(psys_alone_is_no_package),
        CASE(auto_takes_rapl_where_its_first_zone_is),
        CASE(examining_says_what_counts),
        CASE(examining_has_a_line_for_each_zone),
        CASE(what_is_left_out_is_said_in_the_words_of_its_place),
        CASE(a_twin_that_cannot_be_read_is_not_spoken_of),
        CASE(a_package_whose_two_zones_cannot_be_read_is_missed),
        CASE(a_zone_without_a_name_may_be_a_package),
        CASE(names_are_one_line_of_printable_characters),
        CASE(sub_zones_of_equal_names_are_told_apart_by_their_package),
        CASE(zones_within_zones_within_zones_are_found),
        CASE(only_folders_of_rapl_are_zones),
        CASE(a_zone_whose_name_cannot_be_read_may_be_a_package),
        CASE(a_zone_lies_in_its_folder_whatever_its_number),
        CASE(a_link_of_another_name_leads_to_the_zone),
        CASE(zones_of_one_number_come_by_their_folders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
