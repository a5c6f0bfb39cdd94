/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the RAPL zones of a powercap tree.
 *
 *   /sys/class/powercap/intel-rapl:0        -> ../../devices/virtual/powercap/intel-rapl/intel-rapl:0
 *   /sys/class/powercap/intel-rapl:0:0      -> .../intel-rapl/intel-rapl:0/intel-rapl:0:0
 *   /sys/class/powercap/intel-rapl          -> .../intel-rapl        the control type, not a zone
 *   /sys/class/powercap/intel-rapl-mmio:0   -> .../intel-rapl-mmio/intel-rapl-mmio:0
 *   ZONE/name, ZONE/energy_uj, ZONE/max_energy_range_uj
 *
 * The kernel's Documentation/power/powercap/powercap.rst describes it. AMD's zones are named intel-rapl too. */
#include "joular/file.h"
#include "joular/hash.h"
#include "joular/text.h"
#include "rapl.h"
#include "sourceutil.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#define MAX_DEPTH 6 /* of nested folders; a control type, a package and a sub-zone need 3 */

struct walk {
    struct rapl_zones *found;
    VEC(char *) visited;
};

/* Reads the first line of a zone's file. On failure, false with the reason in ZONE. */
static bool read_line(struct rapl_zone *zone, const char *file, char *line, size_t size)
{
    char *path = path_in(zone->path, file), words[PATH_MAX + 128];
    long length = source_read_file(path, line, size - 1);
    if (length < 0) {
        snprintf(words, sizeof words, "%s cannot be read: %s", path, source_why(length));
        zone->fault = mem_strdup(words);
        zone->denied = length == -EACCES || length == -EPERM;
        zone->gone = length == -ENOENT || length == -ENOTDIR || length == -ENODEV;
    } else {
        line[length] = '\0';
        line[strcspn(line, "\r\n")] = '\0';
    }
    free(path);
    return length >= 0;
}

static bool to_counter(const char *line, uint64_t *value)
{
    int64_t number;
    if (!text_to_i64(line, strlen(line), &number) || number < 0)
        return false;
    *value = (uint64_t)number;
    return true;
}

bool rapl_read_energy(const struct rapl_zone *zone, uint64_t *energy_uj, char *fault, size_t size)
{
    char path[PATH_MAX], line[64];
    snprintf(path, sizeof path, "%s/energy_uj", zone->path);
    long length = source_read_file(path, line, sizeof line - 1);
    if (length < 0) {
        snprintf(fault, size, "%s cannot be read: %s", path, source_why(length));
        return false;
    }
    line[length] = '\0';
    line[strcspn(line, "\n")] = '\0';
    if (!to_counter(line, energy_uj))
        snprintf(fault, size, "%s holds no counter: \"%s\"", path, line);
    else if (*energy_uj > zone->range_uj)
        snprintf(fault, size, "%s holds %s, and the counter's range ends at %" PRIu64, path, line, zone->range_uj);
    else
        return true;
    return false;
}

static void load_zone(struct rapl_zone *zone)
{
    char line[256], clean[256], words[PATH_MAX + 128];
    if (!read_line(zone, "name", line, sizeof line))
        return;
    if (line[0] == '\0') {
        snprintf(words, sizeof words, "%s/name is empty", zone->path);
        zone->fault = mem_strdup(words);
        return;
    }
    text_printable(clean, sizeof clean, line, strlen(line));
    zone->label = mem_strdup(clean);
    if (!read_line(zone, "max_energy_range_uj", line, sizeof line))
        return;
    if (!to_counter(line, &zone->range_uj) || zone->range_uj == 0) {
        snprintf(words, sizeof words, "%s/max_energy_range_uj holds no range: \"%.60s\"", zone->path, line);
        zone->fault = mem_strdup(words);
        return;
    }
    if (read_line(zone, "energy_uj", line, sizeof line) &&
        !rapl_read_energy(zone, &zone->energy_uj, words, sizeof words))
        zone->fault = mem_strdup(words);
}

static void add_zone(struct walk *walk, const char *real, const char *entry)
{
    struct rapl_zone zone = {.path = mem_strdup(real)};
    zone.id = mem_strdup(strchr(path_name(real), ':') != NULL ? path_name(real) : entry);
    zone.mmio = strncmp(zone.id, "intel-rapl-mmio", strlen("intel-rapl-mmio")) == 0;
    load_zone(&zone);
    vec_push(&walk->found->zones, zone);
}

/* Adds a link whose target we have no permission to look at, since it may be a package. */
static void add_hidden(struct walk *walk, const char *path, const char *entry, int why)
{
    struct rapl_zone zone = {.path = mem_strdup(path), .id = mem_strdup(entry), .denied = true};
    char words[PATH_MAX + 128];
    snprintf(words, sizeof words, "%s cannot be looked at: %s", path, strerror(why));
    zone.fault = mem_strdup(words);
    vec_push(&walk->found->zones, zone);
}

/* False if the folder was visited before, by way of another link. */
static bool visit(struct walk *walk, const char *real)
{
    for (size_t i = 0; i < walk->visited.n; i++)
        if (strcmp(walk->visited.v[i], real) == 0)
            return false;
    vec_push(&walk->visited, mem_strdup(real));
    return true;
}

