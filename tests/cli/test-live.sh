#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# From a program to its joules: a JVM of the machine runs under joular-record, and what the CSV says adds up to what the
# log says the process drew.
. "$(dirname "$0")/lib.sh"

case_a_program_recorded_just_now_is_charged_what_the_log_says() {
    [ -z "${JOULAR_QUICK:-}" ] || skip "JOULAR_QUICK is set"
    have python3
    jdk=$(sh "$top/tests/jdk.sh" 17 2>jdk.err) || skip "$(tail -n 1 jdk.err)"
    "$jdk/javac" -d classes "$data/Small.java" 2>javac.err || skip "javac does not run here: $(tail -n 1 javac.err)"
    "$build/joular-record" -q -s estimate --idle-watts 10 --max-watts 35 -i 500 -- "$jdk/java" -Xlog:jfr+startup=error \
        -XX:StartFlightRecording=filename=run.jfr,settings=profile -cp classes Small 4 || fail "the program ended with $?"
    analyze -f Small run.jfr power.log
    show err
    wants 0
    python3 - <<'E' || fail "the sums differ"
import collections, csv

power, process, own = {}, 0, None
for line in csv.reader(open("power.log", newline="")):
    if line[0] == "process":
        own = int(line[2])
    elif line[0] == "cycle":
        busy = int(line[5])
        if line[4] and own:
            power[int(line[1]) // 1_000_000] = float(line[4]) * int(line[3]) / 1e9 * min(1, own / max(busy, own))
        own = None
for name in "all", "app":
    rows = list(csv.DictReader(open(f"joular-results/methods-power-{name}.csv", newline="")))
    energy, coverage, count = collections.Counter(), {}, collections.Counter()
    for row in rows:
        cycle = int(row["timestamp"])
        energy[cycle] += float(row["energy_joules"])
        count[cycle] += 1
        coverage[cycle] = float(row["coverage"])
    print(name, len(rows), "rows,", sum(energy.values()), "J of", sum(power.values()))
    assert len(energy) >= 6, "few cycles"
    for cycle, joules in energy.items():
        whole = power[cycle] * coverage[cycle]
        slack = power[cycle] * 5e-5 + count[cycle] * 5e-10 + 1e-9
        assert joules <= whole + slack, (cycle, joules, whole)
        assert name == "app" or abs(joules - whole) <= slack, (cycle, joules, whole)
    if name == "all":
        assert sum(energy.values()) > 0.5 * sum(power.values()), "less than half is attributed"
        assert any("Small.countPrimes" in row["branch"] for row in rows), "the counting method is not there"
    else:
        assert all(row["branch"].startswith("Small") for row in rows), "a frame that the filter does not name"
E
    no_transcript
}

run_cases
