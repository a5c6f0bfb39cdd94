#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --batch: every recording of a folder with its log, each on its own and all merged; and joular-compare --merge.
. "$(dirname "$0")/lib.sh"

pair() { # NAME SAMPLE: of samples/, else of tests/data
    from=$samples
    [ -e "$from/$2.jfr" ] || from=$data
    cp "$from/$2.jfr" "in/$1.jfr"
    cp "$from/$2.power.log" "in/$1.power.log"
}

run_folder() { # NAME SAMPLE
    mkdir "in/$1"
    cp "$samples/$2.jfr" "in/$1/run.jfr"
    cp "$samples/$2.power.log" "in/$1/power.log"
}

three() { # of JDK 17, 21 and 25, one as joular-record --runs leaves it
    mkdir in
    pair b21 shop-jdk21
    pair c25 shop-jdk25
    run_folder a17 shop-jdk17
}

case_each_pair_has_its_results_and_all_are_merged() {
    three
    analyze --batch in -o many -f com.example --format all
    wants 0
    silent
    ls many >names
    printf '%s\n' a17 b21 c25 merged | diff - names >>"$case_dir.why" || fail "other folders in many/"
    "$program" -q -o one/a17 -f com.example --format all "$samples/shop-jdk17.jfr" "$samples/shop-jdk17.power.log"
    "$program" -q -o one/b21 -f com.example --format all "$data/shop-jdk21.jfr" "$data/shop-jdk21.power.log"
    "$program" -q -o one/c25 -f com.example --format all "$samples/shop-jdk25.jfr" "$samples/shop-jdk25.power.log"
    for name in a17 b21 c25; do
        same_results one/$name many/$name
    done
    grep -q '^ *[0-9.]* J  *[0-9.]* s  a17$' out || fail "no line of a17: $(head -3 out)"
    grep -q '^Runs  *3, ' out || fail "no summary of three runs"
    grep -q '^  many/merged/flame.html$' out || fail "merged/ is not among the files"
}

case_a_merged_result_is_what_its_parts_are() {
    have python3
    three
    analyze -q --batch in -o many --format all
    wants 0
    python3 "$top/tests/cli/forms.py" sums many/merged 2>>"$case_dir.why" || fail "the forms do not agree"
    python3 - many <<'P' 2>>"$case_dir.why" || fail "the sums are others"
import json, math, sys
folder = sys.argv[1]
def read(name):
    with open(f"{folder}/{name}/report.json", encoding="utf-8") as file:
        return json.load(file)
merged, parts = read("merged"), [read(name) for name in ("a17", "b21", "c25")]
def near(what, a, b):
    if not math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12):
        sys.exit(f"{what}: {a!r} is not {b!r}")
for key in merged["totals"]:
    if key.endswith("_joules") or key == "seconds_with_power":
        near(key, merged["totals"][key], sum(p["totals"][key] for p in parts))
for key in merged["samples"]:
    if merged["samples"][key] != sum(p["samples"][key] for p in parts):
        sys.exit(f"samples {key}")
by_name = [{m["name"]: m for m in p["methods"]} for p in parts]
sure = 0
for m in merged["methods"]:
    of = [n[m["name"]] for n in by_name if m["name"] in n]
    for kind in ("own", "total"):
        near(f"{m['name']} {kind}", m[f"{kind}_joules"], sum(o[f"{kind}_joules"] for o in of))
        widths = [o[f"{kind}_half_width_joules"] for o in of]
        if None in widths:
            if m[f"{kind}_half_width_joules"] is not None:
                sys.exit(f"{m['name']}: an interval where a run has none")
        else:
            near(f"{m['name']} +-", m[f"{kind}_half_width_joules"], math.sqrt(sum(w * w for w in widths)))
            sure += sum(w > 0 for w in widths) > 1
if sure < 20:
    sys.exit(f"{sure} methods have an interval in two runs")
if sorted(r["name"] for r in merged["runs"]) != ["a17", "b21", "c25"]:
    sys.exit("runs have other names")
if merged["facts"]["jvm_name"] is not None or merged["facts"]["pid"] != 0 or merged["facts"]["sampler"] != "several":
    sys.exit("a fact that differs is said")
