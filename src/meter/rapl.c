/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RAPL: the energy counters of the CPU packages, added up. */
#include "rapl.h"
#include "sourceutil.h"

#include "joular/clock.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

#define UJ_PER_J 1e6
#define NS_PER_S 1e9

/* A counter that wrapped around more than once since the last reading shows too little. That is assumed if its zone
 * could have used the counter's whole range in this time: at POWER_MARGIN times its highest power so far. Until a power
 * is known, UNKNOWN_W is taken, which is more than any socket draws, or the power that uses the range in UNKNOWN_S, if
 * that is less (the smallest range of a CPU is 65 kJ): so no counter is said to wrap within a minute. */
#define POWER_MARGIN 2.0
#define UNKNOWN_W 1000.0
#define UNKNOWN_S 60.0

#define WAYS_OUT                                                                                                 \
    "run as root, or install the udev rule that comes with joular-jfr, or run `powerjoular -r` as root and use " \
    "--source ringbuffer"

struct counter {
    struct rapl_zone zone;
    bool counted; /* its energy is part of the power */
    bool warned;  /* of a failed reading, since the last good one */
    bool has_before, has_now;
    uint64_t before_uj, now_uj; /* at the last good reading, and at this one */
    double highest_w;           /* highest power so far; 0 if none is known */
};

struct rapl {
    char *powercap;
    int64_t interval_ns, last_ns;
    uint64_t mark; /* rapl_folder_mark at the last reading; 0: look for zones at the next one */
    bool late;     /* readings failed since the last good one */
    VEC(struct counter) counters;
    VEC(struct source_domain) domains; /* one for each counter; names and paths belong to the counters' zones */
    uint64_t *domain_uj;               /* one for each counter */
};

bool rapl_counter_moved(uint64_t before, uint64_t after, uint64_t range, uint64_t *moved)
{
    if (after >= before) {
        *moved = after - before;
        return true;
    }
    *moved = range - before + after;
    return *moved <= range / 2;
}

/* Takes over the memory of ZONE. BASELINE: the energy in ZONE is what the next reading is compared with. */
static void add_counter(struct rapl *r, struct rapl_zone *zone, bool baseline)
{
    struct counter c = {.zone = *zone, .counted = zone->package, .has_before = baseline, .before_uj = zone->energy_uj};
    struct source_domain domain = {
        .name = zone->name, .path = zone->path, .range_uj = zone->range_uj, .counted = c.counted, .depth = zone->depth};
    *zone = (struct rapl_zone){0};
    vec_push(&r->counters, c);
    vec_push(&r->domains, domain);
    r->domain_uj = mem_resize(r->domain_uj, r->counters.n, sizeof *r->domain_uj);
    r->domain_uj[r->counters.n - 1] = UINT64_MAX;
}

/* The order in the log: by name, so that sub-zones follow their package; zones outside of packages come last. */
static int by_name(const void *a, const void *b)
{
    const struct rapl_zone *x = a, *y = b;
    bool x_in = strncmp(x->name, "package", 7) == 0, y_in = strncmp(y->name, "package", 7) == 0;
    return x_in != y_in ? (x_in ? -1 : 1) : strverscmp(x->name, y->name);
}

static enum status nothing_found(const struct source_options *options, const struct rapl_zones *found,
                                 struct error *err)
{
    static const char others[] =
        "use --source ringbuffer (PowerJoular), vm (the host's file) or estimate (--idle-watts, --max-watts)";
    const char *kind = source_machine_kind(options->proc);
    char where[128] = "";
    if (kind != NULL)
        snprintf(where, sizeof where, "; this looks like %s, where there is none", kind);
    if (!found->found)
        return error_set(err, STATUS_MISSING, "there is no powercap (%s)%s: %s", options->powercap, where, others);
    if (found->dangling.n != 0)
        return error_set(
            err, STATUS_MISSING,
            "no CPU package can be reached in %s (%s leads nowhere; a container hides it unless it is mounted)%s: %s",
            options->powercap, found->dangling.v[0], where, others);
    return error_set(err, STATUS_MISSING, "no CPU package with an energy counter is in %s%s: %s", options->powercap,
                     where, others);
}

