# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# common.sh: what the tests of joular-record share. A test sources it, calls its cases by `check NAME`, and ends on `finish`.
# A case is a function case_NAME, run with set -eu in a folder of its own; `fail WORDS` and `skip WORDS` end it.
LC_ALL=C
export LC_ALL
[ -z "${JOULAR_QUICK:-}" ] || { echo "skipped: JOULAR_QUICK is set" && exit 77; }
umask 022

top=$(cd "${JOULAR_TOP_SRCDIR:-$(dirname "$0")/../..}" && pwd)
build=$(cd "${JOULAR_TOP_BUILDDIR:-.}" && pwd)
record=$build/joular-record
estimate="-s estimate --idle-watts 10 --max-watts 50"
work=$(mktemp -d "${TMPDIR:-/tmp}/joular-rec.XXXXXX") || exit 99
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
failures=0 skips=0 good=0

[ -x "$record" ] || {
    echo "$record is not there: run this by \`make check\`, or set JOULAR_TOP_BUILDDIR" >&2
    exit 99
}

fail() {
    echo "    $*" >&2
    exit 1
}

skip() {
    echo "$*" >"$work/why"
    exit 77
}

have() { # TOOL...
    for tool; do
        command -v "$tool" >/dev/null || skip "$tool is not installed"
    done
}

same() { # WHAT IS WANTED
    [ "$2" = "$3" ] || fail "$1: $2, not $3"
}

says() { # FILE GLOB: a line of the file
    while IFS= read -r line; do
        # shellcheck disable=SC2254 # a pattern
        case $line in
            $2) return 0 ;;
        esac
    done <"$1"
    cat "$1" >&2
    fail "no line of $1 is like: $2"
}

status_of() { # COMMAND...: in $code
    code=0
    "$@" || code=$?
}

# wait_for_cycles LOG COUNT PID: until the log has so many, as long as the recorder of that id runs
wait_for_cycles() {
    until [ "$({ case $1 in *.zst) zstd -dqc "$1" ;; *) cat "$1" ;; esac } 2>/dev/null | grep -c '^cycle,')" -ge "$2" ]; do
        kill -0 "$3" || fail "$1: joular-record ended before its cycle $2"
        sleep 0.05
    done
}

mount_namespaces() {
    unshare -m true 2>/dev/null || skip "no mount namespace can be had (in a chroot: mount --bind FOLDER FOLDER, then enter it)"
}

# Sum of a field over the records of a kind: sum_of LOG KIND FIELD [NAME-FIELD NAME]
sum_of() {
    awk -F, -v kind="$2" -v field="$3" -v at="${4:-0}" -v name="${5:-}" \
        '$1 == kind && (at == 0 || $at == name) { sum += $field } END { printf "%.0f\n", sum }' "$1"
}

# Every log is whole: cycles go forward, each a sum of what is before it, and the last line has its end.
sound() { # LOG
    [ "$(tail -c 1 "$1" | od -An -tu1 | tr -d ' ')" = 10 ] || fail "$1 does not end on a line's end"
    awk -F, 'NR == 1 && $0 != "#joular-power-log 1" { exit 1 }
        $1 == "cycle" { if (NF != 7 || $3 - $4 < last - 1) exit 2; last = $3 } END { exit 0 }' "$1" || fail "$1 is not sound"
}

check() { # NAME
    mkdir "$work/$1"
    (cd "$work/$1" && set -eu && "case_$1") && code=0 || code=$?
    case $code in
        0) good=$((good + 1)) && echo "ok      $1" ;;
        77) skips=$((skips + 1)) && echo "skipped $1: $(cat "$work/why")" ;;
        *) failures=$((failures + 1)) && echo "FAILED  $1" ;;
    esac
}

finish() {
    echo "cases: $good passed, $failures failed, $skips skipped"
    [ "$failures" = 0 ] || exit 1
    [ "$good" != 0 ] || exit 77
    exit 0
}
