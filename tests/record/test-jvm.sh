#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# JVMs: which process and threads, recordings, namespaces. JDKs: that of PATH, and 25 where tests/jdk.sh finds one.
. "$(dirname "$0")/common.sh"
analyze=$build/joular-analyze

command -v javac >/dev/null || {
    echo "no JDK" >&2
    exit 77
}
cp "$top/tests/record/Burn.java" "$work/"
javac --release 11 -d "$work" "$work/Burn.java" || exit 99

thread_names_and_times() { # LOG OUT: within 2 %
    while read -r name used; do
        seen=$(sum_of "$1" thread 4 5 "$name")
        awk -v a="$seen" -v b="$used" 'BEGIN { d = a / b - 1; exit !(d < 0.02 && d > -0.02) }' || fail "$name: $seen, not $used"
    done <"$2"
}

# burning COUNT COMMAND...: a JVM in the background, $jvm, once its program has that many threads that burn. The startup recording has
# begun then.
burning() {
    count=$1
    shift
    "$@" >out &
    jvm=$!
    until [ "$(cat /proc/$jvm/task/*/comm 2>/dev/null | grep -c '^burn-')" = "$count" ]; do
        kill -0 $jvm || fail "the JVM did not start"
        sleep 0.05
    done
}

case_threads_of_c() {
    "$record" -q $estimate --threads all -- "$build/burn" 4 250 >out
    same threads "$(wc -l <out)" 4
    thread_names_and_times power.log out
}

case_threads_of_java() {
    "$record" -q $estimate -- java -cp "$work" Burn 4 300 0 >out
    same threads "$(wc -l <out)" 4
    thread_names_and_times power.log out
    # threads are part of their process (over the run: they are read a little later than it in each cycle)
    awk -F, '$1 == "process" { p += $3 } $1 == "thread" { t += $4 } END { exit t > p * 1.02 + 2e7 }' power.log ||
        fail "threads used more than their process"
}

case_no_threads() {
    "$record" -q $estimate --threads none -- java -cp "$work" Burn 1 300 0 >out
    same threads "$(grep -c '^thread,' power.log || true)" 0
}

case_behind_a_shell() {
    "$record" -q $estimate -- sh -c "sleep 0.2; java -cp $work Burn 2 300 3; echo" >out && code=0 || code=$?
    grep -v '^$' out >lines
    thread_names_and_times power.log lines
    same processes "$(awk -F, '$1 == "process" && $4 == "java" { print $2 }' power.log | sort -u | wc -l)" 1
}

# A grandchild that its parent reaps between two looks: its last piece is in the parent's cutime.
case_last_piece_of_a_grandchild() {
    "$record" -q $estimate -- sh -c "sh -c '$build/burn 1 700 go >used; true'; true"
    seen=$(awk -F, '$1 == "process" && $4 == "burn" { sum += $3 } END { printf "%.0f", sum }' power.log)
    used=$(cut -d' ' -f2 used)
    awk -v a="$seen" -v b="$used" 'BEGIN { d = a - b; exit !(d > -25e6 && d < 35e6) }' || fail "$seen of $used"
}

record_and_analyze() { # LAUNCHER
    "$record" $estimate --jfr -- "$1" -cp "$work" Burn 2 800 0 >out 2>err
    same "lines of the program" "$(wc -l <out)" 2
    says err 'NEXT: joular-analyze run.jfr power.log'
    [ ! -e run.jfc ] || fail "the settings are left"
    "$analyze" run.jfr power.log >result 2>messages
    grep -q 'Burn.burn' joular-results/methods-power-all.csv || fail "no Burn.burn"
    logged=$(awk -F, '$1 == "cycle" { sum += $4 * $5 / 1e9 } END { printf "%.3f", sum }' power.log)
    said=$(sed -n 's/.*"machine_joules":\([0-9.]*\).*/\1/p' joular-results/report.json)
    awk -v a="$logged" -v b="$said" 'BEGIN { exit !(a - b < 0.01 && b - a < 0.01) }' || fail "$said J, not $logged J"
    status_of "$record" -q $estimate --jfr=status.jfr -o status.log -- "$1" -cp "$work" Burn 1 1 7 >out
    same "exit status" "$code" 7
}

case_recording() {
    record_and_analyze java
}

