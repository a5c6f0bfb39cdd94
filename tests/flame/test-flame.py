#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""flame.html in headless Chromium, by mouse, finger and keyboard. What the page says is held against the CSV file that
joular-analyze writes for the same recording.

Run by `make check`; by hand with JOULAR_TOP_BUILDDIR=the build folder.
"""
import collections
import colorsys
import csv
import json
import os
import re
import shutil
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
# recordings of their own, since figures of the samples change when those are made again
SAMPLE, REQUESTS = ([os.path.join(TOP, "tests", "data", name + end) for end in (".jfr", ".power.log")]
                    for name in ("shop-jdk25-page", "requests-jdk25-page"))
ROW, TOUCH_ROW = 20, 28
RLO = "\u202e"
UNITS = {"J": 1, "mJ": 1e-3, "\u00b5J": 1e-6}


def html(*args, **environment):
    return subprocess.run([os.path.join(BUILD, "flame-page"), *args], stdout=subprocess.PIPE, check=True,
                          env={**os.environ, **environment}).stdout.decode()


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S).group(1))


def written(name):
    with open(paths[name], newline="") as page:
        return page.read()


def joules(text):
    """The first energy in TEXT."""
    number, unit = re.search(r"([\d.]+) (J|mJ|\u00b5J)", text).groups()
    return float(number) * UNITS[unit]


class Sample:
    """What the CSV file says."""

    def __init__(self, folder, files):
        self.summary = subprocess.run([os.path.join(BUILD, "joular-analyze"), "-o", folder, *files], stdout=subprocess.PIPE,
                                      check=True).stdout.decode()
        with open(os.path.join(folder, "methods-power-all.csv"), newline="") as f:
            self.rows = [(int(r["timestamp"]), tuple(r["branch"].split(";")), float(r["energy_joules"])) for r in csv.DictReader(f)]

    def sum(self, chosen=lambda branch: True, first=0, last=1 << 62):
        return sum(j for t, branch, j in self.rows if first <= t <= last and chosen(branch))

    def total(self, word):
        return float(re.search(r"^  %s +([\d.]+) J" % word, self.summary, re.M).group(1))


def setUpModule():
    global chromium, folder, sample, paths
    folder = tempfile.TemporaryDirectory(prefix="joular-flame-")
    sample = Sample(os.path.join(folder.name, "csv"), SAMPLE)
    paths = {}
    for name, args in {"sample": SAMPLE, "requests": REQUESTS, "hostile": ["--made", "hostile"], "wide": ["--made", "wide", "100000"],
                       "empty": ["--made", "empty"]}.items():
        paths[name] = os.path.join(folder.name, name + ".html")
        with open(paths[name], "w", newline="") as out:
            out.write(html(*args))
    chromium = browser.Browser(browser.find())


def tearDownModule():
    chromium.close()
    folder.cleanup()


class Case(unittest.TestCase):
    def open(self, name="sample", **how):
        self.name = name
        self.page = chromium.page(**how).open(paths[name])
        self.addCleanup(self.leave, self.page)
        self.row = TOUCH_ROW if how.get("touch") else ROW
        if how.get("scripts", True):
            self.page.settle()
        return self.page

    def leave(self, page):
        """No page may complain or ask for anything but itself."""
        asked = [e["params"]["request"]["url"] for e in page.seen("Network.requestWillBeSent")]
        self.assertEqual([url for url in asked if not url.startswith("data:")], [page.url])
        said = [e["params"] for e in page.seen("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")]
        self.assertEqual(said, [])
        page.close()

    def frame_at(self, row, part=0.5):
        """Where in ROW of the graph a point is."""
        stage = self.page.box("#stage")
        return stage["x"] + stage["w"] * part, stage["y"] + row * self.row + self.row / 2

    def tip(self, row, part):
        """Name and facts of the frame there, or None."""
        self.page.hover(*self.frame_at(row, part))
        name, terms, values = self.page.run(
            "['.package, #tip .name', 'dt', 'dd'].map((s) => document.querySelector('#tip').hidden ? null : "
            "[...document.querySelectorAll('#tip ' + s)].map((e) => e.textContent))")
        return None if name is None else ("".join(name), dict(zip(terms, values)))

    def find(self, name, rows=18, steps=66):
        """A place of the frame called so: row and part of the width."""
        found = self.page.run("""(() => {
            const stage = document.querySelector("#stage"), box = stage.getBoundingClientRect();
            const text = (s) => { const e = document.querySelector("#tip " + s); return e ? e.textContent : ""; };
            for (let row = 0; row < %d; row++)
                for (let part = 0.5 / %d; part < 1; part += 1 / %d) {
                    stage.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, pointerType: "mouse",
                        clientX: box.x + box.width * part, clientY: box.y + (row + 0.5) * %d }));
                    if (!document.querySelector("#tip").hidden && text(".package") + text(".name") === %s)
                        return [row, part];
                }
            return null; })()""" % (rows, steps, steps, self.row, json.dumps(name)))
        self.assertIsNotNone(found, "no frame is called " + name)
        return found

    def legend(self):
        items = self.page.run("[...document.querySelectorAll('#legend li')].map((e) => [e.children[1].textContent, e.children[2].textContent])")
        return {name: joules(text) for name, text in items}

    def close_to(self, value, expected, figures=3):
        """Equal, as far as such a number is printed."""
        self.assertAlmostEqual(value, expected, delta=abs(expected) * 10 ** -figures + 1e-9)


class Numbers(Case):
    def test_the_whole_width_is_the_energy_of_the_process(self):
        self.open()
        self.close_to(joules(self.page.text("#where")), sample.total("process"), 4)
        self.assertIn("18.2 W", self.page.text("#where"))
        name, facts = self.tip(0, 0.5)
        self.assertEqual((name, facts["Of the process"]), ("process", "100.0 %"))
        self.close_to(joules(facts["Energy"]), sample.total("process"), 4)

    def test_data_and_csv_file_have_the_same_energy(self):
        data = data_of(written("sample"))
        by_label = collections.Counter()
        node, cell = 0, 0
        for number, cells in zip(data["own"], data["cells"]):
            node += number
            by_label[data["kinds"][data["label"][node]]] += sum(data["units"][cell:cell + cells]) * data["unit"]
            cell += cells
        self.assertAlmostEqual(by_label["g"], sample.sum(lambda b: b == ("[GC]",)), delta=1e-5)
        self.assertAlmostEqual(by_label["j"], sample.sum(lambda b: b == ("[JIT]",)), delta=1e-5)
        rows = sum(j for kind, j in by_label.items() if kind not in "uo")
        self.assertAlmostEqual(rows, sample.sum(), delta=1e-6 * sample.sum())
        self.close_to(sum(by_label.values()), sample.total("process"), 4)
        self.close_to(by_label["u"], sample.total("unattributed"))
        self.close_to(by_label["o"], sample.total("outside"), 2)
        self.assertEqual(sum(data["samples"]), int(re.search(r"samples +(\d+) used", sample.summary).group(1)))

    def test_frames_stand_beside_each_other_by_their_energy_and_nobodys_come_last(self):
        data = data_of(written("sample"))
        total, parents = [0.0] * len(data["up"]), [i - up for i, up in enumerate(data["up"])]
        node, cell = 0, 0
        for number, cells in zip(data["own"], data["cells"]):
            node += number
            total[node] = sum(data["units"][cell:cell + cells])
            cell += cells
        for i in range(len(total) - 1, 0, -1):
            total[parents[i]] += total[i]
        before, groups = {}, {"g": 1, "j": 1, "f": 1, "v": 1, "u": 2, "o": 3}
        for i in range(1, len(total)):
            place = (groups.get(data["kinds"][data["label"][i]], 0), -total[i] if parents[i] or data["kinds"][data["label"][i]] not in "uo" else 0)
            self.assertLessEqual(before.get(parents[i], (0, -1e300)), (place[0], place[1] + 1))
            before[parents[i]] = place

    def test_the_legend_has_the_totals(self):
        self.open()
        legend = self.legend()
        for name, word in (("Machine", "machine"), ("Process", "process"), ("Java", "Java methods"), ("GC", "GC"), ("JIT", "JIT")):
            self.close_to(legend[name], sample.total(word))
        self.close_to(legend["Java"] + legend["GC"] + legend["JIT"] + legend["Rest"], legend["Process"])

    def test_a_tooltip_has_joules_watts_share_interval_and_samples(self):
        self.open()
        row, part = self.find("com.example.shop.Signatures.digest")
        _, facts = self.tip(row, part)
        energy = sample.sum(lambda b: "com.example.shop.Signatures.digest" in b)  # it is called from one place
        self.close_to(joules(facts["Energy"]), energy)
        self.close_to(float(facts["Mean power"].split()[0]), energy / 30.4, 2)
        self.assertEqual(facts["Of the process"], "%.1f %%" % (100 * energy / sample.total("process")))
        own, width = re.search(r"([\d.]+) J \u00b1 +([\d.]+) .*Signatures\.digest$", sample.summary, re.M).groups()
        self.close_to(energy, float(own))
        self.assertAlmostEqual(joules(facts["Energy"].split("\u00b1")[1]), float(width), delta=0.06)
        self.assertGreater(int(facts["Samples"]), 100)

    def test_native_rows_and_what_is_nobodys_have_no_interval(self):
        self.open()
        row, part = self.find("[GC]", 2)
        _, facts = self.tip(row, part)
        self.close_to(joules(facts["Energy"]), sample.total("GC"))
        self.assertNotIn("\u00b1", facts["Energy"])
        self.assertIn("counted", self.page.text("#tip .note"))
        row, part = self.find("unattributed", 2)
        _, facts = self.tip(row, part)
        self.close_to(joules(facts["Energy"]), sample.total("unattributed"))
        self.assertNotIn("Samples", facts)

    def test_a_thread_of_few_samples_gives_a_question_mark(self):
        page = written("sample")
        data = data_of(page)
        marked = re.sub(r'"threads":\[\[.*?\]\]', '"threads":' + json.dumps([[f, w, 1] for f, w, _ in data["threads"]]), page)
        paths["marked"] = os.path.join(folder.name, "marked.html")
        with open(paths["marked"], "w") as out:
            out.write(marked)
        self.open("marked")
        _, facts = self.tip(1, 0.3)
        self.assertIn("\u00b1 ?", facts["Energy"])
        self.assertIn("too few samples", self.page.text("#tip .note"))


# Asked of the page's script from within, since what it shows is rounded: for each label of its data half of the interval of its own
# frames, as the inverted view has them, and of all that is below its outermost frames; null where the page shows a question mark.
INTERVALS = """
window.intervals = () => {
    const known = (half) => (Number.isNaN(half) ? null : half);
    const found = data.names.map((name, label) => ({ name, kind: data.kinds[label], own: 0, total: [] }));
    inverted = true;
    for (const frame of rootFrame().kids())
        found[frame.label].own = known(halfWidth(frame.own()));
    inverted = false;
    for (let node = 1; node < nodeCount; node++) {
        let above = parent[node];
        while (above > 0 && labels[above] !== labels[node])
            above = parent[above];
        if (above === 0)
            found[labels[node]].total.push(...new CalleeFrame(node, null).own());
    }
    for (const label of found)
        label.total = known(halfWidth(label.total));
    return found;
};
})();
</script>"""


class Intervals(Case):
    """Section 7 of joular-attribution(7) is computed twice: in C for the methods, and by the page for whatever frames it merges."""

    def analyze(self, *args):
        results = tempfile.mkdtemp(dir=folder.name)
        subprocess.run([os.path.join(BUILD, "joular-analyze"), "-q", "--format", "csv,html", "-o", results, *args], check=True)
        return results

    def hold(self, results, seen):
        """The page in RESULTS against methods.csv beside it. SEEN counts what intervals there are."""
        with open(os.path.join(results, "flame.html"), newline="") as page:
            head, tail = page.read().rsplit("})();\n</script>", 1)
        paths[results] = os.path.join(results, "intervals.html")
        with open(paths[results], "w", newline="") as page:
            page.write(head + INTERVALS + tail)
        self.open(results)
        labels = {label["name"]: label for label in self.page.run("intervals()") if label["kind"] not in "uox"}
        with open(os.path.join(results, "methods.csv"), newline="") as file:
            methods = list(csv.DictReader(file))
        self.assertEqual(sorted(labels), sorted(method["method"] for method in methods))
        for method in methods:
            for which in ("own", "total"):
                text, half = method[which + "_half_width_joules"], labels[method["method"]][which]
                where = (results, method["method"], which, text, half)
                if text == "":
                    self.assertIsNone(half, where)
                    seen[which, "unknown"] += 1
                else:  # nine decimals in the file; the page has nine digits of each thread's factor and weight
                    self.assertIsNotNone(half, where)
                    self.assertLessEqual(abs(half - float(text)), 1e-9 + 1e-8 * half, where)
                    seen[which, "some" if half > 0 else "none"] += 1

    def test_the_page_has_those_of_methods_csv_for_runs_alone_and_merged(self):
        names = ["samples/shop-jdk17", "samples/shop-jdk25", "samples/shop-jdk25-virtual", "samples/requests-jdk25",
                 "tests/data/shop-jdk21", "tests/data/jdk25-killed"]
        runs = os.path.join(folder.name, "runs")
        os.mkdir(runs)
        for name in names:
            for end in (".jfr", ".power.log"):
                shutil.copy(os.path.join(TOP, name + end), runs)
        results = self.analyze("--batch", runs)
        seen = collections.Counter()
        for name in [os.path.basename(name) for name in names] + ["merged"]:
            self.hold(os.path.join(results, name), seen)
        for which in ("own", "total"):
            for what in ("unknown", "some", "none"):
                self.assertGreater(seen[which, what], 10, (which, what))

    def test_the_page_has_those_of_methods_csv_in_a_view(self):
        seen = collections.Counter()
        self.hold(self.analyze("--group", "class", "--include", "^com\\.example\\.", *SAMPLE), seen)
        self.assertGreater(seen["own", "some"], 10)
        self.assertGreater(seen["total", "some"], 10)


class Zoom(Case):
    def test_a_click_zooms_and_escape_goes_back(self):
        self.open()
        row, part = self.find("com.example.shop.Signatures.digest")
        energy = joules(self.tip(row, part)[1]["Energy"])
        self.page.click(*self.frame_at(row, part))
        self.assertIn("Signatures.digest", self.page.text("#where"))
        self.assertEqual(joules(self.page.text("#where")), energy)
        places = [r for r in range(8) if (self.tip(r, 0.005) or [""])[0] == "com.example.shop.Signatures.digest"]
        self.assertEqual(len(places), 1)
        self.assertEqual(self.tip(places[0], 0.995)[0], "com.example.shop.Signatures.digest")
        self.assertEqual(self.tip(0, 0.5)[0], "process")
        self.assertTrue((self.tip(places[0] + 1, 0.1)[0]).startswith("java.security.MessageDigest."))
        self.page.key("Escape")
        self.assertIn("Whole process", self.page.text("#where"))
        self.assertEqual(self.tip(row, part)[0], "com.example.shop.Signatures.digest")

    def test_a_click_on_a_caller_zooms_out_to_it(self):
        self.open()
        row, part = self.find("com.example.shop.Signatures.digest")
        self.page.click(*self.frame_at(row, part))
        self.assertEqual(self.tip(3, 0.5)[0], "com.example.shop.Signatures.sign")
        self.page.click(*self.frame_at(3))
        self.assertIn("Signatures.sign:", self.page.text("#where"))
        self.page.click(*self.frame_at(0))
        self.assertIn("Whole process", self.page.text("#where"))

    def test_the_reset_button_undoes_all(self):
        self.open()
        self.assertTrue(self.page.run("document.querySelector('#reset').disabled"))
        self.page.click(*self.frame_at(6, 0.2))
        self.page.press("#search")
        self.page.write("hash")
        plot = self.page.box("#plot")
        self.page.drag(plot["x"] + 300, plot["y"] + 40, plot["x"] + 600)
        self.page.press("#reset")
        self.assertIn("Whole process: 552.0 J", self.page.text("#where"))
        self.assertEqual(self.page.run("document.querySelector('#search').value"), "")
        self.assertEqual(self.page.text("#found"), "")
        self.assertTrue(self.page.run("document.querySelector('#reset').disabled"))


class Search(Case):
    def test_matched_stacks_count_once(self):
        self.open()
        self.page.press("#search")
        self.page.write("digest")
        energy = sample.sum(lambda b: any("digest" in f.lower() for f in b))
        nested = sample.sum(lambda b: sum("digest" in f.lower() for f in b) > 1)
        self.assertGreater(nested, 10)
        self.close_to(joules(self.page.text("#found")), energy, 4)
        self.assertIn("%.1f %%" % (100 * energy / sample.total("process")), self.page.text("#found"))

    def test_case_does_not_matter_and_nothing_matches_nothing(self):
        self.open()
        self.page.press("#search")
        self.page.write("HASHMAP")
        self.close_to(joules(self.page.text("#found")), sample.sum(lambda b: any("hashmap" in f.lower() for f in b)))
        self.page.key("Escape")
        self.assertEqual(self.page.text("#found"), "")
        self.page.write("(no such.*")
        self.assertEqual(self.page.text("#found"), "matched 0 J, 0.0 %")

    def test_little_energy_has_its_digits_too(self):
        self.open("requests")
        self.page.press("#search")
        self.page.write("NioSocketImpl.tryWrite")
        energy = Sample(os.path.join(folder.name, "requests"), REQUESTS).sum(lambda b: "sun.nio.ch.NioSocketImpl.tryWrite" in b)
        self.assertLess(energy, 0.1)
        self.assertIn("mJ", self.page.text("#found"))
        self.close_to(joules(self.page.text("#found")), energy, 2)

    def test_matches_are_drawn_in_another_colour(self):
        self.open()
        row, part = self.find("com.example.shop.Signatures.digest")
        before = self.colour(row, part)
        self.page.press("#search")
        self.page.write("Signatures.digest")
        self.assertNotEqual(self.colour(row, part), before)
        self.assertNotEqual(hue(self.colour(row, part)), hue(before))

    def colour(self, row, part):
        return colour_at(self.page, row, part)


def colour_at(page, row, part):
    """Of the drawn graph, near the lower edge of a frame, where no letters are."""
    line = pixels(page, row * ROW + 17)
    at = 4 * round(len(line) / 4 * part)
    return line[at:at + 4]


def pixels(page, y, canvas=0):
    """Red, green, blue, alpha of a line of a canvas, from a copy; Y below 0 is from its end."""
    return page.run("(() => { const c = [...document.querySelectorAll('#tiles canvas')].at(%d), y = %d, copy = new OffscreenCanvas(c.width, 1);"
                    "const pen = copy.getContext('2d', { willReadFrequently: true }); pen.drawImage(c, 0, y < 0 ? -c.height - y : -y);"
                    "return [...pen.getImageData(0, 0, c.width, 1).data]; })()" % (canvas, y))


def hue(colour):
    return round(360 * colorsys.rgb_to_hls(*(c / 255 for c in colour[:3]))[0])


class Inverted(Case):
    def test_own_energy_is_at_the_top_and_callers_are_below(self):
        self.open()
        self.page.press("#invert")
        self.assertEqual(self.page.run("document.querySelector('#invert').getAttribute('aria-pressed')"), "true")
        own = collections.Counter()
        for _, branch, j in sample.rows:
            own[branch[-1]] += j
        top, energy = own.most_common(1)[0]
        name, facts = self.tip(1, 0.01)
        self.assertEqual(name, top)
        self.close_to(joules(facts["Energy"]), energy)
        width = re.search(r"\u00b1 +([\d.]+) .*%s$" % re.escape(top), sample.summary, re.M).group(1)
        self.assertAlmostEqual(joules(facts["Energy"].split("\u00b1")[1]), float(width), delta=0.006)
        callers = collections.Counter()
        for _, branch, j in sample.rows:
            if branch[-1] == top and len(branch) > 1:
                callers[branch[-2]] += j
        name, facts = self.tip(2, 0.01)
        self.assertEqual(name, callers.most_common(1)[0][0])
        self.close_to(joules(facts["Energy"]), callers.most_common(1)[0][1])

    def test_what_is_nobodys_stays_at_the_end(self):
        self.open()
        self.page.press("#invert")
        self.assertEqual(self.tip(1, 0.97)[0], "unattributed")
        self.assertEqual(self.tip(1, 0.9985)[0], "outside the recording")

    def test_search_counts_the_same_in_both_views(self):
        self.open()
        self.page.press("#search")
        self.page.write("digest")
        found = self.page.text("#found")
        self.page.press("#invert")
        self.assertEqual(self.page.text("#found"), found)


class TimeSpan(Case):
    def span(self):
        """Time stamps of the first and last cycle that are chosen; a bucket of this sample is one cycle."""
        data = data_of(written("sample"))
        first, behind = (int(self.page.run(f"document.querySelector('#{i}').getAttribute('aria-valuenow')")) for i in ("from", "to"))
        stamps = sorted({t for t, _, _ in sample.rows})
        zero = stamps[0] - data["end"][0] * 1000
        return first, behind, zero + data["end"][first] * 1000 - 5, zero + data["end"][behind - 1] * 1000 + 5

    def check(self):
        first, behind, begin, end = self.span()
        legend = self.legend()
        native = ("[GC]", "[JIT]", "[JFR]", "[VM]")
        self.close_to(legend["Java"], sample.sum(lambda b: b[0] not in native, begin, end))
        self.close_to(legend["GC"], sample.sum(lambda b: b == ("[GC]",), begin, end))
        self.close_to(legend["JIT"], sample.sum(lambda b: b == ("[JIT]",), begin, end))
        self.close_to(legend["Java"] + legend["GC"] + legend["JIT"] + legend["Rest"], legend["Process"])
        return first, behind, begin, end

    def test_a_drag_restricts_the_graph_to_it(self):
        self.open()
        plot = self.page.box("#plot")
        self.page.drag(plot["x"] + plot["w"] * 0.3, plot["y"] + 50, plot["x"] + plot["w"] * 0.55)
        first, behind, begin, end = self.check()
        self.assertEqual((first, behind), (9, 17))
        self.assertIn("9 s to 17 s", self.page.text("#span"))
        self.close_to(joules(self.page.text("#where")), self.legend()["Process"], 4)
        row, part = self.find("com.example.shop.Signatures.digest")
        name, facts = self.tip(row, part)
        energy = sample.sum(lambda b: "com.example.shop.Signatures.digest" in b, begin, end)
        self.close_to(joules(facts["Energy"]), energy)
        self.close_to(float(facts["Mean power"].split()[0]), energy / 8, 2)
        self.close_to(float(facts["Of the process"].split()[0]), 100 * energy / self.legend()["Process"], 2)
        self.assertNotIn("\u00b1", facts["Energy"])
        self.assertNotIn("Samples", facts)
        self.assertIn("whole recording only", self.page.text("#tip .note"))

    def test_search_and_inverted_view_follow_the_span(self):
        self.open()
        plot = self.page.box("#plot")
        self.page.drag(plot["x"] + plot["w"] * 0.55, plot["y"] + 50, plot["x"] + plot["w"] * 0.3)
        _, _, begin, end = self.check()
        self.page.press("#search")
        self.page.write("digest")
        self.close_to(joules(self.page.text("#found")), sample.sum(lambda b: any("digest" in f.lower() for f in b), begin, end))
        self.page.press("#invert")
        name, facts = self.tip(1, 0.01)
        self.close_to(joules(facts["Energy"]), sample.sum(lambda b: b[-1] == name, begin, end))

    def test_the_zoom_stays_while_the_span_changes(self):
        self.open()
        row, part = self.find("com.example.shop.Signatures.digest")
        self.page.click(*self.frame_at(row, part))
        plot = self.page.box("#plot")
        self.page.drag(plot["x"] + plot["w"] * 0.3, plot["y"] + 50, plot["x"] + plot["w"] * 0.55)
        _, _, begin, end = self.check()
        self.assertIn("Signatures.digest", self.page.text("#where"))
        self.close_to(joules(self.page.text("#where")), sample.sum(lambda b: "com.example.shop.Signatures.digest" in b, begin, end))

    def test_a_click_or_the_button_takes_the_span_away(self):
        self.open()
        plot = self.page.box("#plot")
        for undo in (lambda: self.page.press("#whole"), lambda: self.page.click(plot["x"] + 200, plot["y"] + 50)):
            self.page.drag(plot["x"] + plot["w"] * 0.3, plot["y"] + 50, plot["x"] + plot["w"] * 0.55)
            self.assertNotIn("552.0 J", self.page.text("#where"))
            self.assertTrue(self.page.shown("#whole"))
            undo()
            self.assertIn("552.0 J", self.page.text("#where"))
            self.assertFalse(self.page.shown("#whole"))

    def test_an_end_of_the_span_can_be_dragged(self):
        self.open()
        plot = self.page.box("#plot")
        self.page.drag(plot["x"] + plot["w"] * 0.3, plot["y"] + 50, plot["x"] + plot["w"] * 0.55)
        grip = self.page.box("#to")
        self.page.drag(grip["x"] + grip["w"] / 2, plot["y"] + 50, plot["x"] + plot["w"] * 0.8)
        first, behind, _, _ = self.check()
        self.assertEqual((first, behind), (9, 25))

    def test_the_keyboard_chooses_a_span(self):
        self.open()
        self.page.run("document.querySelector('#from').focus()")
        for key in ("ArrowRight", "ArrowRight", "PageUp", "ArrowLeft"):
            self.page.key(key)
        self.page.key("Tab")
        self.assertEqual(self.page.run("document.activeElement.id"), "to")
        self.page.key("PageDown")
        first, behind, _, _ = self.check()
        self.assertEqual((first, behind), (11, 21))
        self.assertEqual(self.page.run("document.querySelector('#from').getAttribute('aria-valuetext')"), "11 s")
        self.page.key("Escape")
        self.assertIn("552.0 J", self.page.text("#where"))

    def test_a_finger_chooses_a_span(self):
        self.open(width=390, height=844, touch=True)
        plot = self.page.box("#plot")
        y = plot["y"] + 50
        self.page.touch("touchStart", plot["x"] + plot["w"] * 0.3, y)
        for step in range(1, 9):
            self.page.touch("touchMove", plot["x"] + plot["w"] * (0.3 + 0.25 * step / 8), y)
            self.page.settle()
        self.page.touch("touchEnd")
        self.page.settle()
        first, behind, _, _ = self.check()
        self.assertEqual((first, behind), (9, 17))

    def test_the_power_at_a_time_is_shown(self):
        self.open()
        plot = self.page.box("#plot")
        self.page.hover(plot["x"] + plot["w"] * 0.5, plot["y"] + 50)
        text = self.page.text("#tip")
        for word in ("Machine", "Process", "Java", "GC", "JIT", " W"):
            self.assertIn(word, text)


class Keyboard(Case):
    def spoken(self):
        return self.page.text("#spoken")

    def test_tab_reaches_the_graph_and_arrows_move_in_it(self):
        self.open()
        self.page.press("#search")
        self.page.key("Tab")
        self.page.key("Tab")
        self.assertEqual(self.page.run("document.activeElement.id"), "stage")
        self.assertTrue(self.spoken().startswith("process:"))
        path = []
        for _ in range(9):
            self.page.key("ArrowDown")
            path.append(self.spoken().split(": ")[0])
        expected = sample.sum(lambda b: list(b[:9]) == path)
        self.assertGreater(expected, 50)
        self.close_to(joules(self.spoken()), expected)
        self.page.key("ArrowRight")
        beside = self.spoken().split(": ")[0]
        self.close_to(joules(self.spoken()), sample.sum(lambda b: list(b[:9]) == path[:8] + [beside]))
        self.assertNotEqual(beside, path[8])
        self.page.key("ArrowLeft")
        self.assertEqual(self.spoken().split(": ")[0], path[8])
        self.page.key("ArrowUp")
        self.assertEqual(self.spoken().split(": ")[0], path[7])
        self.assertTrue(self.page.shown("#tip"))
        self.page.key("Enter")
        self.assertIn(path[7].split(".")[-1], self.page.text("#where"))
        self.page.key("Escape")
        self.assertIn("Whole process", self.page.text("#where"))

    def test_slash_searches_and_i_inverts(self):
        self.open()
        self.page.key("/")
        self.assertEqual(self.page.run("document.activeElement.id"), "search")
        self.page.write("digest")
        self.page.key("i")  # is text here
        self.assertEqual(self.page.run("document.querySelector('#search').value"), "digesti")
        self.page.key("Escape")
        self.assertEqual(self.page.text("#found"), "")
        self.page.run("document.activeElement.blur()")
        self.page.key("i")
        self.assertEqual(self.page.run("document.querySelector('#invert').getAttribute('aria-pressed')"), "true")
        self.page.key("i")
        self.assertEqual(self.page.run("document.querySelector('#invert').getAttribute('aria-pressed')"), "false")

    def test_what_takes_the_focus_has_a_name(self):
        self.open()
        nameless = self.page.run("[...document.querySelectorAll('button, input, [tabindex]')].filter((e) => e.getClientRects().length && "
                                 "!(e.getAttribute('aria-label') || e.textContent.trim())).map((e) => e.id)")
        self.assertEqual(nameless, [])


class Hostile(Case):
    def test_names_come_back_as_they_were(self):
        names = data_of(written("hostile"))["names"]
        for name in ("com.example.Evil.<script>window.owned=1</script>", "com.example.Evil.</script><script>window.owned=2</script>",
                     "com.example.Evil.<!--<script>", "com.example.Evil.\"quoted\"'single'`back`", "com.example.Evil.back\\slash\\u003cscript\\u003e",
                     "com.example.Evil.line\u2028paragraph\u2029separator", "com.example.Evil.\u202etxet-desrever\u202c",
                     "com.example.Evil.control\x01\x1b[31m\t\n\r\x7f", "com.example.Evil.nul\0byte", "@DATA@", "", "__proto__"):
            self.assertIn(name, names)
        self.assertEqual(max(map(len, names)), 65536)

    def test_names_are_text(self):
        self.open("hostile")
        own = self.page.run("document.querySelectorAll('script').length")
        names = set()
        for view in range(2):
            for row in range(4):
                for step in range(45):
                    at = self.tip(row, (step + 0.5) / 45)
                    if at:
                        names.add(at[0])
                    self.assertEqual(self.page.run("document.querySelectorAll('#tip img, #tip script, #tip b').length"), 0)
            self.page.click(*self.frame_at(1, 0.1))
            self.page.key("i")
        self.assertIn("com.example.Evil.<script>window.owned=1</script>", names)
        self.assertIn("com.example.Evil.<img src=x onerror=window.owned=3>", names)
        self.assertIn("com.example.Evil.\\u202etxet-desrever\\u202c", names)
        self.assertIn("com.example.Evil.control\\u0001\\u001b[31m\\u0009\\u000a\\u000d\\u007f", names)
        self.assertIn("(no name)", names)
        self.assertLess(max(map(len, names)), 1000)
        self.assertIsNone(self.page.run("window.owned"))
        self.assertEqual(self.page.run("document.querySelectorAll('script').length"), own)
        self.assertNotIn(RLO, self.page.run("document.body.innerText"))
        self.assertIn("</script><script>window.owned=5</script>", self.page.text(".facts"))

    def test_the_policy_stops_what_would_get_in_all_the_same(self):
        self.open("hostile")
        policy = self.page.run("document.querySelector('meta[http-equiv]').content")
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)
        blocked = self.page.run(
            "new Promise((done) => { const seen = []; document.addEventListener('securitypolicyviolation', (e) => seen.push(e.effectiveDirective));"
            "const image = document.createElement('img'); image.setAttribute('onerror', 'window.owned=7'); image.src = 'data:,'; document.body.append(image);"
            "const script = document.createElement('script'); script.textContent = 'window.owned=8'; document.body.append(script);"
            "fetch('http://127.0.0.1:9/').catch(() => setTimeout(() => { image.remove(); script.remove(); done(seen); }, 200)); })")
        self.assertIsNone(self.page.run("window.owned"))
        self.assertIn("script-src-elem", blocked)
        self.assertIn("connect-src", blocked)
        self.page.browser.events.clear()
        self.page.browser.events.append({"sessionId": self.page.session, "method": "Network.requestWillBeSent",
                                         "params": {"request": {"url": self.page.url}}})

    def test_the_page_names_no_other_place(self):
        for name in ("sample", "hostile"):
            text = written(name)
            self.assertEqual(set(re.findall(r"https?://[^\s'\"`)]+", text)), {"http://www.w3.org/2000/svg"})
            self.assertNotRegex(text, r"innerHTML|insertAdjacentHTML|document\.write|outerHTML|\beval\(|new Function")


def rgb(hsl, lighter=0, turn=0):
    h, s, light = (float(part.rstrip("%")) for part in hsl.split())
    return colorsys.hls_to_rgb((h + turn) / 360 % 1, min(100, light + lighter) / 100, s / 100)


def contrast(a, b):
    def luminance(c):
        return sum(w * (x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4) for w, x in zip((0.2126, 0.7152, 0.0722), c))
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def hexadecimal(text):
    return tuple(int(text[i:i + 2], 16) / 255 for i in (1, 3, 5))


class Looks(Case):
    def background(self):
        return self.page.run("getComputedStyle(document.body).backgroundColor")

    def test_dark_and_light_follow_the_system_and_the_button(self):
        self.open(dark=False)
        light = self.background()
        frame = colour_at(self.page, 1, 0.3)
        self.page.press("#theme")
        dark = self.background()
        self.assertNotEqual(light, dark)
        self.assertNotEqual(colour_at(self.page, 1, 0.3), frame)
        self.open(dark=True)
        self.assertEqual(self.background(), dark)
        self.page.send("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "light"}]})
        self.page.settle()
        self.assertEqual(self.background(), light)
        self.assertEqual(colour_at(self.page, 1, 0.3), frame)

    def test_text_can_be_read_in_both(self):
        for dark in (False, True):
            self.open(dark=dark)
            style = self.page.run("(() => { const s = getComputedStyle(document.documentElement), v = {}; for (const n of ['page', 'ink', 'muted',"
                                  "'raised', 'on-frame', 'root', 'app', 'lib', 'remark', 'gc', 'jit', 'vm', 'nobody', 'hit']) v[n] = s.getPropertyValue('--' + n).trim(); return v; })()")
            self.assertGreater(contrast(hexadecimal(style["ink"]), hexadecimal(style["page"])), 7)
            self.assertGreater(contrast(hexadecimal(style["muted"]), hexadecimal(style["page"])), 4.5)
            self.assertGreater(contrast(hexadecimal(style["muted"]), hexadecimal(style["raised"])), 4.5)
            for name in ("root", "app", "lib", "remark", "gc", "jit", "vm", "nobody", "hit"):
                for shift in (-6, 0, 6) if name in ("app", "lib") else (0,):
                    self.assertGreater(contrast(hexadecimal(style["on-frame"]), rgb(style[name], shift * 0.7, shift * 0.9)), 4.5, (name, shift, dark))

    def test_application_library_gc_and_jit_are_told_apart(self):
        self.open()
        hues = {}
        for name, rows in (("java.lang.Thread.run", 2), ("[GC]", 2), ("[JIT]", 2), ("com.example.shop.Shop.handle", 9)):
            hues[name] = hue(colour_at(self.page, *self.find(name, rows)))
        self.assertTrue(15 <= hues["com.example.shop.Shop.handle"] <= 40, hues)
        self.assertTrue(195 <= hues["java.lang.Thread.run"] <= 225, hues)
        self.assertTrue(270 <= hues["[GC]"] <= 295, hues)
        self.assertTrue(155 <= hues["[JIT]"] <= 185, hues)
        red, green, blue, _ = colour_at(self.page, *self.find("unattributed", 2))
        self.assertLess(max(red, green, blue) - min(red, green, blue), 12)

    def test_nothing_scrolls_sideways(self):
        for name in ("sample", "hostile", "empty", "wide"):
            for size in ({"width": 390, "height": 844, "touch": True}, {"width": 1366, "height": 768}, {"width": 320, "height": 640, "touch": True}):
                self.open(name, **size)
                self.assertEqual(self.page.run("document.documentElement.scrollWidth"), size["width"], (name, size))
        self.open("hostile", width=390, height=844, touch=True, scripts=False)
        self.assertEqual(self.page.run("document.documentElement.scrollWidth"), 390)

    def test_a_tap_shows_and_a_second_one_zooms(self):
        self.open(width=390, height=844, touch=True)
        self.page.run("scrollTo(0, 300)")
        self.page.settle()
        place = self.frame_at(6, 0.3)
        self.page.tap(*place)
        self.assertIn("Whole process", self.page.text("#where"))
        self.assertIn("Tap again", self.page.text("#tip"))
        tip = self.page.box("#tip")
        self.assertGreaterEqual(tip["x"], 0)
        self.assertLessEqual(tip["x"] + tip["w"], 390)
        name = self.page.text("#tip .name")
        self.page.tap(*place)
        self.assertIn(name, self.page.text("#where"))

    def test_a_tooltip_stays_on_the_screen(self):
        self.open("hostile")
        for part in (0.003, 0.5, 0.997):
            self.assertIsNotNone(self.tip(1, part))
            tip = self.page.box("#tip")
            self.assertGreaterEqual(tip["x"], 0)
            self.assertLessEqual(tip["x"] + tip["w"], 1366)
            self.assertLessEqual(tip["y"] + tip["h"], 768)

    def test_a_smaller_window_gets_a_smaller_graph(self):
        self.open()
        self.page.send("Emulation.setDeviceMetricsOverride", {"width": 800, "height": 600, "deviceScaleFactor": 1, "mobile": False})
        self.page.settle()
        self.page.settle()
        self.assertEqual(self.page.run("document.documentElement.scrollWidth"), 800)
        self.assertEqual(self.page.run("document.querySelector('#tiles canvas').width"), round(self.page.box("#stage")["w"]))
        self.assertEqual(self.tip(1, 0.97)[0], "unattributed")


class Words(Case):
    def test_estimated_power_is_called_so_in_the_headings(self):
        self.open()
        headings = self.page.run("[...document.querySelectorAll('h1, main h2')].map((e) => e.textContent)")
        self.assertEqual(len(headings), 3)
        for heading in headings:
            self.assertIn("(estimated)", heading)
        self.open("empty")
        self.assertNotIn("estimated", self.page.run("document.body.innerText"))

    def test_readers_without_scripts_have_totals_and_top_methods(self):
        self.open(scripts=False)
        text = self.page.run("document.body.innerText")
        self.assertRegex(text, r"process\s+552\.0 J\s+100\.0 %")
        self.assertRegex(text, r"unattributed\s+31\.62 J\s+5\.7 %")
        self.assertRegex(text, r"sun\.security\.provider\.ByteArrayAccess\.i2bBig\s+70\.22 J\s+\u00b1 9\.04 J\s+12\.7 %")
        self.assertRegex(text, r"\[GC\]\s+54\.60 J\s+counted")
        self.assertNotIn("Search", text)
        self.assertFalse(self.page.shown("#app"))

    def test_readers_with_scripts_have_the_graph_instead(self):
        self.open()
        self.assertTrue(self.page.shown("#app"))
        self.assertNotIn("Top methods by own energy", self.page.run("document.body.innerText"))

    def test_an_empty_result_says_so(self):
        self.open("empty")
        self.assertIn("Nothing to show", self.page.text("#where"))
        self.assertFalse(self.page.shown("#chart"))
        self.page.key("i")
        self.page.key("/")
        self.page.write("a")
        self.assertEqual(self.page.text("#found"), "matched 0 J, 0.0 %")

    def test_the_same_input_gives_the_same_bytes(self):
        self.assertEqual(html(*SAMPLE), html(*SAMPLE, TZ="Asia/Tokyo", LC_ALL="de_DE.UTF-8", LANG="de_DE.UTF-8"))


class Large(Case):
    def test_a_hundred_thousand_frames_are_drawn(self):
        self.assertGreaterEqual(len(data_of(written("wide"))["up"]), 100000)
        self.open("wide")
        self.assertNotEqual(colour_at(self.page, 1, 0.3), colour_at(self.page, 0, 0.3))
        self.assertGreater(len(set(pixels(self.page, 390))), 20)
        self.page.click(*self.frame_at(15, 0.004))
        self.page.key("i")
        self.page.press("#search")
        self.page.write("method1")
        plot = self.page.box("#plot")
        self.page.drag(plot["x"] + 100, plot["y"] + 40, plot["x"] + 500)
        took = self.page.run("performance.getEntriesByType('measure').map((m) => [m.name, Math.round(m.duration)])")
        print("100,000 frames, ms:", took, file=sys.stderr)
        self.assertEqual({name for name, _ in took}, {"flame-first", "flame-zoom", "flame-brush"})
        for name, ms in took:
            self.assertLess(ms, 5000, name)

    def test_deep_stacks_are_drawn_where_one_looks(self):
        self.open("wide", height=400)
        self.assertEqual(self.page.run("[...document.querySelectorAll('#tiles canvas')].length"), 1)
        self.page.run("scrollTo(0, 1e6)")
        self.page.settle()
        self.assertTrue(self.page.run("[...document.querySelectorAll('#tiles canvas')].every((c) => c.height <= 700)"))
        self.assertGreater(len(set(pixels(self.page, -30, -1))), 20)


if __name__ == "__main__":
    if browser.find() is None:
        print("chromium is not installed")
        sys.exit(77)
    unittest.main()
