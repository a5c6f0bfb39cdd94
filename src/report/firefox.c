/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile.firefox.json: the Firefox Profiler's processed format, version 60 (types in src/types/profile.ts of
 * github.com/firefox-devtools/profiler, history in its docs-developer/CHANGELOG-formats.md); newer versions of the
 * profiler convert it. Version 60 is the first with tables that all threads share.
 *
 * There is one thread for the whole process, since a result has no energy by cycle, branch and thread at once. A sample
 * is a stack in a cycle, weighted with its whole microjoules. The order of stacks within a cycle is not known: they are
 * put one after the other, each for a time in proportion to its energy. Two counters have the energy of each cycle in
 * picowatt-hours, the unit of that format's power tracks: of the process and, where it is known, of the machine.
 * GC pauses are markers. Times are milliseconds from the start of the first cycle. */
#include "joular/jsonout.h"
#include "profile.h"
#include "wholeparts.h"

#include "joular/clock.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define PWH_PER_J (1e12 / 3600)

/* The categories, and the kind of label that each is for. The format's default category is the first that is grey. */
static const struct category {
    char kind;
    const char *name, *color;
} categories[] = {
    {'r', "Other", "grey"},        {'a', "Application", "orange"},
    {'l', "Library", "blue"},      {'g', "GC", "green"},
    {'j', "JIT", "yellow"},        {'f', "JFR", "brown"},
    {'v', "VM", "purple"},         {'u', "Unattributed", "darkgrey"},
    {'o', "Outside", "lightblue"}, {'x', "Left out", "lightred"},
};
#define CATEGORIES (sizeof categories / sizeof categories[0])
#define CATEGORY_GC 3

static size_t category_of(char kind)
{
    size_t i = 0;
    while (i + 1 < CATEGORIES && categories[i].kind != kind)
        i++;
    return i;
}

struct page {
    const struct profile *p;
    double *starts_s; /* of the cycles */
    struct jsonout *out;
};

static double end_ms(const struct page *page, size_t cycle)
{
    return page->starts_s[cycle] * 1e3 + (double)page->p->r->cycles.v[cycle].interval_ns / 1e6;
}

static void put_ms(struct jsonout *out, const char *key, double ms)
{
    json_fixed(out, key, ms, 6);
}

static void put_same(struct jsonout *out, const char *key, size_t n, const char *value)
{
    JSON_LIST(out, key, n, json_raw(out, NULL, value));
}

/* ---- Meta ---- */

static void put_category(const struct category *category, struct jsonout *out)
{
    json_open(out, NULL, '{');
    json_string(out, "name", category->name);
    json_string(out, "color", category->color);
    json_raw(out, "subcategories", "[\"Other\"]");
    json_close(out, '}');
}

static void put_entry(struct jsonout *out, const char *label, const char *value)
{
    json_open(out, NULL, '{');
    json_string(out, "label", label);
    json_string(out, "format", "string");
    json_string(out, "value", value);
    json_close(out, '}');
}

static void put_meta(const struct page *page)
{
    const struct result *r = page->p->r;
    struct jsonout *out = page->out;
    size_t n = r->cycles.n;
    double length_ms = n != 0 ? end_ms(page, n - 1) : 0;
    double start_ms =
        n != 0 ? (double)time_difference(r->cycles.v[0].realtime_ns, r->cycles.v[0].interval_ns) / 1e6 : 0;
    json_open(out, "meta", '{');
    json_raw(out, NULL,
             "\"preprocessedProfileVersion\":60,\"version\":33,\"product\":\"joular-jfr\",\"importedFrom\":"
             "\"joular-analyze " PACKAGE_VERSION "\",\"processType\":0,\"stackwalk\":1,\"symbolicated\":true,"
             "\"symbolicationNotSupported\":true,\"sourceCodeIsNotOnSearchfox\":true,\"usesOnlyOneStackType\":true");
    put_ms(out, "interval", n != 0 ? length_ms / (double)n : 1);
    put_ms(out, "startTime", start_ms);
    json_integer(out, "profilingStartTime", 0);
    /* the last counts are at the end of the last cycle, and the range does not include its end */
    put_ms(out, "profilingEndTime", length_ms + 1);
    if (r->cpus > 0)
        json_integer(out, "logicalCPUs", r->cpus);
    if (r->cpu_model != NULL)
        json_string(out, "CPUName", r->cpu_model);
    JSON_LIST(json_line(out), "categories", CATEGORIES, put_category(&categories[i], out));
    json_raw(json_line(out), "markerSchema",
             "[{\"name\":\"GCPause\",\"tooltipLabel\":\"GC pause: {marker.name}\",\"tableLabel\":"
             "\"{marker.data.collector} {marker.data.phase}: {marker.data.cause}\",\"chartLabel\":\"{marker.name}\","
             "\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],\"fields\":["
             "{\"key\":\"energy\",\"label\":\"Energy of the process (J)\",\"format\":\"decimal\"},"
             "{\"key\":\"collector\",\"label\":\"Collector\",\"format\":\"string\"},"
             "{\"key\":\"phase\",\"label\":\"Phase\",\"format\":\"string\"},"
             "{\"key\":\"cause\",\"label\":\"Cause\",\"format\":\"string\"},"
             "{\"key\":\"gc\",\"label\":\"Collection\",\"format\":\"string\"}]}]");
    json_open(json_line(out), "extra", '[');
    json_open(out, NULL, '{');
    json_string(out, "label", "Energy");
    json_open(out, "entries", '[');
    put_entry(out, "Weights of samples", "microjoules");
    put_entry(out, "Power", r->estimated ? "computed from load, not measured" : "measured");
    put_entry(out, "Power source", r->power_source != NULL ? r->power_source : "not said");
    json_close(out, ']');
    json_close(out, '}');
    json_close(out, ']');
    json_close(out, '}');
    json_raw(json_line(out), "libs", "[]");
    json_raw(out, "pages", "[]");
}

