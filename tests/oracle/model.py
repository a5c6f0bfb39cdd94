#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""model.py: the attribution model a second time, as an independent check of joular-analyze.

    python3 model.py [options] RECORDING... POWERLOG -o DIR

Written from the model page alone (the "attribution model"), in the order of that page, with clarity before speed and
not a line in common with the C sources. It writes DIR/methods-power-all.csv and DIR/methods-power-app.csv and prints the
totals as JSON. A section number in a comment (S1 .. S8) is a section of the model page.

The file has three parts: readers (power log, JFR) that give plain structures, compute() that is the model, and output.
Times are Python ints in nanoseconds, everything that the page does not call int64 is a float.
"""

import argparse
import bisect
import collections
import gzip
import json
import os
import re
import struct
import subprocess
import sys
from dataclasses import dataclass, field


class ModelError(Exception):
    """An input or a combination of inputs that the model calls an error."""


MS = 1_000_000
SECOND = 1_000_000_000


# ------------------------------------------------------------------------------------------------------------------
# Plain structures
# ------------------------------------------------------------------------------------------------------------------

@dataclass
class ProcessRecord:
    pid: int
    cpu: int
    name: str = ""
    ns_pid: int = None


@dataclass
class ThreadRecord:
    pid: int
    tid: int
    cpu: int
    name: str = ""
    ns_tid: int = None


@dataclass
class Cycle:
    """One interval (start, end] of the monotonic axis."""
    start: int
    end: int
    realtime: int
    power: float  # None: the cycle has no power
    busy: int = 0
    status: str = "ok"
    processes: list = field(default_factory=list)
    threads: list = field(default_factory=list)

    @property
    def interval(self):
        return self.end - self.start


@dataclass
class Log:
    facts: dict
    cycles: list


@dataclass
class JfrThread:
    id: int
    name: str = ""
    os_id: int = 0
    group: str = ""
    virtual: bool = False


@dataclass
class Stack:
    """Frames oldest first, each (class.method, is it hidden)."""
    frames: tuple
    truncated: bool = False


CPU_TIME = "jdk.CPUTimeSample"
EXECUTION = "jdk.ExecutionSample"
NATIVE = "jdk.NativeMethodSample"


@dataclass
class Sample:
    kind: str
    t: int
    thread: int = None  # JFR thread id, None: a sample without a thread
    stack: Stack = None
    period: int = 0  # samplingPeriod of a CPUTimeSample
    failed: bool = False
    biased: bool = False
    waiting: bool = False  # the state of an ExecutionSample


@dataclass
class Events:
    """The events that the model reads. In a chunk their times are wall time, in a recording monotonic."""
    samples: list = field(default_factory=list)  # Sample
    lost: list = field(default_factory=list)  # (t, JFR thread id or None, lostSamples)
    periods: list = field(default_factory=list)  # (t, event type name, ns or None where it is no time)
    cpu_loads: list = field(default_factory=list)  # (t, jvmUser + jvmSystem, machineTotal)
    thread_loads: list = field(default_factory=list)  # (t, JFR thread id, user + system)
    thread_starts: list = field(default_factory=list)  # (t, JFR thread id)
    thread_ends: list = field(default_factory=list)  # (t, JFR thread id)
    gc_cpu: list = field(default_factory=list)  # (t, ns)


@dataclass
class Chunk:
    start: int  # wall clock
    end: int  # wall clock
    events: Events = field(default_factory=Events)
    threads: dict = field(default_factory=dict)  # JFR thread id -> JfrThread
    pids: list = field(default_factory=list)
    hw_threads: int = None
    effective_cpus: int = None


@dataclass
class Recording:
    start: int  # monotonic
    end: int  # monotonic
    events: Events = field(default_factory=Events)
    threads: dict = field(default_factory=dict)
    pid: int = None
    hw_threads: int = None
    effective_cpus: int = None


@dataclass
class Options:
    filter: list = field(default_factory=list)
    samples: str = None  # cpu-time, execution
    jvm_threads: str = "separate"  # separate, unattributed, spread
    hidden_frames: str = "keep"  # keep, drop
    process_share: float = None
    share_of: str = "busy"  # busy, capacity
    baseline: object = None  # watts, or "log"


# ------------------------------------------------------------------------------------------------------------------
# The power log
# ------------------------------------------------------------------------------------------------------------------

def split_fields(line, number):
    """One record's fields, RFC 4180."""
    fields, at = [], 0
    while True:
        if line[at:at + 1] == '"':
            text, at = [], at + 1
            while True:
                quote = line.find('"', at)
                if quote < 0:
                    raise ModelError(f"power log line {number}: a quote is not closed")
                text.append(line[at:quote])
                at = quote + 1
                if line[at:at + 1] != '"':
                    break
                text.append('"')
                at += 1
            if at < len(line) and line[at] != ",":
                raise ModelError(f"power log line {number}: text after a closing quote")
            fields.append("".join(text))
        else:
            comma = line.find(",", at)
            comma = len(line) if comma < 0 else comma
            fields.append(line[at:comma])
            at = comma
        if at >= len(line):
            return fields
        at += 1


