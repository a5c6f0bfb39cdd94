#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the system reads: the unit of the power log, the udev rule, sysusers.d and tmpfiles.d.
. "$(dirname "$0")/../cli/lib.sh"

unit=$build/packaging/joular-power-log.service

unit_command() { # the shell text that systemd would run, of this build's joular-record
    sed -n "s/^ExecStart=\/bin\/sh -c '\(.*\)'\$/\1/p" "$unit" | sed "s/\\\$\\\$/\$/g; s/%%/%/g; s|exec [^ ]*/joular-record|exec ${1:-$build/joular-record}|"
}

case_systemd_finds_no_fault_in_the_unit() {
    have systemd-analyze
    # it wants to see the programs, and the pages of Documentation=
    sed -e "s|exec [^ ]*/joular-record|exec $build/joular-record|" -e '/^Documentation=/d' "$unit" >joular-power-log.service
    systemd-analyze verify ./joular-power-log.service >out 2>&1 || { show out && fail "systemd-analyze verify"; }
    if grep -q 'joular-power-log' out; then show out && fail "systemd-analyze verify has something to say"; fi
}

case_the_unit_is_hardened() {
    have systemd-analyze
    systemd-analyze security --help | grep -q -e --offline || skip "this systemd-analyze knows no --offline"
    # 0 is locked up, 10 is open; below 2 is "OK"
    systemd-analyze security --offline=true --threshold=10 "$unit" --no-pager >out 2>&1 || { show out && fail "exposed to more than 1.0"; }
}

case_a_log_ends_at_midnight() {
    printf '#!/bin/sh\nprintf "%%s\\n" "$@" >words\n' >joular-record
    chmod +x joular-record
    before=$(date +%s)
    LOGS_DIRECTORY=$PWD JOULAR_OPTIONS='-s rapl' sh -ec "$(unit_command "$PWD/joular-record")"
    seconds=$(sed -n '/^-d$/{n;p;}' words)
    end=$(date -d "@$((before + seconds))" +%T)
    case $end in # a second may have passed
        00:00:0? | 23:59:5?) ;;
        *) fail "it would end at $end" ;;
    esac
    [ "$seconds" -le 90000 ] || fail "it would take $seconds s"
    for word in -q -s rapl --require-power; do
        grep -q -x -e "$word" words || fail "$word is not handed on"
    done
}

case_the_command_of_the_unit_leaves_a_log_that_is_read() {
    have zstd timeout
    LOGS_DIRECTORY=$PWD JOULAR_OPTIONS='-s estimate --idle-watts 10 --max-watts 20' timeout -s TERM 2.5 sh -ec "$(unit_command)" || true
    set -- power-*.log.zst
    case $1 in
        power-[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]T[0-2][0-9][0-5][0-9][0-6][0-9].log.zst) ;;
        *) fail "the log is called $1" ;;
    esac
    zstd -q -d -c "$1" >power.log || fail "zstd cannot read it"
    [ "$(grep -c '^cycle,' power.log)" -ge 2 ] || fail "it has too few cycles"
}

case_a_log_of_the_machine_alone_is_enough_for_an_analysis() {
    grep -v -e '^process,' -e '^thread,' "$samples/shop-jdk25.power.log" >machine.log
    analyze -f com.example "$samples/shop-jdk25.jfr" machine.log
    silent
    grep -q 'of the process from jdk.CPULoad' out || fail "it does not say where the share of the process is from"
    grep -q 'com.example.shop.Signatures.digest' joular-results/methods-power-app.csv || fail "no methods"
}

# Two days after another are one log, as one text or as two frames of zstd: a run over midnight is analysed with both.
case_logs_of_two_days_are_put_together_by_cat() {
    have zstd
    log=$samples/shop-jdk25.power.log
    lines=$(wc -l <"$log")
    half=$(awk -v half=$((lines / 2)) 'NR >= half && /^cycle,/ { print NR; exit }' "$log")
    head -n "$half" "$log" >day-1.log
    { head -n 2 "$log" && tail -n "+$((half + 1))" "$log"; } >day-2.log
    zstd -q day-1.log day-2.log
    cat day-1.log day-2.log >both.log
    cat day-1.log.zst day-2.log.zst >both.log.zst
    analyze -q -o one "$samples/shop-jdk25.jfr" "$log"
    for both in both.log both.log.zst; do
        analyze -q -o two "$samples/shop-jdk25.jfr" $both
        same_branches one two
    done
}

