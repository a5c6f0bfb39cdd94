#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hand-computed cases for the trickier sentences of the model page. Run: python3 test_model.py"""

import os
import struct
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import model  # noqa: E402
from model import (CPU_TIME, EXECUTION, NATIVE, VIRTUAL, Chunk, Cycle, Events, JfrThread, Log, ModelError, Options,  # noqa: E402
                   ProcessRecord, Recording, Sample, Stack, ThreadRecord)

S = 1_000_000_000
MS = 1_000_000
PID = 77


def stack(text, truncated=False):
    """ "A.a;B.b" -> frames oldest first; a frame in parentheses is hidden."""
    return Stack(tuple((f.strip("()"), f.startswith("(")) for f in text.split(";")) if text else (), truncated)


def cycles(count, power=10.0, busy=2 * S, start=0, length=S):
    """Cycles of one second: (0, 1 s], (1 s, 2 s] ...; wall clock = monotonic + 1000 s."""
    return [Cycle(start + i * length, start + (i + 1) * length, start + (i + 1) * length + 1000 * S, power, busy)
            for i in range(count)]


def recording(start=0, end=10 * S, threads=(), **events):
    return Recording(start, end, Events(**events), {t.id: t for t in threads}, PID, hw_threads=4)


def run(rec, cycle_list, facts=None, **options):
    return model.compute(rec, Log({"cpus": 4} if facts is None else facts, cycle_list), Options(**options))


def with_process(cycle_list, *cpu, pid=PID, ns_pid=None):
    for cycle, ns in zip(cycle_list, cpu):
        if ns is not None:
            cycle.processes.append(ProcessRecord(pid, ns, "java", ns_pid))
    return cycle_list


def energies(rows, cycle=None):
    result = {}
    for i, branch, energy, _ in rows:
        if cycle is None or i == cycle:
            result[branch] = result.get(branch, 0) + energy
    return result


class Case(unittest.TestCase):
    def assert_energies(self, expected, rows, cycle=None):
        actual = energies(rows, cycle)
        self.assertEqual(sorted(expected), sorted(actual))
        for branch, energy in expected.items():
            self.assertAlmostEqual(energy, actual[branch], 9, branch)

    def assert_conserved(self, result):
        t = result.totals
        self.assertAlmostEqual(t["process_j"], t["java_j"] + t["native_j"] + t["unattributed_j"] + t["outside_j"], 9)
        self.assertAlmostEqual(sum(row[2] for row in result.all_rows), t["java_j"] + t["native_j"], 9)


class Names(Case):
    def test_hidden_classes_read_as_in_a_thread_dump(self):
        self.assertEqual("Loop$$Lambda$89/0x00007fb02c008a08", model.class_display_name("Loop$$Lambda$89+0x00007fb02c008a08/1019384604"))
        self.assertEqual("a.Loop$$Lambda/0x000000000b045c40", model.class_display_name("a/Loop$$Lambda/0x000000000b045c40"))
        self.assertEqual("java.lang.VirtualThread$$Lambda/0x0a", model.class_display_name("java.lang.VirtualThread$$Lambda/0x0a"))
        self.assertEqual("java.util.Map$Entry", model.class_display_name("java/util/Map$Entry"))

    def test_truncated_alone_is_no_frame(self):
        def branch(text, hidden_frames="keep", truncated=True):
            return model.branch_of(Sample(EXECUTION, 0, 1, stack(text, truncated)), hidden_frames)
        self.assertEqual(("[truncated]", "A.a", "B.b"), branch("A.a;B.b"))
        self.assertIsNone(branch(""))
        self.assertIsNone(branch("(A.a)", "drop"))
        self.assertEqual(("B.b",), branch("(A.a);B.b", "drop", False))
        self.assertEqual(("A.a", "B.b"), branch("(A.a);B.b", "keep", False))

    def test_threads_of_one_os_thread_are_named_by_the_lowest_jfr_id(self):
        rec = recording(threads=[JfrThread(3, "main", 50), JfrThread(29, "DestroyJavaVM", 50), JfrThread(30, "x", 0)],
                        thread_starts=[(1, 29), (1, 30)])
        threads = model.Threads(rec)
        self.assertEqual(threads.of_jfr(3), threads.of_jfr(29))
        self.assertEqual("main", threads.jfr_name(threads.of_jfr(29)))
        self.assertFalse(threads.started(threads.of_jfr(29)))
        self.assertTrue(threads.started(threads.of_jfr(30)))

    def test_main_never_counts_as_started(self):
        threads = model.Threads(recording(threads=[JfrThread(1, "main", 50)], thread_starts=[(1, 1)]))
        self.assertFalse(threads.started(("os", 50)))

    def test_native_rows(self):
        for name, row in (("GC Thread#0", "[GC]"), ("G1 Main Marker", "[GC]"), ("C2 CompilerThre", "[JIT]"), ("JFR Periodic Ta", "[JFR]"),
                          ("VM Periodic Tas", "[VM]"), ("Reference Handl", "[VM]"), ("main", None), ("", None), ("G1", None)):
            self.assertEqual(row, model.native_row(name), name)


