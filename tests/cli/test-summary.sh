#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The summary: what it says, at 80 and 120 columns, with colours and without, through a pseudo-terminal; that it says the same as the
# CSV files; and the progress on stderr.
. "$(dirname "$0")/lib.sh"

escape=$(printf '\033')
all_samples='requests-jdk25 shop-jdk17 shop-jdk25 shop-jdk25-virtual'

# on_terminal COLUMNS ENVIRONMENT ARGS...: stdout is a terminal, which goes to the file out
on_terminal() {
    have_terminals
    columns=$1 environment=$2
    shift 2
    code=0
    # shellcheck disable=SC2086 # several assignments
    env -u NO_COLOR -u COLUMNS TERM=xterm env $environment python3 "$top/tests/cli/pty_run.py" "$columns" tty pipe out err "$program" "$@" || code=$?
}

summary() { # WHAT ARGS...
    python3 "$top/tests/cli/summary.py" "$@" 2>>"$case_dir.why" || fail "summary.py $*"
}

shown() { # COLUMNS ENVIRONMENT SAMPLE OPTIONS...
    columns=$1 environment=$2 sample=$3
    shift 3
    on_terminal "$columns" "$environment" -o results "$@" "$samples/$sample.jfr" "$samples/$sample.power.log"
    wants 0
    silent
    summary width "$columns" out
}

no_escape() { # FILE
    if grep -q "$escape" "$1"; then fail "$1 has escapes"; fi
}

# What stands above the list of files, which has a check of its own.
above_the_files() { # FILE
    sed '/^[^ ]*FILES/,$d' "$1"
}

# The last lines name the files that were written, each once.
ends_on_the_files() { # FILE FOLDER
    sed '1,/^FILES$/d' "$1" | sort >named
    find "$2" -type f -size +0 | sed 's/^/  /' | sort >written
    same written named
    grep -q "^  $2/methods-power-all.csv\$" named || fail "no files are named"
}

of_a_sample() { # SAMPLE
    for width in 80 120; do
        shown $width LC_ALL=C.UTF-8 "$1"
        sed "s/$escape/^[/g" out >coloured
        above_the_files coloured >page
        golden "summary-$1-$width-colour.txt" page
        grep -q "$escape" out || fail "no colours"
        summary strip out >stripped
        shown $width 'LC_ALL=C.UTF-8 NO_COLOR=1' "$1"
        no_escape out
        above_the_files out >page
        golden "summary-$1-$width.txt" page
        same stripped out
        ends_on_the_files out results
    done
}

case_the_requests_sample() {
    of_a_sample requests-jdk25
}

case_the_shop_sample_of_jdk_17() {
    of_a_sample shop-jdk17
}

case_the_shop_sample_of_jdk_25() {
    of_a_sample shop-jdk25
}

case_the_shop_sample_with_virtual_threads() {
    of_a_sample shop-jdk25-virtual
}

case_without_utf_8_all_is_ascii() {
    shown 80 'LC_ALL=C NO_COLOR=1' shop-jdk17
    if LC_ALL=C grep -q '[^ -~]' out; then fail "a character that is not ASCII"; fi
    above_the_files out >page
    golden summary-shop-jdk17-80-ascii.txt page
    shown 80 LC_ALL=C shop-jdk17
    summary strip out >stripped
    above_the_files stripped >page
    same "$golden/summary-shop-jdk17-80-ascii.txt" page
}

case_utf_8_is_told_by_the_first_locale_variable_that_is_set() {
    for environment in 'LC_ALL= LANG=C.UTF-8' 'LC_ALL= LC_CTYPE=en_US.utf8 LANG=C' 'LC_ALL=C.UTF-8 LANG=C'; do
        shown 80 "NO_COLOR=1 $environment" requests-jdk25
        above_the_files out >page
        same "$golden/summary-requests-jdk25-80.txt" page
    done
    shown 80 'NO_COLOR=1 LC_ALL=C LANG=C.UTF-8' requests-jdk25
    if LC_ALL=C grep -q '[^ -~]' out; then fail "LC_ALL=C LANG=C.UTF-8 is taken for UTF-8"; fi
}

case_no_color_and_a_dumb_terminal_take_the_colours_away() {
    for environment in NO_COLOR=1 NO_COLOR=0 TERM=dumb '-u TERM'; do
        shown 80 "$environment LC_ALL=C.UTF-8" requests-jdk25
        above_the_files out >page
        same "$golden/summary-requests-jdk25-80.txt" page
    done
    shown 80 'LC_ALL=C.UTF-8 NO_COLOR=' requests-jdk25 # empty is as if it were not set
    grep -q "$escape" out || fail "an empty NO_COLOR takes the colours away"
}

