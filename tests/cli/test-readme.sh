#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The README tells the truth: its commands run, its options and files are there, and the summary in it is what the program prints.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/reader.sh"

readme=$top/README.md

# The summary, without what is too long for a README: the paragraphs of pauses and files.
case_the_summary_in_the_readme_is_what_is_printed() {
    command=$(sed -n 's/^<!-- summary: joular-analyze \(.*\) -->$/\1/p' "$readme")
    [ -n "$command" ] || fail "no summary is marked in README.md"
    ln -s "$samples" samples
    # shellcheck disable=SC2086 # a list of words
    LC_ALL=C.UTF-8 "$program" $command >printed
    awk 'BEGIN { RS = ""; ORS = "\n\n" } !/^(GC PAUSES|FILES)/' printed | sed '$d' >short
    { echo '```text' && cat short && echo '```'; } >block
    if [ -n "${UPDATE_GOLDEN:-}" ]; then
        awk -v block=block '
            /^<!-- summary:/ { print; print ""; while ((getline line < block) > 0) print line; print ""; inside = 1; next }
            /^<!-- end -->/ { inside = 0 }
            !inside { print }' "$readme" >new && cat new >"$readme"
    fi
    awk '/^<!-- end -->/ { exit } inside { print } /^<!-- summary:/ { inside = 1 }' "$readme" | sed '1d;$d' >shown
    diff shown block >>"$case_dir.why" || fail "< README.md   > printed (if it should be: make update-golden)"
}

case_every_command_runs() {
    readme_scripts "$readme"
    cat >untried <<'E'
sh samples/demo.sh	a build of its own: a step of .ci/run
sh tests/run.sh	runs this
autoreconf -i && ./configure && make && make check && sudo make install	make distcheck does it, and tests/packaging
sudo make -C build/demo install	writes into the system; the step of the demo does it elsewhere
sudo joular-record *	wants a password; the same command without it is among these
sudo powerjoular *	PowerJoular's own
systemctl *	wants systemd: tests/packaging/test-service.sh
E
    follow
}

# Spans that are an option, of a program of ours or of configure
case_every_option_is_there() {
    for name in joular-record joular-analyze joular-compare; do
        "$build/$name" --help
    done >help
    grep -o -e '`--[a-z][a-z-]*' "$readme" | tr -d '`' | sort -u >options
    [ "$(wc -l <options)" -gt 10 ] || fail "no options were found"
    while read -r option; do
        grep -q -e "  $option\b" -e ", $option\b" help || fail "README.md has $option, and no --help"
    done <options
}

case_what_the_readme_points_at_is_there() {
    grep -o -e '](\([A-Za-z/.]*\))' "$readme" | sed 's/](\(.*\))/\1/' >files
    grep -o -e '\(man\|samples\|packaging\|tests\)/[a-z/-]*\.[a-z0-9]*' "$readme" | sort -u >>files
    [ "$(wc -l <files)" -gt 10 ] || fail "no files were found"
    while read -r file; do
        [ -e "$top/$file" ] || fail "README.md names $file, which is not there"
    done <files
}

# In the pages for contributors: files by their name, and functions
case_what_contributors_read_of_is_there() {
    cat "$top/CONTRIBUTING.md" "$top/src/README.md" "$top/tests/README.md" | grep -o '`[^` ]*`' | tr -d '`' |
        grep -v -e NAME -e '[*=|]' -e '^flame_page.h$' | sort -u >names # the last is made by make
    grep -E '\.(am|c|css|dict|h|in|java|jfc|js|json|md|proto|py|sh|txt)$' names | grep -v '^report.json$' >files
    [ "$(wc -l <files)" -gt 50 ] || fail "no files were found"
    while read -r file; do
        find "$top" -path "$top/build" -prune -o -path "*/$file" -print | grep -q . || fail "$file is not there"
    done <files
    grep -x '[a-z]*_[a-z_]*' names >functions || fail "no functions were found"
    while read -r function; do
        grep -q -r -w --include="*.[ch]" --include="*.sh" "$function" "$top/src" "$top/include" "$top/tests" || fail "$function is nowhere"
    done <functions
}

# Tables and what is fenced may be wider.
case_lines_are_no_longer_than_120_characters() {
    for file in README.md CONTRIBUTING.md NEWS src/README.md tests/README.md; do
        awk '/^```/ { fenced = !fenced } !fenced && !/^\|/' "$top/$file" >text
        LC_ALL=C.UTF-8 grep -n -E '^.{121,}' text >>"$case_dir.why" && fail "$file has longer lines"
    done
    true
}

run_cases
