#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# src/base/properties.c against java.util.Properties: thousands of small files made of the characters that matter.
. "$(dirname "$0")/../cli/lib.sh"

against() { # VERSION COUNT SEED
    [ -x "$build/properties-show" ] || fail "properties-show is not built"
    jdk=$(sh "$top/tests/jdk.sh" "$1" 2>jdk.err) || skip "$(tail -n 1 jdk.err)"
    "$jdk/javac" -d . "$top/tests/unit/PropertiesOracle.java" 2>jdk.err || skip "javac does not run here: $(tail -n 1 jdk.err)"
    mkdir files
    "$jdk/java" -cp . PropertiesOracle files "$2" "$3" || fail "java ended with $?"
    find files -name '*.properties' -exec "$build/properties-show" {} + || fail "properties-show ended with $?"
    find files -name '*.expected' -exec cat {} + | grep -x refused >refused || fail "Java refused none"
    for kind in expected seen; do
        (cd files && find . -name "*.$kind" -exec cksum {} +) | sed "s/[.]$kind\$//" | sort -k 3 >"$kind"
    done
    [ "$(wc -l <expected)" = "$2" ] || fail "$(wc -l <expected) files, not $2"
    file=$(diff expected seen | sed -n '2s|.*[.]/|files/|p')
    [ -z "$file" ] || {
        od -An -c "$file.properties" >bytes
        show bytes "$file.expected" "$file.seen"
        fail "$file: not what Java reads"
    }
}

case_as_java_17_reads_them() {
    count=1000
    [ -z "${LONG:-}" ] || count=30000
    against 17 $count "${SEED:-1}"
}

case_as_java_25_reads_them() {
    [ -z "${JOULAR_QUICK:-}" ] || skip "JOULAR_QUICK is set"
    against 25 500 "${SEED:-2}"
}

run_cases
