#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The map of src/README.md holds.

A layer includes only its own headers and public ones of the layers below it, and a file knows its neighbours one way only:
inside a layer, no two files call each other, directly or by way of others. Which files a layer has is said by Makefile.am, the
sources of its archive or program. What a layer may use is BELOW.
"""
import collections
import os
import re
import shutil
import subprocess
import unittest

TOP = os.environ.get("JOULAR_TOP_SRCDIR") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
BUILT = os.environ.get("JOULAR_TOP_BUILDDIR")

BELOW = {
    "base": (),
    "jfr": ("base",),
    "log": ("base",),
    "meter": ("base",),
    "proc": ("base",),
    "result": ("base",),
    "observed": ("base", "log"),
    "collect": ("base", "jfr", "log", "observed"),
    "model": ("base", "log", "observed", "result"),
    "compare": ("base", "result"),
    "report": ("base", "result", "compare"),
    "tools/analyze": ("base", "jfr", "log", "observed", "collect", "result", "model", "report"),
    "tools/compare": ("base", "result", "compare", "report"),
    "tools/record": ("base", "log", "meter", "proc"),
}

# Nothing heavy runs beside the JVM: of the log, joular-record knows the writer.
ONLY = {("tools/record", "log"): {"include/joular/logwriter.h"}}


def layer_of(variable):
    return "tools/" + variable[len("joular_"):] if variable.startswith("joular_") else variable[len("lib"):-len("_a")]


def layers_of_files():
    """The layer of each file of the tree."""
    with open(os.path.join(TOP, "Makefile.am"), encoding="utf-8") as makefile:
        text = makefile.read().replace("\\\n", " ")
    layers = {}
    for variable, files in re.findall(r"^(lib\w+_a|joular_\w+)_SOURCES \+?= (.*)$", text, re.M):
        if layer_of(variable) in BELOW:
            for file in files.split():
                if file in layers:
                    raise AssertionError(file + " is in two layers")
                layers[file] = layer_of(variable)
    return layers


def includes_of(file):
    with open(os.path.join(TOP, file), encoding="utf-8") as source:
        return re.findall(r'^ *# *include +"([^"]+)"', source.read(), re.M)


def uses(objects):
    """By object file, the others that have something which it uses, with the names of that."""
    have, want = {}, collections.defaultdict(set)
    listing = subprocess.run(["nm", "-A"] + objects, stdout=subprocess.PIPE, check=True, universal_newlines=True).stdout
    for line in listing.splitlines():
        file, symbol = line.split(":", 1)
        kind, name = symbol.split()[-2:]
        if kind in "TDBRC":
            have[name] = file
        elif kind == "U":
            want[file].add(name)
    used = collections.defaultdict(lambda: collections.defaultdict(list))
    for file, names in want.items():
        for name in sorted(names):
            if have.get(name, file) != file:
                used[file][have[name]].append(name)
    return used


def circle(used):
    """A row of files each of which uses the next, and whose last uses the first; None where there is none."""
    done = set()

    def walk(file, row):
        if file in row:
            return row[row.index(file):]
        if file in done:
            return None
        done.add(file)
        for other in sorted(used.get(file, ())):
            found = walk(other, row + [file])
            if found:
                return found
        return None

    for file in sorted(used):
        found = walk(file, [])
        if found:
            return found
    return None


class Layers(unittest.TestCase):
    def setUp(self):
        self.layers = layers_of_files()

    def test_every_source_is_of_a_layer_and_lies_in_its_folder(self):
        for folder, _, files in sorted(os.walk(os.path.join(TOP, "src"))):
            folder = os.path.relpath(folder, TOP)
            for name in files:
                if re.search(r"(?<!\.pb-c)(?<!flame_page)\.[ch]$", name):
                    self.assertEqual(folder, "src/" + self.layers.get(folder + "/" + name, "(no layer)"), name)
        for name in os.listdir(os.path.join(TOP, "include/joular")):
            if name.endswith(".h"):
                self.assertIn("include/joular/" + name, self.layers)
        self.assertEqual(set(self.layers.values()), set(BELOW))

    def test_the_map_has_no_circle(self):
        self.assertIsNone(circle({layer: dict.fromkeys(below) for layer, below in BELOW.items()}))

    def test_names_of_files_are_unique(self):
        names = collections.Counter(os.path.basename(file) for file in self.layers if not file.startswith("src/tools/"))
        self.assertEqual([name for name, count in names.items() if count > 1], [])

    def test_a_layer_includes_its_own_headers_and_those_below(self):
        for file, layer in sorted(self.layers.items()):
            for include in includes_of(file):
                public = include.startswith("joular/")
                if not public and "/" not in include:
                    include = os.path.dirname(file) + "/" + include
                elif public:
                    include = "include/" + include
                else:
                    continue  # made by make
                with self.subTest(file=file, include=include):
                    self.assertIn(include, self.layers)
                    other = self.layers[include]
                    if other != layer:
                        self.assertTrue(public and other in BELOW[layer], include + " is above or beside " + layer)
                        self.assertIn(include, ONLY.get((layer, other), {include}))

    @unittest.skipUnless(BUILT and shutil.which("nm"), "needs a build folder and nm")
    def test_no_two_files_of_a_layer_use_each_other(self):
        for layer in BELOW:
            objects = [os.path.join(BUILT, file[:-2] + ".o") for file, of in self.layers.items()
                       if of == layer and file.endswith(".c")]
            objects = [file for file in objects if os.path.exists(file)]  # pprof.c is optional
            with self.subTest(layer=layer):
                self.assertTrue(objects, "no object files in " + BUILT)
                used = uses(objects)
                row = circle(used)
                if row:
                    steps = zip(row, row[1:] + row[:1])
                    self.fail("\n".join("%s uses %s of %s" % (os.path.basename(a), ", ".join(used[a][b]), os.path.basename(b))
                                        for a, b in steps))


if __name__ == "__main__":
    unittest.main()
