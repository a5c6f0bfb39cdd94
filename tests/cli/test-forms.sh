#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The forms of a result: they agree, they can be made again from report.json, and the options that shape them.
. "$(dirname "$0")/lib.sh"

jfr=$samples/requests-jdk25.jfr
log=$samples/requests-jdk25.power.log
again() { # FOLDER OPTIONS...: every form of FOLDER, from its report.json, is the same
    folder=$1
    shift
    "$program" -q --format all -o again "$@" --from-report "$folder/report.json" 2>said || fail "$folder: exit $?"
    [ ! -s said ] || fail "--from-report says: $(cat said)"
    same_results "$folder" again
    rm -r again
}

forms() { # ARGS of forms.py
    have python3
    python3 "$top/tests/cli/forms.py" "$@" 2>>"$case_dir.why" || fail "forms.py $*"
}

holds() { # FOLDER FILES: these files and no others; flame.html may be among them only where html is asked for
    held=$(find "$1" -mindepth 1 | sort | sed "s|^$1/||" | tr '\n' ' ')
    [ "$held" = "$2 " ] || fail "$1 holds: $held"
}

csv_files='gc.csv methods-power-all.csv methods-power-app.csv methods.csv threads.csv timeline.csv'

case_energy_is_the_same_in_every_form_of_every_recording() {
    for name in $recordings; do
        all_of results "$name"
        forms sums results
    done
}

case_energy_is_the_same_for_other_choices_of_the_analysis() {
    for options in '--jvm-threads spread' '--jvm-threads unattributed' '--hidden-frames drop' '--process-share 0.3' '--baseline 2' \
        '--group thread' '--lines' '--share-of capacity'; do
        # shellcheck disable=SC2086 # words
        all_of results samples/shop-jdk17 $options
        forms sums results
        again results
    done
    all_of results tests/data/jdk17-chunks --from +1s --to -1s
    forms sums results
    again results
}

case_every_form_is_made_again_from_the_report() {
    for name in $recordings; do
        all_of results "$name" -f com.example,Small
        again results -f com.example,Small
    done
}

case_a_log_with_holes_and_an_estimated_one_go_through_the_report_too() {
    awk -F, 'BEGIN { OFS = "," } $1 == "cycle" && ++n > 5 && n < 8 { $5 = ""; $7 = "suspended" } 1' "$log" >holes.log
    grep '^cycle\|^#' "$log" >bare.log
    for power in holes.log bare.log '--idle-watts=5 --max-watts=40'; do
        # shellcheck disable=SC2086 # words
        "$program" -q --format all -o results $power "$jfr"
        again results
    done
}

case_the_summary_is_the_same_from_the_report() {
    for options in '-o results' '-o results -f Requests --top 3' '-v -o results'; do
        # shellcheck disable=SC2086 # words
        "$program" $options "$jfr" "$log" >first 2>first.err
        # shellcheck disable=SC2086
        analyze $options --from-report results/report.json
        wants 0
        same first out
        same first.err err
    done
    no_transcript
}

case_the_report_may_be_compressed_and_be_replaced_by_itself() {
    have zstd
    all_of results samples/requests-jdk25
    cp -r results first
    zstd -q results/report.json -o packed
    analyze -q --format all -o again --from-report packed
    wants 0
    same_results results again
    analyze -q --format all -o results --from-report results/report.json
    wants 0
    same_results first results
}

case_options_of_the_analysis_are_refused_with_a_report() {
    all_of results samples/requests-jdk25
    for option in --lines '--group thread' '--samples execution' '--from +1s' '--to +2s' '--jvm-threads spread' '--hidden-frames drop' \
        '--process-share 0.5' '--share-of busy' '--baseline 1' '--pid 3' '--dump align' '--idle-watts 1 --max-watts 2'; do
        # shellcheck disable=SC2086 # words
        analyze -q -o new $option --from-report results/report.json
        wants 2
        one_line err
        says "${option%% *} needs the recording and the power log: *--from-report*"
        [ ! -e new ] || fail "$option: a folder was made"
    done
    analyze -q -o new --from-report results/report.json "$log"
    wants 2
    says '--from-report takes the place of recordings*'
}

