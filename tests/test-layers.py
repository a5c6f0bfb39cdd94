#!/usr/bin/env python3
"""Headers are included along the map of src/README.md: no layer includes one above it or beside it.

Which files a layer has is said by Makefile.am: the sources of its archive or program. What a layer may use is BELOW.
"""
import os
import re
import unittest

TOP = os.environ.get("JOULAR_TOP_SRCDIR") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")

BELOW = {
    "base": (),
    "jfr": ("base",),
    "power": ("base",),
    "source": ("base",),
    "proc": ("base",),
    "result": ("base",),
    "energy": ("base", "jfr", "power", "result"),
    "report": ("base", "result"),
    "analyze": ("base", "jfr", "power", "result", "energy", "report"),
    "compare": ("base", "result", "report"),
    "record": ("base", "proc", "source"),
}


def layers_of_files():
    """By file of the tree, the layers that have it; joular/power.h is of two."""
    with open(os.path.join(TOP, "Makefile.am"), encoding="utf-8") as makefile:
        text = makefile.read().replace("\\\n", " ")
    layers = {}
    for layer, files in re.findall(r"^(?:lib|joular_)(\w+?)(?:_a)?_SOURCES \+?= (.*)$", text, re.M):
        for file in files.split() if layer in BELOW else ():
            layers.setdefault(file, set()).add(layer)
    return layers


def includes_of(file):
    with open(os.path.join(TOP, file), encoding="utf-8") as source:
        return re.findall(r'^ *# *include +"([^"]+)"', source.read(), re.M)


class Layers(unittest.TestCase):
    def setUp(self):
        self.layers = layers_of_files()

    def test_every_source_is_of_a_layer(self):
        for folder in ["include/joular"] + ["src/" + name for name in sorted(os.listdir(os.path.join(TOP, "src")))]:
            if not os.path.isdir(os.path.join(TOP, folder)):
                continue
            for name in sorted(os.listdir(os.path.join(TOP, folder))):
                if re.search(r"(?<!\.pb-c)\.[ch]$", name):
                    self.assertTrue(folder + "/" + name in self.layers, folder + "/" + name + " is of no layer")
        self.assertEqual(set().union(*self.layers.values()), set(BELOW))

    def test_a_layer_includes_its_own_headers_and_those_below(self):
        for file, layers in sorted(self.layers.items()):
            for include in includes_of(file):
                public = include.startswith("joular/")
                if not public and "/" not in include:
                    include = os.path.dirname(file) + "/" + include
                elif public:
                    include = "include/" + include
                else:
                    continue  # made by make
                for layer in layers:
                    with self.subTest(file=file, include=include):
                        self.assertTrue(include in self.layers, include + " is of no layer")
                        may = {layer, *BELOW[layer]} if public else {layer}
                        self.assertTrue(self.layers[include] & may, "%s is above or beside %s" % (include, layer))


if __name__ == "__main__":
    unittest.main()
