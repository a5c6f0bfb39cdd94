#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# debian.sh SUITE [ARGS...]: tests/run.sh ARGS (default: --compilers) on another Debian release, with its compilers and libraries. SUITE
# is its name, as bookworm (12) or trixie (13).
#
# The release is a folder made by debootstrap (folder.sh), into which the sources are copied, without what was made from them.
# Its last line is that of tests/run.sh, `N passed, N failed, N skipped`. Exit 77 (skip) with a reason as last line where it cannot be
# done.
set -eu

suite=${1:?usage: debian.sh SUITE [ARGS of run.sh]}
shift
[ $# != 0 ] || set -- --compilers
top=$(cd "$(dirname "$0")/.." && pwd)

skip() {
    echo "debian.sh: $suite skipped: $*"
    exit 77
}

. "$top/tests/folder.sh"
debian_folder "$suite"
copy=$(mktemp -d "$root/var/tmp/joular-jfr.XXXXXX")
trap 'rm -rf "$copy"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
chmod 755 "$copy"
(cd "$top" && tar -cf - --exclude=./.git --exclude='./build*' --exclude=./autom4te.cache --exclude=./aclocal.m4 --exclude=./configure \
    --exclude=./Makefile.in --exclude=./config.h.in --exclude='*.pb-c.[ch]' .) | tar -xf - -C "$copy"

run_inside() { # ARGS of run.sh
    # shellcheck disable=SC2016 # of the shell inside
    inside env -u JAVA_HOME -u TMPDIR -u LD_PRELOAD HOME=/root LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        sh -c 'cd "$1" && shift && exec sh tests/run.sh "$@"' sh "${copy#"$root"}" "$@"
}

run_inside --install "$@" >"$cache/$suite-packages.log" 2>&1 || skip "its packages cannot be had: $(tail -n 1 "$cache/$suite-packages.log")"
flock -u 9
status=0
run_inside "$@" || status=$?
exit $status
