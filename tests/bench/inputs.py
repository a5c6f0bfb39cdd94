# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings for the benchmarks. They are made once, in a folder that is kept, with JDK 25 and joular-record:

    events    all events enabled: many of them, of many types, most of which nobody asks for
    samples   CPU-time samples and little else; each is put into its chunk many times, moved on in time
    stacks    stack traces that are nearly all different (Paths.java), so that constant pools are most of the bytes
    dense     the same, and so many samples that 50 MiB have 1.7 million; since any stack may be in any cycle, what is
              written is 25 times as much
    gc        the same program as events in 48 MiB of heap: collections all the time
    mixed     the programs of events and of stacks in one JVM, with many samples, small events and constant pools: in
              100 MiB some 250,000 samples and 2.6 million events, and a third of the bytes are constant pools

Larger ones are made of these by repeat.py."""
import os
import re
import struct
import subprocess
import sys
import tempfile

QUIET = ["jdk.SystemProcess#enabled=false", "jdk.InitialEnvironmentVariable#enabled=false", "jdk.InitialSystemProperty#enabled=false"]
CPU_TIME = ["jdk.CPUTimeSample#enabled=true", "jdk.CPUTimeSample#throttle=1ms"]
NO_EXECUTION = ["jdk.ExecutionSample#enabled=false", "jdk.NativeMethodSample#enabled=false"]
EVENTS = ["settings=profile", *CPU_TIME, *NO_EXECUTION, *QUIET, "jdk.ThreadPark#threshold=0ns", "jdk.JavaMonitorWait#threshold=0ns"]
EVENTS += ["jdk.ObjectAllocationSample#throttle=10000/s", "jdk.GCPhaseParallel#enabled=true", "jdk.PromoteObjectInNewPLAB#enabled=true"]
STACKS = ["settings=profile", *CPU_TIME, *NO_EXECUTION, *QUIET, "jdk.ObjectAllocationSample#throttle=4000/s"]
MIXED = ["settings=profile", *CPU_TIME, *NO_EXECUTION, *QUIET, "jdk.ObjectAllocationSample#throttle=1500/s"]
MIXED += ["jdk.GCPhaseParallel#enabled=true", "jdk.ThreadPark#threshold=0ns", "jdk.PromoteObjectInNewPLAB#enabled=true"]
SAMPLES = ["settings=samples.jfc"]
SAMPLES_JFC = """<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0">
<event name="jdk.CPUTimeSample"><setting name="enabled">true</setting><setting name="throttle">1ms</setting></event>
<event name="jdk.JVMInformation"><setting name="enabled">true</setting></event>
<event name="jdk.ActiveSetting"><setting name="enabled">true</setting></event>
<event name="jdk.CPULoad"><setting name="enabled">true</setting><setting name="period">1 s</setting></event>
</configuration>
"""
KINDS = {
    "events": (EVENTS, "256m", ["com.example.shop.Shop", "--seconds", "SECONDS"]),
    "samples": (SAMPLES, "256m", ["com.example.shop.Shop", "--seconds", "SECONDS"]),
    "stacks": (STACKS, "256m", ["Paths", "2", "SECONDS"]),
    "dense": (STACKS, "256m", ["Paths", "2", "SECONDS"]),
    "gc": (EVENTS, "48m", ["com.example.shop.Shop", "--seconds", "SECONDS"]),
    "mixed": (MIXED, "256m", ["Paths", "1", "SECONDS", "com.example.shop.Shop", "--seconds", "SECONDS"]),
}


def varint(data, at):
    value = 0
    for i in range(9):
        byte = data[at + i]
        if i == 8:
            return value | byte << 56, at + 9
        value |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            return value, at + i + 1


def to_varint(value):
    out = bytearray()
    while value >= 0x80 and len(out) < 8:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def chunks(data):
    at = 0
    while at < len(data):
        size = struct.unpack_from(">Q", data, at + 8)[0]
        yield bytearray(data[at : at + size])
        at += size


def densify(program, recording, count, bytes_each=None):
    """Puts the samples of each chunk into it again and again, behind its other events, at other times of it and in
    the order of these, until it has COUNT, or so many that it has BYTES_EACH for each."""
    types = subprocess.run([program, "--dump", "metadata", recording], capture_output=True, text=True, check=True).stdout
    sample = int(re.search(r"type=(\d+) jdk\.CPUTimeSample ", types)[1])
    with open(recording, "rb") as file:
        parts = list(chunks(file.read()))
    with open(recording, "wb") as file:
        for part in parts:
            duration, start, per_second = struct.unpack_from(">qqq", part, 40)
            ticks, found, at = duration * per_second // 10**9, [], 68
            while at < len(part):
                size, body = varint(part, at)
                kind, body = varint(part, body)
                if kind == sample:
                    when, behind = varint(part, body)
                    found.append((when - start, bytes(part[behind : at + size])))
                at += size
            if bytes_each is not None:
                own = sum(len(rest) + 11 for _, rest in found) / len(found)
                count = int((len(part) - own * len(found)) / (bytes_each - own))
            times = -(-count // max(1, len(found)))
            moved = [((when + k * ticks // times) % ticks, rest) for k in range(1, times) for when, rest in found]
            for when, rest in sorted(moved, key=lambda event: event[0]):
                event = to_varint(sample) + to_varint(start + when) + rest
                part += to_varint(len(event) + 1) + event
            struct.pack_into(">Q", part, 8, len(part))
            file.write(part)


DENSE = {"samples": (200000,), "dense": (0, 31), "mixed": (13000,)}  # samples in a chunk: kernels here have 250 a second and core


def make(kind, program, src, work, seconds=30):
    """Paths of the recording and of its log."""
    recording, log = f"{work}/{kind}.jfr", f"{work}/{kind}.power.log"
    if os.path.exists(recording) and os.path.exists(log):
        return recording, log
    jdk = subprocess.run(["sh", f"{src}/tests/jdk.sh", "25"], capture_output=True, text=True)
    if jdk.returncode != 0:
        sys.exit(f"no JDK 25 here: {jdk.stderr.strip().splitlines()[-1]}")
    java = jdk.stdout.strip()
    settings, heap, command = KINDS[kind]
    with tempfile.TemporaryDirectory() as folder:
        for source in ("samples/shop/Shop.java", "tests/bench/Paths.java"):
            with open(f"{src}/{source}", "rb") as read, open(f"{folder}/{os.path.basename(source)}", "wb") as write:
                write.write(read.read())
        with open(f"{folder}/samples.jfc", "w", encoding="utf-8") as file:
            file.write(SAMPLES_JFC)
        subprocess.run([f"{java}/javac", "-d", "classes", "Shop.java", "Paths.java"], cwd=folder, check=True)
        print(f"recording {kind} for {seconds} s with JDK 25 ...", flush=True)
        record = os.path.join(os.path.dirname(os.path.abspath(program)), "joular-record")
        line = [record, "-q", "-s", "estimate", "--idle-watts", "10", "--max-watts", "35", "-o", "power.log", "--", f"{java}/java"]
        line += [f"-Xmx{heap}", "-Xlog:jfr+startup=error", "-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints"]
        line += ["-XX:FlightRecorderOptions=stackdepth=256", f"-XX:StartFlightRecording=filename=run.jfr,{','.join(settings)}"]
        words = [str(seconds) if word == "SECONDS" else word for word in command]
        subprocess.run(line + ["-cp", "classes", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        if kind in DENSE:
            densify(program, f"{folder}/run.jfr", *DENSE[kind])
        for name, to in (("run.jfr", recording), ("power.log", log)):
            with open(f"{folder}/{name}", "rb") as made, open(to, "wb") as kept:
                kept.write(made.read())
    return recording, log


if __name__ == "__main__":
    make(*sys.argv[1:5], *map(int, sys.argv[5:6]))
