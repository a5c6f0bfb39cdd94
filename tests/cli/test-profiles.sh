#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Profiles for pprof, speedscope and the Firefox Profiler: their energy is that of the report, and each is opened by its own reader:
# `go tool pprof`, the schema that speedscope's package has (its page is opened in tests/flame/test-speedscope.py), and the command line
# of the Firefox Profiler, which loads a profile with the page's own code.
. "$(dirname "$0")/lib.sh"

from() { # REPORT FOLDER OPTIONS...
    report=$1 folder=$2
    shift 2
    "$program" -q --format all -o "$folder" "$@" --from-report "$report" 2>said || fail "$report $*: $(cat said)"
}

profiles() { # ARGS of profiles.py
    have python3
    code=0
    python3 "$top/tests/cli/profiles.py" "$@" >why 2>&1 || code=$?
    [ $code != 77 ] || skip "$(cat why)"
    [ $code = 0 ] || {
        cut -c1-2000 why >>"$case_dir.why"
        fail "profiles.py $*"
    }
}

microjoules() { # REPORT: of the process
    python3 -c 'import json, sys; print(round(json.load(open(sys.argv[1], encoding="utf-8"))["totals"]["process_joules"] * 1e6))' "$1"
}

made() { # KIND: report.json of a result that no recording gave
    [ -x "$build/flame-page" ] || skip "flame-page is not built"
    "$build/flame-page" --report "$@" | LC_ALL=C sed 's/\xff/?/g' >made.json
}

many() {
    [ -x "$build/many-methods" ] || skip "many-methods is not built (no CMocka)"
    "$build/many-methods" 50000 >many.jfr
    "$build/many-methods" 50000 log >many.log
    "$program" -q --pid 7 --format all -o results many.jfr many.log
}

npm_package() { # NAME@VERSION: into $package
    package=$(sh "$top/tests/npm.sh" "$1" 2>npm.err) || skip "$(tail -n 1 npm.err)"
}

# ---- pprof ----

has_pprof() {
    "$program" -q --format pprof -o nothing 2>said || ! grep -q 'in this build' said || skip "built without protobuf-c or zlib"
    command -v go >/dev/null || skip "go is not installed"
}

pprof() { # ARGS: into the file top
    HOME=$PWD PPROF_TMPDIR=$PWD go tool pprof -symbolize=none -top -nodecount=1000000 -nodefraction=0 "$@" >top 2>top.err ||
        fail "go tool pprof $*: $(cat top.err)"
}

case_go_tool_pprof_shows_our_joules() {
    has_pprof
    for name in samples/shop-jdk25 tests/data/jdk17-chunks; do
        all_of results "$name"
        pprof results/profile.pb.gz
        profiles top top results
        cp top first
        pprof -sample_index=energy results/profile.pb.gz
        same first top
    done
    grep -q 'computed from load, not measured' top || fail "it does not say that the power is estimated"
}

case_go_tool_pprof_makes_the_difference() {
    has_pprof
    all_of old samples/shop-jdk17
    all_of new samples/shop-jdk25
    pprof -sample_index=energy -diff_base old/profile.pb.gz new/profile.pb.gz
    profiles top top new old
}

case_go_tool_pprof_shows_samples_and_cpu_time_and_threads() {
    has_pprof
    all_of results samples/shop-jdk25
    samples=$(python3 -c 'import json; print(sum(json.load(open("results/report.json", encoding="utf-8"))["branch_samples"]))')
    pprof -sample_index=samples results/profile.pb.gz
    grep -q "of $samples total$" top || fail "samples: $(grep total top)"
    pprof -sample_index=cpu -unit=ns results/profile.pb.gz
    cpu=$(python3 -c 'import json; print(round(sum(json.load(open("results/report.json", encoding="utf-8"))["branch_cpu_ns"])))')
    grep -q "of ${cpu}ns total$" top || fail "CPU time: $(grep total top), not $cpu"
    HOME=$PWD PPROF_TMPDIR=$PWD go tool pprof -tags results/profile.pb.gz >tags 2>top.err || fail "$(cat top.err)"
    grep -q ': orders-1$' tags || fail "no thread orders-1"
    for weight in samples cpu energy; do
        from results/report.json $weight --weight $weight
        HOME=$PWD PPROF_TMPDIR=$PWD go tool pprof -top $weight/profile.pb.gz 2>top.err | grep -q -x "Type: $weight" || fail "--weight $weight is not shown first"
    done
}

case_go_tool_pprof_reads_hostile_names_and_50000_methods() {
    has_pprof
    made hostile
    from made.json hostile
    pprof hostile/profile.pb.gz
    profiles top top hostile
    many
    pprof results/profile.pb.gz
    profiles top top results
}

# ---- Firefox Profiler ----

