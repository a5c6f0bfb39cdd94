# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# lib.sh: the driver of the command-line cases. A test sources it, defines its cases as functions named case_..., and ends on
# `run_cases`. Each case runs in a subshell with `set -eu`, in an empty folder of its own; a check that fails ends it.
#
#     analyze ARGS        runs joular-analyze: afterwards its exit code is in $code, its output in the files out and err.
#                         Its command line and what it said on stderr go into the case's transcript
#     compare ARGS        the same for joular-compare
#     wants CODE          the exit code was CODE
#     says GLOB           one line on stderr matches GLOB, behind the name of the tool that ran last and ": "
#     silent              nothing on stderr
#     refuses GLOB        exit 1, exactly one line on stderr which matches GLOB, nothing on stdout, no result file
#     same FILE FILE      equal bytes
#     all_of FOLDER NAME OPTIONS   every form of a recording of the repository; $recordings are all of them
#     odd ARGS            makes an odd recording from a good one (bytes.py)
#     skip REASON         ends the case as skipped
#     fail REASON         ends the case as failed
#     golden NAME FILE    FILE equals tests/cli/golden/NAME
#
# Transcripts are held against tests/cli/golden/TEST.txt, so that a change of any message shows in a diff.
# `make update-golden` (UPDATE_GOLDEN=1) writes transcripts and golden files anew. ONLY=GLOB runs the cases that match it.

LC_ALL=C
TZ=UTC
export LC_ALL TZ
umask 022

top=$(cd "${JOULAR_TOP_SRCDIR:-$(dirname "$0")/../..}" && pwd)
build=$(cd "${JOULAR_TOP_BUILDDIR:-.}" && pwd)
program=$build/joular-analyze
ran=joular-analyze # last
samples=$top/samples
data=$top/tests/data
test_name=$(basename "$0" .sh)
golden=$top/tests/cli/golden
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

[ -x "$program" ] || {
    echo "$test_name: $program is not there: run this by \`make check\`, or set JOULAR_TOP_BUILDDIR" >&2
    exit 99
}
recordings='samples/shop-jdk17 samples/shop-jdk25 samples/shop-jdk25-virtual samples/requests-jdk25 tests/data/shop-jdk11
    tests/data/shop-jdk21 tests/data/jdk25-lost tests/data/jdk17-chunks tests/data/jdk25-killed'
work=$(mktemp -d "${TMPDIR:-/tmp}/joular-cli.XXXXXX") || exit 99
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

fail() {
    echo "$*" >>"$case_dir.why"
    exit 1
}

skip() {
    echo "$*" >>"$case_dir.why"
    exit 77
}

have() { # TOOL...: or skip
    for tool; do
        command -v "$tool" >/dev/null || skip "$tool is not installed"
    done
}

have_terminals() { # for pty_run.py
    have python3
    python3 -c 'import pty; pty.openpty()' 2>/dev/null ||
        skip "no pseudo-terminal can be had (in a chroot: mount --bind /dev/pts FOLDER/dev/pts)"
}

odd() { # ARGS...: bytes.py makes an odd recording
    have python3
    python3 "$top/tests/cli/bytes.py" "$@" || fail "bytes.py $*"
}

# Text with the folders of this run taken out.
plain() {
    sed -e "s|$work|WORK|g" -e "s|$build/joular-|BUILD/joular-|g" -e "s|$samples|samples|g" -e "s|$data|tests/data|g" -e "s|$top/|TOP/|g"
}

# A run that said nothing and ended well leaves no trace in the transcript. Characters that a terminal would obey are shown as in
# `cat -v`; what a file of the repository holds stays plain text.
run_tool() { # TOOL ARGS
    ran=$1 code=0
    shift
    "$build/$ran" "$@" >out 2>err || code=$?
    [ -s err ] || [ $code != 0 ] || return 0
    {
        printf '$ %s' "$ran"
        for word; do printf ' %s' "$word"; done
        echo
        cat err
        [ $code = 0 ] || echo "exit $code"
    } | plain | cat -v >>"$case_dir.transcript"
}

analyze() {
    run_tool joular-analyze "$@"
}

compare() {
    run_tool joular-compare "$@"
}

all_of() {
    folder=$1 name=$2
    shift 2
    "$program" -q --format all -o "$folder" "$@" "$top/$name.jfr" "$top/$name.power.log" 2>said || fail "$name $*: exit $?"
}

show() { # FILE...: what the case's reason should show
    for file; do
        sed "s|^|    $file: |" "$file" | cut -c1-300 | head -20 >>"$case_dir.why"
    done
}

wants() {
    [ "$code" = "$1" ] || {
        show err
        fail "exit code $code, not $1"
    }
}

says() {
    while IFS= read -r line; do
        # shellcheck disable=SC2254 # a pattern
        case $line in
            "$ran: "$1) return 0 ;;
        esac
    done <err
    show err
    fail "no line on stderr matches: $ran: $1"
}

