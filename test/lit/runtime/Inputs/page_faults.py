"""Runs a command and prints how many page faults it took."""
import os
import sys

pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
if status:
    sys.exit(f"{sys.argv[1]}: status {status}")
print(usage.ru_minflt)
