#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What to change in the next recording, for real recordings: of the samples, of changed logs, and of JVMs that run now with a setting
# that is poor. tests/unit/test_hints.c has each hint at its boundary. JOULAR_QUICK=1: none recorded now.
. "$(dirname "$0")/lib.sh"

estimated='The power is estimated from load'
points='Leaf methods can be badly wrong'
cpu_time='JDK 25 can sample by CPU time'
threads='CPU time of threads was taken from'
loads='jdk.ThreadCPULoad comes every 10 s only'
cut='% of the stacks are cut'
apart='Samples are far apart'
lost='% of the samples were lost'
outside='Most samples lie outside the power log'
unattributed='% of the energy is of threads without a sample'

# hints RECORDING LOG: what the summary has, one a line, in the file hints
hints() {
    analyze -o results "$1" "$2"
    wants 0
    awk '/^FILES$/ { on = 0 } on && /^  - / { printf "%s%s", n++ ? "\n" : "", substr($0, 5) } on && /^    / { printf " %s", substr($0, 5) }
        /^FOR BETTER DATA NEXT TIME$/ { on = 1 } END { if (n) print "" }' out >hints
}

# exactly HINT...: these and no other, in this order
exactly() {
    [ "$(wc -l <hints)" = $# ] || {
        show hints
        fail "$(wc -l <hints) hints, not $#"
    }
    number=0
    for words; do
        number=$((number + 1))
        sed -n "${number}p" hints | grep -q -F "$words" || {
            show hints
            fail "hint $number is not: $words"
        }
    done
}

measured() { # LOG >LOG: as if it were
    sed '2s/"source":"estimate"/"source":"rapl"/' "$1"
}

case_good_data_has_no_hint() {
    for name in requests-jdk25 shop-jdk17 shop-jdk25-virtual; do
        measured "$samples/$name.power.log" >power.log
        hints "$samples/$name.jfr" power.log
        exactly
        if grep -q 'FOR BETTER DATA' out; then fail "the section is there without a hint"; fi
    done
}

case_an_estimated_log() {
    for name in requests-jdk25 shop-jdk17 shop-jdk25-virtual; do
        hints "$samples/$name.jfr" "$samples/$name.power.log"
        exactly "$estimated"
    done
    no_transcript
}

case_lost_samples() {
    for name in "$samples/shop-jdk25" "$data/jdk25-lost"; do
        measured "$name.power.log" >power.log
        hints "$name.jfr" power.log
        exactly "$lost"
    done
}

case_a_recording_without_debug_non_safepoints() {
    measured "$data/jdk17-chunks.power.log" >power.log
    hints "$data/jdk17-chunks.jfr" power.log
    exactly "$points"
}

case_a_log_without_thread_records() {
    measured "$samples/requests-jdk25.power.log" | grep -v '^thread,' >power.log
    hints "$samples/requests-jdk25.jfr" power.log
    exactly "$threads the samples, since"
    measured "$samples/shop-jdk17.power.log" | grep -v '^thread,' >power.log
    hints "$samples/shop-jdk17.jfr" power.log
    exactly "$threads jdk.ThreadCPULoad, since"
    measured "$data/jdk25-lost.power.log" | grep -v '^thread,' >power.log
    hints "$data/jdk25-lost.jfr" power.log
    exactly "$threads the samples, since" "$lost" "$unattributed"
}

case_execution_samples_chosen_by_hand_are_no_reason_to_record_cpu_time_samples() {
    measured "$samples/requests-jdk25.power.log" >power.log
    analyze --samples execution -o results "$samples/requests-jdk25.jfr" power.log
    [ "$code" = 1 ] || { # the recording has none
        if grep -q "$cpu_time" out; then fail "it has them"; fi
    }
    no_transcript
}

case_a_log_of_a_part_of_the_run() {
    measured "$samples/shop-jdk17.power.log" | awk '{ print } /^cycle,/ && ++n == 6 { exit }' >power.log
    hints "$samples/shop-jdk17.jfr" power.log
    exactly "$outside"
}

case_hints_are_wrapped_at_the_width_of_the_terminal() {
    have_terminals
    for width in 60 80 120; do
        NO_COLOR=1 python3 "$top/tests/cli/pty_run.py" "$width" tty pipe out err "$program" -o results "$data/jdk25-lost.jfr" "$data/jdk25-lost.power.log"
        sed -n '/^FOR BETTER/,$p' out | sed '/^FILES/,$d' >part
        awk -v width=$width 'length > width { exit 1 } { if (length > most) most = length } END { exit most < width - 14 }' part ||
            fail "lines at $width columns: $(cat part)"
        awk 'NR > 1 && NF { sub(/^  - |^    /, ""); printf "%s ", $0 }' part >words
        [ ! -e before ] || same words before
        mv words before
    done
}

