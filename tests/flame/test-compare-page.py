#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The differential flame graph of joular-compare --html in headless Chromium, held against its --json.

Run by `make check`; by hand with JOULAR_TOP_BUILDDIR=the build folder."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
import browser  # noqa: E402

TOP = os.path.dirname(os.path.dirname(here))
BUILD = os.path.abspath(os.environ.get("JOULAR_TOP_BUILDDIR", "."))
GONE, NEW, HOSTILE = "com.example.Gone.away", "com.example.New.here", "a.B</script><img src=x>\u202e.m"


def setUpModule():
    """One side has a branch that the other has not, and the other way round."""
    global folder, chromium, compared, page_text
    folder = tempfile.TemporaryDirectory(prefix="joular-compare-")
    work = folder.name
    sample = os.path.join(TOP, "samples", "requests-jdk25")
    subprocess.run([os.path.join(BUILD, "joular-analyze"), "-q", "--format", "json", "-o", work + "/a", sample + ".jfr",
                    sample + ".power.log"], check=True)
    with open(work + "/a/report.json", encoding="utf-8") as file:
        report = json.load(file)
    for side, names in (("base", (GONE, HOSTILE)), ("new", (NEW, HOSTILE))):
        for run in range(3):
            text = json.loads(json.dumps(report))
            text["facts"]["recording_start_ns"] += run
            first = len(text["names"])
            text["names"] += names
            for i, name in enumerate(names):
                text["branches"].append([first + i])
                text["branch_cpu_ns"].append(1)
                text["branch_samples"].append(1)
                text["cycles"][3]["rows"] += [len(text["branches"]) - 1, 20 + run / 10]
                text["totals"]["java_joules"] += 20 + run / 10
                text["totals"]["process_joules"] += 20 + run / 10
            with open(f"{work}/{side}-{run}.json", "w", encoding="utf-8") as file:
                json.dump(text, file, separators=(",", ":"))
    command = [os.path.join(BUILD, "joular-compare"), "-q", "--top", "all", "--html", work + "/c.html", "--json", work + "/c.json"]
    command += [f"{work}/base-{i}.json" for i in range(3)] + ["--vs"] + [f"{work}/new-{i}.json" for i in range(3)]
    subprocess.run(command, check=True)
    with open(work + "/c.json", encoding="utf-8") as file:
        compared = json.load(file)
    with open(work + "/c.html", encoding="utf-8", newline="") as file:
        page_text = file.read()
    chromium = browser.Browser(browser.find())


def tearDownModule():
    chromium.close()
    folder.cleanup()


class ComparePage(unittest.TestCase):
    def setUp(self):
        self.page = chromium.page().open(folder.name + "/c.html")
        self.page.settle()

    def tearDown(self):
        asked = [e["params"]["request"]["url"] for e in self.page.seen("Network.requestWillBeSent")]
        self.assertEqual([url for url in asked if not url.startswith("data:")], [self.page.url])
        self.assertEqual([e["params"] for e in self.page.seen("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")], [])
        self.page.close()

    def data(self):
        return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page_text, re.S).group(1))

    def test_each_node_has_both_sides_and_the_interval(self):
        data = self.data()
        parent = [i - up for i, up in enumerate(data["up"])]
        name = lambda node: [] if node == 0 else name(parent[node]) + [data["names"][data["label"][node]]]
        sides = data["sides"]
        self.assertEqual(sides["per"], "J per run")
        of = {";".join(name(node)): node for node in range(len(parent))}
        rows = compared["branches"] + [dict(compared["process"], name="")]
        self.assertGreater(len(rows), 5)
        own = {row["name"]: row for row in compared["branches"]}
        for row in rows:
            if any(other != row["name"] and other.startswith(row["name"] + ";") for other in own):
                continue  # the node has what others have above it too
            node = of[row["name"]]
            if row["name"] == "":
                self.assertAlmostEqual(sides["base"][node], row["base_joules"], 4)
                continue
            self.assertAlmostEqual(sides["base"][node], row["base_joules"], 5)
            self.assertAlmostEqual(sides["fresh"][node], row["new_joules"], 5)
            self.assertAlmostEqual(sides["half"][node], row["half_width_joules"], 5)

    def test_what_is_gone_is_as_wide_as_it_was(self):
        data = self.data()
        node = data["label"].index(data["names"].index(GONE), 1)
        self.assertEqual(data["sides"]["fresh"][node], 0)
        self.assertEqual(data["sides"]["sure"][node], 1)
        self.page.press("#search")
        self.page.write(GONE)
        self.assertIn("matched 20.1", self.page.text("#found"))

    def test_sure_is_what_differs(self):
        data = self.data()
        sure = {data["names"][data["label"][node]] for node, yes in enumerate(data["sides"]["sure"]) if yes == 1 and node > 0}
        self.assertEqual(sure, {GONE, NEW})

    def test_the_tooltip_has_both_sides_and_the_interval(self):
        box = self.page.box("#stage")
        self.page.hover(box["x"] + 30, box["y"] + 10)
        self.page.settle()
        tip = self.page.text("#tip")
        for word in ("Base", "New", "Difference", "\u00b1"):
            self.assertIn(word, tip)

    def test_power_over_time_and_inverting_have_no_place_here(self):
        self.assertFalse(self.page.shown("#power"))
        self.assertFalse(self.page.shown("#invert"))
        self.page.key("i")
        self.assertIn("Whole process", self.page.text("#where"))
        self.assertIn("less", self.page.text("#kinds"))

    def test_hostile_names_stay_text(self):
        self.assertEqual(page_text.count("<img"), 0)
        self.assertNotIn("\u202e", page_text)
        self.assertEqual(self.page.run("document.images.length"), 0)

    def test_without_scripts_there_is_a_table(self):
        page = chromium.page(scripts=False).open(folder.name + "/c.html")
        text = page_text[page_text.index("<noscript>"):page_text.index("</noscript>")]
        self.assertIn(GONE, text)
        self.assertIn("less", text)
        page.close()


if __name__ == "__main__":
    if browser.find() is None:
        print("chromium is not installed")
        sys.exit(77)
    unittest.main()
