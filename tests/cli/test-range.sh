#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --from and --to: whole cycles by their end; each has the rows that it has without a choice.
. "$(dirname "$0")/lib.sh"

jfr=$samples/shop-jdk17.jfr
log=$samples/shop-jdk17.power.log
all=$work/all

"$program" -q -o "$all" -f com.example "$jfr" "$log"
# ends of the cycles, in milliseconds
sed -n 's/^cycle,\([0-9]*\)[0-9]\{6\},.*/\1/p' "$log" >"$work/ends"
start_ns=$("$program" --dump chunks "$jfr" | sed 's/.* start_ns=\([0-9]*\) .*/\1/')
length_ns=$("$program" --dump chunks "$jfr" | sed 's/.* duration_ns=\([0-9]*\) .*/\1/')

end_of() { # NUMBER: of that cycle, in ms
    sed -n "$1p" "$work/ends"
}

seconds() { # MS
    printf '%s.%s' "${1%???}" "${1#"${1%???}"}"
}

# chosen FIRST LAST OPTIONS...: the rows are those of the cycles FIRST to LAST, counted from 1
chosen() {
    from_ms=$(end_of "$1") to_ms=$(end_of "$2")
    shift 2
    analyze -o results -f com.example "$@" "$jfr" "$log"
    wants 0
    silent
    for name in methods-power-all.csv methods-power-app.csv; do
        awk -F, -v from="$from_ms" -v to="$to_ms" 'NR == 1 || $1 >= from && $1 <= to' "$all/$name" >expected
        [ "$(wc -l <expected)" -gt 1 ] || fail "no row is expected"
        cmp expected results/$name >>"$case_dir.why" || fail "$name: not the rows of the full run"
    done
}

case_both_ends_are_included_to_the_millisecond() {
    chosen 5 9 --from "$(seconds "$(end_of 5)")" --to "$(seconds "$(end_of 9)")"
    chosen 6 8 --from "$(seconds $(($(end_of 5) + 1)))" --to "$(seconds $(($(end_of 9) - 1)))"
    chosen 7 7 --from "$(seconds "$(end_of 7)")" --to "$(seconds "$(end_of 7)")"
}

case_one_of_the_two_is_enough() {
    chosen 20 31 --from "$(seconds "$(end_of 20)")"
    chosen 1 4 --to "$(seconds "$(end_of 4)")"
}

case_a_date_is_local_unless_it_has_a_zone() {
    have date
    whole=$(($(end_of 10) / 1000)) # cycle 10 ends behind this second
    date -u -d "@$whole" >/dev/null 2>&1 || skip "date -d is not known here"
    chosen 10 31 --from "$(date -u -d "@$whole" '+%Y-%m-%d %H:%M:%S')"
    chosen 10 31 --from "$(date -u -d "@$whole" '+%Y-%m-%dT%H:%M:%SZ')"
    chosen 10 31 --from "$(date -u -d "@$((whole + 3600))" '+%Y-%m-%dT%H:%M:%S+01:00')"
    chosen 10 31 --from "$(date -u -d "@$((whole - 12600))" '+%Y-%m-%d %H:%M:%S-0330')"
    chosen 1 9 --to "$(date -u -d "@$whole" '+%Y-%m-%d %H:%M:%S').000"
    TZ=EST5EDT,M3.2.0,M11.1.0
    chosen 10 31 --from "$(date -u -d "@$((whole - 18000))" '+%Y-%m-%d %H:%M:%S')"
    chosen 10 31 --from "$(date -u -d "@$whole" '+%Y-%m-%d %H:%M:%SZ')"
}

case_from_the_start_and_from_the_end_of_the_recording() {
    first() { # MS: number of the first cycle that ends then or later
        awk -v at="$1" '$1 >= at { print NR; exit }' "$work/ends"
    }
    last() {
        awk -v at="$1" '$1 <= at { n = NR } END { print n }' "$work/ends"
    }
    start=$((start_ns / 1000000)) end=$(((start_ns + length_ns) / 1000000))
    chosen "$(first $((start + 5000)))" "$(last $((start + 12500)))" --from +5s --to +12.5s
    chosen "$(first $((start + 5000)))" "$(last $((start + 12500)))" --from +5 --to +12500ms
    chosen "$(first $((end - 7000)))" "$(last $((end - 2000)))" --from -7s --to -2s
    chosen "$(first $((end - 7000)))" "$(last $((end - 2000)))" --from=-7000ms --to=-2.000
    chosen "$(first $((end - 7000)))" "$(last $((start + 26000)))" --from -7s --to +26s
    # a tenth of a second tells a cycle's end from the next: the offsets are exact
    offset=$(($(end_of 12) - start))
    chosen 12 31 --from "+${offset}ms"
    chosen 13 31 --from "+$((offset + 1))ms"
}

case_totals_are_of_what_was_chosen() {
    have python3
    analyze -o results --from +5s --to +12s "$jfr" "$log"
    from=$(awk -F, 'NR == 2 { print $1 }' results/methods-power-all.csv)
    to=$(tail -n 1 results/methods-power-all.csv | cut -d, -f1)
    awk -F, -v from="$from" -v to="$to" '$1 != "cycle" { print; next } { ms = int($2 / 1e6) } ms >= from && ms <= to' "$log" >part.log
    python3 "$top/tests/cli/summary.py" sums out results part.log 2>>"$case_dir.why" || fail "the totals are others"
}

case_no_cycle_chosen_is_an_error() {
    for choice in '--from 1' '--to 2000000000' '--from 2000000000' '--to 1' '--from +10s --to +9s' '--from +1000s' '--to -1000s'; do
        # shellcheck disable=SC2086
        analyze $choice "$jfr" "$log"
        case $choice in
            '--from 1' | '--to 2000000000') wants 0 ;; # 2033
            *) refuses 'no cycle of the power log ends between --from and --to: its cycles end from 2*-*-* *:*:* UTC to 2*-*-* *:*:* UTC' ;;
        esac
        rm -rf joular-results
    done
}

case_what_is_no_time_is_a_usage_error() {
    for value in '' soon 12:00 2026-02-30T10:00:00 2026-11-29 +5x +-5s --5s + - 5s 1e9; do
        for option in --from --to; do
            analyze "$option=$value" "$jfr" "$log"
            wants 2
            one_line err
            says "$option: \"$value\" is not a date and time, Unix seconds, or +5s or -5s.*"
        done
    done
    no_results
}

run_cases