/* ---- Tables that all threads share: a frame and a function for each label, a stack for each node ---- */

static void put_shared(const struct page *page)
{
    const struct flame_tree *tree = &page->p->tree;
    size_t labels = tree->labels.n, stacks = tree->nodes.n - 1; /* without the root */
    const struct flame_node *nodes = tree->nodes.v + 1;
    struct jsonout *out = page->out;
    json_open(json_line(out), "shared", '{');
    json_open(out, "stackTable", '{');
    JSON_LIST(out, "frame", stacks, json_whole(out, NULL, nodes[i].label));
    JSON_LIST(json_line(out), "prefix", stacks, {
        if (nodes[i].parent == FLAME_ROOT)
            json_raw(out, NULL, "null");
        else
            json_whole(out, NULL, nodes[i].parent - 1);
    });
    json_whole(out, "length", stacks);
    json_close(out, '}');
    json_open(json_line(out), "frameTable", '{');
    JSON_LIST(out, "func", labels, json_whole(out, NULL, i));
    JSON_LIST(out, "category", labels, json_whole(out, NULL, category_of(tree->labels.v[i].kind)));
    put_same(out, "subcategory", labels, "0");
    put_same(out, "address", labels, "-1");
    put_same(out, "inlineDepth", labels, "0");
    put_same(out, "nativeSymbol", labels, "null");
    put_same(out, "innerWindowID", labels, "null");
    put_same(out, "line", labels, "null");
    put_same(out, "column", labels, "null");
    json_whole(out, "length", labels);
    json_close(out, '}');
    json_open(json_line(out), "funcTable", '{');
    JSON_LIST(out, "name", labels, json_whole(out, NULL, i));
    put_same(out, "isJS", labels, "false");
    put_same(out, "relevantForJS", labels, "false");
    put_same(out, "resource", labels, "-1");
    put_same(out, "source", labels, "null");
    put_same(out, "lineNumber", labels, "null");
    put_same(out, "columnNumber", labels, "null");
    json_whole(out, "length", labels);
    json_close(out, '}');
    json_raw(json_line(out), "resourceTable", "{\"lib\":[],\"name\":[],\"host\":[],\"type\":[],\"length\":0}");
    json_raw(out, "nativeSymbols", "{\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[],\"length\":0}");
    json_raw(out, "sources", "{\"uuid\":[],\"filename\":[],\"length\":0}");
    json_open(json_line(out), "stringArray", '[');
    for (size_t i = 0; i < labels; i++) {
        struct intern_text name = flame_label_text(page->p->r, &tree->labels.v[i]);
        json_text(out, NULL, name.text, name.length);
    }
    for (size_t i = 0; i < PAUSE_TYPES; i++)
        json_string(out, NULL, pause_type_names[i]);
    json_close(out, ']');
    json_close(out, '}');
}

/* ---- Samples ---- */

struct moment {
    double ms;
    int64_t weight;
    uint32_t node; /* FLAME_ROOT: none */
};

struct moments {
    const struct page *page;
    struct whole_run *runs; /* by node */
    double *cycle_uj, *passed_uj;
    VEC(struct moment) list;
};

static void add_to_cycle(void *context, size_t cycle, uint32_t node, double uj)
{
    struct moments *m = context;
    (void)node;
    m->cycle_uj[cycle] += uj;
}

