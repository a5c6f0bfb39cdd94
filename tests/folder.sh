# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# folder.sh: another Debian release in a folder, made by debootstrap, for jdk.sh and debian.sh. To be sourced, with a function
# `skip REASON` that ends the script.
#
#     debian_folder SUITE   makes it, or skips; sets $root, its place, which is kept for the next time and locked until `flock -u 9`
#     lock_folders NAME     locks alone, for what is made once and needs no folder
#     inside COMMAND...     as root of that folder, with /proc and /dev, in a mount namespace of its own

cache=${JOULAR_JDK_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/joular-jfr/jdk}

lock_folders() {
    mkdir -p "$cache"
    exec 9>"$cache/$1.lock"
    flock 9
}

debian_folder() {
    root=$cache/$1
    [ "$(id -u)" = 0 ] || skip "a folder with Debian's $1 needs root"
    command -v apt-get >/dev/null || skip "a folder with Debian's $1 needs debootstrap, and there is no apt-get"
    unshare -m true 2>/dev/null ||
        skip "a folder with Debian's $1 needs a mount namespace, which cannot be had (in a chroot: mount --bind FOLDER FOLDER, then enter it)"
    lock_folders "$1"
    [ ! -e "$root/.ready" ] || return 0
    command -v debootstrap >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq debootstrap >&2 || skip "no debootstrap"
    rm -rf "$root"
    debootstrap --variant=minbase "$1" "$root" >"$cache/$1.log" 2>&1 || skip "debootstrap $1 failed, see $cache/$1.log"
    touch "$root/.ready"
}

inside() {
    unshare -m sh -c '
        set -e
        root=$1
        shift
        mount --make-rprivate /
        mount --rbind /proc "$root/proc"
        mount --rbind /dev "$root/dev"
        exec chroot "$root" "$@"' inside "$root" "$@"
}
