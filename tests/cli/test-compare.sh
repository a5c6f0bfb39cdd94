#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# joular-compare: what it takes, what it prints, how it ends.
. "$(dirname "$0")/lib.sh"

compare=$build/joular-compare

misused() { # GLOB ARGS...
    pattern=$1
    shift
    compare "$@"
    wants 2
    one_line err
    says "$pattern. Try 'joular-compare --help'"
    [ ! -s out ] || fail "stdout is not empty"
}

refuses() { # GLOB
    wants 1
    one_line err
    says "$1"
    [ ! -s out ] || fail "stdout is not empty"
}

report() { # NAME SAMPLE
    "$program" -q --format json -o "$1" "$samples/$2.jfr" "$samples/$2.power.log" || fail "joular-analyze $2"
}

# varied FROM TO SEED FACTOR [METHOD]: a report whose energies are those of FROM times FACTOR, by chance up to 2 % more or less, METHOD's
# own three times as much
varied() {
    have python3
    mkdir -p "$2"
    python3 - "$1/report.json" "$2/report.json" "$3" "$4" "${5:-}" <<'P' || fail "varied"
import json, random, sys
source, to, seed, factor, method = sys.argv[1:]
chance, factor = random.Random(int(seed)), float(factor)
with open(source, encoding="utf-8") as file:
    r = json.load(file)
r["facts"]["recording_start_ns"] += int(seed) * 10**12
factor *= 1 + chance.uniform(-0.02, 0.02)
last = [r["names"][b[-1]] for b in r["branches"]]
added = 0
for c in r["cycles"]:
    rows = c["rows"]
    for k in range(0, len(rows), 2):
        before = rows[k + 1]
        rows[k + 1] *= factor * (3 if last[rows[k]] == method else 1)
        added += rows[k + 1] - before
for key in ("process_joules", "java_joules"):
    r["totals"][key] += added
with open(to, "w", encoding="utf-8") as file:
    file.write(json.dumps(r, separators=(",", ":"), ensure_ascii=False))
P
}

five_a_side() { # FACTOR [METHOD]: base-1 to base-5, new-1 to new-5
    report one requests-jdk25
    for run in 1 2 3 4 5; do
        varied one base-$run $run 1
        varied one new-$run $((run + 5)) "$@"
    done
}

case_help_and_version_are_printed_on_stdout() {
    compare --help
    wants 0
    silent
    grep -q '^Usage: joular-compare \[OPTIONS\] BASE\.\.\. --vs NEW\.\.\.$' out || fail "no usage line"
    if awk 'length > 120' out | grep -q .; then fail "a line of --help is longer than 120 characters"; fi
    grep -q '^Built with.*GSL' out || fail "it does not say whether it has GSL"
    compare --version
    wants 0
    grep -q -x 'joular-compare [0-9][0-9.]*' out || fail "stdout: $(cat out)"
}

case_misuse_ends_with_2() {
    report a requests-jdk25
    misused 'name the runs: *'
    misused 'name a run before --vs' --vs a
    misused 'name a run behind --vs' a --vs
    misused '--vs is there more than once: *' a --vs a --vs a
    misused '--per: "hour" is not run, second or cpu-second' --per hour a
    for units in 1000 base=0 base= new=5 base=1,base=2 base=x,new=1; do
        misused "--units: \"$units\" is not base=N,new=N with numbers above 0" --units $units a --vs a
    done
    misused '--units: say how many the new runs did too*' --units base=5 a --vs a
    misused '--per and --units exclude each other' --per second --units base=1,new=1 a --vs a
    for value in 100 49 -5 nan ''; do
        misused "--confidence: \"$value\" is not a percentage from 50 to below 100" --confidence "$value" a --vs a
    done
    misused '--top: "0" is not a number above 0, or all' --top 0 a
    misused '--fail-above: "-1%" is not a percentage of at least 0' --fail-above -1% a --vs a
    misused '--fail-above needs two sides: *' --fail-above 5% a
    misused '--fail-on needs --fail-above' --fail-on process a --vs a
    misused '--fail-on: "class:x" is not process or method:PREFIX' --fail-above 5 --fail-on class:x a --vs a
    misused 'only one file can be stdout' --json - --csv - a --vs a
    misused '--html needs two sides: *' --html c.html a
    misused '--nonsense: no such option*' a --vs a --nonsense
}

