#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes the sources in one place at a time, and says which changes no unit test notices.

    make mutate                                     all of src/model, src/compare and src/meter
    make mutate MUTATE='src/model/share.c'          one file: any source of a layer
    make mutate MUTATE='--count 300 --seed 7'       so many, drawn evenly from all
    make mutate MUTATE='--again'                    what survived the last time

Tests are linked once a source, with a shared library in its place; a mutant is another such library. Only the unit
tests of TESTS are run, until the first case fails. Mutants whose object code is the same as that of the source are
equivalent, and so are those of tests/mutants.txt, which says why. They are run all the same: the list is to stay true.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
KNOWN = os.path.join(TOP, "tests", "mutants.txt")
DEFAULT = ("src/model", "src/compare", "src/meter")

MODEL = ("share", "records", "rows", "samples", "load", "pauses", "time", "options", "jvm", "weights", "certainty",
         "totals", "names", "emission", "csv", "invariants")
MODEL = ["test-model-" + name for name in MODEL]
JFR = ["test-jfr-" + name for name in
       ("pools", "chunks", "events", "samples", "strings", "times", "damage", "hostile", "linear")]
COMPARE = ["test-compare-judge", "test-compare-names", "test-compare-stats", "test-compare-runs"]
RESULT = ["test-result-view", "test-result-merge", "test-result-json"]
TESTS = {
    "base": ["test-base-bytes", "test-base-file", "test-base-outfile", "test-base-text", "test-date", "test-properties",
             "test-stats", "test-compare-stats"],
    "jfr": JFR + ["test-collect"],
    "log": ["test-power", "test-power-fields", "test-power-csv", "test-power-meters", "test-logwrite", "test-logdisk"],
    "meter": ["test-rapl", "test-raplzones", "test-ringbuffer", "test-vm"],
    "proc": ["test-proc"],
    "observed": MODEL,
    "collect": ["test-method-names", "test-collect", "test-model-samples", "test-model-weights", "test-model-totals"],
    "result": RESULT + ["test-model-certainty", "test-model-rows"] + COMPARE,
    "model": MODEL,
    "compare": COMPARE,
    "report": ["test-report-forms", "test-profiles", "test-flame", "test-hints", "test-model-csv"] + COMPARE,
}

# Where a file has fewer.
TESTS_OF_FILE = {
    "src/meter/estimate.c": ["test-vm"],
    "src/meter/rapl.c": ["test-rapl", "test-raplzones"],
    "src/meter/raplzones.c": ["test-raplzones", "test-rapl"],
    "src/meter/ringbuffer.c": ["test-ringbuffer"],
    "src/meter/vm.c": ["test-vm"],
}


def tests_of(path):
    return TESTS_OF_FILE.get(path) or TESTS[layer_of(path)]


# Cases that wait for others, or race: on a busy machine they may fail of themselves, so what they say is not asked for.
TIMED = {
    "moving_counters_give_their_joules_within_a_thousandth", "a_cycle_ends_when_the_count_moves",
    "a_cycle_ends_after_two_seconds_without", "waiting_ends_when_it_is_told_to",
    "a_hammering_writer_gives_no_torn_entry",
}

# ---- Mutants of a source ----

TOKEN = re.compile(
    r"""(?P<space>\s+|/\*.*?\*/|//[^\n]*)
      | (?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
      | (?P<number>(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[uUlLfF]*)
      | (?P<word>[A-Za-z_]\w*)
      | (?P<sign>->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\.\.\.|.)""",
    re.VERBOSE | re.DOTALL)

TYPES = set("""const static unsigned signed struct union enum char bool int long short double float void volatile VEC
    DIR FILE _Static_assert""".split())