case_recording_of_jdk_25() {
    bin=$(sh "$top/tests/jdk.sh" 25 2>/dev/null) || skip "no JDK 25"
    record_and_analyze "$bin/java"
    "$analyze" -v run.jfr power.log 2>&1 | grep -q 'samples are jdk.CPUTimeSample' || fail "not CPU-time samples"
    "$record" -q $estimate --jfr --throttle 200/s -- "$bin/java" -cp "$work" Burn 1 300 0 >out
    [ -s run.jfr ] || fail "no recording with a rate"
}

case_secrets_stay_out() {
    SECRET_OF_THE_TEST=hunter2 "$record" -q $estimate --jfr -- java -cp "$work" Burn 1 300 0 >out
    command -v strings >/dev/null || skip "no strings"
    strings -n 5 run.jfr >words
    ! grep -q hunter2 words || fail "the environment is in the recording"
    ! grep -q 'java.vm.specification' words || fail "system properties are in the recording"
}

case_recordings_of_a_script() {
    "$record" $estimate --jfr -- sh -c "cd /; java -cp $work Burn 1 200 0; java -cp $work Burn 1 900 0" >out 2>err
    same recordings "$(ls run.jfr.d | wc -l)" 2
    next=$(sed -n 's/^NEXT: //p' err)
    PATH=$build:$PATH sh -c "$next" >result
    says result '*Burn.burn*'
    same "JVMs" "$(grep -c '^JVM: ' err)" 2
    large=$(awk -F, '$1 == "process" && $4 == "java" { t[$2] += $3 } END { for (p in t) if (t[p] > m) { m = t[p]; b = p }; print b }' power.log)
    case $next in
        *hotspot-pid-"$large"-*) ;;
        *) fail "$next, not $large" ;;
    esac
}

case_options_of_the_environment_are_kept() {
    JDK_JAVA_OPTIONS=-Dkept=yes "$record" -q $estimate --jfr=some.jfr -- sh -c 'java -XshowSettings:properties -version' >out 2>err
    grep -q 'kept = yes' err || fail "JDK_JAVA_OPTIONS was replaced"
}

case_own_flag_is_left_alone() {
    "$record" $estimate --jfr -- java -XX:StartFlightRecording=filename=own.jfr -cp "$work" Burn 1 200 0 >out 2>err
    says err '*left as it is'
    says err 'NEXT: joular-analyze own.jfr power.log'
    [ -s own.jfr ] || fail "no recording"
    "$record" $estimate --jfr --dry-run -- java -XX:StartFlightRecording -jar x.jar >out 2>err
    same command "$(cat out)" 'java -XX:StartFlightRecording -jar x.jar'
    says err '*no file will be left*'
    "$record" $estimate --jfr --dry-run -- java -jar x.jar -XX:StartFlightRecording=x >out 2>err
    says out 'java -XX:StartFlightRecording=name=joular-record,*-jar x.jar -XX:StartFlightRecording=x'
}

case_names_of_recordings() {
    status_of "$record" -q $estimate --jfr=a,b.jfr -- java -version 2>err
    same "status with a comma" "$code" 125
    ln -s elsewhere link.jfr
    status_of "$record" -q $estimate --jfr=link.jfr -- java -version 2>err
    same "status with a link" "$code" 125
    mkdir 'a folder'
    "$record" -q $estimate --jfr='a folder/of mine.jfr' -- java -cp "$work" Burn 1 100 0 >out
    [ -s 'a folder/of mine.jfr' ] || fail "no recording in a folder with a blank"
    "$record" -q $estimate --jfr='a folder/all' -- sh -c "java -cp $work Burn 1 100 0" >out 2>err
    [ -n "$(ls 'a folder/all')" ] || fail "no recordings in a folder with a blank"
}

case_running_jvm() {
    have jcmd
    burning 2 java -cp "$work" Burn 2 60000 0
    status_of "$record" $estimate --jfr -p $jvm -d 2 2>err
    same status "$code" 0
    [ -s run.jfr ] || fail "no recording"
    sound power.log
    grep -q "^thread,$jvm," power.log || fail "no threads"
    jcmd $jvm JFR.check >check
    ! grep -q joular-record check || fail "the recording goes on"
    "$record" $estimate -i 100 -p $jvm -o second.log 2>err2 &
    recorder=$!
    wait_for_cycles second.log 2 $recorder
    kill $jvm
    status_of wait $recorder
    same "status when it ends" "$code" 0
    wait $jvm || :
    sound second.log
    same "last status" "$(tail -1 second.log | cut -d, -f7)" partial
    "$analyze" run.jfr power.log >result 2>messages
    ! grep -q twice messages || fail "$(cat messages)"
    says result '*Burn.burn*'
}

