#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --prometheus: the file for the node exporter, held against the log of the same run.
. "$(dirname "$0")/common.sh"

# What the log says: of the machine, and of the process called NAME, joules by its share of the busy time, and CPU seconds.
expect() { # LOG NAME
    awk -F, -v name="$2" '
        $1 == "process" && $4 == name { p += $3 }
        $1 == "cycle" {
            cpu += p; busy += $6
            if ($5 != "") { energy += $5 * $4 / 1e9; share = p > 0 ? p / ($6 > p ? $6 : p) : 0; jvm += $5 * $4 / 1e9 * share }
            p = 0
        }
        END { printf "%.6f %.6f %.6f %.6f\n", energy, busy / 1e9, jvm, cpu / 1e9 }' "$1"
}

value_of() { # FILE METRIC: of its one sample
    same "samples of $2 in $1" "$(grep -c "^$2[{ ]" "$1")" 1
    sed -n "s/^$2\({[^}]*}\)\{0,1\} //p" "$1"
}

near() { # WHAT IS WANTED
    awk -v a="$2" -v b="$3" 'BEGIN { d = a - b; exit !(d < 0.00001 && d > -0.00001) }' || fail "$1: $2, not $3"
}

lint() { # FILE: what Prometheus itself says of it
    command -v promtool >/dev/null || return 0
    promtool check metrics <"$1" >lint 2>&1 || fail "promtool: $(cat lint)"
    [ ! -s lint ] || fail "promtool: $(cat lint)"
}

case_promtool_is_there() { # so that its absence is said once
    have promtool
}

case_totals_are_those_of_the_log() {
    cp "$build/burn" java
    "$record" -q $estimate -i 100 --prometheus run.prom -- ./java 1 900 >out
    sound power.log
    lint run.prom
    # shellcheck disable=SC2046 # four numbers
    set -- $(expect power.log java)
    near "joules of the machine" "$(value_of run.prom joular_machine_energy_joules_total)" "$1"
    near "busy seconds" "$(value_of run.prom joular_machine_cpu_seconds_total)" "$2"
    near "joules of the JVM" "$(value_of run.prom joular_jvm_energy_joules_total)" "$3"
    near "seconds of the JVM" "$(value_of run.prom joular_jvm_cpu_seconds_total)" "$4"
    awk -v j="$3" -v s="$4" 'BEGIN { exit !(j > 1 && s > 0.8) }' || fail "the JVM used next to nothing: $*"
    pid=$(awk -F, '$1 == "process" { print $2; exit }' power.log)
    grep -q "^joular_jvm_energy_joules_total{pid=\"$pid\",name=\"java\",source=\"estimate\"} " run.prom || fail "labels: $(cat run.prom)"
    if grep _watts run.prom; then fail "it has a power when nothing is measured any more"; fi
}

case_what_is_read_while_it_runs_is_whole_and_of_one_cycle() {
    cp "$build/burn" java
    "$record" -q $estimate -i 100 --prometheus run.prom -- sh -c './java 1 600 >/dev/null; sleep 0.5; ./java 1 600 >/dev/null; true' &
    pid=$!
    seen=0
    while kill -0 $pid 2>/dev/null; do
        cp run.prom seen.$seen 2>/dev/null && seen=$((seen + 1))
        for file in *.prom; do
            [ "$file" = run.prom ] || [ "$file" = '*.prom' ] || fail "$file would be read too"
        done
        sleep 0.06
    done
    wait $pid
    [ $seen -gt 8 ] || fail "it was there $seen times only"
    last=0 powers=0
    awk -F, '$1 == "process" && $4 == "java" { p[$2] = $3 }
        $1 == "cycle" {
            for (pid in p) {
                share = p[pid] > 0 ? p[pid] / ($6 > p[pid] ? $6 : p[pid]) : 0
                printf "%s %s %.9f\n", $5, pid, $5 * share
            }
            print $5, "-", 0
            delete p
        }' power.log >cycles
    n=0
    while [ $n -lt $seen ]; do
        lint seen.$n
        [ "$(tail -c 1 seen.$n | od -An -tu1 | tr -d ' ')" = 10 ] || fail "seen.$n is cut: $(cat seen.$n)"
        total=$(value_of seen.$n joular_machine_energy_joules_total)
        awk -v a="$last" -v b="$total" 'BEGIN { exit b < a }' || fail "$total J after $last J"
        last=$total
        if grep -q '^joular_machine_power_watts{source="estimate"} ' seen.$n; then
            machine=$(value_of seen.$n joular_machine_power_watts)
            sed -n 's/^joular_jvm_power_watts{pid="\([0-9]*\)",name="java".*} /\1 /p' seen.$n >jvms
            [ "$(wc -l <jvms)" -le 1 ] || fail "one that has ended has a power: $(cat jvms)"
            jvm=- watts=0
            if [ -s jvms ]; then
                read -r jvm watts <jvms
                powers=$((powers + 1))
            fi
            awk -v machine="$machine" -v jvm="$jvm" -v watts="$watts" '
                $1 == machine && $2 == jvm { d = $3 - watts; if (d < 0.00001 && d > -0.00001) found = 1 }
                END { exit !found }' cycles || fail "no cycle has $machine W, and $watts W of $jvm"
        fi
        n=$((n + 1))
    done
    [ $powers -gt 3 ] || fail "a power of a JVM was seen $powers times only"
    same "JVMs at the end" "$(grep -c ^joular_jvm_energy_joules_total run.prom)" 2
}

case_any_user_can_read_it() {
    (umask 077 && "$record" -q $estimate --prometheus run.prom -- true)
    same mode "$(stat -c %a run.prom)" 644
    same "the log's mode" "$(stat -c %a power.log)" 600
}

case_names_are_escaped() {
    lib=$(ldd "$build/burn" | sed -n 's/.*libc\.so\.6 => \([^ ]*\) .*/\1/p')
    lib=${lib%/*}/libm.so.6
    [ -e "$lib" ] || skip "there is no libm.so.6"
    cp "$lib" libjvm.so # what makes a process a JVM
    name=$(printf 'a"b\\c\nd\377e')
    cp "$build/burn" "./$name"
    "$record" -q $estimate --prometheus run.prom -- env "LD_PRELOAD=$PWD/libjvm.so" "./$name" 1 300 >out
    lint run.prom
    repaired=$(printf '\357\277\275') # U+FFFD
    grep -qF 'name="a\"b\\c\\x0ad'"$repaired"'e",' run.prom || fail "$(cat run.prom)"
}

case_the_machine_alone_has_no_jvm() {
    "$record" -q $estimate -d 0.5 --prometheus run.prom
    lint run.prom
    value_of run.prom joular_machine_energy_joules_total >/dev/null
    if grep -q jvm run.prom; then fail "$(cat run.prom)"; fi
}

case_without_a_meter_there_are_no_joules() {
    mkdir none
    "$record" -q -s rapl --powercap none --prometheus run.prom -- "$build/burn" 1 100 >out 2>err
    lint run.prom
    value_of run.prom joular_machine_cpu_seconds_total >/dev/null
    if grep -q 'joules\|watts' run.prom; then fail "$(cat run.prom)"; fi
}

case_runs_add_up() {
    "$record" -q $estimate --runs 3 --prometheus run.prom -- sleep 0.2 2>err
    sum=$(for n in 1 2 3; do expect run-$n/power.log none; done | awk '{ sum += $1 } END { printf "%.6f", sum }')
    near joules "$(value_of run.prom joular_machine_energy_joules_total)" "$sum"
}

case_a_folder_that_is_gone_is_said_once_and_stops_nothing() {
    mkdir metrics
    "$record" $estimate -i 100 --prometheus metrics/run.prom -- \
        sh -c 'sleep 0.3; mv metrics gone; sleep 0.5; [ ! -e metrics ] || echo made; mkdir metrics; sleep 0.4; rm -r metrics; sleep 0.3; exit 7' >out 2>err && code=0 || code=$?
    same status "$code" 7
    same "the program's words" "$(cat out)" ""
    same warnings "$(grep -c 'metrics: cannot be opened: No such file or directory' err)" 1
    says err 'joular-record: the recording goes on; the metrics are tried again after each cycle'
    lint gone/run.prom
    sound power.log
    [ "$(grep -c ^cycle, power.log)" -ge 6 ] || fail "cycles are missing"
    mkdir metrics
    "$record" -q $estimate -i 100 --prometheus metrics/run.prom -- sh -c 'mv metrics gone2; sleep 0.3; mkdir metrics; sleep 0.3' 2>err
    [ -s metrics/run.prom ] || fail "it did not come back"
}

case_a_full_disk_keeps_what_was_there() {
    [ "$(id -u)" = 0 ] || skip "mounting needs root"
    mount_namespaces
    mkdir small
    unshare -m sh -c "mount -t tmpfs -o size=8k none small 2>/dev/null || exit 77
        '$record' $estimate -i 100 --prometheus small/run.prom -- sh -c 'sleep 0.3; cat /dev/zero >small/fill 2>/dev/null; cp small/run.prom before; sleep 0.5; cp small/run.prom after; exit 3' 2>err
        code=\$?
        ls -A small >left
        exit \$code" && code=0 || code=$?
    [ "$code" != 77 ] || skip "no file system can be mounted"
    same status "$code" 3
    cmp before after >&2 || fail "the file was damaged"
    lint after
    same warnings "$(grep -c 'run.prom: cannot be [a-z]*: No space left on device' err)" 1
    same "files left" "$(tr '\n' ' ' <left)" "fill run.prom "
    sound power.log
}

case_nothing_is_written_through_a_link() {
    echo mine >target
    ln -s target run.prom
    "$record" $estimate --prometheus run.prom -- true 2>err
    says err '*run.prom: is a symbolic link, and results are not written through one'
    same target "$(cat target)" mine
    [ -s power.log ] || fail "there is no log"
}

case_a_user_s_run_writes_it_with_that_user_s_rights() {
    [ "$(id -u)" = 0 ] || skip "needs root"
    id nobody >/dev/null 2>&1 || skip "there is no user nobody"
    mkdir theirs ours
    chown nobody theirs
    "$record" $estimate --user nobody -o theirs/power.log --prometheus theirs/run.prom -- true 2>err
    same owner "$(stat -c %U theirs/run.prom)" nobody
    "$record" $estimate --user nobody -o theirs/power.log --prometheus ours/run.prom -- true 2>err
    says err '*ours/run.prom: cannot be made: Permission denied'
}

case_names_that_cannot_be_or_are_not_read() {
    for value in '' metrics/; do
        status_of "$record" $estimate --prometheus "$value" -- touch ran 2>err
        same "status of '$value'" "$code" 125
    done
    [ ! -e ran ] || fail "the program was started"
    "$record" $estimate --prometheus run.txt -- true 2>err
    says err 'joular-record: run.txt: the node exporter reads files whose names end in .prom only'
    "$record" $estimate --prometheus ./run.prom -- true 2>err
    if grep -q 'node exporter' err; then fail "$(cat err)"; fi
}

for name in promtool_is_there totals_are_those_of_the_log what_is_read_while_it_runs_is_whole_and_of_one_cycle any_user_can_read_it \
    names_are_escaped the_machine_alone_has_no_jvm without_a_meter_there_are_no_joules runs_add_up \
    a_folder_that_is_gone_is_said_once_and_stops_nothing a_full_disk_keeps_what_was_there nothing_is_written_through_a_link \
    a_user_s_run_writes_it_with_that_user_s_rights names_that_cannot_be_or_are_not_read; do
    check $name
done
finish
