#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Power sources through the tool: counters that move at a known rate, PowerJoular's ring buffer written once a second.
. "$(dirname "$0")/common.sh"

zone() { # ZONE NAME ENERGY: under powercap/, reached by a link as in sysfs
    mkdir -p "devices/$1" powercap
    echo "$2" >"devices/$1/name"
    echo "$3" >"devices/$1/energy_uj"
    echo 262143328850 >"devices/$1/max_energy_range_uj"
    ln -sfn "../devices/$1" "powercap/$(basename "$1")"
}

energy_of() { # LOG: joules in all cycles
    awk -F, '$1 == "cycle" && $5 != "" { sum += $4 / 1e9 * $5 } END { printf "%.6f\n", sum }' "$1"
}

case_joules_are_those_of_the_counters() {
    zone intel-rapl:0 package-0 262143000000
    zone intel-rapl:1 package-1 5
    zone intel-rapl:0/intel-rapl:0:0 core 1000
    zone intel-rapl:2 psys 7
    (sleep 0.7 && exec "$build/counter-mover" 1.5 1000 devices/intel-rapl:0/energy_uj 20 262143328850 \
        devices/intel-rapl:1/energy_uj 7.5 262143328850 devices/intel-rapl:0/intel-rapl:0:0/energy_uj 11 262143328850 \
        devices/intel-rapl:2/energy_uj 40 262143328850) >moved &
    "$record" -i 200 --powercap powercap -- sleep 4 2>err
    wait
    # All that the packages moved is in the log, to the microjoule that a cycle's power is rounded to.
    energy=$(energy_of power.log)
    moved=$(awk '/intel-rapl:[01].energy_uj/ { for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+$/) { sum += $i; break } } END { printf "%.6f", sum / 1e6 }' moved)
    awk -v e="$energy" -v m="$moved" 'BEGIN { d = e - m; exit !(m > 30 && d < 0.0001 && d > -0.0001) }' || fail "$energy J, not $moved: $(cat moved)"
    # What the report says is what the domains say, and those that are not counted are not in it.
    says err 'ENERGY: *'
    says err '  package-0: *'
    says err '    core: *'
    says err '  psys: *, not added'
    sum=$(awk -F, '$1 == "domain" && $2 ~ /^package-.$/ { sum += $3 } END { printf "%.6f", sum / 1e6 }' power.log)
    awk -v a="$sum" -v b="$energy" 'BEGIN { d = a - b; exit !(d < 0.001 && d > -0.001) }' || fail "domains $sum J, cycles $energy J"
    grep -q '"domains":\[{"name":"package-0",' power.log || fail "the header does not name the domains"
}

case_a_zone_that_vanishes_loses_nothing() {
    zone intel-rapl:0 package-0 1000000
    (
        sleep 1.05
        mv devices/intel-rapl:0/energy_uj devices/kept
        sleep 1
        echo 31000000 >devices/fresh
        mv devices/fresh devices/intel-rapl:0/energy_uj
    ) &
    "$record" -q -i 200 --powercap powercap -- sleep 3
    wait
    same late "$(grep -c '^cycle,.*,late$' power.log)" 1
    energy=$(energy_of power.log)
    awk -v e="$energy" 'BEGIN { exit !(e > 29.9999 && e < 30.0001) }' || fail "$energy J, not 30"
    awk -F, '$1 == "cycle" { sum += $4 } END { exit !(sum > 2.99e9 && sum < 3.3e9) }' power.log || fail "cycles leave gaps"
}

case_an_unreadable_end_is_no_reading() {
    zone intel-rapl:0 package-0 1000000
    "$record" -q -i 200 --powercap powercap -- sh -c 'sleep 0.5; rm devices/intel-rapl:0/energy_uj; sleep 0.7'
    same "last status" "$(tail -1 power.log | cut -d, -f7)" no-reading
    awk -F, '$1 == "process" { n++ } END { exit !(n >= 3) }' power.log || fail "no process in it"
}

case_ring_buffer() {
    have python3
    cat >writer.py <<'EOP'
import struct, sys, time
data = bytearray(248)
with open("ring", "w+b", buffering=0) as file:
    file.write(data)
    for count in range(1, 7):
        entry = struct.pack("=Qddddd", int(time.time()), 10.0 + count, 0.0, 99.0, 0.5, 1.0)
        file.seek(8 + (count - 1) % 5 * 48)
        file.write(entry)
        file.seek(0)
        file.write(struct.pack("=Q", count))
        time.sleep(0.5)
EOP
    python3 writer.py &
    writer=$!
    sleep 0.7
    "$record" -q -s ringbuffer --ringbuffer ring -- sleep 2
    wait $writer
    sound power.log
    awk -F, '$1 == "cycle" && $7 == "ok" { n++; if ($5 < last) exit 1; if ($5 == last) exit 1; last = $5; if ($4 > 7e8) exit 1 } END { exit n < 3 }' \
        power.log || fail "$(grep ^cycle power.log)"
}

for name in joules_are_those_of_the_counters a_zone_that_vanishes_loses_nothing an_unreadable_end_is_no_reading ring_buffer; do
    check $name
done
finish