case_what_is_no_report_is_refused_by_its_name() {
    all_of results samples/requests-jdk25
    mv results/report.json good
    rm -r results
    sed '1s|joular-report/1|joular-report/9|' good >newer.json
    analyze -o new --from-report newer.json
    refuses 'newer.json: *"joular-report/9"*joular-report/1*'
    head -c 5000 good >cut.json
    analyze -o new --from-report cut.json
    refuses 'cut.json: is cut*'
    sed '1,4s/"process_joules"/"process_jules"/' good >odd.json
    analyze -o new --from-report odd.json
    refuses 'odd.json: "process_joules" is missing'
    analyze -o new --from-report "$jfr"
    refuses '*requests-jdk25.jfr: is no JSON*'
    : >empty.json
    analyze -o new --from-report empty.json
    refuses 'empty.json: is empty*'
    analyze -o new --from-report missing.json
    refuses 'missing.json: *No such file*'
    [ ! -e new ] || fail "a folder was made"
}

case_only_the_formats_that_are_named_are_written() {
    for format in csv json collapsed csv,json ' csv , collapsed ' json,collapsed; do
        rm -rf results
        analyze -q -o results --format "$format" "$jfr" "$log"
        wants 0
        files=
        case $format in *csv*) files="$csv_files" ;; esac
        case $format in *collapsed*) files="collapsed.txt $files" ;; esac
        case $format in *json*) files="$files report.json" ;; esac
        holds results "$(printf '%s\n' $files | sort | tr '\n' ' ' | sed 's/ $//')"
        analyze -o results --format "$format" "$jfr" "$log"
        sed '1,/^FILES$/d; s|^  results/||' out | sort >named
        (cd results && ls) | sort >written
        same written named
    done
    analyze -q -o results --format csv --format collapsed "$jfr" "$log"
    wants 0
    [ -s results/gc.csv ] && [ -s results/collapsed.txt ] || fail "two --format do not add up"
}

case_a_format_that_is_not_known_is_refused() {
    for format in svg csv,svg ',' ''; do
        analyze -q -o results --format "$format" "$jfr" "$log"
        wants 2
        one_line err
        [ ! -e results ] || fail "a folder was made"
    done
}

case_append_adds_rows_to_the_branch_files_and_makes_the_others_anew() {
    analyze -q --append -o once "$jfr" "$log"
    cp -r once results
    analyze -q --append -o results "$jfr" "$log"
    wants 0
    for file in methods-power-all.csv methods-power-app.csv; do
        { cat once/$file; sed 1d once/$file; } >expected
        same expected results/$file
    done
    for file in methods.csv threads.csv timeline.csv gc.csv report.json; do
        same once/$file results/$file
    done
    analyze -q --append -o results --from-report once/report.json
    wants 0
    [ "$(wc -l <results/methods-power-all.csv)" = $((3 * $(wc -l <once/methods-power-all.csv) - 2)) ] || fail "--from-report does not add"
}

case_weights_are_energy_cpu_time_or_samples() {
    have python3
    all_of results samples/shop-jdk25
    for weight in energy cpu samples; do
        analyze -q --format collapsed --weight $weight -o $weight --from-report results/report.json
        wants 0
        holds $weight collapsed.txt
    done
    same results/collapsed.txt energy/collapsed.txt
    python3 - <<'P' || fail "sums"
import json
r = json.load(open("results/report.json"))
cpu, samples = ({s: int(n) for s, _, n in (line.rpartition(" ") for line in open(f"{w}/collapsed.txt"))} for w in ("cpu", "samples"))
text = [";".join(r["names"][f] for f in b) for b in r["branches"]]
assert samples == {text[b]: n for b, n in enumerate(r["branch_samples"]) if n}
assert abs(sum(cpu.values()) - sum(r["branch_cpu_ns"]) / 1e3) <= 0.5 + 1e-3, sum(cpu.values())
assert all(abs(cpu.get(text[b], 0) - ns / 1e3) < 1 for b, ns in enumerate(r["branch_cpu_ns"]))
assert sum(samples.values()) == r["samples"]["used"] > 1000
P
    analyze -q --weight joules "$jfr" "$log"
    wants 2
}

