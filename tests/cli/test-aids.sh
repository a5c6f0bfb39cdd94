#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --dump, --stats and JOULAR_DEBUG: what they say is true. Byte offsets are looked up in the file; counts are those of the JDK's own
# `jfr summary` where it is there.
. "$(dirname "$0")/lib.sh"

recordings="$samples/requests-jdk25 $samples/shop-jdk17 $data/jdk17-chunks $data/shop-jdk11"

dump() { # WHAT ARGS...: in the file out
    analyze --dump "$@"
    wants 0
    silent
    [ -z "$(find . -name 'methods-power-*' -newer out)" ] || fail "it wrote results"
}

case_each_chunk_is_where_its_line_says() {
    have python3
    for name in $recordings; do
        dump chunks "$name.jfr"
        python3 - "$name.jfr" <<'P' 2>>"$case_dir.why" || fail "$name"
import re, struct, sys
data = open(sys.argv[1], "rb").read()
at = 0
for number, line in enumerate(open("out"), 1):
    assert data[at:at + 4] == b"FLR\0"
    major, minor, size, pools, metadata, start, duration, ticks, hz = struct.unpack_from(">HHqqqqqqq", data, at + 4)
    assert line.startswith(f"{at} chunk={number} version={major}.{minor} size={size} length={size} metadata={metadata} start_ns={start} "
                           f"duration_ns={duration} start_ticks={ticks} ticks_per_second={hz} "), line
    assert line.endswith(" integers=varint finished\n"), line
    at += size
assert at == len(data), (at, len(data))
P
    done
}

case_a_chunk_that_is_not_whole_says_so() {
    dump chunks "$data/jdk25-killed.jfr"
    grep -q '^0 chunk=1 .* unfinished$' out || fail "not unfinished: $(cat out)"
    head -c 380000 "$data/jdk17-chunks.jfr" >cut.jfr
    analyze --dump chunks cut.jfr
    grep -q '^269124 chunk=3 .* length=110[0-9]* .* cut$' out || fail "not cut: $(tail -n 1 out)"
    no_transcript
}

