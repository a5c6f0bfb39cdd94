#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is found of a damaged recording. Real recordings of several chunks are damaged in many places, and of the samples that stand in
the good one (which the JDK's own reader finds as well: test-jdk.sh), those that the damage does not touch must all be found, each at
its own time. The share that is found is printed by kind of damage; so is that of samples with the stack that they had.

Run by `make check`; by hand with JOULAR_TOP_BUILDDIR=the build folder."""
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.abspath(os.environ.get("JOULAR_TOP_BUILDDIR", "."))
SAMPLES = ("jdk.CPUTimeSample", "jdk.ExecutionSample", "jdk.NativeMethodSample")
HEADER = 68


def events_of(path):
    """(chunk, offset in the chunk, size, type, start) of every sample; what was said of damage."""
    out = subprocess.run([f"{BUILD}/joular-analyze", "--dump", "events", path], capture_output=True, text=True)
    found = []
    for line in out.stdout.splitlines():
        match = re.match(r"(\d+) size=(\d+) (\S+) startTime=(-?\d+)", line)
        if match and match[3] in SAMPLES:
            found.append((int(match[1]), int(match[2]), match[3], int(match[4])))
    if out.returncode not in (0, 1) or (out.returncode == 1 and found):
        sys.exit(f"{path}: exit {out.returncode}: {out.stderr}")
    return found, out.stderr


def stacks_of(path):
    """Lines of jfr-samples: time, thread and stack of each sample."""
    out = subprocess.run([f"{BUILD}/jfr-samples", path], capture_output=True, text=True)
    return [line for line in out.stdout.splitlines() if line.split("\t", 1)[0] in SAMPLES]


def chunks_of(data):
    at = 0
    while at < len(data):
        size, _, metadata = struct.unpack_from(">QQQ", data, at + 8)
        yield at, size, metadata
        at += size


def repeated(path, times):
    """The same recording several times behind itself, each chunk beginning where the one before it ends."""
    with open(path, "rb") as file:
        data = file.read()
    out, start = bytearray(), None
    for _ in range(times):
        for at, size, _ in chunks_of(data):
            chunk = bytearray(data[at : at + size])
            own, duration = struct.unpack_from(">qq", chunk, 32)
            start = own if start is None else start
            struct.pack_into(">q", chunk, 32, start)
            start += duration
            out += chunk
    return bytes(out)


class Run:
    def __init__(self, name, good, folder):
        self.name, self.folder = name, folder
        self.path = f"{folder}/damaged.jfr"
        with open(self.path, "wb") as file:
            file.write(good)
        self.good, self.samples, self.stacks = good, events_of(self.path)[0], stacks_of(self.path)
        self.failures, self.shares = 0, {}

    def check(self, kind, data, damaged, lost_chunks=(), says=True):
        """DAMAGED: [from, to) of the good file; samples of LOST_CHUNKS need not be found."""
        with open(self.path, "wb") as file:
            file.write(data)
        found, said = events_of(self.path)
        times = {(kind, start) for _, _, kind, start in found}
        touched = lambda at, size: at < damaged[1] and at + size > damaged[0]
        gone = [chunk for number, chunk in enumerate(chunks_of(self.good)) if number in lost_chunks]
        missing = [
            sample
            for sample in self.samples
            if not touched(sample[0], sample[1])
            and not any(at <= sample[0] < at + size for at, size, _ in gone)
            and (sample[2], sample[3]) not in times
        ]
        invented = times - {(kind, start) for _, _, kind, start in self.samples}
        if missing or len(invented) > 2 or (says and not said):
            self.failures += 1
            words = f"{len(missing)} samples are not found, first {missing[:1]}; {len(invented)} are new; said: {said.strip()[:300]}"
            print(f"FAILED {self.name}: {kind} at {damaged}: {words}")
        whole = len(set(stacks_of(self.path)) & set(self.stacks))
        share = self.shares.setdefault(kind, [0, 0, 0, 0])
        share[0] += 1
        share[1] += len(times - invented)
        share[2] += whole
        share[3] += len(self.samples)

    def all(self, rng):
        good, chunks = self.good, list(chunks_of(self.good))
        places = [rng.randrange(HEADER, len(good) - 1000) for _ in range(25)]
        for at in places:
            for kind, length in (("zeros", 600), ("noise", 600), ("one byte", 1)):
                hit = [n for n, (start, size, metadata) in enumerate(chunks) if start < at + length and at < start + size]
                inside = [n for n in hit if chunks[n][0] + HEADER <= at and at + length <= chunks[n][0] + chunks[n][1]]
                start, size, metadata = chunks[hit[0]]
                _, after = self.event_at(start + metadata)
                if not inside or at < after and at + length > start + metadata:
                    continue  # headers and metadata are damaged below
                new = bytes(length) if kind == "zeros" else rng.randbytes(length)
                # one byte of an event that nobody reads may change nothing
                self.check(kind, good[:at] + new + good[at + length :], (at, at + length), says=False)
        for n, (start, size, metadata) in enumerate(chunks):
            end = start + metadata + 2000
            self.check("metadata", good[: start + metadata + 40] + rng.randbytes(1960) + good[end:], (start + metadata, end))
            for what, at, value in (("size 0", 8, 0), ("huge size", 8, 1 << 62), ("small size", 8, 200), ("metadata offset", 24, 99)):
                data = bytearray(good)
                struct.pack_into(">Q", data, start + at, value)
                self.check(what, bytes(data), (start, start + HEADER), says=False)
            data = bytearray(good)
            data[start : start + HEADER] = bytes(HEADER)
            self.check("header", bytes(data), (start, start + HEADER), lost_chunks=(n,))
            data = bytearray(good)
            struct.pack_into(">q", data, start + 56, 0)
            self.check("no ticks", bytes(data), (start, start + HEADER), lost_chunks=(n,))
        for at in sorted(rng.randrange(HEADER, len(good)) for _ in range(15)):
            # a first chunk that is cut before its metadata has nobody to lend it one
            first = at < chunks[0][0] + chunks[0][2] + 100000 and at < chunks[0][1]
            self.check("cut", good[:at], (at, len(good)), lost_chunks=(0,) if first else (), says=False)

    def event_at(self, at):
        """Where the event at AT begins and ends."""
        size, shift, p = 0, 0, at
        while True:
            byte = self.good[p]
            size |= (byte & 0x7F) << shift
            p, shift = p + 1, shift + 7
            if byte < 0x80:
                return at, at + size


def main():
    rng, failures = random.Random(7), 0
    quick = bool(os.environ.get("JOULAR_QUICK"))
    with tempfile.TemporaryDirectory() as folder:
        for name in ["samples/shop-jdk25"] if quick else ["samples/shop-jdk25", "tests/data/jdk17-chunks", "tests/data/shop-jdk21"]:
            times = 1 if name.endswith("chunks") else 3
            run = Run(name, repeated(f"{TOP}/{name}.jfr", times), folder)
            run.all(rng)
            failures += run.failures
            for kind, (count, found, whole, all_) in run.shares.items():
                print(f"{name}: {kind:16s} {count:4d} times, {100 * found / all_:6.2f} % of the samples, {100 * whole / all_:6.2f} % as they were")
    sys.exit(failures != 0)


main()
