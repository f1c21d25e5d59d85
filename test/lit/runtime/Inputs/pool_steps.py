# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pool_steps.py ARCLINE_CC ARCLINE: kills a process that adds to a pool at each of
its system calls that matter, by strace, whether the pool is there or not. Its
counts are in the pool as a whole or not at all, and others add as before."""
import glob
import re
import shutil
import subprocess
import sys
import os

arcline_cc, arcline = sys.argv[1:]
CALLS = ("flock", "pread64", "pwrite64", "lseek", "renameat2", "unlinkat",
         "exit_group")
FUNCTIONS = {"counted": 7, "by_pointer": 5}

with open("prog.c", "w") as file:
    file.write("""
__attribute__((noinline)) static void counted(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void by_pointer(void) { __asm__ volatile(""); }
int main(void) {
  void (*volatile pointer)(void) = by_pointer;
  for (int i = 0; i < 7; i++)
    counted();
  for (int i = 0; i < 5; i++)
    pointer();
  return 0;
}
""")
subprocess.run([arcline_cc, "-O1", "-g", "prog.c", "-o", "prog"], check=True)
os.environ["ARCLINE_OPTIONS"] = "out=pool/%m:hz=0"


def pools():
    return [path for path in glob.glob("pool/prog.*") if not path.endswith(".arcline")]


def n_added():
    """How many processes' counts are in the pool, of each function the same."""
    found = pools()
    assert len(found) <= 1, found
    if not found:
        return 0
    text = subprocess.run([arcline, "gprof", "-b", "-p", "prog", found[0]],
                          check=True, capture_output=True, text=True).stdout
    numbers = set()
    for name, calls in FUNCTIONS.items():
        match = re.search(rf" (\d+) .* {name}$", text, re.M)
        n = int(match.group(1)) if match else 0
        assert n % calls == 0, (name, n)
        numbers.add(n // calls)
    assert len(numbers) == 1, numbers
    return numbers.pop()


def n_processes():
    """The processes of the side file, with those of the pool."""
    subprocess.run([arcline, "merge", "-o", "sum", "pool"], check=True)
    with open("sum.arcline") as file:
        return int(re.search(r"^processes (\d+)$", file.read(), re.M).group(1))


def kill_at(call, step, is_there):
    """Returns how many processes' counts came of one that is killed at that call of
    its kind; None: it has fewer of them."""
    if not is_there:
        shutil.rmtree("pool", ignore_errors=True)
    elif not pools():
        subprocess.run(["./prog"], check=True)
    before = n_added()
    status = subprocess.run(
        ["strace", "-o", "log", "-e", f"trace={call}", "-e",
         f"inject={call}:signal=KILL:when={step}", "./prog"], check=False).returncode
    if status == 0:
        return None
    assert status in (-9, 137), status
    after = n_added()
    # The pool gets counts and figures at once. The first process writes the
    # side file after the pool.
    assert not is_there or n_processes() == after, (call, step, after)
    assert after - before in (0, 1), (call, step, before, after)
    subprocess.run(["./prog"], check=True)
    assert n_added() == after + 1, (call, step, after)
    return after - before


n_kills = 0
for is_there in (False, True):
    shutil.rmtree("pool", ignore_errors=True)
    results = []
    for call in CALLS:
        step = 1
        while (result := kill_at(call, step, is_there)) is not None:
            results.append(result)
            step += 1
    # It is killed before it has added, and after.
    assert set(results) == {0, 1}, results
    n_kills += len(results)
assert n_kills > 20, n_kills
