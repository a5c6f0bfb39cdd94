#!/bin/sh
# The man page and --help have the same options, and what every option takes.
. "$(dirname "$0")/common.sh"

case_options() {
    "$record" --help | sed -n 's/^  \(-., \|    \)--\([a-z-]*\).*/\2/p' | sort >help
    sed -n '/^\.Bl -tag/,/^\.El/p' "$top/man/joular-record.1" | sed -n 's/^\.It.* Fl -\([a-z-]*\).*/\1/p' | sort >of_man
    diff help of_man >&2 || fail "they differ"
    [ "$(wc -l <help)" -gt 20 ] || fail "options were not found"
}

case_letters() {
    "$record" --help | sed -n 's/^  -\(.\), --\([a-z-]*\).*/\1 \2/p' | sort >help
    sed -n 's/^\.It Fl \(.\) , Fl -\([a-z-]*\).*/\1 \2/p' "$top/man/joular-record.1" | sort >of_man
    diff help of_man >&2 || fail "they differ"
}

case_form() {
    have mandoc
    mandoc -T lint -W warning "$top/man/joular-record.1" >&2 || fail "mandoc finds faults"
}

for name in options letters form; do
    check $name
done
finish
