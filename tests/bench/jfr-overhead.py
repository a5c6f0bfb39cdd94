# SPDX-License-Identifier: GPL-3.0-or-later
"""jfr-overhead.py TOP JAVA-FOLDER [RUNS [REQUESTS]]: what a recording costs. The sample shop serves the same requests (ShopWork.java)
without one, by the settings of joular-record --jfr with CPU-time samples each 10 ms and each 1 ms, and by joular.jfc, in turns; printed
are medians of the CPU time a request, once the JIT has done most of its work, and how far the runs scatter.

CPU time, not seconds: what else the machine does is not in it, but for caches and clocks. JDK 25 and later; needs a build of jfc-show
in the folder that it is run in."""
import os
import re
import statistics
import subprocess
import sys
import tempfile

top, java = sys.argv[1:3]
runs = int(sys.argv[3]) if len(sys.argv) > 3 else 5
requests = sys.argv[4] if len(sys.argv) > 4 else "8000"
both = subprocess.run(["./jfc-show"], capture_output=True, text=True, check=True).stdout
# what joular-record writes for JDK 25: without the two events of older ones
cpu_time = re.sub(r'  <event name="jdk.(ExecutionSample|NativeMethodSample)">.*?</event>\n', "", both, flags=re.DOTALL)
if ">10ms<" not in cpu_time or ">10 ms<" in cpu_time:
    sys.exit("jfc-show prints other settings than this expects")
FLAGS = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints", "-XX:FlightRecorderOptions=stackdepth=1024", "-Xlog:jfr+startup=error"]
VARIANTS = {
    "none": None,
    "10 ms": cpu_time,
    "1 ms": cpu_time.replace(">10ms<", ">1ms<"),
    "joular.jfc": both,
}


def run(name, folder):
    """CPU microseconds a request, and the recording's bytes."""
    command = [f"{java}/java", "-Xmx256m", "-XX:+UseG1GC"]
    recording = f"{folder}/run.jfr"
    if VARIANTS[name] is not None:
        with open(f"{folder}/run.jfc", "w", encoding="utf-8") as file:
            file.write(VARIANTS[name])
        command += FLAGS + [f"-XX:StartFlightRecording=filename={recording},settings={folder}/run.jfc,dumponexit=true,maxsize=0"]
    command += ["-cp", f"{folder}/classes", "com.example.shop.ShopWork", requests, requests]
    out = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return int(out) / 1e3, os.path.getsize(recording) if VARIANTS[name] is not None else 0


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([f"{java}/javac", "-d", f"{folder}/classes", f"{top}/samples/shop/Shop.java", f"{top}/tests/bench/ShopWork.java"],
                   check=True)
    seen = {name: [] for name in VARIANTS}
    for _ in range(runs):
        for name in VARIANTS:
            seen[name].append(run(name, folder))
none = statistics.median(cpu for cpu, _ in seen["none"])
print(f"{runs} runs of 2 x {requests} requests each, in turns\n            us a request   min .. max        more     KiB")
for name, values in seen.items():
    cpu = sorted(cpu for cpu, _ in values)
    median = statistics.median(cpu)
    print(f"{name:11} {median:9.1f}   {cpu[0]:9.1f} .. {cpu[-1]:.1f}   {(median / none - 1) * 100:+6.1f} %   "
          f"{statistics.median(size for _, size in values) / 1024:8.0f}")
