#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# -c: the Joular Code agent's properties file, as it is.
. "$(dirname "$0")/lib.sh"

jfr=$samples/requests-jdk25.jfr
log=$samples/requests-jdk25.power.log

configured() { # TEXT ARGS...
    printf '%s\n' "$1" >agent.properties
    shift
    analyze -q "$@" -c agent.properties "$jfr" "$log"
}

by_options() {
    "$program" -q -o options -f 'Requests.hash,Requests.main' "$jfr" "$log"
    "$program" -q -o all "$jfr" "$log"
    if cmp -s options/methods-power-app.csv all/methods-power-app.csv; then fail "the filter makes no difference"; fi
}

case_the_prefixes_and_the_path_are_taken() {
    by_options
    configured 'methods-filtering-prefix=Requests.hash,Requests.main
results-path=from/the/file'
    wants 0
    silent
    same_results options from/the/file
    [ ! -e joular-results ] || fail "the default folder was written too"
}

case_they_are_read_as_java_reads_them() {
    by_options
    configured '# the agent
! its configuration
results-path=not this
  methods-filtering-prefix : \
      Requests\u002ehash , \
      Requests.main
results\u002dpath	a\ folder
level=WARNING'
    wants 0
    silent
    same_results options 'a folder'
}

case_options_win() {
    by_options
    configured 'methods-filtering-prefix=Requests.hash,Requests.main
results-path=from-file' -o here
    same_results options here
    configured 'methods-filtering-prefix=java.
results-path=there' -f Requests.hash,Requests.main
    same_results options there
    [ ! -e from-file ] || fail "the file's folder was written in spite of -o"
}

case_empty_and_missing_keys_are_the_default() {
    by_options
    for text in 'methods-filtering-prefix=
results-path=' '' 'methods-filtering-prefix' 'methods-filtering-prefixes=Requests.hash' 'methods-filtering-prefix=,'; do
        rm -rf joular-results
        configured "$text"
        wants 0
        silent
        same_results all joular-results
    done
}

case_the_summary_takes_the_prefixes_too() {
    printf 'methods-filtering-prefix=Requests.hash\n' >agent.properties
    analyze -c agent.properties "$jfr" "$log"
    sed -n '/^TOP APPLICATION/,/^$/p' out >part
    grep -q ' Requests.hash$' part || fail "the method is not there"
    if grep -q ' Requests.main$' part; then fail "a method that the file does not name"; fi
}

case_a_file_that_is_missing_is_an_error() {
    analyze -c missing.properties "$jfr" "$log"
    refuses 'missing.properties: *No such file*'
    mkdir folder
    analyze -c folder "$jfr" "$log"
    refuses 'folder: *'
}

case_a_file_that_java_refuses_is_an_error_with_its_line() {
    printf 'results-path=x\nmethods-filtering-prefix=\\u00g0\n' >wrong.properties
    analyze -c wrong.properties "$jfr" "$log"
    refuses 'wrong.properties: line 2: \\u needs four hexadecimal digits'
}

case_it_is_never_looked_for() {
    by_options
    for name in joularcodejava.properties config.properties; do
        printf 'methods-filtering-prefix=Requests.hash\nresults-path=found\n' >"$name"
    done
    analyze -q "$jfr" "$log"
    same_results all joular-results
    [ ! -e found ] || fail "it was found"
}

case_escapes_in_the_path_are_not_printed_raw() {
    printf 'results-path=a\\u001b[31mb\n' >agent.properties
    analyze -c agent.properties "$jfr" "$log"
    wants 0
    no_escapes out err
}

run_cases