static enum status check_zones(const struct source_options *options, const struct rapl_zones *found, struct error *err)
{
    size_t packages;
    const struct rapl_zone *blocking = rapl_blocking_zone(found, &packages);
    if (blocking != NULL && blocking->denied)
        return error_set(err, STATUS_IO, "%s: " WAYS_OUT, blocking->fault);
    if (blocking != NULL)
        return error_set(err, STATUS_INVALID, "%s; without it the power of the CPUs is not known", blocking->fault);
    return packages != 0 ? STATUS_OK : nothing_found(options, found, err);
}

static enum status rapl_open(const struct source_options *options, void **state, struct notices *warnings,
                             struct error *err)
{
    struct rapl_zones found;
    *state = NULL;
    uint64_t mark = rapl_folder_mark(options->powercap);
    rapl_find_zones(options->powercap, &found);
    enum status status = check_zones(options, &found, err);
    if (status == STATUS_OK) {
        struct rapl *r = mem_zero(1, sizeof *r);
        r->powercap = mem_strdup(options->powercap);
        r->interval_ns = options->interval_ns > 0 ? options->interval_ns : (int64_t)NS_PER_S;
        r->mark = mark;
        qsort(found.zones.v, found.zones.n, sizeof found.zones.v[0], by_name);
        for (size_t i = 0; i < found.zones.n; i++) {
            struct rapl_zone *z = &found.zones.v[i];
            if (z->fault != NULL && z->twin != NULL && !z->mmio && z->depth == 0)
                notice(warnings, "%s; %s, which counts the same package, is used instead", z->fault, z->twin);
            else if (z->fault != NULL && z->twin == NULL)
                notice(warnings, "%s: %s is left out%s", z->fault, z->name,
                       z->depth != 0 ? " (it is a part of its package, which counts)" : "");
            else if (z->twin == NULL)
                add_counter(r, z, true);
        }
        r->last_ns = clock_ns(CLOCK_MONOTONIC);
        *state = r;
        /* Read again: finding the zones took a while, and the baseline should be of one moment. */
        struct source_reading baseline;
        source_rapl.read(r, r->last_ns, NAN, &baseline, warnings);
    }
    rapl_zones_free(&found);
    return status;
}

static struct counter *counter_of(struct rapl *r, const struct rapl_zone *zone, bool by_path)
{
    for (size_t i = 0; i < r->counters.n; i++)
        if (strcmp(by_path ? r->counters.v[i].zone.path : r->counters.v[i].zone.name,
                   by_path ? zone->path : zone->name) == 0)
            return &r->counters.v[i];
    return NULL;
}

/* ZONE has the name of C's zone and another path. If C's zone is gone, ZONE takes its place: it was moved. */
static void move_counter(struct rapl *r, struct counter *c, struct rapl_zone *zone)
{
    uint64_t ignored;
    char fault[PATH_MAX + 128];
    if (c->zone.mmio != zone->mmio || rapl_read_energy(&c->zone, &ignored, fault, sizeof fault))
        return;
    struct source_domain *domain = &r->domains.v[c - r->counters.v];
    rapl_zone_free(&c->zone);
    c->zone = *zone;
    *zone = (struct rapl_zone){0};
    domain->name = c->zone.name;
    domain->path = c->zone.path;
    domain->range_uj = c->zone.range_uj;
}

/* True if ZONE is a sub-zone of a package that is already read through its other zone (see name_zone). */
static bool is_part_of_twin(const struct rapl *r, const struct rapl_zone *zone)
{
    size_t package = strcspn(zone->name, "/");
    for (size_t i = 0; i < r->counters.n; i++) {
        const struct rapl_zone *z = &r->counters.v[i].zone;
        if (z->mmio != zone->mmio && strlen(z->name) == package && strncmp(z->name, zone->name, package) == 0)
            return zone->depth != 0;
    }
    return false;
}

