#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# compare-shop.sh BUILDDIR WORKDIR [RUNS [SECONDS]]: a real comparison. The sample shop and a copy of it with one method made slower on
# purpose (Catalog.score does its work eight times) run in turns, so that what the machine does meanwhile meets both sides; then
# joular-compare has to find it. The power is an estimate from load, 10 W idle and 35 W busy, unless SOURCE says otherwise; the idle
# power (BASELINE) is taken away, since a part of it goes to whoever runs, and so depends on what others do.
set -eu

build=$(cd "${1:?usage: compare-shop.sh BUILDDIR WORKDIR [RUNS [SECONDS]]}" && pwd)
mkdir -p "${2:?}"
work=$(cd "$2" && pwd)
runs=${3:-5}
seconds=${4:-15}
top=$(cd "$(dirname "$0")/../.." && pwd)
java=$(sh "$top/tests/jdk.sh" "${JDK:-25}")
cd "$work"

mkdir -p base-src new-src
cp "$top/samples/shop/Shop.java" base-src/Shop.java
sed 's|scores.merge(product, weight, Double::sum);|for (int again = 0; again < 8; again++) { scores.merge(product, weight / 8, Double::sum); }|' \
    base-src/Shop.java >new-src/Shop.java
if cmp -s base-src/Shop.java new-src/Shop.java; then
    echo "compare-shop.sh: Catalog.score has changed: nothing was made slower" >&2
    exit 1
fi
for side in base new; do
    "$java/javac" -d "$side-classes" "$side-src/Shop.java"
done

run=1
while [ "$run" -le "$runs" ]; do
    for side in base new; do
        mkdir -p "$side-$run"
        (
            cd "$side-$run"
            # shellcheck disable=SC2086 # words of options
            rm -rf report.json run.jfr
            "$build/joular-record" -q ${SOURCE:--s estimate --idle-watts 10 --max-watts 35} --jfr -- \
                "$java/java" -Xmx256m -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints -cp "../$side-classes" \
                com.example.shop.Shop --seconds "$seconds" >out.txt
            "$build/joular-analyze" -q --baseline "${BASELINE:-10}" --format json -o . run.jfr power.log
        )
    done
    run=$((run + 1))
done

# Where the machine is busy the shop handles fewer requests in its time: per CPU-second its runs are alike all the same.
"$build/joular-compare" --per cpu-second --top 10 --json comparison.json base-[0-9]* --vs new-[0-9]*