# recorded VERSION JVM-OPTIONS SETTINGS DEPTH: run.jfr and power.log, as if measured, of a program that runs now
recorded() {
    [ -z "${JOULAR_QUICK:-}" ] || skip "JOULAR_QUICK is set"
    have python3
    jdk=$(sh "$top/tests/jdk.sh" "$1" 2>jdk.err) || skip "$(tail -n 1 jdk.err)"
    cat >Deep.java <<'J'
class Deep {
    static volatile long count;

    static void down(int depth, long end) {
        if (depth > 0)
            down(depth - 1, end);
        else
            while (System.nanoTime() < end)
                for (int i = 2; i < 100000; i++)
                    count += 1000003 % i;
    }

    public static void main(String[] args) {
        down(Integer.parseInt(args[0]), System.nanoTime() + 3_000_000_000L);
    }
}
J
    "$jdk/javac" Deep.java 2>jdk.err || skip "javac does not run here: $(tail -n 1 jdk.err)"
    # shellcheck disable=SC2086 # several options
    "$build/joular-record" -q -s estimate --idle-watts 10 --max-watts 35 -o made.log -i 500 -- "$jdk/java" -Xlog:jfr+startup=error $2 \
        "-XX:StartFlightRecording=filename=run.jfr,settings=profile$3" -cp . Deep "$4" || fail "the program ended with $?"
    measured made.log >power.log
}

# On a busy machine samples come late, get lost, or miss a cycle: no fault of the recording's settings.
live_hints() { # RECORDING LOG
    hints "$1" "$2"
    grep -v -F -e "$apart" -e "$lost" -e "$unattributed" hints >kept || true
    mv kept hints
}

debug='-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints'

case_jdk_17_recorded_as_it_should_be_and_then_without_thread_records() {
    recorded 17 "$debug" ',jdk.ThreadCPULoad#period=1s' 5
    live_hints run.jfr power.log
    exactly
    grep -v '^thread,' power.log >bare.log
    live_hints run.jfr bare.log
    exactly "$threads jdk.ThreadCPULoad, since"
}

case_jdk_17_without_debug_non_safepoints() {
    recorded 17 '' '' 5
    live_hints run.jfr power.log
    exactly "$points"
}

case_jdk_17_with_stacks_cut_at_64_frames() {
    recorded 17 "$debug" '' 100
    live_hints run.jfr power.log
    exactly "$cut"
    grep -q '^  samples   [0-9]* used (ExecutionSample): [1-9][0-9]* with a cut stack$' out || fail "the cut stacks are not counted"
    recorded 17 "$debug -XX:FlightRecorderOptions=stackdepth=1024" '' 100
    live_hints run.jfr power.log
    exactly
}

case_thread_loads_every_ten_seconds() {
    recorded 17 "$debug" ',jdk.ThreadCPULoad#period=10s' 5
    live_hints run.jfr power.log
    exactly # nobody uses them
    grep -v '^thread,' power.log >bare.log
    analyze -o results run.jfr bare.log
    grep -q 'jdk.ThreadCPULoad comes every 10 s' out || fail "it does not say that they come every 10 s"
    no_transcript
}

case_jdk_25_without_cpu_time_samples() {
    recorded 25 "$debug" '' 5
    live_hints run.jfr power.log
    exactly "$cpu_time"
}

case_jdk_25_with_cpu_time_samples() {
    recorded 25 "$debug" ',jdk.CPUTimeSample#enabled=true,jdk.CPUTimeSample#throttle=10ms' 5
    live_hints run.jfr power.log
    exactly
    grep -v '^thread,' power.log >bare.log
    live_hints run.jfr bare.log
    exactly "$threads the samples, since" "$loads"
}

case_samples_far_apart() {
    # a period of 10 ms that says it is one of 10 us
    have python3
    measured "$samples/shop-jdk17.power.log" >power.log
    odd replace "$samples/shop-jdk17.jfr" fast.jfr '10 ms' '10 us'
    hints fast.jfr power.log
    exactly "$apart"
}

run_cases
