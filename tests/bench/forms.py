#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make bench-forms: what the forms cost, on a recording of 200 MB and on one of 50,000 methods.

    forms.py JOULAR_ANALYZE SRCDIR WORKDIR [--mib N] [--runs N]

Each format alone and all of them, whole process, warm cache, median of the runs; all forms should take at most twice the time of the
CSV files alone. The large recording is a sample repeated (repeat.py); many-methods beside JOULAR_ANALYZE makes the other one."""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time


def run(command):
    """Wall seconds, CPU seconds, peak MiB."""
    begun = time.perf_counter()
    pid = os.spawnv(os.P_NOWAIT, command[0], command)
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def measure(program, work, runs, what, arguments):
    print(f"{what}\n  format        wall s     CPU s   peak MiB  files MiB  of csv")
    csv = None
    for form in ("csv", "json", "html", "collapsed", "pprof", "speedscope", "firefox", "csv,json,html", "all"):
        folder = f"{work}/results"
        shutil.rmtree(folder, ignore_errors=True)
        command = [program, "-q", "--format", form, "-o", folder] + arguments
        run(command)
        wall, cpu, peak = (statistics.median(column) for column in zip(*[run(command) for _ in range(runs)]))
        size = sum(entry.stat().st_size for entry in os.scandir(folder)) / 2**20
        csv = csv or wall
        print(f"  {form:13} {wall:6.3f} {cpu:9.3f} {peak:10.1f} {size:10.1f} {wall / csv:7.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("src")
    parser.add_argument("work")
    parser.add_argument("--mib", type=int, default=191)  # 200 MB
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    big, big_log = f"{options.work}/big.jfr", f"{options.work}/big.power.log"
    sample = f"{options.src}/samples/shop-jdk25"
    repeat = [sys.executable, f"{options.src}/tests/bench/repeat.py", f"{sample}.jfr", f"{sample}.power.log", str(options.mib), big, big_log]
    subprocess.run(repeat, check=True)
    measure(options.program, options.work, options.runs, f"{os.path.getsize(big) / 1e6:.0f} MB of shop-jdk25", [big, big_log])
    os.remove(big)
    os.remove(big_log)
    many = os.path.join(os.path.dirname(options.program), "many-methods")
    if os.path.exists(many):
        for name, words in (("many.jfr", []), ("many.log", ["log"])):
            with open(f"{options.work}/{name}", "wb") as file:
                subprocess.run([many, "50000"] + words, stdout=file, check=True)
        arguments = ["--pid", "7", f"{options.work}/many.jfr", f"{options.work}/many.log"]
        measure(options.program, options.work, options.runs, "50,000 methods", arguments)


main()
