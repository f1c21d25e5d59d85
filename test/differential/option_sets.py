# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists sets of options. Each is on a line as one types it; {f} {g} {h} are functions, {file} and
{line} a place in the source. {x} is any form of a selection of symbols."""

import random

# Each option alone.
ALONE = """
(none)
-z
-a
-D
-b
-p
-P
-q
-Q
-B
-A
-J
-C
-Z
-i
-s
-c
-r
-R../../map
-S../../symbols
-T
-x
-y -A
-m3 -A
-t2 -A
-t0 -A
-w1
-w33
-w120
-L
--inline-file-names
--no-demangle
--demangle
--demangle=none
--demangle=auto
--demangle=gnu-v3
--demangle=java
--demangle=gnat
--demangle=dlang
--demangle=rust
--demangle=nonsense
-Oauto
-Omagic
-Obsd
-O4.4bsd
-Oprof
-Ononsense
-I../.. -A
"""

# The same in other forms, and options that must be rejected.
SPELLINGS = """
--flat-profile --graph --brief
--flat --exec-c --width 60
--no-flat-profile --no-graph
--no-flat --display-unused-functions
--annotated-source --all-lines --table-length=3
--line --print-path --flat-profile
--time={f} --no-time={g}
--function-ordering
--sum --file-info
--static-call-graph --no-static
--ignore-non-functions --traditional
--no
--nonsense
-g
-w
@../../options
"""

# Selections: each table, with one specification and with several.
SELECTIONS = """
-p{x}
-P{x}
-p{f} -P{f}
-p{f} -p{g} -p{file}
-P{f} -P{g} -z
-q{x}
-Q{x}
-q{f}/{g}
-q{f}/ -q/{g}
-Q{f}/{g} -Q{g}/{h}
-Q{x}/{x}
-k{f}/{g}
-k{f}/ -k/{h}
-k{x}/{x} -k{f}/{f}
-k{f}
-n{x}
-N{x}
-n{f} -N{f} -N{g}
-e{x}
-e{f} -e{g} -e{h}
-E{x}
-E{f} -f{g}
-f{x}
-f{f} -e{g}
-F{x}
-F{f} -E{f} -n{h}
-f{x} -F{x} -e{x} -E{x} -k{x}/{x}
-A{x}
-A{file} -J{x}
-J{x} -z
-C{x}
-Z{x}
-C{f} -Z{g} -z
-p{x} -q{x} -C{x} -A{x} -z
-P -q{x} -Z
-pnosuch -q
-qnosuch -P{f}
-p: -q{file}: -e:{f}
-p1.2 -q.c -e{file}:{line}
"""

# Several at once.
TOGETHER = """
-z -a
-z -D
-a -D
-z -w40 -L
-z --inline-file-names -L
-i -p
-i -P -q
-p -P
-P -Q
-P -Q -C
-C -z -a
-C -z -L
-A -z
-A -x -z
-A -x -m100 -t5
-A -y -z -t0
-A -C -p -q -z
-A -I/nowhere:../..:.
-T -z
-T -p
-T -q -w100
-T -z -a --inline-file-names
-T -A -C
-r -z
-r -a
-r -p
-r -c
-r -R../../map
-R../../map -p -q -z
-R../../map -z -w20
-S../../symbols -z
-S../../symbols -C -A -z
-S../../symbols -r
-S../../symbols -p{x} -q{x}
-c -z
-c -q -a
-c -T -z
-c -k{f}/{g} -z
-s -p -q
-s -i -z
-s -Obsd
-s -O4.4bsd
-s -C -z
-s -k{f}/{g}
-T -k{f}/{g} -e{h}
-r -k{f}/{g}
-r -q{f}/{g}
"""


def lines(text):
    return [line for line in text.splitlines() if line]


def by_line(text):
    """The set in line mode."""
    return "-l" if text == "(none)" else "-l " + text


# All of them; those that GNU gprof accepts in either mode, in both.
OPTION_SETS = [
    *lines(ALONE), *lines(SPELLINGS), *lines(SELECTIONS), *lines(TOGETHER),
    *(by_line(text) for text in lines(ALONE) if not text.startswith("--dem")),
    *(by_line(text) for text in lines(SELECTIONS)),
    *(by_line(text) for text in lines(TOGETHER)),
]


class Chooser:
    """Fills in names of one program, and makes random further sets."""

    def __init__(self, seed, program):
        self.random = random.Random(seed)
        self.names = [name for _, kind, name in program.symbols
                      if kind in "tTW"]
        self.places = program.lines or [(name, "nosuch.c", 1)
                                        for name in self.names]

    def function(self):
        """A function: mostly one with lines."""
        if self.random.random() < 0.8:
            return self.random.choice(self.places)[0]
        return self.random.choice(self.names)

    def specification(self):
        """A selection of symbols in any form, known or not."""
        name, file, line = self.random.choice(self.places)
        return self.random.choice([
            self.function(), name, name, file, file, f"{file}:{name}",
            f"{file}:{line}", str(line), f"{file}:", f":{name}", f":{line}",
            f"nosuch{name}", f"nosuch.c:{name}", "", ":"])

    def fill_in(self, text):
        """The options of a set as a list."""
        if text == "(none)":
            return []
        words = []
        for word in text.split():
            while "{x}" in word:
                word = word.replace("{x}", self.specification(), 1)
            name, file, line = self.random.choice(self.places)
            words.append(word.format(
                f=name, g=self.function(), h=self.function(), file=file,
                line=line))
        return words

    def make_up(self):
        """A set that is not in the list."""
        options = [option for option in (
            "-z", "-a", "-D", "-l", "-L", "--no-demangle", "-w60", "-C", "-A",
            "-x", "-T", "-c", "-r", "-s", "-i", "-p", "-q",
            "--inline-file-names", "-S../../symbols", "-R../../map")
            if self.random.random() < 0.12]
        for _ in range(self.random.choice([0, 0, 1, 1, 2, 4])):
            if self.random.random() < 0.2:
                options.append(f"{self.random.choice(['-q', '-Q', '-k'])}"
                               f"{self.specification()}/"
                               f"{self.specification()}")
            else:
                options.append(self.random.choice([
                    "-p", "-P", "-q", "-Q", "-n", "-N", "-e", "-E", "-f", "-F",
                    "-A", "-J", "-C", "-Z"]) + self.specification())
        # Required arguments must not be empty.
        return [option + ":" if option in ("-n", "-N", "-e", "-E", "-f", "-F")
                else option for option in options]
