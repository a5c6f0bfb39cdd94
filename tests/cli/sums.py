#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""sums.py REPORT <LINES: each line, NAME  FORMULA = VALUE, is right to four digits, and the value is what the report has."""
import json
import math
import re
import sys


def figures(report):
    """What can be named, each with all that it may mean."""
    totals = report["totals"]
    known = {"process": [totals["process_joules"]], "unattributed": [totals["unattributed_joules"]],
             "coverage": [totals["coverage"]],
             "worker": [thread["joules"] for thread in report["threads"] if thread["os_thread_id"] == 4250]}
    for row in ("gc", "jit", "jfr", "vm"):
        known[f"[{row.upper()}]"] = [totals[row + "_joules"]]
    for method in report["methods"]:
        known[method["name"]] = [method["own_joules"], method["own_half_width_joules"]]
    return known


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        known = figures(json.load(file))
    lines = [line for line in sys.stdin if line.strip()]
    for line in lines:
        match = re.fullmatch(r"(\S+) +([0-9.*/+() ]*(?:sqrt\([0-9.*/+() ]*\))?) = ([0-9.]+)( J)?\n", line)
        if match is None:
            sys.exit(f"not a sum: {line}")
        name, formula, value = match.group(1), match.group(2), match.group(3)
        if f"{eval(formula, {'sqrt': math.sqrt}):.4g}" != value:
            sys.exit(f"wrong: {line}")
        if value not in [f"{figure:.4g}" for figure in known.get(name, [])]:
            sys.exit(f"report.json has {known.get(name)}: {line}")
    if len(lines) < 8:
        sys.exit("sums are missing")


main()