# FOLDER: what the reader says of it, into the files functions.json, process.json and markers.json. Its daemon is begun here, since
# `load` waits half a second for it, which is too little on a busy machine.
firefox() {
    command -v node >/dev/null || skip "node is not installed"
    [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || skip "node is older than 20"
    npm_package @firefox-devtools/profiler-cli@0.10.0
    PROFILER_CLI_SESSION_DIR=$work/pq PROFILER_CLI_NO_SYMBOLICATE=1 # a short name, for it holds a socket
    export PROFILER_CLI_SESSION_DIR PROFILER_CLI_NO_SYMBOLICATE
    cli=$package/dist/profiler-cli.js
    session=$1
    mkdir -p "$PROFILER_CLI_SESSION_DIR"
    rm -f "$PROFILER_CLI_SESSION_DIR/$session.log"
    node "$cli" --daemon "$PWD/$1/profile.firefox.json" --session "$session" >daemon.log 2>&1 &
    daemon=$!
    tries=0 bad=
    # asked too early, it takes the session for a dead one and removes it
    until grep -q 'Profile loaded successfully' "$work/pq/$session.log" 2>/dev/null; do
        tries=$((tries + 1))
        [ $tries -lt 1000 ] && kill -0 $daemon 2>/dev/null || {
            kill $daemon 2>/dev/null || true
            show daemon.log "$work/pq/$session.log"
            fail "the Firefox Profiler does not load $1"
        }
        sleep 0.1
    done
    node "$cli" thread functions --include-idle --json --session "$session" >functions.json 2>words &&
        node "$cli" counter info c-0 --json --session "$session" >process.json 2>words &&
        node "$cli" thread markers --json --session "$session" >markers.json 2>words || bad=$(cat words)
    node "$cli" stop "$session" >/dev/null 2>&1 || kill $daemon
    wait $daemon || true
    [ -z "$bad" ] || fail "profiler-cli: $bad"
}

case_the_firefox_profiler_shows_our_joules_power_and_pauses() {
    all_of results samples/shop-jdk25
    firefox results
    profiles functions functions.json results
    python3 - <<'P' 2>>"$case_dir.why" || fail "the power track or the pauses"
import json
r, power, markers = (json.load(open(f, encoding="utf-8")) for f in ("results/report.json", "process.json", "markers.json"))
(energy,) = (s["value"] for s in power["stats"] if s["source"] == "committed-range-total")
assert power["unit"] == "pWh" and abs(energy * 3600e-12 - r["totals"]["process_joules"]) < 1e-6, power["stats"]
assert markers["totalMarkerCount"] == len(r["gc_pauses"]) > 0
P
}

case_the_firefox_profiler_reads_hostile_names_50000_methods_and_nothing() {
    made hostile
    from made.json hostile
    firefox hostile
    profiles functions functions.json hostile
    many
    firefox results
    profiles functions functions.json results
    made empty
    from made.json empty
    firefox empty
    profiles functions functions.json empty
}

case_the_firefox_profile_is_as_its_types_say() {
    set --
    for name in $recordings; do
        folder=$(basename "$name")
        all_of "$folder" "$name"
        set -- "$@" "$folder/profile.firefox.json"
    done
    for kind in hostile empty; do
        made $kind
        from made.json $kind
        set -- "$@" $kind/profile.firefox.json
    done
    profiles firefox "$top/tests/cli/firefox.schema.json" "$@"
}

# ---- speedscope ----

case_the_speedscope_file_is_as_its_schema_says() {
    npm_package speedscope@1.25.0
    set --
    for name in $recordings; do
        folder=$(basename "$name")
        all_of "$folder" "$name"
        set -- "$@" "$folder/profile.speedscope.json"
    done
    for kind in hostile empty; do
        made $kind
        from made.json $kind
        set -- "$@" $kind/profile.speedscope.json
    done
    profiles speedscope "$package/dist/release/file-format-schema.json" "$@"
}

# ---- All of them ----

case_energy_is_the_same_to_the_microjoule_in_every_profile_of_every_recording() {
    for name in $recordings; do
        all_of results "$name"
        profiles sums results
    done
}

case_and_for_other_choices_of_the_analysis() {
    for options in '--jvm-threads spread' '--jvm-threads unattributed' '--process-share 0.3' '--baseline 2' '--group thread' '--lines'; do
        # shellcheck disable=SC2086 # words
        all_of results samples/shop-jdk17 $options
        profiles sums results
    done
    all_of results tests/data/jdk17-chunks --from +1s --to -1s
    profiles sums results
}

case_hostile_names_and_50000_methods_keep_their_joules() {
    for kind in hostile 'wide 30000' empty; do
        # shellcheck disable=SC2086 # words
        made $kind
        from made.json results
        profiles whole "$(microjoules made.json)" results
    done
    many
    profiles sums results
}

case_a_view_holds_all_joules_too() {
    all_of results samples/shop-jdk25
    uj=$(microjoules results/report.json)
    for options in '--group class' '--group package' '--include Signatures' '--exclude java\.util' '--exclude \[GC\] --group class' '--include nothing'; do
        # shellcheck disable=SC2086 # words
        from results/report.json view $options
        profiles whole "$uj" view
        case $options in
            *clude*) grep -q '"left out of this view"' view/profile.speedscope.json || fail "$options: nothing is left out" ;;
            *) ! grep -q '"left out of this view"' view/profile.speedscope.json || fail "$options: something is left out" ;;
        esac
    done
    ! grep -q '"com.example.shop' view/profile.firefox.json || fail "a frame is there that was left out"
}

case_weight_is_what_speedscope_counts_and_the_firefox_profile_keeps_energy() {
    all_of results samples/shop-jdk25
    for weight in cpu samples; do
        from results/report.json $weight --weight $weight
        profiles weights $weight results/report.json
        same results/profile.firefox.json $weight/profile.firefox.json
    done
}

case_a_form_that_the_build_lacks_is_named() {
    analyze -q --format csv,pprof -o results "$samples/requests-jdk25.jfr" "$samples/requests-jdk25.power.log"
    [ "$code" != 0 ] || skip "this build lacks none"
    wants 2
    says '--format: "csv,pprof" is not in this build: pprof needs protobuf-c and zlib*'
    no_transcript
    analyze --format all -o results "$samples/requests-jdk25.jfr" "$samples/requests-jdk25.power.log"
    wants 0
    says 'profile.pb.gz is not written: this build lacks protobuf-c and zlib'
    [ -s results/profile.firefox.json ] && [ ! -e results/profile.pb.gz ] || fail "$(ls results)"
    ! grep -q 'pb\.gz' out || fail "the summary lists it"
    no_transcript
}

run_cases
