#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Power that joular-record did not log: files of PowerJoular 2 and 1, any CSV, logs of other meters, and none at all (--idle-watts,
# --max-watts).
. "$(dirname "$0")/lib.sh"

jfr=$samples/shop-jdk17.jfr
log=$samples/shop-jdk17.power.log
new_york=EST5EDT,M3.2.0,M11.1.0

# the cycles of the log as SECONDS WATTS, whole seconds, the first without power since it only begins
awk -F, '$1 == "cycle" { if (!n++) print int($2 / 1e9) - 1, 0; printf "%d %.4f\n", $2 / 1e9, $5 }' "$log" >"$work/rows"

rows() { # AWK-PROGRAM: makes lines of $1 (seconds) and $2 (watts)
    awk "$1" "$work/rows"
}

machine_csv() {
    echo 'Timestamp,CPU Usage,Total Power,CPU Power,GPU Power'
    rows '{ printf "%d,0.5000,%.4f,%.4f,40.0000\n", $1, $2 + 40, $2 }'
}

process_csv() {
    echo 'Timestamp,CPU Usage,CPU Power'
    rows '{ printf "%d,0.5000,%.4f\n", $1, $2 / 4 }'
}

align() { # ARGS...: the cycles, in the file out; process joules and seconds of each must be as in the file expected
    analyze --dump align "$@"
    wants 0
    sed 's/.*interval_ns=\([0-9]*\) .*process_j=\([0-9.]*\) .*/\1 \2/' out >cycles
}

case_a_file_of_the_machine_gives_each_cycle_its_cpu_power() {
    machine_csv >machine.csv
    align --process-share 1 "$jfr" machine.csv
    silent
    rows 'NR > 1 { printf "%d %.9f\n", 1e9 * ($1 - before), $2 * ($1 - before) } { before = $1 }' >expected
    same expected cycles
    analyze "$jfr" machine.csv
    silent
    grep -q '^Power  .*, source: powerjoular$' out || fail "the source is not named"
    if grep -q estimated out; then fail "it is called estimated"; fi
    grep -q '^  shares    of the process from jdk.CPULoad,$' out || fail "the share is not of the recording"
}

case_a_file_of_a_process_makes_its_power_the_power_of_the_process() {
    process_csv >process.csv
    align "$jfr" process.csv
    rows 'NR > 1 { printf "%d %.9f\n", 1e9 * ($1 - before), sprintf("%.4f", $2 / 4) * ($1 - before) } { before = $1 }' >expected
    same expected cycles
    align --process-share 0.5 "$jfr" process.csv
    same expected cycles
    analyze "$jfr" process.csv
    silent
    total=$(awk '{ sum += $2 } END { printf "%.1f", sum }' expected)
    grep -q "^  process  *$total J " out || fail "the process has not $total J"
    if grep -q '^  machine ' out; then fail "there is a figure of the machine"; fi
    grep -q '^  the process.s share of the power was measured: the log is of one process$' out || fail "it does not say so"
}

case_dates_of_powerjoular_1_are_local() {
    have python3
    for kind in machine process; do
        "${kind}_csv" >$kind.csv
        analyze -q -o unix "$jfr" $kind.csv
        python3 - $kind.csv "$new_york" <<'P'
import sys, time, os
os.environ["TZ"] = sys.argv[2]
time.tzset()
head, *lines = open(sys.argv[1]).read().splitlines()
head = head.replace("Timestamp", "Date").replace("CPU Usage", "CPU Utilization")
zeros, bare = open("zeros.csv", "w"), open("bare.csv", "w")
print(head, file=zeros)
print(head, file=bare)
for line in lines:
    seconds, rest = line.split(",", 1)
    t = time.localtime(int(seconds))
    print(time.strftime("%Y-%m-%d %H:%M:%S", t) + "," + rest, file=zeros)
    print(f"{t.tm_year}-{t.tm_mon}-{t.tm_mday} {t.tm_hour}:{t.tm_min}:{t.tm_sec}.0,{rest}", file=bare)
P
        grep -q "^$(TZ=$new_york date -d "@$(sed -n '2s/,.*//p' $kind.csv)" '+%Y-%m-%d %H:')" zeros.csv || fail "the dates are not of New York"
        for dates in zeros bare; do
            TZ=$new_york analyze -q -o $dates "$jfr" $dates.csv
            wants 0
            silent
            same_results unix $dates
        done
    done
    TZ=UTC analyze "$jfr" zeros.csv # five hours earlier
    wants 1
    says '*do not overlap*'
}

