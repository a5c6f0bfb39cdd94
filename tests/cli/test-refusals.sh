#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What cannot be used: one line that says what, where and what to do; exit 1; no result file.
. "$(dirname "$0")/lib.sh"

jfr=$samples/shop-jdk25.jfr
log=$samples/shop-jdk25.power.log
pid=$(sed -n '2s/.*"pid":\([0-9]*\).*/\1/p' "$samples/shop-jdk25.power.log")
without() { # WORD...: the log without these records
    sed "$(printf "/^%s,/d;" "$@")" "$log"
}

case_a_missing_recording_is_named() {
    analyze missing.jfr "$log"
    refuses 'missing.jfr: *No such file*'
}

case_a_missing_log_is_named() {
    analyze "$jfr" missing.log
    refuses 'missing.log: *No such file*'
}

case_an_empty_recording_is_named() {
    : >empty.jfr
    analyze empty.jfr "$log"
    refuses 'empty.jfr: is empty*'
}

case_an_empty_log_file_is_named() {
    : >empty.log
    analyze "$jfr" empty.log
    refuses 'empty.log: is empty*'
}

case_what_is_neither_recording_nor_log_is_named() {
    echo 'date,price' >other.csv
    analyze "$jfr" "$log" other.csv
    refuses 'other.csv: *neither*recording*power log*'
}

case_a_recording_alone_asks_for_the_log() {
    analyze "$jfr"
    refuses '*no power log*'
}

case_a_log_alone_asks_for_the_recording() {
    analyze "$log"
    refuses '*no recording*'
}

case_two_logs_are_one_too_many() {
    cp "$log" second.log
    analyze "$log" "$jfr" second.log
    refuses 'second.log: *second power log*shop-jdk25.power.log*'
}

case_a_recording_of_oracle_jdk_8_is_named_by_its_format() {
    odd patch "$jfr" old.jfr 4 00000009
    analyze old.jfr "$log"
    refuses 'old.jfr: *Oracle JDK 7 or 8*0.9*'
}

case_what_unpacks_to_far_more_than_it_is_ends_at_the_memory_that_it_may_have() {
    [ -z "$(sed -n 's/^SANITIZE = //p' "$build/Makefile")" ] || skip "a build with sanitizers has memory of its own"
    have zstd gzip
    head -c 300000000 /dev/zero | zstd -q >bomb.zst
    analyze --max-memory 100M bomb.zst "$log"
    refuses 'needs more memory than the 100 MiB that --max-memory allows'
    head -c 300000000 /dev/zero | gzip >bomb.gz
    analyze --max-memory 104857600 bomb.gz "$log"
    refuses '*needs more memory than the 100 MiB*'
}

case_a_size_of_memory_is_a_number_with_a_unit() {
    for size in 0 -1 12Q M 1.5G 99999999999T; do
        analyze --max-memory "$size" "$jfr" "$log"
        wants 2
        says '*--max-memory*a size, such as 512M or 4G*'
    done
    analyze -q --max-memory 64M "$jfr" "$log"
    wants 0
}

case_a_future_format_is_named_by_its_version() {
    odd patch "$jfr" new.jfr 4 00030000
    analyze new.jfr "$log"
    refuses 'new.jfr: *version 3.0*'
}

case_a_file_cut_inside_the_chunk_header_is_truncated() {
    head -c 40 "$jfr" >cut.jfr
    analyze cut.jfr "$log"
    refuses 'cut.jfr: *truncated*40 bytes*'
}

case_a_chunk_cut_before_its_metadata_says_how_many_bytes_are_lost() {
    head -c 5000 "$jfr" >cut.jfr
    analyze cut.jfr "$log"
    refuses 'cut.jfr: *truncated before its metadata*its 5000 bytes are lost*'
    head -c 60000 "$data/shop-jdk21.jfr" >cut.jfr # inside its metadata
    analyze cut.jfr "$log"
    refuses 'cut.jfr: *truncated before its metadata*its 60000 bytes are lost*'
}

case_a_recording_without_samples_says_how_to_record() {
    odd replace "$jfr" none.jfr jdk.CPUTimeSample jdk.CPUTimeSimple
    analyze none.jfr "$log"
    refuses '*no samples*settings=profile*'
}

case_cpu_time_samples_asked_for_and_not_there() {
    analyze --samples cpu-time "$data/shop-jdk11.jfr" "$data/shop-jdk11.power.log"
    refuses '*no jdk.CPUTimeSample*'
}

case_execution_samples_asked_for_and_not_there() {
    analyze --samples execution "$jfr" "$log"
    refuses '*no jdk.ExecutionSample*'
}

case_a_log_of_other_processes_lists_them() {
    sed "s/^process,$pid,\(.*\)/process,77,\1\nprocess,78,5,nginx/; s/^thread,$pid,/thread,77,/" "$log" >other.log
    analyze "$jfr" other.log
    refuses "*process $pid*77*78*--pid*"
}

