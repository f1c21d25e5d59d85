# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run a program and check its samples:

    samples.py CASE PROGRAM [ARGUMENT...]

The cases are at the end. Programs print the expected values.
"""
import bisect
import os
import resource
import struct
import subprocess
import sys


class Samples:
    """bins: (address, samples) of the histograms. side: lists of words, by the
    first word of a record. objects: path by number."""

    def __init__(self, name="gmon.out"):
        self.bins = []
        self.side = {}
        with open(name, "rb") as file:
            self._read_histograms(file.read())
        with open(name + ".arcline") as file:
            lines = file.read().splitlines()
        assert lines[0] == "arcline-side 1" and lines[-1] == "end"
        for line in lines:
            kind, *words = line.split(" ")
            self.side.setdefault(kind, []).append(words)
        self.objects = {words[0]: words[4] for words in self.side["object"]}
        self.rate = int(self.side["clock"][0][1])

    def _read_histograms(self, data):
        at = 20
        while at < len(data) and data[at] == 0:
            low, high, n, self.header_rate, dimension, self.abbreviation = (
                struct.unpack_from("<QQII15sc", data, at + 1)
            )
            self.dimension = dimension.rstrip(b"\0").decode()
            at += 41
            step = (high - low) // n
            for i, count in enumerate(struct.unpack_from("<%dH" % n, data, at)):
                if count:
                    self.bins.append((low + i * step, count))
            at += 2 * n

    def inside(self):
        return sum(count for _, count in self.bins)

    def outside(self, ending=""):
        """Of the objects whose path ends like that."""
        return sum(
            int(words[2])
            for words in self.side.get("time", [])
            if self.objects[words[0]].endswith(ending)
        )

    def kernel(self):
        """In system calls, of all."""
        return sum(int(words[2]) for words in self.side.get("kernel", []))

    def total(self):
        return self.inside() + self.outside()

    def cpu_seconds(self):
        return sum(int(word) for word in self.side["cpu"][0]) / 1e6

    def threads(self):
        """Samples by thread id."""
        return {int(tid): int(n) for tid, n in self.side.get("thread", [])}

    def by_function(self, image):
        symbols = []
        for line in subprocess.run(
            ["llvm-nm", "--defined-only", image], check=True, capture_output=True, text=True
        ).stdout.splitlines():
            value, _, name = line.split(" ", 2)
            symbols.append((int(value, 16), name))
        symbols.sort()
        starts = [value for value, _ in symbols]
        counts = {}
        for address, n in self.bins:
            name = symbols[bisect.bisect_right(starts, address) - 1][1]
            counts[name] = counts.get(name, 0) + n
        return counts


def check_near(what, value, expected, part, slack=0):
    """Fail unless value is within part (relative) or slack of expected."""
    assert abs(value - expected) <= max(part * expected, slack), (
        "%s: %s, expected %s" % (what, value, expected)
    )


class Unseen(AssertionError):
    """The number of samples is right, but not their places."""


def check_seen(what, value, expected, part, slack=0):
    """check_near() for shares of what was sampled."""
    try:
        check_near(what, value, expected, part, slack)
    except AssertionError as error:
        raise Unseen(*error.args) from None


was_preempted = False  # the threads of the last run, by others


def is_busy():
    """Whether other processes compete for the processors: the kernel then checks a thread less
    often, and more often at some points of its work than at others."""
    return os.getloadavg()[0] > os.cpu_count()


def try_runs(case, *arguments):
    """A thread that runs briefly and is often preempted may never be sampled at some part of its
    work. Then one run of several must have the true shares. The number of samples must be right in
    each. The load follows late, preemptions are known at once."""
    for n_left in reversed(range(12)):
        try:
            return case(*arguments)
        except Unseen:
            if n_left == 0 or not (was_preempted or is_busy()):
                raise


def run(program, *arguments, options):
    """Returns (words of each line of output, text of stderr)."""
    global was_preempted
    os.environ["ARCLINE_OPTIONS"] = options
    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, *arguments], check=True, capture_output=True, text=True)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = end.ru_utime - start.ru_utime + end.ru_stime - start.ru_stime
    was_preempted = end.ru_nivcsw - start.ru_nivcsw > 50 * seconds
    return [line.split() for line in done.stdout.splitlines()], done.stderr


def check_total(samples, worked):
    """All CPU time is accounted for, inside, outside or as unknown: at least the time by the
    program's own clocks, in seconds, and at most the CPU time of the process. Time of its start,
    before there was a clock, is up to the machine.
    """
    assert samples.rate == samples.header_rate
    total = samples.total()
    assert total >= 0.98 * worked * samples.rate - 2, (total, worked)
    assert total <= 1.02 * samples.cpu_seconds() * samples.rate + 2, (
        total,
        samples.cpu_seconds(),
    )
    n_threads = len(samples.threads())
    assert sum(samples.threads().values()) <= samples.total() + n_threads
    return total - samples.outside("[unknown]") - samples.outside("[profiler]")


def cpu_time(program, rate, n_threads):
    """Output: thread id, its CPU seconds in x(), in y()."""
    lines, _ = run(program, n_threads, options="hz=" + rate)
    samples = Samples()
    worked = sum(float(word) for line in lines for word in line[1:])
    n_known = check_total(samples, worked)
    rate = int(rate)
    assert samples.rate == rate
    by_tid = samples.threads()
    # The kernel checks timers at its own ticks. A thread that never runs at a tick, as
    # may happen with many others, is not sampled.
    if n_known < 0.5 * worked * rate:
        raise Unseen(n_known, worked)
    in_x = in_both = 0
    for tid, x_seconds, y_seconds in lines:
        seconds = float(x_seconds) + float(y_seconds)
        # Its own start, some milliseconds where memory is slow, is in it, too.
        check_near("thread", by_tid[int(tid)], seconds * rate, 0.03, 1 + 0.004 * rate)
        in_x += float(x_seconds)
        in_both += seconds
    counts = samples.by_function(program)
    got = counts.get("x", 0) / max(counts.get("x", 0) + counts.get("y", 0), 1)
    # The kernel checks a thread once per tick, however high the rate is.
    n_looks = min(in_both * 100, n_known) / (4 if is_busy() else 1)
    expected = in_x / in_both
    check_seen("x", got, expected, 0, 5 * (expected * (1 - expected) / n_looks) ** 0.5)


def outside(program):
    """Output: end of an object's path or a function, its CPU seconds."""
    lines, _ = run(program, options="hz=1000")
    samples = Samples()
    check_total(samples, sum(float(seconds) for _, seconds in lines))
    own = samples.by_function(program)
    for name, seconds in lines:
        if name == "[kernel]":
            got = samples.kernel()
        elif name == "libc.so.6":  # it makes the calls
            got = samples.outside(name) - samples.kernel()
        else:
            got = own[name] if name in own else samples.outside(name)
        check_seen(name, got, float(seconds) * 1000, 0.6 if is_busy() else 0.3, 20)


