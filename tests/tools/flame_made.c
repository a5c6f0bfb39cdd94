/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "flame_made.h"

#include <math.h>
#include <stdio.h>

#define SECOND INT64_C(1000000000)

static uint32_t name(struct result *r, const char *text, size_t length)
{
    return intern_bytes(&r->names, text, length);
}

static uint32_t branch(struct result *r, const uint32_t *frames, size_t count, int native)
{
    uint32_t number = branch_set_add(&r->branches, frames, count, native);
    while (r->uses.n < r->branches.list.n)
        vec_push(&r->uses, ((struct result_use){0}));
    return number;
}

static void row(struct result *r, uint32_t number, double energy_j)
{
    struct result_cycle *cycle = &r->cycles.v[r->cycles.n - 1];
    int native = r->branches.list.v[number].native;
    vec_push(&r->rows, ((struct result_row){number, energy_j}));
    cycle->rows = r->rows.n;
    cycle->process_j += energy_j;
    if (native >= 0)
        cycle->native_j[native] += energy_j;
    else
        cycle->java_j += energy_j;
    if (native < 0) {
        r->uses.v[number].samples++;
        r->threads.v[0].samples++;
        r->threads.v[0].weight_ns += 1e7;
        vec_push(&r->weights, ((struct result_weight){0, number, 1e7}));
    }
}

static void cycle(struct result *r)
{
    struct result_cycle fresh = {.realtime_ns = (1764438000 + (int64_t)r->cycles.n) * SECOND,
                                 .interval_ns = SECOND,
                                 .baseline_w = 0,
                                 .busy_ns = 1e9,
                                 .process_cpu_ns = 1e9,
                                 .rows = r->rows.n};
    vec_push(&r->cycles, fresh);
}

static void close_cycle(struct result *r, double unattributed_j, double outside_j)
{
    struct result_cycle *last = &r->cycles.v[r->cycles.n - 1];
    last->unattributed_j = unattributed_j;
    last->outside_j = outside_j;
    last->process_j += unattributed_j + outside_j;
    last->power_w = last->process_j * 1.25;
}

static void hostile(struct result *r)
{
    static const char *const names[] = {
        "com.example.Evil.<script>window.owned=1</script>",
        "com.example.Evil.</script><script>window.owned=2</script>",
        "com.example.Evil.<!--<script>",
        "com.example.Evil.]]>-->&lt;&amp;",
        "com.example.Evil.\"quoted\"'single'`back`",
        "com.example.Evil.back\\slash\\u003cscript\\u003e",
        "com.example.Evil.line\xe2\x80\xa8paragraph\xe2\x80\xa9separator",
        "com.example.Evil.\xe2\x80\xaetxet-desrever\xe2\x80\xac",
        "com.example.Evil.isolate\xe2\x81\xa6\xe2\x81\xa9mark\xe2\x80\x8f",
        "com.example.Evil.control\x01\x1b[31m\t\n\r\x7f",
        "com.example.Evil.<img src=x onerror=window.owned=3>",
        "com.example.Evil.${window.owned=4}",
        "com.example.Evil.__proto__",
        "__proto__",
        "constructor",
        "com.example.\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d.\xf0\x9f\x94\xa5",
        "[GC]",
        "@DATA@",
        "",
    };
    uint32_t base = name(r, "com.example.Main.main", 21);
    char *large = mem_alloc(65536);
    cycle(r);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        uint32_t frames[] = {base, name(r, names[i], strlen(names[i]))};
        row(r, branch(r, frames, 2, -1), 1);
    }
    uint32_t zero[] = {base, name(r, "com.example.Evil.nul\0byte", 25)};
    row(r, branch(r, zero, 2, -1), 1);
    memset(large, 'x', 65536);
    memcpy(large, "com.example.Long.", 17);
    memcpy(large + 65536 - 9, "</script>", 9);
    uint32_t deep[] = {base, name(r, large, 65536)};
    row(r, branch(r, deep, 2, -1), 4);
    free(large);
    uint32_t gc = name(r, "[GC]", 4);
    row(r, branch(r, &gc, 1, NATIVE_GC), 2);
    close_cycle(r, 2, 1);
    r->jvm_name = mem_strdup("</script><script>window.owned=5</script> \xe2\x80\xae VM");
    r->power_source = mem_strdup("<b onmouseover=window.owned=6>\xff\"");
}

static uint32_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* Stacks 40 deep, each sharing a part of the one before, until there are NODES frames. */
static void wide(struct result *r, uint32_t nodes)
{
    enum {
        DEPTH = 40,
        CYCLES = 300
    };
    uint64_t state = 1;
    uint32_t frames[DEPTH], made = 0;
    VEC(uint32_t) branches = {0};
    char text[64];
    for (int d = 0; d < DEPTH; d++)
        frames[d] = name(r, "com.example.Base.run", 20);
    while (made < nodes) {
        uint32_t from = made == 0 ? 0 : DEPTH - 1 - next_random(&state) % 6 * (next_random(&state) % 6);
        for (uint32_t d = from; d < DEPTH; d++) {
            uint32_t k = next_random(&state) % 50000;
            int length = snprintf(text, sizeof text, "%s.p%u.Class%u.method%u",
                                  k % 3 != 0 ? "java.util" : "com.example", k % 20, k % 700, k);
            frames[d] = name(r, text, (size_t)length);
        }
        made += DEPTH - from;
        vec_push(&branches, branch(r, frames, DEPTH, -1));
    }
    uint32_t gc = name(r, "[GC]", 4), gc_branch = branch(r, &gc, 1, NATIVE_GC);
    for (uint32_t i = 0; i < CYCLES; i++) {
        cycle(r);
        for (size_t b = i % 7; b < branches.n; b += 7 + next_random(&state) % 60)
            row(r, branches.v[b], 0.0001 * (1 + next_random(&state) % 100));
        row(r, gc_branch, 0.2);
        close_cycle(r, 0.1, i == 0 ? 0.5 : 0);
    }
    vec_free(&branches);
}

bool flame_made(const char *kind, uint32_t nodes, struct result *r)
{
    *r = (struct result){.estimated = strcmp(kind, "empty") != 0, .pid = 7, .cpus = 4};
    struct result_thread thread = {.name = name(r, "main", 4), .os_id = 7, .error_factor = 0.01, .samples_in_all = 100};
    vec_push(&r->threads, thread);
    if (strcmp(kind, "hostile") == 0)
        hostile(r);
    else if (strcmp(kind, "wide") == 0)
        wide(r, nodes);
    else if (strcmp(kind, "empty") != 0)
        return false;
    result_merge_weights(r);
    result_add_up(r);
    result_methods(r, NULL, NULL, &r->methods);
    return true;
}
