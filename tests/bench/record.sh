#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record.sh [BUILD-FOLDER]: what joular-record itself costs: CPU time and bytes a cycle, watching a process of 100, 1000 and 5000
# threads that sleep, or that each use some CPU time in every cycle. Build without sanitizers and with -O2 for figures that count.
set -eu
build=$(cd "${1:-.}" && pwd)
seconds=${SECONDS_EACH:-10}
work=$(mktemp -d "${TMPDIR:-/tmp}/joular-bench.XXXXXX")
target='' recorder=''
trap 'kill $target $recorder 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"

used() { # PID: ns of CPU time
    cut -d' ' -f1 "/proc/$1/schedstat"
}

measure() { # THREADS WORD
    "$build/burn" 0 0 "$1" ${2:+"$2"} &
    target=$!
    sleep 2
    "$build/joular-record" -q -s estimate --idle-watts 10 --max-watts 50 --threads all -p $target -o power.log &
    recorder=$!
    sleep 2.5 # the first look opens the files
    before=$(used $recorder) bytes=$(wc -c <power.log) cycles=$(grep -c '^cycle,' power.log)
    sleep "$seconds"
    after=$(used $recorder) more=$(wc -c <power.log) last=$(grep -c '^cycle,' power.log)
    kill -TERM $recorder
    wait $recorder || true
    kill -KILL $target
    wait $target 2>/dev/null || true
    target='' recorder=''
    awk -v ns=$((after - before)) -v bytes=$((more - bytes)) -v n=$((last - cycles)) -v threads="$1" -v word="${2:-asleep}" \
        'BEGIN { printf "%5d threads %-7s %8.3f ms a cycle (%.3f %% of a core)  %9.0f bytes a cycle\n", threads, word, ns / n / 1e6, ns / n / 1e7, bytes / n }'
}

for threads in 100 1000 5000; do
    measure $threads ""
    measure $threads awake
done
