# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pool_kill.py ARCLINE_CC ARCLINE: processes that add to one pool, some of which
are killed at any moment."""
import glob
import os
import random
import re
import subprocess
import sys

arcline_cc, arcline = sys.argv[1:]
N_ROUNDS, MAX_ROUNDS, N_AT_ONCE = 40, 1000, 8

with open("prog.c", "w") as file:
    file.write("""
__attribute__((noinline)) static void counted(void) { __asm__ volatile(""); }
int main(void) {
  for (int i = 0; i < 7; i++)
    counted();
  return 0;
}
""")
subprocess.run([arcline_cc, "-O1", "-g", "prog.c", "-o", "prog"], check=True)
random.seed(7)
os.environ["ARCLINE_OPTIONS"] = "out=pool/%m:hz=0"
n_ended = n_killed = n_rounds = 0
longest = 0.004  # seconds to a kill; it follows the duration of a process
# As many as needed: the duration of a process depends on the machine.
while n_rounds < N_ROUNDS or (n_killed <= 10 or n_ended <= 100) and n_rounds < MAX_ROUNDS:
    n_rounds += 1
    processes = [subprocess.Popen(["./prog"]) for _ in range(N_AT_ONCE)]
    for process in processes[::2]:
        try:
            process.wait(random.random() * longest)
            longest = max(longest * 0.95, 1e-6)
        except subprocess.TimeoutExpired:
            process.kill()
            longest = min(longest * 1.05, 0.1)
    for process in processes:
        status = process.wait()
        assert status in (0, -9), status
        n_ended += status == 0
        n_killed += status != 0
    pools = [path for path in glob.glob("pool/prog.*") if not path.endswith(".arcline")]
    assert len(pools) == 1, pools
    text = subprocess.run([arcline, "gprof", "-b", "-p", "prog", pools[0]],
                          check=True, capture_output=True, text=True).stdout
    calls = int(re.search(r" (\d+) .* counted$", text, re.M).group(1))
    # A process may be killed after it has added.
    assert 7 * n_ended <= calls <= 7 * (n_ended + n_killed), (calls, n_ended)
    assert calls % 7 == 0, calls
assert n_killed > 10 and n_ended > 100, (n_ended, n_killed)
