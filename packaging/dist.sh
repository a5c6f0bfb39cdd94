# shellcheck shell=sh
# dist.sh: what the build-*.sh share; to be sourced.

need() { # TOOL PACKAGE
    command -v "$1" >/dev/null || { echo "${0##*/}: $1 is needed (Debian: $2)" >&2 && exit 1; }
}

# distribution BUILDDIR OUTDIR: makes the source tarball and goes into OUTDIR, where it is $tarball, of $version.
distribution() {
    [ -e "$1/config.status" ] || { echo "${0##*/}: $1 is no configured build folder" >&2 && exit 1; }
    make -C "$1" -s dist
    version=$(sed -n 's/^PACKAGE_VERSION = //p' "$1/Makefile")
    mkdir -p "$2"
    mv "$1/joular-jfr-$version.tar.xz" "$2/"
    cd "$2" || exit 1
    tarball=joular-jfr-$version.tar.xz
}
