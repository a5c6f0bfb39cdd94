#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""profile.speedscope.json in speedscope's own page, from its npm package, in headless Chromium. What the page shows is held against
the file, whose numbers tests/cli/test-profiles.sh holds against the report.

Run by `make check`; by hand with JOULAR_TOP_BUILDDIR=the build folder. PICTURES=FOLDER keeps what was seen."""
import base64
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
import browser  # noqa: E402

TOP = os.path.dirname(os.path.dirname(here))
BUILD = os.path.abspath(os.environ.get("JOULAR_TOP_BUILDDIR", "."))
VERSION = "speedscope@1.25.0"


def analyze(name, *args):
    """profile.speedscope.json, and its path."""
    out = os.path.join(folder.name, name)
    subprocess.run([os.path.join(BUILD, "joular-analyze"), "-q", "--format", "speedscope", "-o", out, *args], check=True)
    path = os.path.join(out, "profile.speedscope.json")
    with open(path, encoding="utf-8") as file:
        return json.load(file), path


def made(kind, *number):
    path = os.path.join(folder.name, kind + ".json")
    report = subprocess.run([os.path.join(BUILD, "flame-page"), "--report", kind, *number], stdout=subprocess.PIPE, check=True).stdout
    with open(path, "wb") as file:
        file.write(report.replace(b"\xff", b"?"))
    return analyze(kind, "--from-report", path)


def setUpModule():
    global folder, chromium
    folder = tempfile.TemporaryDirectory(prefix="joular-speedscope-")
    browser.FLAGS.append("--enable-unsafe-swiftshader")  # the page draws by WebGL
    chromium = browser.Browser(browser.find())


def tearDownModule():
    chromium.close()
    folder.cleanup()


class Case(unittest.TestCase):
    def show(self, path):
        """Opens a profile as `speedscope FILE` does."""
        with open(path, "rb") as file:
            data = base64.b64encode(file.read()).decode()
        script = path + ".js"
        with open(script, "w", encoding="utf-8") as out:
            out.write(f"speedscope.loadFileFromBase64({json.dumps(os.path.basename(path))}, {json.dumps(data)})")
        self.page = chromium.page(width=1400, height=800)
        self.addCleanup(self.page.close)
        self.page.open(os.path.join(PACKAGE, "dist", "release", "index.html") + "#localProfilePath=" + script)
        self.wait_for("All threads (energy in \u00b5J)")

    def wait_for(self, words, seconds=60):
        deadline = time.monotonic() + seconds
        while words not in self.page.run("document.body.innerText"):
            self.assertLess(time.monotonic(), deadline, self.page.run("document.body.innerText")[:500])
            time.sleep(0.1)

    def picture(self, name):
        self.page.settle()
        where = os.environ.get("PICTURES")
        return self.page.picture(os.path.join(where, name + ".png") if where else None)

    def table(self):
        """The sandwich view: [total, own, name], highest own first, as many as are shown."""
        self.page.key("3")
        self.wait_for("Symbol Name")
        rows = self.page.run("[...document.querySelectorAll('tr')].map((r) => [...r.querySelectorAll('td')].map((c) => c.textContent))")
        number = re.compile(r"([\d,]+) \(.*\)")
        return [(*(int(number.fullmatch(c)[1].replace(",", "")) for c in row[:2]), row[2]) for row in rows
                if len(row) == 3 and number.fullmatch(row[0])]

    def complaints(self):
        return [e["params"] for e in self.page.seen("Runtime.exceptionThrown")] + \
            [e["params"] for e in self.page.seen("Runtime.consoleAPICalled") if e["params"]["type"] in ("error", "assert")]


def sums(profile, frames):
    own, total = collections.Counter(), collections.Counter()
    for stack, weight in zip(profile["samples"], profile["weights"]):
        own[frames[stack[-1]]["name"]] += weight
        for name in {frames[i]["name"] for i in stack}:
            total[name] += weight
    return own, total


class Page(Case):
    def check(self, file, path, picture):
        self.show(path)
        self.assertIn(f"(1/{len(file['profiles'])})", self.page.run("document.body.innerText"))
        self.picture(picture)
        own, total = sums(file["profiles"][0], file["shared"]["frames"])
        rows = self.table()
        self.picture(picture + "-table")
        self.assertGreater(len(rows), 10)
        self.assertEqual([o for _, o, _ in rows], sorted(own.values(), reverse=True)[:len(rows)])
        for row_total, row_own, name in rows:
            self.assertEqual((row_total, row_own), (total[name], own[name]), name)
        self.assertEqual(self.complaints(), [])

    def test_it_shows_our_joules(self):
        sample = os.path.join(TOP, "samples", "shop-jdk25")
        file, path = analyze("sample", sample + ".jfr", sample + ".power.log")
        self.check(file, path, "sample")
        self.page.key("n")  # the next profile: a thread
        self.wait_for(file["profiles"][1]["name"])
        own, _ = sums(file["profiles"][1], file["shared"]["frames"])
        self.assertEqual([o for _, o, _ in self.table()][:10], sorted(own.values(), reverse=True)[:10])

    def test_frames_are_drawn(self):
        sample = os.path.join(TOP, "samples", "shop-jdk25")
        _, path = analyze("drawn", sample + ".jfr", sample + ".power.log")
        self.show(path)
        self.page.settle()
        full = self.picture("drawn")
        _, path = made("empty")
        self.show(path)
        self.assertGreater(len(full), 3 * len(self.picture("empty")))

    def test_hostile_names_stay_text(self):
        file, path = made("hostile")
        self.show(path)
        rows = self.table()
        own = collections.Counter()
        for stack, weight in zip(file["profiles"][0]["samples"], file["profiles"][0]["weights"]):
            own[file["shared"]["frames"][stack[-1]]["name"]] += weight
        shown = collections.Counter()
        for _, o, name in rows:
            shown[name] += o
        self.assertEqual(shown, +own + collections.Counter({"com.example.Main.main": 0}))
        self.assertIsNone(self.page.run("window.owned === undefined ? null : window.owned"))
        self.assertEqual(self.complaints(), [])

    def test_fifty_thousand_methods(self):
        many = os.path.join(BUILD, "many-methods")
        if not os.path.exists(many):
            self.skipTest("many-methods is not built (no CMocka)")
        paths = [os.path.join(folder.name, name) for name in ("many.jfr", "many.log")]
        for path, words in zip(paths, ([], ["log"])):
            with open(path, "wb") as out:
                subprocess.run([many, "50000", *words], stdout=out, check=True)
        file, path = analyze("many", "--pid", "7", *paths)
        self.assertGreater(len(file["shared"]["frames"]), 50000)
        self.check(file, path, "many")


if __name__ == "__main__":
    if browser.find() is None:
        print("chromium is not installed")
        sys.exit(77)
    fetched = subprocess.run(["sh", os.path.join(TOP, "tests", "npm.sh"), VERSION], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if fetched.returncode != 0:
        print(fetched.stderr.decode().strip())
        sys.exit(77)
    PACKAGE = fetched.stdout.decode().strip()
    unittest.main()
