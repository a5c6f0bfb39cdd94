#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --runs, --warmup, --baseline, --json; --doctor.
. "$(dirname "$0")/common.sh"

watts() { # N: the host's file
    echo "$1" >watts
    vm="-s vm --vm-format watts --vm-file $PWD/watts"
}

case_runs_in_folders() {
    watts 20
    "$record" $vm --runs 3 --warmup 2 --baseline 0.3 --json results.json -- sh -c 'echo run >>ran; sleep 0.3' 2>err
    same runs "$(wc -l <ran)" 5
    for run in 1 2 3; do
        sound run-$run/power.log
        grep -q "\"baseline_w\":20,\"baseline_s\":0.3,\"run\":$run,\"runs\":3" run-$run/power.log || fail "$(sed -n 2p run-$run/power.log)"
    done
    [ ! -e power.log ] || fail "a log of no run"
    says err 'ENERGY: * J; baseline removed * J, 0.000 J above it'
    says err 'CONFIDENCE: 3 runs, mean 6.* J +- * J, CoV *%, *'
    says err 'CONFIDENCE: 3 runs, mean 0.000 J above the baseline*'
    have python3
    python3 - <<'EOP'
import json, math
r = json.load(open("results.json"))
runs = [x["energy_j"] for x in r["runs"]]
assert len(runs) == 3 and all(5.9 < e < 9 for e in runs), runs
mean = sum(runs) / 3
sd = math.sqrt(sum((e - mean) ** 2 for e in runs) / 2)
assert abs(r["energy"]["mean_j"] - mean) < 1e-5 and abs(r["energy"]["sd_j"] - sd) < 1e-5 # energies have six decimals
assert abs(r["energy"]["half_width_95_j"] - 4.302652729749464 * sd / math.sqrt(3)) < 1e-5
above = [x["energy_above_baseline_j"] for x in r["runs"]]
assert abs(r["baseline_w"] - 20) < 1e-5 and all(0 <= a < 1e-4 for a in above), (r["baseline_w"], above)
assert all(x["exit_status"] == 0 for x in r["runs"])
EOP
}

case_energy_is_exact() {
    watts 12.5
    "$record" -q $vm --json results.json -- sleep 1.1
    have python3
    python3 - <<'EOP'
import json
r = json.load(open("results.json"))["runs"][0]
assert abs(r["energy_j"] - 12.5 * r["seconds"]) < 1e-6, r
EOP
}

case_failed_runs_do_not_count() {
    watts 20
    status_of "$record" $vm --runs 3 -- sh -c 'echo x >>ran; [ $(wc -l <ran) != 2 ] || exit 9' 2>err
    same status "$code" 9
    says err 'RUN 2 of 3, which failed'
    says err 'CONFIDENCE: 2 runs, *'
}

case_a_killed_run_is_the_last() {
    watts 20
    status_of "$record" -q $vm --runs 3 -- sh -c 'echo x >>ran; kill -9 $$'
    same status "$code" 137
    same runs "$(wc -l <ran)" 1
}

case_link_in_place_of_a_folder() {
    watts 20
    mkdir elsewhere
    ln -s elsewhere run-1
    status_of "$record" -q $vm --runs 2 -- touch ran 2>err
    same status "$code" 125
    [ ! -e ran ] || fail "it was started"
}

case_doctor() {
    watts 20
    status_of "$record" --doctor $vm >out
    same "status where it works" "$code" 0
    says out 'A measurement would work.'
    status_of "$record" --doctor -s rapl --powercap "$PWD/nowhere" >out
    same "status where it does not" "$code" 1
    for source in rapl ringbuffer vm estimate load threads container java; do
        says out "$source*"
    done
}

for name in runs_in_folders energy_is_exact failed_runs_do_not_count a_killed_run_is_the_last link_in_place_of_a_folder doctor; do
    check $name
done
finish
