/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "jsonkeys.h"

static const char *const sampler_words[] = {"cpu-time", "execution", "several", NULL};
static const char *const share_words[] = {"power-log", "recording", "by-hand", "several", NULL};
static const char *const cpu_words[] = {"thread-records", "cpu-time-samples", "thread-load",
                                        "weights",        "several",          NULL};
static const char *const pause_words[] = {"YOUNG", "FULL", "CONCURRENT", NULL};

#define R(member) offsetof(struct result, member)
const struct json_key json_facts[] = {
    {"pid", JSON_I64, R(pid), NULL},
    {"jvm_name", JSON_OWNED, R(jvm_name), NULL},
    {"cpu_model", JSON_ADDED | JSON_OWNED, R(cpu_model), NULL},
    {"cpus", JSON_I64, R(cpus), NULL},
    {"recording_start_ns", JSON_I64, R(recording_start_ns), NULL},
    {"recording_end_ns", JSON_I64, R(recording_end_ns), NULL},
    {"chunks", JSON_U64, R(chunk_count), NULL},
    {"power_source", JSON_OWNED, R(power_source), NULL},
    {"estimated", JSON_BOOL, R(estimated), NULL},
    {"process_power_only", JSON_BOOL, R(process_power_only), NULL},
    {"idle_is_shared", JSON_BOOL, R(idle_is_shared), NULL},
    {"sampler", JSON_WORD, R(sampler), sampler_words},
    {"process_share_from", JSON_WORD, R(share_source), share_words},
    {"cpu_time_from", JSON_WORD, R(cpu_source), cpu_words},
    {NULL, JSON_INT, 0, NULL},
};

const struct json_key json_totals[] = {
    {"machine_joules", JSON_DOUBLE, R(machine_j), NULL},
    {"baseline_joules", JSON_DOUBLE, R(baseline_j), NULL},
    {"process_joules", JSON_DOUBLE, R(process_j), NULL},
    {"java_joules", JSON_DOUBLE, R(java_j), NULL},
    {"gc_joules", JSON_DOUBLE, R(native_j[NATIVE_GC]), NULL},
    {"jit_joules", JSON_DOUBLE, R(native_j[NATIVE_JIT]), NULL},
    {"jfr_joules", JSON_DOUBLE, R(native_j[NATIVE_JFR]), NULL},
    {"vm_joules", JSON_DOUBLE, R(native_j[NATIVE_VM]), NULL},
    {"unattributed_joules", JSON_DOUBLE, R(unattributed_j), NULL},
    {"outside_joules", JSON_DOUBLE, R(outside_j), NULL},
    {"seconds_with_power", JSON_DOUBLE, R(power_s), NULL},
    {"peak_machine_watts", JSON_DOUBLE, R(peak_machine_w), NULL},
    {"peak_process_watts", JSON_DOUBLE, R(peak_process_w), NULL},
    {"busy_share", JSON_MAYBE, R(busy_share), NULL},
    {"coverage", JSON_DOUBLE, R(coverage), NULL},
    {NULL, JSON_INT, 0, NULL},
};

const struct json_key json_samples[] = {
    {"used", JSON_U64, R(samples.used), NULL},
    {"failed", JSON_U64, R(samples.failed), NULL},
    {"biased", JSON_U64, R(samples.biased), NULL},
    {"truncated", JSON_U64, R(samples.truncated), NULL},
    {"lost", JSON_U64, R(samples.lost), NULL},
    {"outside", JSON_U64, R(samples.outside), NULL},
    {NULL, JSON_INT, 0, NULL},
};

const struct json_key json_quality[] = {
    {"period_set", JSON_OWNED, R(quality.period_set), NULL},
    {"period_set_ns", JSON_I64, R(quality.period_set_ns), NULL},
    {"period_seen_ns", JSON_MAYBE, R(quality.period_seen_ns), NULL},
    {"thread_load_period_ns", JSON_I64, R(quality.load_period_ns), NULL},
    {"debug_non_safepoints", JSON_BOOL, R(quality.debug_non_safepoints), NULL},
    {"has_cpu_time_samples", JSON_BOOL, R(quality.has_cpu_time_samples), NULL},
    {"has_thread_records", JSON_BOOL, R(quality.has_thread_records), NULL},
    {"jvm_version", JSON_INT, R(quality.jvm_version), NULL},
    {NULL, JSON_INT, 0, NULL},
};

const struct json_key json_damage[] = {
    {"chunks", JSON_U64, R(damage.chunks), NULL},
    {"events", JSON_U64, R(damage.events), NULL},
    {"bytes", JSON_U64, R(damage.bytes), NULL},
    {"time_ns", JSON_ADDED | JSON_I64, R(damage.time_ns), NULL},
    {"unfinished_chunks", JSON_ADDED | JSON_U64, R(damage.unfinished), NULL},
    {"first", JSON_OWNED, R(damage.first), NULL},
    {NULL, JSON_INT, 0, NULL},
};