/* Adds zones that were not there before, and follows zones that were moved. */
static void add_new_zones(struct rapl *r, struct notices *warnings)
{
    struct rapl_zones found;
    rapl_find_zones(r->powercap, &found);
    for (size_t i = 0; i < found.zones.n; i++) {
        struct rapl_zone *z = &found.zones.v[i];
        if (z->twin != NULL || counter_of(r, z, true) != NULL || is_part_of_twin(r, z))
            continue;
        if (z->fault != NULL) {
            if (z->depth == 0)
                r->mark = 0; /* it may be a package that is just being created: try again at the next reading */
            continue;
        }
        struct counter *same = counter_of(r, z, false);
        if (same != NULL) {
            move_counter(r, same, z);
            continue;
        }
        if (z->package)
            notice(warnings, "%s has appeared, and counts from here on (%s)", z->name, z->path);
        add_counter(r, z, false);
    }
    rapl_zones_free(&found);
}

/* Reads every counter into now_uj. False if a counted one cannot be read. */
static bool read_counters(struct rapl *r, struct notices *warnings)
{
    bool good = true;
    char fault[PATH_MAX + 128];
    for (size_t i = 0; i < r->counters.n; i++) {
        struct counter *c = &r->counters.v[i];
        c->has_now = rapl_read_energy(&c->zone, &c->now_uj, fault, sizeof fault);
        if (c->has_now || (c->counted && !c->has_before))
            continue;
        if (!c->warned)
            notice(warnings, c->counted ? "%s: the cycle goes on until it can be read" : "%s", fault);
        c->warned = true;
        good = good && !c->counted;
    }
    return good;
}

/* True if a counter may have wrapped around once more than it shows: never in a cycle of about the usual length. */
static bool may_have_wrapped(const struct rapl *r, const struct counter *c, int64_t elapsed_ns)
{
    if (elapsed_ns <= 2 * r->interval_ns)
        return false;
    double range_j = (double)c->zone.range_uj / UJ_PER_J;
    double bound_w = c->highest_w > 0 ? POWER_MARGIN * c->highest_w : fmin(UNKNOWN_W, range_j / UNKNOWN_S);
    return bound_w * ((double)elapsed_ns / NS_PER_S) >= range_j;
}

/* Energy since the last good reading, of each domain and of all counted ones. False if the latter is unknown. */
static bool take_differences(struct rapl *r, int64_t elapsed_ns, uint64_t *counted_uj, struct notices *warnings)
{
    bool known = true;
    *counted_uj = 0;
    for (size_t i = 0; i < r->counters.n; i++) {
        struct counter *c = &r->counters.v[i];
        uint64_t moved = 0;
        r->domain_uj[i] = UINT64_MAX;
        if (!c->has_now || !c->has_before)
            continue;
        if (!rapl_counter_moved(c->before_uj, c->now_uj, c->zone.range_uj, &moved)) {
            known = known && !c->counted;
            continue;
        }
        if (may_have_wrapped(r, c, elapsed_ns)) {
            if (c->counted)
                notice(warnings,
                       "%.1f s passed between two readings, in which the counter of %s (%.0f J) may have gone "
                       "round more than once: that cycle has no power",
                       (double)elapsed_ns / NS_PER_S, c->zone.name, (double)c->zone.range_uj / UJ_PER_J);
            known = known && !c->counted;
            continue;
        }
        r->domain_uj[i] = moved;
        if (c->counted)
            *counted_uj += moved;
    }
    return known;
}

/* Makes this reading the one that the next is compared with. */
static void store_counters(struct rapl *r, int64_t elapsed_ns, bool known)
{
    for (size_t i = 0; i < r->counters.n; i++) {
        struct counter *c = &r->counters.v[i];
        if (!known)
            r->domain_uj[i] = UINT64_MAX;
        else if (r->domain_uj[i] != UINT64_MAX && elapsed_ns > 0)
            c->highest_w = fmax(c->highest_w, (double)r->domain_uj[i] / UJ_PER_J / ((double)elapsed_ns / NS_PER_S));
        if (c->has_now) {
            c->before_uj = c->now_uj;
            c->has_before = true;
            c->warned = false;
        }
    }
}

