#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Containers, as mount and pid namespaces make them: which mounts and which namespace a measurement needs (CONTAINERS in
# joular-record(1)), and that the manifests of samples/containers are of that kind.
. "$(dirname "$0")/common.sh"

namespaces() {
    [ "$(id -u)" = 0 ] || skip "namespaces need root"
    mount_namespaces
    unshare -m -p -f --mount-proc true 2>/dev/null || skip "no pid namespace can be had"
}

# The host's counters as sysfs has them: powercap with links into devices/virtual; 20 W. What a container sees of it comes by mounts.
host() {
    zone=host/sys/devices/virtual/powercap/intel-rapl/intel-rapl:0
    mkdir -p $zone host/sys/class/powercap container/powercap container/proc
    echo package-0 >$zone/name
    echo 262143328850 >$zone/max_energy_range_uj
    echo 1000000 >$zone/energy_uj
    chmod 400 $zone/energy_uj
    ln -s ../../devices/virtual/powercap/intel-rapl/intel-rapl:0 host/sys/class/powercap/intel-rapl:0
    "$build/counter-mover" 60 1000 $zone/energy_uj 20 262143328850 >moved &
    started=$!
    trap 'kill -KILL $started 2>/dev/null || :; wait' EXIT
}

# in_container COMMAND: with mounts of its own, and the pid namespace that is current
container_mounts='
    mount --make-rprivate / &&
    mount --bind host/sys/devices/virtual/powercap container/powercap &&
    mount -o remount,bind,ro container/powercap || exit 99'

watts() { # LOG: of the middle, where the mover is surely on its way
    awk -F, '$1 == "cycle" && $5 != "" && ++n > 1 { sum += $5; count++ } END { if (count) printf "%.0f\n", sum / count }' "$1"
}

has_twenty_watts() { # LOG
    sound "$1"
    found=$(watts "$1")
    [ "${found:-0}" -ge 17 ] && [ "$found" -le 23 ] || fail "${found:-no} W, not 20"
}

# docker --pid=container:app, podman --pid=container:app, Kubernetes shareProcessNamespace: the JVM's namespace, and its own mounts
case_beside_the_program_in_its_namespace() {
    namespaces
    host
    unshare -m -p -f --mount-proc sh -c "$container_mounts"'
        touch container/powercap/made 2>/dev/null && exit 98
        "$1/burn" 1 60000 & program=$!
        "$1/joular-record" -q -i 200 -d 2 --powercap container/powercap --threads all -p $program
        kill -KILL $program' sh "$build" 2>err || fail "$? $(cat err)"
    has_twenty_watts power.log
    [ "$(sum_of power.log process 3)" -gt 100000000 ] || fail "CPU time $(sum_of power.log process 3)"
    grep -q '^thread,' power.log || fail "no threads"
    awk -F, '$1 == "process" && NF == 4 && $2 < 100 { found = 1 } END { exit !found }' power.log || fail "not the ids of the namespace"
}

# hostPID: true, --pid=host: all that the host has
case_in_the_namespace_of_the_host() {
    namespaces
    host
    unshare -p -f --mount-proc "$build/burn" 1 60000 &
    parent=$!
    started="$started $parent"
    sleep 0.3
    program=$(cut -d' ' -f1 "/proc/$parent/task/$parent/children")
    started="$program $started"
    unshare -m sh -c "$container_mounts"'
        exec "$1/joular-record" -q -i 200 -d 2 --powercap container/powercap --threads all -p "$2"' sh "$build" "$program" 2>err || fail "$? $(cat err)"
    has_twenty_watts power.log
    grep -q "^process,$program,[0-9]*,burn,1\$" power.log || fail "the id in the program's own namespace is not logged"
    [ "$(sum_of power.log process 3)" -gt 100000000 ] || fail "CPU time $(sum_of power.log process 3)"
}

# In a namespace of its own only the host's /proc tells of others: by their ids there, in steps of 10 ms.
case_in_another_namespace_with_the_proc_of_the_host() {
    namespaces
    host
    "$build/burn" 1 60000 &
    program=$!
    started="$started $program"
    in_own_namespace() { # ARGS: joular-record, to whom $program is nobody
        unshare -m sh -c "$container_mounts"' && mount --bind /proc container/proc && build=$1 && shift &&
            exec unshare -p -f --mount-proc "$build/joular-record" "$@"' sh "$build" "$@"
    }
    in_own_namespace -q -i 200 -d 2 --powercap container/powercap --proc container/proc --threads all -p $program 2>err || fail "$? $(cat err)"
    has_twenty_watts power.log
    [ "$(sum_of power.log process 3)" -gt 100000000 ] || fail "CPU time $(sum_of power.log process 3)"
    grep -q "^thread,$program," power.log || fail "no threads"
    status_of in_own_namespace -q -d 1 $estimate -p $program 2>err
    same "status without the host's proc" "$code" 125
    says err "joular-record: --pid: there is no process $program in /proc"
    status_of in_own_namespace -q -d 1 $estimate --proc container/proc --jfr -p $program 2>err
    same "status with --jfr" "$code" 125
    says err '*--jfr -p: container/proc is of another pid namespace*'
    # it ends with the program: nobody else has its id here
    (sleep 1 && kill -KILL $program) &
    in_own_namespace -q -i 200 -d 9 $estimate --proc container/proc -p $program 2>err || fail "$? $(cat err)"
    [ "$(grep -c '^cycle,' power.log)" -lt 30 ] || fail "it did not end with the program"
}

