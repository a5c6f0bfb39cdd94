# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# reader.sh: runs the commands of a page as somebody would who follows it: one after the other, in one folder, with a java and
# programs that are installed. A test sources it behind lib.sh.
#
#     scripts/001, 002, ...    what is to be run, in this order; the test writes them (readme_scripts, page_scripts)
#     untried                  lines of scripts that are not run: a pattern, a tab, and why not. Each must match a line
#     follow                   runs them in the folder reader/, and fails with the first that fails
#
# The machine has no meter, so power is estimated where a command names no source. The pid 4242 is that of a JVM that runs.

# Each indented block of a Markdown file is a script, and each `command with a blank` in its text; what is fenced is none.
readme_scripts() { # FILE
    mkdir -p scripts
    awk '
        function put(text) { file = sprintf("scripts/%03d", ++n); printf "%s\n", text >file; close(file) }
        function put_spans() {
            while (match(text, /`[^`]+`/)) {
                span = substr(text, RSTART + 1, RLENGTH - 2)
                if (span ~ /^[a-z][a-z0-9-]* /) put(span)
                text = substr(text, RSTART + RLENGTH)
            }
            text = ""
        }
        function put_block() { if (block != "") put(block); block = "" }
        /^```/ { fenced = !fenced; next }
        fenced { next }
        /^    / { put_spans(); block = block substr($0, 5) "\n"; next }
        { put_block() }
        $0 == "" { put_spans(); next }
        { text = text $0 " " }
        END { put_block(); put_spans() }' "$1"
}

# Each displayed line and each displayed block of a manual's EXAMPLES.
page_scripts() { # FILE
    mkdir -p scripts
    sed -n '/^\.Sh EXAMPLES/,/^\.Sh SEE ALSO/p' "$1" | sed 's/\\-/-/g; s/\\e/\\/g; s/\\&//g' | awk '
        function put(text) { file = sprintf("scripts/%03d", ++n); printf "%s\n", text >file; close(file) }
        /^\.Dl / { put(substr($0, 5)) }
        /^\.Bd / { inside = 1; block = ""; next }
        /^\.Ed/ { inside = 0; put(block) }
        inside { block = block $0 "\n" }'
}

# Takes out of the scripts the lines that are not run, and with them scripts that are empty then.
take_out_untried() {
    tab=$(printf '\t')
    while IFS=$tab read -r pattern why; do
        [ -n "$why" ] || fail "untried: no reason for: $pattern"
        found=
        for script in scripts/*; do
            while IFS= read -r line; do
                # shellcheck disable=SC2254 # a pattern
                case $line in
                    $pattern) found=1 ;;
                    *) printf '%s\n' "$line" ;;
                esac
            done <"$script" >script
            cat script >"$script"
            grep -q '[^[:space:]]' "$script" || rm "$script"
        done
        [ -n "$found" ] || fail "no command is like: $pattern"
    done <untried
}

# An application that works for 0.4 s, or so many milliseconds.
make_app() { # JAR
    mkdir -p classes
    cat >App.java <<'J'
package com.example;

public class App {
    static long mix(long x) {
        for (int i = 0; i < 1000; i++)
            x = x * 31 + i;
        return x;
    }

    public static void main(String[] args) {
        long end = System.nanoTime() + (args.length > 0 ? Long.parseLong(args[0]) : 400) * 1000000, x = 1;
        while (System.nanoTime() < end)
            x = mix(x);
        System.out.println(x);
    }
}
J
    javac -d classes App.java
    jar --create --file "$1" --main-class com.example.App -C classes .
}

# What somebody has who follows the page: programs in PATH, applications, results of before and after, a file of the agent.
prepare_reader() {
    mkdir -p bin reader/old reader/new
    for program_name in joular-analyze joular-compare; do
        ln -s "$build/$program_name" bin/
    done
    cat >bin/joular-record <<E
#!/bin/sh
case " \$* " in
    *" --source "* | *" -s "*) exec "$build/joular-record" "\$@" ;;
esac
exec "$build/joular-record" -s estimate --idle-watts 8 --max-watts 65 "\$@"
E
    chmod +x bin/joular-record
    PATH=$PWD/bin:$PATH
    if [ -z "${JOULAR_QUICK:-}" ] && command -v javac >/dev/null && command -v jar >/dev/null; then
        [ -e "$work/app.jar" ] || make_app "$work/app.jar"
        for jar in app.jar old/old.jar new/new.jar; do
            cp "$work/app.jar" reader/$jar
        done
        java -jar reader/app.jar 300000 >/dev/null 2>&1 &
        jvm=$!
        trap 'kill $jvm 2>/dev/null' EXIT
    else
        jvm=
    fi
    cd reader || fail "no folder"
    ln -s "$top/samples" "$top/man" .
    cp "$samples/shop-jdk25.jfr" run.jfr
    cp run.jfr recording.jfr
    cp "$samples/shop-jdk25.power.log" power.log
    for side in old new; do
        cp run.jfr $side.jfr
        cp power.log $side.power.log
        number=0
        for name in shop-jdk25 shop-jdk17 requests-jdk25; do
            number=$((number + 1))
            joular-analyze -q --format json -o $side-$number "$samples/$name.jfr" "$samples/$name.power.log"
            [ -n "$jvm" ] || cp -r $side-$number $side/run-$number # the runs that are not made then
        done
        cp -r $side-1 $side-results
    done
    [ -n "$jvm" ] || cp -r old-1 joular-results
    cp -r old-1 a
    cp -r new-1 b
    cp old-1/report.json .
    joular-compare -q --merge merged old-1 old-2
    cp power.log monday.log
    grep -v -e '^domain' -e '^process' -e '^thread' -e '^cycle' power.log >tuesday.log
    printf 'methods-filtering-prefix=com.example\nresults-path=joular-code-java-results\n' >joularcodejava.properties
    cd ..
}

follow() {
    [ -e scripts/001 ] || fail "no command was found"
    ! [ -s untried ] || take_out_untried
    prepare_reader
    lacking=
    for script in scripts/*; do
        sed -e "s|/usr/local/share/joular-jfr/joular.jfc|$top/src/tools/record/joular.jfc|" \
            -e "s|/usr/local/share/joular-jfr/report|$top/src/result/report|" -e "s|4242|${jvm:-4242}|" "$script" >script
        need=$(grep -o -w -e java -e 4242 -e jq -e man "$script" | sort -u)
        for tool in $need; do
            case $tool in
                4242) tool=java ;;
            esac
            if [ "$tool" = java ] && [ -z "$jvm" ] || ! command -v "$tool" >/dev/null; then
                case $lacking in
                    *" $tool"*) ;;
                    *) lacking="$lacking $tool" ;;
                esac
                continue 2
            fi
        done
        code=0
        (cd reader && exec sh -e ../script </dev/null) >script.out 2>&1 || code=$?
        case $code-$(cat "$script") in
            0-* | 3-*joular-compare*--fail-above*) ;; # 3: one side was certainly slower, on a busy machine
            *)
                { cat "$script" && tail -n 5 script.out; } >>"$case_dir.why"
                fail "the command above ended with $code"
                ;;
        esac
    done
    [ -z "$lacking" ] || skip "all but those with$lacking run, which are not installed (or JOULAR_QUICK is set)"
}