SWAPS = {
    "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["*"],
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="],
    "&&": ["||"], "||": ["&&"],
    "+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="], "|=": ["&="], "&=": ["|="], "++": ["--"], "--": ["++"],
}
RELATIONS = ("<", "<=", ">", ">=", "==", "!=", "&&", "||")
# Of two operands, as clang-format writes them: a sign or a pointer has no space behind it.
SPACED = ("+", "-", "*", "&", "/")
ENDS = (")", ",", ";", ":", "?", "+", "-", "*", "/", "<", ">", "<=", ">=")
FREES = re.compile(r"free|^close|^unmap$|^munmap$|^debug_say$|^prefetch")

Token = collections.namedtuple("Token", "kind text start end")


class Mutant(collections.namedtuple("Mutant", "file function line start end new what source")):
    """WHAT names the change, with its number among those of its line that would be called the same."""

    @property
    def key(self):
        return (self.file, self.function, self.source, self.what)


def tokens_of(text):
    """Those that count, without the lines of the preprocessor; the values of its constants apart."""
    tokens, defines, at, line_begins = [], [], 0, True
    while at < len(text):
        if line_begins and text[at] == "#":
            end = at
            while True:
                end = text.find("\n", end)
                if end < 0 or text[end - 1] != "\\":
                    break
                end += 1
            end = len(text) if end < 0 else end
            match = re.match(r"#define (\w+)\s+", text[at:end])
            if match:
                defines.append((match.group(1), at + match.end(), end))
            at = end
            continue
        match = TOKEN.match(text, at)
        if match.lastgroup != "space":
            tokens.append(Token(match.lastgroup, match.group(), match.start(), match.end()))
            line_begins = False
        elif "\n" in match.group():
            line_begins = True
        at = match.end()
    return tokens, defines


