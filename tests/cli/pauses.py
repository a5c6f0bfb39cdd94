#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks of GC pauses: pauses.py EVENTS.json VIEW.txt FOLDER SUMMARY

    EVENTS.json   what `jfr print --json --events jdk.GCPhasePause,jdk.GarbageCollection` prints of the recording
    VIEW.txt      what `jfr view gc-pauses` of JDK 25 prints of it
    FOLDER        the results of joular-analyze; SUMMARY what it printed

gc.csv has each pause of EVENTS.json with its figures; numbers and times are those of VIEW.txt; joules are the process energy of each
cycle x overlap / interval; the summary's table is made of the same pauses."""
import csv
import datetime
import json
import math
import re
import sys

TYPES = {
    "DefNew": "YOUNG", "ParallelScavenge": "YOUNG", "G1New": "YOUNG", "ZGC Minor": "YOUNG",
    "SerialOld": "FULL", "ParallelOld": "FULL", "G1Full": "FULL",
    "G1Old": "CONCURRENT", "Z": "CONCURRENT", "ZGC Major": "CONCURRENT", "Shenandoah": "CONCURRENT",
}  # fmt: skip
BUCKETS = [("<1 ms", 1), ("1-5 ms", 5), ("5-10 ms", 10), ("10-50 ms", 50), ("50-100 ms", 100), ("100-500 ms", 500), (">=500 ms", math.inf)]


