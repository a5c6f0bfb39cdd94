#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build-tarball.sh FROM [HOST [OUTDIR]]: static programs for any Linux of HOST (x86_64-linux-gnu, which is the default, or
# aarch64-linux-gnu) with manuals, completions and unit files, as joular-jfr-VERSION-HOST.tar.xz in OUTDIR (default: packages/), made of
# what FROM makes by `make dist`. Its content belongs into /usr/local; the programs run from anywhere.
#
# Needs pkgconf, protobuf-c-compiler and the static libraries of HOST: libc6-dev, libjson-c-dev, libcsv-dev, libzstd-dev, zlib1g-dev,
# libgsl-dev, libprotobuf-c-dev; for another architecture than one's own those of that architecture (`dpkg --add-architecture arm64`,
# best in a debootstrap folder) and its gcc, gcc-aarch64-linux-gnu. tests/packaging/try-packages.sh does all that.
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/packaging/dist.sh"
host=${2:-x86_64-linux-gnu}
need pkg-config pkgconf
need protoc-c protobuf-c-compiler
need "$host-gcc" "gcc-$host"
distribution "${1:?usage: build-tarball.sh FROM [HOST [OUTDIR]]}" "${3:-packages}"

name=joular-jfr-$version-$host
rm -rf "joular-jfr-$version" "build-$host" "$name"
tar -xf "$tarball"
mkdir "build-$host"
(
    cd "build-$host"
    PKG_CONFIG_LIBDIR=/usr/lib/$host/pkgconfig:/usr/share/pkgconfig
    export PKG_CONFIG_LIBDIR
    "../joular-jfr-$version/configure" -q --host="$host" CC="$host-gcc" LDFLAGS=-static CFLAGS="-O2 -g" PKG_CONFIG="pkg-config --static" \
        --with-zlib=yes --with-gsl=yes --with-protobuf-c=yes
    make -s
    make -s install-strip DESTDIR="$PWD/installed"
)
mv "build-$host/installed/usr/local" "$name"
mkdir -p "$name/share/doc/joular-jfr"
for file in README.md NEWS SECURITY.md COPYING; do
    cp "joular-jfr-$version/$file" "$name/share/doc/joular-jfr/"
done
tar -cJf "$name.tar.xz" --owner=0 --group=0 --numeric-owner --sort=name "$name"
rm -rf "build-$host" "joular-jfr-$version"
ls "$PWD/$name.tar.xz"
