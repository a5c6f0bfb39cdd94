#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each allocation fails once, and each call that opens, writes, renames, closes or starts something: a message, the right exit code, no
# half file, no crash (failures.py). Of thousands of allocations some hundred are tried, LONG=1 tries all. What the C library writes for
# itself, stdout, is not among the calls: test-refusals.sh has it on a full device.
. "$(dirname "$0")/lib.sh"

jfr=$data/shop-jdk11.jfr
log=$data/shop-jdk11.power.log
library=$build/failing.so

every_failure() { # LIMIT CODES PROGRAM ARGS...
    have python3
    [ -e "$library" ] || skip "this build has sanitizers"
    limit=$1 codes=$2
    shift 2
    [ -z "${LONG:-}" ] || limit=0
    for kind in io memory; do
        python3 "$top/tests/cli/failures.py" "$library" $kind "$limit" "$codes" "$@" >failures 2>&1 || {
            show failures
            fail "see above"
        }
    done
}

report() { # FOLDER FROM TO
    "$program" -q --format json --from "$2" --to "$3" -o "$1" "$jfr" "$log" || fail "no report"
}

case_an_analysis() {
    every_failure 200 1 "$program" -q -j1 --format all --to +4s -o results "$jfr" "$log"
}

case_an_analysis_with_a_summary_and_threads() {
    every_failure 110 1 "$program" -j2 --to +4s -f com.example --group class -o results "$jfr" "$log"
}

case_rows_that_are_added() {
    "$program" -q --to +2s -o before/results "$jfr" "$log" || fail "no results"
    every_failure 110 1 "$program" -q -j1 --append --format csv --from +2s --to +4s -o results "$jfr" "$log"
}

case_packed_input() {
    have zstd
    zstd -q -c "$jfr" >run.zst
    every_failure 110 1 "$program" -q -j1 --format json --to +4s -o results ../run.zst "$log"
}

case_a_comparison() {
    report in/1 +1s +2s
    report in/2 +2s +3s
    every_failure 200 1 "$build/joular-compare" --csv c.csv --json c.json --html c.html ../in/1 --vs ../in/2
}

case_a_comparison_that_analyses() {
    report in/1 +1s +2s
    every_failure 110 1 "$build/joular-compare" ../in/1 --vs "$jfr:$log"
}

case_a_record() {
    every_failure 150 125,126,127 "$build/joular-record" -s estimate --idle-watts 10 --max-watts 20 --json r.json -- true
}

case_a_record_that_is_packed() {
    have zstd
    every_failure 150 125,126,127 "$build/joular-record" -q -s estimate --idle-watts 10 --max-watts 20 -o power.log.zst -- true
}

case_a_record_with_a_recording() {
    mkdir -p jdk/bin
    printf '#!/bin/sh\nexit 0\n' >jdk/bin/java
    echo 'JAVA_VERSION="25.0.1"' >jdk/release
    chmod +x jdk/bin/java
    every_failure 150 125,126,127 "$build/joular-record" -q -s estimate --idle-watts 10 --max-watts 20 --jfr -- ../jdk/bin/java
}

run_cases