P
    head -1 many/merged/timeline.csv | grep -q ',run$' || fail "timeline.csv does not say the run"
    [ "$(cut -d, -f17 many/merged/timeline.csv | sort -u | paste -sd' ')" = "a17 b21 c25 run" ] || fail "runs of timeline.csv"
    python3 "$top/tests/cli/forms.py" schema "$top/src/result/report.schema.json" many/merged/report.json many/a17/report.json \
        >schema.out 2>&1 || [ $? = 77 ] || fail "$(cat schema.out)"
}

case_results_are_the_same_for_any_number_of_jobs() {
    three
    for i in 1 2 3 4 5; do
        pair "more$i" requests-jdk25-page
    done
    pair page shop-jdk25-page
    analyze --batch in -o one -j1
    wants 0
    mv out out1 && mv err err1
    analyze --batch in -o eight -j8
    wants 0
    sed 's/eight/one/' out >out8
    same out1 out8
    same err1 err
    diff -r one eight >>"$case_dir.why" || fail "-j1 and -j8 differ"
    # the same run under five names counts once
    [ "$(grep -c ': is the same run as one before: it counts once in merged$' err1)" = 4 ] || fail "$(cat err1)"
    grep -q '^Runs  *5, ' out1 || fail "not five runs: $(grep ^Runs out1)"
}

case_merging_results_in_any_grouping_gives_equal_bytes() {
    three
    pair page shop-jdk25-page
    analyze -q --batch in -o many
    wants 0
    compare -q --merge all many/page many/c25/ many/b21/report.json many/a17
    wants 0
    silent
    same all/report.json many/merged/report.json
    compare -q --merge left many/c25 many/a17
    compare -q --merge right many/page many/b21
    compare --merge both right left
    wants 0
    silent
    same both/report.json all/report.json
    grep -q '^4 runs, [0-9.]* J: both/report.json$' out || fail "$(cat out)"
    compare -q --merge left3 left/report.json many/b21
    compare -q --merge both many/page left3
    same both/report.json all/report.json
    "$program" -q --from-report all/report.json -o forms
    same_results forms many/merged
}

case_a_run_counts_once_and_half_of_what_is_there_is_refused() {
    three
    analyze -q --batch in -o many
    compare --merge two many/a17 many/b21 many/a17/report.json
    wants 0
    says 'many/a17/report.json is there already: it counts once'
    grep -q '^2 runs' out || fail "$(cat out)"
    compare -q --merge other many/b21 many/c25
    compare --merge both two other
    wants 1
    says '*: 1 of its 2 runs are there already: they would count twice, so nothing of it is merged'
    [ ! -e both ] || fail "something was written"
}

case_merge_compares_nothing() {
    for words in '--merge d' '--merge d a --vs b' '--merge d --top 3 a' '--merge d --json x a' '--merge= a'; do
        # shellcheck disable=SC2086
        compare $words
        wants 2
        one_line err
    done
    compare --merge d nothing
    wants 1
    says 'nothing: *'
    [ ! -e d ] || fail "something was written"
}

case_a_broken_pair_does_not_stop_the_others() {
    three
    pair b-broken shop-jdk17
    head -c 100 "$samples/shop-jdk17.jfr" >in/b-broken.jfr
    mkdir in/empty
    : >in/empty/run.jfr
    cp "$samples/shop-jdk17.power.log" in/empty/power.log
    pair badlog shop-jdk17
    echo nothing >in/badlog.power.log
    analyze --batch in -o many
    wants 1
    says 'b-broken: in/b-broken.jfr: *'
    says 'empty: in/empty/run.jfr: is empty'
    says 'badlog: in/badlog.power.log: is neither *'
    ls many >names
    printf '%s\n' a17 b21 c25 merged | diff - names >>"$case_dir.why" || fail "other folders in many/"
    rm -r in/empty in/b*
    pair b21 shop-jdk21
    "$program" -q --batch in -o good
    same_results good/merged many/merged
}

