/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flame.html, a page that needs no other file. Its text, style and script are flame.html.in, flame.css and flame.js,
 * which the build puts into flame_page.h; flame_json writes its data. */
#include "joular/report.h"

#include "flametree.h"
#include "joular/text.h"
#include "src/report/flame_page.h"

#include <inttypes.h>
#include <math.h>
#include <time.h>

#define TOP 20
#define SHOWN_NAME 300 /* bytes of a name that are shown to readers without scripts */

struct page {
    const struct result *r;
    const struct flame_tree *tree;
    const struct flame_sides *sides;
    FILE *out;
};

void flame_put_text(const char *text, size_t length, FILE *out)
{
    char shown[SHOWN_NAME];
    size_t shown_length = text_printable(shown, sizeof shown, text, length);
    for (size_t i = 0; i < shown_length; i++)
        switch (shown[i]) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            putc_unlocked(shown[i], out);
        }
    if (length >= sizeof shown)
        fputs("\u2026", out);
}

static void put_joules(double j, FILE *out)
{
    fprintf(out, "%.*f J", j >= 10000 || j == 0 ? 0 : j >= 100 ? 1 : j >= 1 ? 2 : 4, j);
}

static void put_facts(const struct page *p)
{
    const struct result *r = p->r;
    time_t start = (time_t)(r->recording_start_ns / 1000000000);
    struct tm tm;
    char text[64];
    if (p->sides != NULL) {
        p->sides->facts(p->sides->context, p->out);
        return;
    }
    if (r->runs.n != 0)
        fprintf(p->out, "%zu runs \u00b7 ", r->runs.n);
    if (r->jvm_name != NULL) {
        flame_put_text(r->jvm_name, strlen(r->jvm_name), p->out);
        fputs(" \u00b7 ", p->out);
    }
    if (r->pid != 0)
        fprintf(p->out, "pid %" PRId64 " \u00b7 ", r->pid);
    if (start != 0 && gmtime_r(&start, &tm) != NULL && strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &tm) != 0)
        fprintf(p->out, "<time>%s</time> \u00b7 ", text);
    fprintf(p->out, "%.1f s with power, source: ", r->power_s);
    if (r->power_source != NULL)
        flame_put_text(r->power_source, strlen(r->power_source), p->out);
    else
        fputs(r->runs.n > 1 ? "several, or not said" : "not said", p->out);
    if (r->estimated)
        fputs(" (computed from load, not measured)", p->out);
}

/* ---- For readers without scripts ---- */

static void put_total(const struct page *p, const char *name, double j, bool of_process)
{
    fprintf(p->out, "<tr><th scope=\"row\">%s</th><td>", name);
    put_joules(j, p->out);
    fputs("</td><td>", p->out);
    if (of_process)
        fprintf(p->out, "%.1f %%", p->r->process_j > 0 ? 100 * j / p->r->process_j : 0);
    fputs("</td></tr>\n", p->out);
}

static int by_own_energy(const void *left, const void *right)
{
    const struct result_method *a = left, *b = right;
    if (a->own_j != b->own_j)
        return a->own_j > b->own_j ? -1 : 1;
    return a->name < b->name ? -1 : a->name > b->name;
}

static void put_method(const struct page *p, const struct result_method *m)
{
    const struct intern_text *name = result_name(p->r, m->name);
    fputs("<tr><th scope=\"row\"><bdi>", p->out);
    flame_put_text(name->text, name->length, p->out);
    fputs("</bdi></th><td>", p->out);
    put_joules(m->own_j, p->out);
    fputs("</td><td>", p->out);
    if (m->own_samples == 0)
        fputs("counted", p->out);
    else if (isnan(m->own_half_width_j))
        fputs("\u00b1 ?", p->out);
    else
        fputs("\u00b1 ", p->out), put_joules(m->own_half_width_j, p->out);
    fprintf(p->out, "</td><td>%.1f %%</td></tr>\n", 100 * m->own_j / p->r->process_j);
}

static void put_summary(const struct page *p)
{
    static const char *const rows[NATIVE_ROWS] = {"GC", "JIT", "JFR", "VM"};
    const struct result *r = p->r;
    const char *estimated = r->estimated ? " (estimated)" : "";
    if (p->sides != NULL) {
        p->sides->summary(p->sides->context, p->out);
        return;
    }
    struct method_list top = {mem_zero(r->methods.n, sizeof *top.v), r->methods.n, 0};
    fprintf(p->out, "<h2>Where it went%s</h2>\n<table>\n", estimated);
    if (!r->process_power_only)
        put_total(p, "machine", r->machine_j, false);
    put_total(p, "process", r->process_j, true);
    put_total(p, "Java methods", r->java_j, true);
    for (int row = 0; row < NATIVE_ROWS; row++)
        put_total(p, rows[row], r->native_j[row], true);
    put_total(p, flame_unattributed, r->unattributed_j, true);
    put_total(p, flame_outside, r->outside_j, true);
    if (r->left_out_j > 0)
        put_total(p, flame_left_out, r->left_out_j, true);
    fprintf(p->out, "</table>\n<h2>Top methods by own energy, 95 %% interval, share of process%s</h2>\n<table>\n",
            estimated);
    if (top.n != 0) {
        memcpy(top.v, r->methods.v, top.n * sizeof *top.v);
        qsort(top.v, top.n, sizeof *top.v, by_own_energy);
    }
    for (size_t i = 0; i < top.n && i < TOP && top.v[i].own_j > 0; i++)
        put_method(p, &top.v[i]);
    fputs("</table>\n<p>The flame graph itself needs JavaScript.</p>\n", p->out);
    free(top.v);
}

/* ---- The page ---- */

static void put_style(const struct page *p)
{
    fwrite(flame_css, 1, sizeof flame_css, p->out);
}

static void put_script(const struct page *p)
{
    fwrite(flame_js, 1, sizeof flame_js, p->out);
}

static void put_data(const struct page *p)
{
    flame_json(p->r, p->tree, p->sides, p->out);
}

static void put_title(const struct page *p)
{
    fputs(p->sides != NULL ? "What became more, what less" : "Where the joules went", p->out);
}

static void put_estimated(const struct page *p)
{
    if (p->r->estimated)
        fputs(" <span class=\"estimated\">(estimated)</span>", p->out);
}

static const struct {
    const char *word;
    void (*put)(const struct page *page);
} parts[] = {{"@STYLE@", put_style},     {"@SCRIPT@", put_script},       {"@DATA@", put_data},   {"@FACTS@", put_facts},
             {"@SUMMARY@", put_summary}, {"@ESTIMATED@", put_estimated}, {"@TITLE@", put_title}, {NULL, NULL}};

void report_flame_html(const struct result *result, const struct name_filter *application, FILE *out)
{
    flame_page(result, application, NULL, out);
}

void flame_page(const struct result *result, const struct name_filter *application, const struct flame_sides *sides,
                FILE *out)
{
    struct flame_tree tree;
    struct page page = {result, &tree, sides, out};
    const char *text = (const char *)flame_html, *end = text + sizeof flame_html;
    flame_tree_make(result, application, &tree);
    while (text < end) {
        size_t part = 0, length = 0;
        for (; parts[part].word != NULL; part++) {
            length = strlen(parts[part].word);
            if ((size_t)(end - text) >= length && memcmp(text, parts[part].word, length) == 0)
                break;
        }
        if (parts[part].word != NULL)
            parts[part].put(&page);
        else
            putc_unlocked(*text, out);
        text += parts[part].word != NULL ? length : 1;
    }
    flame_tree_free(&tree);
}
