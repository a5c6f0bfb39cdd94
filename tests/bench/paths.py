# SPDX-License-Identifier: GPL-3.0-or-later
"""What each fast path of joular-analyze saves: a copy of the sources is built without it, and a default run with -j1 is counted
(callgrind). What is printed is the share of the instructions without it. Both must write the same results, byte for byte."""
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from typing import NamedTuple

import inputs

SAMPLES = ["samples/shop-jdk25", "samples/requests-jdk25", "tests/data/jdk17-chunks"]  # real recordings


class Path(NamedTuple):
    name: str
    file: str
    edits: list  # (text, what stands there instead); the text is there once


# No seed in the hashes, so that two runs take as many instructions
REPEATABLE = Path("hashes without a seed", "src/base/hash.c", [("        hash_seed = seed;\n", "        (void)seed;\n")])

MERGE_SORT = """    for (size_t run = 1; run < count; run *= 2) {
        for (size_t first = 0; first < count; first += 2 * run) {
            size_t middle = first + run < count ? first + run : count, end = middle + run < count ? middle + run : count;
            for (size_t left = first, right = middle, at = first; at < end; at++)
                spare[at] = left < middle && (right == end || keys[left].key <= keys[right].key) ? keys[left++] : keys[right++];
        }
        memcpy(keys, spare, count * sizeof *keys);
    }
    if (count < SIZE_MAX)
        return;
"""

PATHS = [
    Path("samples in groups", "src/jfr/reader.c", [("reader->grouped = reader->samples != NULL &&", "reader->grouped = reader->length == 0 &&")]),
    Path("events stepped over", "src/jfr/reader.c", [("bool all = needs_last ||", "bool all = walk.p != NULL || needs_last ||")]),
    Path("metadata kept", "src/jfr/reader.c", [("if (reader->metadata_event.n != 0 &&", "if (reader->metadata_event.n == SIZE_MAX &&")]),
    Path("frames by words", "src/jfr/pool.c", [("if (program->is_method) {", "if (program->is_method && count == 0) {")]),
    Path("frames of 3 integers", "src/jfr/pool.c", [("n == 3 ? frames_by_words(3, &s, room, next) : ", "")]),
    Path("varints skipped by words", "src/base/span.c", [("while (count >= 8 &&", "while (count == UINT64_MAX &&")]),
    Path("elements skipped at once", "src/jfr/program.c", [("if (elements->count == 1 && elements->steps[0].kind", "if (elements->count == 0 && elements->steps[0].kind")]),
    Path("varints without branches", "include/joular/span.h", [("span_left(s) < 9 ?", "span_left(s) < SIZE_MAX ?")]),
    Path("threads of samples", "src/collect/chunksamples.c", [("return thread < s->threads.n &&", "return thread == UINT32_MAX && thread < s->threads.n &&")]),
    Path("cycle of the one before", "include/joular/timeline.h", [("if (*hint < timeline->log->cycles.n &&", "if (*hint == UINT32_MAX && *hint < timeline->log->cycles.n &&")]),
    Path("lost samples nearby", "src/collect/chunksamples.c", [("if (hint < end && s->lost", "if (hint == SIZE_MAX && s->lost")]),
    Path("first group of a branch", "src/model/attribute.c", [("        if (branch->group == 0) {", "        if (s->weights.n == SIZE_MAX) {")]),
    Path("methods of frames", "src/collect/batchstacks.c", [("if (__builtin_expect(recent->key != key || key == 0, 0))", "")]),
    Path("cells folded late", "src/observed/observed.c", [("#define FEWEST_TO_FOLD 4096", "#define FEWEST_TO_FOLD 1")]),
    Path("sorting by counting", "src/base/sort.c", [("    uint64_t differ = 0;\n", MERGE_SORT + "    uint64_t differ = 0;\n")]),
    Path(
        "decimals",
        "src/base/decimal.c",
        [
            ("if (decimal_scaled(value, decimals, &scaled))", "if (buffer == NULL && decimal_scaled(value, decimals, &scaled))"),
            ("if (put_general(buffer, value, digits, &length))", "if (buffer == NULL && put_general(buffer, value, digits, &length))"),
        ],
    ),
    Path("digits of numbers read", "src/base/text.c", [("if (few_digits(text, length, value))", "if (length == SIZE_MAX && few_digits(text, length, value))")]),
    Path("texts of branches kept", "src/report/branchcsv.c", [("if (kept->n > texts->room)", "if (kept->n <= texts->room || texts->room != 0)")]),
    Path("energies as sorted", "src/report/branchcsv.c", [("if (scaled >> 63 != 0) {", "if (scaled != UINT64_MAX) {")]),
]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def without(src, path):
    """The text of its file without the fast path."""
    text = read(f"{src}/{path.file}")
    for old, new in path.edits:
        if text.count(old) != 1:
            sys.exit(f"{path.name}: {path.file} has this {text.count(old)} times, not once: {old.strip()}")
        text = text.replace(old, new)
    return text


