# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# setup.sh: what samples/demo.sh and tests/run.sh share. To be sourced, with $top the top folder of the sources and $me the name to
# speak under. Packages that are there are not installed again, a build that is up to date is not made again.

build_packages="gcc make autoconf automake pkg-config libjson-c-dev libcsv-dev libzstd-dev zlib1g-dev"
build_packages_fedora="gcc make autoconf automake pkgconf-pkg-config json-c-devel libcsv-devel libzstd-devel zlib-devel"

say() {
    echo "$me: $*"
}

die() {
    echo "$me: $*" >&2
    exit 1
}

# need_packages DEBIAN_PACKAGES FEDORA_PACKAGES: installs what is missing. Where it cannot, says what is needed and goes on: configure
# names what is really missing.
need_packages() {
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        say "packages are installed on Debian 12 or newer and its kin only. Needed here, by their Fedora names:"
        say "    $2"
        return 0
    fi
    missing=
    for package in $1; do
        # pkgconf provides pkg-config
        dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -q -x installed || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    as_root=
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || die "packages are missing; run this as root: apt-get install$missing"
        as_root=sudo
    fi
    say "installing$missing"
    # shellcheck disable=SC2086 # lists of words
    quietly $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing && return 0
    # the lists of packages may be old, or not there at all
    # shellcheck disable=SC2086
    quietly $as_root apt-get update || true
    # shellcheck disable=SC2086
    quietly $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing ||
        die "apt-get install$missing failed: $(tail -n 3 "$top/build/setup.log")"
}

quietly() { # COMMAND...: its words go to a file (sudo asks for its password on the terminal all the same)
    mkdir -p "$top/build"
    "$@" >>"$top/build/setup.log" 2>&1
}

# build_in FOLDER "TARGETS" CONFIGURE_ARGS...: configures if need be, and makes.
build_in() {
    folder=$1 targets=$2
    shift 2
    command -v autoreconf >/dev/null || die "autoconf and automake are needed, see above"
    [ ! -e "$top/config.status" ] || die "$top is configured in place, which no build in another folder bears: run \`make distclean\` there"
    if [ ! -e "$top/configure" ] || [ ! -e "$top/Makefile.in" ] || [ -n "$(find "$top/configure.ac" -newer "$top/configure")" ] ||
        [ -n "$(find "$top/Makefile.am" -newer "$top/Makefile.in")" ]; then
        say "autoreconf"
        (cd "$top" && quietly autoreconf -i) || die "autoreconf failed: $(tail -n 3 "$top/build/setup.log")"
    fi
    mkdir -p "$folder"
    wanted="$top/configure $*"
    if [ ! -e "$folder/Makefile" ] || [ "$(cat "$folder/configured-as" 2>/dev/null)" != "$wanted" ]; then
        say "configure in $folder"
        (cd "$folder" && "$top/configure" "$@" >configure.log 2>&1) || die "configure failed: $(grep error: "$folder/configure.log" ||
            tail -n 3 "$folder/configure.log")"
        echo "$wanted" >"$folder/configured-as"
    fi
    jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
    # shellcheck disable=SC2086 # a list of targets
    make -C "$folder" -s -j "$jobs" $targets >"$folder/make.log" 2>&1 || {
        tail -n 30 "$folder/make.log" >&2
        die "make failed in $folder, see above"
    }
}
