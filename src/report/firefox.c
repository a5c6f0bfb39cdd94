/* profile.firefox.json: the Firefox Profiler's processed format, version 60 (types in src/types/profile.ts of
 * github.com/firefox-devtools/profiler, history in its docs-developer/CHANGELOG-formats.md); newer readers make it
 * theirs. Version 60 is the first with tables that all threads share.
 *
 * One thread, of the whole process, since a result has no energy by cycle, branch and thread at once. A sample is a
 * stack in a cycle, weighted with its whole microjoules. What happened within a cycle is not known: there its stacks
 * come one behind the other, each for a time in proportion to its energy. Two counters have the energy of each cycle
 * in picowatt-hours, the unit of that format's power tracks: of the process and, where it is known, of the machine.
 * GC pauses are markers. Times are milliseconds from the start of the first cycle. */
#include "joular/text.h"
#include "jsonput.h"
#include "profile.h"
#include "wholeparts.h"

#include "joular/clock.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define PWH_PER_J (1e12 / 3600)

/* By kind of a label: the place in the list of categories. The first that is grey is what has none. */
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
    FILE *out;
};

static double end_ms(const struct page *page, size_t cycle)
{
    return page->starts_s[cycle] * 1e3 + (double)page->p->r->cycles.v[cycle].interval_ns / 1e6;
}

static void put_text(const char *text, FILE *out)
{
    json_put_string(text, strlen(text), out);
}

static void put_ms(double ms, FILE *out)
{
    fprintf(out, "%.6f", ms);
}

/* ,"KEY":[VALUE,VALUE,...] */
static void put_same(const char *key, size_t n, const char *value, FILE *out)
{
    fprintf(out, ",\"%s\":", key);
    JSON_PUT_LIST(n, out, fputs(value, out));
}

/* ---- Meta ---- */

static void put_meta(const struct page *page)
{
    const struct result *r = page->p->r;
    FILE *out = page->out;
    size_t n = r->cycles.n;
    double length_ms = n != 0 ? end_ms(page, n - 1) : 0;
    double start_ms =
        n != 0 ? (double)time_difference(r->cycles.v[0].realtime_ns, r->cycles.v[0].interval_ns) / 1e6 : 0;
    fputs("{\"meta\":{\"preprocessedProfileVersion\":60,\"version\":33,\"product\":\"joular-jfr\",\"importedFrom\":"
          "\"joular-analyze " PACKAGE_VERSION "\",\"processType\":0,\"stackwalk\":1,\"symbolicated\":true,"
          "\"symbolicationNotSupported\":true,\"sourceCodeIsNotOnSearchfox\":true,\"usesOnlyOneStackType\":true",
          out);
    fputs(",\"interval\":", out);
    put_ms(n != 0 ? length_ms / (double)n : 1, out);
    fputs(",\"startTime\":", out);
    put_ms(start_ms, out);
    fputs(",\"profilingStartTime\":0,\"profilingEndTime\":", out);
    put_ms(length_ms + 1, out); /* the last counts stand at the end, and the range ends before its end */
    if (r->cpus > 0)
        fprintf(out, ",\"logicalCPUs\":%" PRId64, r->cpus);
    if (r->cpu_model != NULL) {
        fputs(",\"CPUName\":", out);
        put_text(r->cpu_model, out);
    }
    fputs(",\n\"categories\":", out);
    JSON_PUT_LIST(CATEGORIES, out,
                  fprintf(out, "{\"name\":\"%s\",\"color\":\"%s\",\"subcategories\":[\"Other\"]}", categories[i].name,
                          categories[i].color));
    fputs(",\n\"markerSchema\":[{\"name\":\"GCPause\",\"tooltipLabel\":\"GC pause: {marker.name}\",\"tableLabel\":"
          "\"{marker.data.collector} {marker.data.phase}: {marker.data.cause}\",\"chartLabel\":\"{marker.name}\","
          "\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],\"fields\":["
          "{\"key\":\"energy\",\"label\":\"Energy of the process (J)\",\"format\":\"decimal\"},"
          "{\"key\":\"collector\",\"label\":\"Collector\",\"format\":\"string\"},"
          "{\"key\":\"phase\",\"label\":\"Phase\",\"format\":\"string\"},"
          "{\"key\":\"cause\",\"label\":\"Cause\",\"format\":\"string\"},"
          "{\"key\":\"gc\",\"label\":\"Collection\",\"format\":\"string\"}]}]",
          out);
    fputs(",\n\"extra\":[{\"label\":\"Energy\",\"entries\":["
          "{\"label\":\"Weights of samples\",\"format\":\"string\",\"value\":\"microjoules\"},"
          "{\"label\":\"Power\",\"format\":\"string\",\"value\":",
          out);
    put_text(r->estimated ? "computed from load, not measured" : "measured", out);
    fputs("},{\"label\":\"Power source\",\"format\":\"string\",\"value\":", out);
    put_text(r->power_source != NULL ? r->power_source : "not said", out);
    fputs("}]}]},\n\"libs\":[],\"pages\":[]", out);
}

