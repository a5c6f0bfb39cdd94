#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Under valgrind: no read of what was never written, none outside, nothing lost. (Builds with sanitizers leave it out.)
. "$(dirname "$0")/lib.sh"

watched() { # CODE ARGS...
    have valgrind
    expected=$1
    shift
    code=0
    valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,possible,indirect --track-fds=no \
        --log-file=valgrind.log "$program" "$@" >out 2>err || code=$?
    show valgrind.log
    wants "$expected"
    [ ! -s valgrind.log ] || fail "valgrind had something to say"
}

case_a_normal_run() {
    watched 0 -j2 -f Small "$data/jdk17-chunks.jfr" "$data/jdk17-chunks.power.log"
}

case_cpu_time_samples_and_lost_ones() {
    watched 0 -j1 --append "$data/jdk25-lost.jfr" "$data/jdk25-lost.power.log"
}

case_an_unfinished_chunk() {
    watched 0 --jvm-threads spread "$data/jdk25-killed.jfr" "$data/jdk25-killed.power.log"
}

case_a_cut_recording() {
    head -c 150000 "$data/shop-jdk21.jfr" >cut.jfr
    watched 0 cut.jfr "$data/shop-jdk21.power.log"
}

case_a_log_of_another_run() {
    watched 1 "$data/shop-jdk11.jfr" "$data/shop-jdk21.power.log"
}

case_a_log_with_a_bad_field() {
    sed 's/^thread,.*/&\nthread,1,x/' "$data/shop-jdk11.power.log" >bad.log
    watched 1 "$data/shop-jdk11.jfr" bad.log
}

case_usage() {
    watched 2 --samples nothing
    watched 0 --help
}

run_cases
