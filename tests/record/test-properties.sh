#!/bin/sh
# The properties reader and Java's own Properties class read the same in 3000 small files of the characters that matter.
. "$(dirname "$0")/common.sh"

case_same_as_java() {
    have java
    mkdir files
    java "$top/tests/unit/PropertiesOracle.java" files 3000 "${SEED:-1}" || skip "java runs no source file"
    find files -name '*.properties' -exec "$build/properties_show" {} +
    for file in files/*.expected; do
        cmp -s "$file" "${file%.expected}.seen" || {
            od -c "${file%.expected}.properties" >&2
            cat "$file" "${file%.expected}.seen" >&2
            fail "$file"
        }
    done
}

check same_as_java
finish