def table(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def duration_ns(text):
    match = re.fullmatch(r"PT(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?", text)
    return (int(match[1] or 0) * 60 + int(match[2] or 0)) * 10**9 + int((match[3] or "0").ljust(9, "0"))


def time_ns(text):
    match = re.fullmatch(r"(.*?)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)", text)
    seconds = datetime.datetime.fromisoformat(match[1] + match[3].replace("Z", "+00:00")).timestamp()
    return int(seconds) * 10**9 + int((match[2] or "0").ljust(9, "0"))


def expect(good, *words):
    if not good:
        sys.exit(" ".join(str(word) for word in words))


def main(events_path, view_path, folder, summary_path):
    with open(events_path, encoding="utf-8") as file:
        events = json.load(file)["recording"]["events"]
    rows, timeline = table(f"{folder}/gc.csv"), table(f"{folder}/timeline.csv")
    with open(f"{folder}/report.json", encoding="utf-8") as file:
        report = json.load(file)

    # each pause as the JDK's own reader has it
    collections = {e["values"]["gcId"]: e["values"] for e in events if e["type"] == "jdk.GarbageCollection"}
    pauses = [e["values"] for e in events if e["type"] == "jdk.GCPhasePause"]
    pauses.sort(key=lambda p: (time_ns(p["startTime"]), p["gcId"]))
    expect(len(pauses) > 3, "few pauses:", len(pauses))
    expect(len(rows) == len(pauses) == len(report["gc_pauses"]), "pauses:", len(rows), "in gc.csv,", len(pauses), "in the recording")
    expect([int(r["timestamp"]) for r in rows] == sorted(int(r["timestamp"]) for r in rows), "gc.csv is not by time")
    # two that begin in one tick may be in either order
    key = lambda gc_id, phase, ns: (gc_id, ns // 1000, phase)
    ours = sorted(zip(rows, report["gc_pauses"]), key=lambda p: key(p[1]["gc_id"], p[1]["phase"], p[1]["start_ns"]))
    theirs = sorted(pauses, key=lambda p: key(p["gcId"], p["name"], time_ns(p["startTime"])))
    for (row, full), pause in zip(ours, theirs):
        collection = collections.get(pause["gcId"])
        expect(int(row["gc_id"]) == pause["gcId"], row, pause)
        expect(row["phase"] == pause["name"], row, pause)
        expect(row["thread"] == (pause["eventThread"] or {}).get("osName", ""), row, pause)
        expect(int(row["os_thread_id"]) == pause["eventThread"]["osThreadId"], row, pause)
        expect(int(row["pid"]) == report["facts"]["pid"] > 0, row)
        if collection is not None:
            expect(row["collector"] == collection["name"] and row["cause"] == collection["cause"], row, collection)
            expect(row["type"] == TYPES[collection["name"]], row)
        expect(abs(full["duration_ns"] - duration_ns(pause["duration"])) <= 1, full, pause)
        expect(re.fullmatch(r"\d+\.\d{3}", row["duration_ms"]), row)
        expect(abs(float(row["duration_ms"]) - full["duration_ns"] / 1e6) <= 0.000501, row, full)
        expect(abs(full["start_ns"] - time_ns(pause["startTime"])) <= 2000, full, pause)
        expect(int(row["timestamp"]) == full["start_ns"] // 10**6, row, full)
        expect(abs(float(row["energy_joules"]) - full["joules"]) <= 0.6e-9, row, full)

    # joules: process energy of each cycle x overlap / interval
    cycles = [(c["end_ns"] - c["interval_ns"], c["end_ns"], c["process_joules"] / c["interval_ns"]) for c in report["cycles"]]
    most = max(watts for _, _, watts in cycles)
    exact = 0
    for pause in report["gc_pauses"]:
        start, end = pause["start_ns"], pause["start_ns"] + pause["duration_ns"]
        joules = sum(watts * max(0, min(end, cycle_end) - max(start, cycle_start)) for cycle_start, cycle_end, watts in cycles)
        # both clocks drift a little, which matters at a border of cycles only
        near = any(abs(t - border) < 500_000 or start < border < end for c in cycles for border in c[:2] for t in (start, end))
        exact += not near and joules > 0
        slack = most * 500_000 if near else 1e-9 + 1e-6 * joules
        expect(abs(joules - pause["joules"]) <= slack, pause, "has", joules, "J by hand")
    expect(exact > 0.6 * len(pauses), "few pauses are inside a cycle:", exact, "of", len(pauses))
    expect(len(timeline) == len(cycles), "cycles")

    # what jfr view says, to its three digits
    with open(view_path, encoding="utf-8") as file:
        view = dict(re.findall(r"^(\w[^:\n]*): +(\S.*?)\s*$", file.read(), re.M))
    expect(int(view["Number of Pauses"].replace(",", "")) == len(rows), "Number of Pauses", view)
    ns = sorted(p["duration_ns"] for p in report["gc_pauses"])
    for name, true in (("Total Pause Time", sum(ns)), ("Minimum Pause Time", ns[0]), ("Maximum Pause Time", ns[-1])):
        number, unit = view[name].split()
        scale = {"s": 1e9, "ms": 1e6, "m": 60e9}.get(unit)
        if scale:
            expect(abs(float(number.replace(",", "")) * scale - true) <= 0.006 * true + 1, name, view[name], "is not", true, "ns")

    # the summary
    with open(summary_path, encoding="utf-8") as file:
        part = re.search(r"\nGC PAUSES AND THE ENERGY OF THE PROCESS IN THEM[^\n]*\n(.*?)\n\n", file.read(), re.S)[1].split("\n")
    kinds = ["YOUNG", "FULL", "CONCURRENT"]
    expect(part[0].split() == ["young", "full", "concurrent"], part[0])
    shown = {line[2:14].strip(): line[14:].split() for line in part[1:11]}
    low = 0
    for name, high in BUCKETS:
        true = [sum(1 for p in report["gc_pauses"] if p["type"] == kind and low <= p["duration_ns"] / 1e6 < high) for kind in kinds]
        expect([int(n) for n in shown[name]] == true, name, shown[name], "is not", true)
        low = high
    for i, kind in enumerate(kinds):
        of = [p for p in report["gc_pauses"] if p["type"] == kind]
        expect(int(shown["total"][i]) == len(of), "total", kind)
        expect(abs(float(shown["ms"][i]) - sum(p["duration_ns"] for p in of) / 1e6) <= 0.051, "ms", kind)
        expect(abs(float(shown["joules"][i]) - sum(p["joules"] for p in of)) <= 0.0051, "joules", kind)
    expect(part[11] == "  longest:", part)
    longest = sorted(report["gc_pauses"], key=lambda p: -p["duration_ns"])[:3]
    expect([line.split()[0] for line in part[12:]] == [f"{p['duration_ns'] / 1e6:.3f}" for p in longest], part[12:], longest)
    print(len(rows), "pauses:", {kind: sum(1 for r in rows if r["type"] == kind) for kind in kinds})


main(*sys.argv[1:])