case_a_terminal_that_does_not_know_its_width_has_80_columns() {
    on_terminal 0 'LC_ALL=C.UTF-8 NO_COLOR=1' -o results "$samples/shop-jdk17.jfr" "$samples/shop-jdk17.power.log"
    above_the_files out >page
    same "$golden/summary-shop-jdk17-80.txt" page
}

case_a_name_too_long_for_the_line_loses_its_middle() {
    have python3
    "$program" --top 60 -o results "$samples/shop-jdk17.jfr" "$samples/shop-jdk17.power.log" >whole
    name=$(grep -o 'java\.util\.Comparator$$Lambda[^ ]*' whole | head -n 1) || fail "the name is not in the table"
    for width in 60 66 80; do
        on_terminal $width 'LC_ALL=C.UTF-8 NO_COLOR=1' --top 60 -o results "$samples/shop-jdk17.jfr" "$samples/shop-jdk17.power.log"
        LC_ALL=C.UTF-8 grep '%  [^ ]*…' out >shortened || fail "no name is cut at $width columns"
        python3 - "$width" "$name" <<'P' 2>>"$case_dir.why" || fail "names at $width columns"
import sys
width, name = int(sys.argv[1]), sys.argv[2]
lines = [line.rstrip("\n") for line in open("shortened", encoding="utf-8")]
assert all(len(line) == width for line in lines), [len(line) for line in lines]
shown = [line.split("%  ")[1].split("…") for line in lines]
assert any(name.startswith(head) and name.endswith(tail) and head and len(tail) > len(head) for head, tail in shown), shown
P
    done
}

case_without_a_terminal_nothing_is_cut_or_coloured() {
    analyze -o results "$samples/shop-jdk25-virtual.jfr" "$samples/shop-jdk25-virtual.power.log"
    wants 0
    silent
    no_escape out
    cp out piped
    above_the_files out >page
    golden summary-shop-jdk25-virtual-piped.txt page
    shown 400 'LC_ALL=C NO_COLOR=1' shop-jdk25-virtual
    grep -v '^    \|^  - ' piped >left # the hints are wrapped at 80 columns
    grep -v '^    \|^  - ' out >right
    same left right
}

case_what_is_shown_is_what_the_files_and_the_log_add_up_to() {
    have python3
    for sample in $all_samples; do
        LC_ALL=C.UTF-8 "$program" -o results "$samples/$sample.jfr" "$samples/$sample.power.log" >out
        summary sums out results "$samples/$sample.power.log"
        LC_ALL=C "$program" -f com.example,Requests -o results "$samples/$sample.jfr" "$samples/$sample.power.log" >out
        summary sums out results "$samples/$sample.power.log" --app
        "$program" -f com.example.shop.Catalog -o results "$samples/$sample.jfr" "$samples/$sample.power.log" >out
        summary sums out results "$samples/$sample.power.log" --app
    done
    "$program" -o results "$data/jdk17-chunks.jfr" "$data/jdk17-chunks.power.log" >out
    summary sums out results "$data/jdk17-chunks.power.log"
}

case_estimated_is_in_the_heading_of_each_figure() {
    jfr=$samples/requests-jdk25.jfr
    log=$samples/requests-jdk25.power.log
    analyze "$jfr" "$log"
    for heading in 'ENERGY AND POWER' 'WHERE THE PROCESS ENERGY WENT' 'TOP METHODS BY OWN ENERGY, *' 'TOP APPLICATION METHODS, *'; do
        [ "$(grep -c "^${heading%\*}.*(estimated)\$" out)" = 1 ] || fail "$heading does not say (estimated)"
    done
    # every heading whose section has joules or watts
    awk '/^[A-Z][A-Z ,0-9%-]+( \(estimated\))?$/ { heading = $0 } / [JW]( |$)/ && heading != "" && heading !~ /\(estimated\)$/' out >unsaid
    [ ! -s unsaid ] || {
        show unsaid
        fail "a figure under a heading that does not say (estimated)"
    }
    grep -q '^Power .*(from load, not measured)$' out || fail "the source's line does not say it"
    cp out estimated
    sed '2s/"source":"estimate"/"source":"rapl"/' "$log" >measured.log
    analyze "$jfr" measured.log
    if grep -q 'estimated\|from load, not' out; then fail "a measured log is called estimated"; fi
    grep -q '^Power .*, source: rapl$' out || fail "the source is not named"
}

