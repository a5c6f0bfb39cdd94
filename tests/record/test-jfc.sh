#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# joular.jfc: the settings of --jfr, for recordings that joular-record does not start.
. "$(dirname "$0")/common.sh"

jfc=$top/src/tools/record/joular.jfc

case_it_has_what_joular_record_turns_on() {
    "$build/jfc-show" >made
    # comments are for people; the first has several lines
    sed -e '/<!--.*-->/d' -e '/<!--/,/-->/d' "$jfc" >settings
    diff made settings >&2 || fail "< src/tools/record/jfc.c   > joular.jfc"
}

case_every_event_that_the_analysis_reads_is_on() {
    grep -h -o '"jdk\.[A-Za-z]*"' "$top"/src/collect/*.c | tr -d '"' | sort -u >of_analysis
    [ "$(wc -l <of_analysis)" -gt 10 ] || fail "no events were found"
    while read -r event; do
        grep -q "<event name=\"$event\">" "$jfc" || fail "$event is not on"
    done <of_analysis
}

# The manual names each event of it, and no other, in the table of RECORDINGS.
case_the_manual_says_why_of_each_event() {
    sed -n 's/.*<event name="\(jdk\.[A-Za-z]*\)".*/\1/p' "$jfc" | sort >events
    sed -n '/^\.Sh RECORDINGS/,/^\.Sh REPEATED/s/^\.It Li //p' "$top/man/joular-record.1" | tr -d ',' | tr -s ' ' '\n' | grep '^jdk\.' | sort >of_man
    diff events of_man >&2 || fail "< joular.jfc   > joular-record.1"
}

records() { # VERSION EVENT ABSENT: a JVM records by it without a word, and is analysed
    bin=$(sh "$top/tests/jdk.sh" "$1" 2>why) || skip "$(tail -n 1 why)"
    mkdir classes
    "$bin/javac" -d classes "$top/tests/record/Burn.java" || fail "javac"
    "$record" -q $estimate -- "$bin/java" -Xlog:jfr+startup=error "-XX:StartFlightRecording=filename=run.jfr,settings=$jfc" \
        -cp classes Burn 2 700 0 >out 2>err || fail "$(cat err)"
    [ "$(grep -c -v '^burn-' out)" = 0 ] || fail "JFR said: $(grep -v '^burn-' out | head -n 2)"
    "$build/joular-analyze" --dump events run.jfr >events 2>err || fail "$(cat err)"
    grep -q "$2" events || fail "there is no $2"
    ! grep -q "$3" events || fail "there is $3"
    "$build/joular-analyze" -o . run.jfr power.log >summary
    grep -q "used ($2)" summary || fail "the samples are not of $2"
    grep -q 'Burn.burn' methods.csv || fail "no method"
}

case_jdk_17_records_by_it() {
    records 17 ExecutionSample CPUTimeSample
}

case_jdk_21_records_by_it() {
    records 21 ExecutionSample CPUTimeSample
}

case_jdk_25_records_by_it() {
    records 25 CPUTimeSample InitialEnvironmentVariable
}

for name in it_has_what_joular_record_turns_on every_event_that_the_analysis_reads_is_on the_manual_says_why_of_each_event jdk_17_records_by_it jdk_21_records_by_it \
    jdk_25_records_by_it; do
    check $name
done
finish
