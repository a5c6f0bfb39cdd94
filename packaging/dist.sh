# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# dist.sh: what the build-*.sh share; to be sourced.

need() { # TOOL PACKAGE
    command -v "$1" >/dev/null || { echo "${0##*/}: $1 is needed (Debian: $2)" >&2 && exit 1; }
}

# put_maintainer FILE...: the line of packaging/maintainer in place of @MAINTAINER@.
put_maintainer() {
    maintainer=$(cat "$top/packaging/maintainer")
    case $maintainer in
        *.invalid\>) echo "${0##*/}: nobody reads mail to $maintainer: before you give packages away, put who does into packaging/maintainer" >&2 ;;
    esac
    sed -i "s/@MAINTAINER@/$maintainer/" "$@"
}

# distribution FROM OUTDIR: goes into OUTDIR, where the source tarball then is $tarball, of $version. FROM: a configured build folder,
# which makes one, or a tarball that is there.
distribution() {
    mkdir -p "$2"
    case $1 in
        *.tar.xz)
            cmp -s "$1" "$2/${1##*/}" || cp "$1" "$2/"
            ;;
        *)
            [ -e "$1/config.status" ] || { echo "${0##*/}: $1 is no configured build folder" >&2 && exit 1; }
            rm -f "$1"/joular-jfr-*.tar.xz
            make -C "$1" -s dist
            set -- "$(ls "$1"/joular-jfr-*.tar.xz)" "$2"
            mv "$1" "$2/"
            ;;
    esac
    cd "$2" || exit 1
    tarball=${1##*/}
    version=${tarball#joular-jfr-}
    version=${version%.tar.xz}
}
