# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drive `arcline ctl` on a program that prints its process id first, runs until
its standard input ends, and then prints how many calls of leaf() it made.

    control.py ARCLINE PROGRAM ROUNDS
"""
import os
import re
import subprocess
import sys
import time

arcline, program, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])


def ctl(*words):
    done = subprocess.run(
        [arcline, "ctl", "--timeout=60", str(pid), *words],
        check=True,
        capture_output=True,
        text=True,
    )
    assert not done.stderr, done.stderr
    return done.stdout.splitlines()


def calls():
    """Calls in the file. Arcs from 0 are starts of threads."""
    text = subprocess.run(
        [arcline, "dump", "gmon.out"], check=True, capture_output=True, text=True
    ).stdout
    return sum(
        int(count) for count in re.findall(r"^arc from=0x[1-9a-f]\w* .*count=(\d+)", text, re.M)
    )


def settles(is_so):
    """The runtime tidies up after it has answered."""
    for _ in range(3000):
        if is_so():
            return True
        time.sleep(0.01)
    return False


def n_maps():
    return len(open("/proc/%d/maps" % pid).readlines())


def descriptors():
    return sorted(os.listdir("/proc/%d/fd" % pid))


def status():
    return dict(line.split(" ", 1) for line in ctl("status"))


process = subprocess.Popen(
    [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
)
pid = int(process.stdout.readline())
while status()["threads"] != "5":
    pass
names = [os.path.join(os.getcwd(), name) for name in ("gmon.out", "gmon.out.arcline")]
total = 0
for i in range(rounds):
    assert ctl("dump") == names
    before = calls()
    assert ctl("dump", "--reset") == names
    assert calls() >= before
    total += calls()
    if i == 0:
        maps = n_maps()
several = [
    subprocess.Popen([arcline, "ctl", "--timeout=60", str(pid), "stop"])
    for _ in range(8)
]
assert all(one.wait() == 0 for one in several)
first = status()
assert first["process"] == str(pid) and first["objects"] == "1", first
assert first["program"] == os.path.realpath(program), first
assert first["dumps"] == str(2 * rounds) and first["threads"] == "5", first
assert first["lost-calls"] == "0" and first["output"] == "gmon.out", first
if "hz=0" in os.environ.get("ARCLINE_OPTIONS", ""):
    assert first["sampling"] == "none" and first["clock"] == "seconds 0", first
else:
    assert first["sampling"] == "off" and first["clock"] == "seconds 100", first
    assert status()["samples"] == first["samples"]
    assert ctl("start") == [] and status()["sampling"] == "on"
assert settles(lambda: descriptors() == ["0", "1", "2"]), descriptors()
# The kernel may join and split adjacent mappings.
assert settles(lambda: n_maps() <= maps + 4), (n_maps(), maps)
truth = int(process.communicate("")[0].split()[-1])
assert process.returncode == 0
total += calls()
assert total == truth, (total, truth)
assert not [name for name in os.listdir(".") if name.startswith(".")]