case_recorded_already() {
    have jcmd
    burning 1 java -XX:StartFlightRecording=name=joular-record,filename=theirs.jfr -Xlog:jfr+startup=error -cp "$work" Burn 1 60000 0
    until jcmd $jvm JFR.check 2>/dev/null | grep -q 'name=joular-record'; do # which may begin after the program
        kill -0 $jvm || fail "the JVM did not start"
        sleep 0.1
    done
    "$record" $estimate --jfr -p $jvm -d 0.5 2>err
    says err '*records for joular-record already*'
    jcmd $jvm JFR.check >check
    same recordings "$(grep -c '^Recording' check)" 1
    [ -s run.jfr ] || fail "it was not written"
    kill $jvm
    wait $jvm || :
}

case_pid_namespace() {
    mount_namespaces # of --mount-proc
    unshare -pf --mount-proc true 2>/dev/null || skip "no pid namespace can be had"
    "$record" $estimate -v --jfr -- unshare -pf --mount-proc java -cp "$work" Burn 2 400 0 >out 2>err
    grep -q '^process,[0-9]*,[0-9]*,java,1$' power.log || fail "no id in the namespace: $(grep ^process, power.log | tail -1)"
    thread_names_and_times power.log out
    awk -F, '$1 == "thread" && $5 ~ /^burn/ && NF != 6 { exit 1 }' power.log || fail "threads have no id in the namespace"
    next=$(sed -n 's/^NEXT: //p' err)
    PATH=$build:$PATH sh -c "$next" >result || fail "$next"
    says result '*Burn.burn*'
}

case_killed_jvm() {
    status_of "$record" $estimate --jfr -- java -cp "$work" Burn 1 300 9 halt 2>err >out
    same status "$code" 9
    status_of "$record" $estimate --jfr=killed.jfr -- sh -c "exec java -cp $work Burn 1 60000 0 & sleep 1.5; kill -9 \$!; wait" 2>err >out
    sound power.log
    says err '*no recording*'
}

# The launcher ends before it makes a JVM, and what is in run.jfr is of the run before.
case_a_recording_of_the_run_before_is_not_this_runs() {
    "$record" $estimate --jfr -- java -cp "$work" Burn 1 300 0 2>err >out
    says err 'NEXT: joular-analyze run.jfr power.log'
    status_of "$record" $estimate --jfr -- java -jar nothing.jar 2>err
    same status "$code" 1
    says err '*no recording of this run in run.jfr*'
    ! grep -q '^NEXT' err || fail "$(cat err)"
    "$record" $estimate --jfr -- java -cp "$work" Burn 1 300 0 2>err >out
    says err 'NEXT: joular-analyze run.jfr power.log'
}

case_maven() {
    have mvn
    for repo in /usr/share/maven-repo "${HOME:-/}/.m2/repository"; do
        [ -d "$repo"/org/codehaus/mojo/exec-maven-plugin ] && break
    done
    [ -d "$repo"/org/codehaus/mojo/exec-maven-plugin ] || skip "no exec-maven-plugin (Debian: libexec-maven-plugin-java)"
    version=$(ls "$repo"/org/codehaus/mojo/exec-maven-plugin | head -1)
    cat >pom.xml <<EOP
<project><modelVersion>4.0.0</modelVersion><groupId>t</groupId><artifactId>t</artifactId><version>1</version><packaging>pom</packaging>
<build><plugins><plugin><groupId>org.codehaus.mojo</groupId><artifactId>exec-maven-plugin</artifactId><version>$version</version>
<configuration><executable>java</executable><arguments><argument>-cp</argument><argument>$work</argument><argument>Burn</argument>
<argument>2</argument><argument>400</argument><argument>0</argument></arguments></configuration></plugin></plugins></build></project>
EOP
    "$record" $estimate --jfr -- mvn -q -o -Dmaven.repo.local=$repo exec:exec >out 2>err || fail "$(cat out err)"
    grep '^burn' out >lines
    thread_names_and_times power.log lines
    same "JVMs" "$(grep -c '^JVM: ' err)" 2
}

for name in threads_of_c threads_of_java no_threads behind_a_shell last_piece_of_a_grandchild recording recording_of_jdk_25 \
    secrets_stay_out recordings_of_a_script options_of_the_environment_are_kept own_flag_is_left_alone names_of_recordings \
    running_jvm recorded_already pid_namespace killed_jvm a_recording_of_the_run_before_is_not_this_runs maven; do
    [ "${1:-$name}" != "$name" ] || check $name
done
finish
