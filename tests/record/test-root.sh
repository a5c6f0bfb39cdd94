#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# As root: whose programs are run, where files end up, and what rights they have.
. "$(dirname "$0")/common.sh"

as_root() {
    [ "$(id -u)" = 0 ] || skip "needs root"
}

# A JVM of somebody else brings a jcmd along, which is a program of somebody else.
case_jcmd_is_run_as_the_owner_of_the_jvm() {
    as_root
    have setpriv
    mkdir theirs
    cp "$(command -v sleep)" theirs/java
    printf '#!/bin/sh\nid -u >>%s/seen\nexit 1\n' "$PWD" >theirs/jcmd
    : >seen
    chmod 755 theirs theirs/*
    chmod 666 seen
    setpriv --reuid 65534 --regid 65534 --clear-groups theirs/java 60 &
    jvm=$!
    sleep 0.3
    status_of "$record" -q $estimate --jfr -p $jvm -d 0.2 2>err
    kill $jvm
    [ -s seen ] || fail "it was not run: $(cat err)"
    same "who ran it" "$(sort -u seen)" 65534
}

case_jcmd_is_not_looked_up_where_we_are() {
    as_root
    mkdir theirs
    cp "$(command -v sleep)" theirs/java
    printf '#!/bin/sh\ntouch %s/ran\nexit 1\n' "$PWD" >jcmd
    chmod +x jcmd
    theirs/java 60 &
    jvm=$!
    sleep 0.3
    PATH=.:/nowhere status_of "$record" -q $estimate --jfr -p $jvm -d 0.2 2>err
    kill $jvm
    [ ! -e ran ] || fail "./jcmd was run"
    says err '*needs jcmd*'
}

case_a_folder_of_recordings_that_is_a_link_is_refused() {
    mkdir elsewhere
    ln -s elsewhere run.jfr.d
    status_of "$record" -q $estimate --jfr -- sh -c 'touch ran' 2>err
    same status "$code" 125
    says err '*run.jfr.d*no folder*'
    [ ! -e ran ] || fail "the program was started"
    same "files behind the link" "$(ls -A elsewhere)" ""
}

case_settings_that_are_a_link_are_refused() {
    mkdir run.jfr.d
    echo kept >precious
    ln -s ../precious run.jfr.d/joular-record.jfc
    status_of "$record" -q $estimate --jfr -- touch ran 2>err
    same status "$code" 125
    says err '*joular-record.jfc is a symbolic link*'
    [ ! -e ran ] || fail "the program was started"
    same "what the link led to" "$(cat precious)" kept
}

case_settings_are_gone_afterwards() {
    "$record" -q $estimate --jfr -- sh -c 'cp run.jfr.d/joular-record.jfc read' 2>err
    grep -q '<configuration' read || fail "no settings"
    same "left in the folder" "$(ls -A run.jfr.d)" ""
}

case_files_have_the_rights_of_the_umask() {
    while read -r mask mode; do
        rm -f power.log r.json
        (umask "$mask" && "$record" -q $estimate --json r.json -- true </dev/null)
        same "of the log with $mask" "$(stat -c %a power.log)" "$mode"
        same "of the JSON with $mask" "$(stat -c %a r.json)" "$mode"
    done <<EOF
022 644
077 600
EOF
}

for name in jcmd_is_run_as_the_owner_of_the_jvm jcmd_is_not_looked_up_where_we_are \
    a_folder_of_recordings_that_is_a_link_is_refused settings_that_are_a_link_are_refused settings_are_gone_afterwards \
    files_have_the_rights_of_the_umask; do
    check $name
done
finish
