#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# src/jfr against the JDK's own reader: for every recording of samples/ and tests/data/, and for recordings that JVMs of 11, 17 and 25
# make now, jfr-samples must print the same lines as JfrSamples.java: time, thread, period, flags and frames of every event.
# JOULAR_QUICK=1: one recording, none made now.
. "$(dirname "$0")/../cli/lib.sh"

reader() { # VERSION: compiles JfrSamples.java with that JDK and sets $java to run it
    jdk=$(sh "$top/tests/jdk.sh" "$1" 2>jdk.err) || return 1
    [ -d "$work/reader-$1" ] || "$jdk/javac" -d "$work/reader-$1" "$top/tests/oracle/JfrSamples.java" 2>jdk.err || return 1
    java="$jdk/java -Xshare:auto -cp $work/reader-$1 JfrSamples"
}

any_reader() { # VERSION...: the first that can be had
    for version; do
        ! reader "$version" || return 0
    done
    skip "no JDK to read with: $(tail -n 1 jdk.err)"
}

ours() { # FILE
    "$build/jfr-samples" "$1" >raw || fail "jfr-samples: exit $?"
    sort raw >ours
}

equal_events() { # FILE [EVENTS]: EVENTS, a pattern, are left out
    ours "$1"
    # shellcheck disable=SC2086 # a command and its arguments
    $java --chunks "$1" >raw 2>java.err || fail "the JDK cannot read it: $(head -n 1 java.err)"
    sort raw >theirs
    if [ $# -gt 1 ]; then
        for side in ours theirs; do
            grep -v "^$2" $side >some
            mv some $side
        done
    fi
    [ "$(wc -l <theirs)" -gt 100 ] || fail "the JDK reads $(wc -l <theirs) events only"
    cmp -s ours theirs || {
        diff ours theirs | cut -c1-250 | head -20 >>"$case_dir.why"
        fail "$(basename "$1"): < jfr-samples   > the JDK"
    }
    echo "  $(basename "$1"): $(wc -l <ours) events"
}

case_the_samples_are_read_as_the_jdk_reads_them() {
    any_reader 25 17
    for file in "$samples"/*.jfr; do
        [ -z "${JOULAR_QUICK:-}" ] || [ "$(basename "$file")" = requests-jdk25.jfr ] || continue
        equal_events "$file"
    done
}

case_the_test_recordings_are_read_as_the_jdk_reads_them() {
    [ -z "${JOULAR_QUICK:-}" ] || skip "JOULAR_QUICK is set"
    any_reader 25 17
    for file in "$data"/*.jfr; do
        [ "$(basename "$file")" = jdk25-killed.jfr ] || equal_events "$file"
    done
}

case_an_unfinished_chunk_is_read_as_jdk_17_reads_it() {
    [ -z "${JOULAR_QUICK:-}" ] || skip "JOULAR_QUICK is set"
    reader 17 || skip "no JDK 17 to read with: $(tail -n 1 jdk.err)"
    ours "$data/jdk25-killed.jfr"
    # shellcheck disable=SC2086
    $java "$data/jdk25-killed.jfr" >raw 2>java.err || fail "the JDK cannot read it: $(head -n 1 java.err)"
    sort raw >theirs
    diff ours theirs | cut -c1-250 | head -20 >>"$case_dir.why"
    cmp -s ours theirs || fail "< jfr-samples   > JDK 17"
    [ "$(wc -l <theirs)" -gt 100 ] || fail "few events"
}

case_an_unfinished_chunk_holds_all_that_jdk_25_reads_of_it() {
    [ -z "${JOULAR_QUICK:-}" ] || skip "JOULAR_QUICK is set"
    reader 25 || skip "no JDK 25 to read with: $(tail -n 1 jdk.err)"
    ours "$data/jdk25-killed.jfr"
    # shellcheck disable=SC2086
    $java "$data/jdk25-killed.jfr" >raw 2>java.err || true # it gives up behind the last event but one
    sort raw >theirs
    comm -13 ours theirs | cut -c1-250 >missing
    [ ! -s missing ] || {
        show missing
        fail "JDK 25 reads $(wc -l <missing) events that jfr-samples does not"
    }
    [ "$(wc -l <theirs)" -ge $(($(wc -l <ours) - 1)) ] || fail "JDK 25 reads $(wc -l <theirs) events, jfr-samples $(wc -l <ours)"
}

# GC events are left out here: the JDK's duration is the difference of two converted times, jfr-samples' the ticks converted by
# themselves, and at a rate that is no 10^9 they can be 1 ns apart.
case_ticks_of_another_rate_become_the_same_nanoseconds() {
    any_reader 25 17
    odd patch "$data/shop-jdk11.jfr" ticks.jfr 48 c00000000000000000000000ac72c301 # from -2^62 on, 2893202177 a second: doubles are coarse there
    equal_events ticks.jfr 'jdk\.\(GCPhasePause\|GarbageCollection\)	'
}

recorded_by() { # VERSION SETTINGS
    [ -z "${JOULAR_QUICK:-}" ] || skip "JOULAR_QUICK is set"
    jdk=$(sh "$top/tests/jdk.sh" "$1" 2>jdk.err) || skip "$(tail -n 1 jdk.err)"
    "$jdk/javac" -d classes "$data/Small.java" 2>jdk.err || skip "javac does not run here: $(tail -n 1 jdk.err)"
    "$jdk/java" "-XX:StartFlightRecording=filename=run.jfr,settings=profile$2" -cp classes Small 3 large >program.out 2>&1 || {
        show program.out
        fail "the program ended with $?"
    }
    any_reader 25 17
    equal_events run.jfr
    grep -q "^$3	.*Small\." ours || fail "no $3 of the program"
}

case_a_recording_made_now_by_jdk_11() {
    recorded_by 11 '' jdk.ExecutionSample
}

case_a_recording_made_now_by_jdk_17() {
    recorded_by 17 '' jdk.ExecutionSample
}

case_a_recording_made_now_by_jdk_25() {
    recorded_by 25 ',jdk.CPUTimeSample#enabled=true,jdk.CPUTimeSample#throttle=10ms' jdk.CPUTimeSample
}

run_cases
