/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Result files: written beside their name, renamed over what was there, never through a link. */
#include "folder.h"

#include "joular/leave.h"

#include <errno.h>
#include <fcntl.h>

static struct outdir dir;
static struct outfile file;

static void begin(const char *name, const char *append)
{
    assert_int_equal(outdir_open(folder, &dir, &err), STATUS_OK);
    if (outfile_begin(&dir, name, append, &file, &err) != STATUS_OK)
        fail_msg("%s", err.text);
}

static void commit(void)
{
    assert_int_equal(outfile_finish(&file, &err), STATUS_OK);
    assert_int_equal(outfile_commit(&file, &err), STATUS_OK);
    outfile_abandon(&file); /* nothing, after commit */
    outdir_close(&dir);
}

static void expect_begin_refused(const char *name, const char *append, enum status status, const char *words)
{
    unsigned before = entries(folder);
    assert_int_equal(outdir_open(folder, &dir, &err), STATUS_OK);
    assert_int_equal(outfile_begin(&dir, name, append, &file, &err), status);
    assert_string_equal(err.file, in_folder(name));
    assert_has(err.text, words);
    assert_int_equal(entries(folder), before);
    outdir_close(&dir);
}

TEST(a_result_takes_its_name_only_when_it_is_committed)
{
    write_file("r.csv", "old\n");
    begin("r.csv", NULL);
    assert_true(file.fresh);
    fputs("new\n", file.stream);
    assert_int_equal(entries(folder), 2);
    expect_file("r.csv", "old\n");
    assert_int_equal(outfile_finish(&file, &err), STATUS_OK);
    expect_file("r.csv", "old\n");
    assert_int_equal(outfile_commit(&file, &err), STATUS_OK);
    expect_file("r.csv", "new\n");
    assert_int_equal(entries(folder), 1);
    outdir_close(&dir);
}

