#!/usr/bin/env python3
"""make-power-log.py -o power.log [--interval-ms 1000] [--idle-watts W] [--max-watts W] -- COMMAND...

Starts COMMAND and writes a power log (version 1) about it until it ends: the CPU times are real, read from Linux for the process,
its threads and the machine; the power is an estimate, idle + (max - idle) * load. It made the sample logs, and it shows that any
script can write such a log. Exits with COMMAND's status. Only /proc, Python 3.9 and no packages are needed.

The header says nothing of this machine but its number of cpus: host "sample-host", the command by its base name.
"""
import argparse
import json
import os
import select
import signal
import subprocess
import sys
import time

TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")


def field(text):
    """One field by RFC 4180, quoted only where needed."""
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"\r\n') else text


def read(path):
    with open(path, "rb") as file:
        return file.read().decode("utf-8", "replace")


def comm(path):
    return read(path + "/comm")[:-1]  # one LF at the end; the name itself may hold one


def busy_ns():
    user, nice, system, _idle, _iowait, irq, softirq = (int(n) for n in read("/proc/stat").split("\n", 1)[0].split()[1:8])
    return (user + nice + system + irq + softirq) * TICK_NS


def threads_of(pid):
    """(CPU time in ns, name) by thread id, of the threads alive."""
    threads = {}
    for tid in os.listdir(f"/proc/{pid}/task"):
        path = f"/proc/{pid}/task/{tid}"
        try:
            threads[int(tid)] = int(read(path + "/schedstat").split()[0]), comm(path)
        except (FileNotFoundError, ProcessLookupError):
            pass  # ended meanwhile
    return threads


class Reading:
    def __init__(self, pid):
        self.threads = threads_of(pid)
        # The clock of a whole process: its ended threads count, and it can be read until the process has been waited for.
        self.process_ns = time.clock_gettime_ns((~pid << 3) | 2)
        self.name = comm(f"/proc/{pid}")
        self.busy_ns = busy_ns()
        self.realtime_ns = time.clock_gettime_ns(time.CLOCK_REALTIME)
        self.monotonic_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def records(pid, before, now, status, cpus, idle, most):
    """The lines of the cycle between two readings."""
    lines = [f"process,{pid},{now.process_ns - before.process_ns},{field(now.name)}"]
    for tid, (cpu_ns, name) in sorted(now.threads.items()):
        used = cpu_ns - before.threads.get(tid, (0, ""))[0]
        if used < 0:  # another thread that got the id of an ended one
            used = cpu_ns
        if used:
            lines.append(f"thread,{pid},{tid},{used},{field(name)}")
    interval = now.monotonic_ns - before.monotonic_ns
    busy = max(0, now.busy_ns - before.busy_ns)
    power = idle + (most - idle) * min(1.0, busy / (cpus * interval))
    lines.append(f"cycle,{now.realtime_ns},{now.monotonic_ns},{interval},{power:.6f},{busy},{status}")
    return "".join(line + "\n" for line in lines).encode("utf-8")


def main():
    parser = argparse.ArgumentParser(description="Writes a power log about a command, with an estimated power.")
    parser.add_argument("-o", required=True, metavar="FILE", dest="output")
    parser.add_argument("--interval-ms", type=int, default=1000)
    parser.add_argument("--idle-watts", type=float, default=10.0)
    parser.add_argument("--max-watts", type=float, default=35.0)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    interval_ns = options.interval_ms * 1_000_000
    if interval_ns <= 0 or not 0 <= options.idle_watts <= options.max_watts < float("inf"):
        parser.error("needs an interval > 0 and 0 <= idle watts <= max watts")

    output = os.open(options.output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    try:
        child = subprocess.Popen(options.command)
    except OSError as error:
        sys.exit(f"make-power-log.py: {error}")
    pid = child.pid
    ended = select.poll()
    ended.register(os.pidfd_open(pid), select.POLLIN)
    for number in (signal.SIGINT, signal.SIGTERM):  # the log ends when the command does
        signal.signal(number, lambda got, _frame: os.kill(pid, got))

    before = Reading(pid)
    cpus = os.cpu_count()
    header = {
        "tool": "make-power-log.py", "host": "sample-host", "cpus": cpus, "source": "estimate",
        "source_detail": f"{options.idle_watts:g} W idle, {options.max_watts:g} W with all cpus busy", "interval_ns": interval_ns,
        "command": os.path.basename(options.command[0]), "pid": pid,
        "start_realtime_ns": before.realtime_ns, "start_monotonic_ns": before.monotonic_ns,
    }
    os.write(output, ("#joular-power-log 1\n#" + json.dumps(header, separators=(",", ":")) + "\n").encode("utf-8"))

    due = before.monotonic_ns + interval_ns
    over = False
    while not over:
        left = due - time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        # poll counts in milliseconds, rounded up: sleep the rest exactly
        over = bool(ended.poll(max(0, left // 1_000_000)))
        if not over:
            time.sleep(max(0, due - time.clock_gettime_ns(time.CLOCK_MONOTONIC)) / 1e9)
        now = Reading(pid)
        os.write(output, records(pid, before, now, "partial" if over else "ok", cpus, options.idle_watts, options.max_watts))
        before = now
        while due <= now.monotonic_ns:  # the schedule is absolute: a reading that came late moves no later one
            due += interval_ns
    os.close(output)
    status = child.wait()
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())
