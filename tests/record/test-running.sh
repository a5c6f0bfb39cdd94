#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that are run: exit statuses, streams, short programs, options.
. "$(dirname "$0")/common.sh"

case_statuses() {
    for n in 0 1 2 7 125 200; do
        status_of "$record" -q $estimate -- sh -c "exit $n"
        same "status of exit $n" "$code" "$n"
    done
    status_of "$record" -q $estimate -- sh -c 'kill -9 $$'
    same "killed by 9" "$code" 137
    status_of "$record" -q $estimate -- sh -c 'kill -TERM $$'
    same "killed by TERM" "$code" 143
}

case_not_found() {
    status_of "$record" $estimate -- no-such-program 2>err
    same "not found" "$code" 127
    says err 'joular-record: no-such-program: not found'
    status_of "$record" $estimate -- ./no-such-program 2>err
    same "no such path" "$code" 127
    echo text >text
    status_of "$record" $estimate -- ./text 2>err
    same "not executable" "$code" 126
    echo PK >app.jar
    status_of "$record" $estimate -- ./app.jar 2>err
    same "a jar" "$code" 126
    says err '*./app.jar: cannot be executed; a jar is run by java -jar'
    status_of "$record" $estimate -- . 2>err
    same "a folder" "$code" 126
    [ ! -e power.log ] || fail "a log was made"
    printf '#!/no/such/interpreter\n' >script
    chmod +x script
    status_of "$record" $estimate -- ./script 2>err
    same "no interpreter" "$code" 127
    [ ! -e power.log ] || fail "a log of nothing is left"
}

case_usage_errors() {
    for args in "--interval 99 true" "--interval 10001 true" "-s nothing true" "-d 0 true" "--bogus true" "-p 0" "--runs 2" \
        "-p 1 true" "--jfr" "--dry-run" "-o" "--threads some true" "--throttle 10ms true" "-p 99999999" "--user nobody-at-all true" \
        "--idle-watts 1 --max-watts 2 true" "-s vm --idle-watts 1 true" "--vm-file watts true" "-s rapl --vm-format watts true"; do
        # shellcheck disable=SC2086 # words
        status_of "$record" $args >out 2>err
        same "status of $args" "$code" 125
        same "lines of $args" "$(wc -l <err)" 1
        same "output of $args" "$(wc -c <out)" 0
    done
    # to be examined, not to be used
    "$record" --doctor --vm-file watts --idle-watts 1 --max-watts 2 >out || [ -s out ] || fail "--doctor refuses them"
}

case_output_that_cannot_be_made() {
    status_of "$record" -q $estimate -o no/such/folder.log -- touch ran 2>err
    same status "$code" 125
    ln -s elsewhere link.log
    status_of "$record" -q $estimate -o link.log -- touch ran 2>err
    same "status with a link" "$code" 125
    says err '*link.log: is a symbolic link*'
    [ ! -e ran ] || fail "the program was started"
    [ ! -e elsewhere ] || fail "the link was followed"
}

case_options_end_at_the_command() {
    same output "$("$record" -q $estimate echo -q --version)" "-q --version"
    same output "$("$record" -q $estimate -- echo -- -o x)" "-- -o x"
}

case_streams_are_the_programs() {
    printf 'in\nput' | "$record" $estimate -- sh -c 'cat; echo error >&2' >out 2>err
    printf 'in\nput' >wanted
    cmp -s out wanted || fail "stdin or stdout was touched"
    says err error
    "$record" -q $estimate -- ls /proc/self/fd >out
    ls /proc/self/fd >wanted
    cmp -s out wanted || fail "the program has other files open: $(cat out)"
    # 32 and 33 are the C library's own: make leaves them ignored, and a ThreadSanitizer takes the second back
    cat >limits.sh <<'END'
ulimit -n
while read -r name value; do
    case $name in SigBlk: | SigIgn:) printf '%s %x\n' "$name" $((0x$value & ~0x180000000)) ;; esac
done </proc/self/status
END
    "$record" -q $estimate -- sh limits.sh >out
    sh limits.sh >wanted
    [ "$(wc -l <out)" = 3 ] || fail "no three lines: $(cat out)"
    cmp -s out wanted || fail "limits or signals differ: $(cat out)"
}

case_short_program() {
    "$record" -q $estimate -- sh -c 'end=$(($(date +%s%N) / 1000000 + 300)); while [ $(($(date +%s%N) / 1000000)) -lt $end ]; do :; done'
    sound power.log
    same cycles "$(grep -c '^cycle,' power.log)" 1
    same status "$(awk -F, '$1 == "cycle" { print $7 }' power.log)" partial
    awk -F, '$1 == "cycle" && ($4 < 3e8 || $5 == "") { exit 1 }' power.log || fail "no power, or no time: $(tail -1 power.log)"
    [ "$(sum_of power.log process 3)" -gt 10000000 ] || fail "no CPU time"
}

