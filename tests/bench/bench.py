#!/usr/bin/env python3
"""make bench: how fast joular-analyze is, and how much memory it takes.

    bench.py JOULAR_ANALYZE SRCDIR WORKDIR [--mib N] [--runs N]

Inputs of N MiB and 4 N MiB (default 128) are made by repeating a recording, each repetition moved on in time under a log that covers
them all, so that no chunk is skipped. The recording is a dense one made with JDK 25 where that can be had (once, kept in WORKDIR:
CPU-time samples each millisecond, allocation samples, GC phases, thread parks), else the sample samples/shop-jdk25.jfr.
Whole process, warm cache, median of the runs; these machines are noisy, so compare figures of one run only."""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

SETTINGS = ",".join(
    ["settings=profile", "jdk.CPUTimeSample#enabled=true", "jdk.CPUTimeSample#throttle=1ms", "jdk.ThreadPark#threshold=0ns"]
    + ["jdk.JavaMonitorWait#threshold=0ns", "jdk.ObjectAllocationSample#throttle=10000/s", "jdk.GCPhaseParallel#enabled=true"]
    + ["jdk.PromoteObjectInNewPLAB#enabled=true", "jdk.ExecutionSample#enabled=false", "jdk.NativeMethodSample#enabled=false"]
    + ["jdk.SystemProcess#enabled=false", "jdk.InitialEnvironmentVariable#enabled=false"]
)


def dense_recording(program, src, work):
    recording, log = os.path.join(work, "dense.jfr"), os.path.join(work, "dense.power.log")
    if os.path.exists(recording) and os.path.exists(log):
        return recording, log
    jdk = subprocess.run(["sh", f"{src}/tests/jdk.sh", "25"], capture_output=True, text=True)
    if jdk.returncode != 0:
        print("no JDK 25 here:", jdk.stderr.strip().splitlines()[-1])
        return f"{src}/samples/shop-jdk25.jfr", f"{src}/samples/shop-jdk25.power.log"
    java = jdk.stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{src}/samples/shop/Shop.java", "rb") as source, open(f"{folder}/Shop.java", "wb") as copy:
            copy.write(source.read())
        subprocess.run([f"{java}/javac", "-d", "classes", "Shop.java"], cwd=folder, check=True)
        print("recording the shop for 60 s with JDK 25 ...", flush=True)
        record = os.path.join(os.path.dirname(os.path.abspath(program)), "joular-record")
        command = [record, "-q", "-s", "estimate", "--idle-watts", "10", "--max-watts", "35", "-o", "dense.power.log"]
        command += ["--", f"{java}/java", "-Xmx256m"]
        command += ["-Xlog:jfr+startup=error", "-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints"]
        command += ["-XX:FlightRecorderOptions=stackdepth=256", f"-XX:StartFlightRecording=filename=dense.jfr,{SETTINGS}"]
        command += ["-cp", "classes", "com.example.shop.Shop", "--seconds", "60"]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        for name, to in (("dense.jfr", recording), ("dense.power.log", log)):
            with open(f"{folder}/{name}", "rb") as made, open(to, "wb") as kept:
                kept.write(made.read())
    return recording, log


def run(command):
    """Wall seconds, CPU seconds, peak MiB."""
    begun = time.perf_counter()
    pid = os.spawnv(os.P_NOWAIT, command[0], command)
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("src")
    parser.add_argument("work")
    parser.add_argument("--mib", type=int, default=128)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    recording, log = dense_recording(options.program, options.src, options.work)
    print(f"recording: {os.path.basename(recording)}, {os.path.getsize(recording) / 2**20:.1f} MiB")
    print("    MiB  jobs    wall s     CPU s    MiB/s   peak MiB   CSV MiB")
    for mib in (options.mib, options.mib * 4):
        big, big_log = f"{options.work}/{mib}.jfr", f"{options.work}/{mib}.power.log"
        subprocess.run([sys.executable, f"{options.src}/tests/bench/repeat.py", recording, log, str(mib), big, big_log], check=True)
        size = os.path.getsize(big) / 2**20
        for jobs in (1, 2):
            command = [options.program, "-q", f"-j{jobs}", "-o", f"{options.work}/results", big, big_log]
            run(command)
            figures = [run(command) for _ in range(options.runs)]
            wall, cpu, peak = (statistics.median(column) for column in zip(*figures))
            csv = sum(entry.stat().st_size for entry in os.scandir(f"{options.work}/results")) / 2**20
            print(f"{size:7.0f} {jobs:5d} {wall:9.3f} {cpu:9.3f} {size / wall:8.0f} {peak:10.1f} {csv:9.1f}", flush=True)
        os.remove(big)
        os.remove(big_log)


main()
