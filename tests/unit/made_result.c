/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "made_result.h"

uint32_t made_name(struct result *r, const char *text)
{
    return intern_bytes(&r->names, text, strlen(text));
}

uint32_t made_branch(struct result *r, const char *frames)
{
    uint32_t names[64];
    size_t count = 0;
    int native = -1;
    for (int row = 0; row < NATIVE_ROWS; row++)
        if (strcmp(frames, native_row_names[row]) == 0)
            native = row;
    for (const char *p = frames;; p++) {
        size_t length = strcspn(p, ";");
        assert_true(count < 64);
        names[count++] = intern_bytes(&r->names, p, length);
        p += length;
        if (*p == '\0')
            break;
    }
    uint32_t branch = branch_set_add(&r->branches, names, count, native);
    while (r->uses.n < r->branches.list.n)
        vec_push(&r->uses, ((struct result_use){0}));
    return branch;
}

void made_cycle(struct result *r, double process_j)
{
    struct result_cycle cycle = {
        .realtime_ns = INT64_C(1764438001000000000) + (int64_t)r->cycles.n * 1000000000,
        .interval_ns = 1000000000,
        .power_w = 2 * process_j,
        .busy_ns = NAN,
        .process_cpu_ns = NAN,
        .process_j = process_j,
        .unattributed_j = process_j,
        .status = made_name(r, "ok"),
        .rows = r->rows.n,
    };
    vec_push(&r->cycles, cycle);
}

void made_row(struct result *r, const char *branch, double energy_j)
{
    struct result_cycle *cycle = &r->cycles.v[r->cycles.n - 1];
    struct result_row row = {made_branch(r, branch), energy_j};
    int native = r->branches.list.v[row.branch].native;
    size_t first = r->cycles.n > 1 ? cycle[-1].rows : 0, at = r->rows.n;
    vec_push(&r->rows, row);
    for (; at > first && r->rows.v[at - 1].branch > row.branch; at--)
        r->rows.v[at] = r->rows.v[at - 1];
    r->rows.v[at] = row;
    cycle->rows = r->rows.n;
    cycle->unattributed_j -= energy_j;
    *(native >= 0 ? &cycle->native_j[native] : &cycle->java_j) += energy_j;
}

void made_use(struct result *r, const char *branch, double cpu_ns, uint64_t samples)
{
    uint32_t number = made_branch(r, branch); /* may move the list */
    struct result_use *use = &r->uses.v[number];
    use->cpu_ns += cpu_ns;
    use->samples += samples;
}

uint32_t made_thread(struct result *r, const char *name, double energy_j)
{
    struct result_thread thread = {.name = made_name(r, name), .energy_j = energy_j, .error_factor = 1};
    vec_push(&r->threads, thread);
    return (uint32_t)r->threads.n - 1;
}

void made_weight(struct result *r, uint32_t thread, const char *branch, double weight_ns, uint64_t samples)
{
    vec_push(&r->weights, ((struct result_weight){thread, made_branch(r, branch), weight_ns}));
    r->threads.v[thread].weight_ns += weight_ns;
    r->threads.v[thread].samples += samples;
    r->threads.v[thread].samples_in_all += samples;
    made_use(r, branch, weight_ns, samples);
}

void made_pause(struct result *r, enum pause_type type, double ms, double energy_j)
{
    uint32_t nothing = made_name(r, "");
    struct result_pause pause = {
        .start_ns = INT64_C(1764438000000000000) + (int64_t)r->pauses.n * 250000000,
        .duration_ns = llround(ms * 1e6),
        .gc_id = r->pauses.n,
        .type = type,
        .collector = nothing,
        .phase = made_name(r, "GC Pause"),
        .cause = nothing,
        .thread = nothing,
        .energy_j = energy_j,
    };
    vec_push(&r->pauses, pause);
}

void made_finish(struct result *r)
{
    free(r->methods.v);
    r->machine_j = r->baseline_j = r->process_j = r->java_j = r->unattributed_j = r->outside_j = r->left_out_j = 0;
    r->power_s = r->peak_machine_w = r->peak_process_w = 0;
    memset(r->native_j, 0, sizeof r->native_j);
    result_merge_weights(r);
    result_add_up(r);
    result_methods(r, NULL, NULL, &r->methods);
}