class Source:
    def __init__(self, path, text):
        self.path, self.text, self.found = path, text, []
        self.tokens, self.defines = tokens_of(text)
        self.pairs = self.match_brackets()

    def match_brackets(self):
        pairs, stack = {}, []
        for i, token in enumerate(self.tokens):
            if token.kind == "sign" and token.text in "([{":
                stack.append(i)
            elif token.kind == "sign" and token.text in ")]}" and stack:
                pairs[stack.pop()] = i
        return pairs

    def add(self, function, start, end, new, what):
        line = self.text.count("\n", 0, start) + 1
        begin = self.text.rfind("\n", 0, start) + 1
        stop = self.text.find("\n", start)
        self.found.append((function, line, start, end, new, what, " ".join(self.text[begin:stop].split())))

    def spaced(self, i):
        token = self.tokens[i]
        return self.text[token.start - 1].isspace() and token.end < len(self.text) and self.text[token.end].isspace()

    def constants(self, function, token):
        number = token.text
        value = number.rstrip("uUlLfF") if not number.lower().startswith("0x") else number
        if number.lower().startswith("0x"):
            changes = ["(%s + 1)" % number]
        elif "." in value or "e" in value.lower():
            changes = ["(%s * 1.5)" % number]
        elif value == "0":
            changes = ["1"]
        elif value == "1":
            changes = ["0", "2"]
        else:
            changes = ["(%s - 1)" % number, "(%s + 1)" % number]
        for new in changes:
            self.add(function, token.start, token.end, new, "%s -> %s" % (number, new.strip("()")))

    def mutants(self):
        for name, start, end in self.defines:
            for match in TOKEN.finditer(self.text, start, end):
                if match.lastgroup == "number":
                    self.constants(name, Token("number", match.group(), match.start(), match.end()))
        i = 0
        while i < len(self.tokens):
            if self.tokens[i].text == "{" and i > 0:
                end = self.pairs[i]
                if self.tokens[i - 1].text == ")" and self.text[self.tokens[i].start - 1] == "\n":
                    self.body(self.name_before(i), i + 1, end)
                i = end
            i += 1
        self.found.sort(key=lambda m: (m[2], m[3], m[4]))
        seen, result = collections.Counter(), []
        for function, line, start, end, new, what, source in self.found:
            seen[function, source, line, what] += 1
            number = seen[function, source, line, what]
            result.append(Mutant(self.path, function, line, start, end, new,
                                 what if number == 1 else "%s (%d)" % (what, number), source))
        return result

    def name_before(self, brace):
        open_of = {b: a for a, b in self.pairs.items()}
        return self.tokens[open_of[brace - 1] - 1].text

    def body(self, function, begin, end):
        quiet = self.quiet_tokens(begin, end)
        for i in range(begin, end):
            token, before, behind = self.tokens[i], self.tokens[i - 1], self.tokens[i + 1]
            if i in quiet:
                continue
            if token.kind == "number" and not (before.text == "{" and behind.text == "}"):
                self.constants(function, token)
            elif token.text in ("true", "false"):
                new = "false" if token.text == "true" else "true"
                self.add(function, token.start, token.end, new, "%s -> %s" % (token.text, new))
            elif token.text in SWAPS and token.kind == "sign" and (token.text not in SPACED or self.spaced(i)):
                for new in SWAPS[token.text]:
                    self.add(function, token.start, token.end, new, "%s -> %s" % (token.text, new))
            elif token.text == "!":
                self.add(function, token.start, token.end, "", "! left out")
            if token.text in ("if", "while") and behind.text == "(":
                self.condition(function, i + 1)
            elif token.text == "?":
                self.ternary(function, i)
            elif token.text in ("fmin", "fmax") and behind.text == "(":
                self.extreme(function, i)
            elif token.text in ("fabs", "sqrt") and behind.text == "(":
                self.add(function, token.start, token.end, "", token.text + " left out")
            elif token.text == "-" and before.text == "1" and self.spaced(i):
                self.rest(function, i)
        self.statements(function, begin, end)

    def quiet_tokens(self, begin, end):
        """Sizes of arrays that are declared, what debugging says, and what takes no energy to be wrong: sizeof."""
        quiet, start = set(), begin
        for i in range(begin, end):
            token = self.tokens[i]
            if token.text == "debug_say" or token.text == "__builtin_prefetch" or token.text == "_Static_assert":
                quiet.update(range(i, self.pairs[i + 1] + 1))
            if token.text in ";{}":
                start = i + 1
            elif token.text == "[" and self.is_declaration(start) and self.declares(start, i):
                quiet.update(range(i, self.pairs[i] + 1))
        return quiet

    def declares(self, start, at):
        """Whether the declaration that begins at START has not come to a value at AT, since its last comma."""
        depth, value = 0, False
        for token in self.tokens[start:at]:
            depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
            if depth == 0 and token.text in ("=", ","):
                value = token.text == "="
        return depth == 0 and not value

    def is_declaration(self, at):
        token = self.tokens[at]
        if token.kind != "word":
            return False
        return token.text in TYPES or token.text.endswith("_t") and self.tokens[at + 1].text != "("

    def has_relation(self, begin, end):
        return any(t.text in RELATIONS or t.text == "!" for t in self.tokens[begin:end])

    def condition(self, function, at):
        end = self.pairs[at]
        if not self.has_relation(at, end):
            words = self.text[self.tokens[at].end:self.tokens[end].start]
            self.add(function, self.tokens[at].end, self.tokens[end].start, "!(%s)" % words, "condition negated")

    def ternary(self, function, at):
        begin, depth = at - 1, 0
        while begin > 0:
            text = self.tokens[begin].text
            if text in ")]":
                depth += 1
            elif text in "([" and depth > 0:
                depth -= 1
            elif depth == 0 and (text in ("(", "[", "{", ",", ";", "=", "return", ":", "?") or text[-1] == "=" and
                                 text not in RELATIONS):
                break
            begin -= 1
        if not self.has_relation(begin + 1, at):
            start, end = self.tokens[begin + 1].start, self.tokens[at - 1].end
            self.add(function, start, end, "!(%s)" % self.text[start:end], "choice negated")

    def extreme(self, function, at):
        end, comma, depth = self.pairs[at + 1], None, 0
        for i in range(at + 2, end):
            text = self.tokens[i].text
            depth += (text in "([{") - (text in ")]}")
            if text == "," and depth == 0:
                comma = i
        start, stop = self.tokens[at].start, self.tokens[end].end
        first = self.text[self.tokens[at + 1].end:self.tokens[comma].start]
        second = self.text[self.tokens[comma].end:self.tokens[end].start]
        name = self.tokens[at].text
        self.add(function, start, stop, "(%s)" % first, name + " -> its first")
        self.add(function, start, stop, "(%s)" % second, name + " -> its second")

    def rest(self, function, at):
        """1 - p becomes 1."""
        end, depth = at + 1, 0
        while depth > 0 or self.tokens[end].text not in ENDS:
            depth += (self.tokens[end].text in "([") - (self.tokens[end].text in ")]")
            end += 1
        words = " ".join(self.text[self.tokens[at - 1].start:self.tokens[end - 1].end].split())
        self.add(function, self.tokens[at - 1].start, self.tokens[end - 1].end, "1", "%s -> 1" % words)

    def statements(self, function, begin, end):
        """Expressions, break and continue, left out."""
        i = begin
        while i < end:
            token = self.tokens[i]
            if token.text in ("if", "while", "for", "switch"):
                i = self.pairs[i + 1] + 1
            elif token.text in ("{", "}", ";", "else", "do"):
                i += 1
            elif token.text in ("case", "default"):
                while self.tokens[i].text != ":":
                    i += 1
                i += 1
            else:
                stop, depth = i, 0
                while depth > 0 or self.tokens[stop].text != ";":
                    depth += (self.tokens[stop].text in ("(", "[", "{")) - (self.tokens[stop].text in (")", "]", "}"))
                    stop += 1
                name = token.text if token.text not in ("(", "*") else self.tokens[i + 1].text
                if token.text not in ("return", "goto") and not self.is_declaration(i) and not FREES.search(name) and \
                        not (token.text == "(" and name == "void") and self.tokens[i + 1].kind != "word":
                    self.add(function, token.start, self.tokens[stop].start, "", "statement left out")
                i = stop + 1


