/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "faketree.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEVICES "sys/devices/virtual/powercap"
#define CLASS "sys/class/powercap"

static void need(int good, const char *what)
{
    if (good)
        return;
    perror(what);
    abort();
}

const char *tree_path(const char *root, const char *name)
{
    static char buffers[8][1024];
    static unsigned turn;
    char *buffer = buffers[turn++ % 8];
    snprintf(buffer, sizeof buffers[0], "%s/%s", root, name);
    return buffer;
}

static void make_folders(const char *path)
{
    char copy[1024];
    snprintf(copy, sizeof copy, "%s", path);
    for (char *p = copy + 1;; p++) {
        if (*p != '/' && *p != '\0')
            continue;
        char kept = *p;
        *p = '\0';
        need(mkdir(copy, 0755) == 0 || errno == EEXIST, copy);
        if (kept == '\0')
            return;
        *p = kept;
    }
}

char *tree_new(void)
{
    const char *base = getenv("TMPDIR");
    char root[512];
    snprintf(root, sizeof root, "%s/joular-test-XXXXXX", base != NULL ? base : "/tmp");
    need(mkdtemp(root) != NULL, root);
    need(chmod(root, 0755) == 0, root);
    make_folders(tree_path(root, CLASS));
    make_folders(tree_path(root, DEVICES));
    return strdup(root);
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
    (void)st, (void)flag, (void)ftw;
    return remove(path);
}

void tree_free(char *root)
{
    nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(root);
}

void tree_write_bytes(const char *root, const char *name, const void *bytes, unsigned long length)
{
    char path[1024], fresh[1100];
    snprintf(path, sizeof path, "%s/%s", root, name);
    snprintf(fresh, sizeof fresh, "%s.new", path);
    int fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    need(fd >= 0 && write(fd, bytes, length) == (ssize_t)length && close(fd) == 0, fresh);
    need(rename(fresh, path) == 0, path);
}

void tree_write(const char *root, const char *name, const char *text)
{
    tree_write_bytes(root, name, text, strlen(text));
}

void tree_zone_file(const char *root, const char *zone, const char *file, const char *text)
{
    char name[1024];
    snprintf(name, sizeof name, DEVICES "/%s/%s", zone, file);
    tree_write(root, name, text);
}

void tree_energy(const char *root, const char *zone, uint64_t energy_uj)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64 "\n", energy_uj);
    tree_zone_file(root, zone, "energy_uj", text);
}

static void link_to(const char *target, const char *path)
{
    need(symlink(target, path) == 0 || errno == EEXIST, path);
}

/* "../" for every folder between ZONE and sys, and TAIL. */
static void upwards(char *buffer, size_t size, const char *zone, const char *tail)
{
    size_t used = (size_t)snprintf(buffer, size, "../../../../");
    for (const char *p = zone; (p = strchr(p, '/')) != NULL; p++)
        used += (size_t)snprintf(buffer + used, size - used, "../");
    snprintf(buffer + used, size - used, "%s", tail);
}

void tree_zone(const char *root, const char *zone, const char *name, uint64_t range_uj, uint64_t energy_uj)
{
    char path[1024], target[1024], text[64], control[256];
    snprintf(control, sizeof control, "%.*s", (int)strcspn(zone, "/"), zone);
    snprintf(path, sizeof path, "%s/" DEVICES "/%s/power", root, zone);
    make_folders(path);
    snprintf(text, sizeof text, "%s\n", name);
    tree_zone_file(root, zone, "name", text);
    snprintf(text, sizeof text, "%" PRIu64 "\n", range_uj);
    tree_zone_file(root, zone, "max_energy_range_uj", text);
    tree_energy(root, zone, energy_uj);
    tree_zone_file(root, zone, "enabled", "1\n");
    upwards(target, sizeof target, zone, "class/powercap");
    snprintf(path, sizeof path, "%s/" DEVICES "/%s/subsystem", root, zone);
    link_to(target, path);
    snprintf(path, sizeof path, "%s/" DEVICES "/%s/device", root, zone);
    link_to("..", path);
    snprintf(path, sizeof path, "%s/" CLASS "/%s", root, control);
    snprintf(target, sizeof target, "../../devices/virtual/powercap/%s", control);
    link_to(target, path);
    snprintf(path, sizeof path, "%s/" CLASS "/%s", root, strrchr(zone, '/') + 1);
    snprintf(target, sizeof target, "../../devices/virtual/powercap/%s", zone);
    link_to(target, path);
}

void tree_remove_zone(const char *root, const char *zone)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/" CLASS "/%s", root, strrchr(zone, '/') + 1);
    unlink(path);
    snprintf(path, sizeof path, "%s/" DEVICES "/%s", root, zone);
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