void made_full(struct result *r)
{
    r->pid = 4711;
    r->cpus = 4;
    r->jvm_name = mem_strdup("OpenJDK 64-Bit Server VM");
    r->power_source = mem_strdup("rapl");
    r->recording_start_ns = INT64_C(1764438000100000000);
    r->recording_end_ns = INT64_C(1764438003000000001);
    r->chunk_count = 3;
    r->estimated = r->idle_is_shared = true;
    r->sampler = SAMPLER_EXECUTION;
    r->share_source = SHARE_FROM_RECORDING;
    r->cpu_source = CPU_THREAD_LOAD;
    r->samples = (struct result_samples){17, 2, 3, 4, 5, 6};
    r->quality = (struct result_quality){mem_strdup("10 ms"), 10000000, 1.1e7 / 3, 1000000000, true, true, false, 25};
    r->damage = (struct result_damage){1, 2, 345, 1500000000, 1, mem_strdup("run.jfr: chunk 3 at byte 8256: \"odd\"")};
    made_cycle(r, 10);
    r->cycles.v[0].busy_ns = 2.5e9;
    r->cycles.v[0].process_cpu_ns = 1.25e9;
    r->cycles.v[0].baseline_w = 0.125;
    r->cycles.v[0].samples = 9;
    made_row(r, "java.lang.Thread.run;com.example.A.a", 1.0 / 3);
    made_row(r, "java.lang.Thread.run;com.example.A.a;com.example.B$C.b", 2.0 / 3);
    made_row(r, "[GC]", 0.1);
    made_row(r, "[JIT]", 0.2);
    r->cycles.v[0].outside_j = 1;
    r->cycles.v[0].unattributed_j -= 1;
    made_cycle(r, 0);
    r->cycles.v[1].power_w = NAN;
    r->cycles.v[1].status = made_name(r, "suspended");
    vec_push(&r->without_power, ((struct result_status){made_name(r, "suspended"), 1}));
    made_cycle(r, 1e-9);
    made_row(r, "java.lang.Thread.run;com.example.A.a", 5e-324); /* the least there is */
    made_row(r, "Small.main", 1e-9 / 7);
    uint32_t worker = made_thread(r, "worker", 1), other = made_thread(r, "", 1e-9 / 7);
    r->threads.v[worker].os_id = 4712;
    r->threads.v[worker].cpu_ns = 1e9 / 3;
    r->threads.v[other].anonymous = true;
    made_weight(r, worker, "java.lang.Thread.run;com.example.A.a", 1e7, 10);
    made_weight(r, worker, "java.lang.Thread.run;com.example.A.a;com.example.B$C.b", 2e7, 6);
    made_weight(r, other, "Small.main", 1e7, 1);
    made_pause(r, PAUSE_YOUNG, 1.234567, 0.001);
    made_pause(r, PAUSE_CONCURRENT, 0.5, 1.0 / 3);
    r->pauses.v[1].gc_id = UINT64_MAX;
    r->pauses.v[1].collector = made_name(r, "G1Old");
    r->pauses.v[1].cause = made_name(r, "G1 Humongous Allocation");
    r->pauses.v[1].thread = made_name(r, "VM Thread");
    r->pauses.v[1].os_thread_id = 4713;
    made_finish(r);
}

struct text made_json(const struct result *r)
{
    struct text text = {0};
    FILE *out = open_memstream(&text.v, &text.n);
    result_write_json(r, out);
    fclose(out);
    return text;
}

void made_read(struct text json, struct result *r)
{
    struct error err = {0};
    enum status status = result_read_json((const uint8_t *)json.v, json.n, r, &err);
    if (status != STATUS_OK)
        fail_msg("%s", err.text);
}

void assert_reads_back(const struct result *r)
{
    struct result again;
    struct text first = made_json(r);
    made_read(first, &again);
    struct text second = made_json(&again);
    assert_int_equal(first.n, second.n);
    assert_memory_equal(first.v, second.v, first.n);
    free(first.v);
    free(second.v);
    result_free(&again);
}