# the machine's log, as a DaemonSet keeps one: no program, no namespace but the counters
case_the_machine_alone() {
    namespaces
    host
    unshare -m -p -f --mount-proc sh -c "$container_mounts"'
        exec "$1/joular-record" -q -i 200 -d 2 --powercap container/powercap' sh "$build" 2>err || fail "$? $(cat err)"
    has_twenty_watts power.log
    busy=$(sum_of power.log cycle 6)
    [ "$busy" -gt 0 ] || fail "the load of the machine is not there"
}

# What Docker and others do of their own: a tmpfs over devices/virtual/powercap, so that the links lead nowhere.
case_hidden_counters_are_missing_and_that_is_said() {
    namespaces
    host
    status_of unshare -m sh -c 'mount --make-rprivate / && mount -t tmpfs none host/sys/devices/virtual/powercap || exit 99
        exec "$1/joular-record" -q --require-power --powercap host/sys/class/powercap -- true' sh "$build" 2>err
    same status "$code" 125
    says err 'joular-record: no CPU package can be reached in host/sys/class/powercap (*intel-rapl:0 leads nowhere; a container hides it*'
}

# A JVM in a container, recorded by itself and logged from beside it: pid 1 here, another number there.
case_a_jvm_is_found_by_either_of_its_ids() {
    namespaces
    have java javac
    host
    cp "$top/tests/record/Burn.java" .
    javac -d . Burn.java || skip "no javac"
    mkdir -p recorded
    unshare -p -f --mount-proc java -XX:StartFlightRecording=filename=run.jfr,settings=profile,dumponexit=true Burn 2 1500 0 >out 2>err &
    parent=$!
    sleep 1
    program=$(cut -d' ' -f1 "/proc/$parent/task/$parent/children")
    unshare -m sh -c "$container_mounts"' && mount --bind /proc container/proc &&
        exec unshare -p -f --mount-proc "$1/joular-record" -q -i 200 --powercap container/powercap --proc container/proc -p "$2"' \
        sh "$build" "$program" 2>err || fail "$? $(cat err)"
    wait $parent
    "$build/joular-analyze" -o . run.jfr power.log >summary 2>err || fail "$(cat err)"
    says summary '  shares    of the process from the power log,'
    grep -q 'Burn.burn' methods.csv || fail "no method"
}

# The manifests: options that joular-record has, and the mounts of the manual.
case_manifests() {
    manifests=$top/samples/containers
    for file in compose.yaml daemonset.yaml sidecar.yaml; do
        grep -q '/sys/devices/virtual/powercap' "$manifests/$file" || fail "$file does not mount the counters"
        grep -q -e '/powercap:ro' -e 'readOnly: true' "$manifests/$file" || fail "$file does not mount them read-only"
        # every list of words that begins with the program, with or without a shell before it
        sed -n 's/.*command:.*\(joular-record -[^"]*\).*/\1/p' "$manifests/$file" | sed 's/;.*//; s/ -p \$.*//; s/\$(date[^)]*)/DATE/' >commands
        [ -s commands ] || fail "$file has no joular-record"
        while read -r words; do
            # shellcheck disable=SC2086 # words
            set -- ${words#joular-record }
            "$record" "$@" --help >out 2>err || fail "$file: $(cat err)"
        done <commands
    done
    grep -q 'shareProcessNamespace: true' "$manifests/sidecar.yaml" || fail "sidecar.yaml shares no namespace"
    grep -q 'pid: "service:app"' "$manifests/compose.yaml" || fail "compose.yaml shares no namespace"
    have python3
    python3 -c 'import yaml' 2>/dev/null || skip "python3 has no yaml"
    python3 -c 'import sys, yaml
for path in sys.argv[1:]:
    list(yaml.safe_load_all(open(path, encoding="utf-8")))' "$manifests"/*.yaml || fail "no YAML"
}

for name in beside_the_program_in_its_namespace in_the_namespace_of_the_host in_another_namespace_with_the_proc_of_the_host \
    the_machine_alone hidden_counters_are_missing_and_that_is_said a_jvm_is_found_by_either_of_its_ids manifests; do
    check $name
done
finish