static bool walk_folder(struct walk *walk, const char *folder, unsigned depth)
{
    DIR *dir = opendir(folder);
    if (dir == NULL)
        return false;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (strstr(entry->d_name, "rapl") == NULL)
            continue;
        char *path = path_in(folder, entry->d_name), *real = realpath(path, NULL);
        struct stat st;
        if (real == NULL && errno == EACCES && strchr(entry->d_name, ':') != NULL)
            add_hidden(walk, path, entry->d_name, errno);
        else if (real == NULL)
            vec_push(&walk->found->dangling, mem_strdup(path));
        else if (stat(real, &st) == 0 && S_ISDIR(st.st_mode) && visit(walk, real)) {
            if (strchr(path_name(real), ':') != NULL || strchr(entry->d_name, ':') != NULL)
                add_zone(walk, real, entry->d_name);
            if (depth < MAX_DEPTH)
                walk_folder(walk, real, depth + 1);
        }
        free(path);
        free(real);
    }
    closedir(dir);
    return true;
}

static int by_id(const void *a, const void *b)
{
    const struct rapl_zone *x = a, *y = b;
    if (x->mmio != y->mmio)
        return x->mmio ? 1 : -1;
    int order = strverscmp(x->id, y->id);
    return order != 0 ? order : strcmp(x->path, y->path);
}

/* The zone that contains ZONE: found by its folder, or else (if the tree is flat) by its id. NULL for none. */
static const struct rapl_zone *parent_of(const struct rapl_zones *found, const struct rapl_zone *zone)
{
    size_t folder = (size_t)(path_name(zone->path) - zone->path), id = (size_t)(strrchr(zone->id, ':') - zone->id);
    for (size_t i = 0; i < found->zones.n; i++) {
        const struct rapl_zone *z = &found->zones.v[i];
        if (folder != 0 && strlen(z->path) == folder - 1 && strncmp(z->path, zone->path, folder - 1) == 0)
            return z;
    }
    for (size_t i = 0; i < found->zones.n; i++) {
        const struct rapl_zone *z = &found->zones.v[i];
        if (strlen(z->id) == id && strncmp(z->id, zone->id, id) == 0)
            return z;
    }
    return NULL;
}

static void name_zone(struct rapl_zones *found, size_t at)
{
    struct rapl_zone *zone = &found->zones.v[at];
    const struct rapl_zone *parent = parent_of(found, zone);
    char name[1024];
    const char *label = zone->label != NULL ? zone->label : zone->id;
    bool inside = parent != NULL && parent < zone;
    zone->depth = inside ? parent->depth + 1 : strchr(strchr(zone->id, ':') + 1, ':') != NULL;
    zone->package = zone->depth == 0 && strncmp(label, "package", strlen("package")) == 0;
    snprintf(name, sizeof name, "%s%s%s", inside ? parent->name : "", inside ? "/" : "", label);
    if (inside && parent->twin != NULL)
        zone->twin = mem_strdup(parent->twin);
    for (size_t i = 0; i < at && zone->twin == NULL; i++) {
        struct rapl_zone *other = &found->zones.v[i];
        if (zone->label == NULL || other->label == NULL || other->twin != NULL || strcmp(other->name, name) != 0)
            continue;
        /* The same package through MSRs and through memory-mapped registers (MMIO): one of the two is used. */
        if (zone->mmio && !other->mmio) {
            struct rapl_zone *out = other->fault != NULL && zone->fault == NULL ? other : zone;
            out->twin = mem_strdup(out == zone ? other->id : zone->id);
        } else {
            size_t used = strlen(name);
            snprintf(name + used, sizeof name - used, " (%s)", zone->id);
        }
    }
    zone->name = mem_strdup(name);
}

void rapl_find_zones(const char *powercap, struct rapl_zones *found)
{
    struct walk walk = {.found = found};
    *found = (struct rapl_zones){0};
    found->found = walk_folder(&walk, powercap, 0);
    for (size_t i = 0; i < walk.visited.n; i++)
        free(walk.visited.v[i]);
    vec_free(&walk.visited);
    if (found->zones.n != 0)
        qsort(found->zones.v, found->zones.n, sizeof found->zones.v[0], by_id);
    for (size_t i = 0; i < found->zones.n; i++)
        name_zone(found, i);
}

const struct rapl_zone *rapl_blocking_zone(const struct rapl_zones *found, size_t *packages)
{
    const struct rapl_zone *blocking = NULL;
    *packages = 0;
    for (size_t i = 0; i < found->zones.n; i++) {
        const struct rapl_zone *z = &found->zones.v[i];
        if (z->twin != NULL || z->depth != 0)
            continue;
        *packages += z->package && z->fault == NULL;
        if (blocking == NULL && z->fault != NULL && (z->package || (z->label == NULL && !z->gone)))
            blocking = z;
    }
    return blocking;
}

void rapl_zone_free(struct rapl_zone *zone)
{
    free(zone->id);
    free(zone->path);
    free(zone->label);
    free(zone->name);
    free(zone->fault);
    free(zone->twin);
}

void rapl_zones_free(struct rapl_zones *found)
{
    for (size_t i = 0; i < found->zones.n; i++)
        rapl_zone_free(&found->zones.v[i]);
    for (size_t i = 0; i < found->dangling.n; i++)
        free(found->dangling.v[i]);
    vec_free(&found->zones);
    vec_free(&found->dangling);
}

uint64_t rapl_folder_mark(const char *folder)
{
    uint64_t mark = 0;
    DIR *dir = opendir(folder);
    if (dir == NULL)
        return 0;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        mark += hash_bytes(entry->d_name, strlen(entry->d_name)); /* a sum does not depend on the order */
    closedir(dir);
    return mark;
}
