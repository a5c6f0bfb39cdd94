#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The manuals: their form, their options against --help, their examples, and the numbers in them.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/reader.sh"

pages=$(cd "$top/man" && echo *)
programs="joular-record joular-analyze joular-compare"

case_mandoc_and_man_find_no_fault() {
    have mandoc man
    for page in $pages; do
        # those of the other manuals are looked for below
        mandoc -T lint "$top/man/$page" 2>/dev/null | grep -v ': referenced manual not found' >>"$case_dir.why" &&
            fail "mandoc finds faults"
        MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 "$top/man/$page" 2>>"$case_dir.why" >rendered
        [ -s rendered ] && [ ! -s "$case_dir.why" ] || fail "man finds faults in $page"
    done
}

case_every_section_is_there() {
    for page in $pages; do
        case $page in
            *.1) sections="DESCRIPTION ENVIRONMENT FILES EXIT.STATUS EXAMPLES SEE.ALSO" ;;
            *.5) sections="DESCRIPTION VERSIONS FILES EXAMPLES SEE.ALSO" ;;
            *.7) sections="DESCRIPTION EXAMPLES SEE.ALSO" ;;
        esac
        for section in $sections; do
            grep -q -x "\.Sh $section" "$top/man/$page" || fail "$page has no $section"
        done
    done
}

case_manuals_that_are_named_are_there() {
    grep -h '^\.Xr joular' "$top"/man/* | sed 's/^\.Xr \([a-z-]*\) \([0-9]\).*/\1.\2/' | sort -u >named
    [ "$(wc -l <named)" = 6 ] || fail "of six manuals, these are named: $(cat named)"
    while read -r page; do
        [ -e "$top/man/$page" ] || fail "$page is named, and not there"
    done <named
}

# One line an option: -L, --NAME, with the words it takes in small letters.
options_of_help() { # PROGRAM
    "$build/$1" --help | sed -n 's/^  \(-., \|    \)--\([a-z-]*\) \{0,1\}\([^ ]*\).*/\1--\2 \3/p' | tr 'A-Z' 'a-z' |
        sed 's/^ *//; s/ $//'
}

# Several may stand in one .It, and then each begins with Fl.
options_of_page() { # PROGRAM
    sed -n '/^\.It.* Fl Fl /p' "$top/man/$1.1" |
        sed 's/^\.It *//; s/ , Fl / \nFl /g; s/ No / /g; s/\\&//g' |
        sed 's/^Fl Fl \([a-z-]*\)/--\1/; s/^Fl \(.\)\( .*\)*$/-\1,/; s/ Ns//g; s/ Op / [/; s/ \(Ar\|Cm\)//g' |
        awk '/^-.,/ { letter = substr($0, 1, 3) " "; next } { print letter $0; letter = "" }' | tr 'A-Z' 'a-z'
}

case_every_option_is_in_the_page_and_the_other_way_round() {
    for name in $programs; do
        for of in help page; do
            options_of_$of $name | sed 's/^\(\(-., \)*--[a-z-]*\).*/\1/' | sort >$of
        done
        [ "$(wc -l <help)" -gt 12 ] || fail "$name: options were not found"
        diff help page >>"$case_dir.why" || fail "$name: < --help   > man page"
    done
}

# Whether it takes a value, and the words that it can be: --help has FILE or auto|none, the page Ar or Cm and a name, and each of the
# words as Cm in the option's paragraph.
case_every_option_takes_what_the_page_says() {
    for name in $programs; do
        options_of_help $name | sed 's/^-., //' >help
        options_of_page $name | sed 's/^-., //' >page
        while read -r option takes; do
            of_page=$(sed -n "s/^$option *//p" page)
            [ "${takes:+a value}" = "${of_page:+a value}" ] ||
                fail "$name $option: --help has \"$takes\", the page \"$of_page\""
        done <help
        "$build/$name" --help | sed -n 's/^  \(-., \|    \)--\([a-z-]*\) \([^ ]*|[^ ]*\).*/\2 \3/p' >choices
        while read -r option words; do
            awk -v option="Fl Fl $option" '/^\.(It|El|Sh)/ { inside = index($0 " ", option " ") } inside' "$top/man/$name.1" >paragraph
            for word in $(echo "$words" | tr -c 'a-z-' ' '); do
                grep -q "Cm .*\b$word\b" paragraph || fail "$name --$option: the page does not have the word $word"
            done
        done <choices
    done
}

