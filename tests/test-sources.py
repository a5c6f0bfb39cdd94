#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The form of the sources that no other tool looks at: every source file names its license, and comments of the programs use the
terms of GLOSSARY.md, not the ones that these replace."""
import os
import re
import unittest

TOP = os.environ.get("JOULAR_TOP_SRCDIR") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
LICENSE = "SPDX-License-Identifier: GPL-3.0-or-later"
ENDINGS = (".c", ".h", ".js", ".css", ".html.in", ".proto", ".py", ".sh", ".java", ".awk")
NAMES = ("Makefile.am", "configure.ac")


def sources():
    """The files of the tree that are sources, without what is built or generated."""
    for folder in ("src", "include", "tests", "samples", "packaging"):
        for where, folders, files in os.walk(os.path.join(TOP, folder)):
            folders[:] = [name for name in folders if name not in ("corpus", "__pycache__")]
            for name in files:
                if name.endswith(ENDINGS) and not re.search(r"\.pb-c\.[ch]$", name) and name != "flame_page.h":
                    yield os.path.join(where, name)
    for name in NAMES:
        yield os.path.join(TOP, name)


def replaced_terms():
    """Terms of more than one word in the last column of the tables of GLOSSARY.md."""
    with open(os.path.join(TOP, "GLOSSARY.md"), encoding="utf-8") as glossary:
        for line in glossary:
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if len(cells) == 3 and not cells[0].startswith("-"):
                for term in cells[2].split(","):
                    if " " in term.strip() and term.strip() != "in place of":
                        yield term.strip()


class Sources(unittest.TestCase):
    def test_every_source_names_its_license(self):
        without = []
        for path in sources():
            with open(path, encoding="utf-8") as source:
                if LICENSE not in source.read():  # at its end where recordings have the file's line numbers
                    without.append(os.path.relpath(path, TOP))
        self.assertEqual(without, [])

    def test_comments_use_the_terms_of_the_glossary(self):
        terms = list(replaced_terms())
        self.assertIn("put together", terms)
        pattern = re.compile(r"\b(" + "|".join(re.escape(term) for term in terms) + r")\b", re.I)
        found = []
        for path in sources():
            if not re.search(r"/(src|include)/.*\.[ch]$", path):
                continue
            with open(path, encoding="utf-8") as source:
                for comment in re.findall(r"/\*.*?\*/", source.read(), re.S):
                    comment = re.sub(r"\s*\n *\* ", " ", comment)
                    words = pattern.search(re.sub(r'"[^"]*"', "", comment))  # what is quoted is output
                    if words:
                        found.append("%s: %s" % (os.path.relpath(path, TOP), words.group()))
        self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main()