case_milliseconds_of_a_date_count() {
    {
        echo 'Date,CPU Utilization,CPU Power'
        at=$("$program" --dump chunks "$jfr" | sed -n '1s/.* start_ns=\([0-9]*\)[0-9]\{9\} .*/\1/p') # whole seconds
        TZ=UTC date -d "@$((at + 5))" '+%Y-%m-%d %H:%M:%S.25,0.5,3'
        TZ=UTC date -d "@$((at + 6))" '+%Y-%m-%d %H:%M:%-S.75,0.5,4'
    } >part.csv
    align "$jfr" part.csv
    echo '1500000000 6.000000000' >expected
    same expected cycles
}

case_any_csv_of_time_and_watts() {
    machine_csv >machine.csv
    {
        echo timestamp,watts
        rows '{ print $1 "," $2 }'
    } >plain.csv
    analyze -q -o powerjoular "$jfr" machine.csv
    analyze -o results "$jfr" plain.csv
    silent
    same_branches powerjoular results
    grep -q '^Power .*, source: csv$' out || fail "the source is not named"
    gzip -c plain.csv >packed 2>gzip.err || skip "gzip: $(cat gzip.err)"
    analyze -q -o packed.results packed "$jfr"
    [ "$code" != 1 ] || ! grep -q 'no zlib' err || {
        no_transcript
        skip "built without zlib"
    }
    same_branches powerjoular packed.results
}

case_minus_one_is_no_reading() {
    machine_csv | awk -F, 'BEGIN { OFS = "," } NR == 5 || NR == 6 { $3 = $4 = $5 = "-1.0000" } 1' >holes.csv
    analyze "$jfr" holes.csv
    silent
    grep -q '^           2 cycles without power: no-reading$' out || fail "the cycles without a reading are not said"
    end=$(sed -n 5p holes.csv | cut -d, -f1)
    if grep -q "^${end}000," joular-results/methods-power-all.csv; then fail "rows in a cycle without power"; fi
}

case_a_timestamp_that_comes_twice_is_left_out_and_said() {
    machine_csv >machine.csv
    analyze -q -o once "$jfr" machine.csv
    awk 'NR == 4 { print; sub(/,[^,]*$/, ",99"); gsub(/,[0-9.]*,[0-9.]*,/, ",1,1,1,") } 1' machine.csv >twice.csv
    analyze -o twice "$jfr" twice.csv
    says 'twice.csv: 1 rows do not go forward in time and are left out'
    one_line err
    same_results once twice
}

case_line_ends_of_windows_and_a_last_line_in_the_making() {
    machine_csv >machine.csv
    analyze -q -o plain "$jfr" machine.csv
    sed 's/$/\r/' machine.csv >crlf.csv
    analyze -o crlf "$jfr" crlf.csv
    silent
    same_results plain crlf
    {
        cat machine.csv
        printf '1795981300,0.5,50,1'
    } >open.csv
    analyze -o open "$jfr" open.csv
    silent
    same_results plain open
}

case_a_wrong_field_is_named_with_its_line() {
    machine_csv | awk -F, 'BEGIN { OFS = "," } NR == 7 { $4 = "many" } 1' >wrong.csv
    analyze "$jfr" wrong.csv
    refuses 'wrong.csv: line 7: field 4 (power) is not a finite number: "many"'
    machine_csv | sed '9s/^[0-9]*/noon/' >wrong.csv
    analyze "$jfr" wrong.csv
    refuses 'wrong.csv: line 9: field 1 is neither Unix seconds nor a date and time: "noon"'
    process_csv | sed '5s/,[^,]*$//' >wrong.csv
    analyze "$jfr" wrong.csv
    refuses 'wrong.csv: line 5: has 2 fields, and the header names 3'
    printf 'timestamp,watts\n1,\033[31m\n' >wrong.csv
    analyze "$jfr" wrong.csv
    refuses 'wrong.csv: line 2: field 2 *'
    no_escapes err
}

