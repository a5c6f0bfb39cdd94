#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""trim.py RECORDING OUT [EVENTS]: the first chunks of a recording, made small for the corpus of fuzz-jfr.

Of each type of event that the analyzer reads the first EVENTS (6) of a chunk stay, of the constant pools what they refer
to, of the metadata their types. Strings, encodings and layouts stay as the JVM wrote them.
"""
import struct
import sys

EVENTS = """CPUTimeSample CPUTimeSamplesLost ExecutionSample NativeMethodSample ThreadCPULoad ThreadStart ThreadEnd CPULoad
GCCPUTime ActiveSetting BooleanFlag JVMInformation CPUInformation GCPhasePause GarbageCollection
ContainerConfiguration""".split()
WANTED = {"jdk." + name for name in EVENTS}
KEPT_ANNOTATIONS = {"jdk.jfr.Timestamp", "jdk.jfr.Timespan"}
FIXED = {"boolean": 1, "byte": 1, "float": 4, "double": 8}
INTEGERS = {"char", "short", "int", "long"}
MOST_CHUNKS = 2


class Cursor:
    def __init__(self, data, at):
        self.data, self.at = data, at

    def varint(self):
        value = 0
        for i in range(9):
            byte = self.data[self.at]
            self.at += 1
            value |= (byte if i == 8 else byte & 127) << 7 * i
            if byte < 128:
                break
        return value

    def string(self):
        kind = self.data[self.at]
        self.at += 1
        if kind in (3, 5):
            length = self.varint()
            self.at += length
            return self.data[self.at - length:self.at].decode("utf-8" if kind == 3 else "latin-1", "replace")
        if kind == 4:
            return "".join(chr(self.varint()) for _ in range(self.varint()))
        return self.varint() and None if kind == 2 else "" if kind == 1 else None


def put_varint(value):
    out = bytearray()
    while value >= 128 and len(out) < 8:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def event(kind, body):
    rest = put_varint(kind) + body
    width = 1
    while len(put_varint(len(rest) + width)) != width:
        width += 1
    return put_varint(len(rest) + width) + rest


def read_element(cursor, strings):
    name = strings[cursor.varint()]
    attributes = [(strings[cursor.varint()], strings[cursor.varint()]) for _ in range(cursor.varint())]
    return [name, dict(attributes), [read_element(cursor, strings) for _ in range(cursor.varint())]]


def put_element(element, strings):
    def number(text):
        return put_varint(strings.setdefault(text, len(strings)))

    name, attributes, children = element
    out = number(name) + put_varint(len(attributes))
    for key, value in attributes.items():
        out += number(key) + number(value)
    return out + put_varint(len(children)) + b"".join(put_element(child, strings) for child in children)


class Chunk:
    def __init__(self, data):
        self.data = data
        self.events = []  # type, start of the body, end
        at = 68
        while at < len(data):
            cursor = Cursor(data, at)
            size = cursor.varint()
            if size == 0 or at + size > len(data):
                break
            kind = cursor.varint()
            self.events.append((kind, cursor.at, at + size))
            at += size
        self.read_metadata()

    def read_metadata(self):
        at = [start for kind, start, _ in self.events if kind == 0][-1]
        cursor = Cursor(self.data, at)
        self.metadata_head = [cursor.varint() for _ in range(3)]
        strings = [cursor.string() for _ in range(cursor.varint())]
        self.tree = read_element(cursor, strings)
        self.types = {}
        for top in self.tree[2]:
            if top[0] == "metadata":
                self.types = {int(c[1]["id"]): c for c in top[2] if c[0] == "class"}

    def skip(self, cursor, kind, refs):
        """Steps over a value of type number KIND; adds (type, key) of what it refers to."""
        name = self.types[kind][1]["name"]
        if name in FIXED:
            cursor.at += FIXED[name]
        elif name in INTEGERS:
            cursor.varint()
        elif name == "java.lang.String":
            if self.data[cursor.at] == 2:
                refs.append((kind, Cursor(self.data, cursor.at + 1).varint()))
            cursor.string()
        else:
            for field in self.types[kind][2]:
                if field[0] == "field":
                    self.skip_field(cursor, field, refs)

    def skip_field(self, cursor, field, refs):
        kind = int(field[1]["class"])
        for _ in range(cursor.varint() if field[1].get("dimension", "0") != "0" else 1):
            if "constantPool" in field[1]:
                refs.append((kind, cursor.varint()))
            else:
                self.skip(cursor, kind, refs)

    def pools(self):
        """(type, key) -> bytes, references"""
        found = {}
        for kind, start, end in self.events:
            if kind != 1:
                continue
            cursor = Cursor(self.data, start)
            for _ in range(3):
                cursor.varint()
            cursor.at += 1
            for _ in range(cursor.varint()):
                pool = cursor.varint()
                for _ in range(cursor.varint()):
                    key, at, refs = cursor.varint(), cursor.at, []
                    self.skip(cursor, pool, refs)
                    found.setdefault((pool, key), (self.data[at:cursor.at], refs))
            assert cursor.at == end
        return found

    def trimmed(self, most):
        pools, seen, needed, out = self.pools(), {}, [], b""
        types = {0: None}
        for kind, start, end in self.events:
            if kind < 2 or self.types[kind][1]["name"] not in WANTED:
                continue
            types[kind] = True
            seen[kind] = seen.get(kind, 0) + 1
            if seen[kind] > most:
                continue
            cursor = Cursor(self.data, start)
            self.skip(cursor, kind, needed)
            out += event(kind, self.data[start:end])
        kept = {}
        while needed:
            ref = needed.pop()
            if ref in pools and ref not in kept:
                kept[ref] = pools[ref][0]
                needed += pools[ref][1]
        checkpoint_at = 68 + len(out)
        by_pool = {}
        for (pool, key), entry in sorted(kept.items()):
            by_pool.setdefault(pool, []).append(put_varint(key) + entry)
        out += event(1, put_varint(1) * 2 + put_varint(0) + b"\1" + put_varint(len(by_pool)) + b"".join(
            put_varint(pool) + put_varint(len(entries)) + b"".join(entries) for pool, entries in by_pool.items()))
        metadata_at = 68 + len(out)
        out += event(0, self.metadata(set(types) - {0} | set(by_pool)))
        header = bytearray(self.data[:68])
        header[8:32] = struct.pack(">QQQ", 68 + len(out), checkpoint_at, metadata_at)
        return bytes(header) + out

    def metadata(self, kinds):
        annotations = {number for number, c in self.types.items() if c[1]["name"] in KEPT_ANNOTATIONS}
        todo, kept = list(kinds | annotations), {}
        while todo:
            number = todo.pop()
            if number in kept:
                continue
            name, attributes, children = self.types[number]
            fields = [[f[0], f[1], [a for a in f[2] if int(a[1].get("class", 0)) in annotations]] for f in children
                      if f[0] == "field"]
            kept[number] = [name, attributes, fields]
            todo += [int(f[1]["class"]) for f in fields]
        tree = [self.tree[0], self.tree[1], [[top[0], top[1], sorted(kept.values(), key=lambda c: int(c[1]["id"]))]
                                             if top[0] == "metadata" else top for top in self.tree[2]]]
        strings = {}
        body = put_element(tree, strings)
        table = put_varint(len(strings))
        for text in strings:
            raw = text.encode()
            table += (b"\3" + put_varint(len(raw)) if text else b"\1") + raw
        return b"".join(map(put_varint, self.metadata_head)) + table + body


def main():
    data = open(sys.argv[1], "rb").read()
    most = int(sys.argv[3]) if len(sys.argv) > 3 else 6
    out, at = b"", 0
    for _ in range(MOST_CHUNKS):
        size = struct.unpack(">Q", data[at + 8:at + 16])[0] if at < len(data) else 0
        if size == 0:
            break
        out += Chunk(data[at:at + size]).trimmed(most)
        at += size
    open(sys.argv[2], "wb").write(out)


main()
