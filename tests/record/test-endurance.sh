#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# joular-record for days, at an interval of 100 ms, with the clock of tests/tools/fastclock.c: beside a program that makes and ends 200
# threads a second, and beside one that does little, for longer. LONG=1: 100,000 cycles and a million.
. "$(dirname "$0")/common.sh"

if [ -n "${LONG:-}" ]; then
    busy=100000 quiet=1000000
else
    busy=2000 quiet=20000
fi

endure() { # CYCLES PID: the log and the samples of as many cycles
    [ -x "$build/fast-record" ] || skip "this C library has no mallinfo2"
    status_of env FAST_SAMPLES=samples FAST_EVERY=$(($1 / 100)) "$build/fast-record" -q $estimate --interval 100 \
        --threads all -p "$2" -d $(($1 / 10)) -o power.log 2>err
    same status "$code" 0
    same "what it said" "$(cat err)" ""
}

# every_cycle CYCLES THREADS: each cycle is there, as long as it should be, with so many threads on average, and not larger than
# joular-power-log(5) says
every_cycle() {
    awk -F, -v cycles="$1" -v wanted="$2" '
        NR <= 2 { next }
        length($0) + 1 > ($1 == "cycle" ? 100 : 60) { print "too long: " $0 }
        $1 == "thread" { all++ }
        $1 == "cycle" {
            n++
            if ($4 != 100000000 || (n > 1 && $3 != last + $4)) print "cycle " n ": " $0
            last = $3
        }
        END {
            if (n != cycles) print n " cycles, not " cycles
            if (all < wanted * n * 0.95) print all " records of threads in " n " cycles"
        }' power.log >wrong
    [ ! -s wrong ] || fail "$(head -5 wrong)"
}

# What AddressSanitizer keeps of freed memory, to see that nobody uses it, is no leak.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=1:thread_local_quarantine_size_kb=64
export ASAN_OPTIONS

nothing_grows() { # after the first quarter
    awk '
        NR == 25 { fds = $2; heap = $3; kib = $4 }
        NR > 25 && $2 > most { most = $2 }
        { last_heap = $3; last_kib = $4 }
        END {
            if (NR < 99) print NR " samples"
            if (most > fds + 10) print "descriptors grew from " fds " to " most
            if (last_heap > heap + 16384) print "the heap grew from " heap " to " last_heap " bytes"
            if (last_kib > kib + 2048) print "memory grew from " kib " to " last_kib " KiB"
        }' samples >wrong
    [ ! -s wrong ] || fail "$(cat wrong)"
}

case_threads_that_come_and_go() {
    head -c 16 /dev/zero >shared
    "$build/churn" shared &
    churn=$!
    FAST_CHURN=shared
    export FAST_CHURN
    endure $busy $churn
    kill $churn
    every_cycle $busy 20
    nothing_grows
}

case_days_beside_a_quiet_program() {
    sleep 100000 &
    endure $quiet $!
    kill $!
    every_cycle $quiet 0
    nothing_grows
}

check threads_that_come_and_go
check days_beside_a_quiet_program
finish