static void add_moment(void *context, size_t cycle, uint32_t node, double uj)
{
    struct moments *m = context;
    const struct page *page = m->page;
    int64_t weight =
        whole_piece(&m->runs[node], uj, page->p->own[WEIGHT_ENERGY][node], page->p->whole[WEIGHT_ENERGY][node]);
    double part = m->passed_uj[cycle] / m->cycle_uj[cycle];
    double ms = page->starts_s[cycle] * 1e3 + part * (double)page->p->r->cycles.v[cycle].interval_ns / 1e6;
    m->passed_uj[cycle] += uj;
    if (weight != 0)
        vec_push(&m->list, ((struct moment){ms, weight, node}));
}

static int by_time(const void *left, const void *right)
{
    const struct moment *a = left, *b = right;
    if (a->ms != b->ms)
        return a->ms < b->ms ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

/* A cycle without energy has one sample without a stack, so that the sample before it does not seem to go on. */
static void moments_make(const struct page *page, struct moments *m)
{
    const struct result *r = page->p->r;
    *m = (struct moments){.page = page,
                          .runs = mem_zero(page->p->tree.nodes.n, sizeof *m->runs),
                          .cycle_uj = mem_zero(r->cycles.n, sizeof *m->cycle_uj),
                          .passed_uj = mem_zero(r->cycles.n, sizeof *m->passed_uj)};
    profile_each_energy(page->p, add_to_cycle, m);
    profile_each_energy(page->p, add_moment, m);
    for (size_t i = 0; i < r->cycles.n; i++)
        if (!(m->cycle_uj[i] > 0))
            vec_push(&m->list, ((struct moment){page->starts_s[i] * 1e3, 0, FLAME_ROOT}));
    if (m->list.n != 0)
        qsort(m->list.v, m->list.n, sizeof *m->list.v, by_time);
}

static void moments_free(struct moments *m)
{
    free(m->runs);
    free(m->cycle_uj);
    free(m->passed_uj);
    vec_free(&m->list);
}

static void put_samples(const struct page *page)
{
    struct jsonout *out = page->out;
    struct moments m;
    moments_make(page, &m);
    json_open(out, "samples", '{');
    json_string(out, "weightType", "samples");
    JSON_LIST(out, "stack", m.list.n, {
        if (m.list.v[i].node == FLAME_ROOT)
            json_raw(out, NULL, "null");
        else
            json_whole(out, NULL, m.list.v[i].node - 1);
    });
    JSON_LIST(json_line(out), "time", m.list.n, put_ms(out, NULL, m.list.v[i].ms));
    JSON_LIST(json_line(out), "weight", m.list.n, json_integer(out, NULL, m.list.v[i].weight));
    json_whole(out, "length", m.list.n);
    json_close(out, '}');
    moments_free(&m);
}

/* ---- GC pauses ---- */

/* A pause's start on the page's time axis, by the cycle it begins in or else the next one; both have the wall clock. */
static double pause_ms(const struct page *page, const struct result_pause *pause, size_t *cycle)
{
    const struct result *r = page->p->r;
    if (r->cycles.n == 0)
        return 0;
    while (*cycle + 1 < r->cycles.n && r->cycles.v[*cycle].realtime_ns < pause->start_ns)
        ++*cycle;
    return end_ms(page, *cycle) - (double)time_difference(r->cycles.v[*cycle].realtime_ns, pause->start_ns) / 1e6;
}

static void put_name_of(const struct result *r, const char *key, uint32_t name, struct jsonout *out)
{
    json_text(out, key, result_name(r, name)->text, result_name(r, name)->length);
}

static void put_pause(const struct result *r, const struct result_pause *pause, struct jsonout *out)
{
    char id[24];
    snprintf(id, sizeof id, "%" PRIu64, pause->gc_id);
    json_open(out, NULL, '{');
    json_string(out, "type", "GCPause");
    json_string(out, "gc", id);
    put_name_of(r, "collector", pause->collector, out);
    put_name_of(r, "phase", pause->phase, out);
    put_name_of(r, "cause", pause->cause, out);
    json_number(out, "energy", pause->energy_j);
    json_close(out, '}');
}

static void put_markers(const struct page *page)
{
    const struct result *r = page->p->r;
    size_t n = r->pauses.n, labels = page->p->tree.labels.n, cycle = 0;
    double *starts_ms = mem_zero(n, sizeof *starts_ms);
    struct jsonout *out = page->out;
    for (size_t i = 0; i < n; i++)
        starts_ms[i] = pause_ms(page, &r->pauses.v[i], &cycle);
    json_open(json_line(out), "markers", '{');
    JSON_LIST(out, "data", n, put_pause(r, &r->pauses.v[i], out));
    JSON_LIST(json_line(out), "name", n, json_whole(out, NULL, labels + r->pauses.v[i].type));
    JSON_LIST(json_line(out), "startTime", n, put_ms(out, NULL, starts_ms[i]));
    JSON_LIST(json_line(out), "endTime", n, put_ms(out, NULL, starts_ms[i] + (double)r->pauses.v[i].duration_ns / 1e6));
    put_same(out, "phase", n, "1"); /* an interval */
    JSON_LIST(out, "category", n, json_integer(out, NULL, CATEGORY_GC));
    json_whole(out, "length", n);
    json_close(out, '}');
    free(starts_ms);
}

/* ---- Threads and counters ---- */

/* The format's process numbers are strings. */
static void put_pid(struct jsonout *out, int64_t pid)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, pid);
    json_string(out, "pid", text);
}

