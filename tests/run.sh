#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sh tests/run.sh [--install] [--quick | --compilers | --long]: installs what is missing (Debian 12 or newer), builds, and
# runs the tests.
#
#     build/check   clang, sanitizers of addresses, undefined behaviour and integers (tests/wraps.txt); without clang gcc's
#                   all tests but valgrind's
#     build/plain   gcc                 tests that sanitizers cannot have: valgrind, failing calls, other allocators, hardening
#     build/thread  clang, ThreadSanitizer: what has threads
#     build/gcc     gcc, sanitizers (--long)           unit tests and the command line
#     build/memory  clang, MemorySanitizer (--long): what needs neither json-c nor libcsv, zstd, zlib or GSL, which have no
#                   such build
#
# --quick: build/check alone, without JVMs and browsers, and of very many cases that are alike every few: an answer in three
# minutes. --compilers (for debian.sh): build/plain with gcc and build/plain-clang, no sanitizers; unit tests and the command
# line, without JVMs. --long: the command line in each build, and LONG=1 for the tests that know it. --install: what the tests
# need is installed, and nothing else is done. What runs where, and why, is in tests/README.md.
#
# Ends on one line, `N passed, N failed, N skipped`, of cases; exit 1 if any failed.
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
me=run.sh
. "$top/samples/setup.sh"

install=
[ "${1-}" != --install ] || { install=1 && shift; }
mode=gate
case $#,${1-} in
    0,) ;;
    1,--quick) mode=quick JOULAR_QUICK=1 JOULAR_SLOW=1 && export JOULAR_QUICK JOULAR_SLOW ;;
    1,--compilers) mode=compilers JOULAR_QUICK=1 JOULAR_SLOW=1 && export JOULAR_QUICK JOULAR_SLOW ;;
    1,--long) mode=long LONG=1 && export LONG ;;
    *)
        echo "usage: sh tests/run.sh [--install] [--quick | --compilers | --long]" >&2
        exit 2
        ;;
esac

# npm may be there without being a package
npm=
command -v npm >/dev/null || npm=npm
if [ $mode = quick ]; then
    need_packages "$build_packages libcmocka-dev libgsl-dev libprotobuf-c-dev protobuf-c-compiler python3" \
        "$build_packages_fedora libcmocka-devel gsl-devel protobuf-c-devel protobuf-c-compiler python3 libasan libubsan"
elif [ $mode = compilers ]; then
    need_packages "$build_packages libcmocka-dev libgsl-dev libprotobuf-c-dev protobuf-c-compiler python3 python3-jsonschema zstd gzip jq clang" \
        "$build_packages_fedora libcmocka-devel gsl-devel protobuf-c-devel protobuf-c-compiler python3 python3-jsonschema zstd gzip jq clang"
else
    # of gperftools and mimalloc the -dev packages, since the names of the libraries' own differ between releases
    need_packages "$build_packages libcmocka-dev libgsl-dev libprotobuf-c-dev protobuf-c-compiler python3 python3-jsonschema chromium valgrind zstd gzip golang-go prometheus bash-completion fish zsh jq man-db mandoc libjemalloc2 libgoogle-perftools-dev libmimalloc-dev $npm" \
        "$build_packages_fedora libcmocka-devel gsl-devel protobuf-c-devel protobuf-c-compiler python3 python3-jsonschema chromium valgrind zstd gzip golang golang-github-prometheus bash-completion fish zsh jq man-db mandoc jemalloc gperftools-libs mimalloc nodejs-npm libasan libubsan"
fi
[ -z "$install" ] || exit 0

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

# The tests that take longest, which begin first, so that no core waits for them at the end.
slow='tests/oracle/test-jdk.sh tests/record/test-jvm.sh tests/cli/test-gc.sh tests/cli/test-hints.sh tests/cli/test-aids.sh
    tests/oracle/test-model.py tests/cli/test-manuals.sh test-report-forms tests/cli/test-profiles.sh test-compare-runs
    tests/cli/test-failures.sh tests/flame/test-flame.py tests/cli/test-readme.sh tests/record/test-jfc.sh'

# Words of FIRST that are among ALL, then the other words of ALL.
first_of() { # FIRST ALL
    echo "$1 | $2" | tr -s ' \n' '\n\n' | awk '
        $0 == "|" { all = 1; next }
        all { here[$0] = 1; order[++n] = $0; next }
        { first[++f] = $0 }
        END {
            for (i = 1; i <= f; i++) if (first[i] in here) { print first[i]; done[first[i]] = 1 }
            for (i = 1; i <= n; i++) if (!(order[i] in done)) print order[i]
        }'
}

