#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each fast path that `make bench BENCH=--paths` switches off is where it looks for it."""
import os
import sys
import unittest

TOP = os.environ.get("JOULAR_TOP_SRCDIR") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(TOP, "tests", "bench"))
import paths


class Paths(unittest.TestCase):
    def test_each_text_is_in_its_file_once(self):
        for path in [paths.REPEATABLE, *paths.PATHS]:
            with self.subTest(path=path.name):
                try:
                    paths.without(TOP, path)
                except SystemExit as why:
                    self.fail(why)


if __name__ == "__main__":
    unittest.main()