silent() {
    [ ! -s err ] || {
        show err
        fail "stderr is not empty"
    }
}

one_line() { # FILE
    [ "$(wc -l <"$1")" -eq 1 ] || {
        show "$1"
        fail "$1 has $(wc -l <"$1") lines, not 1"
    }
}

no_results() { # neither a result nor a temporary file, here or below
    left=$(find . -name '*methods*.csv' -o -name '*threads.csv' -o -name '*timeline.csv' -o -name '*gc.csv' -o \
        -name '*report.json' -o -name '*flame.html' -o -name '*collapsed.txt' -o -name '*profile.pb.gz' -o \
        -name '*profile.speedscope.json' -o -name '*profile.firefox.json' -o -name '*.tmp')
    [ -z "$left" ] || fail "left behind: $left"
}

refuses() {
    wants 1
    one_line err
    says "$1"
    [ ! -s out ] || fail "stdout is not empty"
    no_results
}

same() {
    cmp "$1" "$2" >>"$case_dir.why" 2>&1 || fail "$1 and $2 differ"
}

same_results() { # FOLDER FOLDER: the same files, byte by byte
    [ -s "$1/methods-power-all.csv" ] || fail "$1 has no results"
    diff -q -r "$1" "$2" >>"$case_dir.why" 2>&1 || fail "$1 and $2 differ"
}

same_branches() { # FOLDER FOLDER: the two files of branches
    for file in methods-power-all.csv methods-power-app.csv; do
        same "$1/$file" "$2/$file"
    done
}

no_escapes() { # FILE...: nothing that a terminal would obey
    for file; do
        if tr -d '\n\t' <"$file" | od -An -v -tx1 | tr ' ' '\n' | grep -qE '^(0.|1.|7f)$'; then
            cat -v "$file" >>"$case_dir.why"
            fail "$file holds control characters"
        fi
    done
}

golden() { # NAME FILE
    if [ -n "${UPDATE_GOLDEN:-}" ]; then
        mkdir -p "$golden"
        cp "$2" "$golden/$1"
    fi
    cmp "$2" "$golden/$1" >/dev/null 2>&1 || {
        diff "$golden/$1" "$2" 2>&1 | cut -c1-200 | head -12 >>"$case_dir.why"
        fail "$2 is not golden/$1 (if it should be: make update-golden)"
    }
}

# The part of a transcript file that belongs to one case.
transcript_of() { # CASE FILE
    awk -v name="$1" '/^== / { on = ($2 == name); next } on' "$2" 2>/dev/null
}

check_transcript() {
    [ -s "$case_dir.transcript" ] || return 0
    [ -z "${UPDATE_GOLDEN:-}" ] || return 0
    transcript_of "$1" "$golden/$test_name.txt" >"$case_dir.expected"
    diff "$case_dir.expected" "$case_dir.transcript" >"$case_dir.diff" || {
        cut -c1-400 "$case_dir.diff" >>"$case_dir.why"
        fail "the transcript differs from golden/$test_name.txt (if it should: make update-golden)"
    }
}

no_transcript() { # for a case whose words vary from run to run
    : >"$case_dir.transcript"
}

# Runs functions named case_..., in the order of the file.
run_cases() {
    passed=0 failed=0 skipped=0
    for case_name in $(sed -n 's/^case_\([A-Za-z0-9_]*\)() {.*/\1/p' "$0"); do
        # shellcheck disable=SC2254 # a pattern
        case $case_name in
            ${ONLY:-*}) ;;
            *) continue ;;
        esac
        case_dir=$work/$case_name
        mkdir "$case_dir"
        : >"$case_dir.why"
        : >"$case_dir.transcript"
        (
            set -eu
            cd "$case_dir"
            "case_$case_name"
            check_transcript "$case_name"
        )
        case $? in
            0) passed=$((passed + 1)) && echo "ok      $case_name" ;;
            77) skipped=$((skipped + 1)) && echo "skipped $case_name: $(tail -n 1 "$case_dir.why")" ;;
            *)
                failed=$((failed + 1))
                echo "FAILED  $case_name"
                sed 's/^/        /' "$case_dir.why" | cat -v
                ;;
        esac
        [ -z "${UPDATE_GOLDEN:-}" ] || [ ! -s "$case_dir.transcript" ] || {
            echo "== $case_name"
            cat "$case_dir.transcript"
        } >>"$work/transcripts"
        chmod -R u+w "$case_dir" && rm -rf "$case_dir"
    done
    if [ -n "${UPDATE_GOLDEN:-}" ] && [ -z "${ONLY:-}" ] && [ -s "$work/transcripts" ]; then
        mkdir -p "$golden"
        cp "$work/transcripts" "$golden/$test_name.txt"
    fi
    echo "cases: $passed passed, $failed failed, $skipped skipped"
    [ $failed = 0 ] || exit 1
    [ $passed != 0 ] || [ $skipped = 0 ] || exit 77
    exit 0
}
