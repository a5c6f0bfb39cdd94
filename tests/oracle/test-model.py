#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""joular-analyze against model.py, which was written from the model page alone: every recording of samples/ and tests/data/ with
options and with power logs that leave something out. The rows must be the same set of (timestamp, branch), energies equal to 1e-6,
coverage to 1e-4; what one of the two refuses, the other must refuse too.

JOULAR_QUICK=1: two recordings only. Run by `make check`; by hand with JOULAR_TOP_BUILDDIR=the build folder.
"""
import csv
import itertools
import multiprocessing
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
import model  # noqa: E402

TOP = os.path.dirname(os.path.dirname(here))
PROGRAM = os.path.join(os.path.abspath(os.environ.get("JOULAR_TOP_BUILDDIR", ".")), "joular-analyze")
RECORDINGS = ["samples/shop-jdk17", "samples/shop-jdk25", "samples/shop-jdk25-virtual", "samples/requests-jdk25",
              "tests/data/shop-jdk11", "tests/data/shop-jdk21", "tests/data/jdk25-lost", "tests/data/jdk17-chunks",
              "tests/data/jdk25-killed"]
OPTIONS = [{}, {"jvm_threads": "spread"}, {"jvm_threads": "unattributed"}, {"samples": "execution"}, {"process_share": 0.4},
           {"share_of": "capacity"}, {"baseline": 3.0}, {"filter": ["com.example", "Small", "Requests"]}, {"hidden_frames": "drop"}]


def of(lines, *words):
    """Numbers of the lines that hold such records."""
    return [i for i, line in enumerate(lines) if line.startswith(tuple(word + "," for word in words))]


def without(lines, *words):
    gone = set(of(lines, *words))
    return [line for i, line in enumerate(lines) if i not in gone]


def first_half(lines):
    cycles = of(lines, "cycle")
    return lines[:cycles[len(cycles) // 2] + 1]


def second_half(lines):
    cycles = of(lines, "cycle")
    return lines[:2] + lines[cycles[len(cycles) // 2] + 1:]


def powerless(lines):
    """Some cycles without power."""
    lines = list(lines)
    for i in of(lines, "cycle")[2:9:2]:
        fields = lines[i].split(",")
        fields[4], fields[6] = "", "no-reading"
        lines[i] = ",".join(fields)
    return lines


def holed(lines):
    """A cycle is missing with all its records, and the process has no record in another."""
    cycles = of(lines, "cycle")
    gone = set(range(cycles[1] + 1, cycles[2] + 1)) | {i for i in of(lines, "process") if cycles[2] < i < cycles[3]}
    return [line for i, line in enumerate(lines) if i not in gone]


LOGS = {
    "as it is": lambda lines: lines,
    "no threads": lambda lines: without(lines, "thread"),
    "no processes, no threads": lambda lines: without(lines, "thread", "process"),
    "no processes": lambda lines: without(lines, "process"),
    "first half": first_half,
    "second half": second_half,
    "cycles without power": powerless,
    "a cycle missing": holed,
}


def arguments(options):
    for name, value in options.items():
        yield "--" + name.replace("_", "-")
        yield ",".join(value) if isinstance(value, list) else str(value)


def rows_of(path):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        return {(r[0], r[1]): (float(r[3]), float(r[5])) for r in itertools.islice(csv.reader(file), 1, None)}


def compare(folder, chunks, recording, log_path, options):
    """What is wrong, or None."""
    done = subprocess.run([PROGRAM, "-q", "-o", folder, *arguments(options), recording, log_path], capture_output=True, check=False)
    said = done.stderr.decode("utf-8", "replace").strip()
    try:
        log = model.read_log(log_path)
        result = model.compute(model.align(chunks, log.cycles), log, model.Options(**options))
    except model.ModelError as error:
        return None if done.returncode == 1 else f"exit {done.returncode}, and the model says: {error}"
    if done.returncode == 1 and " has no jdk." in said and result.totals["java_j"] == 0:
        return None  # samples of a kind that the recording has not: the model answers with nothing, the tool says so
    if done.returncode != 0:
        return f"exit {done.returncode}: {said}; and the model accepts it"
    for name, rows in ("all", result.all_rows), ("app", result.app_rows):
        expected = os.path.join(folder, "expected.csv")
        model.write_csv(expected, rows, log.cycles)
        want, got = rows_of(expected), rows_of(os.path.join(folder, f"methods-power-{name}.csv"))
        # What rounds to nothing may be in one and not in the other.
        odd = [key for key in want.keys() ^ got.keys() if (want.get(key) or got.get(key))[0] > 1e-9]
        if odd:
            return f"{name}: {len(odd)} rows are in one only, as {sorted(odd)[0]}"
        for key in want.keys() & got.keys():
            if abs(want[key][0] - got[key][0]) > 1e-6:
                return f"{name}: {key} has {got[key][0]} J, and the model {want[key][0]}"
            if abs(want[key][1] - got[key][1]) > 1.01e-4:
                return f"{name}: {key} has coverage {got[key][1]}, and the model {want[key][1]}"
    return None


def check(name):
    recording = os.path.join(TOP, name + ".jfr")
    with open(os.path.join(TOP, name + ".power.log"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    chunks = model.read_chunks(recording)
    cases = [(title, change, options) for title, change in LOGS.items() for options in OPTIONS]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        log_path = os.path.join(folder, "power.log")
        for title, change, options in cases:
            with open(log_path, "w", encoding="utf-8") as file:
                file.write("".join(line + "\n" for line in change(lines)))
            why = compare(folder, chunks, recording, log_path, options)
            if why:
                wrong.append(f"{name}, log: {title}, {' '.join(arguments(options)) or 'no options'}: {why}")
    return name, len(cases), wrong


def main():
    names = RECORDINGS[3:5] if os.environ.get("JOULAR_QUICK") else RECORDINGS
    total, failed = 0, 0
    with multiprocessing.Pool(os.cpu_count()) as pool:
        for name, count, wrong in pool.imap(check, names):
            total += count
            failed += len(wrong)
            print(f"{name}: {count} comparisons, {len(wrong)} differ", flush=True)
            for line in wrong:
                print("  " + line)
    print(f"cases: {total - failed} passed, {failed} failed, 0 skipped")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
