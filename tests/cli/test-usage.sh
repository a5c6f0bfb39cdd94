#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The command line: --help and --version on stdout, usage errors with exit 2.
. "$(dirname "$0")/lib.sh"

jfr=$data/shop-jdk11.jfr
log=$data/shop-jdk11.power.log

misused() { # GLOB ARGS...: is refused with one line that points at --help
    pattern=$1
    shift
    analyze "$@"
    wants 2
    one_line err
    says "$pattern. Try 'joular-analyze --help'"
    [ ! -s out ] || fail "stdout is not empty"
    no_results
}

case_help_is_printed_on_stdout() {
    analyze --help
    wants 0
    silent
    grep -q '^Usage: joular-analyze \[OPTIONS\] RECORDING\.\.\. POWERLOG$' out || fail "no usage line"
    for option in '-o, --output DIR' '-f, --filter ' '--samples auto|cpu-time|execution' '--jvm-threads separate|unattributed|spread' \
        '--hidden-frames keep|drop' '--process-share FRACTION' '--share-of busy|capacity' '--baseline WATTS|log' '--pid PID' \
        '-j, --jobs N' '--append' '--strict' '-q, --quiet' '-v, --verbose' '--help' '--version'; do
        grep -q -F -e "$option" out || fail "--help does not list $option"
    done
    if awk 'length > 120' out | grep -q .; then fail "a line of --help is longer than 120 characters"; fi
}

case_version_is_printed_on_stdout() {
    analyze --version
    wants 0
    silent
    grep -q -x 'joular-analyze [0-9][0-9.]*' out || fail "stdout: $(cat out)"
    one_line out
}

case_help_wins_over_operands_that_are_missing() {
    analyze --help missing.jfr
    wants 0
}

case_nothing_given() {
    misused 'name a recording and a power log'
}

case_an_unknown_option_is_named() {
    misused '--nonsense: no such option*' --nonsense "$jfr" "$log"
    misused '-x: no such option*' -x "$jfr" "$log"
}

case_an_option_cut_so_that_it_means_several_is_named() {
    misused '--s: *one of several' --s "$jfr" "$log"
}

case_a_value_that_is_missing_is_asked_for() {
    misused '-o: the option needs a value' "$jfr" "$log" -o
    misused '--pid: the option needs a value' "$jfr" "$log" --pid
}

case_a_value_nobody_asked_for_is_refused() {
    misused '--strict=yes: the option takes no value' --strict=yes "$jfr" "$log"
}

case_a_wrong_value_is_shown_with_the_right_ones() {
    misused '--output: "" is not a folder' -o '' "$jfr" "$log"
    misused '--samples: "all" is not auto, cpu-time or execution' --samples all "$jfr" "$log"
    misused '--jvm-threads: "drop" is not *' --jvm-threads drop "$jfr" "$log"
    misused '--hidden-frames: "no" is not keep or drop' --hidden-frames no "$jfr" "$log"
    misused '--share-of: "idle" is not busy or capacity' --share-of idle "$jfr" "$log"
    for value in 2 -0.1 nan inf half 0x1 ''; do
        misused "--process-share: \"$value\" is not a number from 0 to 1" --process-share "$value" "$jfr" "$log"
    done
    for value in -1 nan inf 1e10 many ''; do
        misused "--baseline: \"$value\" is not watts from 0 to 1e9, or log" --baseline "$value" "$jfr" "$log"
    done
    for value in 0 -4 one 99999999999999999999 1.5; do
        misused "--pid: \"$value\" is not a process id" --pid "$value" "$jfr" "$log"
    done
    for value in 0 257 -1 many; do
        misused "--jobs: \"$value\" is not a number from 1 to 256" -j "$value" "$jfr" "$log"
    done
}

case_options_may_stand_behind_the_operands() {
    analyze "$jfr" "$log" -q -o behind
    wants 0
    [ -s behind/methods-power-all.csv ] || fail "no result in behind/"
}

case_two_dashes_end_the_options() {
    cp "$jfr" ./-q
    analyze -o there -- -q "$log"
    wants 0
    [ -s out ] || fail "-q was taken for an option"
}

run_cases