static void rapl_read(void *state, int64_t now_ns, double load, struct source_reading *reading,
                      struct notices *warnings)
{
    struct rapl *r = state;
    (void)load;
    *reading =
        (struct source_reading){.outcome = SOURCE_WAIT, .energy_j = NAN, .power_w = NAN, .domain_uj = r->domain_uj};
    uint64_t mark = rapl_folder_mark(r->powercap);
    bool changed = mark != r->mark;
    r->mark = mark;
    if (changed)
        add_new_zones(r, warnings);
    reading->domain_uj = r->domain_uj;
    if (!read_counters(r, warnings)) {
        for (size_t i = 0; i < r->counters.n; i++)
            r->domain_uj[i] = UINT64_MAX;
        r->mark = 0; /* its zone may have been moved: look for it at the next reading */
        r->late = true;
        return;
    }
    int64_t elapsed_ns = now_ns - r->last_ns;
    uint64_t counted_uj;
    bool known = take_differences(r, elapsed_ns, &counted_uj, warnings);
    store_counters(r, elapsed_ns, known);
    reading->outcome = !known ? SOURCE_RESET : r->late ? SOURCE_LATE : SOURCE_OK;
    if (known)
        reading->energy_j = (double)counted_uj / UJ_PER_J;
    r->late = false;
    r->last_ns = now_ns;
}

static const struct source_domain *rapl_domains(void *state, size_t *count)
{
    const struct rapl *r = state;
    *count = r->domains.n;
    return r->domains.v;
}

static void rapl_close(void *state)
{
    struct rapl *r = state;
    if (r == NULL)
        return;
    for (size_t i = 0; i < r->counters.n; i++)
        rapl_zone_free(&r->counters.v[i].zone);
    vec_free(&r->counters);
    vec_free(&r->domains);
    free(r->domain_uj);
    free(r->powercap);
    free(r);
}

static bool rapl_examine(const struct source_options *options, struct notices *texts)
{
    struct rapl_zones found;
    struct error err = {0};
    size_t packages = 0;
    rapl_find_zones(options->powercap, &found);
    for (size_t i = 0; i < found.zones.n; i++) {
        const struct rapl_zone *z = &found.zones.v[i];
        if (z->twin != NULL)
            notice(texts, "%s (%s): the same as %s, not counted twice", z->id, z->name, z->twin);
        else if (z->fault != NULL)
            notice(texts, "%s (%s): not usable: %s", z->id, z->name, z->fault);
        else
            notice(texts, "%s (%s): readable, %s, range %.0f J", z->id, z->name,
                   z->package      ? "counts"
                   : z->depth != 0 ? "a part of its package, not added"
                                   : "for information, not added",
                   (double)z->range_uj / UJ_PER_J);
    }
    for (size_t i = 0; i < found.dangling.n; i++)
        notice(texts, "%s: leads nowhere", found.dangling.v[i]);
    bool works = check_zones(options, &found, &err) == STATUS_OK;
    (void)rapl_blocking_zone(&found, &packages);
    if (!works)
        notice(texts, "does not work: %s", err.text);
    else
        notice(texts, "works: %zu CPU package%s%s", packages, packages == 1 ? "" : "s, added up",
               packages == 1 ? "" : "; PowerJoular reads the first package only and so gives less");
    rapl_zones_free(&found);
    return works;
}

const struct power_source source_rapl = {
    .name = "rapl",
    .summary = "the energy counters of the CPU packages (powercap)",
    .open = rapl_open,
    .read = rapl_read,
    .domains = rapl_domains,
    .close = rapl_close,
    .examine = rapl_examine,
};