case_each_event_is_where_its_line_says_and_none_is_left_out() {
    have python3
    for name in $recordings; do
        dump metadata "$name.jfr"
        mv out metadata
        dump events "$name.jfr"
        python3 - "$name.jfr" <<'P' 2>>"$case_dir.why" || fail "$name"
import struct, sys
data = open(sys.argv[1], "rb").read()

def varint(at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte if shift == 56 else byte & 127) << shift
        shift += 7
        if byte < 128 or shift > 56:
            return value, at

chunks, at = [], 0
while at < len(data):
    size, = struct.unpack_from(">q", data, at + 8)
    chunks.append((at, at + size))
    at += size
types = {}
for line in open("metadata"):
    at, type_id, name = line.split()[:3]
    chunk = max(c for c in chunks if c[0] <= int(at))
    size, after = varint(int(at))
    assert varint(after)[0] == 0, "no metadata event at " + at
    types[chunk, int(type_id.removeprefix("type="))] = name
assert len(types) > 150 * len(chunks), len(types)
want = iter(chunks)
chunk = next(want)
at = chunk[0] + 68
for line in open("out"):
    offset, size, name = line.split()[:3]
    if at == chunk[1]:
        chunk = next(want)
        at = chunk[0] + 68
    assert int(offset) == at, f"byte {at} is left out, or twice: {line}"
    length, after = varint(at)
    assert size == f"size={length}", line
    type_id, after = varint(after)
    wanted = {0: "metadata", 1: "checkpoint"}.get(type_id) or types[chunk, type_id]
    assert name == wanted, (line, wanted)
    if name in ("jdk.CPUTimeSample", "jdk.ExecutionSample"): # startTime, in ticks; the thread is a reference behind it or later
        start_ns, _, ticks0, hz = struct.unpack_from(">qqqq", data, chunk[0] + 32)
        ticks, after = varint(after)
        shown = int(line.split(" startTime=")[1].split()[0])
        assert abs(shown - (start_ns + (ticks - ticks0) * 10**9 // hz)) <= 1, line
    at += length
assert at == chunk[1] and next(want, None) is None
P
    done
}

case_a_last_event_that_is_cut_is_said() {
    head -c 380000 "$data/jdk17-chunks.jfr" >cut.jfr
    analyze --dump events cut.jfr
    wants 0
    says 'cut.jfr: chunk 3 at byte *'
    [ -s out ] || fail "nothing is dumped"
}

case_events_by_type_are_as_many_as_the_jdk_counts() {
    [ -z "${JOULAR_QUICK:-}" ] || skip "JOULAR_QUICK is set"
    jdk=$(sh "$top/tests/jdk.sh" 25 2>jdk.err) || jdk=$(sh "$top/tests/jdk.sh" 17 2>jdk.err) || skip "$(tail -n 1 jdk.err)"
    for name in $recordings; do
        cp "$name.jfr" run.jfr
        "$jdk/jfr" summary run.jfr >summary 2>jdk.err || skip "jfr does not run here: $(tail -n 1 jdk.err)"
        awk '/^====/ { on = 1; next } on && $2 > 0 { print $2, $1 }' summary | sed 's/jdk\.Metadata/metadata/; s/jdk\.Check[Pp]oint/checkpoint/' | sort -k2 >theirs
        dump events run.jfr
        awk '{ n[$3]++ } END { for (name in n) print n[name], name }' out | sort -k2 >ours
        diff theirs ours >>"$case_dir.why" || fail "$name: < jfr summary   > --dump events"
        log=$name.power.log
        analyze -q --stats -o results run.jfr "$log"
        sed '1,/^EVENTS$/d' err | awk '{ print $1, $2 }' | tr -d '()' | sort -k2 >counted
        diff theirs counted >>"$case_dir.why" || fail "$name: < jfr summary   > --stats"
    done
    no_transcript
}

case_align_says_where_the_joules_of_each_cycle_went() {
    have python3
    for name in $recordings; do
        dump align "$name.jfr" "$name.power.log"
        mv out aligned
        analyze -q -o results "$name.jfr" "$name.power.log" # says so where a chunk is not whole
        "$program" -o results "$name.jfr" "$name.power.log" >summary 2>err
        python3 - "$name.power.log" <<'P' 2>>"$case_dir.why" || fail "$name"
import collections, csv, re, sys
given = collections.Counter()
for row in csv.DictReader(open("results/methods-power-all.csv", newline="")):
    given[int(row["timestamp"])] += float(row["energy_joules"])
cycles = [line.split(",") for line in open(sys.argv[1]) if line.startswith("cycle,")]
samples, ms = 0, set()
lines = open("aligned").read().splitlines()
assert len(lines) == len(cycles)
for number, (line, cycle) in enumerate(zip(lines, cycles), 1):
    words = line.split()
    assert words[0] == str(number)
    value = dict(word.split("=") for word in words[1:])
    assert value["end_ns"] == cycle[1] and value["interval_ns"] == cycle[3], line
    joules = {key: float(text) for key, text in value.items() if key.endswith("_j")}
    whole = joules["given_j"] + joules["unattributed_j"] + joules["outside_j"]
    assert abs(whole - joules["process_j"]) < 3e-9, line
    assert abs(given[int(cycle[1]) // 10**6] - joules["given_j"]) < 1e-6, line
    assert (int(value["samples"]) > 0) >= (joules["given_j"] > 0) or joules["given_j"] >= 0
    samples += int(value["samples"])
used = re.search(r"samples   (\d+) used", open("summary").read())[1]
assert samples == int(used), (samples, used)
P
    done
}

case_align_of_a_choice_is_of_its_cycles() {
    dump align "$samples/shop-jdk17.jfr" "$samples/shop-jdk17.power.log"
    sed 's/^[0-9]* //' out >all
    dump align --from +5s --to +9s "$samples/shop-jdk17.jfr" "$samples/shop-jdk17.power.log"
    sed 's/^[0-9]* //' out >some
    [ "$(wc -l <some)" = 4 ] || fail "$(wc -l <some) cycles"
    grep -x -F -f some all | diff - some >>"$case_dir.why" || fail "the lines differ from those of the full run"
}

case_a_dump_of_the_recording_needs_no_power_log() {
    for what in chunks metadata events; do
        dump "$what" "$data/jdk17-chunks.jfr"
        cp out without
        dump "$what" "$data/jdk17-chunks.jfr" "$data/jdk17-chunks.power.log"
        same without out
    done
    analyze --dump align "$data/jdk17-chunks.jfr"
    refuses 'no power log is given*'
    analyze --dump frames "$data/jdk17-chunks.jfr"
    wants 2
    says '--dump: "frames" is not chunks, metadata, events or align.*'
}

case_a_dump_prints_nothing_that_a_terminal_obeys() {
    odd replace "$data/jdk17-chunks.jfr" odd.jfr jdk.CPULoad 'jdk\x1b[1mLoad'
    dump events odd.jfr
    no_escapes out
    grep -q 'jdk.*1mLoad' out || fail "the type's name is not there"
    dump metadata odd.jfr
    no_escapes out
}

case_stats_say_times_speed_memory_and_events_on_stderr() {
    analyze -o plain "$data/jdk17-chunks.jfr" "$data/jdk17-chunks.power.log"
    mv out without
    analyze --stats -o plain "$data/jdk17-chunks.jfr" "$data/jdk17-chunks.power.log"
    wants 0
    same without out
    for line in 'TIME' '  input  *[0-9.]* ms' '  recordings  *[0-9.]* ms' '  attribution  *[0-9.]* ms' '  writing  *[0-9.]* ms' \
        '  all  *[0-9.]* ms, 0.4 MiB of recordings, [0-9]* MiB/s' '  peak memory  *[0-9.]* MiB' 'EVENTS' '  *885  jdk.ExecutionSample'; do
        grep -q -x "$line" err || fail "no line: $line"
    done
    awk '/ ms/ { if ($1 == "all") all = $2; else sum += $2 } END { exit !(all - sum < 0.01 && sum - all < 0.01) }' err || fail "the phases do not make all"
    sed '1,/^EVENTS$/d' err | awk '{ print $1 }' >counts
    sort -rn counts | diff counts - >/dev/null || fail "the counts are not sorted"
    no_transcript
}

case_joular_debug_chooses_modules_and_levels() {
    says_of() { # MODULES VALUE
        JOULAR_DEBUG=$2
        export JOULAR_DEBUG
        analyze -q -j 1 -o results "$data/jdk17-chunks.jfr" "$data/jdk17-chunks.power.log"
        wants 0
        [ "$(sed -n 's/^joular\[\([a-z]*\)\]: .*/\1/p' err | sort -u | tr '\n' ' ')" = "$1" ] || {
            show err
            fail "JOULAR_DEBUG=$2"
        }
        if grep -v '^joular\[[a-z]*\]: ' err; then fail "a line of another form"; fi
    }
    says_of '' ''
    says_of '' jfr:0
    says_of '' nothing:3
    says_of '' jfrx:2
    says_of 'jfr ' jfr
    [ "$(wc -l <err)" = 3 ] || fail "level 1 is not a line a chunk"
    grep -q '^joular\[jfr\]: chunk 2 at byte 133070: 136054 bytes, ' err || fail "the chunk is not described"
    says_of 'jfr ' jfr:2
    grep -q 'chunk 1: pool jdk.types.StackTrace has [1-9]' err || fail "level 2 does not say the pools"
    if grep -q 'checkpoint at byte' err; then fail "level 2 has what is of level 3"; fi
    says_of 'jfr ' jfr:3
    grep -q 'checkpoint at byte [0-9]*: [0-9]* bytes, [0-9]* pools' err || fail "level 3 does not say the checkpoints"
    says_of 'energy jfr power ' jfr:2,power:1,energy:1
    says_of 'power ' power:1
    unset JOULAR_DEBUG
    analyze -q -o results "$data/jdk17-chunks.jfr" "$data/jdk17-chunks.power.log"
    silent
    no_transcript
}

run_cases