TEST(a_result_has_mode_0666_less_the_umask)
{
    struct stat st;
    mode_t old = umask(007);
    begin("r.csv", NULL);
    commit();
    umask(old);
    assert_int_equal(stat(in_folder("r.csv"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0660);
}

TEST(nothing_is_left_of_a_result_that_is_abandoned)
{
    begin("r.csv", NULL);
    fputs("half", file.stream);
    outfile_abandon(&file);
    outdir_close(&dir);
    assert_int_equal(entries(folder), 0);
}

TEST(temporary_files_of_all_that_are_open_are_leftovers)
{
    struct outfile other;
    write_file("kept.csv", "kept\n");
    begin("a.csv", NULL);
    assert_int_equal(outfile_begin(&dir, "b.csv", NULL, &other, &err), STATUS_OK);
    assert_int_equal(entries(folder), 3);
    leftovers_remove();
    assert_int_equal(entries(folder), 1);
    outfile_abandon(&file);
    outfile_abandon(&other);
    outdir_close(&dir);
}

TEST(appending_keeps_the_one_header)
{
    write_file("r.csv", "a,b\n1,2\n");
    begin("r.csv", "a,b");
    assert_false(file.fresh);
    fputs("3,4\n", file.stream);
    expect_file("r.csv", "a,b\n1,2\n");
    commit();
    expect_file("r.csv", "a,b\n1,2\n3,4\n");
}

TEST(appending_to_a_missing_or_empty_file_is_a_fresh_one)
{
    begin("r.csv", "a,b");
    assert_true(file.fresh);
    commit();
    expect_file("r.csv", "");
    begin("r.csv", "a,b");
    assert_true(file.fresh);
    commit();
}

TEST(nothing_is_appended_below_another_header)
{
    static const char *const others[] = {"a,c\n1,2\n", "a,b,c\n", "a,b", "a", "\n", "a,b\r\n"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        write_file("r.csv", others[i]);
        err = (struct error){0};
        expect_begin_refused("r.csv", "a,b", STATUS_INVALID, "header \"a,b\"");
        expect_file("r.csv", others[i]);
    }
}

TEST(nothing_is_appended_to_half_a_line)
{
    write_file("r.csv", "a,b\n1,");
    expect_begin_refused("r.csv", "a,b", STATUS_TRUNCATED, "middle of a line");
}

TEST(a_result_that_is_a_link_is_refused_by_name)
{
    write_file("target", "precious\n");
    assert_int_equal(symlink("target", in_folder("r.csv")), 0);
    assert_int_equal(symlink("nowhere", in_folder("dangling.csv")), 0);
    expect_begin_refused("r.csv", NULL, STATUS_INVALID, "symbolic link");
    err = (struct error){0};
    expect_begin_refused("r.csv", "precious", STATUS_INVALID, "symbolic link");
    err = (struct error){0};
    expect_begin_refused("dangling.csv", NULL, STATUS_INVALID, "symbolic link");
    expect_file("target", "precious\n");
}

TEST(a_result_that_becomes_a_link_is_refused_at_commit)
{
    write_file("target", "precious\n");
    begin("r.csv", NULL);
    assert_int_equal(symlink("target", in_folder("r.csv")), 0);
    assert_int_equal(outfile_finish(&file, &err), STATUS_OK);
    assert_int_equal(outfile_commit(&file, &err), STATUS_INVALID);
    assert_string_equal(err.file, "r.csv");
    outfile_abandon(&file);
    outdir_close(&dir);
    expect_file("target", "precious\n");
    assert_int_equal(entries(folder), 2);
}

TEST(a_result_that_is_a_folder_or_a_pipe_is_refused)
{
    assert_int_equal(mkdir(in_folder("r.csv"), 0777), 0);
    assert_int_equal(mkfifo(in_folder("pipe.csv"), 0666), 0);
    expect_begin_refused("r.csv", NULL, STATUS_INVALID, "not a regular file");
    err = (struct error){0};
    expect_begin_refused("pipe.csv", "a,b", STATUS_INVALID, "not a regular file");
}

/* Where the path leads to another folder by then, nothing is made there. */
TEST(results_are_made_in_the_folder_that_was_opened)
{
    char path[256], moved[256];
    snprintf(path, sizeof path, "%s", in_folder("results"));
    snprintf(moved, sizeof moved, "%s", in_folder("moved"));
    assert_int_equal(outdir_open(path, &dir, &err), STATUS_OK);
    assert_int_equal(rename(path, moved), 0);
    assert_int_equal(mkdir(in_folder("theirs"), 0755), 0);
    assert_int_equal(symlink("theirs", path), 0);
    assert_int_equal(outfile_begin(&dir, "r.csv", NULL, &file, &err), STATUS_OK);
    fputs("new\n", file.stream);
    commit();
    assert_int_equal(entries(in_folder("theirs")), 0);
    expect_file("moved/r.csv", "new\n");
}

TEST(a_result_folder_is_made_with_those_above_it)
{
    assert_int_equal(outdir_open(in_folder("a//b/c/"), &dir, &err), STATUS_OK);
    assert_int_equal(outfile_begin(&dir, "r.csv", NULL, &file, &err), STATUS_OK);
    commit();
    expect_file("a/b/c/r.csv", "");
}

TEST(a_link_in_the_folder_part_is_followed)
{
    assert_int_equal(mkdir(in_folder("real"), 0777), 0);
    assert_int_equal(symlink("real", in_folder("link")), 0);
    assert_int_equal(outdir_open(in_folder("link/sub"), &dir, &err), STATUS_OK);
    assert_int_equal(outfile_begin(&dir, "r.csv", NULL, &file, &err), STATUS_OK);
    commit();
    expect_file("real/sub/r.csv", "");
}

TEST(a_folder_part_that_is_a_file_is_refused_by_name)
{
    write_file("a", "text");
    assert_int_equal(outdir_open(in_folder("a/b"), &dir, &err), STATUS_IO);
    assert_has(err.file, "/a");
    assert_int_equal(dir.fd, -1);
    outdir_close(&dir);
    err = (struct error){0};
    assert_int_equal(outdir_open("", &dir, &err), STATUS_IO);
    outdir_close(&dir);
}

TEST(a_write_that_fails_shows_at_finish)
{
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    if (full < 0)
        skip();
    begin("r.csv", NULL);
    assert_int_equal(dup2(full, file.sink->fd), file.sink->fd);
    fputs("text", file.stream);
    assert_int_equal(outfile_finish(&file, &err), STATUS_IO);
    assert_has(err.text, strerror(ENOSPC));
    outfile_abandon(&file);
    outdir_close(&dir);
    close(full);
    assert_int_equal(entries(folder), 0);
}

TEST(a_write_that_failed_earlier_shows_at_finish_too)
{
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    if (full < 0)
        skip();
    begin("r.csv", NULL);
    int good = dup(file.sink->fd);
    dup2(full, file.sink->fd);
    fputs("text", file.stream);
    assert_int_equal(fflush(file.stream), EOF);
    dup2(good, file.sink->fd); /* there is room again, and a part is missing */
    assert_int_equal(outfile_finish(&file, &err), STATUS_IO);
    outfile_abandon(&file);
    outdir_close(&dir);
    close(good);
    close(full);
}

/* ---- A folder in a folder ---- */

TEST(a_folder_in_a_folder_is_made_and_used_again)
{
    struct outdir parent;
    assert_int_equal(outdir_open(folder, &parent, &err), STATUS_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(outdir_open_in(&parent, "-a\n b", &dir, &err), STATUS_OK);
        assert_int_equal(outfile_begin(&dir, "r.csv", NULL, &file, &err), STATUS_OK);
        commit();
    }
    expect_file("-a\n b/r.csv", "");
    outdir_close(&parent);
}

TEST(a_folder_in_a_folder_that_is_a_link_or_a_file_is_refused_by_name)
{
    struct outdir parent;
    assert_int_equal(mkdir(in_folder("real"), 0777), 0);
    assert_int_equal(symlink("real", in_folder("link")), 0);
    assert_int_equal(symlink("nowhere", in_folder("dangling")), 0);
    write_file("file", "x");
    assert_int_equal(outdir_open(folder, &parent, &err), STATUS_OK);
    assert_int_equal(outdir_open_in(&parent, "link", &dir, &err), STATUS_INVALID);
    assert_non_null(strstr(err.file, "/link"));
    assert_non_null(strstr(err.text, "symbolic link"));
    err = (struct error){0};
    assert_int_equal(outdir_open_in(&parent, "dangling", &dir, &err), STATUS_INVALID);
    err = (struct error){0};
    assert_int_equal(outdir_open_in(&parent, "file", &dir, &err), STATUS_IO);
    outdir_close(&parent);
    assert_int_equal(entries(folder), 4);
}

static void put_words(const void *words, FILE *out)
{
    fputs(words, out);
}

TEST(a_file_is_written_by_its_path_with_the_folders_that_lack)
{
    assert_int_equal(outfile_write(in_folder("a/b/r.json"), put_words, "{}\n", &err), STATUS_OK);
    expect_file("a/b/r.json", "{}\n");
    assert_int_equal(entries(in_folder("a/b")), 1);
    assert_int_equal(symlink("elsewhere", in_folder("link")), 0);
    assert_int_equal(outfile_write(in_folder("link"), put_words, "{}\n", &err), STATUS_INVALID);
    assert_string_equal(err.file, in_folder("link"));
    assert_int_equal(entries(folder), 2);
}

TEST(a_path_is_taken_apart_at_its_last_slash)
{
    static const struct {
        const char *path, *folder, *name;
    } cases[] = {{"r.json", ".", "r.json"}, {"a/b/r", "a/b", "r"}, {"/r", "/", "r"}, {"a/", "a", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *before = path_folder(cases[i].path), *whole = path_in(before, cases[i].name);
        assert_string_equal(before, cases[i].folder);
        assert_string_equal(path_name(cases[i].path), cases[i].name);
        assert_string_equal(whole + strlen(before) + 1, cases[i].name);
        free(before);
        free(whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER(a_result_takes_its_name_only_when_it_is_committed),
        FOLDER(a_result_has_mode_0666_less_the_umask),
        FOLDER(nothing_is_left_of_a_result_that_is_abandoned),
        FOLDER(temporary_files_of_all_that_are_open_are_leftovers),
        FOLDER(appending_keeps_the_one_header),
        FOLDER(appending_to_a_missing_or_empty_file_is_a_fresh_one),
        FOLDER(nothing_is_appended_below_another_header),
        FOLDER(nothing_is_appended_to_half_a_line),
        FOLDER(a_result_that_is_a_link_is_refused_by_name),
        FOLDER(a_result_that_becomes_a_link_is_refused_at_commit),
        FOLDER(a_result_that_is_a_folder_or_a_pipe_is_refused),
        FOLDER(results_are_made_in_the_folder_that_was_opened),
        FOLDER(a_result_folder_is_made_with_those_above_it),
        FOLDER(a_link_in_the_folder_part_is_followed),
        FOLDER(a_folder_part_that_is_a_file_is_refused_by_name),
        FOLDER(a_folder_in_a_folder_is_made_and_used_again),
        FOLDER(a_folder_in_a_folder_that_is_a_link_or_a_file_is_refused_by_name),
        FOLDER(a_write_that_fails_shows_at_finish),
        FOLDER(a_write_that_failed_earlier_shows_at_finish_too),
        FOLDER(a_file_is_written_by_its_path_with_the_folders_that_lack),
        FOLDER(a_path_is_taken_apart_at_its_last_slash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
