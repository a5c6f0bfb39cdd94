#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Signals, sudden ends, a stopped recorder, a full disk.
. "$(dirname "$0")/common.sh"

# A program that counts the signals it gets, and ends on the second or after a while.
counter='n=0; trap "n=\$((n + 1)); echo got \$n" INT TERM HUP USR1; echo ready; i=0; while [ $i -lt 15 ]; do sleep 0.1; i=$((i + 1)); done; exit $((n + 20))'

wait_for() { # FILE: until it is not empty
    n=0
    until [ -s "$1" ]; do
        n=$((n + 1))
        [ $n -lt 100 ] || fail "$1 stays empty"
        sleep 0.1
    done
}

case_terminal_interrupts_once() {
    have python3
    python3 -c 'import pty; pty.openpty()' 2>/dev/null ||
        skip "no pseudo-terminal can be had (in a chroot: mount --bind /dev/pts FOLDER/dev/pts)"
    cat >terminal.py <<'EOP'
import os, pty, signal, sys, time
pid, fd = pty.fork()
if pid == 0:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # which what runs the tests may have told to be ignored
    os.execvp(sys.argv[1], sys.argv[1:])
output = b""
while b"ready" not in output:
    output += os.read(fd, 1024)
time.sleep(0.2)
os.write(fd, b"\x03")
try:
    while True:
        got = os.read(fd, 1024)
        if not got:
            break
        output += got
except OSError:
    pass
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
print(output.count(b"got"), status)
EOP
    same "signals and status" "$(python3 terminal.py "$record" $estimate -- sh -c "$counter")" "1 21"
    sound power.log
    grep -q '^cycle,' power.log || fail "no cycle"
}

case_signals_are_handed_on() {
    for signal in TERM INT HUP USR1; do
        rm -f out
        # In the background of a shell without job control INT is ignored, and under nohup HUP, and both stay so: python starts it
        # with the default.
        python3 -c 'import os, signal, sys; [signal.signal(s, signal.SIG_DFL) for s in (signal.SIGINT, signal.SIGHUP)]; os.execvp(sys.argv[1], sys.argv[1:])' \
            "$record" -q $estimate -- sh -c "$counter" >out &
        pid=$!
        wait_for out
        kill -$signal $pid
        status_of wait $pid
        same "status with $signal" "$code" 21
        sound power.log
    done
}

case_ignored_signals_stay_ignored() {
    (trap '' HUP && exec "$record" -q $estimate -- grep SigIgn /proc/self/status) >out
    (trap '' HUP && exec grep SigIgn /proc/self/status) >wanted
    cmp -s out wanted || fail "$(cat out wanted)"
}

case_machine_alone_until_a_signal() {
    "$record" $estimate -i 100 2>err &
    pid=$!
    wait_for_cycles power.log 8 $pid
    kill -TERM $pid
    status_of wait $pid
    same status "$code" 0
    sound power.log
    says err 'ENERGY: *'
}

case_a_signal_in_the_baseline_starts_nothing() {
    "$record" -q $estimate --baseline 20 -- touch ran &
    pid=$!
    sleep 0.7
    kill -TERM $pid
    status_of wait $pid
    same status "$code" 143
    [ ! -e ran ] || fail "the program was started"
}

case_program_killed() {
    "$record" -q $estimate -i 100 -- sh -c 'echo $$ >pid; exec sleep 1000' &
    recorder=$!
    wait_for pid
    kill -9 "$(cat pid)"
    status_of wait $recorder
    same status "$code" 137
    sound power.log
    same "last status" "$(tail -1 power.log | cut -d, -f7)" partial
}

case_recorder_killed() {
    "$record" -q $estimate -i 100 -- sh -c 'until [ -e go ]; do sleep 0.1; done; echo done >end' 2>/dev/null &
    recorder=$!
    wait_for_cycles power.log 3 $recorder
    kill -9 $recorder
    wait $recorder 2>/dev/null || true
    sound power.log
    : >go
    wait_for end # the program goes on
}

case_both_killed() {
    have zstd
    "$record" -q $estimate -i 100 -o power.log.zst -- sh -c 'echo $$ >pid; exec sleep 1000' 2>/dev/null &
    recorder=$!
    wait_for_cycles power.log.zst 3 $recorder
    kill -9 $recorder "$(cat pid)"
    wait $recorder 2>/dev/null || true
    zstd -dqc power.log.zst >power.log 2>/dev/null || true # it has no end
    sound power.log
    [ "$(grep -c '^cycle,' power.log)" -ge 3 ] || fail "cycles are missing"
}

case_recorder_stopped() {
    "$record" -q $estimate -i 100 -- sh -c 'until [ -e go ]; do sleep 0.1; done' &
    recorder=$!
    wait_for_cycles power.log 2 $recorder
    kill -STOP $recorder
    sleep 1.2
    kill -CONT $recorder
    wait_for_cycles power.log 5 $recorder
    : >go
    status_of wait $recorder
    same status "$code" 0
    sound power.log
    # no time is left out, neither that in which it was stopped
    awk -F, '$1 == "cycle" { if (!begin) begin = $3 - $4; if ($4 > longest) longest = $4; sum += $4; end = $3 }
        END { d = end - begin - sum; exit !(longest > 1.1e9 && d < 1e6 && d > -1e6) }' power.log || fail "the time is not whole"
}

case_program_stopped() {
    "$record" -q $estimate -i 100 -- sh -c 'echo $$ >pid; sleep 1' &
    recorder=$!
    wait_for pid
    kill -STOP "$(cat pid)"
    sleep 0.5
    kill -CONT "$(cat pid)"
    status_of wait $recorder
    same status "$code" 0
    sound power.log
}

case_full_disk() {
    [ "$(id -u)" = 0 ] || skip "needs root"
    mount_namespaces
    mkdir small
    unshare -m sh -c 'mount -t tmpfs -o size=16k tmpfs small 2>/dev/null || exit 77
        head -c 12k /dev/zero >small/fill
        "$0" -i 100 -s estimate --idle-watts 10 --max-watts 50 --threads all -o small/power.log -- \
            sh -c "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 2 & done; sleep 2; rm small/fill; sleep 1; exit 5" 2>err
        code=$?
        cp small/power.log .
        exit $code' "$record" && code=0 || code=$?
    [ "$code" != 77 ] || skip "no tmpfs"
    same status "$code" 5
    same "lines about it" "$(grep -c 'No space left' err)" 1
    says err 'LOG: small/power.log, * lost'
    sound power.log
    grep -q '^cycle,' power.log || fail "no cycle"
}

case_standard_error_is_closed() {
    status_of "$record" $estimate -- sh -c 'exit 6' 2>&-
    same status "$code" 6
}

case_log_on_a_device_without_room() {
    [ -w /dev/full ] || skip "no /dev/full"
    status_of "$record" $estimate -o /dev/full -- touch ran 2>err
    same status "$code" 125
}

for name in terminal_interrupts_once signals_are_handed_on ignored_signals_stay_ignored machine_alone_until_a_signal \
    a_signal_in_the_baseline_starts_nothing program_killed recorder_killed both_killed recorder_stopped program_stopped full_disk standard_error_is_closed \
    log_on_a_device_without_room; do
    check $name
done
finish