case_a_file_with_a_header_only_or_one_row_has_no_cycle() {
    machine_csv | head -n 1 >head.csv
    analyze "$jfr" head.csv
    refuses 'the power log has no cycle*'
    machine_csv | head -n 2 >one.csv
    analyze "$jfr" one.csv
    refuses 'the power log has no cycle*'
}

case_a_csv_of_something_else_is_no_power_log() {
    printf 'name,price\nx,1\n' >prices.csv
    analyze "$jfr" prices.csv
    refuses 'prices.csv: is neither *'
    machine_csv >machine.csv
    analyze "$jfr" machine.csv "$log"
    refuses '*is a second power log, beside machine.csv*'
}

# ---- Other meters: tests/data/meters, written by hand after their documentation ----

meters=$data/meters

joules() { # END INTERVAL JOULES, a cycle a line: what a file of tests/data/meters is to give; ends as 6905 for 1795986690.5
    printf '%s\n' "$@" | sed 's/^\([0-9]*\) \([0-9]*\) \(.*\)/end_ns=179598\1 interval_ns=\2 process_j=\3/' >expected
    sed 's/^[0-9]* \(end_ns=[0-9]* interval_ns=[0-9]*\) .*\(process_j=[0-9.]*\) .*/\1 \2/' out >cycles
    same expected cycles
}

case_energibridge() {
    align --process-share 1 "$jfr" "$meters/energibridge.csv"
    says '*energibridge.csv: 1 rows do not go forward in time and are left out'
    joules '6690500000000 500000000 10.000000000' '6691500000000 1000000000 30.500000000' '6692000000000 500000000 14.500000000' \
        '6693000000000 1000000000 30.000000000' '6694000000000 1000000000 30.250000000'
    analyze "$meters/energibridge.csv" "$jfr"
    grep -q '^Power .*, source: energibridge$' out || fail "the source is not named"
}

case_scaphandre() {
    align --process-share 1 "$jfr" "$meters/scaphandre.json"
    silent
    joules '6691500000200 1000000200 30.750006150' '6692750000000 1249999800 0.000000000' '6693750000000 1000000000 27.500000000' \
        '6694250000000 500000000 13.000000000'
    analyze "$jfr" "$meters/scaphandre.json"
    grep -q '^           1 cycle without power: no-reading$' out || fail "the cycle without one of its sockets is not said"
}

case_turbostat() {
    align --process-share 1 "$jfr" "$meters/turbostat.txt"
    silent
    joules '6691500000000 1000000000 32.750000000' '6693500000000 2000000000 63.000000000' '6694500000000 1000000000 18.250000000'
}

case_perf_needs_its_start() {
    analyze "$jfr" "$meters/perf.csv"
    refuses '*perf.csv: line 3: its times count from the start of perf stat; say when that was with --log-start TIME.*started on Sat Nov 28 21:11:29 2026*'
    for start in 1795986690.25 '2026-11-29 21:11:30.25'; do
        align --process-share 1 --log-start "$start" "$jfr" "$meters/perf.csv"
        silent
        joules '6691250000000 1000000000 31.250000000' '6692250000000 1000000000 26.750000000' '6693750000000 1500000000 0.000000000' \
            '6694750000000 1000000000 21.750000000'
    done
    analyze --log-start 1795986690 "$jfr" "$meters/turbostat.txt"
    refuses '*turbostat.txt: says itself when its rows were, so --log-start has no use: leave it out'
    analyze --log-start +5s "$jfr" "$meters/perf.csv"
    wants 2
    says '--log-start: "+5s" is not a date and time, or Unix seconds.*'
}