case_a_result_against_itself_is_zero_and_passes_any_gate() {
    have python3
    report a requests-jdk25
    compare --top all --fail-above 0 --fail-on process --fail-on method:Requests --json c.json a --vs a/report.json
    wants 0
    python3 - <<'P' 2>>"$case_dir.why" || fail "see above"
import json
c = json.load(open("c.json"))
rows = [c["process"]] + [row for key in ("parts", "methods_own", "methods_total", "branches", "gates") for row in c[key]]
assert len(rows) > 40, len(rows)
assert all(row["delta_joules"] == 0 for row in rows)
assert all(row["delta_percent"] == (0 if row["base_joules"] > 0 else None) for row in rows)
assert all(row.get("verdict", "same") in ("same", "cannot tell") for row in rows)
assert c["not_alike"] == []
P
    no_transcript # the gate on the process says that one run a side is not enough
}

case_keys_of_the_json_are_found_by_name() {
    have python3
    five_a_side 1.1
    compare -q --fail-above 5 --json two.json base-? --vs new-?
    compare -q --json one.json base-?
    python3 - <<'P' 2>>"$case_dir.why" || fail "see above"
import json
def walk(value, path=""):
    if isinstance(value, dict):
        for key, below in value.items():
            yield key, below
            yield from walk(below)
    elif isinstance(value, list):
        for below in value:
            yield from walk(below)
for name in ("two.json", "one.json"):
    for key, value in walk(json.load(open(name))):
        if any(word in key for word in ("delta", "change", "diff")):
            assert key in ("delta_joules", "delta_percent") and (value is None or isinstance(value, (int, float))), key
        if key == "half_width_joules":
            assert value is None or value >= 0
two = json.load(open("two.json"))
assert two["schema"] == "joular-compare/1" and two["per"] == "run" and two["confidence_percent"] == 95
assert len(two["base"]) == len(two["new"]) == 5
for row in [two["process"]] + two["parts"] + two["methods_own"]:
    assert abs(row["delta_joules"] - (row["new_joules"] - row["base_joules"])) < 1e-6 * (1 + row["base_joules"])
    wanted = 100 * row["delta_joules"] / row["base_joules"] if row["base_joules"] > 0 else None
    assert row["delta_percent"] == wanted or abs(row["delta_percent"] - wanted) < 1e-5 * (1 + abs(wanted))
P
}

case_the_order_of_runs_and_options_does_not_matter() {
    five_a_side 1.1
    compare base-1 base-2 base-3 base-4 base-5 --vs new-1 new-2 new-3 new-4 new-5
    cp out first
    compare base-4 base-1 base-5 base-3 base-2 --vs new-5 new-4 new-3 new-2 new-1
    same first out
    compare --json - base-4 base-1 base-5 base-3 base-2 --vs new-5 new-4 new-3 new-2 new-1
    cp out first
    compare base-1 base-2 base-3 base-4 base-5 --vs new-1 new-2 new-3 new-4 new-5 --json -
    same first out
}

