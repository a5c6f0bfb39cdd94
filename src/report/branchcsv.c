/* SPDX-License-Identifier: GPL-3.0-or-later */
/* methods-power-all.csv and methods-power-app.csv, in the format of the Joular Code agent:
 *
 *   timestamp,branch,power_watts,energy_joules,interval_seconds,coverage
 *   %lld (ms, end of the cycle),frames joined with ";",%.9f,%.9f,%.9f,%.4f
 *
 * sorted by cycle, then energy as printed, high first, then branch. */
#include "joular/report.h"

#include "joular/arena.h"
#include "joular/sort.h"
#include "joular/text.h"

#include <stdlib.h>

static bool needs_quotes(const struct intern_text *text)
{
    for (uint32_t i = 0; i < text->length; i++)
        if (strchr(",\"\r\n", text->text[i]) != NULL && text->text[i] != '\0')
            return true;
    return false;
}

/* Rows are collected in a block that grows, and written many at a time: a stream copies less of large writes, and the
 * kernel keeps them in larger pieces. */
#define BLOCK ((size_t)1 << 20)
struct block {
    char *v;
    size_t n, cap;
};

static void write_whole_blocks(struct block *block, FILE *out)
{
    size_t whole = block->n - block->n % BLOCK;
    if (whole == 0)
        return;
    fwrite_unlocked(block->v, 1, whole, out);
    memmove(block->v, block->v + whole, block->n - whole);
    block->n -= whole;
}

static void add_bytes(struct block *block, const char *bytes, size_t length)
{
    vec_reserve(block, length);
    memcpy(block->v + block->n, bytes, length);
    block->n += length;
}

static void add_quoted(struct block *block, const struct intern_text *name)
{
    for (uint32_t i = 0; i < name->length; i++) {
        if (name->text[i] == '"')
            vec_push(block, '"');
        vec_push(block, name->text[i]);
    }
}

/* A cache of branches as the file has them, up to TEXT_ROOM bytes: most branches are in many cycles. */
#define TEXT_ROOM ((size_t)8 << 20)
struct texts {
    const struct branch_set *set;
    const struct intern *names;
    bool *quoted; /* by name: it needs quotes */
    struct text {
        const char *v; /* NULL: not kept */
        size_t n;
    } * kept; /* by branch */
    struct arena arena;
    size_t room;
};

static void texts_begin(struct texts *texts, const struct branch_set *set, const struct intern *names)
{
    *texts = (struct texts){.set = set, .names = names, .room = TEXT_ROOM};
    texts->quoted = mem_zero(names->texts.n, sizeof *texts->quoted);
    texts->kept = mem_zero(set->list.n, sizeof *texts->kept);
    for (size_t i = 0; i < names->texts.n; i++)
        texts->quoted[i] = needs_quotes(&names->texts.v[i]);
}

static void texts_end(struct texts *texts)
{
    free(texts->quoted);
    free(texts->kept);
    arena_free(&texts->arena);
}

static void join_frames(struct block *block, const struct texts *texts, const struct branch *branch)
{
    const uint32_t *frames = texts->set->frames.v + branch->first;
    bool quote = false;
    for (uint32_t f = 0; f < branch->count && !quote; f++)
        quote = texts->quoted[frames[f]];
    if (quote)
        vec_push(block, '"');
    for (uint32_t f = 0; f < branch->count; f++) {
        const struct intern_text *name = &texts->names->texts.v[frames[f]];
        if (f > 0)
            vec_push(block, ';');
        if (quote)
            add_quoted(block, name);
        else
            add_bytes(block, name->text, name->length);
    }
    if (quote)
        vec_push(block, '"');
}

static void add_branch(struct block *block, struct texts *texts, uint32_t number)
{
    struct text *kept = &texts->kept[number];
    if (kept->v != NULL) {
        add_bytes(block, kept->v, kept->n);
        return;
    }
    size_t begin = block->n;
    join_frames(block, texts, &texts->set->list.v[number]);
    kept->n = block->n - begin;
    if (kept->n > texts->room)
        return;
    kept->v = arena_copy(&texts->arena, block->v + begin, kept->n);
    texts->room -= kept->n;
}

static void add_decimals(struct block *block, double value, unsigned decimals)
{
    vec_push(block, ',');
    vec_reserve(block, DECIMAL_ROOM);
    block->n += decimal_put(block->v + block->n, value, decimals);
}

/* A number that sorts energies as they are printed: the energy in units of the last decimal. For an energy that is too
 * large for that it is the bits of the double, which sort like doubles, with the highest bit set. */
static uint64_t printed_order(double energy_j)
{
    uint64_t scaled;
    if (decimal_scaled(energy_j, 9, &scaled) && scaled >> 63 == 0)
        return scaled;
    memcpy(&scaled, &energy_j, sizeof scaled);
    return scaled | UINT64_C(1) << 63;
}

