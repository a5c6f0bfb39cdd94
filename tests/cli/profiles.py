#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks of the profiles for other tools:

    profiles.py sums FOLDER... | whole NUMBER FOLDER... | firefox SCHEMA FILE... | speedscope SCHEMA FILE... | top TEXT FOLDER [BASE] |
                functions JSON FOLDER | weights FOLDER REPORT

    sums        profile.pb.gz (where it is there), profile.speedscope.json and profile.firefox.json hold the energy of report.json to
                the last microjoule: in all, by stack, by thread; and the power tracks and GC pauses of the last
    whole       those of FOLDER hold NUMBER microjoules each, and the same by stack
    top         what `go tool pprof -top` printed of FOLDER, or of its difference to BASE, is what profile.speedscope.json has
    functions   what the Firefox Profiler's own reader says of its functions is that too
    weights     the first profile of profile.speedscope.json counts what --weight said, cpu or samples, the folder's name
    firefox, speedscope   FILE is as SCHEMA has it (python3-jsonschema; exit 77 without), and SCHEMA refuses what is not
"""
import collections
import copy
import gzip
import json
import math
import os
import re
import sys

NOBODYS = {"unattributed_joules": "unattributed", "outside_joules": "outside the recording"}
LEFT_OUT = "left out of this view"


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def need(good, *what):
    if not good:
        sys.exit(" ".join(str(w) for w in what))


# ---- Readers: each gives microjoules by stack, a tuple of names, oldest first ----


def fields(data):
    """Of a protobuf message: (number, value) one by one; packed lists stay bytes."""

    def varint(at):
        value = shift = 0
        while True:
            value |= (data[at] & 0x7F) << shift
            shift += 7
            at += 1
            if not data[at - 1] & 0x80:
                return value, at

    at = 0
    while at < len(data):
        key, at = varint(at)
        need(key & 7 in (0, 2), "wire type", key & 7)
        value, at = varint(at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        yield key >> 3, value


def message(data):
    out = collections.defaultdict(list)
    for number, value in fields(data):
        out[number].append(value)
    return out


def packed(values):
    out = []
    for data in values:
        value = shift = 0
        for byte in data:
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                out.append(value)
                value = shift = 0
    return out


class Pprof:
    def __init__(self, path):
        with gzip.open(path) as file:
            top = message(file.read())
        self.texts = [t.decode() for t in top[6]]
        need(self.texts[0] == "", "the first text is not empty")

        def text(m, number):
            return self.texts[m[number][0]] if m[number] else ""

        self.types = [(text(t, 1), text(t, 2)) for t in map(message, top[1])]
        need(self.types == [("samples", "count"), ("cpu", "nanoseconds"), ("energy", "microjoules")], self.types)
        functions = {f[1][0]: text(f, 2) for f in map(message, top[5])}
        locations = {}
        for m in map(message, top[4]):
            (line,) = m[4]
            locations[m[1][0]] = functions[message(line)[1][0]]
        need(0 not in functions and 0 not in locations, "an id is 0")
        self.default = self.texts[top[14][0]]
        self.samples = []  # stack, values, thread
        for m in map(message, top[2]):
            labels = {text(label, 1): text(label, 2) for label in map(message, m[3])}
            need(set(labels) <= {"thread"}, labels)
            values = packed(m[2])
            need(len(values) == 3 and any(values), "values", values)
            self.samples.append((tuple(locations[i] for i in reversed(packed(m[1]))), values, labels.get("thread")))

    def stacks(self):
        out = collections.Counter()
        for stack, values, _ in self.samples:
            out[stack] += values[2]
        return out

    def sum(self, value):
        return sum(values[value] for _, values, _ in self.samples)

    def threads(self):
        out = collections.Counter()
        for _, values, thread in self.samples:
            if thread is not None:
                out[thread] += values[2]
        return out


class Speedscope:
    def __init__(self, path):
        file = load(path)
        names = [f["name"] for f in file["shared"]["frames"]]
        self.profiles = []
        for p in file["profiles"]:
            need(sum(p["weights"]) == p["endValue"] and p["startValue"] == 0, p["name"], "ends at", p["endValue"])
            stacks = collections.Counter()
            for stack, weight in zip(p["samples"], p["weights"], strict=True):
                need(weight > 0 and isinstance(weight, int), "weight", weight)
                stacks[tuple(names[i] for i in stack)] += weight
            self.profiles.append((p["name"], stacks, p["unit"]))

    def stacks(self):
        return self.profiles[0][1]

    def threads(self):
        out = collections.Counter()
        for name, stacks, _ in self.profiles[1:]:
            out[name.rpartition(" (")[0]] += stacks.total()
        return out


class Firefox:
    def __init__(self, path):
        self.file = load(path)
        shared = self.file["shared"]
        (self.thread,) = self.file["threads"]
        for table in [shared[t] for t in shared if t != "stringArray"] + [self.thread["samples"], self.thread["markers"]]:
            need({len(v) for v in table.values() if isinstance(v, list)} == {table["length"]}, "columns of", list(table))
        name = [shared["stringArray"][shared["funcTable"]["name"][f]] for f in shared["frameTable"]["func"]]
        stacks = []
        for frame, prefix in zip(shared["stackTable"]["frame"], shared["stackTable"]["prefix"]):
            need(prefix is None or prefix < len(stacks), "a stack stands before its prefix")
            stacks.append((() if prefix is None else stacks[prefix]) + (name[frame],))
        samples = self.thread["samples"]
        need(samples["time"] == sorted(samples["time"]), "samples are not by time")
        need(samples["weightType"] == "samples", samples["weightType"])
        self.by_stack = collections.Counter()
        self.moments = []
        for stack, weight, time in zip(samples["stack"], samples["weight"], samples["time"]):
            need(weight >= 0 and (weight == 0) == (stack is None), "weight", weight, stack)
            if stack is not None:
                self.by_stack[stacks[stack]] += weight
                self.moments.append((time, weight))

    def stacks(self):
        return self.by_stack


# ---- Checks ----


def read(folder):
    out = {"speedscope": Speedscope(f"{folder}/profile.speedscope.json"), "firefox": Firefox(f"{folder}/profile.firefox.json")}
    if os.path.exists(f"{folder}/profile.pb.gz"):
        out["pprof"] = Pprof(f"{folder}/profile.pb.gz")
    return out


def whole(number, *folders):
    for folder in folders:
        alike(number, folder)


def alike(number, folder):
    forms = read(folder)
    first = forms["speedscope"].stacks()
    for name, form in forms.items():
        stacks = form.stacks()
        need(stacks.total() == int(number), folder, name, "has", stacks.total(), "and not", number)
        need(stacks == first, folder, name, "differs by", +(stacks - first), +(first - stacks))
    return forms


def sums(*folders):
    for folder in folders:
        sums_of(folder)


def sums_of(folder):
    r = load(f"{folder}/report.json")
    uj = round(r["totals"]["process_joules"] * 1e6)
    forms = alike(uj, folder)
    stacks = forms["speedscope"].stacks()
    names = r["names"]
    expected = collections.Counter()
    for cycle in r["cycles"]:
        for branch, joules in zip(cycle["rows"][::2], cycle["rows"][1::2]):
            expected[tuple(names[f] for f in r["branches"][branch])] += joules
        for key, name in NOBODYS.items():
            expected[(name,)] += cycle[key]
    need(set(stacks) <= set(expected), "stacks that are not in report.json:", set(stacks) - set(expected))
    for stack, joules in expected.items():
        need(abs(stacks[stack] - joules * 1e6) < 1 + 1e-6, folder, stack, stacks[stack], "is not", joules * 1e6)
    for key, name in (("gc_joules", "[GC]"), ("jit_joules", "[JIT]"), ("vm_joules", "[VM]"), *NOBODYS.items()):
        need(abs(stacks[(name,)] - r["totals"][key] * 1e6) < 1 + 1e-6, folder, name, stacks[(name,)])

    # threads: of several of one name, all
    weighty = {t for t, _, w in r["weights"] if w > 0}
    by_name = collections.Counter()
    for i, t in enumerate(r["threads"]):
        if i in weighty:
            by_name["(samples without a thread)" if t["anonymous"] else t["name"]] += t["joules"] * 1e6
    pieces = len(r["weights"])
    for form in ("speedscope", "pprof"):
        got = +forms[form].threads() if form in forms else by_name
        need(set(got) == {name for name in by_name if got[name] or by_name[name] > 1}, folder, form, "threads", set(got) ^ set(by_name))
        for name, energy in by_name.items():
            need(abs(got[name] - energy) <= 1 + pieces, folder, form, name, got[name], "is not", energy)
    in_threads = forms["speedscope"].threads().total()
    of_none = sum(n for stack, n in stacks.items() if stack in {(n,) for n in ("[GC]", "[JIT]", "[JFR]", "[VM]", *NOBODYS.values())})
    need(in_threads + of_none == uj, folder, "threads have", in_threads, "and nobody", of_none)

    if "pprof" in forms:
        need(forms["pprof"].sum(0) == sum(r["branch_samples"]), folder, "samples", forms["pprof"].sum(0))
        need(forms["pprof"].sum(1) == round(math.fsum(r["branch_cpu_ns"])), folder, "cpu", forms["pprof"].sum(1))
        by_stack = collections.Counter()
        for stack, values, _ in forms["pprof"].samples:
            by_stack[stack] += values[0]
        for frames, count in zip(r["branches"], r["branch_samples"]):
            need(by_stack[tuple(names[f] for f in frames)] == count, folder, "samples of a stack")
    firefox(r, forms["firefox"], folder)


def firefox(r, form, folder):
    counters = {c["name"]: c["samples"] for c in form.file["counters"]}
    need(("Machine power" in counters) == (not r["facts"]["process_power_only"]), folder, list(counters))
    for name, key in (("Process power", "process_joules"), ("Machine power", "machine_joules")):
        if name in counters:
            joules = sum(counters[name]["count"]) * 3600e-12
            need(abs(joules - r["totals"][key]) < 1e-6, folder, name, joules, r["totals"][key])
            need(counters[name]["count"][0] == 0, folder, "the first count, which the reader drops, is not 0")
    # cycle by cycle, where the wall clock went on
    start, energy = r["cycles"][0]["end_ns"] - r["cycles"][0]["interval_ns"], 0
    times, counts = counters["Process power"]["time"], counters["Process power"]["count"]
    at = 0
    for cycle in r["cycles"]:
        end = (cycle["end_ns"] - start) / 1e6
        while at < len(times) and times[at] < end + 0.5:
            energy += counts[at] * 3600e-12
            at += 1
        need(abs(energy - cycle["process_joules"]) < 1e-7, folder, "the cycle that ends at", end, energy, cycle["process_joules"])
        begin = end - cycle["interval_ns"] / 1e6
        inside = sum(w for t, w in form.moments if begin - 0.01 <= t < end - 0.01)
        need(abs(inside - energy * 1e6) <= 2 + len(cycle["rows"]), folder, "samples of the cycle that ends at", end, inside, energy * 1e6)
        energy = 0
    markers, pauses = form.thread["markers"], r["gc_pauses"]
    need(markers["length"] == len(pauses), folder, "markers", markers["length"])
    text = form.file["shared"]["stringArray"]
    for i, pause in enumerate(pauses):
        need(abs(markers["startTime"][i] - (pause["start_ns"] - start) / 1e6) < 0.5, folder, "pause", i, markers["startTime"][i])
        need(abs(markers["endTime"][i] - markers["startTime"][i] - pause["duration_ns"] / 1e6) < 1e-5, folder, "length of pause", i)
        need(text[markers["name"][i]] == pause["type"] and markers["phase"][i] == 1, folder, "type of pause", i)
        need(abs(markers["data"][i]["energy"] - pause["joules"]) <= 1e-8 * pause["joules"], folder, "energy of pause", i)
        need(markers["data"][i]["cause"] == pause["cause"], folder, "cause of pause", i)


# ---- What the tools' own readers made of them ----


def by_function(folder):
    """Own and total microjoules by name."""
    own, total = collections.Counter(), collections.Counter()
    for stack, uj in Speedscope(f"{folder}/profile.speedscope.json").stacks().items():
        own[stack[-1]] += uj
        for name in set(stack):
            total[name] += uj
    return own, total


TOP = re.compile(r" *(-?\d+)(?:microjoules)? +-?[\d.]+% +-?[\d.]+% +(-?\d+)(?:microjoules)? +-?[\d.]+%(?:  (.*))?")


def top(path, folder, base=None):
    own, total = by_function(folder)
    if base is not None:
        for ours, theirs in zip((own, total), by_function(base)):
            ours.subtract(theirs)
    with open(path, encoding="utf-8", newline="\n") as file:
        lines = file.read().split("\n")
    need("Type: energy" in lines, "not the energy is shown:", lines[:5])
    rows, begun = [], False
    for line in lines:
        match = TOP.fullmatch(line) if begun else None
        if match:
            rows.append([match[3] or "", int(match[1]), int(match[2])])
        elif rows:
            rows[-1][0] += "\n" + line
        begun = begun or line.lstrip().startswith("flat  flat%")
    rows[-1][0] = rows[-1][0].rstrip("\n")
    got = {name: (flat, cum) for name, flat, cum in rows}
    need(len(got) == len(rows) and rows, "a name is there twice, or none is")
    for name in set(own) | set(total):
        expected = (own[name], total[name])
        need(got.pop(name if name != "" else "<unknown>", (0, 0)) == expected, folder, repr(name[:80]), "should be", expected)
    need(not got, folder, "is not ours:", list(got)[:3])


def functions(path, folder):
    """The reader shows some odd names its own way, so of those the numbers count."""
    own, total = by_function(folder)
    got, plain = load(path)["functions"], re.compile(r"[\w.$\[\]/]+")
    for ours, theirs in ((own, "selfSamples"), (total, "totalSamples")):
        shown = collections.Counter()
        for f in got:
            shown[f["name"]] += f[theirs]
        for name in filter(plain.fullmatch, total):
            need(shown[name] == ours[name], folder, theirs, repr(name[:80]), shown[name], "and not", ours[name])
        if theirs == "selfSamples":
            need(shown.total() == own.total(), folder, "all have", shown.total())


def weights(folder, report):
    r = load(report)
    kind = os.path.basename(folder)
    name, stacks, unit = Speedscope(f"{folder}/profile.speedscope.json").profiles[0]
    values = r["branch_samples"] if kind == "samples" else r["branch_cpu_ns"]
    need(unit == {"cpu": "nanoseconds", "samples": "none"}[kind] and stacks.total() == round(math.fsum(values)) > 0, name, unit, stacks.total())
    for frames, value in zip(r["branches"], values):
        need(abs(stacks[tuple(r["names"][f] for f in frames)] - value) < (1 if kind == "cpu" else 1e-9), name, frames)


def validator(path):
    try:
        import jsonschema
    except ImportError:
        print("python3-jsonschema is not installed")
        sys.exit(77)
    described = load(path)
    kind = jsonschema.validators.validator_for(described)
    kind.check_schema(described)
    return kind(described)


def as_schema(path, breakages, *files):
    check = validator(path)
    for name in files:
        errors = [f"{name}: {list(e.absolute_path)}: {e.message[:300]}" for e in check.iter_errors(load(name))]
        need(not errors, "\n".join(errors[:5]))
    for what, breakage in breakages.items():
        broken = copy.deepcopy(load(files[0]))
        breakage(broken)
        need(list(check.iter_errors(broken)), "the schema takes", what)


def set_to(value, *keys):
    def breakage(file):
        for key in keys[:-1]:
            file = file[key]
        if value is None:
            del file[keys[-1]]
        else:
            file[keys[-1]] = value

    return breakage


BREAKAGES = {
    "speedscope": {"no weights": set_to(None, "profiles", 0, "weights"), "another unit": set_to("joules", "profiles", 0, "unit"),
                   "a frame without a name": set_to(None, "shared", "frames", 0, "name")},
    "firefox": {"a newer version": set_to(61, "meta", "preprocessedProfileVersion"),
                "an unknown colour": set_to("pink", "meta", "categories", 0, "color"),
                "a column that is missing": set_to(None, "shared", "frameTable", "address"),
                "a weight that is text": set_to("1", "threads", 0, "samples", "weight", 0),
                "another weight type": set_to("joules", "threads", 0, "samples", "weightType"),
                "a pid that is a number": set_to(7, "threads", 0, "pid"),
                "no counts": set_to(None, "counters", 0, "samples", "count"),
                "a key that is not known": set_to(1, "threads", 0, "stackTable")},
}


def main(what, *rest):
    if what in BREAKAGES:
        as_schema(rest[0], BREAKAGES[what], *rest[1:])
    else:
        {"sums": sums, "whole": whole, "top": top, "functions": functions, "weights": weights}[what](*rest)


if __name__ == "__main__":
    main(*sys.argv[1:])