# The same watts in each of the forms are the same joules.
case_all_forms_of_a_log_agree() {
    {
        echo timestamp,watts
        rows '{ printf "%d,%.2f\n", $1, $2 }'
    } >plain.csv
    {
        echo 'Delta,Time,CPU_POWER (Watts)'
        rows '{ printf "0,%d000,%.2f\n", $1, $2 }'
    } >bridge
    rows '{ printf "{\"host\":{\"consumption\":9,\"timestamp\":%d.0},\"sockets\":[{\"id\":0,\"consumption\":%.0f}]}", $1, sprintf("%.2f", $2) * 1e6 }' >scaph
    {
        printf 'Time_Of_Day_Seconds\tCPU\tPkgWatt\n'
        rows '{ printf "%d.000000\t-\t%.2f\n%d.0\t0\t1.00\n", $1, $2, $1 }'
    } >turbo
    rows 'NR == 1 { first = before = $1 } NR > 1 { printf "%d.000000000;%.2f;Joules;power/energy-pkg/;1;100.00\n", $1 - first, sprintf("%.2f", $2) * ($1 - before) ; before = $1 }' >perf
    analyze -q -o plain "$jfr" plain.csv
    for form in bridge scaph turbo; do
        analyze -q -o $form.results "$jfr" $form
        wants 0
        silent
        same_branches plain $form.results
    done
    analyze -q -o perf.results --log-start "$(head -n 1 "$work/rows" | cut -d' ' -f1)" "$jfr" perf
    wants 0
    same_branches plain perf.results
}

case_a_log_format_that_is_given_is_not_told_by_content() {
    sed 's/"host"/"more":1,"host"/' "$meters/scaphandre.json" >other
    analyze "$jfr" other
    refuses 'other: is neither *'
    align --process-share 1 --log-format scaphandre other "$jfr"
    silent
    analyze --log-format turbostat "$jfr" "$meters/energibridge.csv"
    refuses '*energibridge.csv: has no row of headings with a column PkgWatt or Pkg_J'
    analyze --log-format joular "$jfr" "$meters/energibridge.csv"
    refuses '*energibridge.csv: *is no power log: it does not begin with*'
    analyze --log-format powertop "$jfr" "$meters/energibridge.csv"
    wants 2
    says '--log-format: "powertop" is not joular, csv, energibridge, scaphandre, turbostat or perf.*'
    for option in '--log-format csv' '--log-start 5'; do
        # shellcheck disable=SC2086
        analyze $option --idle-watts 1 --max-watts 2 "$jfr"
        wants 2
        says '--log-format and --log-start are of a power log, whose place --idle-watts takes.*'
    done
}

case_wrong_lines_of_other_meters_are_named() {
    sed '4s/,262111[^,]*,/,much,/' "$meters/energibridge.csv" >wrong
    analyze "$jfr" wrong
    refuses 'wrong: line 4: field 8 (PACKAGE_ENERGY (J)) is not a finite number: "much"'
    sed 's/"id":1,"consumption":9500000.0/"id":1,"consumption":\x1b[31m/' "$meters/scaphandre.json" >wrong
    analyze "$jfr" wrong
    refuses 'wrong: line 1: report 4 is no JSON: *'
    no_escapes err
    sed '7s/21.00/\x1b[2J/' "$meters/turbostat.txt" >wrong
    analyze "$jfr" wrong
    refuses 'wrong: line 7: field 12 (PkgWatt) is not a finite number: *'
    no_escapes err
    sed '9s/Joules/\x1b[2J/' "$meters/perf.csv" >wrong
    analyze --log-start 1795986690 "$jfr" wrong
    refuses 'wrong: line 9: field 5 (unit of energy-pkg) is not Joules: *'
    no_escapes err
    sed 's/Time_Of_Day_Seconds\t//' "$meters/turbostat.txt" >wrong
    analyze "$jfr" wrong
    refuses 'wrong: line 6: has no column Time_Of_Day_Seconds, *(--enable Time_Of_Day_Seconds)'
}

# ---- No power log at all ----

case_without_a_power_log_both_ways_out_are_named() {
    analyze "$jfr"
    refuses 'no power log is given: *joular-record*--idle-watts W --max-watts W*'
}

