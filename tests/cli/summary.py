#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks of a summary: summary.py width COLUMNS FILE | strip FILE | sums FILE RESULTS LOG [--app]

    width   no line of FILE is wider than COLUMNS, in columns of a terminal, escapes not counted
    strip   prints FILE without its colours
    sums    what FILE shows (without colours) is what the CSV files in the folder RESULTS and the power log LOG add up to. --app: the
            app file is of a filter, so the app table is made of it; else only the totals of it are compared"""
import collections
import csv
import math
import re
import sys
import unicodedata

COLOURS = re.compile("\033\\[[0-9;]*m")


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def columns(line):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def width(most, path):
    for number, line in enumerate(COLOURS.sub("", read(path)).split("\n"), 1):
        if columns(line) > int(most):
            sys.exit(f"{path}:{number} is {columns(line)} columns wide: {line}")
        if line != line.rstrip():
            sys.exit(f"{path}:{number} ends on a blank: {line!r}")


def sections(text):
    """Heading to lines"""
    found = {"": []}
    for block in text.split("\n\n"):
        lines = block.split("\n")
        if found[""]:
            found[lines[0].replace(" (estimated)", "")] = lines[1:]
        else:
            found[""] = lines
    return found


def half_digit(number):
    """What a printed number may be off by"""
    return 0.501 * 10 ** -len(number.partition(".")[2]) if number != "0" else 1e-9


def agree(what, shown, true, slack=0.0):
    if abs(float(shown) - true) > half_digit(shown) + slack:
        sys.exit(f"{what}: {shown} is shown, {true:.9f} is right")


def of_table(lines):
    """Rows of a table of methods: joules, +-, share, name"""
    rows = []
    for line in lines:
        row = re.match(r" *(\d\S*) J (?:\S* *)?(\S+) +(\d+\.\d) %  (\S.*)$", line)
        if row:
            rows.append(row.groups())
    return rows


def compare_table(what, rows, own, process_j):
    most = sorted(own.items(), key=lambda item: -item[1])[:10]
    if len(rows) != len(most):
        sys.exit(f"{what}: {len(rows)} methods are shown, not {len(most)}")
    for (joules, _, share, name), (_, true) in zip(rows, most):
        agree(f"{what}, place of {name}", joules, true)
        if "…" not in name and ".." not in name:
            agree(f"{what}, {name}", joules, own[name])
        agree(f"{what}, share of {name}", share, 100 * true / process_j, 100 * true * 0.06 / process_j**2)


def of_csv(path):
    total, own = 0.0, collections.Counter()
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            total += float(row["energy_joules"])
            own[row["branch"].split(";")[-1]] += float(row["energy_joules"])
    return total, own


def sums(path, results, log, *more):
    part = sections(read(path))
    machine_j = machine_s = 0.0
    with open(log, encoding="utf-8", newline="") as file:
        for row in csv.reader(file):
            if row[0] == "cycle" and row[4]:
                machine_j += float(row[4]) * int(row[3]) / 1e9
                machine_s += int(row[3]) / 1e9
    numbers = {}
    for line in part["ENERGY AND POWER"]:
        row = re.match(r"  (machine|process) +(\S+) J +(\S+) W average +(\S+) W peak$", line)
        if row:
            numbers[row[1]] = row.groups()[1:]
    agree("machine", numbers["machine"][0], machine_j)
    agree("machine, average", numbers["machine"][1], machine_j / machine_s)
    agree("length of the power", re.search(r"^Power +(\S+) s in", "\n".join(part[""]), re.M)[1], machine_s)
    process_j = float(numbers["process"][0])

    went = {}
    for line in part["WHERE THE PROCESS ENERGY WENT"]:
        row = re.match(r"  (\S.*?) +(\d\S*) J +(\S+) %", line)
        if row:
            went[row[1]] = row.groups()[1:]
    if list(went) != ["Java methods", "GC", "JIT", "JFR", "VM", "unattributed", "outside"]:
        sys.exit(f"where it went: {list(went)}")
    slack = half_digit(numbers["process"][0]) + sum(half_digit(joules) for joules, _ in went.values())
    if abs(sum(float(joules) for joules, _ in went.values()) - process_j) > slack:
        sys.exit("the parts do not make the process's energy")
    for name, (joules, share) in went.items():
        if abs(float(share) - 100 * float(joules) / process_j) > 0.06 + 100 * half_digit(joules) / process_j:
            sys.exit(f"{name}: {joules} J of {process_j} J are not {share} %")

    total, own = of_csv(results + "/methods-power-all.csv")
    java = math.fsum(joules for name, joules in own.items() if not name.startswith("["))
    agree("Java methods", went["Java methods"][0], java)
    for row in "GC", "JIT", "JFR", "VM":
        agree(row, went[row][0], own[f"[{row}]"])
    coverage = re.search(r"coverage +(\S+) %", "\n".join(part["HOW GOOD THE DATA IS"]))[1]
    if abs(float(coverage) - 100 * total / process_j) > 0.06 + 100 * half_digit(numbers["process"][0]) / process_j:
        sys.exit(f"coverage {coverage} %: {total} J of {process_j}")
    table = of_table(part["TOP METHODS BY OWN ENERGY, 95 % INTERVAL, SHARE OF PROCESS"])
    compare_table("top methods", table, +own, process_j)

    app_total, app_own = of_csv(results + "/methods-power-app.csv")
    table = of_table(part["TOP APPLICATION METHODS, WITH THE LIBRARY ENERGY THEY CALLED FOR"])
    if "--app" in more:
        compare_table("application methods", table, +app_own, process_j)
    else:
        agree("app file", went["Java methods"][0], app_total)
        for row in table:
            if re.match(r"(java|javax|jdk|sun|com\.sun)\.", row[3]):
                sys.exit(f"{row[3]} is no method of the application")


def main(what, *rest):
    if what == "strip":
        sys.stdout.buffer.write(COLOURS.sub("", read(rest[0])).encode())
    elif what == "width":
        width(*rest)
    else:
        sums(*rest)


main(*sys.argv[1:])
