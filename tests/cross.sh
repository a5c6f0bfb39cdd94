#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# cross.sh armhf|s390x: builds for a machine of 32 bits, or a big-endian one, and runs the unit tests, the corpus of the fuzz
# targets and what the command line gives for the samples under qemu, against the same expected bytes as anywhere.
#
# The compiler and qemu are Debian's packages for this machine. The libraries of the other one are packages unpacked into a folder,
# with lists of packages of their own: what dpkg and apt know of this machine stays as it is. The folder is kept in
# $JOULAR_CROSS_CACHE for the next time. Programs start through wrappers, since the kernel need not know of qemu; test-failures,
# test-leaving, test-valgrind, test-hardening and the recorder's tests need a machine of that kind.
#
# Of some tests with very many cases that are alike fewer are tried (JOULAR_SLOW): qemu takes some 20 times as long.
#
# Its last line is `N passed, N failed, N skipped` of tests. Exit 77 (skip) with a reason as last line where it cannot be done.
set -eu

arch=${1:?usage: cross.sh armhf|s390x}
top=$(cd "$(dirname "$0")/.." && pwd)
cache=${JOULAR_CROSS_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/joular-jfr/cross}
build=$top/build/$arch
me=cross.sh
. "$top/samples/setup.sh"

skip() {
    echo "cross.sh: $arch skipped: $*"
    exit 77
}

case $arch in
    armhf) host=arm-linux-gnueabihf qemu=qemu-arm-static ;;
    s390x) host=s390x-linux-gnu qemu=qemu-s390x-static ;;
    *) skip "only armhf and s390x are known" ;;
esac

# The libraries must be of the release whose cross compiler this is.
release=$(. /etc/os-release 2>/dev/null && [ "${ID-}" = debian ] && echo "${VERSION_CODENAME-}") || skip "this is not Debian"
if ! command -v "$host-gcc" >/dev/null || ! command -v "$qemu" >/dev/null; then
    [ "$(id -u)" = 0 ] || skip "gcc-$host or qemu-user-static is not installed, and installing it needs root"
    quietly env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "gcc-$host" qemu-user-static ||
        skip "apt-get install gcc-$host qemu-user-static failed, see build/setup.log"
fi

root=$cache/$release-$arch/root
mkdir -p "$cache"
exec 9>"$cache/$release-$arch.lock"
flock 9

apt() { # ARGS...: apt-get for the other machine, which has no package yet
    apt-get -qq -o APT::Architecture="$arch" -o APT::Architectures="$arch" -o APT::Sandbox::User=root \
        -o Dir::State="$fresh/state" -o Dir::State::status=/dev/null -o Dir::Cache="$fresh/cache" \
        -o Dir::Etc::sourcelist="$fresh/sources.list" -o Dir::Etc::sourceparts=/dev/null "$@" >>"$cache/$release-$arch.log" 2>&1
}

if [ ! -e "$root/.ready" ]; then
    fresh=${root%/root}
    rm -rf "$fresh"
    mkdir -p "$fresh/state/lists/partial" "$fresh/cache/archives/partial" "$root"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $release main" >"$fresh/sources.list"
    : >"$cache/$release-$arch.log"
    apt update && apt install -y --no-install-recommends --download-only libc6-dev libjson-c-dev libcsv-dev libzstd-dev zlib1g-dev \
        libgsl-dev libprotobuf-c-dev libcmocka-dev || skip "the packages cannot be had, see $cache/$release-$arch.log"
    for package in "$fresh/cache/archives"/*.deb; do
        dpkg -x "$package" "$root"
    done
    # what is meant from that machine's / is meant from this folder
    find "$root" -type l -lname '/*' | while IFS= read -r link; do
        ln -sfr "$root$(readlink "$link")" "$link"
    done
    rm -rf "$fresh/state" "$fresh/cache"
    touch "$root/.ready"
fi

PKG_CONFIG_LIBDIR=$root/usr/lib/$host/pkgconfig:$root/usr/share/pkgconfig
PKG_CONFIG_SYSROOT_DIR=$root
QEMU_LD_PREFIX=$root
JOULAR_SLOW=1
export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR QEMU_LD_PREFIX JOULAR_SLOW

wrap() { # PROGRAM...: what others start is a script that starts qemu
    for program; do
        program=$build/$program
        [ "$(head -c 2 "$program")" != '#!' ] || continue
        mv "$program" "$program.bin"
        printf '#!/bin/sh\nexec %s "%s.bin" "$@"\n' "$qemu" "$program" >"$program"
        chmod +x "$program"
    done
}

# test-compare-runs compares made runs by the thousand, for many minutes under qemu, and reads nothing.
programs=$(cd "$top/tests" && echo unit/test_*.c fuzz/fuzz_*.c | sed 's/[a-z]*\///g; s/\.c//g; s/_/-/g; s/test-compare-runs //')
cli=$(printf 'tests/cli/test-%s.sh ' compare forms inputs otherlogs profiles range results summary)
build_in "$build" "joular-analyze joular-compare joular-record" --enable-werror --host="$host" CC="$host-gcc --sysroot=$root" \
    --with-zlib=yes --with-gsl=yes --with-protobuf-c=yes
# shellcheck disable=SC2086 # a list
quietly make -C "$build" -s -j "$jobs" counter-mover flame-page many-methods $programs || die "make failed: $(tail -n 30 "$top/build/setup.log")"
wrap joular-analyze joular-compare joular-record counter-mover flame-page many-methods
status=0
make -C "$build" -s -j "$jobs" check check_PROGRAMS= TESTS="$programs $cli" LOG_COMPILER="$qemu" >"$build/check.log" 2>&1 || status=$?
awk -v status=$status '
    /^(FAIL|ERROR):/ { print; failed++ } /^PASS:/ { passed++ } /^SKIP:/ { print; skipped++ }
    END {
        if (status != 0 && !failed) failed = 1 # it came to no test
        printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
    }' "$build/check.log"
exit $status
