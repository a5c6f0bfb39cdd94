#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks of the forms of one result: forms.py sums FOLDER | schema SCHEMA REPORT | pauses FOLDER REPORT LOG | digits REPORT

    sums     joules are the same in methods-power-all.csv, methods.csv, threads.csv, timeline.csv, collapsed.txt and report.json of
             FOLDER, as far as their digits go; each cycle, method and stack too
    schema   REPORT is as SCHEMA has it (python3-jsonschema; exit 77 without)
    digits   REPORT with six digits of each number, to be held against a golden file"""
import collections
import csv
import json
import math
import sys

ROWS = ["java_joules", "gc_joules", "jit_joules", "jfr_joules", "vm_joules"]


def table(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def report(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def agree(what, a, b, slack):
    if not abs(a - b) <= slack:
        sys.exit(f"{what}: {a!r} is not {b!r} (may differ by {slack:g})")


def sums(folder):
    all_rows, methods = table(f"{folder}/methods-power-all.csv"), table(f"{folder}/methods.csv")
    threads, timeline = table(f"{folder}/threads.csv"), table(f"{folder}/timeline.csv")
    r = report(f"{folder}/report.json")
    names, branches = r["names"], r["branches"]
    half = 0.51e-9  # what a figure with nine decimals may be off by

    # by branch, from report.json: what all others are held against
    branch_j = collections.Counter()
    for cycle in r["cycles"]:
        for branch, joules in zip(cycle["rows"][::2], cycle["rows"][1::2]):
            branch_j[branch] += joules
    whole = math.fsum(branch_j.values())
    if not whole > 0:
        sys.exit("no energy is in rows: nothing is tested")
    agree("report.json, totals", sum(r["totals"][key] for key in ROWS), whole, 1e-9 * (1 + whole))
    for cycle in r["cycles"]:
        parts = sum(cycle[key] for key in ROWS)
        agree("rows of a cycle", math.fsum(cycle["rows"][1::2]), parts, 1e-9)
        agree("parts of a cycle", parts + cycle["unattributed_joules"] + cycle["outside_joules"], cycle["process_joules"], 1e-9)
    agree("report.json, methods", math.fsum(m["own_joules"] for m in r["methods"]), whole, 1e-9 * (1 + whole))

    of_csv, text = collections.Counter(), [";".join(names[f] for f in b) for b in branches]
    for row in all_rows:
        of_csv[row["branch"]] += float(row["energy_joules"])
    agree("methods-power-all.csv", math.fsum(of_csv.values()), whole, half * len(all_rows) + 1e-9)
    if sorted(of_csv) != sorted({text[b] for b, joules in branch_j.items() if joules > 0}):
        sys.exit("the branches of methods-power-all.csv are not those of report.json")

    own, total, samples = collections.Counter(), collections.Counter(), collections.Counter()
    for number, frames in enumerate(branches):
        own[names[frames[-1]]] += branch_j[number]
        for frame in set(frames):
            total[names[frame]] += branch_j[number]
            samples[names[frame]] += r["branch_samples"][number]
    for row in methods:
        agree(f"own energy of {row['method']}", float(row["own_joules"]), own[row["method"]], half)
        agree(f"total energy of {row['method']}", float(row["total_joules"]), total[row["method"]], half)
        agree(f"samples of {row['method']}", int(row["samples"]), samples[row["method"]], 0)
    agree("methods.csv", math.fsum(float(row["own_joules"]) for row in methods), whole, half * len(methods) + 1e-9)
    agree("methods of methods.csv", len(methods), sum(1 for name in total if total[name] > 0 or samples[name]), 0)
    energies = [float(row["own_joules"]) for row in methods]
    if energies != sorted(energies, reverse=True):
        sys.exit("methods.csv is not by own energy")

    agree("threads.csv", math.fsum(float(row["energy_joules"]) for row in threads), whole, half * len(threads) + 1e-9)
    agree("timeline.csv", math.fsum(float(row[key]) for row in timeline for key in ROWS), whole, half * 5 * len(timeline) + 1e-9)
    agree("cycles of timeline.csv", len(timeline), len(r["cycles"]), 0)
    by_cycle = collections.Counter()
    for row in all_rows:
        by_cycle[row["timestamp"]] += float(row["energy_joules"])
    for row in timeline:
        parts = sum(float(row[key]) for key in ROWS)
        agree(f"cycle {row['timestamp']}", by_cycle[row["timestamp"]], parts, half * 2000)
        rest = float(row["unattributed_joules"]) + float(row["outside_joules"])
        agree(f"process of cycle {row['timestamp']}", parts + rest, float(row["process_joules"]), half * 8)

    collapsed = {}
    with open(f"{folder}/collapsed.txt", encoding="utf-8", newline="\n") as file:
        for line in file:
            stack, _, number = line.rstrip("\n").rpartition(" ")
            if stack in collapsed or int(number) <= 0:
                sys.exit(f"collapsed.txt: {line}")
            collapsed[stack] = int(number)
    agree("collapsed.txt", sum(collapsed.values()), whole * 1e6, 0.5 + 1e-6)
    for number, joules in branch_j.items():
        agree(f"collapsed: {text[number]}", collapsed.get(text[number], 0), joules * 1e6, 1)


def schema(path, *reports):
    try:
        import jsonschema
    except ImportError:
        print("python3-jsonschema is not installed")
        sys.exit(77)
    described = report(path)
    kind = jsonschema.validators.validator_for(described)
    kind.check_schema(described)
    for name in reports:
        errors = [f"{name}: {list(e.absolute_path)}: {e.message[:200]}" for e in kind(described).iter_errors(report(name))]
        if errors:
            sys.exit("\n".join(errors[:5]))
    # it must be able to refuse
    broken = report(reports[0])
    broken["totals"]["process_joules"] = "much"
    if not list(kind(described).iter_errors(broken)):
        sys.exit("the schema takes anything")
    for key in report(reports[0]):
        broken = report(reports[0])
        del broken[key]
        if not list(kind(described).iter_errors(broken)):
            sys.exit(f"the schema does not ask for {key}")


def digits(path):
    def less(value):
        if isinstance(value, float):
            return float(f"{value:.6g}")
        if isinstance(value, list):
            return [less(v) for v in value]
        return {k: less(v) for k, v in value.items()} if isinstance(value, dict) else value

    json.dump(less(report(path)), sys.stdout, ensure_ascii=False, separators=(",", ":"))
    print()


def main(what, *rest):
    {"sums": sums, "schema": schema, "digits": digits}[what](*rest)


if __name__ == "__main__":
    main(*sys.argv[1:])
