/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which JDK: its folder has, beside bin, a file release with a line JAVA_VERSION="17.0.21" or "1.8.0_392". */
#include "record.h"

#include "joular/file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static int feature_version(const char *text)
{
    int major = 0, minor = 0;
    if (sscanf(text, "%d.%d", &major, &minor) < 1 || major < 1)
        return 0;
    return major == 1 && minor > 0 ? minor : major;
}

bool java_is_launcher(const char *command)
{
    return strcmp(path_name(command), "java") == 0;
}

char *java_beside(const char *launcher, const char *name)
{
    char real[PATH_MAX];
    if (realpath(launcher, real) == NULL)
        return NULL;
    *strrchr(real, '/') = '\0';
    return path_in(real, name);
}

int java_release(const char *home)
{
    char path[PATH_MAX], line[512];
    int version = 0;
    snprintf(path, sizeof path, "%s/release", home);
    FILE *file = fopen(path, "re");
    while (file != NULL && version == 0 && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "JAVA_VERSION=\"", 14) == 0)
            version = feature_version(line + 14);
    if (file != NULL)
        fclose(file);
    return version;
}

int java_version(const char *launcher, const struct user *user)
{
    char *home = java_beside(launcher, "..");
    int version = home != NULL ? java_release(home) : 0;
    free(home);
    if (version != 0)
        return version;
    /* It may be a wrapper, such as that of a version manager: ask it. */
    char output[4096];
    char *command[] = {(char *)(uintptr_t)launcher, (char *)(uintptr_t) "-version", NULL};
    capture(command, user, output, sizeof output);
    const char *words = strstr(output, " version \"");
    return words != NULL ? feature_version(words + strlen(" version \"")) : 0;
}

char *java_of_environment(void)
{
    const char *home = getenv("JAVA_HOME");
    char *path = NULL;
    if (home != NULL && home[0] != '\0') {
        char *launcher = path_in(home, "bin/java");
        if (child_lookup(launcher, &path) == 0) {
            free(launcher);
            return path;
        }
        free(path);
        free(launcher);
    }
    if (child_lookup("java", &path) == 0)
        return path;
    free(path);
    return NULL;
}