case_the_estimate_is_idle_plus_load_times_the_rest_in_cycles_of_a_second() {
    have python3
    for name in "$samples/shop-jdk17" "$samples/requests-jdk25" "$data/jdk17-chunks"; do
        align --idle-watts 8.5 --max-watts 65 --process-share 1 "$name.jfr"
        silent
        mv out aligned
        analyze --dump chunks "$name.jfr"
        mv out chunks
        analyze --dump events "$name.jfr"
        grep ' jdk\.CPULoad ' out >loads
        python3 - <<'P' 2>>"$case_dir.why" || fail "$name: the cycles are not those of the formula"
import re
number = lambda line, key: float(re.search(key + r"=(\S+)", line)[1])
whole = lambda line, key: int(re.search(key + r"=(\d+)", line)[1])
chunks = open("chunks").read().splitlines()
start = min(whole(c, "start_ns") for c in chunks)
end = max(whole(c, "start_ns") + whole(c, "duration_ns") for c in chunks)
loads = sorted((whole(l, "startTime"), min(1, max(0, number(l, "machineTotal")))) for l in open("loads"))
aligned = open("aligned").read().splitlines()
assert len(aligned) == -(-(end - start) // 10**9), len(aligned)
seen = 0
for i, line in enumerate(aligned):
    a, b = start + i * 10**9, min(start + (i + 1) * 10**9, end)
    assert whole(line, "end_ns") == b and whole(line, "interval_ns") == b - a, line
    parts = [(max(0, min(b, t) - max(a, s)), load) for (s, _), (t, load) in zip(loads, loads[1:])]
    covered = sum(part for part, _ in parts)
    if covered:
        load = sum(part * load for part, load in parts) / covered
        seen += 1
    else: # the next behind it, else the last
        load = next((l for t, l in loads[1:] if t > a), loads[-1][1])
    joules = (8.5 + (65 - 8.5) * load) * (b - a) / 1e9
    assert abs(number(line, "process_j") - joules) < 1e-6 * joules + 1e-8, (i, line, joules)
assert seen >= 4
P
    done
}

case_an_estimate_is_marked_everywhere() {
    analyze --idle-watts 8 --max-watts 65 "$jfr"
    wants 0
    silent
    grep -v '(estimated)$' out | grep -x '[A-Z][A-Z ]*.*' | grep -v '^Recording\|^Power' >unmarked
    printf 'HOW GOOD THE DATA IS\nFOR BETTER DATA NEXT TIME\nFILES\n' | diff - unmarked >>"$case_dir.why" || fail "a heading does not say (estimated)"
    grep -q '^Power .*, source: estimate (from load, not measured)$' out || fail "the source's line does not say it"
    grep -q '^  - The power is estimated from load' out || fail "there is no hint"
    [ -s joular-results/methods-power-all.csv ] || fail "no result"
}

case_an_estimate_scales_with_the_watts() {
    analyze --dump align --idle-watts 0 --max-watts 10 "$jfr"
    sed 's/.*process_j=\([0-9.]*\).*/\1/' out >ten
    analyze --dump align --idle-watts 0 --max-watts 20 "$jfr"
    sed 's/.*process_j=\([0-9.]*\).*/\1/' out >twenty
    paste ten twenty | awk '{ d = $2 - 2 * $1 } d > 2e-9 || d < -2e-9 || $1 == 0 && NR > 1 && NR < 28 { exit 1 }' || fail "not twice the energy"
    analyze --dump align --idle-watts 10 --max-watts 10 --process-share 1 "$jfr"
    if sed '$d' out | grep -v 'process_j=10.000000000 '; then fail "a machine of always 10 W has another energy"; fi
}

case_the_watts_of_an_estimate_belong_together() {
    for arguments in '--idle-watts 8' '--max-watts 8'; do
        # shellcheck disable=SC2086
        analyze $arguments "$jfr"
        wants 2
        says '--idle-watts and --max-watts belong together.*'
    done
    analyze --idle-watts 9 --max-watts 8 "$jfr"
    wants 2
    says '--idle-watts is above --max-watts.*'
    for value in -1 nan inf 1e10 '8 W' ''; do
        analyze --idle-watts "$value" --max-watts 8 "$jfr"
        wants 2
        says "--idle-watts: \"$value\" is not watts from 0 to 1e9.*"
        analyze --idle-watts 0 --max-watts "$value" "$jfr"
        wants 2
        says "--max-watts: \"$value\" is not watts from 0 to 1e9.*"
    done
    no_results
}

case_an_estimate_beside_a_log_is_refused() {
    analyze --idle-watts 8 --max-watts 65 "$jfr" "$log"
    refuses 'there is a power log (*), so --idle-watts and --max-watts have no use*'
}

case_an_estimate_needs_loads() {
    odd replace "$jfr" none.jfr jdk.CPULoad jdk.CPULess
    analyze --idle-watts 8 --max-watts 65 none.jfr
    refuses 'the recording has no two jdk.CPULoad events *'
}

run_cases