case_what_has_no_partner_is_named() {
    mkdir in in/alone in/other in/deep in/deep/er
    pair a shop-jdk25-page
    cp in/a.jfr in/no-log.jfr
    cp in/a.power.log in/no-recording.power.log
    cp in/a.jfr in/alone/run.jfr
    cp in/a.power.log in/other/power.log
    cp in/a.jfr in/deep/er/run.jfr
    cp in/a.power.log in/deep/er/power.log
    cp in/a.power.log in/power.log
    echo text >in/notes.txt
    analyze --batch in -o many
    wants 0
    says 'in/no-log.jfr: has no power log (no-log.power.log): left out'
    says 'in/no-recording.power.log: has no recording (no-recording.jfr): left out'
    says 'in/alone/run.jfr: has no power log (power.log): left out'
    says 'in/other/power.log: has no recording (run.jfr): left out'
    [ "$(wc -l <err)" = 4 ] || fail "$(cat err)"
    [ "$(ls many | paste -sd' ')" = "a merged" ] || fail "$(ls many)"
    analyze -q --strict --batch in -o many
    wants 1
}

case_packed_files_are_paired_too() {
    have zstd gzip
    mkdir in in/run-1
    pair a shop-jdk25-page
    "$program" -q -o plain in/a.jfr in/a.power.log
    zstd -q --rm in/a.power.log
    zstd -q in/a.jfr -o in/run-1/run.jfr.zst
    rm in/a.jfr
    gzip -c "$data/shop-jdk21.jfr" >in/run-1/x
    zstd -q "$data/shop-jdk21.power.log" -o in/run-1/power.log.zst
    cp "$data/shop-jdk25-page.jfr" in/a.jfr
    zstd -q -f "$data/shop-jdk21.jfr" -o in/run-1/run.jfr.zst
    analyze -q --batch in -o many
    wants 0
    silent
    same_results plain many/a
    [ -s many/run-1/report.json ] || fail "run-1 was not analysed"
}

case_two_of_one_name_are_refused() {
    mkdir in in/a in/b
    pair a shop-jdk25-page
    cp in/a.jfr in/a/run.jfr
    cp in/a.power.log in/a/power.log
    pair twice shop-jdk25-page
    cp in/twice.power.log in/twice.power.log.zst
    pair merged shop-jdk25-page
    pair . shop-jdk25-page
    pair .. shop-jdk25-page
    cp in/a.jfr in/.jfr
    cp in/a.power.log in/.power.log
    analyze --batch in -o many
    wants 1
    says 'in/a/run.jfr: its results would take the place of those of in/a.jfr: left out'
    says 'in/twice.jfr: there is more than one power log of this name'
    [ "$(grep -c 'jfr: the folder of its results cannot have this name$' err)" = 4 ] || fail "$(cat err)"
    [ "$(ls -A many | paste -sd' ')" = "a merged" ] || fail "$(ls -A many)"
    [ "$(find . -mindepth 1 -maxdepth 1 | sort | paste -sd' ')" = "./err ./in ./many ./out" ] || fail "written outside: $(ls -A)"
}

case_without_a_log_the_power_is_estimated() {
    mkdir in
    pair a shop-jdk25-page
    pair b shop-jdk17
    rm in/a.power.log
    analyze --batch in -o many --idle-watts 8 --max-watts 65
    wants 0
    says 'in/b.power.log: is not used: the power is estimated'
    "$program" -q -o one --idle-watts 8 --max-watts 65 in/a.jfr
    same_results one many/a
    [ -s many/b/report.json ] || fail "b was not analysed"
}

case_nothing_to_do_is_an_error() {
    mkdir in
    analyze --batch in
    refuses 'in: has no recording with its power log: NAME.jfr and NAME.power.log, or NAME/run.jfr and NAME/power.log'
    analyze --batch nowhere
    refuses 'nowhere: cannot be opened: *'
    [ ! -e joular-results ] || fail "a result folder was made"
}

