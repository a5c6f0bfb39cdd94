#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# try-packages.sh BUILD [WHAT...]: builds the packages of what BUILD makes by `make dist`, and tries them in fresh folders of Debian 12
# and 13 made by debootstrap. Needs root. WHAT: some of bookworm, trixie (the .deb, lintian, autopkgtest), demo (the .deb from the build
# folder of samples/demo.sh), rpm, x86_64, aarch64; all of them if none is named. The folders are kept in $JOULAR_PACKAGES_CACHE for the
# next time, the packages in BUILD/packages.
#
# Exit 77 where some of that cannot be done, with the reasons as last line.
set -eu

from=$(cd "${1:?usage: try-packages.sh BUILD [WHAT...]}" && pwd)
shift
[ $# -gt 0 ] || set -- bookworm trixie demo rpm x86_64 aarch64
top=$(cd "$(dirname "$0")/../.." && pwd)
cache=${JOULAR_PACKAGES_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/joular-jfr/packages}
out=$from/packages

skip() {
    echo "$*"
    exit 77
}

[ "$(id -u)" = 0 ] || skip "debootstrap needs root"
for tool in debootstrap autopkgtest; do
    command -v $tool >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $tool >/dev/null || skip "$tool cannot be installed"
done
mkdir -p "$cache" "$out"
work=$(mktemp -d "$cache/try.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# fresh SUITE NAME: a folder $work/NAME with nothing but the base of the suite
fresh() {
    if [ ! -e "$cache/$1/.ready" ]; then
        rm -rf "${cache:?}/$1"
        debootstrap --variant=minbase "$1" "$cache/$1" >"$cache/$1.log" 2>&1 || skip "debootstrap $1 failed, see $cache/$1.log"
        touch "$cache/$1/.ready"
    fi
    rm -rf "${work:?}/$2"
    cp -a --reflink=auto "$cache/$1" "$work/$2"
    cp /etc/resolv.conf "$work/$2/etc/resolv.conf"
    root=$work/$2
    inside apt-get update -qq
}

inside() { # COMMAND...: as root of $root, with /proc and /dev, in /root
    unshare -m sh -c '
        set -e
        root=$1
        shift
        mount --make-rprivate /
        mount --rbind /proc "$root/proc"
        mount --rbind /dev "$root/dev"
        exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
            DEB_BUILD_OPTIONS="nocheck parallel=$(nproc)" sh -c "cd /root && exec \"\$@\"" sh "$@"' inside "$root" "$@"
}

add() { # PACKAGE...
    inside apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

sources() { # the tarball and its packaging/, in $root/root
    cp "$tarball" "$root/root/"
    tar -xf "$tarball" -C "$root/root"
    source=$(basename "$tarball" .tar.xz)
}

build_dep() { # FOLDER: installs the Build-Depends of packaging/deb in a folder of sources of $root
    inside cp -R "$1/packaging/deb" "$1/debian"
    inside apt-get build-dep -y -qq --no-install-recommends "./$1" >/dev/null
    rm -r "$root/root/$1/debian"
}

# What protoc-c makes, as it must not come into a package: of a source tree and not of the build.
plant_generated() { # FOLDER
    for file in pprof.pb-c.c pprof.pb-c.h; do
        echo "#error $file was not made by the build" >"$1/src/report/$file"
    done
}

same_profile() { # ANALYZE...: in $root, writes the same profile as the joular-analyze of BUILD
    inside "$@" -q --format pprof -o profile "$source/samples/shop-jdk25.jfr" "$source/samples/shop-jdk25.power.log"
    gzip -dc "$root/root/profile/profile.pb.gz" | cmp - "$work/profile.pb"
}

lint() { # what lintian of $root says of the source and the binary package; leaves 77 in $linted if it cannot be had
    linted=0
    add lintian || { linted=77 && return 0; }
    inside sh -c 'lintian --allow-root -I --pedantic --fail-on error,warning,info,pedantic packages/*.changes'
}

try_deb() { # SUITE
    fresh "$1" "$1-build"
    sources
    add dpkg-dev
    build_dep "$source"
    inside sh "$source/packaging/build-deb.sh" "$(basename "$tarball")" packages
    lint
    mkdir -p "$out/$1"
    cp "$root"/root/packages/*.deb "$root"/root/packages/*.dsc "$root"/root/packages/*.tar.xz "$root"/root/packages/*.changes "$out/$1/"

    # once more from the source package, in a tree with generated code in it
    inside mkdir again
    inside sh -c 'dpkg-source -x packages/*.dsc again/tree'
    plant_generated "$root/root/again/tree"
    inside sh -c 'cd again/tree && dpkg-buildpackage -us -uc -b'
    inside sh -c 'dpkg-deb -x again/joular-jfr_[0-9]*.deb again/unpacked'
    same_profile again/unpacked/usr/bin/joular-analyze
    rm -rf "$root"

    fresh "$1" "$1-test"
    unshare -m sh -c 'mount --make-rprivate / && mount --rbind /proc "$2/proc" && exec env -u TMPDIR autopkgtest --quiet "$1"/*.changes -- chroot "$2"' \
        sh "$out/$1" "$root"
    inside dpkg --purge joular-jfr
    left=$(find "$root/etc" "$root/usr" "$root/var/lib" "$root/lib/" -name '*joular*' ! -path '*/dpkg/*' ! -path '*/apt/*')
    [ -z "$left" ] || { echo "left after the purge: $left" && exit 1; }
    rm -rf "$root"
    [ $linted = 0 ] || skip "lintian cannot be installed in $1; all else passed"
}

# The first steps of somebody who has a checkout: the demo, which builds without optional libraries and without protoc-c, and a package
# from its build folder, here with the tests that a package runs.
try_demo() {
    fresh bookworm demo
    sources
    if (cd "$top" && git ls-files -z) >"$work/files" 2>/dev/null; then
        rm -rf "$root/root/$source"
        mkdir "$root/root/$source"
        (cd "$top" && tar -c --null -T "$work/files") | tar -x -C "$root/root/$source"
    fi
    inside sh "$source/samples/demo.sh"
    add dpkg-dev
    build_dep "$source"
    inside env DEB_BUILD_OPTIONS="parallel=$(nproc)" sh "$source/packaging/build-deb.sh" "$source/build/demo" packages
    tar -tf "$tarball" | sort >"$work/files"
    tar -tf "$root/root/packages/$(basename "$tarball")" | sort >"$work/files-here"
    diff "$work/files" "$work/files-here" || { echo "make dist puts other files together in the demo's folder" && exit 1; }
    inside sh -c 'apt-get install -y -qq --no-install-recommends ./packages/*.deb >/dev/null'
    same_profile joular-analyze
    rm -rf "$root"
}

try_rpm() {
    fresh bookworm rpm
    sources
    add gcc make pkg-config xz-utils rpm libjson-c-dev libcsv-dev libzstd-dev zlib1g-dev libgsl-dev \
        libprotobuf-c-dev protobuf-c-compiler
    inside sh "$source/packaging/build-rpm.sh" --nocheck "$(basename "$tarball")" packages
    mkdir -p "$out/rpm"
    cp "$root"/root/packages/rpm/RPMS/*/*.rpm "$root"/root/packages/rpm/SRPMS/*.rpm "$out/rpm/"
    add cpio
    inside sh -c 'mkdir unpacked && cd unpacked && rpm2cpio ../packages/rpm/RPMS/*/joular-jfr-[0-9]*.rpm | cpio -id --quiet'
    inside "unpacked/usr/bin/joular-analyze" -q -o results "$source/samples/shop-jdk25.jfr" "$source/samples/shop-jdk25.power.log"
    inside test -s results/methods-power-all.csv

    # once more, of sources with generated code in them
    mkdir -p "$root/root/again/SOURCES"
    plant_generated "$root/root/$source"
    inside tar -cJf "again/SOURCES/$source.tar.xz" "$source"
    inside rpmbuild -bb --nodeps --nocheck --define "_topdir /root/again" packages/rpm/SPECS/joular-jfr.spec
    inside sh -c 'cd again && rpm2cpio RPMS/*/joular-jfr-[0-9]*.rpm | cpio -id --quiet'
    same_profile again/usr/bin/joular-analyze
    rm -rf "$root"
}

try_tarball() { # HOST
    fresh bookworm "$1"
    sources
    run=
    case $1 in
        aarch64-*)
            inside dpkg --add-architecture arm64
            inside apt-get update -qq
            add make pkg-config xz-utils protobuf-c-compiler gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static \
                libjson-c-dev:arm64 libcsv-dev:arm64 libzstd-dev:arm64 zlib1g-dev:arm64 libgsl-dev:arm64 libprotobuf-c-dev:arm64
            run=qemu-aarch64-static
            ;;
        *)
            add make pkg-config xz-utils protobuf-c-compiler gcc libjson-c-dev libcsv-dev libzstd-dev zlib1g-dev libgsl-dev \
                libprotobuf-c-dev
            ;;
    esac
    inside sh "$source/packaging/build-tarball.sh" "$(basename "$tarball")" "$1" packages
    cp "$root/root/packages/$source-$1.tar.xz" "$out/"
    inside tar -xf "packages/$source-$1.tar.xz"
    if inside "${1%%-*}-linux-gnu-readelf" -l "$source-$1/bin/joular-analyze" | grep -q INTERP; then
        echo "joular-analyze is not static" && exit 1
    fi
    # the same bytes as the programs of this machine make
    "$from/joular-analyze" -q -o "$work/wanted" "$top/samples/shop-jdk25.jfr" "$top/samples/shop-jdk25.power.log"
    inside $run "$source-$1/bin/joular-analyze" -q -o results "$source/samples/shop-jdk25.jfr" "$source/samples/shop-jdk25.power.log"
    diff -r "$work/wanted" "$root/root/results" >/dev/null || { echo "the results differ from those of $from/joular-analyze" && exit 1; }
    same_profile $run "$source-$1/bin/joular-analyze"
    inside $run "$source-$1/bin/joular-compare" -q results --vs results
    inside $run "$source-$1/bin/joular-record" -q -s estimate --idle-watts 8 --max-watts 65 --user daemon -o /tmp/power.log -- sleep 1
    grep -q '^cycle,' "$root/tmp/power.log"
    rm -rf "$root"
}

rm -f "$from"/joular-jfr-*.tar.xz
make -C "$from" -s dist
tarball=$(ls "$from"/joular-jfr-*.tar.xz)
"$from/joular-analyze" -q --format pprof -o "$work" "$top/samples/shop-jdk25.jfr" "$top/samples/shop-jdk25.power.log" ||
    skip "the profiles that packages write are compared with those of $from, which writes none"
gzip -d "$work/profile.pb.gz"
skipped=
for what; do
    case $what in
        bookworm | trixie) try="try_deb $what" ;;
        demo | rpm) try=try_$what ;;
        x86_64 | aarch64) try="try_tarball $what-linux-gnu" ;;
        *) echo "try-packages.sh: what is $what?" >&2 && exit 2 ;;
    esac
    # `set -e` does not hold left of `||`
    set +e
    (
        set -e
        $try
    ) >"$out/$what.log" 2>&1
    status=$?
    set -e
    case $status in
        0) echo "ok $what" ;;
        77) skipped="${skipped:+$skipped; }$what: $(tail -n 1 "$out/$what.log")" ;;
        *)
            tail -n 40 "$out/$what.log"
            echo "FAILED: $what, see $out/$what.log"
            exit $status
            ;;
    esac
done
[ -z "$skipped" ] || skip "$skipped"
