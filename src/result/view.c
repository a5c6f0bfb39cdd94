/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views of a result: frames grouped by class or package, or some branches only. */
#include "joular/result.h"

#include <regex.h>
#include <stdlib.h>

/* "a.b.C$D.m" has class "a.b.C$D" and package "a.b". A name in brackets, or without a dot, stays as it is. The address
 * of a hidden class ("C$$Lambda/0x0..") is a part of the class name. */
static uint32_t group_name(struct intern *names, uint32_t name, enum view_group group)
{
    struct intern_text text = names->texts.v[name];
    size_t length = text.length;
    if (group == GROUP_METHOD || length == 0 || text.text[0] == '[')
        return name;
    for (int dots = group == GROUP_CLASS ? 1 : 2; dots > 0; dots--) {
        const char *dot = memrchr(text.text, '.', length);
        if (dot == NULL)
            return dots == 2 || group == GROUP_CLASS ? name
                                                     : intern_bytes(names, "(no package)", strlen("(no package)"));
        length = (size_t)(dot - text.text);
    }
    return intern_bytes(names, text.text, length);
}

/* Makes MATCHES: by name, whether EXPRESSION matches it; NULL where EXPRESSION is NULL. */
static enum status match_names(const struct intern *names, const char *expression, const char *option, bool **matches,
                               struct error *err)
{
    regex_t regex;
    *matches = NULL;
    if (expression == NULL)
        return STATUS_OK;
    int code = regcomp(&regex, expression, REG_EXTENDED | REG_NOSUB);
    if (code != 0) {
        char why[200];
        regerror(code, &regex, why, sizeof why);
        return error_set(err, STATUS_INVALID, "%s: \"%s\" is no regular expression: %s", option, expression, why);
    }
    *matches = mem_zero(names->texts.n, sizeof **matches);
    for (size_t i = 0; i < names->texts.n; i++)
        (*matches)[i] = regexec(&regex, names->texts.v[i].text, 0, NULL, 0) == 0;
    regfree(&regex);
    return STATUS_OK;
}

struct choice {
    bool *include, *exclude;
};

static bool stays(const struct choice *choice, const uint32_t *frames, uint32_t count)
{
    bool included = choice->include == NULL;
    for (uint32_t f = 0; f < count; f++) {
        included |= choice->include != NULL && choice->include[frames[f]];
        if (choice->exclude != NULL && choice->exclude[frames[f]])
            return false;
    }
    return included;
}

/* By branch of R: its branch in OUT, or UINT32_MAX. */
static uint32_t *map_branches(const struct result *r, const struct choice *choice, enum view_group group,
                              struct result *out)
{
    const struct branch_set *set = &r->branches;
    uint32_t *map = mem_zero(set->list.n, sizeof *map);
    uint32_t *groups = mem_zero(r->names.texts.n, sizeof *groups);
    VEC(uint32_t) frames = {0};
    for (uint32_t i = 0; i < r->names.texts.n; i++)
        groups[i] = group_name(&out->names, i, group);
    for (size_t b = 0; b < set->list.n; b++) {
        const struct branch *branch = &set->list.v[b];
        const uint32_t *old = set->frames.v + branch->first;
        frames.n = 0;
        for (uint32_t f = 0; f < branch->count; f++)
            if (group == GROUP_METHOD || frames.n == 0 || frames.v[frames.n - 1] != groups[old[f]])
                vec_push(&frames, groups[old[f]]);
        map[b] = stays(choice, old, branch->count) ? branch_set_add(&out->branches, frames.v, frames.n, branch->native)
                                                   : UINT32_MAX;
    }
    vec_free(&frames);
    free(groups);
    return map;
}

static int by_branch(const void *left, const void *right)
{
    const struct result_row *a = left, *b = right;
    return a->branch < b->branch ? -1 : a->branch > b->branch;
}

