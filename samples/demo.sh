#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sh samples/demo.sh: installs what is missing (Debian 12 or newer), builds, and analyses a recording of samples/ into joular-results/.
# Neither Java nor a power meter is needed.
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
me=demo.sh
here=$PWD
. "$top/samples/setup.sh"

need_packages "$build_packages" "$build_packages_fedora"
build_in "$top/build/demo" all

recording=$top/samples/shop-jdk25.jfr
log=$top/samples/shop-jdk25.power.log
echo "\$ joular-analyze -f com.example samples/shop-jdk25.jfr samples/shop-jdk25.power.log"
"$top/build/demo/joular-analyze" -f com.example "$recording" "$log"
echo
echo "These watts are estimated from the load of the machine (idle + (max - idle) x load), not measured: the CPU times are real."
echo "Energy per call branch, a row per branch and second:"
echo "    $here/joular-results/methods-power-all.csv   all methods"
echo "    $here/joular-results/methods-power-app.csv   only those of com.example"
echo "The same to look at, in a browser:"
echo "    $here/joular-results/flame.html"
