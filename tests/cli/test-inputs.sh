#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Input in all its forms gives the same result; what was left out or damaged is said.
. "$(dirname "$0")/lib.sh"

jfr=$data/jdk17-chunks.jfr
log=$data/jdk17-chunks.power.log
pid=$(sed -n '2s/.*"pid":\([0-9]*\).*/\1/p' "$log")

plainly() { # [RECORDING LOG]: the results to compare with, in plain/
    "$program" -q -o plain "${1:-$jfr}" "${2:-$log}" 2>plain.err
}

as_plain() { # ARGS...: gives the results of plainly
    analyze -o results "$@"
    wants 0
    same_results plain results
}

case_the_order_of_the_files_does_not_matter() {
    plainly
    as_plain "$log" "$jfr"
    silent
}

case_gzip_is_told_by_content() {
    have gzip
    plainly
    gzip -c "$jfr" >recording
    gzip -c "$log" >log.txt
    analyze -o results recording log.txt
    # shellcheck disable=SC2154 # code is the exit code
    if [ "$code" = 1 ] && grep -q 'this build has no zlib: unpack it with gunzip first' err; then
        no_transcript
        skip "built without zlib"
    fi
    wants 0
    silent
    same_results plain results
}

case_zstd_is_told_by_content() {
    have zstd
    plainly
    zstd -q -c "$jfr" >recording.jfr
    zstd -q -c "$log" >log
    as_plain log recording.jfr
    silent
}

case_zstd_around_gzip_is_unpacked_twice() {
    have zstd gzip
    plainly
    gzip -c "$jfr" | zstd -q -c >recording
    analyze -o results recording "$log"
    if [ "$code" = 1 ] && grep -q 'this build has no zlib' err; then
        no_transcript
        skip "built without zlib"
    fi
    wants 0
    same_results plain results
}

case_a_zstd_log_that_was_cut_is_read_as_far_as_it_goes_and_said() {
    have zstd
    zstd -q -c "$log" >whole.zst
    head -c "$(($(wc -c <whole.zst) - 3))" whole.zst >cut.zst
    zstd -q -d -c cut.zst >readable 2>/dev/null || true
    analyze -o results "$jfr" cut.zst
    says 'cut.zst: the compressed file is cut: *'
}

case_a_recording_may_come_through_a_pipe() {
    plainly
    mkfifo pipe
    cat "$jfr" >pipe &
    as_plain pipe "$log"
}

case_the_chunks_as_files_are_one_recording_in_any_order() {
    plainly
    odd split "$jfr" chunks
    as_plain chunks/chunk-3.jfr "$log" chunks/chunk-1.jfr chunks/chunk-2.jfr
    silent
}

case_a_repository_folder_is_one_recording() {
    plainly
    odd split "$jfr" repository
    echo 'not a recording' >repository/notes.txt
    as_plain repository "$log"
    silent
}

case_an_empty_file_in_a_repository_is_left_out_and_said() {
    plainly
    odd split "$jfr" repository
    : >repository/chunk-4.jfr
    as_plain repository "$log"
    says 'repository/chunk-4.jfr is empty and left out'
    one_line err
}

case_a_chunk_given_twice_counts_once_and_is_said() {
    plainly
    odd split "$jfr" chunks
    as_plain "$jfr" chunks/chunk-2.jfr "$log"
    says '1 chunk *twice*once*'
    one_line err
    as_plain "$jfr" "$jfr" "$log"
    says '3 chunks *twice*once*'
    one_line err
}

case_an_unfinished_chunk_is_read_and_said() {
    analyze "$data/jdk25-killed.jfr" "$data/jdk25-killed.power.log"
    wants 0
    says '*jdk25-killed.jfr: chunk 1 was never finished *'
    [ "$(wc -l <joular-results/methods-power-all.csv)" -gt 100 ] || fail "few rows"
}

case_a_cut_last_chunk_is_read_as_far_as_it_goes() {
    head -c 380000 "$jfr" >cut.jfr
    analyze cut.jfr "$log"
    wants 0
    says 'cut.jfr: chunk 3 at byte *: *bytes*'
    [ -s joular-results/methods-power-all.csv ] || fail "no result"
}

case_strict_makes_damage_an_error_and_writes_nothing() {
    head -c 380000 "$jfr" >cut.jfr
    analyze --strict cut.jfr "$log"
    wants 1
    says '--strict: *'
    says 'cut.jfr: chunk 3 at byte *'
    [ ! -s out ] || fail "stdout is not empty"
    no_results
}

case_strict_refuses_a_chunk_that_was_never_finished() {
    analyze --strict "$data/jdk25-killed.jfr" "$data/jdk25-killed.power.log"
    wants 1
    says '--strict: a chunk was never finished*'
    no_results
}

case_damage_is_in_the_summary_and_in_the_report() {
    odd stop "$jfr" hurt.jfr 120000
    analyze hurt.jfr "$log"
    wants 0
    says 'hurt.jfr: chunk 1 at byte *bytes skipped, about *s)'
    grep -q '^  damage    0 chunks, [1-9][0-9]* events and [1-9][0-9]* bytes lost,$' out || fail "no damage in the summary: $(cat out)"
    grep -q '"damage":{"chunks":0,"events":[1-9][0-9]*,"bytes":[1-9][0-9]*,"time_ns":[0-9]*,"unfinished_chunks":0,' joular-results/report.json ||
        fail "no damage in the report"
}

