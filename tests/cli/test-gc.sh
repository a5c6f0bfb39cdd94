#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# GC pauses of recordings made here and now by each collector, against what the JDK's own tools say of them.
. "$(dirname "$0")/lib.sh"

# of JDK COLLECTOR TYPES: pauses of the types are there
of() {
    [ -z "${JOULAR_QUICK:-}" ] || skip "JOULAR_QUICK is set"
    [ -z "${JOULAR_QUICK:-}" ] || skip "JOULAR_QUICK is set"
    have python3
    no_transcript
    reader=$(sh "$top/tests/jdk.sh" 25 2>jdk.err) || skip "$(tail -n 1 jdk.err)"
    jdk=$(sh "$top/tests/jdk.sh" "$1" 2>jdk.err) || skip "$(tail -n 1 jdk.err)"
    "$jdk/java" -XX:+Use"$2"GC -version >java.out 2>&1 || skip "JDK $1 has no $2"
    "$jdk/javac" -d classes "$data/Garbage.java" 2>javac.err || skip "javac does not run here: $(tail -n 1 javac.err)"
    "$build/joular-record" -q -s estimate --idle-watts 10 --max-watts 35 -i 250 -o power.log -- "$jdk/java" -Xmx128m -XX:+Use"$2"GC \
        -Xlog:jfr+startup=error -XX:StartFlightRecording=filename=run.jfr,settings=profile,jdk.ExecutionSample#period=1ms -cp classes Garbage 2 >java.out || fail "the program ended with $?"
    analyze -o results run.jfr power.log
    wants 0
    "$reader/jfr" print --json --events jdk.GCPhasePause,jdk.GarbageCollection run.jfr >events.json || skip "jfr print does not run here"
    "$reader/jfr" view gc-pauses run.jfr >view.txt || skip "jfr view does not run here"
    python3 "$top/tests/cli/pauses.py" events.json view.txt results out 2>>"$case_dir.why" || fail "pauses.py"
    for type in $3; do
        cut -d, -f3 results/gc.csv | grep -q -x "$type" || fail "no pause is $type"
    done
    cut -d, -f3 results/gc.csv | sed 1d | sort -u | tr '\n' ' ' >types
    [ "$(cat types)" = "$(printf '%s\n' $3 | sort | tr '\n' ' ')" ] || fail "types: $(cat types)"
}

case_g1_of_jdk_25() {
    of 25 G1 'YOUNG FULL CONCURRENT'
}

case_parallel_of_jdk_25() {
    of 25 Parallel 'YOUNG FULL'
}

case_serial_of_jdk_25() {
    of 25 Serial 'YOUNG FULL'
}

case_zgc_of_jdk_25() {
    of 25 Z 'YOUNG CONCURRENT'
}

case_shenandoah_of_jdk_25() {
    of 25 Shenandoah CONCURRENT
}

case_g1_of_jdk_17() {
    of 17 G1 'YOUNG FULL CONCURRENT'
}

case_parallel_of_jdk_17() {
    of 17 Parallel 'YOUNG FULL'
}

case_serial_of_jdk_17() {
    of 17 Serial 'YOUNG FULL'
}

case_zgc_of_jdk_17() {
    of 17 Z CONCURRENT
}

case_shenandoah_of_jdk_17() {
    of 17 Shenandoah CONCURRENT
}

run_cases
