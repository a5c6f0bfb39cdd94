#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The CSV files: their bytes, where they go, how they appear.
. "$(dirname "$0")/lib.sh"

jfr=$data/jdk17-chunks.jfr
log=$data/jdk17-chunks.power.log
header='timestamp,branch,power_watts,energy_joules,interval_seconds,coverage'

case_the_files_of_the_samples_have_not_changed() {
    for name in samples/shop-jdk17 samples/shop-jdk25 samples/shop-jdk25-virtual samples/requests-jdk25 tests/data/shop-jdk11 \
        tests/data/shop-jdk21 tests/data/jdk25-lost tests/data/jdk17-chunks tests/data/jdk25-killed; do
        "$program" -q -f com.example,Small,Requests -o "$name" "$top/$name.jfr" "$top/$name.power.log" 2>/dev/null ||
            fail "$name: exit $?"
        sha256sum "$name/methods-power-all.csv" "$name/methods-power-app.csv" >>sums
    done
    golden csv.sha256 sums
}

case_the_app_file_of_the_requests_sample_is_as_it_was() {
    analyze -q -f Requests "$samples/requests-jdk25.jfr" "$samples/requests-jdk25.power.log"
    wants 0
    silent
    golden requests-app.csv joular-results/methods-power-app.csv
}

case_rows_are_ordered_by_time_energy_and_branch_without_twins() {
    analyze -q "$jfr" "$log"
    have python3
    python3 - joular-results/methods-power-all.csv <<'E' || fail "see above"
import csv, sys
rows = list(csv.reader(open(sys.argv[1], newline="")))
assert ",".join(rows.pop(0)) == "timestamp,branch,power_watts,energy_joules,interval_seconds,coverage"
keys = [(int(r[0]), -float(r[3]), r[1].encode()) for r in rows]
assert keys == sorted(keys), "order"
assert len({(r[0], r[1]) for r in rows}) == len(rows), "a branch twice in a cycle"
assert all(abs(float(r[2]) * float(r[4]) - float(r[3])) < 2e-9 * (1 + float(r[4])) for r in rows), "watts x seconds"
E
}

case_files_of_an_earlier_analysis_are_named() {
    older='joular-results has files of an earlier analysis, which this one does not write'
    analyze "$jfr" "$log"
    wants 0
    analyze --format csv,html "$jfr" "$log"
    wants 0
    says "$older: report.json"
    [ -s joular-results/report.json ] || fail "it is gone"
    analyze --format json,html "$jfr" "$log"
    says "$older: methods-power-all.csv, methods-power-app.csv, methods.csv, threads.csv, timeline.csv, gc.csv"
    analyze -q --format csv "$jfr" "$log"
    silent
    analyze "$jfr" "$log"
    ! grep 'earlier analysis' err || fail "all are new"
}

case_names_with_commas_and_quotes_are_quoted() {
    odd replace "$jfr" names.jfr isPrime 'is,"ime'
    analyze -q -o odd names.jfr "$log"
    analyze -q -o plain "$jfr" "$log"
    grep -q '"[^"]*;Small\.is,""ime",' odd/methods-power-all.csv || fail "no quoted branch"
    sed 's/"\([^"]*\)is,""ime\([^"]*\)"/\1isPrime\2/' odd/methods-power-all.csv | sort >unquoted
    sort plain/methods-power-all.csv >expected
    same expected unquoted
}

case_without_a_filter_the_app_file_is_the_all_file_without_native_rows() {
    analyze -q "$jfr" "$log"
    grep -v -E '^[0-9]*,\[(GC|JIT|JFR|VM)\],' joular-results/methods-power-all.csv >expected
    same expected joular-results/methods-power-app.csv
    grep -q -E '^[0-9]*,\[(GC|JIT)\],' joular-results/methods-power-all.csv || fail "no native rows in the all file"
}

case_filters_add_up_whether_by_comma_or_by_option() {
    analyze -q -o comma -f ' Small.isPrime , java.util.Arrays' "$jfr" "$log"
    analyze -q -o twice -f Small.isPrime --filter java.util.Arrays "$jfr" "$log"
    same_results comma twice
    [ "$(wc -l <comma/methods-power-app.csv)" -gt 5 ] || fail "few rows"
    if cut -d, -f2 comma/methods-power-app.csv | sed 1d | tr ';' '\n' | grep -v -e '^Small.isPrime' -e '^java.util.Arrays'; then
        fail "a frame that the filter does not name"
    fi
}

case_all_the_energy_doubles_with_the_power() {
    awk -F, -v OFS=, '$1 == "cycle" { $5 = sprintf("%.6f", $5 * 2) } { print }' "$log" >double.log
    analyze -q -o once "$jfr" "$log"
    analyze -q -o double "$jfr" double.log
    have python3
    python3 - once/methods-power-all.csv double/methods-power-all.csv <<'E' || fail "see above"
import csv, sys
once, double = ({(r[0], r[1]): float(r[3]) for r in list(csv.reader(open(p, newline="")))[1:]} for p in sys.argv[1:])
assert once.keys() == double.keys()
assert all(abs(2 * once[k] - double[k]) < 2e-9 for k in once)
E
}

case_any_number_of_readers_gives_the_same_bytes() {
    for n in 1 2 3 4 5 6 7 8; do
        odd move "$jfr" part-$n.jfr 0.$n
    done
    analyze -q -j1 -o one part-?.jfr "$jfr" "$log"
    wants 0
    for jobs in 2 4 16; do
        analyze -q -j $jobs -o "by-$jobs" part-?.jfr "$jfr" "$log"
        wants 0
        same_results one by-$jobs
    done
    analyze -q -o default part-?.jfr "$jfr" "$log"
    same_results one default
}