case_a_log_that_does_not_overlap_says_both_spans_and_the_distance() {
    sed 's/^cycle,1795/cycle,1796/' "$log" >later.log # 10^15 ns
    analyze "$jfr" later.log
    refuses '*2026-* to 2026-*2026-* to 2026-*do not overlap*s after the recording ends*'
    sed 's/^cycle,1795/cycle,1794/' "$log" >earlier.log
    analyze "$jfr" earlier.log
    refuses '*do not overlap*s before the recording begins*'
}

case_a_log_without_cycles_says_so_with_the_recorders_reason() {
    sed -n '1,2p' "$log" >none.log
    analyze "$jfr" none.log
    refuses '*no cycle*'
    sed -n '1p; 2s/"pid"/"reason":"no RAPL here","pid"/p' "$log" >reason.log
    analyze "$jfr" reason.log
    refuses '*no cycle*no RAPL here*'
}

case_no_process_share_says_what_is_missing_and_the_option() {
    without process thread >bare.log
    odd replace "$jfr" bare.jfr jdk.CPULoad jdk.CPULoaf
    analyze bare.jfr bare.log
    refuses '*share*jdk.CPULoad*--process-share*'
    analyze -q -o stated --process-share 0.4 bare.jfr bare.log
    wants 0
}

case_lz4_is_refused_with_the_command_that_unpacks_it() {
    printf '\004\042\115\030 and more' >run.jfr.lz4
    analyze run.jfr.lz4 "$log"
    refuses 'run.jfr.lz4: *lz4 -d*'
}

case_zip_is_refused_with_the_command_that_unpacks_it() {
    printf 'PK\003\004 and more' >run.zip
    analyze run.zip "$log"
    refuses 'run.zip: *unzip*'
}

case_recordings_of_different_processes_are_listed() {
    analyze "$jfr" "$samples/shop-jdk17.jfr" "$log"
    refuses "*different processes*shop-jdk25.jfr has pid $pid*shop-jdk17.jfr has pid *"
}

case_a_folder_without_recordings_is_named() {
    mkdir folder
    echo text >folder/notes.txt
    analyze folder "$log"
    refuses 'folder: *no .jfr files*'
}

case_a_log_of_another_version_is_named_by_number() {
    sed '1s/1$/2/' "$log" >two.log
    analyze "$jfr" two.log
    refuses 'two.log: line 1: *version 2*'
}

case_facts_that_are_no_json_are_named_by_line() {
    sed '2s/.*/#{"cpus":/' "$log" >facts.log
    analyze "$jfr" facts.log
    refuses 'facts.log: line 2: *JSON*'
}

# CYCLE FIELDS...: a log with one cycle record after a good one
with_line() {
    { sed -n '1,2p' "$log"; echo 'cycle,1795981292000000000,1000000000000,1000000000,10,1000000000,ok'; echo "$1"; } >bad.log
}

case_a_bad_field_of_the_log_is_named_with_its_line() {
    for line in 'process,x,1,java' 'process,1,-5,java' 'thread,1,2,1.5,main' 'process,1,2' 'thread,1,0,2,main' 'domain,package-0,x' \
        'cycle,1795981293000000000,1001000000000,1000000000,-1,1000000000,ok' \
        'cycle,1795981293000000000,1001000000000,1000000000,nan,1000000000,ok' \
        'cycle,1795981293000000000,1001000000000,1000000000,inf,1000000000,ok' \
        'cycle,1795981293000000000,1001000000000,0,10,1000000000,ok' \
        'cycle,1795981293000000000,1001000000000,1000000000,10,1000000000'; do
        with_line "$line"
        analyze "$jfr" bad.log
        refuses 'bad.log: line 4: *field*'
    done
}

case_cycles_that_go_back_or_overlap_are_named_by_line() {
    with_line 'cycle,1795981291000000000,999000000000,500000000,10,1000000000,ok'
    analyze "$jfr" bad.log
    refuses 'bad.log: line 4: *goes back*'
    with_line 'cycle,1795981293000000000,1001000000000,1500000000,10,1000000000,ok'
    analyze "$jfr" bad.log
    refuses 'bad.log: line 4: *overlaps*'
}

case_baseline_log_needs_a_log_that_measured_one() {
    analyze --baseline log "$jfr" "$log"
    refuses '*baseline_w*'
}

case_errors_are_printed_with_quiet_too() {
    analyze -q missing.jfr "$log"
    refuses 'missing.jfr: *'
}

case_a_refused_run_leaves_older_results_alone() {
    mkdir joular-results
    echo old | tee joular-results/methods-power-all.csv >joular-results/methods-power-app.csv
    analyze missing.jfr "$log"
    wants 1
    [ "$(cat joular-results/methods-power-all.csv joular-results/methods-power-app.csv)" = "old
old" ] || fail "an older result was changed"
    [ "$(find joular-results -type f | wc -l)" = 2 ] || fail "more files than before"
}

run_cases