case_cycles_without_power_and_a_baseline_are_lines_of_their_own() {
    jfr=$samples/requests-jdk25.jfr
    awk -F, 'BEGIN { OFS = "," } $1 == "cycle" && ++n > 5 && n < 8 { $5 = ""; $7 = "suspended" } 1' "$samples/requests-jdk25.power.log" >holes.log
    analyze "$jfr" holes.log
    wants 0
    grep -q '^           2 cycles without power: suspended$' out || fail "the cycles without power are not said"
    grep -q "^Power .* in $(($(grep -c '^cycle,' holes.log) - 2)) cycles," out || fail "the cycles with power are not counted"
    if grep -q '^  baseline' out; then fail "a baseline that nobody took"; fi
    analyze --baseline 2 "$jfr" holes.log
    seconds=$(sed -n 's/^Power *\([0-9.]*\) s in.*/\1/p' out)
    taken=$(sed -n 's/^  baseline *\([0-9.]*\) J  taken away before anything else$/\1/p' out)
    awk "BEGIN { exit !($taken > 2 * ($seconds - 0.06) && $taken < 2 * ($seconds + 0.06)) }" || fail "baseline $taken J of 2 W in $seconds s"
}

case_the_share_says_where_it_is_from() {
    jfr=$samples/requests-jdk25.jfr
    log=$samples/requests-jdk25.power.log
    from() { # WORDS ARGS...
        words=$1
        shift
        analyze "$@"
        wants 0
        grep -q -e "^  shares    of the process from $words,\$" out || fail "not from $words"
    }
    from 'the power log' "$jfr" "$log"
    from '--process-share' --process-share 0.5 "$jfr" "$log"
    grep -q '^  the process.s share of the power was stated by hand$' out || fail "by hand is not said"
    grep '^cycle\|^#' "$log" >bare.log
    from jdk.CPULoad "$jfr" bare.log
    no_transcript
}

case_a_filter_that_matches_nothing_is_said() {
    analyze -f org.nothing "$samples/requests-jdk25.jfr" "$samples/requests-jdk25.power.log"
    wants 0
    grep -q '^  no method of the application was seen' out || fail "it does not say that no method was seen"
}

case_words_of_the_input_are_not_printed_raw() {
    have python3
    jfr=$samples/requests-jdk25.jfr
    odd replace "$jfr" odd.jfr 'OpenJDK 64-Bit Server VM' 'OpenJDK \x1b[7mit Server VM'
    sed '2s/"source":"estimate"/"source":"ra\\u001b[31mpl"/' "$samples/requests-jdk25.power.log" >odd.log
    analyze -o "res${escape}[31m" odd.jfr odd.log
    wants 0
    no_escapes out
    grep -q '^ .*OpenJDK .*it Server VM' out || fail "the machine's name is not shown"
    no_transcript
}

case_a_damaged_report_does_not_make_cycles_out_of_nothing() {
    have python3
    "$program" -q --format json -o good "$data/shop-jdk11.jfr" "$data/shop-jdk11.power.log" || fail "no report"
    python3 - <<'EOP'
import json
report = json.load(open("good/report.json"))
report["without_power"] = [{"status": "gap", "cycles": len(report["cycles"]) + 1}]
json.dump(report, open("bad.json", "w"))
EOP
    analyze --from-report bad.json
    wants 0
    grep -q '^Power .* in 0 cycles' out || fail "$(grep ^Power out)"
}

# slow NAME OUT ERR ARGS...: a run whose recording comes more than a second after it was opened
slow() {
    have_terminals
    mkfifo "$1"
    (
        exec 3>"$1"
        sleep 2
        cat "$data/jdk17-chunks.jfr" >&3
    ) &
    code=0
    python3 "$top/tests/cli/pty_run.py" 80 "$2" "$3" out err "$program" -j 1 -o results "$1" "$data/jdk17-chunks.power.log" $4 || code=$?
    wait
    wants 0
}

case_progress_is_shown_on_a_terminal_once_a_second_has_gone() {
    slow late.jfr pipe tty ''
    shown=$(tr '\r' '\n' <err | grep -c '^reading: *[0-9][0-9]* % of 0 MiB$') || fail "no progress: $(cat -v err)"
    [ "$shown" -le 3 ] || fail "it is shown $shown times for three chunks"
    tail -c 4 err | od -An -c | grep -q '\\r 033   \[   K' || fail "it does not take its line away: $(cat -v err)"
    no_escape out
}

case_no_progress_where_stderr_is_no_terminal() {
    slow late.jfr tty pipe ''
    silent
}

case_no_progress_when_quiet() {
    slow late.jfr pipe tty -q
    silent
}

case_no_progress_where_it_takes_no_time() {
    have_terminals
    python3 "$top/tests/cli/pty_run.py" 80 tty tty out err "$program" -j 1 -o results "$data/jdk17-chunks.jfr" "$data/jdk17-chunks.power.log"
    [ ! -s err ] || [ -n "${JOULAR_SLOW:-}" ] || fail "progress: $(cat -v err)"
}

run_cases