case_cpu_time_of_a_short_program() {
    "$record" -q $estimate -- "$build/burn" 1 150 go >out
    used=$(awk '{ sum += $2 } END { printf "%.0f\n", sum }' out)
    seen=$(sum_of power.log process 3)
    [ "$seen" -ge "$used" ] || fail "$seen of $used"
    [ "$((seen - used))" -lt 30000000 ] || fail "$seen for $used"
}

case_power_that_cannot_be_read() {
    status_of "$record" -s rapl --powercap "$PWD/nowhere" -- sh -c 'echo ran; exit 3' >out 2>err
    same status "$code" 3
    same output "$(cat out)" ran
    says err '*no powercap*'
    says err 'NEXT: joular-analyze --idle-watts W --max-watts W RECORDING.jfr (--jfr makes the recording too) #*'
    grep -q '"reason":"' power.log || fail "the log does not say why"
    awk -F, '$1 == "cycle" && ($5 != "" || $7 != "no-reading") { exit 1 }' power.log || fail "a cycle has power"
    status_of "$record" -q --require-power -s rapl --powercap "$PWD/nowhere" -- touch started 2>err
    same "status with --require-power" "$code" 125
    [ ! -e started ] || fail "it was started"
    # what auto comes to where there is nothing
    "$record" --powercap "$PWD/nowhere" --ringbuffer "$PWD/nowhere" -- true 2>err
    says err '*nowhere is not there: start PowerJoular*'
    says err '*nor is there RAPL*-s estimate --idle-watts W --max-watts W*'
    "$record" -s ringbuffer --ringbuffer "$PWD/nowhere" -- true 2>err
    ! grep -q 'nor is there' err || fail "RAPL was not looked for"
}

case_duration_ends_the_measurement_not_the_program() {
    status_of "$record" $estimate -d 0.5 -- sh -c 'sleep 1.2; echo end; exit 4' >out 2>err
    same status "$code" 4
    same output "$(cat out)" end
    says err '*measurement is over; the program runs on'
    awk -F, '$1 == "cycle" { sum += $4 } END { exit !(sum > 4.9e8 && sum < 6.5e8) }' power.log || fail "not half a second"
}

case_cycles_do_not_drift() {
    "$record" -q $estimate -i 100 -d 3
    sound power.log
    awk -F, '$1 == "cycle" { n++; sum += $4 } END { exit !(n >= 28 && n <= 31 && sum >= 3e9 && sum < 3.1e9) }' power.log ||
        fail "$(awk -F, '$1 == "cycle" { n++; sum += $4 } END { print n, sum }' power.log)"
}

case_config() {
    printf '# agent\npower-source-type = vm\nvm-power-file: %s\nvm-power-format watts\nstack-monitoring-sample-rate=20\n' "$PWD/watts" >agent.properties
    echo 12.5 >watts
    "$record" -q -c agent.properties -- sleep 0.3
    awk -F, '$1 == "cycle" && $5 != "12.500000" { exit 1 }' power.log || fail "$(tail -1 power.log)"
    "$record" -q -c agent.properties $estimate -- sleep 0.1
    grep -q '"source":"estimate"' power.log || fail "the option does not count for more"
    printf '\n\nvm-power-format=joules\n' >agent.properties
    status_of "$record" -c agent.properties true 2>err
    same status "$code" 125
    says err '*agent.properties: line 3: vm-power-format: "joules" is not powerjoular or watts*'
}

case_compressed() {
    have zstd
    "$record" -q $estimate -i 100 -o power.log.zst -- sleep 0.5
    zstd -dqc power.log.zst >power.log
    sound power.log
    [ "$(grep -c '^cycle,' power.log)" -ge 4 ] || fail "cycles are missing"
}

case_report() {
    "$record" $estimate -- sleep 0.2 2>err
    says err 'ENERGY: *J (estimated)'
    says err '  estimate: * J ?####################? 100.0%'
    says err 'POWER: avg * W, peak * W (estimated)'
    says err 'LOG: power.log, 1 cycle'
    says err 'NEXT: joular-analyze *power.log*'
    "$record" -q $estimate -- true 2>err
    same "lines with -q" "$(wc -l <err)" 0
}

case_user() {
    [ "$(id -u)" = 0 ] || skip "needs root"
    id nobody >/dev/null 2>&1 || skip "no user nobody"
    mkdir theirs
    chown nobody theirs
    "$record" -q $estimate --user nobody -o theirs/power.log -- sh -c 'id -un; echo "$HOME"; touch theirs/mine' >out
    same user "$(head -1 out)" nobody
    same home "$(tail -1 out)" "$(getent passwd nobody | cut -d: -f6)"
    same owner "$(stat -c %U theirs/power.log)" nobody
    status_of "$record" -q $estimate --user nobody -o power.log -- true 2>err
    same "status in a folder that is not theirs" "$code" 125
    SUDO_USER=nobody "$record" $estimate -o power.log -- true 2>err
    says err '*runs as root; with --user nobody*'
}

for name in statuses not_found usage_errors output_that_cannot_be_made options_end_at_the_command streams_are_the_programs \
    short_program cpu_time_of_a_short_program power_that_cannot_be_read duration_ends_the_measurement_not_the_program \
    cycles_do_not_drift config compressed report user; do
    check $name
done
finish
