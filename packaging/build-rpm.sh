#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build-rpm.sh [--nocheck] FROM [OUTDIR]: RPM source and binary packages of what FROM makes by `make dist`, in OUTDIR (default:
# packages/). On Debian, whose packages rpm does not know, what the spec file needs is not looked for (--nodeps): configure does that.
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/packaging/dist.sh"
need rpmbuild rpm
need xz xz-utils
check=
[ "${1-}" != --nocheck ] || { check=--nocheck && shift; }
distribution "${1:?usage: build-rpm.sh [--nocheck] FROM [OUTDIR]}" "${2:-packages}"

nodeps=
[ ! -e /etc/debian_version ] || nodeps=--nodeps
mkdir -p rpm/SOURCES rpm/SPECS
cp "$tarball" rpm/SOURCES/
cp "$top/packaging/joular-jfr.spec" rpm/SPECS/
put_maintainer rpm/SPECS/joular-jfr.spec
# shellcheck disable=SC2086 # none, or a word
rpmbuild -ba $nodeps $check --define "_topdir $PWD/rpm" rpm/SPECS/joular-jfr.spec
find "$PWD/rpm/RPMS" "$PWD/rpm/SRPMS" -name '*.rpm'
