#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# npm.sh NAME@VERSION: fetches a package of npm, without running anything of it, and prints the folder it is unpacked in.
#
# Exit 77 (skip) with a reason on stderr where that cannot be done. Folders are kept in $JOULAR_NPM_CACHE for the next time.
set -eu

package=${1:?usage: npm.sh NAME@VERSION}
cache=${JOULAR_NPM_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/joular-jfr/npm}
folder=$cache/$(echo "$package" | tr '/' '_')

skip() {
    echo "npm.sh: $package: $*" >&2
    exit 77
}

mkdir -p "$cache"
exec 9>"$folder.lock"
flock 9
[ ! -e "$folder/package/package.json" ] || {
    echo "$folder/package"
    exit 0
}
command -v npm >/dev/null || skip "npm is not installed"
rm -rf "$folder.new" "$folder"
mkdir "$folder.new"
npm pack --silent --ignore-scripts --pack-destination "$folder.new" "$package" >"$folder.log" 2>&1 ||
    skip "cannot be fetched: $(grep -v '^npm notice' "$folder.log" | head -n 1)"
tar -xzf "$folder.new"/*.tgz -C "$folder.new" || skip "cannot be unpacked"
mv "$folder.new" "$folder"
echo "$folder/package"