case_results_go_to_joular_results_unless_told() {
    analyze -q "$jfr" "$log"
    wants 0
    held=$(find joular-results -mindepth 1 | sort | sed 's|^joular-results/||' | grep -v -x flame.html | tr '\n' ' ')
    [ "$held" = 'gc.csv methods-power-all.csv methods-power-app.csv methods.csv report.json threads.csv timeline.csv ' ] ||
        fail "joular-results holds: $held"
    analyze -q -o a/deep/folder "$jfr" "$log"
    wants 0
    same_results joular-results a/deep/folder
}

case_results_are_readable_as_the_umask_says() {
    umask 027
    analyze -q "$jfr" "$log"
    mode=$(stat -c %a joular-results/methods-power-all.csv)
    [ "$mode" = 640 ] || fail "mode $mode"
}

case_a_second_run_replaces_the_first() {
    analyze -q "$jfr" "$log"
    cp -r joular-results first
    analyze -q "$jfr" "$log"
    wants 0
    same_results first joular-results
}

case_append_adds_rows_under_the_one_header() {
    analyze -q --append "$jfr" "$log"
    cp -r joular-results once
    analyze -q --append "$jfr" "$log"
    wants 0
    for file in methods-power-all.csv methods-power-app.csv; do
        { cat once/$file; sed 1d once/$file; } >expected
        same expected joular-results/$file
    done
    [ "$(grep -c -x "$header" joular-results/methods-power-all.csv)" = 1 ] || fail "more than one header"
}

case_append_to_another_table_is_refused_and_it_stays() {
    mkdir joular-results
    echo 'other,columns' >joular-results/methods-power-all.csv
    analyze -q --append "$jfr" "$log"
    wants 1
    one_line err
    says '*methods-power-all.csv: *header*'
    [ "$(cat joular-results/methods-power-all.csv)" = 'other,columns' ] || fail "it was changed"
    [ "$(ls -A joular-results)" = methods-power-all.csv ] || fail "left behind: $(ls -A joular-results)"
}

case_append_behind_half_a_line_is_refused() {
    mkdir joular-results
    printf '%s\n1795,half' "$header" >joular-results/methods-power-all.csv
    analyze -q --append "$jfr" "$log"
    wants 1
    says '*methods-power-all.csv: *middle of a line*'
}

case_a_result_file_that_is_a_link_is_refused_by_name() {
    for file in methods-power-all.csv methods-power-app.csv; do
        for append in '' --append; do
            rm -rf joular-results
            mkdir joular-results
            echo precious >target
            ln -s ../target joular-results/$file
            # shellcheck disable=SC2086 # nothing or one word
            analyze -q $append "$jfr" "$log"
            wants 1
            one_line err
            says "*$file: is a symbolic link*"
            [ "$(cat target)" = precious ] || fail "the link was followed"
            [ "$(ls -A joular-results)" = $file ] || fail "left behind: $(ls -A joular-results)"
        done
    done
}

case_a_link_that_leads_nowhere_is_refused_too() {
    mkdir joular-results
    ln -s nowhere joular-results/methods-power-all.csv
    analyze -q "$jfr" "$log"
    wants 1
    says '*methods-power-all.csv: is a symbolic link*'
    [ ! -e joular-results/nowhere ] || fail "the link was followed"
}

case_a_link_in_the_folder_part_is_followed() {
    mkdir real
    ln -s real link
    analyze -q -o link/results "$jfr" "$log"
    wants 0
    [ -s real/results/methods-power-all.csv ] || fail "not in real/results"
    ln -s real/results joular-results
    analyze -q "$jfr" "$log"
    wants 0
}

case_a_folder_of_that_name_is_refused() {
    mkdir -p joular-results/methods-power-app.csv
    analyze -q "$jfr" "$log"
    wants 1
    says '*methods-power-app.csv: is not a regular file'
    [ "$(ls -A joular-results)" = methods-power-app.csv ] || fail "left behind: $(ls -A joular-results)"
}

case_a_file_in_place_of_the_result_folder_is_named() {
    echo text >joular-results
    analyze -q "$jfr" "$log"
    wants 1
    one_line err
    says 'joular-results: cannot be *'
    [ "$(cat joular-results)" = text ] || fail "it was changed"
}

case_a_full_disk_leaves_no_file_behind() {
    # files of at most 16 blocks; without the signal a longer write is an error
    (
        trap '' XFSZ
        ulimit -f 16
        code=0
        "$program" -q "$jfr" "$log" 2>err || code=$?
        echo $code >code
    )
    [ "$(cat code)" = 1 ] || fail "exit code $(cat code)"
    one_line err
    says '*cannot be written: File too large'
    [ -z "$(ls -A joular-results)" ] || fail "left behind: $(ls -A joular-results)"
}

case_the_files_are_never_seen_half() {
    analyze -q "$jfr" "$log"
    size=$(wc -c <joular-results/methods-power-all.csv)
    for _ in 1 2 3 4 5 6; do
        "$program" -q "$jfr" "$log" &
        while kill -0 $! 2>/dev/null; do
            [ "$(wc -c <joular-results/methods-power-all.csv)" = "$size" ] || fail "the file was seen with another size"
        done
        wait $!
    done
}

run_cases
