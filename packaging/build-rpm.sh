#!/bin/sh
# build-rpm.sh BUILDDIR [OUTDIR]: RPM source and binary packages of what BUILDDIR makes by `make dist`, in OUTDIR (default: packages/ in
# BUILDDIR). On Debian, whose packages rpm does not know, what the spec file needs is not looked for (--nodeps): configure does that.
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/packaging/dist.sh"
need rpmbuild rpm
distribution "${1:?usage: build-rpm.sh BUILDDIR [OUTDIR]}" "${2:-$1/packages}"

nodeps=
[ ! -e /etc/debian_version ] || nodeps=--nodeps
mkdir -p rpm/SOURCES
cp "$tarball" rpm/SOURCES/
rpmbuild -ba $nodeps --define "_topdir $PWD/rpm" "$top/packaging/joular-jfr.spec"
find "$PWD/rpm/RPMS" "$PWD/rpm/SRPMS" -name '*.rpm'
