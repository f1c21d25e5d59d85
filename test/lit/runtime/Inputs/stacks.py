# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run a program with stacks=on and check its call stacks:

    stacks.py CASE PROGRAM [ARGUMENT...]

The cases are at the end. A stack is written as names with > between them, the
outermost first: functions of the program, and for other code the file's name
(libc.so.6 and so on), once for any number of its frames in a row.
"""
import bisect
import functools
import os
import re
import subprocess
import sys

import samples


@functools.lru_cache
def symbols_of(image):
    """Addresses of functions in order, and their names."""
    found = []
    for line in subprocess.run(
        ["llvm-nm", "-C", "--defined-only", image], check=True, capture_output=True, text=True
    ).stdout.splitlines():
        value, kind, name = line.split(" ", 2)
        if kind in "tTwWi":
            found.append((int(value, 16), re.sub(r"\(.*|<.*", "", name)))
    found.sort()
    return [value for value, _ in found], [name for _, name in found]


class Stacks(samples.Samples):
    """counts: samples by stack. lost: numbers by word."""

    def __init__(self, program, name="gmon.out"):
        super().__init__(name)
        self.symbols = {}
        self.functions = set()
        self.program = program
        self.files = {words[0]: words[3] for words in self.side["object"]}
        frames = {}
        self.counts = {}
        self.n_frames = {}
        for number, caller, place, offset in self.side.get("frame", []):
            assert number not in frames and (caller == "0" or caller in frames)
            above, n_above = frames.get(caller, ((), 0))
            name = self.name_of(place, int(offset, 16))
            is_same = above and name == above[-1] and name not in self.functions
            frames[number] = (above if is_same else above + (name,), n_above + 1)
        for number, count in self.side.get("stack", []):
            text = ">".join(frames[number][0])
            self.counts[text] = self.counts.get(text, 0) + int(count)
            self.n_frames[text] = max(self.n_frames.get(text, 0), frames[number][1])
        self.lost = {what: int(count) for what, count in self.side.get("lost", [])}

    def name_of(self, place, offset):
        if self.files[place] == "-":
            return os.path.basename(self.objects[place])
        if place not in self.symbols:
            self.symbols[place] = symbols_of(self.objects[place])
        starts, names = self.symbols[place]
        name = names[bisect.bisect_right(starts, offset) - 1]
        self.functions.add(name)
        return name

    def n_recorded(self):
        return sum(self.counts.values())

    def n_incomplete(self):
        return sum(n for text, n in self.counts.items() if text.startswith("[unknown]"))

    def check(self):
        """Checks that fit every program."""
        told = sum(n for what, n in self.lost.items() if what.startswith("frames-"))
        assert self.n_incomplete() == told, self.lost
        # All samples except those of the profiler's own time and of unknown code, such as
        # that of a library that was unloaded.
        n = self.n_recorded() + self.lost.get("stacks", 0)
        sampled = self.total() - self.outside("[profiler]")
        known = sampled - self.outside("[unknown]")
        assert known <= n <= sampled, (n, self.lost, known)


def run(program, *arguments, options="", hz=10000):
    lines, message = samples.run(
        program, *arguments, options="stacks=on:hz=%s:%s" % (hz, options)
    )
    assert not message, message
    return lines


def shares(program, *arguments):
    """Output: function, its CPU seconds. Inclusive time is in proportion."""
    lines = run(program, *arguments, hz=1000)
    stacks = Stacks(program)
    stacks.check()
    all_seconds = sum(float(seconds) for _, seconds in lines)
    within = {
        name: sum(n for text, n in stacks.counts.items() if name in text.split(">"))
        for name, _ in lines
    }
    for name, seconds in lines:
        samples.check_seen(
            name, within[name] / max(1, sum(within.values())), float(seconds) / all_seconds,
            0, 0.2 if samples.is_busy() else 0.1,
        )
    leaves = sum(n for text, n in stacks.counts.items() if text.endswith(">burn"))
    assert leaves >= 0.5 * stacks.n_recorded()
    assert stacks.n_incomplete() <= 0.01 * stacks.n_recorded(), stacks.counts


def chains(program, *words):
    """Words: those of the program's command line, then --, then pairs: a name, and
    a pattern. Each stack that has the name is complete and fits the pattern as a
    whole; there are some."""
    split = words.index("--")
    run(program, *words[:split])
    stacks = Stacks(program)
    stacks.check()
    pairs = words[split + 1 :]
    for name, pattern in zip(pairs[::2], pairs[1::2]):
        own = [text for text in stacks.counts if name in text.split(">")]
        if not own:
            raise samples.Unseen(name, stacks.counts)
        for text in own:
            assert re.fullmatch(pattern, text), text


def complete(program, part, *arguments):
    """Output: nothing. At least so many per cent of all stacks are complete."""
    run(program, *arguments)
    stacks = Stacks(program)
    stacks.check()
    n = stacks.n_recorded()
    if n < 100:
        raise samples.Unseen(n)
    if stacks.n_incomplete() > (1 - float(part) / 100) * n:
        # On a busy machine one walk represents as many as forty samples, and may be at an
        # instruction that is rarely hit.
        raise samples.Unseen(
            stacks.lost, {text: n for text, n in stacks.counts.items() if text[0] == "["}
        )


def forked(program):
    """Output: process id, the function that uses its time."""
    lines = run(program, options="out=%p.out")
    assert len(lines) == 2
    for pid, name in lines:
        stacks = Stacks(program, pid + ".out")
        stacks.check()
        own = [text for text in stacks.counts if "burn" in text.split(">")]
        if not own:
            raise samples.Unseen(stacks.counts)
        for text in own:
            assert text.endswith(">main>%s>burn" % name), text


def deep(program):
    """A stack deeper than the limit has its innermost frames."""
    run(program)
    stacks = Stacks(program)
    stacks.check()
    n = stacks.lost.get("frames-deep", 0)
    if not n:
        raise samples.Unseen(stacks.lost)
    for text, n_frames in stacks.n_frames.items():
        if text.startswith("[unknown]"):
            assert text.endswith(">burn") or text.split(">")[-1] == "recurse", text
            assert n_frames == 513, n_frames


def waits(program):
    """Both waits are found, by complete stacks that end in [waiting]."""
    run(program, options="clock=wall", hz=1000)
    stacks = Stacks(program)
    stacks.check()
    for name, first in (("in_nanosleep", "main"), ("in_poll", "thread")):
        own = [text for text in stacks.counts if name in text.split(">")]
        if not own:
            raise samples.Unseen(name, stacks.counts)
        assert any(text.endswith(">[kernel]>[waiting]") for text in own), own
        for text in own:
            assert text.count("[waiting]") == text.endswith("[waiting]"), text
            assert re.match(r"\[unknown\]", text) is None, text
            assert "%s>outer>%s>" % (first, name) in text or text.endswith(name), text


def dumped(program):
    """Output: the number of files N.out."""
    ((n,),) = run(program, options="clock=wall", hz=1000)
    files = [Stacks(program, "%d.out" % i) for i in range(int(n))]
    for stacks in files:
        stacks.check()
    if not any("[waiting]" in text for text in files[-1].counts):
        raise samples.Unseen(files[-1].counts)


def reset(program):
    """Writes three files: of before(), of after(), and of both."""
    run(program)
    first, second = (Stacks(program, name) for name in ("first", "gmon.out"))
    for stacks, name, other in ((first, "before", "after"), (second, "after", "before")):
        stacks.check()
        within = [text.split(">") for text in stacks.counts]
        if not any(name in names for names in within):
            raise samples.Unseen(stacks.counts)
        assert not any(other in names for names in within), stacks.counts


CASES = {
    case.__name__: case
    for case in (shares, chains, complete, forked, deep, reset, waits, dumped)
}

if __name__ == "__main__":
    samples.try_runs(CASES[sys.argv[1]], *sys.argv[2:])
