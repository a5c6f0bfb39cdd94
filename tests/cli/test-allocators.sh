#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Other allocators: what Java images preload, and what the C library's own is told by its environment. The programs do what they do
# without, and where memory ends inside of a library they say so as ever (src/base/libmalloc.c).
. "$(dirname "$0")/lib.sh"

jfr=$samples/shop-jdk25.jfr
log=$samples/shop-jdk25.power.log
settings='' # NAME=VALUE words: the environment of what is run

run() { # TOOL ARGS...: under the settings
    ran=$1 code=0
    shift
    # shellcheck disable=SC2086 # words
    env $settings "$build/$ran" "$@" >out 2>err || code=$?
}

no_sanitizers() {
    [ -z "$(sed -n 's/^SANITIZE = //p' "$build/Makefile")" ] || skip "this build has sanitizers, which are an allocator"
}

preloaded() { # LIBRARY: its name in this folder or the linker's, or skip
    no_sanitizers
    [ -z "$(env LD_PRELOAD="$1" sh -c : 2>&1)" ] || skip "$1 is not installed"
    settings=LD_PRELOAD=$1
}

ends_in_words() { # TOOL ARGS...: at 1 MiB, and at more, until it is enough
    tool=$1 ended=0
    shift
    for size in 1 2 3 4 5 6 8 10 12 14 16 20 24 28 32 48 64 128 256 512 1024 1536 2048; do # mimalloc 3 reserves 1 GiB
        run "$tool" --max-memory "${size}M" "$@"
        [ $code != 0 ] || return 0
        wants 1
        says "needs more memory than the $size MiB that --max-memory allows"
        no_results
        ended=$((ended + 1))
    done
    fail "$tool needs more than $size MiB"
}

everything_is_as_without() {
    for name in joular-analyze joular-compare joular-record; do
        run $name --help
        wants 0
        silent
    done

    "$program" -q --format all -o "$case_dir.plain" "$jfr" "$log" || fail "no results to compare with"
    run joular-analyze -q -j2 --format all -o results "$jfr" "$log"
    wants 0
    silent
    same_results "$case_dir.plain" results

    "$build/joular-compare" --json plain.json results --vs "$jfr:$log" >plain || fail "no comparison to compare with"
    run joular-compare --json here.json results --vs "$jfr:$log"
    wants 0
    silent
    same plain out
    same plain.json here.json

    run joular-record -s estimate --idle-watts 10 --max-watts 20 -o power.log --json record.json -- true
    wants 0
    [ "$(head -n 1 power.log)" = '#joular-power-log 1' ] || fail "no log"
    [ -s record.json ] || fail "no JSON"

    mv results "$case_dir.results"
    ends_in_words joular-analyze -q -j2 --format all -o few "$jfr" "$log"
    [ $ended != 0 ] || fail "1 MiB was enough"
    same_results "$case_dir.plain" few
    rm -r few
    ends_in_words joular-analyze -q --from-report "$case_dir.results/report.json" --format csv,collapsed -o few
    rm -r few
    ends_in_words joular-compare "$case_dir.results" --vs "$case_dir.results"
    [ $ended != 0 ] || fail "1 MiB was enough"
}

case_the_programs_replace_all_of_an_allocator() {
    have readelf
    grep -q '^#define HAVE_NEXT_MALLOC 1' "$build/config.h" || skip "this build has no malloc of its own, or is static"
    for name in joular-analyze joular-compare joular-record; do
        readelf --dyn-syms -W "$build/$name" | awk '$7 != "UND" { print $8 }' >defined
        for function in malloc calloc realloc free aligned_alloc memalign posix_memalign valloc malloc_usable_size; do
            grep -q -x $function defined || fail "$name has no $function"
        done
    done
}

case_jemalloc() {
    preloaded libjemalloc.so.2
    everything_is_as_without
}

case_tcmalloc() {
    preloaded libtcmalloc.so.4
    everything_is_as_without
}

case_tcmalloc_minimal() {
    preloaded libtcmalloc_minimal.so.4
    everything_is_as_without
}

case_mimalloc() {
    ls /usr/lib*/libmimalloc.so.[0-9] /usr/lib/*/libmimalloc.so.[0-9] >found 2>/dev/null || true
    preloaded "$(head -n 1 found | grep . || echo libmimalloc.so)"
    everything_is_as_without
}

case_the_debugging_allocator_of_glibc() {
    preloaded libc_malloc_debug.so.0
    everything_is_as_without
    settings="$settings GLIBC_TUNABLES=glibc.malloc.check=3"
    rm -r "$case_dir.plain" "$case_dir.results"
    everything_is_as_without
}

case_tunables_of_glibc() {
    no_sanitizers
    settings=GLIBC_TUNABLES=glibc.malloc.perturb=165:glibc.malloc.arena_max=1:glibc.malloc.tcache_count=0
    everything_is_as_without
}

case_memory_that_ends_inside_of_zstd() { # which wants 128 MiB for that distance, before it unpacks anything
    have zstd
    no_sanitizers
    zstd -q --long=27 <"$jfr" >run.zst
    run joular-analyze -q -o results run.zst "$log"
    wants 0
    rm -r results
    run joular-analyze -q --max-memory 100M -o results run.zst "$log"
    refuses 'needs more memory than the 100 MiB that --max-memory allows'
}

case_memory_that_ends_inside_of_libcsv() { # which keeps a field until it ends
    no_sanitizers
    {
        echo timestamp,watts
        head -c 30000000 /dev/zero | tr '\0' 1
        echo ,1
    } >long.csv
    run joular-analyze -q -o results "$jfr" long.csv
    refuses '*long.csv: line 2*'
    run joular-analyze -q --max-memory 20M -o results "$jfr" long.csv
    refuses 'needs more memory than the 20 MiB that --max-memory allows'
}

run_cases