def no_builds(folder, names):
    """Not to be copied: what git has, folders that something was built in, and where that was done."""
    return [name for name in names if name in (".git", "autom4te.cache") or os.path.exists(f"{folder}/{name}/config.status")]


class Copy:
    """Sources and a build folder of their own, in which one file at a time is another."""

    def __init__(self, src, built, work):
        self.src, self.build, self.work = f"{work}/src", f"{work}/build", work
        if os.path.exists(f"{src}/config.status"):
            sys.exit("--paths copies the sources, so it needs a build folder apart from them")
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(src, self.src, ignore=no_builds, symlinks=True)
        os.mkdir(self.build)
        status = subprocess.run([f"{built}/config.status", "--config"], capture_output=True, text=True, check=True).stdout
        options = [option for option in shlex.split(status) if option != "--enable-werror"]
        subprocess.run([os.path.abspath(f"{self.src}/configure"), "-q", *options], cwd=self.build, check=True, stdout=subprocess.DEVNULL)
        self.put(REPEATABLE)

    def put(self, path):
        text = without(self.src, path)
        with open(f"{self.src}/{path.file}", "w", encoding="utf-8") as file:
            file.write(text)

    def make(self):
        made = subprocess.run(["make", "-s", "-j2", "joular-analyze"], cwd=self.build, capture_output=True, text=True)
        if made.returncode != 0:
            sys.exit(made.stderr)

    def count(self, recording, log):
        """Instructions of a run, and what it wrote."""
        out = f"{self.work}/results"
        shutil.rmtree(out, ignore_errors=True)
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"{self.build}/joular-analyze", "-q", "-j1", "-o", out, recording, log]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
        wrote = {}
        for name in sorted(os.listdir(out)):
            with open(f"{out}/{name}", "rb") as file:
                wrote[name] = hashlib.sha256(file.read()).hexdigest()
        return int(re.search(r"Collected : (\d+)", said)[1]), wrote


def show(program, src, work, kinds):
    recordings = {os.path.basename(path): (f"{src}/{path}.jfr", f"{src}/{path}.power.log") for path in SAMPLES}
    for kind in kinds:
        recordings[kind] = inputs.make(kind, program, src, work)
    for path in [REPEATABLE, *PATHS]:
        without(src, path)
    copy = Copy(src, os.path.dirname(os.path.abspath(program)), f"{work}/paths")
    copy.make()
    plain = {name: copy.count(*recordings[name]) for name in recordings}
    print("instructions that each fast path saves, % of those without it")
    print(f"    {'':26s}{'':28s}" + "".join(f"{name:>16s}" for name in recordings))
    for path in PATHS:
        kept = read(f"{copy.src}/{path.file}")
        copy.put(path)
        copy.make()
        shares = []
        for name, (instructions, wrote) in plain.items():
            slow, slow_wrote = copy.count(*recordings[name])
            if wrote != slow_wrote:
                sys.exit(f"{path.name}: without it the results of {name} are others")
            shares.append(100 * (slow - instructions) / slow)
        print(f"    {path.name:26s}{path.file:28s}" + "".join(f"{share:16.1f}" for share in shares), flush=True)
        with open(f"{copy.src}/{path.file}", "w", encoding="utf-8") as file:
            file.write(kept)