def mutants_of(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        text = file.read()
    return text, Source(path, text).mutants()


# ---- Building and running them ----

class Builder:
    def __init__(self, folder, flags):
        self.folder = folder
        self.source = os.path.relpath(TOP, folder)
        self.local = threading.local()
        self.commands, self.objects = {}, {}
        os.makedirs(folder, exist_ok=True)
        if not os.path.exists(os.path.join(folder, "Makefile")):
            self.must([os.path.join(self.source, "configure"), "-q", "--disable-hardening", "CFLAGS=" + flags])
        self.archives = sorted(set(re.findall(r"^noinst_LIBRARIES = (.*)$", self.read("Makefile"), re.M)[0].split()))

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read().replace("\\\n", " ")

    def must(self, command):
        done = subprocess.run(command, cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            sys.exit("mutate: %s\n%s" % (shlex.join(command), done.stdout))
        return done.stdout

    def build(self, jobs, tests):
        self.must(["make", "-s", "-j%d" % jobs] + self.archives + ["counter-mover"] + tests)
        plan = self.must(["make", "-n", "V=1", "-W", "libbase.a"] + tests)
        for line in plan.splitlines():
            match = re.search(r" -o (test-[\w-]+) ", line)
            if match and match.group(1) in tests:
                self.commands[match.group(1)] = shlex.split(line)

    def prepare(self, path):
        """How PATH is compiled, and what comes of it as it is."""
        made = os.path.splitext(path)[0] + ".o"
        plan = self.must(["make", "-n", "V=1", "-W", os.path.join(self.source, path), made]).replace("\\\n", " ")
        line = next(line for line in plan.splitlines() if " -c " in line)
        compiler = re.search(r"^CC = (.*)$", self.read("Makefile"), re.M).group(1)
        words = shlex.split(line[line.index("; " + compiler) + 2:].split(" && ")[0])
        keep, skip = [], False
        for word in words:
            if skip or word in ("-MD", "-MP") or word.endswith(path):
                skip = False
            elif word in ("-MT", "-MF", "-o", "-c"):
                skip = True
            else:
                keep.append(word)
        keep = [word for word in keep if not word.startswith("-Werror")]
        self.compiler = compiler.split()
        beside = os.path.join(self.source, os.path.dirname(path))
        self.objects[path] = keep + ["-w", "-fPIC", "-iquote", beside, "-c", "-o"]
        with open(os.path.join(TOP, path), encoding="utf-8") as file:
            made = self.compile(path, file.read())
        self.link_tests(path)
        return made

    def link_tests(self, path):
        """Tests of PATH's layer without its object, in a folder of its own."""
        folder = self.linked(path)
        os.makedirs(os.path.join(self.folder, folder), exist_ok=True)
        archive = "lib%s.a" % layer_of(path)
        shutil.copy(os.path.join(self.folder, archive), os.path.join(self.folder, folder, archive))
        self.must(["ar", "d", os.path.join(folder, archive), os.path.basename(path)[:-2] + ".o"])
        self.link_library(folder)
        for test in tests_of(path):
            command = list(self.commands[test])
            if self.wraps(test):
                continue
            command = [os.path.join(folder, archive) if word == archive else word for word in command]
            command[command.index("-o") + 1] = os.path.join(folder, test)
            first = next(i for i, word in enumerate(command) if word.endswith(".a"))
            command[first:first] = ["-Wl,--no-as-needed", os.path.join(folder, "libmutant.so"), "-rdynamic"]
            self.must(command)

    def link_library(self, folder):
        self.must(self.compiler + ["-shared", "-Wl,-soname,libmutant.so", "-o", os.path.join(folder, "libmutant.so"),
                                   os.path.join(self.own(), "mutant.o")])

    def wraps(self, test):
        """Calls that a test catches are caught by the linker: these are linked anew each time."""
        return any("--wrap" in word for word in self.commands[test])

    @staticmethod
    def linked(path):
        return os.path.join("linked", path.replace("/", "-")[:-2])

    def own(self):
        """A folder of the thread's own."""
        if not hasattr(self.local, "folder"):
            self.local.folder = os.path.join("mutants", str(threading.get_ident()))
            os.makedirs(os.path.join(self.folder, self.local.folder), exist_ok=True)
        return self.local.folder

    def compile(self, path, text):
        """The object's hash, or None."""
        source, made = os.path.join(self.own(), "mutant.c"), os.path.join(self.own(), "mutant.o")
        with open(os.path.join(self.folder, source), "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run(self.objects[path] + [made, source], cwd=self.folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
        if done.returncode != 0:
            return None
        self.link_library(self.own())
        with open(os.path.join(self.folder, made), "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()

    def link(self, test):
        """The test with the mutant in front of its archives, whose object is then not taken."""
        program, command = os.path.join(self.own(), test), list(self.commands[test])
        command[command.index("-o") + 1] = program
        first = next(i for i, word in enumerate(command) if word.endswith(".a"))
        command.insert(first, os.path.join(self.own(), "mutant.o"))
        self.must(command)
        return program

    def run(self, test, limit_s, path):
        """None where all cases pass, else what says that one does not. PATH: the source with a mutant, or None."""
        if path is None:
            program = test
        elif self.wraps(test):
            program = self.link(test)
        else:
            program = os.path.join(self.linked(path), test)
        room = os.path.join(self.folder, self.own(), "tmp")
        os.makedirs(room, exist_ok=True)
        environment = dict(os.environ, JOULAR_TOP_SRCDIR=TOP, JOULAR_TOP_BUILDDIR=self.folder, TMPDIR=room,
                           JOULAR_SLOW="1", LD_LIBRARY_PATH=os.path.join(self.folder, self.own()))
        limited = 'ulimit -c 0; ulimit -v 4000000; ulimit -t %d; exec "$0"' % (2 * limit_s)
        child = subprocess.Popen(["sh", "-c", limited, os.path.join(self.folder, program)], cwd=self.folder,
                                 env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
        late = threading.Event()

        def stop():
            late.set()
            self.kill(child)
        timer = threading.Timer(limit_s, stop)
        timer.start()
        found, timed = None, 0
        try:
            for line in child.stdout:
                match = re.match(r"\[  FAILED  \] ([a-z]\w+)", line)
                if match and match.group(1) not in TIMED:
                    found = match.group(1)
                    break
                timed += match is not None
        finally:
            timer.cancel()
            self.kill(child)
            child.stdout.close()
            child.wait()
            shutil.rmtree(room, ignore_errors=True)
        if found is None and late.is_set():
            return "no end after %d s" % limit_s
        if found is None and child.returncode not in (0, 77, -signal.SIGKILL) and timed == 0:
            return "exit code %d" % child.returncode
        return found

    @staticmethod
    def kill(child):
        """The test and what it has started; it may be gone already."""
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


# ---- What is known ----

class Known:
    """Of tests/mutants.txt: a mutation of the lines that a pattern fits, in which * is any text."""

    def __init__(self, where, what):
        self.where, self.what, self.count, self.found = where, what, 0, 0
        self.pattern = re.compile(".*".join(re.escape(part) for part in where.split("*")), re.DOTALL)

    def fits(self, mutant):
        where = "%s %s: %s" % (mutant.file, mutant.function, mutant.source)
        return self.what in ("*", mutant.what) and self.pattern.fullmatch(where) is not None


def read_known():
    known, where, reason = [], None, True
    if not os.path.exists(KNOWN):
        return known
    with open(KNOWN, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("#") or not line.strip():
                continue
            if line.startswith("        "):
                reason = True
            elif line.startswith("    ") and where is not None:
                known += [Known(where, what) for what in line.strip().split(" | ")]
                reason = False
            elif re.match(r"\S+ \S+: ", line) and reason:
                where = line.rstrip("\n")
            else:
                sys.exit("%s:%d: not \"FILE FUNCTION: LINE\", or one without a reason before it" % (KNOWN, number))
    return known


def chosen_files(names):
    files = []
    for name in names or DEFAULT:
        name = os.path.relpath(os.path.join(TOP, name), TOP)
        if os.path.isdir(os.path.join(TOP, name)):
            files += sorted(os.path.join(name, f) for f in os.listdir(os.path.join(TOP, name)) if f.endswith(".c"))
        else:
            files.append(name)
    for name in files:
        if not os.path.exists(os.path.join(TOP, name)) or layer_of(name) not in TESTS:
            sys.exit("mutate: %s: no source of a layer" % name)
    return files


def layer_of(path):
    return path.split("/")[1]


class Run:
    def __init__(self, builder, options):
        self.builder, self.options = builder, options
        self.texts, self.hashes, self.limits = {}, {}, {}
        self.finders = collections.defaultdict(collections.Counter)  # by file: tests by how much they found
        self.known = read_known()

    def baseline(self, tests):
        """How long each test takes; all must pass."""
        for test in tests:
            begin = time.monotonic()
            fault = self.builder.run(test, 600, None)
            if fault:
                sys.exit("mutate: %s fails without a mutant: %s" % (test, fault))
            self.limits[test] = int(10 + 5 * (time.monotonic() - begin))

    def judge(self, mutant):
        text = self.texts[mutant.file]
        if mutant.new == "" and mutant.what.startswith("statement"):
            new = ""  # what stays is the semicolon
        else:
            new = mutant.new
        made = self.builder.compile(mutant.file, text[:mutant.start] + new + text[mutant.end:])
        if made is None:
            return "does not compile", ""
        if made == self.hashes[mutant.file]:
            return "same code", ""
        order = tests_of(mutant.file)
        counts = self.finders[mutant.file]
        for test in sorted(order, key=lambda t: (-counts[t], order.index(t))):
            found = self.builder.run(test, self.limits[test], mutant.file)
            if found:
                counts[test] += 1
                return "found", "%s: %s" % (test, found)
        return "survived", ""

    def one(self, mutant):
        verdict, by = self.judge(mutant)
        listed = [known for known in self.known if known.fits(mutant)]
        for known in listed:
            known.count += 1
            known.found += verdict == "found"
        if verdict == "survived" and listed:
            verdict = "equivalent"
        return mutant, verdict, by


def select(mutants, options, last):
    if options.again:
        wanted = {tuple(key) for key in last}
        return [m for m in mutants if m.key in wanted]
    if options.count and options.count < len(mutants):
        share = random.Random(options.seed)
        step = len(mutants) / options.count
        return [mutants[int(step * (i + share.random()))] for i in range(options.count)]
    return mutants


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*", help="sources or folders of them; else " + ", ".join(DEFAULT))
    parser.add_argument("--count", type=int, help="so many mutants, drawn evenly from all; else all")
    parser.add_argument("--all", action="store_true", help="all of them, which is what is done anyway")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="say the mutants, and run none")
    parser.add_argument("--again", action="store_true", help="what survived the last time")
    parser.add_argument("--verbose", action="store_true", help="say those that are found, too")
    parser.add_argument("--folder", default="mutate", help="what is built is in it")
    parser.add_argument("--cflags", default="-O0 -g0", help="compiling takes longest, so not to optimize is fastest")
    options = parser.parse_args()
    os.nice(5)
    files = chosen_files(options.files)
    mutants, texts = [], {}
    for path in files:
        texts[path], found = mutants_of(path)
        mutants += found
    folder = os.path.realpath(options.folder)
    state = os.path.join(folder, "survivors.json")
    last = []
    if os.path.exists(state):
        with open(state, encoding="utf-8") as file:
            last = json.load(file)
    every = mutants
    mutants = select(mutants, options, last)
    if options.list:
        for m in mutants:
            print("%s:%d: %s: %s: %s" % (m.file, m.line, m.function, m.what, m.source))
        print("%d of %d mutants" % (len(mutants), len(every)))
        return 0
    builder = Builder(folder, options.cflags)
    run = Run(builder, options)
    run.texts = texts
    tests = list(dict.fromkeys(test for path in files for test in tests_of(path)))
    builder.build(options.jobs, tests)
    run.baseline(tests)
    for path in files:
        run.hashes[path] = builder.prepare(path)
    summary, survivors, begin = collections.defaultdict(collections.Counter), [], time.monotonic()
    words = ("found", "same code", "equivalent", "survived", "does not compile")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for mutant, verdict, by in pool.map(run.one, mutants):
            summary[mutant.file][verdict] += 1
            if verdict == "survived":
                survivors.append(mutant.key)
            if options.verbose or verdict == "survived":
                shown = verdict.upper() if verdict == "survived" else verdict
                print("%s:%d: %s: %s%s\n    %s" % (mutant.file, mutant.line, mutant.what, shown, by and " by " + by,
                                                  mutant.source), flush=True)
    faults = 0
    for known in run.known:
        fits = sum(known.fits(mutant) for mutant in every)
        if fits == 0:
            fault = "" if known.where.split()[0] not in files else "is no longer there"
        else:
            fault = "is found" if known.found == fits else ""
        if fault:
            print("tests/mutants.txt: %s: %s: %s" % (known.where, known.what, fault))
            faults += 1
    print("\n%-28s %8s %s" % ("", "mutants", " ".join("%17s" % word for word in words)))
    total = collections.Counter()
    for path in files:
        total.update(summary[path])
        print("%-28s %8d %s" % (path, sum(summary[path].values()),
                                " ".join("%17d" % summary[path][word] for word in words)))
    print("%-28s %8d %s" % ("all", sum(total.values()), " ".join("%17d" % total[word] for word in words)))
    print("%.0f s, seed %d" % (time.monotonic() - begin, options.seed))
    with open(state, "w", encoding="utf-8") as file:
        json.dump(survivors, file)
    for name in ("mutants", "linked"):
        shutil.rmtree(os.path.join(folder, name), ignore_errors=True)
    return 1 if survivors or faults else 0


if __name__ == "__main__":
    sys.exit(main())