/* ---- Tables that all threads share: a frame and a function a label, a stack a node ---- */

static void put_shared(const struct page *page)
{
    const struct flame_tree *tree = &page->p->tree;
    size_t labels = tree->labels.n, stacks = tree->nodes.n - 1; /* without the root */
    const struct flame_node *nodes = tree->nodes.v + 1;
    FILE *out = page->out;
    fputs(",\n\"shared\":{\"stackTable\":{\"frame\":", out);
    JSON_PUT_LIST(stacks, out, decimal_write_signed(out, nodes[i].label));
    fputs(",\n\"prefix\":", out);
    JSON_PUT_LIST(stacks, out, {
        if (nodes[i].parent == FLAME_ROOT)
            fputs("null", out);
        else
            decimal_write_signed(out, nodes[i].parent - 1);
    });
    fprintf(out, ",\"length\":%zu},\n\"frameTable\":{\"func\":", stacks);
    JSON_PUT_LIST(labels, out, decimal_write_signed(out, (int64_t)i));
    fputs(",\"category\":", out);
    JSON_PUT_LIST(labels, out, decimal_write_signed(out, (int64_t)category_of(tree->labels.v[i].kind)));
    put_same("subcategory", labels, "0", out);
    put_same("address", labels, "-1", out);
    put_same("inlineDepth", labels, "0", out);
    put_same("nativeSymbol", labels, "null", out);
    put_same("innerWindowID", labels, "null", out);
    put_same("line", labels, "null", out);
    put_same("column", labels, "null", out);
    fprintf(out, ",\"length\":%zu},\n\"funcTable\":{\"name\":", labels);
    JSON_PUT_LIST(labels, out, decimal_write_signed(out, (int64_t)i));
    put_same("isJS", labels, "false", out);
    put_same("relevantForJS", labels, "false", out);
    put_same("resource", labels, "-1", out);
    put_same("source", labels, "null", out);
    put_same("lineNumber", labels, "null", out);
    put_same("columnNumber", labels, "null", out);
    fprintf(out,
            ",\"length\":%zu},\n\"resourceTable\":{\"lib\":[],\"name\":[],\"host\":[],\"type\":[],\"length\":0},"
            "\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[],\"length\":0},"
            "\"sources\":{\"uuid\":[],\"filename\":[],\"length\":0},\n\"stringArray\":",
            labels);
    JSON_PUT_LIST(labels + PAUSE_TYPES, out, {
        struct intern_text name = {0};
        if (i < labels)
            name = flame_label_text(page->p->r, &tree->labels.v[i]);
        if (i < labels)
            json_put_string(name.text, name.length, out);
        else
            put_text(pause_type_names[i - labels], out);
    });
    putc('}', out);
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

/* A cycle without energy has one sample without a stack, so that the one before does not seem to last. */
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
    FILE *out = page->out;
    struct moments m;
    moments_make(page, &m);
    fputs("\"samples\":{\"weightType\":\"samples\",\"stack\":", out);
    JSON_PUT_LIST(m.list.n, out, {
        if (m.list.v[i].node == FLAME_ROOT)
            fputs("null", out);
        else
            decimal_write_signed(out, m.list.v[i].node - 1);
    });
    fputs(",\n\"time\":", out);
    JSON_PUT_LIST(m.list.n, out, put_ms(m.list.v[i].ms, out));
    fputs(",\n\"weight\":", out);
    JSON_PUT_LIST(m.list.n, out, decimal_write_signed(out, m.list.v[i].weight));
    fprintf(out, ",\"length\":%zu}", m.list.n);
    moments_free(&m);
}

/* ---- GC pauses ---- */

/* By the cycle it begins in, or the next one; both are by the wall clock. */
static double pause_ms(const struct page *page, const struct result_pause *pause, size_t *cycle)
{
    const struct result *r = page->p->r;
    if (r->cycles.n == 0)
        return 0;
    while (*cycle + 1 < r->cycles.n && r->cycles.v[*cycle].realtime_ns < pause->start_ns)
        ++*cycle;
    return end_ms(page, *cycle) - (double)time_difference(r->cycles.v[*cycle].realtime_ns, pause->start_ns) / 1e6;
}

static void put_name_of(const struct result *r, const char *key, uint32_t name, FILE *out)
{
    fprintf(out, ",\"%s\":", key);
    json_put_string(result_name(r, name)->text, result_name(r, name)->length, out);
}

