#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sh tests/fuzz/run.sh [--seconds N] [--corpus DIR] [TARGET...]: builds the fuzz targets in build/fuzz (clang, libFuzzer,
# AddressSanitizer and UndefinedBehaviorSanitizer) and runs each for N seconds, 10 unless said otherwise, as many at
# a time as there are cores. What was found stays in DIR (build/fuzz/corpus) for the next run. Exit 1 if a target failed: the input that
# did it is named on the line before. 77: cannot run here.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
seconds=10 corpus=
targets=
while [ $# -gt 0 ]; do
    case $1 in
        --seconds) seconds=$2 && shift ;;
        --corpus) corpus=$2 && shift ;;
        -*)
            echo "usage: sh tests/fuzz/run.sh [--seconds N] [--corpus DIR] [TARGET...]" >&2
            exit 2
            ;;
        *) targets="$targets $1" ;;
    esac
    shift
done
jobs=$(getconf _NPROCESSORS_ONLN)
build=$top/build/fuzz
corpus=${corpus:-$build/corpus}
targets=${targets:-jfr walk metadata power_log meters report properties source text}

mkdir -p "$build"
command -v clang >/dev/null || { echo "clang is not installed"; exit 77; }
echo 'int LLVMFuzzerTestOneInput(const char *p, unsigned long n); int LLVMFuzzerTestOneInput(const char *p, unsigned long n) { return !p + !n; }' >"$build/probe.c"
clang -fsanitize=fuzzer,address "$build/probe.c" -o "$build/probe" 2>/dev/null || { echo "clang has no libFuzzer (Debian: libclang-rt-14-dev)"; exit 77; }

[ -x "$top/configure" ] || (cd "$top" && autoreconf -fi >/dev/null)
cd "$build"
[ -f Makefile ] || "$top/configure" -q --enable-werror --enable-sanitizers --enable-fuzzing CC=clang CFLAGS='-g -O2'
programs=fuzz-seeds
for target in $targets; do
    programs="$programs fuzz-$(echo "$target" | tr _ -)"
done
# shellcheck disable=SC2086 # a list
make -s -j "$jobs" libfuzz.a $programs

# largest input, in bytes: what is larger finds the same, later
largest() {
    case $1 in
        jfr | walk | report) echo 16384 ;;
        metadata | power_log) echo 3000 ;;
        *) echo 1000 ;;
    esac
}

dictionary() {
    case $1 in
        walk | metadata) echo jfr ;;
        *) echo "$1" ;;
    esac
}

# Few frames are kept of where memory came from, and little of it is held back: both take most of a run's time.
ASAN_OPTIONS=${ASAN_OPTIONS:-malloc_context_size=2:quarantine_size_mb=8}
export ASAN_OPTIONS

fuzz() { # TARGET: runs it, and says how it went
    target=$1 result=0
    mkdir -p "$corpus/$target"
    case $target in
        jfr | walk) ./fuzz-seeds "$corpus/$target" ;;
    esac
    set -- "$corpus/$target"
    [ ! -d "$top/tests/fuzz/corpus/$target" ] || set -- "$@" "$top/tests/fuzz/corpus/$target"
    words=$top/tests/fuzz/$(dictionary "$target").dict
    [ ! -f "$words" ] || set -- "$@" "-dict=$words"
    "./fuzz-$(echo "$target" | tr _ -)" "$@" -max_total_time="$seconds" -max_len="$(largest "$target")" -timeout=10 \
        -malloc_limit_mb=512 -rss_limit_mb=768 -entropic=0 -len_control=20 -print_final_stats=1 -verbosity=1 \
        -artifact_prefix="$build/found-$target-" >"$target.log" 2>&1 || result=$?
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$target.log")
    edges=$(grep -o 'cov: [0-9]*' "$target.log" | tail -n 1 | tr -dc 0-9)
    echo "$target: ${executions:-0} executions, ${edges:-0} edges, $(find "$corpus/$target" -type f | wc -l) files"
    [ $result = 0 ] && return 0
    grep -v -E '	(NEW|REDUCE|pulse) ' "$target.log" | tail -n 60
    echo "FAILED: $target"
    return 1
}

# As many at a time as there are cores
status=0 running=0
rm -f -- *.said *.failed
for target in $targets; do
    { fuzz "$target" >"$target.said" || : >"$target.failed"; } &
    running=$((running + 1))
    [ $((running % jobs)) != 0 ] || wait
done
wait
for target in $targets; do
    cat "$target.said"
    [ ! -e "$target.failed" ] || status=1
done
exit $status
