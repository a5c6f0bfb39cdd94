#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build-deb.sh FROM [OUTDIR]: Debian source and binary packages of what FROM makes by `make dist`, in OUTDIR (default:
# packages/). debian/ is packaging/deb. Needs debhelper and the Build-Depends of packaging/deb/control;
# `dpkg-buildpackage` says which are missing. DEB_BUILD_OPTIONS=nocheck leaves the tests out.
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/packaging/dist.sh"
need dpkg-buildpackage dpkg-dev
distribution "${1:?usage: build-deb.sh FROM [OUTDIR]}" "${2:-packages}"

cp "$tarball" "joular-jfr_$version.orig.tar.xz"
rm -rf "joular-jfr-$version"
tar -xf "$tarball"
cp -R "joular-jfr-$version/packaging/deb" "joular-jfr-$version/debian"
cd "joular-jfr-$version"
put_maintainer debian/control debian/changelog debian/copyright
# the newest Policy that lintian of Debian 12 knows
case $(. /etc/os-release && echo "${VERSION_CODENAME-}") in
    bookworm) sed -i 's/^Standards-Version: .*/Standards-Version: 4.6.2/' debian/control ;;
esac
dpkg-buildpackage -us -uc
cd ..
ls "$PWD"/joular-jfr_"$version"*
