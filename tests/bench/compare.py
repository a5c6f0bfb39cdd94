#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare.py JOULAR_COMPARE WORKDIR [METHODS]: how long it takes to compare a result with 50,000 methods with another.

Two results of that many methods in as many branches are made, alike but for their figures; wall time, CPU time and peak memory of the
whole process are printed, best of five."""
import json
import os
import random
import sys
import time


def report(path, methods, seed):
    chance = random.Random(seed)
    names = ["", "ok", "main"] + [f"com.example.package{i % 97}.Class{i % 4999}.method{i}" for i in range(methods)]
    branches = [[3 + i // 7, 3 + i // 3, 3 + i] for i in range(methods)]
    energies = [chance.expovariate(1) for _ in range(methods)]
    total = sum(energies)
    samples = [1 + int(e * 5) for e in energies]
    nothing = {"gc_joules": 0, "jit_joules": 0, "jfr_joules": 0, "vm_joules": 0, "unattributed_joules": 0, "outside_joules": 0}
    method = lambda i: {
        "name": names[3 + i], "own_joules": energies[i], "own_half_width_joules": 0.1, "total_joules": energies[i],
        "total_half_width_joules": 0.1, "own_cpu_ns": 1e6, "total_cpu_ns": 1e6, "own_samples": samples[i], "total_samples": samples[i]}
    rows = [number for i, energy in enumerate(energies) for number in (i, energy)]
    data = {
        "schema": "joular-report/1",
        "facts": {
            "pid": 1, "jvm_name": "VM", "cpus": 4, "recording_start_ns": seed, "recording_end_ns": seed + 10**10, "chunks": 1,
            "power_source": "rapl", "estimated": False, "process_power_only": False, "idle_is_shared": True, "sampler": "cpu-time",
            "process_share_from": "power-log", "cpu_time_from": "thread-records"},
        "totals": dict(nothing, machine_joules=total, baseline_joules=0, process_joules=total, java_joules=total, seconds_with_power=10,
                       peak_machine_watts=1, peak_process_watts=1, busy_share=0.5, coverage=1),
        "samples": {"used": sum(samples), "failed": 0, "biased": 0, "truncated": 0, "lost": 0, "outside": 0},
        "quality": {"period_set": "10ms", "period_set_ns": 10**7, "period_seen_ns": 1e7, "thread_load_period_ns": 10**9,
                    "debug_non_safepoints": True, "has_cpu_time_samples": True, "has_thread_records": True, "jvm_version": 25},
        "damage": {"chunks": 0, "events": 0, "bytes": 0, "first": None},
        "without_power": [], "methods": [method(i) for i in range(methods)],
        "threads": [{"name": "main", "os_thread_id": 1, "joules": total, "cpu_ns": 1e9, "samples": sum(samples),
                     "error_factor": total * total / sum(samples), "weight_ns": sum(samples) * 1e7, "samples_in_all": sum(samples),
                     "anonymous": False}],
        "gc_pauses": [], "names": names, "branches": branches, "native_branches": {}, "branch_cpu_ns": [1e6] * methods,
        "branch_samples": samples, "weights": [[0, i, samples[i] * 1e7] for i in range(methods)],
        "cycles": [dict(nothing, end_ns=seed, interval_ns=10**10, status="ok", power_watts=total / 10, baseline_watts=0, busy_ns=1e10,
                        process_cpu_ns=1e10, process_joules=total, java_joules=total, samples=sum(samples), rows=rows)],
    }
    with open(path, "w", encoding="utf-8") as file:
        json.dump(data, file, separators=(",", ":"))


def run(command):
    begun = time.perf_counter()
    pid = os.spawnv(os.P_NOWAIT, command[0], command)
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    program, work = sys.argv[1:3]
    methods = int(sys.argv[3]) if len(sys.argv) > 3 else 50000
    os.makedirs(work, exist_ok=True)
    for seed, name in ((1, "a.json"), (2, "b.json")):
        report(f"{work}/{name}", methods, seed)
    for what in ([], ["--top", "all"]):
        figures = [run([program, "-q", "--json", f"{work}/out.json", *what, f"{work}/a.json", "--vs", f"{work}/b.json"]) for _ in range(5)]
        wall, cpu, peak = min(figures)
        size = os.path.getsize(f"{work}/a.json") / 2**20
        print(f"{methods} methods, {size:.0f} MiB a result, {' '.join(what) or '--top 20'}: {wall:.2f} s, {cpu:.2f} s CPU, {peak:.0f} MiB", flush=True)


main()
