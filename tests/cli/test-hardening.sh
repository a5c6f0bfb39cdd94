#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What configure says it hardened shows in the programs. A part that this compiler does not know, or that was left out, is skipped.
. "$(dirname "$0")/lib.sh"

sanitizers=$(sed -n 's/^SANITIZE = //p' "$build/Makefile")

programs="joular-analyze joular-compare joular-record"
hardened=" $(sed -n 's/^hardened = //p' "$build/Makefile") "

wanted() { # WORD TOOL: this build has it
    have "$2"
    case $hardened in
        *" $1"[=\ ]*) ;;
        *) skip "configure did not choose $1" ;;
    esac
}

every() { # WHAT PATTERN COMMAND...: its output about each program has a line that matches
    what=$1 pattern=$2
    shift 2
    for name in $programs; do
        "$@" "$build/$name" >seen || fail "$* $name"
        grep -q -E "$pattern" seen || fail "$name: no $what"
    done
}

on_x86() {
    case $(uname -m) in
        x86_64) ;;
        *) skip "the code that shows it is known on x86_64 only" ;;
    esac
}

case_programs_may_lie_anywhere() {
    wanted pie readelf
    every "position-independent executable" 'Type: +DYN' readelf -hW
    every "PIE flag" 'FLAGS_1.* PIE' readelf -dW
}

case_tables_of_addresses_are_read_only() {
    wanted relro readelf
    every "RELRO segment" '^ *GNU_RELRO ' readelf -lW
}

case_all_symbols_are_bound_at_the_start() {
    wanted now readelf
    every "BIND_NOW" 'FLAGS_1.* NOW' readelf -dW
}

case_the_stack_holds_no_code() {
    have readelf
    every "stack without E" '^ *GNU_STACK .* RW +0x' readelf -lW
}

case_a_stack_that_is_overrun_is_noticed() {
    wanted stack-protector readelf
    every "__stack_chk_fail" '__stack_chk_fail' readelf --dyn-syms -W
}

case_library_calls_know_the_sizes_of_their_buffers() {
    wanted fortify readelf
    every "checked snprintf" '__v?snprintf_chk' readelf --dyn-syms -W
}

case_large_frames_touch_each_page() {
    wanted stack-clash objdump
    on_x86
    [ -z "$sanitizers" ] || skip "this build has sanitizers, which keep large variables elsewhere"
    objdump -d --no-show-raw-insn "$build/joular-record" >code # it has frames of several pages
    awk '/sub +\$0x1000,%rsp/ { step = NR } /(or|mov)[lq] +\$0x0,(0x[0-9a-f]+)?\(%rsp\)/ && NR == step + 1 { n++ } END { exit n < 5 }' code ||
        fail "no frame is entered page by page"
}

case_calls_land_where_calls_may() {
    wanted cf-protection objdump
    on_x86
    for name in $programs; do
        objdump -d --no-show-raw-insn "$build/$name" >code
        [ "$(grep -c endbr64 code)" -ge 50 ] || fail "$name: endbr64 is at its start only" # which is the C library's
    done
}

case_nothing_runs_a_shell_or_talks_to_a_network() {
    have readelf
    [ -z "$sanitizers" ] || skip "this build has sanitizers, which start programs"
    for name in $programs; do
        case $name in
            *analyze) more='execv|execvp|fork' ;;
            *compare) more='execvp' ;; # execv has the whole path
            *) more=popen ;;
        esac
        readelf --dyn-syms -W "$build/$name" | awk '$7 == "UND" { sub(/@.*/, "", $8); print $8 }' >uses
        grep -q -x write uses || fail "$name uses nothing"
        ! grep -E -x "$more|system|popen|posix_spawnp?|execlp?|wordexp|socket|connect|getaddrinfo|gethostbyname" uses >words ||
            fail "$name: $(cat words)"
    done
}

run_cases