case_a_method_made_slower_is_found() {
    method=$(report one requests-jdk25 && python3 -c 'import json
r = json.load(open("one/report.json"))
print(sorted(r["methods"], key=lambda m: -m["own_joules"])[3]["name"])')
    five_a_side 1 "$method"
    compare --json c.json --csv c.csv base-? --vs new-?
    wants 0
    silent
    grep -F "  $method" out | grep -q ' more ' || fail "$method is not more: $(grep -F "$method" out)"
    sed -n '/^METHODS, OWN/,/^$/p' out | sed -n 3p | grep -q -F "$method" || fail "$method is not the first of its list"
    [ "$(sed -n '/^METHODS, OWN/,/^$/p' out | grep -c ' more \| less ')" = 1 ] || fail "more than one method is more or less"
    grep -q "^methods_own,.*,run,.*,more,,$" c.csv || fail "the CSV file does not say so: $(head -3 c.csv)"
    compare -q --fail-above 5% --fail-on "method:$method" base-? --vs new-?
    wants 3
    compare -q --fail-above 500% --fail-on "method:$method" base-? --vs new-?
    wants 0
    compare -q --fail-above 5% --fail-on "method:$method" new-? --vs base-?
    wants 0
    no_transcript # the name of the method
}

case_a_gate_fails_only_where_the_increase_is_certain() {
    five_a_side 1.2
    compare -q --fail-above 5% base-? --vs new-?
    wants 3
    silent
    compare --fail-above 5% base-? --vs new-?
    wants 3
    grep -q '^  FAILED: the increase is certainly above 5 %.*process$' out || fail "the table does not say so"
    compare -q --fail-above 25% base-? --vs new-?
    wants 0
    compare -q --fail-above 5% base-1 base-2 --vs new-1 new-2 --confidence 99.99
    wants 0
    compare -q --fail-above 5% base-1 --vs new-1
    wants 0
    says '--fail-above: one run a side does not say how sure the energy of process is*'
    no_transcript
}

case_a_gate_on_what_nobody_has_is_an_error() {
    report a requests-jdk25
    compare --fail-above 5% --fail-on method:no.such a --vs a
    refuses '--fail-on method:no.such: nothing of it was seen in any run'
}

case_what_it_is_divided_by_is_in_every_header() {
    five_a_side 1
    for per in 'run:J per run' 'second:J per second' 'cpu-second:J per CPU-second'; do
        compare --csv c.csv --json c.json --per "${per%%:*}" base-? --vs new-?
        wants 0
        [ "$(grep -c "^[A-Z].*, ${per#*:} (estimated)$" out)" = 5 ] || fail "not in the five headings: ${per#*:}"
        sed 1d c.csv | cut -d, -f3 | sort -u >pers
        [ "$(cat pers)" = "${per%%:*}" ] || sed 1d c.csv | grep -q '"' || fail "CSV: $(cat pers)"
        grep -q "\"unit\":\"${per#*:}\"" c.json || fail "not in the JSON"
    done
    compare --units new=1200,base=1000 base-? --vs new-?
    grep -q 'J per unit of work (base: 1000 a run, new: 1200)' out || fail "the units are not said"
    compare --units base=10 base-?
    grep -q 'J per unit of work (10 a run)' out || fail "the units are not said"
}

case_a_recording_and_its_log_are_analysed() {
    mkdir folder
    cp "$samples/requests-jdk25.jfr" folder/run.jfr
    cp "$samples/requests-jdk25.power.log" folder/power.log
    report a requests-jdk25
    TMPDIR=$PWD/tmp && mkdir tmp && export TMPDIR
    compare --json c.json folder --vs folder/run.jfr:folder/power.log
    wants 0
    silent
    compare --json d.json a --vs a
    sed 's/"name":"[^"]*\(folder\|power.log\)"/"name":"a"/g' c.json >left
    same left d.json
    [ -z "$(ls -A tmp)" ] || fail "left behind: $(ls -A tmp)"
    echo 'no log' >folder/power.log
    compare folder --vs a
    wants 1
    says 'folder: joular-analyze could not analyse it'
    [ -z "$(ls -A tmp)" ] || fail "left behind: $(ls -A tmp)"
    [ ! -s out ] || fail "stdout is not empty"
}

case_what_cannot_be_read_is_named() {
    report a requests-jdk25
    compare a --vs missing
    refuses 'missing: *No such file*'
    mkdir empty
    compare empty --vs a
    refuses 'empty: the folder has neither a report.json nor a run.jfr with a power.log'
    : >nothing.json
    compare nothing.json
    refuses 'nothing.json: is empty'
    echo '{"a":' >half.json
    compare half.json --vs a
    refuses 'half.json: is cut*'
    head -c 5000 a/report.json >cut.json
    compare a --vs cut.json
    refuses 'cut.json: is cut*'
    compare "$samples/requests-jdk25.jfr" --vs a
    refuses '*requests-jdk25.jfr: is a recording: name its power log behind it, RECORDING:POWERLOG'
    for schema in joular-report/0 joular-report/2; do
        sed "s|joular-report/1|$schema|" a/report.json >other.json
        compare --fail-above 5% other.json --vs a
        refuses "other.json: is a report of schema \"$schema\", and joular-report/1 is read here"
    done
}

case_a_report_without_a_cpu_model_is_read() {
    report a requests-jdk25
    sed 's/"cpu_model":"[^"]*",//' a/report.json >old.json
    if cmp -s a/report.json old.json; then skip "the recording has no CPU model"; fi
    compare a --vs old.json
    wants 0
    grep -q 'CPU model: .* (a); not said (old.json)' out || fail "the CPU model is not compared"
}

case_files_are_written_whole_or_not_at_all() {
    report a requests-jdk25
    echo precious >target
    ln -s target link.json
    compare --json link.json a --vs a
    wants 1
    says '*link.json: is a symbolic link*'
    [ "$(cat target)" = precious ] || fail "the link was followed"
    compare -q --csv missing/folder/c.csv a
    wants 0
    [ -s missing/folder/c.csv ] || fail "the folder was not made"
    [ -w /dev/full ] || skip "no /dev/full"
    code=0
    "$compare" a >/dev/full 2>err || code=$?
    wants 1
}

case_hostile_names_are_shown_and_quoted() {
    have python3
    report a requests-jdk25
    mkdir odd
    python3 - <<'P' || fail "python"
import json
r = json.load(open("a/report.json", encoding="utf-8"))
names = [m["name"] for m in sorted(r["methods"], key=lambda m: -m["own_joules"]) if m["name"][0] != "["][:3]
evil = ["\x1b[31mred\n,\"quoted\"", "a.B\u202egnp.</script>", ";;;;"]
change = dict(zip(names, evil))
r["names"] = [change.get(name, name) for name in r["names"]]
for m in r["methods"]:
    m["name"] = change.get(m["name"], m["name"])
json.dump(r, open("odd/report.json", "w"), separators=(",", ":"))
P
    mv odd "$(printf 'od\033[1md')"
    for side in '--vs a' ''; do
        # shellcheck disable=SC2086 # words
        compare --csv c.csv --json c.json od* $side
        wants 0
        no_escapes out
        python3 - <<'P' 2>>"$case_dir.why" || fail "csv or json"
import csv, json
rows = list(csv.reader(open("c.csv", newline="", encoding="utf-8")))
assert len({len(row) for row in rows}) == 1, {len(row) for row in rows}
assert any(row[1] == '\x1b[31mred\n,"quoted"' for row in rows)
assert any(row["name"] == "a.B\u202egnp.</script>" for row in json.load(open("c.json", encoding="utf-8"))["methods_own"])
P
    done
    no_transcript
}

case_runs_of_one_kind_have_their_spread() {
    have python3
    five_a_side 1
    compare --json c.json base-?
    wants 0
    silent
    python3 - <<'P' 2>>"$case_dir.why" || fail "see above"
import json, statistics
c = json.load(open("c.json"))
energies = [run["process_joules"] for run in c["runs"]]
row = c["totals"][0]
sd = statistics.stdev(energies)
assert row["name"] == "process" and row["n"] == 5
assert abs(row["mean_joules"] - statistics.mean(energies)) < 1e-6 * row["mean_joules"]
assert abs(row["sd_joules"] - sd) < 1e-6 * sd
assert abs(row["half_width_joules"] - 2.7764451 * sd / 5 ** 0.5) < 1e-5 * sd
assert abs(row["cov"] - sd / row["mean_joules"]) < 1e-6
half = row["half_width_joules"] / row["mean_joules"]
assert row["confidence"] == ("HIGH" if half <= 0.02 else "MEDIUM" if half <= 0.05 else "LOW")
assert c["baseline"]["mean_joules"] == 0
P
}

case_the_baseline_is_shown_apart() {
    "$program" -q --baseline 3 --format json -o a "$samples/requests-jdk25.jfr" "$samples/requests-jdk25.power.log"
    report b requests-jdk25
    compare a
    grep -q '^BASELINE, OF THE MACHINE, IN NONE OF THE OTHER FIGURES' out || fail "no baseline in the table"
    compare b
    if grep -q '^BASELINE' out; then fail "a baseline that nobody took"; fi
    compare a --vs b
    grep -q 'baseline: taken away (a); not taken away (b)' out || fail "that it was taken on one side is not said"
}

case_the_same_run_twice_counts_once() {
    report a requests-jdk25
    compare a a/report.json
    wants 0
    says 'a/report.json is the same run as a: it counts once'
    grep -q '^ *1 run: a$' out || fail "$(head -2 out)"
}

case_colour_is_a_second_signal() {
    have_terminals
    five_a_side 1.2
    env -u NO_COLOR TERM=xterm python3 "$top/tests/cli/pty_run.py" 120 tty pipe out err "$compare" base-? --vs new-? || fail "exit $?"
    sed 's/\x1b\[[0-9;]*m//g' out >stripped
    NO_COLOR=1 TERM=xterm python3 "$top/tests/cli/pty_run.py" 120 tty pipe plain err "$compare" base-? --vs new-? || fail "exit $?"
    same stripped plain
    if cmp -s out plain; then fail "no colours"; fi
    if awk 'length > 120' plain | grep -q .; then fail "a line is wider than the terminal"; fi
}

run_cases
