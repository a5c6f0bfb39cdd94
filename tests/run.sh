#!/bin/sh
# sh tests/run.sh [--long]: installs what is missing (Debian 12 or newer), builds, and runs every test.
#
#     build/check   gcc, sanitizers     all tests but valgrind's
#     build/plain   gcc                 the command line again, and under valgrind
#     build/clang   clang, if there; integer sanitizers (tests/wraps.txt)      unit tests and the command line
#     build/thread  clang, ThreadSanitizer: what has threads
#     build/memory  clang, MemorySanitizer: what needs neither json-c nor libcsv, zstd, zlib or GSL, which have no such build
#
# Ends on one line, `N passed, N failed, N skipped`, of cases; exit 1 if any failed. --long: LONG=1 for the tests that know it.
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
me=run.sh
. "$top/samples/setup.sh"

for word; do
    case $word in
        --long)
            LONG=1
            export LONG
            ;;
        *)
            echo "usage: sh tests/run.sh [--long]" >&2
            exit 2
            ;;
    esac
done

# npm may be there without being a package
npm=
command -v npm >/dev/null || npm=npm
# of gperftools and mimalloc the -dev packages, since the libraries' own have other names in each release
need_packages "$build_packages libcmocka-dev libgsl-dev libprotobuf-c-dev protobuf-c-compiler python3 python3-jsonschema chromium valgrind zstd gzip golang-go prometheus bash-completion fish zsh jq man-db mandoc libjemalloc2 libgoogle-perftools-dev libmimalloc-dev $npm" \
    "$build_packages_fedora libcmocka-devel gsl-devel protobuf-c-devel protobuf-c-compiler python3 python3-jsonschema chromium valgrind zstd gzip golang golang-github-prometheus bash-completion fish zsh jq man-db mandoc jemalloc gperftools-libs mimalloc nodejs-npm libasan libubsan"

passed=0 failed=0 skipped=0
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)

# Adds the cases of a build's test logs up: our own closing lines, CMocka's and Python's; a test without such counts as one.
count() { # FOLDER
    # shellcheck disable=SC2046 # three numbers
    set -- $(find "$1" -name '*.trs' | sort | while IFS= read -r trs; do
        result=$(sed -n 's/^:global-test-result: //p' "$trs")
        awk -v result="$result" '
            /^cases: [0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ { p += $2; f += $4; s += $6 }
            /^\[  PASSED  \] [0-9]+ test/ { p += $4 }
            /^\[  FAILED  \] [0-9]+ test/ { f += $4 }
            /^\[  SKIPPED \] [0-9]+ test/ { s += $4 }
            /^ [0-9]+ FAILED TEST/ { }
            /^Ran [0-9]+ tests? in / { ran = $2 }
            /^OK/ && ran { p += ran; ran = 0 }
            /^FAILED \((failures|errors)=/ && ran { match($0, /[0-9]+/); bad = substr($0, RSTART, RLENGTH); f += bad; p += ran - bad; ran = 0 }
            END {
                if (p + f + s == 0) { p = result == "PASS"; s = result == "SKIP" }
                if (result != "PASS" && result != "SKIP" && f == 0) f = 1
                print p + 0, f + 0, s + 0
            }' "${trs%.trs}.log"
    done | awk '{ p += $1; f += $2; s += $3 } END { print p + 0, f + 0, s + 0 }')
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
    [ "$2" = 0 ] || suite_failed=1
}

# suite FOLDER [TESTS]: make check there, with its progress; of what did not pass, the log's end
suite() {
    say "tests in $1"
    find "$1" -name '*.trs' -exec rm -f {} +
    suite_failed=0 status=0
    if [ $# -gt 1 ]; then
        make -C "$1" -s -j "$jobs" check TESTS="$2" >"$1/check.log" 2>&1 || status=$?
    else
        make -C "$1" -s -j "$jobs" check >"$1/check.log" 2>&1 || status=$?
    fi
    grep -E '^(PASS|FAIL|SKIP|XFAIL|XPASS|ERROR):' "$1/check.log" || true
    count "$1"
    if [ $status != 0 ] && [ $suite_failed = 0 ]; then
        failed=$((failed + 1)) # it came to no test
        tail -n 30 "$1/check.log"
    fi
    find "$1" -name '*.trs' | sort | while IFS= read -r trs; do
        log=${trs%.trs}.log
        case $(sed -n 's/^:global-test-result: //p' "$trs") in
            PASS) grep -H '^skipped ' "$log" | sed "s|^$1/||" || true ;;
            SKIP) grep '^skipped ' "$log" || tail -n 3 "$log" ;;
            *)
                echo "---- $log"
                grep -v '^ok ' "$log" | tail -n 60
                ;;
        esac
    done
}

# build FOLDER TARGETS CONFIGURE_ARGS...: a build that fails is a failed case, and the others go on
build() {
    (build_in "$@") && return 0
    failed=$((failed + 1))
    return 1
}

# what is about pages runs once
cli=$(cd "$top" && echo tests/cli/test-*.sh | sed 's# *tests/cli/test-\(live\|manuals\|readme\)\.sh##g')
say "building with sanitizers"
! build "$top/build/check" all --enable-werror --enable-sanitizers || suite "$top/build/check"
say "building without"
! build "$top/build/plain" all --enable-werror || suite "$top/build/plain" "$cli"
if command -v clang >/dev/null; then
    say "building with clang"
    units=$(cd "$top/tests" && echo unit/test_*.c fuzz/fuzz_*.c | sed 's/[a-z]*\///g; s/\.c//g; s/_/-/g')
    ! build "$top/build/clang" all --enable-werror --enable-sanitizers=integer CC=clang ||
        suite "$top/build/clang" "$units $(echo "$cli" | sed 's| *tests/cli/test-valgrind.sh||')"
    say "building with ThreadSanitizer"
    ! build "$top/build/thread" all --enable-werror --enable-sanitizers=thread CC=clang ||
        suite "$top/build/thread" "test-logwrite test-logdisk $(printf 'tests/%s.sh ' cli/test-inputs cli/test-results \
            record/test-running)"
    say "building with MemorySanitizer"
    ! build "$top/build/memory" all --enable-werror --enable-sanitizers=memory CC=clang ||
        suite "$top/build/memory" "$(printf 'test-%s ' base-bytes base-outfile base-text date flame hints jfr-chunks jfr-damage \
            jfr-events jfr-hostile jfr-pools jfr-samples jfr-strings jfr-times proc properties rapl raplzones ringbuffer stats vm) \
            tests/record/test-power.sh tests/record/test-repeat.sh"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