def read_log(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] == b"\x28\xb5\x2f\xfd":
        # A cut .zst is read up to its last whole block: whatever zstd could write counts.
        done = subprocess.run(["zstd", "-dc", "--", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        data = done.stdout
    return parse_log(data.decode("utf-8", "surrogateescape"))


def parse_log(text):
    lines = text.split("\n")[:-1]  # a last line without its LF is dropped
    if not lines or not lines[0].startswith("#joular-power-log "):
        raise ModelError("power log line 1: this is no power log")
    if lines[0].rstrip() != "#joular-power-log 1":
        raise ModelError(f"power log line 1: unsupported version {lines[0].split()[1]}")
    facts = {}
    if len(lines) > 1 and lines[1].startswith("#{"):
        try:
            facts = json.loads(lines[1][1:])
        except ValueError:
            raise ModelError("power log line 2: not JSON") from None

    def number(fields, index, line_number):
        try:
            value = int(fields[index])
        except (ValueError, IndexError):
            raise ModelError(f"power log line {line_number}, field {index + 1}: not a number") from None
        if value < 0:
            raise ModelError(f"power log line {line_number}, field {index + 1}: negative")
        return value

    def optional(fields, index, line_number):
        return number(fields, index, line_number) if len(fields) > index and fields[index] != "" else None

    cycles, processes, threads = [], [], []
    for line_number, line in enumerate(lines, 1):
        if line.startswith("#") or line == "":
            continue
        f = split_fields(line, line_number)
        if f[0] == "process":
            processes.append(ProcessRecord(number(f, 1, line_number), number(f, 2, line_number),
                                           f[3] if len(f) > 3 else "", optional(f, 4, line_number)))
        elif f[0] == "thread":
            threads.append(ThreadRecord(number(f, 1, line_number), number(f, 2, line_number), number(f, 3, line_number),
                                        f[4] if len(f) > 4 else "", optional(f, 5, line_number)))
        elif f[0] == "cycle":
            realtime, end, interval = (number(f, i, line_number) for i in (1, 2, 3))
            power = None
            if len(f) > 4 and f[4] != "":
                try:
                    power = float(f[4])
                except ValueError:
                    raise ModelError(f"power log line {line_number}, field 5: not a number") from None
                if not 0 <= power < float("inf"):
                    raise ModelError(f"power log line {line_number}, field 5: no power")
            busy = number(f, 5, line_number)
            start = end - interval
            if interval == 0 or (cycles and start < cycles[-1].end):
                raise ModelError(f"power log line {line_number}: the cycle does not go forward")
            cycles.append(Cycle(start, end, realtime, power, busy, f[6] if len(f) > 6 else "", processes, threads))
            processes, threads = [], []
    return Log(facts, cycles)  # records after the last cycle are dropped


# ------------------------------------------------------------------------------------------------------------------
# JFR: bytes -> Chunk
# ------------------------------------------------------------------------------------------------------------------

class Damage(Exception):
    """Bytes that are not what the metadata says."""


Ref = collections.namedtuple("Ref", "type_id key")  # an entry of a constant pool


class StringRef(int):
    """A key into the pool of java.lang.String."""


class Cursor:
    def __init__(self, data, at, end, compressed):
        self.data, self.at, self.end, self.compressed = data, at, end, compressed

    def take(self, count):
        at = self.at
        if count < 0 or at + count > self.end:
            raise Damage("cut")
        self.at = at + count
        return self.data[at:self.at]

    def byte(self):
        at = self.at
        if at >= self.end:
            raise Damage("cut")
        self.at = at + 1
        return self.data[at]

    def varint(self):
        data, at, end = self.data, self.at, self.end
        value = shift = 0
        while True:
            if at >= end:
                raise Damage("cut")
            b = data[at]
            at += 1
            if shift == 56:  # the ninth byte carries 8 bits
                value |= b << 56
                break
            value |= (b & 0x7f) << shift
            if b < 0x80:
                break
            shift += 7
        self.at = at
        return value

    def integer(self, width, signed=True):
        bits = 8 * width
        value = self.varint() if self.compressed else int.from_bytes(self.take(width), "big")
        value &= (1 << bits) - 1
        if signed and value >> (bits - 1):
            value -= 1 << bits
        return value

    def int(self):
        return self.integer(4)

    def long(self):
        return self.integer(8)

    def count(self):
        value = self.int()
        if value < 0 or value > self.end - self.at:  # nothing takes less than a byte
            raise Damage("count")
        return value

    def string(self):
        encoding = self.byte()
        if encoding == 0:
            return None
        if encoding == 1:
            return ""
        if encoding == 2:
            return StringRef(self.long())
        if encoding == 3:
            return self.take(self.int()).decode("utf-8", "replace")
        if encoding == 4:
            units = [self.integer(2, signed=False) for _ in range(self.count())]
            return struct.pack(f">{len(units)}H", *units).decode("utf-16-be", "replace")
        if encoding == 5:
            return self.take(self.int()).decode("latin-1")
        raise Damage(f"string encoding {encoding}")


PRIMITIVES = {
    "boolean": lambda c: c.byte() != 0,
    "byte": lambda c: (c.byte() ^ 0x80) - 0x80,
    "char": lambda c: c.integer(2, signed=False),
    "short": lambda c: c.integer(2),
    "int": Cursor.int,
    "long": Cursor.long,
    "float": lambda c: struct.unpack(">f", c.take(4))[0],
    "double": lambda c: struct.unpack(">d", c.take(8))[0],
    "java.lang.String": Cursor.string,
}


def read_metadata(cursor):
    """The tree of elements as nested (name, {attribute: value}, [children])."""
    cursor.long(), cursor.long(), cursor.long()  # start, duration, id
    strings = [cursor.string() for _ in range(cursor.count())]

    def element(depth):
        if depth > 50:
            raise Damage("metadata nesting")
        name = strings[cursor.int()]
        attributes = {}
        for _ in range(cursor.count()):
            key = strings[cursor.int()]
            attributes[key] = strings[cursor.int()]
        return name, attributes, [element(depth + 1) for _ in range(cursor.count())]

    try:
        return element(0)
    except IndexError:
        raise Damage("metadata string index") from None


class Types:
    """Types of one chunk: how to read a value of each."""

    def __init__(self, root):
        self.name, self.fields, self.simple = {}, {}, {}
        for child in root[2]:
            if child[0] != "metadata":
                continue
            for tag, attributes, children in child[2]:
                if tag == "class":
                    self.name[int(attributes["id"])] = attributes["name"]
                    self.simple[int(attributes["id"])] = attributes.get("simpleType") == "true"
                    self.fields[int(attributes["id"])] = [c for c in children if c[0] == "field"]
        self.id = {name: type_id for type_id, name in self.name.items()}
        self.annotation_of = {}  # (type, field) -> {annotation's type name: value}
        for type_id, fields in self.fields.items():
            for _, attributes, children in fields:
                self.annotation_of[self.name[type_id], attributes["name"]] = {
                    self.name.get(int(a["class"])): a.get("value") for tag, a, _ in children if tag == "annotation"}
        self.readers = {}

    def reader(self, type_id):
        """A function of a cursor that reads one value that stands there in full."""
        if type_id not in self.readers:
            self.readers[type_id] = self.make_reader(type_id)
        return self.readers[type_id]

    def make_reader(self, type_id):
        if type_id not in self.name:
            raise Damage(f"type {type_id} is not in the metadata")
        if self.name[type_id] in PRIMITIVES:
            return PRIMITIVES[self.name[type_id]]
        # A struct holds others by value, never itself; the late look-up keeps a bad file from endless building.
        members = [(attributes["name"], self.field_reader(attributes)) for _, attributes, _ in self.fields[type_id]]
        if self.simple[type_id] and len(members) == 1:
            return members[0][1]
        return lambda cursor: {name: read(cursor) for name, read in members}

    def field_reader(self, attributes):
        type_id = int(attributes["class"])
        if attributes.get("constantPool") == "true":
            def one(cursor):
                return Ref(type_id, cursor.long())
        elif self.name.get(type_id) in PRIMITIVES:
            one = PRIMITIVES[self.name[type_id]]
        else:
            def one(cursor):
                return self.reader(type_id)(cursor)
        if int(attributes.get("dimension") or 0) > 0:
            return lambda cursor: [one(cursor) for _ in range(cursor.count())]
        return one


def member(value, name):
    """A field of a struct; a type with simpleType is its one field."""
    return value.get(name) if isinstance(value, dict) else value


HIDDEN_CLASS = re.compile(r"^(.*?)[+/](0x[0-9a-f]+)(/[0-9]+)?$")


def class_display_name(name):
    """S1, names."""
    hidden = HIDDEN_CLASS.match(name)
    if hidden:
        return hidden.group(1).replace("/", ".") + "/" + hidden.group(2)
    return name.replace("/", ".")


UNITS = {"ns": 1, "us": 1000, "ms": MS, "s": SECOND, "m": 60 * SECOND, "h": 3600 * SECOND, "d": 86400 * SECOND}


def parse_period(text):
    """S1, weight: a `period` setting, None where it is no time ("everyChunk")."""
    match = re.match(r"^\s*([0-9]+)\s*(ns|us|ms|s|m|h|d)\s*$", text or "")
    return int(match.group(1)) * UNITS[match.group(2)] if match else None


def waits(state):
    """S1: sleeping, parked, waiting, blocked."""
    return any(word in (state or "") for word in ("SLEEPING", "PARKED", "WAIT", "BLOCKED"))


class ChunkReader:
    """One chunk at data[at:]. After read() the chunk ends at self.limit."""

    HEADER = 68

    def __init__(self, data, at):
        if len(data) - at < self.HEADER:
            raise Damage("chunk header cut")
        magic, major, _ = struct.unpack_from(">4sHH", data, at)
        if magic != b"FLR\0":
            raise Damage("no chunk magic")
        if major not in (1, 2):
            raise ModelError(f"chunk at byte {at}: unsupported version {major}")
        (self.size, _, self.metadata_at, self.start_nanos, self.duration, self.start_ticks,
         self.ticks_per_second) = struct.unpack_from(">7q", data, at + 8)
        self.state, self.compressed = data[at + 64], bool(data[at + 67] & 1)
        self.data, self.at = data, at
        self.finished = self.state == 0 and self.HEADER <= self.size <= len(data) - at
        self.limit = at + self.size if self.finished else len(data)
        self.divisor = self.ticks_per_second / 1e9

    # Time, S2. The conversion is the JDK's, in double, cut towards zero.
    def wall(self, ticks):
        return self.start_nanos + int((ticks - self.start_ticks) / self.divisor)

    def span(self, event_name, field_name, value):
        unit = self.types.annotation_of.get((event_name, field_name), {}).get("jdk.jfr.Timespan")
        if unit == "TICKS":
            return int(value / self.divisor)
        return value * {"MICROSECONDS": 1000, "MILLISECONDS": MS, "SECONDS": SECOND}.get(unit, 1)

    def walk(self):
        """(type id, cursor behind it) of all events; stops where there is no event any more."""
        at = self.at + self.HEADER
        while at < self.limit:
            if not self.finished and self.data[at:at + 4] == b"FLR\0":
                self.limit = at  # the next chunk of a concatenated file
                return
            cursor = Cursor(self.data, at, self.limit, self.compressed)
            try:
                size = cursor.int()
                type_id = cursor.long()
            except Damage:
                return
            if size <= cursor.at - at - 1 or at + size > self.limit:
                return
            cursor.end = at + size
            yield type_id, cursor
            at += size

    def read(self, warn):
        events = [(type_id, c.at, c.end) for type_id, c in self.walk()]
        metadata = None
        for type_id, at, end in events:  # the last one counts
            if type_id == 0:
                metadata = (at, end)
        if self.finished and self.metadata_at:
            cursor = Cursor(self.data, self.at + self.metadata_at, self.limit, self.compressed)
            start, size = cursor.at, cursor.int()
            if cursor.long() == 0:
                metadata = (cursor.at, start + size)
        if metadata is None:
            raise Damage("no metadata")
        try:
            self.types = Types(read_metadata(Cursor(self.data, *metadata, self.compressed)))
        except (KeyError, ValueError, TypeError):
            raise Damage("metadata") from None
        self.pools = collections.defaultdict(dict)  # type id -> key -> value
        for type_id, at, end in events:
            if type_id == 1:
                try:
                    self.read_checkpoint(Cursor(self.data, at, end, self.compressed))
                except Damage as damage:
                    warn(f"checkpoint at byte {at}: {damage}")
        self.stacks, self.frames = {}, {}
        chunk = Chunk(self.start_nanos, 0)
        self.read_threads(chunk)
        last = self.start_nanos
        for type_id, at, end in events:
            if type_id in (0, 1):
                continue
            try:
                time = self.read_event(chunk, type_id, Cursor(self.data, at, end, self.compressed))
            except (Damage, KeyError) as damage:
                warn(f"event at byte {at}: {damage}")
                continue
            if time is not None and time > last:
                last = time
        # S1, recording.
        chunk.end = self.start_nanos + self.duration if self.state == 0 and self.duration != 0 else last
        return chunk

    def read_checkpoint(self, cursor):
        cursor.long(), cursor.long(), cursor.long(), cursor.byte()  # start, duration, delta, flags
        for _ in range(cursor.int()):
            type_id = cursor.long()
            read = self.types.reader(type_id)
            pool = self.pools[type_id]
            for _ in range(cursor.count()):
                key = cursor.long()
                pool[key] = read(cursor)

    def resolve(self, value):
        """What a reference points to, None where it points to nothing."""
        if isinstance(value, Ref):
            value = self.pools.get(value.type_id, {}).get(value.key)
        if isinstance(value, StringRef):
            value = self.pools.get(self.types.id.get("java.lang.String"), {}).get(int(value))
            if isinstance(value, StringRef):
                value = None
        return value

    def follow(self, value, *names):
        """resolve, with a field's name between one step and the next."""
        value = self.resolve(value)
        for name in names:
            if value is None:
                return None
            value = self.resolve(member(value, name))
        return value

    def read_threads(self, chunk):
        for key, value in self.pools.get(self.types.id.get("java.lang.Thread"), {}).items():
            name = self.follow(value, "javaName") or self.follow(value, "osName") or ""
            chunk.threads[key] = JfrThread(key, name, value.get("osThreadId") or 0,
                                           self.follow(value, "group", "name") or "", bool(value.get("virtual")))

    def frame(self, ref):
        """(class.method, hidden) of a method. S1, names."""
        if ref not in self.frames:
            method = self.resolve(ref)
            if method is None:
                self.frames[ref] = ("[unknown]", False)
            else:
                class_name = self.follow(method, "type", "name", "string")
                method_name = self.follow(method, "name", "string")
                class_name = "[unknown]" if class_name is None else class_display_name(class_name)
                method_name = "[unknown]" if method_name is None else method_name
                self.frames[ref] = (f"{class_name}.{method_name}", bool(method.get("hidden")))
        return self.frames[ref]

    def stack(self, ref):
        if ref not in self.stacks:
            value = self.resolve(ref)
            stack = None
            if value is not None:
                frames = [self.frame(f["method"]) for f in value["frames"] or []]
                stack = Stack(tuple(reversed(frames)), bool(value["truncated"]))  # JFR has the youngest first
            self.stacks[ref] = stack
        return self.stacks[ref]

    def read_event(self, chunk, type_id, cursor):
        """Adds the event where the model reads it; gives the wall time of any event, None where it has none."""
        name = self.types.name.get(type_id)
        fields = self.types.fields.get(type_id)
        if not fields or fields[0][1]["name"] != "startTime":
            return None
        if name not in self.EVENTS:
            return self.wall(cursor.long())
        event = self.types.reader(type_id)(cursor)
        time = self.wall(event["startTime"])
        self.EVENTS[name](self, chunk, name, time, event)
        return time

    @staticmethod
    def thread_id(event, field_name):
        """The JFR thread id is the key in the pool of threads; 0 is no thread."""
        ref = event.get(field_name)
        return ref.key if ref is not None and ref.key != 0 else None

    def on_sample(self, chunk, kind, time, event):
        sample = Sample(kind, time, stack=self.stack(event["stackTrace"]))
        if kind == CPU_TIME:
            sample.thread = self.thread_id(event, "eventThread")
            sample.period = self.span(kind, "samplingPeriod", event["samplingPeriod"])
            sample.failed, sample.biased = bool(event.get("failed")), bool(event.get("biased"))
        else:
            sample.thread = self.thread_id(event, "sampledThread")
            if kind == EXECUTION:
                sample.waiting = waits(member(self.resolve(event.get("state")), "name"))
        chunk.events.samples.append(sample)

    def on_lost(self, chunk, _, time, event):
        chunk.events.lost.append((time, self.thread_id(event, "eventThread"), event["lostSamples"]))

    def on_setting(self, chunk, _, time, event):
        if self.resolve(event["name"]) == "period":
            kind = self.types.name.get(event["id"])
            if kind in (EXECUTION, NATIVE):
                chunk.events.periods.append((time, kind, parse_period(self.resolve(event["value"]))))

    def on_cpu_load(self, chunk, _, time, event):
        chunk.events.cpu_loads.append((time, event["jvmUser"] + event["jvmSystem"], event["machineTotal"]))

    def on_thread_load(self, chunk, _, time, event):
        chunk.events.thread_loads.append((time, self.thread_id(event, "eventThread"), event["user"] + event["system"]))

    def on_thread_start(self, chunk, _, time, event):
        chunk.events.thread_starts.append((time, self.thread_id(event, "thread")))

    def on_thread_end(self, chunk, _, time, event):
        chunk.events.thread_ends.append((time, self.thread_id(event, "thread")))

    def on_gc_cpu(self, chunk, name, time, event):
        chunk.events.gc_cpu.append((time, sum(self.span(name, f, event[f]) for f in ("userTime", "systemTime"))))

    def on_jvm(self, chunk, _, time, event):
        chunk.pids.append(event["pid"])

    def on_cpu_information(self, chunk, _, time, event):
        chunk.hw_threads = event["hwThreads"]

    def on_container(self, chunk, _, time, event):
        chunk.effective_cpus = event["effectiveCpuCount"]

    EVENTS = {
        CPU_TIME: on_sample, EXECUTION: on_sample, NATIVE: on_sample,
        "jdk.CPUTimeSamplesLost": on_lost, "jdk.ActiveSetting": on_setting, "jdk.CPULoad": on_cpu_load,
        "jdk.ThreadCPULoad": on_thread_load, "jdk.ThreadStart": on_thread_start, "jdk.ThreadEnd": on_thread_end,
        "jdk.GCCPUTime": on_gc_cpu, "jdk.JVMInformation": on_jvm, "jdk.CPUInformation": on_cpu_information,
        "jdk.ContainerConfiguration": on_container,
    }


def read_chunks(path, warn=lambda text: None):
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    if data[:4] == b"\x28\xb5\x2f\xfd":
        data = subprocess.run(["zstd", "-dc", "--", path], stdout=subprocess.PIPE, check=False).stdout
    if data[:4] != b"FLR\0":
        raise ModelError(f"{path}: this is no recording")
    chunks, at = [], 0
    while at < len(data):
        try:
            reader = ChunkReader(data, at)
        except Damage as damage:
            warn(f"{path}: byte {at}: {damage}")
            break
        try:
            chunks.append(reader.read(lambda text: warn(f"{path}: {text}")))
        except Damage as damage:
            warn(f"{path}: chunk at byte {at}: {damage}")
        at = reader.limit
    return chunks


# ------------------------------------------------------------------------------------------------------------------
# S2: everything on the monotonic axis
# ------------------------------------------------------------------------------------------------------------------

def offset_at(cycles, start_nanos):
    """realtime - monotonic of the cycle closest to a chunk's start, the earlier on a tie."""
    best = min(cycles, key=lambda c: abs(c.realtime - start_nanos))  # min keeps the first of equals
    return best.realtime - best.end


def align(chunks, cycles, pid=None):
    """Chunks of one JVM, wall time -> one Recording, monotonic."""
    if not chunks:
        raise ModelError("the recording has no chunk")
    if not cycles:
        raise ModelError("the power log has no cycle")
    chunks = sorted(chunks, key=lambda c: c.start)
    pids = sorted({p for chunk in chunks for p in chunk.pids})
    if pid is None and len(pids) > 1:
        raise ModelError(f"recordings of several processes: {pids}")
    first = chunks[0]
    last = max(chunks, key=lambda c: c.end)
    recording = Recording(first.start - offset_at(cycles, first.start), last.end - offset_at(cycles, last.start))
    recording.pid = pid if pid is not None else (pids[0] if pids else None)
    for chunk in chunks:
        offset = offset_at(cycles, chunk.start)
        for sample in chunk.events.samples:
            recording.events.samples.append(Sample(**{**sample.__dict__, "t": sample.t - offset}))
        for name, rows in chunk.events.__dict__.items():
            if name != "samples":
                getattr(recording.events, name).extend((row[0] - offset,) + tuple(row[1:]) for row in rows)
        for thread in chunk.threads.values():
            recording.threads.setdefault(thread.id, thread)
        if recording.hw_threads is None:
            recording.hw_threads = chunk.hw_threads
        if recording.effective_cpus is None:
            recording.effective_cpus = chunk.effective_cpus
    return recording


# ------------------------------------------------------------------------------------------------------------------
# S1: threads
# ------------------------------------------------------------------------------------------------------------------

VIRTUAL = "virtual threads"


class Threads:
    """Which JFR threads and OS threads are one thread of the model. A thread of the model is VIRTUAL, ("os", id),
    ("jfr", id) or, for a sample without a thread, ("sample", number)."""

    def __init__(self, recording):
        self.jfr = recording.threads
        self.by_os = collections.defaultdict(list)
        for thread in self.jfr.values():
            if thread.os_id != 0:
                self.by_os[thread.os_id].append(thread)
        self.has_start = {thread for _, thread in recording.events.thread_starts}

    @staticmethod
    def is_virtual(thread):
        return thread.virtual or thread.group in ("VirtualThreads", "CarrierThreads")

    def of_os(self, os_id):
        return VIRTUAL if any(self.is_virtual(t) for t in self.by_os.get(os_id, ())) else ("os", os_id)

    def of_jfr(self, jfr_id):
        thread = self.jfr.get(jfr_id)
        if thread is None:
            return ("jfr", jfr_id)
        if self.is_virtual(thread):
            return VIRTUAL
        return self.of_os(thread.os_id) if thread.os_id != 0 else ("jfr", jfr_id)

    def representative(self, key):
        """The JFR thread whose name counts: the one with the lowest JFR id. None for OS threads JFR does not know."""
        if key == VIRTUAL or key[0] == "sample":
            return None
        if key[0] == "os":
            return min(self.by_os.get(key[1], ()), key=lambda t: t.id, default=None)
        return self.jfr.get(key[1])

    def jfr_name(self, key):
        thread = self.representative(key)
        return thread.name if thread else ""

    def started(self, key):
        """Started in the recording. An OS thread of carriers is asked for as ("os", id)."""
        thread = self.representative(key)
        if thread is None:
            return key[0] == "jfr" and key[1] in self.has_start
        return thread.id in self.has_start and thread.name != "main"


# ------------------------------------------------------------------------------------------------------------------
# S5: native threads
# ------------------------------------------------------------------------------------------------------------------

NATIVE_ROWS = (
    ("[GC]", ("GC Thread#", "GC task thread", "G1 ", "ParGC", "ZDriver", "ZWorker", "ZDirector", "ZStat", "ZUncommitter",
              "ZUnmapper", "XDriver", "XWorker", "XDirector", "XStat", "XUncommitter", "XUnmapper", "Shenandoah")),
    ("[JIT]", ("C1 Compiler", "C2 Compiler", "JVMCI", "Sweeper thread")),
    ("[JFR]", ("JFR ",)),
    ("[VM]", ("VM Thread", "VM Periodic", "VM Op", "Service Thread", "Monitor Defl", "Signal Disp", "Notification",
              "Attach Listener", "Reference Handl", "Finalizer", "Common-Cleaner", "DestroyJavaVM")),
)


def native_row(name):
    """Kernel names are cut at 15 bytes: of a name that long, as many bytes are compared as it has."""
    for row, prefixes in NATIVE_ROWS:
        for prefix in prefixes:
            if name.startswith(prefix) or (len(name.encode("utf-8", "surrogateescape")) == 15 and prefix.startswith(name)):
                return row
    return None


# ------------------------------------------------------------------------------------------------------------------
# S1: used samples and their weights
# ------------------------------------------------------------------------------------------------------------------

@dataclass
class Weight:
    """A used sample, or an event of lost samples (sample None): `weight` ns of `thread` at t. Blind where branch is None."""
    t: int
    cycle: int  # index, None: in no cycle
    thread: object
    weight: int
    branch: tuple = None  # frames, oldest first
    sample: Sample = None


def branch_of(sample, hidden_frames):
    """The frames oldest first, None where the weight is blind."""
    if sample.failed or sample.stack is None:
        return None
    frames = tuple(name for name, hidden in sample.stack.frames if not (hidden and hidden_frames == "drop"))
    if not frames:
        return None
    return ("[truncated]",) + frames if sample.stack.truncated else frames


def find_cycle(cycles, ends, t):
    i = bisect.bisect_left(ends, t)
    return i if i < len(cycles) and cycles[i].start < t else None


def latest(times_and_values, t):
    """The value of the latest (time, value) at or before t of a list sorted by time, None where there is none yet."""
    i = bisect.bisect_right(times_and_values, t, key=lambda row: row[0])
    return times_and_values[i - 1][1] if i else None


def period_of(recording):
    """A function: event type name, time -> weight of an ExecutionSample or NativeMethodSample."""
    settings = collections.defaultdict(list)
    for t, kind, period in sorted(recording.events.periods, key=lambda row: row[0]):
        settings[kind].append((t, period))

    def period(kind, t):
        value = latest(settings[kind], t)
        return 20 * MS if value is None else value
    return period


def sampler_of(recording, options):
    if options.samples:
        return options.samples
    return "cpu-time" if any(s.kind == CPU_TIME for s in recording.events.samples) else "execution"


def cpu_time_weights(recording, threads, cycles, options):
    ends = [c.end for c in cycles]
    samples = sorted((s for s in recording.events.samples if s.kind == CPU_TIME), key=lambda s: s.t)
    weights, periods = [], collections.defaultdict(list)
    for number, s in enumerate(samples):
        key = threads.of_jfr(s.thread) if s.thread is not None else ("sample", number)
        periods[s.thread].append((s.t, s.period))
        weights.append(Weight(s.t, find_cycle(cycles, ends, s.t), key, s.period, branch_of(s, options.hidden_frames), s))
    # Lost samples: blind weight of their thread, by the latest sampling period of that JFR thread.
    for number, (t, thread, lost) in enumerate(recording.events.lost):
        period = latest(periods[thread], t) if thread is not None else None
        if period is None:
            period = samples[0].period if samples else 0
        key = threads.of_jfr(thread) if thread is not None else ("sample", -1 - number)
        weights.append(Weight(t, find_cycle(cycles, ends, t), key, lost * period))
    return sorted(weights, key=lambda w: w.t)


def execution_weights(recording, threads, cycles, options, may_count):
    """may_count(thread, cycle index): is the thread known to have used CPU time, for NativeMethodSamples."""
    ends = [c.end for c in cycles]
    period = period_of(recording)
    used = []
    for number, s in enumerate(recording.events.samples):
        if s.kind == CPU_TIME or (s.kind == EXECUTION and s.waiting):
            continue
        key = threads.of_jfr(s.thread) if s.thread is not None else ("sample", number)
        used.append(Weight(s.t, find_cycle(cycles, ends, s.t), key, period(s.kind, s.t),
                           branch_of(s, options.hidden_frames), s))
    seen = {(w.thread, w.cycle) for w in used if w.sample.kind == EXECUTION}
    weights = [w for w in used if w.sample.kind == EXECUTION
               or (w.cycle is not None and (w.thread, w.cycle) not in seen and may_count(w.thread, w.cycle))]
    return sorted(weights, key=lambda w: w.t)


# ------------------------------------------------------------------------------------------------------------------
# S3: power of the process
# ------------------------------------------------------------------------------------------------------------------

def overlap(a_start, a_end, b_start, b_end):
    return max(0, min(a_end, b_end) - max(a_start, b_start))


def is_outside(cycle, recording):
    """S8: ends before the recording starts or starts after it ends."""
    return cycle.end < recording.start or cycle.start > recording.end


def find_host_pid(cycles, pid):
    """S3 source 1: the host pid whose process records are the recording's, None where there is none."""
    by_ns, by_pid = set(), set()
    for cycle in cycles:
        for record in cycle.processes:
            if record.ns_pid is not None:
                if record.ns_pid == pid:
                    by_ns.add(record.pid)
            elif record.pid == pid:
                by_pid.add(record.pid)
    hosts = by_ns or by_pid
    if len(hosts) > 1:
        raise ModelError(f"several processes of the log are process {pid} of the recording: {sorted(hosts)}")
    return min(hosts) if hosts else None


def process_cpu(cycle, host):
    """The sum of the cycle's records of the process, None where it has none."""
    records = [r.cpu for r in cycle.processes if r.pid == host]
    return sum(records) if records and host is not None else None


def cpu_load_of_cycles(recording, cycles, cpus):
    """S3 source 2: (P, B) of every cycle."""
    loads = sorted(recording.events.cpu_loads, key=lambda row: row[0])
    result = []
    for cycle in cycles:
        if is_outside(cycle, recording):
            result.append((0.0, 0.0))
            continue
        total = jvm = machine = 0.0
        for (since, _, _), (t, jvm_load, machine_load) in zip(loads, loads[1:]):
            part = overlap(cycle.start, cycle.end, since, t)
            total += part
            jvm += jvm_load * part
            machine += machine_load * part
        if total > 0:
            jvm, machine = jvm / total, machine / total
        else:
            def distance(row, cycle=cycle):
                return min(abs(row[0] - cycle.start), abs(row[0] - cycle.end))
            nearest = min(loads[1:], key=distance)
            if distance(nearest) <= 5 * SECOND:
                jvm, machine = nearest[1], nearest[2]
        scale = cpus * cycle.interval
        result.append((jvm * scale, machine * scale))
    return result


# ------------------------------------------------------------------------------------------------------------------
# S4: CPU time of threads
# ------------------------------------------------------------------------------------------------------------------

@dataclass
class LoadEvent:
    """A ThreadCPULoad event: `cpu` ns of CPU time of `thread` in (since, t]."""
    thread: object
    since: int
    t: int
    cpu: float


def load_events(recording, threads):
    """S4 source 3, first two points."""
    events = recording.events
    starts, thread_ends = {}, collections.defaultdict(list)
    for t, thread in events.thread_starts:
        starts[thread] = t
    for t, thread in events.thread_ends:
        thread_ends[thread].append(t)
    cpus = recording.effective_cpus if (recording.effective_cpus or 0) > 0 else recording.hw_threads
    if events.thread_loads and not cpus:
        raise ModelError("ThreadCPULoad without a count of processors: no jdk.CPUInformation")

    def periodic(t, thread):
        return not any(abs(t - end) <= 10 * MS for end in thread_ends[thread])

    emissions = sorted({t for t, thread, _ in events.thread_loads if periodic(t, thread)})
    result = []
    for t, thread, load in sorted(events.thread_loads, key=lambda row: row[0]):
        i = bisect.bisect_left(emissions, t)
        since = emissions[i - 1] if i else recording.start
        if thread in starts and starts[thread] > since:
            since = starts[thread]
        if thread is not None:
            result.append(LoadEvent(threads.of_jfr(thread), since, t, load * cpus * max(0, t - since)))
    return result


def spread_by_overlap(event, cycles, cpu):
    for i, cycle in enumerate(cycles):
        part = overlap(cycle.start, cycle.end, event.since, event.t)
        if part > 0:
            cpu[i][event.thread] += event.cpu * part / (event.t - event.since)


def cpu_from_loads(loads, weights, cycles, cpu):
    """S4 source 3, last two points."""
    by_thread = collections.defaultdict(list)
    for w in weights:
        by_thread[w.thread].append(w)
    last_event = {}
    own_cpu, counted = collections.defaultdict(float), collections.defaultdict(set)
    for event in loads:
        last_event[event.thread] = max(event.t, last_event.get(event.thread, event.t))
        inside = [(n, w) for n, w in enumerate(by_thread[event.thread]) if event.since < w.t <= event.t]
        total = sum(w.weight for _, w in inside)
        if total > 0:
            for n, w in inside:
                if w.cycle is not None:
                    cpu[w.cycle][event.thread] += event.cpu * w.weight / total
            own_cpu[event.thread] += event.cpu
            counted[event.thread].update(n for n, _ in inside)  # each weight counted once
        else:
            spread_by_overlap(event, cycles, cpu)
    own_weight = {thread: sum(by_thread[thread][n].weight for n in numbers) for thread, numbers in counted.items()}
    all_weight = sum(own_weight.values())
    common = sum(own_cpu[thread] for thread in own_weight) / all_weight if all_weight > 0 else 1.0
    for thread, rows in by_thread.items():
        ratio = own_cpu[thread] / own_weight[thread] if own_weight.get(thread) else common
        for w in rows:
            if w.cycle is not None and (thread not in last_event or w.t > last_event[thread]):
                cpu[w.cycle][thread] += w.weight * ratio


# ------------------------------------------------------------------------------------------------------------------
# The model
# ------------------------------------------------------------------------------------------------------------------

@dataclass
class Result:
    totals: dict
    all_rows: list  # (cycle, branch text, energy, coverage)
    app_rows: list
    methods: dict
    # For tests: cpu time, by cycle and thread
    cpu: list = None


@dataclass
class Power:
    """S3, by cycle: power after the baseline (None: no power), share, P (None: unknown) and B."""
    source: object
    power: list
    share: list
    p: list
    b: list
    machine_j: float = 0.0
    baseline_j: float = 0.0


def power_of_process(recording, log, options, cpus, host):
    cycles = log.cycles
    # The source is chosen once.
    if options.process_share is not None:
        source, p_of, b_of = "hand", [process_cpu(c, host) for c in cycles], [c.busy for c in cycles]
    elif host is not None:
        source, p_of, b_of = 1, [process_cpu(c, host) or 0 for c in cycles], [c.busy for c in cycles]
    elif len(recording.events.cpu_loads) >= 2:
        if not cpus:
            raise ModelError("the number of cpus is not known: neither in the log nor in the recording")
        source, (p_of, b_of) = 2, zip(*cpu_load_of_cycles(recording, cycles, cpus))
    else:
        raise ModelError("the power log has no process record of the recording's process and the recording fewer than two "
                         "jdk.CPULoad events: --process-share states the share")
    result = Power(source, [], [], list(p_of), list(b_of))
    for cycle, p, b in zip(cycles, p_of, b_of):
        if options.process_share is not None:
            result.share.append(options.process_share)
        elif p == 0:
            result.share.append(0.0)
        elif options.share_of == "capacity":
            if not cpus:
                raise ModelError("the number of cpus is not known: neither in the log nor in the recording")
            result.share.append(min(1.0, p / (cpus * cycle.interval)))
        else:
            result.share.append(min(1.0, p / max(b, p)))
    # The baseline, before all else.
    baseline = options.baseline
    if baseline == "log":
        baseline = log.facts.get("baseline_w")
        if baseline is None:
            raise ModelError("the power log has no baseline_w")
    for cycle in cycles:
        power = cycle.power
        if power is not None:
            result.machine_j += power * cycle.interval / 1e9
            if baseline is not None:
                power = max(0.0, power - baseline)
                result.baseline_j += (cycle.power - power) * cycle.interval / 1e9
        result.power.append(power)
    return result


class Records:
    """S4 source 1: the thread records of the process, by cycle and thread of the model."""

    def __init__(self, cycles, threads, pid):
        self.any = False
        self.ns = [collections.Counter() for _ in cycles]
        self.names = [{} for _ in cycles]
        self.os_ids = [collections.defaultdict(set) for _ in cycles]
        for i, cycle in enumerate(cycles):
            for record in cycle.threads:
                if pid is not None and record.pid == pid:
                    self.any = True
                    os_id = record.tid if record.ns_tid is None else record.ns_tid
                    key = threads.of_os(os_id)
                    self.ns[i][key] += record.cpu
                    self.names[i].setdefault(key, record.name)
                    self.os_ids[i][key].add(os_id)


def cpu_of_threads(source, recording, cycles, threads, records, weights, p_of):
    """S4: cpu[cycle][thread] in ns."""
    cpu = [collections.defaultdict(float) for _ in cycles]
    if source == 1:
        # R(i) goes to threads that have used samples in the cycle, but no record.
        has_sample = {(w.cycle, w.thread) for w in weights if w.sample is not None and w.sample.kind != NATIVE}
        without_record = [collections.Counter() for _ in cycles]
        for w in weights:
            if w.cycle is not None and w.thread not in records.ns[w.cycle] and (w.cycle, w.thread) in has_sample:
                without_record[w.cycle][w.thread] += w.weight
        for i, p in enumerate(p_of):
            cpu[i].update(records.ns[i])
            rest = max(0, p - sum(records.ns[i].values())) if p is not None else 0
            total = sum(without_record[i].values())
            for thread, weight in without_record[i].items():
                if total > 0:
                    cpu[i][thread] += rest * weight / total
    elif source == 3:
        cpu_from_loads(load_events(recording, threads), weights, cycles, cpu)
    else:
        for w in weights:
            if w.cycle is not None:
                cpu[w.cycle][w.thread] += w.weight
        if source == 2:
            ever = {w.thread for w in weights if w.weight > 0}
            for event in load_events(recording, threads):
                if event.thread not in ever:
                    spread_by_overlap(event, cycles, cpu)
    return cpu


def compute(recording, log, options):
    cycles = log.cycles
    ends = [c.end for c in cycles]
    threads = Threads(recording)
    cpus = log.facts.get("cpus") or recording.hw_threads
    sampler = sampler_of(recording, options)
    host = find_host_pid(cycles, recording.pid)
    power = power_of_process(recording, log, options, cpus, host)
    power_source, power_of, share_of, p_of = power.source, power.power, power.share, power.p

    # S4: the first source that is there.
    records = Records(cycles, threads, host if any(c.processes for c in cycles) else recording.pid)
    if records.any:
        cpu_source = 1
    elif sampler == "cpu-time":
        cpu_source = 2
    elif recording.events.thread_loads:
        cpu_source = 3
    else:
        cpu_source = 4

    # S1: used samples.
    with_loads = {threads.of_jfr(thread) for _, thread, _ in recording.events.thread_loads if thread is not None}

    def may_count(thread, i):
        if cpu_source == 1:
            return thread in records.ns[i]
        return cpu_source == 3 and thread in with_loads

    if sampler == "cpu-time":
        weights = cpu_time_weights(recording, threads, cycles, options)
    else:
        weights = execution_weights(recording, threads, cycles, options, may_count)

    cpu = cpu_of_threads(cpu_source, recording, cycles, threads, records, weights, p_of)
    gc_cpu = [0.0] * len(cycles)
    if cpu_source != 1:
        for t, ns in recording.events.gc_cpu:
            i = find_cycle(cycles, ends, t)
            if i is not None:
                gc_cpu[i] += ns

    # Weight by cycle, thread and branch.
    with_weight = {(w.cycle, w.thread) for w in weights if w.weight > 0}
    branch_weight = [collections.defaultdict(collections.Counter) for _ in cycles]
    branch_samples = collections.Counter()  # (cycle, thread) -> n of S7
    for w in weights:
        if w.cycle is not None and w.branch is not None:
            branch_weight[w.cycle][w.thread][w.branch] += w.weight
            branch_samples[w.cycle, w.thread] += 1

    def part_inside(i, thread):
        """S5: f."""
        if cpu_source != 1:
            return 1.0
        cycle = cycles[i]
        if thread == VIRTUAL:
            carriers = records.os_ids[i].get(VIRTUAL, ())
            started = bool(carriers) and all(threads.started(("os", os_id)) for os_id in carriers)
        else:
            started = threads.started(thread)
        a = cycle.start if started else recording.start
        return overlap(cycle.start, cycle.end, a, recording.end) / cycle.interval

    # S5: rows.
    process_j = java_j = native_j = outside_j = unattributed_j = 0.0
    all_rows, app_rows = [], []
    method_energy = collections.defaultdict(lambda: [0.0, 0.0])  # method -> own, total
    squares = collections.Counter()  # thread -> sum over cycles of e^2 / n
    for i, cycle in enumerate(cycles):
        if power_of[i] is None or power_of[i] * share_of[i] == 0:
            continue
        process_energy = power_of[i] * share_of[i] * (cycle.interval / 1e9)
        process_j += process_energy
        if is_outside(cycle, recording):
            outside_j += process_energy
            continue
        native_cpu = collections.Counter()
        if gc_cpu[i] > 0:
            native_cpu["[GC]"] += gc_cpu[i]
        native_threads = set()
        for thread, ns in cpu[i].items():
            if thread != VIRTUAL and (i, thread) not in with_weight:
                row = native_row(records.names[i].get(thread, "") if cpu_source == 1 else threads.jfr_name(thread))
                if row:
                    native_threads.add(thread)
                    native_cpu[row] += ns
        total_cpu = sum(cpu[i].values()) + gc_cpu[i]
        c_of = total_cpu if p_of[i] is None else max(p_of[i], total_cpu)
        if options.jvm_threads == "spread":
            c_of -= sum(native_cpu.values())
        branches, natives, held_back = collections.defaultdict(float), {}, 0.0
        if c_of > 0:
            for thread, ns in cpu[i].items():
                if thread in native_threads:
                    continue
                total = sum(branch_weight[i][thread].values())
                if total <= 0:
                    continue  # blind weight only, or no weight: unattributed
                f = part_inside(i, thread)
                whole = process_energy * ns / c_of
                energy = whole * f
                held_back += whole - energy
                squares[thread] += energy * energy / branch_samples[i, thread]
                for branch, weight in branch_weight[i][thread].items():
                    branches[branch] += energy * weight / total
            if options.jvm_threads == "separate":
                natives = {row: process_energy * ns / c_of for row, ns in native_cpu.items()}
        java, native = sum(branches.values()), sum(natives.values())
        java_j += java
        native_j += native
        outside_j += held_back
        unattributed_j += process_energy - java - native - held_back
        coverage = (java + native) / process_energy  # S6
        for row, energy in natives.items():
            all_rows.append((i, row, energy, coverage))
        app = collections.defaultdict(float)
        for branch, energy in branches.items():
            all_rows.append((i, ";".join(branch), energy, coverage))
            kept = [frame for frame in branch if not options.filter or frame.startswith(tuple(options.filter))]
            if kept:
                app[";".join(kept)] += energy
            method_energy[branch[-1]][0] += energy
            for method in set(branch):
                method_energy[method][1] += energy
        app_rows.extend((i, branch, energy, coverage) for branch, energy in app.items())

    used = [w for w in weights if w.sample is not None]
    in_cycle = [w for w in used if w.cycle is not None]
    with_branch = [w for w in in_cycle if w.branch is not None]
    busy = [(b, c.interval) for c, b, watts in zip(cycles, power.b, power_of) if watts is not None
            and not (power_source == 2 and is_outside(c, recording))]
    without_power = collections.Counter(c.status for c in cycles if c.power is None)
    totals = {
        "machine_j": power.machine_j, "baseline_j": power.baseline_j, "process_j": process_j, "java_j": java_j, "native_j": native_j,
        "unattributed_j": unattributed_j, "outside_j": outside_j,
        "samples_used": len(with_branch),
        "samples_failed": sum(w.branch is None for w in in_cycle),
        "samples_biased": sum(w.sample.biased for w in with_branch),
        "samples_lost": sum(lost for _, _, lost in recording.events.lost) if sampler == "cpu-time" else 0,
        "samples_outside": len(used) - len(in_cycle),
        "samples_truncated": sum(w.sample.stack.truncated for w in with_branch),
        "busy_share": sum(b for b, _ in busy) / (cpus * sum(t for _, t in busy)) if busy and cpus else None,
        "cycles_without_power": dict(sorted(without_power.items())),
        "power_source": power_source, "cpu_source": cpu_source, "sampler": sampler,
    }
    methods = method_figures(weights, method_energy, squares)

    def order(row):  # S6: by cycle, then energy as printed (high first), then branch (bytes)
        return row[0], -float("%.9f" % row[2]), row[1].encode("utf-8", "surrogateescape")

    all_rows = sorted((row for row in all_rows if row[2] != 0), key=order)
    app_rows = sorted((row for row in app_rows if row[2] != 0), key=order)
    return Result(totals, all_rows, app_rows, methods, cpu)


def method_figures(weights, energy, squares):
    """S7, for a method's own and for its total."""
    thread_weight, thread_samples = collections.Counter(), collections.Counter()
    own, total = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
    samples = collections.Counter()
    for w in weights:
        if w.branch is None:
            continue
        thread_weight[w.thread] += w.weight
        thread_samples[w.thread] += 1
        own[w.branch[-1]][w.thread] += w.weight
        for method in set(w.branch):
            total[method][w.thread] += w.weight
            if w.cycle is not None:
                samples[method] += 1

    def half_width(by_thread):
        variance = 0.0
        for thread, weight in by_thread.items():
            if weight > 0 and squares[thread] > 0:
                if thread_samples[thread] < 5:
                    return None  # marked: no interval
                p = weight / thread_weight[thread]
                variance += squares[thread] * p * (1 - p)
        return 1.96 * variance ** 0.5

    return {method: {
        "own_j": energy[method][0], "own_half_width_j": half_width(own[method]),
        "total_j": energy[method][1], "total_half_width_j": half_width(total[method]),
        "samples": samples[method],
    } for method in sorted(samples)}


# ------------------------------------------------------------------------------------------------------------------
# Output
# ------------------------------------------------------------------------------------------------------------------

def csv_field(text):
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"\r\n') else text


def write_csv(path, rows, cycles):
    """S6."""
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        file.write("timestamp,branch,power_watts,energy_joules,interval_seconds,coverage\n")
        for i, branch, energy, coverage in rows:
            seconds = cycles[i].interval / 1e9
            file.write("%d,%s,%.9f,%.9f,%.9f,%.4f\n" % (cycles[i].realtime // MS, csv_field(branch), energy / seconds, energy,
                                                     seconds, coverage))


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(prog="model.py", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("recordings", nargs="+", metavar="RECORDING... POWERLOG")
    parser.add_argument("-o", dest="directory", required=True, metavar="DIR")
    parser.add_argument("--filter", default="", help="comma-separated prefixes of class.method for the app file")
    parser.add_argument("--samples", choices=("cpu-time", "execution"))
    parser.add_argument("--jvm-threads", choices=("separate", "unattributed", "spread"), default="separate")
    parser.add_argument("--hidden-frames", choices=("keep", "drop"), default="keep")
    parser.add_argument("--process-share", type=float)
    parser.add_argument("--share-of", choices=("busy", "capacity"), default="busy")
    parser.add_argument("--baseline", help="watts, or log")
    parser.add_argument("--pid", type=int, help="the recording's process id")
    result = parser.parse_args(arguments)
    if len(result.recordings) < 2:
        parser.error("a recording and a power log are needed")
    return result


def main(arguments):
    a = parse_arguments(arguments)
    baseline = a.baseline if a.baseline in (None, "log") else float(a.baseline)
    options = Options([p.strip() for p in a.filter.split(",") if p.strip()], a.samples, a.jvm_threads, a.hidden_frames,
                      a.process_share, a.share_of, baseline)

    def warn(text):
        print(f"model.py: {text}", file=sys.stderr)

    try:
        log = read_log(a.recordings[-1])
        chunks = [chunk for path in a.recordings[:-1] for chunk in read_chunks(path, warn)]
        result = compute(align(chunks, log.cycles, a.pid), log, options)
    except ModelError as error:
        warn(f"error: {error}")
        return 1
    os.makedirs(a.directory, exist_ok=True)
    write_csv(os.path.join(a.directory, "methods-power-all.csv"), result.all_rows, log.cycles)
    write_csv(os.path.join(a.directory, "methods-power-app.csv"), result.app_rows, log.cycles)
    json.dump({**result.totals, "methods": result.methods}, sys.stdout, indent=1)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
