#!/bin/sh
# The README tells the truth: its commands run, and the summary in it is what the program prints.
. "$(dirname "$0")/lib.sh"

case_the_summary_in_the_readme_is_what_is_printed() {
    command=$(sed -n 's/^<!-- summary: joular-analyze \(.*\) -->$/\1/p' "$top/README.md")
    [ -n "$command" ] || fail "no summary is marked in README.md"
    ln -s "$samples" samples
    # shellcheck disable=SC2086 # a list of words
    LC_ALL=C.UTF-8 "$program" $command >printed
    sed 's/^\(.\)/    \1/' printed >block
    if [ -n "${UPDATE_GOLDEN:-}" ]; then
        awk -v block=block '
            /^<!-- summary:/ { print; print ""; while ((getline line < block) > 0) print line; print ""; inside = 1; next }
            /^<!-- end -->/ { inside = 0 }
            !inside { print }' "$top/README.md" >new && cat new >"$top/README.md"
    fi
    awk '/^<!-- end -->/ { exit } inside { print } /^<!-- summary:/ { inside = 1 }' "$top/README.md" | sed '1d;$d' >readme
    for file in readme block; do # flame.html is held to the truth by its own test
        grep -v '/flame.html$' $file >$file.lines
    done
    diff readme.lines block.lines >>"$case_dir.why" || fail "< README.md   > printed"
}

case_every_command_of_the_analyzer_runs() {
    cp "$samples/shop-jdk25.jfr" run.jfr
    cp "$samples/shop-jdk25.power.log" power.log
    mkdir -p runs/run-1 && cp run.jfr power.log runs/run-1 # as --runs leaves them
    sed -n 's/^    joular-analyze \([^#]*\).*$/\1/p' "$top/README.md" >commands
    [ "$(wc -l <commands)" -ge 2 ] || fail "README.md has no commands"
    while read -r command; do
        case $command in --batch*) cd runs || fail "no runs" ;; esac
        # shellcheck disable=SC2086
        analyze -q $command
        wants 0
    done <commands
    [ -s joular-results/merged/report.json ] || fail "--batch is not among the commands"
}

case_what_the_readme_points_at_is_there() {
    grep -o -e '](\([A-Za-z/]*\.md\))' "$top/README.md" | sed 's/](\(.*\))/\1/' >files
    grep -o -e 'man/joular-[a-z-]*\.[157]' "$top/README.md" >>files
    while read -r file; do
        [ -e "$top/$file" ] || fail "README.md names $file, which is not there"
    done <files
}

run_cases