class Time(Case):
    def test_offset_is_that_of_the_cycle_closest_to_the_chunk_start_the_earlier_on_a_tie(self):
        a, b = Cycle(0, 100, 1100, 1.0), Cycle(100, 200, 1300, 1.0)  # offsets 1000 and 1100
        self.assertEqual(1000, model.offset_at([a, b], 1199))
        self.assertEqual(1000, model.offset_at([a, b], 1200))
        self.assertEqual(1100, model.offset_at([a, b], 1201))

    def test_each_chunk_keeps_its_own_offset(self):
        log = [Cycle(0, 100, 1100, 1.0), Cycle(100, 200, 1300, 1.0)]
        first = Chunk(1090, 1150, Events(samples=[Sample(EXECUTION, 1140, 1)]), pids=[PID])
        second = Chunk(1290, 1350, Events(cpu_loads=[(1340, 0.5, 0.6)]), pids=[PID])
        rec = model.align([second, first], log)
        self.assertEqual((90, 250, PID), (rec.start, rec.end, rec.pid))
        self.assertEqual(140, rec.events.samples[0].t)
        self.assertEqual([(240, 0.5, 0.6)], rec.events.cpu_loads)

    def test_a_cycle_is_open_at_its_start_and_closed_at_its_end(self):
        c = [Cycle(0, 10, 0, 1.0), Cycle(20, 30, 0, 1.0)]
        found = [model.find_cycle(c, [10, 30], t) for t in (0, 1, 10, 11, 20, 21, 30, 31)]
        self.assertEqual([None, 0, 0, None, None, 1, 1, None], found)


class Weights(Case):
    def test_period_setting_is_the_latest_of_the_event_type_at_or_before_the_sample(self):
        rec = recording(periods=[(100, EXECUTION, 10 * MS), (200, NATIVE, 5 * MS), (300, EXECUTION, None), (400, EXECUTION, 1)])
        period = model.period_of(rec)
        self.assertEqual([20 * MS, 10 * MS, 10 * MS, 20 * MS, 1], [period(EXECUTION, t) for t in (99, 100, 299, 300, 400)])
        self.assertEqual([20 * MS, 5 * MS], [period(NATIVE, t) for t in (199, 200)])

    def test_period_texts(self):
        texts = {"20 ms": 20 * MS, "10ms": 10 * MS, "1 s": S, "500 us": 500_000, "everyChunk": None, "": None, None: None, "20/s": None}
        self.assertEqual(texts, {t: model.parse_period(t) for t in texts})

    def test_lost_samples_weigh_the_latest_period_of_their_jfr_thread(self):
        rec = recording(
            threads=[JfrThread(1, "a", 51), JfrThread(2, "b", 51), JfrThread(3, "c", 53)],
            samples=[Sample(CPU_TIME, 100, 3, stack("C.c"), 7), Sample(CPU_TIME, 200, 1, stack("A.a"), 10),
                     Sample(CPU_TIME, 300, 1, None, 40, failed=True)],
            lost=[(150, 1, 2), (250, 1, 3), (350, 1, 5), (400, 2, 1), (500, None, 1)])
        weights = model.cpu_time_weights(rec, model.Threads(rec), cycles(1), Options())
        lost = {w.t: (w.thread, w.weight, w.branch) for w in weights if w.sample is None}
        self.assertEqual((("os", 51), 2 * 7, None), lost[150])  # none yet: the recording's first
        self.assertEqual((("os", 51), 3 * 10, None), lost[250])
        self.assertEqual((("os", 51), 5 * 40, None), lost[350])  # the failed sample counts
        self.assertEqual((("os", 51), 7, None), lost[400])  # JFR thread 2 itself has no sample
        self.assertEqual(7, lost[500][1])

    def test_blind_weight_is_cpu_time_that_the_branches_of_its_thread_carry(self):
        c = with_process(cycles(1, busy=S), S)
        rec = recording(threads=[JfrThread(1, "a", 51), JfrThread(2, "b", 52), JfrThread(3, "c", 53)],
                        samples=[Sample(CPU_TIME, 1, 1, stack("A.a"), 100 * MS), Sample(CPU_TIME, 2, 1, None, 100 * MS, failed=True),
                                 Sample(CPU_TIME, 3, 2, stack("B.b"), 100 * MS), Sample(CPU_TIME, 3, 3, stack(""), 100 * MS)],
                        lost=[(9, 1, 3)])
        result = run(rec, c)
        self.assertEqual(2, result.totals["cpu_source"])
        # 10 J a second for the process; A.a: 5 x 100 ms of 1 s; B.b: 1; thread 3 is blind only.
        self.assert_energies({"A.a": 5.0, "B.b": 1.0}, result.all_rows)
        self.assertAlmostEqual(4.0, result.totals["unattributed_j"], 9)
        self.assertEqual((2, 2, 3), tuple(result.totals["samples_" + k] for k in ("used", "failed", "lost")))
        self.assert_conserved(result)

    def test_waiting_samples_are_no_samples(self):
        rec = recording(threads=[JfrThread(1, "a", 51)], samples=[
            Sample(EXECUTION, 1, 1, stack("A.a")), Sample(EXECUTION, 2, 1, stack("A.wait"), waiting=True)])
        result = run(rec, with_process(cycles(1), S))
        self.assertEqual(["A.a"], list(energies(result.all_rows)))
        self.assertEqual([True, False, True, False], [model.waits(s) for s in (
            "STATE_SLEEPING", "STATE_RUNNABLE", "STATE_IN_OBJECT_WAIT_TIMED", None)])

    def test_each_sample_without_a_thread_is_a_thread_of_its_own(self):
        rec = recording(samples=[Sample(EXECUTION, t, None, stack("A.a")) for t in range(1, 7)])
        result = run(rec, with_process(cycles(1), S))
        self.assertEqual(6, result.totals["samples_used"])
        self.assertIsNone(result.methods["A.a"]["own_half_width_j"])  # six threads with one sample each

    def test_outside_the_power_log(self):
        rec = recording(threads=[JfrThread(1, "a", 51)], samples=[Sample(EXECUTION, t, 1, stack("A.a")) for t in (S, 3 * S)]
                        + [Sample(NATIVE, 3 * S, 1, stack("A.n"))])
        result = run(rec, with_process(cycles(1), S))
        self.assertEqual((1, 1), (result.totals["samples_used"], result.totals["samples_outside"]))


