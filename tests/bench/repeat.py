#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a large recording and its power log from small ones: repeat.py RUN.jfr RUN.power.log MIB OUT.jfr OUT.power.log

The chunks are repeated until there are MIB of them, each time with the chunk header's start moved on by the length of the
recording, and the cycles of the log are moved on by as much on both clocks, so that they cover every chunk."""
import re
import struct
import sys


def chunks(data):
    at = 0
    while at < len(data):
        size = struct.unpack_from(">Q", data, at + 8)[0]
        yield bytearray(data[at : at + size])
        at += size


def main():
    recording, log, mib, out, out_log = sys.argv[1:]
    with open(recording, "rb") as file:
        parts = list(chunks(file.read()))
    starts = [struct.unpack_from(">q", part, 32)[0] for part in parts]
    ends = [start + struct.unpack_from(">q", part, 40)[0] for part, start in zip(parts, starts)]
    with open(log, encoding="utf-8") as file:
        lines = file.read().splitlines()
    head, lines = lines[:2], [line for line in lines[2:] if not line.startswith("#")]
    cycles = [[int(x) for x in line.split(",")[1:4]] for line in lines if line.startswith("cycle,")]
    # from where the log begins to where both have ended, so that no two repetitions overlap
    first = cycles[0][0] - cycles[0][2]
    step = max(max(ends), cycles[-1][0]) - first
    times = max(1, -(-int(mib) * 1024 * 1024 // sum(len(part) for part in parts)))
    with open(out, "wb") as file:
        for i in range(times):
            for part, start in zip(parts, starts):
                struct.pack_into(">q", part, 32, start + i * step)
                file.write(part)
    with open(out_log, "w", encoding="utf-8") as file:
        file.write("\n".join(head) + "\n")
        for i in range(times):
            for line in lines:
                moved = re.match(r"cycle,(\d+),(\d+),(.*)", line)
                if moved:
                    line = f"cycle,{int(moved[1]) + i * step},{int(moved[2]) + i * step},{moved[3]}"
                file.write(line + "\n")


main()