#define C(member) offsetof(struct result_cycle, member)
const struct json_key json_cycle[] = {
    {"end_ns", JSON_I64, C(realtime_ns), NULL},
    {"interval_ns", JSON_I64, C(interval_ns), NULL},
    {"status", JSON_NAME, C(status), NULL},
    {"power_watts", JSON_MAYBE, C(power_w), NULL},
    {"baseline_watts", JSON_DOUBLE, C(baseline_w), NULL},
    {"busy_ns", JSON_MAYBE, C(busy_ns), NULL},
    {"process_cpu_ns", JSON_MAYBE, C(process_cpu_ns), NULL},
    {"process_joules", JSON_DOUBLE, C(process_j), NULL},
    {"java_joules", JSON_DOUBLE, C(java_j), NULL},
    {"gc_joules", JSON_DOUBLE, C(native_j[NATIVE_GC]), NULL},
    {"jit_joules", JSON_DOUBLE, C(native_j[NATIVE_JIT]), NULL},
    {"jfr_joules", JSON_DOUBLE, C(native_j[NATIVE_JFR]), NULL},
    {"vm_joules", JSON_DOUBLE, C(native_j[NATIVE_VM]), NULL},
    {"unattributed_joules", JSON_DOUBLE, C(unattributed_j), NULL},
    {"outside_joules", JSON_DOUBLE, C(outside_j), NULL},
    {"samples", JSON_U64, C(samples), NULL},
    {NULL, JSON_INT, 0, NULL},
};

#define T(member) offsetof(struct result_thread, member)
const struct json_key json_thread[] = {
    {"name", JSON_NAME, T(name), NULL},
    {"os_thread_id", JSON_I64, T(os_id), NULL},
    {"joules", JSON_DOUBLE, T(energy_j), NULL},
    {"cpu_ns", JSON_DOUBLE, T(cpu_ns), NULL},
    {"samples", JSON_U64, T(samples), NULL},
    {"error_factor", JSON_DOUBLE, T(error_factor), NULL},
    {"weight_ns", JSON_DOUBLE, T(weight_ns), NULL},
    {"samples_in_all", JSON_U64, T(samples_in_all), NULL},
    {"anonymous", JSON_BOOL, T(anonymous), NULL},
    {NULL, JSON_INT, 0, NULL},
};

#define M(member) offsetof(struct result_method, member)
const struct json_key json_method[] = {
    {"name", JSON_NAME, M(name), NULL},
    {"own_joules", JSON_DOUBLE, M(own_j), NULL},
    {"own_half_width_joules", JSON_MAYBE, M(own_half_width_j), NULL},
    {"total_joules", JSON_DOUBLE, M(total_j), NULL},
    {"total_half_width_joules", JSON_MAYBE, M(total_half_width_j), NULL},
    {"own_cpu_ns", JSON_DOUBLE, M(own_cpu_ns), NULL},
    {"total_cpu_ns", JSON_DOUBLE, M(total_cpu_ns), NULL},
    {"own_samples", JSON_U64, M(own_samples), NULL},
    {"total_samples", JSON_U64, M(total_samples), NULL},
    {NULL, JSON_INT, 0, NULL},
};

#define P(member) offsetof(struct result_pause, member)
const struct json_key json_pause[] = {
    {"start_ns", JSON_I64, P(start_ns), NULL},
    {"duration_ns", JSON_I64, P(duration_ns), NULL},
    {"gc_id", JSON_U64, P(gc_id), NULL},
    {"type", JSON_WORD, P(type), pause_words},
    {"collector", JSON_NAME, P(collector), NULL},
    {"phase", JSON_NAME, P(phase), NULL},
    {"cause", JSON_NAME, P(cause), NULL},
    {"thread", JSON_NAME, P(thread), NULL},
    {"os_thread_id", JSON_I64, P(os_thread_id), NULL},
    {"joules", JSON_DOUBLE, P(energy_j), NULL},
    {NULL, JSON_INT, 0, NULL},
};

const struct json_key json_status[] = {
    {"status", JSON_NAME, offsetof(struct result_status, name), NULL},
    {"cycles", JSON_U64, offsetof(struct result_status, cycles), NULL},
    {NULL, JSON_INT, 0, NULL},
};

#define U(member) offsetof(struct result_run, member)
const struct json_key json_run[] = {
    {"name", JSON_NAME, U(name), NULL},
    {"pid", JSON_I64, U(pid), NULL},
    {"jvm_name", JSON_NAME, U(jvm_name), NULL},
    {"cpu_model", JSON_NAME, U(cpu_model), NULL},
    {"cpus", JSON_I64, U(cpus), NULL},
    {"recording_start_ns", JSON_I64, U(start_ns), NULL},
    {"recording_end_ns", JSON_I64, U(end_ns), NULL},
    {"power_source", JSON_NAME, U(power_source), NULL},
    {"estimated", JSON_BOOL, U(estimated), NULL},
    {"sampler", JSON_WORD, U(sampler), sampler_words},
    {"process_share_from", JSON_WORD, U(share_source), share_words},
    {"cpu_time_from", JSON_WORD, U(cpu_source), cpu_words},
    {"seconds_with_power", JSON_DOUBLE, U(power_s), NULL},
    {"machine_joules", JSON_DOUBLE, U(machine_j), NULL},
    {"process_joules", JSON_DOUBLE, U(process_j), NULL},
    {NULL, JSON_INT, 0, NULL},
};