case_groups_are_classes_and_packages_in_two_files_and_elsewhere_not() {
    have python3
    all_of results samples/shop-jdk25
    for group in class package; do
        analyze -q --format all --group $group -o $group --from-report results/report.json
        wants 0
        for file in methods-power-all.csv methods-power-app.csv threads.csv timeline.csv gc.csv report.json; do
            same results/$file $group/$file
        done
        all_of direct samples/shop-jdk25 --group $group
        same_results direct $group
        rm -r direct
    done
    python3 - <<'P' 2>>"$case_dir.why" || fail "what the groups add up to"
import collections, csv, itertools
def collapsed(folder):
    return {s: int(n) for s, _, n in (line.rpartition(" ") for line in open(f"{folder}/collapsed.txt"))}
def of(frame, dots):
    if frame[0] == "[":
        return frame
    for _ in range(dots):
        if "." not in frame:
            return "(no package)"
        frame = frame.rpartition(".")[0]
    return frame
for folder, dots in ("class", 1), ("package", 2):
    expected = collections.Counter()
    for stack, n in collapsed("results").items():
        expected[";".join(k for k, _ in itertools.groupby(of(f, dots) for f in stack.split(";")))] += n
    got = collapsed(folder)
    assert sum(got.values()) == sum(expected.values())
    odd = [(s, got.get(s, 0), expected[s]) for s in set(got) | set(expected) if abs(got.get(s, 0) - expected[s]) > 50]
    assert not odd, odd[:3]
    own = {r["method"]: float(r["own_joules"]) for r in csv.DictReader(open(f"{folder}/methods.csv", newline=""))}
    tip = collections.Counter()
    for stack, n in got.items():
        tip[stack.split(";")[-1]] += n
    assert all(abs(tip[m] / 1e6 - j) < 5e-4 for m, j in own.items()), folder
assert len(collapsed("package")) < len(collapsed("class")) < len(collapsed("results"))
P
}

case_group_thread_puts_the_thread_in_front_everywhere() {
    have python3
    all_of results samples/shop-jdk25
    all_of threads samples/shop-jdk25 --group thread
    forms sums threads
    again threads
    python3 - <<'P' 2>>"$case_dir.why" || fail "threads in front"
import collections, csv
def rows(path, key, value):
    out = collections.Counter()
    for r in csv.DictReader(open(path, newline="")):
        out[key(r)] += float(r[value])
    return out
stack = lambda r: r["branch"].partition(";")[2] or r["branch"]
plain = rows("results/methods-power-all.csv", lambda r: r["branch"], "energy_joules")
by_thread = rows("threads/methods-power-all.csv", stack, "energy_joules")
assert plain.keys() == by_thread.keys() and all(abs(plain[k] - by_thread[k]) < 1e-6 for k in plain)
first = rows("threads/methods-power-all.csv", lambda r: r["branch"].split(";")[0], "energy_joules")
energy = rows("threads/threads.csv", lambda r: r["thread"], "energy_joules")
java = [name for name in first if name[0] != "["]
assert len(java) > 4 and all(abs(first[name] - energy[name]) < 1e-6 for name in java), (first, energy)
P
}

case_include_and_exclude_choose_branches_of_three_files() {
    have python3
    all_of results samples/shop-jdk25
    for choice in '--include=Signatures\.(sign|digest)$' '--exclude=^\[|Catalog' '--include=com\.example --exclude=PriceCalculator'; do
        # shellcheck disable=SC2086 # words
        analyze -q --format all -o chosen $choice --from-report results/report.json
        wants 0
        for file in methods-power-all.csv methods-power-app.csv threads.csv timeline.csv gc.csv report.json; do
            same results/$file chosen/$file
        done
        python3 - "$choice" <<'P' 2>>"$case_dir.why" || fail "$choice"
import re, sys
choice = dict(word.split("=", 1) for word in sys.argv[1].split(" "))
include, exclude = choice.get("--include"), choice.get("--exclude")
def collapsed(folder):
    return {s: int(n) for s, _, n in (line.rpartition(" ") for line in open(f"{folder}/collapsed.txt"))}
def stays(stack):
    frames = stack.split(";")
    return (not include or any(re.search(include, f) for f in frames)) and not (exclude and any(re.search(exclude, f) for f in frames))
expected = {s: n for s, n in collapsed("results").items() if stays(s)}
got = collapsed("chosen")
assert 0 < len(expected) < len(collapsed("results"))
assert got.keys() == expected.keys() and all(abs(got[s] - expected[s]) <= 1 for s in got)
P
        # shellcheck disable=SC2086
        all_of direct samples/shop-jdk25 $choice
        same_results direct chosen
        rm -r direct chosen
    done
}