case_examples_of_joular_record_run() {
    page_scripts "$top/man/joular-record.1"
    cat >untried <<'E'
sudo *	wants a password; the same command without it is among these
*--prometheus /var/lib/*	a folder of the system, and without end: test-prometheus.sh
* mvn -o verify	a project of Maven's: test-jvm.sh
E
    follow
}

case_examples_of_joular_analyze_run() {
    page_scripts "$top/man/joular-analyze.1"
    echo 'go tool pprof *	needs go: test-profiles.sh' >untried
    follow
}

case_examples_of_joular_compare_run() {
    page_scripts "$top/man/joular-compare.1"
    follow
}

case_examples_of_the_formats_run() {
    page_scripts "$top/man/joular-power-log.5"
    follow
    [ "$(grep -c '^cycle' reader/power.log)" = 3 ] || fail "the script made no three cycles"
    ! joular-analyze -q --process-share 1 reader/run.jfr reader/power.log 2>words || fail "the log is of another time"
    grep -q 'do not overlap' words || fail "the script's log cannot be read: $(cat words)"
}

case_examples_of_report_json_run() {
    page_scripts "$top/man/joular-report.5"
    follow
}

# KEYS PAGE: each of these words is in the page
keys_are_in() {
    while read -r key; do
        grep -q -w -e "$key" "$top/man/$1" || fail "$1 does not say what $key is"
    done
}

keys_of() { # FILE...: of JSON, at any depth
    jq -r '[paths | map(strings) | .[-1] // empty] | unique[]' "$@"
}

case_every_key_of_the_json_that_is_written_is_in_a_page() {
    have jq
    record=$build/joular-record
    "$record" -q -s estimate --idle-watts 8 --max-watts 65 --runs 2 --baseline 0.2 --json runs.json -- true
    "$record" -q -s vm --vm-file missing --json none.json -o none.log -- true 2>words
    keys_of runs.json none.json | keys_are_in joular-record.1
    sed -n '2s/^#//p' run-1/power.log none.log >facts.json
    keys_of facts.json | keys_are_in joular-power-log.5
    for name in requests-jdk25 shop-jdk17; do
        "$program" -q --format json -o $name "$samples/$name.jfr" "$samples/$name.power.log"
    done
    "$build/joular-compare" -q --merge merged requests-jdk25 shop-jdk17
    jq -r 'keys[]' merged/report.json | keys_are_in joular-report.5
    "$build/joular-compare" --json two.json requests-jdk25 --vs shop-jdk17 >words
    "$build/joular-compare" --json one.json requests-jdk25 shop-jdk17 >words
    "$build/joular-compare" --fail-above 900% --fail-on method:java. --json gate.json requests-jdk25 --vs shop-jdk17 >words 2>&1
    keys_of two.json one.json gate.json | keys_are_in joular-compare.1
    [ "$(keys_of runs.json two.json | wc -l)" -gt 40 ] || fail "keys were not found"
}

case_the_names_of_native_threads_are_those_of_the_program() {
    grep -o '{"[^"]*", NATIVE_[A-Z]*}' "$top/src/model/nativerow.c" | sed 's/{"\(.*\)", NATIVE_\(.*\)}/[\2] \1/' | sort >program
    [ "$(wc -l <program)" -gt 30 ] || fail "no names were found"
    awk '/^\.It Li \[/ { row = $3; next } /^\.El/ { row = "" } row != "" { print row, $0 }' "$top/man/joular-attribution.7" |
        while read -r row names; do
            echo "$names" | sed 's/^\.Li //' | grep -o -e '"[^"]*"' -e '[^ ,"][^ ,"]*' | tr -d '"' | sed "s/^/$row /"
        done | sort >page
    diff program page >>"$case_dir.why" || fail "< program   > page"
}

block() { # N: the Nth displayed block of the model's example
    sed -n '/^\.Sh EXAMPLES/,/^\.Sh SEE ALSO/p' "$top/man/joular-attribution.7" |
        awk -v wanted="$1" '/^\.Ed/ { inside = 0 } inside && n == wanted { print } /^\.Bd/ { n++; inside = 1 }'
}

# The example of the model: its log and its samples through the program give its rows, and each of its sums is right and is in
# report.json.
case_the_example_of_the_model_is_computed() {
    have python3
    [ -x "$build/stacks-recording" ] || skip "stacks-recording is not built (no CMocka)"
    block 1 >power.log
    block 2 | "$build/stacks-recording" >run.jfr
    "$program" -q run.jfr power.log || fail "the example cannot be analysed"
    block 4 >rows
    diff rows joular-results/methods-power-all.csv >>"$case_dir.why" || fail "< page   > methods-power-all.csv"
    { block 3 && block 5; } | python3 "$top/tests/cli/sums.py" joular-results/report.json >>"$case_dir.why" 2>&1 || fail "a sum is wrong"
}

run_cases
