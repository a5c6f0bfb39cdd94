#!/bin/sh
# src/base/properties.c against java.util.Properties: thousands of small files made of the characters that matter.
. "$(dirname "$0")/../cli/lib.sh"

against() { # VERSION COUNT SEED
    [ -x "$build/properties-show" ] || fail "properties-show is not built"
    jdk=$(sh "$top/tests/jdk.sh" "$1" 2>jdk.err) || skip "$(tail -n 1 jdk.err)"
    "$jdk/javac" -d . "$top/tests/unit/PropertiesOracle.java" 2>jdk.err || skip "javac does not run here: $(tail -n 1 jdk.err)"
    mkdir files
    "$jdk/java" -cp . PropertiesOracle files "$2" "$3" || fail "java ended with $?"
    find files -name '*.properties' -exec "$build/properties-show" {} + || fail "properties-show ended with $?"
    seen=0
    for expected in files/*.expected; do
        file=${expected%.expected}
        cmp -s "$expected" "$file.seen" || {
            od -An -c "$file.properties" >bytes
            show bytes "$expected" "$file.seen"
            fail "$file: not what Java reads"
        }
        seen=$((seen + 1))
    done
    [ $seen = "$2" ] || fail "$seen files, not $2"
    cat files/*.expected | grep -q -x refused || fail "Java refused none"
}

case_as_java_17_reads_them() {
    against 17 "${LONG:+20}1000" "${SEED:-1}"
}

case_as_java_25_reads_them() {
    [ -z "${JOULAR_QUICK:-}" ] || skip "JOULAR_QUICK is set"
    against 25 500 "${SEED:-2}"
}

run_cases