static void put_markers(const struct page *page)
{
    const struct result *r = page->p->r;
    size_t n = r->pauses.n, cycle = 0;
    double *starts_ms = mem_zero(n, sizeof *starts_ms);
    FILE *out = page->out;
    for (size_t i = 0; i < n; i++)
        starts_ms[i] = pause_ms(page, &r->pauses.v[i], &cycle);
    fputs(",\n\"markers\":{\"data\":", out);
    JSON_PUT_LIST(n, out, {
        const struct result_pause *pause = &r->pauses.v[i];
        fprintf(out, "{\"type\":\"GCPause\",\"gc\":\"%" PRIu64 "\"", pause->gc_id);
        put_name_of(r, "collector", pause->collector, out);
        put_name_of(r, "phase", pause->phase, out);
        put_name_of(r, "cause", pause->cause, out);
        fputs(",\"energy\":", out);
        json_put_number(pause->energy_j, out);
        putc('}', out);
    });
    fputs(",\n\"name\":", out);
    JSON_PUT_LIST(n, out, decimal_write_signed(out, (int64_t)(page->p->tree.labels.n + r->pauses.v[i].type)));
    fputs(",\n\"startTime\":", out);
    JSON_PUT_LIST(n, out, put_ms(starts_ms[i], out));
    fputs(",\n\"endTime\":", out);
    JSON_PUT_LIST(n, out, put_ms(starts_ms[i] + (double)r->pauses.v[i].duration_ns / 1e6, out));
    put_same("phase", n, "1", out); /* an interval */
    fputs(",\"category\":", out);
    JSON_PUT_LIST(n, out, decimal_write_signed(out, CATEGORY_GC));
    fprintf(out, ",\"length\":%zu}", n);
    free(starts_ms);
}

/* ---- Threads and counters ---- */

static void put_thread(const struct page *page)
{
    const struct result *r = page->p->r;
    FILE *out = page->out;
    fputs(",\n\"threads\":[{\"name\":\"All threads\",\"processName\":", out);
    put_text(r->jvm_name != NULL ? r->jvm_name : "Java", out);
    fprintf(out,
            ",\"pid\":\"%" PRId64 "\",\"tid\":%" PRId64 ",\"isMainThread\":true,\"processType\":\"default\","
            "\"processStartupTime\":0,\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null,"
            "\"pausedRanges\":[],\"showMarkersInTimeline\":true,\n",
            r->pid, r->pid);
    put_samples(page);
    put_markers(page);
    fputs("}]", out);
}

static double process_j(const struct result_cycle *cycle)
{
    return cycle->process_j;
}

static double machine_j(const struct result_cycle *cycle)
{
    return isnan(cycle->power_w) ? 0 : (cycle->power_w + cycle->baseline_w) * (double)cycle->interval_ns / 1e9;
}

/* A count is of the time since the one before it, so where cycles do not touch there is one of 0 between them. The
 * reader takes the first for 0. */
static void put_counter(const struct page *page, const char *name, const char *description,
                        double (*joules)(const struct result_cycle *))
{
    const struct result *r = page->p->r;
    FILE *out = page->out;
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
    fprintf(out,
            "{\"name\":\"%s\",\"category\":\"power\",\"description\":\"%s\",\"pid\":\"%" PRId64
            "\",\"mainThreadIndex\":0,\"samples\":{\"time\":",
            name, description, r->pid);
    JSON_PUT_LIST(counts.n, out, put_ms(counts.v[i].ms, out));
    fputs(",\n\"count\":", out);
    JSON_PUT_LIST(counts.n, out, decimal_write_signed(out, counts.v[i].weight));
    fprintf(out, ",\"length\":%zu}}", counts.n);
    vec_free(&counts);
}

static void put_counters(const struct page *page)
{
    fputs(",\n\"counters\":[", page->out);
    put_counter(page, "Process power", "Power of the process", process_j);
    if (!page->p->r->process_power_only) {
        fputs(",\n", page->out);
        put_counter(page, "Machine power", "Power of the machine", machine_j);
    }
    putc(']', page->out);
}

static void write_firefox(const struct report_input *input, bool header, FILE *out)
{
    struct profile p;
    struct page page = {.p = &p, .out = out};
    (void)header;
    profile_make(input, &p);
    page.starts_s = flame_cycle_starts(p.r);
    put_meta(&page);
    put_counters(&page);
    put_shared(&page);
    put_thread(&page);
    fputs("}\n", out);
    free(page.starts_s);
    profile_free(&p);
}

const struct report_form report_firefox = {.format = "firefox", .file = "profile.firefox.json", .write = write_firefox};