case_hostile_names_are_folders_of_their_own() {
    mkdir in
    for name in '-o' 'a b' '$(id)' '*' 'ü;x' "$(printf 'new\nline')" "$(printf 'esc\033[31m')" "$(printf 'no\377utf')"; do
        pair "$name" shop-jdk25-page
    done
    analyze --batch in -o many
    wants 0
    no_transcript
    no_escapes out err
    [ "$(ls many | wc -l)" = 10 ] || fail "$(ls many)" # a newline counts for two
    for name in '-o' 'a b' '$(id)' '*' 'ü;x' "$(printf 'new\nline')" "$(printf 'esc\033[31m')" "$(printf 'no\377utf')"; do
        [ -s "many/$name/report.json" ] || fail "no results of $name"
    done
    # all are one run; the first by name has given it its own
    grep -q '"name":"$(id)","pid"' many/merged/report.json || fail "$(grep -A2 '"runs"' many/merged/report.json)"
}

case_a_name_that_is_no_text_is_repaired_in_the_merged_report() {
    mkdir in
    pair "$(printf 'no\377,"utf')" shop-jdk25-page
    analyze --batch in -o many
    wants 0
    LC_ALL=C grep -q "$(printf '"name":"no\357\277\275,\\\\"utf","pid"')" many/merged/report.json || fail "the name is another"
    LC_ALL=C grep -q "$(printf ',"no\357\277\275,""utf"$')" many/merged/threads.csv || fail "the name in threads.csv is another"
    no_transcript
}

case_no_link_is_followed_for_output() {
    mkdir in many precious
    pair a shop-jdk25-page
    pair b shop-jdk17
    ln -s ../precious many/a
    ln -s ../precious many/merged
    analyze --batch in -o many
    wants 1
    says 'a: many/a: is a symbolic link, and results are not written through one'
    says 'many/merged: is a symbolic link, and results are not written through one'
    [ -z "$(ls -A precious)" ] || fail "written through the link: $(ls precious)"
    [ -s many/b/report.json ] || fail "b was not analysed"
    # the folder that was named may be one, as everywhere; so may what is read
    ln -s many link
    rm many/a many/merged
    mv in/a.jfr elsewhere && ln -s ../elsewhere in/a.jfr
    analyze -q --batch in -o link
    wants 0
    [ -s many/merged/report.json ] || fail "nothing in the folder that was named"
}

case_other_options_are_of_each_pair() {
    mkdir in
    pair a shop-jdk17
    pair b shop-jdk25
    set -- --format json,collapsed --group package --exclude 'java\.util' --from +2s --to +20s --weight cpu
    analyze -q --batch in -o many "$@"
    wants 0
    "$program" -q -o one "$@" in/b.jfr in/b.power.log
    diff -r one many/b >>"$case_dir.why" || fail "the options do not reach b"
    [ "$(ls many/merged | paste -sd' ')" = "collapsed.txt report.json" ] || fail "$(ls many/merged)"
    "$program" -q --from-report many/merged/report.json -o merged --format json,collapsed --group package \
        --exclude 'java\.util' --weight cpu
    diff -r merged many/merged >>"$case_dir.why" || fail "the options do not reach merged/"
}

case_damage_is_said_by_name_and_strict_fails_the_pair() {
    mkdir in
    pair a shop-jdk25-page
    pair killed jdk17-chunks
    truncate -s -1000 in/killed.jfr
    analyze --batch in -o many
    wants 0
    says 'killed: in/killed.jfr: chunk *'
    analyze --batch in -o strict --strict
    wants 1
    says 'killed: --strict: the input is damaged, and nothing was written'
    [ "$(ls strict | paste -sd' ')" = "a merged" ] || fail "$(ls strict)"
}

case_runs_at_the_same_time_are_said() {
    mkdir in
    pair a shop-jdk25
    analyze --batch in -o many --to +15s
    wants 0
    if grep -q 'at the same time' out; then fail "one run overlaps"; fi
    "$program" -q -o other --from +16s in/a.jfr in/a.power.log
    compare -q --merge both many/a other
    wants 0
    "$program" --from-report both/report.json -o both >out
    grep -q 'some at the same time: if on one machine, each counts the machine' out || fail "nothing is said"
}

case_what_it_excludes_is_a_usage_error() {
    for words in '--batch in run.jfr' '--batch in --append' '--batch in --stats' '--batch in --dump align' \
        '--batch in --from-report x' '--batch='; do
        # shellcheck disable=SC2086
        analyze $words
        wants 2
        one_line err
    done
}

run_cases