case_a_choice_that_nothing_matches_leaves_headers() {
    analyze -q --format all -o results --include nothing.at.all "$jfr" "$log"
    wants 0
    silent
    [ "$(wc -l <results/methods.csv)" = 1 ] || fail "methods.csv has rows"
    [ ! -s results/collapsed.txt ] || fail "collapsed.txt has lines"
    [ "$(wc -l <results/methods-power-all.csv)" -gt 10 ] || fail "the all file lost its rows"
}

case_a_bad_expression_is_named() {
    for option in --include --exclude; do
        analyze -q $option 'a(b' "$jfr" "$log"
        refuses "$option: \"a(b\" is no regular expression: *"
    done
}

case_lines_stand_behind_methods() {
    have python3
    all_of results samples/shop-jdk25
    all_of lines samples/shop-jdk25 --lines
    grep -q 'com\.example\.shop\.Signatures\.sign:[1-9][0-9]*;' lines/methods-power-all.csv || fail "a method of the shop has no line"
    python3 - <<'P' 2>>"$case_dir.why" || fail "sums"
import collections, re
def stacks(folder):
    out = collections.Counter()
    for line in open(f"{folder}/collapsed.txt"):
        stack, _, n = line.rpartition(" ")
        out[re.sub(r":\d+(?=;|$)", "", stack)] += int(n)
    return out
plain, lines = stacks("results"), stacks("lines")
assert plain.keys() == lines.keys() and sum(plain.values()) == sum(lines.values())
assert all(abs(plain[s] - lines[s]) < 50 for s in plain)
P
}

case_top_says_how_many_methods_are_listed() {
    for n in 0 1 3 25; do
        analyze --top $n "$samples/shop-jdk25.jfr" "$samples/shop-jdk25.power.log"
        wants 0
        awk '/^TOP METHODS BY OWN/ { on = 1; next } /^$/ { on = 0 } on && / J /' out >rows
        [ "$(wc -l <rows)" = $n ] || fail "--top $n lists $(wc -l <rows)"
    done
    for n in -1 x ''; do
        analyze --top "$n" "$jfr" "$log"
        wants 2
    done
}

