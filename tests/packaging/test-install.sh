#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make install DESTDIR, make uninstall, and what packages say of themselves.
. "$(dirname "$0")/../cli/lib.sh"

make_here() { # ARGS...: in the build folder, on its own
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -C "$build" -s "$@" >make.log 2>&1 || {
        tail -n 5 make.log >>"$case_dir.why"
        fail "make $*"
    }
}

case_what_is_installed_works_and_uninstall_leaves_no_file() {
    have make
    make_here install DESTDIR="$PWD/root" prefix=/usr
    for file in bin/joular-analyze bin/joular-compare bin/joular-record lib/systemd/system/joular-power-log.service \
        lib/sysusers.d/joular.conf lib/tmpfiles.d/joular.conf lib/udev/rules.d/60-joular-rapl.rules \
        share/bash-completion/completions/joular-record share/fish/vendor_completions.d/joular-record.fish \
        share/joular-jfr/joular.jfc share/joular-jfr/report.schema.json share/man/man1/joular-record.1 \
        share/man/man5/joular-power-log.5 share/man/man7/joular-attribution.7 share/zsh/site-functions/_joular-record; do
        [ -s "root/usr/$file" ] || fail "/usr/$file is not there"
    done
    root/usr/bin/joular-analyze -q "$samples/shop-jdk25.jfr" "$samples/shop-jdk25.power.log" || fail "the installed joular-analyze fails"
    make_here uninstall DESTDIR="$PWD/root" prefix=/usr
    find root ! -type d >left
    [ ! -s left ] || {
        show left
        fail "files are left"
    }
}

case_the_unit_runs_the_program_where_it_is_installed() {
    have make
    make_here install DESTDIR="$PWD/root"
    path=$(sed -n 's/^ExecStart=.* exec \([^ ]*\) .*/\1/p; s/^ExecStart=.*.exec \([^ ]*\) .*/\1/p' "$(find root -name joular-power-log.service)" | head -n 1)
    [ -x "root$path" ] || fail "joular-power-log.service runs $path, which is not there"
}

case_packages_have_the_version_of_configure() {
    version=$("$program" --version | sed 's/.* //')
    head -n 1 "$top/packaging/deb/changelog" | grep -q -F "joular-jfr ($version-" || fail "packaging/deb/changelog does not begin with $version"
    grep -q -x "Version:  *$version" "$top/packaging/joular-jfr.spec" || fail "packaging/joular-jfr.spec has another version than $version"
    grep -q "^$version" "$top/NEWS" || fail "NEWS has no $version"
}

# By name in Makefile.am, or as automake and the rule of the corpus do it.
case_every_file_of_the_repository_is_distributed() {
    have git
    (cd "$top" && git ls-files) >files 2>err || skip "this is no repository"
    grep -v -x -e '\.ci/.*' -e '\.gitignore' -e COPYING -e Makefile.am -e NEWS -e configure.ac -e 'tests/fuzz/corpus/.*' files >wanted || skip "this is no repository"
    while read -r file; do
        grep -q -F -e "$file" "$top/Makefile.am" || echo "$file" >>left
    done <wanted
    [ ! -e left ] || { show left && fail "make dist leaves files out"; }
}

# One line says who it is, and stands in each of them.
case_packages_have_the_maintainer_of_one_file() {
    mkdir packaging
    cp -R "$top/packaging/." packaging
    echo 'Someone Else <someone@else.test>' >packaging/maintainer
    # shellcheck disable=SC2030,SC2031 # for this subshell
    (top=$PWD && . packaging/dist.sh && put_maintainer packaging/deb/control packaging/deb/changelog packaging/deb/copyright packaging/joular-jfr.spec) || fail "dist.sh"
    for file in deb/control deb/changelog deb/copyright joular-jfr.spec; do
        grep -q 'Someone Else <someone@else.test>\( \|$\)' "packaging/$file" || fail "$file does not name the maintainer"
    done
    grep -r -l -E -e '<[^< ]+@[^> ]+>' -e '@MAINTAINER@' packaging | sort >named
    printf 'packaging/%s\n' deb/changelog deb/control deb/copyright dist.sh joular-jfr.spec maintainer >wanted
    diff wanted named >>"$case_dir.why" || fail "> names a maintainer of its own"
}

run_cases