/* The branches of one cycle and their energy. */
struct cycle_rows {
    VEC(uint32_t) branches;
    VEC(struct sort_key) order;
    struct branch_sum {
        double energy_j;
        size_t cycle; /* whose sum it is, + 1 */
    } * sums;         /* by branch */
};

static void add_row(struct cycle_rows *rows, size_t cycle, uint32_t branch, double energy_j)
{
    struct branch_sum *sum = &rows->sums[branch];
    if (sum->cycle != cycle + 1) {
        vec_push(&rows->branches, branch);
        *sum = (struct branch_sum){0, cycle + 1};
    }
    sum->energy_j += energy_j;
}

/* Prints the energy from its sort key: see printed_order. */
static void add_energy(struct block *block, const struct sort_key *key, double energy_j)
{
    uint64_t scaled = ~key->key;
    if (scaled >> 63 != 0) {
        add_decimals(block, energy_j, 9);
        return;
    }
    vec_push(block, ',');
    vec_reserve(block, DECIMAL_ROOM);
    block->n += decimal_put_scaled(block->v + block->n, scaled, 9);
}

static void put_in_order(struct cycle_rows *rows, const uint32_t *ranks)
{
    size_t count = rows->branches.n;
    rows->order.n = 0;
    vec_reserve(&rows->order, 2 * count + 1);
    struct sort_key *keys = rows->order.v;
    for (size_t i = 0; i < count; i++)
        keys[i] = (struct sort_key){ranks[rows->branches.v[i]], rows->branches.v[i]};
    sort_keys(keys, count, keys + count);
    for (size_t i = 0; i < count; i++)
        keys[i].key = ~printed_order(rows->sums[keys[i].at].energy_j);
    sort_keys(keys, count, keys + count);
    rows->order.n = count;
}

#define HEADER "timestamp,branch,power_watts,energy_joules,interval_seconds,coverage"

/* Writes the branches of SET: those of RESULT, or with MAP those that result_filter made. */
static void write_branches(const struct result *result, const struct branch_set *set, const uint32_t *map, bool header,
                           FILE *out)
{
    uint32_t *ranks = branch_ranks(set, &result->names);
    struct texts texts;
    struct cycle_rows rows = {.sums = mem_zero(set->list.n, sizeof *rows.sums)};
    struct block block = {0}, tail = {0};
    size_t at = 0;
    texts_begin(&texts, set, &result->names);
    if (header)
        add_bytes(&block, HEADER "\n", strlen(HEADER "\n"));
    for (size_t i = 0; i < result->cycles.n; i++) {
        const struct result_cycle *cycle = &result->cycles.v[i];
        double seconds = (double)cycle->interval_ns / 1e9, written_j = cycle->java_j;
        char head[32];
        for (int row = 0; row < NATIVE_ROWS; row++)
            written_j += cycle->native_j[row];
        rows.branches.n = 0;
        for (; at < cycle->rows; at++) {
            const struct result_row *row = &result->rows.v[at];
            uint32_t branch = map != NULL ? map[row->branch] : row->branch;
            if (branch != UINT32_MAX)
                add_row(&rows, i, branch, row->energy_j);
        }
        put_in_order(&rows, ranks);
        int head_length = snprintf(head, sizeof head, "%lld,", csv_ms(cycle->realtime_ns));
        tail.n = 0;
        add_decimals(&tail, seconds, 9);
        add_decimals(&tail, cycle->process_j > 0 ? written_j / cycle->process_j : 0, 4);
        vec_push(&tail, '\n');
        for (size_t k = 0; k < rows.order.n; k++) {
            const struct sort_key *key = &rows.order.v[k];
            double energy_j = rows.sums[key->at].energy_j;
            add_bytes(&block, head, (size_t)head_length);
            add_branch(&block, &texts, key->at);
            add_decimals(&block, energy_j / seconds, 9);
            add_energy(&block, key, energy_j);
            add_bytes(&block, tail.v, tail.n);
            write_whole_blocks(&block, out);
        }
    }
    if (block.n != 0)
        fwrite_unlocked(block.v, 1, block.n, out);
    vec_free(&block);
    vec_free(&tail);
    vec_free(&rows.branches);
    vec_free(&rows.order);
    free(rows.sums);
    texts_end(&texts);
    free(ranks);
}

static void write_all(const struct report_input *input, bool header, FILE *out)
{
    write_branches(input->whole, &input->whole->branches, NULL, header, out);
}

static void write_app(const struct report_input *input, bool header, FILE *out)
{
    struct branch_set app = {0};
    uint32_t *map = mem_zero(input->whole->branches.list.n, sizeof *map);
    result_filter(input->whole, input->prefixes, &app, map);
    write_branches(input->whole, &app, map, header, out);
    branch_set_free(&app);
    free(map);
}

const struct report_form report_all_csv = {.format = "csv",
                                           .file = "methods-power-all.csv",
                                           .header = HEADER,
                                           .write = write_all};
const struct report_form report_app_csv = {.format = "csv",
                                           .file = "methods-power-app.csv",
                                           .header = HEADER,
                                           .write = write_app};
