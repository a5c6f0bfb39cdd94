#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What reaches the terminal: nothing when quiet, never a control character from a name; a full stdout is an error.
. "$(dirname "$0")/lib.sh"

jfr=$data/jdk17-chunks.jfr
log=$data/jdk17-chunks.power.log
pid=$(sed -n '2s/.*"pid":\([0-9]*\).*/\1/p' "$log")
escape=$(printf '\033')

case_a_plain_run_says_something_on_stdout_and_nothing_on_stderr() {
    analyze "$jfr" "$log"
    wants 0
    silent
    [ -s out ] || fail "nothing on stdout"
    no_escapes out
}

case_quiet_says_nothing_at_all() {
    analyze -q "$jfr" "$log"
    wants 0
    silent
    [ ! -s out ] || fail "stdout is not empty"
    analyze -q -o killed "$data/jdk25-killed.jfr" "$data/jdk25-killed.power.log"
    wants 0
    silent
}

case_verbose_says_how_the_figures_were_made() {
    analyze -v "$jfr" "$log"
    wants 0
    [ -s err ] || [ -s out ] || fail "nothing said"
    no_transcript
}

case_a_full_stdout_is_an_error() {
    [ -w /dev/full ] || skip "there is no /dev/full"
    for words in '' --help --version; do
        set -- "$jfr" "$log"
        [ -z "$words" ] || set -- "$words"
        code=0
        "$program" "$@" >/dev/full 2>err || code=$?
        wants 1
        one_line err
        says 'standard output: No space left on device'
    done
}

case_a_closed_stdout_is_an_error() {
    code=0
    "$program" "$jfr" "$log" >&- 2>err || code=$?
    wants 1
    one_line err
}

case_escapes_in_a_process_name_are_not_printed_raw() {
    sed "s/^process,$pid,\([0-9]*\),.*/process,99,\1,\"ev${escape}[31mil,${escape}]0;title\"/" "$log" >other.log
    analyze "$jfr" other.log
    refuses '*99 (ev*31mil*'
    no_escapes err
}

case_escapes_in_a_field_of_the_log_are_not_printed_raw() {
    sed "s/^process,$pid,/process,1${escape}[2J,/" "$log" >bad.log
    analyze "$jfr" bad.log
    refuses 'bad.log: line *: field 2 (pid)*'
    no_escapes err
}

case_escapes_in_the_facts_of_the_log_are_not_printed_raw() {
    printf '#joular-power-log 1\n#{"reason":"no\\u001b[31m power\\r\\n\\u202eleft"}\n' >none.log
    analyze "$jfr" none.log
    refuses '*no cycle*'
    no_escapes err
    if grep -q "$(printf '\342\200\256')" err; then fail "a mark that turns text around was printed"; fi
}

case_escapes_in_file_names_are_not_printed_raw() {
    analyze "no${escape}[31m.jfr" "$log"
    refuses 'no*31m.jfr: *'
    no_escapes err
    name="new
line${escape}.jfr"
    cp "$data/jdk25-killed.jfr" "$name"
    analyze -o results "$name" "$data/jdk25-killed.power.log"
    wants 0
    one_line err
    no_escapes err
    analyze -o results "$name" "$jfr" "$log"
    wants 1
    says '*different processes*'
    no_escapes err
}

case_escapes_in_options_are_not_printed_raw() {
    analyze "--no${escape}[31m"
    wants 2
    no_escapes err
    analyze --samples "x${escape}[31m" "$jfr" "$log"
    wants 2
    no_escapes err
    analyze -q -o "a${escape}[31m/b" "$jfr" "$log"
    wants 0
    echo text >"file${escape}[31m"
    analyze -q -o "file${escape}[31m" "$jfr" "$log"
    wants 1
    no_escapes err
}

case_escapes_in_method_names_are_not_printed_raw() {
    odd replace "$jfr" names.jfr isPrime 'is\x1b[7me'
    analyze names.jfr "$log"
    wants 0
    no_escapes out err
    grep -q "Small.is${escape}\[7me" joular-results/methods-power-all.csv || fail "the CSV has the name changed"
    analyze -v -o verbose names.jfr "$log"
    no_escapes out err
    no_transcript
}

run_cases
