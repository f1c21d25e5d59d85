# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print how many SIGPROF a log of strace -f has, and the names of the system
calls that were made between each one's arrival and the handler's return:

    calls_in_handler.py LOG
"""
import re
import sys

in_handler = set()
names = set()
n_signals = 0
with open(sys.argv[1]) as log:
    for line in log:
        tid, what = line.split(None, 1)
        if what.startswith("--- SIGPROF "):
            n_signals += 1
            in_handler.add(tid)
            continue
        call = re.match(r"(?:<\.\.\. )?(\w+)", what)
        if tid not in in_handler or not call:
            continue
        names.add(call[1])
        if call[1] == "rt_sigreturn":
            in_handler.discard(tid)
print("%d signals: %s" % (n_signals, " ".join(sorted(names))))
