/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stands in for libFuzzer: runs a target over the files that are named, or over its part of the corpus. */
#include "fuzz.h"

#include "joular/file.h"

#include <dirent.h>
#include <stdlib.h>

static bool replay(const char *path)
{
    struct file_bytes file;
    struct error err = {0};
    char words[2048];
    if (file_read(path, &file, &err) != STATUS_OK) {
        error_in_file(&err, path);
        fprintf(stderr, "%s\n", error_words(&err, words, sizeof words));
        return false;
    }
    /* a copy of just that length: a sanitizer sees the first byte behind it */
    uint8_t *bytes = mem_alloc(file.length);
    if (file.length != 0)
        memcpy(bytes, file.bytes, file.length);
    LLVMFuzzerTestOneInput(bytes, file.length);
    free(bytes);
    file_release(&file);
    return true;
}

int main(int argc, char **argv)
{
    const char *top = getenv("JOULAR_TOP_SRCDIR");
    char folder[4096], path[4096 + 256];
    unsigned good = 0, bad = 0;
    for (int i = 1; i < argc; i++)
        bad += !replay(argv[i]);
    if (argc > 1)
        return bad != 0;
    snprintf(folder, sizeof folder, "%s/tests/fuzz/corpus/%s", top != NULL ? top : ".", fuzz_name);
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        printf("%s/%s\n", fuzz_name, entry->d_name);
        fflush(stdout); /* the last line is the file that ended the program */
        *(replay(path) ? &good : &bad) += 1;
    }
    if (dir != NULL)
        closedir(dir);
    if (good == 0)
        fprintf(stderr, "%s has no files\n", folder);
    printf("cases: %u passed, %u failed, 0 skipped\n", good, bad);
    return good == 0 || bad != 0;
}
