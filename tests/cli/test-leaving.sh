#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Ends in the middle: a pipe that nobody writes into, a file that becomes shorter while it is read, a signal.
# Started where SIGHUP or SIGINT is ignored (nohup, the background of a shell), it begins again without.
case $(sed -n 's/^SigIgn:.*\(.\)$/\1/p' /proc/self/status) in
    [!048c])
        exec python3 -c 'import os, signal, sys; [signal.signal(s, signal.SIG_DFL) for s in (signal.SIGINT, signal.SIGHUP)]; os.execvp("sh", ["sh", *sys.argv[1:]])' "$0" "$@"
        ;;
esac
. "$(dirname "$0")/lib.sh"

jfr=$data/shop-jdk11.jfr
log=$data/shop-jdk11.power.log
library=$build/failing.so

case_a_pipe_that_nobody_writes_into_is_refused() {
    mkfifo x.jfr
    analyze x.jfr "$log"
    refuses 'x.jfr: is a pipe that nobody writes into'
}

case_a_pipe_in_a_folder_of_recordings_is_left_out() {
    mkdir repository
    cp "$jfr" repository/1.jfr
    mkfifo repository/2.jfr
    ln -s /dev/zero repository/3.jfr
    analyze -q -o results repository "$log"
    wants 0
    analyze -o plain "$jfr" "$log"
    same_branches plain results
}

case_what_never_ends_is_refused() {
    analyze /dev/zero "$log"
    refuses '/dev/zero: is neither a file nor a pipe'
}

# The log comes through a pipe: when somebody reads there, the recording before it has been mapped.
case_a_recording_that_becomes_shorter_is_named() {
    cp "$jfr" run.jfr
    mkfifo log
    (
        exec 9>log
        : >run.jfr
        cat "$log" >&9
    ) &
    analyze run.jfr log
    wait
    refuses 'run.jfr: became shorter while it was read, or its disk failed'
}

# signalled NUMBER CODE PROGRAM ARGS...: a signal comes at every third io call, from the first that is about results on
signalled() {
    [ -e "$library" ] || skip "this build has sanitizers"
    number=$1 code=$2 name=$(basename "$3")
    shift 2
    call=1 killed=0
    while :; do
        rm -rf results tmp
        mkdir results tmp
        head -c 128 /dev/zero >counts
        status=0
        JOULAR_FAIL=io:$call:-$number:$name:$PWD/counts LD_PRELOAD=$library TMPDIR=$PWD/tmp "$@" >out 2>err || status=$?
        [ $status != 0 ] || break
        [ $status = "$code" ] || fail "status $status at call $call: $(cat err)"
        killed=$((killed + 1))
        left=$(find results tmp -name '*.tmp' -o -name '*.XXXXXX' -o -path 'tmp/*')
        [ -z "$left" ] || fail "left behind at call $call: $left"
        call=$((call + 3))
    done
    [ $killed -ge 5 ] || fail "only $killed runs were killed"
}

case_a_signal_leaves_no_temporary_file() {
    signalled 2 130 "$program" -q -j1 --format all -o results "$jfr" "$log"
    signalled 15 143 "$program" -q -j1 -o results "$jfr" "$log"
}

case_a_signal_in_a_comparison_leaves_no_temporary_file() {
    "$program" -q --format json -o one "$jfr" "$log" || fail "no report"
    signalled 15 143 "$build/joular-compare" -q --json results/c.json --csv results/c.csv one --vs one
    signalled 1 129 "$build/joular-compare" -q --json results/c.json --csv results/c.csv one --vs "$jfr:$log"
}

case_nohup_stays() {
    [ -e "$library" ] || skip "this build has sanitizers"
    head -c 128 /dev/zero >counts
    (
        trap '' HUP
        JOULAR_FAIL=io:9:-1:joular-analyze:$PWD/counts LD_PRELOAD=$library exec "$program" -q -o results "$jfr" "$log"
    ) || fail "SIGHUP was not ignored any more"
}

run_cases