static void put_thread(const struct page *page)
{
    const struct result *r = page->p->r;
    struct jsonout *out = page->out;
    json_open(json_line(out), "threads", '[');
    json_open(out, NULL, '{');
    json_string(out, "name", "All threads");
    json_string(out, "processName", r->jvm_name != NULL ? r->jvm_name : "Java");
    put_pid(out, r->pid);
    json_integer(out, "tid", r->pid);
    json_raw(out, NULL,
             "\"isMainThread\":true,\"processType\":\"default\",\"processStartupTime\":0,\"processShutdownTime\":null,"
             "\"registerTime\":0,\"unregisterTime\":null,\"pausedRanges\":[],\"showMarkersInTimeline\":true");
    json_line(out);
    put_samples(page);
    put_markers(page);
    json_close(out, '}');
    json_close(out, ']');
}

static double process_j(const struct result_cycle *cycle)
{
    return cycle->process_j;
}

static double machine_j(const struct result_cycle *cycle)
{
    return isnan(cycle->power_w) ? 0 : (cycle->power_w + cycle->baseline_w) * (double)cycle->interval_ns / 1e9;
}

/* A count is for the time since the count before it, so where there is a gap between cycles, a count of 0 ends it. The
 * profiler takes the first count for 0. */
static void put_counter(const struct page *page, const char *name, const char *description,
                        double (*joules)(const struct result_cycle *))
{
    const struct result *r = page->p->r;
    struct jsonout *out = page->out;
    struct whole_run run = {0};
    double total = 0, before_ms = -1;
    VEC(struct moment) counts = {0};
    for (size_t i = 0; i < r->cycles.n; i++)
        total += joules(&r->cycles.v[i]) * PWH_PER_J;
    for (size_t i = 0; i < r->cycles.n; i++) {
        double start_ms = page->starts_s[i] * 1e3;
        if (start_ms > before_ms + 0.001)
            vec_push(&counts, ((struct moment){.ms = start_ms}));
        before_ms = end_ms(page, i);
        int64_t pwh = whole_piece(&run, joules(&r->cycles.v[i]) * PWH_PER_J, total, llround(fmin(total, WHOLE_MOST)));
        vec_push(&counts, ((struct moment){.ms = before_ms, .weight = pwh}));
    }
    json_open(out, NULL, '{');
    json_string(out, "name", name);
    json_string(out, "category", "power");
    json_string(out, "description", description);
    put_pid(out, r->pid);
    json_integer(out, "mainThreadIndex", 0);
    json_open(out, "samples", '{');
    JSON_LIST(out, "time", counts.n, put_ms(out, NULL, counts.v[i].ms));
    JSON_LIST(json_line(out), "count", counts.n, json_integer(out, NULL, counts.v[i].weight));
    json_whole(out, "length", counts.n);
    json_close(out, '}');
    json_close(out, '}');
    vec_free(&counts);
}

static void put_counters(const struct page *page)
{
    json_open(json_line(page->out), "counters", '[');
    put_counter(page, "Process power", "Power of the process", process_j);
    if (!page->p->r->process_power_only) {
        json_line(page->out);
        put_counter(page, "Machine power", "Power of the machine", machine_j);
    }
    json_close(page->out, ']');
}

static void write_firefox(const struct report_input *input, bool header, FILE *stream)
{
    struct profile p;
    struct jsonout out = {.stream = stream, .in_script = true};
    struct page page = {.p = &p, .out = &out};
    (void)header;
    profile_make(input, &p);
    page.starts_s = flame_cycle_starts(p.r);
    json_open(&out, NULL, '{');
    put_meta(&page);
    put_counters(&page);
    put_shared(&page);
    put_thread(&page);
    json_close(&out, '}');
    json_end(json_line(&out));
    free(page.starts_s);
    profile_free(&p);
}

const struct report_form report_firefox = {.format = "firefox", .file = "profile.firefox.json", .write = write_firefox};
