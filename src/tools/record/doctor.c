/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --doctor: what can be measured here, and how to fix what cannot. */
#include "record.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void print_line(const char *what, const char *words)
{
    printf("%-12s %s\n", what, words);
}

static bool examine_sources(const struct options *options, const struct power_source *chosen)
{
    bool works = false;
    for (size_t i = 0; power_sources[i] != NULL; i++) {
        struct notices texts = {0};
        const struct power_source *source = power_sources[i];
        bool good = source->examine(&options->source, &texts);
        printf("%s: %s%s\n", source->name, source->summary, source == chosen ? " (chosen)" : "");
        for (size_t t = 0; t < texts.n; t++)
            printf("    %s\n", texts.v[t]);
        notices_free(&texts);
        if (source == chosen)
            works = good;
    }
    return works;
}

static bool exists(const char *folder, const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, R_OK) == 0;
}

static bool examine_accounting(const struct options *options)
{
    int64_t busy_ns;
    bool machine = proc_busy_ns(options->proc, &busy_ns);
    bool schedstat = exists(options->proc, "self/schedstat");
    print_line("load", machine ? "works: the machine's, also inside a container, as the meter's energy is"
                               : "does not work: the proc file system's stat cannot be read; mount it, or give --proc");
    print_line("threads", schedstat ? "works: nanoseconds, from schedstat"
                                    : "works, in steps of 10 ms: this kernel has no schedstat (CONFIG_SCHED_INFO)");
    return machine;
}

static void examine_container(const struct options *options)
{
    char path[PATH_MAX], text[8192], *p;
    bool inside = access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0;
    snprintf(path, sizeof path, "%s/self/status", options->proc);
    FILE *file = fopen(path, "re");
    size_t length = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file != NULL)
        fclose(file);
    text[length] = '\0';
    p = strstr(text, "\nNSpid:");
    bool nested = p != NULL && strchr(p + 8, '\t') != NULL && strchr(p + 8, '\t') < p + 1 + strcspn(p + 1, "\n");
    if (inside || nested)
        print_line("container",
                   "yes: only processes of this container are seen, and powercap is hidden unless it is mounted; see "
                   "CONTAINERS in joular-record(1)");
    else
        print_line("container", "none noticed");
}

/* Looks at how the folder of --vm-file is mounted: with some caches, what the host writes is seen late or never. */
static void examine_share(const struct options *options)
{
    char path[PATH_MAX], real[PATH_MAX], entry[4096], best[4096] = "";
    size_t best_length = 0;
    if (options->source.vm_file == NULL || realpath(options->source.vm_file, real) == NULL)
        return;
    snprintf(path, sizeof path, "%s/self/mounts", options->proc);
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(entry, sizeof entry, file) != NULL) {
        char where[1024], type[128], flags[2048];
        if (sscanf(entry, "%*s %1023s %127s %2047s", where, type, flags) != 3)
            continue;
        size_t length = strcmp(where, "/") == 0 ? 0 : strlen(where);
        if (strncmp(real, where, length) != 0 || (real[length] != '/' && real[length] != '\0') || length < best_length)
            continue;
        best_length = length;
        snprintf(best, sizeof best, "%s %s", type, flags);
    }
    if (file != NULL)
        fclose(file);
    bool plan9 = strncmp(best, "9p ", 3) == 0, virtio = strncmp(best, "virtiofs ", 9) == 0;
    if (plan9 && (strstr(best, "cache=loose") != NULL || strstr(best, "cache=fscache") != NULL))
        print_line("vm share", "problem: 9p with a cache hides what the host writes; mount it with cache=none");
    else if (virtio)
        print_line("vm share",
                   "virtiofs: run the host's virtiofsd with --cache=never or auto; with always, updates are "
                   "hidden");
    else
        print_line("vm share", "no caching noticed");
}

static void say_jdk(const char *home, int version)
{
    printf("%-12s %s: JDK %d, %s\n", "jdk", home, version,
           version >= JDK_WITH_CPU_TIME ? "has jdk.CPUTimeSample"
           : version >= 11              ? "jdk.ExecutionSample only (CPUTimeSample needs 25)"
                                        : "too old for --jfr (needs 11)");
}

static void examine_jdks(void)
{
    char *java = java_of_environment(), home[PATH_MAX];
    DIR *dir = opendir("/usr/lib/jvm");
    struct dirent *entry;
    if (java == NULL) {
        print_line("java", "none in JAVA_HOME or PATH");
    } else {
        int version = java_version(java, NULL);
        printf("%-12s %s: version %d%s\n", "java", java, version, version == 0 ? " (not known)" : "");
        free(java);
    }
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        char real[PATH_MAX];
        snprintf(home, sizeof home, "/usr/lib/jvm/%s", entry->d_name);
        int version =
            entry->d_name[0] != '.' && realpath(home, real) != NULL && strcmp(real, home) == 0 ? java_release(home) : 0;
        if (version > 0)
            say_jdk(home, version);
    }
    if (dir != NULL)
        closedir(dir);
}

int doctor(const struct options *options)
{
    const struct power_source *chosen = source_by_name(options->source_name, &options->source);
    bool power = examine_sources(options, chosen);
    bool accounting = examine_accounting(options);
    examine_container(options);
    examine_share(options);
    examine_jdks();
    bool works = power && accounting;
    printf("%s\n",
           works    ? "A measurement would work."
           : !power ? "A measurement would not work: the chosen source has no power. -s chooses another; without any "
                      "meter, -s estimate --idle-watts W --max-watts W."
                    : "A measurement would not work.");
    return works ? 0 : 1;
}