class NativeSamples(Case):
    def samples(self):
        return [Sample(EXECUTION, 1, 1, stack("A.a")), Sample(NATIVE, 2, 1, stack("A.n")),  # seen in cycle 0
                Sample(NATIVE, S + 1, 1, stack("A.n")), Sample(NATIVE, S + 2, 2, stack("B.n"))]

    threads = [JfrThread(1, "a", 51), JfrThread(2, "b", 52)]

    def branches(self, rec, c):
        return sorted((i, branch) for i, branch, _, _ in run(rec, c).all_rows)

    def test_source_1_a_record_in_that_cycle(self):
        c = with_process(cycles(2), S, S)
        c[0].threads += [ThreadRecord(PID, 51, S // 2), ThreadRecord(PID, 52, S // 4)]
        c[1].threads += [ThreadRecord(PID, 51, S // 2)]
        rec = recording(threads=self.threads, samples=self.samples())
        self.assertEqual([(0, "A.a"), (1, "A.n")], self.branches(rec, c))

    def test_source_3_a_load_event_anywhere(self):
        rec = recording(threads=self.threads, samples=self.samples(), thread_loads=[(5 * S, 2, 0.1)])
        self.assertEqual([(0, "A.a"), (1, "B.n")], self.branches(rec, with_process(cycles(2), S, S)))

    def test_source_4_never(self):
        rec = recording(threads=self.threads, samples=self.samples())
        self.assertEqual([(0, "A.a")], self.branches(rec, with_process(cycles(2), S, S)))


class ProcessPower(Case):
    def test_ns_pid_wins_and_several_are_an_error(self):
        c = cycles(2)
        c[0].processes += [ProcessRecord(PID, 1), ProcessRecord(900, 2, "java", PID)]
        self.assertEqual(900, model.find_host_pid(c, PID))
        c[1].processes += [ProcessRecord(901, 2, "java", PID)]
        with self.assertRaisesRegex(ModelError, "900, 901"):
            model.find_host_pid(c, PID)
        c = cycles(1)
        c[0].processes += [ProcessRecord(PID, 1, "java", 5)]  # knows itself as 5
        self.assertIsNone(model.find_host_pid(c, PID))

    def test_records_are_added_and_a_cycle_without_one_has_none(self):
        c = with_process(cycles(3, busy=S), S // 4, None, 2 * S)
        with_process(c, S // 4)
        result = run(recording(), c)
        # shares 0.5, 0, 1 (P above B)
        self.assertAlmostEqual(5.0 + 0 + 10.0, result.totals["process_j"], 9)
        self.assertAlmostEqual(30.0, result.totals["machine_j"], 9)

    def test_share_of_capacity(self):
        result = run(recording(), with_process(cycles(1, busy=S), S), share_of="capacity")
        self.assertAlmostEqual(2.5, result.totals["process_j"], 9)

    def test_baseline_goes_first_and_not_below_zero(self):
        c = with_process(cycles(2, busy=2 * S), S, S)
        c[1].power = 2.0
        result = run(recording(), c, baseline=4.0)
        self.assertAlmostEqual(3.0, result.totals["process_j"], 9)  # (10 - 4) / 2
        self.assertAlmostEqual(6.0, result.totals["baseline_j"], 9)  # 4 + 2
        result = run(recording(), c, {"cpus": 4, "baseline_w": 1.0}, baseline="log")
        self.assertAlmostEqual(4.5 + 0.5, result.totals["process_j"], 9)

    def test_cpu_load_is_the_mean_weighted_by_overlap(self):
        c = cycles(4)
        rec = recording(start=0, end=3 * S, cpu_loads=[(S // 2, 9.0, 9.0), (3 * S // 2, 0.25, 0.5), (5 * S // 2, 0.5, 1.0)])
        p = model.cpu_load_of_cycles(rec, c, 4)
        # cycle 0: only (0.5, 1.5]; cycle 1: half and half; cycle 2: only the last; cycle 3 starts at the recording's end
        self.assertEqual([(0.25 * 4 * S, 0.5 * 4 * S), (0.375 * 4 * S, 0.75 * 4 * S), (0.5 * 4 * S, 1.0 * 4 * S)], p[:3])

    def test_a_cycle_without_cpu_load_takes_the_nearest_within_five_seconds(self):
        c = cycles(12)
        rec = recording(start=0, end=10 * S, cpu_loads=[(S // 10, 9.0, 9.0), (2 * S, 0.25, 0.5), (3 * S, 0.5, 1.0)])
        p = [x[0] / (4 * S) for x in model.cpu_load_of_cycles(rec, c, 4)]
        # cycle 8 begins 5 s after the last event, cycle 9 6 s; cycle 11 is outside the recording
        self.assertEqual([0.25, 0.25] + [0.5] * 7 + [0, 0, 0], p)
        late = recording(start=0, end=10 * S, cpu_loads=[(3 * S, 9.0, 9.0), (4 * S, 0.25, 0.5)])
        self.assertEqual(0.25, model.cpu_load_of_cycles(late, c, 4)[0][0] / (4 * S))  # not the first event

    def test_no_source_is_an_error_that_names_the_option(self):
        with self.assertRaisesRegex(ModelError, "--process-share"):
            run(recording(cpu_loads=[(1, 0.1, 0.1)]), cycles(1))

    def test_a_share_by_hand_leaves_p_unknown_and_divides_over_the_sum(self):
        rec = recording(threads=[JfrThread(1, "a", 51)], samples=[Sample(EXECUTION, 1, 1, stack("A.a"))])
        result = run(rec, cycles(1), process_share=0.5)
        self.assert_energies({"A.a": 5.0}, result.all_rows)
        result = run(rec, with_process(cycles(1), 200 * MS), process_share=0.5)  # P known: 20 ms of 200
        self.assert_energies({"A.a": 0.5}, result.all_rows)


class ThreadRecords(Case):
    """Source 1."""

    def test_the_rest_goes_to_threads_with_used_samples_but_no_record(self):
        c = with_process(cycles(1, busy=S), S)
        c[0].threads += [ThreadRecord(PID, 51, 200 * MS), ThreadRecord(PID, 51, 200 * MS), ThreadRecord(999, 52, S)]
        threads = [JfrThread(1, "a", 51), JfrThread(2, "b", 52), JfrThread(3, "c", 53), JfrThread(4, "d", 54)]
        rec = recording(threads=threads, samples=[
            Sample(CPU_TIME, 1, 1, stack("A.a"), 10), Sample(CPU_TIME, 2, 2, stack("B.b"), 10),
            Sample(CPU_TIME, 3, 2, None, 20, failed=True), Sample(CPU_TIME, 4, 3, stack("C.c"), 10)],
            lost=[(5, 4, 1000)])
        result = run(rec, c)
        self.assertEqual(1, result.totals["cpu_source"])
        # R = 0.6 s by weight 30 : 10; thread 4 has no used sample, only lost ones
        self.assert_energies({"A.a": 4.0, "B.b": 4.5, "C.c": 1.5}, result.all_rows)
        self.assert_conserved(result)

    def test_the_rest_stays_unattributed_without_such_threads(self):
        c = with_process(cycles(1, busy=S), S)
        c[0].threads += [ThreadRecord(PID, 51, 400 * MS)]
        rec = recording(threads=[JfrThread(1, "a", 51), JfrThread(2, "b", 52)],
                        samples=[Sample(EXECUTION, 1, 1, stack("A.a")), Sample(NATIVE, 1, 2, stack("B.n"))])
        result = run(rec, c)
        self.assert_energies({"A.a": 4.0}, result.all_rows)
        self.assertAlmostEqual(6.0, result.totals["unattributed_j"], 9)

    def test_threads_above_the_process_divide_over_their_sum(self):
        c = with_process(cycles(1, busy=S), S)
        c[0].threads += [ThreadRecord(PID, 51, S), ThreadRecord(PID, 52, S)]
        rec = recording(threads=[JfrThread(1, "a", 51)], samples=[Sample(EXECUTION, 1, 1, stack("A.a"))])
        result = run(rec, c)
        self.assert_energies({"A.a": 5.0}, result.all_rows)
        self.assertAlmostEqual(0.5, result.all_rows[0][3], 9)  # coverage

    def test_ns_tid_joins_where_it_is_given(self):
        c = with_process(cycles(1, busy=S), S, pid=900, ns_pid=PID)
        c[0].threads += [ThreadRecord(900, 4051, S, "a", 51), ThreadRecord(PID, 51, 7 * S)]
        rec = recording(threads=[JfrThread(1, "a", 51)], samples=[Sample(EXECUTION, 1, 1, stack("A.a"))])
        self.assert_energies({"A.a": 10.0}, run(rec, c).all_rows)

    def test_f_is_the_part_of_the_cycle_inside_the_recording(self):
        c = with_process(cycles(4, busy=S), S, S, S, S)
        for cycle in c:
            cycle.threads += [ThreadRecord(PID, 51, S // 2, "a"), ThreadRecord(PID, 52, S // 4, "b"), ThreadRecord(PID, 60, S // 4, "VM Thread")]
        samples = [Sample(EXECUTION, t, i, stack(name)) for t in (S + 900 * MS, 2 * S + 1) for i, name in ((1, "A.a"), (2, "B.b"))]
        rec = recording(start=S + 250 * MS, end=2 * S + 750 * MS, threads=[JfrThread(1, "a", 51), JfrThread(2, "b", 52)],
                        samples=samples, thread_starts=[(S + 300 * MS, 2)])
        result = run(rec, c)
        # cycle 1: 0.75 inside; thread 2 was started in the recording: no bound at the start, its f is 1
        self.assert_energies({"A.a": 5.0 * 0.75, "B.b": 2.5, "[VM]": 2.5}, result.all_rows, 1)
        # cycle 2: the recording's end bounds both
        self.assert_energies({"A.a": 5.0 * 0.75, "B.b": 2.5 * 0.75, "[VM]": 2.5}, result.all_rows, 2)
        # cycles 0 and 3 are outside: no rows, not even native ones
        self.assertAlmostEqual(20.0 + 1.25 + 1.25 + 0.625, result.totals["outside_j"], 9)
        self.assertAlmostEqual(0.0, result.totals["unattributed_j"], 9)
        self.assert_conserved(result)

    def test_f_of_virtual_threads_asks_all_carriers_with_records(self):
        carriers = [JfrThread(20, "ForkJoinPool-1-worker-1", 70, "CarrierThreads"), JfrThread(21, "ForkJoinPool-1-worker-2", 71, "CarrierThreads")]
        virtual = [JfrThread(30, "", 0, "VirtualThreads", True), JfrThread(31, "", 0, "", True)]
        samples = [Sample(EXECUTION, 600 * MS, 30, stack("V.v")), Sample(EXECUTION, 700 * MS, 31, stack("W.w")),
                   Sample(EXECUTION, 800 * MS, 31, stack("W.w")), Sample(EXECUTION, 800 * MS, 20, stack("F.f"))]

        def energy(started, records):
            c = with_process(cycles(1, busy=S), S)
            c[0].threads += [ThreadRecord(PID, os_id, S // 2) for os_id in records]
            rec = recording(start=500 * MS, threads=carriers + virtual, samples=samples, thread_starts=[(501 * MS, i) for i in started])
            return run(rec, c).all_rows

        # one thread: the carriers' 1 s by the weights 1 : 2 : 1
        self.assert_energies({"V.v": 2.5, "W.w": 5.0, "F.f": 2.5}, energy([20, 21], [70, 71]))
        self.assert_energies({"V.v": 1.25, "W.w": 2.5, "F.f": 1.25}, energy([20], [70, 71]))
        self.assert_energies({"V.v": 1.25, "W.w": 2.5, "F.f": 1.25}, energy([20], [70]))  # 0.5 s and R = 0.5 s stays
        # ... of which only the recorded half second is theirs: all that have records were started
        self.assert_energies({"V.v": 0.625, "W.w": 1.25, "F.f": 0.625}, energy([21], [70]))


class ThreadLoads(Case):
    """Source 3."""

    def events(self, **events):
        rec = recording(threads=[JfrThread(i, f"t{i}", 50 + i) for i in range(1, 5)], **events)
        return [(e.thread[1] - 50, e.since, e.t, e.cpu) for e in model.load_events(rec, model.Threads(rec))]

    def test_since(self):
        found = self.events(
            thread_loads=[(1 * S, 1, 0.5), (1 * S, 2, 0.25), (2 * S, 1, 0.5), (2 * S + 500 * MS, 3, 0.25), (3 * S, 1, 0.5), (3 * S, 4, 0.5)],
            thread_starts=[(2 * S + 100 * MS, 3), (2 * S + 200 * MS, 4), (500, 1)],
            thread_ends=[(2 * S + 499 * MS, 3)])
        self.assertEqual([
            (1, 500, 1 * S, 0.5 * 4 * (1 * S - 500)),  # started after the recording did
            (2, 0, 1 * S, 0.25 * 4 * S),  # the recording's start
            (1, 1 * S, 2 * S, 0.5 * 4 * S),
            (3, 2 * S + 100 * MS, 2 * S + 500 * MS, 0.25 * 4 * 400 * MS),  # its start is later than the emission
            (1, 2 * S, 3 * S, 0.5 * 4 * S),  # thread 3's last event is no periodic emission
            (4, 2 * S + 200 * MS, 3 * S, 0.5 * 4 * 800 * MS),
        ], found)

    def test_a_thread_silent_for_an_emission_counts_from_the_latest_emission(self):
        found = self.events(thread_loads=[(1 * S, 1, 0.5), (1 * S, 2, 0.1), (2 * S, 1, 0.5), (3 * S, 2, 0.25)])
        self.assertEqual((2, 2 * S, 3 * S, 0.25 * 4 * S), found[-1])

    def test_ten_milliseconds_before_or_after_the_end(self):
        for distance, periodic in ((-10 * MS, False), (10 * MS, False), (-10 * MS - 1, True), (10 * MS + 1, True)):
            found = self.events(thread_loads=[(S, 1, 0.5), (2 * S, 2, 0.5)], thread_ends=[(S + distance, 1)])
            self.assertEqual(S if periodic else 0, found[-1][1], distance)

    def test_effective_cpus_where_positive(self):
        rec = recording(threads=[JfrThread(1, "a", 51)], thread_loads=[(S, 1, 0.5)])
        for effective, cpus in ((1, 1), (0, 4), (-1, 4), (None, 4)):
            rec.effective_cpus = effective
            self.assertEqual(0.5 * cpus * S, model.load_events(rec, model.Threads(rec))[0].cpu)

    def cpu(self, loads, weights, cycle_list):
        result = [dict.fromkeys(("a", "b", "c"), 0.0) for _ in cycle_list]
        for r in result:
            r[VIRTUAL] = 0.0
        ends = [c.end for c in cycle_list]
        model.cpu_from_loads([model.LoadEvent(*event) for event in loads],
                             [model.Weight(t, model.find_cycle(cycle_list, ends, t), thread, w, ("X.x",)) for t, thread, w in weights],
                             cycle_list, result)
        return result

    def test_spread_by_weight_and_weight_in_no_cycle_keeps_its_part(self):
        found = self.cpu([("a", 0, 3 * S, 80.0)], [(1, "a", 1), (S + 1, "a", 2), (2 * S + 1, "a", 1), (3 * S + 1, "b", 9)], cycles(2))
        self.assertEqual([20.0, 40.0], [c["a"] for c in found])  # the third second is in no cycle: 20 dropped

    def test_spread_by_overlap_without_weight(self):
        found = self.cpu([("a", S // 2, 3 * S, 100.0)], [], cycles(2))
        self.assertEqual([20.0, 40.0], [c["a"] for c in found])

    def test_after_the_last_event_by_the_own_ratio(self):
        found = self.cpu([("a", 0, S, 30.0), ("b", 0, S, 7.0)],
                         [(S // 2, "a", 10), (S, "a", 5), (S + 1, "a", 4), (S + 1, "c", 4), (S + 2, "b", 1)], cycles(2))
        self.assertEqual(30.0, found[0]["a"])
        self.assertEqual(4 * 30 / 15, found[1]["a"])
        # b's event has no weight: the ratio of the threads that have both, which is a's alone; c has no event at all
        self.assertEqual(4 * 30 / 15, found[1]["c"])
        self.assertEqual(1 * 30 / 15, found[1]["b"])

    def test_ratio_one_where_no_thread_has_both(self):
        self.assertEqual(4.0, self.cpu([], [(1, "c", 4)], cycles(1))[0]["c"])

    def test_each_weight_is_counted_once_for_the_ratio(self):
        # two carriers with one emission: cpu 30 + 50 over the same weight 10
        found = self.cpu([(VIRTUAL, 0, S, 30.0), (VIRTUAL, 0, S, 50.0)], [(1, VIRTUAL, 10), (S + 1, VIRTUAL, 2)], cycles(2))
        self.assertEqual([80.0, 2 * 80 / 10], [c[VIRTUAL] for c in found])

    def test_source_2_takes_threads_without_any_weight_from_loads_by_overlap(self):
        c = with_process(cycles(2, busy=S), S, S)
        rec = recording(threads=[JfrThread(1, "a", 51), JfrThread(2, "C2 CompilerThread0", 52)],
                        samples=[Sample(CPU_TIME, 1, 1, stack("A.a"), S // 2)],
                        thread_loads=[(2 * S, 1, 0.2), (2 * S, 2, 0.1)], gc_cpu=[(S + 1, 100 * MS)])
        result = run(rec, c)
        # loads: 0.1 * 4 * 2 s = 0.8 s, half in each cycle; thread 1's own load is not asked
        self.assert_energies({"A.a": 5.0, "[JIT]": 4.0}, result.all_rows, 0)
        self.assert_energies({"[GC]": 1.0, "[JIT]": 4.0}, result.all_rows, 1)
        self.assert_conserved(result)


class Rows(Case):
    def example(self, **options):
        c = with_process(cycles(1, busy=S), S)
        c[0].threads += [ThreadRecord(PID, 51, 500 * MS, "a"), ThreadRecord(PID, 52, 100 * MS, "JFR Periodic Ta"),
                         ThreadRecord(PID, 60, 200 * MS, "GC Thread#0"), ThreadRecord(PID, 61, 200 * MS, "other")]
        rec = recording(threads=[JfrThread(1, "a", 51), JfrThread(2, "JFR Periodic Tasks", 52)], samples=[
            Sample(EXECUTION, t, 1, stack(s)) for t, s in ((1, "com.a.A.a;java.J.j"), (2, "com.a.A.a;java.K.k"), (3, "java.J.j"), (4, "java.J.j"))]
            + [Sample(EXECUTION, 5, 2, stack("jdk.P.p"))])
        return run(rec, c, **options)

    def test_native_threads_apart(self):
        result = self.example()
        # the JFR thread has weight, so it is no native thread
        self.assert_energies({"com.a.A.a;java.J.j": 1.25, "com.a.A.a;java.K.k": 1.25, "java.J.j": 2.5, "jdk.P.p": 1.0, "[GC]": 2.0}, result.all_rows)
        self.assert_energies({"com.a.A.a;java.J.j": 1.25, "com.a.A.a;java.K.k": 1.25, "java.J.j": 2.5, "jdk.P.p": 1.0}, result.app_rows)
        self.assertAlmostEqual(0.8, result.all_rows[0][3], 9)
        self.assertAlmostEqual(0.8, result.app_rows[0][3], 9)
        self.assertEqual(["java.J.j", "[GC]", "com.a.A.a;java.J.j", "com.a.A.a;java.K.k", "jdk.P.p"], [r[1] for r in result.all_rows])
        self.assert_conserved(result)

    def test_native_threads_unattributed(self):
        result = self.example(jvm_threads="unattributed")
        self.assertAlmostEqual(4.0, result.totals["unattributed_j"], 9)
        self.assertEqual(0, result.totals["native_j"])

    def test_native_threads_spread(self):
        result = self.example(jvm_threads="spread")
        self.assertAlmostEqual(6.0 / 0.8, result.totals["java_j"], 9)
        self.assertAlmostEqual(2.0 / 0.8, result.totals["unattributed_j"], 9)

    def test_the_app_file_merges_branches(self):
        result = self.example(filter=["com.a"])
        self.assert_energies({"com.a.A.a": 2.5}, result.app_rows)
        result = self.example(filter=["com", "java.J"])
        self.assert_energies({"com.a.A.a;java.J.j": 1.25, "com.a.A.a": 1.25, "java.J.j": 2.5}, result.app_rows)

    def test_methods_own_and_total(self):
        methods = self.example().methods
        self.assertAlmostEqual(3.75, methods["java.J.j"]["own_j"], 9)
        self.assertAlmostEqual(3.75, methods["java.J.j"]["total_j"], 9)
        self.assertAlmostEqual(0.0, methods["com.a.A.a"]["own_j"], 9)
        self.assertAlmostEqual(2.5, methods["com.a.A.a"]["total_j"], 9)
        self.assertEqual(3, methods["java.J.j"]["samples"])

    def test_cycles_without_power(self):
        c = with_process(cycles(2, busy=S), S, S)
        c[0].power, c[0].status = None, "stale"
        rec = recording(threads=[JfrThread(1, "a", 51)], samples=[Sample(EXECUTION, 1, 1, stack("A.a"))])
        result = run(rec, c)
        self.assertEqual({"stale": 1}, result.totals["cycles_without_power"])
        self.assertEqual([], result.all_rows)
        self.assertAlmostEqual(10.0, result.totals["unattributed_j"], 9)

    def test_files(self):
        result = self.example(filter=["com.a"])
        c = cycles(1)
        c[0].realtime = 1764438001_000_999_999
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.csv")
            model.write_csv(path, result.app_rows, c)
            with open(path, encoding="utf-8") as file:
                self.assertEqual("timestamp,branch,power_watts,energy_joules,interval_seconds,coverage\n"
                                 "1764438001000,com.a.A.a,2.500000000,2.500000000,1.000000000,0.8000\n", file.read())


class Certainty(Case):
    def test_half_width(self):
        # Thread 1: cycle 0 two samples (A.a, B.b), cycle 1 three (A.a x 3): p(A) = 4 / 5 over the whole recording.
        # Thread 2: 4 samples only.
        c = with_process(cycles(2, busy=S), S, S)
        c[0].threads += [ThreadRecord(PID, 51, 400 * MS), ThreadRecord(PID, 52, 600 * MS)]
        c[1].threads += [ThreadRecord(PID, 51, S)]
        samples = [Sample(EXECUTION, t, 1, stack(s)) for t, s in ((1, "A.a"), (2, "B.b"), (S + 1, "A.a"), (S + 2, "A.a"), (S + 3, "A.a"))]
        samples += [Sample(EXECUTION, t, 2, stack("C.c;A.x")) for t in range(10, 14)]
        rec = recording(threads=[JfrThread(1, "a", 51), JfrThread(2, "b", 52)], samples=samples)
        methods = run(rec, c).methods
        variance = 4.0 ** 2 * 0.8 * 0.2 / 2 + 10.0 ** 2 * 0.8 * 0.2 / 3
        self.assertAlmostEqual(1.96 * variance ** 0.5, methods["A.a"]["own_half_width_j"], 9)
        self.assertAlmostEqual(1.96 * variance ** 0.5, methods["B.b"]["own_half_width_j"], 9)  # p (1 - p) is the same
        self.assertIsNone(methods["C.c"]["total_half_width_j"])  # marked, not 0
        self.assertIsNone(methods["A.x"]["own_half_width_j"])


class PowerLog(Case):
    TEXT = ('#joular-power-log 1\n#{"cpus":2}\n# a comment\nprocess,5,100,java,1\nthread,5,6,50,"a ""b"", c"\nnew,1\n'
            'cycle,2000,1000,1000,,7,gap\nprocess,5,1,java\ncycle,3000,2000,1000,1.500000,8,ok,more\nthread,5,6,50,x\ncycle,4000,3000,1000,1.0,8,ok')

    def test_read(self):
        log = model.parse_log(self.TEXT)
        self.assertEqual(2, log.facts["cpus"])
        self.assertEqual(2, len(log.cycles))  # the last line has no LF
        self.assertEqual((0, 1000, None, 7, "gap"), (log.cycles[0].start, log.cycles[0].end, log.cycles[0].power, log.cycles[0].busy, log.cycles[0].status))
        self.assertEqual([ThreadRecord(5, 6, 50, 'a "b", c')], log.cycles[0].threads)
        self.assertEqual([ProcessRecord(5, 100, "java", 1)], log.cycles[0].processes)
        self.assertEqual(1.5, log.cycles[1].power)

    def test_errors(self):
        for line in ("cycle,2500,1500,1000,1.0,8,ok\ncycle,3000,2000,1000,1.0,8,ok", "process,5,-1,java\ncycle,2,2,2,1,1,ok", "cycle,2,2,1,nan,1,ok",
                     "cycle,2,x,1,1,1,ok"):
            with self.assertRaises(ModelError):
                model.parse_log("#joular-power-log 1\n#{}\n" + line + "\n")
        with self.assertRaisesRegex(ModelError, "version 2"):
            model.parse_log("#joular-power-log 2\n#{}\n")


class Bytes(Case):
    def cursor(self, data, compressed=True):
        return model.Cursor(data, 0, len(data), compressed)

    def test_varints(self):
        self.assertEqual(300, self.cursor(b"\xac\x02").long())
        self.assertEqual(-1, self.cursor(b"\xff" * 9).long())  # the ninth byte carries eight bits
        self.assertEqual(-1, self.cursor(b"\xff\xff\xff\xff\x0f").int())
        self.assertEqual(1, self.cursor(b"\x81\x80\x80\x00").int())  # padded
        self.assertEqual(-2, self.cursor(b"\xff\xff\xff\xfe", False).int())

    def test_strings(self):
        for data, text in ((b"\0", None), (b"\1", ""), (b"\3\2\xc3\xa9", "é"), (b"\4\2\xbd\xb0\x03\x80\xb8\x03", "\U0001f400"), (b"\5\1\xe9", "é")):
            self.assertEqual(text, self.cursor(data).string())
        self.assertIsInstance(self.cursor(b"\2\5").string(), model.StringRef)

    def chunk(self, compressed, state=0):
        """A chunk with one metadata event, one checkpoint and two events, built by hand."""
        def number(width, value):
            if not compressed:
                return value.to_bytes(width, "big")
            out = bytearray()
            while value > 127:
                out.append(value & 127 | 128)
                value >>= 7
            return bytes(out + bytes([value]))

        def integer(value):
            return number(4, value)

        def long(value):
            return number(8, value)

        def event(type_id, body):
            body = long(type_id) + body
            if not compressed:
                return struct.pack(">i", len(body) + 4) + body
            size = len(body) + 4  # padded to four bytes
            return bytes([size & 127 | 128, size >> 7 & 127 | 128, size >> 14 & 127 | 128, size >> 21]) + body

        strings = []

        def at(text):
            if text not in strings:
                strings.append(text)
            return integer(strings.index(text))

        def element(name, attributes, *children):
            return (at(name) + integer(len(attributes)) + b"".join(at(k) + at(v) for k, v in attributes.items())
                    + integer(len(children)) + b"".join(children))

        def field(name, type_id, **more):
            return element("field", {"name": name, "class": str(type_id), **more})

        tree = element(
            "root", {}, element(
                "metadata", {}, element("class", {"name": "long", "id": "1"}), element("class", {"name": "int", "id": "2"}),
                element("class", {"name": "java.lang.String", "id": "3"}), element("class", {"name": "boolean", "id": "4"}),
                element("class", {"name": "jdk.types.Symbol", "id": "10", "simpleType": "true"}, field("string", 3)),
                element("class", {"name": "java.lang.Class", "id": "11"}, field("name", 10, constantPool="true")),
                element("class", {"name": "jdk.types.Method", "id": "12"}, field("type", 11, constantPool="true"),
                        field("name", 10, constantPool="true"), field("hidden", 4)),
                element("class", {"name": "jdk.types.StackFrame", "id": "13"}, field("method", 12, constantPool="true"), field("lineNumber", 2)),
                element("class", {"name": "jdk.types.StackTrace", "id": "14"}, field("truncated", 4), field("frames", 13, dimension="1")),
                element("class", {"name": "java.lang.Thread", "id": "15"}, field("osName", 3), field("osThreadId", 1)),
                element("class", {"name": "jdk.ExecutionSample", "id": "20", "superType": "jdk.jfr.Event"}, field("startTime", 1),
                        field("sampledThread", 15, constantPool="true"), field("stackTrace", 14, constantPool="true"))),
            element("region", {}))
        table = integer(len(strings)) + b"".join(b"\3" + integer(len(s.encode())) + s.encode() for s in strings)
        metadata = event(0, long(1) + long(0) + long(1) + table + tree)

        def text(s):
            return b"\3" + integer(len(s)) + s.encode()

        def pool(type_id, **entries):
            return long(type_id) + integer(len(entries)) + b"".join(long(int(k[1:])) + v for k, v in entries.items())

        big = 5 << 32  # keys reach past 32 bits
        checkpoint = event(1, long(1) + long(0) + long(0) + b"\0" + integer(6)
                           + pool(10, k1=text("a/B"), k2=text("run")) + pool(11, k7=long(1))
                           + pool(12, k5=long(7) + long(2) + b"\0", k6=long(99) + long(2) + b"\1") + pool(3)
                           + long(14) + integer(1) + long(big) + b"\1" + integer(3) + b"".join(long(k) + integer(9) for k in (5, 6, 77))
                           + pool(15, k3=b"\5" + integer(1) + b"x" + long(51)))
        events = event(20, long(1300) + long(3) + long(big)) + event(20, long(1500) + long(0) + long(4))
        body = events[:0] + checkpoint + events + metadata
        header = struct.pack(">4sHH7qBBBB", b"FLR\0", 2, 1, 68 + len(body), 68, 68 + len(body) - len(metadata),
                             5000, 0, 1000, 3 * S, state, 0, 0, int(compressed))
        return header + body

    def test_chunks(self):
        for compressed in (False, True):
            for state in (0, 7):
                data = self.chunk(compressed, state) + self.chunk(compressed)
                with tempfile.TemporaryDirectory() as folder:
                    path = os.path.join(folder, "x.jfr")
                    with open(path, "wb") as file:
                        file.write(data + b"\x99")
                    chunks = model.read_chunks(path)
                self.assertEqual(2, len(chunks))
                first, second = chunks[0].events.samples
                self.assertEqual((5100, 3), (first.t, first.thread))  # 300 ticks at 3 GHz
                self.assertEqual((("[unknown]", False), ("[unknown].run", True), ("a.B.run", False)), first.stack.frames)
                self.assertTrue(first.stack.truncated)
                self.assertEqual((5166, None, None), (second.t, second.thread, second.stack))  # 500 / 3 cut
                self.assertEqual(5166, chunks[0].end)  # no duration: the last event's time
                self.assertEqual(JfrThread(3, "x", 51), chunks[0].threads[3])


if __name__ == "__main__":
    unittest.main()