# suite FOLDER [TESTS [PROGRAMS]]: make check there, with its progress; of what did not pass, the log's end. PROGRAMS: those that
# the tests need, where not all are to be built
suite() {
    say "tests in $1"
    find "$1" -name '*.trs' -exec rm -f {} +
    suite_failed=0 status=0 begun=$(date +%s)
    tests=$(first_of "$slow" "${2-$(make -C "$1" -s list-tests)}")
    # shellcheck disable=SC2086 # a list
    make -C "$1" -s -j "$jobs" check TESTS="$(echo $tests)" ${3+check_PROGRAMS="$3" check_LIBRARIES=} >"$1/check.log" 2>&1 ||
        status=$?
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
    say "tests in $1 took $(($(date +%s) - begun)) s"
}

# build FOLDER TARGETS CONFIGURE_ARGS...: a build that fails is a failed case, and the others go on
build() {
    (build_in "$@") && return 0
    failed=$((failed + 1))
    return 1
}

# Unit tests, the corpus of the fuzz targets, and tests of the command line; what is about pages runs once
units=$(cd "$top/tests" && echo unit/test_*.c fuzz/fuzz_*.c | sed 's/[a-z]*\///g; s/\.c//g; s/_/-/g')
cli=$(cd "$top" && echo tests/cli/test-*.sh | sed 's# *tests/cli/test-\(live\|manuals\|readme\)\.sh##g')
cli_few="tests/cli/test-inputs.sh tests/cli/test-forms.sh tests/cli/test-otherlogs.sh tests/cli/test-compare.sh"
cli_quick="tests/test-layers.py $cli_few tests/cli/test-refusals.sh tests/cli/test-results.sh tests/cli/test-usage.sh
    tests/cli/test-config.sh tests/cli/test-range.sh tests/cli/test-batch.sh tests/cli/test-summary.sh tests/cli/test-terminal.sh
    tests/record/test-power.sh tests/record/test-repeat.sh"
plain_alone="tests/cli/test-valgrind.sh tests/cli/test-failures.sh tests/cli/test-allocators.sh tests/cli/test-hardening.sh
    tests/cli/test-leaving.sh tests/cli/test-results.sh"

# build_some FOLDER "PROGRAMS" CONFIGURE_ARGS...: only the programs that some tests need
build_some() {
    folder=$1 some=$2
    shift 2
    build "$folder" "joular-analyze joular-record $some" "$@"
}

if [ $mode = compilers ]; then
    say "building with gcc"
    ! build "$top/build/plain" all --enable-werror ||
        suite "$top/build/plain" "$units $(echo "$cli" | sed 's# *tests/cli/test-\(failures\|valgrind\)\.sh##g')"
    say "building with clang"
    ! build "$top/build/plain-clang" all --enable-werror CC=clang || suite "$top/build/plain-clang" "$units"
    echo "$passed passed, $failed failed, $skipped skipped"
    [ $failed = 0 ] && exit 0
    exit 1
fi

say "building with sanitizers"
sanitizers="--enable-sanitizers=full CC=clang"
command -v clang >/dev/null || sanitizers=--enable-sanitizers
# shellcheck disable=SC2086 # a list of words
if build "$top/build/check" all --enable-werror $sanitizers; then
    if [ $mode = quick ]; then
        suite "$top/build/check" "$units $cli_quick"
    else
        suite "$top/build/check"
    fi
fi
if [ $mode != quick ]; then
    say "building without"
    ! build "$top/build/plain" all --enable-werror ||
        suite "$top/build/plain" "$([ $mode = long ] && echo "$cli" || echo "$plain_alone")"
fi
if [ $mode != quick ] && command -v clang >/dev/null; then
    say "building with ThreadSanitizer"
    ! build_some "$top/build/thread" "test-logwrite test-logdisk burn" --enable-werror --enable-sanitizers=thread CC=clang ||
        suite "$top/build/thread" "test-logwrite test-logdisk $(printf 'tests/%s.sh ' cli/test-inputs cli/test-results \
            record/test-running)" "test-logwrite test-logdisk burn"
fi
if [ $mode = long ]; then
    say "building with gcc's sanitizers"
    ! build "$top/build/gcc" all --enable-werror --enable-sanitizers ||
        suite "$top/build/gcc" "$units $(echo "$cli" | sed 's| *tests/cli/test-valgrind.sh||')"
    say "building with MemorySanitizer"
    memory=$(printf 'test-%s ' base-bytes base-json base-outfile base-text date flame hints jfr-chunks jfr-damage jfr-events \
        jfr-hostile jfr-pools jfr-samples jfr-strings jfr-times proc properties rapl raplzones ringbuffer stats vm)
    ! command -v clang >/dev/null ||
        ! build_some "$top/build/memory" "$memory burn" --enable-werror --enable-sanitizers=memory CC=clang ||
        suite "$top/build/memory" "$memory tests/record/test-power.sh tests/record/test-repeat.sh" "$memory burn"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
