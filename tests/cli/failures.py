# SPDX-License-Identifier: GPL-3.0-or-later
"""failures.py LIBRARY KIND LIMIT CODES COMMAND...: runs COMMAND again and again, in each run another call of joular-... fails.

Each run has a folder `run` of its own as its working folder, empty or a copy of the folder `before`. LIMIT: about so many runs, evenly
over all calls (others each time), though the first hundred are all tried; 0: all. EXIT: what PROGRAM ends with where the failure matters.

What must hold of each run: it is not killed and does not hang; it ends with 0 and the same files and words as the run without a
failure, or with one of CODES, a line of its own on stderr, and no file that is not whole. A failure that is not worth a message (a name
that could not be closed) may end either way.
"""
import errno
import json
import mmap
import os
import shutil
import struct
import subprocess
import sys

library, kind, limit = sys.argv[1], sys.argv[2], int(sys.argv[3])
codes = [int(code) for code in sys.argv[4].split(",")]
command = sys.argv[5:]
name = next(os.path.basename(word) for word in command if "/joular-" in word)
CODES = {"memory": errno.ENOMEM, "io": errno.ENOSPC}


def whole(path):
    """What of a file is the same in each run; fails where it is not whole."""
    with open(path, "rb") as file:
        data = file.read()
    if name != "joular-record":
        return data
    if path.endswith(".json"):
        return sorted(json.loads(data))
    if path.endswith(".zst"):
        data = subprocess.run(["zstd", "-dc"], input=data, capture_output=True).stdout
    if path.endswith((".log", ".zst")):
        lines = data.split(b"\n")
        assert lines[0] == b"#joular-power-log 1" and lines[1][:2] == b"#{" and lines[-1] == b"", "the log is not whole"
        assert len(lines) == 3 or lines[-2].startswith(b"cycle,"), "the log's last cycle is open"
        return b"log"
    return data


def files():
    found = {}
    for folder, _, names in os.walk("."):
        for file in names:
            found[os.path.join(folder, file)] = whole(os.path.join(folder, file))
    return found


def run(number):
    """(exit code, stdout, stderr, calls, what failed)"""
    shutil.rmtree("run", ignore_errors=True)
    if os.path.isdir("before"):
        shutil.copytree("before", "run")
    os.makedirs("run/tmp")
    with open("counts", "w+b") as counts:
        counts.write(bytes(128))
        counts.flush()
        environment = dict(os.environ, LD_PRELOAD=library, TMPDIR=os.path.abspath("run/tmp"),
                           JOULAR_FAIL=f"{kind}:{number}:{CODES[kind]}:{name}:{os.path.abspath('counts')}")
        done = subprocess.run(command, cwd="run", env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=60)
        with mmap.mmap(counts.fileno(), 128) as seen:
            calls = struct.unpack("Q", seen[:8])[0]
            words = seen[8:].rstrip(b"\0").decode()
    return done.returncode, done.stdout, done.stderr.decode(errors="replace"), calls, words


def look(folder):
    os.chdir(folder)
    try:
        return files()
    finally:
        os.chdir("..")


def judge(number, good, before, expected):
    code, out, err, _, words = run(number)
    try:
        assert code in [0, *codes], f"exit code {code}: {err}"
        left = look("run")
        for path in left:
            assert path in expected, f"left behind: {path}"
            assert left[path] == expected[path] or code != 0 and left[path] == before.get(path), f"{path} is not whole"
        if code == 0:
            assert left.keys() == expected.keys(), "exit 0 without the result"
            assert out == good[1], "exit 0 with other words"
        elif words != "write 2":
            assert any(line.startswith(name + ": ") for line in err.splitlines()), f"no message: {err!r}"
    except AssertionError as wrong:
        raise AssertionError(f"{kind} call {number} of {good[3]} ({words}): {wrong}") from None
    return code != 0


def main():
    good = run(0)
    calls = good[3]
    assert good[0] == 0, good
    assert calls != 0, "the library was not loaded"
    expected = look("run")
    before = look("before") if os.path.isdir("before") else {}
    numbers = list(range(1, calls + 1))
    if limit and calls > limit:
        step = (calls - 100) // (limit - 100) + 1
        numbers = numbers[:100] + numbers[100 + os.getpid() % step::step]
    bad, failed = [], 0
    for number in numbers:
        try:
            failed += judge(number, good, before, expected)
        except AssertionError as wrong:
            bad.append(str(wrong))
        except subprocess.TimeoutExpired:
            bad.append(f"{kind} call {number}: it hangs")
    for line in bad[:40]:
        print(line)
    print(f"{name}: {len(numbers)} of {calls} {kind} calls failed once; {failed} of them ended the run, {len(bad)} wrongly")
    sys.exit(bool(bad) or failed == 0)


main()