def short_threads(program):
    """Output: CPU seconds in burn(), by threads shorter than the period."""
    lines, _ = run(program, options="hz=100")
    samples = Samples()
    worked = float(lines[0][0])
    check_total(samples, worked)
    got = samples.by_function(program).get("burn", 0)
    check_seen("burn", got, worked * 100, 0.8 if is_busy() else 0.4)


def many_short_threads(program):
    """Output: CPU seconds of threads shorter than the period, many at a time."""
    lines, _ = run(program, options="hz=100")
    samples = Samples()
    check_total(samples, float(lines[0][0]))
    check_seen("unknown", samples.outside("[unknown]"), 0, 0, 0.12 * samples.total())


def blocked_signals(program):
    """Output: id of a thread that blocks signals for a while, its CPU seconds;
    CPU seconds of a thread that never lets them through."""
    lines, _ = run(program, options="hz=1000")
    samples = Samples()
    (tid, seconds), (lost_seconds,) = lines
    check_total(samples, float(seconds) + float(lost_seconds))
    check_near("thread", samples.threads()[int(tid)], float(seconds) * 1000, 0.03)
    check_seen("unknown", samples.outside("[unknown]"), float(lost_seconds) * 1000, 0.1, 40)


def forked(program):
    """Output: process id and CPU seconds, of child and parent."""
    lines, _ = run(program, options="hz=1000:out=%p.out")
    for pid, seconds in lines:
        samples = Samples(pid + ".out")
        check_total(samples, float(seconds))
        if not samples.by_function(program).get("burn"):
            raise Unseen("burn: no sample")
        check_near("process", samples.total(), float(seconds) * 1000, 0.03, 11)


def wall_time(program):
    """Output: id of a thread that sleeps, and for how many seconds."""
    lines, _ = run(program, options="clock=wall:hz=1000")
    samples = Samples()
    ((tid, seconds),) = lines
    n_slept = samples.threads()[int(tid)]
    # The machine may be slow, but it does not wake up early.
    assert n_slept >= 0.98 * float(seconds) * 1000, n_slept
    assert samples.kernel() >= 0.95 * float(seconds) * 1000


def events(program, event, dimension, abbreviation, function, at_least):
    """The events are sampled, or one line reports the reason."""
    _, message = run(program, options="event=%s:hz=100" % event)
    samples = Samples()
    if message:
        print("%s: fallback" % event)
        assert message.startswith("arcline: ARCLINE_OPTIONS: event=%s: " % event), message
        assert message.endswith("; sampling CPU time instead\n"), message
        assert message.count("\n") == 1
        dimension = "seconds"
        abbreviation = "s"
    else:
        assert samples.by_function(program).get(function, 0) >= int(at_least)
    assert samples.dimension == samples.side["clock"][0][0] == dimension
    assert samples.abbreviation.decode() == abbreviation
    assert samples.rate == samples.header_rate == 100


CASES = {
    case.__name__: case
    for case in (
        cpu_time,
        outside,
        short_threads,
        many_short_threads,
        blocked_signals,
        forked,
        wall_time,
        events,
    )
}

if __name__ == "__main__":
    try_runs(CASES[sys.argv[1]], *sys.argv[2:])
