# SPDX-License-Identifier: GPL-3.0-or-later
"""Instructions by phase, from callgrind: repeatable, whatever else the machine does."""
import os
import re
import subprocess
from collections import defaultdict

# A phase is what a function took, with all it called; that of another phase called by it is taken away from it below.
INCLUSIVE = {
    "log": ["inputs_read"],
    "find chunks": ["jfr_list_chunks"],
    "metadata": ["read_types"],
    "constant pools": ["jfr_index_checkpoint"],
    "stacks": ["batch_resolve_samples"],
    "merging": ["batch_merge"],
    "attribution": ["energy_attribute"],
    "writing": ["results_write"],
}


def read(path):
    """Own cost by function, and cost of calls by (caller, callee)."""
    own, calls, names = defaultdict(int), defaultdict(int), {}
    function = callee = None

    def name(text):
        number, _, rest = re.match(r"\((\d+)\)( (.*))?$", text).groups() if text.startswith("(") else (text, None, text)
        if rest is not None:
            names[number] = rest.split("'")[0]
        return names[number]

    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith("fn="):
                function = name(line[3:].rstrip("\n"))
            elif line.startswith("cfn="):
                callee = name(line[4:].rstrip("\n"))
            elif callee is not None and re.match(r"[\d+*-]", line):
                if function != callee:
                    calls[function, callee] += int(line.split()[-1])
                callee = None
            elif function is not None and re.match(r"[\d+*-]", line) and len(line.split()) > 1:
                own[function] += int(line.split()[-1])
    return own, calls


def show(program, kind, recording, log, work):
    out = f"{work}/callgrind.out"
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", program, "-q", "-j1", "-o", f"{work}/results", recording, log]
    subprocess.run(command, check=True, capture_output=True)
    own, calls = read(out)
    into = defaultdict(int)
    for (_, callee), cost in calls.items():
        into[callee] += cost
    size, total = os.path.getsize(recording), sum(own.values())
    phase = {name: sum(into[function] for function in functions) for name, functions in INCLUSIVE.items()}
    phase["events"] = into["decode"] + into["group_sample"]  # with what becomes of each
    phase["walk"] = into["jfr_read_chunk"] - phase["metadata"] - phase["constant pools"] - phase["events"]
    phase["rest"] = total - sum(phase.values())
    print(f"{kind}: {size / 2**20:.1f} MiB, {total / size:.2f} instructions a byte")
    for name, cost in phase.items():
        print(f"  {name:16s} {cost / size:8.3f}  {100 * cost / total:5.1f} %")
