#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the odd recordings of the command-line cases from good ones.

    bytes.py patch IN OUT AT HEX        the bytes from AT on are HEX
    bytes.py replace IN OUT OLD NEW     every OLD is NEW, of equal length (\\x1b and the like are understood)
    bytes.py stop IN OUT AT             the first event of chunk 1 that begins at AT or later has the size 0
    bytes.py split IN FOLDER            one file a chunk: chunk-1.jfr ...
    bytes.py move IN OUT SECONDS        the chunks of IN start that much later
"""
import os
import struct
import sys


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def chunks(data):
    at = 0
    while at < len(data):
        size, = struct.unpack_from(">q", data, at + 8)
        yield data[at:at + size]
        at += size


def event_from(data, least):
    at = 68
    while at < least:
        size, shift, i = 0, 0, at
        while True:
            size |= (data[i] & 127) << shift
            shift += 7
            i += 1
            if data[i - 1] < 128:
                break
        at += size
    return at


def raw(text):
    return text.encode("latin-1").decode("unicode_escape").encode("latin-1")


def main(what, source, target, *rest):
    data = read(source)
    if what == "patch":
        at, new = int(rest[0]), bytes.fromhex(rest[1])
        write(target, data[:at] + new + data[at + len(new):])
    elif what == "replace":
        old, new = raw(rest[0]), raw(rest[1])
        if len(old) != len(new) or old not in data:
            sys.exit(f"bytes.py: {source}: {old!r} is not there, or {new!r} has another length")
        write(target, data.replace(old, new))
    elif what == "stop":
        at = event_from(data, int(rest[0]))
        write(target, data[:at] + b"\0" + data[at + 1:])
    elif what == "split":
        os.makedirs(target, exist_ok=True)
        for number, chunk in enumerate(chunks(data), 1):
            write(os.path.join(target, f"chunk-{number}.jfr"), chunk)
    elif what == "move":
        moved = b""
        for chunk in chunks(data):
            start, = struct.unpack_from(">q", chunk, 32)
            moved += chunk[:32] + struct.pack(">q", start + int(float(rest[0]) * 1e9)) + chunk[40:]
        write(target, moved)
    else:
        sys.exit(__doc__)


main(*sys.argv[1:])