case_a_first_header_that_is_damaged_has_a_copy() {
    odd patch "$jfr" hurt.jfr 0 00000000
    analyze hurt.jfr "$log"
    wants 0
    says 'hurt.jfr: chunk 1 at byte 0: *'
    says 'hurt.jfr: chunk 1 is read with a copy of its damaged header'
    grep -q '"chunks":3,' joular-results/report.json || fail "not all three"
    cp hurt.jfr hurt.bin # nothing says that this is one
    analyze hurt.bin "$log"
    wants 1
    says 'hurt.bin: is neither *'
}

case_chunks_of_another_jvm_in_one_file_are_left_out_and_counted() {
    analyze "$jfr" "$log"
    wants 0
    mv joular-results alone
    cat "$jfr" "$top/samples/shop-jdk17.jfr" >two.jfr
    analyze two.jfr "$log"
    wants 0
    says 'two.jfr: chunk 4 at byte *: is of process *'
    says '*in all 1 chunks*'
    cmp -s alone/methods-power-all.csv joular-results/methods-power-all.csv || fail "the rows differ"
}

case_strict_is_content_with_good_input() {
    plainly
    as_plain --strict "$jfr" "$log"
    silent
}

case_an_event_that_leads_nowhere_costs_itself_and_what_is_behind_it_is_read() {
    odd stop "$jfr" hurt.jfr 120000
    analyze hurt.jfr "$log"
    wants 0
    says 'hurt.jfr: chunk 1 at byte *'
    one_line err
    lost=$(sed -n 's/.*"damage":{"chunks":0,"events":[0-9]*,"bytes":\([0-9]*\).*/\1/p' joular-results/report.json)
    [ "$lost" -lt 5000 ] || fail "$lost bytes are lost"
}

case_a_broken_second_chunk_is_left_out_and_the_third_read() {
    odd split "$jfr" chunks
    "$program" -q -o without chunks/chunk-1.jfr chunks/chunk-3.jfr "$log"
    odd patch "$jfr" hurt.jfr $((133070 + 68)) "$(printf '%0400d' 0)" # zeros where its events begin
    odd patch hurt.jfr worse.jfr 133070 "$(printf '%0136d' 0)"
    # and no copy of its header is left
    python3 - worse.jfr 133070 269124 <<'EOP'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[int(sys.argv[2]) : int(sys.argv[3])] = data[int(sys.argv[2]) : int(sys.argv[3])].replace(b"FLR", b"xxx")
open(sys.argv[1], "wb").write(data)
EOP
    analyze -o results worse.jfr "$log"
    wants 0
    says 'worse.jfr: chunk 2 at byte *136054 bytes skipped, about 2.3 s)'
    same_branches without results
}

case_a_second_chunk_without_metadata_is_read_with_that_of_the_first() {
    # the metadata event of chunk 2 begins at 8331 of it; its string table is overwritten
    odd patch "$jfr" hurt.jfr $((133070 + 8331 + 20)) ffffffffffffffffffffffffffffffffffffff
    "$program" -q -o whole "$jfr" "$log"
    analyze -o results hurt.jfr "$log"
    wants 0
    says 'hurt.jfr: chunk 2 at byte *: its metadata event is missing or damaged: read with that of chunk 1*'
    same_branches whole results
}

case_another_pid_in_the_log_is_found_by_the_option() {
    plainly
    sed "s/^\(process\|thread\),$pid,/\1,99,/" "$log" >other.log
    analyze -o results --pid 99 "$jfr" other.log
}

case_several_host_processes_with_the_pid_inside_are_listed() {
    sed "s/^process,$pid,\(.*\)/process,1001,\1,$pid\nprocess,1002,\1,$pid/" "$log" >containers.log
    analyze "$jfr" containers.log
    refuses '*--pid*1001*1002*'
}

case_a_log_of_a_machine_with_other_cpus_is_warned_of() {
    sed '2s/"cpus":[0-9]*/"cpus":64/' "$log" >big.log
    analyze "$jfr" big.log
    wants 0
    says '*64 cpus*same machine?'
    one_line err
}

case_a_log_cut_inside_a_record_loses_that_cycle_only() {
    grep -n '^cycle,' "$log" | cut -d: -f1 >lines
    last=$(tail -n 1 lines)
    before=$(tail -n 2 lines | head -n 1)
    head -n "$before" "$log" >short.log
    head -n "$((last - 1))" "$log" >cut.log
    sed -n "${last}p" "$log" | tr -d '\n' >>cut.log # all but its end of line
    plainly "$jfr" short.log
    as_plain "$jfr" cut.log
}

case_records_nobody_knows_and_more_fields_are_ignored() {
    plainly
    sed 's/^process,.*/&,,later field/; s/^cycle,.*/later,1,2\n&,later field/; 2s/{/{"later":[1,{}],/' "$log" >later.log
    as_plain "$jfr" later.log
}

case_carriage_returns_in_the_log_do_no_harm() {
    plainly
    sed 's/$/\r/' "$log" >crlf.log
    as_plain "$jfr" crlf.log
}

case_chunks_behind_half_an_event_and_behind_rubbish_are_found() {
    head -c 150000 "$data/jdk25-killed.jfr" >three.jfr
    cat "$data/shop-jdk21.jfr" >>three.jfr
    head -c 3000 "$samples/shop/Shop.java" >>three.jfr
    cat "$data/shop-jdk11.jfr" >>three.jfr
    "$program" --dump chunks three.jfr 2>err | sed 's/ chunk=.* / /' >chunks
    printf '%s\n' '0 unfinished' '150000 finished' "$((150000 + $(wc -c <"$data/shop-jdk21.jfr") + 3000)) finished" >wanted
    same wanted chunks
    says '*three.jfr: chunk 1 at byte *no whole event*3018 bytes skipped*'
}

run_cases