case_the_report_is_as_its_schema_says() {
    have python3
    for name in $recordings; do
        all_of results "$name" -f com.example
        mv results/report.json "$(basename "$name").json"
    done
    awk -F, 'BEGIN { OFS = "," } $1 == "cycle" && ++n > 5 && n < 8 { $5 = ""; $7 = "suspended" } 1' "$log" >holes.log
    grep '^cycle\|^#' "$log" >bare.log
    "$program" -q --format json -o results "$jfr" holes.log && mv results/report.json holes.json
    "$program" -q --format json -o results "$jfr" bare.log && mv results/report.json bare.json
    "$program" -q --format json -o results --group thread --lines "$jfr" "$log" && mv results/report.json threads.json
    python3 "$top/tests/cli/forms.py" schema "$top/src/result/report.schema.json" ./*.json >schema.out 2>&1 || {
        [ $? != 77 ] || skip "$(cat schema.out)"
        fail "$(cat schema.out)"
    }
}

# What jdk.InitialEnvironmentVariable, jdk.InitialSystemProperty and jdk.JVMInformation of a recording say.
case_nothing_of_environment_properties_and_command_lines_is_in_a_report() {
    hidden='java\.home|user\.dir|java\.class\.path|-XX|StartFlightRecording|JAVA_HOME|PATH=|/usr/|/home/|/root|/tmp'
    grep -a -q -e StartFlightRecording "$data/jdk17-chunks.jfr" || fail "the recording has no command line: nothing is tested"
    for name in $recordings; do
        all_of results "$name"
        if grep -o -H -E -e "$hidden" results/report.json results/*.csv results/collapsed.txt >found; then
            show found
            fail "of $name"
        fi
    done
}

case_the_same_input_gives_the_same_bytes_for_any_number_of_readers() {
    for n in 1 2 3; do
        odd move "$data/jdk17-chunks.jfr" part-$n.jfr 0.$n
    done
    "$program" -q -j1 --format all -o one part-?.jfr "$data/jdk17-chunks.jfr" "$data/jdk17-chunks.power.log"
    for jobs in 1 2 4 4; do
        "$program" -q -j$jobs --format all -o other part-?.jfr "$data/jdk17-chunks.jfr" "$data/jdk17-chunks.power.log"
        same_results one other
        rm -r other
    done
}

case_without_any_energy_every_file_has_its_header() {
    awk -F, 'BEGIN { OFS = "," } $1 == "cycle" { $5 = ""; $7 = "suspended" } 1' "$log" >nothing.log
    awk -F, 'BEGIN { OFS = "," } $1 == "cycle" { $5 = "0" } 1' "$log" >zero.log
    for power in nothing.log zero.log; do
        analyze -q --format all -o results "$jfr" $power
        wants 0
        silent
        for file in methods-power-all methods-power-app methods; do
            one_line results/$file.csv
        done
        [ "$(wc -l <results/timeline.csv)" = $(($(grep -c '^cycle,' "$log") + 1)) ] || fail "not a row a cycle"
        [ ! -s results/collapsed.txt ] || fail "collapsed.txt has lines"
        again results
        "$program" -o results --from-report results/report.json >out || fail "no summary"
        grep -q '^  no energy could be given to methods$' out || fail "the summary does not say it"
    done
}

# tests/tools/many-methods.c: also names with commas, quotes, newlines, ";", blanks, not ASCII, and of 64 KiB.
case_fifty_thousand_methods_with_odd_names() {
    [ -x "$build/many-methods" ] || skip "many-methods is not built (no CMocka)"
    "$build/many-methods" 50000 >many.jfr
    "$build/many-methods" 50000 log >many.log
    analyze -q --pid 7 --format all -o results many.jfr many.log
    wants 0
    silent
    again results
    have python3
    python3 - <<'P' 2>>"$case_dir.why" || fail "the forms"
import csv, json, math
with open("results/report.json", encoding="utf-8") as file:
    r = json.load(file)
names = {m["name"]: m for m in r["methods"]}
assert len(names) == 50001, len(names)
for part in "with, comma", 'say "x"', "new\nline", "semi;colon", "two  blanks ", "\xe4\u20ac\U0001f50b", "<script>", "\\back\\", "tab\t\x01", "x" * 65536:
    assert any(part in name for name in names), part
with open("results/methods.csv", encoding="utf-8", newline="") as file:
    rows = list(csv.DictReader(file))
assert {row["method"] for row in rows} == set(names)
assert rows[-1]["method"] == "com.example.Main.run" and float(rows[-1]["total_joules"]) > 200
whole = math.fsum(m["own_joules"] for m in names.values())
assert abs(whole - r["totals"]["process_joules"]) < 1e-6 and abs(whole - sum(20.5 + i for i in range(1, 11)) * 0.9) < 1e-6, whole
assert abs(math.fsum(float(row["own_joules"]) for row in rows) - whole) < 3e-5
with open("results/methods-power-all.csv", encoding="utf-8", newline="") as file:
    branches = list(csv.DictReader(file))
assert {row["branch"] for row in branches} == {"com.example.Main.run;" + name for name in names if name != "com.example.Main.run"}
with open("results/collapsed.txt", encoding="utf-8", newline="\n") as file:
    lines = [line.rstrip("\n").rpartition(" ") for line in file]
assert len(lines) == 50000 and all(stack.count(";") == 1 for stack, _, _ in lines)
assert sum(int(n) for _, _, n in lines) == round(whole * 1e6)
P
    "$program" --pid 7 many.jfr many.log >out || fail "no summary"
    no_escapes out
}

case_the_forms_of_the_samples_have_not_changed() {
    have python3
    for name in samples/shop-jdk17 samples/shop-jdk25 samples/shop-jdk25-virtual samples/requests-jdk25; do
        all_of "$name" "$name" -f com.example,Requests
        forms digits "$name/report.json" >"$name/report.json.digits"
        for file in methods.csv threads.csv timeline.csv gc.csv collapsed.txt report.json.digits; do
            sha256sum "$name/$file" >>sums
        done
    done
    golden forms.sha256 sums
    for file in methods threads timeline gc; do
        golden "requests-$file.csv" samples/requests-jdk25/$file.csv
    done
    head -n 40 samples/shop-jdk25/gc.csv >gc.begin
    golden shop-gc-begin.csv gc.begin
    golden requests-collapsed.txt samples/requests-jdk25/collapsed.txt
}

run_cases