/* Sorts the rows of one cycle, those of OUT from FIRST on, and adds up rows of the same branch. */
static void merge_rows(struct result *out, size_t first)
{
    size_t n = out->rows.n - first, kept = 0;
    if (n == 0)
        return; /* rows.v may be NULL */
    struct result_row *rows = out->rows.v + first;
    qsort(rows, n, sizeof *rows, by_branch);
    for (size_t i = 0; i < n; i++) {
        if (kept != 0 && rows[kept - 1].branch == rows[i].branch)
            rows[kept - 1].energy_j += rows[i].energy_j;
        else
            rows[kept++] = rows[i];
    }
    out->rows.n = first + kept;
}

static void map_rows(const struct result *r, const uint32_t *map, struct result *out)
{
    size_t at = 0;
    for (size_t i = 0; i < r->cycles.n; i++) {
        struct result_cycle cycle = r->cycles.v[i];
        size_t first = out->rows.n;
        for (; at < r->cycles.v[i].rows; at++) {
            const struct result_row *row = &r->rows.v[at];
            int native = r->branches.list.v[row->branch].native;
            if (map[row->branch] != UINT32_MAX) {
                vec_push(&out->rows, ((struct result_row){map[row->branch], row->energy_j}));
                continue;
            }
            cycle.left_out_j += row->energy_j;
            *(native >= 0 ? &cycle.native_j[native] : &cycle.java_j) -= row->energy_j;
        }
        merge_rows(out, first);
        cycle.rows = out->rows.n;
        vec_push(&out->cycles, cycle);
    }
}

static void map_uses(const struct result *r, const uint32_t *map, struct result *out)
{
    for (size_t b = 0; b < out->branches.list.n; b++)
        vec_push(&out->uses, ((struct result_use){0}));
    for (size_t b = 0; b < r->uses.n; b++) {
        if (map[b] == UINT32_MAX)
            continue;
        out->uses.v[map[b]].cpu_ns += r->uses.v[b].cpu_ns;
        out->uses.v[map[b]].samples += r->uses.v[b].samples;
    }
    for (size_t i = 0; i < r->weights.n; i++) {
        struct result_weight weight = r->weights.v[i];
        weight.branch = map[weight.branch];
        if (weight.branch != UINT32_MAX)
            vec_push(&out->weights, weight);
    }
    result_merge_weights(out);
}

enum status result_view(const struct result *r, const struct view_options *options, struct result *out,
                        struct error *err)
{
    struct choice choice = {0};
    *out = (struct result){0};
    enum status status = match_names(&r->names, options->include, "--include", &choice.include, err);
    if (status == STATUS_OK)
        status = match_names(&r->names, options->exclude, "--exclude", &choice.exclude, err);
    if (status == STATUS_OK) {
        result_copy_facts(out, r);
        for (size_t i = 0; i < r->names.texts.n; i++)
            intern_bytes(&out->names, r->names.texts.v[i].text, r->names.texts.v[i].length);
        for (size_t i = 0; i < r->threads.n; i++)
            vec_push(&out->threads, r->threads.v[i]);
        for (size_t i = 0; i < r->pauses.n; i++)
            vec_push(&out->pauses, r->pauses.v[i]);
        for (size_t i = 0; i < r->without_power.n; i++)
            vec_push(&out->without_power, r->without_power.v[i]);
        for (size_t i = 0; i < r->runs.n; i++)
            vec_push(&out->runs, r->runs.v[i]);
        uint32_t *map = map_branches(r, &choice, options->group, out);
        map_rows(r, map, out);
        map_uses(r, map, out);
        out->machine_j = out->baseline_j = out->process_j = out->java_j = out->unattributed_j = out->outside_j = 0;
        out->left_out_j = out->power_s = out->peak_machine_w = out->peak_process_w = 0;
        memset(out->native_j, 0, sizeof out->native_j);
        result_add_up(out);
        result_methods(out, NULL, NULL, &out->methods);
        free(map);
    }
    free(choice.include);
    free(choice.exclude);
    return status;
}