powercap() { # a tree of two packages, one with a part
    sys=$PWD/root/sys/devices/virtual/powercap/intel-rapl
    mkdir -p "$sys/intel-rapl:0/intel-rapl:0:0" "$sys/intel-rapl:1"
    for zone in "$sys/intel-rapl:0" "$sys/intel-rapl:0/intel-rapl:0:0" "$sys/intel-rapl:1"; do
        echo 1 >"$zone/energy_uj"
        echo 1 >"$zone/max_power_uw"
        chmod 400 "$zone/energy_uj" "$zone/max_power_uw"
    done
}

modes_are() { # MODE-AND-GROUP of the counters; the rest stays as it was
    for file in "$sys/intel-rapl:0/energy_uj" "$sys/intel-rapl:0/intel-rapl:0:0/energy_uj" "$sys/intel-rapl:1/energy_uj"; do
        [ "$(stat -c '%a %g' "$file")" = "$1" ] || fail "${file#"$PWD/"}: $(stat -c '%a %g' "$file"), not $1"
    done
    [ "$(stat -c '%a %g' "$sys/intel-rapl:1/max_power_uw")" = "400 0" ] || fail "another file was changed too"
}

case_the_udev_rule_gives_the_counters_to_the_group() {
    [ "$(id -u)" = 0 ] || skip "this needs root"
    powercap
    run=$(sed -n 's/.*RUN+="\/bin\/sh -c '"'\(.*\)'\"\$/\1/p" "$top/packaging/60-joular-rapl.rules" | sed 's/\$\$/$/g; s/chgrp joular/chgrp 12345/')
    [ -n "$run" ] || fail "no RUN was found in the rule"
    for zone in intel-rapl:0 intel-rapl:0/intel-rapl:0:0 intel-rapl:1; do
        sh -c "$(echo "$run" | sed "s|/sys%p|$sys/$zone|")" || fail "the rule failed"
    done
    sh -c "$(echo "$run" | sed "s|/sys%p|$sys|")" || fail "the rule failed where there is no counter"
    modes_are "440 12345"
}

case_tmpfiles_is_an_alternative_to_it() {
    have systemd-tmpfiles
    [ "$(id -u)" = 0 ] || skip "this needs root"
    powercap
    mkdir root/etc
    echo 'root:x:0:0::/:/bin/sh' >root/etc/passwd
    printf 'root:x:0:\njoular:x:12345:\n' >root/etc/group
    cp "$top/packaging/joular-rapl.conf" root/
    systemd-tmpfiles --create --root="$PWD/root" "$PWD/root/joular-rapl.conf" >err 2>&1 || { show err && fail "systemd-tmpfiles --create"; }
    modes_are "440 12345"
}

case_old_logs_are_removed() {
    have systemd-tmpfiles
    [ "$(id -u)" = 0 ] || skip "this needs root"
    mkdir -p root/var/log/joular
    touch root/var/log/joular/new.log.zst
    # by change time too, which nobody can set back: the same line with another age
    sed 's/30d$/1s/' "$top/packaging/tmpfiles.d/joular.conf" >root/joular.conf
    grep -q ' 1s$' root/joular.conf || fail "no age was found"
    cp "$top/packaging/tmpfiles.d/joular.conf" root/as-it-is.conf
    sleep 1.2
    systemd-tmpfiles --clean --root="$PWD/root" "$PWD/root/as-it-is.conf" || fail "systemd-tmpfiles --clean"
    [ -e root/var/log/joular/new.log.zst ] || fail "a new log was removed"
    systemd-tmpfiles --clean --root="$PWD/root" "$PWD/root/joular.conf" || fail "systemd-tmpfiles --clean"
    [ ! -e root/var/log/joular/new.log.zst ] || fail "an old log was not removed"
}

case_sysusers_makes_the_user_and_its_group() {
    have systemd-sysusers
    [ "$(id -u)" = 0 ] || skip "this needs root"
    mkdir -p root/etc
    systemd-sysusers --root="$PWD/root" "$top/packaging/sysusers.d/joular.conf" >err 2>&1 || { show err && fail "systemd-sysusers"; }
    grep -q '^joular:.*nologin$' root/etc/passwd || { show err root/etc/passwd && fail "no user"; }
    grep -q '^joular:' root/etc/group || fail "no group"
}

run_cases
