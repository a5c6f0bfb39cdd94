#!/usr/bin/env python3
"""make bench: how fast joular-analyze is beside the practical limit (limit.c), and how much memory it takes.

    bench.py JOULAR_ANALYZE SRCDIR WORKDIR [--kinds a,b] [--mib a,b,c] [--runs N] [--instructions | --stacks]

For each kind of recording (inputs.py) and size, under a log that covers all of it so that no chunk is skipped, these run in turn, N
times, whole process, warm cache: the limit, and joular-analyze -q with -j1 and with -j2. What is printed are medians; the machines are
noisy, so it is the ratios that hold: those of wall time, and of CPU time with -j1. "read" is the wall time of reading the recording
alone, with -j1, from --stats. "B/row": what the peak grew by, per row of methods-power-all.csv, since the size before.

--stacks shows time and memory against the number of distinct stacks; --instructions counts instructions a byte by phase, with callgrind (phases.py), which no other load changes."""
import argparse
import os
import re
import statistics
import subprocess
import sys
import time

import phases


def run(command):
    """Wall seconds, CPU seconds, peak MiB."""
    begun = time.perf_counter()
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def stats_of(command):
    """Milliseconds by phase and samples, from --stats."""
    text = subprocess.run(command + ["--stats"], capture_output=True, text=True, check=True).stderr
    times = {name: float(ms) for name, ms in re.findall(r"^  (\w+) +([\d.]+) ms", text, re.M)}
    return times, sum(int(n) for n in re.findall(r"^ +(\d+)  jdk\.(?:CPUTime|Execution)Sample$", text, re.M))


def lines_of(path):
    with open(path, "rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))


def measure(options, limit, kind, recording, log):
    print(f"{kind}: {os.path.getsize(recording) / 2**20:.1f} MiB, repeated")
    print("    MiB  samples   rows   limit s   -j1 s  of limit   CPU   -j2 s  of limit   read s   MiB/s  Msmp/s   peak -j1  -j2   B/row")
    before = None
    for mib in options.mib:
        big, big_log, out = f"{options.work}/big.jfr", f"{options.work}/big.power.log", f"{options.work}/results"
        repeat = [sys.executable, f"{options.src}/tests/bench/repeat.py", recording, log, str(mib), big, big_log]
        subprocess.run(repeat, check=True)
        size = os.path.getsize(big) / 2**20
        commands = {"limit": [limit, "pools", big]}
        for jobs in (1, 2):
            commands[jobs] = [options.program, "-q", f"-j{jobs}", "-o", out, big, big_log]
        figures = {name: [] for name in commands}
        for i in range(options.runs + 1):
            for name, command in commands.items():
                figure = run(command)
                if i > 0:  # the first warms the cache
                    figures[name].append(figure)
        wall, cpu, peak = ({name: statistics.median(f[k] for f in runs) for name, runs in figures.items()} for k in range(3))
        times, samples = stats_of(commands[1])
        rows = lines_of(f"{out}/methods-power-all.csv") - 1
        a_row = f"{(peak[1] - before[1]) * 2**20 / (rows - before[0]):7.0f}" if before and rows > before[0] else "      -"
        before = (rows, peak[1])
        print(
            f"{size:7.0f} {samples:8d} {rows:6d} {wall['limit']:9.3f} {wall[1]:7.3f} {wall[1] / wall['limit']:9.2f} {cpu[1] / cpu['limit']:5.2f}"
            f" {wall[2]:7.3f} {wall[2] / wall['limit']:9.2f} {times['recordings'] / 1e3:8.3f} {size / wall[1]:7.0f} {samples / wall[1] / 1e6:7.2f}"
            f" {peak[1]:10.1f} {peak[2]:5.1f} {a_row}",
            flush=True,
        )
        os.remove(big)
        os.remove(big_log)


def distinct_stacks(options):
    """The same program recorded for longer and longer: time and memory against stacks that are all different."""
    print("distinct stacks: CPU ms and peak MiB of joular-analyze -j1 --format collapsed, medians")
    for seconds in (10, 20, 40):
        work = f"{options.work}/stacks-{seconds}"
        os.makedirs(work, exist_ok=True)
        make = [sys.executable, f"{options.src}/tests/bench/inputs.py", "stacks", options.program, options.src, work, str(seconds)]
        subprocess.run(make, check=True)
        command = [options.program, "-q", "-j1", "--format", "collapsed", "-o", f"{work}/results"]
        command += [f"{work}/stacks.jfr", f"{work}/stacks.power.log"]
        figures = [run(command) for _ in range(options.runs * 4)]
        stacks = lines_of(f"{work}/results/collapsed.txt")
        cpu, peak = (statistics.median(f[k] for f in figures) for k in (1, 2))
        size = os.path.getsize(f"{work}/stacks.jfr") / 2**20
        print(f"{seconds:5d} s {size:6.1f} MiB {stacks:7d} stacks {cpu * 1e3:8.1f} ms {cpu * 1e6 / stacks:6.2f} us a stack {peak:7.1f} MiB", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("src")
    parser.add_argument("work")
    parser.add_argument("--kinds", default="events,samples,stacks,gc")
    parser.add_argument("--mib", default="32,128,512")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--stacks", action="store_true")
    options = parser.parse_args()
    options.mib = [int(mib) for mib in options.mib.split(",")]
    os.makedirs(options.work, exist_ok=True)
    limit = f"{options.work}/limit"
    subprocess.run(["cc", "-O2", "-o", limit, f"{options.src}/tests/bench/limit.c"], check=True)
    start_up = statistics.median(run([options.program, "--version"])[0] for _ in range(20))
    print(f"start-up (--version): {start_up * 1e3:.1f} ms")
    if options.stacks:
        distinct_stacks(options)
        return
    for kind in options.kinds.split(","):
        # in a process of its own: what this one has had counts in the peak of those that it starts
        subprocess.run([sys.executable, f"{options.src}/tests/bench/inputs.py", kind, options.program, options.src, options.work], check=True)
        recording, log = f"{options.work}/{kind}.jfr", f"{options.work}/{kind}.power.log"
        if options.instructions:
            phases.show(options.program, kind, recording, log, options.work)
        else:
            measure(options, limit, kind, recording, log)


if __name__ == "__main__":
    main()
