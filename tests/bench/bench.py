#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make bench: how fast joular-analyze is beside the practical limit (limit.c), and how much memory it takes.

    bench.py JOULAR_ANALYZE SRCDIR WORKDIR [--kinds a,b] [--mib a,b,c] [--runs N] [--instructions | --stacks | --paths]

For each kind of recording (inputs.py) and size, under a log that covers all of it so that no chunk is skipped, these run
in turn, N times, whole process, warm cache, into a folder that is not there yet:

    limit     limit pools
    samples   the same, which decodes the CPU-time samples as well
    write     limit write, of as many bytes as "all" writes: new pages of the file system's cache can take longer than all
              the rest
    read      joular-analyze -q --format collapsed: all of the analysis, and one small file
    all       joular-analyze -q: with its CSV files, a row a branch and cycle, report.json and flame.html

What is printed are medians; the machines are noisy, so it is the ratios to the limit that hold, "x", and for "all" those to the
limit and "write" together, "y": what reading and writing as much takes anybody. "B/row": what the peak of
"all" with -j1 grew by, per row of methods-power-all.csv, since the size before.

--stacks shows time and memory against the number of distinct stacks; --instructions counts instructions a byte by
phase, with callgrind (phases.py), which no other load changes; --paths counts what each fast path saves, on real recordings
and on the kinds (paths.py)."""
import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

import paths
import phases


def run(command):
    """Wall seconds, peak MiB, CPU seconds."""
    begun = time.perf_counter()
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - begun, usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime


def samples_of(program, recording, log, out):
    """How many there are, from --stats."""
    command = [program, "-q", "--stats", "--format", "collapsed", "-o", out, recording, log]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    return sum(int(n) for n in re.findall(r"^ +(\d+)  jdk\.(?:CPUTime|Execution)Sample$", text, re.M))


def sample_type(program, recording):
    text = subprocess.run([program, "--dump", "metadata", recording], capture_output=True, text=True, check=True).stdout
    return re.search(r"type=(\d+) jdk\.CPUTimeSample ", text)[1]


def lines_of(path):
    with open(path, "rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))


HEADING = "    MiB  samples    rows MiB out   limit  samples   write        read -j1             -j2         all -j1                    -j2         read MiB/s  Msmp/s  peak read -j1   -j2  all -j1  B/row"


def measure(options, limit, kind, recording, log):
    print(f"{kind}: {os.path.getsize(recording) / 2**20:.1f} MiB, repeated; seconds, of the limit")
    print(HEADING)
    before = None
    for mib in options.mib:
        big, big_log, out = f"{options.work}/big.jfr", f"{options.work}/big.power.log", f"{options.work}/results"
        repeat = [sys.executable, f"{options.src}/tests/bench/repeat.py", recording, log, str(mib), big, big_log]
        subprocess.run(repeat, check=True)
        size = os.path.getsize(big) / 2**20
        commands = {"limit": [limit, "pools", big], "samples": [limit, "pools", big, sample_type(options.program, recording)]}
        for jobs in (1, 2):
            analyze = [options.program, "-q", f"-j{jobs}", "-o", out]
            commands["read", jobs] = [*analyze, "--format", "collapsed", big, big_log]
            commands["all", jobs] = [*analyze, big, big_log]
        subprocess.run(commands["all", 2], check=True, stdout=subprocess.DEVNULL)
        rows = lines_of(f"{out}/methods-power-all.csv") - 1
        written = sum(entry.stat().st_size for entry in os.scandir(out))
        commands["write"] = [limit, "write", f"{options.work}/written", str(written)]
        figures = {name: [] for name in commands}
        for i in range(options.runs + 1):
            for name, command in commands.items():
                shutil.rmtree(out, ignore_errors=True)
                pathlib.Path(f"{options.work}/written").unlink(missing_ok=True)
                os.sync()  # what the run before left to write shall not slow this one down
                figure = run(command)
                if i > 0:  # the first warms the cache
                    figures[name].append(figure)
        wall, peak = ({name: statistics.median(f[k] for f in runs) for name, runs in figures.items()} for k in range(2))
        shutil.rmtree(out, ignore_errors=True)
        pathlib.Path(f"{options.work}/written").unlink(missing_ok=True)
        samples = samples_of(options.program, big, big_log, out)
        a_row = f"{(peak['all', 1] - before[1]) * 2**20 / (rows - before[0]):6.0f}" if before and rows > before[0] else "     -"
        before = (rows, peak["all", 1])
        order = [(what, jobs) for what in ("read", "all") for jobs in (1, 2)]
        both = wall["limit"] + wall["write"]
        times = " ".join(f"{wall[name]:8.3f} {wall[name] / wall['limit']:5.2f}x" + (f" {wall[name] / both:5.2f}y" if name[0] == "all" else "") for name in order)
        read = wall["read", 1]
        print(
            f"{size:7.0f} {samples:8d} {rows:7d} {written / 2**20:7.0f} {wall['limit']:7.3f} {wall['samples']:8.3f} {wall['write']:7.3f} {times} {size / read:11.0f} {samples / read / 1e6:7.2f}"
            f" {peak['read', 1]:14.1f} {peak['read', 2]:5.1f} {peak['all', 1]:8.1f} {a_row}",
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
        peak, cpu = (statistics.median(f[k] for f in figures) for k in (1, 2))
        size = os.path.getsize(f"{work}/stacks.jfr") / 2**20
        print(f"{seconds:5d} s {size:6.1f} MiB {stacks:7d} stacks {cpu * 1e3:8.1f} ms {cpu * 1e6 / stacks:6.2f} us a stack {peak:7.1f} MiB", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("src")
    parser.add_argument("work")
    parser.add_argument("--kinds")
    parser.add_argument("--mib", default="32,128,512")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--stacks", action="store_true")
    parser.add_argument("--paths", action="store_true")
    options = parser.parse_args()
    options.mib = [int(mib) for mib in options.mib.split(",")]
    kinds = (options.kinds or ("dense" if options.paths else "mixed,events,samples,stacks,gc")).split(",")
    os.makedirs(options.work, exist_ok=True)
    if options.paths:
        paths.show(options.program, options.src, options.work, kinds)
        return
    limit = f"{options.work}/limit"
    subprocess.run(["cc", "-O2", "-o", limit, f"{options.src}/tests/bench/limit.c"], check=True)
    start_up = statistics.median(run([options.program, "--version"])[0] for _ in range(20))
    print(f"start-up (--version): {start_up * 1e3:.1f} ms")
    if options.stacks:
        distinct_stacks(options)
        return
    for kind in kinds:
        # in a process of its own: what this one has had counts in the peak of those that it starts
        subprocess.run([sys.executable, f"{options.src}/tests/bench/inputs.py", kind, options.program, options.src, options.work], check=True)
        recording, log = f"{options.work}/{kind}.jfr", f"{options.work}/{kind}.power.log"
        if options.instructions:
            phases.show(options.program, kind, recording, log, options.work)
        else:
            measure(options, limit, kind, recording, log)


if __name__ == "__main__":
    main()
