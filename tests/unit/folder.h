/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A temporary folder a test, in FOLDER(case), and files in it. */
#ifndef JOULAR_UNIT_FOLDER_H
#define JOULAR_UNIT_FOLDER_H

#include "joular/file.h"
#include "unit.h"

#include <dirent.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/joular-unit-XXXXXX";
static struct error err;

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
    (void)st, (void)flag, (void)ftw;
    return remove(path);
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder + sizeof folder - 7, "XXXXXX");
    err = (struct error){0};
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static inline const char *in_folder(const char *name)
{
    static char paths[4][256];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static inline void write_file(const char *name, const char *text)
{
    FILE *out = fopen(in_folder(name), "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static inline void expect_file(const char *name, const char *text)
{
    struct file_bytes file;
    assert_int_equal(file_read(in_folder(name), &file, &err), STATUS_OK);
    assert_int_equal(file.length, strlen(text));
    assert_memory_equal(file.bytes, text, strlen(text));
    file_release(&file);
}

static inline unsigned entries(const char *path)
{
    unsigned n = 0;
    DIR *dir = opendir(path);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return n;
}

#define FOLDER(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

#endif
