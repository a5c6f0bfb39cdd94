#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sh tests/musl.sh: builds the programs against musl, static, and holds their results against those of the build for this machine's C
# library, byte by byte.
#
# Debian has musl and its compiler, but no libraries built with it: json-c, libcsv and zstd are built here from Debian's sources, once,
# in $JOULAR_MUSL_CACHE. Lists of source packages are kept there too: what apt knows of this machine stays as it is.
#
# Its last line is `N passed, N failed, N skipped`. Exit 77 (skip) with a reason as last line where it cannot be done.
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
cache=${JOULAR_MUSL_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/joular-jfr/musl}
build=$top/build/musl
me=musl.sh
. "$top/samples/setup.sh"

skip() {
    echo "musl.sh: skipped: $*"
    exit 77
}

release=$(. /etc/os-release 2>/dev/null && [ "${ID-}" = debian ] && echo "${VERSION_CODENAME-}") || skip "this is not Debian"
if ! command -v musl-gcc >/dev/null || ! command -v cmake >/dev/null; then
    [ "$(id -u)" = 0 ] || skip "musl-tools or cmake is not installed, and installing it needs root"
    quietly env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends musl-tools cmake ||
        skip "apt-get install musl-tools cmake failed, see build/setup.log"
fi

mkdir -p "$cache"
exec 9>"$cache/lock"
flock 9
prefix=$cache/$release/prefix
log=$cache/$release/log

apt() { # ARGS...: apt-get for source packages
    apt-get -q -o Dir::State="$fresh/state" -o Dir::State::status=/var/lib/dpkg/status -o Dir::Cache="$fresh/cache" \
        -o Dir::Etc::sourcelist="$fresh/sources.list" -o Dir::Etc::sourceparts=/dev/null -o APT::Sandbox::User=root "$@" >>"$log" 2>&1
}

build_libraries() {
    mkdir -p "$prefix/include" "$prefix/lib/pkgconfig" &&
        for package in json-c libcsv libzstd; do
            mkdir -p "$fresh/$package" && tar -xf "$(find "$fresh" -maxdepth 1 -name "${package}_*.orig.tar.*" ! -name "*.asc")" -C "$fresh/$package" --strip-components=1 || return 1
        done &&
        (cd "$fresh/json-c" && mkdir -p made && cd made &&
            cmake -DCMAKE_C_COMPILER=musl-gcc -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_BUILD_TYPE=Release \
                -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF -DBUILD_APPS=OFF -DDISABLE_WERROR=ON .. && make -s && make -s install) &&
        (cd "$fresh/libcsv" && musl-gcc -O2 -c libcsv.c && ar rc "$prefix/lib/libcsv.a" libcsv.o && cp csv.h "$prefix/include") &&
        (cd "$fresh/libzstd/lib" && make -s libzstd.a CC=musl-gcc ZSTD_LEGACY_SUPPORT=0 && cp libzstd.a "$prefix/lib" && cp zstd*.h "$prefix/include" &&
            make -s libzstd.pc PREFIX="$prefix" && cp libzstd.pc "$prefix/lib/pkgconfig")
}

if [ ! -e "$prefix/.ready" ]; then
    fresh=$cache/$release
    rm -rf "$fresh"
    mkdir -p "$fresh/state/lists/partial" "$fresh/cache/archives/partial"
    : >"$log"
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $release main" >"$fresh/sources.list"
    (cd "$fresh" && apt update && apt source --download-only json-c libcsv libzstd) || skip "the sources of the libraries cannot be had, see $log"
    build_libraries >>"$log" 2>&1 || skip "the libraries do not build with musl, see $log"
    touch "$prefix/.ready"
fi
flock -u 9

PKG_CONFIG_LIBDIR=$prefix/lib/pkgconfig
export PKG_CONFIG_LIBDIR
LDFLAGS="-static -L$prefix/lib"
export LDFLAGS # which has a space
build_in "$build" "joular-analyze joular-compare joular-record" CC=musl-gcc CPPFLAGS="-I$prefix/include" --with-zlib=no --with-gsl=no \
    --with-protobuf-c=no
unset LDFLAGS
build_in "$top/build/native" "joular-analyze joular-compare joular-record" --with-zlib=no --with-gsl=no --with-protobuf-c=no

passed=0 failed=0
held() { # NAME COMMAND...
    name=$1
    shift
    if "$@" >>"$build/held.log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
    fi
}

# Results of the recordings in the repository, of a comparison and of a merge, by one build
results() { # BUILD FOLDER
    rm -rf "$2"
    mkdir -p "$2"
    (
        cd "$2"
        for recording in "$top"/samples/*.jfr "$top"/tests/data/*.jfr; do
            log=${recording%.jfr}.power.log name=$(basename "$recording" .jfr)
            [ ! -e "$log" ] || "$1/joular-analyze" -q -j2 --format all -o "$name" "$recording" "$log" >"$name.out" 2>&1
        done
        "$1/joular-compare" --html compared.html shop-jdk17 --vs shop-jdk25 >compared.txt
        "$1/joular-compare" --merge merged shop-jdk17 shop-jdk25 >merged.txt
    )
}

ends_in_words() { # of memory, in libraries too
    ! "$build/joular-analyze" --max-memory 1M -q -o "$build/none" "$top/samples/shop-jdk25.jfr" "$top/samples/shop-jdk25.power.log" 2>"$build/words" &&
        grep -q 'needs more memory than the 1 MiB' "$build/words"
}

records() { # a log that is read again
    rm -f "$build/musl.log"
    "$build/joular-record" -q -s estimate --idle-watts 10 --max-watts 50 -i 100 -o "$build/musl.log" -- sleep 0.5 && grep -q '^cycle,' "$build/musl.log"
}

: >"$build/held.log"
held "the programs are static" sh -c '! readelf -l "$1/joular-record" | grep -q INTERP' sh "$build"
held "results with musl" results "$build" "$build/results"
held "results with this machine's C library" results "$top/build/native" "$top/build/native/results"
held "both are the same" diff -r "$top/build/native/results" "$build/results"
held "memory ends in words" ends_in_words
held "joular-record writes a log" records
[ $failed = 0 ] || tail -n 20 "$build/held.log"
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
